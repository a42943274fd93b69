/* SPDX-License-Identifier: MIT */
/*
 * content_check.c: is it there? Compares what pages hold with what they should hold; what that is
 * from now on, callers say here.
 *
 * Rules not named below: PAGE-005, PAGE-007.
 */
#include "paging/schedule/schedule.h"
#include "paging/store/pages.h"
#include "paging/store/store_state.h"

#include <stdio.h>

/* Pages of an allocation, one after the other, somewhere in a store. */
struct stretch {
    const struct page_store *store;
    uint64_t first; /* page in the store of the allocation's page `at` */
    uint64_t at, pages;
};

/* The pages of `stretch` against every run of the content that they overlap. */
static bool stretch_intact(const struct pageable *allocation, const struct stretch *stretch,
                           uint64_t *bad_page)
{
    const struct content_run *runs = content_runs(&allocation->store.keeper->store.content);
    for (size_t i = 0; i < allocation->store.keeper->store.content.count; i++) {
        uint64_t low = max_u64(runs[i].first, stretch->at);
        uint64_t high = min_u64(runs[i].first + runs[i].pages, stretch->at + stretch->pages);
        if (low >= high)
            continue;
        struct page_store_run expected = {
            .first = stretch->first + (low - stretch->at),
            .pages = high - low,
            .tag = runs[i].tag + (low - runs[i].first) * runs[i].step,
            .step = runs[i].step,
        };
        uint64_t bad;
        if (!page_store_matches(stretch->store, &expected, &bad)) {
            *bad_page = stretch->at + (bad - stretch->first);
            return false;
        }
    }
    return true;
}

/* ---- the copy in a segment ------------------------------------------------------------------ */

static struct page_run all_pages(const adapter_t *adapter, const struct pageable *allocation)
{
    return (struct page_run){ 0, allocation->info.bytes / adapter->setup->page };
}

/* Only these pages of it; false: none is among them. */
static bool narrow(struct stretch *stretch, struct page_run only)
{
    uint64_t low = max_u64(stretch->at, only.first);
    uint64_t high = min_u64(stretch->at + stretch->pages, only.first + only.pages);
    if (low >= high)
        return false;
    stretch->first += low - stretch->at;
    stretch->at = low;
    stretch->pages = high - low;
    return true;
}

static bool memory_intact(const adapter_t *adapter, const struct pageable *allocation,
                          const struct place *place, struct page_run only, uint64_t *page)
{
    const struct segment *segment = &adapter->store->segments[place->segment].segment;
    uint64_t at = 0, total = allocation->info.bytes / adapter->setup->page;
    for (size_t i = 0; i < place->run_count && at < total; i++) {
        const struct range *run = &place_runs(place)[i];
        struct stretch stretch = { &segment->pages, run->offset / adapter->setup->page, at,
                                   min_u64(run->bytes / adapter->setup->page, total - at) };
        at += stretch.pages;
        if (narrow(&stretch, only) && !stretch_intact(allocation, &stretch, page))
            return false;
    }
    return true;
}

static bool aperture_intact(const adapter_t *adapter, const struct pageable *allocation,
                            const struct place *place, uint64_t *page)
{
    const struct aperture *table = &adapter->store->segments[place->segment].segment.table;
    uint64_t first = place->one.offset / adapter->setup->page;
    uint64_t at = 0, total = allocation->info.bytes / adapter->setup->page;
    while (at < total) {
        uint64_t system, pages;
        enum aperture_target target =
            aperture_translate(table, first + at, total - at, &system, &pages);
        *page = at;
        if (target != APERTURE_SYSTEM)
            return false;
        struct stretch stretch = { &adapter->store->system_pages, system, at, pages };
        if (!stretch_intact(allocation, &stretch, page))
            return false;
        at += pages;
    }
    return true;
}

bool content_shares_pages(const struct pageable *allocation)
{
    const struct system_range *existing = allocation->store.keeper->store.backing.existing;
    return existing && existing->several;
}

bool content_place_intact(const adapter_t *adapter, const struct pageable *allocation,
                          const struct place *place, uint64_t *page)
{
    if (content_shares_pages(allocation))
        return true;
    if (!place->segment)
        return content_backing_intact(adapter, allocation, page);
    if (segment_is_aperture(segment_desc(adapter, place->segment)))
        return aperture_intact(adapter, allocation, place, page);
    return memory_intact(adapter, allocation, place, all_pages(adapter, allocation), page);
}

/* ---- the store ------------------------------------------------------------------------------ */

static bool backing_intact(const adapter_t *adapter, const struct pageable *allocation,
                           struct page_run only, uint64_t *page)
{
    const struct backing *backing = &allocation->store.keeper->store.backing;
    uint64_t at = 0;
    for (size_t i = 0; i < backing->run_count; i++) {
        const struct range *run = &backing_runs(backing)[i];
        struct stretch stretch = { &adapter->store->system_pages, run->offset, at, run->bytes };
        at += run->bytes;
        if (narrow(&stretch, only) && !stretch_intact(allocation, &stretch, page))
            return false;
    }
    return true;
}

bool content_backing_intact(const adapter_t *adapter, const struct pageable *allocation,
                            uint64_t *page)
{
    return content_shares_pages(allocation) ||
           backing_intact(adapter, allocation, all_pages(adapter, allocation), page);
}

/* ---- the newest copy ------------------------------------------------------------------------ */

/* PAGE-036: in memory, and the pages that the CPU may have written are newer in the store. */
static bool split_intact(const adapter_t *adapter, const struct pageable *allocation,
                         struct place *place, uint64_t *page)
{
    const struct page_set *newer = &allocation->store.cpu_dirty;
    uint64_t at = 0, total = allocation->info.bytes / adapter->setup->page;
    for (size_t i = 0; i <= newer->count; i++) {
        struct page_run run = i < newer->count ? newer->runs[i] : (struct page_run){ total, 0 };
        struct page_run older = { at, run.first - at };
        if (!memory_intact(adapter, allocation, place, older, page))
            return false;
        if (!backing_intact(adapter, allocation, run, page)) {
            *place = (struct place){ .segment = 0 };
            return false;
        }
        at = run.first + run.pages;
    }
    return true;
}

bool content_newest_intact(const adapter_t *adapter, const struct pageable *allocation,
                           bool cpu_sees_it, struct place *place, uint64_t *page)
{
    uint32_t node = adapter->setup->caps.paging_node;
    bool resident = allocation->store.state == ALLOCATION_RESIDENT;
    *place = resident ? allocation->place.at : (struct place){ .segment = 0 };
    *page = 0;
    if (allocation->store.state == ALLOCATION_LOST)
        return false;
    if (allocation->store.state == ALLOCATION_NO_CONTENT ||
        pageable_cpu_use(adapter, allocation, CPU_GIVEN_UP) ||
        allocation->transfer.marks[node] > fences_of(adapter)->ended[node])
        return true;
    if (resident && place_in_memory(adapter, place) && allocation_is_permanent(allocation) &&
        allocation->store.cpu_dirty.count && !cpu_sees_it)
        return content_shares_pages(allocation) || split_intact(adapter, allocation, place, page);
    return content_place_intact(adapter, allocation, place, page);
}

/* ---- what is there instead ------------------------------------------------------------------ */

/* The tag of a page where this place has it; false: the page of the aperture shows none of ours. */
static bool tag_at(const adapter_t *adapter, const struct pageable *allocation,
                   const struct place *place, uint64_t page, uint64_t *tag)
{
    const struct backing *backing = &allocation->store.keeper->store.backing;
    const struct range *runs = place->segment ? place_runs(place) : backing_runs(backing);
    size_t count = place->segment ? place->run_count : backing->run_count;
    uint64_t unit = place->segment ? adapter->setup->page : 1, at = 0;
    const struct page_store *store = &adapter->store->system_pages;
    for (size_t i = 0; i < count; at += runs[i++].bytes / unit) {
        if (page >= at + runs[i].bytes / unit)
            continue;
        uint64_t where = runs[i].offset / unit + (page - at), pages;
        if (place_in_memory(adapter, place))
            store = &adapter->store->segments[place->segment].segment.pages;
        else if (place->segment &&
                 aperture_translate(&adapter->store->segments[place->segment].segment.table, where,
                                    1, &where, &pages) != APERTURE_SYSTEM)
            return false;
        *tag = page_store_get(store, where);
        return true;
    }
    return false;
}

static uint64_t expected_tag(const struct pageable *allocation, uint64_t page)
{
    const struct content_run *runs = content_runs(&allocation->store.keeper->store.content);
    uint64_t tag = 0;
    for (size_t i = 0; i < allocation->store.keeper->store.content.count; i++)
        if (runs[i].first <= page && page < runs[i].first + runs[i].pages)
            tag = runs[i].tag + (page - runs[i].first) * runs[i].step;
    return tag;
}

struct content_difference content_difference(const adapter_t *adapter,
                                             const struct pageable *allocation,
                                             const struct place *place, uint64_t page)
{
    struct content_difference difference;
    uint64_t tag;
    bool found = tag_at(adapter, allocation, place, page, &tag);
    (void)snprintf(difference.it, sizeof difference.it, "there is %s, not %s",
                   found ? content_words(adapter, tag).it : "no page of system memory",
                   content_words(adapter, expected_tag(allocation, page)).it);
    return difference;
}

/* ---- findings ------------------------------------------------------------------------------- */

void content_verify_place(adapter_t *adapter, struct pageable *allocation,
                          const struct place *place, const char *when)
{
    uint64_t page;
    if (content_place_intact(adapter, allocation, place, &page))
        return;
    finding(adapter, RULE(LOCK_067), allocation->handle,
            "after %s page %llu of %s in %s does not hold what it should: %s", when,
            (unsigned long long)page, allocation->label, segment_name(adapter, place->segment),
            content_difference(adapter, allocation, place, page).it);
}

void content_verify_backing(adapter_t *adapter, struct pageable *allocation, const char *when)
{
    uint64_t page;
    if (content_backing_intact(adapter, allocation, &page))
        return;
    finding(adapter, RULE(LOCK_067), allocation->handle,
            "after %s page %llu of %s in system memory does not hold what it should: %s", when,
            (unsigned long long)page, allocation->label,
            content_difference(adapter, allocation, &(struct place){ .segment = 0 }, page).it);
}

/* ---- the CPU writes ------------------------------------------------------------------------- */

void content_write_backing(adapter_t *adapter, const struct pageable *allocation, uint64_t first,
                           uint64_t pages, uint64_t tag, uint64_t step)
{
    const struct backing *backing = &allocation->store.keeper->store.backing;
    uint64_t at = 0;
    for (size_t i = 0; i < backing->run_count; i++) {
        const struct range *run = &backing_runs(backing)[i];
        uint64_t low = max_u64(first, at), high = min_u64(first + pages, at + run->bytes);
        if (low < high)
            page_store_write(&adapter->store->system_pages, run->offset + (low - at), high - low,
                             tag + (low - first) * step, step);
        at += run->bytes;
    }
}

void content_store_pattern(adapter_t *adapter, struct pageable *allocation)
{
    content_write_backing(adapter, allocation, 0, allocation->info.bytes / adapter->setup->page, 0,
                          0);
}

void content_from_store(adapter_t *adapter, struct pageable *allocation)
{
    const struct backing *backing = &allocation->store.keeper->store.backing;
    uint64_t page = 0;
    for (size_t i = 0; i < backing->run_count; i++) {
        struct range run = backing_runs(backing)[i];
        for (uint64_t at = 0; at < run.bytes;) {
            struct page_store_run held =
                page_store_run(&adapter->store->system_pages, run.offset + at, run.bytes - at);
            content_set(&allocation->store.keeper->store.content, page, held.pages, held.tag,
                        held.step);
            at += held.pages;
            page += held.pages;
        }
    }
}

/* ---- what it holds from now on -------------------------------------------------------------- */

void allocation_first_content(adapter_t *adapter, struct pageable *allocation)
{
    applies(adapter, RULE(KMT_022));
    allocation->store.pattern_only = false; /* a fill sets it, zeros in a store do not: PAGE-005 */
    if (allocation->kmt & VIDMM_KMT_AllowNotZeroed) {
        content_from_store(adapter, allocation);
        return;
    }
    content_set(&allocation->store.keeper->store.content, 0,
                allocation->info.bytes / adapter->setup->page, 0, 0);
    content_store_pattern(adapter, allocation);
}

void content_filled(adapter_t *adapter, struct pageable *allocation)
{
    content_set(&allocation->store.keeper->store.content, 0,
                allocation->info.bytes / adapter->setup->page, 0, 0);
    /* WDDM 2.0 and later: nobody knows what the GPU wrote (RES-016). */
    allocation->store.pattern_only = adapter->setup->caps.wddm < VIDMM_WDDM_2_0;
}

void content_given_up(struct pageable *allocation, bool pattern_only)
{
    content_clear(&allocation->store.content);
    page_set_clear(&allocation->store.cpu_dirty);
    allocation->store.pattern_only = pattern_only;
}

void content_discarded(struct pageable *allocation)
{
    allocation->store.pattern_only = allocation->store.linear = false;
    if (allocation->store.keeper != allocation)
        return;
    content_clear(&allocation->store.content);
    page_set_clear(&allocation->store.cpu_dirty);
    page_set_clear(&allocation->store.uncertain);
    allocation->store.encrypted = allocation->store.cpu_unflushed = false;
}
