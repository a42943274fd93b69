/* SPDX-License-Identifier: MIT */
/*
 * boxes.c: which colour has a box, and what is written in it?
 */
#include <string.h>

#include "tools/picture/sheet.h"

enum { LINE = 14 * PX, LINE_LEAST = 11 * PX, PAD = 5 * PX, WIDE_LETTER = 66, NARROW_LETTER = 36 };

const char *const box_mark_kinds[] = {
    [SCENE_PINNED] = "pinned",   [SCENE_DIRTY] = "dirty",   [SCENE_LOCKED] = "locked",
    [SCENE_OFFERED] = "offered", [SCENE_MOVING] = "moving",
};

const char *box_colour(const struct sheet *sheet, const struct scene_stay *stay)
{
    static const char *const colours[COLOURS] = { "c0", "c1", "c2", "c3", "c4", "c5", "c6", "c7" };
    if (stay->kind == SCENE_STAY_INVALID || stay->kind == SCENE_STAY_RESERVE)
        return "closed";
    if (stay->allocation == SCENE_NONE)
        return "other";
    return colours[(stay->allocation - sheet->act->allocations.first) % COLOURS];
}

const char *box_name(const struct sheet *sheet, const struct scene_stay *stay)
{
    static const char *const names[] = {
        [SCENE_STAY_ALLOCATION] = "?",
        [SCENE_STAY_EVICTION] = "?",
        [SCENE_STAY_PAGING_BUFFER] = "paging buffer",
        [SCENE_STAY_DMA_BUFFER] = "DMA buffer",
        [SCENE_STAY_INVALID] = "broken memory",
        [SCENE_STAY_RESERVE] = "reserve",
    };
    if (stay->allocation == SCENE_NONE)
        return names[stay->kind];
    return sheet_text(sheet, sheet->scene->allocations[stay->allocation].label);
}

/* Fonts differ, so this errs on the wide side. */
uint64_t box_text_wide(const char *text)
{
    uint64_t wide = 0;
    for (; *text; text++)
        if (((unsigned char)*text & 0xC0) != 0x80)
            wide += strchr("iljtf.,:;'|!()[] ", *text) ? NARROW_LETTER : WIDE_LETTER;
    return wide;
}

/* From below to above. */
static void put_text_up(FILE *out, uint64_t x, uint64_t y, const char *text)
{
    (void)fprintf(out, "<text transform=\"translate(%s %s) rotate(-90)\" class=\"label\">",
                  svg_pixels(x).it, svg_pixels(y).it);
    text_put_xml(out, text);
    (void)fputs("</text>\n", out);
}

void box_label(const struct sheet *sheet, struct svg_box box, const char *name, const char *more)
{
    uint64_t wide = box_text_wide(name) + 2 * PAD;
    if (box.width >= wide && box.height >= LINE_LEAST) {
        svg_text(sheet->out, box.x + PAD, box.y + min_u64(LINE, box.height / 2 + 4 * PX), "label",
                 name);
        if (*more && box.height >= 2 * LINE + 3 * PX &&
            box.width >= box_text_wide(more) * 10 / 11 + 2 * PAD)
            svg_text(sheet->out, box.x + PAD, box.y + 2 * LINE, "label small", more);
    } else if (box.height >= wide && box.width >= LINE) {
        put_text_up(sheet->out, box.x + box.width / 2 + 4 * PX, box.y + box.height - PAD, name);
    }
}
