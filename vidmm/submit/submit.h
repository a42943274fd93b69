/* SPDX-License-Identifier: MIT */
/*
 * submit.h: the door of vidmm/submit: one DMA buffer from a call to its node, and who is loaded on
 * the nodes.
 */
#ifndef VIDMM_SUBMIT_H
#define VIDMM_SUBMIT_H

#include "vidmm/tell/tell.h"

struct job;
struct opening;
struct renaming;

/* ---- submissions ---------------------------------------------------------------------------- */

vidmm_status submit_work(adapter_t *adapter, const struct vidmm_work *work,
                         struct vidmm_submission *submission);
/* The adapter goes away. */
void submit_stop(adapter_t *adapter);

/* ---- packets that a node still has ---------------------------------------------------------- */

/* The newest packet of this context that is on its way; 0: none. */
uint32_t submit_newest_of(const adapter_t *adapter, const struct context *context);
/* The newest packet of the device on this node that goes through its binding; 0: none. */
uint32_t submit_newest_through(const adapter_t *adapter, uint32_t node,
                               const struct opening *opening);
/* SUBMIT-061: the hardware never saw this job of rendering. */
void submit_cancel(adapter_t *adapter, const struct job *job);

/* ---- who is loaded (struct loaded_context) --------------------------------------------------- */

/* The node was reset; what it still has to do loads contexts again. */
void context_node_reset(adapter_t *adapter, uint32_t node);
/* No node knows a context any more: a reset of all, or the power was off. */
void context_unload_all(adapter_t *adapter);
/* SUBMIT-047: the allocation leaves its place next, or the context ends. May wait. */
vidmm_status context_switch_away(adapter_t *adapter, const struct pageable *allocation);
vidmm_status context_switch_end(adapter_t *adapter, const struct context *context);

/* ---- DMA buffers ---------------------------------------------------------------------------- */

/*
 * The memory that DxgkDdiRender writes into. A context keeps the buffers that it has no use for at
 * the moment. A buffer lies in locked system memory, or is mapped into an aperture of the context's
 * DmaBufferSegmentSet (SEG-054).
 */
struct dma_buffer {
    struct dma_buffer *next_idle;       /* of its context */
    struct dma_buffer *before, *behind; /* all of the adapter */
    struct context *context;            /* NULL: the context has ended, or gave it up */
    uint32_t refs;                      /* packets that it is in */
    uint32_t private_bytes;
    struct dma_chunk *chunk; /* host memory, while it is in use: in it, at a page, */
    uint8_t *memory;         /* what the driver writes, and the guard */
    size_t bytes;            /* without the guard */
    uint8_t *private_data;   /* zeroed once (SUBMIT-026), and a guard */
    size_t used;             /* by the last translation */
    uint32_t private_used;
    uint32_t segment; /* where the GPU finds it; 0: locked system memory */
    struct range range;
    uint64_t address;
    struct backing *backing; /* its system pages; a paging buffer may point to their MDL */
    uint32_t map_fence;      /* of the paging buffer that maps it */
    bool placed;
    bool unmap_lost; /* its unmap is due, or a reset cut one off */
    void (*unmapped)(adapter_t *adapter, struct dma_buffer *buffer); /* its unmap has run */
};

/* All of them; the next one is `behind`. */
struct dma_buffer *dma_buffer_first(const adapter_t *adapter);
/* The hardware was reset: is it in this segment, or still has to leave it? Then it does. */
bool dma_buffer_in(const struct dma_buffer *buffer, uint32_t segment);
vidmm_status dma_buffer_clean(adapter_t *adapter, struct dma_buffer *buffer);
/* Fences of the node have other numbers (SUBMIT-056): buffers wait for their mapping. */
void dma_buffers_renumber(adapter_t *adapter, uint32_t node, const struct renaming *renaming);
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

struct submit *submit_new(void); /* the state of this folder, empty (base_free) */

#endif
