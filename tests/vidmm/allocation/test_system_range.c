/* SPDX-License-Identifier: MIT */
/* test_system_range.c: memory that a caller brings, against the mock miniport. */
#include "tests/support/mock_adapter.h"
#include "tests/support/unit.h"
#include "vidmm/base/base.h"
#include "vidmm/ddi/ntstatus.h"

static vidmm_handle new_range(struct mock_adapter *mock, uint64_t bytes)
{
    struct vidmm_system_range_args args = { .label = "buffer", .bytes = bytes };
    vidmm_handle range;
    assert_int_equal(vidmm_system_range_create(mock->adapter, &args, &range), 0);
    return range;
}

/* PAGE-013, ALLOC-010, KMT-035. */
static void existing_memory_is_the_store(void **state)
{
    struct mock_adapter *mock = *state;
    struct vidmm_mock_allocation wish = mock_wish(4 * MOCK_PAGE);
    struct vidmm_allocation_args args = mock_args("tex", &wish);
    vidmm_handle handle;
    wish.flags = 0x11;
    args.system_range = new_range(mock, 8 * MOCK_PAGE);
    assert_int_equal(vidmm_allocate(mock->adapter, mock->device, false, &args, 1, &handle), 0);
    assert_int_equal(mock_view(mock, handle).residency, VIDMM_RESIDENCY_EVICTED);
    assert_string_equal(mock_view(mock, handle).backing, "supplied");
    assert_true(vidmm_content_intact(mock->adapter, handle));
    assert_int_equal(mock_adapter_view(mock).commit_charged, 0);
    assert_int_equal(vidmm_page_in(mock->adapter, handle, false), 0);
    assert_int_equal(vidmm_wait_idle(mock->adapter), 0);
    assert_true(vidmm_content_intact(mock->adapter, handle));
    mock_adapter_check(mock);

    assert_int_equal(vidmm_destroy(mock->adapter, &args.system_range, 1), STATUS_INVALID_PARAMETER);
    mock_refused(mock, RULE(KMT_035));
    assert_int_equal(vidmm_destroy(mock->adapter, &handle, 1), 0);
    assert_int_equal(vidmm_destroy(mock->adapter, &args.system_range, 1), 0);
}

/* KMT-034: the pages of an allocation, which the range has once for all that use it. */
static void two_allocations_of_one_view(void **state)
{
    struct mock_adapter *mock = *state;
    struct vidmm_mock_allocation wish = mock_wish(MOCK_PAGE);
    struct vidmm_allocation_args args = mock_args("tex", &wish);
    const vidmm_handle source = mock_make(mock);
    const struct vidmm_lock_args lock = { .device = mock->device, .allocation = source };
    struct vidmm_system_range_args view = { .label = "view", .bytes = MOCK_PAGE, .of = source };
    struct vidmm_lock_result locked;
    vidmm_handle handles[2];
    assert_int_equal(vidmm_lock(mock->adapter, &lock, &locked), 0);
    assert_int_equal(vidmm_system_range_create(mock->adapter, &view, &args.system_range), 0);
    wish.flags = 0x11;
    for (size_t i = 0; i < ARRAY_COUNT(handles); i++)
        assert_int_equal(vidmm_allocate(mock->adapter, mock->device, false, &args, 1, &handles[i]),
                         0);
    mock_adapter_check(mock);
}

/* FLAG-022: no scenario can write handles that mean nothing. */
static void a_range_names_what_lives(void **state)
{
    struct mock_adapter *mock = *state;
    struct vidmm_system_range_args args = { .label = "window", .bytes = MOCK_PAGE, .of = 0x7777 };
    vidmm_handle range;
    assert_int_equal(vidmm_system_range_create(mock->adapter, &args, &range),
                     STATUS_INVALID_PARAMETER);
    mock_refused(mock, RULE(FLAG_022));
    args.of = mock->device;
    assert_int_equal(vidmm_system_range_create(mock->adapter, &args, &range),
                     STATUS_INVALID_PARAMETER);
    mock_refused(mock, RULE(FLAG_022));
    args.of = 0;
    args.process = mock->device;
    assert_int_equal(vidmm_system_range_create(mock->adapter, &args, &range),
                     STATUS_INVALID_PARAMETER);
    mock_refused(mock, RULE(FLAG_022));
    args.process = 0;
    args.bytes = UINT64_MAX;
    args.misaligned = 2;
    assert_int_equal(vidmm_system_range_create(mock->adapter, &args, &range), STATUS_NO_MEMORY);
    mock_refused(mock, RULE(PAGE_015));
    mock_adapter_check(mock);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(existing_memory_is_the_store, mock_adapter_setup,
                                        mock_adapter_teardown),
        cmocka_unit_test_setup_teardown(two_allocations_of_one_view, mock_adapter_setup,
                                        mock_adapter_teardown),
        cmocka_unit_test_setup_teardown(a_range_names_what_lives, mock_adapter_setup,
                                        mock_adapter_teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
