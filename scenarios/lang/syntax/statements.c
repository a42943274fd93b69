/* SPDX-License-Identifier: MIT */
/*
 * statements.c: the table of statements.
 */
#include "scenarios/lang/check/check.h"
#include "scenarios/lang/syntax/parse.h"
#include "scenarios/lang/run/run.h"

#include <string.h>

static const struct statement_row rows[] = {
#define STATEMENT(symbol, name, traits, parse, check, run, syntax, help)                           \
    { name, traits, parse, check, run, syntax, help },
#include "scenarios/lang/syntax/statements.def"
#undef STATEMENT
};

const struct statement_row *statements_row(unsigned kind)
{
    CHECK(kind < STATEMENT_KINDS);
    return &rows[kind];
}

void statements_intern(struct scenario *scenario)
{
    for (word kind = 0; kind < STATEMENT_KINDS; kind++) {
        word name = words_intern(&scenario->words, &scenario->arena, rows[kind].name,
                                 strlen(rows[kind].name));
        CHECK(name == kind + 1);
    }
}

enum statement_kind statements_find(word name)
{
    return name <= STATEMENT_KINDS ? (enum statement_kind)(name - 1) : STATEMENT_KINDS;
}

bool scenario_statement_help(size_t index, struct scenario_statement_help *help)
{
    if (index >= STATEMENT_KINDS)
        return false;
    const struct statement_row *row = &rows[index];
    *help = (struct scenario_statement_help){ row->name, row->syntax, row->help,
                                              !(row->traits & TRAIT_LATER) };
    return true;
}
