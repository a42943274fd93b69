/* SPDX-License-Identifier: MIT */
/*
 * place_tell.c: what is told of a place that was just booked: event `place`, the rules that the
 * place shows and no other line decides, and to the placement policy that it was taken.
 */
#include "paging/store/store.h"

enum { LARGE_PAGE = 64 * 1024 };

/* Rules that a place shows and that no other line decides. */
static void count_place_rules(adapter_t *adapter, const struct pageable *allocation)
{
    const struct place *place = &allocation->place.at;
    const struct vidmm_segment_desc *desc = segment_desc(adapter, place->segment);
    applies(adapter, RULE(ALLOC_014));
    applies(adapter, RULE(SEG_021)); /* a location is a segment and an offset */
    if (desc->flags & SEGMENT_PITCH_ALIGNMENT)
        applies(adapter, RULE(SEG_028));
    if (allocation_is_overlay(allocation))
        applies(adapter, RULE(FLAG_038));
    if (places_held(adapter, place->segment)->fixed.count)
        applies(adapter, RULE(PLACE_020));
    for (uint32_t bank = 0; bank < desc->bank_count; bank++)
        if (place->one.offset < desc->bank_ends[bank] &&
            range_end(place->one) > desc->bank_ends[bank])
            applies(adapter, RULE(SEG_041)); /* across the edge of a bank */
}

bool needs_range(const adapter_t *adapter, const struct pageable *allocation, uint32_t segment)
{
    return adapter->setup->caps.wddm < VIDMM_WDDM_2_0 || allocation_is_mirrored(allocation) ||
           segment_is_aperture(segment_desc(adapter, segment)) ||
           allocation_has(allocation, ALLOCATION_ACCESSED_PHYSICALLY) ||
           allocation_is_contiguous(allocation) || allocation_is_overlay(allocation) ||
           allocation->info.primary || allocation->of_context;
}

/* Was there a place to choose for a policy? Single pages have none (PLACE-016), and what comes back
   to its old place (no footprint) was not searched for. */
static const struct vidmm_placement_policy *chosen_by(const adapter_t *adapter,
                                                      const struct pageable *allocation,
                                                      const struct vidmm_search *search)
{
    const struct vidmm_placement_policy *policy = places_policy(adapter);
    uint32_t segment = allocation->place.at.segment;
    bool searched = segment && search->footprint;
    return searched && needs_range(adapter, allocation, segment) ? policy : NULL;
}

static enum vidmm_rule place_rule(const struct place *place, const struct vidmm_search *search)
{
    return place->segment ? search->why : RULE(PLACE_017);
}

VIDMM_APART static void emit_place(adapter_t *adapter, const struct pageable *allocation,
                                   const struct vidmm_search *search,
                                   const struct vidmm_placement_policy *policy, bool large)
{
    const struct place *place = &allocation->place.at;
    const struct vidmm_field fields[] = {
        f_segment("segment", place->segment),
        f_hex("offset", place_offset(place)),
        f_bytes("bytes", place_bytes(allocation)),
        f_word("direction", search->from_end ? "top-down" : "bottom-up"),
        f_number("runs", place->run_count),
        f_word("pages", large ? "64k" : "4k"),
        f_hex("low", search->low),
        f_hex("high", search->high),
        f_text("policy", policy ? policy->name : ""), /* the last one: left out without a policy */
    };
    emit_fields(adapter, VIDMM_EVENT_PLACE, place_rule(place, search), allocation->handle, fields,
                ARRAY_COUNT(fields) - !policy);
}

void places_tell(adapter_t *adapter, const struct pageable *allocation,
                 const struct vidmm_search *search)
{
    const struct place *place = &allocation->place.at;
    const struct vidmm_placement_policy *policy = chosen_by(adapter, allocation, search);
    /* The segment has large pages, and the allocation consists of whole ones: it begins at one
       wherever it may lie in such a segment (ALLOC-012). */
    bool large = segment_desc(adapter, place->segment)->page_bytes >= LARGE_PAGE;
    if (large)
        applies(adapter, RULE(PLACE_018));
    large &= is_aligned(allocation->info.bytes, LARGE_PAGE);
    if (!policy)
        applies(adapter, RULE(PLACE_006));
    if (place->segment)
        count_place_rules(adapter, allocation);
    else
        applies(adapter, RULE(SEG_036));
    if (heard(adapter, VIDMM_EVENT_PLACE))
        emit_place(adapter, allocation, search, policy, large);
    if (policy)
        places_placed(adapter, search, place_offset(place));
}
