/* SPDX-License-Identifier: MIT */
/*
 * rules_catalogue.c: reads the headings of vidmm/rules/ and refuses what has not their form.
 *
 * A rule is a heading "### AREA-NNN Title" followed by its fields, one "- Label: text" each, all of
 * them in the order of `enum field`; only Part may be missing. Below Rule further lines may follow
 * (a table, the clauses of rules_clauses.c). A heading that is a pointer has the one field "Same
 * as" and nothing else.
 *
 * glossary.md and members.md are tables of words with what they mean and the rules about them.
 * The head of a table says what its rows are: "| Word | Meaning | Rules |" words of the field,
 * "| Member | ..." members of the structure that the heading above names, "| Key | ..." keys of
 * `state` for the kind of subject that the heading names. A row has three cells: names with ", "
 * between, sentences, and ids of rules with ", " between, or "none".
 */
#include "tools/rules_catalogue.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "tools/common/text.h"

static const char *const labels[FIELD_COUNT] = {
    [FIELD_SAME_AS] = "Same as", [FIELD_PART] = "Part",           [FIELD_RULE] = "Rule",
    [FIELD_KIND] = "Kind",       [FIELD_VIOLATION] = "Violation", [FIELD_SINCE] = "Since",
    [FIELD_SOURCE] = "Source",   [FIELD_STANDING] = "Standing",   [FIELD_OBSERVABLE] = "Observable",
};

/* A longer text is no longer one rule. */
enum { FIELD_BYTES_MAX = 12000, FILE_BYTES_MAX = 16 << 20 };

struct rule_reader {
    struct catalogue_reader at;
    struct rule *rule; /* NULL outside of a rule */
    int last;          /* its latest field, -1 before the first */
};

void catalogue_complain(struct catalogue_reader *reader, int line, const char *format, ...)
{
    va_list arguments;
    (void)fprintf(stderr, "%s:%d: ", reader->file, line ? line : reader->line);
    va_start(arguments, format);
    (void)vfprintf(stderr, format, arguments);
    va_end(arguments);
    (void)fputc('\n', stderr);
    reader->catalogue->errors++;
}

static bool starts_with(const char *text, const char *prefix)
{
    return strncmp(text, prefix, strlen(prefix)) == 0;
}

size_t rule_id_length(const char *text, char dash)
{
    size_t area = 0;
    while (text[area] >= 'A' && text[area] <= 'Z')
        area++;
    if (area == 0 || text[area] != dash)
        return 0;
    size_t digits = 0;
    while (text[area + 1 + digits] >= '0' && text[area + 1 + digits] <= '9')
        digits++;
    size_t length = area + 1 + digits;
    return digits == 3 && length < RULE_ID_SIZE ? length : 0;
}

char *catalogue_path(const struct catalogue *catalogue, const char *path)
{
    struct text full = { 0 };
    text_add(&full, "%s/%s", catalogue->root, path);
    return full.bytes;
}

void catalogue_watch(struct catalogue *catalogue, const char *path)
{
    BASE_GROW(catalogue->inputs, catalogue->input_capacity, catalogue->input_count + 1);
    catalogue->inputs[catalogue->input_count++] = catalogue_path(catalogue, path);
}

char *catalogue_load(struct catalogue *catalogue, const char *path)
{
    char *full = catalogue_path(catalogue, path);
    FILE *file = fopen(full, "rb");
    base_free(full);
    if (!file)
        return NULL;
    char *text = NULL;
    size_t used = 0, capacity = 0, got;
    do {
        BASE_GROW(text, capacity, used + 4096 + 1);
        got = fread(text + used, 1, capacity - used - 1, file);
        used += got;
    } while (got > 0 && used < FILE_BYTES_MAX);
    text[used] = '\0';
    (void)fclose(file);
    catalogue_watch(catalogue, path);
    return text;
}

struct rule *catalogue_find(struct catalogue *catalogue, const char *id, size_t length)
{
    for (size_t i = 0; i < catalogue->count; i++) {
        struct rule *rule = &catalogue->rules[i];
        if (strlen(rule->id) == length && memcmp(rule->id, id, length) == 0)
            return rule;
    }
    return NULL;
}

/* The rule before the present line is complete. */
static void finish_rule(struct rule_reader *reader)
{
    struct rule *rule = reader->rule;
    reader->rule = NULL;
    if (!rule)
        return;
    if (rule->field[FIELD_SAME_AS]) {
        if (reader->last != FIELD_SAME_AS)
            catalogue_complain(&reader->at, rule->line,
                               "%s is a pointer and must have no other field", rule->id);
        return;
    }
    for (int i = FIELD_RULE; i < FIELD_COUNT; i++) {
        if (!rule->field[i])
            catalogue_complain(&reader->at, rule->line, "%s has no line \"- %s:\"", rule->id,
                               labels[i]);
    }
    clauses_finish(&reader->at, rule);
}

static void read_heading(struct rule_reader *reader, const char *text)
{
    struct catalogue *catalogue = reader->at.catalogue;
    size_t length = rule_id_length(text, '-');
    if (length == 0 || text[length] != ' ' || !text[length + 1] || text[length + 1] == ' ') {
        catalogue_complain(&reader->at, 0, "a rule heading is \"### AREA-NNN Title\": \"%s\"",
                           text);
        return;
    }
    struct rule *twin = catalogue_find(catalogue, text, length);
    if (twin)
        catalogue_complain(&reader->at, 0, "%s is already at %s:%d", twin->id, twin->file,
                           twin->line);
    BASE_GROW(catalogue->rules, catalogue->capacity, catalogue->count + 1);
    struct rule *rule = &catalogue->rules[catalogue->count++];
    *rule = (struct rule){ .file = reader->at.file, .line = reader->at.line };
    memcpy(rule->id, text, length);
    rule->title = base_strndup(text + length + 1, strlen(text + length + 1));
    reader->rule = rule;
    reader->last = -1;
}

static void check_standing(struct rule_reader *reader, const char *text)
{
    static const char *const words[] = { "documented and model choice:", "documented:",
                                         "model choice:" };
    if (strcmp(text, "documented") == 0 || strcmp(text, "model choice") == 0)
        return;
    for (size_t i = 0; i < ARRAY_COUNT(words); i++) {
        if (starts_with(text, words[i]))
            return;
    }
    catalogue_complain(&reader->at, 0,
                       "a standing begins with \"documented\", \"model choice\" or "
                       "\"documented and model choice:\"");
}

/* Words with a comma between; a note in brackets may follow one: "validation (warning)". */
static void check_kind(struct rule_reader *reader, const char *text)
{
    static const char *const words[] = { "validation", "behaviour", "accounting" };
    while (*text) {
        size_t length = strcspn(text, ", ");
        bool known = false;
        for (size_t i = 0; i < ARRAY_COUNT(words); i++)
            known |= strlen(words[i]) == length && memcmp(words[i], text, length) == 0;
        if (!known)
            catalogue_complain(&reader->at, 0, "\"%.*s\" is no kind", (int)length, text);
        text += length;
        if (starts_with(text, " ("))
            text += strcspn(text, ")");
        text += *text == ')';
        text += strspn(text, ", ");
    }
}

static void read_field(struct rule_reader *reader, const char *text)
{
    int field = 0;
    size_t length = 0;
    for (; field < FIELD_COUNT; field++) {
        length = strlen(labels[field]);
        if (starts_with(text, labels[field]) && text[length] == ':')
            break;
    }
    if (field == FIELD_COUNT) {
        catalogue_complain(&reader->at, 0, "\"%s\" begins with no known label", text);
        return;
    }
    if (field <= reader->last)
        catalogue_complain(&reader->at, 0, "\"%s\" comes twice or too late", labels[field]);
    reader->last = field;
    text += length + 1;
    text += strspn(text, " ");
    /* A rule may be nothing but the table that follows. */
    if (!*text && field != FIELD_RULE)
        catalogue_complain(&reader->at, 0, "\"%s\" says nothing", labels[field]);
    if (field == FIELD_STANDING)
        check_standing(reader, text);
    if (field == FIELD_KIND)
        check_kind(reader, text);
    if (!reader->rule->field[field])
        reader->rule->field[field] = base_strndup(text, strlen(text));
    if (field == FIELD_RULE)
        clauses_read_line(&reader->at, reader->rule, text);
}

static void read_continuation(struct rule_reader *reader, const char *text)
{
    if (reader->last != FIELD_RULE) {
        catalogue_complain(&reader->at, 0, "only below \"- Rule:\" may further lines follow");
        return;
    }
    char **field = &reader->rule->field[FIELD_RULE];
    text += strspn(text, " ");
    clauses_read_line(&reader->at, reader->rule, text);
    size_t bytes = strlen(*field) + strlen(text) + 2;
    if (bytes > FIELD_BYTES_MAX)
        catalogue_complain(&reader->at, 0, "a rule has at most %d characters", FIELD_BYTES_MAX);
    struct text joined = { 0 };
    text_add(&joined, "%s%s%s", *field, **field ? "\n" : "", text);
    base_free(*field);
    *field = joined.bytes;
}

static void rules_catalogue_read_line(struct catalogue_reader *at, char *text)
{
    struct rule_reader *reader = CONTAINER_OF(at, struct rule_reader, at);
    if (text[0] == '#') {
        finish_rule(reader);
        /* On the third level every heading is a rule, but for numbered chapters and examples. */
        if (!starts_with(text, "### "))
            return;
        const char *title = text + strlen("### ");
        bool chapter = *title >= '0' && *title <= '9';
        if (!chapter && !starts_with(title, "Example ") && !starts_with(title, "Sequence "))
            read_heading(reader, title);
        return;
    }
    if (!reader->rule || text[strspn(text, " \t")] == '\0')
        return;
    if (starts_with(text, "- "))
        read_field(reader, text + 2);
    else
        read_continuation(reader, text);
}

void catalogue_read_lines(struct catalogue_reader *reader)
{
    char *text = catalogue_load(reader->catalogue, reader->file);
    if (!text)
        catalogue_complain(reader, 0, "cannot be read");
    for (char *line = text; line && *line;) {
        size_t length = strcspn(line, "\n");
        bool last = line[length] == '\0';
        line[length] = '\0';
        if (length > 0 && line[length - 1] == '\r')
            line[length - 1] = '\0';
        reader->line++;
        reader->read_line(reader, line);
        line += last ? length : length + 1;
    }
    base_free(text);
}

void catalogue_read(struct catalogue *catalogue, const char *file)
{
    struct rule_reader reader = {
        .at = { .catalogue = catalogue, .file = file, .read_line = rules_catalogue_read_line }
    };
    catalogue_read_lines(&reader.at);
    finish_rule(&reader);
}

static void resolve_rule(struct catalogue *catalogue, struct rule *rule)
{
    struct catalogue_reader reader = { .catalogue = catalogue,
                                       .file = rule->file,
                                       .line = rule->line };
    const char *text = rule->field[FIELD_SAME_AS];
    while (text && *text) {
        size_t length = rule_id_length(text, '-');
        struct rule *target = length ? catalogue_find(catalogue, text, length) : NULL;
        if (!target || (text[length] && text[length] != ',')) {
            catalogue_complain(&reader, 0, "%s is the same as \"%s\", which is no rule", rule->id,
                               text);
            return;
        }
        if (target->field[FIELD_SAME_AS])
            catalogue_complain(&reader, 0, "%s points to %s, which is a pointer", rule->id,
                               target->id);
        if (rule->same_as_count == RULE_SAME_AS_MAX) {
            catalogue_complain(&reader, 0, "%s has more than %d twins", rule->id, RULE_SAME_AS_MAX);
            return;
        }
        rule->same_as[rule->same_as_count++] = (size_t)(target - catalogue->rules);
        text += length;
        text += strspn(text, ", ");
    }
}

void catalogue_resolve(struct catalogue *catalogue)
{
    for (size_t i = 0; i < catalogue->count; i++)
        resolve_rule(catalogue, &catalogue->rules[i]);
}

/* ---- tables of words ------------------------------------------------------------------------- */

enum { CELLS = 3 };

struct word_reader {
    struct catalogue_reader at;
    char *of;            /* the heading above */
    const char *heading; /* NULL: in no table */
    enum word_kind kind;
};

/* Cuts "| a | b | c |" into its cells, in place; how many there were. */
static size_t rules_catalogue_word_cut(char *line, char *cells[CELLS])
{
    size_t count = 0;
    char *at = line + 1;
    for (char *end; (end = strchr(at, '|')) != NULL; at = end + 1) {
        char *last = end;
        at += strspn(at, " ");
        while (last > at && last[-1] == ' ')
            last--;
        *last = '\0';
        if (count < CELLS)
            cells[count] = at;
        count++;
    }
    return count;
}

static void check_rules(struct word_reader *reader, const char *text)
{
    size_t count = 0;
    if (strcmp(text, "none") == 0)
        return;
    while (*text) {
        size_t length = rule_id_length(text, '-');
        if (!length || (text[length] && strncmp(text + length, ", ", 2) != 0) ||
            !catalogue_find(reader->at.catalogue, text, length)) {
            catalogue_complain(&reader->at, 0, "\"%s\" begins with no rule", text);
            return;
        }
        text += length;
        text += strspn(text, ", ");
        count++;
    }
    if (count == 0 || count > WORD_RULES_MAX)
        catalogue_complain(&reader->at, 0, "a row names 1 to %d rules, or \"none\"",
                           WORD_RULES_MAX);
}

/* Two lists of names have one in common. */
static bool word_list_shares(const char *list, const char *names)
{
    for (const char *name = names; *name;) {
        size_t length = strcspn(name, ",");
        for (const char *at = list; *at;) {
            size_t other = strcspn(at, ",");
            if (other == length && memcmp(at, name, length) == 0)
                return true;
            at += other;
            at += strspn(at, ", ");
        }
        name += length;
        name += strspn(name, ", ");
    }
    return false;
}

/* No two rows of one kind, and of one heading, have a name in common. */
static void check_names(struct word_reader *reader, const char *of, const char *names)
{
    for (size_t i = 0; i < reader->at.catalogue->word_count; i++) {
        const struct word *word = &reader->at.catalogue->words[i];
        if (word->kind == reader->kind && strcmp(word->of, of) == 0 &&
            word_list_shares(word->names, names))
            catalogue_complain(&reader->at, 0, "\"%s\" is already at %s:%d", names, word->file,
                               word->line);
    }
}

static void rules_catalogue_word_read_row(struct word_reader *reader, char *line)
{
    char *cells[CELLS];
    struct catalogue *catalogue = reader->at.catalogue;
    const char *of = reader->kind == WORD_FIELD ? "" : reader->of;
    if (rules_catalogue_word_cut(line, cells) != CELLS || !*cells[0]) {
        catalogue_complain(&reader->at, 0, "a row is \"| names | meaning | rules |\"");
        return;
    }
    size_t length = strlen(cells[1]);
    if (length == 0 || !strchr(".)", cells[1][length - 1]))
        catalogue_complain(&reader->at, 0,
                           "a meaning is one sentence or more, each with a full stop");
    check_rules(reader, cells[2]);
    check_names(reader, of, cells[0]);
    BASE_GROW(catalogue->words, catalogue->word_capacity, catalogue->word_count + 1);
    catalogue->words[catalogue->word_count++] = (struct word){
        .kind = reader->kind,
        .of = base_strndup(of, strlen(of)),
        .names = base_strndup(cells[0], strlen(cells[0])),
        .meaning = base_strndup(cells[1], length),
        .rules = base_strndup(cells[2], strlen(cells[2])),
        .file = reader->at.file,
        .line = reader->at.line,
    };
}

static void read_head(struct word_reader *reader, const char *line)
{
    static const struct {
        const char *head;
        enum word_kind kind;
    } heads[] = { { "| Word |", WORD_FIELD },
                  { "| Member |", WORD_MEMBER },
                  { "| Key |", WORD_KEY } };
    for (size_t i = 0; i < ARRAY_COUNT(heads); i++) {
        if (strncmp(line, heads[i].head, strlen(heads[i].head)) != 0)
            continue;
        reader->heading = heads[i].head;
        reader->kind = heads[i].kind;
        if (reader->kind != WORD_FIELD && !reader->of)
            catalogue_complain(&reader->at, 0, "a heading above says whose rows these are");
        return;
    }
    catalogue_complain(&reader->at, 0,
                       "a table begins with \"| Word |\", \"| Member |\" or \"| Key |\"");
}

static void rules_catalogue_word_read_line(struct catalogue_reader *at, char *line)
{
    struct word_reader *reader = CONTAINER_OF(at, struct word_reader, at);
    if (strncmp(line, "## ", 3) == 0) {
        base_free(reader->of);
        reader->of = base_strndup(line + 3, strlen(line + 3));
    }
    if (line[0] != '|')
        reader->heading = NULL;
    else if (!reader->heading)
        read_head(reader, line);
    else if (strncmp(line, "| -", 3) != 0)
        rules_catalogue_word_read_row(reader, line);
}

void words_read(struct catalogue *catalogue, const char *file)
{
    struct word_reader reader = {
        .at = { .catalogue = catalogue, .file = file, .read_line = rules_catalogue_word_read_line }
    };
    catalogue_read_lines(&reader.at);
    base_free(reader.of);
}

void catalogue_fini(struct catalogue *catalogue)
{
    for (size_t i = 0; i < catalogue->count; i++) {
        struct rule *rule = &catalogue->rules[i];
        for (int j = 0; j < FIELD_COUNT; j++)
            base_free(rule->field[j]);
        base_free(rule->title);
        base_free(rule->raised_by);
        base_free(rule->proved_by);
        base_free(rule->unobservable);
        clauses_fini(rule);
    }
    for (size_t i = 0; i < catalogue->input_count; i++)
        base_free(catalogue->inputs[i]);
    for (size_t i = 0; i < catalogue->stop_count; i++)
        base_free(catalogue->stops[i].shown_by);
    for (size_t i = 0; i < catalogue->word_count; i++) {
        base_free(catalogue->words[i].of);
        base_free(catalogue->words[i].names);
        base_free(catalogue->words[i].meaning);
        base_free(catalogue->words[i].rules);
    }
    base_free(catalogue->words);
    base_free(catalogue->rules);
    base_free(catalogue->stops);
    base_free(catalogue->inputs);
}
