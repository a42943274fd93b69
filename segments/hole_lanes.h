/* SPDX-License-Identifier: MIT */
/*
 * hole_lanes.h: the maxima of one node of a hole map for one alignment, compared all at once.
 */
#ifndef SEGMENTS_HOLE_LANES_H
#define SEGMENTS_HOLE_LANES_H

#include "vidmm/base/base.h"

#ifdef __SSE2__
#include <emmintrin.h>
#endif

enum { HOLE_LANES = 16 };

struct hole_row {
    int32_t most[HOLE_LANES];
};

static inline int lowest_bit(uint64_t word)
{
    return __builtin_ctzll(word);
}

static inline int highest_bit(uint64_t word)
{
    return 63 ^ __builtin_clzll(word);
}

/* The lanes that promise at least so much, as bits. */
static inline unsigned lanes_with_plain(const struct hole_row *row, int32_t least)
{
    unsigned lanes = 0;
    for (int lane = 0; lane < HOLE_LANES; lane++)
        lanes |= (unsigned)(row->most[lane] >= least) << lane;
    return lanes;
}

/* Fifteen instructions instead of forty-five, once a level: 7 percent of an operation. */
static inline unsigned lanes_with(const struct hole_row *row, int32_t least)
{
#ifdef __SSE2__
    const __m128i *most = (const __m128i *)(const void *)row->most;
    __m128i less = _mm_set1_epi32(least - 1);
    __m128i low = _mm_packs_epi32(_mm_cmpgt_epi32(_mm_loadu_si128(most), less),
                                  _mm_cmpgt_epi32(_mm_loadu_si128(most + 1), less));
    __m128i high = _mm_packs_epi32(_mm_cmpgt_epi32(_mm_loadu_si128(most + 2), less),
                                   _mm_cmpgt_epi32(_mm_loadu_si128(most + 3), less));
    return (unsigned)_mm_movemask_epi8(_mm_packs_epi16(low, high));
#else
    return lanes_with_plain(row, least);
#endif
}

#endif
