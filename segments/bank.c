/* SPDX-License-Identifier: MIT */
/*
 * bank.c: where the banks of a segment lie (SEG-039).
 *
 * The table holds ends. The last bank ends with the segment, whatever its entry says, so that entry
 * is never read.
 */
#include "segments/segment.h"

struct range bank_range(const struct vidmm_segment_desc *desc, uint32_t bank)
{
    CHECK(bank >= 1);
    CHECK(bank <= desc->bank_count);
    uint64_t start = bank == 1 ? 0 : desc->bank_ends[bank - 2];
    uint64_t end = bank == desc->bank_count ? desc->bytes : desc->bank_ends[bank - 1];
    CHECK(start < end);
    return (struct range){ start, end - start };
}
