/* SPDX-License-Identifier: MIT */
/* test_ranges.c: what a driver is handed when it is asked for a swizzling range. */
#include "tests/support/mock_front.h"
#include "tests/support/unit.h"
#include "vidmm/vidmm_lock.h"

static DXGKARG_ACQUIRESWIZZLINGRANGE asked; /* by the last call, as it came */

static NTSTATUS acquire(IN_CONST_HANDLE adapter, INOUT_PDXGKARG_ACQUIRESWIZZLINGRANGE arg)
{
    asked = *arg;
    return mock_front.real.DxgkDdiAcquireSwizzlingRange(adapter, arg);
}

static void stands(DRIVER_INITIALIZATION_DATA *table)
{
    mock_front_stand(table);
    table->DxgkDdiAcquireSwizzlingRange = acquire;
}

/* Four pages behind another allocation in memory that the CPU sees, locked and unlocked once. */
static vidmm_handle start(struct mock_adapter *mock, uint32_t flags, uint32_t data)
{
    struct vidmm_mock_allocation wish = mock_wish(4 * MOCK_PAGE);
    struct vidmm_lock_args lock = { .flags = VIDMM_LOCK_AcquireAperture | flags,
                                    .private_data = data };
    struct vidmm_lock_result result;
    mock_front_start(mock, VIDMM_WDDM_1_1, stands);
    assert_int_equal(vidmm_page_in(mock->adapter, mock_make(mock), false), 0);
    assert_int_equal(mock_allocate(mock, &wish, &lock.allocation), 0);
    assert_int_equal(vidmm_page_in(mock->adapter, lock.allocation, false), 0);
    assert_int_equal(vidmm_wait_idle(mock->adapter), 0);
    lock.device = mock->device;
    assert_int_equal(vidmm_lock(mock->adapter, &lock, &result), 0);
    assert_int_equal(result.via,
                     flags & VIDMM_LOCK_UseAlternateVA ? VIDMM_VIEW_ALTERNATE : VIDMM_VIEW_RANGE);
    assert_int_equal(result.parts, 1);
    assert_int_equal(result.bytes, 4 * MOCK_PAGE);
    assert_int_equal(vidmm_unlock(mock->adapter, mock->device, &lock.allocation, 1), 0);
    return lock.allocation;
}

/* SWIZ-014: where the CPU sees the allocation without a range, and its whole size. */
static void the_plain_address_is_handed_over(void **state)
{
    struct mock_adapter mock;
    (void)state;
    vidmm_handle handle = start(&mock, 0, 9);
    uint64_t base = mock.segments[0].cpu_base;
    assert_int_equal(asked.PrivateDriverData, 9);
    assert_int_equal(asked.RangeId, 0);
    assert_int_equal(asked.SegmentId, 1);
    assert_int_equal(asked.RangeSize, 4 * MOCK_PAGE);
    assert_int_equal(asked.CPUTranslatedAddress.QuadPart, base + mock_view(&mock, handle).offset);
    mock_adapter_stop(&mock);
}

/* Its range gets an address of its own, so there is none to begin with. */
static void an_alternate_one_has_no_address_before(void **state)
{
    struct mock_adapter mock;
    (void)state;
    (void)start(&mock, VIDMM_LOCK_UseAlternateVA, 0);
    assert_int_equal(asked.SegmentId, 1);
    assert_int_equal(asked.RangeSize, 4 * MOCK_PAGE);
    assert_int_equal(asked.CPUTranslatedAddress.QuadPart, 0);
    mock_adapter_stop(&mock);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_plain_address_is_handed_over),
        cmocka_unit_test(an_alternate_one_has_no_address_before),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
