/* SPDX-License-Identifier: MIT */
/* show.c: tables of the present state: one allocation, the queues, the counters. */
#include "tools/show.h"

#include <inttypes.h>
#include <stdarg.h>

#include "tools/names.h"
#include "tools/wrap.h"

enum { KEY_COLUMNS = 14, ROW_COLUMN = 4 + KEY_COLUMNS + 1, COUNTER_COLUMN = 46 };

static void row(const struct screen *screen, const char *key, const char *value)
{
    const struct wrap wrap = { screen->out, ROW_COLUMN, screen->width };
    (void)fprintf(screen->out, "    %-*s ", KEY_COLUMNS, key);
    wrap_from(&wrap, ROW_COLUMN, value);
    (void)fputc('\n', screen->out);
}

/* ---- an allocation ------------------------------------------------------------------------- */

static void row_place(const struct screen *screen, const struct vidmm_adapter *adapter,
                      vidmm_handle handle, const struct vidmm_allocation_view *view)
{
    static const char *const words[] = {
        [VIDMM_RESIDENCY_NO_CONTENT] = "nowhere: it has no content yet",
        [VIDMM_RESIDENCY_EVICTED] = "in system memory",
        [VIDMM_RESIDENCY_LOST] = "lost",
    };
    const struct names names = { .adapter = adapter };
    if (view->residency != VIDMM_RESIDENCY_RESIDENT) {
        row(screen, "where", words[view->residency]);
        return;
    }
    struct text text = { 0 };
    text_add(&text, "%s", names_segment(&names, view->segment).it);
    for (size_t i = 0; i < view->runs; i++) {
        uint64_t offset, bytes;
        if (!vidmm_allocation_run(adapter, handle, i, &offset, &bytes))
            continue;
        text_add(&text, "%s %s", i ? "," : " at", text_offset(offset).it);
        text_add(&text, " to %s", text_offset(offset + bytes).it);
    }
    text_add(&text, "%s", view->arriving ? " (still arriving)" : "");
    row(screen, "where", text_get(&text));
    text_free(&text);
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

/* "vram from the end, aper": up to five entries of a segment id and a direction (SegmentIdN:5,
   DirectionN:1). */
static void row_preferred(const struct screen *screen, const struct vidmm_adapter *adapter,
                          uint32_t preferred)
{
    enum { ENTRIES = 5, ENTRY_BITS = 6, ID_MASK = 0x1F, FROM_END = 0x20 };
    const struct names names = { .adapter = adapter };
    struct text text = { 0 };
    for (unsigned i = 0; i < ENTRIES; i++) {
        uint32_t entry = preferred >> i * ENTRY_BITS;
        if (entry & ID_MASK)
            text_add(&text, "%s%s%s", text.length ? ", " : "",
                     names_segment(&names, entry & ID_MASK).it,
                     entry & FROM_END ? " from the end" : "");
    }
    row(screen, "preferred", text.length ? text_get(&text) : "none");
    text_free(&text);
}

/* "2 from the end, 1": up to four entries (BankN:7, DirectionN:1). */
static void row_banks(const struct screen *screen, uint32_t hinted)
{
    enum { ENTRIES = 4, ENTRY_BITS = 8, BANK_MASK = 0x7F, FROM_END = 0x80 };
    struct text text = { 0 };
    for (unsigned i = 0; i < ENTRIES; i++) {
        uint32_t entry = hinted >> i * ENTRY_BITS;
        if (entry & BANK_MASK)
            text_add(&text, "%s%" PRIu32 "%s", text.length ? ", " : "", entry & BANK_MASK,
                     entry & FROM_END ? " from the end" : "");
    }
    if (text.length)
        row(screen, "hinted banks", text_get(&text));
    text_free(&text);
}

VIDMM_PRINTF(3, 4)
static void row_of(const struct screen *screen, const char *key, const char *format, ...)
{
    char text[100];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    row(screen, key, text);
}

/* What only some have: a row each, where there is something to say. */
static void rows_of_some(const struct screen *screen, const struct vidmm_allocation_view *view)
{
    char words[200];
    if (view->kmt)
        row(screen, "created with",
            vidmm_flags_text(VIDMM_FLAGS_KMT, view->kmt, words, sizeof words));
    if (view->rename_limit)
        row_of(screen, "rename limit", "%" PRIu32 " instances", view->rename_limit);
    if (view->written_pages)
        row_of(screen, "written by CPU", "%" PRIu64 " pages since the last reset-watch",
               view->written_pages);
    if (view->address)
        row_of(screen, "CPU address", "0x%" PRIX64, view->address);
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

void show_allocation(const struct screen *screen, const struct vidmm_adapter *adapter,
                     vidmm_handle allocation)
{
    struct vidmm_allocation_view view;
    const struct names names = { .adapter = adapter };
    char words[200];
    if (!vidmm_allocation_view(adapter, allocation, &view))
        return;
    (void)fprintf(screen->out, "  %s%s%s: %s\n", screen_on(screen, SCREEN_TITLE),
                  names_allocation(&names, allocation).it, screen_off(screen),
                  text_size(view.bytes).it);
    row_place(screen, adapter, allocation, &view);
    row_state(screen, &view);
    row(screen, "backing store", view.backing);
    (void)vidmm_flags_text(view.flag_view, view.flags, words, sizeof words);
    row(screen, "flags", view.flags ? words : "none");
    row_set(screen, adapter, "read from", view.read_set);
    row_set(screen, adapter, "written in", view.write_set);
    row_set(screen, adapter, "evicted via", view.eviction_set);
    row_preferred(screen, adapter, view.preferred);
    row_banks(screen, view.hinted_bank);
    row(screen, "alignment", text_size(view.alignment).it);
    row_of(screen, "priority", "0x%08" PRIX32, view.priority);
    rows_of_some(screen, &view);
}

/* Keys and values as a failed `expect state` shows them. */
void show_state(const struct screen *screen, const struct scenario_state_row *rows, size_t count)
{
    enum { KEY_WIDTH = 24 };
    if (!count)
        (void)fputs("    It does not exist now.\n", screen->out);
    for (size_t i = 0; i < count; i++)
        (void)fprintf(screen->out, "    %-*s %s\n", KEY_WIDTH, rows[i].key, rows[i].value);
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
    for (int i = 0; i < VIDMM_COUNTERS; i++) {
        const struct vidmm_counter_info *info = vidmm_counter_info((enum vidmm_counter)i);
        uint64_t value = vidmm_counter(adapter, (enum vidmm_counter)i);
        char plain[32];
        (void)snprintf(plain, sizeof plain, "%" PRIu64, value);
        if (shown ? !shown[i] : !value) {
            others += value > 0;
            continue;
        }
        (void)fprintf(screen->out, "  %-28s %13s  ", info->name,
                      info->unit == VIDMM_UNIT_BYTES ? text_size(value).it
                      : info->unit == VIDMM_UNIT_NS  ? text_span(value).it
                                                     : plain);
        wrap_from(&wrap, COUNTER_COLUMN, info->text);
        (void)fputc('\n', screen->out);
    }
    if (others)
        (void)fprintf(screen->out,
                      "  (%s more are not 0: the statement `show counters` lists them)\n",
                      text_count((uint64_t)others, "counter").it);
}
