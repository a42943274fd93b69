/* SPDX-License-Identifier: MIT */
/*
 * places.c: which track has a stay, and which tracks has a segment?
 *
 * Each allocation has a lane of its own in each segment where it was, and more than one where it
 * lies in several runs at once. The UI does not bear thousands of tracks: allocations after the
 * first LANES share lanes, and so does what belongs to none. Where those are full too, stays are
 * left out, and the segment says how many.
 */
#include <inttypes.h>
#include <stdlib.h>

#include "tools/trace/stage.h"

enum { LANES = 200, LANES_OF_ONE = 8, LANES_SHARED = SHELF_ROWS };

struct places {
    struct stage *stage;
    scene_index segment;
    scene_index *order; /* stays of the segment, by allocation */
    size_t count;
    scene_index *lanes; /* whose it is; SCENE_NONE: it is shared */
    size_t lane_count, lane_capacity;
    uint64_t hidden;
};

static const struct scene_stay *places_stay(const struct stage *stage, scene_index i)
{
    return &stage->scene->stays[stage->act->stays.first + i];
}

/* ---- which lane ----------------------------------------------------------------------------- */

struct place_key {
    scene_index allocation, stay;
};

static int compare_keys(const void *a, const void *b)
{
    const struct place_key *left = a, *right = b;
    if (left->allocation != right->allocation)
        return left->allocation < right->allocation ? -1 : 1;
    return (left->stay > right->stay) - (left->stay < right->stay);
}

/* The rows of the shelf begin at lane `first`. Lanes count from 1 until they are tracks, which are
   numbered in the order in which they are opened. */
static void put_stay(struct places *places, struct shelf *shelf, size_t first, scene_index i)
{
    struct stage *stage = places->stage;
    const struct scene_stay *stay = places_stay(stage, i);
    uint32_t row = shelf_put(shelf, stay->begin, stay->end);
    if (row == SCENE_NONE) {
        places->hidden++;
        return;
    }
    if (first + row == places->lane_count) {
        BASE_GROW(places->lanes, places->lane_capacity, places->lane_count + 1);
        places->lanes[places->lane_count++] =
            shelf->most == LANES_SHARED ? SCENE_NONE : stay->allocation;
    }
    stage->stays[i] = first + row + 1;
}

/* Those with a lane of their own. The others are left for put_shared(). */
static void put_owned(struct places *places, const struct place_key *keys)
{
    struct shelf shelf = { .most = LANES_OF_ONE };
    size_t owners = 0, first = 0;
    for (size_t k = 0; k < places->count; k++) {
        if (keys[k].allocation == SCENE_NONE)
            return;
        if (!k || keys[k].allocation != keys[k - 1].allocation) {
            if (owners++ == LANES)
                return;
            shelf = (struct shelf){ .most = LANES_OF_ONE };
            first = places->lane_count;
        }
        put_stay(places, &shelf, first, keys[k].stay);
        places->order[keys[k].stay] = SCENE_NONE;
    }
}

static void put_shared(struct places *places)
{
    struct shelf shelf = { .most = LANES_SHARED };
    size_t first = places->lane_count;
    for (uint32_t i = 0; i < places->stage->act->stays.count; i++)
        if (places->order[i] == places->segment)
            put_stay(places, &shelf, first, i);
}

static void choose_lanes(struct places *places)
{
    const struct stage *stage = places->stage;
    uint32_t all = stage->act->stays.count;
    struct place_key *keys = base_alloc((size_t)all + 1, sizeof *keys);
    places->order = base_alloc((size_t)all + 1, sizeof *places->order);
    for (uint32_t i = 0; i < all; i++) {
        const struct scene_stay *stay = places_stay(stage, i);
        places->order[i] = stay->segment;
        if (stay->segment == places->segment)
            keys[places->count++] = (struct place_key){ stay->allocation, i };
    }
    qsort(keys, places->count, sizeof *keys, compare_keys);
    put_owned(places, keys);
    put_shared(places);
    base_free(places->order);
    base_free(keys);
}

/* ---- tracks --------------------------------------------------------------------------------- */

static void say_segment(const struct places *places, struct text *says)
{
    const struct scene_segment *segment = &places->stage->scene->segments[places->segment];
    const char *flags = stage_text(places->stage, segment->flags);
    text_add(says, "%s segment %" PRIu32 ", %s from address 0x%" PRIx64,
             stage_text(places->stage, segment->kind), segment->id, text_size(segment->size).it,
             segment->base);
    if (segment->banks > 1)
        text_add(says, ", %" PRIu32 " banks", segment->banks);
    if (segment->pin_start < segment->size)
        text_add(says, ", the pinned region begins at %s", text_offset(segment->pin_start).it);
    if (*flags)
        text_add(says, ", %s", flags);
    text_add(says, ".");
    if (places->hidden)
        text_add(says,
                 " %s not drawn: more than %d of one allocation at once, or %d of the others.",
                 text_count(places->hidden, "stay").it, LANES_OF_ONE, LANES_SHARED);
}

static void open_counters(struct stage *stage, scene_index segment, uint64_t parent, uint32_t *rank)
{
    for (uint32_t i = 0; i < stage->act->counters.count; i++) {
        const struct scene_counter *counter =
            &stage->scene->counters[stage->act->counters.first + i];
        if (counter->segment != segment)
            continue;
        stage->counters[i] =
            packets_track(stage->packets,
                          &(struct packet_track){ .name = stage_text(stage, counter->name),
                                                  .counter = stage_text(stage, counter->unit),
                                                  .axis = segment == SCENE_NONE ? 0 : parent,
                                                  .parent = parent,
                                                  .rank = (*rank)++ });
    }
}

static void open_lane(const struct places *places, scene_index owner, uint64_t parent,
                      uint32_t rank)
{
    const struct stage *stage = places->stage;
    struct packet_track track = { .name = "others", .parent = parent, .rank = rank };
    struct text says = { 0 };
    if (owner != SCENE_NONE) {
        const struct scene_allocation *allocation = &stage->scene->allocations[owner];
        const char *flags = stage_text(stage, allocation->flags);
        track.name = stage_text(stage, allocation->label);
        text_add(&says, "%s, process %s%s%s", text_size(allocation->bytes).it,
                 stage_text(stage, allocation->process), *flags ? ", " : "", flags);
    } else {
        text_add(&says, "Allocations after the first %d, and what belongs to none.", LANES);
    }
    track.says = text_get(&says);
    (void)packets_track(stage->packets, &track);
    text_free(&says);
}

static void open_segment(struct stage *stage, scene_index segment, uint32_t rank)
{
    struct places places = { .stage = stage, .segment = segment };
    struct text says = { 0 };
    uint32_t inner = 0;
    choose_lanes(&places);
    say_segment(&places, &says);
    uint64_t group =
        packets_track(stage->packets,
                      &(struct packet_track){
                          .name = stage_text(stage, stage->scene->segments[segment].name),
                          .says = text_get(&says),
                          .parent = stage->process,
                          .rank = rank,
                          .ranked = true });
    open_counters(stage, segment, group, &inner);
    uint64_t before = stage->packets->tracks;
    for (size_t i = 0; i < places.lane_count; i++)
        open_lane(&places, places.lanes[i], group, inner++);
    for (uint32_t i = 0; i < stage->act->stays.count; i++)
        if (stage->stays[i] && places_stay(stage, i)->segment == segment)
            stage->stays[i] += before;
    stage->hidden += places.hidden;
    base_free(places.lanes);
    text_free(&says);
}

void places_open(struct stage *stage, uint32_t rank)
{
    uint32_t outer = rank;
    for (uint32_t i = 0; i < stage->act->segments.count; i++)
        open_segment(stage, stage->act->segments.first + i, outer++);
    open_counters(stage, SCENE_NONE, stage->process, &outer);
}
