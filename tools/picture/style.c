/* SPDX-License-Identifier: MIT */
/*
 * style.c: how does everything look, and what does a legend say of it?
 *
 * The colours are those of Okabe and Ito, which most of the colour-blind tell apart: light as an
 * area, so that text stands on them and print bears them, darker as an edge. A state is a hatch or
 * a frame, never a colour; an allocation has its name in the box.
 */
#include "tools/picture/sheet.h"

const char sheet_style[] =
    "svg { background: #fff; }\n"
    "text { font: 12px 'Helvetica Neue', Helvetica, Arial, 'Liberation Sans', sans-serif;\n"
    "  fill: #1a1a1a; font-variant-numeric: tabular-nums; }\n"
    ".title { font-size: 20px; font-weight: bold; }\n"
    ".sub { font-size: 13px; fill: #555; }\n"
    ".head { font-size: 13px; font-weight: bold; }\n"
    ".small { font-size: 11px; fill: #444; }\n"
    ".middle { text-anchor: middle; }\n"
    ".end { text-anchor: end; }\n"
    ".label { paint-order: stroke; stroke: #fff; stroke-opacity: 0.7; stroke-width: 3px;\n"
    "  stroke-linejoin: round; fill: #1a1a1a; }\n"
    ".bad { fill: #b00020; font-weight: bold; }\n"
    ".paper { fill: #f6f6f4; }\n"
    ".frame { fill: none; stroke: #777; }\n"
    ".axis { stroke: #777; fill: none; }\n"
    ".grid { stroke: #cfcfcf; stroke-width: 0.6; fill: none; }\n"
    ".pin { stroke: #1a1a1a; stroke-width: 1.2; stroke-dasharray: 7 3 2 3; fill: none; }\n"
    ".bank { stroke: #999; stroke-width: 0.8; stroke-dasharray: 2 4; fill: none; }\n"
    ".c0 { fill: #8fc4e3; stroke: #00598c; }\n"
    ".c1 { fill: #f5cf7c; stroke: #8f6200; }\n"
    ".c2 { fill: #86d1bb; stroke: #006b4e; }\n"
    ".c3 { fill: #e7bdd4; stroke: #96497a; }\n"
    ".c4 { fill: #c4e6f8; stroke: #2a7fb0; }\n"
    ".c5 { fill: #f0b890; stroke: #a84a00; }\n"
    ".c6 { fill: #f7f0a0; stroke: #857c00; }\n"
    ".c7 { fill: #d3d3d3; stroke: #5c5c5c; }\n"
    ".other { fill: #fff; stroke: #777; stroke-dasharray: 3 2; }\n"
    ".closed { fill: url(#closed); stroke: #777; }\n"
    ".leaving { fill: #fff; fill-opacity: 0.6; stroke: none; }\n"
    ".dirty { fill: url(#dirty); stroke: none; }\n"
    ".moving { fill: url(#moving); stroke: none; }\n"
    ".offered { fill: url(#offered); stroke: none; }\n"
    ".pinned { fill: none; stroke: #1a1a1a; stroke-width: 2.4; }\n"
    ".locked { fill: #1a1a1a; stroke: none; }\n"
    ".run { fill: #e4e4e4; stroke: #444; }\n"
    ".paging { fill: url(#paging); stroke: #00598c; }\n"
    ".wait { fill: url(#wait); stroke: #96497a; }\n"
    ".queued { fill: #999; stroke: none; }\n"
    ".flag { fill: #1a1a1a; }\n"
    ".flagged { fill: #fff; font-size: 10px; font-weight: bold; text-anchor: middle; }\n"
    ".tiny { stroke: none; }\n"
    "rect { stroke-width: 0.9; }\n";

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
    put_pattern(out, "dirty", "7",
                "<path d=\"M0 0V7\" stroke=\"#1a1a1a\" stroke-width=\"1.6\" "
                "stroke-opacity=\"0.55\"/>");
    put_pattern(
        out, "moving", "5",
        "<path d=\"M0 0H5\" stroke=\"#fff\" stroke-width=\"1.8\" stroke-opacity=\"0.75\"/>");
    put_pattern(out, "offered", "6",
                "<circle cx=\"3\" cy=\"3\" r=\"1.2\" fill=\"#1a1a1a\" fill-opacity=\"0.6\"/>");
    put_pattern(out, "closed", "6",
                "<path d=\"M0 0V6M0 0H6\" stroke=\"#777\" stroke-width=\"1.4\"/>");
    put_pattern(out, "paging", "6",
                "<rect width=\"6\" height=\"6\" fill=\"#e6f2fa\"/>"
                "<path d=\"M0 0H6\" stroke=\"#5aa2d0\" stroke-width=\"2\"/>");
    put_pattern(out, "wait", "6",
                "<rect width=\"6\" height=\"6\" fill=\"#fdf3f8\"/>"
                "<path d=\"M0 0V6M0 0H6\" stroke=\"#cc79a7\" stroke-width=\"0.9\"/>");
    (void)fputs("</defs>\n", out);
}

/* ---- legend ---------------------------------------------------------------------------------- */

static const struct {
    const char *kind, *over, *words;
} legends[LEGENDS] = {
    [LEGEND_STAY] = { "c0", NULL, "an allocation" },
    [LEGEND_LEAVING] = { "c0", "leaving", "content on its way out" },
    [LEGEND_PINNED] = { "c0", "pinned", "pinned" },
    [LEGEND_DIRTY] = { "c0", "dirty", "dirty" },
    [LEGEND_LOCKED] = { "c0", "locked", "locked by the CPU" },
    [LEGEND_OFFERED] = { "c0", "offered", "offered" },
    [LEGEND_MOVING] = { "c0", "moving", "content arrives" },
    [LEGEND_OTHER] = { "other", NULL, "no allocation" },
    [LEGEND_RUN] = { "run", NULL, "work" },
    [LEGEND_PAGING] = { "paging", NULL, "memory is moved" },
    [LEGEND_WAIT] = { "wait", NULL, "the CPU waits" },
    [LEGEND_QUEUED] = { "queued", NULL, "in the queue" },
};

enum { LEGEND_ROOM = 34 * PX, SWATCH = 22 * PX, SWATCH_HIGH = 13 * PX, LEGEND_GAP = 14 * PX };

uint64_t style_legend_height(void)
{
    return LEGEND_ROOM;
}

void style_legend(struct sheet *sheet)
{
    uint64_t x = SHEET_EDGE, y = sheet->y + 8 * PX;
    for (unsigned i = 0; i < LEGENDS; i++) {
        if (!sheet->seen[i])
            continue;
        struct svg_box box = { x, y, SWATCH, SWATCH_HIGH };
        if (i == LEGEND_QUEUED)
            box = (struct svg_box){ x, y + SWATCH_HIGH / 2 - PX, SWATCH, 2 * PX };
        svg_box(sheet->out, box, legends[i].kind, NULL);
        if (i == LEGEND_LOCKED)
            box = (struct svg_box){ x, y + SWATCH_HIGH - 4 * PX, SWATCH, 4 * PX };
        if (legends[i].over)
            svg_box(sheet->out, box, legends[i].over, NULL);
        x += SWATCH + 6 * PX;
        svg_text(sheet->out, x, y + 11 * PX, "small", legends[i].words);
        x += box_text_wide(legends[i].words) * 21 / 20 + LEGEND_GAP;
    }
    sheet->y += LEGEND_ROOM;
}
