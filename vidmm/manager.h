/* SPDX-License-Identifier: MIT */
/*
 * manager.h: the manager on one page. Prototypes of this folder, grouped by the file that has them.
 *
 * Only this folder decides, only this folder tells. Calls go downwards in the order of these
 * groups; completions (sync.c) book and tell, they never place, evict, queue or call the miniport.
 */
#ifndef VIDMM_MANAGER_H
#define VIDMM_MANAGER_H

#include "paging/residency/evict.h"
#include "paging/schedule/schedule.h"
#include "vidmm/allocation/allocation.h"
#include "vidmm/cpu/cpu.h"
#include "vidmm/device/device.h"
#include "vidmm/share/share.h"
#include "vidmm/submit/submit.h"
#include "vidmm/tell/tell.h"

/* ---- settings.c ----------------------------------------------------------------------------- */

/* The profile, then the parameters that were set one by one (TIME-008). */
void settings_cost(const struct vidmm_settings *settings, struct cost_params *cost);


/* ---- allocation.c: birth, states, death ----------------------------------------------------- */

/* The only assignment of `state`; checks that the step is one of PAGE-003. */
void allocation_become(struct allocation *allocation, enum allocation_state state);
/* Its content is gone for good; who decided tells why. */
void allocation_lose(adapter_t *adapter, struct allocation *allocation);
struct allocation *allocation_new(const adapter_t *adapter, const char *label);
/* Its bytes count as commitment (ALLOC-009). */
vidmm_status allocation_charge(adapter_t *adapter, struct allocation *allocation);
/* ---- backing.c: system pages ---------------------------------------------------------------- */

/* Makes sure that the store holds pages; false: system memory is exhausted. */
bool backing_populate(adapter_t *adapter, struct allocation *allocation);
void backing_release(adapter_t *adapter, struct allocation *allocation);
/* The same as due work; somebody may have needed the store again since (PAGE-011). */
vidmm_status backing_release_due(adapter_t *adapter, const struct due_work *work);
/* The pages of the range that came with the creation are the store (PAGE-013), until the end. */
void backing_adopt(adapter_t *adapter, struct allocation *allocation, struct system_range *range);
void backing_fini(adapter_t *adapter, struct allocation *allocation);
void backing_lock(adapter_t *adapter, struct allocation *allocation);
void backing_unlock(adapter_t *adapter, struct allocation *allocation);
/* Takes `pages` system pages, as few runs of page numbers (base_free); 0 runs: not enough. */
size_t system_take(adapter_t *adapter, uint64_t pages, struct range **runs);
void system_release(adapter_t *adapter, const struct range *runs, size_t count);

/* ---- coherency.c: the processor cache ------------------------------------------------------- */

/* Is the store mapped cacheable (FLAG-014)? */
bool coherency_store_cached(const struct allocation *allocation);
/* LOCK-045: the last lock was given back; before an operation that lets `segment` see the store;
   before a lock returns. */
void coherency_unlock(adapter_t *adapter, struct allocation *allocation);
void coherency_paging(adapter_t *adapter, struct allocation *allocation, uint32_t segment);
void coherency_lock(adapter_t *adapter, struct allocation *allocation,
                    const struct vidmm_lock_args *args);
/* FLAG-026: the CPU wrote the store; an operation reads it; a submission names it. */
void coherency_cpu_wrote(struct allocation *allocation, uint64_t first, uint64_t pages);
void coherency_gpu_reads(adapter_t *adapter, struct allocation *allocation);
void coherency_gpu_uses(adapter_t *adapter, struct allocation *allocation, bool write);

/* ---- bus.c: what the hardware reaches ------------------------------------------------------- */

void bus_start(adapter_t *adapter);
/* MINI-075: did the GPU write through an unmapped range? */
void bus_watch_dummy(adapter_t *adapter);
/* The segment address of a resident allocation: BaseAddress + offset (SEG-020). */
uint64_t place_address(const adapter_t *adapter, const struct place *place);

/* ---- tdr.c: nodes that do not end (see tdr.h) ----------------------------------------------- */

/* The hardware is gone: what was on its way never ends, nothing is in memory (TDR-036). */
vidmm_status tdr_hardware_gone(adapter_t *adapter);
/* Does what timers and reports made due. */
void tdr_work(adapter_t *adapter);

/* ---- paging.c, paging_ops.c, paging_transfer.c: paging buffers ------------------------------- */

/* Maps the buffers when they lie in an aperture (MINI-013). */
vidmm_status paging_start(adapter_t *adapter);
void paging_stop(adapter_t *adapter);
/* One preparation at a time (PAGE-009); the end hands over what is left in the buffer. */
void paging_begin(adapter_t *adapter);
vidmm_status paging_end(adapter_t *adapter);
vidmm_status paging_flush(adapter_t *adapter);
/* Between the two nothing is submitted: during clean-up after a reset (TDR-025). */
void paging_defer(adapter_t *adapter, bool on);
vidmm_status paging_submit_deferred(adapter_t *adapter);
/* Or nothing ever is: the books are closed as if it had been (TDR-036). */
void paging_discard_deferred(adapter_t *adapter);
/* How many fences that are not issued yet marks may name. */
uint32_t paging_unissued(const adapter_t *adapter);
/* Is anything built, submitted or due that is not finished? */
bool paging_under_way(const adapter_t *adapter);
/* Lets all of it finish: ranges on their way out become free (wait reason aperture_idle). */
vidmm_status paging_finish(adapter_t *adapter, enum vidmm_rule rule);

/* A SynchronousPaging allocation is idle then (PAGE-040), also one that makes room (PAGE-028). */
vidmm_status paging_ready(adapter_t *adapter, struct allocation *allocation);
vidmm_status paging_ready_victim(adapter_t *adapter, struct allocation *allocation);

/* The operations. Each is one or more DxgkDdiBuildPagingBuffer calls; see paging.h for fields. */
vidmm_status paging_init_context(adapter_t *adapter, struct allocation *allocation); /* MINI-078 */
vidmm_status paging_fill(adapter_t *adapter, struct allocation *allocation);
vidmm_status paging_transfer_in(adapter_t *adapter, struct allocation *allocation);
vidmm_status paging_transfer_out(adapter_t *adapter, struct allocation *allocation,
                                 const struct place *from);
vidmm_status paging_transfer_via(adapter_t *adapter, struct allocation *allocation,
                                 const struct place *from, uint32_t segment, struct range range);
vidmm_status paging_transfer_move(adapter_t *adapter, struct allocation *allocation,
                                  const struct place *from);
vidmm_status paging_copy_back(adapter_t *adapter, struct allocation *allocation);
vidmm_status paging_update(adapter_t *adapter, struct allocation *allocation);
/* A transfer of no bytes: it is no longer in its memory segment (MINI-082). */
vidmm_status paging_clean(adapter_t *adapter, struct allocation *allocation);
vidmm_status paging_discard(adapter_t *adapter, struct allocation *allocation,
                            const struct place *from);
/* LOCK-048: the GPU reads a word of an allocation in the AGP segment. */
vidmm_status paging_read_physical(adapter_t *adapter, struct allocation *allocation);
/* When it fails the range has to be unmapped, as if its pages were there. */
vidmm_status paging_map(adapter_t *adapter, struct allocation *allocation, uint32_t segment,
                        struct range range);
/* paging_notify.c: if a flag asks for it: before a copy in memory is given up, when it stays after
   all, after one is made (MINI-079); before system memory or an aperture is left (MINI-081). */
vidmm_status paging_notify_departure(adapter_t *adapter, struct allocation *allocation);
vidmm_status paging_notify_arrival(adapter_t *adapter, struct allocation *allocation);
void paging_notify_stayed(adapter_t *adapter, struct allocation *allocation);
vidmm_status paging_notify_eviction(adapter_t *adapter, struct allocation *allocation);
/* The next submission waits on the GPU for whatever still uses it. */
void paging_depend(adapter_t *adapter, const struct allocation *allocation);
/* `last`: the range is the place it leaves; else a range that served an eviction or a move. */
vidmm_status paging_unmap(adapter_t *adapter, struct allocation *allocation, uint32_t segment,
                          struct range range, bool last);
/* The same as soon as the GPU has done what is built by now: something ends half-way. */
void paging_unmap_later(adapter_t *adapter, struct allocation *allocation, uint32_t segment,
                        struct range range, bool last);

/* ---- residency.c: places and their books (see residency.h for looking) ---------------------- */

/* Takes a range: used, committed, gauges. */
void residency_take(adapter_t *adapter, uint32_t segment, struct range range, bool pinned);
/* What becomes free of one segment, and whose it was. */
struct freed_runs {
    const struct range *runs;
    size_t count;
    bool pinned;
    vidmm_handle owner; /* 0: no allocation's */
};
/* Gives runs back: event `unplace` for each. */
void residency_release(adapter_t *adapter, uint32_t segment, struct freed_runs freed);
/* Books a found place: taken, in the eviction order, event `place`. */
void residency_place(adapter_t *adapter, struct allocation *allocation, struct place place,
                     const struct vidmm_search *search);
/* The place is given up: free at once (memory), or by the unmap that follows (aperture). The caller
   sets the new state. */
void residency_unplace(adapter_t *adapter, struct allocation *allocation, bool release);
/* Takes back a residency_place() whose content could not be brought. */
void residency_undo(adapter_t *adapter, struct allocation *allocation,
                    enum allocation_state before);
/* The present preparation uses it: youngest in the eviction order. */
void residency_touch(adapter_t *adapter, struct allocation *allocation);
/* The open preparation needs it: nothing else that it needs may push it out (PLACE-003). */
void residency_bind(adapter_t *adapter, struct allocation *allocation);
/* The script's pin and unpin of a resident allocation. */
void residency_pin(adapter_t *adapter, struct allocation *allocation, bool pinned);
void residency_tell_pin(adapter_t *adapter, const struct allocation *allocation,
                        enum vidmm_rule rule);

/* ---- page_in.c: bringing in ----------------------------------------------------------------- */

uint32_t residency_aperture_set(const adapter_t *adapter);
uint32_t residency_allowed_set(adapter_t *adapter, const struct allocation *allocation, bool write);
/* KMT-039: refused for what the driver does not know. */
vidmm_status residency_gpu_use(adapter_t *adapter, const struct allocation *allocation);
/* Makes it resident for an access, in the open preparation (chapter 5.1 of the catalogue). */
vidmm_status residency_require(adapter_t *adapter, struct allocation *allocation, bool write,
                               struct device *device);
/* The same into one of the segments of `set`, whatever else the allocation supports. */
vidmm_status residency_bring(adapter_t *adapter, struct allocation *allocation, uint32_t set,
                             const char *reason);
/* Moves a resident allocation to one of these segments, for a lock, in the open preparation. */
vidmm_status residency_move(adapter_t *adapter, struct allocation *allocation, uint32_t set);
/* Gives a pinned allocation its place, in the open preparation (FLAG-036). */
vidmm_status residency_pin_new(adapter_t *adapter, struct allocation *allocation);

/* RES-057: resident for scan-out, in a contiguous range; in the open preparation. */
vidmm_status residency_show(adapter_t *adapter, struct allocation *allocation);
/* And back to bare pages, where the range was for the display only. */
vidmm_status residency_hide(adapter_t *adapter, struct allocation *allocation);

/* Pages for the store; of an allocation that was never used: zeros are its first content. */
vidmm_status lock_make_store(adapter_t *adapter, struct allocation *allocation);

/* ---- lock_reach.c --------------------------------------------------------------------------- */

/* Pages for the store; of an allocation that was never used: zeros are its first content. */
vidmm_status lock_make_store(adapter_t *adapter, struct allocation *allocation);

/* ---- self_check.c: does all of it hold, now? ------------------------------------------------ */

/* Stops the process when an invariant is broken (BUG-030). */
void self_check(adapter_t *adapter);

/* ---- validate.c ------------------------------------------------------------------------------ */

/* One allocation, between two calls of the API: for CHECK_SLOW. vidmm_check() looks at all. */
bool validate_allocation(const adapter_t *adapter, const struct allocation *allocation);

#endif
