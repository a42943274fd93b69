/* SPDX-License-Identifier: MIT */
/*
 * session.h: the door of scenarios/lang/session: an adapter that starts, a statement that ends, and
 * numbers and events in words.
 */
#ifndef SCENARIOS_LANG_SESSION_SESSION_H
#define SCENARIOS_LANG_SESSION_SESSION_H

#include "scenarios/lang/session/runner.h"
#include "scenarios/lang/text/spell.h"

/* run_outcome.c. The present statement begins: what its outcome is compared with. */
void run_outcome_begin(struct runner *runner);
void run_outcome(struct runner *runner, const struct statement *statement, vidmm_status status);

/* run_start.c: the adapter comes into being; false: it did not start. */
bool run_start_implied(struct runner *runner);
/* The same for the statement `start`. */
void run_start_asked(struct runner *runner, const struct statement *statement);
void run_start_late(struct runner *runner);  /* the present statement stands below the start */
void run_start_reset(struct runner *runner); /* back to nothing, for the next test */
void run_start_free(struct runner *runner);
/* Owners that no statement names come into being here; 0: that failed, and the statement ended. */
vidmm_handle run_start_device(struct runner *runner);
/* The one that the attribute names, else the one of its kind that was declared last. */
vidmm_handle run_start_owner(struct runner *runner, const struct statement *statement,
                             enum attribute_id id, enum object object);
/* The context that a submission names, or NULL. */
vidmm_handle run_start_context(struct runner *runner, const struct item *named);
/* The owner `name` was made: from now on it is the one that is meant. */
void run_start_made(struct runner *runner, enum object object, word name, vidmm_handle handle);

/* describe.c: the present statement was to make `target`, and was refused. */
void run_missing_note(struct runner *runner, const struct expr *target);
/* "f was refused in line 12", of a target that stands for nothing. */
const char *run_missing_describe(struct runner *runner, const struct expr *target, char *text,
                                 size_t size);
/* For the adapter's own sentences; `caller` is the runner. */
const char *run_missing_name(void *caller, vidmm_handle handle);
/* Adds the same of the present statement to its details, where something was refused. */
void run_missing_add(struct runner *runner, char *details, size_t size);

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

#endif
