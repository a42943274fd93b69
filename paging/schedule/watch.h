/* SPDX-License-Identifier: MIT */
/*
 * watch.h: the other door of this folder: nodes that run for too long, interrupts, resets and
 * preemption; for those who stop nodes, and who have to know whether one is stopped.
 */
#ifndef VIDMM_SCHEDULE_WATCH_H
#define VIDMM_SCHEDULE_WATCH_H

#include "paging/schedule/schedule.h"

/* ---- watch.c: nodes that run for too long --------------------------------------------------- */

/* Words of TdrDebugMode. */
enum { DEBUG_BREAK, DEBUG_IGNORE, DEBUG_RECOVER, DEBUG_ALWAYS };

/* What is true of a node now. */
struct node_state {
    bool timeout_due;           /* the answer to a request did not come within TdrDelay */
    bool reset_due;             /* a fault demands it (SUBMIT-060) */
    uint32_t preempt_id;        /* of the request to preempt without an answer; 0: none */
    bool holds;                 /* what is submitted meanwhile waits for the answer (SUBMIT-051) */
    bool answered;              /* reported, and not yet acted upon */
    bool ignores;               /* reports count for nothing (TDR-011) */
    uint64_t preempts, renders; /* requests; packets of rendering handed over */
};
const struct node_state *watch_node(const adapter_t *adapter, uint32_t node);
/* TdrLevel or TdrDebugMode may have another value than before (TDR-003). */
void watch_detection_changed(adapter_t *adapter);
/* In the middle of something only what changes nothing is done: a request. */
bool watch_in_the_middle(const adapter_t *adapter);
/* A reset waits for the end of the open preparation: a wait inside of it has to fail. */
bool watch_pending(const adapter_t *adapter);
/* Recovery begins, or ends: nobody waits meanwhile, and nothing that is due is done. */
void watch_recovery(adapter_t *adapter, bool under_way);
/* What was due is being done, until watch_recovery() says otherwise. */
void watch_begin_work(adapter_t *adapter);
/* It could not be done now. */
void watch_work_again(adapter_t *adapter);
/* Returns the packet, and the time; the node is watched no longer. */
uint32_t watch_take_timeout(adapter_t *adapter, uint32_t node, vidmm_ns *at);
/* A driver call lasted too long while a timeout was pending (TDR-006). */
bool watch_driver_stuck(const adapter_t *adapter);
/* A fault demands a reset (SUBMIT-060); the reset of the node ends the demand. */
void watch_demand_reset(adapter_t *adapter, uint32_t node);
/* Some packets of the node belong to a failed device: it is to give them back (SUBMIT-059). */
void watch_take_back_due(adapter_t *adapter, uint32_t node);
/* Reports of the node count for nothing (TDR-011). */
void watch_ignore(adapter_t *adapter, uint32_t node);
/* The hardware may not report anything (TDR-018, TDR-021). */
void watch_close(adapter_t *adapter, uint32_t node);
/* All nodes may report again, and it counts. */
void watch_open_all(adapter_t *adapter);
/* Resets of the adapter so far. */
uint64_t watch_resets(const adapter_t *adapter);
void watch_count_reset(adapter_t *adapter);
/* A packet of rendering was handed over. */
void watch_count_render(adapter_t *adapter, uint32_t node);
/* Time that a driver spends inside a call (TDR-006). */
void watch_driver_spent(adapter_t *adapter);

/* ---- interrupt.c ---------------------------------------------------------------------------- */

/* DxgkCbQueueDpc, DxgkCbNotifyInterrupt, DxgkCbNotifyDpc. */
void interrupt_fill(DXGKRNL_INTERFACE *interface);
/* From here on the driver has nothing to report (SUBMIT-064). */
void interrupt_disconnect(adapter_t *adapter);
void interrupt_run_dpc(adapter_t *adapter); /* after the interrupt: SUBMIT-054 */
/* TDR-011: what the node has reported counts for nothing; other nodes go on. */
void interrupt_forget(adapter_t *adapter, uint32_t node);

/* ---- preempt.c ------------------------------------------------------------------------------ */

/* Makes a request unless one is without an answer. */
vidmm_status preempt_request(adapter_t *adapter, uint32_t node);
/* Makes those that have become due. */
void preempt_make_due(adapter_t *adapter, uint32_t node);
/* Acts upon the answer; true: packets after `completed` came back, for preempt_resubmit(). */
bool preempt_take_back(adapter_t *adapter, uint32_t node, uint32_t *completed);
/* SUBMIT-056: resubmits what was taken back; `last` is the last fence that ended before it. */
void preempt_resubmit(adapter_t *adapter, uint32_t node, uint32_t last);
/* The new numbers of the fences of a node. */
struct renaming {
    const struct renamed *list; /* old and new numbers ascend */
    size_t count;
    uint32_t last; /* what is above it has another number now, or is over */
};
/* What waited for `fence` waits for the newest packet that was not after it. */
uint32_t preempt_new_number(const struct renaming *renaming, uint32_t fence);
/* The packets with these first numbers will never complete. */
void preempt_drop(adapter_t *adapter, uint32_t node, uint32_t from, uint32_t through);
/* All jobs of the hardware are over; what did not run never will (TDR-020, TDR-036). */
void schedule_abort_all(adapter_t *adapter);
/* `fence` and all before it are over, whatever ran; the packets wait for preempt_resubmit(). */
void schedule_abort_node(adapter_t *adapter, uint32_t node, uint32_t fence);
/* Packets may depend on what was aborted: the nodes look again. */
void schedule_kick(adapter_t *adapter);

#endif
