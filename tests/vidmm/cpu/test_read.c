/* SPDX-License-Identifier: MIT */
/* test_read.c: what the CPU is told when it reads what a driver copied wrongly (LOCK-067). A read
   in a scenario that sees this has failed, so none can show it. */
#include <string.h>

#include "tests/support/mock_adapter.h"
#include "tests/support/unit.h"
#include "vidmm/vidmm_lock.h"

static void copy_short(struct mock_adapter *mock)
{
    assert_true(vidmm_mock_switch_set(vidmm_mock_switches(mock->mock), "short-copy", "@1"));
}

/* Four pages that the GPU wrote. */
static vidmm_handle make_written(struct mock_adapter *mock)
{
    struct vidmm_mock_allocation wish = mock_wish(4 * MOCK_PAGE);
    vidmm_handle handle;
    assert_int_equal(mock_allocate(mock, &wish, &handle), 0);
    assert_int_equal(mock_use(mock, handle, true, (struct vidmm_mock_command){ 0 }, NULL), 0);
    assert_int_equal(vidmm_wait_idle(mock->adapter), 0);
    return handle;
}

static void read_all(struct mock_adapter *mock, vidmm_handle handle, enum vidmm_view via,
                     bool expected)
{
    struct vidmm_lock_args lock = { .device = mock->device, .allocation = handle };
    struct vidmm_lock_result result;
    bool intact = !expected;
    assert_int_equal(vidmm_lock(mock->adapter, &lock, &result), 0);
    assert_int_equal(result.via, via);
    uint64_t before = mock_findings(mock);
    assert_int_equal(vidmm_cpu_read(mock->adapter, handle, 0, 4 * MOCK_PAGE, &intact), 0);
    assert_int_equal(intact, expected);
    assert_int_equal(mock_findings(mock), before + !expected);
    if (!expected) {
        assert_int_equal(mock->finding_rule, VIDMM_RULE(LOCK_067));
        assert_non_null(strstr(mock->finding, "does not see what it should"));
    }
    assert_int_equal(vidmm_unlock(mock->adapter, mock->device, &handle, 1), 0);
}

static void wrong_content_of_the_store(void **state)
{
    struct mock_adapter *mock = *state;
    vidmm_handle handle = make_written(mock);
    read_all(mock, handle, VIDMM_VIEW_SEGMENT, true);
    copy_short(mock);
    assert_int_equal(vidmm_evict(mock->adapter, handle), 0);
    assert_int_equal(vidmm_wait_idle(mock->adapter), 0);
    read_all(mock, handle, VIDMM_VIEW_BACKING, false);
}

static void wrong_content_of_the_segment(void **state)
{
    struct mock_adapter *mock = *state;
    struct vidmm_mock_allocation wish = mock_wish(4 * MOCK_PAGE);
    struct vidmm_allocation_args args = mock_args("a", &wish);
    vidmm_handle handle;
    args.content = 1;
    assert_int_equal(vidmm_allocate(mock->adapter, mock->device, false, &args, 1, &handle), 0);
    read_all(mock, handle, VIDMM_VIEW_BACKING, true);
    copy_short(mock);
    assert_int_equal(vidmm_page_in(mock->adapter, handle, false), 0);
    assert_int_equal(vidmm_wait_idle(mock->adapter), 0);
    read_all(mock, handle, VIDMM_VIEW_SEGMENT, false);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(wrong_content_of_the_store, mock_adapter_setup,
                                        mock_adapter_teardown),
        cmocka_unit_test_setup_teardown(wrong_content_of_the_segment, mock_adapter_setup,
                                        mock_adapter_teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
