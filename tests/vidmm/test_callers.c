/* SPDX-License-Identifier: MIT */
/*
 * test_callers.c: what no scenario can say: an adapter that may not start, handles that are used
 * up, drivers whose table lacks a call, arguments that contradict each other, calls back with
 * handles of something else.
 */
#include <string.h>

#include "paging/schedule/schedule_state.h"
#include "tests/support/mock_front.h"
#include "tests/support/unit.h"
#include "vidmm/base/base.h"
#include "vidmm/ddi/ntstatus.h"
#include "vidmm/tell/tell_state.h"

static struct mock_adapter mock;

static int setup(void **state)
{
    (void)state;
    mock_front_start(&mock, VIDMM_WDDM_1_3, mock_front_stand);
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    mock_adapter_stop(&mock);
    return 0;
}

/* ---- a start -------------------------------------------------------------------------------- */

static void a_start_that_cannot_be(void **state)
{
    static const struct {
        uint32_t adapters;
        uint64_t memory, transfer;
        enum vidmm_rule rule;
    } cases[] = {
        { VIDMM_LINK_MAX + 1, UINT64_C(1) << 30, 0, RULE(SEG_003) },
        { 1, MOCK_PAGE, 0, RULE(MINI_019) },
        { 1, UINT64_C(1) << 53, 0, RULE(MINI_019) },
        { 1, UINT64_C(1) << 30, MOCK_PAGE + 1, RULE(MINI_064) },
    };
    (void)state;
    for (size_t i = 0; i < ARRAY_COUNT(cases); i++) {
        mock_adapter_init(&mock, VIDMM_WDDM_1_3);
        mock.config.link_adapters = cases[i].adapters;
        mock.config.machine.memory_bytes = cases[i].memory;
        mock.config.settings.value[VIDMM_SETTING_MAX_TRANSFER] = cases[i].transfer;
        mock_adapter_prepare(&mock);
        assert_int_equal(vidmm_adapter_start(&mock.config, &mock.adapter),
                         STATUS_INVALID_PARAMETER);
        mock_refused(&mock, cases[i].rule);
        mock_adapter_free(&mock);
    }
    mock_adapter_init(&mock, VIDMM_WDDM_1_3);
    mock.config.machine.memory_bytes = 2 * MOCK_PAGE;
    mock_adapter_prepare(&mock);
    assert_int_equal(vidmm_adapter_start(&mock.config, &mock.adapter), 0);
    mock_adapter_free(&mock);
}

static NTSTATUS build(IN_CONST_HANDLE adapter, IN_PDXGKARG_BUILDPAGINGBUFFER arg)
{
    return arg->Operation == DXGK_OPERATION_UNMAP_APERTURE_SEGMENT
               ? STATUS_NOT_IMPLEMENTED
               : mock_front.real.DxgkDdiBuildPagingBuffer(adapter, arg);
}

static void builds_no_unmap(DRIVER_INITIALIZATION_DATA *table)
{
    mock_front_stand(table);
    table->DxgkDdiBuildPagingBuffer = build;
}

/* SEG-012: that is said in two ways, and the mock says the other one. */
static void an_aperture_without_its_operations(void **state)
{
    (void)state;
    mock_adapter_init(&mock, VIDMM_WDDM_1_3);
    mock.hook = builds_no_unmap;
    mock_adapter_prepare(&mock);
    assert_int_equal(vidmm_adapter_start(&mock.config, &mock.adapter), STATUS_INVALID_PARAMETER);
    mock_refused(&mock, RULE(SEG_012));
    mock_adapter_free(&mock);
}

static NTSTATUS build_all(IN_CONST_HANDLE adapter, IN_PDXGKARG_BUILDPAGINGBUFFER arg)
{
    memset(arg->pDmaBuffer, 0xAB, arg->DmaSize);
    memset(arg->pDmaBufferPrivateData, 0xCD, arg->DmaBufferPrivateDataSize);
    return mock_front.real.DxgkDdiBuildPagingBuffer(adapter, arg);
}

static void fills_each_buffer(DRIVER_INITIALIZATION_DATA *table)
{
    mock_front_stand(table);
    table->DxgkDdiBuildPagingBuffer = build_all;
}

/* Also in the call that only asks: each byte is the driver's. */
static void a_driver_that_needs_all_of_a_buffer(void **state)
{
    (void)state;
    mock_front_start(&mock, VIDMM_WDDM_1_3, fills_each_buffer);
    assert_int_equal(mock_findings(&mock), 0);
    mock_adapter_stop(&mock);
}

static bool beyond_private_data;

static NTSTATUS build_too_much(IN_CONST_HANDLE adapter, IN_PDXGKARG_BUILDPAGINGBUFFER arg)
{
    uint8_t *from = beyond_private_data ? arg->pDmaBufferPrivateData : arg->pDmaBuffer;
    from[beyond_private_data ? arg->DmaBufferPrivateDataSize : arg->DmaSize] = 0;
    return mock_front.real.DxgkDdiBuildPagingBuffer(adapter, arg);
}

static void fills_too_much(DRIVER_INITIALIZATION_DATA *table)
{
    mock_front_stand(table);
    table->DxgkDdiBuildPagingBuffer = build_too_much;
}

/* MINI-051: the call that only asks has no paging buffer to name. */
static void a_driver_that_needs_more_than_that(void **state)
{
    (void)state;
    for (int i = 0; i < 2; i++) {
        beyond_private_data = i;
        mock_adapter_init(&mock, VIDMM_WDDM_1_3);
        mock.hook = fills_too_much;
        mock_adapter_prepare(&mock);
        assert_int_not_equal(vidmm_adapter_start(&mock.config, &mock.adapter), 0);
        mock_stopped_with(&mock, RULE(MINI_051), 0x10E, (uint64_t[4]){ i ? 0x13 : 0x12, 0, 0, 0 });
        mock_adapter_free(&mock);
    }
}

static void a_setting_that_there_is_not(void **state)
{
    (void)state;
    assert_int_equal(vidmm_set(mock.adapter, SIZE_MAX, 0), STATUS_INVALID_PARAMETER);
    mock_refused(&mock, RULE(TIME_008));
    assert_int_equal(vidmm_set(mock.adapter, VIDMM_SETTING_TDR_LEVEL, 1000),
                     STATUS_INVALID_PARAMETER);
    mock_refused(&mock, vidmm_setting_row(VIDMM_SETTING_TDR_LEVEL)->rule);
    assert_string_equal(vidmm_last_refusal(mock.adapter)->text, "TdrLevel: it is 0, 1, 2 or 3");
}

static void an_owner_that_there_is_not(void **state)
{
    const vidmm_handle nobody = 12345;
    vidmm_handle handle;
    (void)state;
    assert_int_equal(vidmm_context_create(mock.adapter, "c", nobody, 0, &handle),
                     STATUS_INVALID_PARAMETER);
    mock_refused(&mock, RULE(KMT_003));
    assert_int_equal(vidmm_device_create(mock.adapter, "d", nobody, &handle),
                     STATUS_INVALID_PARAMETER);
    mock_refused(&mock, RULE(KMT_003));
}

/* ---- no handle is left ---------------------------------------------------------------------- */

static vidmm_status share(uint32_t flags, vidmm_handle *resource, vidmm_handle *allocation)
{
    struct vidmm_mock_allocation wish = mock_wish(MOCK_PAGE);
    const struct vidmm_allocation_args args = mock_args("a", &wish);
    const struct vidmm_creation_args call = {
        .device = mock.device,
        .flags = VIDMM_KMT_CreateResource | flags,
        .allocations = &args,
        .count = 1,
    };
    struct vidmm_creation_result result;
    vidmm_status status = vidmm_create_allocations(mock.adapter, &call, allocation, &result);
    *resource = result.resource;
    return status;
}

static vidmm_status make_range(uint64_t bytes, bool cached, bool uncached, vidmm_handle process)
{
    const struct vidmm_system_range_args args = {
        .label = "range", .bytes = bytes, .cached = cached, .uncached = uncached, .process = process
    };
    vidmm_handle handle;
    return vidmm_system_range_create(mock.adapter, &args, &handle);
}

static void no_handle_is_left(void **state)
{
    struct handle_table *table = &mock.adapter->tell->handles;
    struct vidmm_mock_allocation wish = mock_wish(MOCK_PAGE);
    vidmm_handle resource, part, none = 0, other;
    (void)state;
    assert_int_equal(share(VIDMM_KMT_CreateShared, &resource, &part), 0);
    assert_int_equal(vidmm_device_create(mock.adapter, "other", mock.process, &other), 0);
    const vidmm_handle busy = mock_make(&mock);
    const struct vidmm_lock_args discard = { .device = mock.device,
                                             .allocation = busy,
                                             .flags = VIDMM_LOCK_Discard };
    struct vidmm_lock_result locked;
    assert_int_equal(mock_use(&mock, busy, false, (struct vidmm_mock_command){ .cost_ns = 1000 },
                              NULL),
                     0);
    uint64_t live = table->live;
    size_t count = table->count;
    table->count = 1 << 24; /* as if so many lived */
    assert_int_equal(vidmm_process_create(mock.adapter, "p", &none), STATUS_NO_MEMORY);
    mock_refused(&mock, RULE(ALLOC_009));
    assert_int_equal(vidmm_device_create(mock.adapter, "d", mock.process, &none), STATUS_NO_MEMORY);
    assert_int_equal(vidmm_context_create(mock.adapter, "c", mock.device, 0, &none),
                     STATUS_NO_MEMORY);
    assert_int_equal(mock_allocate(&mock, &wish, &none), STATUS_NO_MEMORY);
    mock_refused(&mock, RULE(ALLOC_009));
    vidmm_handle nothing;
    assert_int_equal(share(0, &nothing, &none), STATUS_NO_MEMORY);
    assert_int_equal(vidmm_open(mock.adapter, "o", other, resource, &none), STATUS_NO_MEMORY);
    assert_int_equal(make_range(MOCK_PAGE, false, false, 0), STATUS_NO_MEMORY);
    assert_int_not_equal(vidmm_mock_context_allocation(mock.mock, mock.context, false, &wish,
                                                       &none),
                         0);
    /* RENAME-011: another instance would need one, too. */
    assert_int_equal(vidmm_lock(mock.adapter, &discard, &locked), STATUS_GRAPHICS_ALLOCATION_BUSY);
    table->count = count;
    assert_int_equal(table->live, live);
    assert_int_equal(none, 0);
}

/* ---- a table that lacks a call -------------------------------------------------------------- */

static void lacks_much(DRIVER_INITIALIZATION_DATA *table)
{
    table->DxgkDdiCollectDbgInfo = NULL;
    table->DxgkDdiSetPowerState = NULL;
    table->DxgkDdiNotifySurpriseRemoval = NULL;
    table->DxgkDdiPreemptCommand = NULL;
    table->DxgkDdiGetStandardAllocationDriverData = NULL;
    table->DxgkDdiQueryCurrentFence = NULL;
}

/* Nobody collects information, and the finding says that nobody heard of the sleep. */
static void what_a_driver_need_not_have(void **state)
{
    struct vidmm_mock_allocation wish = mock_wish(MOCK_PAGE);
    struct vidmm_allocation_args args = mock_args("stage", &wish);
    const struct vidmm_standard standard = { .type = D3DKMDT_STANDARDALLOCATION_STAGINGSURFACE,
                                             .width = 4,
                                             .height = 4 };
    vidmm_handle handle;
    (void)state;
    mock_adapter_init(&mock, VIDMM_WDDM_1_3);
    mock.hook = lacks_much;
    mock_adapter_start(&mock);
    args.standard = &standard;
    assert_int_equal(vidmm_allocate(mock.adapter, mock.device, false, &args, 1, &handle),
                     STATUS_INVALID_PARAMETER);
    mock_refused(&mock, RULE(ALLOC_045));
    assert_int_equal(vidmm_preempt(mock.adapter, 0), 0);
    assert_int_equal(mock.events[VIDMM_EVENT_PREEMPT], 0);
    assert_int_equal(vidmm_reset_adapter(mock.adapter), 0);
    assert_int_equal(mock_findings(&mock), 0);
    assert_int_equal(vidmm_standby(mock.adapter), 0);
    assert_int_equal(vidmm_resume(mock.adapter), 0);
    assert_int_equal(mock_findings(&mock), 2);
    assert_true(vidmm_rule_uses(mock.adapter, RULE(TDR_044)) >= 2);
    assert_int_equal(vidmm_surprise_removal(mock.adapter), 0);
    assert_int_equal(mock_findings(&mock), 2);
    mock_adapter_free(&mock);
}

static void cannot_be_asked(DRIVER_INITIALIZATION_DATA *table)
{
    table->DxgkDdiQueryCurrentFence = NULL;
}

/* TIME-017: no interrupt comes, and the driver cannot be polled: the wait would never end. */
static void a_lost_interrupt_without_polls(void **state)
{
    (void)state;
    mock_adapter_init(&mock, VIDMM_WDDM_1_3);
    assert_true(vidmm_mock_switch_set(mock.mock_config.switches, "no-irq", "1"));
    mock.config.settings.value[VIDMM_SETTING_TDR_LEVEL] = 0;
    mock.hook = cannot_be_asked;
    mock_adapter_start(&mock);
    struct vidmm_submission submission;
    assert_int_equal(mock_front_submit(&mock, 1000, &submission), 0);
    assert_int_not_equal(vidmm_wait_idle(mock.adapter), 0);
    mock_refused(&mock, RULE(TIME_017));
    mock_adapter_free(&mock);
}

/* SUBMIT-050: a request to preempt needs a number as a packet does. */
static void no_number_is_left(void **state)
{
    (void)state;
    mock_adapter_init(&mock, VIDMM_WDDM_1_3);
    mock_adapter_start(&mock);
    mock.adapter->schedule->fences.issued[0] = UINT32_MAX;
    assert_int_not_equal(vidmm_preempt(mock.adapter, 0), 0);
    (void)mock_stopped(&mock, RULE(SUBMIT_050), 0x119, 0x1);
    mock_adapter_free(&mock);
}

/* ---- arguments ------------------------------------------------------------------------------ */

static void priorities_of_nothing(void **state)
{
    const uint32_t priority = 1;
    vidmm_handle resource, part, wrong = mock.device;
    (void)state;
    assert_int_equal(share(0, &resource, &part), 0);
    const struct vidmm_priority_args cases[] = {
        { 0, NULL, 0, &priority },         { 0, NULL, 1, &priority },
        { 0, &part, 0, &priority },        { resource, &part, 1, &priority },
        { resource, &part, 0, &priority }, { resource, NULL, 1, &priority },
        { wrong, NULL, 0, &priority },     { 0, &wrong, 1, &priority },
    };
    for (size_t i = 0; i < ARRAY_COUNT(cases); i++) {
        assert_int_equal(vidmm_set_priority(mock.adapter, &cases[i]), STATUS_INVALID_PARAMETER);
        mock_refused(&mock, RULE(PRIO_004));
    }
    const struct vidmm_priority_args right = { resource, NULL, 0, &priority };
    assert_int_equal(vidmm_set_priority(mock.adapter, &right), 0);
    assert_int_equal(mock_view(&mock, part).priority, 1);
}

static void ranges_of_nothing(void **state)
{
    (void)state;
    assert_int_equal(make_range(MOCK_PAGE, true, true, 0), STATUS_INVALID_PARAMETER);
    mock_refused(&mock, RULE(FLAG_026));
    assert_int_equal(make_range(MOCK_PAGE, false, false, mock.device), STATUS_INVALID_PARAMETER);
    mock_refused(&mock, RULE(FLAG_022));
    assert_int_equal(make_range(UINT64_MAX, false, false, 0), STATUS_NO_MEMORY);
    mock_refused(&mock, RULE(PAGE_015));
    assert_int_equal(make_range(mock.config.machine.memory_bytes + 1, false, false, 0),
                     STATUS_NO_MEMORY);
    assert_int_equal(make_range(0, false, false, 0), STATUS_NO_MEMORY);
    /* One page is the dummy page. */
    assert_int_equal(make_range(mock.config.machine.memory_bytes / 2, false, false, 0), 0);
    assert_int_equal(make_range(mock.config.machine.memory_bytes / 2, false, false, 0),
                     STATUS_NO_MEMORY);
    mock_refused(&mock, RULE(PAGE_015));
}

static void members_of_resources(void **state)
{
    vidmm_handle alone, member, shared, part;
    (void)state;
    assert_int_equal(share(0, &alone, &member), 0);
    assert_int_equal(share(VIDMM_KMT_CreateShared, &shared, &part), 0);
    assert_int_equal(vidmm_resource_member(mock.adapter, alone, 0), member);
    assert_int_equal(vidmm_resource_member(mock.adapter, shared, 0), part);
    assert_int_equal(vidmm_resource_member(mock.adapter, shared, 1), 0);
    assert_int_equal(vidmm_resource_member(mock.adapter, mock.device, 0), 0);
}

/* ---- submissions ---------------------------------------------------------------------------- */

static vidmm_status write_it(vidmm_handle handle)
{
    const struct vidmm_mock_command command = { .cost_ns = 1 };
    return mock_use(&mock, handle, true, command, NULL);
}

/* No event is composed for nobody, and everything happens all the same. */
static void nobody_listens(void **state)
{
    (void)state;
    mock_adapter_init(&mock, VIDMM_WDDM_1_3);
    mock_adapter_prepare(&mock);
    assert_int_equal(vidmm_adapter_start(&mock.config, &mock.adapter), 0);
    assert_int_equal(vidmm_process_create(mock.adapter, "game", &mock.process), 0);
    assert_int_equal(vidmm_device_create(mock.adapter, "dev", mock.process, &mock.device), 0);
    assert_int_equal(vidmm_context_create(mock.adapter, "ctx", mock.device, 0, &mock.context), 0);
    vidmm_handle handle = mock_make(&mock);
    assert_int_equal(write_it(handle), 0);
    assert_int_equal(vidmm_wait_idle(mock.adapter), 0);
    assert_true(vidmm_content_intact(mock.adapter, handle));
    assert_int_equal(mock_view(&mock, handle).segment, 1);
    assert_int_equal(vidmm_evict(mock.adapter, handle), 0);
    assert_int_equal(vidmm_wait_idle(mock.adapter), 0);
    assert_true(vidmm_content_intact(mock.adapter, handle));
    assert_int_equal(mock_findings(&mock), 0);
    mock_adapter_stop(&mock);
}

/* A reset of the adapter empties its memory (TDR-027). */
static void content_that_is_not_there(void **state)
{
    struct vidmm_mock_allocation wish = mock_wish(MOCK_PAGE);
    struct vidmm_allocation_args args = mock_args("tex", &wish);
    vidmm_handle handle;
    char text[80];
    (void)state;
    args.content = 1;
    wish.read_set = wish.write_set = 1;
    assert_int_equal(vidmm_allocate(mock.adapter, mock.device, false, &args, 1, &handle), 0);
    assert_int_equal(vidmm_page_in(mock.adapter, handle, false), 0);
    assert_int_equal(vidmm_wait_idle(mock.adapter), 0);
    assert_false(vidmm_content_problem(mock.adapter, handle, text, sizeof text));
    assert_string_equal(text, "");
    assert_int_equal(vidmm_reset_adapter(mock.adapter), 0);
    assert_true(vidmm_content_problem(mock.adapter, handle, text, sizeof text));
    assert_string_equal(text, "its content was lost");
    assert_false(vidmm_content_intact(mock.adapter, handle));
    assert_true(vidmm_content_problem(mock.adapter, mock.device, text, sizeof text));
    assert_string_equal(text, "there is no such allocation");
}

static void objects_that_are_none(void **state)
{
    struct vidmm_context_view view;
    uint64_t offset, bytes;
    (void)state;
    assert_false(vidmm_allocation_run(mock.adapter, mock.device, 0, &offset, &bytes));
    assert_true(vidmm_context_view(mock.adapter, mock.context, &view));
    assert_int_equal(view.device, mock.device);
    assert_false(vidmm_context_view(mock.adapter, mock.device, &view));
}

/* ---- calls back ----------------------------------------------------------------------------- */

static NTSTATUS make_for(HANDLE device, HANDLE context, bool shared, UINT reserved)
{
    DXGKARGCB_CREATECONTEXTALLOCATION arg = { .hAdapter = mock_front.system.DeviceHandle,
                                              .hDevice = device,
                                              .hContext = context,
                                              .Size = MOCK_PAGE,
                                              .SupportedSegmentSet = 1 };
    arg.ContextAllocationFlags.SharedAcrossContexts = shared;
    arg.ContextAllocationFlags.Reserved = reserved & 0x3FFFFFFF;
    return mock_front.system.DxgkCbCreateContextAllocation(&arg);
}

static void context_allocations_for_nobody(void **state)
{
    const HANDLE device = (HANDLE)(uintptr_t)mock.device, context = (HANDLE)(uintptr_t)mock.context;
    (void)state;
    assert_int_equal(make_for(NULL, NULL, false, 0), STATUS_INVALID_PARAMETER);
    mock_refused(&mock, RULE(ALLOC_052));
    assert_int_equal(make_for(context, context, true, 0), STATUS_INVALID_PARAMETER);
    assert_string_equal(vidmm_last_refusal(mock.adapter)->text,
                        "a context allocation for no device");
    assert_int_equal(make_for(device, device, false, 0), STATUS_INVALID_PARAMETER);
    assert_int_equal(make_for(device, context, false, 1u << 29), STATUS_INVALID_PARAMETER);
    mock_refused(&mock, RULE(ALLOC_052));
    /* Without a handle of the driver. */
    assert_int_equal(make_for(device, context, false, 0), 0);
    assert_int_equal(mock.events[VIDMM_EVENT_CREATE], 1);
}

/* LOCK-019: a run of no page, one that goes around the end of all numbers. */
static void pages_that_are_not_there(void **state)
{
    static const struct vidmm_page_range runs[] = {
        { 0, 0 }, { 1, UINT64_MAX }, { 2, 1 }, { 0, 3 }, { UINT64_MAX, 1 }
    };
    const struct vidmm_mock_allocation wish = mock_wish(2 * (uint64_t)MOCK_PAGE);
    struct vidmm_lock_args args = { .device = mock.device, .page_runs = 1 };
    struct vidmm_lock_result locked;
    (void)state;
    assert_int_equal(mock_allocate(&mock, &wish, &args.allocation), 0);
    for (size_t i = 0; i < ARRAY_COUNT(runs); i++) {
        args.pages = &runs[i];
        assert_int_equal(vidmm_lock(mock.adapter, &args, &locked), STATUS_INVALID_PARAMETER);
        mock_refused(&mock, RULE(LOCK_019));
    }
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_start_that_cannot_be),
        cmocka_unit_test(an_aperture_without_its_operations),
        cmocka_unit_test(a_driver_that_needs_all_of_a_buffer),
        cmocka_unit_test(a_driver_that_needs_more_than_that),
        TEST(a_setting_that_there_is_not),
        TEST(an_owner_that_there_is_not),
        TEST(no_handle_is_left),
        cmocka_unit_test(what_a_driver_need_not_have),
        cmocka_unit_test(a_lost_interrupt_without_polls),
        cmocka_unit_test(no_number_is_left),
        TEST(priorities_of_nothing),
        TEST(ranges_of_nothing),
        TEST(members_of_resources),
        cmocka_unit_test(nobody_listens),
        TEST(content_that_is_not_there),
        TEST(objects_that_are_none),
        TEST(context_allocations_for_nobody),
        TEST(pages_that_are_not_there),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
