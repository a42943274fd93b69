/* SPDX-License-Identifier: MIT */
/*
 * svg.h: a picture as SVG: boxes, lines, text.
 *
 * Coordinates are whole tenths of a pixel, so the same picture is the same bytes everywhere. A
 * `kind` is one or more classes of the picture's style sheet. Text stays text, and may hold
 * anything.
 */
#ifndef TOOLS_COMMON_SVG_H
#define TOOLS_COMMON_SVG_H

#include "tools/common/text.h"

enum { SVG_PIXEL = 10 };

struct svg_head {
    uint64_t width, height;
    const char *title;
    const char *desc;  /* for those who cannot see it; NULL: the title says it all */
    const char *style; /* CSS */
};

struct svg_box {
    uint64_t x, y, width, height;
};

void svg_open(FILE *out, const struct svg_head *head);
void svg_close(FILE *out);
struct text_short svg_pixels(uint64_t tenths); /* "12.3" pixels, "12" */

void svg_text(FILE *out, uint64_t x, uint64_t y, const char *kind, const char *text);
/* `says`: what is shown where somebody points at it; NULL: nothing. */
void svg_box(FILE *out, struct svg_box box, const char *kind, const char *says);
/* From the upper left to the lower right corner of a box. */
void svg_line(FILE *out, struct svg_box box, const char *kind);

#endif
