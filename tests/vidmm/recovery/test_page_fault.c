/* SPDX-License-Identifier: MIT */
/*
 * test_page_fault.c: unexpected page faults that a third-party driver may report, and those of
 * packets that never existed (SUBMIT-060); DMA faults that come late (SUBMIT-059).
 */
#include "tests/support/mock_front.h"
#include "tests/support/unit.h"
#include "vidmm/ddi/ntstatus.h"

static const uint32_t unknown = DXGK_PAGE_FAULT_FENCE_INVALID;
static const uint32_t engine = DXGK_PAGE_FAULT_ENGINE_RESET_REQUIRED;
static const uint32_t whole = DXGK_PAGE_FAULT_ADAPTER_RESET_REQUIRED;

static DXGKARGCB_NOTIFY_INTERRUPT_DATA page_fault(uint32_t node, uint32_t fence, uint32_t flags)
{
    DXGKARGCB_NOTIFY_INTERRUPT_DATA data = { .InterruptType = DXGK_INTERRUPT_DMA_PAGE_FAULTED };
    data.DmaPageFaulted.FaultedFenceId = fence;
    data.DmaPageFaulted.NodeOrdinal = node;
    data.DmaPageFaulted.PageFaultFlags = (DXGK_PAGE_FAULT_FLAGS)flags;
    return data;
}

static void report(uint32_t node, uint32_t fence, uint32_t flags)
{
    DXGKARGCB_NOTIFY_INTERRUPT_DATA data = page_fault(node, fence, flags);
    mock_front_interrupt(&data);
}

/* An interrupt and its DPC. */
static void fault(uint32_t node, uint32_t fence, uint32_t flags)
{
    DXGKARGCB_NOTIFY_INTERRUPT_DATA data = page_fault(node, fence, flags);
    mock_front_report(&data);
}

/* Nothing was ever handed over, and the GPU says that it faulted there. */
static void a_fault_of_no_packet_stops_the_system(void **state)
{
    struct mock_adapter mock;
    (void)state;
    mock_front_start(&mock, VIDMM_WDDM_2_0, mock_front_stand);
    fault(0, 5, 0);
    mock_stopped_with(&mock, RULE(SUBMIT_053), 0x119, (uint64_t[4]){ 0x1, 5, 0, 0 });
    mock_adapter_free(&mock);
}

static void an_idle_node_is_reset_on_demand(void **state)
{
    struct mock_adapter mock;
    (void)state;
    mock_front_start(&mock, VIDMM_WDDM_2_0, mock_front_stand);
    fault(1, 0, unknown | engine);
    assert_int_equal(vidmm_wait_idle(mock.adapter), 0);
    mock_front_work(&mock, 10);
    assert_int_equal(vidmm_wait_idle(mock.adapter), 0);
    assert_int_equal(vidmm_preempt(mock.adapter, 1), 0); /* once: the demand is met */
    assert_int_equal(vidmm_counter(mock.adapter, VIDMM_COUNTER_TDR_ENGINE), 1);
    assert_string_equal(vidmm_device_state(mock.adapter, mock.device), "active");
    mock_adapter_stop(&mock);
}

/* The reset of the adapter takes the nodes with it, whatever was demanded before and after. */
static void several_demands_are_one_reset_of_the_adapter(void **state)
{
    struct mock_adapter mock;
    (void)state;
    mock_front_start(&mock, VIDMM_WDDM_2_0, mock_front_stand);
    mock_front_work(&mock, 1000000);
    report(1, 0, unknown | whole);
    report(1, 0, unknown | engine);
    report(0, 0, unknown | whole);
    fault(0, 0, unknown | engine);
    assert_int_equal(vidmm_wait_idle(mock.adapter), STATUS_DEVICE_REMOVED);
    assert_int_equal(vidmm_counter(mock.adapter, VIDMM_COUNTER_TDR_ADAPTER), 1);
    assert_int_equal(vidmm_counter(mock.adapter, VIDMM_COUNTER_TDR_ENGINE), 0);
    assert_string_equal(vidmm_device_state(mock.adapter, mock.device), "reset");
    fault(1, 0, unknown | engine); /* what was demanded before is done */
    assert_int_equal(vidmm_advance(mock.adapter, 1), 0);
    assert_int_equal(vidmm_counter(mock.adapter, VIDMM_COUNTER_TDR_ADAPTER), 1);
    assert_int_equal(vidmm_counter(mock.adapter, VIDMM_COUNTER_TDR_ENGINE), 1);
    mock_adapter_stop(&mock);
}

static void two_demands_for_a_node_are_one_reset_of_it(void **state)
{
    struct mock_adapter mock;
    (void)state;
    mock_front_start(&mock, VIDMM_WDDM_2_0, mock_front_stand);
    mock_front_work(&mock, 1000000);
    report(1, 0, unknown | engine);
    fault(1, 0, unknown | engine);
    assert_int_equal(vidmm_wait_idle(mock.adapter), 0);
    assert_int_equal(vidmm_counter(mock.adapter, VIDMM_COUNTER_TDR_ENGINE), 1);
    assert_int_equal(vidmm_counter(mock.adapter, VIDMM_COUNTER_TDR_ADAPTER), 0);
    assert_string_equal(vidmm_device_state(mock.adapter, mock.device), "active");
    mock_adapter_stop(&mock);
}

/* One DPC tells of both, and the first one has stopped the system. */
static void what_comes_after_a_stop_counts_for_nothing(void **state)
{
    struct mock_adapter mock;
    (void)state;
    mock_front_start(&mock, VIDMM_WDDM_2_0, mock_front_stand);
    report(0, 5, 0);
    uint64_t told = mock.events[VIDMM_EVENT_PAGE_FAULT];
    fault(0, 0, unknown | DXGK_PAGE_FAULT_FATAL_HARDWARE_ERROR);
    assert_int_equal(mock.events[VIDMM_EVENT_PAGE_FAULT], told + 1); /* of the first one */
    mock_stopped_with(&mock, RULE(SUBMIT_053), 0x119, (uint64_t[4]){ 0x1, 5, 0, 0 });
    mock_adapter_free(&mock);
}

static void bits_that_nobody_knows_are_a_finding(void **state)
{
    struct mock_adapter mock;
    (void)state;
    mock_front_start(&mock, VIDMM_WDDM_2_0, mock_front_stand);
    fault(0, 0,
          unknown | whole | DXGK_PAGE_FAULT_WRITE | DXGK_PAGE_FAULT_IOMMU |
              DXGK_PAGE_FAULT_HW_CONTEXT_VALID | DXGK_PAGE_FAULT_PROCESS_HANDLE_VALID);
    assert_int_equal(mock.events[VIDMM_EVENT_FINDING], 0);
    fault(0, 0, 0xFFFFFFEF);
    assert_int_equal(mock.events[VIDMM_EVENT_FINDING], 1);
    assert_string_equal(mock.finding, "a page fault of node 0 has unknown flags (0xffffffef)");
    assert_null(vidmm_bugcheck(mock.adapter));
    assert_int_equal(vidmm_wait_idle(mock.adapter), 0);
    mock_adapter_stop(&mock);
}

/* Whatever else it demands. */
static void broken_hardware_stops_the_system(void **state)
{
    const uint32_t flags = unknown | engine | whole | DXGK_PAGE_FAULT_FATAL_HARDWARE_ERROR;
    struct mock_adapter mock;
    (void)state;
    mock_front_start(&mock, VIDMM_WDDM_2_0, mock_front_stand);
    fault(1, 0, flags);
    mock_stopped_with(&mock, RULE(SUBMIT_060), 0x119, (uint64_t[4]){ 0xC, flags, 0, 1 });
    mock_adapter_free(&mock);
}

static void a_gpu_without_power_faults_nowhere(void **state)
{
    struct mock_adapter mock;
    (void)state;
    mock_front_start(&mock, VIDMM_WDDM_2_0, mock_front_stand);
    assert_int_equal(vidmm_standby(mock.adapter), 0);
    fault(0, 0, unknown | whole);
    fault(9, 7, unknown);
    assert_int_equal(mock.events[VIDMM_EVENT_FINDING], 2);
    assert_string_equal(mock.finding, "a page fault of node 9 is reported; the GPU has no power");
    assert_int_equal(vidmm_resume(mock.adapter), 0);
    assert_int_equal(vidmm_wait_idle(mock.adapter), 0);
    assert_int_equal(vidmm_counter(mock.adapter, VIDMM_COUNTER_TDR_ADAPTER), 0);
    mock_adapter_stop(&mock);
}

static unsigned resets;

static NTSTATUS faulting_reset(IN_CONST_HANDLE adapter, INOUT_PDXGKARG_RESETENGINE arg)
{
    if (resets++ == 0) {
        report(0, 0, unknown | engine);
        report(1, 0, unknown | engine);
        fault(0, 0, unknown | engine);
    }
    return mock_front.real.DxgkDdiResetEngine(adapter, arg);
}

static void faults_in_a_reset(DRIVER_INITIALIZATION_DATA *table)
{
    resets = 0;
    mock_front_stand(table);
    table->DxgkDdiResetEngine = faulting_reset;
}

/* What a node reports before it comes to rest counts for nothing; another one is heard. */
static void a_reset_forgets_the_reports_of_its_node_alone(void **state)
{
    struct mock_adapter mock;
    (void)state;
    mock_front_start(&mock, VIDMM_WDDM_2_0, faults_in_a_reset);
    fault(0, 0, unknown | engine);
    assert_int_equal(vidmm_wait_idle(mock.adapter), 0);
    mock_front_work(&mock, 10);
    assert_int_equal(vidmm_wait_idle(mock.adapter), 0);
    assert_int_equal(mock.events[VIDMM_EVENT_PAGE_FAULT], 2);
    assert_int_equal(resets, 2);
    mock_adapter_stop(&mock);
}

static NTSTATUS faulting_start(IN_CONST_PVOID context, IN_PDXGK_START_INFO info,
                               IN_PDXGKRNL_INTERFACE interface, OUT_PULONG sources,
                               OUT_PULONG children)
{
    NTSTATUS status =
        mock_front.real.DxgkDdiStartDevice(context, info, interface, sources, children);
    mock_front.system = *interface;
    fault(0, 0, unknown | engine);
    return status;
}

static void faults_at_the_start(DRIVER_INITIALIZATION_DATA *table)
{
    mock_front_stand(table);
    table->DxgkDdiStartDevice = faulting_start;
}

/* Nothing is there yet that could fault; its interrupt and its DPC are two findings. */
static void a_fault_at_the_start_counts_for_nothing(void **state)
{
    struct mock_adapter mock;
    (void)state;
    mock_front_start(&mock, VIDMM_WDDM_2_0, faults_at_the_start);
    assert_int_equal(vidmm_wait_idle(mock.adapter), 0);
    assert_int_equal(vidmm_counter(mock.adapter, VIDMM_COUNTER_TDR_ENGINE), 0);
    assert_int_equal(vidmm_pnp_stop(mock.adapter), 0);
    assert_int_equal(vidmm_pnp_start(mock.adapter), 0);
    assert_int_equal(mock.events[VIDMM_EVENT_FINDING], 2);
    assert_int_equal(vidmm_wait_idle(mock.adapter), 0);
    assert_int_equal(vidmm_counter(mock.adapter, VIDMM_COUNTER_TDR_ENGINE), 0);
    mock_adapter_stop(&mock);
}

static NTSTATUS faulting_create(IN_CONST_HANDLE adapter, INOUT_PDXGKARG_CREATEDEVICE arg)
{
    if (arg->Flags.SystemDevice)
        fault(0, 0, unknown | engine);
    return mock_front.real.DxgkDdiCreateDevice(adapter, arg);
}

static void faults_before_the_start_is_over(DRIVER_INITIALIZATION_DATA *table)
{
    mock_front_stand(table);
    table->DxgkDdiCreateDevice = faulting_create;
}

/* The nodes are there, and no packet yet that could fault. */
static void a_fault_in_the_middle_of_the_start_is_a_finding(void **state)
{
    struct mock_adapter mock;
    (void)state;
    mock_front_start(&mock, VIDMM_WDDM_2_0, faults_before_the_start_is_over);
    assert_int_equal(mock.events[VIDMM_EVENT_PAGE_FAULT], 0);
    assert_int_equal(vidmm_pnp_stop(mock.adapter), 0);
    uint64_t told = mock.events[VIDMM_EVENT_FINDING];
    assert_int_equal(vidmm_pnp_start(mock.adapter), 0);
    assert_int_equal(mock.events[VIDMM_EVENT_FINDING], told + 1);
    assert_int_equal(vidmm_wait_idle(mock.adapter), 0);
    assert_int_equal(vidmm_counter(mock.adapter, VIDMM_COUNTER_TDR_ENGINE), 0);
    mock_adapter_stop(&mock);
}

static NTSTATUS faulting_restart(IN_CONST_HANDLE adapter)
{
    report(0, 0, unknown | engine);
    return mock_front.real.DxgkDdiRestartFromTimeout(adapter);
}

static void faults_at_the_restart(DRIVER_INITIALIZATION_DATA *table)
{
    mock_front_stand(table);
    table->DxgkDdiRestartFromTimeout = faulting_restart;
}

static void a_fault_between_reset_and_restart_stops_the_system(void **state)
{
    struct mock_adapter mock;
    (void)state;
    mock_front_start(&mock, VIDMM_WDDM_2_0, faults_at_the_restart);
    assert_int_not_equal(vidmm_reset_adapter(mock.adapter), 0);
    mock_stopped_with(&mock, RULE(TDR_021), 0x119, (uint64_t[4]){ 0x10, 0, 0, 0 });
    mock_adapter_free(&mock);
}

static NTSTATUS faulting_group(IN_CONST_HANDLE adapter, INOUT_DXGKARG_QUERYDEPENDENTENGINEGROUP arg)
{
    fault(0, 0, unknown); /* what would stop the system at another time */
    return mock_front.real.DxgkDdiQueryDependentEngineGroup(adapter, arg);
}

static void faults_before_the_reset(DRIVER_INITIALIZATION_DATA *table)
{
    mock_front_stand(table);
    table->DxgkDdiQueryDependentEngineGroup = faulting_group;
}

static void a_fault_before_the_reset_of_its_node_counts_for_nothing(void **state)
{
    struct mock_adapter mock;
    (void)state;
    mock_front_start(&mock, VIDMM_WDDM_2_0, faults_before_the_reset);
    mock_front_work(&mock, 1000000);
    assert_int_equal(vidmm_reset_engine(mock.adapter), 0);
    assert_null(vidmm_bugcheck(mock.adapter));
    assert_int_equal(vidmm_counter(mock.adapter, VIDMM_COUNTER_TDR_ENGINE), 1);
    assert_int_equal(mock.events[VIDMM_EVENT_PAGE_FAULT], 0);
    mock_adapter_stop(&mock);
}

/* The GPU is in the middle of it: only packets that have ended count, and a reset does the rest. */
static void a_packet_in_execution_may_fault(void **state)
{
    struct mock_adapter mock;
    (void)state;
    mock_front_start(&mock, VIDMM_WDDM_2_0, mock_front_stand);
    mock_front_work(&mock, 1000000);
    fault(0, 1, engine);
    assert_int_equal(vidmm_wait_idle(mock.adapter), 0);
    assert_string_equal(vidmm_device_state(mock.adapter, mock.device), "page-fault");
    assert_int_equal(vidmm_counter(mock.adapter, VIDMM_COUNTER_TDR_ENGINE), 1);
    mock_adapter_stop(&mock);
}

/* ---- DMA faults ----------------------------------------------------------------------------- */

/* SUBMIT-059(f). */
static void a_dma_fault_of_a_packet_that_is_over_is_a_finding(void **state)
{
    struct mock_adapter mock;
    DXGKARGCB_NOTIFY_INTERRUPT_DATA data = { .InterruptType = DXGK_INTERRUPT_DMA_FAULTED };
    (void)state;
    mock_front_start(&mock, VIDMM_WDDM_1_1, mock_front_stand);
    mock_front_work(&mock, 10);
    assert_int_equal(vidmm_wait_idle(mock.adapter), 0);
    data.DmaFaulted.FaultedFenceId = 1;
    data.DmaFaulted.Status = STATUS_UNSUCCESSFUL;
    mock_front_report(&data);
    assert_int_equal(mock.events[VIDMM_EVENT_FINDING], 1);
    assert_string_equal(mock.finding, "a fault names fence 1 of node 0, which is over already");
    assert_int_equal(mock.finding_rule, RULE(SUBMIT_059));
    data.DmaFaulted.NodeOrdinal = 1; /* which has executed nothing */
    data.DmaFaulted.FaultedFenceId = 0;
    mock_front_report(&data);
    assert_int_equal(mock.events[VIDMM_EVENT_FINDING], 2);
    assert_null(vidmm_bugcheck(mock.adapter));
    assert_string_equal(vidmm_device_state(mock.adapter, mock.device), "active");
    mock_adapter_stop(&mock);
}

/* Nothing is over on a node that does not exist. */
static void a_dma_fault_of_no_node_stops_the_system(void **state)
{
    struct mock_adapter mock;
    (void)state;
    mock_front_start(&mock, VIDMM_WDDM_2_0, mock_front_stand);
    DXGKARGCB_NOTIFY_INTERRUPT_DATA data = { .InterruptType = DXGK_INTERRUPT_DMA_FAULTED };
    data.DmaFaulted.NodeOrdinal = 2;
    mock_front_report(&data);
    assert_int_equal(mock_findings(&mock), 0);
    mock_stopped_with(&mock, RULE(SUBMIT_053), 0x119, (uint64_t[4]){ 0x1, 0, 2, 0 });
    mock_adapter_free(&mock);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_fault_of_no_packet_stops_the_system),
        cmocka_unit_test(an_idle_node_is_reset_on_demand),
        cmocka_unit_test(several_demands_are_one_reset_of_the_adapter),
        cmocka_unit_test(two_demands_for_a_node_are_one_reset_of_it),
        cmocka_unit_test(what_comes_after_a_stop_counts_for_nothing),
        cmocka_unit_test(bits_that_nobody_knows_are_a_finding),
        cmocka_unit_test(broken_hardware_stops_the_system),
        cmocka_unit_test(a_gpu_without_power_faults_nowhere),
        cmocka_unit_test(a_reset_forgets_the_reports_of_its_node_alone),
        cmocka_unit_test(a_fault_at_the_start_counts_for_nothing),
        cmocka_unit_test(a_fault_in_the_middle_of_the_start_is_a_finding),
        cmocka_unit_test(a_fault_between_reset_and_restart_stops_the_system),
        cmocka_unit_test(a_fault_before_the_reset_of_its_node_counts_for_nothing),
        cmocka_unit_test(a_packet_in_execution_may_fault),
        cmocka_unit_test(a_dma_fault_of_a_packet_that_is_over_is_a_finding),
        cmocka_unit_test(a_dma_fault_of_no_node_stops_the_system),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
