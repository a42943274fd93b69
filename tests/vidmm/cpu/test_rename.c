/* SPDX-License-Identifier: MIT */
/* test_rename.c: lists of instances that are too long for a scenario, which looks at each step. */
#include "tests/support/mock_adapter.h"
#include "tests/support/unit.h"
#include "vidmm/ddi/ntstatus.h"
#include "vidmm/vidmm_lock.h"

/* RENAME-010: a list ends at 4096 instances, whatever the driver would allow. */
static void a_list_has_an_end(struct mock_adapter *mock, uint32_t limit)
{
    enum { INSTANCES = 4096 };
    struct vidmm_mock_allocation wish = mock_wish(MOCK_PAGE);
    struct vidmm_lock_args args = { .device = mock->device, .flags = VIDMM_LOCK_Discard };
    struct vidmm_lock_result locked;
    uint64_t failures = vidmm_counter(mock->adapter, VIDMM_COUNTER_NB_FAILURES_RENAMING_LIMIT);
    wish.rename_or_adapter = limit;
    assert_int_equal(mock_allocate(mock, &wish, &args.allocation), 0);
    for (int i = 1; i < INSTANCES; i++) {
        assert_int_equal(vidmm_lock(mock->adapter, &args, &locked), 0);
        args.allocation = locked.allocation;
    }
    assert_int_equal(vidmm_lock(mock->adapter, &args, &locked), STATUS_GRAPHICS_ALLOCATION_BUSY);
    mock_refused(mock, RULE(RENAME_003));
    assert_int_equal(mock_view(mock, args.allocation).instances, INSTANCES);
    assert_int_equal(vidmm_counter(mock->adapter, VIDMM_COUNTER_NB_FAILURES_RENAMING_LIMIT),
                     failures + 1);
}

static void a_list_without_a_limit_has_an_end(void **state)
{
    a_list_has_an_end(*state, 0);
}

static void a_list_with_a_large_limit_has_the_same_end(void **state)
{
    a_list_has_an_end(*state, 5000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_list_without_a_limit_has_an_end, mock_adapter_setup,
                                        mock_adapter_teardown),
        cmocka_unit_test_setup_teardown(a_list_with_a_large_limit_has_the_same_end,
                                        mock_adapter_setup, mock_adapter_teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
