/* SPDX-License-Identifier: MIT */
/*
 * coherency.c: the processor cache, and what the GPU sees of it.
 *
 * A memory segment, an AGP segment and an aperture without CacheCoherent do not look into the
 * cache of the processor. For an allocation that is Cached the manager flushes, at three moments:
 * after the CPU wrote, before a paging operation brings what it wrote there, and before the CPU
 * reads what the GPU wrote there. For an existing range that is cacheable and not Cached nobody
 * does: what the CPU wrote is not guaranteed from then on, and the first use by the GPU after a
 * write is a finding.
 *
 * What a store holds from its creation counts as flushed: only writes under the eyes of the manager
 * are written pages here.
 *
 * Rules not named below: FLAG-014.
 */
#include "paging/store/store.h"

#include <inttypes.h>
#include <stdio.h>

/* The type of its store; the kernel may force it (KMT-012). */
static bool is_cached(const struct pageable *allocation)
{
    const uint32_t forced = VIDMM_KMT_CreateCached | VIDMM_KMT_CreateWriteCombined;
    if (allocation->kmt & forced)
        return (allocation->kmt & VIDMM_KMT_CreateCached) != 0;
    return allocation_has(allocation, ALLOCATION_CACHED);
}

bool coherency_store_cached(const struct pageable *allocation)
{
    const struct system_range *existing = backing_of(allocation)->existing;
    return existing ? existing->cached : is_cached(allocation);
}

/* Is there a cache that we have to flush? An existing range is the caller's, but for Cached. */
static bool needs_flushes(const struct pageable *allocation)
{
    bool ours = !backing_of(allocation)->existing || allocation_has(allocation, ALLOCATION_CACHED);
    return ours && coherency_store_cached(allocation);
}

/* System memory itself, where all is that has no place, and apertures that are CacheCoherent: of
   memory the flag means nothing, and it is not kept (SEG-027). */
static bool looks_into_cache(const adapter_t *adapter, uint32_t segment)
{
    return !segment || (segment_desc(adapter, segment)->flags & SEGMENT_CACHE_COHERENT);
}

static bool lies_unseen(const adapter_t *adapter, const struct pageable *allocation)
{
    return !looks_into_cache(adapter, allocation->place.at.segment);
}

static void flush(adapter_t *adapter, const struct pageable *allocation, uint64_t bytes,
                  uint32_t segment, const char *reason)
{
    applies(adapter, RULE(PAGE_016));
    applies(adapter, RULE(TIME_020));
    count_up(adapter, VIDMM_COUNTER_CACHE_FLUSHES, 1);
    count_up(adapter, VIDMM_COUNTER_CACHE_FLUSH_BYTES, bytes);
    cpu_spend(adapter, cost_time(bytes, adapter->setup->cost.cpu_sys_rate));
    EMIT(adapter, FLUSH_CACHE, RULE(LOCK_045), allocation->handle, f_segment("segment", segment),
         f_bytes("bytes", bytes), f_number("pages", bytes / adapter->setup->page),
         f_word("reason", reason));
}

/* ---- Cached --------------------------------------------------------------------------------- */

void coherency_unlock(adapter_t *adapter, struct pageable *allocation)
{
    uint64_t pages = page_set_pages(&allocation->store.cpu_dirty);
    if (!pages || !needs_flushes(allocation))
        return;
    allocation->store.cpu_unflushed = !lies_unseen(adapter, allocation);
    if (!allocation->store.cpu_unflushed)
        flush(adapter, allocation, pages * adapter->setup->page, allocation->place.at.segment,
              "unlock");
}

void coherency_paging(adapter_t *adapter, struct pageable *allocation, uint32_t segment)
{
    bool written = allocation->store.cpu_unflushed || page_set_count(&allocation->store.cpu_dirty);
    if (!written || !needs_flushes(allocation) || looks_into_cache(adapter, segment))
        return;
    allocation->store.cpu_unflushed = false;
    flush(adapter, allocation, allocation->info.bytes, segment, "paging");
}

static uint64_t locked_pages(const adapter_t *adapter, const struct pageable *allocation,
                             const struct vidmm_lock_args *args)
{
    struct page_set set = { 0 };
    if (!args->page_runs)
        return allocation->info.bytes / adapter->setup->page;
    for (size_t i = 0; i < args->page_runs; i++)
        page_set_add(&set, args->pages[i].first, args->pages[i].count);
    uint64_t pages = page_set_pages(&set);
    page_set_fini(&set);
    return pages;
}

void coherency_lock(adapter_t *adapter, struct pageable *allocation,
                    const struct vidmm_lock_args *args)
{
    if (!allocation->store.gpu_unflushed || (args->flags & VIDMM_LOCK_WriteOnly))
        return;
    allocation->store.gpu_unflushed = false;
    flush(adapter, allocation, locked_pages(adapter, allocation, args) * adapter->setup->page,
          allocation->place.at.segment, "lock");
}

/* ---- an existing range that nobody keeps coherent ------------------------------------------- */

void coherency_cpu_wrote(struct pageable *allocation, uint64_t first, uint64_t pages)
{
    allocation->store.cpu_unflushed = true;
    if (coherency_store_cached(allocation) && !needs_flushes(allocation))
        page_set_add(&allocation->store.owner->store.uncertain, first, pages);
}

/* "page 3", "pages 3 to 5", "page 3 and 7 others". */
static void name_pages(const struct page_set *set, char *text, size_t bytes)
{
    uint64_t first = page_set_runs(set)[0].first, others = page_set_pages(set) - 1;
    if (!others)
        (void)snprintf(text, bytes, "page %" PRIu64, first);
    else if (page_set_count(set) == 1)
        (void)snprintf(text, bytes, "pages %" PRIu64 " to %" PRIu64, first, first + others);
    else
        (void)snprintf(text, bytes, "page %" PRIu64 " and %" PRIu64 " other%s", first, others,
                       others > 1 ? "s" : "");
}

void coherency_gpu_reads(adapter_t *adapter, struct pageable *allocation)
{
    const struct page_set *uncertain = &allocation->store.owner->store.uncertain;
    char pages[80];
    if (!allocation->store.cpu_unflushed || !page_set_count(uncertain))
        return;
    allocation->store.cpu_unflushed = false;
    name_pages(uncertain, pages, sizeof pages);
    finding(adapter, RULE(FLAG_026), allocation->handle,
            "the GPU uses %s of %s after the CPU wrote there: the existing range is cacheable, "
            "Cached is not set, and nothing keeps it coherent",
            pages, allocation->label);
}

void coherency_gpu_uses(adapter_t *adapter, struct pageable *allocation, bool write)
{
    if (place_in_aperture(adapter, &allocation->place.at))
        coherency_gpu_reads(adapter, allocation);
    if (write && needs_flushes(allocation) && lies_unseen(adapter, allocation))
        allocation->store.gpu_unflushed = true;
}
