/* SPDX-License-Identifier: MIT */
/*
 * boxes.c: which colour has a box, and what is written in it?
 */
#include <string.h>

#include "tools/picture/sheet.h"

enum {
    NAME_LETTER = 12,
    MORE_LETTER = 11,
    LINE_LEAST = 11 * PX, /* a box lower than this has no name */
    TWO_LINES = 32 * PX,
    PAD = 7 * PX,
    CUT_LEAST = 8, /* letters: a word that is cut to fewer says nothing */
    ELLIPSIS_WIDE = 1000,
    BAR = 25 /* the dark edge where it begins */
};

unsigned box_hue(const struct sheet *sheet, const struct scene_stay *stay)
{
    if (stay->allocation == SCENE_NONE)
        return SCENE_HUES;
    return sheet->scene->allocations[stay->allocation].hue;
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

static struct svg_box box_inside(struct svg_box box)
{
    return (struct svg_box){ box.x + PX / 2, box.y + PX / 2, box.width - PX, box.height - PX };
}

/* With an outline, and a little away from the next one, where that leaves something. */
void box_draw(struct sheet *sheet, struct svg_box box, const struct scene_stay *stay,
              const char *says)
{
    bool closed = stay->kind == SCENE_STAY_INVALID || stay->kind == SCENE_STAY_RESERVE;
    unsigned hue = box_hue(sheet, stay);
    sheet->seen[stay->allocation == SCENE_NONE ? LEGEND_OTHER : LEGEND_STAY] = true;
    if (box.width > 3 * PX && box.height > 3 * PX) {
        svg_box(sheet->out, box_inside(box), closed ? "closed" : text_print("c%u", hue).it, says);
        svg_box(sheet->out, (struct svg_box){ box.x, box.y, BAR, box.height },
                text_print("e%u", hue).it, NULL);
    } else {
        svg_box(sheet->out, box, text_print("c%u bare", hue).it, says);
    }
}

/* ---- texts ----------------------------------------------------------------------------------- */

/* In thousandths of the size, of Helvetica and its kin; other letters by the room that they take.
 */
static uint64_t letter_wide(const char *letter, size_t length)
{
    static const struct {
        const char *letters;
        uint64_t wide;
    } widths[] = { { "ijl'|", 240 },
                   { " .,:;/!tfI[]()", 290 },
                   { "r-\"*", 370 },
                   { "mM", 850 },
                   { "wW%@", 900 } };
    if (length > 1)
        return length == 2 ? 620 : 1000;
    for (size_t i = 0; i < ARRAY_COUNT(widths); i++)
        if (strchr(widths[i].letters, *letter))
            return widths[i].wide;
    return *letter >= 'A' && *letter <= 'Z' ? 710 : 570;
}

static size_t letter_bytes(const char *text)
{
    size_t length = text_utf8(text, strlen(text));
    return length ? length : 1;
}

/* Fonts differ, so this errs on the wide side. */
uint64_t box_text_wide(const char *text, unsigned size)
{
    uint64_t wide = 0;
    for (size_t i = 0; text[i]; i += letter_bytes(text + i))
        wide += letter_wide(text + i, letter_bytes(text + i));
    return wide * size * PX * 21 / 20 / 1000;
}

/* How many bytes of a text fit: all, or whole words, or of a word so much that it can be guessed.
 */
static size_t text_fits(const char *text, uint64_t room, unsigned size)
{
    uint64_t most = room * 20 / 21 * 1000 / PX / size, wide = 0;
    size_t kept = 0, word = 0, i = 0;
    for (; text[i] && wide <= most; i += letter_bytes(text + i)) {
        kept = wide + ELLIPSIS_WIDE <= most ? i : kept;
        word = text[i] == ' ' && kept == i ? i : word;
        wide += letter_wide(text + i, letter_bytes(text + i));
    }
    if (wide <= most)
        return i;
    return kept - word < CUT_LEAST ? word : kept;
}

void box_text(FILE *out, struct svg_box at, unsigned size, const char *kind, const char *text)
{
    static const char more[] = "\xE2\x80\xA6";
    size_t fits = text_fits(text, at.width, size);
    struct text cut = { 0 };
    text_add_bytes(&cut, text, fits);
    if (fits && text[fits])
        text_add(&cut, "%s", more);
    if (fits)
        svg_text(out, at.x, at.y, kind, text_get(&cut));
    text_free(&cut);
}

/* From below to above. */
static void put_text_up(FILE *out, uint64_t x, uint64_t y, const char *kind, const char *text)
{
    (void)fprintf(out, "<text transform=\"translate(%s %s) rotate(-90)\" class=\"%s\">",
                  svg_pixels(x).it, svg_pixels(y).it, kind);
    text_put_xml(out, text);
    (void)fputs("</text>\n", out);
}

bool box_label(const struct sheet *sheet, struct svg_box box, const char *halo, const char *name,
               const char *more)
{
    FILE *out = sheet->out;
    uint64_t wide = box_text_wide(name, NAME_LETTER), small = box_text_wide(more, MORE_LETTER);
    uint64_t room = box.width > 2 * PAD ? box.width - 2 * PAD : 0, middle = box.y + box.height / 2;
    bool two = *more && box.height >= TWO_LINES && small <= room;
    struct text kind = { 0 };
    bool across = box.height >= LINE_LEAST && text_fits(name, room, NAME_LETTER);
    bool up = box.height >= wide + 2 * PAD && box.width >= LINE_LEAST + 3 * PX;
    text_add(&kind, "label %s", halo);
    if (across) {
        struct svg_box at = { box.x + PAD, two ? middle - 3 * PX : middle + 4 * PX, room, 0 };
        box_text(out, at, NAME_LETTER, text_get(&kind), name);
        if (two)
            svg_text(out, at.x, middle + 11 * PX, text_print("more %s", halo).it, more);
    } else if (up) {
        put_text_up(out, box.x + box.width / 2 + 5 * PX, box.y + box.height - PAD, text_get(&kind),
                    name);
    }
    text_free(&kind);
    return across || up;
}
