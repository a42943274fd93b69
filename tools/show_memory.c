/* SPDX-License-Identifier: MIT */
/*
 * show_memory.c: the memory report of an adapter: what it has, and what of it may be used.
 *
 * First the segments and what each of them counts as, then the numbers that follow (SEG-072 to
 * SEG-077). A limit that the system sets stands beside the number that it cuts.
 */
#include "tools/show.h"

#include "tools/text.h"

static bool is_memory(const struct vidmm_segment_view *view)
{
    return !(view->flags & (VIDMM_SEGMENT_Aperture | VIDMM_SEGMENT_Agp));
}

static const char *counts_as(const struct vidmm_segment_view *view)
{
    if (!is_memory(view))
        return "shared system";
    return view->flags & VIDMM_SEGMENT_PopulatedFromSystemMemory ? "dedicated system"
                                                                 : "dedicated video";
}

/* ---- as text ------------------------------------------------------------------------------- */

static void show_segments(const struct screen *screen, const struct vidmm_adapter *adapter)
{
    struct vidmm_segment_view view;
    (void)fprintf(screen->out, "  %s%-12s %-8s %12s %13s %12s  %s%s\n",
                  screen_on(screen, SCREEN_TITLE), "segment", "kind", "size", "commit limit",
                  "committed", "counts as", screen_off(screen));
    for (uint32_t id = 1; vidmm_segment_view(adapter, id, &view); id++)
        (void)fprintf(screen->out, "  %-12s %-8s %12s %13s %12s  %s\n", view.name, view.kind,
                      text_size(view.bytes).it, text_size(view.limit).it,
                      is_memory(&view) ? "-" : text_size(view.committed).it, counts_as(&view));
}

static void show_number(const struct screen *screen, const char *what, uint64_t bytes,
                        const char *more)
{
    (void)fprintf(screen->out, "  %-26s %14s%s%s\n", what, text_size(bytes).it, *more ? "  " : "",
                  more);
}

void show_memory(const struct screen *screen, const struct vidmm_adapter *adapter)
{
    struct vidmm_memory_report report;
    char most[256];
    vidmm_memory_report(adapter, &report);
    show_segments(screen, adapter);
    (void)snprintf(most, sizeof most, "of %s in the machine", text_size(report.system).it);
    show_number(screen, "available for graphics", report.available, most);
    show_number(screen, "dedicated video memory", report.dedicated_video, "");
    show_number(screen, "dedicated system memory", report.dedicated_system, "");
    (void)snprintf(most, sizeof most, "at most %s", text_size(report.max_shared).it);
    if (report.aperture_commit_limit)
        (void)snprintf(most, sizeof most, "at most %s, and %s for the driver",
                       text_size(report.max_shared).it, text_size(report.aperture_commit_limit).it);
    show_number(screen, "shared system memory", report.shared, most);
    show_number(screen, "total", report.total, "");
    show_number(screen, "committed now", report.committed, "against the shared system memory");
}

/* ---- as JSON ------------------------------------------------------------------------------- */

void show_json_memory(struct json *json, const struct vidmm_adapter *adapter)
{
    struct vidmm_memory_report report;
    struct vidmm_segment_view view;
    vidmm_memory_report(adapter, &report);
    json_number(json, "system", report.system);
    json_number(json, "available", report.available);
    json_number(json, "dedicated_video", report.dedicated_video);
    json_number(json, "dedicated_system", report.dedicated_system);
    json_number(json, "max_shared", report.max_shared);
    json_number(json, "shared", report.shared);
    json_number(json, "total", report.total);
    json_number(json, "committed", report.committed);
    json_open(json, "segments", '[');
    for (uint32_t id = 1; vidmm_segment_view(adapter, id, &view); id++) {
        json_open(json, NULL, '{');
        json_number(json, "id", id);
        json_string(json, "name", view.name);
        json_string(json, "kind", view.kind);
        json_number(json, "bytes", view.bytes);
        json_number(json, "commit_limit", view.limit);
        json_number(json, "committed", is_memory(&view) ? 0 : view.committed);
        json_string(json, "counts_as", counts_as(&view));
        json_close(json, '}');
    }
    json_close(json, ']');
}
