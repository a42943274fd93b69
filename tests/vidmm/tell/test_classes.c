/* SPDX-License-Identifier: MIT */
/*
 * test_classes.c: what a driver may call back from inside of its calls (MINI-001, ALLOC-060).
 *
 * Each call below asks for the data of a handle, which is allowed anywhere, and for five things of
 * the device, which is not allowed inside of a call of the scheduler class. Then it makes and ends
 * a context allocation, which is allowed where objects come and go.
 */
#include <string.h>

#include "tests/support/mock_front.h"
#include "tests/support/unit.h"
#include "vidmm/ddi/ntstatus.h"

enum { LONG_NS = 100000000, ACQUIRE_APERTURE = 0x40 };

static struct {
    struct mock_adapter mock;
    uint64_t found, quiet; /* calls of the driver with a finding, and without, by `enum hook` */
    uint64_t fixed, free;  /* where memory may not change, and where it may */
} world;

/* X(function of the driver, types of its parameters) */
#define SCHEDULER_CLASS(X)                                                                         \
    X(DxgkDdiBuildPagingBuffer, IN_CONST_HANDLE, IN_PDXGKARG_BUILDPAGINGBUFFER)                    \
    X(DxgkDdiPatch, IN_CONST_HANDLE, IN_CONST_PDXGKARG_PATCH)                                      \
    X(DxgkDdiSubmitCommand, IN_CONST_HANDLE, IN_CONST_PDXGKARG_SUBMITCOMMAND)                      \
    X(DxgkDdiPreemptCommand, IN_CONST_HANDLE, IN_CONST_PDXGKARG_PREEMPTCOMMAND)                    \
    X(DxgkDdiQueryDependentEngineGroup, IN_CONST_HANDLE, INOUT_DXGKARG_QUERYDEPENDENTENGINEGROUP)  \
    X(DxgkDdiQueryEngineStatus, IN_CONST_HANDLE, INOUT_PDXGKARG_QUERYENGINESTATUS)                 \
    X(DxgkDdiResetEngine, IN_CONST_HANDLE, INOUT_PDXGKARG_RESETENGINE)
#define OTHERS(X)                                                                                  \
    X(DxgkDdiCreateAllocation, IN_CONST_HANDLE, INOUT_PDXGKARG_CREATEALLOCATION)                   \
    X(DxgkDdiOpenAllocation, IN_CONST_HANDLE, IN_CONST_PDXGKARG_OPENALLOCATION)                    \
    X(DxgkDdiQueryAdapterInfo, IN_CONST_HANDLE, IN_CONST_PDXGKARG_QUERYADAPTERINFO)                \
    X(DxgkDdiDescribeAllocation, IN_CONST_HANDLE, INOUT_PDXGKARG_DESCRIBEALLOCATION)               \
    X(DxgkDdiPresent, IN_CONST_HANDLE, INOUT_PDXGKARG_PRESENT)                                     \
    X(DxgkDdiRender, IN_CONST_HANDLE, INOUT_PDXGKARG_RENDER)                                       \
    X(DxgkDdiCancelCommand, IN_CONST_HANDLE, IN_CONST_PDXGKARG_CANCELCOMMAND)                      \
    X(DxgkDdiQueryCurrentFence, IN_CONST_HANDLE, INOUT_PDXGKARG_QUERYCURRENTFENCE)                 \
    X(DxgkDdiAcquireSwizzlingRange, IN_CONST_HANDLE, INOUT_PDXGKARG_ACQUIRESWIZZLINGRANGE)         \
    X(DxgkDdiReleaseSwizzlingRange, IN_CONST_HANDLE, IN_CONST_PDXGKARG_RELEASESWIZZLINGRANGE)

enum hook {
#define NUMBER(name, type, more) HOOK_##name,
    SCHEDULER_CLASS(NUMBER) IN_CLASS,
    FIRST_OTHER = IN_CLASS - 1,
    OTHERS(NUMBER) HOOKS
};

static uint64_t findings(void)
{
    return vidmm_counter(world.mock.adapter, VIDMM_COUNTER_FINDINGS);
}

static BOOLEAN at_once(PVOID context)
{
    (void)context;
    return TRUE;
}

/* For an owner that there is not: nothing is made, whoever refuses it. */
static void change_memory(enum hook from)
{
    const HANDLE self = mock_front.system.DeviceHandle;
    DXGKARGCB_CREATECONTEXTALLOCATION make = { .hAdapter = self, .Size = MOCK_PAGE };
    uint64_t before = findings(), barred = vidmm_rule_uses(world.mock.adapter, RULE(ALLOC_060));
    assert_int_equal(mock_front.system.DxgkCbCreateContextAllocation(&make),
                     STATUS_INVALID_PARAMETER);
    assert_int_equal(mock_front.system.DxgkCbDestroyContextAllocation(self, NULL),
                     STATUS_INVALID_PARAMETER);
    barred = vidmm_rule_uses(world.mock.adapter, RULE(ALLOC_060)) - barred;
    assert_int_equal(findings() - before, from < IN_CLASS ? 2 : barred); /* never both */
    assert_true(barred == 0 || barred == 2);
    *(barred ? &world.fixed : &world.free) |= UINT64_C(1) << from;
}

static void call_back(enum hook from)
{
    const DXGKARGCB_GETHANDLEDATA nothing[] = { { .Type = DXGK_HANDLE_ALLOCATION },
                                                { .Type = DXGK_HANDLE_RESOURCE } };
    const HANDLE self = mock_front.system.DeviceHandle;
    const PHYSICAL_ADDRESS registers = { .QuadPart = 0xF0000000 };
    DXGK_DEVICE_INFO info;
    BOOLEAN result;
    ULONG ids, bytes;
    PVOID mapped;
    if (!mock_front.system.DxgkCbGetHandleData || !world.mock.adapter)
        return;
    /* What is not simulated is a finding anywhere (MINI-084). */
    uint64_t before = findings() + 1;
    (void)mock_front.system.DxgkCbIndicateChildStatus(self, NULL);
    assert_int_equal(findings(), before);
    (void)mock_front.system.DxgkCbGetHandleData(&nothing[0]);
    (void)mock_front.system.DxgkCbGetHandleData(&nothing[1]);
    assert_int_equal(findings(), before);
    (void)mock_front.system.DxgkCbGetDeviceInformation(self, &info);
    (void)mock_front.system.DxgkCbSynchronizeExecution(self, at_once, NULL, 0, &result);
    (void)mock_front.system.DxgkCbReadDeviceSpace(self, DXGK_WHICHSPACE_CONFIG, &ids, 0, sizeof ids,
                                                  &bytes);
    (void)mock_front.system.DxgkCbMapMemory(self, registers, sizeof ids, FALSE, FALSE, MmNonCached,
                                            &mapped);
    (void)mock_front.system.DxgkCbUnmapMemory(self, mapped);
    assert_true(findings() == before || findings() == before + 5);
    *(findings() > before ? &world.found : &world.quiet) |= UINT64_C(1) << from;
    change_memory(from);
}

#define HOOK(name, type, more)                                                                     \
    static NTSTATUS in_##name(type one, more two)                                                  \
    {                                                                                              \
        call_back(HOOK_##name);                                                                    \
        return mock_front.real.name(one, two);                                                     \
    }
SCHEDULER_CLASS(HOOK)
OTHERS(HOOK)

static void calls_back(DRIVER_INITIALIZATION_DATA *table)
{
    mock_front_stand(table);
#define TAKE(name, type, more) table->name = in_##name;
    SCHEDULER_CLASS(TAKE)
    OTHERS(TAKE)
}

static void only_the_scheduler_class_may_not_call_back(void **state)
{
    struct mock_adapter *mock = &world.mock;
    struct vidmm_submission submission;
    struct vidmm_lock_result result;
    (void)state;
    memset(&world, 0, sizeof world);
    mock_adapter_init(mock, VIDMM_WDDM_1_2);
    assert_true(vidmm_mock_cap_set(&mock->mock_config, "CancelCommandAware", 1));
    mock->hook = calls_back;
    mock_adapter_start(mock);
    vidmm_handle a = mock_make(mock);
    assert_int_equal(vidmm_page_in(mock->adapter, a, true), 0);
    assert_int_equal(vidmm_wait_idle(mock->adapter), 0);
    const struct vidmm_lock_args args = { .device = mock->device,
                                          .allocation = a,
                                          .flags = ACQUIRE_APERTURE };
    assert_int_equal(vidmm_lock(mock->adapter, &args, &result), 0);
    assert_int_equal(vidmm_unlock(mock->adapter, mock->device, &a, 1), 0);
    assert_int_equal(vidmm_evict(mock->adapter, a), 0);
    const struct vidmm_present_args present = { .context = mock->context, .destination = a };
    assert_int_equal(vidmm_present(mock->adapter, &present, &submission), 0);
    struct vidmm_mock_allocation wish = mock_wish(MOCK_PAGE);
    struct vidmm_allocation_args primary = mock_args("primary", &wish);
    primary.info_flags = VIDMM_INFO_Primary;
    assert_int_equal(vidmm_allocate(mock->adapter, mock->device, false, &primary, 1, &a), 0);
    assert_int_equal(mock_front_submit(mock, LONG_NS, &submission), 0);
    assert_int_equal(vidmm_preempt(mock->adapter, 0), 0);
    assert_int_equal(vidmm_wait(mock->adapter, submission), 0);
    vidmm_mock_switches(mock->mock)[VIDMM_MOCK_DEPENDENT_MASK] =
        (struct vidmm_mock_switch_state){ .on = true, .value = 3 };
    mock_front_work(mock, UINT64_C(10000000000)); /* hangs: first its fence, then its engine */
    mock_front_work(mock, 1);                     /* cancelled with it */
    assert_int_equal(vidmm_wait_idle(mock->adapter), STATUS_DEVICE_REMOVED);
    assert_int_equal(vidmm_pnp_stop(mock->adapter), 0);
    assert_int_equal(vidmm_pnp_start(mock->adapter), 0);
    for (enum hook hook = 0; hook < HOOKS; hook++) {
        assert_int_equal(world.found >> hook & 1, hook < IN_CLASS);
        assert_int_equal(world.quiet >> hook & 1, hook >= IN_CLASS);
        bool changes = hook == HOOK_DxgkDdiCreateAllocation || hook == HOOK_DxgkDdiOpenAllocation;
        assert_int_equal(world.fixed >> hook & 1, hook >= IN_CLASS && !changes);
        assert_int_equal(world.free >> hook & 1, hook < IN_CLASS || changes);
    }
    mock_adapter_stop(mock);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(only_the_scheduler_class_may_not_call_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
