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
    OFFSET_GAP = 90 * PX,
    BANKS_MOST = 64
};

struct moment_row {
    uint64_t offset;
    scene_index stay;
};

struct moment {
    struct sheet *sheet;
    const struct scene_said *said;
    const struct present *present;
    const struct scene_segment *segment;
    struct moment_row *rows; /* by address */
    uint32_t count;
    uint64_t used, largest; /* bytes that are taken; the largest hole */
};

static int compare_rows(const void *a, const void *b)
{
    const struct moment_row *left = a, *right = b;
    if (left->offset != right->offset)
        return left->offset < right->offset ? -1 : 1;
    return (left->stay > right->stay) - (left->stay < right->stay);
}

static const struct scene_stay *row_stay(const struct moment *moment, uint32_t i)
{
    return &moment->sheet->scene->stays[moment->rows[i].stay];
}

static uint64_t count_rows(const struct present *present, const struct scene_said *said)
{
    uint64_t count = 0;
    for (size_t i = 0; i < present->stay_count; i++)
        count += present->scene->stays[present->stays[i]].segment == said->segment;
    return count;
}

static void take_rows(struct moment *moment)
{
    const struct present *present = moment->present;
    moment->rows = base_alloc((size_t)count_rows(present, moment->said) + 1, sizeof *moment->rows);
    for (size_t i = 0; i < present->stay_count; i++) {
        const struct scene_stay *stay = &present->scene->stays[present->stays[i]];
        if (stay->segment == moment->said->segment)
            moment->rows[moment->count++] = (struct moment_row){ stay->offset, present->stays[i] };
    }
    qsort(moment->rows, moment->count, sizeof *moment->rows, compare_rows);
}

static void moment_open(struct moment *moment, struct sheet *sheet, const struct part *part,
                        const struct present *present)
{
    uint64_t end = 0;
    *moment = (struct moment){ .sheet = sheet,
                               .said = part->map,
                               .present = present,
                               .segment = &sheet->scene->segments[part->map->segment] };
    take_rows(moment);
    for (uint32_t i = 0; i < moment->count; i++) {
        const struct scene_stay *stay = row_stay(moment, i);
        moment->used += stay->bytes;
        if (stay->offset > end)
            moment->largest = max_u64(moment->largest, stay->offset - end);
        end = max_u64(end, stay->offset + stay->bytes);
    }
    if (moment->segment->size > end)
        moment->largest = max_u64(moment->largest, moment->segment->size - end);
}

uint64_t moment_height(const struct part *part, const struct present *present)
{
    uint64_t count = count_rows(present, part->map);
    uint64_t rows = min_u64(count, ROWS_MOST) + (count > ROWS_MOST);
    return MOMENT_HEAD + BAR + SCALE + (rows ? TABLE_HEAD + rows * ROW : 0) + TABLE_FOOT +
           style_legend_height(false);
}

/* ---- the bar --------------------------------------------------------------------------------- */

static uint64_t bar_x(const struct moment *moment, uint64_t offset)
{
    return BAR_LEFT + axis_scale(offset, moment->segment->size, BAR_WIDE);
}

static void draw_head(const struct moment *moment, const struct part *part)
{
    struct sheet *sheet = moment->sheet;
    struct text words = { 0 };
    struct svg_box at = { SHEET_EDGE, sheet->y + 30 * PX, BAR_WIDE, 0 };
    text_add(&words, "%s at %s", sheet_text(sheet, moment->segment->name),
             text_time(moment->said->time).it);
    box_text(sheet->out, at, 20, "title", text_get(&words));
    text_clear(&words);
    text_add(&words,
             "Map %" PRIu64 " of %s, line %" PRIu32 ": %s, %s; %s used, %s free, largest hole %s",
             part->maps + 1, sheet_text(sheet, sheet->act->file), moment->said->line,
             sheet_text(sheet, moment->segment->kind), text_size(moment->segment->size).it,
             text_size(moment->used).it,
             text_size(moment->segment->size - min_u64(moment->used, moment->segment->size)).it,
             text_size(moment->largest).it);
    at.y = sheet->y + 52 * PX;
    box_text(sheet->out, at, 13, "sub", text_get(&words));
    text_free(&words);
    sheet->y += MOMENT_HEAD;
}

/* In the order of the table; frames come last. */
static const struct {
    enum scene_mark_kind kind;
    const char *words;
} states[] = { { SCENE_MOVING, "content on its way" },
               { SCENE_DIRTY, "dirty" },
               { SCENE_LOCKED, "locked" },
               { SCENE_OFFERED, "offered" },
               { SCENE_PINNED, "pinned" } };

static bool has_state(const struct moment *moment, const struct scene_stay *stay, size_t i)
{
    return present_has(moment->present, moment->said, stay->allocation, states[i].kind);
}

static bool is_leaving(const struct moment *moment, const struct scene_stay *stay)
{
    return stay->leaving <= moment->said->time && stay->leaving < stay->end;
}

static void draw_box(const struct moment *moment, const struct scene_stay *stay, struct svg_box box)
{
    struct sheet *sheet = moment->sheet;
    struct text says = { 0 };
    text_add(&says, "%s: %s at %s", box_name(sheet, stay), text_size(stay->bytes).it,
             text_offset(stay->offset).it);
    box_draw(sheet, box, stay, text_get(&says));
    text_free(&says);
    if (is_leaving(moment, stay)) {
        svg_box(sheet->out, box, "leaving", NULL);
        sheet->seen[LEGEND_LEAVING] = true;
    }
    for (size_t i = 0; i < ARRAY_COUNT(states); i++)
        if (has_state(moment, stay, i))
            marks_draw(sheet, box, states[i].kind);
    box_label(sheet, box, text_print("t%u", box_hue(sheet, stay)).it, box_name(sheet, stay),
              text_size(stay->bytes).it);
}

/* A pixel in which something is drawn already takes no more: so there is an end of them. */
static void draw_boxes(const struct moment *moment)
{
    struct sheet *sheet = moment->sheet;
    uint64_t drawn_to = 0;
    for (uint32_t i = 0; i < moment->count; i++) {
        const struct scene_stay *stay = row_stay(moment, i);
        uint64_t x = bar_x(moment, stay->offset), to_x = bar_x(moment, stay->offset + stay->bytes);
        to_x = max_u64(to_x, x + PX);
        if (to_x <= drawn_to + PX / 2) {
            sheet->merged++;
            continue;
        }
        draw_box(moment, stay, (struct svg_box){ x, sheet->y, to_x - x, BAR });
        drawn_to = to_x;
    }
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
        svg_text(sheet->out, x, y + 18 * PX, x > BAR_LEFT ? "small middle" : "small",
                 offset ? text_size(offset).it : "0");
        next = x + OFFSET_GAP;
    }
    svg_line(sheet->out, (struct svg_box){ last, y, 0, 5 * PX }, "axis");
    svg_text(sheet->out, last, y + 18 * PX, "small end", text_size(moment->segment->size).it);
}

static void draw_divisions(const struct moment *moment)
{
    struct sheet *sheet = moment->sheet;
    const struct scene_segment *segment = moment->segment;
    uint64_t pin = segments_pin(segment), bytes = segment->size / max_u64(segment->banks, 1);
    for (uint32_t i = 1; i < segment->banks && segment->banks < BANKS_MOST; i++)
        svg_line(sheet->out, (struct svg_box){ bar_x(moment, bytes * i), sheet->y, 0, BAR },
                 "bank");
    if (pin < segment->size) {
        uint64_t x = bar_x(moment, pin);
        svg_line(sheet->out, (struct svg_box){ x, sheet->y - 6 * PX, 0, BAR + 6 * PX }, "pin");
        sheet->seen[LEGEND_PIN_LINE] = true;
    }
    svg_box(sheet->out, (struct svg_box){ BAR_LEFT, sheet->y, BAR_WIDE, BAR }, "frame", NULL);
}

/* ---- the table ------------------------------------------------------------------------------- */

enum column {
    COLUMN_NAME,
    COLUMN_PROCESS,
    COLUMN_OFFSET,
    COLUMN_SIZE,
    COLUMN_PRIORITY,
    COLUMN_STATE
};

/* A column that ends at a place has its room before it. */
static const struct {
    const char *head;
    uint64_t x, wide;
    bool ends;
} columns[] = {
    [COLUMN_NAME] = { "Allocation", 22 * PX, 220 * PX, false },
    [COLUMN_PROCESS] = { "Process", 256 * PX, 160 * PX, false },
    [COLUMN_OFFSET] = { "Offset", 530 * PX, 110 * PX, true },
    [COLUMN_SIZE] = { "Size", 660 * PX, 120 * PX, true },
    [COLUMN_PRIORITY] = { "Priority", 770 * PX, 100 * PX, true },
    [COLUMN_STATE] = { "State", 806 * PX, BAR_WIDE - 806 * PX, false },
};

static void draw_cell(const struct sheet *sheet, enum column column, const char *kind,
                      const char *text)
{
    const struct svg_box at = { SHEET_EDGE + columns[column].x, sheet->y + 14 * PX,
                                columns[column].wide, 0 };
    box_text(sheet->out, at, 12, text_print("%s%s", kind, columns[column].ends ? " end" : "").it,
             text);
}

static void add_states(const struct moment *moment, const struct scene_stay *stay,
                       struct text *words)
{
    for (size_t i = 0; i < ARRAY_COUNT(states); i++)
        if (has_state(moment, stay, i))
            text_add(words, "%s%s", words->length ? ", " : "", states[i].words);
    if (is_leaving(moment, stay))
        text_add(words, "%sleaving", words->length ? ", " : "");
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
            text_print("c%u", box_hue(sheet, stay)).it, NULL);
    draw_cell(sheet, COLUMN_NAME, "cell", box_name(sheet, stay));
    draw_cell(sheet, COLUMN_OFFSET, "cell", text_print("0x%08" PRIx64, stay->offset).it);
    draw_cell(sheet, COLUMN_SIZE, "cell", text_size(stay->bytes).it);
    if (allocation) {
        draw_cell(sheet, COLUMN_PROCESS, "cell", sheet_text(sheet, allocation->process));
        draw_cell(sheet, COLUMN_PRIORITY, "cell",
                  text_print("0x%08" PRIx32, allocation->priority).it);
    }
    add_states(moment, stay, &words);
    if (words.length)
        draw_cell(sheet, COLUMN_STATE, "cell", text_get(&words));
    text_free(&words);
    sheet->y += ROW;
}

static void draw_table(const struct moment *moment)
{
    struct sheet *sheet = moment->sheet;
    for (enum column i = 0; i <= COLUMN_STATE; i++)
        draw_cell(sheet, i, "small", columns[i].head);
    svg_line(sheet->out, (struct svg_box){ SHEET_EDGE, sheet->y + 20 * PX, BAR_WIDE, 0 }, "axis");
    sheet->y += TABLE_HEAD;
    for (uint32_t i = 0; i < moment->count && i < ROWS_MOST; i++)
        draw_row(moment, row_stay(moment, i));
    if (moment->count > ROWS_MOST) {
        draw_cell(sheet, COLUMN_NAME, "small",
                  text_print("and %" PRIu32 " more", moment->count - ROWS_MOST).it);
        sheet->y += ROW;
    }
}

void moment_draw(struct sheet *sheet, const struct part *part, const struct present *present)
{
    struct moment moment;
    moment_open(&moment, sheet, part, present);
    draw_head(&moment, part);
    svg_box(sheet->out, (struct svg_box){ BAR_LEFT, sheet->y, BAR_WIDE, BAR }, "paper", NULL);
    sheet->seen[LEGEND_FREE] = true;
    draw_boxes(&moment);
    draw_divisions(&moment);
    draw_scale(&moment);
    sheet->y += BAR + SCALE;
    if (moment.count)
        draw_table(&moment);
    sheet->y += TABLE_FOOT;
    style_legend(sheet, false);
    base_free(moment.rows);
}
