/* SPDX-License-Identifier: MIT */
/*
 * test_front.c: third-party drivers with behaviour for which the mock has no switch: the mock, and
 * a driver in front of it.
 */
#include <string.h>

#include "tests/support/mock_front.h"
#include "tests/support/unit.h"
#include "vidmm/ddi/ntstatus.h"

/* Notes of the driver in front of the mock. */
static struct {
    unsigned calls;       /* of those that a test counts */
    HANDLE kept;          /* a context allocation */
    NTSTATUS answered[2]; /* the system's answers */
} front;

static void stand_in_front(DRIVER_INITIALIZATION_DATA *table)
{
    memset(&front, 0, sizeof front);
    mock_front_stand(table);
}

/* ---- the start ------------------------------------------------------------------------------ */

static NTSTATUS no_device(IN_CONST_PDEVICE_OBJECT object, OUT_PPVOID context)
{
    (void)object;
    *context = NULL;
    return STATUS_NO_MEMORY;
}

static NTSTATUS no_context(IN_CONST_HANDLE device, INOUT_PDXGKARG_CREATECONTEXT arg)
{
    (void)device;
    (void)arg;
    return STATUS_NO_MEMORY;
}

static NTSTATUS no_start(IN_CONST_PVOID context, IN_PDXGK_START_INFO info,
                         IN_PDXGKRNL_INTERFACE interface, OUT_PULONG sources, OUT_PULONG children)
{
    (void)context;
    (void)info;
    (void)interface;
    (void)sources;
    (void)children;
    return STATUS_INSUFFICIENT_RESOURCES;
}

static void starts_nothing(DRIVER_INITIALIZATION_DATA *table)
{
    table->DxgkDdiStartDevice = no_start;
}

static void adds_nothing(DRIVER_INITIALIZATION_DATA *table)
{
    table->DxgkDdiAddDevice = no_device;
}

static void has_no_system_context(DRIVER_INITIALIZATION_DATA *table)
{
    table->DxgkDdiCreateContext = no_context;
}

static void cannot_page(DRIVER_INITIALIZATION_DATA *table)
{
    table->DxgkDdiBuildPagingBuffer = NULL;
}

static void (*begins)(DRIVER_INITIALIZATION_DATA *table);
static unsigned stops, removals;

static NTSTATUS count_stop(IN_CONST_PVOID context)
{
    stops++;
    return mock_front.real.DxgkDdiStopDevice(context);
}

static NTSTATUS count_removal(IN_CONST_PVOID context)
{
    removals++;
    return mock_front.real.DxgkDdiRemoveDevice(context);
}

static void counts_its_end(DRIVER_INITIALIZATION_DATA *table)
{
    stand_in_front(table);
    table->DxgkDdiStopDevice = count_stop;
    table->DxgkDdiRemoveDevice = count_removal;
    begins(table);
    stops = removals = 0;
}

static void cannot_begin(struct mock_adapter *mock,
                         void (*driver)(DRIVER_INITIALIZATION_DATA *table))
{
    mock_adapter_init(mock, VIDMM_WDDM_1_1);
    mock->mock_config.paging_buffer_private_bytes = 64;
    mock->hook = driver;
    mock_adapter_prepare(mock);
}

/* And ends with the calls that belong to those which succeeded. */
static void a_start_fails_with_the_call(void **state)
{
    static const struct {
        void (*driver)(DRIVER_INITIALIZATION_DATA *table);
        enum vidmm_rule rule;
        vidmm_status status;
        unsigned stops, removals;
    } starts[] = {
        { cannot_page, RULE(MINI_002), STATUS_INVALID_PARAMETER, 0, 0 },
        { adds_nothing, RULE(MINI_008), STATUS_NO_MEMORY, 0, 0 },
        { starts_nothing, RULE(MINI_008), STATUS_INSUFFICIENT_RESOURCES, 0, 1 },
        { has_no_system_context, RULE(MINI_022), STATUS_NO_MEMORY, 1, 1 },
    };
    (void)state;
    for (size_t i = 0; i < sizeof starts / sizeof *starts; i++) {
        struct mock_adapter mock;
        begins = starts[i].driver;
        cannot_begin(&mock, counts_its_end);
        assert_int_equal(vidmm_adapter_start(&mock.config, &mock.adapter), starts[i].status);
        mock_refused(&mock, starts[i].rule);
        mock_adapter_free(&mock);
        assert_int_equal(stops, starts[i].stops);
        assert_int_equal(removals, starts[i].removals);
    }
}

/* ---- QueryAdapterInfo ----------------------------------------------------------------------- */

/* Answers, and then changes the question. */
static NTSTATUS spoil_question(IN_CONST_HANDLE adapter, IN_CONST_PDXGKARG_QUERYADAPTERINFO arg)
{
    NTSTATUS answer = mock_front.real.DxgkDdiQueryAdapterInfo(adapter, arg);
    memset((DXGKARG_QUERYADAPTERINFO *)arg, 0x77, sizeof *arg);
    return answer;
}

static void spoils_questions(DRIVER_INITIALIZATION_DATA *table)
{
    stand_in_front(table);
    table->DxgkDdiQueryAdapterInfo = spoil_question;
}

/* MINI-005. */
static void the_answer_is_read_by_the_question_that_was_asked(void **state)
{
    struct mock_adapter mock;
    (void)state;
    mock_front_start(&mock, VIDMM_WDDM_2_0, spoils_questions);
    assert_int_equal(mock_adapter_view(&mock).dedicated_video, MOCK_SEGMENT_BYTES);
    mock_adapter_stop(&mock);
}

/* ---- BuildPagingBuffer ---------------------------------------------------------------------- */

/* Which pointer ends a byte before where the call got it, and after how many fills. */
static struct {
    bool private_data;
    unsigned fills;
} back;

static NTSTATUS step_back(IN_CONST_HANDLE adapter, IN_PDXGKARG_BUILDPAGINGBUFFER arg)
{
    uint8_t *start = arg->pDmaBuffer, *private_start = arg->pDmaBufferPrivateData;
    NTSTATUS answer = mock_front.real.DxgkDdiBuildPagingBuffer(adapter, arg);
    if (arg->Operation != DXGK_OPERATION_FILL)
        return answer;
    arg->pDmaBufferPrivateData = private_start + 4;
    if (front.calls++ < back.fills)
        return answer;
    if (back.private_data)
        arg->pDmaBufferPrivateData = private_start - 1;
    else
        arg->pDmaBuffer = start - 1;
    return answer;
}

static void steps_back(DRIVER_INITIALIZATION_DATA *table)
{
    stand_in_front(table);
    table->DxgkDdiBuildPagingBuffer = step_back;
}

static void stops_at_a_step_back(bool private_data, unsigned fills)
{
    struct mock_adapter mock;
    back.private_data = private_data;
    back.fills = fills;
    mock_adapter_init(&mock, VIDMM_WDDM_1_1);
    mock.mock_config.paging_buffer_private_bytes = 64;
    mock.hook = steps_back;
    mock_adapter_start(&mock);
    for (unsigned i = 0; i < fills; i++)
        assert_int_equal(vidmm_page_in(mock.adapter, mock_make(&mock), true), 0);
    vidmm_handle handle = mock_make(&mock);
    assert_int_not_equal(vidmm_page_in(mock.adapter, handle, true), 0);
    const struct vidmm_bugcheck *stop =
        mock_stopped(&mock, RULE(MINI_051), 0x10E, private_data ? 0x13 : 0x12);
    assert_int_equal(stop->parameter[1], handle);
    assert_non_null(strstr(stop->text, "moved its pointer back"));
    assert_non_null(strstr(stop->text, private_data ? "private data" : "bytes"));
    mock_adapter_free(&mock);
}

/* MINI-051: neither to before the buffer, nor into what an earlier call has written there. */
static void a_pointer_never_moves_back(void **state)
{
    (void)state;
    for (unsigned fills = 0; fills < 2; fills++) {
        stops_at_a_step_back(false, fills);
        stops_at_a_step_back(true, fills);
    }
}

/* What of the 16 bytes after its buffer it writes. */
static struct {
    bool private_data;
    unsigned first, bytes;
} past;

/* Writes past the buffer when the start asks whether it can unmap. */
static NTSTATUS overrun_at_start(IN_CONST_HANDLE adapter, IN_PDXGKARG_BUILDPAGINGBUFFER arg)
{
    NTSTATUS answer = mock_front.real.DxgkDdiBuildPagingBuffer(adapter, arg);
    uint8_t *end = past.private_data ? arg->pDmaBufferPrivateData : arg->pDmaBuffer;
    end += past.private_data ? arg->DmaBufferPrivateDataSize : arg->DmaSize;
    memset(end + past.first, 0, past.bytes);
    return answer;
}

static void overruns(DRIVER_INITIALIZATION_DATA *table)
{
    stand_in_front(table);
    table->DxgkDdiBuildPagingBuffer = overrun_at_start;
}

/* All of both is its own to use. */
static NTSTATUS use_all_at_start(IN_CONST_HANDLE adapter, IN_PDXGKARG_BUILDPAGINGBUFFER arg)
{
    uint8_t *end = (uint8_t *)arg->pDmaBuffer + arg->DmaSize;
    uint8_t *private_end = (uint8_t *)arg->pDmaBufferPrivateData + arg->DmaBufferPrivateDataSize;
    NTSTATUS answer = mock_front.real.DxgkDdiBuildPagingBuffer(adapter, arg);
    arg->pDmaBuffer = end;
    arg->pDmaBufferPrivateData = private_end;
    return answer;
}

static void uses_all(DRIVER_INITIALIZATION_DATA *table)
{
    stand_in_front(table);
    table->DxgkDdiBuildPagingBuffer = use_all_at_start;
}

static void a_start_may_use_the_whole_buffer(void **state)
{
    struct mock_adapter mock;
    (void)state;
    cannot_begin(&mock, uses_all);
    assert_int_equal(vidmm_adapter_start(&mock.config, &mock.adapter), 0);
    mock_adapter_free(&mock);
}

/* MINI-051: before there is an adapter. */
static void stops_the_start(bool private_data, unsigned first, unsigned bytes)
{
    struct mock_adapter mock;
    past.private_data = private_data;
    past.first = first;
    past.bytes = bytes;
    cannot_begin(&mock, overruns);
    assert_int_not_equal(vidmm_adapter_start(&mock.config, &mock.adapter), 0);
    const struct vidmm_bugcheck *stop =
        mock_stopped(&mock, RULE(MINI_051), 0x10E, private_data ? 0x13 : 0x12);
    assert_non_null(strstr(stop->text, private_data ? "private data" : "bytes"));
    mock_adapter_free(&mock);
}

static void the_first_call_has_guards_too(void **state)
{
    (void)state;
    for (int i = 0; i < 2; i++) {
        stops_the_start(i, 0, 1);
        stops_the_start(i, 15, 1);
        stops_the_start(i, 0, 16);
    }
}

/* ---- the scheduler class -------------------------------------------------------------------- */

/* Calls that are allowed there, and others. */
static void call_back(void)
{
    DXGK_DEVICE_INFO info;
    DXGKARGCB_CREATECONTEXTALLOCATION arg = { .hAdapter = mock_front.system.DeviceHandle };
    front.calls++;
    (void)mock_front.system.DxgkCbQueueDpc(mock_front.system.DeviceHandle);
    assert_int_equal(mock_front.system.DxgkCbGetDeviceInformation(mock_front.system.DeviceHandle,
                                                                  &info),
                     0);
    assert_int_not_equal(mock_front.system.DxgkCbCreateContextAllocation(&arg), 0);
    assert_int_not_equal(mock_front.system.DxgkCbDestroyContextAllocation(
                             mock_front.system.DeviceHandle, front.kept),
                         0);
}

static NTSTATUS back_in_build(IN_CONST_HANDLE adapter, IN_PDXGKARG_BUILDPAGINGBUFFER arg)
{
    if (front.kept)
        call_back();
    return mock_front.real.DxgkDdiBuildPagingBuffer(adapter, arg);
}

static NTSTATUS back_in_group(IN_CONST_HANDLE adapter, INOUT_DXGKARG_QUERYDEPENDENTENGINEGROUP arg)
{
    call_back();
    NTSTATUS answer = mock_front.real.DxgkDdiQueryDependentEngineGroup(adapter, arg);
    arg->DependentNodeOrdinalMask = 0x3; /* the other one is asked for its status */
    return answer;
}

static NTSTATUS back_in_status(IN_CONST_HANDLE adapter, INOUT_PDXGKARG_QUERYENGINESTATUS arg)
{
    call_back();
    return mock_front.real.DxgkDdiQueryEngineStatus(adapter, arg);
}

static NTSTATUS back_in_reset(IN_CONST_HANDLE adapter, INOUT_PDXGKARG_RESETENGINE arg)
{
    call_back();
    (void)mock_front.real.DxgkDdiResetEngine(adapter, arg);
    return 0x103; /* a success, too (TDR-017) */
}

static void builds_and_calls_back(DRIVER_INITIALIZATION_DATA *table)
{
    stand_in_front(table);
    table->DxgkDdiBuildPagingBuffer = back_in_build;
}

static void resets_and_calls_back(DRIVER_INITIALIZATION_DATA *table)
{
    stand_in_front(table);
    table->DxgkDdiQueryDependentEngineGroup = back_in_group;
    table->DxgkDdiQueryEngineStatus = back_in_status;
    table->DxgkDdiResetEngine = back_in_reset;
}

static void keep_context_allocation(struct mock_adapter *mock)
{
    struct vidmm_mock_allocation wish = mock_wish(MOCK_PAGE);
    uint32_t handle;
    wish.read_set = wish.write_set = 0x1;
    assert_int_equal(vidmm_mock_context_allocation(mock->mock, mock->context, false, &wish,
                                                   &handle),
                     0);
    front.kept = (HANDLE)(uintptr_t)handle;
}

/* MINI-001: a finding for each of the three that are not allowed, and nothing happens. */
static void paging_is_no_time_for_questions(void **state)
{
    struct mock_adapter mock;
    (void)state;
    mock_front_start(&mock, VIDMM_WDDM_1_2, builds_and_calls_back);
    vidmm_handle handle = mock_make(&mock);
    keep_context_allocation(&mock);
    assert_int_equal(vidmm_page_in(mock.adapter, handle, true), 0);
    assert_int_equal(front.calls, 1);
    assert_int_equal(mock_findings(&mock), 3);
    assert_int_equal(vidmm_wait_idle(mock.adapter), 0);
    front.kept = NULL;
    mock_adapter_stop(&mock);
}

static void nor_is_the_reset_of_an_engine(void **state)
{
    struct mock_adapter mock;
    (void)state;
    mock_front_start(&mock, VIDMM_WDDM_1_2, resets_and_calls_back);
    keep_context_allocation(&mock);
    const struct vidmm_mock_command command = { .flags = VIDMM_MOCK_COMMAND_HANG };
    const struct vidmm_work work = {
        .context = mock.context,
        .label = "work",
        .command = &command,
        .command_bytes = sizeof command,
    };
    struct vidmm_submission submission;
    assert_int_equal(vidmm_submit(mock.adapter, &work, &submission), 0);
    /* A timeout. */
    assert_int_equal(vidmm_wait_idle(mock.adapter), STATUS_DEVICE_REMOVED);
    assert_int_equal(front.calls, 3);
    assert_int_equal(mock_findings(&mock), 9);
    assert_int_equal(vidmm_counter(mock.adapter, VIDMM_COUNTER_TDR_ADAPTER), 0);
    front.kept = NULL;
    mock_adapter_stop(&mock);
}

static VOID back_in_dpc(IN_CONST_PVOID adapter)
{
    DXGKARGCB_CREATECONTEXTALLOCATION arg = { .hAdapter = mock_front.system.DeviceHandle };
    if (front.kept) {
        front.answered[0] = mock_front.system.DxgkCbCreateContextAllocation(&arg);
        front.answered[1] =
            mock_front.system.DxgkCbDestroyContextAllocation(mock_front.system.DeviceHandle,
                                                             front.kept);
    }
    mock_front.real.DxgkDdiDpcRoutine(adapter);
}

static void calls_back_in_dpc(DRIVER_INITIALIZATION_DATA *table)
{
    stand_in_front(table);
    table->DxgkDdiDpcRoutine = back_in_dpc;
}

/* A DPC comes in the midst of a wait, where memory does not change. */
static void nor_is_a_dpc(void **state)
{
    struct mock_adapter mock;
    (void)state;
    mock_front_start(&mock, VIDMM_WDDM_1_2, calls_back_in_dpc);
    keep_context_allocation(&mock);
    assert_int_equal(vidmm_page_in(mock.adapter, mock_make(&mock), true), 0);
    assert_int_equal(vidmm_wait_idle(mock.adapter), 0);
    assert_int_equal(front.answered[0], STATUS_INVALID_PARAMETER);
    assert_int_equal(front.answered[1], STATUS_INVALID_PARAMETER);
    assert_string_equal(mock.finding, "DxgkCbDestroyContextAllocation is called inside "
                                      "DxgkDdiDpcRoutine, where memory may not change");
    front.kept = NULL;
    mock_adapter_stop(&mock);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_start_fails_with_the_call),
        cmocka_unit_test(the_answer_is_read_by_the_question_that_was_asked),
        cmocka_unit_test(a_start_may_use_the_whole_buffer),
        cmocka_unit_test(a_pointer_never_moves_back),
        cmocka_unit_test(the_first_call_has_guards_too),
        cmocka_unit_test(paging_is_no_time_for_questions),
        cmocka_unit_test(nor_is_the_reset_of_an_engine),
        cmocka_unit_test(nor_is_a_dpc),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
