/* SPDX-License-Identifier: MIT */
/*
 * lock_reach.c: the way to the bits: step 9 of chapter 0.5 of the locking catalogue.
 *
 * A lock leads to one of two views: the backing store (evicted, in an aperture, permanent copy) or
 * the memory segment itself. Memory that the CPU cannot reach is evicted first. A failure here
 * keeps what has already moved.
 *
 * Rules: LOCK-021, LOCK-026, LOCK-027, LOCK-032 to LOCK-035, LOCK-037, LOCK-038, LOCK-048,
 * PAGE-015, PAGE-025.
 */
#include "vidmm/lock.h"

/* Ends a preparation and waits for what it built. */
static vidmm_status finish(adapter_t *adapter, const struct allocation *allocation,
                           vidmm_status status)
{
    if (adapter->stopped) {
        adapter->preparation = 0;
        return adapter_usable(adapter);
    }
    vidmm_status ended = paging_end(adapter);
    if (!status)
        status = ended;
    if (!status && allocation_busy(adapter, allocation))
        status = sync_marks(adapter, allocation->marks, VIDMM_WAIT_LOCK, RULE(LOCK_021),
                            allocation->creator);
    sync_due(adapter);
    return status;
}

/* LOCK-035: what the CPU cannot reach is evicted. */
static vidmm_status evict_for_lock(adapter_t *adapter, struct allocation *allocation,
                                   uint32_t flags)
{
    if (flags & LOCK_DONOT_EVICT)
        return refuse(adapter, RULE(LOCK_026), STATUS_GRAPHICS_UNSWIZZLING_APERTURE_UNAVAILABLE,
                      "%s would have to be evicted, and DonotEvict is set", allocation->label);
    if (allocation->pinned)
        return refuse(adapter, RULE(LOCK_027), STATUS_GRAPHICS_CANT_EVICT_PINNED_ALLOCATION,
                      "%s is pinned in memory that the CPU cannot reach", allocation->label);
    paging_begin(adapter);
    return finish(adapter, allocation,
                  evict_allocation(adapter, allocation, EVICT_LOCK, RULE(LOCK_035)));
}

/* LOCK-038: what the GPU wrote comes back before the CPU looks. */
static vidmm_status copy_back(adapter_t *adapter, struct allocation *allocation)
{
    paging_begin(adapter);
    return finish(adapter, allocation, paging_copy_back(adapter, allocation));
}

/* LOCK-048: what the GPU wrote to AGP memory has to arrive there. A lock for writing reads nothing.
 */
static bool needs_read(const adapter_t *adapter, const struct allocation *allocation,
                       uint32_t flags)
{
    uint32_t segment = allocation->place.segment;
    return allocation->state == ALLOCATION_RESIDENT && segment && allocation->agp_written &&
           (segment_desc(adapter, segment)->flags & SEGMENT_AGP) && !(flags & LOCK_WRITE_ONLY);
}

static vidmm_status read_back(adapter_t *adapter, struct allocation *allocation)
{
    paging_begin(adapter);
    vidmm_status status = finish(adapter, allocation, paging_read_physical(adapter, allocation));
    allocation->agp_written = status != STATUS_SUCCESS;
    return status;
}

vidmm_status lock_make_store(adapter_t *adapter, struct allocation *allocation)
{
    if (!backing_populate(adapter, allocation))
        return refuse(adapter, RULE(PAGE_015), STATUS_NO_MEMORY,
                      "system memory is exhausted: no backing pages for %s", allocation->label);
    if (allocation->state == ALLOCATION_NO_CONTENT) {
        content_set(&allocation->content, 0, allocation->info.bytes / adapter->page, 0, 0);
        allocation->pattern_only = false;
        content_store_pattern(adapter, allocation);
        allocation_become(allocation, ALLOCATION_EVICTED);
    }
    return STATUS_SUCCESS;
}

vidmm_status lock_reach(adapter_t *adapter, struct lock_request *request)
{
    struct allocation *allocation = request->allocation;
    bool permanent = allocation_is_permanent(allocation);
    bool memory = lock_in_memory(adapter, allocation);
    if (permanent && memory) {
        applies(adapter, RULE(LOCK_037));
        allocation->lock_view = VIDMM_VIEW_BACKING;
        if (!allocation->gpu_dirty)
            return STATUS_SUCCESS;
        request->complex = true;
        return copy_back(adapter, allocation);
    }
    if (memory && lock_cpu_reaches(adapter, allocation)) {
        applies(adapter, RULE(LOCK_034));
        allocation->lock_view = VIDMM_VIEW_SEGMENT;
        return STATUS_SUCCESS;
    }
    if (memory) {
        request->complex = true;
        vidmm_status status = evict_for_lock(adapter, allocation, request->args->flags);
        if (status)
            return status;
        if (allocation->state == ALLOCATION_LOST)
            return refuse(adapter, RULE(PAGE_025), STATUS_GRAPHICS_ALLOCATION_CONTENT_LOST,
                          "%s lost its content when the lock had to evict it", allocation->label);
    }
    if (lock_through_aperture(adapter, allocation)) {
        applies(adapter, RULE(SWIZ_024));
        allocation->lock_view = VIDMM_VIEW_SEGMENT;
        return STATUS_SUCCESS;
    }
    applies(adapter, allocation->state == ALLOCATION_RESIDENT ? RULE(LOCK_033) : RULE(LOCK_032));
    allocation->lock_view = VIDMM_VIEW_BACKING;
    if (needs_read(adapter, allocation, request->args->flags)) {
        request->complex = true;
        vidmm_status status = read_back(adapter, allocation);
        if (status)
            return status;
    }
    return lock_make_store(adapter, allocation);
}
