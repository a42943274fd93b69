/* SPDX-License-Identifier: MIT */
/*
 * tell.h: private: what a run says, and what it says only once.
 */
#ifndef SCENARIOS_LANG_SESSION_TELL_H
#define SCENARIOS_LANG_SESSION_TELL_H

#include "scenarios/lang/syntax/syntax.h"

struct runner;

enum { REPEATS_MOST = 50 };

struct repeats {
    struct repeat {
        enum scenario_severity severity;
        struct place at;
        uint64_t hash, more;
    } told[REPEATS_MOST]; /* in this test */
    size_t count;
    struct unshown {
        uint64_t shown, count;
        struct place at; /* of the first that was not shown */
    } failures, complaints;
};

/* Tells the reader where the present statement stands; `details` may be NULL. */
VIDMM_PRINTF(4, 5)
void runner_message(struct runner *runner, enum scenario_severity severity, const char *details,
                    const char *format, ...);
/* Around the checks of one expectation. */
void runner_expect_begin(struct runner *runner);
void runner_expect_end(struct runner *runner);
/* An expectation that did not hold. */
void runner_failed(struct runner *runner, const char *details);
/* The scenario cannot go on: exit code 3. False, so that callers can return it. */
VIDMM_PRINTF(2, 3) bool runner_stop(struct runner *runner, const char *format, ...);
/* The same with the problem of an expression, unless its value is known; returns `known`. */
bool runner_stop_unless(struct runner *runner, bool known);
void runner_halt(struct runner *runner, enum scenario_exit exit);
/* The present statement ended the test unexpectedly; `details` say why. */
void runner_broke_off(struct runner *runner, enum scenario_exit exit, const char *text,
                      const char *details);
void runner_tell(struct runner *runner, enum scenario_telling_kind kind, struct place text,
                 uint64_t value);
/* The question of the present statement; `value` is the answer unless that is a text. */
void runner_ask(struct runner *runner, const struct predicate *answer, uint64_t value);
/* The parameter of the present statement has this value. */
void runner_tell_param(struct runner *runner, uint64_t value);

/* At the end of a test: how often things were said again; at the end of the run: what was not. */
void repeats_settle(struct runner *runner);
void repeats_end(struct runner *runner);
/* Tells warnings and findings; NULL unless the options ask for that. */
struct vidmm_observer *repeats_observer(struct runner *runner);

/* limits.c */
/* At the start of a run; runner->callers hold again after it. */
void limits_begin(struct runner *runner);
/* The limits of the runner hold from now on. */
void limits_hold(struct runner *runner);
/* The run is stopped: "LIMIT ONE the limit", or "LIMIT MANY the limit". */
void limits_stop(struct runner *runner, uint64_t limit, const char *one, const char *many);
/* The same where the clock has no higher value. */
void limits_stop_clock(struct runner *runner);
/* False, and the run is stopped, when one is exceeded. */
bool runner_within_limits(struct runner *runner);

#endif
