/* SPDX-License-Identifier: MIT */
/*
 * test_line.c: an interrupt that comes while nobody listens is found out, and forgotten
 * (SUBMIT-064); a DPC that is queued when an engine is reset runs before (TDR-011), and nothing
 * may be reported after it until it counts again (TDR-018), or the adapter restarts (TDR-021);
 * and one that is queued while the adapter is reset never runs.
 */
#include <string.h>

#include "tests/support/mock_front.h"
#include "tests/support/unit.h"
#include "vidmm/adapter.h"
#include "vidmm/vidmm_accidents.h"

enum { NEVER_SUBMITTED = 5, SECOND = 1000000000 };

static bool early; /* the interrupt comes before the start is complete */

static void interrupt(void)
{
    DXGKARGCB_NOTIFY_INTERRUPT_DATA data = { .InterruptType = DXGK_INTERRUPT_DMA_COMPLETED };
    data.DmaCompleted.SubmissionFenceId = NEVER_SUBMITTED;
    mock_front_interrupt(&data);
}

static NTSTATUS query(IN_CONST_HANDLE adapter, IN_CONST_PDXGKARG_QUERYADAPTERINFO arg)
{
    if (early)
        interrupt();
    early = false;
    return mock_front.real.DxgkDdiQueryAdapterInfo(adapter, arg);
}

/* It still can report, and nothing acts upon it any more. */
static NTSTATUS stop(IN_CONST_PVOID adapter)
{
    interrupt();
    assert_true(mock_front.system.DxgkCbQueueDpc(mock_front.system.DeviceHandle));
    return mock_front.real.DxgkDdiStopDevice(adapter);
}

static void stands(DRIVER_INITIALIZATION_DATA *table)
{
    mock_front_stand(table);
    table->DxgkDdiStopDevice = stop;
    table->DxgkDdiQueryAdapterInfo = query;
}

static void start(struct mock_adapter *mock, bool at_once)
{
    early = at_once;
    mock_adapter_init(mock, VIDMM_WDDM_1_1);
    mock->hook = stands;
    mock_adapter_start(mock);
}

/* So many findings, all of them of this rule. */
static void found(const struct mock_adapter *mock, uint64_t findings)
{
    assert_int_equal(mock_findings(mock), findings);
    assert_int_equal(vidmm_rule_uses(mock->adapter, RULE(SUBMIT_064)), findings);
}

/* The DPC acts upon nothing: the number was never given out, which would stop the system. */
static void run_dpc(struct mock_adapter *mock)
{
    mock_front.system.DxgkCbNotifyDpc(mock_front.system.DeviceHandle);
    assert_null(vidmm_bugcheck(mock->adapter));
}

static void before_the_start_is_complete(void **state)
{
    struct mock_adapter mock;
    (void)state;
    start(&mock, true);
    assert_false(early);
    found(&mock, 1);
    run_dpc(&mock);
    mock_adapter_stop(&mock);
}

static void after_a_stop(void **state)
{
    struct mock_adapter mock;
    (void)state;
    start(&mock, false);
    assert_int_equal(vidmm_pnp_stop(mock.adapter), 0);
    interrupt();
    found(&mock, 1);
    assert_non_null(strstr(mock.finding, "after the adapter was stopped"));
    mock_front.system.DxgkCbNotifyDpc(mock_front.system.DeviceHandle);
    found(&mock, 2);
    early = true;
    assert_int_equal(vidmm_pnp_start(mock.adapter), 0);
    found(&mock, 3);
    assert_non_null(strstr(mock.finding, "before the start is complete"));
    run_dpc(&mock);
    assert_true(mock_front.system.DxgkCbQueueDpc(mock_front.system.DeviceHandle));
    found(&mock, 3);
    mock_adapter_stop(&mock);
}

static void after_a_start_that_failed(void **state)
{
    struct mock_adapter mock;
    (void)state;
    mock_adapter_init(&mock, VIDMM_WDDM_1_1);
    mock.hook = stands;
    mock.config.settings.value[VIDMM_SETTING_EVICTION] = UINT32_MAX; /* no such policy */
    mock_adapter_prepare(&mock);
    assert_int_equal(vidmm_adapter_start(&mock.config, &mock.adapter), STATUS_INVALID_PARAMETER);
    vidmm_observe(mock.adapter, &mock.observer);
    interrupt();
    found(&mock, 1);
    assert_non_null(strstr(mock.finding, "after a start that failed"));
    mock_adapter_free(&mock);
}

/* ---- TDR-011(d) ------------------------------------------------------------------------------ */

static uint32_t completed(const struct mock_adapter *mock, uint32_t node)
{
    struct vidmm_node_view view;
    assert_true(vidmm_node_view(mock->adapter, node, &view));
    return view.completed;
}

static const struct mock_adapter *resets;
static uint32_t counted; /* on node 1, when the driver is asked why */

static NTSTATUS collect(IN_CONST_HANDLE adapter, IN_CONST_PDXGKARG_COLLECTDBGINFO arg)
{
    counted = completed(resets, 1);
    return mock_front.real.DxgkDdiCollectDbgInfo(adapter, arg);
}

static void is_asked_why(DRIVER_INITIALIZATION_DATA *table)
{
    stands(table);
    table->DxgkDdiCollectDbgInfo = collect;
}

/* The first packet, on node 1, has ended; its interrupt comes late, and the DPC is only queued. */
static void a_queued_dpc_runs_before_the_engine_is_reset(void **state)
{
    struct mock_adapter mock;
    DXGKARGCB_NOTIFY_INTERRUPT_DATA data = { .InterruptType = DXGK_INTERRUPT_DMA_COMPLETED };
    (void)state;
    mock_adapter_init(&mock, VIDMM_WDDM_1_2);
    mock.mock_config.switches[VIDMM_MOCK_NO_IRQ] =
        (struct vidmm_mock_switch_state){ .on = true, .value = 1 };
    mock.hook = is_asked_why;
    mock_adapter_start(&mock);
    resets = &mock;
    vidmm_handle first = mock.context;
    assert_int_equal(vidmm_context_create(mock.adapter, "far", mock.device, 1, &mock.context), 0);
    mock_front_work(&mock, 1);
    mock.context = first;
    assert_int_equal(vidmm_advance(mock.adapter, 2), 0);
    mock_front_work(&mock, SECOND);
    assert_int_equal(completed(&mock, 1), 0);

    data.DmaCompleted.NodeOrdinal = 1;
    data.DmaCompleted.SubmissionFenceId = 1;
    mock_front_interrupt(&data);
    mock_front.system.DxgkCbQueueDpc(mock_front.system.DeviceHandle);
    assert_int_equal(completed(&mock, 1), 0);
    assert_int_equal(vidmm_reset_engine(mock.adapter), 0);
    assert_int_equal(counted, 1);
    assert_int_equal(completed(&mock, 1), 1);
    mock_adapter_stop(&mock);
}

/* ---- TDR-018(b) ------------------------------------------------------------------------------ */

static DXGKARGCB_NOTIFY_INTERRUPT_DATA too_late;

/* Whatever it is that a node reports. */
static const DXGK_INTERRUPT_TYPE report_types[] = { DXGK_INTERRUPT_DMA_COMPLETED,
                                                    DXGK_INTERRUPT_DMA_PREEMPTED,
                                                    DXGK_INTERRUPT_DMA_FAULTED,
                                                    DXGK_INTERRUPT_DMA_PAGE_FAULTED };

static void make_too_late(DXGK_INTERRUPT_TYPE type, uint32_t node)
{
    too_late = (DXGKARGCB_NOTIFY_INTERRUPT_DATA){ .InterruptType = type };
    switch (type) {
    case DXGK_INTERRUPT_DMA_COMPLETED: too_late.DmaCompleted.NodeOrdinal = node; break;
    case DXGK_INTERRUPT_DMA_PREEMPTED: too_late.DmaPreempted.NodeOrdinal = node; break;
    case DXGK_INTERRUPT_DMA_FAULTED: too_late.DmaFaulted.NodeOrdinal = node; break;
    default: too_late.DmaPageFaulted.NodeOrdinal = node;
    }
}

/* What is dropped is cancelled between the reset and the moment when reports count again. */
static NTSTATUS cancel(IN_CONST_HANDLE adapter, IN_CONST_PDXGKARG_CANCELCOMMAND arg)
{
    mock_front_interrupt(&too_late);
    return mock_front.real.DxgkDdiCancelCommand(adapter, arg);
}

static void reports_too_late(DRIVER_INITIALIZATION_DATA *table)
{
    stands(table);
    table->DxgkDdiCancelCommand = cancel;
}

static void nothing_is_reported_between_a_reset_and_its_end(void **state)
{
    (void)state;
    for (uint32_t row = 0; row < 2 * ARRAY_COUNT(report_types); row++) {
        const uint32_t node = row % 2;
        struct mock_adapter mock;
        make_too_late(report_types[row / 2], node);
        mock_adapter_init(&mock, VIDMM_WDDM_1_2);
        mock.mock_config.caps[VIDMM_MOCK_CAP_CancelCommandAware] = 1;
        mock.hook = reports_too_late;
        mock_adapter_start(&mock);
        assert_int_equal(vidmm_context_create(mock.adapter, "there", mock.device, node,
                                              &mock.context),
                         0);
        mock_front_work(&mock, SECOND);
        mock_front_work(&mock, 1);
        assert_int_not_equal(vidmm_reset_engine(mock.adapter), 0);
        mock_stopped_with(&mock, RULE(TDR_018), 0x119, (uint64_t[4]){ 0x10, 0, node, 0 });
        mock_adapter_free(&mock);
    }
}

/* ---- TDR-021(b) ------------------------------------------------------------------------------ */

static NTSTATUS restart(IN_CONST_HANDLE adapter)
{
    mock_front_interrupt(&too_late);
    return mock_front.real.DxgkDdiRestartFromTimeout(adapter);
}

static void reports_before_the_restart(DRIVER_INITIALIZATION_DATA *table)
{
    stands(table);
    table->DxgkDdiRestartFromTimeout = restart;
}

/* Whichever node it is: not that of the timeout alone. */
static void no_node_reports_before_the_restart(void **state)
{
    (void)state;
    for (uint32_t row = 0; row < 2 * ARRAY_COUNT(report_types); row++) {
        const uint32_t node = row % 2;
        struct mock_adapter mock;
        make_too_late(report_types[row / 2], node);
        mock_adapter_init(&mock, VIDMM_WDDM_1_1);
        mock.hook = reports_before_the_restart;
        mock_adapter_start(&mock);
        mock_front_work(&mock, SECOND);
        assert_int_not_equal(vidmm_reset_adapter(mock.adapter), 0);
        mock_stopped_with(&mock, RULE(TDR_021), 0x119, (uint64_t[4]){ 0x10, 0, node, 0 });
        mock_adapter_free(&mock);
    }
}

static NTSTATUS reset(IN_CONST_HANDLE adapter)
{
    mock_front_interrupt(&too_late); /* TDR-021(a): it counts for nothing */
    (void)mock_front.system.DxgkCbQueueDpc(mock_front.system.DeviceHandle);
    return mock_front.real.DxgkDdiResetFromTimeout(adapter);
}

static void queues_while_it_resets(DRIVER_INITIALIZATION_DATA *table)
{
    mock_front_stand(table);
    table->DxgkDdiResetFromTimeout = reset;
}

/* What was queued before the hardware stood still never runs, so the next one is the first. */
static void a_reset_ends_what_was_queued(void **state)
{
    (void)state;
    for (uint32_t row = 0; row < 2 * ARRAY_COUNT(report_types); row++) {
        struct mock_adapter mock;
        make_too_late(report_types[row / 2], row % 2);
        mock_front_start(&mock, VIDMM_WDDM_1_1, queues_while_it_resets);
        assert_int_equal(vidmm_reset_adapter(mock.adapter), 0);
        assert_true(mock_front.system.DxgkCbQueueDpc(mock_front.system.DeviceHandle));
        assert_false(mock_front.system.DxgkCbQueueDpc(mock_front.system.DeviceHandle));
        mock_adapter_stop(&mock);
    }
}

/* Nor is one that has run: the next interrupt needs another one. */
static void one_that_has_run_is_not_queued(void **state)
{
    struct mock_adapter mock;
    (void)state;
    mock_front_start(&mock, VIDMM_WDDM_1_1, mock_front_stand);
    mock_front_work(&mock, 1);
    assert_int_equal(vidmm_wait_idle(mock.adapter), 0);
    assert_true(mock_front.system.DxgkCbQueueDpc(mock_front.system.DeviceHandle));
    mock_adapter_stop(&mock);
}

static unsigned asked, dpcs;

/* What was queued in the call before has run. */
static NTSTATUS ask_fence(IN_CONST_HANDLE adapter, INOUT_PDXGKARG_QUERYCURRENTFENCE arg)
{
    assert_int_equal(dpcs, asked++);
    (void)mock_front.system.DxgkCbQueueDpc(mock_front.system.DeviceHandle);
    return mock_front.real.DxgkDdiQueryCurrentFence(adapter, arg);
}

static VOID count_dpc(IN_CONST_PVOID context)
{
    dpcs++;
    mock_front.real.DxgkDdiDpcRoutine(context);
}

static void queues_when_it_is_asked(DRIVER_INITIALIZATION_DATA *table)
{
    mock_front_stand(table);
    table->DxgkDdiQueryCurrentFence = ask_fence;
    table->DxgkDdiDpcRoutine = count_dpc;
}

static void one_of_a_question_runs_before_the_answer_counts(void **state)
{
    struct mock_adapter mock;
    struct vidmm_submission submission;
    (void)state;
    mock_front_start(&mock, VIDMM_WDDM_1_1, queues_when_it_is_asked);
    asked = dpcs = 0;
    mock.adapter->setup->cost.fence_poll_ns = SECOND / 1000;
    assert_int_equal(mock_front_submit(&mock, SECOND / 100, &submission), 0);
    assert_int_equal(vidmm_wait(mock.adapter, submission), 0);
    assert_true(asked >= 3);
    mock_adapter_stop(&mock);
}

/* SUBMIT-055: after 60 questions each waits twice as long as the one before. */
static void questions_become_rare(void **state)
{
    static const struct {
        unsigned intervals, questions;
    } cases[] = { { 61, 60 }, { 63, 61 }, { 67, 62 }, { 75, 63 } };
    (void)state;
    for (size_t i = 0; i < ARRAY_COUNT(cases); i++) {
        struct mock_adapter mock;
        struct vidmm_submission submission;
        mock_front_start(&mock, VIDMM_WDDM_1_1, queues_when_it_is_asked);
        asked = dpcs = 0;
        mock.adapter->setup->cost.fence_poll_ns = SECOND / 1000;
        assert_int_equal(mock_front_submit(&mock, cases[i].intervals * (SECOND / 1000),
                                           &submission),
                         0);
        assert_int_equal(vidmm_wait(mock.adapter, submission), 0);
        assert_int_equal(asked, cases[i].questions);
        mock_adapter_stop(&mock);
    }
}

/* Displays have no part in memory management. */
static void the_interrupt_of_a_display_is_none_of_a_fence(void **state)
{
    struct mock_adapter mock;
    DXGKARGCB_NOTIFY_INTERRUPT_DATA data = { .InterruptType = DXGK_INTERRUPT_CRTC_VSYNC };
    (void)state;
    mock_front_start(&mock, VIDMM_WDDM_1_1, mock_front_stand);
    mock_front_work(&mock, 1);
    assert_int_equal(vidmm_wait_idle(mock.adapter), 0);
    mock_front_report(&data);
    assert_null(vidmm_bugcheck(mock.adapter));
    assert_int_equal(mock_findings(&mock), 0);
    mock_adapter_stop(&mock);
}

/* ---- what is answered ----------------------------------------------------------------------- */

static NTSTATUS answered;

/* It reports what has ended, and names the packet behind that. */
static NTSTATUS name_the_next(IN_CONST_HANDLE adapter, INOUT_PDXGKARG_QUERYCURRENTFENCE arg)
{
    (void)mock_front.real.DxgkDdiQueryCurrentFence(adapter, arg);
    arg->CurrentFence = 2;
    asked++;
    return answered;
}

static void names_the_next(DRIVER_INITIALIZATION_DATA *table)
{
    mock_front_stand(table);
    table->DxgkDdiQueryCurrentFence = name_the_next;
}

/* SUBMIT-055: each time, unless the call fails. */
static void a_fence_that_is_only_named_is_found(void **state)
{
    static const struct {
        NTSTATUS answer;
        bool found;
    } rows[] = {
        { STATUS_SUCCESS, true },
        { STATUS_PENDING, true },
        { STATUS_UNSUCCESSFUL, false },
    };
    static const char text[] = "fence 2 of node 0 is complete, and the driver does not report it";
    (void)state;
    for (size_t i = 0; i < ARRAY_COUNT(rows); i++) {
        struct mock_adapter mock;
        struct vidmm_submission submission;
        mock_front_start(&mock, VIDMM_WDDM_1_1, names_the_next);
        assert_true(vidmm_mock_switch_set(vidmm_mock_switches(mock.mock), "no-irq", "1"));
        mock.adapter->setup->cost.fence_poll_ns = SECOND / 1000;
        answered = rows[i].answer;
        asked = 0;
        mock_front_work(&mock, 1);
        assert_int_equal(mock_front_submit(&mock, SECOND / 100, &submission), 0);
        assert_int_equal(vidmm_wait(mock.adapter, submission), 0);
        assert_true(asked >= 3);
        assert_int_equal(mock_findings(&mock), rows[i].found ? asked : 0);
        assert_string_equal(mock.finding, rows[i].found ? text : "");
        mock_adapter_stop(&mock);
    }
}

/* ---- SUBMIT-053(d) --------------------------------------------------------------------------- */

static struct mock_adapter hasty;

/* It reports a packet, and carries it out then. */
static void finish_late(void *self, uint32_t node, uint32_t fence)
{
    DXGKARGCB_NOTIFY_INTERRUPT_DATA data = { .InterruptType = DXGK_INTERRUPT_DMA_COMPLETED };
    (void)self;
    data.DmaCompleted.NodeOrdinal = node;
    data.DmaCompleted.SubmissionFenceId = fence;
    mock_front_report(&data);
    mock_front.real_hardware->finish(self, node, fence);
}

static void reports_before(DRIVER_INITIALIZATION_DATA *table)
{
    mock_front_stand(table);
    mock_front_hardware(&hasty)->finish = finish_late;
}

/* Paging and rendering: each report is a finding, and the packet is there until it has ended. */
static void what_is_carried_out_has_not_ended(void **state)
{
    struct vidmm_mock_allocation wish = mock_wish(MOCK_PAGE);
    const struct vidmm_mock_command command = { .cost_ns = 1 };
    vidmm_handle handle;
    (void)state;
    mock_front_start(&hasty, VIDMM_WDDM_1_1, reports_before);
    wish.eviction_set = 0;
    assert_int_equal(mock_allocate(&hasty, &wish, &handle), 0);
    assert_int_equal(mock_use(&hasty, handle, true, command, NULL), 0);
    assert_int_equal(mock_use(&hasty, handle, true, command, NULL), 0);
    assert_int_equal(vidmm_wait_idle(hasty.adapter), 0);
    assert_int_equal(completed(&hasty, 0), 2);
    assert_int_equal(vidmm_evict(hasty.adapter, handle), 0);
    assert_int_equal(vidmm_wait_idle(hasty.adapter), 0);
    assert_int_equal(mock_findings(&hasty), 4);
    assert_int_equal(vidmm_rule_uses(hasty.adapter, RULE(SUBMIT_053)), 4);
    mock_adapter_check(&hasty);
    mock_adapter_stop(&hasty);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(before_the_start_is_complete),
        cmocka_unit_test(after_a_stop),
        cmocka_unit_test(after_a_start_that_failed),
        cmocka_unit_test(a_queued_dpc_runs_before_the_engine_is_reset),
        cmocka_unit_test(nothing_is_reported_between_a_reset_and_its_end),
        cmocka_unit_test(no_node_reports_before_the_restart),
        cmocka_unit_test(a_reset_ends_what_was_queued),
        cmocka_unit_test(one_that_has_run_is_not_queued),
        cmocka_unit_test(one_of_a_question_runs_before_the_answer_counts),
        cmocka_unit_test(questions_become_rare),
        cmocka_unit_test(the_interrupt_of_a_display_is_none_of_a_fence),
        cmocka_unit_test(a_fence_that_is_only_named_is_found),
        cmocka_unit_test(what_is_carried_out_has_not_ended),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
