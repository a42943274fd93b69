/* SPDX-License-Identifier: MIT */
/* recovery.h: the door of vidmm/recovery: a node hangs, memory is emptied, the machine sleeps. */
#ifndef VIDMM_RECOVERY_H
#define VIDMM_RECOVERY_H

#include "paging/residency/residency.h"

struct interrupt_report; /* paging/schedule/schedule.h */

/* ---- nodes that do not end ------------------------------------------------------------------ */

void tdr_work(adapter_t *adapter); /* does what timers and reports made due */
/* The hardware is gone: what was on its way never ends, nothing is in memory (TDR-036). */
vidmm_status tdr_hardware_gone(adapter_t *adapter);
/* DPC time: a packet faulted (SUBMIT-059), or met a page fault (SUBMIT-060). */
void fault_reported(adapter_t *adapter, const struct interrupt_report *report);

/* ---- what has to leave video memory, and why ------------------------------------------------ */

struct purge_part {
    uint64_t kept_bytes;    /* who lies wholly in so many bytes from the start stays; 0: nobody */
    struct range also_kept; /* so does who lies wholly in here */
    enum vidmm_rule rule;   /* decides about the rest */
};

/* By segment id; [0] is what is resident in system memory, where only 0 or not 0 counts. */
struct purge {
    enum evict_reason reason;
    bool ranges; /* every swizzling range is released before the rest goes (SWIZ-029) */
    struct purge_part parts[VIDMM_SEGMENT_SLOTS + 1];
};

/* Everything is to go, for this reason; purge_everything() does that, once the GPU has drained. */
void purge_init(struct purge *purge, enum evict_reason reason, enum vidmm_rule rule);
vidmm_status purge_everything(adapter_t *adapter, enum evict_reason reason, enum vidmm_rule rule);
/* Warns of each pinned allocation that it names; refuses the event under `strict`. */
vidmm_status purge_warn(adapter_t *adapter, const struct purge *purge);

struct recovery *recovery_new(void); /* the state of this folder, empty (base_free) */
void recovery_fini(adapter_t *adapter);

#endif
