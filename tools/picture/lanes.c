/* SPDX-License-Identifier: MIT */
/*
 * lanes.c: what ran on the nodes, and what the CPU waited for, on the same axis of time.
 */
#include <string.h>

#include "tools/picture/sheet.h"

enum { TINY = 4 * PX, BAR = 15, LANES_HEAD = 14 * PX, LANE = 24 * PX, LANE_GAP = 8 * PX };

static bool is_busy(const struct sheet *sheet, scene_index lane)
{
    return sheet->busy[lane - sheet->act->lanes.first];
}

bool *lanes_look(const struct sheet *sheet)
{
    const struct scene_range *slices = &sheet->act->slices;
    bool *busy = base_alloc((size_t)sheet->act->lanes.count + 1, sizeof *busy);
    for (uint32_t i = 0; i < slices->count; i++)
        busy[sheet->scene->slices[slices->first + i].lane - sheet->act->lanes.first] = true;
    return busy;
}

uint64_t lanes_height(const struct sheet *sheet)
{
    uint64_t height = 0;
    for (uint32_t i = 0; i < sheet->act->lanes.count; i++)
        if (is_busy(sheet, sheet->act->lanes.first + i))
            height += LANE + LANE_GAP;
    return height ? height + LANES_HEAD : 0;
}

struct svg_box lanes_box(const struct sheet *sheet, uint64_t top, const struct scene_slice *slice)
{
    const struct axis *axis = &sheet->axis;
    uint64_t x = axis_x(axis, slice->begin);
    uint64_t to_x = axis_end(axis, slice->end, slice->ended == SCENE_NONE);
    top += LANES_HEAD;
    for (scene_index i = sheet->act->lanes.first; i < slice->lane; i++)
        if (is_busy(sheet, i))
            top += LANE + LANE_GAP;
    return (struct svg_box){ x, top, max_u64(to_x - x, 6), LANE };
}

static enum legend kind_of(const struct sheet *sheet, const struct scene_slice *slice)
{
    const char *name = sheet_text(sheet, slice->name);
    if (sheet->scene->lanes[slice->lane].kind == SCENE_LANE_CPU)
        return LEGEND_WAIT;
    return strncmp(name, "paging", strlen("paging")) == 0 ? LEGEND_PAGING : LEGEND_RUN;
}

/* The scenario waits: a reader did not write the word of the event. */
static const char *name_of(const struct sheet *sheet, const struct scene_slice *slice)
{
    const char *name = sheet_text(sheet, slice->name);
    bool script = kind_of(sheet, slice) == LEGEND_WAIT && strcmp(name, "script") == 0;
    return script ? "wait" : name;
}

/* Boxes narrower than half a pixel beside the one before are not drawn: it is there already. */
static void draw_slice(struct sheet *sheet, const struct scene_slice *slice, uint64_t *drawn_to)
{
    static const struct {
        const char *box, *halo;
    } looks[LEGENDS] = { [LEGEND_RUN] = { "run", "on-run" },
                         [LEGEND_PAGING] = { "paging", "on-paging" },
                         [LEGEND_WAIT] = { "wait", "on-wait" } };
    const struct axis *axis = &sheet->axis;
    uint64_t x = axis_x(axis, slice->begin);
    uint64_t to_x = axis_end(axis, slice->end, slice->ended == SCENE_NONE);
    struct svg_box box = { x, sheet->y, max_u64(to_x - x, 6), LANE };
    enum legend legend = kind_of(sheet, slice);
    struct text says = { 0 };
    if (slice->begin > axis->to || slice->end < axis->from)
        return;
    if (to_x - x < PX / 2 && x < *drawn_to) {
        sheet->merged++;
        return;
    }
    *drawn_to = x + box.width;
    if (box.width > 4 * PX) /* a pixel away from the next one */
        box.width -= PX / 2;
    text_add(&says, "%s, from %s to %s", name_of(sheet, slice), text_time(slice->begin).it,
             text_time(slice->end).it);
    svg_box(sheet->out, box, looks[legend].box, text_get(&says));
    if (box.width > TINY)
        svg_box(sheet->out, (struct svg_box){ box.x, box.y, BAR, LANE }, "lane-edge", NULL);
    box_label(sheet, box, looks[legend].halo, name_of(sheet, slice), "");
    sheet->seen[legend] = true;
    text_free(&says);
}

/* From the submission to the begin: a line under the lane, which joins those of several. */
static void draw_queue(struct sheet *sheet, const struct scene_slice *slice, uint64_t *drawn_to)
{
    uint64_t x = axis_x(&sheet->axis, slice->queued), to_x = axis_x(&sheet->axis, slice->begin);
    x = max_u64(x, *drawn_to);
    if (slice->begin < sheet->axis.from || slice->queued >= slice->begin || to_x <= x + PX / 2)
        return;
    svg_box(sheet->out, (struct svg_box){ x, sheet->y + LANE + 2 * PX, to_x - x, 2 * PX }, "queued",
            NULL);
    *drawn_to = to_x;
    sheet->seen[LEGEND_QUEUED] = true;
}

void lanes_draw(struct sheet *sheet)
{
    const struct scene_range *slices = &sheet->act->slices;
    if (!lanes_height(sheet))
        return;
    sheet->y += LANES_HEAD;
    for (uint32_t k = 0; k < sheet->act->lanes.count; k++) {
        scene_index lane = sheet->act->lanes.first + k;
        uint64_t drawn_to = 0, queued_to = 0;
        if (!is_busy(sheet, lane))
            continue;
        svg_box(sheet->out, (struct svg_box){ PLOT_LEFT, sheet->y, PLOT_WIDE, LANE }, "paper",
                NULL);
        box_text(sheet->out,
                 (struct svg_box){ PLOT_LEFT - 8 * PX, sheet->y + 16 * PX, NAME_WIDE, 0 }, 12,
                 "end", sheet_text(sheet, sheet->scene->lanes[lane].name));
        for (uint32_t i = 0; i < slices->count; i++) {
            const struct scene_slice *slice = &sheet->scene->slices[slices->first + i];
            if (slice->lane != lane)
                continue;
            draw_slice(sheet, slice, &drawn_to);
            draw_queue(sheet, slice, &queued_to);
        }
        sheet->y += LANE + LANE_GAP;
    }
}
