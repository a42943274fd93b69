/* SPDX-License-Identifier: MIT */
/*
 * events.c: the list of events, with sentences, and the trail of each decision before it.
 *
 * The manager tells what a decision looked at on the way to it, so rows of a trail are held until
 * the decision comes. Those that none follows until the next statement stand there as rows of their
 * own.
 */
#include "tools/scene/scene_state.h"

#include <string.h>

static bool of_trail(enum vidmm_event_kind kind)
{
    return kind == VIDMM_EVENT_CANDIDATE || kind == VIDMM_EVENT_HOLE ||
           kind == VIDMM_EVENT_PASS_OVER || kind == VIDMM_EVENT_SHORTAGE;
}

static bool is_decision(enum vidmm_event_kind kind)
{
    return kind == VIDMM_EVENT_PLACE || kind == VIDMM_EVENT_EVICT || kind == VIDMM_EVENT_LOST ||
           kind == VIDMM_EVENT_REFUSE;
}

static bool is_kept(const struct scene_sink *self, const struct vidmm_event *event)
{
    if (narrate_level(event->kind) == NARRATE_CALLS && !self->options.calls)
        return false;
    return self->scene.event_count + self->held_count < self->options.most_events;
}

/* Time never runs back in the list, though a row of a trail may have waited. */
static scene_index append(struct scene_sink *self, const struct scene_event *row)
{
    struct scene *scene = &self->scene;
    vidmm_ns last = scene->event_count > scene->acts[scene->act_count - 1].events.first
                        ? scene->events[scene->event_count - 1].time
                        : 0;
    struct scene_event *added = SCENE_ADD(self, events, event_count);
    *added = *row;
    added->time = max_u64(added->time, last);
    return (scene_index)(scene->event_count - 1);
}

void events_release_trail(struct scene_sink *self)
{
    for (size_t i = 0; i < self->held_count; i++)
        (void)append(self, &self->held[i]);
    self->held_count = 0;
    self->seeker = SCENE_NONE;
}

static scene_index other_of(struct scene_sink *self, const struct heard *heard)
{
    vidmm_handle handle = 0;
    switch (heard->event->kind) {
    case VIDMM_EVENT_PASS_OVER: handle = (vidmm_handle)tale_number(&heard->tale, "for"); break;
    case VIDMM_EVENT_SHORTAGE: handle = (vidmm_handle)tale_number(&heard->tale, "holder"); break;
    case VIDMM_EVENT_RENAME: handle = (vidmm_handle)tale_number(&heard->tale, "from"); break;
    case VIDMM_EVENT_EVICT: return self->seeker;
    default: return SCENE_NONE;
    }
    const struct known *known = objects_known(self, handle);
    return known ? known->index : SCENE_NONE;
}

static struct scene_event row_of(struct scene_sink *self, const struct heard *heard)
{
    const struct vidmm_event *event = heard->event;
    return (struct scene_event){
        .time = event->time,
        .seq = event->seq,
        .kind = (uint16_t)event->kind,
        .rule = (uint16_t)event->rule,
        .level = (uint8_t)narrate_level_of(event),
        .allocation = heard->allocation,
        .other = other_of(self, heard),
        .segment = objects_segment(self, tale_number(&heard->tale, "segment")),
        .statement = self->statement,
        .sentence = texts_add(self, text_get(&self->sentence)),
    };
}

static void hold(struct scene_sink *self, const struct heard *heard)
{
    const struct scene_event row = row_of(self, heard);
    self->seeker = heard->event->kind == VIDMM_EVENT_PASS_OVER ? row.other : row.allocation;
    BASE_GROW(self->held, self->held_capacity, self->held_count + 1);
    self->held[self->held_count++] = row;
}

void events_add(struct scene_sink *self, struct heard *heard)
{
    const struct vidmm_event *event = heard->event;
    bool kept = is_kept(self, event);
    heard->row = SCENE_NONE;
    if (narrate_level(event->kind) == NARRATE_CALLS && !kept) {
        self->scene.omitted.events[event->kind] += self->options.calls;
        return;
    }
    text_clear(&self->sentence);
    narrate(&self->narrator, event, &self->sentence);
    if (!kept) {
        self->scene.omitted.events[event->kind]++;
        return;
    }
    if (of_trail(event->kind)) {
        hold(self, heard);
        return;
    }
    struct scene_event row = row_of(self, heard);
    if (is_decision(event->kind)) {
        row.trail = (uint32_t)self->held_count;
        events_release_trail(self);
    }
    heard->row = append(self, &row);
}
