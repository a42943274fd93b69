/* SPDX-License-Identifier: MIT */
/*
 * pageable.h: what the pager asks of those who own what it pages. Answered in vidmm/wiring.c.
 */
#ifndef PAGING_PAGEABLE_H
#define PAGING_PAGEABLE_H

#include <stdbool.h>
#include <stdint.h>

#include "vidmm/vidmm_types.h"

struct allocation;
struct vidmm_adapter;

/* What the CPU does with a pageable now. */
enum cpu_use {
    CPU_LOCKED = 0x1,     /* it has a lock that the GPU has to heed (LOCK-053) */
    CPU_BARS_GPU = 0x2,   /* the lock forbids every use by the GPU (LOCK-053) */
    CPU_ALTERNATE = 0x4,  /* a lock leads to its alternate address (SWIZ-022) */
    CPU_UNSWIZZLES = 0x8, /* its next way out converts it to the linear form (SWIZ-009) */
};

struct pageable_hooks {
    /* It is about to be evicted; refused before anything is half done. May wait. */
    vidmm_status (*may_leave)(struct vidmm_adapter *adapter, const struct allocation *allocation);
    /* Its content goes out of its segment, or to another one. Both may wait. */
    vidmm_status (*leave)(struct vidmm_adapter *adapter, struct allocation *allocation);
    vidmm_status (*move)(struct vidmm_adapter *adapter, struct allocation *allocation);
    /* Its place is about to be given up. */
    void (*left)(struct vidmm_adapter *adapter, struct allocation *allocation);
    /* Its content came to its place from the alternate address. */
    void (*arrived)(struct vidmm_adapter *adapter, struct allocation *allocation);
    /* Bits of enum cpu_use. */
    uint32_t (*cpu_use)(const struct allocation *allocation);
};

/* System memory is short: makes room if it can. False: so much can never be had. */
struct shrinker {
    bool (*pages)(struct vidmm_adapter *adapter, uint64_t bytes);
    bool (*commitment)(struct vidmm_adapter *adapter, uint64_t bytes); /* ALLOC-009 */
};

#endif
