/* SPDX-License-Identifier: MIT */
/*
 * test_reports.c: reports of a driver about fences, and about DMA buffers, that no switch of the
 * mock produces: answers to requests to preempt, repeated and invented numbers, silence when it is
 * asked, and lists that come back spoiled (SUBMIT-023, SUBMIT-026, SUBMIT-041, SUBMIT-050,
 * SUBMIT-053, SUBMIT-055, SUBMIT-059).
 */
#include <string.h>

#include "paging/schedule/schedule_state.h"
#include "tests/support/mock_front.h"
#include "tests/support/unit.h"
#include "vidmm/adapter.h"
#include "vidmm/ddi/ntstatus.h"
#include "vidmm/vidmm_accidents.h"

enum { MILLISECOND = 1000000, ROOM = 16, LISTED = 2, PRIVATE_BYTES = 64, BUFFER_BYTES = 65536 };

/* Notes of the driver in front of the mock. */
static struct {
    uint32_t asked;                      /* the number of the request to preempt */
    UINT current;                        /* its answer when it is asked for its fence */
    ptrdiff_t more;                      /* patch locations that it says to have written */
    DXGK_ALLOCATIONLIST patched[LISTED]; /* the list of the last Patch */
    DXGKARG_PATCH paging;                /* the last one of paging */
    uint8_t found[PRIVATE_BYTES];        /* private data before the last Render */
} front;

/* The answer comes when a test gives it. */
static NTSTATUS preempt(IN_CONST_HANDLE adapter, IN_CONST_PDXGKARG_PREEMPTCOMMAND arg)
{
    (void)adapter;
    front.asked = arg->PreemptionFenceId;
    return STATUS_SUCCESS;
}

/* No interrupt before it returns, though one is due. */
static NTSTATUS current_fence(IN_CONST_HANDLE adapter, INOUT_PDXGKARG_QUERYCURRENTFENCE arg)
{
    (void)adapter;
    arg->CurrentFence = front.current;
    return STATUS_SUCCESS;
}

static NTSTATUS create_context(IN_CONST_HANDLE device, INOUT_PDXGKARG_CREATECONTEXT arg)
{
    NTSTATUS answer = mock_front.real.DxgkDdiCreateContext(device, arg);
    arg->ContextInfo.DmaBufferPrivateDataSize = PRIVATE_BYTES;
    return answer;
}

static NTSTATUS render(IN_CONST_HANDLE context, INOUT_PDXGKARG_RENDER arg)
{
    assert_int_equal(arg->DmaBufferPrivateDataSize, PRIVATE_BYTES);
    assert_int_equal((uintptr_t)arg->pDmaBuffer % MOCK_PAGE, 0); /* SUBMIT-020 */
    memcpy(front.found, arg->pDmaBufferPrivateData, PRIVATE_BYTES);
    memset(arg->pDmaBufferPrivateData, 0xA5, PRIVATE_BYTES);
    NTSTATUS answer = mock_front.real.DxgkDdiRender(context, arg);
    for (UINT i = 0; i < arg->AllocationListSize; i++)
        ((DXGK_ALLOCATIONLIST *)arg->pAllocationList)[i].SegmentId = 0x1F;
    arg->pPatchLocationListOut += front.more;
    return answer;
}

static NTSTATUS patch(IN_CONST_HANDLE adapter, IN_CONST_PDXGKARG_PATCH arg)
{
    assert_int_equal((uintptr_t)arg->pDmaBuffer % MOCK_PAGE, 0);
    assert_int_equal(arg->DmaBufferSize, BUFFER_BYTES); /* all of it, not the used part */
    if (arg->Flags.Paging)
        front.paging = *arg;
    else if (arg->AllocationListSize == LISTED)
        memcpy(front.patched, arg->pAllocationList, sizeof front.patched);
    return mock_front.real.DxgkDdiPatch(adapter, arg);
}

static void stand_in_front(DRIVER_INITIALIZATION_DATA *table)
{
    memset(&front, 0, sizeof front);
    mock_front_stand(table);
    table->DxgkDdiPreemptCommand = preempt;
    table->DxgkDdiQueryCurrentFence = current_fence;
}

static void spoils_lists(DRIVER_INITIALIZATION_DATA *table)
{
    stand_in_front(table);
    table->DxgkDdiCreateContext = create_context;
    table->DxgkDdiRender = render;
    table->DxgkDdiPatch = patch;
}

static uint32_t completed(const struct mock_adapter *mock)
{
    struct vidmm_node_view view;
    assert_true(vidmm_node_view(mock->adapter, 0, &view));
    return view.completed;
}

static void complete(uint32_t node, uint32_t fence)
{
    DXGKARGCB_NOTIFY_INTERRUPT_DATA data = { .InterruptType = DXGK_INTERRUPT_DMA_COMPLETED };
    data.DmaCompleted.NodeOrdinal = node;
    data.DmaCompleted.SubmissionFenceId = fence;
    mock_front_report(&data);
}

static void fault(uint32_t node, uint32_t fence)
{
    DXGKARGCB_NOTIFY_INTERRUPT_DATA data = { .InterruptType = DXGK_INTERRUPT_DMA_FAULTED };
    data.DmaFaulted.NodeOrdinal = node;
    data.DmaFaulted.FaultedFenceId = fence;
    mock_front_report(&data);
}

static DXGKARGCB_NOTIFY_INTERRUPT_DATA preempted(uint32_t node, uint32_t id, uint32_t last)
{
    DXGKARGCB_NOTIFY_INTERRUPT_DATA data = { .InterruptType = DXGK_INTERRUPT_DMA_PREEMPTED };
    data.DmaPreempted.NodeOrdinal = node;
    data.DmaPreempted.PreemptionFenceId = id;
    data.DmaPreempted.LastCompletedFenceId = last;
    return data;
}

static void answer(uint32_t id, uint32_t last)
{
    DXGKARGCB_NOTIFY_INTERRUPT_DATA data = preempted(0, id, last);
    mock_front_report(&data);
}

/* The scheduler's own stop: the report is impossible. */
static void stopped(struct mock_adapter *mock, enum vidmm_rule rule)
{
    (void)mock_stopped(mock, rule, 0x119, 0x1);
    mock_adapter_free(mock);
}

/* ---- completions ---------------------------------------------------------------------------- */

/* The last completed number once more does nothing, and no event reports it. */
static void a_number_may_be_repeated(void **state)
{
    struct mock_adapter mock;
    (void)state;
    mock_front_start(&mock, VIDMM_WDDM_1_1, stand_in_front);
    complete(0, 0);
    mock_front_work(&mock, 1);
    mock_front_work(&mock, MILLISECOND);
    assert_int_equal(vidmm_advance(mock.adapter, MILLISECOND / 2), 0);
    assert_int_equal(completed(&mock), 1);
    uint64_t told = mock.events[VIDMM_EVENT_FENCE];
    complete(0, 1);
    complete(0, 1);
    assert_int_equal(completed(&mock), 1);
    assert_int_equal(mock.events[VIDMM_EVENT_FENCE], told);
    assert_int_equal(mock.events[VIDMM_EVENT_FINDING], 0);
    assert_int_equal(vidmm_wait_idle(mock.adapter), 0);
    mock_adapter_stop(&mock);
}

static void a_node_that_is_not_there_completes_nothing(void **state)
{
    struct mock_adapter mock;
    (void)state;
    mock_front_start(&mock, VIDMM_WDDM_1_1, stand_in_front);
    complete(2, 0);
    stopped(&mock, RULE(SUBMIT_053));
}

/* SUBMIT-055: the fence that it calls complete should have been reported; it does not count. */
static void who_only_answers_has_not_reported(void **state)
{
    struct mock_adapter mock;
    struct vidmm_submission submission;
    (void)state;
    mock_front_start(&mock, VIDMM_WDDM_1_1, stand_in_front);
    mock.adapter->setup->cost.fence_poll_ns = MILLISECOND / 4;
    assert_int_equal(mock_front_submit(&mock, MILLISECOND, &submission), 0);
    front.current = submission.fence;
    assert_int_equal(vidmm_wait(mock.adapter, submission), 0);
    assert_int_equal(completed(&mock), 1);
    assert_true(mock.events[VIDMM_EVENT_FINDING] >= 3);
    mock_adapter_stop(&mock);
}

/* ---- faults --------------------------------------------------------------------------------- */

/* SUBMIT-059: the device of the packet is forgotten. */
static void what_is_over_cannot_fault(void **state)
{
    struct mock_adapter mock;
    (void)state;
    mock_front_start(&mock, VIDMM_WDDM_1_1, stand_in_front);
    mock_front_work(&mock, 1);
    assert_int_equal(vidmm_wait_idle(mock.adapter), 0);
    fault(0, 1);
    assert_int_equal(mock.events[VIDMM_EVENT_FINDING], 1);
    assert_int_equal(completed(&mock), 1);
    assert_string_equal(vidmm_device_state(mock.adapter, mock.device), "active");
    mock_adapter_stop(&mock);
}

static void nor_can_what_never_was(void **state)
{
    static const struct {
        uint32_t node, fence;
    } wrong[] = { { 0, 0 }, { 0, 3 }, { 2, 1 } };
    (void)state;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct mock_adapter mock;
        mock_front_start(&mock, VIDMM_WDDM_1_1, stand_in_front);
        mock_front_work(&mock, 1);
        mock_front_work(&mock, MILLISECOND);
        assert_int_equal(vidmm_advance(mock.adapter, MILLISECOND / 2), 0);
        fault(wrong[i].node, wrong[i].fence);
        stopped(&mock, RULE(SUBMIT_053));
    }
}

/* Only packets that have ended count, but the device is in error, and its queued packets run on. */
static void a_fault_ahead_of_the_gpu(void **state)
{
    struct mock_adapter mock;
    (void)state;
    mock_front_start(&mock, VIDMM_WDDM_1_1, stand_in_front);
    mock_front_work(&mock, 1);
    mock_front_work(&mock, MILLISECOND);
    assert_int_equal(vidmm_advance(mock.adapter, MILLISECOND / 2), 0);
    fault(0, 2);
    assert_int_equal(mock.events[VIDMM_EVENT_FINDING], 1);
    assert_int_equal(completed(&mock), 1);
    assert_string_equal(vidmm_device_state(mock.adapter, mock.device), "dma-fault");
    assert_int_equal(vidmm_wait_idle(mock.adapter), 0);
    assert_int_equal(completed(&mock), 2);
    mock_adapter_stop(&mock);
}

/* ---- answers to a request to preempt -------------------------------------------------------- */

/* Two packets, one of them complete, and a request with number 3. */
static void ask(struct mock_adapter *mock)
{
    mock_front_start(mock, VIDMM_WDDM_1_1, stand_in_front);
    mock_front_work(mock, 1);
    mock_front_work(mock, MILLISECOND);
    assert_int_equal(vidmm_advance(mock->adapter, MILLISECOND / 2), 0);
    assert_int_equal(completed(mock), 1);
    assert_int_equal(vidmm_preempt(mock->adapter, 0), 0);
    assert_int_equal(front.asked, 3);
}

static void the_right_answer(void **state)
{
    struct mock_adapter mock;
    (void)state;
    ask(&mock);
    answer(3, 1);
    assert_null(vidmm_bugcheck(mock.adapter));
    assert_int_equal(vidmm_wait_idle(mock.adapter), 0);
    assert_int_equal(mock.events[VIDMM_EVENT_FINDING], 0);
    answer(0, 2); /* no request is open any more */
    stopped(&mock, RULE(SUBMIT_053));
}

static void wrong_answers_stop_the_system(void **state)
{
    static const struct {
        uint32_t id, last;
        bool reset; /* which lets no driver forget what it knew (SUBMIT-058) */
    } wrong[] = { { 0, 1, false }, { 2, 1, false }, { 4, 1, false },         { 3, 0, false },
                  { 3, 3, false }, { 4, 0, true },  { 3, UINT32_MAX, false } };
    (void)state;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct mock_adapter mock;
        ask(&mock);
        if (wrong[i].reset) {
            assert_int_equal(vidmm_reset_adapter(mock.adapter), 0);
            assert_int_equal(vidmm_preempt(mock.adapter, 0), 0);
        }
        uint64_t told = mock.events[VIDMM_EVENT_PREEMPT];
        answer(wrong[i].id, wrong[i].last);
        assert_int_equal(mock.events[VIDMM_EVENT_PREEMPT], told); /* it is no answer */
        stopped(&mock, RULE(SUBMIT_053));
    }
}

static void a_node_that_is_not_there_answers_nothing(void **state)
{
    struct mock_adapter mock;
    DXGKARGCB_NOTIFY_INTERRUPT_DATA data = preempted(2, 3, 1);
    (void)state;
    ask(&mock);
    mock_front_report(&data);
    stopped(&mock, RULE(SUBMIT_053));
}

/* The packet that the GPU executes is none that it has completed; it ends in its time. */
static void an_answer_ahead_of_the_gpu(void **state)
{
    struct mock_adapter mock;
    (void)state;
    ask(&mock);
    answer(3, 2);
    assert_int_equal(vidmm_advance(mock.adapter, 0), 0);
    assert_int_equal(mock.events[VIDMM_EVENT_FINDING], 1);
    assert_int_equal(completed(&mock), 1);
    assert_int_equal(vidmm_wait_idle(mock.adapter), 0);
    assert_int_equal(completed(&mock), 2);
    assert_int_equal(mock.events[VIDMM_EVENT_SUBMIT], 2); /* none of them once more */
    mock_adapter_stop(&mock);
}

/* The answer to the open request, while the reset of its engine is under way. */
static NTSTATUS answer_too_late(IN_CONST_HANDLE adapter, IN_CONST_PDXGKARG_COLLECTDBGINFO arg)
{
    answer(front.asked, 1);
    return mock_front.real.DxgkDdiCollectDbgInfo(adapter, arg);
}

static void answers_too_late(DRIVER_INITIALIZATION_DATA *table)
{
    stand_in_front(table);
    table->DxgkDdiCollectDbgInfo = answer_too_late;
}

/* TDR-011: from its third step on the reports of the node count for nothing. */
static void an_answer_during_a_reset(void **state)
{
    struct mock_adapter mock;
    (void)state;
    mock_front_start(&mock, VIDMM_WDDM_1_2, answers_too_late);
    mock_front_work(&mock, 1);
    mock_front_work(&mock, MILLISECOND);
    assert_int_equal(vidmm_advance(mock.adapter, MILLISECOND / 2), 0);
    assert_int_equal(vidmm_preempt(mock.adapter, 0), 0);
    uint64_t told = mock.events[VIDMM_EVENT_PREEMPT];
    assert_int_equal(vidmm_reset_engine(mock.adapter), 0);
    assert_int_equal(mock.events[VIDMM_EVENT_PREEMPT], told);
    assert_int_equal(mock.events[VIDMM_EVENT_DEVICE_STATE], 1); /* the packet was aborted */
    mock_adapter_stop(&mock);
}

/* An interrupt of its own, and its DPC at once. */
static NTSTATUS preempt_wrongly(IN_CONST_HANDLE adapter, IN_CONST_PDXGKARG_PREEMPTCOMMAND arg)
{
    DXGKARGCB_NOTIFY_INTERRUPT_DATA data =
        preempted(arg->NodeOrdinal, arg->PreemptionFenceId + 1, 0);
    (void)adapter;
    mock_front_interrupt(&data);
    (void)mock_front.system.DxgkCbQueueDpc(mock_front.system.DeviceHandle);
    return STATUS_SUCCESS;
}

static void answers_wrongly(DRIVER_INITIALIZATION_DATA *table)
{
    stand_in_front(table);
    table->DxgkDdiPreemptCommand = preempt_wrongly;
}

/* The system has stopped: nobody misses the right answer any more (SUBMIT-057). */
static void a_wrong_answer_of_an_idle_node(void **state)
{
    struct mock_adapter mock;
    (void)state;
    mock_front_start(&mock, VIDMM_WDDM_1_1, answers_wrongly);
    assert_int_not_equal(vidmm_preempt(mock.adapter, 0), 0);
    assert_int_equal(mock.events[VIDMM_EVENT_FINDING], 0);
    stopped(&mock, RULE(SUBMIT_053));
}

static void an_answer_comes_once(void **state)
{
    struct mock_adapter mock;
    (void)state;
    ask(&mock);
    answer(3, 1);
    answer(3, 1);
    stopped(&mock, RULE(SUBMIT_053));
}

/* ---- lists ---------------------------------------------------------------------------------- */

static vidmm_status submit_with_list(struct mock_adapter *mock)
{
    struct vidmm_mock_allocation wish = mock_wish(MOCK_PAGE);
    struct vidmm_use uses[LISTED] = { { 0 } };
    const struct vidmm_patch patches[] = { { .allocation_index = 1, .patch_offset = ROOM } };
    const struct vidmm_mock_command command = { .cost_ns = 1 };
    const struct vidmm_work lists = {
        .uses = uses, .use_count = LISTED, .patches = patches, .patch_count = 1
    };
    assert_int_equal(mock_allocate(mock, &wish, &uses[1].allocation), 0);
    return mock_submit(mock, lists, command, NULL);
}

/* SUBMIT-040: whatever Render made of the list, Patch has the final addresses. */
static void patch_has_the_last_word(void **state)
{
    struct mock_adapter mock;
    (void)state;
    mock_front_start(&mock, VIDMM_WDDM_1_1, spoils_lists);
    assert_int_equal(submit_with_list(&mock), 0);
    assert_int_equal(front.patched[1].SegmentId, 1);
    assert_int_equal(front.patched[1].PhysicalAddress.QuadPart, 0);
    assert_int_equal(vidmm_counter(mock.adapter, VIDMM_COUNTER_PREPATCH_VALID), 0);
    assert_int_equal(vidmm_wait_idle(mock.adapter), 0);
    mock_adapter_stop(&mock);
}

/* SUBMIT-041. */
static void paging_has_no_lists(void **state)
{
    struct mock_adapter mock;
    (void)state;
    mock_front_start(&mock, VIDMM_WDDM_1_1, spoils_lists);
    assert_int_equal(submit_with_list(&mock), 0);
    assert_int_equal(front.paging.SubmissionFenceId, 1);
    assert_null(front.paging.pAllocationList);
    assert_null(front.paging.pPatchLocationList);
    assert_int_equal(front.paging.AllocationListSize, 0);
    assert_int_equal(front.paging.PatchLocationListSize, 0);
    assert_int_equal(front.paging.PatchLocationListSubmissionStart, 0);
    assert_int_equal(front.paging.PatchLocationListSubmissionLength, 0);
    assert_int_equal(vidmm_wait_idle(mock.adapter), 0);
    mock_adapter_stop(&mock);
}

/* SUBMIT-026: zeros at first, and the driver's old bytes when the buffer is used again. */
static void private_data_are_the_drivers(void **state)
{
    struct mock_adapter mock;
    (void)state;
    mock_front_start(&mock, VIDMM_WDDM_1_1, spoils_lists);
    mock_front_work(&mock, 1);
    for (size_t i = 0; i < PRIVATE_BYTES; i++)
        assert_int_equal(front.found[i], 0);
    assert_int_equal(vidmm_wait_idle(mock.adapter), 0);
    mock_front_work(&mock, 1);
    for (size_t i = sizeof(uint32_t); i < PRIVATE_BYTES; i++) /* the mock wrote after our bytes */
        assert_int_equal(front.found[i], 0xA5);
    mock_front_work(&mock, 1); /* another buffer: the previous one is in flight */
    for (size_t i = 0; i < PRIVATE_BYTES; i++)
        assert_int_equal(front.found[i], 0);
    assert_int_equal(vidmm_wait_idle(mock.adapter), 0);
    mock_adapter_stop(&mock);
}

/* SUBMIT-023: the size of the list is agreed on like that of the buffer. */
static void more_locations_than_agreed(void **state)
{
    static const ptrdiff_t more[] = { 1, -2 };
    (void)state;
    for (size_t i = 0; i < sizeof more / sizeof *more; i++) {
        struct mock_adapter mock;
        mock_front_start(&mock, VIDMM_WDDM_1_1, spoils_lists);
        front.more = more[i];
        assert_int_not_equal(submit_with_list(&mock), 0);
        mock_stopped_with(&mock, RULE(SUBMIT_023), 0x10E,
                          (uint64_t[4]){ 0x16, mock.context, 0, 0 });
        mock_adapter_free(&mock);
    }
}

/* What was taken back needs new ones. */
static void nor_do_those_of_packets_that_come_back(void **state)
{
    struct mock_adapter mock;
    (void)state;
    ask(&mock);
    mock_front_work(&mock, 1);
    mock.adapter->schedule->fences.issued[0] = UINT32_MAX;
    answer(3, 1);
    assert_int_not_equal(vidmm_wait_idle(mock.adapter), 0);
    mock_stopped_with(&mock, RULE(SUBMIT_050), 0x119, (uint64_t[4]){ 0x1, 0, 0, 0 });
    mock_adapter_free(&mock);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_number_may_be_repeated),
        cmocka_unit_test(a_node_that_is_not_there_completes_nothing),
        cmocka_unit_test(who_only_answers_has_not_reported),
        cmocka_unit_test(what_is_over_cannot_fault),
        cmocka_unit_test(nor_can_what_never_was),
        cmocka_unit_test(a_fault_ahead_of_the_gpu),
        cmocka_unit_test(the_right_answer),
        cmocka_unit_test(wrong_answers_stop_the_system),
        cmocka_unit_test(a_node_that_is_not_there_answers_nothing),
        cmocka_unit_test(an_answer_ahead_of_the_gpu),
        cmocka_unit_test(an_answer_during_a_reset),
        cmocka_unit_test(a_wrong_answer_of_an_idle_node),
        cmocka_unit_test(an_answer_comes_once),
        cmocka_unit_test(patch_has_the_last_word),
        cmocka_unit_test(paging_has_no_lists),
        cmocka_unit_test(private_data_are_the_drivers),
        cmocka_unit_test(more_locations_than_agreed),
        cmocka_unit_test(nor_do_those_of_packets_that_come_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
