/* SPDX-License-Identifier: MIT */
/*
 * plot.c: where does a bar, a line, a label of a plot stand?
 *
 * Coordinates are whole tenths of a pixel. A policy has a row, which its name stands before: bars,
 * and a band over time. However many there are, none is drawn over another, and nothing depends on
 * colours. A style sheet in the file follows the reader's light or dark scheme.
 */
#include "tools/lab/plot.h"

#include "tools/common/output.h"
#include "tools/common/svg.h"

enum {
    TENTHS = SVG_PIXEL,
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

/* From a point to one below it or to the right. */
static void put_line(FILE *out, uint64_t x, uint64_t y, uint64_t to_x, uint64_t to_y)
{
    svg_line(out, (struct svg_box){ x, y, to_x - x, to_y - y }, "axis");
}

static uint64_t scaled(uint64_t share, uint64_t length)
{
    return min_u64(share, METRIC_WHOLE) * length * TENTHS / METRIC_WHOLE;
}

/* ---- hit ratios -------------------------------------------------------------------------------
 */

static void put_bar(FILE *out, const struct metrics *metrics, enum metric metric, uint64_t y)
{
    struct svg_box box = { NAMES * TENTHS, y, scaled(metrics->value[metric], BARS), BAR * TENTHS };
    svg_box(out, box, metric == METRIC_HIT_RATIO ? "full" : "pale", NULL);
    svg_text(out, NAMES * TENTHS + scaled(metrics->value[metric], BARS) + 5 * TENTHS,
             y + (BAR - 1) * TENTHS, "small", metrics_words(metrics, metric).it);
}

static void put_bars(FILE *out, const struct plot *plot, const struct result *results, uint64_t y,
                     uint64_t height)
{
    static const char *const marks[] = { "0%", "50%", "100%" };
    svg_text(out, NAMES * TENTHS, y - 10 * TENTHS, "head",
             "Hit ratio: by count (full), by bytes (pale)");
    for (size_t i = 0; i < ARRAY_COUNT(marks); i++) {
        uint64_t x = (NAMES + BARS * i / 2) * TENTHS;
        put_line(out, x, y, x, y + height);
        svg_text(out, x, y + height + 14 * TENTHS, "small middle", marks[i]);
    }
    for (size_t p = 0; p < plot->policies->count; p++) {
        const struct metrics *metrics = &results[p].measured.metrics;
        uint64_t top = y + (p * STEP + 3) * TENTHS;
        svg_text(out, (NAMES - 8) * TENTHS, top + 13 * TENTHS, "end", plot->policies->list[p].name);
        if (metrics->known[METRIC_HIT_RATIO]) {
            put_bar(out, metrics, METRIC_HIT_RATIO, top);
            put_bar(out, metrics, METRIC_BYTE_HIT_RATIO, top + (BAR + 1) * TENTHS);
        } else {
            svg_text(out, (NAMES + 6) * TENTHS, top + 13 * TENTHS, "small",
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
    (void)fprintf(out, "<path class=\"full\" d=\"M%d %s", BANDS, svg_pixels(y).it);
    uint32_t span = spread->point_count / SPANS + 1;
    for (uint32_t i = 0; i < spread->point_count; i += span) {
        uint64_t x = scaled(metrics_ratio(spread->points[i].time, time), TIME), share = 0;
        for (uint32_t k = i; k < i + span && k < spread->point_count; k++)
            share = max_u64(share, spread->points[k].share);
        (void)fprintf(out, "H%sV%s", svg_pixels(BANDS * TENTHS + x).it,
                      svg_pixels(y - scaled(share, BAND)).it);
    }
    uint64_t end = scaled(metrics_ratio(measured->metrics.value[METRIC_TIME], time), TIME);
    (void)fprintf(out, "H%sV%sZ\"/>\n", svg_pixels(BANDS * TENTHS + end).it, svg_pixels(y).it);
}

static void put_bands(FILE *out, const struct plot *plot, const struct result *results, uint64_t y,
                      uint64_t height)
{
    uint64_t time = longest(plot, results);
    svg_text(out, BANDS * TENTHS, y - 10 * TENTHS, "head",
             "Fragmentation over virtual time, each band 0% to 100%");
    for (uint64_t i = 0; i < 3; i++) {
        uint64_t x = (BANDS + TIME * i / 2) * TENTHS;
        put_line(out, x, y, x, y + height);
        svg_text(out, x, y + height + 14 * TENTHS, "small middle",
                 metrics_value_words(METRIC_NS, time / 2 * i).it);
    }
    for (size_t p = 0; p < plot->policies->count; p++) {
        const struct metrics *metrics = &results[p].measured.metrics;
        uint64_t bottom = y + (p * STEP + 3 + BAND) * TENTHS;
        if (!metrics->known[METRIC_TIME])
            continue;
        put_line(out, BANDS * TENTHS, bottom, (BANDS + TIME) * TENTHS, bottom);
        put_band(out, &results[p].measured, time, bottom);
        svg_text(out, (BANDS + TIME + 10) * TENTHS, bottom - 6 * TENTHS, "small",
                 text_print("mean %s, max %s", metrics_words(metrics, METRIC_FRAGMENTS_TIME).it,
                            metrics_words(metrics, METRIC_FRAGMENTS_MOST).it)
                     .it);
    }
}

/* ---- the whole --------------------------------------------------------------------------------
 */

static const char style[] = "svg { background: #fff; }\n"
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
                            "}\n";

static void put_plot(FILE *out, const struct plot *plot)
{
    size_t count = plot->policies->count;
    uint64_t part = max_u64(count * STEP, ROW_LEAST);
    uint64_t row = ROW_HEAD + part + ROW_FOOT;
    struct svg_head head = { WIDE * TENTHS, (HEAD + row * plot->file_count) * TENTHS,
                             .title = "vidmm compare", .style = style };
    svg_open(out, &head);
    for (size_t i = 0; i < plot->file_count; i++) {
        const struct result *results = plot->results + i * count;
        uint64_t y = (HEAD + row * i) * TENTHS;
        svg_text(out, 16 * TENTHS, y - 10 * TENTHS, "name", plot->files[i]);
        put_bars(out, plot, results, y + ROW_HEAD * TENTHS, part * TENTHS);
        put_bands(out, plot, results, y + ROW_HEAD * TENTHS, part * TENTHS);
    }
    svg_close(out);
}

bool plot_write(const struct plot *plot, const char *path)
{
    struct output output;
    if (!output_begin(&output, path))
        return false;
    put_plot(output.file, plot);
    return output_end(&output, true);
}
