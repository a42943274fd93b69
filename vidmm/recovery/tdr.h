/* SPDX-License-Identifier: MIT */
/*
 * tdr.h: who watches over the nodes, and what recovery has to know. Private to tdr*.c, preempt.c,
 * callbacks.c, sync.c and the settings of adapter.c.
 *
 * Everything that happens at an interrupt or when a timer fires is only marked here; tdr_work()
 * does it from straight-line code (TIME-016).
 */
#ifndef VIDMM_TDR_H
#define VIDMM_TDR_H

#include "vidmm/manager.h"

/* One for each node. */
struct node_guard {
    struct timer timer; /* first permit-ns, then TdrDelay (TDR-001) */
    struct timer stop;  /* preempt-ns, where a packet can be stopped half-way */
    adapter_t *adapter;
    uint32_t fence; /* the packet that is watched; 0: none */
    bool waiting;   /* the request was made: the timer is the timeout */
    bool request_due, timeout_due;
    bool drop_due; /* what it has is taken back, because some of it is for nobody (SUBMIT-059) */
    enum demanded_reset { NO_RESET, ENGINE_RESET, ADAPTER_RESET } demanded; /* SUBMIT-060 */
    uint32_t fault_fence; /* by the fault of this packet; 0: the driver does not know which */
    vidmm_ns timed_out_at;
    /* preemption */
    uint32_t preempt_id; /* of the request without an answer; 0: none */
    uint32_t over;       /* ended by the last start or reset of the adapter, */
    uint32_t known;      /* when this was the last completed one that the driver knew */
    bool holds;          /* what is submitted meanwhile waits for the answer (SUBMIT-051) */
    bool answered;       /* reported, and not yet acted upon */
    bool stopped;        /* the packet in execution was, half-way */
    uint32_t answered_last;
    uint64_t preempts, renders; /* requests; packets of rendering handed over */
    /* recovery */
    bool ignores; /* reports count for nothing (TDR-011) */
    bool closed;  /* the hardware may not report anything (TDR-018) */
};

/* One of several numbers of a node that became others, in the order of the node (SUBMIT-056). */
struct renamed {
    uint32_t node, from, through; /* numbers; several only where all were dropped */
    uint32_t to;                  /* 0: dropped, the device is in error */
};

struct tdr {
    struct node_guard *guards;
    bool due;        /* a guard has something to be done */
    bool busy;       /* it is being done */
    bool stuck;      /* a driver call lasted too long while a timeout was pending (TDR-006) */
    vidmm_ns *dumps; /* when 0x117 was recorded, within TdrLimitTime */
    size_t dump_count, dump_capacity;
    uint64_t adapter_resets, engine_resets;
    struct renamed *renamed;
    size_t renamed_count, renamed_capacity;
    uint64_t renamings; /* changes so far of that list */
};

/* Why an adapter reset happens. */
struct tdr_cause {
    uint32_t node, fence; /* the packet that hangs; fence 0: none */
    uint64_t reason;      /* 9: an engine timeout was promoted (TDR-017) */
    bool fault;           /* no timeout: the driver demands it after a page fault (SUBMIT-060) */
};

/* ---- tdr.c ---------------------------------------------------------------------------------- */

/* A request is without an answer, and what is submitted waits for it. */
void tdr_watch_answer(adapter_t *adapter, struct node_guard *guard, uint32_t fence);
void tdr_unwatch(adapter_t *adapter, struct node_guard *guard);
/* TdrLevel or TdrDebugMode may have another value than before (TDR-003). */
void tdr_detection_changed(adapter_t *adapter);
/* DxgkDdiCollectDbgInfo; its status has no effect (TDR-007). */
void tdr_collect(adapter_t *adapter, uint32_t code);
/* Times within TdrLimitTime stay; true when there are TdrLimitCount minus `less` of them. */
bool tdr_limit(adapter_t *adapter, vidmm_ns *times, size_t *count, uint64_t less);
/* A timeout that cannot be recovered from. */
vidmm_status tdr_fail(adapter_t *adapter, enum vidmm_rule rule, const struct tdr_cause *cause,
                      NTSTATUS status, const char *why);

/* ---- tdr_engine.c, tdr_reset.c, tdr_cleanup.c ------------------------------------------------ */

/* TDR-011; an adapter reset may follow. */
void tdr_reset_engine(adapter_t *adapter, const struct tdr_cause *cause);
/* TDR-020. */
void tdr_reset_adapter(adapter_t *adapter, const struct tdr_cause *cause);
/* Jobs of a node up to `ended` were carried out, the others never will be. */
void tdr_close_jobs(adapter_t *adapter, uint32_t node, uint32_t ended);
/* All jobs of the hardware are over; what did not run never will (TDR-020, TDR-036). */
void tdr_abort_all(adapter_t *adapter);
/* TDR-022 to TDR-027: nothing is in video memory any more. */
vidmm_status tdr_clean(adapter_t *adapter);

/* What is on its way for a device in error is dropped; the engine does not have it. */
void tdr_drop_failed(adapter_t *adapter, uint32_t node);

/* ---- fault.c -------------------------------------------------------------------------------- */

/* What devices in error have on any node is taken back, where the hardware can give it back. */
void fault_take_back(adapter_t *adapter);
/* DPC time: the driver reported that a packet faulted (SUBMIT-059). */
void fault_report(adapter_t *adapter, uint32_t node, uint32_t fence, NTSTATUS status);
/* The same of a page fault, with DXGK_PAGE_FAULT_FLAGS (SUBMIT-060). */
void fault_page_report(adapter_t *adapter, uint32_t node, uint32_t fence, uint32_t flags);

/* ---- preempt.c ------------------------------------------------------------------------------ */

/* Makes a request unless one is without an answer. */
vidmm_status preempt_request(adapter_t *adapter, uint32_t node);
/* A start or a reset: all numbers so far are over, and the driver knows those up to `known`. */
void preempt_forget(adapter_t *adapter, uint32_t node, uint32_t known);
/* DPC time: the driver reported a preemption (SUBMIT-053). */
void preempt_report(adapter_t *adapter, uint32_t node, uint32_t id, uint32_t last);
/* Acts upon the answer. */
void preempt_settle(adapter_t *adapter, uint32_t node);
/* Timer: preempt-ns are over. */
void preempt_stop(struct timer *timer, void *context);
/* SUBMIT-056: what was taken back goes to the node once more. */
void preempt_resubmit(adapter_t *adapter, uint32_t node, uint32_t last);
/* Packets that the engine gave back, for preempt_resubmit(). */
void preempt_keep(struct packet *packet);
/* What these numbers stood for will never come. */
void preempt_drop(adapter_t *adapter, uint32_t node, uint32_t from, uint32_t through);
/* The number under which a fence of this node has to be waited for now. False: it was dropped. */
bool preempt_current(const adapter_t *adapter, uint32_t node, uint32_t *fence);
/* The same, for who asks again and again: looks only where something has changed since `*seen`,
   which begins as UINT64_MAX. */
bool preempt_follow(const adapter_t *adapter, uint32_t node, uint32_t *fence, uint64_t *seen);

/* ---- deadlock.c ----------------------------------------------------------------------------- */

/* TIME-017: the wait can never end. */
vidmm_status deadlock_refuse(adapter_t *adapter, uint32_t node, uint32_t fence,
                             enum vidmm_wait_reason reason);

#endif
