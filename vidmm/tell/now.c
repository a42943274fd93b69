/* SPDX-License-Identifier: MIT */
/*
 * now.c: is the adapter there, and may anything agree with anything now? The CPU line, which is the
 * timeline's `now`: what a call costs and what the CPU does move it on; whatever becomes due on the
 * way happens in order.
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

bool adapter_stopped(const adapter_t *adapter)
{
    return adapter->tell->stopped;
}

bool adapter_started(const adapter_t *adapter)
{
    return adapter->tell->started;
}

void adapter_has_started(adapter_t *adapter, bool started)
{
    adapter->tell->started = started;
}

bool adapter_ending(const adapter_t *adapter)
{
    return adapter->tell->ending;
}

void adapter_ends(adapter_t *adapter)
{
    adapter->tell->ending = true;
}

enum adapter_presence adapter_presence(const adapter_t *adapter)
{
    return adapter->tell->presence;
}

void adapter_becomes(adapter_t *adapter, enum adapter_presence presence)
{
    adapter->tell->presence = presence;
}

void books_open(adapter_t *adapter)
{
    adapter->tell->open_books++;
}

void books_close(adapter_t *adapter)
{
    CHECK(adapter->tell->open_books);
    adapter->tell->open_books--;
}
