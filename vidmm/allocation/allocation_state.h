/* SPDX-License-Identifier: MIT */
/*
 * allocation_state.h: the state of this folder: what is told of allocations together.
 */
#ifndef VIDMM_ALLOCATION_STATE_H
#define VIDMM_ALLOCATION_STATE_H

#include "vidmm/adapter.h"

struct allocations {
    uint64_t no_kmd;                   /* allocations that the driver does not know (KMT-039) */
    struct allocation *shared_primary; /* the youngest; NULL: none */
    struct allocation *displayed;      /* scanned out, one for each source */
};

#endif
