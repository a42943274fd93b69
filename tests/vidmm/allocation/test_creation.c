/* SPDX-License-Identifier: MIT */
/* test_creation.c: what a driver is given to make allocations of: the private data of the call and
   of each element, in blocks of their own. */
#include <string.h>

#include "tests/support/mock_front.h"
#include "tests/support/unit.h"
#include "vidmm/base/base.h"

enum { ELEMENTS = 3, OF_CALL = 20 };

/* What the caller brings, and what the driver was given. */
static struct {
    struct vidmm_mock_allocation wish;
    uint8_t of_call[OF_CALL], of_last[sizeof(struct vidmm_mock_allocation) + 1];
    unsigned calls;
} brought;

static const void *data_of(size_t i)
{
    return i == 0 ? (const void *)&brought.wish : i == 1 ? NULL : (const void *)brought.of_last;
}

static UINT bytes_of(size_t i)
{
    return i == 0 ? sizeof brought.wish : i == 1 ? 0 : sizeof brought.of_last;
}

static NTSTATUS create_allocation(IN_CONST_HANDLE adapter, INOUT_PDXGKARG_CREATEALLOCATION arg)
{
    (void)adapter;
    brought.calls++;
    assert_int_equal(arg->NumAllocations, ELEMENTS);
    assert_int_equal(arg->PrivateDriverDataSize, OF_CALL);
    for (UINT i = 0; i < ELEMENTS; i++) {
        const DXGK_ALLOCATIONINFO *info = &arg->pAllocationInfo[i];
        assert_int_equal(info->PrivateDriverDataSize, bytes_of(i));
        if (!bytes_of(i)) {
            assert_null(info->pPrivateDriverData);
            continue;
        }
        assert_memory_equal(info->pPrivateDriverData, data_of(i), bytes_of(i));
        assert_ptr_not_equal(info->pPrivateDriverData, data_of(i)); /* a copy */
    }
    assert_memory_equal(arg->pPrivateDriverData, brought.of_call, OF_CALL);
    assert_ptr_not_equal(arg->pPrivateDriverData, brought.of_call);
    return STATUS_NO_MEMORY;
}

static void looks(DRIVER_INITIALIZATION_DATA *table)
{
    mock_front_stand(table);
    table->DxgkDdiCreateAllocation = create_allocation;
}

/* ALLOC-004. */
static void every_element_has_its_own_private_data(void **state)
{
    struct vidmm_allocation_args args[ELEMENTS];
    vidmm_handle handles[ELEMENTS];
    struct mock_adapter mock;
    (void)state;
    memset(&brought, 0, sizeof brought);
    brought.wish = mock_wish(MOCK_PAGE);
    memset(brought.of_call, 0xC0, sizeof brought.of_call);
    memset(brought.of_last, 0x1A, sizeof brought.of_last);
    mock_front_start(&mock, VIDMM_WDDM_1_1, looks);
    for (size_t i = 0; i < ELEMENTS; i++) {
        args[i] = mock_args("a", &brought.wish);
        args[i].private_data = data_of(i);
        args[i].private_bytes = bytes_of(i);
    }
    const struct vidmm_creation_args call = {
        .device = mock.device,
        .flags = VIDMM_KMT_CreateResource,
        .private_data = brought.of_call,
        .private_bytes = OF_CALL,
        .allocations = args,
        .count = ELEMENTS,
    };
    assert_int_equal(vidmm_create_allocations(mock.adapter, &call, handles, NULL),
                     STATUS_NO_MEMORY);
    assert_int_equal(brought.calls, 1);
    mock_adapter_stop(&mock);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_element_has_its_own_private_data),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
