/* SPDX-License-Identifier: MIT */
/*
 * known.c: failures that are known, such as those of a policy that is not meant for a scenario.
 *
 * They are reported as such and fail nothing; a line whose tests all pass is told, so that the list
 * only shrinks to what is still true.
 */
#define _DEFAULT_SOURCE /* realpath */
#include "tools/test/known.h"

#include <errno.h>
#include <fnmatch.h>
#include <glob.h>
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "tools/common/host.h"

enum { LINE_MOST = 4096 };

struct known_line {
    char *text; /* the three parts, each 0-terminated */
    const char *settings, *scenario, *test;
    char *pattern; /* of `scenario`, for real paths */
    unsigned number;
    uint64_t failed, passed;
    bool asked, met; /* the command line has its settings; a file has its name */
    bool named;      /* a test of that file has this name, or may have: it was not read */
    char *nearest;   /* of the names of its tests */
};

/* ---- reading ----------------------------------------------------------------------------------
 */

static char *known_word(char **at)
{
    char *word = *at + strspn(*at, " \t");
    char *end = word + strcspn(word, " \t");
    *at = end + (*end != '\0');
    *end = '\0';
    return word;
}

static bool has_setting(const struct run_settings *settings, const char *word, size_t length)
{
    for (size_t i = 0; i < settings->count; i++)
        if (strlen(settings->words[i]) == length && memcmp(settings->words[i], word, length) == 0)
            return true;
    return false;
}

/* "a=1,b=2": each is a setting, or the line would never be about anything. */
static bool check_settings(const struct known *known, struct known_line *line)
{
    struct text setting = { 0 }, why = { 0 };
    const char *word = line->settings;
    bool good = true;
    line->asked = true;
    for (; good && strcmp(line->settings, "-") != 0 && *word; word += *word == ',') {
        size_t length = strcspn(word, ",");
        text_clear(&setting);
        text_add_bytes(&setting, word, length);
        line->asked = line->asked && has_setting(known->settings, word, length);
        word += length;
        good = run_options_check_setting(text_get(&setting), known->settings, &why);
    }
    if (!good)
        (void)fprintf(stderr, "vidmm test: %s:%u: %s\n", known->path, line->number, text_get(&why));
    text_free(&setting);
    text_free(&why);
    return good;
}

/* In front of the pattern stands the folder of the list, whose own signs mean themselves. */
static char *known_pattern(const struct known *known, const char *scenario)
{
    struct text pattern = { 0 };
    size_t length = strlen(known->folder);
    if (*scenario != '/' && *scenario != '*') {
        while (scenario[0] == '.') {
            size_t up = scenario[1] == '.';
            if (scenario[1 + up] != '/')
                break;
            while (up && length && known->folder[--length] != '/') {
            }
            scenario += 2 + up;
        }
        for (size_t i = 0; i < length; i++)
            text_add(&pattern, "%s%c", strchr("*?[\\", known->folder[i]) ? "\\" : "",
                     known->folder[i]);
        text_add(&pattern, "/");
    }
    text_add(&pattern, "%s", scenario);
    return pattern.bytes;
}

static bool read_line(struct known *known, const char *text, unsigned number)
{
    struct known_line line = { .number = number };
    size_t length = strcspn(text, "\r\n");
    if (*text == '#' || strspn(text, " \t") >= length)
        return true;
    char *at = line.text = base_strndup(text, length);
    line.settings = known_word(&at);
    line.scenario = known_word(&at);
    line.test = at + strspn(at, " \t");
    line.pattern = known_pattern(known, line.scenario);
    BASE_GROW(known->lines, known->capacity, known->count + 1);
    known->lines[known->count++] = line;
    bool good = (strchr(line.settings, '=') || strcmp(line.settings, "-") == 0) && *line.test;
    if (!good)
        (void)fprintf(stderr,
                      "vidmm test: %s:%u: write SETTING=VALUE (or -), the scenario and its test "
                      "(or *)\n",
                      known->path, number);
    return good && check_settings(known, &known->lines[known->count - 1]);
}

/* "/a/b" of "b/list.txt"; "" is the root. */
static char *folder_of(const char *path)
{
    char real[PATH_MAX];
    if (!realpath(path, real))
        *real = '\0';
    const char *slash = strrchr(real, '/');
    return base_strndup(real, slash ? (size_t)(slash - real) : 0);
}

bool known_open(struct known *known, const char *path, const char *folder,
                const struct run_settings *settings)
{
    char line[LINE_MOST];
    struct text name = { 0 };
    bool good = true, asked = path != NULL;
    known->settings = settings;
    if (!path && !folder)
        return true;
    text_add(&name, "%s%s", asked ? path : folder, asked ? "" : "/known-failures.txt");
    known->path = base_strndup(text_get(&name), name.length);
    text_free(&name);
    FILE *file = fopen(known->path, "r");
    if (!file) {
        if (asked || errno != ENOENT)
            (void)fprintf(stderr, "vidmm test: %s: %s\n", known->path, strerror(errno));
        return !asked && errno == ENOENT;
    }
    known->folder = folder_of(known->path);
    for (unsigned number = 1; good && fgets(line, sizeof line, file); number++) {
        good = strchr(line, '\n') || feof(file);
        if (good)
            good = read_line(known, line, number);
        else
            (void)fprintf(stderr, "vidmm test: %s:%u: the line is too long\n", known->path, number);
    }
    good = good && !ferror(file);
    (void)fclose(file);
    return good;
}

/* ---- what is known ----------------------------------------------------------------------------
 */

/* A file may be called in many ways; one that is gone has no other name. */
static const char *real_name(const char *file, char real[PATH_MAX])
{
    return realpath(file, real) ? real : file;
}

static bool is_about(const struct known_line *line, const char *real, const char *test)
{
    return line->asked && fnmatch(line->pattern, real, 0) == 0 && fnmatch(line->test, test, 0) == 0;
}

bool known_has(const struct known *known, const char *file, const char *test)
{
    char room[PATH_MAX];
    const char *real = real_name(file, room);
    for (size_t i = 0; i < known->count; i++)
        if (is_about(&known->lines[i], real, test))
            return true;
    return false;
}

/* A test of the file that the line is about. */
static void compare_name(struct known_line *line, const char *test)
{
    struct text_likeness likeness = text_likeness(line->test);
    line->named = line->named || fnmatch(line->test, test, 0) == 0;
    if (line->named)
        return;
    if (line->nearest)
        text_liken(&likeness, line->nearest);
    text_liken(&likeness, test);
    if (likeness.best != test)
        return;
    base_free(line->nearest);
    line->nearest = base_strndup(test, strlen(test));
}

/* Of tests: what cannot be read, or never ends, is no known decision. */
void known_apply(struct known *known, struct verdict *verdict)
{
    char room[PATH_MAX];
    const char *real = real_name(verdict->file, room);
    bool failed = false;
    bool by_tests =
        verdict->exit == SCENARIO_EXIT_FAILED || verdict->exit == SCENARIO_EXIT_BUGCHECK;
    for (size_t i = 0; i < verdict->unit_count; i++) {
        struct unit *unit = &verdict->units[i];
        for (size_t j = 0; j < known->count; j++) {
            struct known_line *line = &known->lines[j];
            if (line->asked && fnmatch(line->pattern, real, 0) == 0) {
                line->met = true;
                line->named = line->named || (!by_tests && verdict->exit != SCENARIO_EXIT_OK);
                compare_name(line, unit->name);
            }
            if (!is_about(line, real, unit->name))
                continue;
            line->passed += unit->state == UNIT_PASSED;
            if (unit->state != UNIT_FAILED || !by_tests)
                continue;
            line->failed++;
            unit->state = UNIT_SKIPPED;
            unit->why = "a known failure";
            unit->known = true;
        }
        failed = failed || unit->state == UNIT_FAILED;
    }
    if (by_tests && !failed)
        verdict->exit = SCENARIO_EXIT_OK;
}

/* No file of this run, and none that is anywhere. */
static bool names_nothing(const struct known_line *line)
{
    glob_t found;
    if (!line->asked || line->met || *line->scenario == '*')
        return false;
    bool none = glob(line->pattern, GLOB_NOSORT, NULL, &found) != 0;
    globfree(&found);
    return none;
}

/* One file, whose tests have all other names. */
static bool names_no_test(const struct known_line *line)
{
    return line->met && !line->named && !strpbrk(line->scenario, "*?[");
}

void known_tell(const struct known *known, bool every)
{
    for (size_t i = 0; i < known->count; i++) {
        const struct known_line *line = &known->lines[i];
        if (names_nothing(line))
            (void)fprintf(
                stderr,
                "vidmm test: %s:%u: no file is called %s (seen from the folder of this list)\n",
                known->path, line->number, line->scenario);
        if (every && names_no_test(line))
            (void)fprintf(stderr, "vidmm test: %s:%u: no test of %s is called '%s'%s%s%s\n",
                          known->path, line->number, line->scenario, line->test,
                          line->nearest ? "; did you mean '" : "",
                          line->nearest ? line->nearest : "", line->nearest ? "'?" : "");
        if (line->passed && !line->failed)
            (void)fprintf(stderr,
                          "vidmm test: %s:%u: no failure any more: %s passes, take the line out\n",
                          known->path, line->number,
                          line->passed == 1 ? "its test" : "each of its tests");
    }
}

void known_close(struct known *known)
{
    for (size_t i = 0; i < known->count; i++) {
        base_free(known->lines[i].text);
        base_free(known->lines[i].pattern);
        base_free(known->lines[i].nearest);
    }
    base_free(known->lines);
    base_free(known->folder);
    base_free((char *)(uintptr_t)known->path);
    *known = (struct known){ .path = NULL };
}
