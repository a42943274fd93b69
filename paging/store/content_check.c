/* SPDX-License-Identifier: MIT */
/*
 * content_check.c: is it there? Compares what pages hold with what they should hold; what that is
 * from now on, callers say here.
 *
 * A tag is stamp x 2^36 + page number, so a page that is stale, foreign or in the wrong place
 * shows. Tag 0 with step 0 is the fill pattern of a fresh allocation. The last writes are
 * remembered by their stamps; of an older one only the page is known.
 *
 * Rules not named below: PAGE-005, PAGE-007.
 */
#include "paging/schedule/schedule.h"
#include "paging/store/store_state.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

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
    const struct content *content = &allocation->store.owner->store.content;
    struct content_run one;
    const struct content_run *runs = content_runs(content, &one);
    for (size_t i = 0; i < content_count(content); i++) {
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

/* Pages of `only` in runs of a store, which count `unit` for a page. */
static bool runs_intact(const struct pageable *allocation, const struct page_store *store,
                        const struct range *runs, size_t count, uint64_t unit, struct page_run only,
                        uint64_t *page)
{
    uint64_t at = 0;
    for (size_t i = 0; i < count; i++) {
        struct stretch stretch = { store, runs[i].offset / unit, at, runs[i].bytes / unit };
        at += stretch.pages;
        if (narrow(&stretch, only) && !stretch_intact(allocation, &stretch, page))
            return false;
    }
    return true;
}

static bool memory_intact(const adapter_t *adapter, const struct pageable *allocation,
                          const struct place *place, struct page_run only, uint64_t *page)
{
    return runs_intact(allocation, &segment_at(adapter, place->segment)->pages, place_runs(place),
                       place->run_count, adapter->setup->page, only, page);
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
    const struct system_range *existing = backing_of(allocation->store.owner)->existing;
    return existing && existing->multiple_stores;
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
    const struct backing *backing = backing_of(allocation->store.owner);
    return runs_intact(allocation, &adapter->store->system_pages, backing_runs(backing),
                       backing->run_count, 1, only, page);
}

bool content_backing_intact(const adapter_t *adapter, const struct pageable *allocation,
                            uint64_t *page)
{
    return content_shares_pages(allocation) ||
           backing_intact(adapter, allocation, all_pages(adapter, allocation), page);
}

/* ---- the newest copy ------------------------------------------------------------------------ */

/* PAGE-036: there are pages that the CPU may have written, and they are newer in the store. */
static bool is_split(const adapter_t *adapter, const struct pageable *allocation,
                     const struct place *place)
{
    return place_in_memory(adapter, place) && allocation_is_permanent(allocation) &&
           page_set_count(&allocation->store.cpu_dirty);
}

/* What is newest in memory. */
static bool older_intact(const adapter_t *adapter, const struct pageable *allocation,
                         const struct place *place, uint64_t *page)
{
    const struct page_set *newer = &allocation->store.cpu_dirty;
    uint64_t at = 0, total = allocation->info.bytes / adapter->setup->page;
    size_t count = page_set_count(newer);
    for (size_t i = 0;; i++) {
        struct page_run older = { at, (i < count ? page_set_runs(newer)[i].first : total) - at };
        if (!memory_intact(adapter, allocation, place, older, page))
            return false;
        if (i == count)
            return true;
        at = page_set_runs(newer)[i].first + page_set_runs(newer)[i].pages;
    }
}

static bool split_intact(const adapter_t *adapter, const struct pageable *allocation,
                         struct place *place, uint64_t *page)
{
    const struct page_set *newer = &allocation->store.cpu_dirty;
    if (!older_intact(adapter, allocation, place, page))
        return false;
    for (size_t i = 0; i < page_set_count(newer); i++) {
        if (!backing_intact(adapter, allocation, page_set_runs(newer)[i], page)) {
            *place = (struct place){ .segment = 0 };
            return false;
        }
    }
    return true;
}

bool content_newest_intact(const adapter_t *adapter, const struct pageable *allocation,
                           bool cpu_sees_it, struct place *place, uint64_t *page)
{
    uint32_t node = adapter->setup->caps.paging_node;
    *place = allocation->place.at;
    if (allocation->store.state == ALLOCATION_LOST)
        return false;
    if (allocation->store.state == ALLOCATION_NO_CONTENT ||
        pageable_cpu_use(adapter, allocation, CPU_GIVEN_UP) ||
        allocation->transfer.fences[node] > fences_of(adapter)->ended[node])
        return true;
    if (is_split(adapter, allocation, place) && !cpu_sees_it)
        return content_shares_pages(allocation) || split_intact(adapter, allocation, place, page);
    return content_place_intact(adapter, allocation, place, page);
}

/* ---- what is there instead ------------------------------------------------------------------ */

/* The tag of a page where this place has it; false: the page of the aperture shows none of ours. */
static bool tag_at(const adapter_t *adapter, const struct pageable *allocation,
                   const struct place *place, uint64_t page, uint64_t *tag)
{
    const struct backing *backing = backing_of(allocation->store.owner);
    const struct range *runs = place->segment ? place_runs(place) : backing_runs(backing);
    const struct range *end = runs + (place->segment ? place->run_count : backing->run_count);
    uint64_t unit = place->segment ? adapter->setup->page : 1, pages;
    const struct page_store *store = &adapter->store->system_pages;
    while (page >= runs->bytes / unit) {
        page -= runs->bytes / unit;
        runs++;
        CHECK(runs < end);
    }
    uint64_t where = runs->offset / unit + page;
    if (place_in_memory(adapter, place))
        store = &adapter->store->segments[place->segment].segment.pages;
    else if (place->segment &&
             aperture_translate(&adapter->store->segments[place->segment].segment.table, where, 1,
                                &where, &pages) != APERTURE_SYSTEM)
        return false;
    *tag = page_store_get(store, where);
    return true;
}

static uint64_t expected_tag(const struct pageable *allocation, uint64_t page)
{
    const struct content *content = &allocation->store.owner->store.content;
    struct content_run one;
    const struct content_run *runs = content_runs(content, &one);
    uint64_t tag = 0;
    for (size_t i = 0; i < content_count(content); i++)
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

void content_verify(adapter_t *adapter, struct pageable *allocation, const struct place *place,
                    const char *when)
{
    const struct place store = { .segment = 0 };
    const struct place *at = place ? place : &store;
    uint64_t page;
    bool split = is_split(adapter, allocation, at) && !content_shares_pages(allocation);
    if (split ? older_intact(adapter, allocation, at, &page)
              : content_place_intact(adapter, allocation, at, &page))
        return;
    finding(adapter, RULE(LOCK_067), allocation->handle,
            "after %s page %llu of %s in %s does not hold what it should: %s", when,
            (unsigned long long)page, allocation->label,
            place ? segment_name(adapter, place->segment) : "system memory",
            content_difference(adapter, allocation, at, page).it);
}

/* ---- the CPU writes ------------------------------------------------------------------------- */

void content_write_backing(adapter_t *adapter, const struct pageable *allocation, uint64_t first,
                           uint64_t pages, uint64_t tag, uint64_t step)
{
    const struct backing *backing = backing_of(allocation->store.owner);
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
    const struct backing *backing = backing_of(allocation->store.owner);
    uint64_t page = 0;
    for (size_t i = 0; i < backing->run_count; i++) {
        struct range run = backing_runs(backing)[i];
        for (uint64_t at = 0; at < run.bytes;) {
            struct page_store_run held =
                page_store_run(&adapter->store->system_pages, run.offset + at, run.bytes - at);
            content_set(&allocation->store.owner->store.content, page, held.pages, held.tag,
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
    content_set(&allocation->store.owner->store.content, 0,
                allocation->info.bytes / adapter->setup->page, 0, 0);
    content_store_pattern(adapter, allocation);
}

void content_filled(adapter_t *adapter, struct pageable *allocation)
{
    content_set(&allocation->store.owner->store.content, 0,
                allocation->info.bytes / adapter->setup->page, 0, 0);
    /* WDDM 2.0 and later: nobody knows what the GPU wrote (RES-016). */
    allocation->store.pattern_only = adapter->setup->caps.wddm < VIDMM_WDDM_2_0;
}

void content_given_up(struct pageable *allocation, bool offered, bool pattern_only)
{
    content_clear(&allocation->store.content);
    allocation->store.content.discarded = offered;
    allocation->store.pattern_only = pattern_only;
}

void content_discarded(struct pageable *allocation)
{
    allocation->store.pattern_only = allocation->store.linear = false;
    if (allocation->store.owner != allocation)
        return;
    content_clear(&allocation->store.content);
    allocation->store.content.discarded = true;
    page_set_clear(&allocation->store.cpu_dirty);
    page_set_clear(&allocation->store.uncertain);
    allocation->store.encrypted = allocation->store.cpu_unflushed = false;
}

/* ---- who wrote a page, and when ------------------------------------------------------------- */

enum { PAGE_BITS = 36, NOTES = 1024 };

/* Stamps of first contents have a half of their own (allocation.c). */
static const uint64_t first_contents = UINT64_C(1) << 63;

struct stamp_note {
    uint64_t stamp;
    vidmm_ns at;
    const char *writer;
    char label[40];
};

uint64_t content_stamp(adapter_t *adapter, const char *label, const char *writer)
{
    uint64_t stamp = ++adapter->store->next_stamp;
    if (!adapter->store->stamps)
        adapter->store->stamps = base_alloc(NOTES, sizeof *adapter->store->stamps);
    struct stamp_note *note = &adapter->store->stamps[stamp % NOTES];
    *note = (struct stamp_note){ .stamp = stamp, .at = clock_now(adapter), .writer = writer };
    size_t length = min_u64(strlen(label), sizeof note->label - 1);
    memcpy(note->label, label, length); /* the rest is zero */
    return stamp << PAGE_BITS;
}

/* The only allocation that has such a page now, NULL: none, or several. */
static const struct pageable *owner_of(const adapter_t *adapter, uint64_t tag)
{
    const struct pageable *owner = NULL;
    bool several = false;
    for (struct pageable *a = pageable_first(adapter); a; a = pageable_next(a)) {
        struct content_run one;
        const struct content_run *runs = content_runs(&a->store.content, &one);
        base_work(1);
        for (size_t i = 0; i < content_count(&a->store.content); i++) {
            if (tag - runs[i].tag >= runs[i].pages)
                continue;
            several |= owner != NULL;
            owner = a;
        }
    }
    return several ? NULL : owner;
}

static struct content_words first_content_words(const adapter_t *adapter, uint64_t tag)
{
    struct content_words words;
    uint64_t page = tag & ((UINT64_C(1) << PAGE_BITS) - 1);
    uint64_t number = (tag & ~first_contents) >> PAGE_BITS;
    const struct pageable *owner = owner_of(adapter, tag);
    if (owner)
        (void)snprintf(words.it, sizeof words.it,
                       "page %" PRIu64 " of %.40s (first content %" PRIu64 ")", page, owner->label,
                       number);
    else
        (void)snprintf(words.it, sizeof words.it, "page %" PRIu64 " of first content %" PRIu64,
                       page, number);
    return words;
}

struct content_words content_words(const adapter_t *adapter, uint64_t tag)
{
    struct content_words words;
    uint64_t stamp = tag >> PAGE_BITS, page = tag & ((UINT64_C(1) << PAGE_BITS) - 1);
    const struct stamp_note *note =
        adapter->store->stamps ? &adapter->store->stamps[stamp % NOTES] : NULL;
    if (tag == PAGE_STORE_POISON)
        (void)snprintf(words.it, sizeof words.it, "nothing that was ever written");
    else if (tag & first_contents)
        words = first_content_words(adapter, tag);
    else if (!stamp)
        (void)snprintf(words.it, sizeof words.it, "the fill pattern 0x%" PRIX64, tag);
    else if (note && note->stamp == stamp)
        (void)snprintf(words.it, sizeof words.it,
                       "page %" PRIu64 " of %s as %s wrote it at %" PRIu64 ".%03" PRIu64 " us",
                       page, note->label, note->writer, note->at / 1000, note->at % 1000);
    else
        (void)snprintf(words.it, sizeof words.it, "page %" PRIu64 " of a write long ago", page);
    return words;
}
