/* SPDX-License-Identifier: MIT */
/*
 * segments_ranges.c: ranges of a segment that nobody is placed in, from the start on: broken memory
 * (MINI-016), the paging buffers (SEG-052), and the reserve of a protected range (SEG-061). They
 * lie in the list `fixed` of the segment, count as used, and are never given back.
 *
 * The documentation does not say whether the question about broken memory is input or output of the
 * query: it is handed over as both, and the answer is read from the output.
 *
 * A protected range (VPR) lies in a memory segment and is made of whole multiples of its alignment;
 * 0 for an alignment means the page of the segment. The reserve is taken from the start of the
 * range, whole pages: it is never free, CreateInVpr uses what follows it (FLAG-059), and what is
 * not protected may lie there too. On an aperture the flag describes nothing and is ignored.
 *
 * Rules not named below: MINI-002, PLACE-020.
 */

#include "paging/store/store.h"
#include "vidmm/adapter/segments_start.h"

typedef unsigned long long ull;

/* ---- broken memory -------------------------------------------------------------------------- */

static vidmm_status take_invalid(adapter_t *adapter, uint32_t id, const DXGK_MEMORYRANGE *invalid)
{
    const struct vidmm_segment_desc *desc = &segment_at(adapter, id)->desc;
    struct range range = { invalid->SegmentOffset, invalid->SizeInBytes };
    bool inside =
        range.bytes && range.offset < desc->bytes && range.bytes <= desc->bytes - range.offset &&
        is_aligned(range.offset, desc->page_bytes) && is_aligned(range.bytes, desc->page_bytes);
    if (!inside || !places_take_fixed(adapter, id, range))
        return refuse(adapter, RULE(SEG_065), STATUS_INVALID_PARAMETER,
                      "%s: the invalid range 0x%llx, 0x%llx bytes long, is not made of pages of it "
                      "or given twice",
                      segment_name(adapter, id), (ull)range.offset, (ull)range.bytes);
    EMIT(adapter, PLACE, RULE(SEG_065), 0, f_segment("segment", id), f_hex("offset", range.offset),
         f_bytes("bytes", range.bytes), f_word("kind", "invalid"));
    return STATUS_SUCCESS;
}

static vidmm_status ask_ranges(adapter_t *adapter, uint32_t id, uint32_t count,
                               DXGK_MEMORYRANGE *ranges)
{
    DXGK_QUERYSEGMENTMEMORYSTATE in = { .DriverSegmentId = (USHORT)segment_driver_id(adapter, id) };
    in.PhysicalAdapterIndex = (USHORT)segment_adapter(adapter, id);
    in.NumInvalidMemoryRanges = count;
    in.pMemoryRanges = ranges;
    DXGK_SEGMENTMEMORYSTATE out = in;
    DXGKARG_QUERYADAPTERINFO arg = {
        .Type = DXGKQAITYPE_SEGMENTMEMORYSTATE,
        .pInputData = &in,
        .InputDataSize = sizeof in,
        .pOutputData = &out,
        .OutputDataSize = sizeof out,
    };
    NTSTATUS answer = start_query(adapter, &arg);
    const struct vidmm_field fields[] = {
        f_segment("DriverSegmentId", in.DriverSegmentId),
        f_number("NumInvalidMemoryRanges", out.NumInvalidMemoryRanges),
    };
    vidmm_status status = start_query_end(adapter, &arg, answer, fields, ARRAY_COUNT(fields));
    if (status || out.NumInvalidMemoryRanges == count)
        return status;
    return bugcheck(adapter, RULE(MINI_016), 0x10E, 0x2F, (uint64_t[3]){ id, 0, 0 },
                    "%s was announced with %u invalid ranges and has %u", segment_name(adapter, id),
                    count, out.NumInvalidMemoryRanges);
}

vidmm_status segments_invalid_ranges(adapter_t *adapter, const struct segment_answer *segment)
{
    uint32_t count = segment->invalid_ranges;
    if (!count)
        return STATUS_SUCCESS;
    /* As many as there are pages would leave nothing; also the bound of what is asked for. */
    if (count > min_u64(segment->bytes / adapter->setup->page, VIDMM_LIST_MAX))
        return refuse(adapter, RULE(SEG_065), STATUS_INVALID_PARAMETER,
                      "%s: %u invalid ranges are too many", segment_name(adapter, segment->id),
                      count);
    DXGK_MEMORYRANGE *ranges = base_alloc(count, sizeof *ranges);
    vidmm_status status = ask_ranges(adapter, segment->id, count, ranges);
    for (uint32_t i = 0; i < count && !status; i++)
        status = take_invalid(adapter, segment->id, &ranges[i]);
    base_free(ranges);
    return status;
}

/* ---- the paging buffers --------------------------------------------------------------------- */

/* Bottom-up, one after the other, before anything else is placed. */
static vidmm_status take_buffer(adapter_t *adapter, uint32_t id, uint64_t bytes)
{
    const struct segment *segment = segment_at(adapter, id);
    const struct vidmm_search search = {
        .segment = id,
        .high = segment->desc.bytes,
        .footprint = bytes,
        .alignment = segment->desc.page_bytes,
    };
    uint64_t offset;
    bool limited = segment_is_aperture(&segment->desc) &&
                   (bytes > segment->desc.limit - segment->committed_bytes ||
                    bytes > adapter->setup->shared_limit - places_committed(adapter));
    if (limited || !segment_find(segment, &search, &offset))
        return refuse(adapter, RULE(SEG_052), STATUS_INVALID_PARAMETER,
                      "%s has no room for %u paging buffers of %s", segment_name(adapter, id),
                      adapter->setup->paging_count, words_size(bytes).it);
    bool taken = places_take_fixed(adapter, id, (struct range){ offset, bytes });
    CHECK(taken);
    EMIT(adapter, PLACE, RULE(SEG_052), 0, f_segment("segment", id), f_hex("offset", offset),
         f_bytes("bytes", bytes), f_word("direction", "bottom-up"), f_word("kind", "pagingbuffer"));
    return STATUS_SUCCESS;
}

vidmm_status segments_paging_buffers(adapter_t *adapter)
{
    uint32_t id = adapter->setup->paging_segment;
    vidmm_status status = STATUS_SUCCESS;
    uint64_t each = (uint64_t)adapter->setup->paging_bytes + adapter->setup->paging_private_bytes;
    if (adapter->setup->paging_count > VIDMM_PAGING_BUFFERS_MAX ||
        each * adapter->setup->paging_count > VIDMM_PAGING_POOL_BYTES_MAX)
        return refuse(adapter, RULE(SEG_052), STATUS_INVALID_PARAMETER,
                      "%u paging buffers of %s are more than an adapter can have",
                      adapter->setup->paging_count, words_size(each).it);
    if (!id)
        return STATUS_SUCCESS;
    uint64_t bytes =
        align_up(adapter->setup->paging_bytes, segment_at(adapter, id)->desc.page_bytes);
    for (uint32_t i = 0; i < adapter->setup->paging_count && !status; i++)
        status = take_buffer(adapter, id, bytes);
    return status;
}

/* ---- the protected range (VPR) -------------------------------------------------------------- */

static bool has_range(const struct segment_answer *segment)
{
    return segment->flags & VIDMM_SEGMENT_VprSupported && !(segment->flags & SEGMENT_APERTURE);
}

bool segments_vpr_broken(const struct segments_answer *answer, const struct segment_answer *segment)
{
    uint64_t page = segments_page(answer->adapter, segment->flags);
    uint64_t alignment = segment->vpr_alignment ? segment->vpr_alignment : page;
    uint64_t end;
    if (!has_range(segment))
        return false;
    bool aligned = segment->vpr_start % alignment == 0 && segment->vpr_bytes % alignment == 0 &&
                   is_aligned(segment->vpr_start, page) && is_aligned(segment->vpr_bytes, page);
    bool inside = segment->vpr_bytes && add_fits(segment->vpr_start, segment->vpr_bytes, &end) &&
                  end <= segment->bytes;
    return !aligned || !inside || segment->vpr_reserve > segment->vpr_bytes;
}

struct range segments_vpr_usable(const adapter_t *adapter, const struct segment_answer *segment)
{
    if (!has_range(segment))
        return (struct range){ 0, 0 };
    uint64_t reserve = align_up(segment->vpr_reserve, segments_page(adapter, segment->flags));
    return (struct range){ segment->vpr_start + reserve, segment->vpr_bytes - reserve };
}

vidmm_status segments_vpr_reserve(adapter_t *adapter, const struct segment_answer *segment)
{
    const struct vidmm_segment_desc *desc = segment_desc(adapter, segment->id);
    const struct range_tree *space = &segment_at(adapter, segment->id)->space;
    struct range hole;
    if (!has_range(segment))
        return STATUS_SUCCESS;
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
