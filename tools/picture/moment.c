/* SPDX-License-Identifier: MIT */
/*
 * moment.c: a segment at one moment, where the scenario says `show map`: the address goes to the
 * right, and a table below has the columns that the segment viewer of GPUView has.
 */
#include <inttypes.h>
#include <stdlib.h>

#include "tools/picture/sheet.h"

enum {
    MOMENT_HEAD = 74 * PX,
    BAR = 84 * PX,
    BAR_LEFT = SHEET_EDGE,
    BAR_WIDE = SHEET_WIDE - 2 * SHEET_EDGE,
    SCALE = 40 * PX,
    ROW = 20 * PX,
    TABLE_HEAD = 26 * PX,
    TABLE_FOOT = 16 * PX,
    ROWS_MOST = 24,
    OFFSET_GAP = 90 * PX
};

struct moment_row {
    uint64_t offset;
    scene_index stay;
};

struct moment {
    struct sheet *sheet;
    const struct scene_said *said;
    const struct scene_segment *segment;
    struct moment_row *rows; /* by address */
    uint32_t count;
    uint64_t used, largest; /* bytes that are taken; the largest hole */
};

static bool is_there(const struct scene_said *said, const struct scene_stay *stay)
{
    bool came = stay->came == SCENE_NONE ? stay->begin <= said->time : stay->came < said->event;
    bool stays = stay->still_there || stay->end > said->time ||
                 (stay->end == said->time && stay->left != SCENE_NONE && stay->left >= said->event);
    return stay->segment == said->segment && came && stays;
}

static int compare_rows(const void *a, const void *b)
{
    const struct moment_row *left = a, *right = b;
    if (left->offset != right->offset)
        return left->offset < right->offset ? -1 : 1;
    return left->stay < right->stay ? -1 : left->stay > right->stay;
}

static const struct scene_stay *row_stay(const struct moment *moment, uint32_t i)
{
    return &moment->sheet->scene->stays[moment->rows[i].stay];
}

static void moment_open(struct moment *moment, const struct sheet *sheet,
                        const struct scene_said *said)
{
    const struct scene_range *range = &sheet->act->stays;
    uint64_t end = 0;
    *moment = (struct moment){ .said = said, .segment = &sheet->scene->segments[said->segment] };
    moment->rows = base_alloc((size_t)range->count + 1, sizeof *moment->rows);
    for (uint32_t i = 0; i < range->count; i++) {
        const struct scene_stay *stay = &sheet->scene->stays[range->first + i];
        if (is_there(said, stay))
            moment->rows[moment->count++] = (struct moment_row){ stay->offset, range->first + i };
    }
    qsort(moment->rows, moment->count, sizeof *moment->rows, compare_rows);
    for (uint32_t i = 0; i < moment->count; i++) {
        const struct scene_stay *stay = &sheet->scene->stays[moment->rows[i].stay];
        moment->used += stay->bytes;
        if (stay->offset > end)
            moment->largest = max_u64(moment->largest, stay->offset - end);
        end = max_u64(end, stay->offset + stay->bytes);
    }
    if (moment->segment->size > end)
        moment->largest = max_u64(moment->largest, moment->segment->size - end);
}

static void moment_close(struct moment *moment)
{
    base_free(moment->rows);
}

uint64_t moment_height(const struct sheet *sheet, const struct scene_said *said)
{
    struct moment moment;
    moment_open(&moment, sheet, said);
    uint64_t rows = min_u64(moment.count, ROWS_MOST) + (moment.count > ROWS_MOST);
    moment_close(&moment);
    return MOMENT_HEAD + BAR + SCALE + (rows ? TABLE_HEAD + rows * ROW : 0) + TABLE_FOOT;
}

/* ---- the bar --------------------------------------------------------------------------------- */

static uint64_t bar_x(const struct moment *moment, uint64_t offset)
{
    return BAR_LEFT + axis_scale(offset, moment->segment->size, BAR_WIDE);
}

static void draw_head(const struct moment *moment, uint64_t number)
{
    struct sheet *sheet = moment->sheet;
    struct text words = { 0 };
    text_add(&words, "%s at %s", sheet_text(sheet, moment->segment->name),
             text_time(moment->said->time).it);
    svg_text(sheet->out, SHEET_EDGE, sheet->y + 30 * PX, "title", text_get(&words));
    text_clear(&words);
    text_add(&words,
             "map %" PRIu64 ", line %" PRIu32 " of %s. %s, %s: %s used, %s free, largest "
             "hole %s.",
             number, moment->said->line, sheet_text(sheet, sheet->act->file),
             sheet_text(sheet, moment->segment->kind), text_size(moment->segment->size).it,
             text_size(moment->used).it,
             text_size(moment->segment->size - min_u64(moment->used, moment->segment->size)).it,
             text_size(moment->largest).it);
    svg_text(sheet->out, SHEET_EDGE, sheet->y + 52 * PX, "sub", text_get(&words));
    text_free(&words);
    sheet->y += MOMENT_HEAD;
}

static const struct {
    enum scene_mark_kind kind;
    enum legend legend;
} states[] = { { SCENE_OFFERED, LEGEND_OFFERED },
               { SCENE_MOVING, LEGEND_MOVING },
               { SCENE_DIRTY, LEGEND_DIRTY },
               { SCENE_LOCKED, LEGEND_LOCKED },
               { SCENE_PINNED, LEGEND_PINNED } };

static bool has_mark(const struct moment *moment, scene_index allocation, enum scene_mark_kind kind)
{
    const struct scene_range *range = &moment->sheet->act->marks;
    for (uint32_t i = 0; i < range->count; i++) {
        const struct scene_mark *mark = &moment->sheet->scene->marks[range->first + i];
        bool begun = mark->began == SCENE_NONE ? mark->begin <= moment->said->time
                                               : mark->began < moment->said->event;
        if (mark->allocation == allocation && mark->kind == kind && begun &&
            (mark->still_there || mark->end > moment->said->time))
            return true;
    }
    return false;
}

static void draw_box(const struct moment *moment, const struct scene_stay *stay)
{
    struct sheet *sheet = moment->sheet;
    uint64_t x = bar_x(moment, stay->offset), to_x = bar_x(moment, stay->offset + stay->bytes);
    struct svg_box box = { x, sheet->y, max_u64(to_x - x, 4), BAR };
    struct text says = { 0 };
    text_add(&says, "%s: %s at %s", box_name(sheet, stay), text_size(stay->bytes).it,
             text_offset(stay->offset).it);
    svg_box(sheet->out, box, box_colour(sheet, stay), text_get(&says));
    sheet->seen[stay->allocation == SCENE_NONE ? LEGEND_OTHER : LEGEND_STAY] = true;
    if (stay->leaving <= moment->said->time && stay->leaving < stay->end) {
        svg_box(sheet->out, box, "leaving", NULL);
        sheet->seen[LEGEND_LEAVING] = true;
    }
    for (size_t i = 0; i < ARRAY_COUNT(states); i++) {
        struct svg_box over = box;
        if (stay->allocation == SCENE_NONE || !has_mark(moment, stay->allocation, states[i].kind))
            continue;
        if (states[i].kind == SCENE_LOCKED)
            over = (struct svg_box){ box.x, box.y + BAR - 5 * PX, box.width, 5 * PX };
        if (states[i].kind == SCENE_PINNED && box.width > 4 * PX)
            over = (struct svg_box){ box.x + PX, box.y + PX, box.width - 2 * PX, BAR - 2 * PX };
        svg_box(sheet->out, over, box_mark_kinds[states[i].kind], NULL);
        sheet->seen[states[i].legend] = true;
    }
    box_label(sheet, box, box_name(sheet, stay), text_size(stay->bytes).it);
    text_free(&says);
}

/* Offsets where something begins or ends, as far as they have room. */
static void draw_scale(const struct moment *moment)
{
    struct sheet *sheet = moment->sheet;
    uint64_t next = 0, y = sheet->y + BAR, last = BAR_LEFT + BAR_WIDE;
    for (uint32_t i = 0; i < 2 * moment->count + 1; i++) {
        const struct scene_stay *stay = i ? row_stay(moment, (i - 1) / 2) : NULL;
        uint64_t offset = !stay ? 0 : i % 2 ? stay->offset : stay->offset + stay->bytes;
        uint64_t x = bar_x(moment, offset);
        if (x < next || x + OFFSET_GAP > last)
            continue;
        svg_line(sheet->out, (struct svg_box){ x, y, 0, 5 * PX }, "axis");
        svg_text(sheet->out, x, y + 18 * PX, i ? "small middle" : "small", text_size(offset).it);
        next = x + OFFSET_GAP;
    }
    svg_line(sheet->out, (struct svg_box){ last, y, 0, 5 * PX }, "axis");
    svg_text(sheet->out, last, y + 18 * PX, "small end", text_size(moment->segment->size).it);
}

static void draw_divisions(const struct moment *moment)
{
    struct sheet *sheet = moment->sheet;
    const struct scene_segment *segment = moment->segment;
    for (uint32_t i = 1; i < segment->banks && segment->banks < 64; i++)
        svg_line(sheet->out,
                 (struct svg_box){ bar_x(moment, segment->size / segment->banks * i), sheet->y, 0,
                                   BAR },
                 "bank");
    if (segment->pin_start < segment->size) {
        uint64_t x = bar_x(moment, segment->pin_start);
        svg_line(sheet->out, (struct svg_box){ x, sheet->y - 8 * PX, 0, BAR + 8 * PX }, "pin");
        svg_text(sheet->out, x + 4 * PX, sheet->y - 3 * PX, "small", "pinned region");
    }
    svg_box(sheet->out, (struct svg_box){ BAR_LEFT, sheet->y, BAR_WIDE, BAR }, "frame", NULL);
}

/* ---- the table ------------------------------------------------------------------------------- */

enum {
    TABLE_NAME = 22 * PX,
    TABLE_PROCESS = 300 * PX,
    TABLE_OFFSET = 560 * PX,
    TABLE_SIZE = 680 * PX,
    TABLE_PRIORITY = 780 * PX,
    TABLE_STATE = 810 * PX
};

static void draw_cell(const struct sheet *sheet, uint64_t x, const char *kind, const char *text)
{
    svg_text(sheet->out, SHEET_EDGE + x, sheet->y + 14 * PX, kind, text);
}

static void add_states(const struct moment *moment, const struct scene_stay *stay,
                       struct text *words)
{
    static const char *const names[] = {
        [SCENE_PINNED] = "pinned",          [SCENE_DIRTY] = "dirty",
        [SCENE_LOCKED] = "locked",          [SCENE_OFFERED] = "offered",
        [SCENE_MOVING] = "content arrives",
    };
    for (size_t i = 0; i < ARRAY_COUNT(states); i++)
        if (stay->allocation != SCENE_NONE && has_mark(moment, stay->allocation, states[i].kind))
            text_add(words, "%s%s", words->length ? ", " : "", names[states[i].kind]);
    if (stay->leaving <= moment->said->time && stay->leaving < stay->end)
        text_add(words, "%son its way out", words->length ? ", " : "");
    if (stay->kind == SCENE_STAY_EVICTION)
        text_add(words, "%sto system memory", words->length ? ", " : "");
}

static void draw_row(const struct moment *moment, const struct scene_stay *stay)
{
    struct sheet *sheet = moment->sheet;
    const struct scene_allocation *allocation =
        stay->allocation == SCENE_NONE ? NULL : &sheet->scene->allocations[stay->allocation];
    struct text words = { 0 };
    svg_box(sheet->out, (struct svg_box){ SHEET_EDGE, sheet->y + 4 * PX, 14 * PX, 11 * PX },
            box_colour(sheet, stay), NULL);
    draw_cell(sheet, TABLE_NAME, "", box_name(sheet, stay));
    draw_cell(sheet, TABLE_PROCESS, "", allocation ? sheet_text(sheet, allocation->process) : "");
    text_add(&words, "0x%08" PRIx64, stay->offset);
    draw_cell(sheet, TABLE_OFFSET, "end", text_get(&words));
    draw_cell(sheet, TABLE_SIZE, "end", text_size(stay->bytes).it);
    text_clear(&words);
    if (allocation)
        text_add(&words, "0x%08" PRIx32, allocation->priority);
    draw_cell(sheet, TABLE_PRIORITY, "end", text_get(&words));
    text_clear(&words);
    add_states(moment, stay, &words);
    draw_cell(sheet, TABLE_STATE, "", text_get(&words));
    text_free(&words);
    sheet->y += ROW;
}

static void draw_table(const struct moment *moment)
{
    static const struct {
        uint64_t x;
        const char *kind, *text;
    } heads[] = {
        { TABLE_NAME, "small", "Allocation" },       { TABLE_PROCESS, "small", "Process" },
        { TABLE_OFFSET, "small end", "Offset" },     { TABLE_SIZE, "small end", "Size" },
        { TABLE_PRIORITY, "small end", "Priority" }, { TABLE_STATE, "small", "State" }
    };
    struct sheet *sheet = moment->sheet;
    for (size_t i = 0; i < ARRAY_COUNT(heads); i++)
        draw_cell(sheet, heads[i].x, heads[i].kind, heads[i].text);
    svg_line(sheet->out, (struct svg_box){ SHEET_EDGE, sheet->y + 20 * PX, BAR_WIDE, 0 }, "axis");
    sheet->y += TABLE_HEAD;
    for (uint32_t i = 0; i < moment->count && i < ROWS_MOST; i++)
        draw_row(moment, row_stay(moment, i));
    if (moment->count > ROWS_MOST) {
        draw_cell(sheet, TABLE_NAME, "small",
                  text_print("and %" PRIu32 " more", moment->count - ROWS_MOST).it);
        sheet->y += ROW;
    }
}

void moment_draw(struct sheet *sheet, const struct scene_said *said, uint64_t number)
{
    struct moment moment;
    moment_open(&moment, sheet, said);
    moment.sheet = sheet;
    draw_head(&moment, number);
    svg_box(sheet->out, (struct svg_box){ BAR_LEFT, sheet->y, BAR_WIDE, BAR }, "paper", NULL);
    for (uint32_t i = 0; i < moment.count; i++)
        draw_box(&moment, row_stay(&moment, i));
    draw_divisions(&moment);
    draw_scale(&moment);
    sheet->y += BAR + SCALE;
    if (moment.count)
        draw_table(&moment);
    sheet->y += TABLE_FOOT;
    moment_close(&moment);
}
