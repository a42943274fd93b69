/* SPDX-License-Identifier: MIT */
/*
 * parse.h: private: the parsers of statements.def, grouped by file. Each reads what follows its
 * keyword, up to the outcome or the end of the line; false means that an error was kept.
 */
#ifndef SCENARIOS_LANG_SYNTAX_PARSE_H
#define SCENARIOS_LANG_SYNTAX_PARSE_H

#include "scenarios/lang/syntax/parser.h"

typedef bool parse_statement(struct parser *parser, struct statement *statement);

/* parse_block.c: false, and a message, where the statement may not stand. */
bool parse_position(struct parser *parser, const struct statement *statement);

/* Those of statements.def: parse_setup.c, parse_operation.c, parse_expect.c, parse_block.c. */
#define STATEMENT(symbol, name, traits, parse, check, run, syntax, help) parse_statement parse;
#include "scenarios/lang/tables/statements.def"
#undef STATEMENT

/* parse_expect.c: the lines of `expect events` and `expect map`. */
parse_statement parse_expect_event_line, parse_expect_map_line;

#endif
