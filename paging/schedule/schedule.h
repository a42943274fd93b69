/* SPDX-License-Identifier: MIT */
/*
 * schedule.h: the scheduler (VidSch): packets on nodes, waits for their fences, and the work that
 * completed fences make due.
 */
#ifndef VIDMM_SCHEDULE_H
#define VIDMM_SCHEDULE_H

#include "paging/time/time.h"
#include "vidmm/tell/tell.h"

/* ---- packets -------------------------------------------------------------------------------- */

struct job;
struct bus_access;

/* What the owner of a packet answers about it, and does when something becomes of it. */
struct job_ops {
    const char *(*kind)(const struct job *job); /* paging, render, present, switch */
    /* The first allocation that it uses, NULL: none. */
    const struct pageable *(*subject)(const struct job *job);
    struct device *(*device)(const struct job *job); /* on whose behalf; NULL: paging */
    /* The GPU has executed it: nothing may be decided, and the books stay open. */
    void (*ended)(adapter_t *adapter, struct job *job);
    /* Its fence was reported, or it will never run: the books are closed, the packet is free. */
    void (*done)(adapter_t *adapter, struct job *job);
    void (*aborted)(adapter_t *adapter, struct job *job);
    /* Hands it to the driver under its present number; `fresh`: for the first time (SUBMIT-056). */
    vidmm_status (*again)(adapter_t *adapter, struct job *job);
    /* One of its commands uses an element of its allocation list; NULL: it has none. */
    void (*touch)(struct vidmm_bus *bus, const struct job *job, const struct bus_access *access);
    bool of_system; /* paging, or a context switch: what the system itself needs */
};

/* Something on its way through a node, and what the manager does when its fence is reported: the
   first member of struct paging_packet and struct render_packet. */
struct job {
    struct job *next;
    const struct job_ops *ops;
    uint32_t node, fence, first; /* `first`: as it was submitted, for who waits (SUBMIT-056) */
    bool paging, fresh;          /* `fresh`: held from the beginning, the driver has never had it */
    struct packet *packet;       /* while the hardware does not have it: held, or taken back */
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
    /* What timers and reports made due: before and after deferred work, and in a wait. May wait. */
    void (*recover)(adapter_t *adapter);
    /* After deferred work: what it built goes to the paging node. May wait. */
    vidmm_status (*flush)(adapter_t *adapter);
    /* Fences of the node have other numbers: everything that waits for them has to know. */
    void (*renumber)(adapter_t *adapter, uint32_t node, const struct renaming *renaming);
    /* DPC time: the driver reported that a packet faulted (SUBMIT-059, SUBMIT-060). */
    void (*faulted)(adapter_t *adapter, const struct interrupt_report *report);
};

/* ---- schedule.c: time and waiting ----------------------------------------------------------- */

/* All numbers begin anew, or go on when the nodes of the driver are the same as before. */
void schedule_start(adapter_t *adapter);
/* The end: releases the packets that a preemption holds back; no engine owns them. */
void schedule_stop(adapter_t *adapter);
/* Frees what the other floors may have looked at until now: nodes, deferred work, reports. */
void schedule_fini(adapter_t *adapter);
/* At the end of a preparation: a reset that had to wait for it; then the preparation has failed. */
vidmm_status schedule_settle(adapter_t *adapter);
/* The first number of its packet, for a caller who comes back when it may have another one. */
uint32_t schedule_first_number(const adapter_t *adapter, uint32_t node, uint32_t fence);
/* Waits until every fence of `fences` is reported; refuses a wait that can never end (TIME-017). */
vidmm_status schedule_wait_fences(adapter_t *adapter, const uint32_t *fences,
                                  enum vidmm_wait_reason reason, enum vidmm_rule rule,
                                  struct device *device);
vidmm_status schedule_wait_fence(adapter_t *adapter, uint32_t node, uint32_t fence,
                                 enum vidmm_wait_reason reason, enum vidmm_rule rule,
                                 struct device *device);
vidmm_status schedule_wait_idle(adapter_t *adapter, enum vidmm_wait_reason reason,
                                enum vidmm_rule rule);
/* SUBMIT-048: the queue of the node has room for one more. */
vidmm_status schedule_wait_for_room(adapter_t *adapter, uint32_t node, struct device *device);
/* Is any fence of `fences` not reported yet? */
bool schedule_busy(const adapter_t *adapter, const uint32_t *fences);
bool allocation_busy(const adapter_t *adapter, const struct pageable *allocation);
/* Hands a packet to its node; `ops` hear what becomes of it. */
void schedule_submit(adapter_t *adapter, struct packet *packet, struct job *job,
                     const struct job_ops *ops);
/* DPC time: the miniport reported this fence (SUBMIT-052, SUBMIT-053). */
void schedule_report(adapter_t *adapter, uint32_t node, uint32_t fence);

/* ---- nodes.c: what others ask about nodes, and what a new packet needs ----------------------- */

/* The next fence number of the node; 0 when all are used up (SUBMIT-050). */
uint32_t schedule_fence_next(adapter_t *adapter, uint32_t node);
/* An empty packet with this number; schedule_submit() takes it. */
struct packet *schedule_packet_new(adapter_t *adapter, uint32_t node, uint32_t fence);
/* The last numbers of each node, and what each has to do: as of the last start, 0 nodes before. */
const struct fence_board *fences_of(const adapter_t *adapter);
const struct engine_set *engines_of(const adapter_t *adapter);
/* Jobs that were submitted and are not reported yet: the oldest, with the others after it. */
struct job *schedule_jobs(const adapter_t *adapter, uint32_t node);
struct job *schedule_newest_job(const adapter_t *adapter, uint32_t node);
/* The oldest job leaves its queue. */
struct job *schedule_pop_job(adapter_t *adapter, uint32_t node);
/* The job has no packet any more: it will never run. */
void schedule_release(adapter_t *adapter, struct job *job);
/* Whose commands take effect now; NULL: nobody's. */
const struct job *schedule_executing(const adapter_t *adapter);
/* Those that are wanted leave the queue for good: a list, the oldest first. */
struct job *schedule_take_jobs(adapter_t *adapter, uint32_t node,
                               bool (*wanted)(const struct job *job, const void *context),
                               const void *context);
/* The waits of one reason so far, and how long they lasted. */
struct wait_sum {
    uint64_t count;
    vidmm_ns ns;
};
struct wait_sum schedule_waits(const adapter_t *adapter, enum vidmm_wait_reason reason);
/* The costs of setup are others than before. */
void schedule_costs_changed(adapter_t *adapter);

/* ---- deferred.c: work that a completed fence makes due (TIME-016) --------------------------- */

struct deferred_work {
    /* What cannot be done now adds itself again. */
    vidmm_status (*run)(adapter_t *adapter, const struct deferred_work *work);
    struct pageable *allocation; /* of an offer: NULL when it is gone */
    /* of an unmap: */
    uint32_t segment; /* the range that served an eviction or a move, */
    struct range range;
    bool last;                 /* or the place that it left, before a reset */
    struct dma_buffer *buffer; /* or whose range it is */
    uint32_t after;            /* fence of what may still use the range (MINI-076) */
};

/* Between the two a paging buffer is built: it goes out as a whole, and no recovery comes in
   between (PAGE-009). */
void schedule_building(adapter_t *adapter, bool on);
/* Carries out what completed fences made due (TIME-016). Not inside a preparation's build. */
vidmm_status schedule_deferred_now(adapter_t *adapter);
/* The same for callers that do not need it done now. */
static inline void schedule_deferred(adapter_t *adapter)
{
    (void)schedule_deferred_now(adapter);
}
void schedule_defer(adapter_t *adapter, struct deferred_work work);
bool schedule_deferred_any(const adapter_t *adapter);
/* Is anything due for the allocation, or for a copy of it? */
bool schedule_deferred_names(const adapter_t *adapter, const struct pageable *allocation);
/* Work with this function goes on without the allocation. */
void schedule_deferred_forget(adapter_t *adapter,
                              vidmm_status (*run)(adapter_t *adapter,
                                                  const struct deferred_work *work),
                              const struct pageable *allocation);
/* Drops what `keeps` says no to: its caller does it another way. */
void schedule_deferred_filter(adapter_t *adapter,
                              bool (*keeps)(void *context, const struct deferred_work *work),
                              void *context);

/* ---- nodes.c: which context a node has loaded ----------------------------------------------- */

/* Whose packet was queued last; NULL: no context's. */
struct context *node_loaded(const adapter_t *adapter, uint32_t node);
void node_load(adapter_t *adapter, uint32_t node, struct context *context);
/* Paging work was queued after the packet of that context. */
void context_load_paging(adapter_t *adapter);
bool node_paged_since(const adapter_t *adapter, uint32_t node);
/* Does the context that this node has loaded save its state in the allocation? */
bool context_saves_to(const adapter_t *adapter, uint32_t node, const struct pageable *allocation);
/* The same of any node: it is pinned for nothing else. */
bool context_is_loaded(const adapter_t *adapter, const struct pageable *allocation);

struct schedule *schedule_new(void); /* the state of this folder, empty (base_free) */

#endif
