/* SPDX-License-Identifier: MIT */
/*
 * axis.c: where on the axis is a moment?
 *
 * A frame takes a millisecond and an eviction one microsecond: true to scale, what a picture is
 * about would be a line. So each moment at which something begins or ends gets a little room behind
 * it, the last one, too, and the rest of the axis is divided by time. Times stand below; the
 * picture says so.
 */
#include <inttypes.h>
#include <stdlib.h>

#include "tools/picture/sheet.h"

enum {
    STEP_MOST = 26 * PX,
    STEPS_SHARE = 2, /* the part of the axis that is not divided by time is one in so many */
    TICK_GAP = 64 * PX,
    TICK_ROOM = 44 * PX
};

/* Products of times and lengths need 14 bits more than a time that is divided like this. */
uint64_t axis_scale(uint64_t part, uint64_t whole, uint64_t length)
{
    while (whole >> 44) {
        whole >>= 1;
        part >>= 1;
    }
    return whole ? min_u64(part, whole) * length / whole : 0;
}

static int compare_times(const void *a, const void *b)
{
    const vidmm_ns *left = a, *right = b;
    return *left < *right ? -1 : *left > *right;
}

static void add_moment(struct axis *axis, vidmm_ns time)
{
    if (time >= axis->from && time <= axis->to)
        axis->moments[axis->count++] = time;
}

static void sort_moments(struct axis *axis)
{
    size_t kept = 0;
    qsort(axis->moments, axis->count, sizeof *axis->moments, compare_times);
    for (size_t i = 0; i < axis->count; i++)
        if (!kept || axis->moments[i] != axis->moments[kept - 1])
            axis->moments[kept++] = axis->moments[i];
    axis->count = kept;
}

void axis_init(struct axis *axis, const struct scene *scene, const struct scene_act *act,
               const struct sink_options *options)
{
    size_t most = 2 * ((size_t)act->stays.count + act->slices.count + act->marks.count) + 2;
    *axis = (struct axis){ .from = min_u64(options->from, act->end),
                           .to = min_u64(options->to, act->end) };
    axis->moments = base_alloc(most, sizeof *axis->moments);
    add_moment(axis, axis->from);
    add_moment(axis, axis->to);
    for (uint32_t i = 0; i < act->stays.count; i++) {
        add_moment(axis, scene->stays[act->stays.first + i].begin);
        add_moment(axis, scene->stays[act->stays.first + i].end);
    }
    for (uint32_t i = 0; i < act->slices.count; i++) {
        add_moment(axis, scene->slices[act->slices.first + i].begin);
        add_moment(axis, scene->slices[act->slices.first + i].end);
    }
    for (uint32_t i = 0; i < act->marks.count; i++) {
        add_moment(axis, scene->marks[act->marks.first + i].begin);
        add_moment(axis, scene->marks[act->marks.first + i].end);
    }
    sort_moments(axis);
    axis->step = min_u64(STEP_MOST, PLOT_WIDE / STEPS_SHARE / axis->count);
}

void axis_fini(struct axis *axis)
{
    base_free(axis->moments);
}

/* The last moment at or before it. */
static size_t find_moment(const struct axis *axis, vidmm_ns time)
{
    size_t low = 0, high = axis->count;
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (axis->moments[middle] <= time)
            low = middle;
        else
            high = middle;
    }
    return low;
}

static uint64_t moment_x(const struct axis *axis, size_t i)
{
    return PLOT_LEFT + axis->step * i +
           axis_scale(axis->moments[i] - axis->from, axis->to - axis->from,
                      PLOT_WIDE - axis->step * axis->count);
}

uint64_t axis_x(const struct axis *axis, vidmm_ns time)
{
    if (time <= axis->from)
        return PLOT_LEFT;
    if (time > axis->to)
        return PLOT_LEFT + PLOT_WIDE;
    size_t i = find_moment(axis, time);
    uint64_t x = moment_x(axis, i);
    if (i + 1 == axis->count || axis->moments[i] == time)
        return x;
    return x + axis_scale(time - axis->moments[i], axis->moments[i + 1] - axis->moments[i],
                          moment_x(axis, i + 1) - x);
}

uint64_t axis_end(const struct axis *axis, vidmm_ns time, bool still_there)
{
    return still_there && time >= axis->to ? PLOT_LEFT + PLOT_WIDE : axis_x(axis, time);
}

/* Three decimals below 10, two below 100, one above: the rest is in the boxes' own words. */
struct text_short axis_words(vidmm_ns time)
{
    static const struct {
        uint64_t unit;
        const char *name;
    } units[] = { { 1000000000, "s" }, { 1000000, "ms" }, { 1000, "us" }, { 1, "ns" } };
    size_t i = 0;
    if (!time)
        return text_print("0");
    while (time < units[i].unit)
        i++;
    uint64_t whole = time / units[i].unit;
    int digits = units[i].unit == 1 ? 0 : whole < 10 ? 3 : whole < 100 ? 2 : 1;
    uint64_t parts = digits == 3 ? 1000 : digits == 2 ? 100 : digits ? 10 : 1;
    /* Half of the last digit up; what rounds up to 1000 stays in its unit. */
    whole = time / units[i].unit * parts +
            (time % units[i].unit * parts + units[i].unit / 2) / units[i].unit;
    uint64_t rest = whole % parts;
    for (; digits && rest % 10 == 0; digits--)
        rest /= 10;
    if (!digits)
        return text_print("%" PRIu64 " %s", whole / parts, units[i].name);
    return text_print("%" PRIu64 ".%0*" PRIu64 " %s", whole / parts, digits, rest, units[i].name);
}

uint64_t axis_height(void)
{
    return TICK_ROOM;
}

/* The last one ends with the axis. */
static void draw_tick(struct sheet *sheet, uint64_t top, size_t i)
{
    uint64_t x = moment_x(&sheet->axis, i);
    svg_line(sheet->out, (struct svg_box){ x, top, 0, sheet->y + 5 * PX - top }, "grid");
    svg_text(sheet->out, x, sheet->y + 18 * PX,
             i + 1 == sheet->axis.count ? "small end" : "small middle",
             axis_words(sheet->axis.moments[i]).it);
}

void axis_draw(struct sheet *sheet, uint64_t top)
{
    const struct axis *axis = &sheet->axis;
    uint64_t end = moment_x(axis, axis->count - 1), next = PLOT_LEFT;
    for (size_t i = 0; i < axis->count; i++) {
        uint64_t x = moment_x(axis, i);
        bool last = i + 1 == axis->count;
        if (!last && (x < next || x + TICK_GAP > end))
            continue;
        draw_tick(sheet, top, i);
        next = x + TICK_GAP;
    }
    svg_line(sheet->out, (struct svg_box){ PLOT_LEFT, sheet->y, PLOT_WIDE, 0 }, "axis");
    svg_text(sheet->out, SHEET_EDGE, sheet->y + 18 * PX, "small", "virtual time,");
    svg_text(sheet->out, SHEET_EDGE, sheet->y + 31 * PX, "small", "stretched");
    sheet->y += TICK_ROOM;
}
