/* SPDX-License-Identifier: MIT */
/*
 * memory_report.c: how much memory does the adapter have, as it is reported?
 *
 * Three numbers that a query of segment sizes returns, and their sum:
 *   dedicated video    memory segments, but for those made of system memory
 *   dedicated system   those; at most what graphics may take of system memory at all
 *   shared             what apertures can map; also the commit limit over all of them
 *
 * They follow from the machine and from what the miniport reported, and never change.
 *
 * And which budget does a segment count for? The two bits of the newer form say it;
 * ApplicationTarget is the older form, which leaves it to the kind of the segment. A segment
 * without a mark counts for no budget.
 *
 * Rules not named below: RES-044, SEG-009.
 */
#include "paging/store/store.h"
#include "vidmm/adapter/adapter.h"
#include "vidmm/adapter/segments_start.h"
#include "vidmm/adapter/start_state.h"

static const uint64_t least_available = UINT64_C(64) << 20;

static uint64_t add_capped(uint64_t a, uint64_t b)
{
    uint64_t sum;
    return add_fits(a, b, &sum) ? sum : UINT64_MAX;
}

struct sums {
    uint64_t dedicated, from_system, apertures;
};

static void add_segment(adapter_t *adapter, struct sums *sums,
                        const struct vidmm_segment_desc *desc)
{
    if (desc->flags & VIDMM_SEGMENT_PopulatedByReservedDDRByFirmware)
        applies(adapter, RULE(SEG_064)); /* counts like any other memory */
    if (segment_is_aperture(desc))
        sums->apertures = add_capped(sums->apertures, desc->limit);
    else if (desc->flags & SEGMENT_FROM_SYSTEM_MEMORY)
        sums->from_system = add_capped(sums->from_system, desc->bytes);
    else
        sums->dedicated = add_capped(sums->dedicated, desc->bytes);
}

vidmm_status memory_report(adapter_t *adapter)
{
    struct setup *setup = adapter->setup;
    struct sums sums = { 0 };
    for (uint32_t id = 1; id <= setup->segment_count; id++)
        add_segment(adapter, &sums, segment_desc(adapter, id));
    adapter->start->available = max_u64(setup->config.machine.memory_bytes / 2, least_available);
    adapter->start->dedicated_video = sums.dedicated;
    adapter->start->dedicated_system = min_u64(sums.from_system, adapter->start->available);
    adapter->start->max_shared = adapter->start->available - adapter->start->dedicated_system;
    setup->shared_limit = min_u64(sums.apertures, adapter->start->max_shared);
    if (setup->caps.aperture_commit_limit)
        setup->shared_limit = min_u64(setup->shared_limit, setup->caps.aperture_commit_limit);
    static const enum vidmm_rule rules[] = { RULE(SEG_070), RULE(SEG_072), RULE(SEG_073),
                                             RULE(SEG_075), RULE(SEG_076), RULE(SEG_077) };
    for (size_t i = 0; i < ARRAY_COUNT(rules); i++)
        applies(adapter, rules[i]);
    if (sums.from_system <= adapter->start->available)
        return STATUS_SUCCESS;
    return warn(adapter, RULE(SEG_074), 0,
                "segments made of system memory exceed what graphics may take of it");
}

void vidmm_memory_report(const adapter_t *adapter, struct vidmm_memory_report *report)
{
    *report = (struct vidmm_memory_report){
        .system = adapter->setup->config.machine.memory_bytes,
        .available = adapter->start->available,
        .dedicated_video = adapter->start->dedicated_video,
        .dedicated_system = adapter->start->dedicated_system,
        .max_shared = adapter->start->max_shared,
        .shared = adapter->setup->shared_limit,
        .total = add_capped(add_capped(adapter->start->dedicated_video,
                                       adapter->start->dedicated_system),
                            adapter->setup->shared_limit),
        .committed = places_committed(adapter),
        .aperture_commit_limit = adapter->setup->caps.aperture_commit_limit,
    };
}

enum budget_group budget_group_of(const struct vidmm_segment_desc *desc)
{
    if (desc->flags & VIDMM_SEGMENT_LocalBudgetGroup)
        return BUDGET_LOCAL;
    if (desc->flags & VIDMM_SEGMENT_NonLocalBudgetGroup)
        return BUDGET_NON_LOCAL;
    if (desc->flags & VIDMM_SEGMENT_ApplicationTarget)
        return segment_is_aperture(desc) ? BUDGET_NON_LOCAL : BUDGET_LOCAL;
    return BUDGET_NONE;
}

const char *budget_group_word(enum budget_group group)
{
    static const char *const words[BUDGET_GROUPS] = { "local", "nonlocal", "none" };
    return words[group];
}

uint64_t budget_group_bytes(const adapter_t *adapter, enum budget_group group)
{
    uint64_t bytes = 0;
    for (uint32_t id = 1; id <= adapter->setup->segments_each; id++) {
        const struct vidmm_segment_desc *desc = segment_desc(adapter, id);
        if (budget_group_of(desc) == group && !add_fits(bytes, desc->limit, &bytes))
            return UINT64_MAX;
    }
    return bytes;
}
