/* SPDX-License-Identifier: MIT */
/*
 * show_map.c: a segment as a bar, from offset 0 on the left to its end on the right.
 *
 *     vram: 64 MiB, memory, 48 MiB used, 16 MiB free, largest hole 16 MiB
 *     |gggggggggggggggggggggrrrrrrrrrrrrrrrrrrrrr..............|
 *                                              ^ pinned region from 52428 KiB = 0x3333000 on
 *       g  grass        0x0000000 to 0x1800000  24 MiB
 *       :  a cell of which less than half is used
 *       since the last map: came grass at 0; left sky
 *
 * A cell shows the allocation that fills at least half of it; otherwise that less than half of it
 * is used, or that several share it. Letters carry the meaning, colours only repeat it: an
 * allocation keeps its colour from map to map, unless its neighbour has that one.
 *
 * A new allocation gets the first letter or digit of its label that is free, in either case, else
 * the first free one; only when none is left does a letter pass on from an allocation that is gone.
 */
#include "tools/story/show.h"
#include "tools/story/show_json.h"

#include <ctype.h>
#include <inttypes.h>
#include <string.h>

#include "tools/story/movement.h"
#include "tools/story/names.h"

enum { LEGEND_MOST = 52, EDGES = 4, CELLS_MOST = 400 };

/* What a cell shows: an allocation by the number of its letter, or one of these. CELL_NAMELESS is
   an allocation for which no letter was left. */
enum { CELL_FREE = -1, CELL_PARTLY = -2, CELL_MIXED = -3, CELL_OTHER = -4, CELL_NAMELESS = -5 };

struct map {
    const struct screen *screen;
    const struct map_memory *memory;
    struct names names;
    struct vidmm_segment_view view;
    struct vidmm_segment_span *spans;
    size_t count;
    int *numbers; /* of each span: the number of the allocation's letter, or CELL_* */
    int cells;
    bool partly, mixed; /* a cell shows CELL_PARTLY, CELL_MIXED */
};

/* ---- letters ------------------------------------------------------------------------------- */

static const char alphabet[MAP_LETTERS + 1] =
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";

static bool map_letters_is_free(const struct map_memory *memory, int character)
{
    const char *at = strchr(alphabet, character);
    return at && !memory->owners[at - alphabet];
}

/* '\0' when the label has none that is free. */
static char from_label(const struct map_memory *memory, const char *label)
{
    for (; *label; label++) {
        int other = islower((unsigned char)*label) ? toupper((unsigned char)*label)
                                                   : tolower((unsigned char)*label);
        if (map_letters_is_free(memory, *label))
            return *label;
        if (map_letters_is_free(memory, other))
            return (char)other;
    }
    return '\0';
}

/* The number of the allocation's letter; negative when all are taken. */
static int map_letter_of(struct map_memory *memory, const struct vidmm_adapter *adapter,
                         vidmm_handle allocation)
{
    struct vidmm_allocation_view view;
    for (int i = 0; i < MAP_LETTERS; i++)
        if (memory->owners[i] == allocation)
            return i;
    char letter = from_label(memory, vidmm_label(adapter, allocation));
    int number = letter ? (int)(strchr(alphabet, letter) - alphabet) : -1;
    for (int i = 0; i < MAP_LETTERS && number < 0; i++)
        if (!memory->owners[i])
            number = i;
    for (int i = 0; i < MAP_LETTERS && number < 0; i++)
        if (!vidmm_allocation_view(adapter, memory->owners[i], &view))
            number = i;
    if (number >= 0)
        memory->owners[number] = allocation;
    return number;
}

/* ---- colours --------------------------------------------------------------------------------- */

static unsigned colour_of(const struct map_memory *memory, int number)
{
    return (unsigned)(number + memory->shifts[number]) % SCREEN_BLOCKS;
}

/* The colours that neighbours of an allocation have, as bits: those whose colour is `settled`. */
static unsigned colours_beside(const struct map *map, const struct map_memory *memory,
                               const bool *settled, int number)
{
    unsigned beside = 0;
    int before = number;
    for (size_t i = 0; i < map->count; i++) {
        int here = map->numbers[i];
        if (here < 0)
            continue;
        int other = here == number ? before : here;
        if ((here == number || before == number) && settled[other])
            beside |= 1u << colour_of(memory, other);
        before = here;
    }
    return beside;
}

static void choose_colours(const struct map *map, struct map_memory *memory)
{
    bool settled[MAP_LETTERS] = { false };
    for (size_t i = 0; i < map->count; i++) {
        int number = map->numbers[i];
        if (number < 0 || settled[number])
            continue;
        unsigned beside = colours_beside(map, memory, settled, number);
        for (int tries = 0; tries < SCREEN_BLOCKS && beside >> colour_of(memory, number) & 1u;
             tries++)
            memory->shifts[number]++;
        settled[number] = true;
    }
}

/* ---- cells --------------------------------------------------------------------------------- */

static uint64_t edge(const struct map *map, int cell)
{
    uint64_t cells = (uint64_t)map->cells;
    uint64_t at = (uint64_t)cell;
    return map->view.bytes / cells * at + map->view.bytes % cells * at / cells;
}

/* The cell in which an offset lies, which is not after the last one. */
static int cell_of(const struct map *map, uint64_t offset)
{
    int cell = 0;
    while (edge(map, cell + 1) <= offset)
        cell++;
    return cell;
}

/* Spans lie in order, so *first moves on with the cells. */
static int show_map_look(const struct map *map, int cell, size_t *first)
{
    uint64_t low = edge(map, cell);
    uint64_t high = edge(map, cell + 1);
    uint64_t most = 0;
    uint64_t used = 0;
    int shown = CELL_FREE;
    while (*first + 1 < map->count && map->spans[*first + 1].offset <= low)
        ++*first;
    for (size_t i = *first; i < map->count && map->spans[i].offset < high; i++) {
        const struct vidmm_segment_span *span = &map->spans[i];
        uint64_t from = max_u64(span->offset, low);
        uint64_t to = min_u64(span->offset + span->bytes, high);
        uint64_t covered = to - from; /* spans follow each other, and leave nothing out */
        if (map->numbers[i] == CELL_FREE)
            continue;
        used += covered;
        if (covered > most) {
            most = covered;
            shown = map->numbers[i];
        }
    }
    if (most >= (high - low) - most || !used)
        return shown;
    return used >= (high - low) - used ? CELL_MIXED : CELL_PARTLY;
}

static void draw_cell(const struct map *map, int shown)
{
    const struct screen *screen = map->screen;
    switch (shown) {
    case CELL_FREE: (void)fputs(screen_pick(screen, "\u00B7", "."), screen->out); return;
    case CELL_PARTLY: (void)fputs(screen_pick(screen, "\u2591", ":"), screen->out); return;
    case CELL_MIXED: (void)fputs(screen_pick(screen, "\u2593", "*"), screen->out); return;
    case CELL_OTHER: (void)fputs(screen_pick(screen, "\u2573", "#"), screen->out); return;
    case CELL_NAMELESS: (void)fputc('+', screen->out); return;
    default: break;
    }
    (void)fprintf(screen->out, "%s%c%s", screen_block(screen, colour_of(map->memory, shown)),
                  alphabet[shown], screen_off(screen));
}

static void draw_bar(struct map *map)
{
    size_t first = 0;
    const char *wall = screen_pick(map->screen, "\u2502", "|");
    (void)fprintf(map->screen->out, "  %s", wall);
    for (int cell = 0; cell < map->cells; cell++) {
        int shown = show_map_look(map, cell, &first);
        map->partly |= shown == CELL_PARTLY;
        map->mixed |= shown == CELL_MIXED;
        draw_cell(map, shown);
    }
    (void)fprintf(map->screen->out, "%s\n", wall);
}

static void draw_pinned(const struct map *map)
{
    char text[80];
    if (!map->view.pin_bytes)
        return;
    int cell = cell_of(map, map->view.pin_start);
    int length =
        snprintf(text, sizeof text, "pinned region from %s", text_offset(map->view.pin_start).it);
    CHECK(length > 0 && (size_t)length < sizeof text);
    if (cell + 2 + length <= map->cells)
        (void)fprintf(map->screen->out, "   %*s^ %s\n", cell, "", text);
    else
        (void)fprintf(map->screen->out, "   %*s%s ^\n", cell > length ? cell - length - 1 : 0, "",
                      text);
}

static void draw_banks(const struct map *map, const struct vidmm_adapter *adapter)
{
    char line[CELLS_MOST + 1];
    int cells = map->cells;
    if (map->view.banks < 2)
        return;
    memset(line, ' ', (size_t)cells);
    line[cells] = '\0';
    for (uint32_t bank = 0; bank < map->view.banks; bank++) {
        uint64_t start, end;
        bool known = vidmm_segment_bank(adapter, map->view.id, bank, &start, &end);
        CHECK(known);
        line[cell_of(map, start)] = '\'';
    }
    while (line[cells - 1] == ' ')
        line[--cells] = '\0';
    (void)fprintf(map->screen->out, "   %s\n   (' is where each of the %u banks begins)\n", line,
                  (unsigned)map->view.banks);
}

static void draw_legend(const struct map *map, const struct vidmm_adapter *adapter,
                        vidmm_handle leaving)
{
    struct vidmm_allocation_view view;
    FILE *out = map->screen->out;
    int digits = snprintf(NULL, 0, "%" PRIX64, map->view.bytes);
    for (size_t i = 0; i < map->count; i++) {
        const struct vidmm_segment_span *span = &map->spans[i];
        if (i == LEGEND_MOST) {
            (void)fprintf(out, "    and %zu more\n", map->count - i);
            return;
        }
        (void)fprintf(out, "    ");
        draw_cell(map, map->numbers[i]);
        (void)fprintf(out, "  %-12s 0x%0*" PRIX64 " to 0x%0*" PRIX64 "  %s",
                      span->allocation ? names_allocation(&map->names, span->allocation).it
                                       : span->what,
                      digits, span->offset, digits, span->offset + span->bytes,
                      text_size(span->bytes).it);
        if (span->allocation) {
            bool known = vidmm_allocation_view(adapter, span->allocation, &view);
            CHECK(known);
            (void)fprintf(out, "%s%s%s%s%s", span->allocation == leaving ? ", leaving" : "",
                          view.pinned ? ", pinned" : "", view.gpu_dirty ? ", dirty" : "",
                          view.busy ? ", busy" : "", view.locks ? ", locked" : "");
        }
        (void)fputc('\n', out);
    }
}

static void draw_meaning(const struct map *map, int shown, const char *meaning)
{
    (void)fprintf(map->screen->out, "    ");
    draw_cell(map, shown);
    (void)fprintf(map->screen->out, "  %s\n", meaning);
}

void show_map(const struct screen *screen, struct map_memory *memory,
              const struct vidmm_adapter *adapter, uint32_t segment)
{
    struct map map = { .screen = screen, .memory = memory, .names = { .adapter = adapter } };
    if (!vidmm_segment_view(adapter, segment, &map.view))
        return;
    uint64_t pages = max_u64(map.view.bytes / max_u64(map.view.page_bytes, 1), 1);
    uint64_t wide = (uint64_t)(screen->width - EDGES);
    map.cells = (int)min_u64(pages, min_u64(wide, CELLS_MOST));
    map.count = vidmm_segment_map(adapter, segment, NULL, 0);
    map.spans = base_alloc(map.count, sizeof *map.spans);
    map.numbers = base_alloc(map.count, sizeof *map.numbers);
    (void)vidmm_segment_map(adapter, segment, map.spans, map.count);
    for (size_t i = 0; i < map.count; i++) {
        const struct vidmm_segment_span *span = &map.spans[i];
        map.numbers[i] = strcmp(span->what, "free") == 0 ? CELL_FREE : CELL_OTHER;
        if (!span->allocation)
            continue;
        int letter = map_letter_of(memory, adapter, span->allocation);
        map.numbers[i] = letter < 0 ? CELL_NAMELESS : letter;
    }
    choose_colours(&map, memory);
    (void)fprintf(screen->out, "  %s%s%s: %s, %s, ", screen_on(screen, SCREEN_TITLE), map.view.name,
                  screen_off(screen), text_size(map.view.bytes).it, map.view.kind);
    (void)fprintf(screen->out, "%s used, ", text_size(map.view.used).it);
    (void)fprintf(screen->out, "%s free, ", text_size(map.view.free_bytes).it);
    (void)fprintf(screen->out, "largest hole %s\n", text_size(map.view.largest_free).it);
    draw_bar(&map);
    draw_banks(&map, adapter);
    draw_pinned(&map);
    draw_legend(&map, adapter, memory->leaving);
    if (map.partly)
        draw_meaning(&map, CELL_PARTLY, "a cell of which less than half is used");
    if (map.mixed)
        draw_meaning(&map, CELL_MIXED, "a cell that several share, none with half of it");
    movement_show(screen, memory,
                  &(struct movement_spans){ adapter, segment, map.spans, map.count });
    base_free(map.numbers);
    base_free(map.spans);
}

void show_map_forget(struct map_memory *memory)
{
    base_free(memory->places);
    *memory = (struct map_memory){ 0 };
}

/* ---- as JSON ------------------------------------------------------------------------------- */

void show_json_map(struct json *json, const struct vidmm_adapter *adapter, uint32_t segment)
{
    struct vidmm_segment_view view;
    if (!vidmm_segment_view(adapter, segment, &view))
        return;
    size_t count = vidmm_segment_map(adapter, segment, NULL, 0);
    struct vidmm_segment_span *spans = base_alloc(count, sizeof *spans);
    (void)vidmm_segment_map(adapter, segment, spans, count);
    json_string(json, "segment", view.name);
    json_string(json, "kind", view.kind);
    json_number(json, "bytes", view.bytes);
    json_number(json, "used", view.used);
    json_number(json, "free", view.free_bytes);
    json_number(json, "largest_free", view.largest_free);
    json_number(json, "pin_start", view.pin_start);
    json_open(json, "spans", '[');
    for (size_t i = 0; i < count; i++) {
        json_open(json, NULL, '{');
        json_number(json, "offset", spans[i].offset);
        json_number(json, "bytes", spans[i].bytes);
        json_string(json, "what", spans[i].what);
        if (spans[i].allocation)
            json_string(json, "label", vidmm_label(adapter, spans[i].allocation));
        json_close(json, '}');
    }
    json_close(json, ']');
    base_free(spans);
}
