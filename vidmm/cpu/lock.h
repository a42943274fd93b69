/* SPDX-License-Identifier: MIT */
/*
 * lock.h: a lock on its way through the chapter 0.5 of the locking catalogue. Private to lock*.c.
 *
 *   lock_check.c     1 to 6: may there be such a lock? Refused without side effect.
 *   lock.c           7 and 8: waiting for the GPU; 10: the books
 *   lock_reach.c     9: the way to the bits, which may move the allocation
 *   lock_in_place.c  3 to 6 and 9 as they are in WDDM 2.0 and later
 *   lock_parts.c     of an instanced allocation in a link: 9 and 10 for each instance
 *   lock_books.c     the outstanding ones
 *   lock_view.c      where it leads now, what it bars, and what the CPU writes under it
 */
#ifndef VIDMM_LOCK_H
#define VIDMM_LOCK_H

#include "vidmm/tell/tell.h"

/* What a lock with Discard gets (RENAME-003, RENAME-004); a request begins with the first. */
enum rename_kind { RENAME_REUSED, RENAME_MADE, RENAME_WAITED };

struct lock_request {
    const struct vidmm_lock_args *args;
    struct device *device;
    struct allocation *allocation;
    enum vidmm_rule rule;     /* by which the bits were reached */
    struct allocation *asked; /* named by the caller, when Discard chose another or the same */
    enum rename_kind rename;
    bool waited;                   /* for the GPU */
    bool complex;                  /* needed a paging operation */
    bool no_overwrite;             /* an effective IgnoreSync (LOCK-022) */
    bool no_read_sync;             /* an effective IgnoreReadSync (LOCK-024) */
    bool linear;                   /* by a range, or unswizzled by an eviction */
    struct swizzling_range *range; /* NULL: it leads through none */
};

/* LINK-010: what one lock is for each instance; anything else is one part. */
struct lock_part {
    struct lock_request request;
    struct vidmm_lock_args args;    /* the page list is clipped to the part */
    struct vidmm_page_range *pages; /* NULL: that of the caller */
    bool untouched;                 /* no page of the list is in it */
};

struct lock_parts {
    struct lock_part part[VIDMM_LINK_MAX];
    uint32_t count;
};

/* lock_parts.c. The allocation that the request has chosen. */
void lock_parts_init(const adapter_t *adapter, struct lock_parts *parts,
                     const struct lock_request *request);
void lock_parts_fini(struct lock_parts *parts);
/* Step 9 for each, and what they have found out, for the whole. After a failure none is reached. */
vidmm_status lock_parts_reach(adapter_t *adapter, struct lock_parts *parts,
                              struct lock_request *request);
/* How each part is seen; nothing where there is one. */
void lock_parts_tell(adapter_t *adapter, const struct lock_parts *parts);
/* Where the CPU sees the first page; 0: in system pages, at the address of the lock. */
uint64_t lock_cpu_address(adapter_t *adapter, const struct lock_request *request);

/* Steps 1 and 2: the device and its allocation. */
vidmm_status lock_find(adapter_t *adapter, vidmm_handle device_handle, vidmm_handle handle,
                       struct device **device, struct allocation **allocation);
/* Steps 3 to 6, and the advice about page lists. */
vidmm_status lock_check(adapter_t *adapter, const struct lock_request *request);
/* Step 9: sets the view. */
vidmm_status lock_reach(adapter_t *adapter, struct lock_request *request);

/* Ends a preparation; the device that locks waits for what it built, and for that alone. */
vidmm_status lock_finish(adapter_t *adapter, const struct lock_request *request,
                         vidmm_status status);
/* LOCK-026, LOCK-027: does anything forbid to evict the allocation for this lock? */
vidmm_status lock_may_evict(adapter_t *adapter, const struct lock_request *request);
/* Evicts it, and waits until the content has arrived. */
vidmm_status lock_evict(adapter_t *adapter, const struct lock_request *request,
                        enum vidmm_rule rule);

/* swizzle_lock.c: with AcquireAperture. *served: the view is set; otherwise the allocation is in
   system memory as the lock wants it. */
vidmm_status swizzle_lock_linear(adapter_t *adapter, struct lock_request *request, bool *served);
/* Without: nothing to do, or the stored form is brought back first (SWIZ-010). */
vidmm_status swizzle_lock_stored(adapter_t *adapter, struct lock_request *request);
/* The parts of them that hold from 2.0 on, too: reserved and contradicting bits; what the
   allocation forbids. */
vidmm_status lock_check_word(adapter_t *adapter, const struct vidmm_lock_args *args);
vidmm_status lock_check_allocation(adapter_t *adapter, const struct lock_request *request);
/* lock_in_place.c: steps 3 to 6 and 9 in 2.0 and later. Nothing waits between them. */
vidmm_status lock2_check(adapter_t *adapter, const struct lock_request *request);
vidmm_status lock2_reach(adapter_t *adapter, struct lock_request *request);

/* LOCK-037: a permanent copy is what the CPU sees, wherever the other one is. */
vidmm_status lock_reach_permanent(adapter_t *adapter, struct lock_request *request);

/* lock_view.c: does a lock lead to its pages through the aperture segment that it is mapped in? */
bool lock_through_aperture(const adapter_t *adapter, const struct allocation *allocation);
/* No lock leads to it any more. */
void lock_end_view(adapter_t *adapter, struct allocation *allocation);
/* Is the adapter there, and may there be a new lock with these flags, also while the driver has the
   adapter for itself? Otherwise as adapter_usable(). */
vidmm_status exclude_lock(adapter_t *adapter, uint32_t flags);

/* host_aperture.c: how the CPU sees memory that has no CpuVisible. For a lock of what lies there.
   False: there is none, or not enough, or the driver says no. */
bool host_aperture_map(adapter_t *adapter, struct allocation *allocation);
void host_aperture_offer(adapter_t *adapter, struct allocation *allocation);
void host_aperture_forget(struct allocation *allocation); /* the adapter goes away */
/* What is wrong with the books of one, or NULL. */
const char *host_aperture_problem(const adapter_t *adapter, uint32_t segment);
/* Where the CPU sees the first page of a mapped allocation. */
uint64_t host_aperture_address(const adapter_t *adapter, const struct allocation *allocation);

/* rename.c. RENAME-001, RENAME-013: does the Discard of this lock have an effect? */
bool rename_wanted(adapter_t *adapter, const struct lock_request *request);
/* Picks the instance that the lock gets: request->allocation. May make one, may wait. */
vidmm_status rename_choose(adapter_t *adapter, struct lock_request *request);
/* The lock has it: it is the current one. */
void rename_commit(adapter_t *adapter, const struct lock_request *request);
/* The lock failed: what was made for it goes. */
void rename_undo(adapter_t *adapter, const struct lock_request *request);
/* LOCK-018: what forbids a lock of this instance, or NULL. */
const char *rename_bars_lock(const adapter_t *adapter, const struct allocation *allocation);

static inline bool lock_in_memory(const adapter_t *adapter, const struct allocation *allocation)
{
    return allocation->pageable.store.state == ALLOCATION_RESIDENT &&
           place_in_memory(adapter, &allocation->pageable.place.at);
}

/* Of memory: does the CPU see the segment? */
static inline bool lock_cpu_reaches(const adapter_t *adapter, const struct allocation *allocation)
{
    return (segment_desc(adapter, allocation->pageable.place.at.segment)->flags &
            SEGMENT_CPU_VISIBLE) != 0;
}

/* ---- lock_books.c --------------------------------------------------------------------------- */

void lock_add(adapter_t *adapter, const struct lock_part *part);
/* Ends the newest lock of this device, which has one. */
void lock_drop(adapter_t *adapter, struct allocation *allocation, const struct device *device);
void lock_drop_all(adapter_t *adapter, struct allocation *allocation);
uint32_t lock_count_of(const adapter_t *adapter, const struct allocation *allocation,
                       const struct device *device);
uint32_t lock_count_with(const struct allocation *allocation, uint32_t flag);
/* Does one of them lead through the range that was set up with this private data? */
bool lock_uses_range(const struct allocation *allocation, uint32_t data);
/* None leads through a range any more; did one? */
bool lock_leave_ranges(struct allocation *allocation);

#endif
