/* SPDX-License-Identifier: MIT */
/*
 * under_way.h: what is on its way in paging buffers, for those who cut it short or wait for it.
 */
#ifndef PAGING_BUFFER_UNDER_WAY_H
#define PAGING_BUFFER_UNDER_WAY_H

#include "vidmm/tell/tell.h"

struct job;      /* paging/schedule/schedule.h */
struct renaming; /* paging/schedule/watch.h */

/* Due work: an unmap that had to wait. */
vidmm_status paging_unmap_due(adapter_t *adapter, const struct due_work *work);
/* Fences of the node have other numbers (SUBMIT-056). */
void paging_renumber(adapter_t *adapter, uint32_t node, const struct renaming *renaming);
/* Of the last packet that moves it; 0: nothing is under way. */
uint32_t paging_last_fence(const adapter_t *adapter, const struct pageable *allocation);
/* The next allocation that an operation of this packet of a paging node names, from *at on; NULL:
   no further one. *at begins at 0. */
struct pageable *paging_next_named(const struct job *job, size_t *at);

#endif
