/* SPDX-License-Identifier: MIT */
/*
 * guard.h: what the scheduler notes about nodes that run for too long, and about preemption. Timers
 * and reports set flags here; recovery acts upon them (TIME-016).
 */
#ifndef VIDMM_SCHEDULE_GUARD_H
#define VIDMM_SCHEDULE_GUARD_H

#include "paging/time/time.h"

struct vidmm_adapter;

/* One for each node. */
struct node_guard {
    struct timer timer; /* first permit-ns, then TdrDelay (TDR-001) */
    struct timer stop;  /* preempt-ns, where a packet can be stopped half-way */
    struct vidmm_adapter *adapter;
    uint32_t fence; /* the packet that is watched; 0: none */
    bool waiting;   /* the request was made: the timer is the timeout */
    bool request_due, timeout_due;
    bool drop_due; /* take its packets back: some belong to a failed device (SUBMIT-059) */
    bool reset_due; /* a fault demands it (SUBMIT-060) */
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
    /* a reset */
    bool ignores; /* reports count for nothing (TDR-011) */
    bool closed;  /* the hardware may not report anything (TDR-018) */
};

/* One of several numbers of a node that became others, in the order of the node (SUBMIT-056). */
struct renamed {
    uint32_t node, from, through; /* numbers; several only where all were dropped */
    uint32_t to;                  /* 0: dropped, the device is in error */
};

struct watch {
    struct node_guard *guards;
    bool due;        /* a guard has something to be done */
    bool busy;       /* it is being done */
    bool stuck;      /* a driver call lasted too long while a timeout was pending (TDR-006) */
    uint64_t resets; /* of the adapter */
    struct renamed *renamed;
    size_t renamed_count, renamed_capacity;
    uint64_t renamings; /* changes so far of that list */
};

#endif
