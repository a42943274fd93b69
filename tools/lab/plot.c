/* SPDX-License-Identifier: MIT */
/*
 * plot.c: where does a bar, a line, a label of a plot stand?
 *
 * Coordinates are whole tenths of a pixel. A policy has a row, which its name stands before: bars,
 * and a band over time. However many there are, none is drawn over another, and nothing depends on
 * colours. A style sheet in the file follows the reader's light or dark scheme.
 */
#include "tools/lab/plot.h"

#include <inttypes.h>
#include <string.h>

#include "tools/common/output.h"

enum {
    TENTHS = 10,
    WIDE = 960,
    HEAD = 40,      /* above the first row */
    NAMES = 170,    /* where bars begin: names of policies stand before them */
    BARS = 220,     /* their width at 100% */
    BANDS = 470,    /* where the axis of time begins */
    TIME = 330,     /* how long it is */
    BAR = 9,        /* height of a bar; each policy has two */
    BAND = 20,      /* height of a band at 100% */
    STEP = 28,      /* from policy to policy */
    ROW_HEAD = 44,  /* name of the file, heads of both parts */
    ROW_FOOT = 64,  /* scale under a part, and a gap */
    ROW_LEAST = 84, /* height of a part, however few policies there are */
    SPANS = 160     /* of a band: it has to be seen */
};

/* ---- pieces -----------------------------------------------------------------------------------
 */

static struct text_short pixels(uint64_t tenths)
{
    return text_print("%" PRIu64 ".%" PRIu64, tenths / TENTHS, tenths % TENTHS);
}

/* `kind`: classes of the style sheet. */
static void put_text(FILE *out, uint64_t x, uint64_t y, const char *kind, const char *text)
{
    (void)fprintf(out, "<text x=\"%s\" y=\"%s\" class=\"%s\">", pixels(x).it, pixels(y).it, kind);
    struct text escaped = { 0 };
    text_add_xml(&escaped, text, strlen(text));
    (void)fprintf(out, "%s</text>\n", text_get(&escaped));
    text_free(&escaped);
}

static void put_line(FILE *out, uint64_t x, uint64_t y, uint64_t to_x, uint64_t to_y)
{
    (void)fprintf(out, "<path class=\"axis\" d=\"M%s %sL%s %s\"/>\n", pixels(x).it, pixels(y).it,
                  pixels(to_x).it, pixels(to_y).it);
}

static uint64_t scaled(uint64_t share, uint64_t length)
{
    return min_u64(share, METRIC_WHOLE) * length * TENTHS / METRIC_WHOLE;
}

/* ---- hit ratios -------------------------------------------------------------------------------
 */

static void put_bar(FILE *out, const struct metrics *metrics, enum metric metric, uint64_t y)
{
    (void)fprintf(out, "<rect x=\"%d\" y=\"%s\" width=\"%s\" height=\"%d\" class=\"%s\"/>\n", NAMES,
                  pixels(y).it, pixels(scaled(metrics->value[metric], BARS)).it, BAR,
                  metric == METRIC_HIT_RATIO ? "full" : "pale");
    put_text(out, NAMES * TENTHS + scaled(metrics->value[metric], BARS) + 5 * TENTHS,
             y + (BAR - 1) * TENTHS, "small", metrics_words(metrics, metric).it);
}

static void put_bars(FILE *out, const struct plot *plot, const struct result *results, uint64_t y,
                     uint64_t height)
{
    static const char *const marks[] = { "0%", "50%", "100%" };
    put_text(out, NAMES * TENTHS, y - 10 * TENTHS, "head",
             "Hit ratio: by count (full), by bytes (pale)");
    for (size_t i = 0; i < ARRAY_COUNT(marks); i++) {
        uint64_t x = (NAMES + BARS * i / 2) * TENTHS;
        put_line(out, x, y, x, y + height);
        put_text(out, x, y + height + 14 * TENTHS, "small middle", marks[i]);
    }
    for (size_t p = 0; p < plot->policies->count; p++) {
        const struct metrics *metrics = &results[p].measured.metrics;
        uint64_t top = y + (p * STEP + 3) * TENTHS;
        put_text(out, (NAMES - 8) * TENTHS, top + 13 * TENTHS, "end", plot->policies->list[p].name);
        if (metrics->known[METRIC_HIT_RATIO]) {
            put_bar(out, metrics, METRIC_HIT_RATIO, top);
            put_bar(out, metrics, METRIC_BYTE_HIT_RATIO, top + (BAR + 1) * TENTHS);
        } else {
            put_text(out, (NAMES + 6) * TENTHS, top + 13 * TENTHS, "small",
                     metrics->known[METRIC_TIME] ? "no references" : result_verdict(&results[p]));
        }
    }
}

/* ---- fragmentation over time ------------------------------------------------------------------
 */

static uint64_t longest(const struct plot *plot, const struct result *results)
{
    uint64_t time = 1;
    for (size_t p = 0; p < plot->policies->count; p++)
        time = max_u64(time, results[p].measured.metrics.value[METRIC_TIME]);
    return time;
}

/* A share holds until the next span, the last one to the end of the run. `y`: of 0%. */
static void put_band(FILE *out, const struct measured *measured, uint64_t time, uint64_t y)
{
    const struct spread_totals *spread = &measured->spread;
    (void)fprintf(out, "<path class=\"full\" d=\"M%d %s", BANDS, pixels(y).it);
    uint32_t span = spread->point_count / SPANS + 1;
    for (uint32_t i = 0; i < spread->point_count; i += span) {
        uint64_t x = scaled(metrics_ratio(spread->points[i].time, time), TIME), share = 0;
        for (uint32_t k = i; k < i + span && k < spread->point_count; k++)
            share = max_u64(share, spread->points[k].share);
        (void)fprintf(out, "H%sV%s", pixels(BANDS * TENTHS + x).it,
                      pixels(y - scaled(share, BAND)).it);
    }
    uint64_t end = scaled(metrics_ratio(measured->metrics.value[METRIC_TIME], time), TIME);
    (void)fprintf(out, "H%sV%sZ\"/>\n", pixels(BANDS * TENTHS + end).it, pixels(y).it);
}

static void put_bands(FILE *out, const struct plot *plot, const struct result *results, uint64_t y,
                      uint64_t height)
{
    uint64_t time = longest(plot, results);
    put_text(out, BANDS * TENTHS, y - 10 * TENTHS, "head",
             "Fragmentation over virtual time, each band 0% to 100%");
    for (uint64_t i = 0; i < 3; i++) {
        uint64_t x = (BANDS + TIME * i / 2) * TENTHS;
        put_line(out, x, y, x, y + height);
        put_text(out, x, y + height + 14 * TENTHS, "small middle",
                 metrics_value_words(METRIC_NS, time / 2 * i).it);
    }
    for (size_t p = 0; p < plot->policies->count; p++) {
        const struct metrics *metrics = &results[p].measured.metrics;
        uint64_t bottom = y + (p * STEP + 3 + BAND) * TENTHS;
        if (!metrics->known[METRIC_TIME])
            continue;
        put_line(out, BANDS * TENTHS, bottom, (BANDS + TIME) * TENTHS, bottom);
        put_band(out, &results[p].measured, time, bottom);
        put_text(out, (BANDS + TIME + 10) * TENTHS, bottom - 6 * TENTHS, "small",
                 text_print("mean %s, max %s", metrics_words(metrics, METRIC_FRAGMENTS_TIME).it,
                            metrics_words(metrics, METRIC_FRAGMENTS_MOST).it)
                     .it);
    }
}

/* ---- the whole --------------------------------------------------------------------------------
 */

static void put_head(FILE *out, uint64_t height)
{
    (void)fprintf(out,
                  "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%" PRIu64 "\" "
                  "viewBox=\"0 0 %d %" PRIu64 "\" role=\"img\">\n"
                  "<title>vidmm compare</title>\n"
                  "<style>\n"
                  "svg { background: #fff; }\n"
                  "text { font: 12px sans-serif; fill: #1a1a1a; }\n"
                  ".name { font-size: 14px; font-weight: bold; }\n"
                  ".head { font-weight: bold; }\n"
                  ".small { font-size: 10px; }\n"
                  ".middle { text-anchor: middle; }\n"
                  ".end { text-anchor: end; }\n"
                  ".axis { stroke: #999; stroke-width: 0.5; fill: none; }\n"
                  ".full { fill: #0072b2; }\n"
                  ".pale { fill: #9ccae6; }\n"
                  "@media (prefers-color-scheme: dark) {\n"
                  "  svg { background: #16181c; }\n"
                  "  text { fill: #e8e8e8; }\n"
                  "  .axis { stroke: #777; }\n"
                  "  .full { fill: #4aa8e0; }\n"
                  "  .pale { fill: #245a7c; }\n"
                  "}\n"
                  "</style>\n",
                  WIDE, height, WIDE, height);
}

static void put_plot(FILE *out, const struct plot *plot)
{
    size_t count = plot->policies->count;
    uint64_t part = max_u64(count * STEP, ROW_LEAST);
    uint64_t row = ROW_HEAD + part + ROW_FOOT;
    put_head(out, HEAD + row * plot->file_count);
    for (size_t i = 0; i < plot->file_count; i++) {
        const struct result *results = plot->results + i * count;
        uint64_t y = (HEAD + row * i) * TENTHS;
        put_text(out, 16 * TENTHS, y - 10 * TENTHS, "name", plot->files[i]);
        put_bars(out, plot, results, y + ROW_HEAD * TENTHS, part * TENTHS);
        put_bands(out, plot, results, y + ROW_HEAD * TENTHS, part * TENTHS);
    }
    (void)fputs("</svg>\n", out);
}

bool plot_write(const struct plot *plot, const char *path)
{
    struct output output;
    if (!output_begin(&output, path))
        return false;
    put_plot(output.file, plot);
    return output_end(&output, true);
}
