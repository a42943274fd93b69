/* SPDX-License-Identifier: MIT */
/*
 * link_place.c: is there a place on all adapters of a link together, and do the limits hold?
 * evict_plan.c finds out which allocations leave when there is none.
 */
#include "paging/residency/pager.h"

bool link_common_place(const adapter_t *adapter, const struct vidmm_search *searches, size_t count,
                       struct found_place *found)
{
    uint64_t offset;
    size_t i = 0;
    while (i < count && !places_find_common(adapter, &searches[i], &offset))
        i++;
    if (i == count)
        return false;
    found->search = &searches[i];
    found->place = (struct place){ .segment = searches[i].segment,
                                   .one = { offset, searches[i].footprint },
                                   .run_count = 1 };
    return true;
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
