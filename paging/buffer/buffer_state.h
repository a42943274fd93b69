/* SPDX-License-Identifier: MIT */
/*
 * buffer_state.h: the state of this folder: paging buffers, and the open preparation.
 */
#ifndef PAGING_BUFFER_STATE_H
#define PAGING_BUFFER_STATE_H

#include "paging/buffer/paging.h"
#include "vidmm/adapter.h"

struct buffers {
    struct paging_state *paging; /* paging.h */
    uint64_t preparation;        /* number of the open preparation, 0 when none is open */
    uint64_t preparations;       /* how many there were; also the clock of last use */
    uint32_t sync_fence;         /* paging fence of the last synchronous operation (PAGE-041) */
    bool drained;                /* a purge: AllocationIsIdle, NULL context */
};

#endif
