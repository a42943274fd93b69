/* SPDX-License-Identifier: MIT */
/*
 * budget_group.c: which budget does a segment count for?
 *
 * The two bits of the newer form say it; ApplicationTarget is the older form, which leaves it to
 * the kind of the segment. A segment without a mark counts for no budget.
 *
 * Rules not named below: RES-044.
 */
#include "vidmm/adapter/adapter.h"

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
