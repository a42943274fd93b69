/* SPDX-License-Identifier: MIT */
/*
 * dma_buffer.h: the memory that DxgkDdiRender writes into. Private to submit*.c and paging*.c.
 *
 * A context keeps the buffers that it has no use for at the moment. A buffer lies in locked system
 * memory, or is mapped into an aperture of the context's DmaBufferSegmentSet (SEG-054).
 */
#ifndef VIDMM_DMA_BUFFER_H
#define VIDMM_DMA_BUFFER_H

#include "vidmm/manager.h"

/* Bytes behind a buffer, and behind its private data, that a driver may not touch. */
enum { DMA_GUARD_BYTES = 16, DMA_GUARD = 0x5A };

struct dma_buffer {
    struct dma_buffer *next_idle;       /* of its context */
    struct dma_buffer *before, *behind; /* all of the adapter */
    struct context *context;            /* NULL: the context has ended, or gave it up */
    uint32_t refs;                      /* packets that it is in */
    void *storage;                      /* host memory, in it: */
    uint8_t *memory;                    /* what the driver writes, and the guard; page-aligned */
    size_t bytes;                       /* without the guard */
    uint8_t *private_data;              /* zeroed once (SUBMIT-026), and a guard */
    uint32_t private_bytes;
    size_t used; /* by the last translation */
    uint32_t private_used;
    /* where the GPU finds it */
    bool placed;
    uint32_t segment; /* 0: locked system memory */
    struct range range;
    uint64_t address;
    struct backing *backing; /* its system pages; a paging buffer may point to their MDL */
    uint32_t map_fence;      /* of the paging buffer that maps it */
    bool unmap_lost;         /* no unmap of it is on its way: a reset cut it off, or it is due */
};

/* One for the next translation: idle, of the size that the context has now. */
struct dma_buffer *dma_buffer_take(adapter_t *adapter, struct context *context);
/* Nobody uses it any more. */
void dma_buffer_give(adapter_t *adapter, struct dma_buffer *buffer);
/* Makes sure that the GPU can find it, in the open preparation (SUBMIT-021). May wait. */
vidmm_status dma_buffer_place(adapter_t *adapter, struct dma_buffer *buffer);
/* Its unmap has run. */
void dma_buffer_unmapped(adapter_t *adapter, struct dma_buffer *buffer);
/* The hardware was reset: is it in this segment, or still has to leave it? Then it does. */
bool dma_buffer_in(const struct dma_buffer *buffer, uint32_t segment);
vidmm_status dma_buffer_clean(adapter_t *adapter, struct dma_buffer *buffer);
void dma_buffers_stop(adapter_t *adapter);
/* The context ends: its buffers, all idle, go. */
vidmm_status dma_buffers_release(adapter_t *adapter, struct context *context);
/* Unmaps what is idle in an aperture, in the open preparation. */
vidmm_status dma_buffers_empty(adapter_t *adapter, uint32_t segment);

/* ---- paging_aperture.c ---------------------------------------------------------------------- */

/* When it fails the range has to be unmapped, as if the pages were there. */
vidmm_status paging_map_dma(adapter_t *adapter, struct dma_buffer *buffer);
/* Takes the buffer from its context; its range is free, and it is gone, when the unmap has run. */
vidmm_status paging_unmap_dma(adapter_t *adapter, struct dma_buffer *buffer);
/* The same as soon as the GPU has done what is built by now. */
void paging_unmap_dma_later(adapter_t *adapter, struct dma_buffer *buffer);

#endif
