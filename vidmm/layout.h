/* SPDX-License-Identifier: MIT */
/* layout.h: who lies where in a segment. Private to inspect_segment.c and validate*.c. */
#ifndef VIDMM_LAYOUT_H
#define VIDMM_LAYOUT_H

#include "vidmm/tell/tell.h"

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
