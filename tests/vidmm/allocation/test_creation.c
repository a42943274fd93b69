/* SPDX-License-Identifier: MIT */
/*
 * test_creation.c: what a driver is given to make allocations of: the private data of the call and
 * of each element, in blocks of their own; a primary that it cannot describe; and a creation or a
 * display in which the system stops.
 */
#include <string.h>

#include "tests/support/mock_front.h"
#include "tests/support/unit.h"
#include "vidmm/base/base.h"
#include "vidmm/ddi/ntstatus.h"

enum { ELEMENTS = 3, PAIR = 2, OF_CALL = 20 };

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
        assert_ptr_not_equal(info->pPrivateDriverData, data_of(i)); /* a copy, for any type */
        assert_int_equal((uintptr_t)info->pPrivateDriverData % _Alignof(max_align_t), 0);
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

static UINT opened[PAIR];

static NTSTATUS open_allocation(IN_CONST_HANDLE device, IN_CONST_PDXGKARG_OPENALLOCATION arg)
{
    assert_int_equal(arg->NumAllocations, PAIR);
    for (UINT i = 0; i < PAIR; i++) {
        const DXGK_OPENALLOCATIONINFO *info = &arg->pOpenAllocation[i];
        opened[i] = info->PrivateDriverDataSize;
        assert_int_equal(info->pPrivateDriverData != NULL, opened[i] != 0);
    }
    return mock_front.real.DxgkDdiOpenAllocation(device, arg);
}

static void opens(DRIVER_INITIALIZATION_DATA *table)
{
    mock_front_stand(table);
    table->DxgkDdiOpenAllocation = open_allocation;
}

/* ALLOC-008: also what comes after an element that has none. */
static void another_device_opens_with_the_same_private_data(void **state)
{
    static const uint8_t word[] = { 1, 2, 3 };
    struct vidmm_mock_allocation wish = mock_wish(MOCK_PAGE);
    const struct vidmm_allocation_args args[PAIR] = {
        { .label = "a" },
        { .label = "b", .private_data = word, .private_bytes = sizeof word },
    };
    struct vidmm_creation_result result;
    vidmm_handle handles[PAIR], user, shared;
    struct mock_adapter mock;
    (void)state;
    mock_front_start(&mock, VIDMM_WDDM_1_1, opens);
    const struct vidmm_creation_args call = {
        .device = mock.device,
        .flags = VIDMM_KMT_CreateResource | VIDMM_KMT_CreateShared,
        .private_data = &wish, /* of both */
        .private_bytes = sizeof wish,
        .allocations = args,
        .count = PAIR,
    };
    assert_int_equal(vidmm_create_allocations(mock.adapter, &call, handles, &result), 0);
    assert_int_equal(vidmm_device_create(mock.adapter, "user", mock.process, &user), 0);
    opened[1] = 0;
    assert_int_equal(vidmm_open(mock.adapter, "c", user, result.resource, &shared), 0);
    assert_int_equal(opened[0], 0);
    assert_int_equal(opened[1], sizeof word);
    mock_adapter_stop(&mock);
}

static void no_description(DRIVER_INITIALIZATION_DATA *table)
{
    table->DxgkDdiDescribeAllocation = NULL;
}

/* MINI-044: a finding; where that is fatal (BUG-050), nothing comes of the primary. */
static void a_primary_that_nobody_can_describe_is_a_finding(void **state)
{
    (void)state;
    for (uint32_t fatal = 0; fatal < 2; fatal++) {
        struct mock_adapter mock;
        struct vidmm_mock_allocation wish = mock_wish(MOCK_PAGE);
        struct vidmm_allocation_args args = mock_args("front", &wish);
        vidmm_handle handle;
        mock_adapter_init(&mock, VIDMM_WDDM_1_1);
        mock.hook = no_description;
        mock.config.settings.value[VIDMM_SETTING_FINDINGS] = fatal;
        mock_adapter_start(&mock);
        args.info_flags = VIDMM_INFO_Primary;
        uint64_t before = mock.events[VIDMM_EVENT_CREATE];
        assert_int_equal(vidmm_allocate(mock.adapter, mock.device, false, &args, 1, &handle),
                         fatal ? STATUS_DEVICE_REMOVED : STATUS_SUCCESS);
        assert_int_equal(mock.events[VIDMM_EVENT_FINDING], 1);
        assert_int_equal(vidmm_rule_uses(mock.adapter, RULE(MINI_044)), 1 + fatal); /* the stop */
        assert_int_equal(mock.events[VIDMM_EVENT_CREATE] - before, !fatal);
        if (fatal)
            (void)mock_stopped(&mock, RULE(MINI_044), 0, 0);
        mock_adapter_free(&mock);
    }
}

/* ---- a creation that is taken back ---------------------------------------------------------- */

static struct {
    HANDLE hidden;              /* the driver made it, and does not say so */
    unsigned closed, destroyed; /* elements */
} back;

static NTSTATUS fill_and_fail(IN_CONST_HANDLE device, IN_CONST_PDXGKARG_OPENALLOCATION arg)
{
    (void)device;
    for (UINT i = 0; i < arg->NumAllocations; i++)
        arg->pOpenAllocation[i].hDeviceSpecificAllocation = &back;
    return STATUS_NO_MEMORY;
}

static NTSTATUS count_closed(IN_CONST_HANDLE device, IN_CONST_PDXGKARG_CLOSEALLOCATION arg)
{
    (void)device;
    back.closed += arg->NumAllocations;
    return STATUS_SUCCESS;
}

static NTSTATUS hide_first(IN_CONST_HANDLE adapter, INOUT_PDXGKARG_CREATEALLOCATION arg)
{
    NTSTATUS answer = mock_front.real.DxgkDdiCreateAllocation(adapter, arg);
    back.hidden = arg->pAllocationInfo[0].hAllocation;
    arg->pAllocationInfo[0].hAllocation = NULL;
    return answer;
}

static NTSTATUS count_destroyed(IN_CONST_HANDLE adapter, IN_CONST_PDXGKARG_DESTROYALLOCATION arg)
{
    HANDLE all[PAIR] = { back.hidden };
    DXGKARG_DESTROYALLOCATION given = *arg;
    back.destroyed += arg->NumAllocations;
    for (UINT i = 0; i < arg->NumAllocations; i++)
        assert_non_null(arg->pAllocationList[i]);
    if (!back.hidden)
        return mock_front.real.DxgkDdiDestroyAllocation(adapter, arg);
    all[1] = arg->pAllocationList[0];
    given.NumAllocations = PAIR;
    given.pAllocationList = all;
    return mock_front.real.DxgkDdiDestroyAllocation(adapter, &given);
}

static void fails_to_open(DRIVER_INITIALIZATION_DATA *table)
{
    mock_front_stand(table);
    table->DxgkDdiOpenAllocation = fill_and_fail;
    table->DxgkDdiCloseAllocation = count_closed;
    table->DxgkDdiDestroyAllocation = count_destroyed;
}

static void hides_the_first(DRIVER_INITIALIZATION_DATA *table)
{
    mock_front_stand(table);
    table->DxgkDdiCreateAllocation = hide_first;
    table->DxgkDdiDestroyAllocation = count_destroyed;
}

static void fails_as_a_pair(void (*driver)(DRIVER_INITIALIZATION_DATA *table), vidmm_status status)
{
    struct vidmm_mock_allocation wish = mock_wish(MOCK_PAGE);
    const struct vidmm_allocation_args args[PAIR] = { mock_args("a", &wish),
                                                      mock_args("b", &wish) };
    vidmm_handle handles[PAIR];
    struct mock_adapter mock;
    memset(&back, 0, sizeof back);
    mock_front_start(&mock, VIDMM_WDDM_1_1, driver);
    assert_int_equal(vidmm_allocate(mock.adapter, mock.device, false, args, PAIR, handles), status);
    mock_adapter_stop(&mock);
}

/* MINI-031: what was not opened is not closed, and what has no handle is not destroyed. */
static void only_what_was_given_is_given_back(void **state)
{
    (void)state;
    fails_as_a_pair(fails_to_open, STATUS_NO_MEMORY);
    assert_int_equal(back.closed, 0);
    assert_int_equal(back.destroyed, PAIR);
    fails_as_a_pair(hides_the_first, STATUS_INVALID_PARAMETER);
    assert_int_equal(back.destroyed, 1);
}

/* ---- a system that stops -------------------------------------------------------------------- */

static void start_to_fail(struct mock_adapter *mock)
{
    mock_adapter_init(mock, VIDMM_WDDM_1_1);
    mock_adapter_start(mock);
    assert_true(vidmm_mock_switch_set(vidmm_mock_switches(mock->mock), "submit-status",
                                      "STATUS_INVALID_PARAMETER"));
}

static void end_stopped(struct mock_adapter *mock)
{
    (void)mock_stopped(mock, RULE(SUBMIT_045), 0x119, 2);
    mock_adapter_free(mock);
}

/* FLAG-036: the place is taken when the driver's last call ends the system. */
static void no_creation_succeeds_in_a_system_that_stopped(void **state)
{
    struct vidmm_mock_allocation wish = mock_wish(MOCK_PAGE);
    struct mock_adapter mock;
    vidmm_handle handle;
    (void)state;
    start_to_fail(&mock);
    wish.flags |= VIDMM_ALLOCATION_Overlay;
    assert_int_not_equal(mock_allocate(&mock, &wish, &handle), 0);
    end_stopped(&mock);
}

/* RES-057: what is to be shown has to come in first. */
static void nor_is_anything_displayed_there(void **state)
{
    struct vidmm_mock_allocation wish = mock_wish(MOCK_PAGE);
    struct vidmm_allocation_args args = mock_args("desk", &wish);
    struct mock_adapter mock;
    vidmm_handle handle;
    (void)state;
    start_to_fail(&mock);
    args.info_flags = VIDMM_INFO_Primary;
    assert_int_equal(vidmm_allocate(mock.adapter, mock.device, false, &args, 1, &handle), 0);
    assert_int_not_equal(vidmm_display(mock.adapter, handle), 0);
    end_stopped(&mock);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_element_has_its_own_private_data),
        cmocka_unit_test(another_device_opens_with_the_same_private_data),
        cmocka_unit_test(a_primary_that_nobody_can_describe_is_a_finding),
        cmocka_unit_test(only_what_was_given_is_given_back),
        cmocka_unit_test(no_creation_succeeds_in_a_system_that_stopped),
        cmocka_unit_test(nor_is_anything_displayed_there),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
