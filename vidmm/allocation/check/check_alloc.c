/* SPDX-License-Identifier: MIT */
/*
 * check_alloc.c: the ALLOC rules that an answer to a creation can break: sizes, segments,
 * primaries.
 *
 * Rules not named below: ALLOC-031, by its twin.
 */
#include "paging/store/store.h"
#include "vidmm/allocation/check/allocation_check.h"

static const uint32_t preference_reserved = 0xC0000000;
enum { LARGE_PAGE = 64 * 1024 };

/* ---- sizes ---------------------------------------------------------------------------------- */

/* The most that one allocation can ever take in this segment. */
static uint64_t room_in(const struct answer *answer, const struct vidmm_segment_desc *desc)
{
    bool pinned = answer_has(answer, ALLOCATION_OVERLAY | ALLOCATION_CAPTURE);
    uint64_t low = pinned ? desc->pin_start : 0, high = desc->bytes;
    if (answer_in_vpr(answer) && desc->vpr_end > desc->vpr_start) {
        low = max_u64(low, desc->vpr_start);
        high = min_u64(high, desc->vpr_end);
    }
    return low < high ? min_u64(high - low, desc->limit) : 0;
}

/* ALLOC-015: the sentence names the largest of the segments, and what it offers. */
static void check_room(struct verdict *verdict, const struct answer *answer)
{
    const struct setup *setup = answer->adapter->setup;
    const struct vidmm_segment_desc *best = NULL;
    uint64_t most = 0;
    for (uint32_t id = 1; id <= setup->segments_each; id++) {
        const struct vidmm_segment_desc *desc = setup->descs[id - 1];
        uint64_t room = room_in(answer, desc);
        if (!(answer->supported & answer->existing & segment_bit(id)))
            continue;
        /* A footprint of 0 is another mistake (ALLOC-017). */
        if (segment_footprint(desc, answer->bytes, answer->pitch_bytes) <= room)
            return;
        if (!best || room > most) {
            best = desc;
            most = room;
        }
    }
    if (!best)
        return; /* no segment is allowed at all: other rules refuse that */
    const char *why = answer_has(answer, ALLOCATION_OVERLAY | ALLOCATION_CAPTURE)
                          ? ", its pinned region, to an allocation of this kind"
                      : answer_in_vpr(answer)                     ? ", its protected range"
                      : most == best->limit && most < best->bytes ? ", its commit limit"
                                                                  : "";
    verdict_add(verdict, RULE(ALLOC_015), STATUS_GRAPHICS_NO_VIDEO_MEMORY,
                "no supported segment is ever large enough for %s: %s offers no more than %s%s",
                words_size(segment_footprint(best, answer->bytes, answer->pitch_bytes)).it,
                segment_name(answer->adapter, best->id), words_size(most).it, why);
}

static void check_sizes(struct verdict *verdict, const struct answer *answer)
{
    const DXGK_ALLOCATIONINFO *raw = answer->raw;
    verdict_if(verdict, RULE(ALLOC_011), raw->Alignment && !is_power_of_two(raw->Alignment),
               "Alignment is no power of two");
    verdict_if(verdict, RULE(ALLOC_012),
               (answer->supported & answer->large_paged) &&
                   (!raw->Alignment || !is_aligned(raw->Alignment, LARGE_PAGE)),
               "Alignment is no multiple of 64 KiB although a supported segment has pages of that "
               "size");
    verdict_if(verdict, RULE(ALLOC_013), !raw->Size, "Size is 0");
    if (raw->Size)
        check_room(verdict, answer);
    verdict_if(verdict, RULE(ALLOC_016), raw->PitchAlignedSize && raw->PitchAlignedSize < raw->Size,
               "PitchAlignedSize is less than Size");
    verdict_if(verdict, RULE(ALLOC_017),
               !raw->PitchAlignedSize && (answer->named & answer->pitch_aligned),
               "PitchAlignedSize is 0 but a PitchAlignment segment is named");
}

/* ---- segments ------------------------------------------------------------------------------- */

static void check_preferences(struct verdict *verdict, const struct answer *answer)
{
    const char *outside = "PreferredSegment names a segment outside of the supported set";
    uint32_t preferred = answer->raw->PreferredSegment.Value;
    bool unknown = preferred & preference_reserved, unsupported = false;
    if (!preferred) /* as most */
        return;
    for (unsigned i = 0; i < VIDMM_PREFERENCES_MAX; i++) {
        uint32_t id = preference_segment(preferred, i);
        if (id > answer->adapter->setup->segments_each)
            unknown = true;
        else
            unsupported |= id && !(answer->supported & segment_bit(id));
    }
    verdict_if(verdict, RULE(ALLOC_023), unknown,
               "PreferredSegment names a segment that does not exist, or sets reserved bits");
    verdict_if(verdict, RULE(ALLOC_024), unsupported, outside);
    if (unsupported) /* where the real manager asserts (C4) */
        finding(verdict->adapter, RULE(ALLOC_024), 0, "%s: %s", verdict->label, outside);
}

static void check_segments(struct verdict *verdict, const struct answer *answer)
{
    const DXGK_ALLOCATIONINFO *raw = answer->raw;
    uint32_t eviction = raw->EvictionSegmentSet, banks = answer_hinted_banks(answer);
    bool unknown_bank = false;
    verdict_if(verdict, RULE(ALLOC_018), (answer->supported | eviction) & ~answer->existing,
               "a segment set names a segment that does not exist");
    verdict_if(verdict, RULE(ALLOC_019), !answer->supported, "no segment is supported");
    check_preferences(verdict, answer);
    verdict_if(verdict, RULE(ALLOC_025), eviction & answer->existing & ~answer->apertures,
               "EvictionSegmentSet names a memory segment");
    verdict_if(verdict, RULE(ALLOC_026), eviction & answer->pitch_aligned,
               "EvictionSegmentSet names a PitchAlignment segment");
    for (unsigned i = 0; banks && i < VIDMM_BANK_HINTS_MAX; i++)
        unknown_bank |= hinted_bank(raw->HintedBank.Value, i) > banks;
    verdict_if(verdict, RULE(ALLOC_029), unknown_bank,
               "HintedBank names a bank that SegmentId0 does not have");
}

/* ---- the rest ------------------------------------------------------------------------------- */

static void check_primary(struct verdict *verdict, const struct answer *answer)
{
    const struct setup *setup = answer->adapter->setup;
    uint32_t special =
        ALLOCATION_PERMANENT | ALLOCATION_CACHED | ALLOCATION_PROTECTED | ALLOCATION_ANY_EXISTING;
    uint32_t invisible = answer->raw->SupportedWriteSegmentSet & answer->invisible;
    bool out_of_reach = false;
    if (answer_has(answer, special))
        verdict_add(verdict, RULE(ALLOC_040), STATUS_INVALID_PARAMETER,
                    "a primary may not have the flags %s", answer_flags(answer, special).it);
    /* What the CPU reaches: memory that it sees, a host aperture, or system pages. */
    for (uint32_t id = 1; id <= setup->segments_each; id++)
        out_of_reach |= (invisible & segment_bit(id)) &&
                        !(setup->descs[id - 1]->flags & VIDMM_SEGMENT_SupportsCpuHostAperture);
    verdict_if(verdict, RULE(ALLOC_041), out_of_reach && !setup->caps.invisible_primary,
               "the write set of a primary names memory that the CPU cannot reach");
}

void check_alloc(struct verdict *verdict, const struct answer *answer)
{
    const DXGK_ALLOCATIONINFO *raw = answer->raw;
    const DXGK_ALLOCATIONUSAGEHINT *hint = raw->pAllocationUsageHint;
    uint32_t usage = answer->adapter->setup->caps.defined[VIDMM_FLAGS_USAGE];
    verdict_if(verdict, RULE(ALLOC_007), !raw->hAllocation, "hAllocation is not set");
    check_sizes(verdict, answer);
    check_segments(verdict, answer);
    verdict_if(verdict, RULE(PRIO_002), !raw->AllocationPriority, "AllocationPriority is 0");
    verdict_if(verdict, RULE(ALLOC_038),
               answer->wddm >= VIDMM_WDDM_2_0 &&
                   raw->PhysicalAdapterIndex >= answer->adapter->setup->link_count,
               "PhysicalAdapterIndex, MaximumRenamingListLength below 2.0, names no adapter of the "
               "link");
    verdict_if(verdict, RULE(ALLOC_039),
               hint && (!hint->Version || (hint->v1.Flags.Value & ~usage)),
               "the usage hint has Version 0, or sets reserved bits");
    if (answer->request->primary)
        check_primary(verdict, answer);
}
