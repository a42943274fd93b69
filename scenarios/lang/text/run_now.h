/* SPDX-License-Identifier: MIT */
/*
 * run_now.h: how far a run has come: run/ keeps it, scenario_progress() reads it.
 */
#ifndef SCENARIOS_LANG_TEXT_RUN_NOW_H
#define SCENARIOS_LANG_TEXT_RUN_NOW_H

#include "scenarios/lang/scenario.h"

struct run_now {
    const struct scenario_result *result; /* NULL: nothing runs */
    vidmm_ns time;                        /* after the last operation */
    unsigned depth;                       /* of loops */
    uint64_t begun, of, before;           /* rounds of the outermost loop; operations before it */
};

static inline void run_now_enter_loop(struct run_now *now, uint64_t rounds)
{
    if (now->depth++)
        return;
    now->begun = 0;
    now->of = rounds;
    now->before = now->result->operations;
}

static inline void run_now_begin_round(struct run_now *now)
{
    now->begun += now->depth == 1;
}

static inline void run_now_leave_loop(struct run_now *now)
{
    if (!--now->depth)
        now->of = 0;
}

#endif
