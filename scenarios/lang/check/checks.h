/* SPDX-License-Identifier: MIT */
/*
 * checks.h: private: the functions of statements.def, and the walk that calls them.
 */
#ifndef SCENARIOS_LANG_CHECK_CHECKS_H
#define SCENARIOS_LANG_CHECK_CHECKS_H

#include "scenarios/lang/check/parts.h"

typedef void check_kind(struct checker *checker, struct statement *statement);

#define STATEMENT(symbol, name, traits, parse, check, run, syntax, help) check_kind check;
#include "scenarios/lang/tables/statements.def"
#undef STATEMENT

/* What `state` may be asked of: a name, or the word `adapter`. */
void check_expect_subject(struct checker *checker, const struct expr *subject);
/* The lines of one call, of a resource or a submission: its outcome counts for them. */
void check_block_call(struct checker *checker, struct statement *statement);
/* check.c: all statements of a block. */
void check_block(struct checker *checker, struct statement *first);

#endif
