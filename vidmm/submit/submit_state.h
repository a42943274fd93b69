/* SPDX-License-Identifier: MIT */
/*
 * submit_state.h: the state of this folder: packets, DMA buffers, and lists that are being
 * prepared.
 */
#ifndef VIDMM_SUBMIT_STATE_H
#define VIDMM_SUBMIT_STATE_H

#include "vidmm/adapter.h"
#include "vidmm/submit/submit.h"

/* Lists of the submission that is being prepared. */
struct submit_scratch {
    DXGK_ALLOCATIONLIST *list;
    D3DDDI_PATCHLOCATIONLIST *in, *out;
    struct element *elements;
    size_t *slots; /* the location that wrote a slot last, + 1; 0: it is empty */
    size_t *group; /* elements that the present split group bound first */
    size_t list_capacity, in_capacity, out_capacity;
    size_t element_capacity, slot_capacity, group_capacity;
};

struct submit {
    struct render_packet *free_packets;
    struct dma_buffer *dma_buffers; /* all of them */
    struct dma_chunk *chunk;        /* from which the next one is cut; NULL: none yet */
    struct dma_chunk *spare_chunk;  /* an empty one, or NULL */
    size_t chunk_bytes;             /* of all of them */
    struct submit_scratch scratch;
    uint64_t packed;           /* packets that were made: for packed_in of an allocation */
    uint8_t *patch_guard_copy; /* of the bytes that a Patch may not touch (SUBMIT-040) */
    size_t patch_guard_capacity;
};

#endif
