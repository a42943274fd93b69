/* SPDX-License-Identifier: MIT */
/*
 * lock_write.c: what the CPU writes under a lock, and what it may still do while the driver has the
 * adapter for itself.
 */
#include "paging/store/store.h"
#include "vidmm/cpu/cpu.h"
#include "vidmm/cpu/lock.h"

/* ---- writing -------------------------------------------------------------------------------- */

void lock_watch(adapter_t *adapter, struct allocation *allocation,
                const struct vidmm_lock_args *args)
{
    if (!(allocation->pageable.kmt & VIDMM_KMT_WriteWatch) || (args->flags & VIDMM_LOCK_ReadOnly))
        return;
    applies(adapter, RULE(KMT_023));
    for (size_t i = 0; i < args->page_runs; i++)
        page_set_add(&allocation->cpu.written, args->pages[i].first, args->pages[i].count);
    if (!args->page_runs)
        page_set_add(&allocation->cpu.written, 0,
                     allocation->pageable.info.bytes / adapter->setup->page);
}

void content_cpu_write(adapter_t *adapter, struct allocation *allocation, uint64_t first,
                       uint64_t pages, uint64_t stamp)
{
    const struct place *place = &allocation->pageable.place.at;
    uint64_t tag = stamp + first;
    content_set(&allocation_of(allocation->pageable.store.keeper)->pageable.store.content, first,
                pages, tag, 1);
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

bool lock_any_alternate(const struct allocation *allocation)
{
    for (const struct lock_record *lock = allocation->cpu.locks; lock; lock = lock->next)
        if (lock->flags & VIDMM_LOCK_UseAlternateVA)
            return true;
    return false;
}

vidmm_status exclude_lock(adapter_t *adapter, uint32_t flags)
{
    if (!exclude_holds(adapter))
        return adapter_usable(adapter);
    applies(adapter, RULE(LOCK_060));
    if (flags & VIDMM_LOCK_UseAlternateVA)
        return adapter_alive(adapter);
    return refuse(adapter, RULE(LOCK_060), STATUS_UNSUCCESSFUL,
                  "the driver has the adapter for itself: the lock would wait for the end of that");
}

vidmm_status exclude_access(adapter_t *adapter, const struct allocation *allocation)
{
    if (!exclude_holds(adapter))
        return adapter_usable(adapter);
    applies(adapter, RULE(LOCK_060));
    if (adapter_presence(adapter) == ADAPTER_EXCLUDED_EMPTY || lock_any_alternate(allocation))
        return adapter_alive(adapter);
    return refuse(adapter, RULE(LOCK_060), STATUS_UNSUCCESSFUL,
                  "the driver has the adapter for itself: access to %s is suspended",
                  allocation->pageable.label);
}
