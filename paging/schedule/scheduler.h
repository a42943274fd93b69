/* SPDX-License-Identifier: MIT */
/*
 * scheduler.h: what the files of the scheduler share. Private to paging/schedule.
 */
#ifndef VIDMM_SCHEDULER_H
#define VIDMM_SCHEDULER_H

#include "paging/schedule/guard.h"
#include "paging/schedule/schedule.h"
#include "paging/schedule/watch.h"

/* ---- sync.c --------------------------------------------------------------------------------- */

/* Once more, under the number that its job has now (SUBMIT-056). */
void sync_resubmit(adapter_t *adapter, struct job *job);

/* ---- watch.c -------------------------------------------------------------------------------- */

void watch_start(adapter_t *adapter);
void watch_stop(adapter_t *adapter);
/* A packet begins, and ends: hooks of the engine. */
void watch_packet(adapter_t *adapter, const struct packet *packet, vidmm_ns cost);
void watch_packet_ended(adapter_t *adapter, const struct packet *packet);
/* The node is watched no longer. */
void watch_end(adapter_t *adapter, struct node_guard *guard);
/* The node was reset: no request is open, and nothing is due. */
void watch_node_reset(adapter_t *adapter, struct node_guard *guard);
/* The request starts the second part of the watch. */
void watch_request_begins(adapter_t *adapter, struct node_guard *guard);
/* A request is without an answer, and what is submitted waits for it. */
void watch_answer(adapter_t *adapter, struct node_guard *guard, uint32_t fence);

/* ---- interrupt.c ---------------------------------------------------------------------------- */

/* The hardware interrupts for this packet; its DPC follows. */
void interrupt_raise(adapter_t *adapter, uint32_t node, uint32_t fence);
/* Acts upon interrupts that no DPC has followed, when a wait polls the driver (SUBMIT-055). */
void interrupt_take_reports(adapter_t *adapter);

/* ---- preempt.c ------------------------------------------------------------------------------ */

void preempt_start(adapter_t *adapter);
/* A start or a reset: all numbers so far are over, and the driver knows those up to `known`. */
void preempt_forget(adapter_t *adapter, uint32_t node, uint32_t known);
/* Packets that the engine gave back, for preempt_resubmit(). */
void preempt_keep(struct packet *packet);
/* DPC time: the driver reported a preemption (SUBMIT-053). */
void preempt_report(adapter_t *adapter, uint32_t node, uint32_t id, uint32_t last);
/* The number under which a fence of this node has to be waited for now. False: it was dropped. */
bool preempt_current(const adapter_t *adapter, uint32_t node, uint32_t *fence);
/* The same for a loop: looks only if something has changed since `*seen`, which begins as
   UINT64_MAX. */
bool preempt_follow(const adapter_t *adapter, uint32_t node, uint32_t *fence, uint64_t *seen);

/* ---- deadlock.c ----------------------------------------------------------------------------- */

/* TIME-017: the wait can never end. */
vidmm_status deadlock_refuse(adapter_t *adapter, uint32_t node, uint32_t fence,
                             enum vidmm_wait_reason reason);

#endif
