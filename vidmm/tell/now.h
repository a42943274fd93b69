/* SPDX-License-Identifier: MIT */
/*
 * now.h: what is true of the adapter now: the time, whether it is there, what has been counted.
 * Included by tell.h.
 */
#ifndef VIDMM_TELL_NOW_H
#define VIDMM_TELL_NOW_H

#include "vidmm/adapter.h"

/* ---- now.c: the time ------------------------------------------------------------------------ */

struct timeline *clock_of(const adapter_t *adapter);
vidmm_ns clock_now(const adapter_t *adapter);
/* Calls cost nothing while `untimed`: the start (TIME-003), and the end of the adapter. */
void clock_untimed(adapter_t *adapter, bool untimed);
bool clock_is_untimed(const adapter_t *adapter);

/* ---- now.c: is it there? -------------------------------------------------------------------- */

/* A bug check: nothing happens any more. */
bool adapter_stopped(const adapter_t *adapter);
/* The start is complete; before and after it, only the start itself uses what exists. */
bool adapter_started(const adapter_t *adapter);
void adapter_has_started(adapter_t *adapter, bool started);
/* vidmm_adapter_free() has begun. */
bool adapter_ending(const adapter_t *adapter);
void adapter_ends(adapter_t *adapter);
enum adapter_presence adapter_presence(const adapter_t *adapter);
void adapter_becomes(adapter_t *adapter, enum adapter_presence presence);
/* Allocations come or leave: half-way nothing has to agree (BUG-030). Calls nest. */
void books_open(adapter_t *adapter);
void books_close(adapter_t *adapter);

/* ---- door.c: MINI-001 ----------------------------------------------------------------------- */

/* A call of the scheduler class begins; driver_call_returned() ends it. A DPC is none of the doing
   of the call that it interrupts. Returns whether one was on, to be put back. */
bool scheduler_call(adapter_t *adapter, bool on);
bool scheduler_call_is_on(const adapter_t *adapter);
/* A call of the start: no event, no cost. driver_call_returned() ends it. */
void driver_call_start(adapter_t *adapter, const char *ddi);
/* What the manager is calling now; NULL: nothing. */
const char *driver_call_now(const adapter_t *adapter);
/* Is it one of these? */
bool driver_call_is(const adapter_t *adapter, const char *const *calls, size_t count);

/* ---- events.c, refuse.c: what has been told ------------------------------------------------- */

const uint64_t *counters_of(const adapter_t *adapter); /* all, by enum vidmm_counter */
uint64_t warnings_of(const adapter_t *adapter);        /* part of the counter of findings */
/* Raises a counter that is a maximum. */
void counter_raise(adapter_t *adapter, enum vidmm_counter counter, uint64_t value);
/* The last refusal; kept over an undo, it can be put back: why it failed, not what the undo met. */
const struct vidmm_refusal *refusal_of(const adapter_t *adapter);
const struct vidmm_refusal *refusal_last(const adapter_t *adapter); /* NULL: none */
const struct vidmm_bugcheck *bugcheck_of(const adapter_t *adapter); /* NULL: none */
void refusal_restore(adapter_t *adapter, const struct vidmm_refusal *refusal);

#endif
