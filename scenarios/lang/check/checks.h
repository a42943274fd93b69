/* SPDX-License-Identifier: MIT */
/*
 * checks.h: private: the functions of statements.def, and the walk that calls them.
 */
#ifndef SCENARIOS_LANG_CHECK_CHECKS_H
#define SCENARIOS_LANG_CHECK_CHECKS_H

#include "scenarios/lang/check/parts.h"

/* check_table.c */
void check_by_kind(struct checker *checker, struct statement *statement);

/* check_creation.c, check_setup.c, check_operation.c, check_expect.c, check_inject.c:
 * statements.def
 */
void check_setup_set(struct checker *checker, struct statement *statement);
void check_setup_machine(struct checker *checker, struct statement *statement);
void check_setup_plain(struct checker *checker, struct statement *statement);
void check_setup_link(struct checker *checker, struct statement *statement);
void check_setup_adapter(struct checker *checker, struct statement *statement);
void check_setup_segment(struct checker *checker, struct statement *statement);
void check_setup_node(struct checker *checker, struct statement *statement);
void check_setup_process(struct checker *checker, struct statement *statement);
void check_setup_device(struct checker *checker, struct statement *statement);
void check_setup_context(struct checker *checker, struct statement *statement);
void check_setup_sysmem(struct checker *checker, struct statement *statement);
void check_setup_class(struct checker *checker, struct statement *statement);
void check_setup_value(struct checker *checker, struct statement *statement);
void check_setup_let(struct checker *checker, struct statement *statement);

void check_operation_create(struct checker *checker, struct statement *statement);
void check_operation_resource(struct checker *checker, struct statement *statement);
void check_operation_destroy(struct checker *checker, struct statement *statement);
void check_operation_free(struct checker *checker, struct statement *statement);
void check_operation_submit(struct checker *checker, struct statement *statement);
void check_operation_at(struct checker *checker, struct statement *statement);
void check_operation_wait(struct checker *checker, struct statement *statement);
void check_preempt(struct checker *checker, struct statement *statement);
void check_operation_advance(struct checker *checker, struct statement *statement);
void check_operation_open(struct checker *checker, struct statement *statement);
void check_operation_close(struct checker *checker, struct statement *statement);
void check_operation_shared(struct checker *checker, struct statement *statement);
void check_offer_names(struct checker *checker, struct statement *statement);
void check_operation_lock(struct checker *checker, struct statement *statement);
void check_operation_names(struct checker *checker, struct statement *statement);
void check_operation_priority(struct checker *checker, struct statement *statement);

void check_expect_statement(struct checker *checker, struct statement *statement);
/* What `state` may be asked of: a name, or the word `adapter`. */
void check_expect_subject(struct checker *checker, const struct expr *subject);
void check_expect_mark(struct checker *checker, struct statement *statement);
void check_block_always(struct checker *checker, struct statement *statement);
/* The lines of one call, of a resource or a submission: its outcome counts for them. */
void check_block_call(struct checker *checker, struct statement *statement);
void check_block_test(struct checker *checker, struct statement *statement);
void check_block_repeat(struct checker *checker, struct statement *statement);
void check_block_for(struct checker *checker, struct statement *statement);
void check_block_choose(struct checker *checker, struct statement *statement);
void check_teach_ask(struct checker *checker, struct statement *statement);
void check_teach_show(struct checker *checker, struct statement *statement);
/* check.c: all statements of a block. */
void check_block(struct checker *checker, struct statement *first);

#endif
