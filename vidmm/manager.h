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
#include "vidmm/cpu/cpu.h"
#include "vidmm/share/share.h"
#include "vidmm/submit/submit.h"
#include "vidmm/tell/tell.h"

/* ---- adapter.c, pnp.c ----------------------------------------------------------------------- */

/* Once more from the beginning, after a stop: AddDevice, StartDevice, caps, segments. */
vidmm_status adapter_restart(adapter_t *adapter);
/* DxgkDdiStopDevice or what releases the display as well (TDR-032), DxgkDdiRemoveDevice. */
void pnp_stop_driver(adapter_t *adapter);

/* ---- settings.c ----------------------------------------------------------------------------- */

/* The profile, then the parameters that were set one by one (TIME-008). */
void settings_cost(const struct vidmm_settings *settings, struct cost_params *cost);

/* ---- callbacks.c: what the miniport calls --------------------------------------------------- */

/* Fills adapter->interface, for DxgkDdiStartDevice. */
void callbacks_init(adapter_t *adapter);
void callbacks_fini(adapter_t *adapter);

/* ---- caps_start.c, segments_start.c: what the miniport reports ------------------------------ */

vidmm_status caps_start(adapter_t *adapter);     /* MINI-018, MINI-019, MINI-021, MINI-022 */
vidmm_status segments_start(adapter_t *adapter); /* SEG rules, MINI-004 to MINI-020 */

/* ---- budget_group.c: which budget a segment counts for (RES-044) ---------------------------- */

/* The numbers are those of D3DKMT_MEMORY_SEGMENT_GROUP; the last one is no group. */
enum budget_group { BUDGET_LOCAL, BUDGET_NON_LOCAL, BUDGET_NONE, BUDGET_GROUPS };
enum budget_group budget_group_of(const struct vidmm_segment_desc *desc);
const char *budget_group_word(enum budget_group group); /* local, nonlocal, none */
/* What all segments of the group can hold: sizes, of apertures the commit limits. */
uint64_t budget_group_bytes(const adapter_t *adapter, enum budget_group group);

/* ---- device.c: processes, devices, contexts, resources -------------------------------------- */

/* The system's own device and context, for paging (MINI-022). */
vidmm_status device_start_system(adapter_t *adapter);
void device_stop_system(adapter_t *adapter);
/* With what they own. Refused when a wait for their work never ends. */
vidmm_status process_destroy(adapter_t *adapter, struct process *process);
vidmm_status device_destroy(adapter_t *adapter, struct device *device);
vidmm_status context_destroy(adapter_t *adapter, struct context *context);
/* Without waiting, and nothing owned is left. */
void process_free(adapter_t *adapter, struct process *process);
void device_free(adapter_t *adapter, struct device *device);
void context_free(adapter_t *adapter, struct context *context);
/* Its allocations go, and the driver forgets it; the handle stays for its owner to destroy. */
vidmm_status device_leave_driver(adapter_t *adapter, struct device *device);

/* ---- allocation.c: birth, states, death ----------------------------------------------------- */

/* The only assignment of `state`; checks that the step is one of PAGE-003. */
void allocation_become(struct allocation *allocation, enum allocation_state state);
/* Its content is gone for good; who decided tells why. */
void allocation_lose(adapter_t *adapter, struct allocation *allocation);
struct allocation *allocation_new(const adapter_t *adapter, const char *label);
/* Its bytes count as commitment (ALLOC-009). */
vidmm_status allocation_charge(adapter_t *adapter, struct allocation *allocation);
/* Gives back what the manager holds for it. The driver does not know it any more. */
void allocation_free(adapter_t *adapter, struct allocation *allocation);

/* ---- context_allocation.c: what the driver makes for contexts ------------------------------- */

/* What it has ends before it does. */
vidmm_status context_end(adapter_t *adapter, struct context *context);
/* Its owner was never complete: none of them was in use. */
void context_allocations_orphan(adapter_t *adapter, struct allocation *list);
void context_allocation_forget(struct allocation *allocation);
NTSTATUS context_allocation_create(INOUT_PDXGKARGCB_CREATECONTEXTALLOCATION arg);
NTSTATUS context_allocation_destroy(IN_CONST_HANDLE handle, IN_CONST_HANDLE named);

/* ---- allocation_destroy.c ------------------------------------------------------------------- */

/* MINI-042: idle, closed, out of its place, gone. May wait; refused when the wait never ends. */
vidmm_status allocation_destroy(adapter_t *adapter, struct allocation *allocation);
vidmm_status resource_destroy(adapter_t *adapter, struct resource *resource);
/* All of `list`, of one device, with one call each; `resource` goes with them when not NULL. */
vidmm_status allocation_destroy_all(adapter_t *adapter, struct allocation *const *list,
                                    size_t count, struct resource *resource);
/* The adapter goes away: only what the driver has to hear, without waiting. */
void allocation_abandon(adapter_t *adapter, struct allocation *allocation);

/* In the list of this device, which is its owner from now on. */
void allocation_list(struct allocation *allocation, struct device *device);
void allocation_unlist(struct allocation *allocation);

/* ---- allocation_check.c: the miniport's answer, one rule a line ----------------------------- */

/* Checks DXGK_ALLOCATIONINFO and fills `info`; lists every broken rule in the refusal (C3). */
vidmm_status allocation_check(adapter_t *adapter, const DXGK_ALLOCATIONINFO *answer,
                              const struct allocation_request *request,
                              struct allocation_info *info);

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

/* ---- system_range.c: memory that a caller brings -------------------------------------------- */

void system_range_free(adapter_t *adapter, struct system_range *range);
/* KMT-035: refused while it is the store of an allocation. */
vidmm_status system_range_destroy(adapter_t *adapter, struct system_range *range);
/* Does its address mean the memory for this process, now (FLAG-022)? */
bool system_range_valid(const adapter_t *adapter, const struct system_range *range,
                        const struct process *process);
/* Before it becomes a store: a range made of an allocation gets the pages of that. */
vidmm_status system_range_fetch(adapter_t *adapter, struct system_range *range);
/* The allocation goes away: its CPU address means nothing any more, lent pages stay. */
void system_range_orphan(adapter_t *adapter, struct allocation *allocation);

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

/* ---- display.c ------------------------------------------------------------------------------ */
/* It left its place: nothing is scanned out any more. */
void display_forget(adapter_t *adapter, struct allocation *allocation);

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
