/* SPDX-License-Identifier: MIT */
/*
 * manager.h: the manager on one page. Prototypes of this folder, grouped by the file that has them.
 *
 * Only this folder decides, only this folder tells. Calls go downwards in the order of these
 * groups; completions (sync.c) book and tell, they never place, evict, queue or call the miniport.
 */
#ifndef VIDMM_MANAGER_H
#define VIDMM_MANAGER_H

#include "paging/buffer/buffer.h"
#include "paging/residency/evict.h"
#include "paging/schedule/schedule.h"
#include "paging/store/store.h"
#include "vidmm/allocation/allocation.h"
#include "vidmm/cpu/cpu.h"
#include "vidmm/device/device.h"
#include "vidmm/share/share.h"
#include "vidmm/submit/submit.h"
#include "vidmm/tell/tell.h"

/* ---- settings.c ----------------------------------------------------------------------------- */

/* The profile, then the parameters that were set one by one (TIME-008). */
void settings_cost(const struct vidmm_settings *settings, struct cost_params *cost);

/* ---- allocation.c: birth and death -----------------------------------------------------------
 */

/* ---- tdr.c: nodes that do not end (see tdr.h) ----------------------------------------------- */

/* Does what timers and reports made due. */
void tdr_work(adapter_t *adapter);

/* ---- place_book.c: places and their books (see residency.h for looking) --------------------- */

/* Books a found place: taken, in the eviction order, event `place`. */
void residency_place(adapter_t *adapter, struct pageable *allocation, struct place place,
                     const struct vidmm_search *search);
/* The place is given up: free at once (memory), or by the unmap that follows (aperture). The caller
   sets the new state. */
void residency_unplace(adapter_t *adapter, struct pageable *allocation, bool release);
/* Takes back a residency_place() whose content could not be brought. */
void residency_undo(adapter_t *adapter, struct pageable *allocation, enum allocation_state before);
/* The present preparation uses it: youngest in the eviction order. */
void residency_touch(adapter_t *adapter, struct pageable *allocation);
/* The open preparation needs it: nothing else that it needs may push it out (PLACE-003). */
void residency_bind(adapter_t *adapter, struct pageable *allocation);
/* What it needed may be pushed out again. */
void residency_unbind(adapter_t *adapter);
/* What finds no place now is not told: there is another try. */
void residency_be_quiet(adapter_t *adapter, bool quiet);
/* Nor is it, and it is tried again after a split (SUBMIT-031). */
void residency_may_split(adapter_t *adapter, bool may);
/* The adapter goes away. */
void residency_stop(adapter_t *adapter);
/* The script's pin and unpin of a resident allocation. */
void residency_pin(adapter_t *adapter, struct pageable *allocation, bool pinned);
void residency_tell_pin(adapter_t *adapter, const struct pageable *allocation,
                        enum vidmm_rule rule);

/* ---- page_in.c: bringing in ----------------------------------------------------------------- */

uint32_t residency_allowed_set(adapter_t *adapter, const struct pageable *allocation, bool write);
/* KMT-039: refused for what the driver does not know. */
vidmm_status residency_gpu_use(adapter_t *adapter, const struct pageable *allocation);
/* Makes it resident for an access, in the open preparation (chapter 5.1 of the catalogue). */
vidmm_status residency_require(adapter_t *adapter, struct pageable *allocation, bool write,
                               struct device *device);
/* The same into one of the segments of `set`, whatever else the allocation supports. */
vidmm_status residency_bring(adapter_t *adapter, struct pageable *allocation, uint32_t set,
                             const char *reason);
/* Moves a resident allocation to one of these segments, for a lock, in the open preparation. */
vidmm_status residency_move(adapter_t *adapter, struct pageable *allocation, uint32_t set);
/* Gives a pinned allocation its place, in the open preparation (FLAG-036). */
vidmm_status residency_pin_new(adapter_t *adapter, struct pageable *allocation);

/* RES-057: resident for scan-out, in a contiguous range; in the open preparation. */
vidmm_status residency_show(adapter_t *adapter, struct pageable *allocation);
/* And back to bare pages, where the range was for the display only. */
vidmm_status residency_hide(adapter_t *adapter, struct pageable *allocation);

/* ---- self_check.c: does all of it hold, now? ------------------------------------------------ */

/* Stops the process when an invariant is broken (BUG-030). */
void self_check(adapter_t *adapter);

/* ---- validate.c ------------------------------------------------------------------------------ */

/* One allocation, between two calls of the API: for CHECK_SLOW. vidmm_check() looks at all. */
bool validate_allocation(const adapter_t *adapter, const struct allocation *allocation);

#endif
