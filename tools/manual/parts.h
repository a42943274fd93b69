/* SPDX-License-Identifier: MIT */
/*
 * parts.h: private: what the files of tools/manual share.
 */
#ifndef TOOLS_MANUAL_PARTS_H
#define TOOLS_MANUAL_PARTS_H

#include <argp.h>
#include <stdbool.h>
#include <stdio.h>

#include "scenarios/lang/scenario.h"
#include "tools/manual/manual.h"

/* ---- words.c: the words of the tables -------------------------------------------------------- */

/* Sorted, each once. */
struct word_list {
    char **words;
    size_t count, capacity;
};

enum word_kind {
    WORDS_STATEMENTS, /* of this version: they begin a line */
    WORDS_ATTRIBUTES, /* what stands before '=', in statements, `state` and `adapter` */
    WORDS_FUNCTIONS,  /* what stands before '(', counters too */
    WORDS_OTHERS,     /* the rest: values, predicates, outcomes, events */
    WORDS_SETTINGS,   /* for --set */
    WORDS_EVENTS,
    WORDS_POLICIES,
    WORDS_EXPLAINED, /* what `vidmm explain` knows */
    WORDS_AREAS,     /* "PLACE", of rules */
    WORD_KINDS
};

void words_list(enum word_kind kind, struct word_list *list);
/* Of "a|b|c", or "a=N|b=N", in this order, up to a space. */
void words_split(const char *choices, struct word_list *list);
void words_free(struct word_list *list);
/* Prints all, with `between` them, and the characters of `escaped` after a backslash. */
void words_print(FILE *out, enum word_kind kind, const char *between, const char *escaped);

/* ---- grammar.c: the options of a command ----------------------------------------------------- */

/* One after the other, with --help; no hidden ones. False after the last. */
bool grammar_next_option(const struct argp *grammar, size_t *index, struct argp_option *option);
/* What completes the words after an option or a command. Names are words that "=" follows. */
enum completion_kind {
    COMPLETE_NOTHING,
    COMPLETE_FILES,
    COMPLETE_WORDS,
    COMPLETE_NAMES,
    COMPLETE_COMMANDS
};
struct completion {
    enum completion_kind kind;
    enum word_kind words;
    const char *choices; /* "a|b|c" or "a=N|b=N", instead of `words`; NULL: none */
};
struct completion completion_of_option(const struct argp_option *option);
struct completion completion_of_command(const struct command *command,
                                        const struct argp *grammar);
/* The words, a space between them, and the characters of `escaped` after a backslash. */
void completion_print(FILE *out, const struct completion *completion, const char *escaped);
/* Calls `hear` with the grammar of a command; of one without options, with NULL. */
void grammar_of(const struct command *command,
                void (*hear)(void *context, const struct argp *grammar), void *context);
/* Prints text with a backslash before each character of `escaped`; '\n' becomes ' '. */
void print_escaped(FILE *out, const char *text, const char *escaped);

/* ---- what is written ------------------------------------------------------------------------- */

typedef void manual_write(FILE *out, const struct manual *manual);
manual_write man_write_program, man_write_language; /* man.c, man_language.c */
manual_write complete_write_bash, complete_write_zsh, complete_write_fish; /* complete_*.c */
manual_write editor_write_vim, editor_write_textmate;                      /* editor.c */

/* roff.c: text as roff; lines set in by two spaces stay as they are */
void roff_text(FILE *out, const char *text);
void roff_word(FILE *out, const char *word);

#endif
