/* SPDX-License-Identifier: MIT */
/*
 * evict_way.c: by which way can an allocation leave, and can it ever? What is pinned, fixed or
 * bound for the same buffer stays where it is; everything else can be waited for or pushed aside.
 */
#include "paging/residency/offer.h"
#include "paging/residency/pager.h"
#include "paging/residency/residency_state.h"

/* ---- can a range ever be had? --------------------------------------------------------------- */

/* What stays where it is, each with those before. */
enum stays {
    STAYS_FIXED,  /* ranges that are never free */
    STAYS_PINNED, /* buffers, and what is pinned */
    STAYS_BOUND,  /* allocations of the same preparation */
};

static void add_pinned(const adapter_t *adapter, uint32_t segment, enum stays stays,
                       struct range_list *obstacles)
{
    const struct range_list *buffers = &places_held(adapter, segment)->buffers;
    const struct range_list *fixed = &places_held(adapter, segment)->fixed;
    const struct residents *residents = &adapter->residency->residents[segment];
    for (size_t i = 0; i < fixed->count; i++)
        range_list_add(obstacles, fixed->ranges[i]);
    if (stays == STAYS_FIXED)
        return;
    for (size_t i = 0; i < buffers->count; i++)
        range_list_add(obstacles, buffers->ranges[i]);
    for (struct pageable *a = pinned_first(residents); a; a = pinned_next(a))
        range_list_add(obstacles, a->place.at.one);
}

static void add_bound(const adapter_t *adapter, uint32_t segment, struct range_list *obstacles)
{
    for (size_t i = 0; i < adapter->residency->bound_count; i++) {
        for (const struct pageable *a = adapter->residency->bound[i]; a; a = a->place.next_copy)
            if (a->place.at.segment == segment && !a->place.pinned)
                range_list_add(obstacles, a->place.at.one);
    }
}

/* The largest piece of a segment beside what stays; `taken` gets the bytes of that. */
static uint64_t largest_piece(const adapter_t *adapter, uint32_t segment, enum stays stays,
                              uint64_t *taken)
{
    struct range_list obstacles = { 0 };
    add_pinned(adapter, segment, stays, &obstacles);
    if (stays == STAYS_BOUND)
        add_bound(adapter, segment, &obstacles);
    uint64_t largest = range_list_largest(&obstacles, segment_desc(adapter, segment)->bytes, taken);
    base_free(obstacles.ranges);
    return largest;
}

uint64_t evict_largest(const adapter_t *adapter, uint32_t segment)
{
    uint64_t taken;
    return largest_piece(adapter, segment, STAYS_PINNED, &taken);
}

/* Bytes under the global limit that cannot be pushed out, or not now: those of this preparation. */
static uint64_t stays_committed(const adapter_t *adapter, enum stays stays)
{
    uint64_t bytes = 0;
    for (uint32_t id = 1; id <= adapter->setup->segment_count; id++) {
        const struct range_list *fixed = &places_held(adapter, id)->fixed;
        if (!segment_is_aperture(segment_desc(adapter, id)))
            continue;
        bytes += stays == STAYS_FIXED ? 0 : segment_at(adapter, id)->pinned_bytes;
        for (size_t i = 0; stays == STAYS_FIXED && i < fixed->count; i++)
            bytes += fixed->ranges[i].bytes;
    }
    if (stays == STAYS_FIXED)
        return bytes;
    for (const struct pageable *a = pinned_first(&adapter->residency->residents[0]); a;
         a = pinned_next(a))
        bytes += a->info.bytes;
    for (size_t i = 0; stays == STAYS_BOUND && i < adapter->residency->bound_count; i++) {
        for (const struct pageable *a = adapter->residency->bound[i]; a; a = a->place.next_copy)
            if (a->store.state == ALLOCATION_RESIDENT && !a->place.pinned &&
                !place_in_memory(adapter, &a->place.at))
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
                                  .alignment = adapter->setup->page,
                                  .why = RULE(PLACE_028) };
}

/* What a segment can do for an eviction, the best last. */
enum outlook {
    OUTLOOK_SHORT,   /* too small, or its commit limit or the global one is: PLACE-033 */
    OUTLOOK_BLOCKED, /* it would fit, but for what stays where it is: PLACE-030 */
    OUTLOOK_OPEN,    /* now, or after others have left */
};

static enum outlook outlook_of(const adapter_t *adapter, uint32_t segment, uint64_t bytes,
                               enum stays stays)
{
    const struct segment *target = segment_at(adapter, segment);
    const struct vidmm_segment_desc *desc = &target->desc;
    const struct vidmm_search search = evict_search(adapter, segment, bytes);
    uint64_t offset, taken, staying = stays_committed(adapter, stays);
    /* The usual case, and the quick one: there is a hole now. */
    if (places_allow(adapter, segment, bytes) && segment_find(target, &search, &offset))
        return OUTLOOK_OPEN;
    if (bytes > min_u64(desc->bytes, desc->limit))
        return OUTLOOK_SHORT;
    bool gap = largest_piece(adapter, segment, stays, &taken) >= bytes;
    if (gap && taken + bytes <= desc->limit && staying + bytes <= adapter->setup->shared_limit)
        return OUTLOOK_OPEN;
    if (stays == STAYS_FIXED)
        return OUTLOOK_SHORT; /* `staying` holds nothing pinned that could go */
    /* What stays here gives its share of the limits back when it goes. */
    bool fits = staying - target->pinned_bytes + bytes <= adapter->setup->shared_limit;
    return gap || !fits ? OUTLOOK_SHORT : OUTLOOK_BLOCKED;
}

bool evict_set_has(const adapter_t *adapter, const struct pageable *allocation, uint32_t segment)
{
    return segment_adapter(adapter, segment) == allocation->info.physical &&
           (allocation->info.eviction_set & segment_set_bit(adapter, segment));
}

bool evict_possible(const adapter_t *adapter, const struct pageable *allocation, uint32_t segment)
{
    return evict_set_has(adapter, allocation, segment) &&
           outlook_of(adapter, segment, allocation->info.bytes, STAYS_BOUND) == OUTLOOK_OPEN;
}

bool evict_blocked(const adapter_t *adapter, const struct pageable *allocation, uint32_t segment)
{
    return outlook_of(adapter, segment, allocation->info.bytes, STAYS_PINNED) == OUTLOOK_BLOCKED;
}

/* The best that the eviction set has to offer. */
static enum outlook outlook_of_set(const adapter_t *adapter, const struct pageable *allocation,
                                   enum stays stays)
{
    enum outlook best = OUTLOOK_SHORT;
    for (uint32_t id = 1; id <= adapter->setup->segment_count && best != OUTLOOK_OPEN; id++) {
        if (!evict_set_has(adapter, allocation, id))
            continue;
        enum outlook outlook = outlook_of(adapter, id, allocation->info.bytes, stays);
        best = outlook > best ? outlook : best;
    }
    return best;
}

bool evict_never_possible(const adapter_t *adapter, const struct pageable *allocation)
{
    return outlook_of_set(adapter, allocation, STAYS_FIXED) != OUTLOOK_OPEN;
}

/* ---- the way -------------------------------------------------------------------------------- */

bool evict_uses_set(const adapter_t *adapter, const struct pageable *allocation)
{
    return allocation->info.eviction_set &&
           (adapter->setup->caps.wddm < VIDMM_WDDM_2_0 ||
            allocation_has(allocation, ALLOCATION_ACCESSED_PHYSICALLY));
}

/* It has to be copied, and has an eviction set. */
static enum evict_route way_through_set(const adapter_t *adapter, const struct pageable *allocation)
{
    if (outlook_of_set(adapter, allocation, STAYS_BOUND) == OUTLOOK_OPEN)
        return OUT_VIA;
    enum outlook outlook = outlook_of_set(adapter, allocation, STAYS_PINNED);
    if (outlook == OUTLOOK_OPEN)
        return OUT_LATER;
    if (outlook == OUTLOOK_BLOCKED || setting(adapter, VIDMM_SETTING_EVICT_FALLBACK))
        return OUT_LOST;
    return OUT_DIRECT;
}

enum evict_route evict_route(const adapter_t *adapter, const struct pageable *allocation)
{
    uint32_t segment = allocation->place.at.segment;
    uint32_t uses = adapter->pageable_hooks->cpu_use(allocation);
    if (!segment || segment_is_aperture(segment_desc(adapter, segment)))
        return OUT_UNMAP;
    if (offer_gives_up(allocation))
        return OUT_DROP; /* OFFER-011 */
    if (uses & CPU_ALTERNATE)
        return OUT_DIRECT; /* to the alternate address: SWIZ-022 */
    if (uses & CPU_GIVEN_UP)
        return OUT_DROP; /* RENAME-012 */
    /* Under a lock the CPU goes on to see what it saw, also a pattern (LOCK-036). */
    if (allocation_is_permanent(allocation) ? !allocation->transfer.gpu_dirty
                                            : allocation->store.pattern_only && !(uses & CPU_HOLDS))
        return OUT_DROP;
    if (allocation_has(allocation, ALLOCATION_HARDWARE_PROTECTED) &&
        !(segment_desc(adapter, segment)->flags & SEGMENT_ENCRYPTED_PAGING))
        return OUT_PROTECTED;
    return evict_uses_set(adapter, allocation) ? way_through_set(adapter, allocation) : OUT_DIRECT;
}
