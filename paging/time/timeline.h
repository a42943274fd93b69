/* SPDX-License-Identifier: MIT */
/*
 * timeline.h: virtual time, and what is going to happen in it.
 *
 * `now` counts nanoseconds since the adapter started (TIME-001); it moves only in timeline_step()
 * and timeline_run_until(), never by itself. A zeroed struct is a timeline at time 0.
 *
 * A timer is embedded in whatever is due; its owner fills the public members, keeps it alive while
 * it is armed and may arm it again from its own fire(). Timers fire in the order of TIME-015: due
 * time, then class, then node, then fence number; what is equal in all of these fires in the order
 * of arming. Arming allocates nothing per timer.
 *
 * fire() may arm and cancel timers but may not move time: a completion books, it never waits.
 * Time does not wrap: sums that leave 64 bits end at TIMELINE_END, and the manager decides what a
 * run that gets there means.
 */
#ifndef PAGING_TIMELINE_H
#define PAGING_TIMELINE_H

#include "vidmm/base/base.h"
#include "vidmm/vidmm_types.h"

#define TIMELINE_END UINT64_MAX

enum timer_class { TIMER_COMPLETION, TIMER_PREEMPTION, TIMER_OTHER };

struct timer {
    vidmm_ns due; /* set by timeline_arm() */
    enum timer_class class;
    uint32_t node;
    uint64_t fence;
    void (*fire)(struct timer *timer, void *context);
    void *context;
    /* private */
    uint64_t seq;
    size_t slot; /* place in the heap plus one; 0 while not armed */
};

struct timeline {
    vidmm_ns now;
    /* private */
    struct timer **heap;
    size_t count, capacity;
    uint64_t armings;
    bool firing;
};

/* Forgets all timers and frees the heap; the timers themselves belong to others. */
void timeline_fini(struct timeline *timeline);

/* `due` may be now, not earlier. An armed timer is cancelled before it is armed anew. */
void timeline_arm(struct timeline *timeline, struct timer *timer, vidmm_ns due);
/* Nothing happens to a timer that is not armed. */
void timeline_cancel(struct timeline *timeline, struct timer *timer);

/* False, and *due untouched, when nothing is going to happen any more. */
bool timeline_next_due(const struct timeline *timeline, vidmm_ns *due);
/* Moves time to the next timer and fires it; false when there is none. */
bool timeline_step(struct timeline *timeline);
/* Fires in order everything due up to `when`, what is armed meanwhile included; then now = when. */
void timeline_run_until(struct timeline *timeline, vidmm_ns when);

static inline bool timeline_armed(const struct timer *timer)
{
    return timer->slot != 0;
}

/* now + ns, or TIMELINE_END. */
static inline vidmm_ns timeline_after(const struct timeline *timeline, vidmm_ns ns)
{
    return ns > TIMELINE_END - timeline->now ? TIMELINE_END : timeline->now + ns;
}

#endif
