/* SPDX-License-Identifier: MIT */
/*
 * placement.h: in which order segments, banks and directions are searched. Pure functions.
 */
#ifndef SEGMENTS_PLACEMENT_H
#define SEGMENTS_PLACEMENT_H

#include "vidmm/vidmm_policy.h"

/*
 * The documented order: preferred segments, then the rest by id (PLACE-004, PLACE-009); banks of
 * SegmentId0 (PLACE-010); directions (PLACE-007, PLACE-008); the pinned region (PLACE-023). `why`
 * is one of these: PLACE-023 for every search of a pinned allocation, PLACE-010 in a bank,
 * PLACE-008 where a direction bit or FromEndOfSegment decided, PLACE-007 where nothing was said.
 *
 * Fills `searches` (room for VIDMM_SEARCHES_MAX) and returns how many; those of one segment stand
 * together. `segments[0]` is id 1.
 */
size_t placement_plan(const struct vidmm_demand *demand,
                      const struct vidmm_segment_desc *const *segments, size_t count,
                      struct vidmm_search *searches);

/* Fields of PreferredSegment and HintedBank (chapter 4.1 of the segments catalogue). */
uint32_t preference_segment(uint32_t preferred, unsigned index);
bool preference_top_down(uint32_t preferred, unsigned index);
enum { PREFERENCES_TOP_DOWN = 1 << 5 | 1 << 11 | 1 << 17 | 1 << 23 | 1 << 29 }; /* of any */
uint32_t hinted_bank(uint32_t hint, unsigned index);
bool hinted_bank_top_down(uint32_t hint, unsigned index);

#endif
