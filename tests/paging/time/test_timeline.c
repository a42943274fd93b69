/* SPDX-License-Identifier: MIT */
/* test_timeline.c: the order of what happens, TIME-001, TIME-014, TIME-015. */
#include <string.h>

#include "paging/time/timeline.h"
#include "tests/support/unit.h"
#include "vidmm/vidmm_host.h"

enum { LOG_MAX = 64 };

struct log {
    struct timeline timeline;
    const struct timer *fired[LOG_MAX];
    vidmm_ns at[LOG_MAX];
    size_t count;
    /* what note_and_act() does besides noting */
    struct timer *arm, *cancel;
    vidmm_ns arm_after;
};

static void note(struct timer *timer, void *context)
{
    struct log *log = context;
    assert_false(timeline_armed(timer));
    assert_true(log->count < LOG_MAX);
    log->fired[log->count] = timer;
    log->at[log->count++] = log->timeline.now;
}

static void note_and_act(struct timer *timer, void *context)
{
    struct log *log = context;
    note(timer, context);
    if (log->cancel)
        timeline_cancel(&log->timeline, log->cancel);
    if (log->arm)
        timeline_arm(&log->timeline, log->arm, timeline_after(&log->timeline, log->arm_after));
    log->arm = NULL;
}

static struct timer noting(struct log *log)
{
    return (struct timer){ .class = TIMER_OTHER, .fire = note, .context = log };
}

static void empty_timeline_has_nothing_to_do(void **state)
{
    (void)state;
    struct timeline timeline = { 0 };
    vidmm_ns due = 77;
    assert_false(timeline_next_due(&timeline, &due));
    assert_int_equal(due, 77);
    assert_false(timeline_step(&timeline));
    assert_int_equal(timeline.now, 0);
    timeline_run_until(&timeline, 1000);
    assert_int_equal(timeline.now, 1000);
    timeline_fini(&timeline);
}

/* One row per timer, in the order in which they have to fire. */
static void simultaneous_timers_follow_the_rule(void **state)
{
    (void)state;
    static const struct timer order[] = {
        { .due = 5, .class = TIMER_OTHER, .node = 9, .fence = 9 },
        { .due = 10, .class = TIMER_COMPLETION, .node = 0, .fence = 8 },
        { .due = 10, .class = TIMER_COMPLETION, .node = 1, .fence = 2 },
        { .due = 10, .class = TIMER_COMPLETION, .node = 1, .fence = 3 },
        { .due = 10, .class = TIMER_PREEMPTION, .node = 0, .fence = 1 },
        { .due = 10, .class = TIMER_PREEMPTION, .node = 2, .fence = 1 },
        { .due = 10, .class = TIMER_OTHER, .node = 0, .fence = 0 },
        { .due = 10, .class = TIMER_OTHER, .node = 0, .fence = 5 },
        { .due = 11, .class = TIMER_COMPLETION, .node = 0, .fence = 0 },
    };
    enum { COUNT = ARRAY_COUNT(order) };
    /* Steps through the rows that are coprime with their number give every row first once. */
    static const size_t strides[] = { 1, 2, 4, 5, 7, 8 };
    for (size_t i = 0; i < ARRAY_COUNT(strides) * COUNT; i++) {
        struct log log = { 0 };
        struct timer timers[COUNT];
        for (size_t k = 0; k < COUNT; k++) {
            timers[k] = order[k];
            timers[k].fire = note;
            timers[k].context = &log;
        }
        for (size_t k = 0; k < COUNT; k++) {
            struct timer *timer = &timers[(i / 6 + k * strides[i % 6]) % COUNT];
            timeline_arm(&log.timeline, timer, timer->due);
        }
        uint64_t worked = vidmm_host_worked();
        while (timeline_step(&log.timeline))
            continue;
        assert_int_equal(vidmm_host_worked() - worked, COUNT); /* so that what repeats ends */
        assert_int_equal(log.count, COUNT);
        for (size_t k = 0; k < COUNT; k++) {
            assert_ptr_equal(log.fired[k], &timers[k]);
            assert_int_equal(log.at[k], order[k].due);
        }
        timeline_fini(&log.timeline);
    }
}

static void equal_timers_fire_in_the_order_of_arming(void **state)
{
    (void)state;
    struct log log = { 0 };
    struct timer timers[20];
    for (size_t i = 0; i < 20; i++)
        timers[i] = noting(&log);
    for (size_t i = 0; i < 20; i++)
        timeline_arm(&log.timeline, &timers[i * 7 % 20], 3);
    timeline_arm(&log.timeline, &timers[0], 3); /* armed anew: now the last */
    timeline_run_until(&log.timeline, 3);
    assert_int_equal(log.count, 20);
    for (size_t i = 1; i < 20; i++)
        assert_ptr_equal(log.fired[i - 1], &timers[i * 7 % 20]);
    assert_ptr_equal(log.fired[19], &timers[0]);
    timeline_fini(&log.timeline);
}

static void run_until_includes_its_end_and_nothing_behind(void **state)
{
    (void)state;
    struct log log = { 0 };
    struct timer early = noting(&log), last = noting(&log), late = noting(&log);
    timeline_arm(&log.timeline, &late, 101);
    timeline_arm(&log.timeline, &last, 100);
    timeline_arm(&log.timeline, &early, 40);
    timeline_run_until(&log.timeline, 100);
    assert_int_equal(log.count, 2);
    assert_int_equal(log.at[0], 40);
    assert_int_equal(log.at[1], 100);
    assert_int_equal(log.timeline.now, 100);
    vidmm_ns due = 0;
    assert_true(timeline_next_due(&log.timeline, &due));
    assert_int_equal(due, 101);
    assert_true(timeline_armed(&late));
    timeline_fini(&log.timeline);
    assert_false(timeline_armed(&late));
}

static void fire_may_arm_and_cancel(void **state)
{
    (void)state;
    struct log log = { 0 };
    struct timer first = noting(&log), victim = noting(&log);
    first.fire = note_and_act;
    log.arm = &first;
    log.arm_after = 10;
    log.cancel = &victim;
    timeline_arm(&log.timeline, &victim, 5);
    timeline_arm(&log.timeline, &first, 4);
    timeline_run_until(&log.timeline, 50);
    assert_int_equal(log.count, 2); /* itself twice, the other never */
    assert_ptr_equal(log.fired[1], &first);
    assert_int_equal(log.at[1], 14);

    /* Armed for this very moment: still inside the same run. */
    log.arm = &victim;
    log.arm_after = 0;
    log.cancel = NULL;
    timeline_arm(&log.timeline, &first, 60);
    timeline_run_until(&log.timeline, 60);
    assert_int_equal(log.count, 4);
    assert_ptr_equal(log.fired[3], &victim);
    assert_int_equal(log.at[3], 60);
    timeline_fini(&log.timeline);
}

static void time_ends_instead_of_wrapping(void **state)
{
    (void)state;
    struct log log = { .timeline = { .now = TIMELINE_END - 10 } };
    assert_int_equal(timeline_after(&log.timeline, 10), TIMELINE_END);
    assert_int_equal(timeline_after(&log.timeline, 9), TIMELINE_END - 1);
    assert_int_equal(timeline_after(&log.timeline, 11), TIMELINE_END);
    assert_int_equal(timeline_after(&log.timeline, TIMELINE_END), TIMELINE_END);
    struct timer timer = noting(&log);
    timeline_arm(&log.timeline, &timer, TIMELINE_END);
    assert_true(timeline_step(&log.timeline));
    assert_int_equal(log.timeline.now, TIMELINE_END);
    timeline_fini(&log.timeline);
}

static uint64_t next_random(uint64_t *random)
{
    *random ^= *random << 13;
    *random ^= *random >> 7;
    *random ^= *random << 17;
    return *random;
}

struct crowd {
    struct timeline timeline;
    struct timer timers[200];
    struct timer before; /* the one that fired last */
    size_t fired;
};

static void compare_with_the_last(struct timer *timer, void *context)
{
    struct crowd *crowd = context;
    const struct timer *before = &crowd->before;
    assert_int_equal(timer->due, crowd->timeline.now);
    assert_true(timer->due >= before->due);
    if (crowd->fired && timer->due == before->due) {
        assert_true(timer->class >= before->class);
        if (timer->class == before->class)
            assert_true(timer->node >= before->node);
    }
    for (size_t i = 0; i < 200; i++)
        assert_true(!timeline_armed(&crowd->timers[i]) ||
                    crowd->timers[i].due >= crowd->timeline.now);
    crowd->before = *timer;
    crowd->fired++;
}

/* Arms for later than now, so that the order of one instant is complete when it comes. */
static void random_arming_keeps_the_order(void **state)
{
    (void)state;
    static struct crowd crowd;
    uint64_t random = 20240611;
    for (size_t i = 0; i < 200; i++)
        crowd.timers[i] = (struct timer){ .fire = compare_with_the_last, .context = &crowd };
    size_t expected = 0, armed = 0;
    for (int i = 0; i < 30000; i++) {
        struct timer *timer = &crowd.timers[next_random(&random) % 200];
        uint64_t action = next_random(&random) % 8;
        if (action < 4) {
            armed += timeline_armed(timer) ? 0 : 1;
            timeline_cancel(&crowd.timeline, timer);
            timer->class = (enum timer_class)(next_random(&random) % 3);
            timer->node = (uint32_t)(next_random(&random) % 4);
            timeline_arm(&crowd.timeline, timer,
                         crowd.timeline.now + 1 + next_random(&random) % 30);
        } else if (action < 6) {
            armed -= timeline_armed(timer) ? 1 : 0;
            timeline_cancel(&crowd.timeline, timer);
        } else if (timeline_step(&crowd.timeline)) {
            expected++;
            armed--;
        }
        assert_int_equal(crowd.fired, expected);
        assert_int_equal(crowd.timeline.count, armed);
    }
    assert_true(crowd.fired > 1000);
    timeline_fini(&crowd.timeline);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(empty_timeline_has_nothing_to_do),
        cmocka_unit_test(simultaneous_timers_follow_the_rule),
        cmocka_unit_test(equal_timers_fire_in_the_order_of_arming),
        cmocka_unit_test(run_until_includes_its_end_and_nothing_behind),
        cmocka_unit_test(fire_may_arm_and_cancel),
        cmocka_unit_test(time_ends_instead_of_wrapping),
        cmocka_unit_test(random_arming_keeps_the_order),
    };
    return cmocka_run_group_tests_name("timeline", tests, NULL, NULL);
}
