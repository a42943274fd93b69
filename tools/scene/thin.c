/* SPDX-License-Identifier: MIT */
/*
 * thin.c: what is left out of a long run, so that it stays within its limit.
 *
 * Every row has a rank. When an array is full, rows of the lowest ranks are taken out until a
 * quarter of it is free, of one rank the latest, and such rows are not taken in again: what is left
 * has the whole run with what matters most, and its beginning in more detail.
 * Of events the calls of the miniport go first, then trails, details, the rest of the story, and
 * last what changed where something lies, small allocations before large ones. Of stays the
 * smallest go first, of slices and marks the shortest. What is still open always stays.
 */
#include "tools/scene/scene_state.h"

#include <string.h>

enum {
    RANK_CALL,
    RANK_TRAIL,
    RANK_DETAIL,
    RANK_STORY,
    RANK_PLACE, /* and 64 more, by size */
    RANK_LIFE = RANK_PLACE + 65,
    RANKS
};

enum { TEXTS_FOR_ROW = 4 }; /* before those are looked for that nothing names */

static unsigned size_of(uint64_t value)
{
    unsigned bits = 0;
    while (value) {
        bits++;
        value >>= 1;
    }
    return bits;
}

/* ---- taking rows out ------------------------------------------------------------------------- */

/* Where each row of an array goes: behind the `to[i]` rows before it that stay. Of one that goes
   out that is where the next one goes, and `to` has one more for the end: each index is moved in
   one step, however many rows around it are gone. */
struct moves {
    struct visitor visitor;
    uint32_t *to;
    size_t count, kept;
    bool next; /* what pointed to a row that is gone points to the next one */
};

static bool stays_in(const struct moves *moves, size_t row)
{
    return moves->to[row + 1] != moves->to[row];
}

static void move_one(const struct visitor *visitor, uint32_t *ref)
{
    const struct moves *moves = CONTAINER_OF(visitor, const struct moves, visitor);
    if (*ref == SCENE_NONE)
        return;
    size_t row = min_u64(*ref, moves->count);
    *ref =
        moves->next || (row < moves->count && stays_in(moves, row)) ? moves->to[row] : SCENE_NONE;
}

/* One range of every act; `first` is where it stands in struct scene_act. */
static void move_ranges(struct scene_sink *self, struct moves *moves, size_t first)
{
    moves->next = true;
    for (size_t i = 0; i < self->scene.act_count; i++) {
        struct scene_range *range =
            (struct scene_range *)(void *)((char *)&self->scene.acts[i] + first);
        uint32_t end = range->first + range->count;
        move_one(&moves->visitor, &range->first);
        move_one(&moves->visitor, &end);
        range->count = end - range->first;
    }
    moves->next = false;
}

/* Which rows stay: those of rank `least` and more, and the first `more` of the rank below. */
struct choice {
    unsigned least;
    size_t more;
};

static struct moves moves_of(const uint8_t *ranks, size_t count, struct choice choice)
{
    struct moves moves = { .visitor = { move_one },
                           .to = base_alloc(count + 1, sizeof *moves.to),
                           .count = count };
    for (size_t i = 0; i < count; i++) {
        bool below = choice.more && ranks[i] + 1u == choice.least;
        choice.more -= below;
        moves.kept += below || ranks[i] >= choice.least;
        moves.to[i + 1] = (uint32_t)moves.kept;
    }
    return moves;
}

static void squeeze(void *rows, size_t bytes, const struct moves *moves)
{
    char *at = rows;
    for (size_t i = 0; i < moves->count; i++)
        if (stays_in(moves, i) && moves->to[i] != i)
            memcpy(at + moves->to[i] * bytes, at + i * bytes, bytes);
}

/* So that a quarter is free. */
static struct choice choose(const uint8_t *ranks, size_t count, size_t most)
{
    size_t counts[RANKS + 1] = { 0 }, room = most - most / 4;
    struct choice choice = { .least = RANKS + 1 };
    for (size_t i = 0; i < count; i++)
        counts[ranks[i]]++;
    while (choice.least > 0 && counts[choice.least - 1] <= room)
        room -= counts[--choice.least];
    choice.more = room;
    return choice;
}

/* ---- events ---------------------------------------------------------------------------------- */

static bool of_places(enum vidmm_event_kind kind)
{
    switch (kind) {
    case VIDMM_EVENT_PLACE:
    case VIDMM_EVENT_UNPLACE:
    case VIDMM_EVENT_EVICT:
    case VIDMM_EVENT_LOST:
    case VIDMM_EVENT_PIN:
    case VIDMM_EVENT_UNPIN:
    case VIDMM_EVENT_DISCARD_OFFERED: return true;
    default: return false;
    }
}

/* What there are few of, and what nobody may miss. */
static bool of_life(enum vidmm_event_kind kind)
{
    switch (kind) {
    case VIDMM_EVENT_START_ADAPTER:
    case VIDMM_EVENT_REPORT_SEGMENT:
    case VIDMM_EVENT_FINDING:
    case VIDMM_EVENT_BUGCHECK:
    case VIDMM_EVENT_LEVEL2:
    case VIDMM_EVENT_LEVEL3:
    case VIDMM_EVENT_EXCLUDE:
    case VIDMM_EVENT_PNP:
    case VIDMM_EVENT_POWER:
    case VIDMM_EVENT_TDR:
    case VIDMM_EVENT_PAGE_FAULT:
    case VIDMM_EVENT_DEVICE_STATE: return true;
    default: return false;
    }
}

unsigned thin_rank(const struct scene_sink *self, enum vidmm_event_kind kind,
                   scene_index allocation)
{
    if (narrate_level(kind) == NARRATE_CALLS)
        return RANK_CALL;
    if (events_of_trail(kind))
        return RANK_TRAIL;
    if (of_life(kind))
        return RANK_LIFE;
    if (of_places(kind))
        return RANK_PLACE +
               (allocation == SCENE_NONE ? 0 : size_of(self->scene.allocations[allocation].bytes));
    return narrate_level(kind) == NARRATE_DETAILS ? RANK_DETAIL : RANK_STORY;
}

/* The rows of a trail are those before their decision, unless they are gone. */
static void count_trails(struct scene_sink *self, const struct moves *moves)
{
    for (size_t i = 0; i < moves->count; i++) {
        struct scene_event *row = &self->scene.events[i];
        uint32_t gone = 0;
        for (uint32_t j = 1; j <= row->trail; j++)
            gone += !stays_in(moves, i - j);
        row->trail -= gone;
        row->trail_more += gone;
        if (!stays_in(moves, i))
            self->scene.omitted.events[row->kind]++;
    }
}

/* Of an arrow with one end there is nothing to draw. */
static void drop_arrows(struct scene_sink *self)
{
    struct scene *scene = &self->scene;
    uint8_t *ranks = base_alloc(scene->arrow_count, 1);
    for (size_t i = 0; i < scene->arrow_count; i++)
        ranks[i] = scene->arrows[i].from != SCENE_NONE && scene->arrows[i].to != SCENE_NONE;
    struct moves moves = moves_of(ranks, scene->arrow_count, (struct choice){ .least = 1 });
    squeeze(scene->arrows, sizeof *scene->arrows, &moves);
    move_ranges(self, &moves, offsetof(struct scene_act, arrows));
    scene->omitted.arrows += moves.count - moves.kept;
    scene->arrow_count = moves.kept;
    base_free(moves.to);
    base_free(ranks);
}

static void thin_events(struct scene_sink *self)
{
    struct scene *scene = &self->scene;
    uint8_t *ranks = base_alloc(scene->event_count, 1);
    for (size_t i = 0; i < scene->event_count; i++)
        ranks[i] = (uint8_t)thin_rank(self, (enum vidmm_event_kind)scene->events[i].kind,
                                      scene->events[i].allocation);
    struct choice choice = choose(ranks, scene->event_count, self->options.most_events);
    struct moves moves = moves_of(ranks, scene->event_count, choice);
    self->least_event = max_u32(self->least_event, choice.least);
    count_trails(self, &moves);
    squeeze(scene->events, sizeof *scene->events, &moves);
    move_ranges(self, &moves, offsetof(struct scene_act, events));
    refs_visit(self, REF_EVENT, &moves.visitor);
    moves.next = true;
    refs_visit(self, REF_NEXT_EVENT, &moves.visitor);
    scene->event_count = moves.kept;
    base_free(moves.to);
    drop_arrows(self);
    texts_collect(self);
    base_free(ranks);
}

/* ---- stays, slices, marks -------------------------------------------------------------------- */

/* What is open is pointed to: it has the highest rank. */
struct keeper {
    struct visitor visitor;
    uint8_t *ranks;
};

static void keep_one(const struct visitor *visitor, uint32_t *ref)
{
    const struct keeper *keeper = CONTAINER_OF(visitor, const struct keeper, visitor);
    if (*ref != SCENE_NONE)
        keeper->ranks[*ref] = RANKS;
}

/* An array whose rows are pointed to by what is under way. */
struct thinned {
    void *rows;
    size_t row_bytes, range;
    size_t *count, *next;
    uint64_t *omitted;
    enum ref_to to;
};

static void thin_array(struct scene_sink *self, const struct thinned *array, uint8_t *ranks)
{
    const struct keeper keeper = { { keep_one }, ranks };
    refs_visit(self, array->to, &keeper.visitor);
    struct choice choice = choose(ranks, *array->count, self->options.most_events);
    if (choice.least > RANKS)
        choice = (struct choice){ .least = RANKS };
    struct moves moves = moves_of(ranks, *array->count, choice);
    squeeze(array->rows, array->row_bytes, &moves);
    move_ranges(self, &moves, array->range);
    refs_visit(self, array->to, &moves.visitor);
    *array->omitted += moves.count - moves.kept;
    *array->count = moves.kept;
    *array->next = max_u64(self->options.most_events, moves.kept + self->options.most_events / 4);
    base_free(moves.to);
    base_free(ranks);
}

static void thin_stays(struct scene_sink *self)
{
    struct scene *scene = &self->scene;
    uint8_t *ranks = base_alloc(scene->stay_count, 1);
    for (size_t i = 0; i < scene->stay_count; i++)
        ranks[i] = (uint8_t)size_of(scene->stays[i].bytes);
    thin_array(self,
               &(struct thinned){ scene->stays, sizeof *scene->stays,
                                  offsetof(struct scene_act, stays), &scene->stay_count,
                                  &self->next_thinning.stays, &scene->omitted.stays, REF_STAY },
               ranks);
}

static void thin_slices(struct scene_sink *self)
{
    struct scene *scene = &self->scene;
    uint8_t *ranks = base_alloc(scene->slice_count, 1);
    for (size_t i = 0; i < scene->slice_count; i++)
        ranks[i] = (uint8_t)size_of(scene->slices[i].end - scene->slices[i].begin);
    thin_array(self,
               &(struct thinned){ scene->slices, sizeof *scene->slices,
                                  offsetof(struct scene_act, slices), &scene->slice_count,
                                  &self->next_thinning.slices, &scene->omitted.slices, REF_SLICE },
               ranks);
}

static void thin_marks(struct scene_sink *self)
{
    struct scene *scene = &self->scene;
    uint8_t *ranks = base_alloc(scene->mark_count, 1);
    for (size_t i = 0; i < scene->mark_count; i++)
        ranks[i] = (uint8_t)size_of(scene->marks[i].end - scene->marks[i].begin);
    thin_array(self,
               &(struct thinned){ scene->marks, sizeof *scene->marks,
                                  offsetof(struct scene_act, marks), &scene->mark_count,
                                  &self->next_thinning.marks, &scene->omitted.marks, REF_MARK },
               ranks);
}

/* ---- allocations ----------------------------------------------------------------------------- */

/* Those that nothing names any more. */
static void thin_allocations(struct scene_sink *self)
{
    struct scene *scene = &self->scene;
    uint8_t *ranks = base_alloc(scene->allocation_count, 1);
    const struct keeper keeper = { { keep_one }, ranks };
    refs_visit(self, REF_ALLOCATION, &keeper.visitor);
    struct moves moves = moves_of(ranks, scene->allocation_count, (struct choice){ .least = 1 });
    squeeze(scene->allocations, sizeof *scene->allocations, &moves);
    move_ranges(self, &moves, offsetof(struct scene_act, allocations));
    refs_visit(self, REF_ALLOCATION, &moves.visitor);
    scene->omitted.allocations += moves.count - moves.kept;
    scene->allocation_count = moves.kept;
    self->next_thinning.allocations = 2 * max_u64(moves.kept, self->options.most_events);
    base_free(moves.to);
    base_free(ranks);
    texts_collect(self);
}

/* What is not kept has names, too: packets, waits. */
static void thin_texts(struct scene_sink *self)
{
    texts_collect(self);
    self->next_thinning.texts = 2 * self->scene.text_count;
}

/* ---- all ------------------------------------------------------------------------------------- */

void thin_all(struct scene_sink *self)
{
    const struct scene *scene = &self->scene;
    uint64_t most = self->options.most_events;
    if (scene->event_count + self->held_count >= most)
        thin_events(self);
    if (scene->stay_count >= max_u64(self->next_thinning.stays, most))
        thin_stays(self);
    if (scene->slice_count >= max_u64(self->next_thinning.slices, most))
        thin_slices(self);
    if (scene->mark_count >= max_u64(self->next_thinning.marks, most))
        thin_marks(self);
    if (scene->allocation_count >= max_u64(self->next_thinning.allocations, 2 * most))
        thin_allocations(self);
    if (scene->text_count >= max_u64(self->next_thinning.texts, TEXTS_FOR_ROW * most))
        thin_texts(self);
}
