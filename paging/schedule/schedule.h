/* SPDX-License-Identifier: MIT */
/*
 * schedule.h: the scheduler (VidSch): packets on nodes, waits for their fences, and the work that
 * completed fences make due.
 */
#ifndef VIDMM_SCHEDULE_H
#define VIDMM_SCHEDULE_H

#include "vidmm/tell/tell.h"

/* ---- packets -------------------------------------------------------------------------------- */

struct job;

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
    /* The driver gets it once more, under the number that it has now (SUBMIT-056). */
    vidmm_status (*again)(adapter_t *adapter, struct job *job);
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

/* ---- sync.c: time and waiting --------------------------------------------------------------- */

void sync_start(adapter_t *adapter);
/* The end: packets that a preemption held back belong to nobody else. */
void sync_stop(adapter_t *adapter);
/* At the end of a preparation: a reset that had to wait for it; then the preparation has failed. */
vidmm_status sync_settle(adapter_t *adapter);
/* Waits until every fence of `marks` is reported; refuses a wait that can never end (TIME-017). */
vidmm_status sync_marks(adapter_t *adapter, const uint32_t *marks, enum vidmm_wait_reason reason,
                        enum vidmm_rule rule, struct device *device);
vidmm_status sync_fence(adapter_t *adapter, uint32_t node, uint32_t fence,
                        enum vidmm_wait_reason reason, enum vidmm_rule rule, struct device *device);
vidmm_status sync_idle(adapter_t *adapter, enum vidmm_wait_reason reason, enum vidmm_rule rule);
/* Is any fence of `marks` not reported yet? */
bool sync_busy(const adapter_t *adapter, const uint32_t *marks);
bool allocation_busy(const adapter_t *adapter, const struct allocation *allocation);
/* Hands a packet to its node; `ops` hear what becomes of it. */
void sync_submit(adapter_t *adapter, struct packet *packet, struct job *job,
                 const struct job_ops *ops);
/* DPC time: the miniport reported this fence (SUBMIT-052, SUBMIT-053). */
void sync_report(adapter_t *adapter, uint32_t node, uint32_t fence);
/* Once more, under the number that its job has now (SUBMIT-056). */
void sync_resubmit(adapter_t *adapter, struct job *job);

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
/* The same for who does not need it done now. */
static inline void sync_due(adapter_t *adapter)
{
    (void)sync_due_now(adapter);
}
void sync_due_add(adapter_t *adapter, struct due_work work);

#endif
