/* SPDX-License-Identifier: MIT */
/*
 * statements.h: private: the functions of statements.def, and what they have in common.
 */
#ifndef SCENARIOS_LANG_RUN_STATEMENTS_H
#define SCENARIOS_LANG_RUN_STATEMENTS_H

#include "scenarios/lang/run/runner.h"
#include "scenarios/lang/text/spell.h"

/* run_member.c: an attribute as one number, by the kind that its row says. False: runner->problem
   says why there is none. */
bool run_value(struct runner *runner, const struct attribute *attribute, uint64_t *value);
/* A list of flags of the set and of numbers, or-ed; false: stopped. */
bool run_value_flag_list(struct runner *runner, const struct item *items, enum vidmm_flag_set set,
                         uint32_t *flags);

/* run_outcome.c */
void run_outcome(struct runner *runner, const struct statement *statement, vidmm_status status);

/* run_start.c: the adapter comes into being; false: it did not start. */
bool run_start_implied(struct runner *runner);
void run_start_reset(struct runner *runner);
void run_start_end(struct runner *runner);
/* Owners that no statement names come into being here; 0: that failed, and the statement ended. */
vidmm_handle run_start_device(struct runner *runner);
/* The one that the attribute names, else the one of its kind that was declared last. */
vidmm_handle run_start_owner(struct runner *runner, const struct statement *statement,
                             enum attribute_id id, enum object object);
/* The context that a submission names, or NULL. */
vidmm_handle run_start_context(struct runner *runner, const struct item *named);
/* The owner `name` was made: from now on it is the one that is meant. */
void run_start_made(struct runner *runner, enum object object, word name, vidmm_handle handle);

/* run_memory.c: the names of the statement as targets; false: something was told. */
bool run_memory_targets(struct runner *runner, const struct statement *statement);
/* The targets as a list, which has room for one more; it stands until the next statement. */
vidmm_handle *run_memory_handles(struct runner *runner);
/* The device that the attribute names, else the one of the first object. */
vidmm_handle run_memory_device(struct runner *runner, const struct statement *statement,
                               enum attribute_id id, vidmm_handle first);
/* run_gpu.c: a number, or the name of a node. */
bool run_gpu_node(struct runner *runner, const struct expr *expr, uint64_t *node);

/* state.c: what `state` is asked of; 0: the adapter. */
binding state_subject(struct runner *runner, const struct expr *subject);
/* A field of a state in words. */
void state_describe(const struct runner *runner, const struct vidmm_field *field, char *text,
                    size_t size);
/* A key of `state` as a field; false when the subject has no such key. */
bool state_keys_find(struct runner *runner, binding subject, const char *key,
                     struct vidmm_field *field, char *text, size_t bytes);

/* describe.c: the present statement was to make `target`, and was refused. */
void run_missing_note(struct runner *runner, const struct expr *target);
/* "f was refused in line 12", of a target that stands for nothing. */
const char *run_missing_describe(struct runner *runner, const struct expr *target, char *text,
                                 size_t size);
/* For the adapter's own sentences; `caller` is the runner. */
const char *run_missing_name(void *caller, vidmm_handle handle);
/* Adds the same of the present statement to its details, where something was refused. */
void run_missing_add(struct runner *runner, char *details, size_t size);

/* Numbers and events in words. */
/* What an expression counts in. */
enum unit describe_unit(const struct runner *runner, const struct expr *expr);
const char *describe_refusal(const struct runner *runner, vidmm_status status, char *text,
                             size_t size);
/* As the scenario calls it; "system" for 0. */
const char *describe_segment(const struct runner *runner, uint32_t segment);
const char *describe_move(const struct runner *runner, vidmm_handle handle, const char *label,
                          char *text, size_t size);
/* Where the present statement stands in the text. */
struct place describe_place(const struct runner *runner);

/* statements.def */
typedef void run_kind(struct runner *runner, const struct statement *statement);
#define STATEMENT(symbol, name, traits, parse, check, run, syntax, help) run_kind run;
#include "scenarios/lang/tables/statements.def"
#undef STATEMENT

#endif
