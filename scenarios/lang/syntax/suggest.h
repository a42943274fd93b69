/* SPDX-License-Identifier: MIT */
/*
 * suggest.h: what to write instead, for who writes as another language or tool would have it.
 */
#ifndef SCENARIOS_LANG_SYNTAX_SUGGEST_H
#define SCENARIOS_LANG_SYNTAX_SUGGEST_H

#include "scenarios/lang/syntax/syntax.h"

enum { SUGGEST_BYTES = 512 };

/* Where a word of habits.def stands. */
enum habit {
    HABIT_STATEMENT, /* as the first word of a line */
    HABIT_LATER,     /* a statement that is not supported yet */
    HABIT_MARK,      /* one to three marks */
    HABIT_UNIT,      /* after a number; the help is the unit that is meant */
    HABIT_LONG_TIME, /* the same, of more than a second */
    HABIT_OUTCOME,   /* after '->'; the help is the outcome that is meant */
    HABIT_TAIL,      /* where the line should end */
    HABIT_LOCK,      /* as an attribute of `lock` */
    HABIT_CREATE,    /* as an attribute of `create` */
    HABIT_ADAPTER,   /* as an attribute of `adapter` */
    HABIT_FUNCTION,  /* as a function or counter */
    HABIT_EVENT,     /* as an event; the help is the event that is meant */
    HABIT_FIELD,     /* as a field of an event; the help is the field that is meant */
    HABIT_PRIORITY,  /* as a priority; the help is the level that is meant */
};

/* What stands for the word here; NULL: nothing is known of it. */
const char *suggest_habit(enum habit where, const char *text, size_t length);

/* The form of the line that is read; NULL when it has none. */
const char *suggest_form(const struct parser *parser, char *help, size_t bytes);
/* What to write where `token` stands; the form of the line when nothing better is known. */
const char *suggest_instead(const struct parser *parser, const struct token *token, char *help,
                            size_t bytes);
/* For a first word that is no statement. */
const char *suggest_statement(const struct parser *parser, const struct token *token, char *help,
                              size_t bytes);
/* For the next token, which is no attribute of the statement; `near` is what else would be said, or
 * NULL. */
const char *suggest_attribute(const struct parser *parser, const struct statement *statement,
                              const char *near, char *help, size_t bytes);
/* "write KEY=VALUE", with the value that stands after `key` and perhaps a mark. */
const char *suggest_pair(const struct parser *parser, const struct token *key, char *help,
                         size_t bytes);
/* For a comma at `comma` with white space beside it. */
const char *suggest_list(const struct parser *parser, const struct token *comma, char *help,
                         size_t bytes);
/* For what follows an allocation in `expect` and is no state. */
const char *suggest_state(const struct parser *parser, const struct predicate *predicate,
                          const char *states, char *help, size_t bytes);
/* The state that holds when the state at `name` does not; NULL: there is none. */
const char *suggest_opposite(const char *name);

#endif
