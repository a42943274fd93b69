/* SPDX-License-Identifier: MIT */
/*
 * suggest.h: what to write instead of what another language or tool would have.
 */
#ifndef SCENARIOS_LANG_SYNTAX_SUGGEST_H
#define SCENARIOS_LANG_SYNTAX_SUGGEST_H

#include "scenarios/lang/syntax/parser.h"

enum { SUGGEST_BYTES = 512 };

/* The form of the line that is read; NULL when it has none. */
const char *suggest_form(const struct parser *parser, char *help, size_t bytes);
/* What to write where `token` stands; the form of the line when nothing better is known. */
const char *suggest_instead(const struct parser *parser, const struct token *token, char *help,
                            size_t bytes);
/* "write 4M" for `4 M` or `4 MB`, where `token` is the unit; NULL for anything else. */
const char *suggest_unit(const struct parser *parser, const struct token *token, char *help,
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
