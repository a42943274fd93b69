/* SPDX-License-Identifier: MIT */
/*
 * swizzle.h: swizzling ranges, and addresses of the CPU, also alternate ones: what locks ask of
 * them, and what evictions, destructions and level three do to them.
 */
#ifndef VIDMM_SWIZZLE_H
#define VIDMM_SWIZZLE_H

#include "vidmm/tell/tell.h"

/* ---- swizzle.c: swizzling ranges ------------------------------------------------------------- */

/* Has it a lock whose view is linear because of a range, or was until its eviction? */
bool swizzle_in_use(const struct allocation *allocation);
/* Does its next way out convert it to the linear form (SWIZ-004, SWIZ-009)? */
bool swizzle_unswizzles(const struct allocation *allocation);
/* The range for (allocation, data): the cached one, or a new one that may cost another allocation
   its own. *range is NULL when none can be had: that is no failure. */
vidmm_status swizzle_acquire(adapter_t *adapter, struct allocation *allocation, uint32_t data,
                             bool alternate, struct swizzling_range **range);
/* Fails when the driver does. */
vidmm_status swizzle_release(adapter_t *adapter, struct swizzling_range *range,
                             enum vidmm_rule rule);
/* A lock leads through it: no range of the allocation may be taken away. */
void swizzle_use(adapter_t *adapter, struct swizzling_range *range);
/* No lock leads through a range any more: they may be taken away. */
void swizzle_unuse(adapter_t *adapter, struct allocation *allocation);

/* What is wrong with the books of ranges, or NULL. */
const char *swizzle_problem(const adapter_t *adapter);

/* ---- cpu_va.c: addresses --------------------------------------------------------------------- */

/* FLAG-070: has it an address from its creation to its end? */
bool cpu_va_is_kept(const adapter_t *adapter, const struct allocation *allocation);
/* The number of an address that it has now. */
void cpu_va_assign(adapter_t *adapter, struct allocation *allocation);
/* LOCK-014: who has no address of its own has one while it is locked. Unlock: the last one. */
vidmm_status cpu_va_lock(adapter_t *adapter, struct allocation *allocation);
void cpu_va_unlock(adapter_t *adapter, struct allocation *allocation);

/* Has it an outstanding lock with UseAlternateVA? */
bool alternate_in_use(const struct allocation *allocation);
/* False: no address is left. */
bool alternate_assign(adapter_t *adapter, struct allocation *allocation,
                      const struct swizzling_range *range);
void alternate_release(adapter_t *adapter, struct allocation *allocation);

#endif
