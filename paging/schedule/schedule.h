/* SPDX-License-Identifier: MIT */
/*
 * schedule.h: the scheduler (VidSch): packets on nodes, waits for their fences, and the work that
 * completed fences make due.
 */
#ifndef VIDMM_SCHEDULE_H
#define VIDMM_SCHEDULE_H

#include "paging/schedule/guard.h"
#include "vidmm/tell/tell.h"

/* ---- packets -------------------------------------------------------------------------------- */

struct job;
struct bus_access;

/* What the owner of a packet answers about it, and does when something becomes of it. */
struct job_ops {
    const char *(*kind)(const struct job *job); /* paging, render, present, switch */
    /* The first allocation that it uses, NULL: none. */
    const struct allocation *(*subject)(const struct job *job);
    struct device *(*device)(const struct job *job); /* on whose behalf; NULL: paging */
    /* The GPU has executed it: nothing may be decided, and the books stay open. */
    void (*ended)(adapter_t *adapter, struct job *job);
    /* Its fence was reported, or it will never run: the books are closed, the packet is free. */
    void (*done)(adapter_t *adapter, struct job *job);
    void (*aborted)(adapter_t *adapter, struct job *job);
    /* Hands it to the driver again, under the number that it has now (SUBMIT-056). */
    vidmm_status (*again)(adapter_t *adapter, struct job *job);
    /* One of its commands uses an element of its allocation list; NULL: it has none. */
    void (*touch)(struct vidmm_bus *bus, const struct job *job, const struct bus_access *access);
    bool of_system; /* paging, or a context switch: what the system itself needs */
};

/*
 * Something on its way through a node: what the manager does when its fence is reported. The first
 * member of struct paging_packet and struct render_packet.
 */
struct job {
    struct job *next;
    const struct job_ops *ops;
    uint32_t node, fence;
    bool paging;
    struct packet *packet; /* while the hardware does not have it: held, or taken back */
};

struct job_fifo {
    struct job *head, *tail;
    size_t held; /* since the last request to preempt that holds the node */
};

/* ---- what only floors above can do; vidmm/wiring.c fills it in ------------------------------ */

struct renaming;

/* By DxgkCbNotifyInterrupt, not yet acted upon (SUBMIT-054). */
struct interrupt_report {
    uint32_t node, fence;
    bool preempted; /* `fence` is the last completed one, and this was asked for: */
    uint32_t preempt_id;
    bool faulted; /* `fence` is the one that did, with this status: */
    int32_t status;
    bool page_faulted; /* the same of a page fault, with these flags; 0: not known */
    uint32_t flags;
};

struct schedule_hooks {
    /* What timers and reports made due: before and after due work, and in a wait. May wait. */
    void (*recover)(adapter_t *adapter);
    /* After due work: what it built goes to the paging node. May wait. */
    vidmm_status (*flush)(adapter_t *adapter);
    /* Fences of the node have other numbers: everything that waits for them has to know. */
    void (*renumber)(adapter_t *adapter, uint32_t node, const struct renaming *renaming);
    /* DPC time: the driver reported that a packet faulted (SUBMIT-059, SUBMIT-060). */
    void (*faulted)(adapter_t *adapter, const struct interrupt_report *report);
};

/* ---- sync.c: time and waiting --------------------------------------------------------------- */

void sync_start(adapter_t *adapter);
/* The end: releases the packets that a preemption holds back; no engine owns them. */
void sync_stop(adapter_t *adapter);
/* At the end of a preparation: a reset that had to wait for it; then the preparation has failed. */
vidmm_status sync_settle(adapter_t *adapter);
/* Waits until every fence of `marks` is reported; refuses a wait that can never end (TIME-017). */
vidmm_status sync_marks(adapter_t *adapter, const uint32_t *marks, enum vidmm_wait_reason reason,
                        enum vidmm_rule rule, struct device *device);
vidmm_status sync_fence(adapter_t *adapter, uint32_t node, uint32_t fence,
                        enum vidmm_wait_reason reason, enum vidmm_rule rule, struct device *device);
vidmm_status sync_idle(adapter_t *adapter, enum vidmm_wait_reason reason, enum vidmm_rule rule);
/* SUBMIT-048: the queue of the node has room for one more. */
vidmm_status sync_wait_for_room(adapter_t *adapter, uint32_t node, struct device *device);
/* Is any fence of `marks` not reported yet? */
bool sync_busy(const adapter_t *adapter, const uint32_t *marks);
bool allocation_busy(const adapter_t *adapter, const struct allocation *allocation);
/* Hands a packet to its node; `ops` hear what becomes of it. */
void sync_submit(adapter_t *adapter, struct packet *packet, struct job *job,
                 const struct job_ops *ops);
/* DPC time: the miniport reported this fence (SUBMIT-052, SUBMIT-053). */
void sync_report(adapter_t *adapter, uint32_t node, uint32_t fence);

/* ---- sync_due.c: work that a completed fence makes due (TIME-016) --------------------------- */

struct due_work {
    /* What cannot be done now adds itself again. */
    vidmm_status (*run)(adapter_t *adapter, const struct due_work *work);
    struct allocation *allocation; /* of an offer: NULL when it is gone */
    /* of an unmap: */
    uint32_t segment; /* the range that served an eviction or a move, */
    struct range range;
    bool last;                 /* or the place that it left, before a reset */
    struct dma_buffer *buffer; /* or whose range it is */
    uint32_t after;            /* fence of what may still use the range (MINI-076) */
};

/* Carries out what completed fences made due (TIME-016). Not inside a preparation's build. */
vidmm_status sync_due_now(adapter_t *adapter);
/* The same for callers that do not need it done now. */
static inline void sync_due(adapter_t *adapter)
{
    (void)sync_due_now(adapter);
}
void sync_due_add(adapter_t *adapter, struct due_work work);

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

/* ---- loaded.c: which context a node has loaded ---------------------------------------------- */

/* Paging work was queued after the packet of that context. */
void context_load_paging(adapter_t *adapter);
/* Does the context that this node has loaded save its state in the allocation? */
bool context_saves_to(const adapter_t *adapter, uint32_t node, const struct allocation *allocation);
/* The same of any node: it is pinned for nothing else. */
bool context_is_loaded(const adapter_t *adapter, const struct allocation *allocation);

/* The state of this folder, empty (base_free). */
struct schedule *schedule_new(void);

#endif
