/* SPDX-License-Identifier: MIT */
/*
 * segments.c: who lay where, over time: a panel for each segment in which something ever lay.
 *
 * A stay that is smaller than a pixel is drawn as one, unless others have drawn all of its pixels:
 * so however many there are, a panel has no more boxes than pixels. The legend says how many were
 * not drawn.
 */
#include <inttypes.h>
#include <stdlib.h>

#include "tools/picture/sheet.h"

enum {
    PANEL_HEAD = 30 * PX,
    PANEL_MEMORY = 240 * PX, /* where there are no more than three */
    PANEL_OTHER = 120 * PX,
    PANEL_GAP = 8 * PX,
    TICK_GAP = 26 * PX,
    TEXT_GAP = 13 * PX
};

struct panel {
    struct sheet *sheet;
    const struct scene_segment *segment;
    scene_index index;
    struct svg_box box;
    bool *drawn;        /* pixels that small boxes have drawn */
    scene_index *marks; /* of the act, as marks_sort() has them */
};

bool *segments_look(const struct sheet *sheet)
{
    const struct scene_range *stays = &sheet->act->stays;
    bool *used = base_alloc((size_t)sheet->act->segments.count + 1, sizeof *used);
    for (uint32_t i = 0; i < stays->count; i++)
        used[sheet->scene->stays[stays->first + i].segment - sheet->act->segments.first] = true;
    return used;
}

static bool is_memory(const struct sheet *sheet, const struct scene_segment *segment)
{
    return strcmp(sheet_text(sheet, segment->kind), "memory") == 0;
}

uint64_t segments_pin(const struct scene_segment *segment)
{
    return min_u64(segment->pin_start, segment->size);
}

/* 0: nothing ever lay there, and there is no panel. */
static uint64_t panel_height(const struct sheet *sheet, uint32_t i)
{
    uint32_t count = 0;
    for (uint32_t k = 0; k < sheet->act->segments.count; k++)
        count += sheet->used[k];
    if (!sheet->used[i])
        return 0;
    bool large = is_memory(sheet, &sheet->scene->segments[sheet->act->segments.first + i]);
    return large && count <= 3 ? PANEL_MEMORY : PANEL_OTHER;
}

static uint64_t height_before(const struct sheet *sheet, uint32_t end)
{
    uint64_t height = 0;
    for (uint32_t i = 0; i < end; i++)
        height += sheet->used[i] ? PANEL_HEAD + panel_height(sheet, i) + PANEL_GAP : 0;
    return height;
}

uint64_t segments_height(const struct sheet *sheet)
{
    return height_before(sheet, sheet->act->segments.count);
}

static struct svg_box panel_box(const struct sheet *sheet, uint64_t top, scene_index segment)
{
    uint32_t i = segment - sheet->act->segments.first;
    return (struct svg_box){ PLOT_LEFT, top + height_before(sheet, i) + PANEL_HEAD, PLOT_WIDE,
                             panel_height(sheet, i) };
}

/* ---- a stay ---------------------------------------------------------------------------------- */

/* Address 0 is at the bottom. */
static uint64_t panel_y(const struct panel *panel, uint64_t offset)
{
    return panel->box.y + panel->box.height -
           axis_scale(offset, panel->segment->size, panel->box.height);
}

struct span {
    vidmm_ns begin, end;
    bool still_there;
};

static struct svg_box span_box(const struct panel *panel, const struct scene_stay *stay,
                               struct span span)
{
    const struct axis *axis = &panel->sheet->axis;
    uint64_t x = axis_x(axis, span.begin), to_x = axis_end(axis, span.end, span.still_there);
    uint64_t y = panel_y(panel, stay->offset + stay->bytes), to_y = panel_y(panel, stay->offset);
    return (struct svg_box){ x, y, to_x - x, to_y - y };
}

static struct svg_box stay_box(const struct panel *panel, const struct scene_stay *stay)
{
    return span_box(panel, stay, (struct span){ stay->begin, stay->end, stay->still_there });
}

bool segments_box(const struct sheet *sheet, uint64_t top, const struct scene_stay *stay,
                  struct svg_box *box)
{
    struct panel panel = { .sheet = (struct sheet *)sheet,
                           .segment = &sheet->scene->segments[stay->segment],
                           .box = panel_box(sheet, top, stay->segment) };
    *box = stay_box(&panel, stay);
    return stay->begin <= sheet->axis.to && stay->end >= sheet->axis.from;
}

/* Whole pixels; false: all of them are drawn. */
static bool take_pixels(struct panel *panel, struct svg_box *box)
{
    uint64_t wide = panel->box.width / PX, high = panel->box.height / PX;
    uint64_t x = min_u64((box->x - panel->box.x) / PX, wide - 1);
    uint64_t y = min_u64((box->y - panel->box.y) / PX, high - 1);
    uint64_t to_x = min_u64((box->x + box->width - panel->box.x) / PX + 1, wide);
    uint64_t to_y = min_u64((box->y + box->height - panel->box.y) / PX + 1, high);
    bool is_new = false;
    for (uint64_t row = y; row < to_y; row++)
        for (uint64_t column = x; column < to_x; column++) {
            is_new = is_new || !panel->drawn[row * wide + column];
            panel->drawn[row * wide + column] = true;
        }
    *box = (struct svg_box){ panel->box.x + x * PX, panel->box.y + y * PX, (to_x - x) * PX,
                             (to_y - y) * PX };
    return is_new;
}

static void add_reason(const struct sheet *sheet, const struct scene_stay *stay, struct text *says)
{
    const char *why = sheet_text(sheet, stay->why_left);
    if (stay->still_there)
        text_add(says, "still there at the end");
    else
        text_add(says, "until %s", text_time(stay->end).it);
    if (*why)
        text_add(says, " (%s)", why);
}

static void say_stay(const struct panel *panel, const struct scene_stay *stay, struct text *says)
{
    const struct sheet *sheet = panel->sheet;
    text_add(says, "%s: %s at %s in %s, from %s, ", box_name(sheet, stay),
             text_size(stay->bytes).it, text_offset(stay->offset).it,
             sheet_text(sheet, panel->segment->name), text_time(stay->begin).it);
    add_reason(sheet, stay, says);
    if (stay->kind == SCENE_STAY_EVICTION)
        text_add(says, "; on its way to system memory");
}

static bool is_seen(const struct sheet *sheet, vidmm_ns begin, vidmm_ns end)
{
    return begin <= sheet->axis.to && end >= sheet->axis.from &&
           (end > sheet->axis.from || begin == end || sheet->axis.from == sheet->axis.to);
}

/* As on the page: from the event at which it gave up its place. What is mapped for the time of a
   move only never does. */
static void draw_leaving(const struct panel *panel, const struct scene_stay *stay)
{
    struct sheet *sheet = panel->sheet;
    if (stay->left == SCENE_NONE || stay->left == stay->gone)
        return;
    vidmm_ns from = max_u64(sheet->scene->events[stay->left].time, stay->begin);
    if (from >= stay->end || from > sheet->axis.to)
        return;
    svg_box(sheet->out, span_box(panel, stay, (struct span){ from, stay->end, stay->still_there }),
            "leaving", NULL);
    sheet->seen[LEGEND_LEAVING] = true;
}

static void draw_stay(struct panel *panel, const struct scene_stay *stay)
{
    struct sheet *sheet = panel->sheet;
    struct svg_box box = stay_box(panel, stay);
    if (box.width < PX || box.height < PX) {
        if (take_pixels(panel, &box))
            svg_box(sheet->out, box, text_print("c%u bare", box_hue(sheet, stay)).it, NULL);
        else
            sheet->merged++;
        return;
    }
    struct text says = { 0 };
    say_stay(panel, stay, &says);
    box_draw(sheet, box, stay, text_get(&says));
    text_free(&says);
    draw_leaving(panel, stay);
}

/* ---- marks ----------------------------------------------------------------------------------- */

struct marking {
    struct marks_visitor visitor;
    struct panel *panel;
    const struct scene_stay *stay;
};

static void draw_mark(struct marks_visitor *visitor, const struct scene_mark *mark)
{
    const struct marking *marking = CONTAINER_OF(visitor, struct marking, visitor);
    const struct scene_stay *stay = marking->stay;
    vidmm_ns begin = max_u64(mark->begin, stay->begin), end = min_u64(mark->end, stay->end);
    struct panel *panel = marking->panel;
    bool still = mark->still_there && stay->still_there;
    if (is_seen(panel->sheet, begin, end))
        marks_draw(panel->sheet, span_box(panel, stay, (struct span){ begin, end, still }),
                   mark->kind);
}

/* ---- a panel --------------------------------------------------------------------------------- */

static void draw_head(const struct panel *panel)
{
    const struct sheet *sheet = panel->sheet;
    const char *name = sheet_text(sheet, panel->segment->name);
    struct svg_box at = { PLOT_LEFT, panel->box.y - 9 * PX, PLOT_WIDE / 2, 0 };
    struct text words = { 0 };
    box_text(sheet->out, at, 13, "head", name);
    at.x += min_u64(box_text_wide(name, 13) * 11 / 10, at.width) + 8 * PX;
    text_add(&words, "%s, %s", sheet_text(sheet, panel->segment->kind),
             text_size(panel->segment->size).it);
    svg_text(sheet->out, at.x, at.y, "small on-paper", text_get(&words));
    text_free(&words);
}

/* The least power of two of bytes that leaves room between two of its multiples. */
static uint64_t tick_bytes(const struct panel *panel)
{
    uint64_t bytes = 1;
    while (bytes < panel->segment->size &&
           axis_scale(bytes, panel->segment->size, panel->box.height) < TICK_GAP)
        bytes *= 2;
    return bytes;
}

static bool is_near(uint64_t y, uint64_t other)
{
    return (y > other ? y - other : other - y) < TEXT_GAP;
}

static void draw_tick(const struct panel *panel, uint64_t offset)
{
    uint64_t y = panel_y(panel, offset), top = panel->box.y, end = top + panel->box.height;
    uint64_t pin = segments_pin(panel->segment);
    if (offset && offset < panel->segment->size &&
        (is_near(y, top) || (pin < panel->segment->size && is_near(y, panel_y(panel, pin)))))
        return;
    svg_line(panel->sheet->out, (struct svg_box){ PLOT_LEFT - 4 * PX, y, 4 * PX, 0 }, "axis");
    svg_text(panel->sheet->out, PLOT_LEFT - 8 * PX,
             y == end   ? y
             : y == top ? y + 8 * PX
                        : y + 4 * PX,
             "small end", offset ? text_size(offset).it : "0");
}

static void draw_paper(const struct panel *panel)
{
    uint64_t step = tick_bytes(panel), size = panel->segment->size;
    panel->sheet->seen[LEGEND_FREE] = true;
    svg_box(panel->sheet->out, panel->box, "paper", NULL);
    draw_head(panel);
    for (uint64_t offset = 0; offset < size; offset += min_u64(step, size - offset))
        draw_tick(panel, offset);
    draw_tick(panel, size);
}

static void draw_banks(const struct panel *panel)
{
    const struct scene_segment *segment = panel->segment;
    uint64_t room = panel->box.height / max_u64(segment->banks, 1);
    uint64_t bytes = segment->size / max_u64(segment->banks, 1);
    for (uint32_t i = 0; i < segment->banks && segment->banks > 1 && room > 6 * PX; i++) {
        uint64_t y = panel_y(panel, bytes * i);
        if (i)
            svg_line(panel->sheet->out, (struct svg_box){ PLOT_LEFT, y, PLOT_WIDE, 0 }, "bank");
        if (room > TEXT_GAP)
            svg_text(panel->sheet->out, PLOT_LEFT + PLOT_WIDE + 8 * PX, y - room / 2 + 4 * PX,
                     "small", text_print("bank %" PRIu32, i).it);
    }
}

/* Lines over the boxes: what the segment itself is divided into. */
static void draw_lines(const struct panel *panel)
{
    struct sheet *sheet = panel->sheet;
    uint64_t pin = segments_pin(panel->segment);
    draw_banks(panel);
    if (pin < panel->segment->size) {
        uint64_t y = panel_y(panel, pin);
        svg_line(sheet->out, (struct svg_box){ PLOT_LEFT - 4 * PX, y, PLOT_WIDE + 4 * PX, 0 },
                 "pin");
        svg_text(sheet->out, PLOT_LEFT - 8 * PX, y + 4 * PX, "small end", "pinned \xE2\x86\x91");
        sheet->seen[LEGEND_PIN_LINE] = true;
    }
    svg_box(sheet->out, panel->box, "frame", NULL);
}

/* What came last has its name behind the plot, where its box is too narrow. */
static void label_stay(const struct panel *panel, const struct scene_stay *stay)
{
    const struct sheet *sheet = panel->sheet;
    struct svg_box box = stay_box(panel, stay);
    uint64_t end = PLOT_LEFT + PLOT_WIDE;
    if (box_label(sheet, box, text_print("t%u", box_hue(sheet, stay)).it, box_name(sheet, stay),
                  text_size(stay->bytes).it))
        return;
    if (box.x + box.width == end && box.height >= TEXT_GAP && panel->segment->banks <= 1)
        box_text(sheet->out,
                 (struct svg_box){ end + 8 * PX, box.y + box.height / 2 + 4 * PX,
                                   PLOT_RIGHT - 8 * PX, 0 },
                 12, "label on-paper", box_name(sheet, stay));
}

static void draw_stays(struct panel *panel)
{
    struct sheet *sheet = panel->sheet;
    const struct scene_range *range = &sheet->act->stays;
    for (uint32_t i = 0; i < range->count; i++) {
        const struct scene_stay *stay = &sheet->scene->stays[range->first + i];
        struct marking marking = { { draw_mark }, panel, stay };
        if (stay->segment != panel->index || !is_seen(sheet, stay->begin, stay->end))
            continue;
        draw_stay(panel, stay);
        marks_visit(sheet, panel->marks, stay, &marking.visitor);
    }
}

/* Over the lines. */
static void label_stays(const struct panel *panel)
{
    const struct sheet *sheet = panel->sheet;
    const struct scene_range *range = &sheet->act->stays;
    for (uint32_t i = 0; i < range->count; i++) {
        const struct scene_stay *stay = &sheet->scene->stays[range->first + i];
        if (stay->segment == panel->index && is_seen(sheet, stay->begin, stay->end))
            label_stay(panel, stay);
    }
}

void segments_draw(struct sheet *sheet)
{
    scene_index *marks = marks_sort(sheet);
    uint64_t top = sheet->y;
    for (uint32_t i = 0; i < sheet->act->segments.count; i++) {
        scene_index index = sheet->act->segments.first + i;
        if (!sheet->used[i])
            continue;
        struct panel panel = {
            .sheet = sheet,
            .segment = &sheet->scene->segments[index],
            .index = index,
            .box = panel_box(sheet, top, index),
            .marks = marks,
        };
        panel.drawn = base_alloc(PLOT_WIDE / PX * (panel.box.height / PX), sizeof *panel.drawn);
        draw_paper(&panel);
        draw_stays(&panel);
        draw_lines(&panel);
        label_stays(&panel);
        base_free(panel.drawn);
    }
    sheet->y = top + segments_height(sheet);
    base_free(marks);
}
