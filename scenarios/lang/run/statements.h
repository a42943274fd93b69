/* SPDX-License-Identifier: MIT */
/*
 * statements.h: private: the functions of statements.def, and what they have in common.
 */
#ifndef SCENARIOS_LANG_RUN_STATEMENTS_H
#define SCENARIOS_LANG_RUN_STATEMENTS_H

#include "scenarios/lang/run/runner.h"

/* run_walk.c: runs a block until its end or until something halts it. */
void walk_block(struct runner *runner, const struct statement *first);
/* Stops the run when an invariant of the manager is broken. */
void walk_check_invariants(struct runner *runner);
/* Starts the adapter and goes no further; `start` may be NULL. */
void walk_only_start(struct runner *runner, const struct statement *start);

/* run_value.c: an attribute as one number, by the kind that its row says. False: runner->problem
   says why there is none. */
bool run_value(struct runner *runner, const struct attribute *attribute, uint64_t *value);
/* The bits of a list of names and numbers; false: runner->problem says why there are none. */
bool run_value_flags(struct runner *runner, const struct attribute *attribute,
                     enum vidmm_flag_set set, uint32_t *flags);

/* A name of a set as its value, or a number. */
bool run_value_named(struct runner *runner, const struct expr *expr, enum vidmm_flag_set set,
                     uint32_t *number);
/* A list of flags of the set and of numbers, or-ed; `attribute` may be NULL. False: stopped. */
bool run_value_flag_list(struct runner *runner, const struct attribute *attribute,
                         enum vidmm_flag_set set, uint32_t *flags);

/* run_outcome.c */
void run_outcome(struct runner *runner, const struct statement *statement, vidmm_status status);

/* run_start.c: the adapter comes into being; false: it did not start. */
bool run_start_implied(struct runner *runner);
void run_start_reset(struct runner *runner);
void run_start_end(struct runner *runner);
vidmm_handle run_start_device(struct runner *runner);
vidmm_handle run_start_context(struct runner *runner);
vidmm_handle run_start_named_context(struct runner *runner, word name);
vidmm_handle run_start_process(struct runner *runner);

/* state_show.c: what `state` is asked of; 0: the adapter. */
binding state_subject(struct runner *runner, const struct expr *subject);
/* A field of a state in words. */
void state_describe(const struct runner *runner, const struct vidmm_field *field, char *text,
                    size_t size);
/* Every key that the subject has; returns how many. */
size_t state_all(struct runner *runner, binding subject, struct scenario_state_row *rows,
                 size_t most);
/* state_keys.c: a key of `state` as a field; false when the subject has no such key. */
bool state_keys_find(struct runner *runner, binding subject, const char *key,
                     struct vidmm_field *field, char *text, size_t bytes);

/* run_missing.c: the present statement was to make `target`, and was refused. */
void run_missing_note(struct runner *runner, const struct expr *target);
/* "f was refused in line 12", of a target that stands for nothing. */
const char *run_missing_describe(struct runner *runner, const struct expr *target, char *text,
                                 size_t size);
/* For the adapter's own sentences; `caller` is the runner. */
const char *run_missing_name(void *caller, vidmm_handle handle);
/* Adds the same of the present statement to its details, where something was refused. */
void run_missing_add(struct runner *runner, char *details, size_t size);

/* run_share.c: `destroy all`: what was opened goes, too, and what is closed already is left out. */
void run_share_target_all(struct runner *runner);

/* describe.c: numbers and events in words */
const char *describe_bytes(uint64_t bytes, char *text, size_t size);
/* What an expression counts in. */
enum unit describe_unit(const struct runner *runner, const struct expr *expr);
/* A plain number, "4 MiB (0x400000)", "2 ms (2000000 ns)". */
const char *describe_value(uint64_t value, enum unit unit, char *text, size_t size);
const char *describe_status(vidmm_status status, char *text, size_t size);
const char *describe_refusal(const struct runner *runner, vidmm_status status, char *text,
                             size_t size);
/* As the scenario calls it; "system" for 0. */
const char *describe_segment(const struct runner *runner, uint32_t segment);
/* "event 38, finding vram: TEXT (RULE)"; does not ask the adapter, so observers may call it. */
void describe_heard(const struct vidmm_event *event, char *text, size_t size);
const char *describe_move(const struct runner *runner, vidmm_handle handle, const char *label,
                          char *text, size_t size);
/* Where the present statement stands in the text. */
struct place describe_place(const struct runner *runner);

/* run_table.c: the statement does something when it runs; does it. */
bool run_has_effect(const struct statement *statement);
void run_by_kind(struct runner *runner, const struct statement *statement);

/* statements.def */
typedef void run_kind(struct runner *runner, const struct statement *statement);
run_kind run_setup_adapter, run_setup_segment, run_setup_paging_buffer, run_setup_node,
    run_setup_miniport, run_setup_link, run_setup_machine, run_setup_process, run_setup_device,
    run_setup_context, run_setup_sysmem, run_setup_class, run_setup_seed, run_setup_limit,
    run_setup_let, run_setup_start, run_memory_create, run_memory_resource, run_memory_destroy,
    run_share_open, run_share_close, run_share_share, run_share_grant, run_memory_lock,
    run_memory_access, run_memory_unlock, run_memory_each, run_property_update, run_offer,
    run_reclaim, run_memory_priority, run_preempt, run_accident, run_gpu_submit, run_gpu_wait,
    run_gpu_advance, run_gpu_inject, run_gpu_set, run_surface_display, run_expect_statement,
    run_expect_mark, run_expect_always, run_block_repeat, run_block_for, run_block_choose,
    run_teach_text, run_teach_ask, run_teach_show, run_setup_policy;

/* For the device or context that this statement is going to make (run_buffers.c). */
void run_buffers(struct runner *runner, const struct statement *statement);
/* run_present.c: what `present` makes of a submission that is read already. */
bool run_present_read(struct runner *runner, const struct statement *statement,
                      const struct vidmm_work *work, struct vidmm_present_args *args);

#endif
