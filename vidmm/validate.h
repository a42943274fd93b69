/* SPDX-License-Identifier: MIT */
/*
 * validate.h: does all of it hold, now?
 */
#ifndef VIDMM_VALIDATE_H
#define VIDMM_VALIDATE_H

#include "vidmm/adapter.h"

/* Stops the process when an invariant is broken (BUG-030): after a call of the miniport, or before
   the adapter goes away, when no operation is half-way. */
void self_check(adapter_t *adapter);
void self_check_end(adapter_t *adapter);
/* One allocation, between two calls of the API: for CHECK_SLOW. vidmm_check() looks at all. */
bool validate_allocation(const adapter_t *adapter, const struct allocation *allocation);

/* validate_counters.c: what is wrong is said in `problem`. */
bool validate_counters(const adapter_t *adapter, char *problem, size_t bytes);

/* ---- inspect_segment.c: who lies where in a segment ----------------------------------------- */

/* All owners and holes in ascending order; what is missing between them is on its way out. */
struct layout {
    struct vidmm_segment_span *spans; /* base_free */
    size_t count, capacity;
};

/* DMA buffers that have a place in some segment, gathered once for several looks. */
struct placed_buffers {
    const struct dma_buffer **list; /* base_free */
    size_t count, capacity;
};

void layout_gather(struct placed_buffers *placed, const struct dma_buffer *buffer);
struct layout layout_of(const adapter_t *adapter, uint32_t id, const struct placed_buffers *placed);

#endif
