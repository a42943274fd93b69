/* SPDX-License-Identifier: MIT */
/*
 * run_table.c: which function runs a statement.
 */
#include "scenarios/lang/run/statements.h"

static void (*const runs[])(struct runner *runner, const struct statement *statement) = {
#define STATEMENT(symbol, name, traits, parse, check, run, syntax, help) run,
#include "scenarios/lang/tables/statements.def"
#undef STATEMENT
};

bool run_has_effect(const struct statement *statement)
{
    return runs[statement->kind] != NULL;
}

void run_by_kind(struct runner *runner, const struct statement *statement)
{
    runs[statement->kind](runner, statement);
}
