/* SPDX-License-Identifier: MIT */
/*
 * level3.c: level three synchronisation, the one event of this version that lets pinned allocations
 * go.
 *
 * New work is held back (there is one thread), every node finishes, then everything leaves video
 * memory: memory segments first, ascending by id and offset, apertures last. Where a pinned
 * allocation would block an eviction, by its place or by its share of the global limit, it goes
 * first, so nothing is lost.
 *
 * Rules: TDR-030, TDR-033, PAGE-053, FLAG-035, PLACE-026, MINI-057, SUBMIT-046.
 */
#include "vidmm/residency.h"

#include <stdlib.h>

/* The residents of a segment, by offset. */
struct residents {
    struct allocation **list;
    size_t count, capacity;
};

static void add(struct residents *residents, struct allocation *allocation)
{
    BASE_GROW(residents->list, residents->capacity, residents->count + 1);
    residents->list[residents->count++] = allocation;
}

static int by_offset(const void *a, const void *b)
{
    const struct allocation *left = *(struct allocation *const *)a;
    const struct allocation *right = *(struct allocation *const *)b;
    return left->victim.offset < right->victim.offset ? -1
                                                      : left->victim.offset > right->victim.offset;
}

static struct residents residents_of(const struct segment_slot *slot)
{
    struct residents residents = { 0 };
    struct victim_cursor cursor = victim_first(&slot->order, VICTIM_ANY_PRIORITY);
    struct victim_node *node;
    while ((node = victim_next(&cursor)) != NULL)
        add(&residents, CONTAINER_OF(node, struct allocation, victim));
    for (struct allocation *a = slot->pinned; a; a = a->pinned_next)
        add(&residents, a);
    if (residents.count)
        qsort(residents.list, residents.count, sizeof *residents.list, by_offset);
    return residents;
}

static vidmm_status empty_segment(adapter_t *adapter, uint32_t id);

static vidmm_status empty_segments(adapter_t *adapter, uint32_t set)
{
    vidmm_status status = STATUS_SUCCESS;
    for (uint32_t id = 1; id <= adapter->segment_count && !status; id++)
        if (set & (1u << (id - 1)))
            status = empty_segment(adapter, id);
    return status;
}

/* First what can be in the way of its range, then what can fill the global limit. */
static vidmm_status clear_way_out(adapter_t *adapter, const struct allocation *allocation)
{
    vidmm_status status = empty_segments(adapter, allocation->info.eviction_set);
    if (!status && way_out(adapter, allocation) == OUT_LOST)
        status = empty_segments(adapter, residency_aperture_set(adapter));
    if (!status && way_out(adapter, allocation) == OUT_LOST)
        status = empty_segment(adapter, 0);
    return status;
}

static vidmm_status push_out(adapter_t *adapter, struct allocation *allocation)
{
    if (allocation->pinned)
        finding(adapter, RULE(PAGE_053), allocation->handle,
                "%s is still pinned at level three; it should have gone before", allocation->label);
    if (way_out(adapter, allocation) == OUT_LOST) {
        vidmm_status status = clear_way_out(adapter, allocation);
        if (status)
            return status;
    }
    return evict_allocation(adapter, allocation, EVICT_LEVEL3, RULE(TDR_033));
}

static vidmm_status empty_segment(adapter_t *adapter, uint32_t id)
{
    struct residents residents = residents_of(&adapter->segments[id]);
    vidmm_status status = STATUS_SUCCESS;
    for (size_t i = 0; i < residents.count && !status; i++)
        /* Emptying an aperture may have been first. */
        if (residents.list[i]->state == ALLOCATION_RESIDENT &&
            residents.list[i]->place.segment == id)
            status = push_out(adapter, residents.list[i]);
    base_free(residents.list);
    return status;
}

static vidmm_status empty_kind(adapter_t *adapter, bool apertures)
{
    vidmm_status status = STATUS_SUCCESS;
    for (uint32_t id = 1; id <= adapter->segment_count && !status; id++)
        if (segment_is_aperture(segment_desc(adapter, id)) == apertures)
            status = empty_segment(adapter, id);
    return status;
}

vidmm_status vidmm_level3(struct vidmm_adapter *adapter)
{
    vidmm_status status = adapter_usable(adapter);
    if (status)
        return status;
    EMIT(adapter, LEVEL3, RULE(TDR_030), 0, f_word("phase", "drain"));
    status = sync_idle(adapter, VIDMM_WAIT_DRAIN, RULE(TDR_030));
    if (status)
        return status;
    adapter->drained = true;
    paging_begin(adapter);
    status = empty_kind(adapter, false);
    if (!status)
        status = empty_kind(adapter, true);
    if (!status)
        status = empty_segment(adapter, 0);
    if (status && !adapter->stopped)
        status = bugcheck(adapter, RULE(TDR_033), 0x10E, 0x14, (uint64_t[3]){ 0 },
                          "level three cannot empty video memory: %s", adapter->refusal.text);
    vidmm_status ended = adapter->stopped ? adapter_usable(adapter) : paging_end(adapter);
    adapter->preparation = 0;
    if (!status)
        status = ended;
    if (!status)
        status = sync_idle(adapter, VIDMM_WAIT_DRAIN, RULE(TDR_030));
    adapter->drained = false;
    if (!status)
        EMIT(adapter, LEVEL3, RULE(TDR_030), 0, f_word("phase", "empty"));
    return status;
}
