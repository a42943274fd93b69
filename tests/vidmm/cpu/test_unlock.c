/* SPDX-License-Identifier: MIT */
/* test_unlock.c: how many allocations one call unlocks (LOCK-057). */
#include "tests/support/mock_adapter.h"
#include "tests/support/unit.h"
#include "vidmm/vidmm_lock.h"

/* As many locks of one allocation as a list has elements. */
static void a_list_has_a_bound(void **state)
{
    struct mock_adapter *mock = *state;
    static vidmm_handle list[VIDMM_LIST_MAX + 1];
    struct vidmm_lock_args lock = { .device = mock->device, .allocation = mock_make(mock) };
    struct vidmm_lock_result result;
    for (size_t i = 0; i <= VIDMM_LIST_MAX; i++) {
        list[i] = lock.allocation;
        assert_int_equal(vidmm_lock(mock->adapter, &lock, &result), 0);
    }
    assert_int_equal(vidmm_unlock(mock->adapter, mock->device, list, VIDMM_LIST_MAX + 1),
                     STATUS_INVALID_PARAMETER);
    mock_refused(mock, RULE(LOCK_057));
    assert_int_equal(vidmm_unlock(mock->adapter, mock->device, list, VIDMM_LIST_MAX), 0);
    assert_int_equal(vidmm_unlock(mock->adapter, mock->device, list, 1), 0); /* the last one */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_list_has_a_bound, mock_adapter_setup,
                                        mock_adapter_teardown),
    };
    return cmocka_run_group_tests_name("unlock", tests, NULL, NULL);
}
