/* SPDX-License-Identifier: MIT */
/*
 * show.c: tables of the present state, as text and as JSON: an allocation, queues, counters,
 * memory.
 *
 * The memory report begins with the segments and what each of them counts as, then come the numbers
 * that follow (SEG-072 to SEG-077). A limit that the system sets stands beside the number that it
 * cuts.
 */
#include "tools/story/show.h"
#include "tools/story/show_json.h"

#include <inttypes.h>

#include "tools/story/names.h"

enum { KEY_COLUMNS = 14, ROW_COLUMN = 4 + KEY_COLUMNS + 1, COUNTER_COLUMN = 46 };

static void row(const struct screen *screen, const char *key, const char *value)
{
    const struct wrap wrap = { screen->out, ROW_COLUMN, screen->width };
    (void)fprintf(screen->out, "    %-*s ", KEY_COLUMNS, key);
    wrap_from(&wrap, ROW_COLUMN, value);
    (void)fputc('\n', screen->out);
}

/* ---- an allocation ------------------------------------------------------------------------- */

struct shown_place {
    const char *key;
    const struct vidmm_allocation_view *view;
    vidmm_handle whole; /* what is asked for all pieces; 0: a copy, of which the first is known */
    bool leaving;
};

static void add_pieces(struct text *text, const struct vidmm_adapter *adapter,
                       const struct shown_place *place)
{
    uint64_t offset = place->view->offset, bytes = place->view->footprint;
    if (!place->whole && place->view->runs > 1) {
        text_add(text, " in %zu pieces, the first at %s", place->view->runs,
                 text_offset(offset).it);
        return;
    }
    for (size_t i = 0; i < place->view->runs; i++) {
        bool known =
            !place->whole || vidmm_allocation_run(adapter, place->whole, i, &offset, &bytes);
        CHECK(known);
        text_add(text, "%s %s", i ? "," : " at", text_offset(offset).it);
        text_add(text, " to %s", text_offset(offset + bytes).it);
    }
}

static void row_place(const struct screen *screen, const struct vidmm_adapter *adapter,
                      const struct shown_place *place)
{
    static const char *const words[] = {
        [VIDMM_RESIDENCY_NO_CONTENT] = "nowhere: it has no content yet",
        [VIDMM_RESIDENCY_EVICTED] = "in system memory",
        [VIDMM_RESIDENCY_LOST] = "lost",
    };
    const struct names names = { .adapter = adapter };
    const struct vidmm_allocation_view *view = place->view;
    if (view->residency != VIDMM_RESIDENCY_RESIDENT) {
        bool gone = view->residency == VIDMM_RESIDENCY_NO_CONTENT && view->discarded;
        row(screen, place->key,
            gone ? "nowhere: it was offered, and its content is gone" : words[view->residency]);
        return;
    }
    struct text text = { 0 };
    text_add(&text, "%s", names_segment(&names, view->segment).it);
    add_pieces(&text, adapter, place);
    text_add(&text, "%s",
             place->leaving   ? " (leaving)"
             : view->arriving ? " (still arriving)"
                              : "");
    row(screen, place->key, text_get(&text));
    text_free(&text);
}

/* One row, or one for each adapter of a link that has a copy. */
static void rows_place(const struct screen *screen, const struct vidmm_adapter *adapter,
                       vidmm_handle handle, const struct vidmm_allocation_view *view, bool leaving)
{
    struct vidmm_allocation_view copy;
    if (view->copies == 1)
        row_place(screen, adapter, &(struct shown_place){ "where", view, handle, leaving });
    for (uint32_t i = 0; view->copies > 1 && i < view->copies; i++) {
        const struct text_short key = text_print("on adapter %" PRIu32, i);
        if (vidmm_allocation_copy(adapter, handle, i, &copy))
            row_place(screen, adapter, &(struct shown_place){ key.it, &copy, 0, leaving });
    }
}

/* "vram, aper" */
static void row_set(const struct screen *screen, const struct vidmm_adapter *adapter,
                    const char *key, uint32_t set)
{
    const struct names names = { .adapter = adapter };
    struct text text = { 0 };
    for (uint32_t id = 1; id <= VIDMM_SEGMENTS_MAX; id++)
        if (set >> (id - 1) & 1)
            text_add(&text, "%s%s", text.length ? ", " : "", names_segment(&names, id).it);
    row(screen, key, text.length ? text_get(&text) : "none");
    text_free(&text);
}

/* "vram from the end, aper": entries of so many bits, the highest of which says the direction; the
   others are a segment where `names` is given (SegmentIdN:5, DirectionN:1), else a bank (BankN:7).
 */
static void row_hints(const struct screen *screen, const struct names *names, const char *key,
                      uint32_t hints, unsigned bits)
{
    const uint32_t from_end = UINT32_C(1) << (bits - 1);
    struct text text = { 0 };
    for (unsigned at = 0; at + bits <= 32; at += bits) {
        uint32_t id = hints >> at & (from_end - 1);
        if (!id)
            continue;
        text_add(&text, "%s", text.length ? ", " : "");
        if (names)
            text_add(&text, "%s", names_segment(names, id).it);
        else
            text_add(&text, "%" PRIu32, id);
        text_add(&text, "%s", hints >> at & from_end ? " from the end" : "");
    }
    if (names || text.length)
        row(screen, key, text.length ? text_get(&text) : "none");
    text_free(&text);
}

static void row_state(const struct screen *screen, const struct vidmm_allocation_view *view)
{
    struct text text = { 0 };
    const struct {
        bool on;
        const char *word;
    } words[] = {
        { view->pinned, "pinned" },
        { view->gpu_dirty, "dirty" },
        { view->pattern_only, "never written" },
        { view->busy, "busy" },
        { view->locks != 0, "locked by the CPU" },
    };
    for (size_t i = 0; i < ARRAY_COUNT(words); i++)
        if (words[i].on)
            text_add(&text, "%s%s", text.length ? ", " : "", words[i].word);
    row(screen, "state", text.length ? text_get(&text) : "clean, idle");
    text_free(&text);
}

static void show_nothing(const struct screen *screen)
{
    (void)fputs("    It does not exist now.\n", screen->out);
}

/* `memory` may be NULL. */
void show_allocation(const struct screen *screen, const struct map_memory *memory,
                     const struct vidmm_adapter *adapter, vidmm_handle allocation)
{
    struct vidmm_allocation_view view;
    const struct names names = { .adapter = adapter };
    char words[200];
    if (!vidmm_allocation_view(adapter, allocation, &view)) {
        show_nothing(screen);
        return;
    }
    (void)fprintf(screen->out, "  %s%s%s: %s\n", screen_on(screen, SCREEN_TITLE),
                  names_allocation(&names, allocation).it, screen_off(screen),
                  text_size(view.bytes).it);
    rows_place(screen, adapter, allocation, &view, memory && memory->leaving == allocation);
    row_state(screen, &view);
    row(screen, "backing store", view.backing);
    (void)vidmm_flags_text(view.flag_view, view.flags, words, sizeof words);
    row(screen, "flags", view.flags ? words : "none");
    row_set(screen, adapter, "read from", view.read_set);
    row_set(screen, adapter, "written in", view.write_set);
    row_set(screen, adapter, "evicted via", view.eviction_set);
    row_hints(screen, &names, "preferred", view.preferred, 6);
    row_hints(screen, NULL, "hinted banks", view.hinted_bank, 8);
    row(screen, "alignment", text_size(view.alignment).it);
    row(screen, "priority", text_print("0x%08" PRIX32, view.priority).it);
    /* What only some have. */
    if (view.kmt)
        row(screen, "created with",
            vidmm_flags_text(VIDMM_FLAGS_KMT, view.kmt, words, sizeof words));
    if (view.rename_limit)
        row(screen, "rename limit", text_print("%" PRIu32 " instances", view.rename_limit).it);
    if (view.written_pages)
        row(screen, "written by CPU",
            text_print("%" PRIu64 " pages since the last reset-watch", view.written_pages).it);
    if (view.address)
        row(screen, "CPU address", text_print("0x%" PRIX64, view.address).it);
}

/* Keys and values as a failed `expect state` shows them. */
void show_state(const struct screen *screen, const struct scenario_telling *telling)
{
    enum { KEY_WIDTH = 24 };
    (void)fprintf(screen->out, "  %s%s%s: its state\n", screen_on(screen, SCREEN_TITLE),
                  telling->answer, screen_off(screen));
    if (!telling->state_count)
        show_nothing(screen);
    for (size_t i = 0; i < telling->state_count; i++)
        (void)fprintf(screen->out, "    %-*s %s\n", KEY_WIDTH, telling->state[i].key,
                      telling->state[i].value);
}

/* ---- queues and counters ------------------------------------------------------------------- */

void show_queue(const struct screen *screen, const struct vidmm_adapter *adapter)
{
    struct vidmm_adapter_view all;
    struct vidmm_node_view node;
    const struct names names = { .adapter = adapter };
    vidmm_adapter_view(adapter, &all);
    for (uint32_t i = 0; i < all.nodes; i++) {
        if (!vidmm_node_view(adapter, i, &node))
            continue;
        (void)fprintf(screen->out,
                      "  %s: newest fence %" PRIu32 ", completed %" PRIu32
                      ", %s queued or running\n",
                      names_node(&names, i).it, node.issued, node.completed,
                      text_count(node.queued, "buffer").it);
    }
}

void show_counters(const struct screen *screen, const struct vidmm_adapter *adapter,
                   const bool *shown)
{
    const struct wrap wrap = { screen->out, COUNTER_COLUMN, screen->width };
    int others = 0;
    bool any = false;
    for (int i = 0; i < VIDMM_COUNTERS; i++) {
        const struct vidmm_counter_info *info = vidmm_counter_info((enum vidmm_counter)i);
        uint64_t value = vidmm_counter(adapter, (enum vidmm_counter)i);
        if (shown ? !shown[i] : !value) {
            others += value > 0;
            continue;
        }
        any = true;
        (void)fprintf(screen->out, "  %-28s %13s  ", info->name,
                      info->unit == VIDMM_UNIT_BYTES ? text_size(value).it
                      : info->unit == VIDMM_UNIT_NS  ? text_span(value).it
                                                     : text_print("%" PRIu64, value).it);
        wrap_from(&wrap, COUNTER_COLUMN, info->text);
        (void)fputc('\n', screen->out);
    }
    if (!any)
        (void)fputs("  Every counter is 0.\n", screen->out);
    if (others)
        (void)fprintf(screen->out, "  (%s not 0: the statement `show counters` lists them)\n",
                      others == 1 ? "1 more counter is"
                                  : text_print("%d more counters are", others).it);
}

/* ---- memory -------------------------------------------------------------------------------- */

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

static void show_number(const struct screen *screen, const char *what, uint64_t bytes,
                        const char *more)
{
    (void)fprintf(screen->out, "  %-26s %14s%s%s\n", what, text_size(bytes).it, *more ? "  " : "",
                  more);
}

void show_memory(const struct screen *screen, const struct vidmm_adapter *adapter)
{
    struct vidmm_memory_report report;
    struct vidmm_segment_view view;
    char most[256];
    vidmm_memory_report(adapter, &report);
    (void)fprintf(screen->out, "  %s%-12s %-8s %12s %13s %12s  %s%s\n",
                  screen_on(screen, SCREEN_TITLE), "segment", "kind", "size", "commit limit",
                  "committed", "counts as", screen_off(screen));
    for (uint32_t id = 1; vidmm_segment_view(adapter, id, &view); id++)
        (void)fprintf(screen->out, "  %-12s %-8s %12s %13s %12s  %s\n", view.name, view.kind,
                      text_size(view.bytes).it, text_size(view.limit).it,
                      is_memory(&view) ? "-" : text_size(view.committed).it, counts_as(&view));
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

static const char *const residencies[] = {
    [VIDMM_RESIDENCY_NO_CONTENT] = "no-content",
    [VIDMM_RESIDENCY_EVICTED] = "evicted",
    [VIDMM_RESIDENCY_RESIDENT] = "resident",
    [VIDMM_RESIDENCY_LOST] = "lost",
};

/* Of an allocation that several adapters of a link have. */
static void show_json_copies(struct json *json, const struct vidmm_adapter *adapter,
                             vidmm_handle allocation, uint32_t copies)
{
    struct vidmm_allocation_view copy;
    json_open(json, "copies", '[');
    for (uint32_t i = 0; i < copies; i++) {
        if (!vidmm_allocation_copy(adapter, allocation, i, &copy))
            continue;
        json_open(json, NULL, '{');
        json_number(json, "adapter", i);
        json_string(json, "residency", residencies[copy.residency]);
        json_number(json, "segment", copy.segment);
        json_number(json, "offset", copy.offset);
        json_close(json, '}');
    }
    json_close(json, ']');
}

void show_json_allocation(struct json *json, const struct vidmm_adapter *adapter,
                          vidmm_handle allocation)
{
    struct vidmm_allocation_view view;
    if (!vidmm_allocation_view(adapter, allocation, &view))
        return;
    json_number(json, "handle", allocation);
    json_string(json, "label", vidmm_label(adapter, allocation));
    json_string(json, "residency", residencies[view.residency]);
    json_number(json, "segment", view.segment);
    json_number(json, "offset", view.offset);
    json_number(json, "runs", view.runs);
    json_number(json, "bytes", view.bytes);
    json_number(json, "footprint", view.footprint);
    json_number(json, "alignment", view.alignment);
    json_number(json, "flags", view.flags);
    json_number(json, "priority", view.priority);
    json_number(json, "read_set", view.read_set);
    json_number(json, "write_set", view.write_set);
    json_number(json, "eviction_set", view.eviction_set);
    json_number(json, "preferred", view.preferred);
    json_number(json, "hinted_bank", view.hinted_bank);
    json_number(json, "kmt", view.kmt);
    json_number(json, "rename_limit", view.rename_limit);
    json_number(json, "written_pages", view.written_pages);
    json_number(json, "address", view.address);
    json_string(json, "backing", view.backing);
    json_flag(json, "dirty", view.gpu_dirty);
    json_flag(json, "pattern_only", view.pattern_only);
    json_flag(json, "pinned", view.pinned);
    json_flag(json, "busy", view.busy);
    json_number(json, "locks", view.locks);
    if (view.copies > 1)
        show_json_copies(json, adapter, allocation, view.copies);
}

void show_json_queue(struct json *json, const struct vidmm_adapter *adapter)
{
    struct vidmm_adapter_view all;
    struct vidmm_node_view node;
    vidmm_adapter_view(adapter, &all);
    json_open(json, "nodes", '[');
    for (uint32_t i = 0; i < all.nodes; i++) {
        if (!vidmm_node_view(adapter, i, &node))
            continue;
        json_open(json, NULL, '{');
        json_number(json, "node", i);
        json_flag(json, "paging", i == all.paging_node);
        json_number(json, "issued", node.issued);
        json_number(json, "completed", node.completed);
        json_number(json, "queued", node.queued);
        json_close(json, '}');
    }
    json_close(json, ']');
}

void show_json_counters(struct json *json, const struct vidmm_adapter *adapter, const bool *shown)
{
    json_open(json, "counters", '{');
    for (int i = 0; i < VIDMM_COUNTERS; i++) {
        enum vidmm_counter counter = (enum vidmm_counter)i;
        if (shown ? shown[counter] : vidmm_counter(adapter, counter) > 0)
            json_number(json, vidmm_counter_info(counter)->name, vidmm_counter(adapter, counter));
    }
    json_close(json, '}');
}

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
