/* SPDX-License-Identifier: MIT */
/*
 * clock.c: the CPU line, which is the timeline's `now`. What a call costs and what the CPU does
 * move it on; whatever becomes due on the way happens in order.
 *
 * Rules not named below: TIME-003.
 */
#include "vidmm/tell/tell.h"

void cpu_spend(adapter_t *adapter, vidmm_ns ns)
{
    /* Nothing happens after a bug check, nor while the adapter is freed. */
    if (ns && !adapter->stopped && !adapter->ending)
        timeline_run_until(&adapter->timeline, timeline_after(&adapter->timeline, ns));
}
