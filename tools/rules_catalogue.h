/* SPDX-License-Identifier: MIT */
/*
 * rules_catalogue.h: the rule catalogue in memory, for the build-time generator.
 *
 * catalogue_read() accepts only the exact form that vidmm/rules/README.md describes and says
 * "file:line: what is wrong" for every breach, so a slip in the text fails the build and never
 * reaches the table. catalogue_scan() then looks for the uses of the rules.
 */
#ifndef TOOLS_RULES_CATALOGUE_H
#define TOOLS_RULES_CATALOGUE_H

#include <stdbool.h>
#include <stddef.h>

#include "vidmm/base/base.h"

/* In the order in which they must follow each other below a heading. */
enum field {
    FIELD_SAME_AS,
    FIELD_PART,
    FIELD_RULE,
    FIELD_KIND,
    FIELD_VIOLATION,
    FIELD_SINCE,
    FIELD_SOURCE,
    FIELD_STANDING,
    FIELD_OBSERVABLE,
    FIELD_COUNT
};

enum { RULE_ID_SIZE = 16, RULE_SAME_AS_MAX = 8 };

/* One of several things that a rule says: (a), (b), ... in its text. */
struct clause {
    char *text;         /* without its mark */
    char *proved_by;    /* NULL or file names with ", " between */
    char *unobservable; /* NULL or why no scenario can show it */
};

struct rule {
    char id[RULE_ID_SIZE];
    char *title;
    char *field[FIELD_COUNT]; /* NULL when the heading does not have it */
    const char *file;         /* relative to the root, as on the command line */
    int line;
    char *raised_by; /* NULL or file names with ", " between */
    char *proved_by;
    char *unobservable;    /* NULL or why no scenario can show it */
    struct clause *clause; /* (a) first; none: the rule says one thing */
    size_t clause_count, clause_capacity;
    size_t same_as[RULE_SAME_AS_MAX]; /* indices of rules */
    size_t same_as_count;
};

/* A stop code or a live dump that scenarios expect. */
struct shown_stop {
    unsigned long code, parameter; /* the parameter is 0 where none is expected */
    char *shown_by;                /* file names with ", " between */
};

/* What the rows of a table of words are; in the order of enum vidmm_word_kind. */
enum word_kind { WORD_FIELD, WORD_MEMBER, WORD_KEY };

enum { WORD_RULES_MAX = 16 };

struct word {
    enum word_kind kind;
    char *of;    /* structure or kind of subject; "" for a word of the field */
    char *names; /* ", " between */
    char *meaning;
    char *rules; /* ids with ", " between, or "none" */
    const char *file;
    int line;
};

struct catalogue {
    const char *root;
    struct rule *rules;
    size_t count, capacity;
    struct shown_stop *stops;
    size_t stop_count, stop_capacity;
    struct word *words;
    size_t word_count, word_capacity;
    /* Everything that was read, directories included: what the build must watch. */
    char **inputs;
    size_t input_count, input_capacity;
    int errors;
};

/* Adds the rules of one file; relative to the root. Mistakes are printed and counted. */
void catalogue_read(struct catalogue *catalogue, const char *file);

/* After all files: pointers lead to rules that exist and are no pointers themselves. */
void catalogue_resolve(struct catalogue *catalogue);

/* After that: adds the words of one file; every rule that a word names exists. */
void words_read(struct catalogue *catalogue, const char *file);

/* Finds RULE(...) in the sources, `proves` and stop codes in the scenarios, and excuses. */
void catalogue_scan(struct catalogue *catalogue);

void catalogue_fini(struct catalogue *catalogue);

/* For the files of the generator. */
struct rule *catalogue_find(struct catalogue *catalogue, const char *id, size_t length);
void catalogue_watch(struct catalogue *catalogue, const char *path);
/* The whole file with a NUL at its end, or NULL; `path` is relative to the root. */
char *catalogue_load(struct catalogue *catalogue, const char *path);
/* "root/path", to be freed. */
char *catalogue_path(const struct catalogue *catalogue, const char *path);
/* Length of an id AREA<dash>NNN at the start of `text`, or 0. */
size_t rule_id_length(const char *text, char dash);

/* Where reading a file stands. */
struct catalogue_reader {
    struct catalogue *catalogue;
    const char *file;
    int line;
    /* Gets one line after the other, without its end, which it may change. */
    void (*read_line)(struct catalogue_reader *reader, char *text);
};
/* Reads the whole file; one that cannot be read is a mistake. */
void catalogue_read_lines(struct catalogue_reader *reader);
/* Prints and counts a mistake; `line` 0: in the present one. */
VIDMM_PRINTF(3, 4)
void catalogue_complain(struct catalogue_reader *reader, int line, const char *format, ...);

/* rules_clauses.c: a line of the text of a rule, in order. */
void clauses_read_line(struct catalogue_reader *reader, struct rule *rule, const char *line);
/* After the last line. */
void clauses_finish(struct catalogue_reader *reader, const struct rule *rule);
/* The next clause named in "(a,c)", whose rest `at` becomes; NULL: no further one. */
struct clause *clauses_next(const struct rule *rule, const char **at);
void clauses_fini(struct rule *rule);

#endif
