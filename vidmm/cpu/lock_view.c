/* SPDX-License-Identifier: MIT */
/* lock_view.c: where do locks of an allocation lead now, and what do they bar? */
#include "vidmm/cpu/lock.h"
#include "vidmm/cpu/swizzle.h"

/* SWIZ-024: CpuVisible of an aperture counts for a primary without an alternate address. */
bool lock_through_aperture(const adapter_t *adapter, const struct allocation *allocation)
{
    return allocation->info.primary && !allocation_is(allocation, ALLOCATION_ALTERNATE_VA) &&
           !adapter->setup->caps.section_backed_primary &&
           allocation->state == ALLOCATION_RESIDENT &&
           place_in_aperture(adapter, &allocation->place) && lock_cpu_reaches(adapter, allocation);
}

bool lock_shows_segment(const adapter_t *adapter, const struct allocation *allocation)
{
    if (!lock_in_memory(adapter, allocation) || !allocation->place.run_count)
        return false;
    if (allocation->lock_view == VIDMM_VIEW_RANGE || allocation->lock_view == VIDMM_VIEW_ALTERNATE)
        return true;
    if (allocation->lock_view == VIDMM_VIEW_HOST_APERTURE)
        return allocation->host != NULL;
    if (!lock_cpu_reaches(adapter, allocation))
        return false;
    if (allocation->lock_count)
        return allocation->lock_view == VIDMM_VIEW_SEGMENT;
    return !allocation_is_permanent(allocation);
}

bool lock_counts(const struct allocation *allocation)
{
    return allocation->lock_count && !swizzle_keeps(allocation);
}

bool lock_bars_gpu(const struct allocation *allocation)
{
    const struct lock_record *record = allocation->locks;
    if (!lock_counts(allocation))
        return false;
    if (record && allocation_is(allocation, ALLOCATION_SWIZZLED))
        return true;
    while (record && !(record->flags & LOCK_ACQUIRE))
        record = record->next;
    return record != NULL;
}

uint32_t lock_cpu_use(const struct allocation *allocation)
{
    return (lock_counts(allocation) ? CPU_LOCKED : 0u) |
           (lock_bars_gpu(allocation) ? CPU_BARS_GPU : 0u) |
           (alternate_in_use(allocation) ? CPU_ALTERNATE : 0u) |
           (swizzle_unswizzles(allocation) ? CPU_UNSWIZZLES : 0u);
}

const char *lock_view_word(const struct allocation *allocation)
{
    static const char *const words[] = {
        [VIDMM_VIEW_NONE] = "none",           [VIDMM_VIEW_BACKING] = "backing",
        [VIDMM_VIEW_SEGMENT] = "segment",     [VIDMM_VIEW_RANGE] = "range",
        [VIDMM_VIEW_ALTERNATE] = "alternate", [VIDMM_VIEW_HOST_APERTURE] = "host-aperture",
    };
    return words[allocation->lock_view];
}

/* SEG-022: the CPU sees a memory segment at CpuTranslatedAddress. */
uint64_t lock_cpu_address(adapter_t *adapter, const struct allocation *allocation)
{
    if (allocation->lock_view == VIDMM_VIEW_HOST_APERTURE)
        return host_aperture_address(adapter, allocation);
    if (allocation->lock_view != VIDMM_VIEW_SEGMENT)
        return 0;
    applies(adapter, RULE(SEG_022));
    return segment_desc(adapter, allocation->place.segment)->cpu_base +
           place_runs(&allocation->place)[0].offset;
}
