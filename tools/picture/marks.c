/* SPDX-License-Identifier: MIT */
/*
 * marks.c: what is true of an allocation while it lies somewhere, and how does it look?
 *
 * Marks of one kind never overlap, so of those of an allocation and a kind, in the order of time,
 * the ones under a stay stand together, and are found by halving.
 */
#include <stdlib.h>

#include "tools/picture/sheet.h"

enum { KINDS = SCENE_MOVING + 1, FRAME_LEAST = 10 * PX, THIN_LEAST = 4 * PX };

/* Hatches first, frames over them. */
static const enum scene_mark_kind layers[KINDS] = { SCENE_MOVING, SCENE_DIRTY, SCENE_LOCKED,
                                                    SCENE_OFFERED, SCENE_PINNED };

struct mark_key {
    scene_index allocation;
    uint32_t kind;
    scene_index mark;
};

static int compare_numbers(uint32_t left, uint32_t right)
{
    return left < right ? -1 : left > right;
}

static int compare_keys(const void *a, const void *b)
{
    const struct mark_key *left = a, *right = b;
    int order = compare_numbers(left->allocation, right->allocation);
    order = order ? order : compare_numbers(left->kind, right->kind);
    return order ? order : compare_numbers(left->mark, right->mark);
}

scene_index *marks_sort(const struct sheet *sheet)
{
    const struct scene_range *range = &sheet->act->marks;
    struct mark_key *keys = base_alloc((size_t)range->count + 1, sizeof *keys);
    scene_index *marks = base_alloc((size_t)range->count + 1, sizeof *marks);
    for (uint32_t i = 0; i < range->count; i++) {
        const struct scene_mark *mark = &sheet->scene->marks[range->first + i];
        keys[i] = (struct mark_key){ mark->allocation, mark->kind, range->first + i };
    }
    qsort(keys, range->count, sizeof *keys, compare_keys);
    for (uint32_t i = 0; i < range->count; i++)
        marks[i] = keys[i].mark;
    base_free(keys);
    return marks;
}

/* Is the mark over before this stay begins? */
static bool is_before(const struct scene_mark *mark, const struct scene_stay *stay,
                      enum scene_mark_kind kind)
{
    if (mark->allocation != stay->allocation)
        return mark->allocation < stay->allocation;
    return mark->kind != kind ? mark->kind < kind : mark->end <= stay->begin;
}

static void visit_kind(const struct sheet *sheet, const scene_index *sorted,
                       const struct scene_stay *stay, enum scene_mark_kind kind,
                       struct marks_visitor *visitor)
{
    const struct scene_mark *marks = sheet->scene->marks;
    uint32_t low = 0, high = sheet->act->marks.count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        bool before = is_before(&marks[sorted[middle]], stay, kind);
        low = before ? middle + 1 : low;
        high = before ? high : middle;
    }
    for (; low < sheet->act->marks.count; low++) {
        const struct scene_mark *mark = &marks[sorted[low]];
        if (mark->allocation != stay->allocation || mark->kind != kind || mark->begin > stay->end)
            return;
        visitor->draw(visitor, mark);
    }
}

void marks_visit(const struct sheet *sheet, const scene_index *sorted,
                 const struct scene_stay *stay, struct marks_visitor *visitor)
{
    if (stay->allocation == SCENE_NONE)
        return;
    for (size_t i = 0; i < KINDS; i++)
        visit_kind(sheet, sorted, stay, layers[i], visitor);
}

/* A frame that a thin box bears: half as thick, and where there is no room for one, a line below.
 */
static void draw_frame(FILE *out, struct svg_box box, const char *kind)
{
    if (min_u64(box.width, box.height) >= FRAME_LEAST) {
        box = (struct svg_box){ box.x + PX, box.y + PX, box.width - 2 * PX, box.height - 2 * PX };
        svg_box(out, box, kind, NULL);
    } else if (min_u64(box.width, box.height) >= THIN_LEAST) {
        box = (struct svg_box){ box.x + PX / 2, box.y + PX / 2, box.width - PX, box.height - PX };
        svg_box(out, box, text_print("%s thin", kind).it, NULL);
    } else {
        svg_line(out, (struct svg_box){ box.x, box.y + box.height, box.width, 0 },
                 text_print("%s thin", kind).it);
    }
}

void marks_draw(struct sheet *sheet, struct svg_box box, enum scene_mark_kind kind)
{
    static const struct {
        const char *name;
        enum legend legend;
    } looks[KINDS] = {
        [SCENE_PINNED] = { "pinned", LEGEND_PINNED },
        [SCENE_DIRTY] = { "dirty", LEGEND_DIRTY },
        [SCENE_LOCKED] = { "locked", LEGEND_LOCKED },
        [SCENE_MOVING] = { "moving", LEGEND_MOVING },
        [SCENE_OFFERED] = { "offered", LEGEND_OFFERED },
    };
    if (box.width < 2 * PX || box.height < 2 * PX)
        return;
    sheet->seen[looks[kind].legend] = true;
    if (kind == SCENE_PINNED || kind == SCENE_OFFERED) {
        draw_frame(sheet->out, box, looks[kind].name);
        return;
    }
    if (kind == SCENE_LOCKED)
        box.height = min_u64(4 * PX, box.height / 3);
    bool thin = kind == SCENE_DIRTY && box.height < FRAME_LEAST;
    svg_box(sheet->out, box, thin ? "dirty-thin" : looks[kind].name, NULL);
}
