/* SPDX-License-Identifier: MIT */
/*
 * trail.c: what a decision about a place looked at: free ranges that were not taken, and residents
 * that stay. Only composed for observers that ask for these events.
 */
#include "paging/store/trail.h"

#include "paging/store/places.h"

/* Of one search, beside the range that has the place. */
enum { HOLES_SHOWN = 4 };

void trail_pass_over(adapter_t *adapter, const struct pageable *resident,
                     const struct pageable *comes, const char *cause)
{
    const struct place *place = &resident->place.at;
    EMIT(adapter, PASS_OVER, VIDMM_RULE_NONE, resident->handle,
         f_segment("segment", place->segment), f_hex("offset", place_offset(place)),
         f_bytes("bytes", place_bytes(resident)), f_word("cause", cause),
         f_allocation("for", comes->handle));
}

static const char *lacks(const struct range_request *request, struct range hole)
{
    uint64_t low = max_u64(hole.offset, request->low);
    uint64_t high = min_u64(range_end(hole), request->high), offset;
    if (hole.bytes < request->bytes)
        return "small";
    if (high < low || high - low < request->bytes)
        return "window";
    return range_tree_fit(request, hole, &offset) ? "later" : "alignment";
}

static void tell_hole(adapter_t *adapter, const struct pageable *comes,
                      const struct vidmm_search *search, struct range hole, const char *result)
{
    EMIT(adapter, HOLE, search->why, comes->handle, f_segment("segment", search->segment),
         f_hex("offset", hole.offset), f_bytes("bytes", hole.bytes), f_word("result", result));
}

void trail_holes(adapter_t *adapter, const struct pageable *comes,
                 const struct vidmm_search *search, const struct place *place)
{
    const struct range_tree *space = &segment_at(adapter, search->segment)->space;
    const struct range_request request = { search->footprint, search->alignment, search->low,
                                           search->high, search->from_end };
    struct range hole, taken = { 0 };
    bool free = place->run_count == 1 && range_tree_is_free(space, place->one) &&
                range_tree_next_hole(space, place->one.offset, &taken);
    uint64_t at = free && search->from_end ? range_end(taken) : search->low;
    uint64_t end = free && !search->from_end ? taken.offset : search->high;
    for (unsigned i = 0;
         i < HOLES_SHOWN && range_tree_next_hole(space, at, &hole) && hole.offset < end;
         i++, at = range_end(hole))
        tell_hole(adapter, comes, search, hole, lacks(&request, hole));
    if (free)
        tell_hole(adapter, comes, search, taken, "taken");
}
