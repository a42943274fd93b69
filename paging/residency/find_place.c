/* SPDX-License-Identifier: MIT */
/*
 * find_place.c: looking for a place (chapter 5.1 of the segments catalogue).
 *
 * The policy gave the searches in order; passes 1 to 3 go through them, first for a free place,
 * then for one that victims make free. Looking changes nothing; place_book.c books what is found.
 *
 * Rules not named below: FLAG-035, PLACE-019.
 */
#include "paging/residency/link.h"
#include "paging/residency/pager.h"
#include "paging/residency/residency_state.h"
#include "paging/store/trail.h"

void found_place_drop(struct found_place *found)
{
    if (found->place.run_count > 1)
        base_free(found->place.runs);
    found->place = (struct place){ 0 };
}

void found_place_fini(adapter_t *adapter, struct found_place *found)
{
    struct residency *residency = adapter->residency;
    found_place_drop(found);
    if (found->victims) {
        base_free(residency->victims); /* of a search inside of this one */
        residency->victims = found->victims;
        residency->victim_capacity = found->victim_capacity;
    }
    *found = (struct found_place){ 0 };
}

/* ---- one search ------------------------------------------------------------------------------ */

bool vpr_allows(const adapter_t *adapter, const struct pageable *allocation, uint32_t segment)
{
    uint32_t limit = segment_desc(adapter, segment)->vpr_limit;
    uint32_t there = adapter->residency->residents[segment].protected_count;
    return !limit || !allocation_in_vpr(allocation) || there < limit;
}

static bool free_page_set(adapter_t *adapter, const struct vidmm_search *search,
                          struct place *place)
{
    struct range *runs;
    applies(adapter, RULE(SEG_035));
    size_t count = segment_find_pages(segment_at(adapter, search->segment), search, &runs);
    applies(adapter, RULE(PLACE_016));
    if (places_policy(adapter))
        applies(adapter, RULE(POLICY_009));
    *place = (struct place){ .segment = search->segment, .run_count = (uint32_t)count };
    if (count > 1)
        place->runs = runs;
    else if (count)
        place->one = runs[0];
    if (count <= 1)
        base_free(runs);
    return count != 0;
}

bool free_place(adapter_t *adapter, const struct pageable *allocation,
                const struct vidmm_search *search, struct place *place)
{
    if (means_system_memory(adapter, allocation, search->segment)) {
        *place = (struct place){ .segment = 0 };
        return allocation->info.bytes <= adapter->setup->shared_limit - places_committed(adapter);
    }
    if (allocation_is_mirrored(allocation)) {
        if (!places_allow_all(adapter, search->segment, search->footprint) ||
            !places_find_common(adapter, search, 1, place))
            return false;
        places_pick_common(adapter, search, &place->one.offset);
        return true;
    }
    if (!places_allow(adapter, search->segment, search->footprint))
        return false;
    applies(adapter, RULE(PLACE_015));
    if (!needs_range(adapter, allocation, search->segment))
        return free_page_set(adapter, search, place);
    uint64_t offset;
    if (!places_find(adapter, search, &offset))
        return false;
    *place = (struct place){ .segment = search->segment,
                             .one = { offset, search->footprint },
                             .run_count = 1 };
    return true;
}

/* ---- all searches ---------------------------------------------------------------------------- */

/* Event candidate. */
static void residency_tell_candidate(adapter_t *adapter, const struct pageable *allocation,
                                     const struct found_place *found, enum placement_pass pass,
                                     const char *result)
{
    const struct vidmm_search *search = found->search;
    applies(adapter, RULE(PLACE_004));
    EMIT(adapter, CANDIDATE, search->why, allocation->handle, f_segment("segment", search->segment),
         f_hex("low", search->low), f_hex("high", search->high),
         f_word("direction", search->from_end ? "top-down" : "bottom-up"),
         f_number("pass", (uint64_t)pass), f_word("result", result));
    if (heard(adapter, VIDMM_EVENT_HOLE) &&
        !means_system_memory(adapter, allocation, search->segment) &&
        needs_range(adapter, allocation, search->segment))
        trail_holes(adapter, allocation, search, &found->place);
}

/* The searches of one segment, in one pass. */
static bool try_segment(adapter_t *adapter, const struct pageable *allocation,
                        const struct vidmm_search *searches, size_t count, enum placement_pass pass,
                        struct found_place *found)
{
    uint32_t segment = searches[0].segment;
    /* SEG-061; no interface version has protected memory and mirrored allocations. */
    bool room = vpr_allows(adapter, allocation, segment);
    for (size_t i = 0; i < count && room && pass == PASS_LOWER; i++) {
        if (free_place(adapter, allocation, &searches[i], &found->place)) {
            found->search = &searches[i];
            residency_tell_candidate(adapter, allocation, found, pass, "free");
            return true;
        }
    }
    if (evict_plan(adapter, allocation, searches, count, pass, found)) {
        residency_tell_candidate(adapter, allocation, found, pass, "room");
        return true;
    }
    const struct found_place none = { .search = &searches[0] };
    residency_tell_candidate(adapter, allocation, &none, pass, "full");
    return false;
}

bool find_place(adapter_t *adapter, const struct pageable *allocation,
                const struct vidmm_search *searches, size_t count, struct found_place *found)
{
    applies(adapter, RULE(PLACE_011));
    /* Soft-pinned ones leave only when no split can help any more. */
    enum placement_pass end =
        adapter->residency->miss == MISS_SPLITS ? PASS_SOFT_PINNED : PASSES_END;
    for (enum placement_pass pass = PASS_LOWER; pass < end; pass++) {
        for (size_t i = 0; i < count;) {
            size_t n = searches_of_segment(&searches[i], count - i);
            if (try_segment(adapter, allocation, &searches[i], n, pass, found))
                return true;
            i += n;
        }
    }
    return false;
}
