/* SPDX-License-Identifier: MIT */
/*
 * evict_way.c: by which way can an allocation leave, and can it ever? What is pinned, fixed or
 * bound for the same buffer stays where it is; everything else can be waited for or pushed aside.
 */
#include "vidmm/dma_buffer.h"
#include "vidmm/offer.h"
#include "vidmm/residency.h"
#include "vidmm/swizzle.h"

#include <stdlib.h>

/* ---- can a range ever be had? --------------------------------------------------------------- */

/* What no wait and no eviction can push aside. */
struct obstacles {
    struct range *ranges;
    size_t count, capacity;
    uint64_t bytes;
};

static void add_obstacle(struct obstacles *obstacles, struct range range)
{
    BASE_GROW(obstacles->ranges, obstacles->capacity, obstacles->count + 1);
    obstacles->ranges[obstacles->count++] = range;
    obstacles->bytes += range.bytes;
}

static void add_pinned(const adapter_t *adapter, uint32_t segment, struct obstacles *obstacles)
{
    const struct segment_slot *slot = &adapter->segments[segment];
    for (const struct dma_buffer *b = adapter->dma_buffers; b; b = b->behind)
        if (b->placed && b->segment == segment)
            add_obstacle(obstacles, b->range);
    for (size_t i = 0; i < slot->fixed.count; i++)
        add_obstacle(obstacles, slot->fixed.ranges[i]);
    for (struct allocation *a = slot->pinned; a; a = a->pinned_next)
        add_obstacle(obstacles, a->place.one);
}

static void add_bound(const adapter_t *adapter, uint32_t segment, struct obstacles *obstacles)
{
    for (size_t i = 0; i < adapter->bound_count && adapter->preparation; i++) {
        for (const struct allocation *a = adapter->bound[i]; a; a = a->next_copy)
            if (a->state == ALLOCATION_RESIDENT && a->place.segment == segment && !a->pinned)
                add_obstacle(obstacles, a->place.one);
    }
}

static int by_offset(const void *a, const void *b)
{
    const struct range *left = a, *right = b;
    return left->offset < right->offset ? -1 : left->offset > right->offset;
}

/* Is there a gap of `bytes` between the obstacles? */
static bool has_gap(struct obstacles *obstacles, uint64_t segment_bytes, uint64_t bytes)
{
    uint64_t at = 0;
    if (obstacles->count)
        qsort(obstacles->ranges, obstacles->count, sizeof *obstacles->ranges, by_offset);
    for (size_t i = 0; i < obstacles->count; i++) {
        if (obstacles->ranges[i].offset >= at && obstacles->ranges[i].offset - at >= bytes)
            return true;
        at = max_u64(at, range_end(obstacles->ranges[i]));
    }
    return segment_bytes - at >= bytes;
}

/* Bytes under the global limit that cannot be pushed out, or not now: those of this preparation. */
static uint64_t stays_committed(const adapter_t *adapter, bool bound)
{
    uint64_t bytes = 0;
    for (uint32_t id = 1; id <= adapter->segment_count; id++)
        if (segment_is_aperture(segment_desc(adapter, id)))
            bytes += adapter->segments[id].segment.pinned_bytes;
    for (const struct allocation *a = adapter->segments[0].pinned; a; a = a->pinned_next)
        bytes += a->info.bytes;
    for (size_t i = 0; bound && i < adapter->bound_count && adapter->preparation; i++) {
        for (const struct allocation *a = adapter->bound[i]; a; a = a->next_copy)
            if (a->state == ALLOCATION_RESIDENT && !a->pinned &&
                !place_in_memory(adapter, &a->place))
                bytes += a->info.bytes;
    }
    return bytes;
}

struct vidmm_search evict_search(const adapter_t *adapter, uint32_t segment, uint64_t bytes)
{
    return (struct vidmm_search){ .segment = segment,
                                  .low = 0,
                                  .high = segment_desc(adapter, segment)->bytes,
                                  .footprint = bytes,
                                  .alignment = adapter->page,
                                  .why = RULE(PLACE_028) };
}

static bool range_possible(const adapter_t *adapter, uint32_t segment, uint64_t bytes, bool bound)
{
    const struct segment_slot *slot = &adapter->segments[segment];
    const struct vidmm_segment_desc *desc = &slot->segment.desc;
    const struct vidmm_search search = evict_search(adapter, segment, bytes);
    struct obstacles obstacles = { 0 };
    uint64_t offset;
    /* The usual case, and the quick one: there is a hole now. */
    if (commit_allows(adapter, segment, bytes) && segment_find(&slot->segment, &search, &offset))
        return true;
    add_pinned(adapter, segment, &obstacles);
    if (bound)
        add_bound(adapter, segment, &obstacles);
    bool possible = bytes <= desc->bytes && has_gap(&obstacles, desc->bytes, bytes) &&
                    obstacles.bytes + bytes <= desc->limit &&
                    stays_committed(adapter, bound) + bytes <= adapter->shared_limit;
    base_free(obstacles.ranges);
    return possible;
}

/* An aperture of its eviction set, on its adapter. */
static bool evicts_to(const adapter_t *adapter, const struct allocation *allocation, uint32_t id)
{
    return segment_adapter(adapter, id) == allocation->info.physical &&
           (allocation->info.eviction_set & segment_set_bit(adapter, id));
}

bool evict_possible(const adapter_t *adapter, const struct allocation *allocation, uint32_t segment,
                    bool bound)
{
    return evicts_to(adapter, allocation, segment) &&
           range_possible(adapter, segment, allocation->info.bytes, bound);
}

static bool any_range_possible(const adapter_t *adapter, const struct allocation *allocation,
                               bool bound)
{
    for (uint32_t id = 1; id <= adapter->segment_count; id++)
        if (evict_possible(adapter, allocation, id, bound))
            return true;
    return false;
}

/* ---- the way -------------------------------------------------------------------------------- */

/* From 2.0 on only what is accessed physically uses its eviction set (SEG-036). */
static bool evicts_directly(const adapter_t *adapter, const struct allocation *allocation)
{
    return !allocation->info.eviction_set ||
           (adapter->caps.wddm >= VIDMM_WDDM_2_0 &&
            !allocation_has(allocation, ALLOCATION_ACCESSED_PHYSICALLY));
}

enum way_out way_out(const adapter_t *adapter, const struct allocation *allocation)
{
    uint32_t segment = allocation->place.segment;
    bool permanent = allocation_is_permanent(allocation);
    if (!segment || segment_is_aperture(segment_desc(adapter, segment)))
        return OUT_UNMAP;
    if (offer_gives_up(allocation))
        return OUT_DROP; /* OFFER-011 */
    if (alternate_in_use(allocation))
        return OUT_DIRECT; /* to the alternate address: SWIZ-022 */
    if (allocation_given_up(allocation))
        return OUT_DROP; /* RENAME-012 */
    /* Under a lock the CPU goes on to see what it saw, also a pattern (LOCK-036). */
    if (permanent ? !allocation->gpu_dirty : allocation->pattern_only && !allocation->lock_count)
        return OUT_DROP;
    if (allocation_has(allocation, ALLOCATION_HARDWARE_PROTECTED) &&
        !(segment_desc(adapter, segment)->flags & SEGMENT_ENCRYPTED_PAGING))
        return OUT_PROTECTED;
    if (evicts_directly(adapter, allocation))
        return OUT_DIRECT;
    if (any_range_possible(adapter, allocation, true))
        return OUT_VIA;
    return any_range_possible(adapter, allocation, false) ? OUT_LATER : OUT_LOST;
}
