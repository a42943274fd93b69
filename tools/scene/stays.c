/* SPDX-License-Identifier: MIT */
/*
 * stays.c: which range of a segment belonged to what, from when to when.
 *
 * A range is known by its segment and its offset: no two overlap, so `unplace` names one. A place
 * in several runs is several ranges, which the adapter is asked for. The range that serves an
 * eviction has no event `place`: it begins with the event `map`.
 *
 * What leaves memory frees its range at once, in the order of the queue. What leaves an aperture
 * holds the range until the unmap has run: from the eviction on it is leaving.
 */
#include "tools/scene/scene_state.h"

#include <string.h>

/* ---- open ones ------------------------------------------------------------------------------ */

static struct open_stay *find_open(struct scene_sink *self, uint64_t segment, uint64_t offset)
{
    const struct place_key key = { segment, offset };
    struct open_stay *open = NULL;
    HASH_FIND(hh, self->open, &key, sizeof key, open);
    return open;
}

static struct scene_stay *stay_of(struct scene_sink *self, const struct open_stay *open)
{
    return &self->scene.stays[open->stay];
}

static void disown(struct open_stay *open)
{
    if (open->owner)
        DL_DELETE2(open->owner->stays, open, previous, next);
    open->owner = NULL;
}

void stays_forget(struct known *known)
{
    while (known->stays)
        disown(known->stays);
}

bool stays_has_one(const struct known *known)
{
    for (const struct open_stay *open = known->stays; open; open = open->next)
        if (!open->leaving)
            return true;
    return false;
}

/* `event`: its range is free from there on. */
static void close_stay(struct scene_sink *self, struct open_stay *open, scene_index event)
{
    struct scene_stay *stay = stay_of(self, open);
    stay->end = self->now;
    stay->gone = event;
    if (!open->leaving)
        stay->leaving = self->now;
    disown(open);
    HASH_DEL(self->open, open);
    base_free(open);
}

static void begin_leaving(struct scene_sink *self, struct open_stay *open, scene_index event,
                          scene_text why)
{
    struct scene_stay *stay = stay_of(self, open);
    stay->leaving = self->now;
    stay->left = event;
    stay->why_left = why;
    open->leaving = true;
}

static void open_stay(struct scene_sink *self, const struct heard *heard,
                      const struct vidmm_segment_span *range, enum scene_stay_kind kind)
{
    uint64_t segment = tale_number(&heard->tale, "segment");
    if (objects_segment(self, segment) == SCENE_NONE)
        return;
    struct open_stay *open = find_open(self, segment, range->offset);
    if (open)
        close_stay(self, open, heard->row);
    open = base_alloc(1, sizeof *open);
    open->at = (struct place_key){ segment, range->offset };
    open->stay = (scene_index)self->scene.stay_count;
    HASH_ADD(hh, self->open, at, sizeof open->at, open);
    *SCENE_ADD(self, stays, stay_count) = (struct scene_stay){
        .begin = self->now,
        .end = self->now,
        .leaving = self->now,
        .offset = range->offset,
        .bytes = range->bytes,
        .kind = kind,
        .segment = objects_segment(self, segment),
        .allocation = heard->allocation,
        .came = heard->row,
        .left = SCENE_NONE,
        .gone = SCENE_NONE,
    };
    open->owner = kind == SCENE_STAY_ALLOCATION ? heard->known : NULL;
    if (open->owner)
        DL_APPEND2(open->owner->stays, open, previous, next);
}

/* ---- a place -------------------------------------------------------------------------------- */

static enum scene_stay_kind kind_of(const char *word)
{
    static const struct {
        const char *word;
        enum scene_stay_kind kind;
    } kinds[] = {
        { "invalid", SCENE_STAY_INVALID },
        { "reserve", SCENE_STAY_RESERVE },
        { "pagingbuffer", SCENE_STAY_PAGING_BUFFER },
        { "dmabuffer", SCENE_STAY_DMA_BUFFER },
    };
    for (size_t i = 0; i < ARRAY_COUNT(kinds); i++)
        if (strcmp(kinds[i].word, word) == 0)
            return kinds[i].kind;
    return SCENE_STAY_ALLOCATION;
}

/* Where it was on the same adapter it is no longer: it moved. */
static void leave_others(struct scene_sink *self, const struct heard *heard)
{
    const struct scene *scene = &self->scene;
    scene_index segment = objects_segment(self, tale_number(&heard->tale, "segment"));
    uint32_t adapter = segment == SCENE_NONE ? 0 : scene->segments[segment].adapter;
    struct known *known = heard->known;
    CHECK(known);
    struct open_stay *open = known->stays;
    if (known->freed != SCENE_NONE && scene->stays[known->freed].end == self->now) {
        struct scene_stay *stay = &self->scene.stays[known->freed];
        known->moved_from = stay->came;
        stay->left = heard->row;
        stay->why_left = texts_add(self, "move");
    }
    known->freed = SCENE_NONE;
    while (open) {
        struct open_stay *next = open->next;
        struct scene_stay *stay = stay_of(self, open);
        if (!open->leaving && scene->segments[stay->segment].adapter == adapter) {
            known->moved_from = stay->came;
            begin_leaving(self, open, heard->row, texts_add(self, "move"));
        }
        open = next;
    }
}

/* One copy in a link: its runs are those of the handle in this segment. */
static void open_runs_of_copy(struct scene_sink *self, const struct heard *heard)
{
    uint32_t segment = (uint32_t)tale_number(&heard->tale, "segment");
    size_t count = vidmm_segment_map(self->adapter, segment, NULL, 0);
    struct vidmm_segment_span *spans = base_alloc(count, sizeof *spans);
    count = vidmm_segment_map(self->adapter, segment, spans, count);
    for (size_t i = 0; i < count; i++)
        if (spans[i].allocation == heard->event->subject)
            open_stay(self, heard, &spans[i], SCENE_STAY_ALLOCATION);
    base_free(spans);
}

static void open_runs(struct scene_sink *self, const struct heard *heard)
{
    struct vidmm_segment_span run = { .what = "" };
    struct vidmm_allocation_view view;
    vidmm_handle handle = heard->event->subject;
    CHECK(self->adapter && vidmm_allocation_view(self->adapter, handle, &view));
    if (view.segment != tale_number(&heard->tale, "segment")) {
        open_runs_of_copy(self, heard);
        return;
    }
    for (size_t i = 0; vidmm_allocation_run(self->adapter, handle, i, &run.offset, &run.bytes); i++)
        open_stay(self, heard, &run, SCENE_STAY_ALLOCATION);
}

static void placed(struct scene_sink *self, const struct heard *heard)
{
    const struct vidmm_segment_span range = { .offset = tale_number(&heard->tale, "offset"),
                                              .bytes = tale_number(&heard->tale, "bytes") };
    enum scene_stay_kind kind = kind_of(tale_word(&heard->tale, "kind"));
    if (kind == SCENE_STAY_ALLOCATION)
        leave_others(self, heard);
    if (tale_number(&heard->tale, "runs") > 1)
        open_runs(self, heard);
    else
        open_stay(self, heard, &range, kind);
}

/* ---- leaving -------------------------------------------------------------------------------- */

static void evicted(struct scene_sink *self, const struct heard *heard)
{
    scene_index segment = objects_segment(self, tale_number(&heard->tale, "segment"));
    scene_text why = texts_add(self, tale_word(&heard->tale, "reason"));
    CHECK(heard->known);
    struct open_stay *open = heard->known->stays;
    while (open) {
        struct open_stay *next = open->next;
        if (stay_of(self, open)->segment == segment)
            begin_leaving(self, open, heard->row, why);
        open = next;
    }
}

/* A range of an eviction belongs to nobody, and to no `place`. */
static void mapped(struct scene_sink *self, const struct heard *heard)
{
    const struct tale *tale = &heard->tale;
    uint64_t segment = tale_number(tale, "segment"), offset = tale_number(tale, "offset");
    const struct vidmm_segment_span range = {
        .offset = offset, .bytes = multiply_capped(tale_number(tale, "pages"), self->page)
    };
    if (*tale_word(tale, "kind") || find_open(self, segment, offset))
        return;
    open_stay(self, heard, &range, SCENE_STAY_EVICTION);
    struct open_stay *open = find_open(self, segment, offset);
    CHECK(open);
    stay_of(self, open)->why_left = texts_add(self, "eviction");
    open->leaving = true;
}

static void unplaced(struct scene_sink *self, const struct heard *heard)
{
    const struct tale *tale = &heard->tale;
    struct open_stay *open =
        find_open(self, tale_number(tale, "segment"), tale_number(tale, "offset"));
    if (!open)
        return;
    struct scene_stay *stay = stay_of(self, open);
    if (stay->left == SCENE_NONE)
        stay->left = heard->row;
    if (!stay->why_left) {
        stay->why_left = texts_add(self, "free");
        if (open->owner)
            open->owner->freed = open->stay;
    }
    close_stay(self, open, heard->row);
}

/* ---- all ------------------------------------------------------------------------------------ */

static void close_all(struct scene_sink *self, scene_index event, const char *why)
{
    struct open_stay *open, *next;
    HASH_ITER(hh, self->open, open, next)
    {
        struct scene_stay *stay = stay_of(self, open);
        if (why && !stay->why_left) {
            stay->left = event;
            stay->why_left = texts_add(self, why);
        }
        close_stay(self, open, event);
    }
}

void stays_hear(struct scene_sink *self, const struct heard *heard)
{
    switch (heard->event->kind) {
    case VIDMM_EVENT_PLACE: placed(self, heard); break;
    case VIDMM_EVENT_EVICT: evicted(self, heard); break;
    case VIDMM_EVENT_MAP: mapped(self, heard); break;
    case VIDMM_EVENT_UNPLACE: unplaced(self, heard); break;
    case VIDMM_EVENT_PNP:
        if (tale_is(&heard->tale, "state", "stopped"))
            close_all(self, heard->row, "stop");
        break;
    default: break;
    }
}

/* The system stopped, or something failed, in the middle of an eviction: it lies where it was. */
static bool never_left(const struct scene_sink *self, const struct open_stay *open)
{
    uint64_t offset, bytes;
    struct vidmm_allocation_view view;
    if (!open->owner || !open->leaving || !self->adapter ||
        !vidmm_allocation_view(self->adapter, open->owner->handle, &view) ||
        view.residency != VIDMM_RESIDENCY_RESIDENT || view.segment != open->at.segment)
        return false;
    for (size_t i = 0; vidmm_allocation_run(self->adapter, open->owner->handle, i, &offset, &bytes);
         i++)
        if (offset == open->at.offset)
            return true;
    return false;
}

void stays_settle(struct scene_sink *self)
{
    for (struct open_stay *open = self->open; open; open = open->hh.next) {
        if (!never_left(self, open))
            continue;
        stay_of(self, open)->left = SCENE_NONE;
        stay_of(self, open)->why_left = 0;
        open->leaving = false;
    }
}

void stays_end(struct scene_sink *self)
{
    for (const struct open_stay *open = self->open; open; open = open->hh.next)
        stay_of(self, open)->still_there = true;
    close_all(self, SCENE_NONE, NULL);
}
