/* SPDX-License-Identifier: MIT */
/*
 * check_alloc.c: the ALLOC rules that an answer to a creation can break: sizes, segments,
 * primaries.
 *
 * Rules not named below: ALLOC-031, by its twin.
 */
#include "vidmm/allocation/check/allocation_check.h"

/* ---- sizes ---------------------------------------------------------------------------------- */

static void check_sizes(struct verdict *verdict, const struct answer *answer)
{
    const DXGK_ALLOCATIONINFO *raw = answer->raw;
    verdict_if(verdict, RULE(ALLOC_011), raw->Alignment && !is_power_of_two(raw->Alignment),
               "Alignment is no power of two");
    lasting_alignment(verdict, answer);
    verdict_if(verdict, RULE(ALLOC_013), !raw->Size, "Size is 0");
    if (raw->Size)
        lasting_room(verdict, RULE(ALLOC_015), STATUS_GRAPHICS_NO_VIDEO_MEMORY, answer);
    verdict_if(verdict, RULE(ALLOC_016), raw->PitchAlignedSize && raw->PitchAlignedSize < raw->Size,
               "PitchAlignedSize is less than Size");
    lasting_pitch(verdict, answer);
}

/* ---- segments ------------------------------------------------------------------------------- */

static void check_preferences(struct verdict *verdict, const struct answer *answer)
{
    const char *outside = "PreferredSegment names a segment outside of the supported set";
    const struct preferences wrong = lasting_preferences(answer);
    verdict_if(verdict, RULE(ALLOC_023), wrong.unknown,
               "PreferredSegment names a segment that does not exist, or sets reserved bits");
    verdict_if(verdict, RULE(ALLOC_024), wrong.unsupported, outside);
    if (wrong.unsupported) /* where the real manager asserts (C4) */
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
    uint32_t special =
        ALLOCATION_PERMANENT | ALLOCATION_CACHED | ALLOCATION_PROTECTED | ALLOCATION_ANY_EXISTING;
    if (answer_has(answer, special))
        verdict_add(verdict, RULE(ALLOC_040), STATUS_INVALID_PARAMETER,
                    "a primary may not have the flags %s", answer_flags(answer, special).it);
    lasting_primary(verdict, answer);
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
