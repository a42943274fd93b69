/* SPDX-License-Identifier: MIT */
/* tokens.h: a source file as tokens: brackets, statements, and what is left alone. */
#ifndef VIDMM_TESTS_MUTATE_TOKENS_H
#define VIDMM_TESTS_MUTATE_TOKENS_H

#include <stdbool.h>
#include <stddef.h>

enum kind { WORD, NUMBER, TEXT, SIGN, END };

struct token {
    enum kind kind;
    size_t at, length; /* in the text */
    size_t partner;    /* of a bracket: the token of the other one */
    bool statement;    /* a statement begins here */
    bool body;         /* inside of a function */
    bool spared;       /* in a check of vidmm itself, or in what nothing depends on */
    bool amount;       /* in an amount of memory */
};

struct source {
    const char *name;
    char *text;
    size_t bytes;
    struct token *tokens;
    size_t count, capacity;
};

/* Is a token this sign or word? No: there is none. `signs` end with NULL. */
bool is(const struct source *source, size_t index, const char *sign);
bool is_any(const struct source *source, size_t index, const char *const *signs);

enum kind kind_of(const struct source *source, size_t index);

/* Ends the program when the file cannot be read; source_free() gives back what it holds. */
struct source source_read(const char *name);
void source_free(struct source *source);

#endif
