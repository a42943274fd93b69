/* SPDX-License-Identifier: MIT */
/*
 * lock_view.c: where locks of an allocation lead now, what they bar, what the CPU writes under
 * them, and what it may still do while the driver has the adapter for itself.
 */
#include "paging/schedule/schedule.h"
#include "paging/store/store.h"
#include "vidmm/cpu/cpu.h"
#include "vidmm/cpu/cpu_state.h"
#include "vidmm/cpu/lock.h"
#include "vidmm/cpu/swizzle.h"

/* SWIZ-024: CpuVisible of an aperture counts for a primary without an alternate address. */
bool lock_through_aperture(const adapter_t *adapter, const struct allocation *allocation)
{
    const struct pageable *pageable = &allocation->pageable;
    return pageable->info.primary && !allocation_is(pageable, ALLOCATION_ALTERNATE_VA) &&
           !adapter->setup->caps.section_backed_primary &&
           place_in_aperture(adapter, &pageable->place.at) && lock_cpu_reaches(adapter, allocation);
}

bool lock_shows_segment(const adapter_t *adapter, const struct allocation *allocation)
{
    if (!lock_in_memory(adapter, allocation))
        return false;
    if (cpu_of(allocation)->lock_view == VIDMM_VIEW_RANGE ||
        cpu_of(allocation)->lock_view == VIDMM_VIEW_ALTERNATE)
        return true;
    if (cpu_of(allocation)->lock_view == VIDMM_VIEW_HOST_APERTURE)
        return cpu_of(allocation)->host != NULL;
    if (!lock_cpu_reaches(adapter, allocation))
        return false;
    if (cpu_of(allocation)->lock_count)
        return cpu_of(allocation)->lock_view == VIDMM_VIEW_SEGMENT;
    return !allocation_is_permanent(&allocation->pageable);
}

/* Pages of the host aperture may stay until the GPU is done with it (RES-074). */
void lock_end_view(adapter_t *adapter, struct allocation *allocation)
{
    cpu_va_unlock(adapter, allocation);
    host_aperture_offer(adapter, allocation);
    if (allocation->cpu)
        allocation->cpu->lock_view = VIDMM_VIEW_NONE;
}

vidmm_status lock_follow_eviction(adapter_t *adapter, struct allocation *allocation,
                                  struct device *device)
{
    uint32_t node = adapter->setup->caps.paging_node;
    /* A range is given up only when the content has arrived: SWIZ-009. */
    bool direct = cpu_of(allocation)->lock_view == VIDMM_VIEW_SEGMENT ||
                  cpu_of(allocation)->lock_view == VIDMM_VIEW_HOST_APERTURE;
    /* An alternate address stays, and must not be written before the content stands there. */
    if (!(direct || alternate_in_use(allocation)) || lock_shows_segment(adapter, allocation) ||
        lock_through_aperture(adapter, allocation))
        return STATUS_SUCCESS;
    vidmm_status status = STATUS_SUCCESS;
    if (allocation->pageable.transfer.fences[node] > fences_of(adapter)->completed[node])
        status = schedule_wait_fence(adapter, node, allocation->pageable.transfer.fences[node],
                                     VIDMM_WAIT_LOCK_SUSPENDED, RULE(PAGE_029), device);
    if (status)
        return status; /* still suspended */
    if (!direct)
        return STATUS_SUCCESS;
    cpu_own(allocation)->lock_view = VIDMM_VIEW_BACKING;
    applies(adapter, RULE(LOCK_036));
    return STATUS_SUCCESS;
}

VIDMM_APART static uint32_t uses_of(const struct allocation *allocation,
                                    const struct allocation *whole)
{
    const struct pageable *pageable = &allocation->pageable;
    const struct cpu_part *cpu = cpu_of(allocation);
    /* RENAME-012: nothing asks any more what a retired instance holds. */
    uint32_t uses = rename_of(whole)->retired && !cpu_of(whole)->lock_count ? CPU_GIVEN_UP : 0u;
    if (!cpu->locks && !cpu->ranges && !cpu->alternate && !cpu->unswizzle)
        return uses;
    bool counts = cpu->lock_count && !swizzle_keeps(allocation);
    bool bars = counts && (allocation_is(pageable, ALLOCATION_SWIZZLED) ||
                           lock_has(allocation, VIDMM_LOCK_AcquireAperture));
    return uses | (counts ? CPU_LOCKED : 0u) | (bars ? CPU_BARS_GPU : 0u) |
           (alternate_in_use(allocation) ? CPU_ALTERNATE : 0u) |
           (swizzle_unswizzles(allocation) ? CPU_UNSWIZZLES : 0u) |
           (cpu->lock_count ? CPU_HOLDS : 0u) | (cpu->ranges ? CPU_RANGES : 0u) |
           (alternate_holds(allocation) ? CPU_ELSEWHERE : 0u);
}

/* Nearly all are not used at all, and every reference asks. */
uint32_t lock_cpu_use(const struct pageable *pageable)
{
    const struct allocation *allocation = allocation_of(pageable);
    const struct allocation *whole = allocation_of(allocation_whole_of(pageable));
    return allocation->cpu || whole->rename.entry ? uses_of(allocation, whole) : 0;
}

const char *lock_view_word(const struct allocation *allocation)
{
    static const char *const words[] = {
        [VIDMM_VIEW_NONE] = "none",           [VIDMM_VIEW_BACKING] = "backing",
        [VIDMM_VIEW_SEGMENT] = "segment",     [VIDMM_VIEW_RANGE] = "range",
        [VIDMM_VIEW_ALTERNATE] = "alternate", [VIDMM_VIEW_HOST_APERTURE] = "host-aperture",
    };
    return words[cpu_of(allocation)->lock_view];
}

/* SEG-022: the CPU sees a memory segment at CpuTranslatedAddress. */
uint64_t lock_cpu_address(adapter_t *adapter, const struct lock_request *request)
{
    const struct allocation *allocation = request->allocation;
    if (request->range)
        return request->range->cpu; /* as the driver says */
    if (!allocation->pageable.place.at.run_count)
        return 0; /* in system pages, or suspended */
    if (cpu_of(allocation)->lock_view == VIDMM_VIEW_HOST_APERTURE)
        return host_aperture_address(adapter, allocation);
    if (cpu_of(allocation)->lock_view != VIDMM_VIEW_SEGMENT)
        return 0;
    applies(adapter, RULE(SEG_022));
    return segment_desc(adapter, allocation->pageable.place.at.segment)->cpu_base +
           place_runs(&allocation->pageable.place.at)[0].offset;
}

/* ---- writing -------------------------------------------------------------------------------- */

void content_cpu_write(adapter_t *adapter, struct allocation *allocation, uint64_t first,
                       uint64_t pages, uint64_t stamp)
{
    const struct place *place = &allocation->pageable.place.at;
    uint64_t tag = stamp + first;
    content_set(&allocation->pageable.store.owner->store.content, first, pages, tag, 1);
    content_written(&allocation->pageable);
    if (!lock_shows_segment(adapter, allocation)) {
        content_write_backing(adapter, &allocation->pageable, first, pages, tag, 1);
        return;
    }
    struct segment *segment = segment_at(adapter, place->segment);
    uint64_t at = 0;
    for (size_t i = 0; i < place->run_count; i++) {
        struct range run = place_runs(place)[i];
        uint64_t run_pages = run.bytes / adapter->setup->page;
        uint64_t low = max_u64(first, at), high = min_u64(first + pages, at + run_pages);
        if (low < high)
            page_store_write(&segment->pages, run.offset / adapter->setup->page + (low - at),
                             high - low, tag + (low - first), 1);
        at += run_pages;
    }
}

/* ---- the driver has the adapter for itself -------------------------------------------------- */

vidmm_status exclude_lock(adapter_t *adapter, uint32_t flags)
{
    if (adapter_presence(adapter) == ADAPTER_REMOVED && !adapter_stopped(adapter))
        return refuse(adapter, RULE(LOCK_028), STATUS_DEVICE_REMOVED, "the adapter is gone");
    if (!exclude_holds(adapter))
        return adapter_usable(adapter);
    if (flags & VIDMM_LOCK_UseAlternateVA)
        return STATUS_SUCCESS; /* lock_find() asks whether there was a stop */
    return refuse(adapter, RULE(LOCK_060), STATUS_UNSUCCESSFUL,
                  "the driver has the adapter for itself: the lock would wait for the end of that");
}

vidmm_status exclude_access(adapter_t *adapter, const struct allocation *allocation)
{
    if (!exclude_holds(adapter))
        return adapter_usable(adapter);
    if (adapter_presence(adapter) == ADAPTER_EXCLUDED_EMPTY ||
        lock_has(allocation, VIDMM_LOCK_UseAlternateVA))
        return adapter_alive(adapter);
    return refuse(adapter, RULE(LOCK_060), STATUS_UNSUCCESSFUL,
                  "the driver has the adapter for itself: access to %s is suspended",
                  allocation->pageable.label);
}
