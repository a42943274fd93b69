/* SPDX-License-Identifier: MIT */
/*
 * test_behind.c: an answer to a request to preempt that is behind the GPU; what becomes of numbers
 * that are dropped, and of those that deferred work waits for; a report ahead of the GPU when the
 * one before it is missing.
 */
#include <string.h>

#include "paging/schedule/schedule_state.h"
#include "tests/support/mock_front.h"
#include "tests/support/unit.h"
#include "vidmm/vidmm_accidents.h"
#include "vidmm/vidmm_property.h"
#include "vidmm/vidmm_view.h"

enum { MILLISECOND = 1000000 };

static struct {
    struct mock_adapter *mock;
    vidmm_handle allocation;
    uint32_t asked; /* the number of the request to preempt */
    uint32_t last;  /* the last fence that was handed over, */
    bool busy;      /* and whether the allocation was in use then */
} front;

/* The answer comes when the test gives it. */
static NTSTATUS preempt(IN_CONST_HANDLE adapter, IN_CONST_PDXGKARG_PREEMPTCOMMAND arg)
{
    (void)adapter;
    front.asked = arg->PreemptionFenceId;
    return STATUS_SUCCESS;
}

static NTSTATUS submit(IN_CONST_HANDLE adapter, IN_CONST_PDXGKARG_SUBMITCOMMAND arg)
{
    struct vidmm_allocation_view view;
    front.last = arg->SubmissionFenceId;
    front.busy = vidmm_allocation_view(front.mock->adapter, front.allocation, &view) && view.busy;
    return mock_front.real.DxgkDdiSubmitCommand(adapter, arg);
}

static void stand_in_front(DRIVER_INITIALIZATION_DATA *table)
{
    mock_front_stand(table);
    table->DxgkDdiPreemptCommand = preempt;
    table->DxgkDdiSubmitCommand = submit;
}

static uint32_t completed(const struct mock_adapter *mock)
{
    struct vidmm_node_view view;
    assert_true(vidmm_node_view(mock->adapter, 0, &view));
    return view.completed;
}

static void answer(uint32_t last)
{
    DXGKARGCB_NOTIFY_INTERRUPT_DATA data = { .InterruptType = DXGK_INTERRUPT_DMA_PREEMPTED };
    data.DmaPreempted.PreemptionFenceId = front.asked;
    data.DmaPreempted.LastCompletedFenceId = last;
    mock_front_report(&data);
}

/* A packet has ended and its interrupt was lost, so the answer has it still before it. What it
   refers to stays in use when the others are handed over again. */
static void what_nobody_reported_stays_in_use(void **state)
{
    struct mock_adapter mock;
    (void)state;
    mock_front_start(&mock, VIDMM_WDDM_1_1, stand_in_front);
    front.mock = &mock;
    front.allocation = mock_make(&mock);
    assert_int_equal(vidmm_page_in(mock.adapter, front.allocation, true), 0);
    assert_int_equal(vidmm_wait_idle(mock.adapter), 0);
    uint32_t before = completed(&mock);
    /* The first completion was that of the page-in. */
    assert_true(vidmm_mock_switch_set(vidmm_mock_switches(mock.mock), "no-irq", "2"));
    const struct vidmm_mock_command command = { .cost_ns = 1 };
    assert_int_equal(mock_use(&mock, front.allocation, true, command, NULL), 0);
    mock_front_work(&mock, MILLISECOND);
    assert_int_equal(vidmm_advance(mock.adapter, MILLISECOND / 2), 0);
    assert_int_equal(completed(&mock), before);
    assert_int_equal(vidmm_preempt(mock.adapter, 0), 0);

    answer(before);
    assert_int_equal(vidmm_advance(mock.adapter, 0), 0);
    assert_true(front.last > front.asked);
    assert_true(front.busy);
    assert_int_equal(vidmm_wait_idle(mock.adapter), 0);
    mock_adapter_stop(&mock);
}

/* Two packets, one of them complete, and a request to stop the other one. */
static void ask(struct mock_adapter *mock)
{
    mock_front_start(mock, VIDMM_WDDM_1_1, stand_in_front);
    front.mock = mock;
    mock_front_work(mock, 1);
    mock_front_work(mock, MILLISECOND);
    assert_int_equal(vidmm_advance(mock->adapter, MILLISECOND / 2), 0);
    assert_int_equal(completed(mock), 1);
    assert_int_equal(vidmm_preempt(mock->adapter, 0), 0);
}

/* Its device is in error, so it is not handed over again, and cannot be complete. */
static void a_number_that_was_dropped_cannot_be_reported(void **state)
{
    struct mock_adapter mock;
    (void)state;
    ask(&mock);
    DXGKARGCB_NOTIFY_INTERRUPT_DATA data = { .InterruptType = DXGK_INTERRUPT_DMA_FAULTED };
    data.DmaFaulted.FaultedFenceId = 2;
    mock_front_report(&data);
    answer(1);
    assert_int_equal(vidmm_advance(mock.adapter, 0), 0);
    data = (DXGKARGCB_NOTIFY_INTERRUPT_DATA){ .InterruptType = DXGK_INTERRUPT_DMA_COMPLETED };
    data.DmaCompleted.SubmissionFenceId = 2;
    mock_front_report(&data);
    (void)mock_stopped(&mock, RULE(SUBMIT_053), 0x119, 0x1);
    mock_adapter_free(&mock);
}

enum { WORKS = 3 };

static struct {
    bool ready;
    size_t count;
    uint32_t after[WORKS];
} due;

static vidmm_status wait_until_ready(adapter_t *adapter, const struct deferred_work *work)
{
    if (!due.ready) {
        schedule_defer(adapter, *work);
        return STATUS_UNSUCCESSFUL;
    }
    due.after[due.count++] = work->after;
    return STATUS_SUCCESS;
}

/* With one node for all the packet that comes back is the one that the work waits for; with two a
   number of the other node is another one. */
static void deferred_work_learns_new_numbers_of_paging(void **state)
{
    (void)state;
    for (uint32_t paging_node = 0; paging_node < 2; paging_node++) {
        struct mock_adapter mock;
        const struct deferred_work work = { .run = wait_until_ready, .after = 2 };
        ask(&mock);
        mock.adapter->setup->caps.paging_node = paging_node;
        due.ready = false;
        due.count = 0;
        for (size_t i = 0; i < WORKS; i++)
            schedule_defer(mock.adapter, work);
        answer(1);
        assert_int_equal(vidmm_advance(mock.adapter, 0), 0);
        assert_int_equal(front.last, 4);
        due.ready = true;
        assert_int_equal(schedule_deferred_now(mock.adapter), 0);
        assert_int_equal(due.count, WORKS);
        for (size_t i = 0; i < WORKS; i++)
            assert_int_equal(due.after[i], paging_node == 0 ? 4 : 2);
        assert_int_equal(vidmm_wait_idle(mock.adapter), 0);
        mock.adapter->setup->caps.paging_node = 1;
        mock_adapter_stop(&mock);
    }
}

static vidmm_status come_back(adapter_t *adapter, const struct deferred_work *work)
{
    answer(1);
    schedule_recover(adapter);
    due.after[0] = work->after;
    return STATUS_SUCCESS;
}

/* What it waits for first may be what gives the packet another number. */
static void and_so_does_that_which_is_being_done(void **state)
{
    struct mock_adapter mock;
    (void)state;
    ask(&mock);
    mock.adapter->setup->caps.paging_node = 0;
    schedule_defer(mock.adapter, (struct deferred_work){ .run = come_back, .after = 2 });
    assert_int_equal(schedule_deferred_now(mock.adapter), 0);
    assert_int_equal(front.last, 4);
    assert_int_equal(due.after[0], 4);
    assert_int_equal(vidmm_wait_idle(mock.adapter), 0);
    mock.adapter->setup->caps.paging_node = 1;
    mock_adapter_stop(&mock);
}

enum { QUEUED = 4 };

/* A caller is told a number that its packet has not had from the start, and comes back with it when
   the packet has another one. */
static void nor_does_a_caller_lose_the_packet(void **state)
{
    const struct vidmm_mock_command command = { .cost_ns = MILLISECOND };
    struct mock_adapter mock;
    struct vidmm_mock_allocation wish = mock_wish(MOCK_PAGE);
    struct vidmm_property_args args = { .set_unmoveable = true, .unmoveable = true };
    struct vidmm_property_result result;
    (void)state;
    wish.flags = 0x8000; /* AccessedPhysically */
    mock_front_start(&mock, VIDMM_WDDM_2_0, mock_front_stand);
    assert_int_equal(mock_allocate(&mock, &wish, &args.allocation), 0);
    assert_int_equal(vidmm_page_in(mock.adapter, args.allocation, true), 0);
    assert_int_equal(vidmm_wait_idle(mock.adapter), 0);
    for (size_t i = 1; i < QUEUED; i++)
        mock_front_work(&mock, MILLISECOND);
    assert_int_equal(mock_use(&mock, args.allocation, true, command, NULL), 0);
    assert_int_equal(vidmm_preempt(mock.adapter, 0), 0);
    assert_int_equal(vidmm_advance(mock.adapter, MILLISECOND + MILLISECOND / 2), 0);
    mock.adapter->setup->caps.paging_node = 0;
    assert_int_equal(vidmm_update_property(mock.adapter, &args, &result), STATUS_PENDING);
    mock.adapter->setup->caps.paging_node = 1;
    assert_int_equal(vidmm_preempt(mock.adapter, 0), 0);
    assert_int_equal(vidmm_advance(mock.adapter, MILLISECOND), 0);
    struct vidmm_submission of_property = { result.node, result.fence };
    assert_int_equal(vidmm_wait(mock.adapter, of_property), 0);
    struct vidmm_allocation_view view;
    assert_true(vidmm_allocation_view(mock.adapter, args.allocation, &view));
    assert_false(view.busy);
    mock_adapter_stop(&mock);
}

/* ---- a report is missing -------------------------------------------------------------------- */

static struct mock_adapter hasty;

/* Nothing about the first packet; the second one is reported before it is carried out. */
static void finish(void *self, uint32_t node, uint32_t fence)
{
    DXGKARGCB_NOTIFY_INTERRUPT_DATA data = { .InterruptType = DXGK_INTERRUPT_DMA_COMPLETED };
    (void)self;
    if (fence == 1)
        return;
    data.DmaCompleted.NodeOrdinal = node;
    data.DmaCompleted.SubmissionFenceId = fence;
    mock_front_report(&data);
    assert_int_equal(completed(&hasty), 1);
    mock_front.real_hardware->finish(self, node, fence);
}

static void forgets_and_hurries(DRIVER_INITIALIZATION_DATA *table)
{
    mock_front_stand(table);
    mock_front_hardware(&hasty)->finish = finish;
}

/* SUBMIT-053(d): what has ended counts, whether or not it was reported. */
static void an_early_report_is_one_of_what_ended_before(void **state)
{
    (void)state;
    mock_front_start(&hasty, VIDMM_WDDM_1_1, forgets_and_hurries);
    mock_front_work(&hasty, 1);
    mock_front_work(&hasty, 1);
    assert_int_equal(vidmm_wait_idle(hasty.adapter), 0);
    assert_int_equal(mock_findings(&hasty), 1);
    assert_non_null(strstr(hasty.finding, "packet with fence 2"));
    assert_int_equal(completed(&hasty), 2);
    mock_adapter_stop(&hasty);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_nobody_reported_stays_in_use),
        cmocka_unit_test(a_number_that_was_dropped_cannot_be_reported),
        cmocka_unit_test(deferred_work_learns_new_numbers_of_paging),
        cmocka_unit_test(and_so_does_that_which_is_being_done),
        cmocka_unit_test(nor_does_a_caller_lose_the_packet),
        cmocka_unit_test(an_early_report_is_one_of_what_ended_before),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
