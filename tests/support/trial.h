/* SPDX-License-Identifier: MIT */
/*
 * trial.h: runs a scenario, and checks the properties that must hold in any scenario.
 *
 *   - the text is understood, and the run ends: by itself, or with a bug check;
 *   - no invariant breaks, after no statement;
 *   - every refusal, warning, finding and stop of the system names a rule;
 *   - a wait for everything ends with nothing left to do, or was refused.
 *
 * And unless the trial is lenient (the last not either while the simulated system is short of
 * something that a scenario counts on):
 *
 *   - without `inject` nothing is found and nothing stops, but for a GPU that hangs;
 *   - content that no rule discards is intact whenever the GPU is idle;
 *   - every expectation of the text holds.
 */
#ifndef TESTS_TRIAL_H
#define TESTS_TRIAL_H

#include "scenarios/lang/scenario.h"

enum { TRIAL_PROBLEM = 400, TRIAL_ALLOCATIONS = 512, TRIAL_NODES = 64 };

struct trial {
    bool lenient;
    bool shortage; /* what is asked of the simulated system is turned down now and then */
    const char *planted;         /* name of an event that counts as a problem; NULL: none */
    char problem[TRIAL_PROBLEM]; /* the first one; empty: all is well */
    bool understood;
    const struct vidmm_adapter *adapter; /* gone after the run; NULL: it never started */
    uint64_t events[VIDMM_EVENT_KINDS];
    struct scenario_host host; /* `load` may be set before the run */
    bool injected, wild;       /* faults of the driver; access of the CPU without a lock */
    /* private */
    struct vidmm_observer observer;
    char stop[TRIAL_PROBLEM];
    bool hung, stopped, settles, refused, excused;
    struct trial_allocation {
        vidmm_handle handle;
        bool lost;
        bool raced; /* a lock with IgnoreSync: its content may be older than the copy */
    } allocations[TRIAL_ALLOCATIONS];
    size_t allocation_count;
    uint64_t submitted[TRIAL_NODES]; /* the last number */
};

/* True for events that have to name a rule: refusals, warnings, findings, stops. */
bool trial_is_complaint(const struct vidmm_event *event);

/* False: trial->problem says what went wrong. */
bool trial_run(struct trial *trial, const char *name, const char *text, size_t bytes);

#endif
