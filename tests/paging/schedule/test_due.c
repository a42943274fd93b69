/* SPDX-License-Identifier: MIT */
/*
 * test_due.c: what becomes due while the GPU works: deferred work whose allocation is gone
 * (TIME-016), timeouts while their detection changes (TDR-002), room in a queue that stays full
 * (SUBMIT-048), and the numbers of nodes that were not there before (SUBMIT-050).
 */
#include "paging/schedule/schedule_state.h"
#include "paging/store/store.h"
#include "tests/support/mock_front.h"
#include "tests/support/unit.h"
#include "vidmm/base/base.h"
#include "vidmm/ddi/ntstatus.h"
#include "vidmm/vidmm_accidents.h"

enum { MILLISECOND = 1000000, SECOND = 1000 * MILLISECOND, NOTES = 4 };

/* ---- deferred work
 * -------------------------------------------------------------------------- */

static struct {
    size_t count;
    const struct pageable *of[NOTES];
} done;

static vidmm_status note(adapter_t *adapter, const struct deferred_work *work)
{
    (void)adapter;
    assert_true(done.count < NOTES);
    done.of[done.count++] = work->allocation;
    return STATUS_SUCCESS;
}

static vidmm_status note_too(adapter_t *adapter, const struct deferred_work *work)
{
    return note(adapter, work);
}

static void work_goes_on_without_its_allocation(void **state)
{
    struct vidmm_mock_allocation wish = mock_wish(MOCK_PAGE);
    struct mock_adapter mock;
    struct pageable *gone, *kept;
    vidmm_handle handles[2];
    (void)state;
    mock_front_start(&mock, VIDMM_WDDM_1_1, mock_front_stand);
    assert_int_equal(mock_allocate(&mock, &wish, &handles[0]), 0);
    assert_int_equal(mock_allocate(&mock, &wish, &handles[1]), 0);
    gone = handle_object(mock.adapter, handles[0], VIDMM_OBJECT_ALLOCATION);
    kept = handle_object(mock.adapter, handles[1], VIDMM_OBJECT_ALLOCATION);
    done.count = 0;
    schedule_defer(mock.adapter, (struct deferred_work){ .run = note, .allocation = gone });
    schedule_defer(mock.adapter, (struct deferred_work){ .run = note, .allocation = kept });
    schedule_defer(mock.adapter, (struct deferred_work){ .run = note_too, .allocation = gone });
    schedule_deferred_forget(mock.adapter, note, gone);
    assert_true(schedule_deferred_names(mock.adapter, gone)); /* the other function still does */
    schedule_deferred_forget(mock.adapter, note_too, gone);
    assert_false(schedule_deferred_names(mock.adapter, gone));
    assert_true(schedule_deferred_names(mock.adapter, kept));
    assert_int_equal(schedule_deferred_now(mock.adapter), 0);
    assert_int_equal(done.count, 3);
    assert_null(done.of[0]);
    assert_ptr_equal(done.of[1], kept);
    assert_null(done.of[2]);
    assert_false(schedule_deferred_any(mock.adapter));
    mock_adapter_stop(&mock);
}

static vidmm_status note_and_fail(adapter_t *adapter, const struct deferred_work *work)
{
    (void)note(adapter, work);
    return STATUS_NO_MEMORY;
}

/* What failed is not tried again, what came behind it is done the next time. */
static void work_that_fails_leaves_what_comes_behind_it(void **state)
{
    struct mock_adapter mock;
    struct pageable *of[NOTES - 1];
    (void)state;
    mock_front_start(&mock, VIDMM_WDDM_1_1, mock_front_stand);
    done.count = 0;
    for (size_t i = 0; i < ARRAY_COUNT(of); i++) {
        of[i] = handle_object(mock.adapter, mock_make(&mock), VIDMM_OBJECT_ALLOCATION);
        schedule_defer(mock.adapter, (struct deferred_work){ .run = i ? note : note_and_fail,
                                                             .allocation = of[i] });
    }
    assert_int_equal(schedule_deferred_now(mock.adapter), STATUS_NO_MEMORY);
    assert_int_equal(done.count, 1);
    assert_false(schedule_deferred_names(mock.adapter, of[0]));
    assert_int_equal(schedule_deferred_now(mock.adapter), 0);
    assert_int_equal(done.count, ARRAY_COUNT(of));
    assert_memory_equal(done.of, of, sizeof of);
    mock_adapter_stop(&mock);
}

/* PAGE-011: a store that a fence has given up stays where it is needed again before it went. */
static void what_is_needed_again_before_it_goes_stays(void **state)
{
    struct mock_adapter mock;
    (void)state;
    mock_front_start(&mock, VIDMM_WDDM_1_1, mock_front_stand);
    struct pageable *a = handle_object(mock.adapter, mock_make(&mock), VIDMM_OBJECT_ALLOCATION);
    for (int needed = 1; needed >= 0; needed--) {
        assert_true(backing_populate(mock.adapter, a));
        backing_release_at_fence(mock.adapter, a);
        assert_true(!needed || backing_populate(mock.adapter, a));
        assert_int_equal(schedule_deferred_now(mock.adapter), 0);
        assert_int_equal(backing_of(a)->populated, needed);
    }
    mock_adapter_stop(&mock);
}

/* ---- timeouts
 * -------------------------------------------------------------------------------
 */

static void hang(struct mock_adapter *mock)
{
    const struct vidmm_mock_command command = { .flags = VIDMM_MOCK_COMMAND_HANG };
    const struct vidmm_work work = {
        .context = mock->context,
        .label = "hang",
        .command = &command,
        .command_bytes = sizeof command,
    };
    struct vidmm_submission submission;
    assert_int_equal(vidmm_submit(mock->adapter, &work, &submission), 0);
}

static void detect(struct mock_adapter *mock, uint64_t level)
{
    assert_int_equal(vidmm_set(mock->adapter, VIDMM_SETTING_TDR_LEVEL, level), 0);
}

static uint64_t resets(const struct mock_adapter *mock)
{
    return vidmm_counter(mock->adapter, VIDMM_COUNTER_TDR_ADAPTER);
}

/* What is watched already has been running since it began. */
static void detection_that_goes_on_starts_no_clock_again(void **state)
{
    struct mock_adapter mock;
    (void)state;
    mock_front_start(&mock, VIDMM_WDDM_1_1, mock_front_stand);
    hang(&mock);
    assert_int_equal(vidmm_advance(mock.adapter, 50 * MILLISECOND), 0);
    detect(&mock, 2);
    assert_int_equal(vidmm_wait_idle(mock.adapter), STATUS_DEVICE_REMOVED);
    assert_int_equal(resets(&mock), 1);
    assert_in_range(vidmm_now(mock.adapter), 2100 * (uint64_t)MILLISECOND,
                    2140 * (uint64_t)MILLISECOND);
    mock_adapter_stop(&mock);
}

static void detection_begins_on_every_node(void **state)
{
    struct mock_adapter mock;
    (void)state;
    mock_front_start(&mock, VIDMM_WDDM_1_1, mock_front_stand);
    detect(&mock, 0);
    assert_int_equal(vidmm_context_create(mock.adapter, "far", mock.device, 1, &mock.context), 0);
    hang(&mock);
    assert_int_equal(vidmm_advance(mock.adapter, 50 * MILLISECOND), 0);
    detect(&mock, 3);
    assert_int_equal(vidmm_wait_idle(mock.adapter), STATUS_DEVICE_REMOVED);
    assert_int_equal(resets(&mock), 1);
    mock_adapter_stop(&mock);
}

static NTSTATUS no_answer(IN_CONST_HANDLE adapter, IN_CONST_PDXGKARG_PREEMPTCOMMAND arg)
{
    (void)adapter;
    (void)arg;
    return STATUS_SUCCESS;
}

static void never_answers(DRIVER_INITIALIZATION_DATA *table)
{
    mock_front_stand(table);
    table->DxgkDdiPreemptCommand = no_answer;
}

/* The packet has ended, and the node waits for the answer to a request from
 * before the change. */
static void an_answer_is_missed_from_the_change_on(void **state)
{
    struct mock_adapter mock;
    (void)state;
    mock_front_start(&mock, VIDMM_WDDM_1_1, never_answers);
    mock.adapter->setup->caps.preemption_granularity =
        D3DKMDT_GRAPHICS_PREEMPTION_DMA_BUFFER_BOUNDARY;
    detect(&mock, 0);
    mock_front_work(&mock, MILLISECOND);
    assert_int_equal(vidmm_advance(mock.adapter, MILLISECOND / 2), 0);
    assert_int_equal(vidmm_preempt(mock.adapter, 0), 0);
    mock_front_work(&mock, 1); /* after the answer */
    assert_int_equal(vidmm_advance(mock.adapter, SECOND), 0);
    detect(&mock, 3);
    detect(&mock, 2); /* and not once more from here on */
    assert_int_equal(vidmm_advance(mock.adapter, SECOND), 0);
    detect(&mock, 3);
    assert_int_equal(resets(&mock), 0);
    assert_int_equal(vidmm_wait_idle(mock.adapter), STATUS_DEVICE_REMOVED);
    assert_int_equal(resets(&mock), 1);
    mock_adapter_stop(&mock);
}

/* ---- queues
 * ---------------------------------------------------------------------------------
 */

static void a_queue_that_stays_full_is_a_deadlock(void **state)
{
    struct mock_adapter mock;
    struct vidmm_submission submission;
    (void)state;
    mock_front_start(&mock, VIDMM_WDDM_1_1, mock_front_stand);
    detect(&mock, 0);
    mock.adapter->setup->caps.queue_cap = 1;
    hang(&mock);
    assert_int_not_equal(mock_front_submit(&mock, 1, &submission), 0);
    mock_refused(&mock, RULE(TIME_017));
    detect(&mock, 3);
    assert_int_equal(vidmm_wait_idle(mock.adapter), STATUS_DEVICE_REMOVED);
    mock_adapter_stop(&mock);
}

/* ---- another start -------------------------------------------------------------------------- */

static UINT more_nodes;

static NTSTATUS query(IN_CONST_HANDLE adapter, IN_CONST_PDXGKARG_QUERYADAPTERINFO arg)
{
    NTSTATUS answer = mock_front.real.DxgkDdiQueryAdapterInfo(adapter, arg);
    DXGK_DRIVERCAPS *caps = arg->pOutputData;
    if (arg->Type == DXGKQAITYPE_DRIVERCAPS)
        caps->GpuEngineTopology.NbAsymetricProcessingNodes += more_nodes;
    return answer;
}

static void counts_nodes(DRIVER_INITIALIZATION_DATA *table)
{
    mock_front_stand(table);
    table->DxgkDdiQueryAdapterInfo = query;
}

/* The second packet comes back with another number. */
static void renumber(struct mock_adapter *mock)
{
    mock_front_work(mock, MILLISECOND);
    mock_front_work(mock, 1);
    assert_int_equal(vidmm_preempt(mock->adapter, 0), 0);
    assert_int_equal(vidmm_wait_idle(mock->adapter), 0);
}

/* Numbers go on where they were only when the GPU is the same; and nothing waits for an old one,
   such as that of the last paging that a packet had to come after (PAGE-042). */
static void other_nodes_begin_to_count(void **state)
{
    struct mock_adapter mock;
    struct vidmm_node_view view;
    struct vidmm_mock_allocation wish = mock_wish(MOCK_PAGE);
    (void)state;
    wish.flags |= ALLOCATION_SYNCHRONOUS;
    for (more_nodes = 0; more_nodes < 2; more_nodes++) {
        UINT more = more_nodes;
        more_nodes = 0;
        mock_front_start(&mock, VIDMM_WDDM_1_2, counts_nodes);
        UINT nodes = mock.adapter->setup->caps.nodes;
        vidmm_handle handle;
        assert_int_equal(mock_allocate(&mock, &wish, &handle), 0);
        assert_int_equal(vidmm_page_in(mock.adapter, handle, false), 0);
        mock_front_work(&mock, 1);
        assert_int_equal(vidmm_wait_idle(mock.adapter), 0);
        renumber(&mock);
        assert_true(vidmm_node_view(mock.adapter, 0, &view));
        uint32_t last = view.completed;
        assert_int_equal(vidmm_pnp_stop(mock.adapter), 0);
        more_nodes = more;
        assert_int_equal(vidmm_pnp_start(mock.adapter), 0);
        assert_true(vidmm_node_view(mock.adapter, 0, &view));
        assert_int_equal(view.completed, more ? 0 : last);
        assert_int_equal(vidmm_node_view(mock.adapter, nodes, &view), more);
        assert_int_equal(vidmm_device_create(mock.adapter, "again", mock.process, &mock.device), 0);
        assert_int_equal(vidmm_context_create(mock.adapter, "again", mock.device, 0, &mock.context),
                         0);
        renumber(&mock);
        mock_adapter_stop(&mock);
    }
}

/* What was there before is there until another start succeeds. */
static void a_start_that_fails_has_the_nodes_of_before(void **state)
{
    struct mock_adapter mock;
    (void)state;
    more_nodes = 0;
    mock_front_start(&mock, VIDMM_WDDM_1_2, counts_nodes);
    assert_int_equal(vidmm_pnp_stop(mock.adapter), 0);
    more_nodes = (UINT)-1; /* the node of paging is missing */
    assert_int_not_equal(vidmm_pnp_start(mock.adapter), 0);
    mock_refused(&mock, RULE(MINI_022));
    mock_adapter_stop(&mock);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(work_goes_on_without_its_allocation),
        cmocka_unit_test(work_that_fails_leaves_what_comes_behind_it),
        cmocka_unit_test(what_is_needed_again_before_it_goes_stays),
        cmocka_unit_test(detection_that_goes_on_starts_no_clock_again),
        cmocka_unit_test(detection_begins_on_every_node),
        cmocka_unit_test(an_answer_is_missed_from_the_change_on),
        cmocka_unit_test(a_queue_that_stays_full_is_a_deadlock),
        cmocka_unit_test(other_nodes_begin_to_count),
        cmocka_unit_test(a_start_that_fails_has_the_nodes_of_before),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
