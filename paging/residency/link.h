/* SPDX-License-Identifier: MIT */
/*
 * link.h: allocations that have a copy on each physical adapter of a link.
 *
 * The allocation itself is the copy on adapter 0; the others hang on it, in the order of the
 * adapters, have its handle, and use its fences. A mirrored allocation has one store and one
 * content, which are those of the first copy (`owner`); an instanced one has a store, a content
 * and a dirty bit for each copy. Mirrored copies come and go together, at the same offset.
 */
#ifndef PAGING_RESIDENCY_LINK_H
#define PAGING_RESIDENCY_LINK_H

#include "paging/residency/residency.h"

/* When the driver's answer is known: further copies, each with its commitment (LINK-007). */
vidmm_status link_make_copies(adapter_t *adapter, struct pageable *allocation);
void link_free_copies(adapter_t *adapter, struct pageable *allocation); /* they have no place */
/* LINK-006: the adapters that execute a submission, of what the caller asked for; 0 is all. */
uint32_t link_adapters(const adapter_t *adapter, uint32_t asked);
uint32_t link_first(uint32_t adapters);
vidmm_status link_check_adapters(adapter_t *adapter, const struct vidmm_work *work);
/* The copy that an adapter uses: its own, or the only one. */
struct pageable *link_copy_on(struct pageable *allocation, uint32_t index);
/* The one whose address stands in a buffer for these adapters: that of the first of them. */
struct pageable *link_patched_copy(struct pageable *allocation, uint32_t adapters);
/* LINK-011: what the CPU wrote to the first copy, in the open preparation. */
vidmm_status link_spread_writes(adapter_t *adapter, struct pageable *allocation);
bool link_pinned(const struct pageable *allocation); /* any copy of it */
/* All copies that are somewhere leave. */
vidmm_status link_evict(adapter_t *adapter, struct pageable *allocation, enum evict_reason reason,
                        enum vidmm_rule rule);

#endif
