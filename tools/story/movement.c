/* SPDX-License-Identifier: MIT */
/*
 * movement.c: what came, left or moved in a segment since its last map.
 *
 * An allocation may have several places in a segment (instances, pages of system memory). It has
 * moved when none of those that it had is left.
 */
#include "tools/story/movement.h"

#include <stdlib.h>

#include "tools/story/names.h"

enum { INDENT = 4, LISTED_MOST = 8 };

/* The places of one map, and the same in the order of allocations. */
struct places {
    struct map_place *places, *sorted;
    size_t count;
};

static int compare_places(const void *left, const void *right)
{
    const struct map_place *a = left, *b = right;
    if (a->allocation != b->allocation)
        return a->allocation < b->allocation ? -1 : 1;
    return (a->offset > b->offset) - (a->offset < b->offset);
}

static void sort_places(struct places *places)
{
    places->sorted = base_alloc(places->count, sizeof *places->sorted);
    for (size_t i = 0; i < places->count; i++)
        places->sorted[i] = places->places[i];
    if (places->count)
        qsort(places->sorted, places->count, sizeof *places->sorted, compare_places);
}

/* Its first place; NULL: it is not there. */
static const struct map_place *find_place(const struct places *places, vidmm_handle allocation)
{
    size_t low = 0, high = places->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (places->sorted[middle].allocation < allocation)
            low = middle + 1;
        else
            high = middle;
    }
    bool found = low < places->count && places->sorted[low].allocation == allocation;
    return found ? &places->sorted[low] : NULL;
}

/* Both begin with a place of one allocation: have they one in common? */
static bool share_place(const struct places *before, const struct map_place *old,
                        const struct places *after, const struct map_place *new)
{
    const struct map_place *old_end = before->sorted + before->count;
    const struct map_place *new_end = after->sorted + after->count;
    vidmm_handle allocation = old->allocation;
    while (old < old_end && new < new_end &&
           old->allocation == allocation &&new->allocation == allocation) {
        if (old->offset == new->offset)
            return true;
        if (old->offset < new->offset)
            old++;
        else
            new ++;
    }
    return false;
}

/* ---- the line ------------------------------------------------------------------------------ */

enum change { CHANGE_CAME, CHANGE_MOVED, CHANGE_LEFT };

static struct text_short at(uint64_t offset)
{
    return offset ? text_size(offset) : text_print("0");
}

static void add_change(struct text *list, const struct movement_spans *now, enum change change,
                       const struct map_place *place, const struct map_place *old)
{
    text_add(list, "%s", place->name.it);
    if (change == CHANGE_MOVED)
        text_add(list, " from %s", at(old->offset).it);
    if (change != CHANGE_LEFT)
        text_add(list, " %s %s", change == CHANGE_MOVED ? "to" : "at", at(place->offset).it);
    else if (vidmm_object_kind(now->adapter, place->allocation) != VIDMM_OBJECT_ALLOCATION)
        text_add(list, " (destroyed)");
}

/* "came target at 0, rocks at 8 MiB", once for each allocation, in the order of offsets. */
static void add_changes(struct text *line, const struct movement_spans *now, enum change change,
                        const struct places *before, const struct places *after)
{
    static const char *const words[] = { "came", "moved", "left" };
    const struct places *walked = change == CHANGE_LEFT ? before : after;
    const struct places *other = change == CHANGE_LEFT ? after : before;
    struct text list = { 0 };
    size_t found = 0;
    for (size_t i = 0; i < walked->count; i++) {
        const struct map_place *place = &walked->places[i];
        const struct map_place *first = find_place(walked, place->allocation);
        const struct map_place *old = find_place(other, place->allocation);
        if (first->offset != place->offset || !old == (change == CHANGE_MOVED))
            continue;
        if (old && share_place(other, old, walked, first))
            continue;
        if (found++ >= LISTED_MOST)
            continue;
        text_add(&list, "%s", found > 1 ? ", " : "");
        add_change(&list, now, change, place, old);
    }
    if (found)
        text_add(line, "%s %s %s", line->length ? ";" : "since the last map:", words[change],
                 text_get(&list));
    if (found > LISTED_MOST)
        text_add(line, " and %zu more", found - LISTED_MOST);
    text_free(&list);
}

static void print_changes(const struct screen *screen, const struct movement_spans *now,
                          struct places *before, struct places *after)
{
    const struct wrap wrap = { screen->out, INDENT, screen->width };
    struct text line = { 0 };
    sort_places(before);
    sort_places(after);
    add_changes(&line, now, CHANGE_CAME, before, after);
    add_changes(&line, now, CHANGE_MOVED, before, after);
    add_changes(&line, now, CHANGE_LEFT, before, after);
    if (line.length) {
        (void)fprintf(screen->out, "%*s", INDENT, "");
        wrap_from(&wrap, INDENT, text_get(&line));
        (void)fputc('\n', screen->out);
    }
    text_free(&line);
    base_free(before->sorted);
    base_free(after->sorted);
}

/* ---- what is remembered -------------------------------------------------------------------- */

/* Takes those of the segment out of the memory; false: there was no map of it. */
static bool take_places(struct map_memory *memory, uint32_t segment, struct places *taken)
{
    bool known = false;
    size_t kept = 0;
    taken->places = base_alloc(memory->count, sizeof *taken->places);
    for (size_t i = 0; i < memory->count; i++) {
        const struct map_place *place = &memory->places[i];
        if (place->segment != segment)
            memory->places[kept++] = *place;
        else if (place->allocation)
            taken->places[taken->count++] = *place;
        known = known || place->segment == segment;
    }
    memory->count = kept;
    return known;
}

static void remember(struct map_memory *memory, const struct map_place *place)
{
    BASE_GROW(memory->places, memory->capacity, memory->count + 1);
    memory->places[memory->count++] = *place;
}

void movement_show(const struct screen *screen, struct map_memory *memory,
                   const struct movement_spans *now)
{
    const struct names names = { .adapter = now->adapter };
    struct places before = { 0 };
    bool known = take_places(memory, now->segment, &before);
    remember(memory, &(struct map_place){ .segment = now->segment });
    size_t first = memory->count;
    for (size_t i = 0; i < now->count; i++) {
        const struct vidmm_segment_span *span = &now->first[i];
        if (span->allocation)
            remember(memory, &(struct map_place){ now->segment, span->allocation, span->offset,
                                                  names_allocation(&names, span->allocation) });
    }
    struct places after = { .places = memory->places + first, .count = memory->count - first };
    if (known)
        print_changes(screen, now, &before, &after);
    base_free(before.places);
}
