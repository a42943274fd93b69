/* SPDX-License-Identifier: MIT */
/*
 * page_store.h: what simulated pages hold, one 64-bit tag for each page.
 *
 * Pages with tags that count up by a fixed step form a run: a write of 256 MiB (step 1, so that a
 * page in the wrong place shows) and a fill (step 0) are one run each, and moving them costs the
 * same as moving one page. A run that continues its neighbour is joined to it when it is written. A
 * store begins as one run of poison, so untouched pages cost nothing, however large the segment.
 *
 * All operations take O(log n) for each run they touch. Pages are numbered from 0 to
 * PAGE_STORE_PAGES - 1.
 */
#ifndef SEGMENTS_PAGE_STORE_H
#define SEGMENTS_PAGE_STORE_H

#include "segments/key_tree.h"

#define PAGE_STORE_PAGES (UINT64_C(1) << 52)
/* The tag of pages that were never written or whose owner has left. */
#define PAGE_STORE_POISON UINT64_C(0xDEADDEADDEADDEAD)

struct page_store_run {
    uint64_t first, pages;
    uint64_t tag;  /* of page `first` */
    uint64_t step; /* from each page to the next */
};

struct page_store {
    struct key_tree runs; /* first page to tag and step; a run ends where the next begins */
};

void page_store_init(struct page_store *store);
void page_store_fini(struct page_store *store);

uint64_t page_store_get(const struct page_store *store, uint64_t page);
/* The run that holds `page`, from this page on, at most `max` pages. */
struct page_store_run page_store_run(const struct page_store *store, uint64_t page, uint64_t max);

/* Page first + i gets tag + i * step. `pages` may be 0 here and below. */
void page_store_write(struct page_store *store, uint64_t first, uint64_t pages, uint64_t tag,
                      uint64_t step);
void page_store_poison(struct page_store *store, uint64_t first, uint64_t pages);
/* The two may be one store, and the ranges may overlap: all is read before anything is written. */
void page_store_copy(struct page_store *to, uint64_t to_first, const struct page_store *from,
                     uint64_t from_first, uint64_t pages);

/* Do the pages of `expected` hold its tags? If not, *bad_page is the first that does not. */
bool page_store_matches(const struct page_store *store, const struct page_store_run *expected,
                        uint64_t *bad_page);

/* CHECKs the structure, and that the runs cover all pages. */
void page_store_check(const struct page_store *store);

#endif
