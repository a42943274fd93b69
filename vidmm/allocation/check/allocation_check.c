/* SPDX-License-Identifier: MIT */
/*
 * allocation_check.c: is what a miniport answered to a creation legal, and is it odd?
 *
 * The checks run in the order of C3: all broken rules are listed, the first gives the status. What
 * is advice only comes after, and only for an answer that breaks nothing.
 *
 * The flag word is one word for both members of its union, so it does not show which one was filled
 * (FLAG-001): the driver may state it (vidmm_memory.h), else Flags is read below 2.0 and FlagsWddm2
 * from 2.0 on.
 *
 * Rules not named below: FLAG-059, FLAG-065.
 */
#include "vidmm/allocation/check/allocation_check.h"
#include "vidmm/allocation/check/check.h"

static void look_at_segments(struct answer *answer)
{
    for (uint32_t id = 1; id <= answer->adapter->setup->segments_each; id++) {
        const struct vidmm_segment_desc *desc = answer->adapter->setup->descs[id - 1];
        bool aperture = segment_is_aperture(desc);
        answer->existing |= segment_bit(id);
        answer->apertures |= aperture ? segment_bit(id) : 0;
        answer->pitch_aligned |= desc->flags & SEGMENT_PITCH_ALIGNMENT ? segment_bit(id) : 0;
        answer->large_paged |= desc->flags & SEGMENT_64KB_PAGES ? segment_bit(id) : 0;
        answer->invisible |=
            !aperture && !(desc->flags & SEGMENT_CPU_VISIBLE) ? segment_bit(id) : 0;
        answer->protected |= desc->vpr_end > desc->vpr_start ? segment_bit(id) : 0;
        answer->coherent |=
            desc->flags & SEGMENT_CACHE_COHERENT ? segment_bit(id) : 0; /* SEG-027 */
    }
}

static void look_at(const adapter_t *adapter, const DXGK_ALLOCATIONINFO *raw,
                    const struct allocation_request *request, struct answer *answer)
{
    const uint32_t preferred = raw->PreferredSegment.Value; /* 0: none, as most */
    *answer = (struct answer){
        .adapter = adapter,
        .raw = raw,
        .request = request,
        .range = request->range,
        .wddm = adapter->setup->caps.wddm,
        .wddm2_flags = request->wddm2_flags,
        .view = request->wddm2_flags ? VIDMM_FLAGS_ALLOCATION2_0 : VIDMM_FLAGS_ALLOCATION,
        .flags = raw->Flags.Value,
        .supported = raw->SupportedWriteSegmentSet,
    };
    if (answer->wddm < VIDMM_WDDM_2_0)
        answer->supported |= raw->SupportedReadSegmentSet;
    look_at_segments(answer);
    /* Larger than any segment can be, and far from where rounding would wrap. */
    const uint64_t beyond = UINT64_C(1) << 63;
    answer->named = answer->supported;
    for (unsigned i = 0; preferred && i < VIDMM_PREFERENCES_MAX; i++) {
        uint32_t id = preference_segment(preferred, i);
        answer->named |= id ? segment_bit(id) : 0;
    }
    answer->bytes = align_up(min_u64(raw->Size, beyond), adapter->setup->page);
    answer->pitch_bytes = min_u64(raw->PitchAlignedSize, beyond);
}

/* What is odd, but goes on: unless `strict` says no. */
static vidmm_status warn_odd(adapter_t *adapter, const struct answer *answer, const char *label)
{
    const DXGK_ALLOCATIONINFO *raw = answer->raw;
    const struct system_range *range = answer->range;
    bool existing = answer_has(answer, ALLOCATION_ANY_EXISTING);
    bool cached = answer_has(answer, ALLOCATION_CACHED);
    vidmm_status status = STATUS_SUCCESS;
    if (answer->wddm >= VIDMM_WDDM_2_0 &&
        raw->SupportedReadSegmentSet != raw->SupportedWriteSegmentSet)
        status = warn(adapter, RULE(ALLOC_021), 0,
                      "%s: from 2.0 on only the write set counts, the read set differs", label);
    if (!status && raw->HintedBank.Value && !answer_hinted_banks(answer))
        status = warn(adapter, RULE(ALLOC_028), 0,
                      "%s: HintedBank is ignored, SegmentId0 has no banks", label);
    if (!status && answer->wddm >= VIDMM_WDDM_2_0 && !answer->wddm2_flags)
        status = warn(adapter, RULE(FLAG_001), 0,
                      "%s: a driver of 2.0 or later should fill FlagsWddm2 and not Flags", label);
    if (!status && range && !existing)
        status = warn(adapter, RULE(FLAG_025), 0,
                      "%s: a range was given, but no flag asks for it: it is not used", label);
    if (!status && existing && range->cached != cached)
        status = warn(adapter, RULE(FLAG_026), 0,
                      !cached           ? "%s: the range is mapped cacheable, but Cached is not set"
                      : range->uncached ? "%s: Cached, but the range is mapped uncacheable"
                                        : "%s: Cached, but the range is mapped write-combined",
                      label);
    return status;
}

/* Rules that only say what an answer means: no refusal and no event names them. */
static void count_meanings(adapter_t *adapter, const struct answer *answer)
{
    static const struct {
        uint32_t flags;
        enum vidmm_rule rule;
    } rows[] = {
        { ALLOCATION_PROTECTED, RULE(FLAG_020) },     { ALLOCATION_ON_DEMAND, RULE(FLAG_007) },
        { ALLOCATION_FROM_END, RULE(FLAG_029) },      { ALLOCATION_CAPTURE, RULE(FLAG_041) },
        { ALLOCATION_ANY_EXISTING, RULE(ALLOC_010) },
    };
    const DXGK_ALLOCATIONINFOFLAGS2 flags2 = answer->raw->Flags2;
    bool view_c = answer->view == VIDMM_FLAGS_ALLOCATION2_0;
    applies(adapter, RULE(FLAG_002));
    applies(adapter, answer->wddm < VIDMM_WDDM_2_0 ? RULE(ALLOC_020) : RULE(ALLOC_021));
    applies(adapter, RULE(FLAG_014));
    for (size_t i = 0; i < ARRAY_COUNT(rows); i++)
        if (answer_has(answer, rows[i].flags))
            applies(adapter, rows[i].rule);
    if (answer->raw->PreferredSegment.Value)
        applies(adapter, RULE(ALLOC_022));
    if (answer->raw->HintedBank.Value)
        applies(adapter, RULE(ALLOC_030));
    if (!view_c && answer->wddm >= VIDMM_WDDM_2_0 &&
        answer_has(answer, VIDMM_ALLOCATION_LinkMirrored | VIDMM_ALLOCATION_LinkInstanced))
        applies(adapter, RULE(FLAG_051));
    if (view_c && answer_has(answer, VIDMM_ALLOCATION2_0_DisableLargePageMapping))
        applies(adapter, RULE(FLAG_058));
    if (flags2.DisablePartialResidency)
        applies(adapter, RULE(FLAG_066));
    if (flags2.RestrictedToSingleSegment)
        applies(adapter, RULE(FLAG_067));
    if (answer->request->primary)
        applies(adapter, RULE(ALLOC_042));
}

vidmm_status allocation_check(adapter_t *adapter, const DXGK_ALLOCATIONINFO *raw,
                              const struct allocation_request *request,
                              struct allocation_info *info)
{
    struct answer answer;
    look_at(adapter, raw, request, &answer);
    struct verdict verdict;
    verdict_begin(&verdict, adapter, request->label);
    check_alloc(&verdict, &answer);
    check_surface(&verdict, &answer);
    check_flag(&verdict, &answer);
    vidmm_status status = verdict_end(&verdict);
    if (!status)
        status = warn_odd(adapter, &answer, request->label);
    if (status)
        return status;
    count_meanings(adapter, &answer);
    *info = (struct allocation_info){
        .bytes = answer.bytes,
        .pitch_bytes = answer.pitch_bytes,
        .alignment = max_u64(raw->Alignment, adapter->setup->page),
        .hinted_bank = raw->HintedBank.Value,
        .preferred = raw->PreferredSegment.Value,
        .read_set = answer.wddm < VIDMM_WDDM_2_0 ? raw->SupportedReadSegmentSet
                                                 : raw->SupportedWriteSegmentSet,
        .write_set = raw->SupportedWriteSegmentSet,
        .eviction_set = raw->EvictionSegmentSet,
        .flags = answer.flags,
        .flags2 = raw->Flags2.Value,
        .view = answer.view,
        .priority = raw->AllocationPriority,
        .rename_limit = answer.wddm < VIDMM_WDDM_2_0 ? raw->MaximumRenamingListLength : 0,
        .physical = answer.wddm < VIDMM_WDDM_2_0 ? 0 : (uint8_t)raw->PhysicalAdapterIndex,
        .primary = request->primary,
    };
    return STATUS_SUCCESS;
}

vidmm_status allocation_check_update(adapter_t *adapter, const struct allocation *allocation,
                                     uint32_t set, uint32_t flags, uint32_t preferred)
{
    const struct pageable *pageable = &allocation->pageable;
    const struct allocation_info *info = &pageable->info;
    const DXGK_ALLOCATIONINFO raw = {
        .Alignment = (UINT)info->alignment,
        .Size = info->bytes,
        .PitchAlignedSize = info->pitch_bytes,
        .PreferredSegment.Value = preferred,
        .SupportedReadSegmentSet = set,
        .SupportedWriteSegmentSet = set,
        .Flags.Value = flags,
        .Flags2.Value = info->flags2,
        .PhysicalAdapterIndex = info->physical,
    };
    const struct allocation_request request = {
        .label = pageable->label,
        .wddm2_flags = info->view == VIDMM_FLAGS_ALLOCATION2_0,
        .primary = info->primary,
        .cross_adapter = pageable->kmt & VIDMM_KMT_CrossAdapter,
        .surface = allocation->surface,
        .shared = pageable->kmt & VIDMM_KMT_CreateShared,
    };
    struct answer answer;
    look_at(adapter, &raw, &request, &answer);
    struct verdict verdict;
    verdict_begin(&verdict, adapter, pageable->label);
    const struct preferences wrong = lasting_preferences(&answer);
    verdict_if(&verdict, RULE(ALLOC_053), wrong.unknown || wrong.unsupported,
               "a preferred segment lies outside of the supported set");
    lasting_alignment(&verdict, &answer);
    lasting_pitch(&verdict, &answer);
    if (info->primary)
        lasting_primary(&verdict, &answer);
    check_surface_set(&verdict, &answer);
    lasting_visible(&verdict, &answer);
    lasting_swizzled(&verdict, &answer);
    lasting_history_buffer(&verdict, &answer);
    lasting_notification(&verdict, &answer);
    lasting_protected(&verdict, &answer);
    lasting_shared_store(&verdict, &answer);
    lasting_room(&verdict, RULE(ALLOC_053), STATUS_NO_MEMORY, &answer);
    return verdict_end(&verdict);
}
