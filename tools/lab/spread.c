/* SPDX-License-Identifier: MIT */
/*
 * spread.c: the books of a layout: what is in use, what was ever, how the rest is torn apart.
 *
 * Each change costs a look at one segment (no walk over it) and a search among the ranges that were
 * ever in use, which join as they touch. Sums of sizes are kept in units of 512 bytes, the smallest
 * page there is, so that all segments together fit.
 */
#include "tools/lab/spread.h"

#include <string.h>

enum { UNIT_BYTES = 512 };

struct reach {
    struct {
        uint64_t start, end;
    } * ranges; /* apart from each other, in order */
    size_t count, capacity;
    uint64_t bytes;
};

struct spread {
    struct spread_totals *totals;
    const struct vidmm_adapter *adapter;
    uint32_t count;
    struct {
        bool memory;
        uint64_t used, free, largest; /* in units */
        struct reach reach;
    } segments[SPREAD_SEGMENTS];
    /* Of the adapter, over its memory segments, in units. */
    uint64_t used, free, largest, peak, reach, holes;
    uint64_t share; /* fragmentation now */
    vidmm_ns since; /* when that began */
    /* Over all adapters. */
    vidmm_ns ended;              /* virtual time of those that are gone, together */
    uint64_t torn_ns, torn_rest; /* fragmentation times nanoseconds, in whole ones and millionths */
    uint64_t steps, share_sum, share_most, peak_most, reach_most, ratio_most;
    uint64_t point_stride; /* changes that a point stands for */
    uint64_t point_left;   /* of them, to come for the last point */
};

/* ---- ranges that were ever in use -------------------------------------------------------------
 */

/* The first range that ends at `start` or later. */
static size_t reach_find(const struct reach *reach, uint64_t start)
{
    size_t low = 0, high = reach->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (reach->ranges[middle].end < start)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static void reach_add(struct reach *reach, uint64_t start, uint64_t end)
{
    size_t first = reach_find(reach, start), last = first;
    uint64_t merged = 0;
    for (; last < reach->count && reach->ranges[last].start <= end; last++) {
        merged += reach->ranges[last].end - reach->ranges[last].start;
        start = min_u64(start, reach->ranges[last].start);
        end = max_u64(end, reach->ranges[last].end);
    }
    if (last == first)
        BASE_GROW(reach->ranges, reach->capacity, reach->count + 1);
    memmove(reach->ranges + first + 1, reach->ranges + last,
            (reach->count - last) * sizeof *reach->ranges);
    reach->count += first + 1;
    reach->count -= last;
    reach->ranges[first].start = start;
    reach->ranges[first].end = end;
    reach->bytes += end - start - merged;
}

/* ---- fragmentation over time ------------------------------------------------------------------
 */

/* Twice as many changes for each point: neighbours become one. */
static void points_halve(struct spread *spread)
{
    struct spread_totals *totals = spread->totals;
    for (uint32_t i = 0; i < SPREAD_POINTS / 2; i++) {
        const struct spread_point *pair = totals->points + 2 * i;
        totals->points[i] =
            (struct spread_point){ pair[0].time, max_u64(pair[0].share, pair[1].share) };
    }
    totals->point_count = SPREAD_POINTS / 2;
    spread->point_stride *= 2;
}

static void point_add(struct spread *spread, uint64_t time)
{
    struct spread_totals *totals = spread->totals;
    if (spread->point_left) {
        struct spread_point *last = &totals->points[totals->point_count - 1];
        last->share = max_u64(last->share, spread->share);
        spread->point_left--;
        return;
    }
    if (totals->point_count == SPREAD_POINTS)
        points_halve(spread);
    totals->points[totals->point_count++] = (struct spread_point){ time, spread->share };
    spread->point_left = spread->point_stride - 1;
}

/* What held until now is added; an event never lies before the one in front of it. */
static void spread_pass_time(struct spread *spread, vidmm_ns now)
{
    uint64_t ns = now - spread->since;
    uint64_t rest = ns % METRIC_WHOLE * spread->share + spread->torn_rest;
    spread->torn_ns += ns / METRIC_WHOLE * spread->share + rest / METRIC_WHOLE; /* at most time */
    spread->torn_rest = rest % METRIC_WHOLE;
    spread->since = now;
}

/* ---- segments ---------------------------------------------------------------------------------
 */

static void spread_look(struct spread *spread, uint32_t id)
{
    struct vidmm_segment_view view;
    struct spread_segment *told = &spread->totals->segments[id - 1];
    bool known = vidmm_segment_view(spread->adapter, id, &view);
    CHECK(known);
    told->peak = max_u64(told->peak, view.used);
    if (!spread->segments[id - 1].memory)
        return;
    spread->used += view.used / UNIT_BYTES - spread->segments[id - 1].used;
    spread->free += view.free_bytes / UNIT_BYTES - spread->segments[id - 1].free;
    spread->largest += view.largest_free / UNIT_BYTES - spread->segments[id - 1].largest;
    spread->segments[id - 1].used = view.used / UNIT_BYTES;
    spread->segments[id - 1].free = view.free_bytes / UNIT_BYTES;
    spread->segments[id - 1].largest = view.largest_free / UNIT_BYTES;
    spread->peak = max_u64(spread->peak, spread->used);
    spread->share = metrics_ratio(spread->free - spread->largest, spread->free);
}

static uint64_t number_of(const struct vidmm_event *event, const char *name)
{
    for (size_t i = 0; i < event->field_count; i++)
        if (strcmp(event->fields[i].name, name) == 0)
            return event->fields[i].value;
    return 0;
}

/* A place of several pieces belongs to an allocation, which knows them. */
static void spread_reach(struct spread *spread, const struct vidmm_event *event, uint32_t id)
{
    struct reach *reach = &spread->segments[id - 1].reach;
    uint64_t offset = number_of(event, "offset"), bytes = number_of(event, "bytes");
    uint64_t runs = number_of(event, "runs"), was = reach->bytes;
    if (runs <= 1)
        reach_add(reach, offset, offset + bytes);
    for (size_t i = 0; runs > 1 && i < runs; i++) {
        bool known = vidmm_allocation_run(spread->adapter, event->subject, i, &offset, &bytes);
        CHECK(known);
        reach_add(reach, offset, offset + bytes);
    }
    spread->reach += (reach->bytes - was) / UNIT_BYTES;
}

void spread_change(struct spread *spread, const struct vidmm_event *event)
{
    uint32_t id = (uint32_t)number_of(event, "segment");
    if (!spread->adapter || id < 1 || id > spread->count)
        return;
    spread_pass_time(spread, event->time);
    spread_look(spread, id);
    if (!spread->segments[id - 1].memory)
        return;
    if (event->kind == VIDMM_EVENT_PLACE)
        spread_reach(spread, event, id);
    spread->steps++;
    spread->share_sum += spread->share;
    spread->share_most = max_u64(spread->share_most, spread->share);
    point_add(spread, spread->ended + event->time);
}

/* ---- life -------------------------------------------------------------------------------------
 */

struct spread *spread_new(struct spread_totals *totals)
{
    struct spread *spread = base_alloc(1, sizeof *spread);
    *totals = (struct spread_totals){ 0 };
    spread->totals = totals;
    spread->point_stride = 1;
    return spread;
}

/* What is taken before anything runs: ranges that are no memory, reserves, paging buffers. */
static void reach_begin(struct spread *spread, uint32_t id)
{
    struct reach *reach = &spread->segments[id - 1].reach;
    size_t count = vidmm_segment_map(spread->adapter, id, NULL, 0);
    struct vidmm_segment_span *spans = base_alloc(count, sizeof *spans);
    count = min_u64(count, vidmm_segment_map(spread->adapter, id, spans, count));
    for (size_t i = 0; i < count; i++)
        if (strcmp(spans[i].what, "free") != 0)
            reach_add(reach, spans[i].offset, spans[i].offset + spans[i].bytes);
    base_free(spans);
    spread->reach += reach->bytes / UNIT_BYTES;
}

void spread_start(struct spread *spread, const struct vidmm_adapter *adapter)
{
    struct spread_totals *totals = spread->totals;
    struct vidmm_segment_view view;
    spread->adapter = adapter;
    spread->since = vidmm_now(adapter);
    spread->used = spread->free = spread->largest = spread->share = 0;
    spread->peak = spread->reach = spread->holes = 0;
    spread->count = min_u32(vidmm_segment_count(adapter), SPREAD_SEGMENTS);
    for (uint32_t id = 1; id <= spread->count; id++) {
        bool known = vidmm_segment_view(adapter, id, &view);
        CHECK(known);
        struct spread_segment *told = &totals->segments[id - 1];
        spread->segments[id - 1].memory = strcmp(view.kind, "memory") == 0;
        spread->segments[id - 1].used = spread->segments[id - 1].free = 0;
        spread->segments[id - 1].largest = 0;
        if (id > totals->segment_count) {
            (void)snprintf(told->name, sizeof told->name, "%s", view.name);
            told->memory = spread->segments[id - 1].memory;
            totals->segment_count = id;
        }
        told->bytes = max_u64(told->bytes, view.bytes);
        spread_look(spread, id);
        if (spread->segments[id - 1].memory)
            reach_begin(spread, id);
    }
}

void spread_end(struct spread *spread)
{
    struct vidmm_segment_view view;
    if (!spread->adapter)
        return;
    spread_pass_time(spread, vidmm_now(spread->adapter));
    if (!add_fits(spread->ended, spread->since, &spread->ended))
        spread->ended = UINT64_MAX;
    for (uint32_t id = 1; id <= spread->count; id++) {
        struct spread_segment *told = &spread->totals->segments[id - 1];
        struct reach *reach = &spread->segments[id - 1].reach;
        if (spread->segments[id - 1].memory && vidmm_segment_view(spread->adapter, id, &view))
            spread->holes += view.holes;
        told->reach = max_u64(told->reach, reach->bytes);
        base_free(reach->ranges);
        *reach = (struct reach){ 0 };
    }
    spread->peak_most = max_u64(spread->peak_most, spread->peak);
    spread->reach_most = max_u64(spread->reach_most, spread->reach);
    spread->ratio_most = max_u64(spread->ratio_most, metrics_ratio(spread->reach, spread->peak));
    spread->adapter = NULL;
}

void spread_metrics(const struct spread *spread, struct metrics *metrics)
{
    metrics_set(metrics, METRIC_PEAK, multiply_capped(spread->peak_most, UNIT_BYTES));
    metrics_set(metrics, METRIC_REACH, multiply_capped(spread->reach_most, UNIT_BYTES));
    if (spread->reach_most)
        metrics_set(metrics, METRIC_REACH_RATIO, spread->ratio_most);
    metrics_set_ratio(metrics, METRIC_FRAGMENTS_TIME, spread->torn_ns, spread->ended);
    if (spread->steps)
        metrics_set(metrics, METRIC_FRAGMENTS_STEPS, spread->share_sum / spread->steps);
    metrics_set(metrics, METRIC_FRAGMENTS_MOST, spread->share_most);
    metrics_set(metrics, METRIC_FRAGMENTS_END, spread->share);
    metrics_set(metrics, METRIC_HOLES_END, spread->holes);
}

void spread_free(struct spread *spread)
{
    for (uint32_t i = 0; i < SPREAD_SEGMENTS; i++)
        base_free(spread->segments[i].reach.ranges);
    base_free(spread);
}
