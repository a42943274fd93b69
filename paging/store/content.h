/* SPDX-License-Identifier: MIT */
/*
 * content.h: what the pages of an allocation should hold, and a small set of pages.
 *
 * A tag names who wrote a page, and which page it was: tags of one write count upwards with the
 * page number, so that a page in the wrong place shows. A fill pattern is the same tag on every
 * page. Both structures are runs in ascending order; nearly always there is one.
 */
#ifndef VIDMM_CONTENT_H
#define VIDMM_CONTENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct content_run {
    uint64_t first, pages;
    uint64_t tag;  /* of page `first` */
    uint64_t step; /* 1 for a write, 0 for a pattern */
};

/* A run that begins at page 0 stands here while it is the only one, as it nearly always is. */
struct content {
    struct content_list *list;     /* NULL while that is enough */
    uint64_t pages : 62, step : 1, discarded : 1; /* pages 0: no content; an offer took it */
    uint64_t tag;
};

size_t content_count(const struct content *content);
void content_fini(struct content *content);
/* No content at all: nothing is compared. */
void content_clear(struct content *content);
/* Pages [first, first + pages) hold a pattern or a new write; the rest stays. */
void content_set(struct content *content, uint64_t first, uint64_t pages, uint64_t tag,
                 uint64_t step);
/* Its runs, so many as content_count(); `one` is room for the only one. */
const struct content_run *content_runs(const struct content *content, struct content_run *one);

/* Pages by number, for page lists (PAGE-036). */
struct page_run {
    uint64_t first, pages;
};

struct page_set {
    struct page_list *list; /* NULL: nothing was ever in it */
};

struct page_list {
    size_t count, capacity;
    struct page_run runs[];
};

static inline size_t page_set_count(const struct page_set *set)
{
    return set->list ? set->list->count : 0;
}

/* Of a set that has any. */
static inline const struct page_run *page_set_runs(const struct page_set *set)
{
    return set->list->runs;
}

void page_set_fini(struct page_set *set);
void page_set_clear(struct page_set *set);
/* Overlapping and touching runs are merged. */
void page_set_add(struct page_set *set, uint64_t first, uint64_t pages);
uint64_t page_set_pages(const struct page_set *set);
/* All of them. */
bool page_set_has(const struct page_set *set, uint64_t first, uint64_t pages);

#endif
