/* SPDX-License-Identifier: MIT */
/*
 * schedule_state.h: the state of this folder: packets on nodes, what their fences made due, and
 * what is known of nodes that run for too long; and what its files ask each other.
 */
#ifndef PAGING_SCHEDULE_STATE_H
#define PAGING_SCHEDULE_STATE_H

#include "paging/schedule/watch.h"
#include "vidmm/adapter.h"

/* One for each node: timers and reports set flags here; recovery acts upon them (TIME-016). */
struct node_guard {
    struct node_state now; /* watch.h */
    struct timer timer;    /* first permit-ns, then TdrDelay (TDR-001) */
    struct timer stop;     /* preempt-ns, where a packet can be stopped half-way */
    struct vidmm_adapter *adapter;
    uint32_t fence; /* the packet that is watched; 0: none */
    bool waiting;   /* the request was made: the timer is the timeout */
    bool request_due;
    bool drop_due; /* take its packets back: some belong to a failed device (SUBMIT-059) */
    vidmm_ns timed_out_at;
    uint32_t over;  /* ended by the last start or reset of the adapter, */
    uint32_t known; /* when this was the last completed one that the driver knew */
    bool stopped;   /* the packet in execution was, half-way */
    bool closed;    /* the hardware may not report anything (TDR-018) */
    uint32_t answered_last;
};

/* A number of a node that became another, in the order of the node (SUBMIT-056). */
struct renamed {
    uint32_t from, to;
};

/* First numbers of packets that will never complete: the device is in error. */
struct dropped {
    uint32_t node, from, through;
};

/* The CPU waits for a packet, inside of other waits. */
struct fence_wait {
    uint32_t node, first, fence; /* its first number, and that which it has now */
    bool dropped;
    struct fence_wait *outer;
};

struct watch {
    struct node_guard *guards; /* NULL before the first start */
    bool due;                  /* a guard has something to be done */
    bool busy;                 /* it is being done */
    bool stuck;      /* a driver call lasted too long while a timeout was pending (TDR-006) */
    uint64_t resets; /* of the adapter */
    struct fence_wait *wait; /* the innermost */
    struct dropped *dropped;
    size_t dropped_count, dropped_capacity;
};

struct job_fifo {
    struct job *head, *tail;
    size_t held; /* since the last request to preempt that holds the node */
};

struct interrupt_line {
    struct interrupt_report *reported;
    size_t count, capacity;
    bool connected; /* the scheduler is there, and takes reports (SUBMIT-064) */
    bool dpc_queued;
};

struct schedule {
    struct fence_board fences;
    struct engine_set engines;
    struct job_fifo *jobs;       /* per node, submitted and not yet reported */
    const struct job *executing; /* whose commands take effect now */
    struct watch watch;
    struct deferred_work *deferred;
    size_t deferred_count, deferred_capacity;
    struct deferred_work *doing; /* is carried out now, and may have to wait for its number */
    bool building; /* a paging buffer: recovery and its flush wait for the end of it */
    struct interrupt_line interrupts;
    struct loaded_context {
        struct context *context; /* whose packet was queued last; NULL: no context's */
        bool paging;             /* and paging work after it */
    } loaded[VIDMM_NODES_MAX];
    struct wait_sum waits[VIDMM_WAIT_REASON_COUNT];
};

static inline struct node_guard *guard_of(const adapter_t *adapter, uint32_t node)
{
    return &adapter->schedule->watch.guards[node];
}

/* What timers and reports made due, if anything is: asked several times for each packet. */
static inline void schedule_recover(adapter_t *adapter)
{
    if (adapter->schedule->watch.due)
        adapter->schedule_hooks->recover(adapter);
}

/* ---- watch.c -------------------------------------------------------------------------------- */

void watch_start(adapter_t *adapter);
void watch_stop(adapter_t *adapter);
/* A packet begins to execute, for so long. */
void watch_packet(adapter_t *adapter, const struct packet *packet, vidmm_ns cost);
/* The node is watched no longer. */
void watch_end(adapter_t *adapter, struct node_guard *guard);
/* A request is without an answer, after the packet `fence`: now the timer is the timeout. */
void watch_answer(adapter_t *adapter, struct node_guard *guard, uint32_t fence);

/* ---- interrupt.c ---------------------------------------------------------------------------- */

/* The hardware interrupts for this packet; its DPC follows. */
void interrupt_raise(adapter_t *adapter, uint32_t node, uint32_t fence);
/* Acts upon interrupts that no DPC has followed, when a wait polls the driver (SUBMIT-055). */
void interrupt_take_reports(adapter_t *adapter);

/* ---- preempt.c ------------------------------------------------------------------------------ */

/* A start or a reset: all numbers so far are over, and the driver knows those up to `known`. */
void preempt_forget(adapter_t *adapter, uint32_t node, uint32_t known);
/* DPC time: the driver reported a preemption (SUBMIT-053). */
void preempt_report(adapter_t *adapter, uint32_t node, uint32_t id, uint32_t last);
/* Until it ends, a wait knows the number of its packet; NULL: none has that number any more. */
void preempt_wait_begin(adapter_t *adapter, struct fence_wait *wait, const struct job *job);
void preempt_wait_end(adapter_t *adapter, const struct fence_wait *wait);

/* ---- deadlock.c ----------------------------------------------------------------------------- */

/* TIME-017: the wait can never end. */
vidmm_status deadlock_refuse(adapter_t *adapter, uint32_t node, uint32_t fence,
                             enum vidmm_wait_reason reason);

#endif
