/* SPDX-License-Identifier: MIT */
/*
 * self_check.c: invariants of the simulator, looked at while it runs.
 *
 * With `checked` after every call of the miniport, and in any case when the adapter goes away. One
 * that does not hold is a defect of ours, whatever the driver did: it stops the process.
 */
#include "vidmm/tell/tell.h"
#include "vidmm/validate.h"

void self_check(adapter_t *adapter)
{
    char problem[240];
    applies(adapter, RULE(BUG_030));
    count_up(adapter, VIDMM_COUNTER_SELF_CHECKS, 1);
    if (!vidmm_check(adapter, problem, sizeof problem))
        base_check_failed("simulator", 0, problem);
}
