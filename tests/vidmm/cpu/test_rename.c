/* SPDX-License-Identifier: MIT */
/* test_rename.c: lists of instances that are too long for a scenario, which looks at each step; and
   what the driver is told of an instance. */
#include "tests/support/mock_front.h"
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

/* ---- what the driver sees ------------------------------------------------------------------- */

static HANDLE brought[8]; /* what is filled, or transferred into a segment */
static size_t bring_count;

static NTSTATUS look_who_comes(IN_CONST_HANDLE adapter, IN_PDXGKARG_BUILDPAGINGBUFFER arg)
{
    bool fill = arg->Operation == DXGK_OPERATION_FILL;
    if (fill || arg->Operation == DXGK_OPERATION_TRANSFER) {
        assert_true(bring_count < sizeof brought / sizeof *brought);
        brought[bring_count++] = fill ? arg->Fill.hAllocation : arg->Transfer.hAllocation;
    }
    return mock_front.real.DxgkDdiBuildPagingBuffer(adapter, arg);
}

static void looks_who_comes(DRIVER_INITIALIZATION_DATA *table)
{
    mock_front_stand(table);
    table->DxgkDdiBuildPagingBuffer = look_who_comes;
}

/* RENAME-011, LINK-003: an instance is the allocation at another place, on each adapter. */
static void the_driver_knows_one_allocation(void **state)
{
    (void)state;
    for (uint32_t adapters = 1; adapters <= 2; adapters++) {
        struct mock_adapter mock;
        struct vidmm_mock_allocation wish = mock_wish(MOCK_PAGE);
        struct vidmm_lock_result locked;
        bring_count = 0;
        mock_adapter_init(&mock, VIDMM_WDDM_1_1);
        mock.config.link_adapters = adapters;
        mock.hook = looks_who_comes;
        mock_adapter_start(&mock);
        wish.flags |= adapters > 1 ? VIDMM_ALLOCATION_LinkInstanced : 0;
        struct vidmm_lock_args args = { .device = mock.device, .flags = VIDMM_LOCK_Discard };
        assert_int_equal(mock_allocate(&mock, &wish, &args.allocation), 0);
        assert_int_equal(vidmm_page_in(mock.adapter, args.allocation, true), 0);
        assert_int_equal(vidmm_lock(mock.adapter, &args, &locked), 0);
        assert_int_not_equal(locked.allocation, args.allocation);
        assert_int_equal(vidmm_unlock(mock.adapter, mock.device, &locked.allocation, 1), 0);
        assert_int_equal(vidmm_page_in(mock.adapter, locked.allocation, true), 0);
        assert_int_equal(bring_count, 2 * adapters);
        assert_non_null(brought[0]);
        for (size_t i = 1; i < bring_count; i++)
            assert_ptr_equal(brought[i], brought[0]);
        mock_adapter_stop(&mock);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_list_without_a_limit_has_an_end, mock_adapter_setup,
                                        mock_adapter_teardown),
        cmocka_unit_test_setup_teardown(a_list_with_a_large_limit_has_the_same_end,
                                        mock_adapter_setup, mock_adapter_teardown),
        cmocka_unit_test(the_driver_knows_one_allocation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
