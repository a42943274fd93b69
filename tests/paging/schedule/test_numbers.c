/* SPDX-License-Identifier: MIT */
/*
 * test_numbers.c: fence numbers of a node end, whoever needs the next one (SUBMIT-050); and that of
 * a request is none of a packet (SUBMIT-053, TDR-013). Time ends, too (TIME-002).
 */
#include "paging/schedule/schedule_state.h"
#include "tests/support/mock_front.h"
#include "tests/support/unit.h"
#include "vidmm/adapter.h"
#include "vidmm/ddi/ntstatus.h"
#include "vidmm/vidmm_accidents.h"

/* SUBMIT-050: the run ends before a number comes again. */
static void numbers_do_not_wrap_around(void **state)
{
    struct mock_adapter mock;
    struct vidmm_submission submission;
    (void)state;
    mock_front_start(&mock, VIDMM_WDDM_1_1, mock_front_stand);
    assert_int_equal(vidmm_context_create(mock.adapter, "c", mock.device, 1, &mock.context), 0);
    mock.adapter->schedule->fences.issued[1] = UINT32_MAX - 1;
    assert_int_equal(mock_front_submit(&mock, 1, &submission), 0);
    assert_int_equal(submission.fence, UINT32_MAX);
    assert_int_equal(vidmm_wait(mock.adapter, submission), 0);
    assert_int_not_equal(mock_front_submit(&mock, 1, &submission), 0);
    mock_stopped_with(&mock, RULE(SUBMIT_050), 0x119, (uint64_t[4]){ 0x1, 0, 1, 0 });
    mock_adapter_free(&mock);
}

static void nor_do_those_of_requests(void **state)
{
    struct mock_adapter mock;
    (void)state;
    mock_front_start(&mock, VIDMM_WDDM_1_1, mock_front_stand);
    mock.adapter->schedule->fences.issued[1] = UINT32_MAX;
    assert_int_not_equal(vidmm_preempt(mock.adapter, 1), 0);
    mock_stopped_with(&mock, RULE(SUBMIT_050), 0x119, (uint64_t[4]){ 0x1, 0, 1, 0 });
    mock_adapter_free(&mock);
}

static void nor_do_those_of_context_switches(void **state)
{
    struct mock_adapter mock;
    struct vidmm_mock_allocation wish = mock_wish(MOCK_PAGE);
    vidmm_handle kept;
    (void)state;
    wish.read_set = wish.write_set = 0x1;
    mock_adapter_init(&mock, VIDMM_WDDM_1_3);
    mock.mock_config.nodes = 3;
    mock.hook = mock_front_stand;
    mock_adapter_start(&mock);
    assert_int_equal(vidmm_context_create(mock.adapter, "c", mock.device, 1, &mock.context), 0);
    assert_int_equal(vidmm_mock_context_allocation(mock.mock, mock.context, false, &wish, &kept),
                     0);
    mock_front_work(&mock, 1);
    assert_int_equal(vidmm_wait_idle(mock.adapter), 0);
    mock.adapter->schedule->fences.issued[1] = UINT32_MAX;
    assert_int_not_equal(vidmm_evict(mock.adapter, kept), 0);
    mock_stopped_with(&mock, RULE(SUBMIT_050), 0x119, (uint64_t[4]){ 0x1, 0, 1, 0 });
    mock_adapter_free(&mock);
}

static void nor_do_those_of_paging(void **state)
{
    struct mock_adapter mock;
    (void)state;
    mock_front_start(&mock, VIDMM_WDDM_1_1, mock_front_stand);
    vidmm_handle allocation = mock_make(&mock);
    uint32_t node = mock.adapter->setup->caps.paging_node;
    mock.adapter->schedule->fences.issued[node] = UINT32_MAX;
    assert_int_not_equal(vidmm_page_in(mock.adapter, allocation, false), 0);
    mock_stopped_with(&mock, RULE(SUBMIT_050), 0x119, (uint64_t[4]){ 0x1, 0, node, 0 });
    mock_adapter_free(&mock);
}

/* SUBMIT-053: that of a request that nobody made. */
static void a_preemption_that_nobody_asked_for(void **state)
{
    DXGKARGCB_NOTIFY_INTERRUPT_DATA data = { .InterruptType = DXGK_INTERRUPT_DMA_PREEMPTED };
    struct mock_adapter mock;
    (void)state;
    data.DmaPreempted.NodeOrdinal = 1;
    data.DmaPreempted.PreemptionFenceId = 7;
    data.DmaPreempted.LastCompletedFenceId = 5;
    mock_front_start(&mock, VIDMM_WDDM_1_1, mock_front_stand);
    mock_front_report(&data);
    mock_stopped_with(&mock, RULE(SUBMIT_053), 0x119, (uint64_t[4]){ 0x1, 7, 1, 5 });
    mock_adapter_free(&mock);
}

static void there_is_no_node_after_the_last(void **state)
{
    struct mock_adapter mock;
    (void)state;
    mock_front_start(&mock, VIDMM_WDDM_1_1, mock_front_stand);
    assert_int_equal(vidmm_preempt(mock.adapter, mock.adapter->setup->caps.nodes),
                     STATUS_INVALID_PARAMETER);
    mock_refused(&mock, RULE(SUBMIT_051));
    struct vidmm_submission nowhere = { .node = mock.adapter->setup->caps.nodes };
    assert_int_equal(vidmm_wait(mock.adapter, nowhere), STATUS_INVALID_PARAMETER);
    mock_refused(&mock, RULE(TIME_012));
    assert_string_equal(vidmm_last_refusal(mock.adapter)->text,
                        "fence 0 of node 2 was never given out");
    mock_adapter_stop(&mock);
}

/* What was dropped on one node says nothing of another one, whatever was dropped last. Nor does it
   take memory for each packet, when a whole queue goes. */
static void numbers_that_are_dropped_are_those_of_their_node(void **state)
{
    struct mock_adapter mock;
    (void)state;
    mock_front_start(&mock, VIDMM_WDDM_1_1, mock_front_stand);
    preempt_drop(mock.adapter, 0, 1, 1);
    preempt_drop(mock.adapter, 1, 1, 1);
    preempt_drop(mock.adapter, 0, 2, 3);
    preempt_drop(mock.adapter, 0, 4, 4);
    assert_int_equal(mock.adapter->schedule->watch.dropped_count, 3);
    for (uint32_t fence = 1; fence <= 5; fence++) {
        struct fence_wait first = { .node = 0, .first = fence };
        struct fence_wait second = { .node = 1, .first = fence };
        preempt_wait_begin(mock.adapter, &first, NULL);
        preempt_wait_begin(mock.adapter, &second, NULL);
        assert_int_equal(first.dropped, fence <= 4);
        assert_int_equal(second.dropped, fence <= 1);
        preempt_wait_end(mock.adapter, &second);
        preempt_wait_end(mock.adapter, &first);
    }
    mock_adapter_stop(&mock);
}

static NTSTATUS abort_request(IN_CONST_HANDLE adapter, INOUT_PDXGKARG_RESETENGINE arg)
{
    NTSTATUS answer = mock_front.real.DxgkDdiResetEngine(adapter, arg);
    arg->LastAbortedFenceId++;
    return answer;
}

static void aborts_requests(DRIVER_INITIALIZATION_DATA *table)
{
    mock_front_stand(table);
    table->DxgkDdiResetEngine = abort_request;
}

/* The packet has number 1, the request to preempt number 2. */
static void a_request_cannot_be_aborted(void **state)
{
    const struct vidmm_mock_command hang = { .flags = VIDMM_MOCK_COMMAND_HANG };
    const struct vidmm_work nothing = { 0 };
    struct mock_adapter mock;
    (void)state;
    mock_front_start(&mock, VIDMM_WDDM_1_2, aborts_requests);
    assert_int_equal(mock_submit(&mock, nothing, hang, NULL), 0);
    assert_int_not_equal(vidmm_wait_idle(mock.adapter), 0);
    mock_stopped_with(&mock, RULE(TDR_013), 0x119, (uint64_t[4]){ 0xA, 2, 0, 1 });
    mock_adapter_free(&mock);
}

/* TIME-002: the last number of 64 bits is no time. */
static void time_ends(void **state)
{
    struct mock_adapter mock;
    (void)state;
    mock_front_start(&mock, VIDMM_WDDM_1_1, mock_front_stand);
    const vidmm_ns left = UINT64_MAX - vidmm_now(mock.adapter);
    assert_int_equal(vidmm_advance(mock.adapter, left), STATUS_INVALID_PARAMETER);
    mock_refused(&mock, RULE(TIME_002));
    assert_int_equal(vidmm_advance(mock.adapter, left - 1), 0);
    assert_int_equal(vidmm_now(mock.adapter), UINT64_MAX - 1);
    assert_int_equal(vidmm_advance(mock.adapter, 2), STATUS_INVALID_PARAMETER);
    mock_adapter_stop(&mock);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_do_not_wrap_around),
        cmocka_unit_test(nor_do_those_of_requests),
        cmocka_unit_test(nor_do_those_of_context_switches),
        cmocka_unit_test(nor_do_those_of_paging),
        cmocka_unit_test(a_preemption_that_nobody_asked_for),
        cmocka_unit_test(there_is_no_node_after_the_last),
        cmocka_unit_test(time_ends),
        cmocka_unit_test(a_request_cannot_be_aborted),
        cmocka_unit_test(numbers_that_are_dropped_are_those_of_their_node),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
