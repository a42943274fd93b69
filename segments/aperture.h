/* SPDX-License-Identifier: MIT */
/*
 * aperture.h: the page table of an aperture segment, as the hardware holds it.
 *
 * Pages of the segment point to system pages, by number; a page that was never mapped points to
 * nothing, an unmapped one to the dummy page. Runs are kept, not pages: mapping a gigabyte of
 * consecutive pages is one entry, and every call costs O(log n) for n runs, plus the runs that it
 * replaces. MINI-071, MINI-074.
 *
 * Whoever maps or unmaps wins over what was there before: hardware does not ask. That the range
 * should have been free, and that it lies in the segment, is for the caller to know.
 */
#ifndef SEGMENTS_APERTURE_H
#define SEGMENTS_APERTURE_H

#include "segments/key_tree.h"

/* `pages` pages from `first` on point to consecutive system pages, or all to one dummy page. */
struct aperture_run {
    uint64_t first, pages;
    uint64_t system_page;
    bool dummy;
};

struct aperture {
    struct key_tree
        runs; /* first page to length and target; never overlapping, neighbours merged */
};

void aperture_init(struct aperture *aperture);
void aperture_fini(struct aperture *aperture);
void aperture_map(struct aperture *aperture, uint64_t first, uint64_t pages, uint64_t system_page);
void aperture_unmap(struct aperture *aperture, uint64_t first, uint64_t pages, uint64_t dummy_page);

enum aperture_target { APERTURE_NOTHING, APERTURE_SYSTEM, APERTURE_DUMMY };
/*
 * Where page `page` points: its kind, the system page (0 for nothing), and how many pages from here
 * on (at most `max`) continue the same run.
 */
enum aperture_target aperture_translate(const struct aperture *aperture, uint64_t page,
                                        uint64_t max, uint64_t *system_page, uint64_t *pages);

/* Runs in ascending order: the first one that ends above `page`.
   for (uint64_t at = 0; aperture_next_run(aperture, at, &run); at = run.first + run.pages) */
bool aperture_next_run(const struct aperture *aperture, uint64_t page, struct aperture_run *run);

/* CHECKs order, no overlap, and that no two neighbours should be one. */
void aperture_check(const struct aperture *aperture);

#endif
