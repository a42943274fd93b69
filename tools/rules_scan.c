/* SPDX-License-Identifier: MIT */
/*
 * rules_scan.c: which files raise a rule, prove it, and show a stop code.
 *
 * Raised: RULE(AREA_NNN) or VIDMM_RULE_AREA_NNN in the code (not in a comment or a string) of a
 * product source. Proved: `proves AREA-NNN,...` or `proves AREA-NNN(a,c)` in a scenario. Excused:
 * `AREA-NNN: reason` or `AREA-NNN(a,c): reason` in vidmm/rules/unobservable.txt. Shown:
 * `-> bugcheck CODE[/PARAMETER]` after a statement, or the line `tdr ... code=CODE` of a list of
 * events.
 * Folders are walked in the order of their names, so the result depends on nothing but the tree.
 */
#include <dirent.h>
#include <stdlib.h>
#include <string.h>

#include "tools/common/text.h"
#include "tools/rules_catalogue.h"

struct names {
    char **name;
    size_t count, capacity;
};

static int compare_names(const void *left, const void *right)
{
    const char *const *a = left;
    const char *const *b = right;
    return strcmp(*a, *b);
}

/* The entries of a folder, sorted; empty when there is no such folder. */
static struct names list_folder(struct catalogue *catalogue, const char *folder)
{
    struct names names = { 0 };
    char *full = catalogue_path(catalogue, folder);
    DIR *handle = opendir(full);
    base_free(full);
    if (!handle)
        return names;
    /* Watching the folder itself is what notices a new file. */
    catalogue_watch(catalogue, folder);
    for (struct dirent *entry; (entry = readdir(handle)) != NULL;) {
        if (entry->d_name[0] == '.')
            continue;
        struct text path = { 0 };
        text_add(&path, "%s/%s", folder, entry->d_name);
        BASE_GROW(names.name, names.capacity, names.count + 1);
        names.name[names.count++] = path.bytes;
    }
    (void)closedir(handle);
    if (names.count > 0)
        qsort(names.name, names.count, sizeof *names.name, compare_names);
    return names;
}

static bool ends_with(const char *text, const char *suffix)
{
    size_t length = strlen(text), tail = strlen(suffix);
    return length > tail && strcmp(text + length - tail, suffix) == 0;
}

/* Appends `path` to a list once: a file that names a rule twice stands there once. */
static void note_file(char **list, const char *path)
{
    size_t used = *list ? strlen(*list) : 0;
    size_t length = strlen(path);
    if (used >= length && strcmp(*list + used - length, path) == 0)
        return;
    struct text longer = { 0 };
    text_add(&longer, "%s%s%s", used ? *list : "", used ? ", " : "", path);
    base_free(*list);
    *list = longer.bytes;
}

/* Overwrites comments, strings and characters with blanks, so that only code is left. */
static void blank_out(char *text)
{
    enum { CODE, LINE, BLOCK, QUOTED } state = CODE;
    char quote = 0;
    for (size_t i = 0; text[i]; i++) {
        char c = text[i], next = text[i + 1];
        if (state == CODE) {
            if (c == '/' && (next == '/' || next == '*'))
                state = next == '/' ? LINE : BLOCK;
            else if (c == '"' || c == '\'')
                state = QUOTED, quote = c;
            else
                continue;
        } else if (state == LINE && c == '\n') {
            state = CODE;
        } else if (state == BLOCK && c == '*' && next == '/') {
            text[i++] = ' ';
            state = CODE;
        } else if (state == QUOTED && c == '\\' && next) {
            text[i++] = ' ';
        } else if (state == QUOTED && (c == quote || c == '\n')) {
            state = CODE;
        }
        text[i] = ' ';
    }
}

static void scan_source(struct catalogue *catalogue, const char *path)
{
    static const char *const forms[] = { "RULE(", "VIDMM_RULE_" };
    char *text = catalogue_load(catalogue, path);
    if (!text)
        return;
    blank_out(text);
    for (size_t i = 0; i < ARRAY_COUNT(forms); i++) {
        for (char *at = text; (at = strstr(at, forms[i])) != NULL;) {
            char id[RULE_ID_SIZE] = { 0 };
            at += strlen(forms[i]);
            size_t length = rule_id_length(at, '_');
            memcpy(id, at, length);
            if (length)
                *strchr(id, '_') = '-';
            struct rule *rule = length ? catalogue_find(catalogue, id, length) : NULL;
            if (rule)
                note_file(&rule->raised_by, path);
        }
    }
    base_free(text);
}

static void note_proved(struct catalogue *catalogue, const char *line, const char *path)
{
    while (*line && *line != '\n' && *line != '#') {
        size_t length = rule_id_length(line, '-');
        struct rule *rule = length ? catalogue_find(catalogue, line, length) : NULL;
        line += length ? length : 1;
        if (!rule)
            continue;
        note_file(&rule->proved_by, path);
        if (*line != '(')
            continue;
        for (struct clause *clause; (clause = clauses_next(rule, &line));)
            note_file(&clause->proved_by, path);
    }
}

static void set_reason(char **place, const char *reason)
{
    base_free(*place);
    *place = base_strndup(reason, strlen(reason));
}

/* A line of unobservable.txt; tests/repo/tidy.sh judges its form. */
static void read_excuse(struct catalogue_reader *reader, char *line)
{
    size_t length = rule_id_length(line, '-');
    struct rule *rule = length ? catalogue_find(reader->catalogue, line, length) : NULL;
    const char *reason = strchr(line, ':'), *at = line + length;
    if (!rule || !reason)
        return;
    reason += 1 + strspn(reason + 1, " ");
    if (*at == ':')
        set_reason(&rule->unobservable, reason);
    for (struct clause *clause; (clause = clauses_next(rule, &at));)
        set_reason(&clause->unobservable, reason);
}

static void scan_excuses(struct catalogue *catalogue)
{
    struct catalogue_reader reader = { .catalogue = catalogue,
                                       .file = "vidmm/rules/unobservable.txt",
                                       .read_line = read_excuse };
    catalogue_read_lines(&reader);
}

static void note_stop(struct catalogue *catalogue, const char *number, const char *path)
{
    char *end;
    unsigned long code = strtoul(number, &end, 16);
    unsigned long parameter = *end == '/' ? strtoul(end + 1, NULL, 0) : 0;
    size_t i = 0;
    while (i < catalogue->stop_count &&
           (catalogue->stops[i].code != code || catalogue->stops[i].parameter != parameter))
        i++;
    if (i == catalogue->stop_count) {
        BASE_GROW(catalogue->stops, catalogue->stop_capacity, i + 1);
        catalogue->stops[catalogue->stop_count++] = (struct shown_stop){ code, parameter, NULL };
    }
    note_file(&catalogue->stops[i].shown_by, path);
}

/* Behind `form`, if that is there in this line and in no text or comment. */
static const char *rules_scan_behind(const char *line, const char *form)
{
    size_t length = strlen(form);
    const char *end = line + strcspn(line, "#\"\n");
    for (; line + length <= end; line++)
        if (memcmp(line, form, length) == 0)
            return line + length;
    return NULL;
}

static void scan_scenario(struct catalogue *catalogue, const char *path)
{
    char *text = catalogue_load(catalogue, path);
    if (!text)
        return;
    for (const char *line = text; *line;) {
        const char *word = line + strspn(line, " \t");
        if (strncmp(word, "proves", 6) == 0 && (word[6] == ' ' || word[6] == '\t'))
            note_proved(catalogue, word + 6, path);
        const char *stop = rules_scan_behind(word, "-> bugcheck ");
        if (!stop && strncmp(word, "tdr ", 4) == 0)
            stop = rules_scan_behind(word, " code=");
        if (stop)
            note_stop(catalogue, stop, path);
        line += strcspn(line, "\n");
        line += *line == '\n';
    }
    base_free(text);
}

/* A name without a dot is a folder. */
static void scan_folder(struct catalogue *catalogue, const char *folder)
{
    struct names names = list_folder(catalogue, folder);
    for (size_t i = 0; i < names.count; i++) {
        const char *path = names.name[i];
        if (ends_with(path, ".c") || ends_with(path, ".h") || ends_with(path, ".def"))
            scan_source(catalogue, path);
        else if (ends_with(path, ".vms"))
            scan_scenario(catalogue, path);
        else if (!strchr(path, '.'))
            scan_folder(catalogue, path);
        base_free(names.name[i]);
    }
    base_free(names.name);
}

void catalogue_scan(struct catalogue *catalogue)
{
    static const char *const folders[] = { "paging", "scenarios", "segments", "tools", "vidmm" };
    for (size_t i = 0; i < ARRAY_COUNT(folders); i++)
        scan_folder(catalogue, folders[i]);
    scan_excuses(catalogue);
}
