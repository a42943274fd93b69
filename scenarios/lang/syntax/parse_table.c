/* SPDX-License-Identifier: MIT */
/*
 * parse_table.c: which function reads a statement.
 */
#include "scenarios/lang/syntax/parse.h"

static bool (*const parsers[])(struct parser *parser, struct statement *statement) = {
#define STATEMENT(symbol, name, traits, parse, check, run, syntax, help) parse,
#include "scenarios/lang/tables/statements.def"
#undef STATEMENT
};

bool parse_by_kind(struct parser *parser, struct statement *statement)
{
    return parsers[statement->kind](parser, statement);
}
