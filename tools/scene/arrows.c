/* SPDX-License-Identifier: MIT */
/*
 * arrows.c: what caused what.
 *
 * A submission needs what was paged since the one before it, in the same statement. An eviction
 * makes room for the allocation that was looking for a place, until that one has it. A wait ends
 * with the packet of its fence.
 */
#include "tools/scene/scene_state.h"

static void add_arrow(struct scene_sink *self, enum scene_arrow_kind kind, scene_index from,
                      scene_index to)
{
    CHECK(from != to || from == SCENE_NONE);
    /* An end may be gone, or was never taken in. */
    if (from == SCENE_NONE || to == SCENE_NONE ||
        self->scene.arrow_count >= self->options.most_events) {
        self->scene.omitted.arrows++;
        return;
    }
    *SCENE_ADD(self, arrows, arrow_count) =
        (struct scene_arrow){ .kind = kind, .from = from, .to = to };
}

static void wait_for(struct scene_sink *self, struct causes *causes, scene_index event,
                     scene_index allocation)
{
    enum { CAUSES_MOST = 65536 }; /* of one statement */
    if (causes->count == CAUSES_MOST) {
        self->scene.omitted.arrows++;
        return;
    }
    BASE_GROW(causes->at, causes->capacity, causes->count + 1);
    causes->at[causes->count++] = (struct cause){ event, allocation };
}

/* ---- room ----------------------------------------------------------------------------------- */

/* Those that left for it, or for anything that was looked for when nobody said what. */
static void made_room(struct scene_sink *self, const struct heard *heard)
{
    struct causes *victims = &self->victims;
    size_t kept = 0;
    for (size_t i = 0; i < victims->count; i++) {
        if (victims->at[i].allocation == heard->allocation ||
            victims->at[i].allocation == SCENE_NONE)
            add_arrow(self, SCENE_MADE_ROOM, victims->at[i].event, heard->row);
        else
            victims->at[kept++] = victims->at[i];
    }
    victims->count = kept;
}

static void placed(struct scene_sink *self, const struct heard *heard)
{
    if (!heard->known)
        return;
    made_room(self, heard);
    /* By a copy from place to place, or by way of system memory in one request. */
    if (heard->known->moved_from != SCENE_NONE)
        add_arrow(self, SCENE_MOVED, heard->known->moved_from, heard->row);
    heard->known->moved_from = SCENE_NONE;
}

/* ---- paging --------------------------------------------------------------------------------- */

static void submitted(struct scene_sink *self, const struct heard *heard)
{
    struct causes *paging = &self->paging;
    if (tale_is(&heard->tale, "kind", "paging")) {
        wait_for(self, paging, heard->row, SCENE_NONE);
        return;
    }
    for (size_t i = 0; i < paging->count; i++)
        add_arrow(self, SCENE_CAUSED_PAGING, heard->row, paging->at[i].event);
    paging->count = 0;
}

/* ---- waits ---------------------------------------------------------------------------------- */

static struct last_end *last_end_of(struct scene_sink *self, const struct tale *tale)
{
    uint64_t node = tale_number(tale, "node");
    CHECK(node < ARRAY_COUNT(self->last_ends));
    return &self->last_ends[node];
}

static void ended(struct scene_sink *self, const struct heard *heard)
{
    *last_end_of(self, &heard->tale) =
        (struct last_end){ tale_number(&heard->tale, "fence"), heard->row };
}

static void waited(struct scene_sink *self, const struct heard *heard)
{
    const struct last_end *last = last_end_of(self, &heard->tale);
    if (last->fence && last->fence >= tale_number(&heard->tale, "fence"))
        add_arrow(self, SCENE_ENDED_WAIT, last->event, heard->row);
}

/* ---- all ------------------------------------------------------------------------------------ */

void arrows_hear(struct scene_sink *self, const struct heard *heard)
{
    switch (heard->event->kind) {
    case VIDMM_EVENT_EVICT:
        CHECK(heard->known);
        if (tale_is(&heard->tale, "reason", "migration"))
            heard->known->moved_from = heard->row;
        if (names_makes_room(heard->tale.event))
            wait_for(self, &self->victims, heard->row, self->seeker);
        break;
    case VIDMM_EVENT_PLACE: placed(self, heard); break;
    case VIDMM_EVENT_PAGE_IN: wait_for(self, &self->paging, heard->row, heard->allocation); break;
    case VIDMM_EVENT_SUBMIT: submitted(self, heard); break;
    case VIDMM_EVENT_END: ended(self, heard); break;
    case VIDMM_EVENT_WAIT: waited(self, heard); break;
    default: break;
    }
}

/* A statement ended: what it needed, it has. */
void arrows_settle(struct scene_sink *self)
{
    self->victims.count = self->paging.count = 0;
}

void arrows_end(struct scene_sink *self)
{
    arrows_settle(self);
    for (size_t i = 0; i < ARRAY_COUNT(self->last_ends); i++)
        self->last_ends[i] = (struct last_end){ 0, SCENE_NONE };
}
