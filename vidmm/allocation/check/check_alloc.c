/* SPDX-License-Identifier: MIT */
/*
 * check_alloc.c: the ALLOC rules that an answer to a creation can break, one a line.
 *
 * Rules not named below: ALLOC-031, by its twin.
 */
#include "vidmm/allocation/check/allocation_check.h"

static const uint32_t preference_reserved = 0xC0000000;
enum { LARGE_PAGE = 64 * 1024 };

static bool no_handle(const struct answer *answer)
{
    return !answer->raw->hAllocation;
}

static bool odd_alignment(const struct answer *answer)
{
    return answer->raw->Alignment && !is_power_of_two(answer->raw->Alignment);
}

static bool small_alignment(const struct answer *answer)
{
    uint32_t alignment = answer->raw->Alignment;
    return (answer->supported & answer->large_paged) &&
           (!alignment || !is_aligned(alignment, LARGE_PAGE));
}

static bool no_size(const struct answer *answer)
{
    return !answer->raw->Size;
}

uint64_t answer_room(const struct answer *answer, uint32_t segment)
{
    const struct vidmm_segment_desc *desc = answer->adapter->setup->descs[segment - 1];
    bool pinned = answer_has(answer, ALLOCATION_OVERLAY | ALLOCATION_CAPTURE);
    uint64_t low = pinned ? desc->pin_start : 0, high = desc->bytes;
    if (answer_in_vpr(answer) && desc->vpr_end > desc->vpr_start) {
        low = max_u64(low, desc->vpr_start);
        high = min_u64(high, desc->vpr_end);
    }
    return low < high ? min_u64(high - low, desc->limit) : 0;
}

static bool fits_nowhere(const struct answer *answer)
{
    uint32_t candidates = answer->supported & answer->existing;
    if (!candidates || no_size(answer))
        return false;
    for (uint32_t id = 1; id <= answer->adapter->setup->segments_each; id++) {
        const struct vidmm_segment_desc *desc = answer->adapter->setup->descs[id - 1];
        /* A footprint of 0 is another mistake (ALLOC-017). */
        if ((candidates & segment_bit(id)) &&
            segment_footprint(desc, answer->bytes, answer->pitch_bytes) <= answer_room(answer, id))
            return false;
    }
    return true;
}

static bool small_pitch_size(const struct answer *answer)
{
    uint64_t pitch_bytes = answer->raw->PitchAlignedSize;
    return pitch_bytes && pitch_bytes < answer->raw->Size;
}

static bool no_pitch_size(const struct answer *answer)
{
    return !answer->raw->PitchAlignedSize && (answer->named & answer->pitch_aligned);
}

static bool unknown_segment(const struct answer *answer)
{
    const DXGK_ALLOCATIONINFO *raw = answer->raw;
    return ((answer->supported | raw->EvictionSegmentSet) & ~answer->existing) != 0;
}

static bool no_segment(const struct answer *answer)
{
    return !answer->supported;
}

static bool unknown_preference(const struct answer *answer)
{
    uint32_t preferred = answer->raw->PreferredSegment.Value;
    if (preferred & preference_reserved)
        return true;
    for (unsigned i = 0; i < VIDMM_PREFERENCES_MAX; i++)
        if (preference_segment(preferred, i) > answer->adapter->setup->segments_each)
            return true;
    return false;
}

static bool unsupported_preference(const struct answer *answer)
{
    uint32_t preferred = answer->raw->PreferredSegment.Value;
    for (unsigned i = 0; i < VIDMM_PREFERENCES_MAX; i++) {
        uint32_t id = preference_segment(preferred, i);
        if (id && id <= answer->adapter->setup->segments_each &&
            !(answer->supported & segment_bit(id)))
            return true;
    }
    return false;
}

static bool evicts_to_memory(const struct answer *answer)
{
    return (answer->raw->EvictionSegmentSet & answer->existing & ~answer->apertures) != 0;
}

static bool evicts_to_pitch_aligned(const struct answer *answer)
{
    return (answer->raw->EvictionSegmentSet & answer->pitch_aligned) != 0;
}

static bool unknown_bank(const struct answer *answer)
{
    uint32_t banks = answer_hinted_banks(answer);
    for (unsigned i = 0; banks && i < VIDMM_BANK_HINTS_MAX; i++)
        if (hinted_bank(answer->raw->HintedBank.Value, i) > banks)
            return true;
    return false;
}

static bool no_priority(const struct answer *answer)
{
    return !answer->raw->AllocationPriority;
}

static bool unknown_adapter(const struct answer *answer)
{
    return answer->wddm >= VIDMM_WDDM_2_0 &&
           answer->raw->PhysicalAdapterIndex >= answer->adapter->setup->link_count;
}

static bool odd_hint(const struct answer *answer)
{
    const DXGK_ALLOCATIONUSAGEHINT *hint = answer->raw->pAllocationUsageHint;
    uint32_t defined = vidmm_flags_defined(VIDMM_FLAGS_USAGE, answer->wddm);
    return hint && (!hint->Version || (hint->v1.Flags.Value & ~defined));
}

static bool primary_of_special_memory(const struct answer *answer)
{
    return answer->request->primary &&
           answer_has(answer, ALLOCATION_PERMANENT | ALLOCATION_CACHED | ALLOCATION_PROTECTED |
                                  ALLOCATION_ANY_EXISTING);
}

/* What the CPU reaches: memory that it sees, a host aperture, or system pages. */
static bool primary_out_of_reach(const struct answer *answer)
{
    const adapter_t *adapter = answer->adapter;
    if (!answer->request->primary || adapter->setup->caps.invisible_primary)
        return false;
    for (uint32_t id = 1; id <= adapter->setup->segments_each; id++)
        if ((answer->raw->SupportedWriteSegmentSet & answer->invisible & segment_bit(id)) &&
            !(adapter->setup->descs[id - 1]->flags & VIDMM_SEGMENT_SupportsCpuHostAperture))
            return true;
    return false;
}

const struct check allocation_checks[] = {
    { RULE(ALLOC_007), no_handle, "hAllocation is not set", 0 },
    { RULE(ALLOC_011), odd_alignment, "Alignment is no power of two", 0 },
    { RULE(ALLOC_012), small_alignment,
      "Alignment is no multiple of 64 KiB although a supported segment has pages of that size", 0 },
    { RULE(ALLOC_013), no_size, "Size is 0", 0 },
    { RULE(ALLOC_015), fits_nowhere, "no supported segment is ever large enough",
      STATUS_GRAPHICS_NO_VIDEO_MEMORY },
    { RULE(ALLOC_016), small_pitch_size, "PitchAlignedSize is less than Size", 0 },
    { RULE(ALLOC_017), no_pitch_size, "PitchAlignedSize is 0 but a PitchAlignment segment is named",
      0 },
    { RULE(ALLOC_018), unknown_segment, "a segment set names a segment that does not exist", 0 },
    { RULE(ALLOC_019), no_segment, "no segment is supported", 0 },
    { RULE(ALLOC_023), unknown_preference,
      "PreferredSegment names a segment that does not exist, or sets reserved bits", 0 },
    { RULE(ALLOC_024), unsupported_preference,
      "PreferredSegment names a segment outside of the supported set", 0 },
    { RULE(ALLOC_025), evicts_to_memory, "EvictionSegmentSet names a memory segment", 0 },
    { RULE(ALLOC_026), evicts_to_pitch_aligned, "EvictionSegmentSet names a PitchAlignment segment",
      0 },
    { RULE(ALLOC_029), unknown_bank, "HintedBank names a bank that SegmentId0 does not have", 0 },
    { RULE(PRIO_002), no_priority, "AllocationPriority is 0", 0 },
    { RULE(ALLOC_038), unknown_adapter,
      "PhysicalAdapterIndex, MaximumRenamingListLength below 2.0, names no adapter of the link",
      0 },
    { RULE(ALLOC_039), odd_hint, "the usage hint has Version 0, or sets reserved bits", 0 },
    { RULE(ALLOC_040), primary_of_special_memory,
      "a primary may not be PermanentSysMem, Cached, Protected or an existing range", 0 },
    { RULE(ALLOC_041), primary_out_of_reach,
      "the write set of a primary names memory that the CPU cannot reach", 0 },
    { VIDMM_RULE_NONE, NULL, NULL, 0 },
};
