/* SPDX-License-Identifier: MIT */
/*
 * rename.h: instances of an allocation, which locks with Discard hand out in turn.
 *
 * An instance is an allocation of its own towards callers: handle, store, place, fences, locks. To
 * the miniport all are one: they share hAllocation, and only the original is known to its device
 * and its resource.
 */
#ifndef VIDMM_RENAME_H
#define VIDMM_RENAME_H

#include "vidmm/cpu/lock.h"

/* RENAME-001, RENAME-013: does the Discard of this lock have an effect? */
bool rename_wanted(adapter_t *adapter, const struct lock_request *request);
/* Picks the instance that the lock gets: request->allocation. May make one, may wait. */
vidmm_status rename_choose(adapter_t *adapter, struct lock_request *request);
/* The lock has it: it is the current one. */
void rename_commit(adapter_t *adapter, const struct lock_request *request);
/* The lock failed: what was made for it goes. */
void rename_undo(adapter_t *adapter, const struct lock_request *request);
/* LOCK-018: what forbids a lock of this instance, or NULL. */
const char *rename_bars_lock(const adapter_t *adapter, const struct allocation *allocation);

#endif
