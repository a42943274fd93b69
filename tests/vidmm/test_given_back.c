/* SPDX-License-Identifier: MIT */
/*
 * test_given_back.c: what a driver has opened and made is closed and destroyed under the handles
 * that it gave, each of them once and the newest of a resource, and private data reaches it as it
 * was.
 */
#include <string.h>

#include "tests/support/mock_front.h"
#include "tests/support/unit.h"
#include "vidmm/ddi/ntstatus.h"

enum { MOST = 16, PAIR = 2 };

static const char call_data[] = { 'w', 'h', 'o', 'l', 'e' };

/* Handles that the driver in front of the mock has given, and that live. */
struct given {
    HANDLE list[MOST];
    unsigned count, most;
};

static struct {
    struct given allocations, openings, devices, ranges;
    const struct vidmm_mock_allocation *wishes; /* of the creation under way */
    bool fails;                                 /* no device or context is made any more */
    HANDLE ending;                              /* hDevice of one that is destroyed next */
    HANDLE resource;                            /* the last hResource */
    unsigned replaced;
    unsigned orphans;
} front;

static void gives(struct given *given, HANDLE handle)
{
    assert_non_null(handle);
    assert_true(given->count < MOST);
    given->list[given->count++] = handle;
    given->most = given->count > given->most ? given->count : given->most;
}

static void gets_back(struct given *given, HANDLE handle)
{
    unsigned i = 0;
    while (i < given->count && given->list[i] != handle)
        i++;
    assert_true(i < given->count); /* it is one of them */
    given->list[i] = given->list[--given->count];
}

static NTSTATUS create_allocation(IN_CONST_HANDLE adapter, INOUT_PDXGKARG_CREATEALLOCATION arg)
{
    if (arg->PrivateDriverDataSize) {
        assert_int_equal(arg->PrivateDriverDataSize, sizeof call_data);
        assert_memory_equal(arg->pPrivateDriverData, call_data, sizeof call_data);
    }
    for (UINT i = 0; i < arg->NumAllocations; i++) {
        assert_int_equal(arg->pAllocationInfo[i].PrivateDriverDataSize, sizeof *front.wishes);
        assert_memory_equal(arg->pAllocationInfo[i].pPrivateDriverData, &front.wishes[i],
                            sizeof *front.wishes);
    }
    NTSTATUS answer = mock_front.real.DxgkDdiCreateAllocation(adapter, arg);
    for (UINT i = 0; i < arg->NumAllocations; i++)
        gives(&front.allocations, arg->pAllocationInfo[i].hAllocation);
    front.resource = arg->hResource;
    return answer;
}

static NTSTATUS open_allocation(IN_CONST_HANDLE device, IN_CONST_PDXGKARG_OPENALLOCATION arg)
{
    for (UINT i = 0; i < arg->NumAllocations; i++) {
        assert_int_equal(arg->pOpenAllocation[i].PrivateDriverDataSize, sizeof *front.wishes);
        assert_memory_equal(arg->pOpenAllocation[i].pPrivateDriverData, &front.wishes[i],
                            sizeof *front.wishes);
    }
    NTSTATUS answer = mock_front.real.DxgkDdiOpenAllocation(device, arg);
    for (UINT i = 0; i < arg->NumAllocations; i++)
        if (arg->pOpenAllocation[i].hDeviceSpecificAllocation)
            gives(&front.openings, arg->pOpenAllocation[i].hDeviceSpecificAllocation);
    return answer;
}

static NTSTATUS close_allocation(IN_CONST_HANDLE device, IN_CONST_PDXGKARG_CLOSEALLOCATION arg)
{
    for (UINT i = 0; i < arg->NumAllocations; i++)
        gets_back(&front.openings, arg->pOpenHandleList[i]);
    return mock_front.real.DxgkDdiCloseAllocation(device, arg);
}

static NTSTATUS destroy_allocation(IN_CONST_HANDLE adapter, IN_CONST_PDXGKARG_DESTROYALLOCATION arg)
{
    assert_int_equal(front.ranges.count, 0);
    if (arg->Flags.DestroyResource)
        assert_ptr_equal(arg->hResource, front.resource);
    for (UINT i = 0; i < arg->NumAllocations; i++)
        gets_back(&front.allocations, arg->pAllocationList[i]);
    return mock_front.real.DxgkDdiDestroyAllocation(adapter, arg);
}

/* The number of a range, and the allocation over which it is. */
static HANDLE name_of_range(UINT id, HANDLE allocation)
{
    return (char *)allocation + id;
}

static NTSTATUS acquire_range(IN_CONST_HANDLE adapter, INOUT_PDXGKARG_ACQUIRESWIZZLINGRANGE arg)
{
    NTSTATUS answer = mock_front.real.DxgkDdiAcquireSwizzlingRange(adapter, arg);
    if (answer == STATUS_SUCCESS)
        gives(&front.ranges, name_of_range(arg->RangeId, arg->hAllocation));
    return answer;
}

static NTSTATUS release_range(IN_CONST_HANDLE adapter, IN_CONST_PDXGKARG_RELEASESWIZZLINGRANGE arg)
{
    gets_back(&front.ranges, name_of_range(arg->RangeId, arg->hAllocation));
    return mock_front.real.DxgkDdiReleaseSwizzlingRange(adapter, arg);
}

/* A save area for a context, or all of a device, that does not come to be. */
static void make_orphan(HANDLE device, HANDLE context)
{
    DXGKARGCB_CREATECONTEXTALLOCATION arg = { .hAdapter = mock_front.system.DeviceHandle,
                                              .hDevice = device,
                                              .hContext = context,
                                              .Size = MOCK_PAGE,
                                              .SupportedSegmentSet = 1 };
    arg.ContextAllocationFlags.SharedAcrossContexts = !context;
    front.orphans += mock_front.system.DxgkCbCreateContextAllocation(&arg) == STATUS_SUCCESS;
}

static NTSTATUS create_device(IN_CONST_HANDLE adapter, INOUT_PDXGKARG_CREATEDEVICE arg)
{
    if (front.fails) {
        make_orphan(arg->hDevice, NULL);
        return STATUS_NO_MEMORY;
    }
    NTSTATUS answer = mock_front.real.DxgkDdiCreateDevice(adapter, arg);
    gives(&front.devices, arg->hDevice);
    return answer;
}

static NTSTATUS destroy_device(IN_CONST_HANDLE device)
{
    gets_back(&front.devices, device);
    if (front.ending)
        make_orphan(front.ending, NULL);
    return mock_front.real.DxgkDdiDestroyDevice(device);
}

/* Made, but nobody can use it: its buffers would lie in memory. */
static NTSTATUS create_context(IN_CONST_HANDLE device, INOUT_PDXGKARG_CREATECONTEXT arg)
{
    HANDLE named = arg->hContext;
    NTSTATUS answer = mock_front.real.DxgkDdiCreateContext(device, arg);
    if (front.fails) {
        make_orphan(NULL, named);
        arg->ContextInfo.DmaBufferSegmentSet = 0x1;
    }
    return answer;
}

static NTSTATUS cannot_preempt(IN_CONST_HANDLE adapter, IN_CONST_PDXGKARG_PREEMPTCOMMAND arg)
{
    (void)adapter;
    (void)arg;
    return STATUS_UNSUCCESSFUL;
}

static void stands(DRIVER_INITIALIZATION_DATA *table)
{
    memset(&front, 0, sizeof front);
    mock_front_stand(table);
    table->DxgkDdiCreateAllocation = create_allocation;
    table->DxgkDdiOpenAllocation = open_allocation;
    table->DxgkDdiCloseAllocation = close_allocation;
    table->DxgkDdiDestroyAllocation = destroy_allocation;
    table->DxgkDdiAcquireSwizzlingRange = acquire_range;
    table->DxgkDdiReleaseSwizzlingRange = release_range;
    table->DxgkDdiCreateDevice = create_device;
    table->DxgkDdiDestroyDevice = destroy_device;
    table->DxgkDdiCreateContext = create_context;
    table->DxgkDdiPreemptCommand = cannot_preempt;
}

static void stop(struct mock_adapter *mock)
{
    mock_adapter_stop(mock);
    assert_int_equal(front.allocations.count, 0);
    assert_int_equal(front.openings.count, 0);
    assert_int_equal(front.devices.count, 0);
}

/* A shared resource of two allocations, which another device has open, too. */
static void make_pair(struct mock_adapter *mock, vidmm_handle *resource, vidmm_handle *opened)
{
    static struct vidmm_mock_allocation wishes[PAIR];
    struct vidmm_allocation_args args[PAIR];
    vidmm_handle user, handles[PAIR];
    const struct vidmm_creation_args call = {
        .device = mock->device,
        .flags = VIDMM_KMT_CreateResource | VIDMM_KMT_CreateShared,
        .allocations = args,
        .count = PAIR,
        .private_data = call_data,
        .private_bytes = sizeof call_data,
    };
    struct vidmm_creation_result result;
    for (unsigned i = 0; i < PAIR; i++) {
        wishes[i] = mock_wish((i + 1) * (uint64_t)MOCK_PAGE);
        args[i] = mock_args("half", &wishes[i]);
    }
    front.wishes = wishes;
    assert_int_equal(vidmm_create_allocations(mock->adapter, &call, handles, &result), 0);
    assert_int_equal(vidmm_device_create(mock->adapter, "user", mock->process, &user), 0);
    assert_int_equal(vidmm_open(mock->adapter, "pair", user, result.resource, opened), 0);
    assert_int_equal(front.openings.most, 2 * PAIR);
    *resource = result.resource;
}

static void one_device_after_the_other(void **state)
{
    struct mock_adapter mock;
    vidmm_handle resource, opened;
    (void)state;
    mock_front_start(&mock, VIDMM_WDDM_1_1, stands);
    make_pair(&mock, &resource, &opened);
    assert_int_equal(vidmm_close(mock.adapter, opened), 0);
    assert_int_equal(front.openings.count, PAIR);
    assert_int_equal(front.allocations.count, PAIR);
    assert_int_equal(vidmm_destroy(mock.adapter, &resource, 1), 0);
    assert_int_equal(front.allocations.count, 0);
    stop(&mock);
}

static void all_at_the_end(void **state)
{
    struct mock_adapter mock;
    vidmm_handle resource, opened;
    (void)state;
    mock_front_start(&mock, VIDMM_WDDM_1_1, stands);
    make_pair(&mock, &resource, &opened);
    stop(&mock);
}

/* SWIZ-016: ranges first. */
static void what_the_cpu_saw_through_ranges(void **state)
{
    struct mock_adapter mock;
    struct vidmm_mock_allocation wish = mock_wish(MOCK_PAGE);
    vidmm_handle handle;
    (void)state;
    mock_front_start(&mock, VIDMM_WDDM_1_1, stands);
    wish.flags = VIDMM_ALLOCATION_CpuVisible | VIDMM_ALLOCATION_Swizzled;
    front.wishes = &wish;
    assert_int_equal(mock_allocate(&mock, &wish, &handle), 0);
    assert_int_equal(vidmm_page_in(mock.adapter, handle, true), 0);
    assert_int_equal(vidmm_wait_idle(mock.adapter), 0);
    for (uint32_t data = 0; data < PAIR; data++) {
        struct vidmm_lock_args lock = { .device = mock.device,
                                        .allocation = handle,
                                        .flags = VIDMM_LOCK_AcquireAperture | VIDMM_LOCK_LockEntire,
                                        .private_data = data };
        struct vidmm_lock_result result;
        assert_int_equal(vidmm_lock(mock.adapter, &lock, &result), 0);
        assert_int_equal(vidmm_unlock(mock.adapter, mock.device, &handle, 1), 0);
    }
    assert_int_equal(front.ranges.count, PAIR);
    stop(&mock);
}

static void with_a_stop_of_the_adapter(void **state)
{
    struct mock_adapter mock;
    vidmm_handle resource, opened;
    (void)state;
    mock_front_start(&mock, VIDMM_WDDM_1_3, stands);
    make_pair(&mock, &resource, &opened);
    front.ending = (HANDLE)(uintptr_t)mock.device; /* and gets nothing more, then */
    assert_int_equal(vidmm_pnp_stop(mock.adapter), 0);
    front.ending = NULL;
    assert_int_equal(mock_adapter_view(&mock).commit_charged, 0);
    assert_int_equal(front.allocations.count, 0);
    assert_int_equal(front.openings.count, 0);
    assert_int_equal(front.devices.count, 0);
    stop(&mock);
}

/* Nobody calls the driver any more. */
static void not_after_a_bug_check(void **state)
{
    struct mock_adapter mock;
    vidmm_handle resource, opened;
    (void)state;
    mock_front_start(&mock, VIDMM_WDDM_1_1, stands);
    make_pair(&mock, &resource, &opened);
    assert_int_not_equal(vidmm_preempt(mock.adapter, 0), 0);
    assert_non_null(vidmm_bugcheck(mock.adapter));
    mock_adapter_free(&mock);
    assert_int_equal(front.allocations.count, PAIR);
    assert_int_equal(front.openings.count, 2 * PAIR);
    assert_int_equal(front.devices.count, front.devices.most);
}

/* ALLOC-052: what it had already goes with it. */
static void a_device_that_does_not_come_to_be(void **state)
{
    struct mock_adapter mock;
    vidmm_handle device;
    (void)state;
    mock_front_start(&mock, VIDMM_WDDM_1_3, stands);
    front.fails = true;
    assert_int_equal(vidmm_device_create(mock.adapter, "none", mock.process, &device),
                     STATUS_NO_MEMORY);
    mock_refused(&mock, RULE(MINI_022));
    assert_int_equal(mock.events[VIDMM_EVENT_DESTROY], front.orphans);
    assert_int_equal(front.orphans, 1);
    front.fails = false;
    stop(&mock);
}

/* ALLOC-060: also where it is the system that refuses what the driver made. */
static void a_context_that_does_not_come_to_be(void **state)
{
    struct mock_adapter mock;
    vidmm_handle context;
    (void)state;
    mock_front_start(&mock, VIDMM_WDDM_1_3, stands);
    front.fails = true;
    assert_int_equal(vidmm_context_create(mock.adapter, "none", mock.device, 0, &context),
                     STATUS_INVALID_PARAMETER);
    mock_refused(&mock, RULE(SEG_054));
    assert_int_equal(front.orphans, 1);
    assert_int_equal(mock_adapter_view(&mock).live, 0);
    assert_int_equal(mock_adapter_view(&mock).commit_charged, 0);
    front.fails = false;
    stop(&mock);
}

/* A device that ends gets nothing either. */
static void nothing_is_made_for_a_device_that_ends(void **state)
{
    struct mock_adapter mock;
    (void)state;
    mock_front_start(&mock, VIDMM_WDDM_1_3, stands);
    front.ending = (HANDLE)(uintptr_t)mock.device;
    assert_int_equal(vidmm_destroy(mock.adapter, &mock.device, 1), 0);
    assert_int_equal(front.orphans, 0);
    front.ending = NULL;
    stop(&mock);
}

/* ALLOC-003: those before it, and the one that breaks a rule. */
static void a_creation_that_is_taken_back(void **state)
{
    struct mock_adapter mock;
    struct vidmm_mock_allocation wishes[PAIR];
    struct vidmm_allocation_args args[PAIR];
    vidmm_handle handles[PAIR];
    (void)state;
    mock_front_start(&mock, VIDMM_WDDM_1_1, stands);
    for (unsigned i = 0; i < PAIR; i++) {
        wishes[i] = mock_wish(MOCK_PAGE);
        args[i] = mock_args("half", &wishes[i]);
    }
    wishes[1].read_set = wishes[1].write_set = 0;
    front.wishes = wishes;
    assert_int_equal(vidmm_allocate(mock.adapter, mock.device, true, args, PAIR, handles),
                     STATUS_INVALID_PARAMETER);
    mock_refused(&mock, RULE(ALLOC_019));
    assert_int_equal(front.allocations.most, PAIR);
    assert_int_equal(front.allocations.count, 0);

    /* MINI-031: the first is not opened, so that only the second is closed. */
    wishes[1] = wishes[0];
    vidmm_mock_switches(mock.mock)[VIDMM_MOCK_NULL_OPEN_HANDLE] =
        (struct vidmm_mock_switch_state){ .on = true, .at = 1 };
    assert_int_equal(vidmm_allocate(mock.adapter, mock.device, true, args, PAIR, handles),
                     STATUS_INVALID_PARAMETER);
    mock_refused(&mock, RULE(MINI_040));
    assert_int_equal(front.openings.most, 1);
    assert_int_equal(front.openings.count, 0);
    assert_int_equal(front.allocations.count, 0);
    stop(&mock);
}

/* ALLOC-052: a driver ends by its callback what it made by one. */
static void an_allocation_of_a_caller_is_not_the_drivers(void **state)
{
    struct mock_adapter mock;
    (void)state;
    mock_front_start(&mock, VIDMM_WDDM_1_3, mock_front_stand);
    HANDLE handle = (HANDLE)(uintptr_t)mock_make(&mock);
    assert_int_equal(
        mock_front.system.DxgkCbDestroyContextAllocation(mock_front.system.DeviceHandle, handle),
        STATUS_INVALID_PARAMETER);
    mock_refused(&mock, RULE(ALLOC_052));
    assert_int_equal(mock_adapter_view(&mock).live, 1);
    mock_adapter_stop(&mock);
}

/* ---- the handle of a resource --------------------------------------------------------------- */

/* It has to be the one of the last answer, and becomes another one, or none: when a creation is
   taken back, with a destruction, and with a creation. */
static void replace(HANDLE *handle)
{
    static const bool none[MOST] = { [3] = true, [5] = true, [6] = true };
    assert_ptr_equal(*handle, front.resource);
    front.replaced++;
    *handle = front.resource = none[front.replaced] ? NULL : (HANDLE)(uintptr_t)front.replaced;
}

static NTSTATUS create_and_replace(IN_CONST_HANDLE adapter, INOUT_PDXGKARG_CREATEALLOCATION arg)
{
    replace(&arg->hResource);
    NTSTATUS answer = mock_front.real.DxgkDdiCreateAllocation(adapter, arg);
    arg->hResource = front.resource; /* the mock makes one where there is none */
    return answer;
}

static NTSTATUS destroy_and_replace(IN_CONST_HANDLE adapter,
                                    IN_CONST_PDXGKARG_DESTROYALLOCATION arg)
{
    replace(&((DXGKARG_DESTROYALLOCATION *)arg)->hResource);
    return mock_front.real.DxgkDdiDestroyAllocation(adapter, arg);
}

static void replaces_its_handle(DRIVER_INITIALIZATION_DATA *table)
{
    memset(&front, 0, sizeof front);
    mock_front_stand(table);
    table->DxgkDdiCreateAllocation = create_and_replace;
    table->DxgkDdiDestroyAllocation = destroy_and_replace;
}

/* ALLOC-005, MINI-043. */
static void a_resource_that_stays_may_get_another_handle(void **state)
{
    struct mock_adapter mock;
    struct vidmm_mock_allocation wish = mock_wish(MOCK_PAGE);
    const struct vidmm_allocation_args args[] = { mock_args("a", &wish), mock_args("b", &wish) };
    vidmm_handle handles[PAIR], added;
    (void)state;
    mock_front_start(&mock, VIDMM_WDDM_1_1, replaces_its_handle);
    assert_int_equal(vidmm_allocate(mock.adapter, mock.device, true, args, PAIR, handles), 0);
    const struct vidmm_creation_args more = {
        .device = mock.device,
        .resource = mock_view(&mock, handles[0]).resource,
        .allocations = args,
        .count = 1,
    };
    wish.alignment = 3; /* what is taken back is an answer, too */
    assert_int_not_equal(vidmm_create_allocations(mock.adapter, &more, &added, NULL), 0);
    wish.alignment = 0;
    for (unsigned i = 0; i < PAIR; i++) {
        assert_int_equal(vidmm_create_allocations(mock.adapter, &more, &added, NULL), 0);
        assert_int_equal(vidmm_destroy(mock.adapter, &handles[i], 1), 0);
    }
    assert_int_equal(vidmm_destroy(mock.adapter, &mock.device, 1), 0);
    assert_int_equal(front.replaced, 8);
    mock_adapter_stop(&mock);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_device_after_the_other),
        cmocka_unit_test(all_at_the_end),
        cmocka_unit_test(what_the_cpu_saw_through_ranges),
        cmocka_unit_test(with_a_stop_of_the_adapter),
        cmocka_unit_test(not_after_a_bug_check),
        cmocka_unit_test(a_device_that_does_not_come_to_be),
        cmocka_unit_test(a_context_that_does_not_come_to_be),
        cmocka_unit_test(nothing_is_made_for_a_device_that_ends),
        cmocka_unit_test(a_creation_that_is_taken_back),
        cmocka_unit_test(an_allocation_of_a_caller_is_not_the_drivers),
        cmocka_unit_test(a_resource_that_stays_may_get_another_handle),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
