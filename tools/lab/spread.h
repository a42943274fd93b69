/* SPDX-License-Identifier: MIT */
/*
 * spread.h: how memory segments fill while a run goes on: bytes in use, bytes ever in use, and how
 * the free bytes are torn apart.
 *
 * Fragmentation is 1 - L / F: F are the free bytes of all memory segments, L is the sum of the
 * largest hole of each. 0: every segment's free bytes are one hole; 0 too when nothing is free.
 *
 *     spread_start -> spread_change* -> spread_end, once for each adapter
 */
#ifndef TOOLS_LAB_SPREAD_H
#define TOOLS_LAB_SPREAD_H

#include "tools/lab/metrics.h"
#include "vidmm/vidmm.h"

enum {
    SPREAD_SEGMENTS = VIDMM_SEGMENTS_MAX * VIDMM_LINK_MAX,
    SPREAD_POINTS = 512,
    SPREAD_NAME = 32
};

/* Fragmentation from `time` on: the highest of the changes that the point stands for. */
struct spread_point {
    uint64_t time, share;
};

/* A segment as it is remembered after its adapter is gone. */
struct spread_segment {
    char name[SPREAD_NAME];
    bool memory;
    uint64_t bytes, peak, reach;
};

struct spread_totals {
    uint32_t segment_count;
    struct spread_segment segments[SPREAD_SEGMENTS];
    uint32_t point_count;
    struct spread_point points[SPREAD_POINTS];
};

struct spread;
struct spread *spread_new(struct spread_totals *totals);
void spread_free(struct spread *spread);
void spread_start(struct spread *spread, const struct vidmm_adapter *adapter);
/* After a place was taken or became free (VIDMM_EVENT_PLACE, VIDMM_EVENT_UNPLACE). */
void spread_change(struct spread *spread, const struct vidmm_event *event);
void spread_end(struct spread *spread);
/* Means, maxima and sums over all adapters so far. */
void spread_metrics(const struct spread *spread, struct metrics *metrics);

#endif
