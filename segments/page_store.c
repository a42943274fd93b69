/* SPDX-License-Identifier: MIT */
/* page_store.c: runs of tags in a key tree; written, cut, joined and compared as runs. */
#include "segments/page_store.h"

/* The whole run that a cursor stands on. */
static struct page_store_run page_store_run_at(const struct page_store *store,
                                               const struct key_cursor *cursor)
{
    uint64_t first = key_tree_key(&store->runs, cursor);
    return (struct page_store_run){
        .first = first,
        .pages = key_tree_next_key(&store->runs, cursor, PAGE_STORE_PAGES) - first,
        .tag = key_tree_value(&store->runs, cursor, 0),
        .step = key_tree_value(&store->runs, cursor, 1),
    };
}

static void page_store_check_pages(uint64_t first, uint64_t pages)
{
    CHECK(pages <= PAGE_STORE_PAGES);
    CHECK(first <= PAGE_STORE_PAGES - pages);
}

void page_store_init(struct page_store *store)
{
    const uint64_t poison[] = { PAGE_STORE_POISON, 0 };
    struct key_cursor cursor;
    key_tree_init(&store->runs, ARRAY_COUNT(poison));
    key_tree_seek(&store->runs, 0, &cursor);
    key_tree_insert(&store->runs, &cursor, 0, poison);
}

void page_store_fini(struct page_store *store)
{
    key_tree_fini(&store->runs);
}

struct page_store_run page_store_run(const struct page_store *store, uint64_t page, uint64_t max)
{
    page_store_check_pages(page, 1);
    struct key_cursor cursor;
    key_tree_seek(&store->runs, page, &cursor);
    struct page_store_run run = page_store_run_at(store, &cursor);
    uint64_t skip = page - run.first;
    return (struct page_store_run){ .first = page,
                                    .pages = min_u64(run.pages - skip, max),
                                    .tag = run.tag + skip * run.step,
                                    .step = run.step };
}

uint64_t page_store_get(const struct page_store *store, uint64_t page)
{
    return page_store_run(store, page, 1).tag;
}

/* Does `next` go on where `run` ends? A single page goes with either step. */
static bool page_store_continues(const struct page_store_run *run,
                                 const struct page_store_run *next, uint64_t *step)
{
    *step = next->tag - (run->tag + (run->pages - 1) * run->step);
    return *step <= 1 && (run->pages == 1 || run->step == *step) &&
           (next->pages == 1 || next->step == *step);
}

/* Joins the run that begins at `page` to the one before it, if it continues that one. */
static void join_before(struct page_store *store, uint64_t page)
{
    struct key_cursor here, before;
    if (page == 0 || page == PAGE_STORE_PAGES)
        return;
    key_tree_seek(&store->runs, page, &here);
    struct page_store_run next = page_store_run_at(store, &here);
    CHECK(next.first == page);
    before = here;
    bool first = !key_tree_previous(&store->runs, &before);
    CHECK(!first);
    struct page_store_run run = page_store_run_at(store, &before);
    uint64_t step;
    if (!page_store_continues(&run, &next, &step))
        return;
    if (run.step != step)
        key_tree_change(&store->runs, &before, run.first, (uint64_t[]){ run.tag, step });
    key_tree_erase(&store->runs, &here);
}

/* A run begins at `page` afterwards. */
static void cut_at(struct page_store *store, uint64_t page)
{
    struct key_cursor cursor;
    if (page == PAGE_STORE_PAGES)
        return;
    key_tree_seek(&store->runs, page, &cursor);
    uint64_t skip = page - key_tree_key(&store->runs, &cursor);
    uint64_t step = key_tree_value(&store->runs, &cursor, 1);
    uint64_t tag = key_tree_value(&store->runs, &cursor, 0) + skip * step;
    if (skip)
        key_tree_insert(&store->runs, &cursor, page, (uint64_t[]){ tag, step });
}

/*
 * What nearly every write is: pages that hold all of it already, or one whole run that becomes
 * another one, which continues neither neighbour. One search instead of six: a tenth of what a
 * transfer costs. False: nothing was done.
 */
static bool rewrite_run(struct page_store *store, const struct page_store_run *fresh)
{
    struct key_cursor cursor, near;
    key_tree_seek(&store->runs, fresh->first, &cursor);
    struct page_store_run run = page_store_run_at(store, &cursor);
    uint64_t skip = fresh->first - run.first, step;
    if (fresh->pages <= run.pages - skip && run.tag + skip * run.step == fresh->tag &&
        (fresh->pages == 1 || run.step == fresh->step))
        return true;
    if (skip || run.pages != fresh->pages)
        return false;
    near = cursor;
    if (key_tree_next(&store->runs, &near)) {
        run = page_store_run_at(store, &near);
        if (page_store_continues(fresh, &run, &step))
            return false;
    }
    near = cursor;
    if (key_tree_previous(&store->runs, &near)) {
        run = page_store_run_at(store, &near);
        if (page_store_continues(&run, fresh, &step))
            return false;
    }
    key_tree_change(&store->runs, &cursor, fresh->first, (uint64_t[]){ fresh->tag, fresh->step });
    return true;
}

/* The last run that begins before `end`. */
static uint64_t last_before(const struct page_store *store, uint64_t end, struct key_cursor *cursor)
{
    key_tree_seek(&store->runs, end - 1, cursor);
    return key_tree_key(&store->runs, cursor);
}

void page_store_write(struct page_store *store, uint64_t first, uint64_t pages, uint64_t tag,
                      uint64_t step)
{
    page_store_check_pages(first, pages);
    const struct page_store_run fresh = { first, pages, tag, step };
    if (!pages || rewrite_run(store, &fresh))
        return;
    const uint64_t values[] = { tag, step };
    uint64_t end = first + pages;
    cut_at(store, end);
    struct key_cursor cursor;
    while (last_before(store, end, &cursor) > first)
        key_tree_erase(&store->runs, &cursor);
    if (key_tree_key(&store->runs, &cursor) == first) {
        key_tree_change(&store->runs, &cursor, first, values);
    } else { /* the run before now ends here */
        key_tree_insert(&store->runs, &cursor, first, values);
    }
    join_before(store, end);
    join_before(store, first);
}

void page_store_poison(struct page_store *store, uint64_t first, uint64_t pages)
{
    page_store_write(store, first, pages, PAGE_STORE_POISON, 0);
}

static void copy_runs(struct page_store *to, uint64_t to_first, const struct page_store_run *runs,
                      size_t count)
{
    for (size_t i = 0; i < count; i++) {
        page_store_write(to, to_first, runs[i].pages, runs[i].tag, runs[i].step);
        to_first += runs[i].pages;
    }
}

void page_store_copy(struct page_store *to, uint64_t to_first, const struct page_store *from,
                     uint64_t from_first, uint64_t pages)
{
    page_store_check_pages(from_first, pages);
    page_store_check_pages(to_first, pages);
    if (!pages)
        return;
    struct page_store_run one = page_store_run(from, from_first, pages), *runs = NULL;
    size_t count = 0, capacity = 0;
    if (one.pages == pages) { /* nearly always */
        copy_runs(to, to_first, &one, 1);
    } else {
        for (uint64_t done = 0; done < pages; done += runs[count - 1].pages) {
            BASE_GROW(runs, capacity, count + 1);
            runs[count++] = page_store_run(from, from_first + done, pages - done);
        }
        copy_runs(to, to_first, runs, count);
    }
    base_free(runs);
}

bool page_store_matches(const struct page_store *store, const struct page_store_run *expected,
                        uint64_t *bad_page)
{
    struct page_store_run want = *expected;
    page_store_check_pages(want.first, want.pages);
    while (want.pages) {
        struct page_store_run have = page_store_run(store, want.first, want.pages);
        if (have.tag != want.tag) {
            *bad_page = want.first;
            return false;
        }
        if (have.pages > 1 && have.step != want.step) {
            *bad_page = want.first + 1;
            return false;
        }
        want.first += have.pages;
        want.pages -= have.pages;
        want.tag += have.pages * want.step;
    }
    return true;
}

void page_store_check(const struct page_store *store)
{
    key_tree_check(&store->runs);
    struct key_cursor cursor;
    bool begins = key_tree_seek(&store->runs, 0, &cursor);
    CHECK(begins);
    key_tree_seek(&store->runs, UINT64_MAX, &cursor);
    CHECK(key_tree_key(&store->runs, &cursor) < PAGE_STORE_PAGES);
}
