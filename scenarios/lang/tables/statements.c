/* SPDX-License-Identifier: MIT */
/*
 * statements.c: the statements, and the words that may follow `reset`, `exclude` and `power`.
 */
#include "scenarios/lang/tables/tables.h"

#include <string.h>

static const struct statement_row rows[] = {
#define STATEMENT(symbol, name, traits, parse, check, run, syntax, help)                           \
    { name, traits, syntax, help },
#include "scenarios/lang/tables/statements.def"
#undef STATEMENT
};

const struct statement_row *statements_row(unsigned kind)
{
    CHECK(kind < STATEMENT_KINDS);
    return &rows[kind];
}

void statements_intern(struct words *words, struct arena *arena)
{
    for (word kind = 0; kind < STATEMENT_KINDS; kind++) {
        word name = words_intern(words, arena, rows[kind].name, strlen(rows[kind].name));
        CHECK(name == kind + 1);
    }
}

enum statement_kind statements_find(word name)
{
    return name <= STATEMENT_KINDS ? (enum statement_kind)(name - 1) : STATEMENT_KINDS;
}

static const struct accident_row accidents[ACCIDENTS] = {
#define ACCIDENT(statement, symbol, word, call, help) { STATEMENT_##statement, word, help },
#include "scenarios/lang/tables/accidents.def"
#undef ACCIDENT
};

const struct accident_row *accident_row(size_t index)
{
    return index < ACCIDENTS ? &accidents[index] : NULL;
}
