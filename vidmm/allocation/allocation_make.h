/* SPDX-License-Identifier: MIT */
/* allocation_make.h: steps of a birth or death that files of this folder share. Private to
 * vidmm/allocation. */
#ifndef VIDMM_ALLOCATION_MAKE_H
#define VIDMM_ALLOCATION_MAKE_H

#include "vidmm/allocation/allocation.h"
#include "vidmm/allocation/check/check.h"

enum { CREATION_PRIVATE_ALIGN = 16 };

/* All steps; after a failure `creation` says how much there is to undo. */
vidmm_status creation_carry_out(struct creation *creation);
/* allocation_calls.c: the two calls of the driver. */
vidmm_status creation_call_driver(struct creation *creation);
vidmm_status creation_open(struct creation *creation);
/* And the one that primaries have in addition, after them. */
vidmm_status creation_describe(struct creation *creation);
/* A step that context_allocation.c takes, too. */
vidmm_status allocation_keep_driver_handle(adapter_t *adapter, struct allocation *allocation,
                                           HANDLE handle);
/* MINI-032, MINI-040. */
bool creation_code_is_legal(NTSTATUS status);
/* What a call did to the driver's handle of a resource. */
const char *creation_resource_word(HANDLE before, HANDLE after);

/* allocation_store.c: hands the store out to the driver, if its flags ask for that. */
vidmm_status creation_share_store(adapter_t *adapter, struct allocation *allocation);

/* ---- allocation_destroy.c ------------------------------------------------------------------- */

/* All of `list`, of one device, with one call each; `resource` goes with them when not NULL. */
vidmm_status allocation_destroy_all(adapter_t *adapter, struct allocation *const *list,
                                    size_t count, struct resource *resource);

/* ---- primary.c: surfaces that are displayed ------------------------------------------------- */

/* Primary is set, or it is the shared primary. */
bool primary_asked(const struct vidmm_allocation_args *args);
/* ALLOC-043, ALLOC-044: what the caller says about one element. */
vidmm_status primary_check(adapter_t *adapter, const struct vidmm_allocation_args *args);

/* ---- allocation_advice.c: what should be otherwise about a new allocation ------------------- */

/* ALLOC-061: no segment of its eviction set can ever hold it. */
vidmm_status allocation_advice_eviction(adapter_t *adapter, const struct allocation *allocation);

/* FLAG-039: warns when the new allocation is the second of a bad pair, and remembers it. */
vidmm_status allocation_advice(adapter_t *adapter, struct allocation *allocation);
/* FLAG-018: what the caller declared about CPU access should fit to Cached. */
vidmm_status allocation_advice_cpu_use(adapter_t *adapter, const struct allocation *allocation,
                                       enum vidmm_cpu_use use);
void allocation_advice_count(adapter_t *adapter, const struct allocation *allocation, bool more);

/* ---- context_allocation.c ------------------------------------------------------------------- */

void context_allocation_forget(struct allocation *allocation);

/* ---- system_range.c ------------------------------------------------------------------------- */

/* Before it becomes a store: a range made of an allocation gets the pages of that. */
vidmm_status system_range_fetch(adapter_t *adapter, struct system_range *range);
/* The allocation goes away: its CPU address means nothing any more, lent pages stay. */
void system_range_orphan(adapter_t *adapter, struct allocation *allocation);

#endif
