/* SPDX-License-Identifier: MIT */
/*
 * clock.c: the CPU line, which is the timeline's `now`. What a call costs and what the CPU does
 * move it on; whatever becomes due on the way happens in order.
 *
 * Rules not named below: TIME-003.
 */
#include "vidmm/tell/tell.h"
#include "vidmm/tell/tell_state.h"

void cpu_spend(adapter_t *adapter, vidmm_ns ns)
{
    /* Nothing happens after a bug check, nor while the adapter is freed. */
    if (ns && !adapter->tell->stopped && !adapter->tell->ending)
        timeline_run_until(&adapter->tell->timeline, timeline_after(&adapter->tell->timeline, ns));
}

struct tell *tell_new(void)
{
    struct tell *tell = base_alloc(1, sizeof *tell);
    tell->last_call = "";
    return tell;
}

struct timeline *clock_of(const adapter_t *adapter)
{
    return &adapter->tell->timeline;
}

vidmm_ns clock_now(const adapter_t *adapter)
{
    return adapter->tell->timeline.now;
}

void clock_untimed(adapter_t *adapter, bool untimed)
{
    adapter->tell->untimed = untimed;
}

bool clock_is_untimed(const adapter_t *adapter)
{
    return adapter->tell->untimed;
}
