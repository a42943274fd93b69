/* SPDX-License-Identifier: MIT */
/*
 * pinned_tail.c: the part at the end of a segment where pinned allocations live (PLACE-022).
 *
 * It is counted in whole segment pages, rounded down, so that it is never more than its percentage.
 * A segment with too few pages has none: the part then starts where the segment ends.
 */
#include "segments/segment.h"

uint64_t pinned_tail_start(uint64_t bytes, uint64_t page_bytes, uint32_t percent)
{
    CHECK(page_bytes);
    CHECK(is_aligned(bytes, page_bytes));
    CHECK(percent <= 100);
    uint64_t pages = bytes / page_bytes;
    CHECK(pages <= UINT64_MAX / 100);
    return (pages - pages * percent / 100) * page_bytes;
}
