/* SPDX-License-Identifier: MIT */
/*
 * marks.c: what was true of an allocation for a while.
 *
 * Pinned, dirty, locked and arriving are asked of the adapter after each event that may have
 * changed them: one rule for whatever way a state begins or ends. A write of the GPU has no event
 * of its own; what a buffer may write stands in its allocation list, and is looked at again when
 * the buffer is submitted, and before the next statement. An offer, and the way out, are known from
 * their events.
 */
#include "tools/scene/scene_state.h"

/* ---- one mark ------------------------------------------------------------------------------- */

static void set_mark(struct scene_sink *self, struct known *known, enum scene_mark_kind kind,
                     bool on, scene_index event)
{
    scene_index *open = &known->marks[kind];
    if (on == (*open != SCENE_NONE))
        return;
    if (!on) {
        self->scene.marks[*open].end = self->now;
        self->scene.marks[*open].ended = event;
        *open = SCENE_NONE;
        return;
    }

    *open = (scene_index)self->scene.mark_count;
    *SCENE_ADD(self, marks, mark_count) = (struct scene_mark){ .begin = self->now,
                                                               .end = self->now,
                                                               .kind = kind,
                                                               .allocation = known->index,
                                                               .began = event,
                                                               .ended = SCENE_NONE };
}

void marks_forget(struct scene_sink *self, struct known *known, scene_index event)
{
    for (int kind = 0; kind < SCENE_MARKS; kind++)
        set_mark(self, known, (enum scene_mark_kind)kind, false, event);
}

/* ---- what the adapter says ------------------------------------------------------------------ */

static void look_at(struct scene_sink *self, struct known *known, scene_index event)
{
    struct vidmm_allocation_view view;
    if (!self->adapter || !vidmm_allocation_view(self->adapter, known->handle, &view))
        return;
    set_mark(self, known, SCENE_PINNED, view.pinned, event);
    bool here = view.residency == VIDMM_RESIDENCY_RESIDENT && !known->evicted;
    set_mark(self, known, SCENE_DIRTY, view.gpu_dirty && here, event);
    set_mark(self, known, SCENE_LOCKED, view.locks != 0, event);
    set_mark(self, known, SCENE_MOVING,
             (view.arriving && !known->arrived) || known->awaited || known->departing, event);
}

/* Those are many, and change nothing. */
static bool is_only_a_look(enum vidmm_event_kind kind)
{
    return kind == VIDMM_EVENT_DRIVER_CALL || kind == VIDMM_EVENT_LIST_ELEMENT ||
           kind == VIDMM_EVENT_PATCH_LOCATION || kind == VIDMM_EVENT_CANDIDATE ||
           kind == VIDMM_EVENT_HOLE || kind == VIDMM_EVENT_PASS_OVER || kind == VIDMM_EVENT_TURN ||
           kind == VIDMM_EVENT_SHORTAGE || kind == VIDMM_EVENT_OPEN || kind == VIDMM_EVENT_CLOSE;
}

/* What the buffer under way uses, and may write: the driver has the last word. */
static void will_use(struct scene_sink *self, const struct heard *heard)
{
    if (!heard->known)
        return;
    for (size_t i = self->listed_count; i-- > 0;)
        if (self->listed[i] == heard->event->subject)
            return;
    BASE_GROW(self->listed, self->listed_capacity, self->listed_count + 1);
    self->listed[self->listed_count++] = heard->event->subject;
}

static void look_at_listed(struct scene_sink *self, scene_index event)
{
    for (size_t i = 0; i < self->listed_count; i++) {
        struct known *known = objects_known(self, self->listed[i]);
        if (known)
            look_at(self, known, event);
    }
}

void marks_settle(struct scene_sink *self)
{
    look_at_listed(self, SCENE_NONE);
    self->listed_count = 0;
}

/* From its place to the queueing of its content the adapter says nothing of it. After its arrival
   it still does where its node has later work. */
static void await_content(struct known *known, enum vidmm_event_kind kind)
{
    if (kind == VIDMM_EVENT_ARRIVE)
        known->arrived = true;
    else if (kind == VIDMM_EVENT_PAGE_IN || kind == VIDMM_EVENT_PLACE ||
             kind == VIDMM_EVENT_TRANSFER)
        known->arrived = false;
    known->awaited = kind == VIDMM_EVENT_PLACE && known->needed;
    known->needed = kind == VIDMM_EVENT_PAGE_IN || known->awaited;
}

void marks_hear(struct scene_sink *self, const struct heard *heard)
{
    struct known *known = heard->known;
    if (known && !is_only_a_look(heard->event->kind))
        await_content(known, heard->event->kind);
    switch (heard->event->kind) {
    case VIDMM_EVENT_LIST_ELEMENT: will_use(self, heard); return;
    case VIDMM_EVENT_SUBMIT:
        if (!tale_is(&heard->tale, "kind", "paging"))
            look_at_listed(self, heard->row);
        return;
    case VIDMM_EVENT_OFFER:
        CHECK(known);
        set_mark(self, known, SCENE_OFFERED, true, heard->row);
        break;
    case VIDMM_EVENT_RECLAIM:
        CHECK(known);
        set_mark(self, known, SCENE_OFFERED, false, heard->row);
        break;
    case VIDMM_EVENT_EVICT:
        CHECK(known);
        known->departing = known->evicted = true;
        break;
    case VIDMM_EVENT_LEAVE:
    case VIDMM_EVENT_LOST:
        CHECK(known);
        known->departing = false;
        break;
    case VIDMM_EVENT_PLACE:
        if (known)
            known->departing = known->evicted = false;
        break;
    default: break;
    }
    if (known && !is_only_a_look(heard->event->kind))
        look_at(self, known, heard->row);
}

void marks_end(struct scene_sink *self)
{
    struct known *known, *next;
    marks_settle(self);
    HASH_ITER(hh, self->known, known, next)
    {
        /* What the end of the system kept from leaving is as it was. */
        if (known->evicted && stays_has_one(known)) {
            known->departing = known->evicted = false;
            look_at(self, known, SCENE_NONE);
        }
        for (int kind = 0; kind < SCENE_MARKS; kind++)
            if (known->marks[kind] != SCENE_NONE)
                self->scene.marks[known->marks[kind]].still_there = true;
        marks_forget(self, known, SCENE_NONE);
    }
}
