/* SPDX-License-Identifier: MIT */
/*
 * arrows.c: which arrows lead from cause to effect?
 *
 * From who left to the one that needed the room, and from a submission to what was moved for it.
 * Where there would be more than a reader can follow, none is drawn, and the picture says so.
 */
#include <string.h>

#include "tools/picture/sheet.h"

enum {
    ARROWS_MOST = 24,
    HEAD = 7 * PX,
    HEAD_HALF = 35,
    STEEP = 18 * PX,
    INSIDE = 8 * PX,
    BEND = 5 * PX,
    ASIDE = 4 * PX
};

struct pointing {
    struct sheet *sheet;
    uint64_t segments_top, lanes_top;
    scene_index *stays, *slices; /* of each event of the act; SCENE_NONE: none */
};

static bool is_drawn(const struct sheet *sheet, const struct scene_arrow *arrow)
{
    const struct scene_event *events = sheet->scene->events;
    return (arrow->kind == SCENE_MADE_ROOM || arrow->kind == SCENE_CAUSED_PAGING) &&
           events[arrow->from].time <= sheet->axis.to && events[arrow->to].time >= sheet->axis.from;
}

static uint64_t count_arrows(const struct sheet *sheet)
{
    uint64_t count = 0;
    for (uint32_t i = 0; i < sheet->act->arrows.count; i++)
        count += is_drawn(sheet, &sheet->scene->arrows[sheet->act->arrows.first + i]);
    return count;
}

/* ---- what an event stands for ---------------------------------------------------------------- */

static void note(const struct scene_act *act, scene_index *things, scene_index event,
                 scene_index thing)
{
    if (event >= act->events.first && event - act->events.first < act->events.count)
        things[event - act->events.first] = thing;
}

/* What came before what left: in a place that is taken at once, the arrow points to the new one. */
static void note_things(struct pointing *pointing)
{
    const struct scene *scene = pointing->sheet->scene;
    const struct scene_act *act = pointing->sheet->act;
    for (uint32_t i = 0; i < act->stays.count; i++) {
        scene_index stay = act->stays.first + i;
        note(act, pointing->stays, scene->stays[stay].left, stay);
    }
    for (uint32_t i = 0; i < act->stays.count; i++) {
        scene_index stay = act->stays.first + i;
        note(act, pointing->stays, scene->stays[stay].came, stay);
    }
    for (uint32_t i = 0; i < act->slices.count; i++) {
        scene_index slice = act->slices.first + i;
        note(act, pointing->slices, scene->slices[slice].submitted, slice);
    }
}

/* The box of a thing, from the moment of the event on; false: it is not in the picture. */
static bool find_box(const struct pointing *pointing, scene_index event, struct svg_box *box)
{
    const struct sheet *sheet = pointing->sheet;
    scene_index at = event - sheet->act->events.first;
    vidmm_ns time = sheet->scene->events[event].time;
    uint64_t x = axis_x(&sheet->axis, time);
    if (time < sheet->axis.from || time > sheet->axis.to)
        return false;
    if (pointing->stays[at] != SCENE_NONE) {
        const struct scene_stay *stay = &sheet->scene->stays[pointing->stays[at]];
        if (!segments_box(sheet, pointing->segments_top, stay, box))
            return false;
        x = stay->came == event ? box->x : x;
    } else if (pointing->slices[at] != SCENE_NONE) {
        const struct scene_slice *slice = &sheet->scene->slices[pointing->slices[at]];
        *box = lanes_box(sheet, pointing->lanes_top, slice);
        x = box->x;
    } else {
        return false;
    }
    box->width = box->x + box->width > x ? box->x + box->width - x : 0;
    box->x = x;
    return true;
}

/* ---- drawing --------------------------------------------------------------------------------- */

/* To the right, from the middle of one box to that of the other. */
static void draw_across(FILE *out, const char *kind, struct svg_box from, struct svg_box to)
{
    uint64_t y = from.y + from.height / 2, to_y = to.y + to.height / 2;
    uint64_t bend = (to.x - from.x) / 2, end = to.x - HEAD;
    (void)fprintf(out, "<path class=\"%s\" d=\"M%s %sC%s %s %s %s %s %s\"/>\n", kind,
                  svg_pixels(from.x).it, svg_pixels(y).it, svg_pixels(from.x + bend).it,
                  svg_pixels(y).it, svg_pixels(to.x - bend).it, svg_pixels(to_y).it,
                  svg_pixels(end).it, svg_pixels(to_y).it);
    (void)fprintf(out, "<path class=\"point\" d=\"M%s %sV%sL%s %sZ\"/>\n", svg_pixels(end).it,
                  svg_pixels(to_y - HEAD_HALF).it, svg_pixels(to_y + HEAD_HALF).it,
                  svg_pixels(to.x).it, svg_pixels(to_y).it);
}

static void draw_tip(FILE *out, uint64_t x, uint64_t end, uint64_t tip)
{
    (void)fprintf(out, "<path class=\"point\" d=\"M%s %sH%sL%s %sZ\"/>\n",
                  svg_pixels(x - HEAD_HALF).it, svg_pixels(end).it, svg_pixels(x + HEAD_HALF).it,
                  svg_pixels(x).it, svg_pixels(tip).it);
}

/* Back to what began before: to the left, and then up or down to the edge of its box. */
static void draw_back(FILE *out, const char *kind, struct svg_box from, struct svg_box to)
{
    bool down = to.y > from.y;
    uint64_t x = to.x + min_u64(to.width / 2, INSIDE), aside = min_u64(from.height / 2, ASIDE);
    uint64_t y = down ? from.y + from.height - aside : from.y + aside; /* no names are there */
    uint64_t tip = down ? to.y : to.y + to.height, end = down ? tip - HEAD : tip + HEAD;
    (void)fprintf(out, "<path class=\"%s\" d=\"M%s %sH%sQ%s %s %s %sV%s\"/>\n", kind,
                  svg_pixels(max_u64(from.x, x)).it, svg_pixels(y).it, svg_pixels(x + BEND).it,
                  svg_pixels(x).it, svg_pixels(y).it, svg_pixels(x).it,
                  svg_pixels(down ? y + BEND : y - BEND).it, svg_pixels(end).it);
    draw_tip(out, x, end, tip);
}

static void draw_arrow(const struct pointing *pointing, const struct scene_arrow *arrow)
{
    struct sheet *sheet = pointing->sheet;
    bool room = arrow->kind == SCENE_MADE_ROOM;
    const char *kind = room ? "arrow" : "arrow needs";
    struct svg_box from, to;
    if (!find_box(pointing, arrow->from, &from) || !find_box(pointing, arrow->to, &to))
        return;
    if (to.x >= from.x + STEEP)
        draw_across(sheet->out, kind, from, to);
    else if (to.y + to.height <= from.y || from.y + from.height <= to.y)
        draw_back(sheet->out, kind, from, to);
    else
        return;
    sheet->seen[room ? LEGEND_MADE_ROOM : LEGEND_CAUSED_PAGING] = true;
}

void arrows_draw(struct sheet *sheet, uint64_t segments_top, uint64_t lanes_top)
{
    const struct scene_act *act = sheet->act;
    size_t count = (size_t)act->events.count + 1;
    uint64_t arrows = count_arrows(sheet);
    if (!arrows || arrows > ARROWS_MOST) {
        sheet->unpointed = arrows;
        return;
    }
    struct pointing pointing = { sheet, segments_top, lanes_top, NULL, NULL };
    pointing.stays = base_alloc(count, sizeof *pointing.stays);
    pointing.slices = base_alloc(count, sizeof *pointing.slices);
    memset(pointing.stays, 0xFF, count * sizeof *pointing.stays); /* SCENE_NONE */
    memset(pointing.slices, 0xFF, count * sizeof *pointing.slices);
    note_things(&pointing);
    for (uint32_t i = 0; i < act->arrows.count; i++)
        if (is_drawn(sheet, &sheet->scene->arrows[act->arrows.first + i]))
            draw_arrow(&pointing, &sheet->scene->arrows[act->arrows.first + i]);
    base_free(pointing.stays);
    base_free(pointing.slices);
}
