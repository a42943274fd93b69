/* SPDX-License-Identifier: MIT */
/*
 * allocation_state.h: the state of this folder: what is told of allocations together.
 */
#ifndef VIDMM_ALLOCATION_STATE_H
#define VIDMM_ALLOCATION_STATE_H

#include "vidmm/adapter.h"

/* FLAG-039: live allocations that could be pinned in a segment, and those that evict too much to
   there. */
struct advice {
    vidmm_handle newest; /* one of them, to be named */
    uint64_t count;
};

struct allocations {
    uint64_t no_kmd;                   /* allocations that the driver does not know (KMT-039) */
    struct allocation *shared_primary; /* the youngest; NULL: none */
    struct allocation *displayed;      /* scanned out, one for each source */
    struct advice may_pin[VIDMM_SEGMENTS_MAX + 1], evicts_much[VIDMM_SEGMENTS_MAX + 1];
};

#endif
