/* SPDX-License-Identifier: MIT */
/*
 * check_table.c: which function checks a statement.
 */
#include "scenarios/lang/check/checks.h"

static void (*const checks[])(struct checker *checker, struct statement *statement) = {
#define STATEMENT(symbol, name, traits, parse, check, run, syntax, help) check,
#include "scenarios/lang/tables/statements.def"
#undef STATEMENT
};

void check_by_kind(struct checker *checker, struct statement *statement)
{
    if (checks[statement->kind])
        checks[statement->kind](checker, statement);
}
