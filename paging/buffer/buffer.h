/* SPDX-License-Identifier: MIT */
/*
 * buffer.h: the door of paging/buffer: paging buffers, and the operations that are built into them.
 */
#ifndef PAGING_BUFFER_H
#define PAGING_BUFFER_H

#include "paging/schedule/schedule.h"
#include "vidmm/tell/tell.h"

struct renaming; /* paging/schedule/watch.h */

/* ---- preparations --------------------------------------------------------------------------- */

/* One at a time (PAGE-009), `device` waits in it; the end hands over what is left in the buffer. */
void paging_begin(adapter_t *adapter, struct device *device);
struct device *paging_waiter(const adapter_t *adapter, const struct pageable *allocation);
vidmm_status paging_end(adapter_t *adapter);
/* The same, also when the system has stopped meanwhile: then nothing goes out. */
vidmm_status paging_close(adapter_t *adapter);
/* The number of the one that is open; 0: none is. */
uint64_t paging_preparation(const adapter_t *adapter);
/* The clock of last use: how many preparations, and uses without one, there were. */
uint64_t paging_uses(const adapter_t *adapter);
void paging_count_use(adapter_t *adapter);
/* Between the two memory is emptied: every operation waits for the GPU (MINI-057), no context is
   named, and what is built and what is handed over need not agree. One may be inside of another: a
   reset while video memory is emptied. */
void paging_drain(adapter_t *adapter, bool on);
bool paging_is_drained(const adapter_t *adapter);
/* The fence of the last operation that is synchronous; 0: none (PAGE-041). */
uint32_t paging_sync_fence(const adapter_t *adapter);

/* ---- the buffers ---------------------------------------------------------------------------- */

/* Bytes after a buffer, of paging or of a submission, that a driver may not touch (MINI-051). */
enum { PAGING_GUARD_BYTES = 16, PAGING_GUARD = 0xA5 };
/* Is `at` in these bytes or at their end, and the guard after them as it was? */
bool paging_within(const void *at, const uint8_t *from, size_t bytes);

/* Maps the buffers when they lie in an aperture (MINI-013), to so many system pages. */
vidmm_status paging_start(adapter_t *adapter);
uint64_t paging_pages(const adapter_t *adapter);
void paging_stop(adapter_t *adapter);
vidmm_status paging_flush(adapter_t *adapter);
void paging_defer(adapter_t *adapter); /* between the two nothing is submitted (TDR-025) */
vidmm_status paging_submit_deferred(adapter_t *adapter);
/* Or nothing ever is: the books are closed as if it had been (TDR-036). */
void paging_discard_deferred(adapter_t *adapter);
/* Is anything built, submitted or due that is not finished? */
bool paging_under_way(const adapter_t *adapter);
/* Lets all of it finish: ranges on their way out become free (wait reason aperture_idle). */
vidmm_status paging_finish(adapter_t *adapter, enum vidmm_rule rule);
/* A SynchronousPaging allocation is idle then; `rule` is PAGE-040, or PAGE-028 to make room. */
vidmm_status paging_ready(adapter_t *adapter, struct pageable *allocation, enum vidmm_rule rule);

/* ---- what the GPU does with a pageable ------------------------------------------------------ */

/* With its own fences, and none of them set. */
struct pageable *allocation_new(adapter_t *adapter, const char *label);
/* A copy in a link is used when the whole is: it has the same fences. */
static inline void pageable_share_fences(struct pageable *copy, const struct pageable *whole)
{
    copy->transfer.fences = whole->transfer.fences;
    copy->transfer.write_fences = whole->transfer.write_fences;
}
/* This fence refers to it, and writes it (SUBMIT-062). */
static inline void pageable_fence(struct pageable *allocation, struct fence_ref ref, bool write)
{
    fences_raise(allocation->transfer.fences, ref);
    if (write)
        fences_raise(allocation->transfer.write_fences, ref);
}
/* The GPU wrote its copy in a memory segment (PAGE-033). */
static inline void pageable_gpu_wrote(struct pageable *allocation)
{
    allocation->transfer.gpu_dirty = true;
    allocation->transfer.dirty_count++;
}
/* Nothing of what the GPU wrote is still to be saved. */
static inline void pageable_is_clean(struct pageable *allocation)
{
    allocation->transfer.gpu_dirty = false;
}
/* The clean-up after a reset has judged what was cut off: nothing is left to bring or to save. */
static inline void pageable_reset_judged(struct pageable *allocation)
{
    allocation->transfer.aborted = ABORTED_NOTHING;
    allocation->transfer.gpu_dirty = false;
}

/* ---- operations ------------------------------------------------------------------------------ */

/* The operations. Each is one or more DxgkDdiBuildPagingBuffer calls. */
vidmm_status paging_init_context(adapter_t *adapter, struct pageable *allocation); /* MINI-078 */
vidmm_status paging_fill(adapter_t *adapter, struct pageable *allocation);
vidmm_status paging_transfer_in(adapter_t *adapter, struct pageable *allocation);
vidmm_status paging_transfer_out(adapter_t *adapter, struct pageable *allocation,
                                 const struct place *from);
vidmm_status paging_transfer_via(adapter_t *adapter, struct pageable *allocation,
                                 const struct place *from, uint32_t segment, struct range range);
vidmm_status paging_transfer_move(adapter_t *adapter, struct pageable *allocation,
                                  const struct place *from);
vidmm_status paging_copy_back(adapter_t *adapter, struct pageable *allocation);
vidmm_status paging_update(adapter_t *adapter, struct pageable *allocation);
/* A transfer of no bytes: it is no longer in its memory segment (MINI-082). */
vidmm_status paging_clean(adapter_t *adapter, struct pageable *allocation);
vidmm_status paging_discard(adapter_t *adapter, struct pageable *allocation,
                            const struct place *from);
/* LOCK-048: the GPU reads a word of an allocation in the AGP segment. */
vidmm_status paging_read_physical(adapter_t *adapter, struct pageable *allocation);
/* `last`: nothing of its page-in follows. After a failure the range is unmapped all the same. */
vidmm_status paging_map(adapter_t *adapter, struct pageable *allocation, uint32_t segment,
                        struct range range, bool last);
/* If a flag asks for it: before a copy in memory is given up, when it stays after
   all, after one is made (MINI-079); before system memory or an aperture is left (MINI-081). */
vidmm_status paging_notify_departure(adapter_t *adapter, struct pageable *allocation);
vidmm_status paging_notify_arrival(adapter_t *adapter, struct pageable *allocation);
void paging_notify_stayed(adapter_t *adapter, struct pageable *allocation);
vidmm_status paging_notify_eviction(adapter_t *adapter, struct pageable *allocation);
/* `last`: the range is the place it leaves; else a range that served an eviction or a move. */
vidmm_status paging_unmap(adapter_t *adapter, struct pageable *allocation, uint32_t segment,
                          struct range range, bool last);
/* The same as soon as the GPU has done what is built by now: something ends half-way. */
void paging_unmap_later(adapter_t *adapter, struct pageable *allocation, uint32_t segment,
                        struct range range, bool last);

/* ---- what is on its way, for those who cut it short or wait for it -------------------------- */

/* Deferred work: an unmap that had to wait. */
vidmm_status paging_unmap_due(adapter_t *adapter, const struct deferred_work *work);
/* Fences of the node have other numbers (SUBMIT-056). */
void paging_renumber(adapter_t *adapter, uint32_t node, const struct renaming *renaming);
/* Of the last packet that moves it; 0: nothing is under way. */
uint32_t paging_last_fence(const adapter_t *adapter, const struct pageable *allocation);
/* The next allocation that this packet of paging names, from *at (0 at first) on; NULL: none. */
struct pageable *paging_next_named(const struct job *job, size_t *at);

struct buffers *buffers_new(void); /* the state of this folder, empty (base_free) */

#endif
