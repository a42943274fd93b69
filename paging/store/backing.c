/* SPDX-License-Identifier: MIT */
/*
 * backing.c: system pages, and the store of an allocation made of them.
 *
 * The machine's memory is one range of bytes; a store is one run of pages when a hole is large
 * enough, else the largest holes first, so that it has as few runs as possible. Runs given to
 * others count pages, not bytes. Page i of an allocation is page i of its runs, one after the
 * other.
 *
 * A released page is poisoned: content that nobody brought there again does not look right.
 *
 * A driver reads a memory descriptor list as any driver does: the page frame numbers follow the
 * structure. What only the manager knows stands in front of it, so no table of lists is needed.
 * Content is one tag a page and not bytes, so a mapping is memory that a driver may write and read,
 * and nothing more: the tags move on the bus.
 *
 * Rules not named below: ALLOC-013, PAGE-013.
 */
#include <stdio.h>

#include "paging/schedule/schedule.h"
#include "paging/store/store_state.h"

/* ---- system pages --------------------------------------------------------------------------- */

uint64_t system_start(adapter_t *adapter, uint64_t bytes)
{
    range_tree_init(&adapter->store->system_space, bytes, adapter->setup->page);
    page_store_init(&adapter->store->system_pages);
    /* Not the first one: an address that nobody filled in is not that of the dummy page. */
    range_tree_take(&adapter->store->system_space,
                    (struct range){ adapter->setup->page, adapter->setup->page });
    return 1;
}

void system_stop(adapter_t *adapter)
{
    if (adapter->store->system_space.bytes) {
        page_store_fini(&adapter->store->system_pages);
        range_tree_fini(&adapter->store->system_space);
    }
    base_free(adapter->store->stamps);
}

const struct range_tree *system_space(const adapter_t *adapter)
{
    return &adapter->store->system_space;
}

uint64_t system_page(const adapter_t *adapter, uint64_t page)
{
    return page_store_get(&adapter->store->system_pages, page);
}

void system_write(adapter_t *adapter, struct range pages, uint64_t tag)
{
    page_store_write(&adapter->store->system_pages, pages.offset, pages.bytes, tag, 1);
}

bool system_take_last(adapter_t *adapter, uint64_t bytes, struct range *run)
{
    const struct range_request request = { .bytes = bytes,
                                           .alignment = adapter->setup->page,
                                           .high = adapter->store->system_space.bytes,
                                           .from_end = true };
    struct range last = { .bytes = bytes };
    if (!range_tree_find(&adapter->store->system_space, &request, &last.offset))
        return false;
    range_tree_take(&adapter->store->system_space, last);
    *run = last;
    return true;
}

static bool take_run(adapter_t *adapter, uint64_t bytes, struct range *pages)
{
    struct range_tree *space = &adapter->store->system_space;
    uint64_t page = adapter->setup->page, highest = adapter->setup->caps.highest_address;
    /* Pages for the driver lie at or below HighestAcceptableAddress (MINI-019). */
    const struct range_request request = {
        .bytes = bytes,
        .alignment = page,
        .high = highest >= space->bytes ? space->bytes : align_down(highest + 1, page),
    };
    struct range run = { .bytes = bytes };
    if (!range_tree_find(space, &request, &run.offset))
        return false;
    range_tree_take(space, run);
    *pages = (struct range){ run.offset / page, bytes / page };
    return true;
}

void system_release(adapter_t *adapter, const struct range *runs, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        page_store_poison(&adapter->store->system_pages, runs[i].offset, runs[i].bytes);
        (void)range_tree_release(&adapter->store->system_space,
                                 (struct range){ runs[i].offset * adapter->setup->page,
                                                 runs[i].bytes * adapter->setup->page });
    }
}

/* Whole holes, the largest first, then a part of one. */
static size_t take_pieces(adapter_t *adapter, uint64_t bytes, struct range **runs)
{
    size_t count = 0, capacity = 0;
    struct range *pieces = NULL;
    while (bytes) {
        uint64_t piece = min_u64(bytes, range_tree_largest_hole(&adapter->store->system_space));
        struct range run;
        CHECK(piece); /* there are so many free bytes: the shrinker said so */
        if (!take_run(adapter, piece, &run)) {
            system_release(adapter, pieces, count);
            base_free(pieces);
            return 0;
        }
        BASE_GROW(pieces, capacity, count + 1);
        pieces[count++] = run;
        bytes -= piece;
    }
    *runs = pieces;
    return count;
}

size_t system_take(adapter_t *adapter, uint64_t pages, struct range **runs)
{
    struct range one;
    CHECK(pages);
    if (!take_run(adapter, pages * adapter->setup->page, &one)) {
        if (!adapter->shrinker->pages(adapter, pages * adapter->setup->page))
            return 0;
        return take_pieces(adapter, pages * adapter->setup->page, runs);
    }
    *runs = base_alloc(1, sizeof **runs);
    **runs = one;
    return 1;
}

vidmm_status system_refuse(adapter_t *adapter, enum vidmm_rule rule, uint64_t bytes,
                           const char *what, const char *label)
{
    char wanted[32] = "more";
    uint64_t page = adapter->setup->page;
    if (bytes)
        snprintf(wanted, sizeof wanted, "%llu", (unsigned long long)divide_up(bytes, page));
    return refuse(adapter, rule, STATUS_NO_MEMORY,
                  "system memory is exhausted: %s%s needs %s pages, and %llu are free", what, label,
                  wanted, (unsigned long long)(adapter->store->system_space.free_bytes / page));
}

/* ---- the store of an allocation ------------------------------------------------------------- */

static struct backing *backing_own(struct pageable *allocation)
{
    if (!allocation->store.backing)
        allocation->store.backing = base_alloc(1, sizeof *allocation->store.backing);
    return allocation->store.backing;
}

void backing_end(struct pageable *allocation)
{
    if (!allocation->store.backing)
        return;
    mdl_end(allocation->store.backing);
    base_free(allocation->store.backing->runs);
    base_free(allocation->store.backing);
    allocation->store.backing = NULL;
}

/* One run if there is one, else pieces; false: system memory is exhausted. */
static bool take_store(adapter_t *adapter, struct backing *backing, uint64_t bytes)
{
    backing->run_count = take_run(adapter, bytes, &backing->one);
    if (!backing->run_count) {
        if (!adapter->shrinker->pages(adapter, bytes))
            return false;
        /* Not needed where a hole opened meanwhile: pieces are several. */
        backing->run_count = take_run(adapter, bytes, &backing->one);
    }
    if (!backing->run_count)
        backing->run_count = take_pieces(adapter, bytes, &backing->runs);
    return backing->run_count != 0;
}

bool backing_populate(adapter_t *adapter, struct pageable *allocation)
{
    struct backing *backing = backing_own(allocation->store.owner);
    backing->release_due = RELEASE_NOT; /* needed again before the fence came (PAGE-011) */
    if (backing->populated)
        return true;
    uint64_t bytes = allocation->info.bytes;
    CHECK(bytes);
    if (!take_store(adapter, backing, bytes))
        return false;
    backing->pages = bytes / adapter->setup->page;
    backing->populated = true;
    applies(adapter, allocation_is_permanent(allocation) ? RULE(PAGE_012) : RULE(PAGE_011));
    gauge_change(adapter, VIDMM_COUNTER_BACKING_BYTES, (int64_t)bytes);
    return true;
}

static void release(adapter_t *adapter, struct pageable *allocation)
{
    const struct backing *backing = backing_of(allocation);
    CHECK(!backing->page_locks); /* PAGE-014 */
    if (!backing->populated || backing->existing)
        return;
    system_release(adapter, backing_runs(backing), backing->run_count);
    backing_end(allocation);
    gauge_change(adapter, VIDMM_COUNTER_BACKING_BYTES, -(int64_t)allocation->info.bytes);
}

static vidmm_status release_due(adapter_t *adapter, const struct deferred_work *work)
{
    struct pageable *allocation = work->allocation;
    if (backing_of(allocation)->release_due && !backing_of(allocation)->page_locks) {
        allocation->store.backing->release_due = RELEASE_NOT;
        release(adapter, allocation);
    }
    return STATUS_SUCCESS;
}

void backing_release_at_fence(adapter_t *adapter, struct pageable *allocation)
{
    backing_own(allocation)->release_due = RELEASE_AT_FENCE;
    schedule_defer(adapter, (struct deferred_work){ .run = release_due, .allocation = allocation });
}

void backing_release_unlocked(adapter_t *adapter, struct pageable *allocation)
{
    if (backing_of(allocation)->page_locks)
        allocation->store.backing->release_due = RELEASE_UNLOCKED; /* by backing_unlock() */
    else
        release(adapter, allocation);
}

void backing_adopt(adapter_t *adapter, struct pageable *allocation, struct system_range *range)
{
    struct backing *backing = backing_own(allocation);
    uint64_t left = allocation->info.bytes / adapter->setup->page;
    CHECK(!backing->populated && left <= range->page_count);
    *backing = (struct backing){ .pages = left, .populated = true, .existing = range };
    /* The range may be longer (FLAG-024): only what the allocation needs of it. */
    if (range->pages[0].bytes < left)
        backing->runs = base_alloc(range->run_count, sizeof *backing->runs);
    for (size_t i = 0; left; i++) {
        struct range run = { range->pages[i].offset, min_u64(range->pages[i].bytes, left) };
        left -= run.bytes;
        if (backing->runs)
            backing->runs[i] = run;
        backing->one = run;
        backing->run_count++;
    }
    range->multiple_stores |= range->users > 0;
    range->users++;
}

void backing_hand_over(adapter_t *adapter, struct pageable *allocation)
{
    gauge_change(adapter, VIDMM_COUNTER_BACKING_BYTES, -(int64_t)allocation->info.bytes);
    backing_end(allocation);
}

void backing_fini(adapter_t *adapter, struct pageable *allocation)
{
    const struct backing *backing = backing_of(allocation);
    CHECK(!backing->page_locks);
    if (backing->existing) {
        CHECK(backing->existing->users);
        backing->existing->users--;
    }
    release(adapter, allocation);
    backing_end(allocation);
}

/* ---- page locks ----------------------------------------------------------------------------- */

void backing_lock(adapter_t *adapter, struct pageable *allocation)
{
    struct backing *backing = allocation->store.owner->store.backing;
    CHECK(backing->populated);
    applies(adapter, RULE(PAGE_014));
    if (backing->page_locks++)
        return;
    gauge_change(adapter, VIDMM_COUNTER_LOCKED_PAGES, (int64_t)backing->pages);
}

/* A list of so many pages outlives its last page lock: each page that the CPU writes is an
   operation of its own (PAGE-036), and a list of all the others is not written for it again. */
enum { MDL_KEPT_PAGES = 4096 };

void backing_unlock(adapter_t *adapter, struct pageable *allocation)
{
    struct backing *backing = allocation->store.owner->store.backing;
    CHECK(backing->populated && backing->page_locks);
    if (--backing->page_locks)
        return;
    if (backing->pages < MDL_KEPT_PAGES)
        mdl_end(backing);
    else if (backing->mdl)
        MmUnmapLockedPages(backing->mdl->MappedSystemVa, backing->mdl);
    gauge_change(adapter, VIDMM_COUNTER_LOCKED_PAGES, -(int64_t)backing->pages);
    if (backing->release_due == RELEASE_UNLOCKED)
        schedule_defer(adapter, (struct deferred_work){ .run = release_due,
                                                        .allocation = allocation->store.owner });
}

/* ---- memory descriptor lists ---------------------------------------------------------------- */

struct block {
    const struct backing *backing;
    MDL mdl; /* and its page frame numbers */
};

static struct block *block_of(const MDL *mdl)
{
    return CONTAINER_OF(mdl, struct block, mdl);
}

static void list_pages(const struct backing *backing, PFN_NUMBER *numbers, uint64_t pages)
{
    uint64_t page = 0;
    for (size_t i = 0; i < backing->run_count; i++) {
        const struct range *run = &backing_runs(backing)[i];
        for (uint64_t k = 0; k < run->bytes && page < pages; k++)
            numbers[page++] = run->offset + k;
    }
    CHECK(page == pages);
}

MDL *mdl_of(const adapter_t *adapter, struct backing *backing)
{
    if (backing->mdl)
        return backing->mdl;
    uint64_t pages = min_u64(backing->pages, UINT32_MAX / adapter->setup->page);
    /* Not zeroed: every number of the list is written below. */
    struct block *block = base_realloc(NULL, 1, sizeof *block + pages * sizeof(PFN_NUMBER));
    *block = (struct block){ .backing = backing };
    block->mdl = (MDL){
        /* It has 16 bits: a list with more pages says as much as it can. */
        .Size = (CSHORT)min_u64(sizeof(MDL) + pages * sizeof(PFN_NUMBER), INT16_MAX & ~7),
        .MdlFlags = MDL_PAGES_LOCKED,
        .ByteCount = (ULONG)(pages * adapter->setup->page),
    };
    if (backing->existing) /* where its caller sees it */
        block->mdl.StartVa =
            (PVOID)(uintptr_t)align_down(backing->existing->address, adapter->setup->page);
    list_pages(backing, MmGetMdlPfnArray(&block->mdl), pages);
    return backing->mdl = &block->mdl;
}

void mdl_end(struct backing *backing)
{
    if (!backing->mdl)
        return;
    MmUnmapLockedPages(backing->mdl->MappedSystemVa, backing->mdl);
    base_free(block_of(backing->mdl));
    backing->mdl = NULL;
}

const struct backing *mdl_backing(const MDL *mdl)
{
    return block_of(mdl)->backing;
}

/* ---- what the kernel offers for any list ---------------------------------------------------- */

PVOID MmMapLockedPagesSpecifyCache(PMDL mdl, KPROCESSOR_MODE mode, MEMORY_CACHING_TYPE cache,
                                   PVOID requested, ULONG stop, ULONG priority)
{
    (void)mode;
    (void)cache;
    (void)requested;
    (void)stop;
    (void)priority;
    if (mdl->MdlFlags & MDL_MAPPED_TO_SYSTEM_VA)
        return mdl->MappedSystemVa;
    char *memory = base_alloc((size_t)mdl->ByteOffset + mdl->ByteCount, 1);
    mdl->MappedSystemVa = memory + mdl->ByteOffset;
    mdl->MdlFlags |= MDL_MAPPED_TO_SYSTEM_VA;
    return mdl->MappedSystemVa;
}

VOID MmUnmapLockedPages(PVOID address, PMDL mdl)
{
    if (!(mdl->MdlFlags & MDL_MAPPED_TO_SYSTEM_VA) || address != mdl->MappedSystemVa)
        return;
    base_free((char *)mdl->MappedSystemVa - mdl->ByteOffset);
    mdl->MappedSystemVa = NULL;
    mdl->MdlFlags &= (CSHORT)~MDL_MAPPED_TO_SYSTEM_VA;
}
