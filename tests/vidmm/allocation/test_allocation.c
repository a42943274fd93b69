/* SPDX-License-Identifier: MIT */
/* test_allocation.c: the life of allocations, against the mock miniport. */
#include <stdio.h>
#include <string.h>

#include "tests/support/mock_adapter.h"
#include "tests/support/unit.h"
#include "vidmm/base/base.h"
#include "vidmm/ddi/ntstatus.h"

/* For the tests that start it otherwise. */
static struct mock_adapter fixture;

static void expect_calls(struct mock_adapter *mock, const char *expected)
{
    char text[400];
    assert_string_equal(mock_calls(mock, text, sizeof text), expected);
}

static void inject(struct mock_adapter *mock, const char *name, const char *value)
{
    assert_true(vidmm_mock_switch_set(vidmm_mock_switches(mock->mock), name, value));
}

/* ---- birth ------------------------------------------------------------------------------------
 */

static void a_creation_is_two_calls_and_takes_nothing(void **state)
{
    struct mock_adapter *mock = *state;
    struct vidmm_mock_allocation wish = mock_wish(3 * MOCK_PAGE + 1);
    vidmm_handle handle;
    assert_int_equal(mock_allocate(mock, &wish, &handle), 0);
    expect_calls(mock, "CreateAllocation OpenAllocation");
    assert_int_equal(vidmm_now(mock->adapter), 0);
    struct vidmm_allocation_view view = mock_view(mock, handle);
    assert_int_equal(view.residency, VIDMM_RESIDENCY_NO_CONTENT);
    assert_int_equal(view.bytes, 4 * MOCK_PAGE);
    assert_string_equal(view.backing, "none");
    assert_int_equal(view.device, mock->device);
    assert_int_equal(view.process, mock->process);
    assert_int_equal(mock_adapter_view(mock).commit_charged, 4 * MOCK_PAGE);
    assert_int_equal(mock_adapter_view(mock).live, 1);
    assert_int_equal(vidmm_counter(mock->adapter, VIDMM_COUNTER_BACKING_BYTES), 0);
    assert_int_equal(vidmm_counter(mock->adapter, VIDMM_COUNTER_RESIDENT_BYTES), 0);
    assert_string_equal(vidmm_label(mock->adapter, handle), "tex");
    mock_adapter_check(mock);

    assert_int_equal(vidmm_destroy(mock->adapter, &handle, 1), 0);
    expect_calls(mock, "CloseAllocation DestroyAllocation");
    assert_int_equal(mock_adapter_view(mock).commit_charged, 0);
    assert_int_equal(vidmm_object_kind(mock->adapter, handle), VIDMM_OBJECT_NONE);
    assert_int_equal(vidmm_destroy(mock->adapter, &handle, 1), STATUS_INVALID_HANDLE);
}

/* ALLOC-003, MINI-031. */
static void one_bad_element_takes_all_with_it(void **state)
{
    struct mock_adapter *mock = *state;
    struct vidmm_mock_allocation good = mock_wish(MOCK_PAGE), bad = mock_wish(0);
    struct vidmm_allocation_args args[] = { mock_args("a", &good), mock_args("b", &bad),
                                            mock_args("c", &good) };
    vidmm_handle handles[3];
    assert_int_equal(vidmm_allocate(mock->adapter, mock->device, true, args, 3, handles),
                     STATUS_INVALID_PARAMETER);
    mock_refused(mock, RULE(ALLOC_013));
    expect_calls(mock, "CreateAllocation DestroyAllocation");
    assert_int_equal(mock_adapter_view(mock).live, 0);
    assert_int_equal(mock_adapter_view(mock).commit_charged, 0);
}

/* KMT-006: alone, a call creates at least one; a resource may be empty. */
static void a_call_creates_something(void **state)
{
    struct mock_adapter *mock = *state;
    struct vidmm_creation_args call = { .device = mock->device, .flags = VIDMM_KMT_CreateResource };
    struct vidmm_creation_result result = { 0 };
    struct vidmm_resource_view view;
    assert_int_equal(vidmm_allocate(mock->adapter, mock->device, false, NULL, 0, NULL),
                     STATUS_INVALID_PARAMETER);
    mock_refused(mock, RULE(KMT_006));
    expect_calls(mock, "");
    assert_int_equal(vidmm_create_allocations(mock->adapter, &call, NULL, &result), 0);
    assert_true(vidmm_resource_view(mock->adapter, result.resource, &view));
    assert_int_equal(view.allocations, 0);
    assert_int_equal(view.device, mock->device);
    expect_calls(mock, "CreateAllocation");
    assert_int_equal(vidmm_destroy(mock->adapter, &result.resource, 1), 0);
    assert_false(vidmm_resource_view(mock->adapter, result.resource, &view));
    expect_calls(mock, "DestroyAllocation");
}

/* KMT-029: a description is one where StandardAllocation says that it is. */
static void a_description_that_is_none(void **state)
{
    struct mock_adapter *mock = *state;
    struct vidmm_mock_allocation wish = mock_wish(MOCK_PAGE);
    const struct vidmm_allocation_args args = mock_args("a", &wish);
    const struct vidmm_standard_args wrong = { .flags = 1 };
    const struct vidmm_creation_args call = {
        .device = mock->device, .allocations = &args, .count = 1, .standard = &wrong
    };
    vidmm_handle handle;
    struct vidmm_creation_result result;
    assert_int_equal(vidmm_create_allocations(mock->adapter, &call, &handle, &result), 0);
}

/* KMT-006: so many, and no more. */
static void a_call_has_an_end(void **state)
{
    struct mock_adapter *mock = *state;
    struct vidmm_mock_allocation wish = mock_wish(MOCK_PAGE);
    struct vidmm_allocation_args *args = base_alloc(VIDMM_LIST_MAX + 1, sizeof *args);
    vidmm_handle *handles = base_alloc(VIDMM_LIST_MAX + 1, sizeof *handles);
    for (size_t i = 0; i <= VIDMM_LIST_MAX; i++)
        args[i] = mock_args("one", &wish);
    assert_int_equal(vidmm_allocate(mock->adapter, mock->device, false, args, VIDMM_LIST_MAX + 1,
                                    handles),
                     STATUS_INVALID_PARAMETER);
    mock_refused(mock, VIDMM_RULE(KMT_006));
    assert_int_equal(vidmm_allocate(mock->adapter, mock->device, false, args, VIDMM_LIST_MAX,
                                    handles),
                     0);
    assert_int_equal(mock_adapter_view(mock).live, VIDMM_LIST_MAX);
    base_free(args);
    base_free(handles);
}

/* An empty resource ends with its device. */
static void an_empty_resource_goes_with_its_device(void **state)
{
    struct mock_adapter *mock = *state;
    vidmm_handle device = 0;
    struct vidmm_creation_result result = { 0 };
    assert_int_equal(vidmm_device_create(mock->adapter, "second", mock->process, &device), 0);
    struct vidmm_creation_args call = { .device = device, .flags = VIDMM_KMT_CreateResource };
    assert_int_equal(vidmm_create_allocations(mock->adapter, &call, NULL, &result), 0);
    assert_int_equal(vidmm_destroy(mock->adapter, &device, 1), 0);
    assert_int_equal(vidmm_object_kind(mock->adapter, result.resource), VIDMM_OBJECT_NONE);
}

static const struct {
    const char *name, *value;
    vidmm_status status;
    enum vidmm_rule rule;
    uint64_t findings;
    const char *calls;
} faults[] = {
    { "create-status", "DRIVER_MISMATCH", STATUS_GRAPHICS_DRIVER_MISMATCH, RULE(ALLOC_002), 0,
      "CreateAllocation" },
    { "create-status", "NOT_SUPPORTED", STATUS_NOT_SUPPORTED, RULE(ALLOC_002), 1,
      "CreateAllocation" },
    { "null-handle", NULL, STATUS_INVALID_PARAMETER, RULE(ALLOC_007), 1,
      "CreateAllocation DestroyAllocation" },
    { "open-status", "NO_MEMORY", STATUS_NO_MEMORY, RULE(ALLOC_008), 0,
      "CreateAllocation OpenAllocation DestroyAllocation" },
    { "open-status", "NOT_SUPPORTED", STATUS_NOT_SUPPORTED, RULE(ALLOC_008), 1,
      "CreateAllocation OpenAllocation DestroyAllocation" },
    { "null-open-handle", NULL, STATUS_INVALID_PARAMETER, RULE(MINI_040), 1,
      "CreateAllocation OpenAllocation DestroyAllocation" },
};

static void wrong_answers_end_the_creation(void **state)
{
    struct mock_adapter *mock = *state;
    struct vidmm_mock_allocation wish = mock_wish(MOCK_PAGE);
    vidmm_handle handle;
    for (size_t i = 0; i < ARRAY_COUNT(faults); i++) {
        uint64_t before = mock_adapter_view(mock).findings;
        inject(mock, faults[i].name, faults[i].value);
        assert_int_equal(mock_allocate(mock, &wish, &handle), faults[i].status);
        mock_refused(mock, faults[i].rule);
        expect_calls(mock, faults[i].calls);
        assert_int_equal(mock_adapter_view(mock).findings - before, faults[i].findings);
        assert_int_equal(mock_adapter_view(mock).live, 0);
        mock_adapter_check(mock);
        inject(mock, faults[i].name, "off");
    }
}

/* MINI-033: the second one is refused, the first lives on. */
static void a_driver_handle_is_used_once(void **state)
{
    struct mock_adapter *mock = *state;
    struct vidmm_mock_allocation wish = mock_wish(MOCK_PAGE);
    vidmm_handle first, second;
    assert_int_equal(mock_allocate(mock, &wish, &first), 0);
    inject(mock, "same-handle", NULL);
    assert_int_equal(mock_allocate(mock, &wish, &second), STATUS_INVALID_PARAMETER);
    mock_refused(mock, RULE(MINI_033));
    inject(mock, "same-handle", "off");
    mock_adapter_check(mock);
    assert_int_equal(vidmm_page_in(mock->adapter, first, false), 0);
    assert_int_equal(vidmm_destroy(mock->adapter, &first, 1), 0);
}

/* ALLOC-009. */
static void commitment_is_limited(void **state)
{
    struct mock_adapter *mock = *state;
    mock_adapter_init(mock, 11);
    mock->config.machine.commit_bytes = 10 * MOCK_PAGE;
    mock_adapter_start(mock);
    struct vidmm_mock_allocation wish = mock_wish(6 * MOCK_PAGE);
    vidmm_handle a, b;
    assert_int_equal(mock_allocate(mock, &wish, &a), 0);
    assert_int_equal(mock_allocate(mock, &wish, &b), STATUS_NO_MEMORY);
    mock_refused(mock, RULE(ALLOC_009));
    assert_int_equal(vidmm_destroy(mock->adapter, &a, 1), 0);
    assert_int_equal(mock_allocate(mock, &wish, &b), 0);
    mock_adapter_stop(mock);
}

/* ---- content from the start -------------------------------------------------------------------
 */

static void initial_content_lies_in_the_store(void **state)
{
    struct mock_adapter *mock = *state;
    struct vidmm_mock_allocation wish = mock_wish(4 * MOCK_PAGE);
    struct vidmm_allocation_args args = mock_args("tex", &wish);
    vidmm_handle handle;
    args.content = 7;
    assert_int_equal(vidmm_allocate(mock->adapter, mock->device, false, &args, 1, &handle), 0);
    assert_int_equal(mock_view(mock, handle).residency, VIDMM_RESIDENCY_EVICTED);
    assert_string_equal(mock_view(mock, handle).backing, "kept");
    assert_true(vidmm_content_intact(mock->adapter, handle));
    assert_int_equal(vidmm_page_in(mock->adapter, handle, false), 0);
    assert_int_equal(vidmm_wait_idle(mock->adapter), 0);
    assert_true(vidmm_content_intact(mock->adapter, handle));
    assert_int_equal(vidmm_counter(mock->adapter, VIDMM_COUNTER_BYTES_PAGED_IN), 4 * MOCK_PAGE);
    mock_adapter_check(mock);
}

static vidmm_handle new_range(struct mock_adapter *mock, uint64_t bytes)
{
    struct vidmm_system_range_args args = { .label = "buffer", .bytes = bytes };
    vidmm_handle range;
    assert_int_equal(vidmm_system_range_create(mock->adapter, &args, &range), 0);
    return range;
}

/* ---- pinned -----------------------------------------------------------------------------------
 */

/* FLAG-036, FLAG-038: the last 20 percent of 256 pages are the last 51. */
static void pinned_ones_have_their_place_at_once(void **state)
{
    struct mock_adapter *mock = *state;
    struct vidmm_mock_allocation wish = mock_wish(50 * MOCK_PAGE);
    vidmm_handle a, b;
    wish.read_set = wish.write_set = 0x1;
    wish.eviction_set = 0;
    wish.flags = 0x100;
    assert_int_equal(mock_allocate(mock, &wish, &a), 0);
    assert_int_equal(mock_view(mock, a).residency, VIDMM_RESIDENCY_RESIDENT);
    assert_int_equal(mock_view(mock, a).offset, (256 - 51) * MOCK_PAGE);
    assert_true(mock_view(mock, a).pinned);
    mock_adapter_check(mock);

    wish.size = 2 * MOCK_PAGE;
    assert_int_equal(mock_allocate(mock, &wish, &b), STATUS_GRAPHICS_NO_VIDEO_MEMORY);
    mock_adapter_check(mock);
    assert_int_equal(mock_adapter_view(mock).live, 1);

    assert_int_equal(vidmm_destroy(mock->adapter, &a, 1), 0);
    assert_int_equal(mock_allocate(mock, &wish, &b), 0);
    assert_int_equal(mock_view(mock, b).offset, (256 - 51) * MOCK_PAGE);
    /* The end of the preparation can fail, too. */
    inject(mock, "submit-status", "STATUS_UNSUCCESSFUL");
    assert_int_not_equal(mock_allocate(mock, &wish, &a), 0);
}

/* ---- death ------------------------------------------------------------------------------------
 */

/* MINI-042. */
static void a_resident_one_leaves_before_it_dies(void **state)
{
    struct mock_adapter *mock = *state;
    struct vidmm_mock_allocation wish = mock_wish(4 * MOCK_PAGE);
    vidmm_handle memory, aperture;
    wish.read_set = wish.write_set = 0x1;
    assert_int_equal(mock_allocate(mock, &wish, &memory), 0);
    wish.read_set = wish.write_set = 0x2;
    assert_int_equal(mock_allocate(mock, &wish, &aperture), 0);
    assert_int_equal(vidmm_page_in(mock->adapter, memory, true), 0);
    assert_int_equal(vidmm_page_in(mock->adapter, aperture, true), 0);
    assert_int_equal(mock_view(mock, memory).segment, 1);
    assert_int_equal(mock_view(mock, aperture).segment, 2);
    mock->call_count = 0;

    assert_int_equal(vidmm_destroy(mock->adapter, &memory, 1), 0);
    expect_calls(mock, "CloseAllocation BuildPagingBuffer DestroyAllocation");
    assert_int_equal(vidmm_destroy(mock->adapter, &aperture, 1), 0);
    expect_calls(mock, "CloseAllocation BuildPagingBuffer Patch SubmitCommand DestroyAllocation");
    assert_int_equal(vidmm_counter(mock->adapter, VIDMM_COUNTER_RESIDENT_BYTES), 0);
    assert_int_equal(vidmm_counter(mock->adapter, VIDMM_COUNTER_LOCKED_PAGES), 0);
    assert_int_equal(vidmm_counter(mock->adapter, VIDMM_COUNTER_EVICTIONS_CLOSE), 2);
}

/* MINI-041, MINI-043. */
static void a_resource_goes_with_one_call_each(void **state)
{
    struct mock_adapter *mock = *state;
    struct vidmm_mock_allocation wish = mock_wish(MOCK_PAGE);
    struct vidmm_allocation_args args[] = { mock_args("a", &wish), mock_args("b", &wish) };
    vidmm_handle handles[2];
    assert_int_equal(vidmm_allocate(mock->adapter, mock->device, true, args, 2, handles), 0);
    vidmm_handle resource = mock_view(mock, handles[0]).resource;
    assert_int_equal(vidmm_object_kind(mock->adapter, resource), VIDMM_OBJECT_RESOURCE);
    assert_int_equal(vidmm_page_in(mock->adapter, handles[1], true), 0);
    assert_int_equal(vidmm_wait_idle(mock->adapter), 0);
    mock->call_count = 0;
    assert_int_equal(vidmm_destroy(mock->adapter, &resource, 1), 0);
    expect_calls(mock, "CloseAllocation BuildPagingBuffer DestroyAllocation");
    assert_int_equal(vidmm_object_kind(mock->adapter, handles[1]), VIDMM_OBJECT_NONE);
    assert_int_equal(vidmm_object_kind(mock->adapter, resource), VIDMM_OBJECT_NONE);
}

static void failing_ends_keep_nothing_alive(void **state)
{
    struct mock_adapter *mock = *state;
    struct vidmm_mock_allocation wish = mock_wish(MOCK_PAGE);
    vidmm_handle handle;
    assert_int_equal(mock_allocate(mock, &wish, &handle), 0);
    inject(mock, "close-status", "UNSUCCESSFUL");
    inject(mock, "destroy-status", "UNSUCCESSFUL");
    assert_int_equal(vidmm_destroy(mock->adapter, &handle, 1), 0);
    assert_int_equal(mock_adapter_view(mock).findings, 2);
    assert_int_equal(mock_adapter_view(mock).live, 0);
    inject(mock, "close-status", "off");
    inject(mock, "destroy-status", "off");
}

static void owners_take_what_they_own_with_them(void **state)
{
    struct mock_adapter *mock = *state;
    struct vidmm_mock_allocation wish = mock_wish(MOCK_PAGE);
    struct vidmm_allocation_args args[] = { mock_args("a", &wish), mock_args("b", &wish) };
    vidmm_handle single, handles[2];
    assert_int_equal(mock_allocate(mock, &wish, &single), 0);
    assert_int_equal(vidmm_allocate(mock->adapter, mock->device, true, args, 2, handles), 0);
    assert_int_equal(vidmm_page_in(mock->adapter, single, true), 0);
    assert_int_equal(vidmm_destroy(mock->adapter, &mock->process, 1), 0);
    assert_int_equal(mock_adapter_view(mock).live, 0);
    assert_int_equal(vidmm_object_kind(mock->adapter, mock->context), VIDMM_OBJECT_NONE);
    assert_int_equal(vidmm_object_kind(mock->adapter, mock->device), VIDMM_OBJECT_NONE);
}

/* A packet that never ends binds `handle`. */
static void hang_on(struct mock_adapter *mock, vidmm_handle handle)
{
    const struct vidmm_mock_command command = { .flags = VIDMM_MOCK_COMMAND_HANG };
    if (mock_use(mock, handle, true, command, NULL))
        fail_msg("%s", vidmm_last_refusal(mock->adapter)->text);
}

/* TIME-017: a wait that would never end is refused, and nothing has changed. */
static void an_endless_wait_is_refused(void **state)
{
    struct mock_adapter *mock = *state;
    struct vidmm_mock_allocation wish = mock_wish(MOCK_PAGE);
    vidmm_handle handle;
    assert_int_equal(vidmm_set(mock->adapter, VIDMM_SETTING_TDR_LEVEL, 0), 0);
    assert_int_equal(mock_allocate(mock, &wish, &handle), 0);
    hang_on(mock, handle);
    assert_int_not_equal(vidmm_destroy(mock->adapter, &handle, 1), 0);
    mock_refused(mock, RULE(TIME_017));
    assert_int_equal(mock_view(mock, handle).residency, VIDMM_RESIDENCY_RESIDENT);
    assert_int_not_equal(vidmm_destroy(mock->adapter, &mock->process, 1), 0);
    assert_int_equal(vidmm_object_kind(mock->adapter, mock->device), VIDMM_OBJECT_DEVICE);
}

/* The paging node waits for the hung packet, so an unmap after it never runs either. */
static void a_blocked_paging_node_blocks_a_destruction(void **state)
{
    struct mock_adapter *mock = *state;
    struct vidmm_mock_allocation wish = mock_wish(MOCK_PAGE);
    vidmm_handle mapped, hung;
    assert_int_equal(vidmm_set(mock->adapter, VIDMM_SETTING_TDR_LEVEL, 0), 0);
    wish.read_set = wish.write_set = 0x2;
    assert_int_equal(mock_allocate(mock, &wish, &mapped), 0);
    assert_int_equal(vidmm_page_in(mock->adapter, mapped, true), 0);
    assert_int_equal(vidmm_wait_idle(mock->adapter), 0);
    wish.read_set = wish.write_set = 0x1;
    wish.eviction_set = 0;
    assert_int_equal(mock_allocate(mock, &wish, &hung), 0);
    hang_on(mock, hung);
    assert_int_equal(vidmm_evict(mock->adapter, hung), 0);

    assert_int_not_equal(vidmm_destroy(mock->adapter, &mapped, 1), 0);
    mock_refused(mock, RULE(TIME_017));
    assert_int_equal(vidmm_object_kind(mock->adapter, mapped), VIDMM_OBJECT_NONE);
    mock_adapter_check(mock);
    assert_int_not_equal(vidmm_destroy(mock->adapter, &mock->device, 1), 0);
}

/* ---- start and stop ---------------------------------------------------------------------------
 */

static void a_start_that_fails_leaves_a_dead_adapter(void **state)
{
    struct mock_adapter *mock = *state;
    mock_adapter_init(mock, 11);
    mock->mock_config.segment_count = 0;
    mock_adapter_prepare(mock);
    assert_int_not_equal(vidmm_adapter_start(&mock->config, &mock->adapter), 0);
    mock_refused(mock, RULE(SEG_006));
    assert_int_equal(vidmm_process_create(mock->adapter, "game", &mock->process),
                     STATUS_GRAPHICS_INVALID_DISPLAY_ADAPTER);
    assert_int_equal(vidmm_wait_idle(mock->adapter), STATUS_GRAPHICS_INVALID_DISPLAY_ADAPTER);
    mock_adapter_stop(mock);
}

/* What the driver has to say which flags it fills; NULL: nothing. */
static bool (*fills)(void *device, HANDLE allocation);

static void says_what_it_fills(DRIVER_INITIALIZATION_DATA *table)
{
    (void)table;
    fixture.config.miniport.fills_wddm2 = fills;
}

static bool asked_of_nothing(void *device, HANDLE allocation)
{
    (void)device;
    assert_non_null(allocation);
    return false;
}

/* FLAG-001: it is not to be seen in an answer, so the version of the driver says it then. */
static void a_driver_that_says_nothing_of_flags(void **state)
{
    static const enum vidmm_flag_set views[] = { VIDMM_FLAGS_ALLOCATION,
                                                 VIDMM_FLAGS_ALLOCATION2_0 };
    struct vidmm_mock_allocation wish = mock_wish(MOCK_PAGE);
    vidmm_handle handle;
    (void)state;
    for (size_t i = 0; i < 3; i++) {
        mock_adapter_init(&fixture, i == 1 ? VIDMM_WDDM_2_0 : VIDMM_WDDM_1_3);
        fixture.hook = says_what_it_fills;
        fills = i < 2 ? NULL : asked_of_nothing;
        mock_adapter_start(&fixture);
        if (fills) /* nor of an allocation that it did not make */
            inject(&fixture, "null-handle", NULL);
        assert_int_equal(!mock_allocate(&fixture, &wish, &handle), !fills);
        if (!fills)
            assert_int_equal(mock_view(&fixture, handle).flag_view, views[i]);
        mock_adapter_stop(&fixture);
    }
}

static void everything_may_be_left_to_the_end(void **state)
{
    struct mock_adapter *mock = *state;
    struct vidmm_mock_allocation wish = mock_wish(40 * MOCK_PAGE);
    vidmm_handle handle;
    for (int i = 0; i < 10; i++) {
        assert_int_equal(mock_allocate(mock, &wish, &handle), 0);
        assert_int_equal(vidmm_page_in(mock->adapter, handle, true), 0);
    }
    (void)new_range(mock, MOCK_PAGE);
    mock_adapter_check(mock);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#define LIVING(test)                                                                               \
    cmocka_unit_test_setup_teardown(test, mock_adapter_setup, mock_adapter_teardown)
        LIVING(a_creation_is_two_calls_and_takes_nothing),
        LIVING(one_bad_element_takes_all_with_it),
        LIVING(a_call_creates_something),
        LIVING(a_description_that_is_none),
        LIVING(a_call_has_an_end),
        LIVING(an_empty_resource_goes_with_its_device),
        LIVING(wrong_answers_end_the_creation),
        LIVING(a_driver_handle_is_used_once),
        LIVING(initial_content_lies_in_the_store),
        LIVING(pinned_ones_have_their_place_at_once),
        LIVING(a_resident_one_leaves_before_it_dies),
        LIVING(a_resource_goes_with_one_call_each),
        LIVING(failing_ends_keep_nothing_alive),
        LIVING(owners_take_what_they_own_with_them),
        LIVING(an_endless_wait_is_refused),
        LIVING(a_blocked_paging_node_blocks_a_destruction),
        LIVING(everything_may_be_left_to_the_end),
#undef LIVING
        cmocka_unit_test_prestate(commitment_is_limited, &fixture),
        cmocka_unit_test(a_driver_that_says_nothing_of_flags),
        cmocka_unit_test_prestate(a_start_that_fails_leaves_a_dead_adapter, &fixture),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
