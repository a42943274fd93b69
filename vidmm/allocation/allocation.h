/* SPDX-License-Identifier: MIT */
/* allocation.h: the door of vidmm/allocation: how allocations come, change, are shared, and go. */
#ifndef VIDMM_ALLOCATION_H
#define VIDMM_ALLOCATION_H

#include "vidmm/tell/tell.h"

/* MINI-042: idle, closed, out of its place, gone. May wait; refused when the wait never ends. */
vidmm_status allocation_destroy(adapter_t *adapter, struct allocation *allocation);
vidmm_status resource_destroy(adapter_t *adapter, struct resource *resource);
/* Every destruction that was held up goes on. */
vidmm_status allocations_end_closed(adapter_t *adapter);
/* The adapter goes away: only what the driver has to hear, without waiting. */
void allocation_abandon(adapter_t *adapter, struct allocation *allocation);
/* How many the driver does not know (KMT-039). */
uint64_t allocations_no_kmd(const adapter_t *adapter);

/* All that the device has open, its own too: what nobody else has open goes (ALLOC-006). */
vidmm_status shared_close_all(adapter_t *adapter, struct device *device);
/* The adapter goes away: owners keep what they own, all others only close. */
void shared_abandon(adapter_t *adapter);

/* What the context has ends before it does. */
vidmm_status context_end(adapter_t *adapter, struct context *context);
/* Its owner was never complete: none of them was in use. */
void context_allocations_orphan(adapter_t *adapter, struct allocation *list);
NTSTATUS context_allocation_create(INOUT_PDXGKARGCB_CREATECONTEXTALLOCATION arg);
NTSTATUS context_allocation_destroy(IN_CONST_HANDLE handle, IN_CONST_HANDLE named);

void system_range_free(adapter_t *adapter, struct system_range *range);
/* KMT-035: refused while it is the store of an allocation. */
vidmm_status system_range_destroy(adapter_t *adapter, struct system_range *range);

/* It left its place: nothing is scanned out any more. */
void display_forget(adapter_t *adapter, struct allocation *allocation);

struct allocations *allocations_new(void); /* the state of this folder, empty (base_free) */
#endif
