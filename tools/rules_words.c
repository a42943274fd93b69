/* SPDX-License-Identifier: MIT */
/*
 * rules_words.c: reads glossary.md and members.md of vidmm/rules/, tables of words with what they
 * mean and the rules about them.
 *
 * The head of a table says what its rows are: "| Word | Meaning | Rules |" words of the field,
 * "| Member | ..." members of the structure that the heading above names, "| Key | ..." keys of
 * `state` for the kind of subject that the heading names. A row has three cells: names with ", "
 * between, sentences, and ids of rules with ", " between, or "none".
 */
#include <string.h>

#include "tools/rules_catalogue.h"

enum { CELLS = 3 };

struct word_reader {
    struct catalogue_reader at;
    char *of;            /* the heading above */
    const char *heading; /* NULL: in no table */
    enum word_kind kind;
};

/* Cuts "| a | b | c |" into its cells, in place; how many there were. */
static size_t rules_words_cut(char *line, char *cells[CELLS])
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

bool word_list_shares(const char *list, const char *names)
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

static void rules_words_read_row(struct word_reader *reader, char *line)
{
    char *cells[CELLS];
    struct catalogue *catalogue = reader->at.catalogue;
    const char *of = reader->kind == WORD_FIELD ? "" : reader->of;
    if (rules_words_cut(line, cells) != CELLS || !*cells[0]) {
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

static void rules_words_read_line(struct catalogue_reader *at, char *line)
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
        rules_words_read_row(reader, line);
}

void words_read(struct catalogue *catalogue, const char *file)
{
    struct word_reader reader = {
        .at = { .catalogue = catalogue, .file = file, .read_line = rules_words_read_line }
    };
    catalogue_read_lines(&reader.at);
    base_free(reader.of);
}
