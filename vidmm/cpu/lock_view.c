/* SPDX-License-Identifier: MIT */
/* lock_view.c: where do locks of an allocation lead now, and what do they bar? */
#include "vidmm/cpu/cpu.h"
#include "vidmm/cpu/lock.h"
#include "paging/schedule/schedule.h"
#include "vidmm/cpu/swizzle.h"

/* SWIZ-024: CpuVisible of an aperture counts for a primary without an alternate address. */
bool lock_through_aperture(const adapter_t *adapter, const struct allocation *allocation)
{
    return allocation->pageable.info.primary &&
           !allocation_is(&allocation->pageable, ALLOCATION_ALTERNATE_VA) &&
           !adapter->setup->caps.section_backed_primary &&
           allocation->pageable.store.state == ALLOCATION_RESIDENT &&
           place_in_aperture(adapter, &allocation->pageable.place.at) &&
           lock_cpu_reaches(adapter, allocation);
}

bool lock_shows_segment(const adapter_t *adapter, const struct allocation *allocation)
{
    if (!lock_in_memory(adapter, allocation) || !allocation->pageable.place.at.run_count)
        return false;
    if (allocation->cpu.lock_view == VIDMM_VIEW_RANGE ||
        allocation->cpu.lock_view == VIDMM_VIEW_ALTERNATE)
        return true;
    if (allocation->cpu.lock_view == VIDMM_VIEW_HOST_APERTURE)
        return allocation->cpu.host != NULL;
    if (!lock_cpu_reaches(adapter, allocation))
        return false;
    if (allocation->cpu.lock_count)
        return allocation->cpu.lock_view == VIDMM_VIEW_SEGMENT;
    return !allocation_is_permanent(&allocation->pageable);
}

vidmm_status lock_follow_eviction(adapter_t *adapter, struct allocation *allocation)
{
    uint32_t node = adapter->setup->caps.paging_node;
    /* A range is given up only when the content has arrived: SWIZ-009. */
    bool direct = allocation->cpu.lock_view == VIDMM_VIEW_SEGMENT ||
                  allocation->cpu.lock_view == VIDMM_VIEW_HOST_APERTURE;
    if (!direct || lock_shows_segment(adapter, allocation) ||
        lock_through_aperture(adapter, allocation))
        return STATUS_SUCCESS;
    vidmm_status status = STATUS_SUCCESS;
    if (allocation->pageable.transfer.marks[node] > sync_last_completed(adapter, node))
        status =
            sync_fence(adapter, node, allocation->pageable.transfer.marks[node],
                       VIDMM_WAIT_LOCK_SUSPENDED, RULE(PAGE_029), allocation->pageable.creator);
    if (status)
        return status; /* still suspended */
    allocation->cpu.lock_view = VIDMM_VIEW_BACKING;
    applies(adapter, RULE(LOCK_036));
    return STATUS_SUCCESS;
}

bool lock_counts(const struct allocation *allocation)
{
    return allocation->cpu.lock_count && !swizzle_keeps(allocation);
}

bool lock_bars_gpu(const struct allocation *allocation)
{
    const struct lock_record *record = allocation->cpu.locks;
    if (!lock_counts(allocation))
        return false;
    if (record && allocation_is(&allocation->pageable, ALLOCATION_SWIZZLED))
        return true;
    while (record && !(record->flags & LOCK_ACQUIRE))
        record = record->next;
    return record != NULL;
}

uint32_t lock_cpu_use(const struct allocation *allocation)
{
    const struct cpu_part *cpu = &allocation->cpu;
    uint32_t uses = allocation_given_up(allocation) ? CPU_GIVEN_UP : 0u;
    if (!cpu->locks && !cpu->ranges && !cpu->alternate && !cpu->unswizzle)
        return uses; /* like nearly all, at every reference */
    return uses | (lock_counts(allocation) ? CPU_LOCKED : 0u) |
           (lock_bars_gpu(allocation) ? CPU_BARS_GPU : 0u) |
           (alternate_in_use(allocation) ? CPU_ALTERNATE : 0u) |
           (swizzle_unswizzles(allocation) ? CPU_UNSWIZZLES : 0u) |
           (cpu->lock_count ? CPU_HOLDS : 0u) | (cpu->ranges ? CPU_RANGES : 0u) |
           (alternate_holds(allocation) ? CPU_ELSEWHERE : 0u);
}

const char *lock_view_word(const struct allocation *allocation)
{
    static const char *const words[] = {
        [VIDMM_VIEW_NONE] = "none",           [VIDMM_VIEW_BACKING] = "backing",
        [VIDMM_VIEW_SEGMENT] = "segment",     [VIDMM_VIEW_RANGE] = "range",
        [VIDMM_VIEW_ALTERNATE] = "alternate", [VIDMM_VIEW_HOST_APERTURE] = "host-aperture",
    };
    return words[allocation->cpu.lock_view];
}

/* SEG-022: the CPU sees a memory segment at CpuTranslatedAddress. */
uint64_t lock_cpu_address(adapter_t *adapter, const struct allocation *allocation)
{
    if (allocation->cpu.lock_view == VIDMM_VIEW_HOST_APERTURE)
        return host_aperture_address(adapter, allocation);
    if (allocation->cpu.lock_view != VIDMM_VIEW_SEGMENT)
        return 0;
    applies(adapter, RULE(SEG_022));
    return segment_desc(adapter, allocation->pageable.place.at.segment)->cpu_base +
           place_runs(&allocation->pageable.place.at)[0].offset;
}
