/* SPDX-License-Identifier: MIT */
/*
 * aperture.h: the page table of an aperture segment, as the hardware holds it.
 *
 * Pages of the segment point to system pages, by number; a page that was never mapped points to
 * nothing. Runs are kept, not pages: mapping a gigabyte is one entry. MINI-071, MINI-074.
 */
#ifndef SEGMENTS_APERTURE_H
#define SEGMENTS_APERTURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* `pages` pages from `first` on point to consecutive system pages, or all to one dummy page. */
struct aperture_run {
    uint64_t first, pages;
    uint64_t system_page;
    bool dummy;
};

/* Runs in ascending order, never overlapping, neighbours merged. */
struct aperture {
    struct aperture_run *runs;
    size_t count, capacity;
};

void aperture_init(struct aperture *aperture);
void aperture_fini(struct aperture *aperture);
void aperture_map(struct aperture *aperture, uint64_t first, uint64_t pages, uint64_t system_page);
void aperture_unmap(struct aperture *aperture, uint64_t first, uint64_t pages, uint64_t dummy_page);

enum aperture_target { APERTURE_NOTHING, APERTURE_SYSTEM, APERTURE_DUMMY };
/*
 * Where page `page` points: its kind, the system page, and how many pages from here on (at most
 * `max`) continue the same run.
 */
enum aperture_target aperture_translate(const struct aperture *aperture, uint64_t page, uint64_t max,
                                        uint64_t *system_page, uint64_t *pages);

#endif
