/* SPDX-License-Identifier: MIT */
/*
 * schedule_state.h: the state of this folder: packets on nodes, and what their fences made due.
 */
#ifndef PAGING_SCHEDULE_STATE_H
#define PAGING_SCHEDULE_STATE_H

#include "paging/schedule/guard.h"
#include "paging/schedule/schedule.h"
#include "vidmm/adapter.h"

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
    struct watch *watch;         /* NULL before the first start */
    struct due_work *due;
    size_t due_count, due_capacity;
    bool doing_due;
    bool building; /* a paging buffer: recovery and its flush wait for the end of it */
    struct interrupt_line interrupts;
    struct loaded_context {
        struct context *context; /* whose packet was queued last; NULL: no context's */
        bool paging;             /* and paging work after it */
    } loaded[VIDMM_NODES_MAX];
    uint64_t waits[VIDMM_WAIT_REASON_COUNT];
    vidmm_ns stalls[VIDMM_WAIT_REASON_COUNT];
};

#endif
