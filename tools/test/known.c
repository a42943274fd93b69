/* SPDX-License-Identifier: MIT */
/*
 * known.c: failures that are known, such as those of a policy that is not meant for a scenario.
 *
 * They are reported as such and fail nothing; a line whose tests all pass is told, so that the list
 * only shrinks to what is still true.
 */
#include "tools/test/known.h"

#include <errno.h>
#include <fnmatch.h>
#include <glob.h>
#include <inttypes.h>
#include <string.h>

#include "tools/common/host.h"

enum { LINE_MOST = 4096 };

struct known_line {
    char *text; /* the three parts, each 0-terminated */
    const char *settings, *scenario, *test;
    unsigned number;
    uint64_t failed, passed;
    bool asked, met; /* the command line has its settings; a file has its name */
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
    while (line.scenario[0] == '.' && line.scenario[1] == '/')
        line.scenario += 2;
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

static bool is_about(struct known_line *line, const struct verdict *verdict,
                     const struct unit *unit)
{
    const char *file = verdict->file;
    while (file[0] == '.' && file[1] == '/')
        file += 2;
    if (!line->asked || fnmatch(line->scenario, file, 0) != 0)
        return false;
    line->met = true;
    return fnmatch(line->test, unit->name, 0) == 0;
}

/* Of tests: what cannot be read, or never ends, is no known decision. */
void known_apply(struct known *known, struct verdict *verdict)
{
    bool failed = false;
    bool by_tests =
        verdict->exit == SCENARIO_EXIT_FAILED || verdict->exit == SCENARIO_EXIT_BUGCHECK;
    for (size_t i = 0; i < verdict->unit_count; i++) {
        struct unit *unit = &verdict->units[i];
        for (size_t j = 0; j < known->count; j++) {
            struct known_line *line = &known->lines[j];
            if (!is_about(line, verdict, unit))
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
    bool none = line->asked && !line->met && glob(line->scenario, GLOB_NOSORT, NULL, &found) != 0;
    if (line->asked && !line->met)
        globfree(&found);
    return none;
}

void known_tell(const struct known *known)
{
    for (size_t i = 0; i < known->count; i++) {
        const struct known_line *line = &known->lines[i];
        if (names_nothing(line))
            (void)fprintf(stderr, "vidmm test: %s:%u: no file here is called %s\n", known->path,
                          line->number, line->scenario);
        if (line->passed && !line->failed)
            (void)fprintf(stderr,
                          "vidmm test: %s:%u: no failure any more: %s passes, take the line out\n",
                          known->path, line->number,
                          line->passed == 1 ? "its test" : "each of its tests");
    }
}

void known_close(struct known *known)
{
    for (size_t i = 0; i < known->count; i++)
        base_free(known->lines[i].text);
    base_free(known->lines);
    base_free((char *)(uintptr_t)known->path);
    *known = (struct known){ .path = NULL };
}
