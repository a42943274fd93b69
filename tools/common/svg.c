/* SPDX-License-Identifier: MIT */
/* svg.c: a picture as SVG. */
#include "tools/common/svg.h"

#include <inttypes.h>

struct text_short svg_pixels(uint64_t tenths)
{
    if (tenths % SVG_PIXEL == 0)
        return text_print("%" PRIu64, tenths / SVG_PIXEL);
    return text_print("%" PRIu64 ".%" PRIu64, tenths / SVG_PIXEL, tenths % SVG_PIXEL);
}

static void put_element(FILE *out, const char *name, const char *text)
{
    (void)fprintf(out, "<%s>", name);
    text_put_xml(out, text);
    (void)fprintf(out, "</%s>", name);
}

void svg_open(FILE *out, const struct svg_head *head)
{
    struct text_short width = svg_pixels(head->width), height = svg_pixels(head->height);
    (void)fprintf(out,
                  "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%s\" height=\"%s\" "
                  "viewBox=\"0 0 %s %s\" role=\"img\">\n",
                  width.it, height.it, width.it, height.it);
    put_element(out, "title", head->title);
    (void)fputc('\n', out);
    if (head->desc) {
        put_element(out, "desc", head->desc);
        (void)fputc('\n', out);
    }
    (void)fprintf(out, "<style>\n%s</style>\n", head->style);
}

void svg_close(FILE *out)
{
    (void)fputs("</svg>\n", out);
}

void svg_text(FILE *out, uint64_t x, uint64_t y, const char *kind, const char *text)
{
    (void)fprintf(out, "<text x=\"%s\" y=\"%s\" class=\"%s\">", svg_pixels(x).it, svg_pixels(y).it,
                  kind);
    text_put_xml(out, text);
    (void)fputs("</text>\n", out);
}

void svg_box(FILE *out, struct svg_box box, const char *kind, const char *says)
{
    (void)fprintf(out, "<rect x=\"%s\" y=\"%s\" width=\"%s\" height=\"%s\" class=\"%s\"",
                  svg_pixels(box.x).it, svg_pixels(box.y).it, svg_pixels(box.width).it,
                  svg_pixels(box.height).it, kind);
    if (says) {
        (void)fputc('>', out);
        put_element(out, "title", says);
        (void)fputs("</rect>\n", out);
    } else {
        (void)fputs("/>\n", out);
    }
}

void svg_line(FILE *out, struct svg_box box, const char *kind)
{
    (void)fprintf(out, "<path class=\"%s\" d=\"M%s %sL%s %s\"/>\n", kind, svg_pixels(box.x).it,
                  svg_pixels(box.y).it, svg_pixels(box.x + box.width).it,
                  svg_pixels(box.y + box.height).it);
}
