/* SPDX-License-Identifier: MIT */
/*
 * link_place.c: a place that is free at the same offset on every adapter of a link (PLACE-021).
 *
 * The searches are those of adapter 0. The lowest place of each adapter is a lower bound for all:
 * the bound rises until they agree. evict_plan.c finds out which allocations leave when there is no
 * such place.
 */
#include "paging/residency/pager.h"

/* Raises the bound to what every adapter has in the window. False: one of them has nothing. */
static bool agree(const adapter_t *adapter, struct vidmm_search *window, bool *same)
{
    uint64_t bound = 0;
    *same = true;
    for (uint32_t i = 0; i < adapter->setup->link_count; i++) {
        struct vidmm_search there = *window;
        uint64_t offset;
        there.segment = segment_of_adapter(adapter, window->segment, i);
        if (!segment_find(segment_at(adapter, there.segment), &there, &offset))
            return false;
        *same &= !i || offset == bound;
        if (!i || (window->from_end ? offset < bound : offset > bound))
            bound = offset;
    }
    if (window->from_end)
        window->high = bound + window->footprint;
    else
        window->low = bound;
    return true;
}

static bool common_place(const adapter_t *adapter, const struct vidmm_search *search,
                         struct place *place)
{
    struct vidmm_search window = *search;
    bool same = false;
    while (!same)
        if (!agree(adapter, &window, &same))
            return false;
    uint64_t offset = window.from_end ? window.high - window.footprint : window.low;
    *place = (struct place){ .segment = search->segment,
                             .one = { offset, search->footprint },
                             .run_count = 1 };
    return true;
}

bool link_common_place(const adapter_t *adapter, const struct vidmm_search *searches, size_t count,
                       struct found_place *found)
{
    for (size_t i = 0; i < count; i++)
        if (common_place(adapter, &searches[i], &found->place)) {
            found->search = &searches[i];
            return true;
        }
    return false;
}

bool link_limits_allow(const adapter_t *adapter, uint32_t segment, uint64_t bytes)
{
    uint64_t all = multiply_capped(adapter->setup->link_count, bytes);
    bool allow = true;
    if (!segment_is_aperture(segment_desc(adapter, segment)))
        return true;
    for (uint32_t i = 0; i < adapter->setup->link_count; i++)
        allow &= places_allow(adapter, segment_of_adapter(adapter, segment, i), bytes);
    return allow && all <= adapter->setup->shared_limit &&
           places_committed(adapter) <= adapter->setup->shared_limit - all;
}

bool link_has_room(const adapter_t *adapter, const struct place *place)
{
    bool room = link_limits_allow(adapter, place->segment, place->one.bytes);
    for (uint32_t i = 0; i < adapter->setup->link_count && room; i++)
        room = range_tree_is_free(
            &segment_at(adapter, segment_of_adapter(adapter, place->segment, i))->space,
            place->one);
    return room;
}
