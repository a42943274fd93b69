/* SPDX-License-Identifier: MIT */
/*
 * segments_vpr.c: the protected range of a memory segment (VPR), as the start sees it.
 *
 * The range lies in the segment and is made of whole multiples of its alignment; 0 for an alignment
 * means the page of the segment. The reserve is taken from the start of the range, whole pages: it
 * is never free, CreateInVpr uses what follows it (FLAG-059), and what is not protected may lie
 * there too. On an aperture the flag has nothing to describe and is ignored.
 *
 * Rules not named below: PLACE-020.
 */
#include "paging/store/store.h"
#include "vidmm/adapter/segments_start.h"

static bool has_range(const struct segment_answer *segment)
{
    return (segment->flags & SEGMENT_VPR) && !(segment->flags & (SEGMENT_APERTURE | SEGMENT_AGP));
}

static uint64_t page_of(const adapter_t *adapter, const struct segment_answer *segment)
{
    return segments_page(adapter, segment->flags);
}

bool segments_vpr_broken(const struct segments_answer *answer, const struct segment_answer *segment)
{
    uint64_t page = page_of(answer->adapter, segment);
    uint64_t alignment = segment->vpr_alignment ? segment->vpr_alignment : page;
    if (!has_range(segment) || segment->bytes == SEGMENTS_UNSET)
        return false;
    bool aligned = segment->vpr_start % alignment == 0 && segment->vpr_bytes % alignment == 0 &&
                   is_aligned(segment->vpr_start, page) && is_aligned(segment->vpr_bytes, page);
    bool inside = segment->vpr_bytes && segment->vpr_start < segment->bytes &&
                  segment->vpr_bytes <= segment->bytes - segment->vpr_start;
    return !aligned || !inside || segment->vpr_reserve > segment->vpr_bytes;
}

struct range segments_vpr_usable(const adapter_t *adapter, const struct segment_answer *segment)
{
    if (!has_range(segment))
        return (struct range){ 0, 0 };
    uint64_t reserve = align_up(segment->vpr_reserve, page_of(adapter, segment));
    return (struct range){ segment->vpr_start + reserve, segment->vpr_bytes - reserve };
}

vidmm_status segments_vpr_reserve(adapter_t *adapter, const struct segment_answer *segment)
{
    const struct vidmm_segment_desc *desc = segment_desc(adapter, segment->id);
    const struct range_tree *space = &segment_at(adapter, segment->id)->space;
    struct range hole;
    if (!has_range(segment))
        return STATUS_SUCCESS;
    applies(adapter, RULE(SEG_061));
    /* What is broken memory is taken already. */
    for (uint64_t at = segment->vpr_start; range_tree_next_hole(space, at, &hole);) {
        uint64_t start = max_u64(hole.offset, at);
        uint64_t end = min_u64(range_end(hole), desc->vpr_start);
        if (start >= end)
            break;
        bool taken = places_take_fixed(adapter, segment->id, (struct range){ start, end - start });
        CHECK(taken);
        EMIT(adapter, PLACE, RULE(SEG_061), 0, f_segment("segment", segment->id),
             f_hex("offset", start), f_bytes("bytes", end - start), f_word("kind", "reserve"));
        at = end;
    }
    return STATUS_SUCCESS;
}
