/* SPDX-License-Identifier: MIT */
/* timeline.c: a binary heap of timers; each knows its place, so cancelling needs no search. */
#include "paging/time/timeline.h"

/* TIME-015. Never true both ways round: arming numbers are unique. */
static bool fires_before(const struct timer *a, const struct timer *b)
{
    if (a->due != b->due)
        return a->due < b->due;
    if (a->class != b->class)
        return a->class < b->class;
    if (a->node != b->node)
        return a->node < b->node;
    if (a->fence != b->fence)
        return a->fence < b->fence;
    return a->seq < b->seq;
}

static void timeline_put(struct timeline *timeline, size_t index, struct timer *timer)
{
    timeline->heap[index] = timer;
    timer->slot = index + 1;
}

/* Moves the hole at `index` towards the root as far as `timer` wants to go. */
static size_t rise(struct timeline *timeline, size_t index, const struct timer *timer)
{
    while (index > 0) {
        size_t parent = (index - 1) / 2;
        if (!fires_before(timer, timeline->heap[parent]))
            break;
        timeline_put(timeline, index, timeline->heap[parent]);
        index = parent;
    }
    return index;
}

static size_t sink(struct timeline *timeline, size_t index, const struct timer *timer)
{
    for (;;) {
        size_t child = 2 * index + 1;
        if (child >= timeline->count)
            return index;
        if (child + 1 < timeline->count &&
            fires_before(timeline->heap[child + 1], timeline->heap[child]))
            child++;
        if (!fires_before(timeline->heap[child], timer))
            return index;
        timeline_put(timeline, index, timeline->heap[child]);
        index = child;
    }
}

void timeline_fini(struct timeline *timeline)
{
    for (size_t i = 0; i < timeline->count; i++)
        timeline->heap[i]->slot = 0;
    base_free(timeline->heap);
}

void timeline_arm(struct timeline *timeline, struct timer *timer, vidmm_ns due)
{
    CHECK(due >= timeline->now);
    CHECK(timer->fire);
    if (timer->slot)
        timeline_cancel(timeline, timer);
    timer->due = due;
    timer->seq = timeline->armings++;
    BASE_GROW(timeline->heap, timeline->capacity, timeline->count + 1);
    timeline_put(timeline, rise(timeline, timeline->count++, timer), timer);
}

void timeline_cancel(struct timeline *timeline, struct timer *timer)
{
    if (!timer->slot)
        return;
    size_t index = timer->slot - 1;
    CHECK(index < timeline->count && timeline->heap[index] == timer);
    timer->slot = 0;
    struct timer *last = timeline->heap[--timeline->count];
    if (last == timer)
        return;
    /* The last timer fills the hole: at most one of the two moves does anything. */
    index = rise(timeline, index, last);
    timeline_put(timeline, sink(timeline, index, last), last);
}

bool timeline_next_due(const struct timeline *timeline, vidmm_ns *due)
{
    if (!timeline->count)
        return false;
    *due = timeline->heap[0]->due;
    return true;
}

bool timeline_step(struct timeline *timeline)
{
    CHECK(!timeline->firing);
    if (!timeline->count)
        return false;
    base_work(1);
    struct timer *timer = timeline->heap[0];
    timeline_cancel(timeline, timer);
    CHECK(timer->due >= timeline->now);
    timeline->now = timer->due;
    timeline->firing = true;
    timer->fire(timer, timer->context);
    timeline->firing = false;
    return true;
}

void timeline_run_until(struct timeline *timeline, vidmm_ns when)
{
    CHECK(when >= timeline->now);
    vidmm_ns due;
    while (timeline_next_due(timeline, &due) && due <= when)
        timeline_step(timeline);
    timeline->now = when;
}
