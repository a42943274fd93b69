/* SPDX-License-Identifier: MIT */
/* standard.h: allocations that the kernel creates. Private to vidmm/allocation. */
#ifndef VIDMM_STANDARD_H
#define VIDMM_STANDARD_H

#include "vidmm/allocation/allocation_make.h"

/* What the driver described, for one element of a creation. */
struct standard_answer {
    void *data; /* for the allocation, NULL when there is none */
    uint32_t bytes;
    void *resource_data;
    uint32_t resource_bytes;
    struct surface surface; /* what was asked for, and the pitch that the driver answered */
};

/*
 * ALLOC-045: DxgkDdiGetStandardAllocationDriverData for each standard element, before the creation.
 * Fills `creation->standards`; standard_fini() frees it in any case.
 */
vidmm_status standard_describe(struct creation *creation);
void standard_fini(struct creation *creation);

/* StandardAllocation: the one element is a surface made of the caller's memory. `heap` holds it as
   long as the creation lasts. */
struct existing_heap {
    struct vidmm_allocation_args args;
    struct vidmm_standard standard;
};
vidmm_status existing_heap_begin(struct creation *creation, struct existing_heap *heap);

/* The private data of element i, the caller's or the driver's own. */
const void *standard_private_data(const struct creation *creation, size_t i, uint32_t *bytes);
/* Remembers what is known about the picture, hint included (ALLOC-039). */
void standard_note(struct creation *creation, size_t i);

#endif
