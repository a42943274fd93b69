/* SPDX-License-Identifier: MIT */
/*
 * counters.c: values over time: what each segment holds, what was copied, how long the CPU waited.
 *
 * A value is asked of the adapter after the events that change it, and a point is a change. While
 * an act goes on its points are here, a list for each counter; at its end they become rows.
 */
#include "tools/scene/scene_state.h"

enum counter_kind {
    COUNTER_USED,
    COUNTER_FREE,
    COUNTER_LARGEST,
    COUNTER_PINNED,
    COUNTER_FRAGMENTATION,
    COUNTERS_OF_SEGMENT
};

/* ---- points --------------------------------------------------------------------------------- */

static void add_live(struct scene_sink *self, scene_text name, const char *unit,
                     scene_index segment)
{
    BASE_GROW(self->live, self->live_capacity, self->live_count + 1);
    self->live[self->live_count++] =
        (struct live_counter){ .row = { name, texts_add(self, unit), segment, 0, 0 } };
}

/* Of the points in a span of time, the one with the largest value and the last. */
static void thin_counter(struct scene_sink *self, struct live_counter *counter, vidmm_ns span)
{
    struct scene_point *points = counter->points;
    size_t kept = 0;
    for (size_t i = 0, next; i < counter->count; i = next) {
        size_t most = i;
        for (next = i; next < counter->count && points[next].time / span == points[i].time / span;
             next++)
            if (points[next].value > points[most].value)
                most = next;
        points[kept++] = points[most];
        if (most != next - 1)
            points[kept++] = points[next - 1];
    }
    self->scene.omitted.points += counter->count - kept;
    self->live_points -= counter->count - kept;
    counter->count = kept;
}

/* Ever longer spans, until half of the room is free. */
static void thin_points(struct scene_sink *self)
{
    enum { FIRST_SPAN = 1024 };
    uint64_t most = self->options.most_events;
    size_t room = most - min_u64(most, self->scene.point_count);
    while (self->live_points > room / 2 && self->live_span < UINT64_MAX / 2) {
        self->live_span = self->live_span ? 2 * self->live_span : FIRST_SPAN;
        for (size_t i = 0; i < self->live_count; i++)
            thin_counter(self, &self->live[i], self->live_span);
    }
}

/* The newest row of the act. */
static scene_index last_event(const struct scene_sink *self)
{
    const struct scene *scene = &self->scene;
    bool any = scene->event_count > scene->acts[scene->act_count - 1].events.first;
    return any ? (scene_index)(scene->event_count - 1) : SCENE_NONE;
}

/* The last value of a moment after an event is the one that holds. */
static void set_value(struct scene_sink *self, struct live_counter *counter, uint64_t value)
{
    struct scene_point *last = counter->count ? &counter->points[counter->count - 1] : NULL;
    if (last && last->value == value)
        return;
    scene_index event = last_event(self);
    if (last && last->time == self->now && last->event == event) {
        last->value = value;
        return;
    }
    if (self->scene.point_count + self->live_points >= self->options.most_events)
        thin_points(self);
    BASE_GROW(counter->points, counter->capacity, counter->count + 1);
    counter->points[counter->count++] = (struct scene_point){ self->now, value, event };
    self->live_points++;
}

/* ---- segments ------------------------------------------------------------------------------- */

/* In thousandths: 1 - largest / free. */
static uint64_t fragmentation(const struct vidmm_segment_view *view)
{
    uint64_t most = view->free_bytes >> 20 ? view->free_bytes >> 20 : view->free_bytes;
    uint64_t largest = view->free_bytes >> 20 ? view->largest_free >> 20 : view->largest_free;
    return most ? 1000 - largest * 1000 / most : 0;
}

static void look_at_segment(struct scene_sink *self, scene_index segment)
{
    struct vidmm_segment_view view;
    const struct scene *scene = &self->scene;
    if (segment == SCENE_NONE || !self->adapter ||
        !vidmm_segment_view(self->adapter, scene->segments[segment].id, &view))
        return;
    size_t first = self->segment_counters[scene->segments[segment].id];
    const uint64_t values[COUNTERS_OF_SEGMENT] = {
        [COUNTER_USED] = view.used,
        [COUNTER_FREE] = view.free_bytes,
        [COUNTER_LARGEST] = view.largest_free,
        [COUNTER_PINNED] = view.pinned,
        [COUNTER_FRAGMENTATION] = fragmentation(&view),
    };
    for (size_t i = 0; i < COUNTERS_OF_SEGMENT && first; i++)
        set_value(self, &self->live[first + i], values[i]);
}

static void add_segment(struct scene_sink *self, scene_index segment)
{
    static const struct {
        const char *name, *unit;
    } words[COUNTERS_OF_SEGMENT] = {
        [COUNTER_USED] = { "used", "bytes" },
        [COUNTER_FREE] = { "free", "bytes" },
        [COUNTER_LARGEST] = { "largest free block", "bytes" },
        [COUNTER_PINNED] = { "pinned", "bytes" },
        [COUNTER_FRAGMENTATION] = { "fragmentation", "permille" },
    };
    struct text name = { 0 };
    size_t *first = &self->segment_counters[self->scene.segments[segment].id];
    if (*first)
        return;
    *first = self->live_count;
    for (size_t i = 0; i < COUNTERS_OF_SEGMENT; i++) {
        text_clear(&name);
        text_add(&name, "%s %s", scene_string(&self->scene, self->scene.segments[segment].name),
                 words[i].name);
        add_live(self, texts_add(self, text_get(&name)), words[i].unit, segment);
    }
    text_free(&name);
}

/* ---- the adapter ---------------------------------------------------------------------------- */

static const struct {
    const char *name, *unit;
    enum vidmm_counter counter;
} of_adapter[] = {
    { "paged in", "bytes", VIDMM_COUNTER_BYTES_PAGED_IN },
    { "paged out", "bytes", VIDMM_COUNTER_BYTES_PAGED_OUT },
    { "stalled", "ns", VIDMM_COUNTER_STALL_NS },
};

static void look_at_adapter(struct scene_sink *self)
{
    if (!self->adapter || self->live_count < ARRAY_COUNT(of_adapter))
        return;
    for (size_t i = 0; i < ARRAY_COUNT(of_adapter); i++)
        set_value(self, &self->live[i], vidmm_counter(self->adapter, of_adapter[i].counter));
}

static void look_at_all(struct scene_sink *self)
{
    const struct scene *scene = &self->scene;
    for (size_t i = scene->acts[scene->act_count - 1].segments.first; i < scene->segment_count; i++)
        look_at_segment(self, (scene_index)i);
    look_at_adapter(self);
}

/* The segments were reported by now; one that starts again may report more. */
void counters_start(struct scene_sink *self)
{
    const struct scene *scene = &self->scene;
    for (size_t i = self->live_count; i < ARRAY_COUNT(of_adapter); i++)
        add_live(self, texts_add(self, of_adapter[i].name), of_adapter[i].unit, SCENE_NONE);
    for (size_t i = scene->acts[scene->act_count - 1].segments.first; i < scene->segment_count; i++)
        add_segment(self, (scene_index)i);
    look_at_all(self);
}

void counters_hear(struct scene_sink *self, const struct heard *heard)
{
    switch (heard->event->kind) {
    case VIDMM_EVENT_PLACE:
    case VIDMM_EVENT_UNPLACE:
    case VIDMM_EVENT_MAP:
    case VIDMM_EVENT_PIN:
    case VIDMM_EVENT_UNPIN:
    case VIDMM_EVENT_EVICT:
        look_at_segment(self, objects_segment(self, tale_number(&heard->tale, "segment")));
        break;
    case VIDMM_EVENT_SUBMIT:
    case VIDMM_EVENT_END:
    case VIDMM_EVENT_WAIT: look_at_adapter(self); break;
    case VIDMM_EVENT_PNP:
        if (self->adapter)
            counters_start(self);
        break;
    default: break;
    }
}

void counters_end(struct scene_sink *self)
{
    look_at_all(self);
    for (size_t i = 0; i < self->live_count; i++) {
        struct live_counter *live = &self->live[i];
        live->row.first = (scene_index)self->scene.point_count;
        live->row.count = (uint32_t)live->count;
        *SCENE_ADD(self, counters, counter_count) = live->row;
        for (size_t j = 0; j < live->count; j++)
            *SCENE_ADD(self, points, point_count) = live->points[j];
        base_free(live->points);
    }
    base_free(self->live);
    self->live = NULL;
    self->live_count = self->live_capacity = self->live_points = 0;
    self->live_span = 0;
    for (size_t i = 0; i < ARRAY_COUNT(self->segment_counters); i++)
        self->segment_counters[i] = 0;
}
