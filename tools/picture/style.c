/* SPDX-License-Identifier: MIT */
/*
 * style.c: how does everything look, and what does a legend say of it?
 *
 * The colours are those of the page: light as an area, so that text stands on them and print bears
 * them, darker as an outline. Colour means an allocation and nothing else; what nodes and the CPU
 * do is grey. A state is a hatch or a frame, and an allocation has its name in the box.
 */
#include <inttypes.h>

#include "tools/picture/sheet.h"

/* Those of the page when it is light, see tools/view/page/tokens.css. The last one is what no
   allocation has. */
static const uint32_t hues[SCENE_HUES + 1] = { 0x85B2E0, 0xF2CF80, 0x57C2A3, 0xCC79A7,
                                               0xF09475, 0x4D9CC9, 0xF8F2A0, 0xCFD3D9 };

enum { BLACK = 0, EDGE = 55 };

/* So many hundredths of one colour, the rest of the other. */
static uint32_t mix(uint32_t one, uint32_t other, uint32_t share)
{
    uint32_t mixed = 0;
    for (unsigned shift = 0; shift < 24; shift += 8)
        mixed |=
            (((one >> shift & 0xFF) * share + (other >> shift & 0xFF) * (100 - share) + 50) / 100)
            << shift;
    return mixed;
}

static void add_hue(struct text *css, unsigned number, uint32_t tint, uint32_t edge)
{
    text_add(css,
             ".c%u { fill: #%06" PRIx32 "; stroke: #%06" PRIx32 "; } .e%u { fill: #%06" PRIx32
             "; } .t%u { stroke: #%06" PRIx32 "; }\n",
             number, tint, edge, number, edge, number, tint);
}

struct text style_sheet(void)
{
    static const char rest[] =
        "svg { background: #fff; }\n"
        "text { font: 12px 'Helvetica Neue', Helvetica, Arial, 'Liberation Sans', sans-serif;\n"
        "  fill: #191c21; font-variant-numeric: tabular-nums; }\n"
        ".title { font-size: 20px; font-weight: bold; }\n"
        ".why { font-size: 14px; font-weight: bold; }\n"
        ".sub { font-size: 13px; fill: #565d68; }\n"
        ".head { font-size: 13px; font-weight: bold; }\n"
        ".small { font-size: 11px; fill: #565d68; }\n"
        ".middle { text-anchor: middle; }\n"
        ".end { text-anchor: end; }\n"
        ".label { font-weight: bold; }\n"
        ".more { font-size: 11px; }\n"
        ".label, .more, .head, .on-paper { paint-order: stroke; stroke-width: 3px;\n"
        "  stroke-opacity: 0.8; stroke-linejoin: round; }\n"
        ".head, .on-paper { stroke: #fff; }\n"
        ".on-run { stroke: #d9dce1; } .on-paging, .on-wait { stroke: #f4f5f7; }\n"
        ".on-run, .on-paging, .on-wait { font-weight: normal; }\n"
        ".bad { fill: #b33c00; font-weight: bold; }\n"
        ".paper { fill: #f4f5f7; }\n"
        ".frame { fill: none; stroke: #8a919c; stroke-width: 0.8; }\n"
        ".axis { stroke: #8a919c; fill: none; }\n"
        ".grid { stroke: #d5d9df; stroke-width: 0.6; fill: none; }\n"
        ".pin { stroke: #565d68; stroke-dasharray: 7 4; stroke-opacity: 0.8; fill: none; }\n"
        ".framed { stroke: #8a919c; stroke-width: 0.8; }\n"
        ".bank { stroke: #8a919c; stroke-width: 0.8; stroke-dasharray: 1 3; fill: none; }\n"
        ".bare { stroke: none; }\n"
        ".closed { fill: url(#closed); stroke: #565d68; }\n"
        ".leaving { fill: #fff; fill-opacity: 0.55; }\n"
        ".dirty { fill: url(#dirty); }\n"
        ".dirty-thin { fill: url(#dirty-thin); }\n"
        ".moving { fill: url(#moving); }\n"
        ".pinned { fill: none; stroke: #191c21; stroke-width: 2; }\n"
        ".offered { fill: none; stroke: #191c21; stroke-width: 1.5; stroke-dasharray: 4 3; }\n"
        ".thin { stroke-width: 0.9; }\n"
        ".locked { fill: #191c21; }\n"
        ".run { fill: #d9dce1; }\n"
        ".paging { fill: url(#paging); }\n"
        ".wait { fill: url(#wait); }\n"
        ".lane-edge { fill: #6b7280; }\n"
        ".queued { fill: #a6adb8; }\n"
        ".arrow { fill: none; stroke: #191c21; stroke-width: 1.3; stroke-opacity: 0.85; }\n"
        ".needs { stroke-dasharray: 5 3; }\n"
        ".point { fill: #191c21; fill-opacity: 0.85; }\n"
        ".flag { fill: #191c21; } .hang { fill: #b33c00; }\n"
        ".hung { stroke: #b33c00; stroke-width: 1.5; fill: none; }\n"
        ".flagged { fill: #fff; font-size: 10px; font-weight: bold; text-anchor: middle; }\n";
    struct text css = { 0 };
    for (unsigned i = 0; i <= SCENE_HUES; i++)
        add_hue(&css, i, hues[i], mix(hues[i], BLACK, EDGE));
    text_add(&css, "%s", rest);
    return css;
}

static void put_pattern(FILE *out, const char *name, const char *size, const char *content)
{
    (void)fprintf(out,
                  "<pattern id=\"%s\" patternUnits=\"userSpaceOnUse\" width=\"%s\" height=\"%s\" "
                  "patternTransform=\"rotate(45)\">%s</pattern>\n",
                  name, size, size, content);
}

void style_patterns(FILE *out)
{
    (void)fputs("<defs>\n", out);
    put_pattern(out, "dirty", "5",
                "<path d=\"M2.5 0V5\" stroke=\"#191c21\" stroke-width=\"1.1\" "
                "stroke-opacity=\"0.4\"/>");
    put_pattern(out, "dirty-thin", "4",
                "<path d=\"M2 0V4\" stroke=\"#191c21\" stroke-width=\"0.7\" "
                "stroke-opacity=\"0.4\"/>");
    put_pattern(out, "moving", "5",
                "<path d=\"M0 2.5H5\" stroke=\"#fff\" stroke-width=\"1.7\" "
                "stroke-opacity=\"0.6\"/>");
    put_pattern(out, "closed", "6",
                "<path d=\"M0 0V6M0 0H6\" stroke=\"#8a919c\" stroke-width=\"1.4\"/>");
    put_pattern(out, "paging", "5",
                "<rect width=\"5\" height=\"5\" fill=\"#f0f1f4\"/>"
                "<path d=\"M0 2.5H5\" stroke=\"#a6adb8\" stroke-width=\"1.2\"/>");
    put_pattern(out, "wait", "6",
                "<rect width=\"6\" height=\"6\" fill=\"#fafafb\"/>"
                "<path d=\"M3 0V6M0 3H6\" stroke=\"#d0d4da\" stroke-width=\"0.8\"/>");
    (void)fputs("</defs>\n", out);
}

/* ---- legend ---------------------------------------------------------------------------------- */

/* A line as a swatch has a class of lines. */
static const struct {
    const char *kind, *over, *line, *words;
} legends[LEGENDS] = {
    [LEGEND_STAY] = { "c0", NULL, NULL, "an allocation" },
    [LEGEND_MOVING] = { "c0", "moving", NULL, "content on its way" },
    [LEGEND_LEAVING] = { "c0", "leaving", NULL, "leaving" },
    [LEGEND_DIRTY] = { "c0", "dirty", NULL, "dirty" },
    [LEGEND_PINNED] = { "c0", "pinned", NULL, "pinned" },
    [LEGEND_LOCKED] = { "c0", "locked", NULL, "locked by the CPU" },
    [LEGEND_OFFERED] = { "c0", "offered", NULL, "offered" },
    [LEGEND_OTHER] = { "c7", NULL, NULL, "no allocation" },
    [LEGEND_FREE] = { "paper framed", NULL, NULL, "free" },
    [LEGEND_PIN_LINE] = { NULL, NULL, "pin", "from here on: room for what is pinned" },
    [LEGEND_RUN] = { "run", NULL, NULL, "work" },
    [LEGEND_PAGING] = { "paging", NULL, NULL, "memory is moved" },
    [LEGEND_WAIT] = { "wait", NULL, NULL, "the CPU waits" },
    [LEGEND_QUEUED] = { NULL, NULL, "axis", "in the queue" },
    [LEGEND_MADE_ROOM] = { NULL, NULL, "arrow", "left, to make room" },
    [LEGEND_CAUSED_PAGING] = { NULL, NULL, "arrow needs", "needed this to be moved" },
    [LEGEND_HANG] = { "hang", NULL, NULL, "a hang is noticed" },
    [LEGEND_MAP] = { "flag", NULL, NULL, "a map of this moment, which --maps draws" },
};

enum {
    LEGEND_ROW = 22 * PX,
    LEGEND_FOOT = 10 * PX,
    SWATCH = 22 * PX,
    SWATCH_HIGH = 13 * PX,
    LEGEND_GAP = 16 * PX
};

uint64_t style_legend_height(bool with_time)
{
    return LEGEND_ROW * (with_time ? 2 : 1) + LEGEND_FOOT;
}

static void draw_swatch(struct sheet *sheet, uint64_t x, unsigned i)
{
    struct svg_box box = { x, sheet->y, SWATCH, SWATCH_HIGH };
    if (legends[i].line)
        svg_line(sheet->out, (struct svg_box){ x, sheet->y + SWATCH_HIGH / 2, SWATCH, 0 },
                 legends[i].line);
    if (legends[i].kind)
        svg_box(sheet->out, box, legends[i].kind, NULL);
    if (i == LEGEND_MAP || i == LEGEND_HANG)
        svg_text(sheet->out, x + SWATCH / 2, sheet->y + 10 * PX, "flagged",
                 i == LEGEND_MAP ? "1" : "!");
    if (i == LEGEND_LOCKED)
        box.height = 4 * PX;
    if (i == LEGEND_PINNED || i == LEGEND_OFFERED)
        box = (struct svg_box){ x + PX, box.y + PX, SWATCH - 2 * PX, SWATCH_HIGH - 2 * PX };
    if (legends[i].over)
        svg_box(sheet->out, box, legends[i].over, NULL);
}

static void draw_legends(struct sheet *sheet, unsigned first, unsigned end)
{
    uint64_t x = SHEET_EDGE;
    for (unsigned i = first; i < end; i++) {
        if (!sheet->seen[i])
            continue;
        draw_swatch(sheet, x, i);
        x += SWATCH + 6 * PX;
        svg_text(sheet->out, x, sheet->y + 11 * PX, "small", legends[i].words);
        x += box_text_wide(legends[i].words, 11) + LEGEND_GAP;
    }
    sheet->y += LEGEND_ROW;
}

void style_legend(struct sheet *sheet, bool with_time)
{
    draw_legends(sheet, 0, LEGEND_OF_TIME);
    if (with_time)
        draw_legends(sheet, LEGEND_OF_TIME, LEGENDS);
    sheet->y += LEGEND_FOOT;
}
