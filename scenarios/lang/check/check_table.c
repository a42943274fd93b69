/* SPDX-License-Identifier: MIT */
/*
 * check_table.c: which function checks a statement.
 */
#include "scenarios/lang/check/checks.h"

void check_nothing(struct checker *checker, struct statement *statement)
{
    (void)checker;
    (void)statement;
}

static check_kind *const checks[] = {
#define STATEMENT(symbol, name, traits, parse, check, run, syntax, help) check,
#include "scenarios/lang/tables/statements.def"
#undef STATEMENT
};

void check_by_kind(struct checker *checker, struct statement *statement)
{
    checks[statement->kind](checker, statement);
}
