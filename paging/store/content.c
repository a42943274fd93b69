/* SPDX-License-Identifier: MIT */
/*
 * content.c: what pages should hold, as runs, and sets of pages.
 *
 * A change makes one new run out of at most three; neighbours that continue each other are joined,
 * so an allocation that is always written as a whole has one run for ever and never allocates.
 *
 * Rules not named below: PAGE-036.
 */
#include "paging/store/content.h"

#include <string.h>

#include "vidmm/base/base.h"

struct content_list {
    size_t count, capacity;
    struct content_run runs[];
};

/* ---- content -------------------------------------------------------------------------------- */

void content_fini(struct content *content)
{
    base_free(content->list);
    *content = (struct content){ 0 };
}

void content_clear(struct content *content)
{
    content->pages = content->discarded = 0;
    if (content->list)
        content->list->count = 0;
}

size_t content_count(const struct content *content)
{
    return content->list ? content->list->count : content->pages != 0;
}

const struct content_run *content_runs(const struct content *content, struct content_run *one)
{
    if (content->list)
        return content->list->runs;
    *one = (struct content_run){ 0, content->pages, content->tag, content->step };
    return one;
}

static uint64_t run_end(const struct content_run *run)
{
    return run->first + run->pages;
}

/* The same content without its first pages. */
static struct content_run without_head(struct content_run run, uint64_t pages)
{
    run.first += pages;
    run.pages -= pages;
    run.tag += pages * run.step;
    return run;
}

static bool continues(const struct content_run *run, const struct content_run *next)
{
    CHECK(run_end(run) == next->first);
    return run->step == next->step && run->tag + run->pages * run->step == next->tag;
}

/* Index of the first of `count` runs that ends above `page`. */
static size_t first_above(const struct content_run *runs, size_t count, uint64_t page)
{
    size_t low = 0;
    size_t high = count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (run_end(&runs[middle]) > page)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

/* The runs as a list, with room for two more: no change needs more. */
static struct content_list *list_of(struct content *content)
{
    enum { FIRST = 4, MORE = 2 };
    struct content_list *list = content->list;
    if (list && list->count + MORE <= list->capacity)
        return list;
    size_t capacity = list ? list->capacity * 2 : FIRST;
    bool fresh = !list;
    list = base_realloc(list, 1, sizeof *list + capacity * sizeof list->runs[0]);
    list->capacity = capacity;
    if (fresh) {
        list->count = content_count(content);
        (void)content_runs(content, &list->runs[0]);
    }
    return content->list = list;
}

/* Replaces runs [from, to) by `count` others. */
static void splice(struct content *content, size_t from, size_t to, const struct content_run *put,
                   size_t count)
{
    size_t total = content_count(content) - (to - from) + count;
    CHECK(count && put[0].pages && put[0].step <= 1);
    if (!content->list && total == 1 && !put[0].first) {
        content->pages = put[0].pages & (UINT64_MAX >> 2);
        content->step = put[0].step & 1;
        content->tag = put[0].tag;
        return;
    }
    struct content_list *list = list_of(content);
    memmove(list->runs + from + count, list->runs + to, (list->count - to) * sizeof *list->runs);
    memcpy(list->runs + from, put, count * sizeof *put);
    list->count = total;
}

void content_set(struct content *content, uint64_t first, uint64_t pages, uint64_t tag,
                 uint64_t step)
{
    if (!pages)
        return;
    struct content_run put[3], one;
    size_t count = 0;
    struct content_run run = { .first = first, .pages = pages, .tag = tag, .step = step };
    const struct content_run *runs = content_runs(content, &one);
    size_t all = content_count(content), from = first_above(runs, all, first), to = from;

    if (from < all && runs[from].first < first) {
        put[count] = runs[from];
        put[count].pages = first - put[count].first;
        count++;
    } else if (from && run_end(&runs[from - 1]) == first) {
        put[count++] = runs[--from]; /* a neighbour: perhaps it continues */
    }
    while (to < all && runs[to].first < run_end(&run))
        to++;
    bool tail = to > from && run_end(&runs[to - 1]) > run_end(&run);
    struct content_run rest = { 0 };
    if (tail)
        rest = without_head(runs[to - 1], run_end(&run) - runs[to - 1].first);
    else if (to < all && runs[to].first == run_end(&run))
        rest = runs[to++];

    if (count && continues(&put[count - 1], &run))
        put[count - 1].pages += run.pages;
    else
        put[count++] = run;
    if (rest.pages && continues(&put[count - 1], &rest))
        put[count - 1].pages += rest.pages;
    else if (rest.pages)
        put[count++] = rest;
    splice(content, from, to, put, count);
}

/* ---- sets of pages -------------------------------------------------------------------------- */

void page_set_fini(struct page_set *set)
{
    base_free(set->list);
    *set = (struct page_set){ 0 };
}

void page_set_clear(struct page_set *set)
{
    if (set->list)
        set->list->count = 0;
}

/* Index of the first run that ends at `page` or above. */
static size_t first_touching(const struct page_set *set, uint64_t page)
{
    size_t low = 0;
    size_t high = page_set_count(set);
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (set->list->runs[middle].first + set->list->runs[middle].pages >= page)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

/* Room for one run more. */
static struct page_list *grow(struct page_list *list)
{
    size_t capacity = list ? list->capacity * 2 : 4;
    if (list && list->count < list->capacity)
        return list;
    bool fresh = !list;
    list = base_realloc(list, 1, sizeof *list + capacity * sizeof list->runs[0]);
    list->count = fresh ? 0 : list->count;
    list->capacity = capacity;
    return list;
}

void page_set_add(struct page_set *set, uint64_t first, uint64_t pages)
{
    if (!pages)
        return;
    struct page_list *list = set->list = grow(set->list);
    uint64_t end = first + pages;
    size_t from = first_touching(set, first);
    size_t to = from;
    while (to < list->count && list->runs[to].first <= end) {
        first = min_u64(first, list->runs[to].first);
        end = max_u64(end, list->runs[to].first + list->runs[to].pages);
        to++;
    }
    memmove(list->runs + from + 1, list->runs + to, (list->count - to) * sizeof *list->runs);
    list->runs[from] = (struct page_run){ .first = first, .pages = end - first };
    list->count = list->count - (to - from) + 1;
}

bool page_set_has(const struct page_set *set, uint64_t first, uint64_t pages)
{
    for (size_t i = 0; i < page_set_count(set); i++)
        if (set->list->runs[i].first <= first &&
            first + pages <= set->list->runs[i].first + set->list->runs[i].pages)
            return true;
    return false;
}

uint64_t page_set_pages(const struct page_set *set)
{
    uint64_t pages = 0;
    for (size_t i = 0; i < page_set_count(set); i++)
        pages += set->list->runs[i].pages;
    return pages;
}
