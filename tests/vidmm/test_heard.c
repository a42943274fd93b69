/* SPDX-License-Identifier: MIT */
/* test_heard.c: nothing that the manager does depends on who listens. */
#include "tests/support/mock_adapter.h"
#include "tests/support/unit.h"
#include "vidmm/base/base.h"
#include "vidmm/vidmm_host.h"

enum { PAGES = MOCK_SEGMENT_BYTES / MOCK_PAGE, MORE = 16 };

/* Allocations of so many sizes, one after the other, more than the memory holds; the work of all
   page-ins. */
static uint64_t work_of_evictions(int sizes, const bool kinds[VIDMM_EVENT_KINDS])
{
    struct mock_adapter mock;
    mock_adapter_init(&mock, VIDMM_WDDM_1_3);
    mock.observer.kinds = kinds;
    mock_adapter_start(&mock);
    uint64_t before = vidmm_host_worked();
    for (int i = 0; i < PAGES + MORE; i++) {
        struct vidmm_mock_allocation wish = mock_wish((uint64_t)(1 + i % sizes) * MOCK_PAGE);
        vidmm_handle handle;
        wish.read_set = wish.write_set = 1;
        assert_int_equal(mock_allocate(&mock, &wish, &handle), STATUS_SUCCESS);
        assert_int_equal(vidmm_page_in(mock.adapter, handle, false), STATUS_SUCCESS);
    }
    uint64_t work = vidmm_host_worked() - before;
    assert_int_equal(mock.events[VIDMM_EVENT_TURN] > MORE, kinds && kinds[VIDMM_EVENT_TURN]);
    mock_adapter_stop(&mock);
    return work;
}

/* A listener is told who would be next; only a plan that needs the next one looks at it. */
static void listeners_to_turns_cost_no_work(void **state)
{
    static bool all[VIDMM_EVENT_KINDS];
    (void)state;
    for (int kind = 0; kind < VIDMM_EVENT_KINDS; kind++)
        all[kind] = true;
    /* Of one size, one leaves for each that comes; otherwise several may. */
    for (int sizes = 1; sizes <= 7; sizes += 2)
        assert_int_equal(work_of_evictions(sizes, all), work_of_evictions(sizes, NULL));
}

static uint64_t next_ones; /* what the events turn say of the ones after */

static void remember(struct vidmm_observer *self, const struct vidmm_event *event)
{
    (void)self;
    for (size_t i = 0; event->kind == VIDMM_EVENT_TURN && i < event->field_count; i++)
        next_ones = next_ones * 31 + event->fields[i].value;
}

static uint64_t turns_heard(const bool kinds[VIDMM_EVENT_KINDS])
{
    struct mock_adapter mock;
    mock_adapter_init(&mock, VIDMM_WDDM_1_3);
    mock.observer.kinds = kinds;
    mock.observer.on_event = remember;
    next_ones = 1;
    mock_adapter_start(&mock);
    for (int i = 0; i < PAGES / 2; i++) {
        struct vidmm_mock_allocation wish = mock_wish((uint64_t)(1 + i % 5) * MOCK_PAGE);
        vidmm_handle handle;
        wish.read_set = wish.write_set = 1;
        assert_int_equal(mock_allocate(&mock, &wish, &handle), STATUS_SUCCESS);
        assert_int_equal(vidmm_page_in(mock.adapter, handle, false), STATUS_SUCCESS);
    }
    mock_adapter_stop(&mock);
    return next_ones;
}

static void a_turn_is_told_alike_to_who_hears_nothing_else(void **state)
{
    static const bool turns[VIDMM_EVENT_KINDS] = { [VIDMM_EVENT_TURN] = true };
    static const bool both[VIDMM_EVENT_KINDS] = {
        [VIDMM_EVENT_TURN] = true, [VIDMM_EVENT_PASS_OVER] = true
    };
    (void)state;
    uint64_t heard = turns_heard(both);
    assert_int_not_equal(heard, 1);
    assert_int_equal(turns_heard(turns), heard);
}

struct cost {
    vidmm_ns time;
    uint64_t calls;  /* events about them */
    uint64_t checks; /* of the state, after each call */
};

static struct cost cost_of_submission(const bool kinds[VIDMM_EVENT_KINDS])
{
    struct mock_adapter mock;
    mock_adapter_init(&mock, VIDMM_WDDM_1_3);
    mock.observer.kinds = kinds;
    mock.config.settings.value[VIDMM_SETTING_CHECKED] = 1;
    mock_adapter_start(&mock);
    const struct vidmm_use uses[] = { { .allocation = mock_make(&mock) },
                                      { .allocation = mock_make(&mock), .write = true } };
    const struct vidmm_patch patches[] = { { .allocation_index = 0 },
                                           { .allocation_index = 1, .patch_offset = 8 } };
    const struct vidmm_work lists = { .uses = uses,
                                      .use_count = ARRAY_COUNT(uses),
                                      .patches = patches,
                                      .patch_count = ARRAY_COUNT(patches) };
    const struct vidmm_mock_command command = { .cost_ns = 1000 };
    assert_int_equal(mock_submit(&mock, lists, command, NULL), STATUS_SUCCESS);
    const struct vidmm_present_args present = { .context = mock.context,
                                                .destination = uses[1].allocation };
    struct vidmm_submission submission;
    assert_int_equal(vidmm_present(mock.adapter, &present, &submission), STATUS_SUCCESS);
    assert_int_equal(vidmm_wait_idle(mock.adapter), STATUS_SUCCESS);
    const struct cost cost = { vidmm_now(mock.adapter), mock.events[VIDMM_EVENT_DRIVER_CALL],
                               vidmm_counter(mock.adapter, VIDMM_COUNTER_SELF_CHECKS) };
    mock_adapter_stop(&mock);
    return cost;
}

static void a_submission_costs_as_much_when_nobody_listens(void **state)
{
    static const bool nothing[VIDMM_EVENT_KINDS];
    (void)state;
    const struct cost heard = cost_of_submission(NULL), unheard = cost_of_submission(nothing);
    assert_true(heard.calls > 0);
    assert_int_equal(unheard.calls, 0);
    assert_int_equal(unheard.time, heard.time);
    assert_int_equal(unheard.checks, heard.checks);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(listeners_to_turns_cost_no_work),
        cmocka_unit_test(a_turn_is_told_alike_to_who_hears_nothing_else),
        cmocka_unit_test(a_submission_costs_as_much_when_nobody_listens),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
