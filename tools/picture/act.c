/* SPDX-License-Identifier: MIT */
/*
 * act.c: a run over time: what stands above and below its segments and lanes?
 */
#include <inttypes.h>
#include <string.h>

#include "tools/picture/sheet.h"

enum {
    HEAD = 64 * PX,
    WHY = 24 * PX,
    MARKERS = 22 * PX,
    NOTE = 15 * PX,
    NOTES = 2 * NOTE + 12 * PX,
    NOTHING = 48 * PX,
    STEM = 38 * PX, /* from a flag to the first segment */
    TEXT_WIDE = SHEET_WIDE - 2 * SHEET_EDGE,
    RESULT_MOST = TEXT_WIDE / 2,
    RESULT_GAP = 16 * PX,
    FLAG_HALF = 9 * PX
};

bool act_is_map(const struct scene_said *said)
{
    return said->kind == SCENE_MAP && said->segment != SCENE_NONE;
}

static const char *lesson_of(const struct sheet *sheet)
{
    for (uint32_t i = 0; i < sheet->act->said.count; i++) {
        const struct scene_said *said = &sheet->scene->said[sheet->act->said.first + i];
        if (said->kind == SCENE_LESSON)
            return sheet_text(sheet, said->text);
    }
    return "";
}

const char *act_title(const struct sheet *sheet)
{
    const char *test = sheet_text(sheet, sheet->act->name), *lesson = lesson_of(sheet);
    const char *file = sheet_text(sheet, sheet->act->file), *slash = strrchr(file, '/');
    return *test ? test : *lesson ? lesson : slash ? slash + 1 : *file ? file : "an empty file";
}

/* Where the scenario says `show map`: the numbers that --maps gives them. */
static void draw_markers(struct sheet *sheet, const struct part *part)
{
    uint64_t number = part->maps, next = 0;
    for (uint32_t i = 0; i < sheet->act->said.count; i++) {
        const struct scene_said *said = &sheet->scene->said[sheet->act->said.first + i];
        number += act_is_map(said);
        if (!act_is_map(said) || said->time < sheet->axis.from || said->time > sheet->axis.to)
            continue;
        uint64_t x = axis_x(&sheet->axis, said->time);
        if (x < next) /* several at once: the first has the flag */
            continue;
        svg_box(sheet->out, (struct svg_box){ x - FLAG_HALF, sheet->y, 2 * FLAG_HALF, 14 * PX },
                "flag", text_print("show map, line %" PRIu32, said->line).it);
        svg_text(sheet->out, x, sheet->y + 11 * PX, "flagged", text_print("%" PRIu64, number).it);
        svg_line(sheet->out, (struct svg_box){ x, sheet->y + 14 * PX, 0, STEM }, "axis");
        sheet->seen[LEGEND_MAP] = true;
        next = x + 2 * FLAG_HALF + PX;
    }
    sheet->y += MARKERS;
}

/* ---- how it ended ---------------------------------------------------------------------------- */

struct result {
    uint64_t held, failed;
    const struct scene_statement *first; /* that failed */
};

static struct result count_result(const struct sheet *sheet)
{
    struct result result = { 0 };
    for (uint32_t i = 0; i < sheet->act->statements.count; i++) {
        const struct scene_statement *row =
            &sheet->scene->statements[sheet->act->statements.first + i];
        result.held += row->verdict == SCENE_HELD;
        result.failed += row->verdict == SCENE_FAILED;
        if (row->verdict == SCENE_FAILED && !result.first)
            result.first = row;
    }
    return result;
}

/* What failed is always kept, but not all that held. */
static void add_held(const struct sheet *sheet, uint64_t held, struct text *words)
{
    if (sheet->scene->omitted.statements)
        text_add(words, "all expectations hold");
    else if (held == 1)
        text_add(words, "the expectation holds");
    else if (held)
        text_add(words, "all %" PRIu64 " expectations hold", held);
}

static void add_result(const struct sheet *sheet, struct text *words)
{
    struct result result = count_result(sheet);
    if (result.first) {
        const char *file = sheet_text(sheet, result.first->file), *slash = strrchr(file, '/');
        text_add(words, "%" PRIu64 " failed: %s:%" PRIu32, result.failed, slash ? slash + 1 : file,
                 result.first->line);
    } else if (!sheet->act->passed) {
        text_add(words, "not everything was as expected");
    } else {
        add_held(sheet, result.held, words);
    }
}

/* At the right, under the title; the room that it takes. */
static uint64_t draw_result(const struct sheet *sheet, uint64_t y)
{
    struct text words = { 0 };
    add_result(sheet, &words);
    uint64_t wide = min_u64(box_text_wide(text_get(&words), 13) * 11 / 10, RESULT_MOST);
    if (words.length)
        box_text(sheet->out, (struct svg_box){ SHEET_WIDE - SHEET_EDGE, y, wide, 0 }, 13,
                 sheet->act->passed ? "sub end" : "bad end", text_get(&words));
    text_free(&words);
    return wide ? wide + RESULT_GAP : 0;
}

/* Where the scheduler notices that work does not end: a line through the lanes. */
static void draw_hangs(struct sheet *sheet, uint64_t top)
{
    uint64_t next = 0, bottom = top + lanes_height(sheet);
    for (uint32_t i = 0; i < sheet->act->events.count && bottom > top; i++) {
        const struct scene_event *event = &sheet->scene->events[sheet->act->events.first + i];
        if (event->kind != VIDMM_EVENT_TDR || event->rule != VIDMM_RULE_TDR_001 ||
            event->time < sheet->axis.from || event->time > sheet->axis.to)
            continue;
        uint64_t x = axis_x(&sheet->axis, event->time);
        if (x < next)
            continue;
        svg_line(sheet->out, (struct svg_box){ x, top, 0, bottom - top }, "hung");
        svg_box(sheet->out, (struct svg_box){ x - FLAG_HALF, top - 2 * PX, 2 * FLAG_HALF, 14 * PX },
                "hang", sheet_text(sheet, event->sentence));
        svg_text(sheet->out, x, top + 9 * PX, "flagged", "!");
        sheet->seen[LEGEND_HANG] = true;
        next = x + 2 * FLAG_HALF + PX;
    }
}

/* ---- what decided it ------------------------------------------------------------------------- */

static const struct scene_event *event_at(const struct sheet *sheet, scene_index event)
{
    return &sheet->scene->events[event];
}

static bool is_shown(const struct sheet *sheet, const struct scene_event *event)
{
    return event->time >= sheet->axis.from && event->time <= sheet->axis.to;
}

/* The first event for which others had to leave; SCENE_NONE: none had to. */
static scene_index first_made_room(const struct sheet *sheet)
{
    scene_index first = SCENE_NONE;
    for (uint32_t i = 0; i < sheet->act->arrows.count; i++) {
        const struct scene_arrow *arrow = &sheet->scene->arrows[sheet->act->arrows.first + i];
        if (arrow->kind == SCENE_MADE_ROOM && arrow->to < first &&
            is_shown(sheet, event_at(sheet, arrow->to)))
            first = arrow->to;
    }
    return first;
}

static bool made_room(const struct sheet *sheet, const struct scene_arrow *arrow, scene_index comer)
{
    return arrow->kind == SCENE_MADE_ROOM && arrow->to == comer &&
           event_at(sheet, arrow->from)->allocation != SCENE_NONE;
}

/* "sky, grass and rocks": those that made room, in their order. */
static void add_victims(const struct sheet *sheet, scene_index comer, struct text *words)
{
    enum { NAMED = 4 };
    const struct scene_arrow *arrows = &sheet->scene->arrows[sheet->act->arrows.first];
    uint32_t count = 0, told = 0, items;
    for (uint32_t i = 0; i < sheet->act->arrows.count; i++)
        count += made_room(sheet, &arrows[i], comer);
    items = count > NAMED ? NAMED + 1 : count; /* the last one is those that have no room */
    for (uint32_t i = 0; i < sheet->act->arrows.count && told < NAMED; i++)
        if (made_room(sheet, &arrows[i], comer)) {
            scene_index victim = event_at(sheet, arrows[i].from)->allocation;
            text_add(words, "%s%s", text_between(told, items - told - 1),
                     sheet_text(sheet, sheet->scene->allocations[victim].label));
            told++;
        }
    if (count > NAMED)
        text_add(words, "%s%" PRIu32 " more", text_between(told, 0), count - NAMED);
}

/* A sentence without the number that a debugger shows, as the page has it. */
static void add_plain(const char *sentence, struct text *words)
{
    static const char number[] = " = 0x";
    const char *at = strstr(sentence, number);
    if (at)
        text_add_bytes(words, sentence, (size_t)(at - sentence));
    const char *rest = at ? at + sizeof number - 1 : sentence;
    text_add(words, "%s", at ? rest + strspn(rest, "0123456789ABCDEF") : rest);
}

/* Why it looks as it does: the event that decided it, with who had to leave for it. */
static void draw_why(struct sheet *sheet)
{
    scene_index comer = first_made_room(sheet);
    if (comer == SCENE_NONE)
        return;
    struct text words = { 0 };
    text_add(&words, "At %s ", axis_words(event_at(sheet, comer)->time).it);
    add_victims(sheet, comer, &words);
    text_add(&words, " left to make room: ");
    add_plain(sheet_text(sheet, event_at(sheet, comer)->sentence), &words);
    box_text(sheet->out, (struct svg_box){ SHEET_EDGE, sheet->y + 12 * PX, TEXT_WIDE, 0 }, 14,
             "why", text_get(&words));
    text_free(&words);
    sheet->y += WHY;
}

/* ---- above and below ------------------------------------------------------------------------- */

static void draw_head(struct sheet *sheet)
{
    uint64_t y = sheet->y + 55 * PX;
    struct text words = { 0 };
    box_text(sheet->out, (struct svg_box){ SHEET_EDGE, sheet->y + 34 * PX, TEXT_WIDE, 0 }, 20,
             "title", act_title(sheet));
    text_add(&words, "%s", sheet_text(sheet, sheet->act->file));
    if (sheet->act->segments.count)
        text_add(&words, ", virtual time %s to %s", axis_words(sheet->axis.from).it,
                 axis_words(sheet->axis.to).it);
    box_text(sheet->out, (struct svg_box){ SHEET_EDGE, y, TEXT_WIDE - draw_result(sheet, y), 0 },
             13, "sub", text_get(&words));
    text_free(&words);
    sheet->y += HEAD;
}

static void draw_notes(struct sheet *sheet)
{
    uint64_t stays = sheet->scene->omitted.stays, slices = sheet->scene->omitted.slices;
    struct text words = { 0 };
    svg_text(sheet->out, SHEET_EDGE, sheet->y, "small",
             "Addresses go up, time goes right. The axis is stretched: each moment at which "
             "something begins or ends has some room of its own.");
    if (sheet->unpointed)
        text_add(&words,
                 "Not drawn: arrows from cause to effect, of which %" PRIu64 " would be too many. ",
                 sheet->unpointed);
    if (sheet->merged)
        text_add(&words, "Not drawn: %s, others are in the same pixels. ",
                 text_count(sheet->merged, "box").it);
    if (stays || slices)
        text_add(&words, "Not kept: %" PRIu64 " stays, %" PRIu64 " packets.", stays, slices);
    if (words.length)
        svg_text(sheet->out, SHEET_EDGE, sheet->y + NOTE, "small", text_get(&words));
    text_free(&words);
    sheet->y += NOTES;
}

uint64_t act_height(const struct sheet *sheet)
{
    if (!sheet->act->segments.count)
        return HEAD + NOTHING;
    uint64_t why = first_made_room(sheet) == SCENE_NONE ? 0 : WHY;
    return HEAD + why + MARKERS + segments_height(sheet) + lanes_height(sheet) + axis_height() +
           style_legend_height(true) + NOTES;
}

static void draw_nothing(struct sheet *sheet)
{
    svg_text(sheet->out, SHEET_EDGE, sheet->y + 22 * PX, "label",
             "Nothing happened: no adapter started.");
    sheet->y += NOTHING;
}

void act_draw(struct sheet *sheet, const struct part *part)
{
    draw_head(sheet);
    if (!sheet->act->segments.count) {
        draw_nothing(sheet);
        return;
    }
    draw_why(sheet);
    uint64_t top = sheet->y + MARKERS, lanes = top + segments_height(sheet);
    draw_markers(sheet, part);
    sheet->y = lanes + lanes_height(sheet);
    axis_draw(sheet, top);
    uint64_t bottom = sheet->y;
    sheet->y = top;
    segments_draw(sheet);
    lanes_draw(sheet);
    arrows_draw(sheet, top, lanes);
    draw_hangs(sheet, lanes);
    sheet->y = bottom;
    style_legend(sheet, true);
    draw_notes(sheet);
}
