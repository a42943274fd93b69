/* SPDX-License-Identifier: MIT */
/*
 * swizzle.h: swizzling ranges and alternate addresses: what locks ask of them, and what evictions,
 * destructions and level three do to them. See adapter.h for the books.
 */
#ifndef VIDMM_SWIZZLE_H
#define VIDMM_SWIZZLE_H

#include "vidmm/manager.h"

/* ---- swizzle.c: swizzling ranges ------------------------------------------------------------- */

/* Has it a lock whose view is linear because of a range, or was until its eviction? */
bool swizzle_in_use(const struct allocation *allocation);
/* Does its next way out convert it to the linear form (SWIZ-004, SWIZ-009)? */
bool swizzle_unswizzles(const struct allocation *allocation);
/* The range for (allocation, data): the cached one, or a new one that may cost another allocation
   its own. *range is NULL when none can be had: that is no failure. */
vidmm_status swizzle_acquire(adapter_t *adapter, struct allocation *allocation, uint32_t data,
                             bool alternate, struct swizzling_range **range);
/* One range, or all that are over the place of the allocation; fails when the driver does. */
vidmm_status swizzle_release(adapter_t *adapter, struct swizzling_range *range,
                             enum vidmm_rule rule);
vidmm_status swizzle_release_all(adapter_t *adapter, struct allocation *allocation,
                                 enum vidmm_rule rule);
/* The allocation ends: also the range that was kept for it. */
vidmm_status swizzle_end(adapter_t *adapter, struct allocation *allocation);
/* SWIZ-023: a new primary gets an alternate address for as long as it lives. */
vidmm_status swizzle_keep(adapter_t *adapter, struct allocation *allocation);
bool swizzle_keeps(const struct allocation *allocation);
/* All ranges of all allocations, in the order of their numbers (SWIZ-029). */
vidmm_status swizzle_release_every(adapter_t *adapter);
/* A lock leads through it: no range of the allocation may be taken away. */
void swizzle_use(adapter_t *adapter, struct swizzling_range *range);
/* No lock leads through a range any more: they may be taken away. */
void swizzle_unuse(adapter_t *adapter, struct allocation *allocation);
/* The content is on its way out: ranges go, locks lead to system memory, the format is noted. In
   the open preparation; may wait (SWIZ-009). */
vidmm_status swizzle_leave(adapter_t *adapter, struct allocation *allocation);
/* The adapter goes away. */
void swizzle_stop(adapter_t *adapter);

/* ---- swizzle_alternate.c: alternate addresses ------------------------------------------------ */

/* False: no address is left. */
bool alternate_assign(adapter_t *adapter, struct allocation *allocation,
                      const struct swizzling_range *range);
void alternate_release(adapter_t *adapter, struct allocation *allocation);
/* Has it an outstanding lock with UseAlternateVA? */
bool alternate_in_use(const struct allocation *allocation);
/* Does its content stand at the alternate address? */
static inline bool alternate_holds(const struct allocation *allocation)
{
    return allocation->alternate && allocation->alternate->holds;
}

#endif
