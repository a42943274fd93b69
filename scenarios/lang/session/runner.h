/* SPDX-License-Identifier: MIT */
/*
 * runner.h: private: a run, as it stands between two statements. Included through the door.
 */
#ifndef SCENARIOS_LANG_SESSION_RUNNER_H
#define SCENARIOS_LANG_SESSION_RUNNER_H

#include "scenarios/lang/session/events.h"
#include "scenarios/lang/session/random.h"
#include "scenarios/lang/session/tell.h"
#include "scenarios/lang/session/values.h"
#include "scenarios/lang/text/scope.h"
#include "vidmm/vidmm_mock.h"

enum { SEGMENTS_DECLARED_MAX = 64 };

struct runner {
    struct scenario *scenario;
    const struct scenario_options *options;
    struct scenario_result *result;
    struct scenario_limits limits;
    struct steps *steps; /* of scenarios/lang/run, which alone looks inside */

    struct vidmm_mock_config mock_config;
    struct vidmm_mock_segment *segments; /* mock_config counts them */
    size_t segment_capacity;
    struct vidmm_config config;
    struct vidmm_mock *mock;
    struct vidmm_adapter *adapter; /* NULL before the start */
    bool observing, start_failed, stop_seen;
    bool ownerless; /* the present statement ended, for want of a device or a context */
    uint32_t nodes_declared;

    struct names names;
    struct names refused; /* describe.c */
    struct handles handles;
    struct scope variables;
    uint64_t *values; /* of the variables */
    size_t value_capacity;
    struct live_allocation *live;
    size_t live_count, live_capacity;
    struct names positions;     /* of live allocations; empty: nobody has asked */
    struct vidmm_observer ends; /* hears what is destroyed */
    vidmm_handle *gone;         /* since the last sweep */
    size_t gone_count, gone_capacity;
    bool sweep_all; /* not only what was reported */
    struct opened_handle *opened;
    size_t opened_count, opened_capacity;
    vidmm_handle *devices;
    size_t device_count, device_capacity;
    size_t in_error;                       /* of them, before a statement that asks for one more */
    vidmm_handle process, device, context; /* declared last */
    vidmm_handle locked;                   /* last */
    struct outs out;                       /* of the last call */
    uint64_t fresh;                        /* names that were made */
    struct random random;
    uint64_t seed;

    struct vidmm_observer observer;
    struct event_log log;
    struct held_events held;
    struct watch
        *watches[VIDMM_EVENT_KINDS];       /* those that each event of the kind is compared with */
    struct names watched, watched_handles; /* the others: by name, by what names stand for */
    struct watched_name *watched_names;
    uint64_t life; /* how many adapters there were */
    struct move *moves;
    uint64_t last_seq;
    enum vidmm_rule warned[16]; /* warnings and findings of the present statement */
    size_t warned_count;

    unsigned quiet;             /* how many `quietly` are open */
    binding shown;              /* what `show` is about */
    const bool *shown_counters; /* NULL: all */
    const struct scenario_state_row *shown_state;
    size_t shown_state_count;
    const char *shown_name; /* whose state it is; NULL: it is none */

    const struct statement *test;      /* NULL: the preamble */
    const struct statement *statement; /* the present one */
    const struct bulk_line *line;      /* its bulk line, or NULL */
    struct place after;                /* what `always` comes after; of no length outside of it */
    const uint32_t *numbers;
    uint16_t line_source;

    binding *targets; /* of evaluate_targets() */
    size_t target_count, target_capacity;

    char problem[256];          /* why an expression has no value */
    struct place problem_at;    /* which part of it; of no length: that is not known */
    const struct expr *missing; /* the first name of the present statement that means nothing */
    bool missing_others;        /* and it is not the only one */
    char missing_name[96];
    char why[1024]; /* why the present expectation does not hold */
    bool expecting; /* failures are those of an expectation, not of an operation */
    bool missed;    /* the present expectation does not hold */
    bool asking;    /* it is the answer to a question, and no failure */
    uint64_t operations, rounds;
    struct repeats repeats;
    struct vidmm_observer complaints; /* hears warnings and findings */
    uint64_t worked;                  /* of this thread, before the run */
    struct vidmm_host_limits callers; /* that hold outside of the run */
    const char *memory_why;           /* whose limit it is, unless it was asked for */
    uint64_t failures;                /* whatever made this test fail; 0: it passed */
    struct scenario_result before;    /* this test and its preamble */
    bool halted;                      /* this test goes no further */
    bool unreached;                   /* it was halted before its first statement */
    struct place halted_at;           /* by this statement */
    bool ended;                       /* the whole run */
    bool repeated;                    /* the preamble again: what it says is not repeated */
};

static inline const char *runner_word(const struct runner *runner, word name)
{
    return words_text(&runner->scenario->words, name);
}

#endif
