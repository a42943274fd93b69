/* SPDX-License-Identifier: MIT */
/*
 * place_common.c: a place that is free at the same offset on every adapter of a link (PLACE-021).
 *
 * The search is that of adapter 0. The lowest place of each adapter is a lower bound for all: the
 * bound rises until they agree. The commit limits of all have to allow it, and the one over all
 * apertures all of it together (PLACE-019). What is pinned lies in the region of every adapter,
 * which begins further up where the segment is larger (PLACE-023).
 */
#include "paging/store/store.h"
#include "paging/store/store_state.h"

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

uint64_t places_low(const adapter_t *adapter, const struct vidmm_search *search)
{
    uint64_t low = search->low;
    for (uint32_t i = 1; search->why == RULE(PLACE_023) && i < adapter->setup->link_count; i++) {
        uint32_t there = segment_of_adapter(adapter, search->segment, i);
        low = max_u64(low, segment_desc(adapter, there)->pin_start);
    }
    return low;
}

bool place_common(const adapter_t *adapter, const struct vidmm_search *search, uint64_t *offset)
{
    struct vidmm_search window = *search;
    bool same = false;
    window.low = places_low(adapter, search);
    while (!same)
        if (!agree(adapter, &window, &same))
            return false;
    *offset = window.from_end ? window.high - window.footprint : window.low;
    return true;
}

const struct vidmm_search *places_find_common(const adapter_t *adapter,
                                              const struct vidmm_search *searches, size_t count,
                                              struct place *place)
{
    uint64_t offset;
    size_t i = 0;
    while (i < count && !place_common(adapter, &searches[i], &offset))
        i++;
    if (i == count)
        return NULL;
    *place = (struct place){ .segment = searches[i].segment,
                             .one = { offset, searches[i].footprint },
                             .run_count = 1 };
    return &searches[i];
}

bool places_allow_all(const adapter_t *adapter, uint32_t segment, uint64_t bytes)
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

bool places_free_in_all(const adapter_t *adapter, const struct place *place)
{
    bool room = places_allow_all(adapter, place->segment, place->one.bytes);
    for (uint32_t i = 0; i < adapter->setup->link_count && room; i++)
        room = range_tree_is_free(
            &segment_at(adapter, segment_of_adapter(adapter, place->segment, i))->space,
            place->one);
    return room;
}
