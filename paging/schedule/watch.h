/* SPDX-License-Identifier: MIT */
/*
 * watch.h: the scheduler's second door: nodes that run for too long, interrupts, and preemption.
 * For those who stop nodes, and who have to know whether one is stopped.
 */
#ifndef VIDMM_SCHEDULE_WATCH_H
#define VIDMM_SCHEDULE_WATCH_H

#include "paging/schedule/guard.h"
#include "paging/schedule/schedule.h"

/* ---- watch.c: nodes that run for too long --------------------------------------------------- */

/* Words of TdrDebugMode. */
enum { DEBUG_BREAK, DEBUG_IGNORE, DEBUG_RECOVER, DEBUG_ALWAYS };

void tdr_stop(adapter_t *adapter);
void tdr_unwatch(adapter_t *adapter, struct node_guard *guard);
/* TdrLevel or TdrDebugMode may have another value than before (TDR-003). */
void tdr_detection_changed(adapter_t *adapter);
/* In the middle of something only what changes nothing is done: a request. */
bool tdr_in_the_middle(const adapter_t *adapter);
/* A reset waits for the end of the open preparation: a wait inside of it has to fail. */
bool tdr_pending(const adapter_t *adapter);
/* Recovery is under way: nobody waits for a queue meanwhile. */
bool watch_recovering(const adapter_t *adapter);
/* Packets of rendering handed over, and preempt requests, by node. */
uint64_t tdr_renders(const adapter_t *adapter, uint32_t node);
uint64_t tdr_preempts(const adapter_t *adapter, uint32_t node);
void tdr_count_render(adapter_t *adapter, uint32_t node);
/* Time that a driver spends inside a call (TDR-006). */
void tdr_driver_spent(adapter_t *adapter);

/* ---- interrupt.c ---------------------------------------------------------------------------- */

/* DxgkCbQueueDpc, DxgkCbNotifyInterrupt, DxgkCbNotifyDpc. */
void interrupt_fill(DXGKRNL_INTERFACE *interface);
/* From here on the driver has nothing to report (SUBMIT-064). */
void interrupt_disconnect(adapter_t *adapter);
void interrupt_run_dpc(adapter_t *adapter); /* after the interrupt: SUBMIT-054 */

/* ---- preempt.c ------------------------------------------------------------------------------ */

/* Does a preempt request keep new packets of this node from the hardware? */
bool preempt_holds(const adapter_t *adapter, uint32_t node);
/* Makes a request unless one is without an answer. */
vidmm_status preempt_request(adapter_t *adapter, uint32_t node);
/* A start or a reset: all numbers so far are over, and the driver knows those up to `known`. */
void preempt_forget(adapter_t *adapter, uint32_t node, uint32_t known);
/* Acts upon the answer; true: packets came back, for preempt_resubmit(). */
bool preempt_take_back(adapter_t *adapter, uint32_t node);
/* SUBMIT-056: resubmits what was taken back; `last` is the last fence that ended before it. */
void preempt_resubmit(adapter_t *adapter, uint32_t node, uint32_t last);
/* Packets that the engine gave back, for preempt_resubmit(). */
void preempt_keep(struct packet *packet);
/* The new numbers of the fences of a node. */
struct renaming {
    const struct renamed *list; /* old and new numbers ascend */
    size_t count;
    uint32_t last; /* what is above it has another number now, or is over */
};
/* What waited for `fence` waits for the newest packet that was not after it. */
uint32_t preempt_new_number(const struct renaming *renaming, uint32_t fence);
/* The packets with these numbers will never complete. */
void preempt_drop(adapter_t *adapter, uint32_t node, uint32_t from, uint32_t through);

#endif
