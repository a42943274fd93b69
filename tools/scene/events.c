/* SPDX-License-Identifier: MIT */
/*
 * events.c: the list of events, with sentences, and the trail of each decision before it.
 *
 * The manager tells what a decision looked at on the way to it, so rows of a trail are held until
 * the decision comes. Those that none follows until the next statement stand there as rows of their
 * own.
 */
#include "tools/scene/scene_state.h"

#include <inttypes.h>
#include <string.h>

/* Which resident stays, or whose turn it is: `for` says who looks for room. */
static bool is_of_resident(enum vidmm_event_kind kind)
{
    return kind == VIDMM_EVENT_PASS_OVER || kind == VIDMM_EVENT_TURN;
}

bool events_of_trail(enum vidmm_event_kind kind)
{
    return kind == VIDMM_EVENT_CANDIDATE || kind == VIDMM_EVENT_HOLE ||
           kind == VIDMM_EVENT_PASS_OVER || kind == VIDMM_EVENT_TURN ||
           kind == VIDMM_EVENT_SHORTAGE;
}

static bool is_decision(enum vidmm_event_kind kind)
{
    return kind == VIDMM_EVENT_PLACE || kind == VIDMM_EVENT_EVICT || kind == VIDMM_EVENT_LOST ||
           kind == VIDMM_EVENT_REFUSE || kind == VIDMM_EVENT_SPLIT;
}

static bool is_kept(const struct scene_sink *self, const struct heard *heard)
{
    enum vidmm_event_kind kind = heard->event->kind;
    if (narrate_level(kind) == NARRATE_CALLS && !self->options.calls)
        return false;
    return self->scene.event_count + self->held_count < self->options.most_events &&
           thin_rank(self, kind, heard->allocation) >= self->least_event;
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
    self->held_more = 0;
}

static scene_index other_of(struct scene_sink *self, const struct heard *heard)
{
    vidmm_handle handle = 0;
    switch (heard->event->kind) {
    case VIDMM_EVENT_PASS_OVER:
    case VIDMM_EVENT_TURN: handle = (vidmm_handle)tale_number(&heard->tale, "for"); break;
    case VIDMM_EVENT_SHORTAGE: handle = (vidmm_handle)tale_number(&heard->tale, "holder"); break;
    case VIDMM_EVENT_RENAME: handle = (vidmm_handle)tale_number(&heard->tale, "from"); break;
    case VIDMM_EVENT_EVICT: return self->seeker;
    default: return SCENE_NONE;
    }
    const struct known *known = objects_known(self, handle);
    return known ? known->index : SCENE_NONE;
}

/* Of a search in which others may leave; 0: it is none. */
static uint8_t pass_of(const struct heard *heard)
{
    bool searched =
        heard->event->kind == VIDMM_EVENT_CANDIDATE && !tale_is(&heard->tale, "result", "free");
    return searched ? (uint8_t)tale_number(&heard->tale, "pass") : 0;
}

/* What a page says in words of its own. `text` is room for it. */
static const char *facts_of(const struct heard *heard, struct text *text)
{
    const struct vidmm_event *event = heard->event;
    text_clear(text);
    for (size_t i = 0; i < event->field_count && is_of_resident(event->kind); i++) {
        const struct vidmm_field *field = &event->fields[i];
        if (field->kind == VIDMM_FIELD_WORD || field->kind == VIDMM_FIELD_TEXT)
            text_add(text, "%s=%s\n", field->name, field->text);
        else if (field->kind == VIDMM_FIELD_BYTES || field->kind == VIDMM_FIELD_NUMBER)
            text_add(text, "%s=%" PRIu64 "\n", field->name, field->value);
    }
    return text_get(text);
}

/* That content is lost counts more than why it has to leave. */
static uint16_t rule_of(const struct heard *heard)
{
    if (tale_is(&heard->tale, "via", "lost"))
        return (uint16_t)vidmm_rule_by_id(tale_word(&heard->tale, "way"));
    return (uint16_t)heard->event->rule;
}

static struct scene_event row_of(struct scene_sink *self, const struct heard *heard)
{
    const struct vidmm_event *event = heard->event;
    const scene_text sentence = texts_add(self, text_get(&self->sentence));
    return (struct scene_event){
        .time = event->time,
        .seq = event->seq,
        .kind = (uint16_t)event->kind,
        .rule = rule_of(heard),
        .level = (uint8_t)narrate_level_of(event),
        .pass = pass_of(heard),
        .allocation = heard->allocation,
        .other = other_of(self, heard),
        .segment = objects_segment(self, tale_number(&heard->tale, "segment")),
        .statement = self->statement,
        .sentence = sentence,
        .facts = texts_add(self, facts_of(heard, &self->sentence)),
    };
}

/* A search may meet thousands of holes, and a plan as many victims: of these the first are kept,
   and the hole that was taken, or the largest one. */
static bool is_one_too_many(const struct scene_sink *self, const struct heard *heard)
{
    enum { LOOKED_AT_MOST = 64 };
    bool one_of_many =
        heard->event->kind == VIDMM_EVENT_HOLE || heard->event->kind == VIDMM_EVENT_PASS_OVER;
    return self->held_count >= LOOKED_AT_MOST && one_of_many &&
           !tale_is(&heard->tale, "result", "taken") && !tale_number(&heard->tale, "largest");
}

static void hold(struct scene_sink *self, const struct heard *heard)
{
    const struct scene_event row = row_of(self, heard);
    self->seeker = is_of_resident(heard->event->kind) ? row.other : row.allocation;
    BASE_GROW(self->held, self->held_capacity, self->held_count + 1);
    self->held[self->held_count++] = row;
}

static void count_out(struct scene_sink *self, enum vidmm_event_kind kind)
{
    bool wanted = narrate_level(kind) != NARRATE_CALLS || self->options.calls;
    self->scene.omitted.events[kind] += wanted;
    self->held_more += events_of_trail(kind);
}

bool events_pass_by(struct scene_sink *self, enum vidmm_event_kind kind)
{
    bool looked_at = kind == VIDMM_EVENT_HOLE || is_of_resident(kind);
    bool call = kind == VIDMM_EVENT_DRIVER_CALL || kind == VIDMM_EVENT_PATCH_LOCATION;
    if ((looked_at && thin_rank(self, kind, SCENE_NONE) < self->least_event) ||
        (call && !self->options.calls)) {
        count_out(self, kind);
        return true;
    }
    return false;
}

/* That of a decision which is not kept: the next one has a trail of its own. */
static void drop_trail(struct scene_sink *self)
{
    for (size_t i = 0; i < self->held_count; i++)
        self->scene.omitted.events[self->held[i].kind]++;
    self->held_count = 0;
    self->held_more = 0;
}

/* Nobody looks for a place any more. */
static void settle_seeker(struct scene_sink *self, enum vidmm_event_kind kind)
{
    if (kind == VIDMM_EVENT_PLACE || kind == VIDMM_EVENT_REFUSE)
        self->seeker = SCENE_NONE;
}

/* It is not kept; the narrator may have to know. */
static void leave_out(struct scene_sink *self, const struct heard *heard)
{
    enum vidmm_event_kind kind = heard->event->kind;
    count_out(self, kind);
    if (kind == VIDMM_EVENT_CANDIDATE)
        self->seeker = heard->allocation;
    if (is_decision(kind))
        drop_trail(self);
    settle_seeker(self, kind);
    if (!narrate_remembers(heard->event))
        return;
    text_clear(&self->sentence);
    narrate(&self->narrator, heard->event, &self->sentence);
}

void events_add(struct scene_sink *self, struct heard *heard)
{
    const struct vidmm_event *event = heard->event;
    bool trail = events_of_trail(event->kind);
    heard->row = SCENE_NONE;
    if (!is_kept(self, heard) || (trail && is_one_too_many(self, heard))) {
        leave_out(self, heard);
        return;
    }
    text_clear(&self->sentence);
    narrate(&self->narrator, event, &self->sentence);
    if (trail) {
        hold(self, heard);
        return;
    }
    struct scene_event row = row_of(self, heard);
    if (is_decision(event->kind)) {
        row.trail = (uint32_t)self->held_count;
        row.trail_more = self->held_more;
        events_release_trail(self);
    }
    heard->row = append(self, &row);
    settle_seeker(self, event->kind);
}
