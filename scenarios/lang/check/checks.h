/* SPDX-License-Identifier: MIT */
/*
 * checks.h: private: the functions of statements.def, and the walk that calls them.
 */
#ifndef SCENARIOS_LANG_CHECK_CHECKS_H
#define SCENARIOS_LANG_CHECK_CHECKS_H

#include "scenarios/lang/check/parts.h"

typedef void check_kind(struct checker *checker, struct statement *statement);

/* check_setup.c */
check_kind check_setup_set, check_setup_machine, check_setup_plain, check_setup_link,
    check_setup_adapter, check_setup_segment, check_setup_node, check_setup_process,
    check_setup_device, check_setup_context, check_setup_sysmem, check_setup_class,
    check_setup_value, check_setup_let, check_teach_ask, check_teach_show;

/* check_creation.c */
check_kind check_operation_create;

/* check_operation.c */
check_kind check_operation_resource, check_operation_destroy, check_operation_free,
    check_operation_submit, check_operation_at, check_operation_wait, check_preempt,
    check_operation_advance, check_operation_open, check_operation_close, check_operation_shared,
    check_offer_names, check_operation_lock, check_operation_names, check_operation_priority;

/* check_inject.c */
check_kind check_inject, check_accident;

/* check_expect.c */
check_kind check_expect_statement, check_expect_mark;

/* check_block.c */
check_kind check_block_always, check_block_test, check_block_repeat, check_block_for,
    check_block_choose;

/* check_table.c */
void check_by_kind(struct checker *checker, struct statement *statement);

/* What `state` may be asked of: a name, or the word `adapter`. */
void check_expect_subject(struct checker *checker, const struct expr *subject);
/* The lines of one call, of a resource or a submission: its outcome counts for them. */
void check_block_call(struct checker *checker, struct statement *statement);
/* check.c: all statements of a block. */
void check_block(struct checker *checker, struct statement *first);

#endif
