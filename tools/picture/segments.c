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
    PANEL_MEMORY = 230 * PX,
    PANEL_OTHER = 120 * PX,
    PANEL_MANY = 120 * PX, /* where there are more than three */
    PANEL_GAP = 8 * PX,
    TICKS = 4
};

/* A mark of an allocation, sorted by allocation. */
struct panel {
    struct sheet *sheet;
    const struct scene_segment *segment;
    scene_index index;
    struct svg_box box;
    bool *drawn;        /* pixels that small boxes have drawn */
    scene_index *marks; /* by allocation, then by time; of the act */
};

static bool is_used(const struct sheet *sheet, scene_index segment)
{
    const struct scene_range *stays = &sheet->act->stays;
    for (uint32_t i = 0; i < stays->count; i++)
        if (sheet->scene->stays[stays->first + i].segment == segment)
            return true;
    return false;
}

static uint32_t count_used(const struct sheet *sheet)
{
    uint32_t used = 0;
    for (uint32_t i = 0; i < sheet->act->segments.count; i++)
        used += is_used(sheet, sheet->act->segments.first + i);
    return used;
}

static bool is_memory(const struct sheet *sheet, const struct scene_segment *segment)
{
    return strcmp(sheet_text(sheet, segment->kind), "memory") == 0;
}

static uint64_t panel_height(const struct sheet *sheet, scene_index segment)
{
    if (count_used(sheet) > 3)
        return PANEL_MANY;
    return is_memory(sheet, &sheet->scene->segments[segment]) ? PANEL_MEMORY : PANEL_OTHER;
}

uint64_t segments_height(const struct sheet *sheet)
{
    uint64_t height = 0;
    for (uint32_t i = 0; i < sheet->act->segments.count; i++) {
        scene_index segment = sheet->act->segments.first + i;
        if (is_used(sheet, segment))
            height += PANEL_HEAD + panel_height(sheet, segment) + PANEL_GAP;
    }
    return height;
}

/* ---- a stay ---------------------------------------------------------------------------------- */

/* Address 0 is at the bottom. */
static uint64_t panel_y(const struct panel *panel, uint64_t offset)
{
    return panel->box.y + panel->box.height -
           axis_scale(offset, panel->segment->size, panel->box.height);
}

static struct svg_box stay_box(const struct panel *panel, const struct scene_stay *stay,
                               vidmm_ns begin, vidmm_ns end)
{
    uint64_t x = axis_x(&panel->sheet->axis, begin), to_x = axis_x(&panel->sheet->axis, end);
    uint64_t y = panel_y(panel, stay->offset + stay->bytes), to_y = panel_y(panel, stay->offset);
    return (struct svg_box){ x, y, to_x - x, to_y - y };
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

static void draw_stay(struct panel *panel, const struct scene_stay *stay)
{
    struct sheet *sheet = panel->sheet;
    struct svg_box box = stay_box(panel, stay, stay->begin, stay->end);
    const char *colour = box_colour(sheet, stay);
    if (box.width < PX || box.height < PX) {
        struct text kind = { 0 };
        text_add(&kind, "%s tiny", colour);
        if (take_pixels(panel, &box))
            svg_box(sheet->out, box, text_get(&kind), NULL);
        else
            sheet->merged++;
        text_free(&kind);
        return;
    }
    struct text says = { 0 };
    say_stay(panel, stay, &says);
    svg_box(sheet->out, box, colour, text_get(&says));
    text_free(&says);
    sheet->seen[stay->allocation == SCENE_NONE ? LEGEND_OTHER : LEGEND_STAY] = true;
    if (stay->leaving < stay->end) {
        box = stay_box(panel, stay, stay->leaving, stay->end);
        svg_box(sheet->out, box, "leaving", NULL);
        sheet->seen[LEGEND_LEAVING] = true;
    }
}

/* ---- marks ----------------------------------------------------------------------------------- */

static scene_index mark_of(const struct panel *panel, uint32_t i)
{
    return panel->sheet->scene->marks[panel->marks[i]].allocation;
}

/* The first one of an allocation in the sorted list. */
static uint32_t find_marks(const struct panel *panel, scene_index allocation)
{
    uint32_t low = 0, high = panel->sheet->act->marks.count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        bool less = mark_of(panel, middle) < allocation;
        low = less ? middle + 1 : low;
        high = less ? high : middle;
    }
    return low;
}

static void draw_mark(struct panel *panel, const struct scene_stay *stay,
                      const struct scene_mark *mark)
{
    static const enum legend legends[] = {
        [SCENE_PINNED] = LEGEND_PINNED, [SCENE_DIRTY] = LEGEND_DIRTY,
        [SCENE_LOCKED] = LEGEND_LOCKED, [SCENE_OFFERED] = LEGEND_OFFERED,
        [SCENE_MOVING] = LEGEND_MOVING,
    };
    vidmm_ns begin = max_u64(mark->begin, stay->begin), end = min_u64(mark->end, stay->end);
    if (begin >= end || !is_seen(panel->sheet, begin, end))
        return;
    struct svg_box box = stay_box(panel, stay, begin, end);
    if (box.width < 2 * PX || box.height < 2 * PX)
        return;
    if (mark->kind == SCENE_LOCKED) {
        uint64_t thick = min_u64(4 * PX, box.height / 2);
        box.y += box.height - thick;
        box.height = thick;
    } else if (mark->kind == SCENE_PINNED && box.width > 3 * PX && box.height > 3 * PX) {
        box = (struct svg_box){ box.x + PX, box.y + PX, box.width - 2 * PX, box.height - 2 * PX };
    }
    svg_box(panel->sheet->out, box, box_mark_kinds[mark->kind], NULL);
    panel->sheet->seen[legends[mark->kind]] = true;
}

static void draw_marks(struct panel *panel, const struct scene_stay *stay)
{
    uint32_t count = panel->sheet->act->marks.count;
    if (stay->allocation == SCENE_NONE)
        return;
    for (uint32_t i = find_marks(panel, stay->allocation);
         i < count && mark_of(panel, i) == stay->allocation; i++)
        draw_mark(panel, stay, &panel->sheet->scene->marks[panel->marks[i]]);
}

struct mark_key {
    scene_index allocation, mark;
};

static int compare_keys(const void *a, const void *b)
{
    const struct mark_key *left = a, *right = b;
    if (left->allocation != right->allocation)
        return left->allocation < right->allocation ? -1 : 1;
    return left->mark < right->mark ? -1 : left->mark > right->mark;
}

static scene_index *sort_marks(const struct sheet *sheet)
{
    const struct scene_range *range = &sheet->act->marks;
    struct mark_key *keys = base_alloc((size_t)range->count + 1, sizeof *keys);
    scene_index *marks = base_alloc((size_t)range->count + 1, sizeof *marks);
    for (uint32_t i = 0; i < range->count; i++)
        keys[i] =
            (struct mark_key){ sheet->scene->marks[range->first + i].allocation, range->first + i };
    qsort(keys, range->count, sizeof *keys, compare_keys);
    for (uint32_t i = 0; i < range->count; i++)
        marks[i] = keys[i].mark;
    base_free(keys);
    return marks;
}

/* ---- a panel --------------------------------------------------------------------------------- */

static void draw_paper(const struct panel *panel)
{
    FILE *out = panel->sheet->out;
    const struct svg_box *box = &panel->box;
    struct text words = { 0 };
    svg_box(out, *box, "paper", NULL);
    svg_text(out, PLOT_LEFT, box->y - 9 * PX, "head",
             sheet_text(panel->sheet, panel->segment->name));
    text_add(&words, "%s, %s", sheet_text(panel->sheet, panel->segment->kind),
             text_size(panel->segment->size).it);
    svg_text(out,
             PLOT_LEFT + box_text_wide(sheet_text(panel->sheet, panel->segment->name)) * 12 / 10 +
                 12 * PX,
             box->y - 9 * PX, "small", text_get(&words));
    text_free(&words);
    for (uint64_t i = 0; i <= TICKS; i++) {
        uint64_t offset = panel->segment->size / TICKS * i, y = panel_y(panel, offset);
        svg_line(out, (struct svg_box){ PLOT_LEFT - 4 * PX, y, 4 * PX, 0 }, "axis");
        svg_text(out, PLOT_LEFT - 8 * PX,
                 y + (i == TICKS ? 9 * PX
                      : i        ? 4 * PX
                                 : 0),
                 "small end", text_size(offset).it);
    }
}

/* Lines over the boxes: what the segment itself is divided into. */
static void draw_lines(const struct panel *panel)
{
    const struct scene_segment *segment = panel->segment;
    FILE *out = panel->sheet->out;
    uint64_t right = PLOT_LEFT + PLOT_WIDE, room = panel->box.height / max_u64(segment->banks, 1);
    for (uint32_t i = 1; i < segment->banks && room > 6 * PX; i++)
        svg_line(out,
                 (struct svg_box){ PLOT_LEFT, panel_y(panel, segment->size / segment->banks * i),
                                   PLOT_WIDE, 0 },
                 "bank");
    for (uint32_t i = 0; i < segment->banks && segment->banks > 1 && room > 12 * PX; i++)
        svg_text(out, right + 6 * PX,
                 panel_y(panel, segment->size / segment->banks * i) - room / 2 + 4 * PX, "small",
                 text_print("bank %" PRIu32, i).it);
    if (segment->pin_start < segment->size && is_memory(panel->sheet, segment)) {
        uint64_t y = panel_y(panel, segment->pin_start);
        svg_line(out, (struct svg_box){ PLOT_LEFT, y, PLOT_WIDE + 50 * PX, 0 }, "pin");
        svg_text(
            out, right + 54 * PX, y + 4 * PX, "small",
            text_print("%" PRIu64 " %%", axis_scale(segment->pin_start, segment->size, 100)).it);
    }
    svg_box(out, panel->box, "frame", NULL);
}

static void draw_stays(struct panel *panel)
{
    struct sheet *sheet = panel->sheet;
    const struct scene_range *range = &sheet->act->stays;
    const struct scene_stay *stays = &sheet->scene->stays[range->first];
    for (uint32_t i = 0; i < range->count; i++)
        if (stays[i].segment == panel->index && is_seen(sheet, stays[i].begin, stays[i].end)) {
            draw_stay(panel, &stays[i]);
            draw_marks(panel, &stays[i]);
        }
    for (uint32_t i = 0; i < range->count; i++)
        if (stays[i].segment == panel->index && is_seen(sheet, stays[i].begin, stays[i].end))
            box_label(sheet, stay_box(panel, &stays[i], stays[i].begin, stays[i].end),
                      box_name(sheet, &stays[i]), text_size(stays[i].bytes).it);
}

void segments_draw(struct sheet *sheet)
{
    scene_index *marks = sort_marks(sheet);
    for (uint32_t i = 0; i < sheet->act->segments.count; i++) {
        scene_index index = sheet->act->segments.first + i;
        if (!is_used(sheet, index))
            continue;
        uint64_t height = panel_height(sheet, index);
        struct panel panel = {
            .sheet = sheet,
            .segment = &sheet->scene->segments[index],
            .index = index,
            .box = { PLOT_LEFT, sheet->y + PANEL_HEAD, PLOT_WIDE, height },
            .drawn = base_alloc(PLOT_WIDE / PX * (height / PX), sizeof *panel.drawn),
            .marks = marks,
        };
        draw_paper(&panel);
        draw_stays(&panel);
        draw_lines(&panel);
        base_free(panel.drawn);
        sheet->y += PANEL_HEAD + height + PANEL_GAP;
    }
    base_free(marks);
}
