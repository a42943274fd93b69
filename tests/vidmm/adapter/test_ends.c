/* SPDX-License-Identifier: MIT */
/*
 * test_ends.c: callbacks of a driver before its start is complete, while its adapter ends, and
 * after that: context allocations that it destroys, and reports (ALLOC-060, SUBMIT-064).
 */
#include <string.h>

#include "tests/support/mock_front.h"
#include "tests/support/unit.h"
#include "vidmm/ddi/ntstatus.h"

static struct {
    HANDLE kept;          /* a context allocation that the driver made */
    HANDLE owner;         /* for which the driver makes one in its calls: a context, */
    bool shares;          /* or a device */
    NTSTATUS given, made; /* the system's last answer */
    unsigned gave;        /* how often it gave back */
    unsigned named;       /* how many of `names` are taken */
    bool reports, gives, makes, fails, tries;
    unsigned accepted;                 /* that were made and given back in one call */
    const struct mock_adapter *ending; /* of which it is asked in each call of the end: */
    unsigned asked;                    /* how often; then the last value */
    uint32_t completed;                /* on node 0 */
    uint64_t found;                    /* findings */
} driver;

/* ---- context allocations -------------------------------------------------------------------- */

static void give_back(void)
{
    if (!driver.gives || !driver.kept)
        return;
    driver.given = mock_front.system.DxgkCbDestroyContextAllocation(mock_front.system.DeviceHandle,
                                                                    driver.kept);
    driver.gave++;
}

static char names[16]; /* the driver's handles of them: addresses that only differ */

static HANDLE make_for(HANDLE owner)
{
    assert_true(driver.named < sizeof names);
    DXGKARGCB_CREATECONTEXTALLOCATION arg = {
        .ContextAllocationFlags.SharedAcrossContexts = driver.shares,
        .hAdapter = mock_front.system.DeviceHandle,
        .hDevice = driver.shares ? owner : NULL,
        .hContext = driver.shares ? NULL : owner,
        .hDriverAllocation = &names[driver.named++],
        .Size = MOCK_PAGE,
        .SupportedSegmentSet = 0x1,
        .EvictionSegmentSet = 0x2,
    };
    driver.made = mock_front.system.DxgkCbCreateContextAllocation(&arg);
    return driver.made ? NULL : arg.hAllocation;
}

static void try_one(void)
{
    if (!driver.tries)
        return;
    HANDLE made = make_for(driver.owner);
    assert_non_null(made);
    driver.given =
        mock_front.system.DxgkCbDestroyContextAllocation(mock_front.system.DeviceHandle, made);
    driver.accepted += !driver.given;
}

static NTSTATUS create_device(IN_CONST_HANDLE adapter, INOUT_PDXGKARG_CREATEDEVICE arg)
{
    HANDLE named = arg->hDevice;
    try_one();
    NTSTATUS status = mock_front.real.DxgkDdiCreateDevice(adapter, arg);
    if (driver.shares)
        (void)make_for(driver.owner = named);
    if (!driver.fails || status)
        return status;
    (void)mock_front.real.DxgkDdiDestroyDevice(arg->hDevice);
    return STATUS_NO_MEMORY;
}

static NTSTATUS create_allocation(IN_CONST_HANDLE adapter, INOUT_PDXGKARG_CREATEALLOCATION arg)
{
    try_one();
    return mock_front.real.DxgkDdiCreateAllocation(adapter, arg);
}

static NTSTATUS open_allocation(IN_CONST_HANDLE device, IN_CONST_PDXGKARG_OPENALLOCATION arg)
{
    try_one();
    return mock_front.real.DxgkDdiOpenAllocation(device, arg);
}

static NTSTATUS destroy_context(IN_CONST_HANDLE context)
{
    try_one();
    give_back();
    if (driver.makes)
        (void)make_for(driver.owner);
    return mock_front.real.DxgkDdiDestroyContext(context);
}

static NTSTATUS destroy_device(IN_CONST_HANDLE device)
{
    try_one();
    give_back();
    if (driver.shares)
        (void)make_for(driver.owner);
    return mock_front.real.DxgkDdiDestroyDevice(device);
}

static NTSTATUS destroy_allocation(IN_CONST_HANDLE adapter, IN_CONST_PDXGKARG_DESTROYALLOCATION arg)
{
    try_one();
    give_back();
    return mock_front.real.DxgkDdiDestroyAllocation(adapter, arg);
}

static NTSTATUS close_allocation(IN_CONST_HANDLE device, IN_CONST_PDXGKARG_CLOSEALLOCATION arg)
{
    try_one();
    give_back();
    return mock_front.real.DxgkDdiCloseAllocation(device, arg);
}

static NTSTATUS create_context(IN_CONST_HANDLE device, INOUT_PDXGKARG_CREATECONTEXT arg)
{
    HANDLE named = arg->hContext;
    try_one();
    NTSTATUS status = mock_front.real.DxgkDdiCreateContext(device, arg);
    if (driver.makes && !arg->Flags.SystemContext)
        driver.kept = make_for(driver.owner = named);
    if (driver.fails && !status) {
        (void)make_for(named); /* a second one */
        (void)mock_front.real.DxgkDdiDestroyContext(arg->hContext);
        return STATUS_NO_MEMORY;
    }
    return status;
}

static NTSTATUS render(IN_CONST_HANDLE context, INOUT_PDXGKARG_RENDER arg)
{
    give_back();
    return mock_front.real.DxgkDdiRender(context, arg);
}

/* ---- reports -------------------------------------------------------------------------------- */

static const DXGK_INTERRUPT_TYPE types[] = {
    DXGK_INTERRUPT_DMA_COMPLETED,
    DXGK_INTERRUPT_DMA_PREEMPTED,
    DXGK_INTERRUPT_DMA_FAULTED,
    DXGK_INTERRUPT_DMA_PAGE_FAULTED,
};
enum { TYPES = sizeof types / sizeof *types, REPORTS = 2 * TYPES };

/* All of them, each followed by its DPC. */
static void report(void)
{
    const DXGKRNL_INTERFACE *system = &mock_front.system;
    for (size_t i = 0; i < TYPES; i++) {
        DXGKARGCB_NOTIFY_INTERRUPT_DATA data = { .InterruptType = types[i] };
        system->DxgkCbNotifyInterrupt(system->DeviceHandle, &data);
        (void)system->DxgkCbQueueDpc(system->DeviceHandle);
        system->DxgkCbNotifyDpc(system->DeviceHandle);
    }
}

static NTSTATUS query(IN_CONST_HANDLE adapter, IN_CONST_PDXGKARG_QUERYADAPTERINFO arg)
{
    if (driver.reports)
        report();
    if (driver.fails && arg->Type == DXGKQAITYPE_DRIVERCAPS)
        return STATUS_NO_MEMORY;
    return mock_front.real.DxgkDdiQueryAdapterInfo(adapter, arg);
}

/* Reports, and checks their effect: afterwards there is no adapter to ask. */
static void report_at_the_end(void)
{
    struct vidmm_node_view node;
    if (!driver.reports)
        return;
    report();
    if (!driver.ending)
        return;
    assert_true(vidmm_node_view(driver.ending->adapter, 0, &node));
    driver.completed = node.completed;
    driver.found = mock_findings(driver.ending);
    driver.asked++;
}

static NTSTATUS stop_device(IN_CONST_PVOID context)
{
    give_back();
    report_at_the_end();
    return mock_front.real.DxgkDdiStopDevice(context);
}

static NTSTATUS remove_device(IN_CONST_PVOID context)
{
    report_at_the_end();
    return mock_front.real.DxgkDdiRemoveDevice(context);
}

static void stand(DRIVER_INITIALIZATION_DATA *table)
{
    mock_front_stand(table);
    table->DxgkDdiCreateDevice = create_device;
    table->DxgkDdiCreateAllocation = create_allocation;
    table->DxgkDdiOpenAllocation = open_allocation;
    table->DxgkDdiDestroyContext = destroy_context;
    table->DxgkDdiDestroyDevice = destroy_device;
    table->DxgkDdiDestroyAllocation = destroy_allocation;
    table->DxgkDdiCloseAllocation = close_allocation;
    table->DxgkDdiCreateContext = create_context;
    table->DxgkDdiRender = render;
    table->DxgkDdiQueryAdapterInfo = query;
    table->DxgkDdiStopDevice = stop_device;
    table->DxgkDdiStopDeviceAndReleasePostDisplayOwnership = NULL;
    table->DxgkDdiRemoveDevice = remove_device;
}

static void start(struct mock_adapter *mock)
{
    memset(&driver, 0, sizeof driver);
    mock_front_start(mock, VIDMM_WDDM_1_2, stand);
}

/* ---- given back ----------------------------------------------------------------------------- */

/* In every call of the end: the allocation has gone before each of them. */
static void what_is_given_back_at_the_end_has_gone(void **state)
{
    struct mock_adapter mock;
    (void)state;
    start(&mock);
    (void)mock_make(&mock);
    driver.kept = make_for((HANDLE)(uintptr_t)mock.context);
    assert_non_null(driver.kept);
    mock_front_work(&mock, 1000);
    driver.gives = true;
    mock_adapter_stop(&mock);
    assert_true(driver.gave >= 5); /* close, destroy, context, device, stop */
    assert_int_equal(driver.given, STATUS_INVALID_PARAMETER);
}

static void in_each_call_of_a_destruction(void **state)
{
    struct mock_adapter mock;
    (void)state;
    start(&mock);
    vidmm_handle handle = mock_make(&mock);
    driver.kept = make_for((HANDLE)(uintptr_t)mock.context);
    driver.gives = true;
    assert_int_equal(vidmm_destroy(mock.adapter, &handle, 1), 0);
    assert_int_equal(driver.gave, 2); /* while it is closed, which succeeds; then it has gone */
    assert_int_equal(driver.given, STATUS_INVALID_PARAMETER);
    assert_int_equal(mock_adapter_view(&mock).live, 0);
    driver.kept = make_for((HANDLE)(uintptr_t)mock.context);
    assert_int_equal(vidmm_destroy(mock.adapter, &mock.process, 1), 0);
    assert_int_equal(driver.given, STATUS_INVALID_PARAMETER);
    assert_int_equal(mock_adapter_view(&mock).live, 0);
    mock_adapter_stop(&mock);
}

/* One after the other, for an owner that stays. */
static void in_each_call_that_makes_or_ends_an_object(void **state)
{
    struct mock_adapter mock;
    vidmm_handle device, context;
    (void)state;
    start(&mock);
    driver.owner = (HANDLE)(uintptr_t)mock.context;
    driver.tries = true;
    assert_int_equal(vidmm_device_create(mock.adapter, "other", mock.process, &device), 0);
    assert_int_equal(driver.accepted, 1);
    assert_int_equal(vidmm_context_create(mock.adapter, "second", device, 0, &context), 0);
    assert_int_equal(driver.accepted, 2);
    vidmm_handle handle = mock_make(&mock);
    assert_int_equal(driver.accepted, 4); /* created, opened */
    assert_int_equal(vidmm_destroy(mock.adapter, &handle, 1), 0);
    assert_int_equal(driver.accepted, 6); /* closed, destroyed */
    assert_int_equal(vidmm_destroy(mock.adapter, &context, 1), 0);
    assert_int_equal(driver.accepted, 7);
    assert_int_equal(vidmm_destroy(mock.adapter, &device, 1), 0);
    assert_int_equal(driver.accepted, 8);
    assert_int_equal(mock_findings(&mock), 0);
    assert_int_equal(mock_adapter_view(&mock).live, 0);
    driver.tries = false;
    mock_adapter_stop(&mock);
}

static void not_in_the_midst_of_a_submission(void **state)
{
    struct mock_adapter mock;
    (void)state;
    start(&mock);
    driver.kept = make_for((HANDLE)(uintptr_t)mock.context);
    driver.gives = true;
    mock_front_work(&mock, 1000);
    assert_int_equal(driver.given, STATUS_INVALID_PARAMETER);
    assert_int_equal(mock_findings(&mock), 1);
    assert_int_equal(mock_adapter_view(&mock).live, 1);
    mock_adapter_stop(&mock);
}

/* ---- made ----------------------------------------------------------------------------------- */

static void an_owner_that_ends_gets_nothing_more(void **state)
{
    struct mock_adapter mock;
    (void)state;
    start(&mock);
    driver.makes = true;
    driver.owner = (HANDLE)(uintptr_t)mock.context;
    assert_int_equal(vidmm_destroy(mock.adapter, &mock.context, 1), 0);
    assert_int_equal(driver.made, STATUS_INVALID_PARAMETER);
    assert_int_equal(mock_adapter_view(&mock).live, 0);
    mock_adapter_stop(&mock);
}

static vidmm_status make_owner(struct mock_adapter *mock, vidmm_handle *owner)
{
    return driver.shares ? vidmm_device_create(mock->adapter, "second", mock->process, owner)
                         : vidmm_context_create(mock->adapter, "second", mock->device, 0, owner);
}

static void an_owner_that_never_was_keeps_nothing(void **state)
{
    struct mock_adapter mock;
    vidmm_handle owner;
    (void)state;
    for (int shares = 0; shares < 2; shares++) { /* a context, a device */
        start(&mock);
        driver.makes = !shares;
        driver.shares = shares;
        driver.fails = true;
        assert_int_equal(make_owner(&mock, &owner), STATUS_NO_MEMORY);
        assert_int_equal(driver.made, STATUS_SUCCESS);
        assert_int_equal(mock_adapter_view(&mock).live, 0);
        assert_int_equal(mock_adapter_view(&mock).commit_charged, 0);
        driver.fails = false;
        assert_int_equal(make_owner(&mock, &owner), 0);
        assert_int_equal(mock_adapter_view(&mock).live, 1);
        assert_int_equal(vidmm_destroy(mock.adapter, &owner, 1), 0);
        assert_int_equal(driver.made, STATUS_INVALID_PARAMETER);
        assert_int_equal(mock_adapter_view(&mock).live, 0);
        driver.makes = driver.shares = false;
        mock_adapter_stop(&mock);
    }
}

/* ---- reports -------------------------------------------------------------------------------- */

static void start_reporting(struct mock_adapter *mock, bool fails)
{
    memset(&driver, 0, sizeof driver);
    driver.reports = true;
    driver.fails = fails;
    mock_adapter_init(mock, VIDMM_WDDM_2_0);
    mock->hook = stand;
    mock_adapter_prepare(mock);
}

static void reports_before_the_start_are_findings(void **state)
{
    struct mock_adapter mock;
    (void)state;
    start_reporting(&mock, false);
    assert_int_equal(vidmm_adapter_start(&mock.config, &mock.adapter), 0);
    uint64_t before = mock_findings(&mock);
    assert_true(before >= REPORTS && before % REPORTS == 0);
    assert_true(vidmm_rule_uses(mock.adapter, RULE(SUBMIT_064)) >= before);
    driver.reports = false;
    assert_int_equal(vidmm_wait_idle(mock.adapter), 0);
    assert_null(vidmm_bugcheck(mock.adapter));
    driver.reports = true; /* in the calls of the free */
    mock_adapter_stop(&mock);
}

static void reports_after_a_failed_start_are_findings(void **state)
{
    struct mock_adapter mock;
    (void)state;
    start_reporting(&mock, true);
    assert_int_equal(vidmm_adapter_start(&mock.config, &mock.adapter), STATUS_NO_MEMORY);
    uint64_t before = mock_findings(&mock);
    report();
    assert_int_equal(mock_findings(&mock), before + REPORTS);
    mock_adapter_free(&mock);
}

/* A packet is on its way when the adapter is freed: it never ends. */
static void reports_while_the_adapter_is_freed_end_nothing(void **state)
{
    struct mock_adapter mock;
    (void)state;
    start(&mock);
    (void)mock_make(&mock);
    mock_front_work(&mock, 1000000);
    driver.reports = true;
    driver.ending = &mock;
    mock_adapter_stop(&mock);
    assert_int_equal(driver.asked, 2); /* in DxgkDdiStopDevice and in DxgkDdiRemoveDevice */
    assert_int_equal(driver.completed, 0);
    assert_int_equal(driver.found, 2 * REPORTS);
    assert_int_equal(mock.events[VIDMM_EVENT_BEGIN], 1);
    assert_int_equal(mock.events[VIDMM_EVENT_END], 0);
    assert_int_equal(mock.events[VIDMM_EVENT_FENCE], 0);
    assert_int_equal(mock.events[VIDMM_EVENT_BUGCHECK], 0);
}

static struct {
    const struct vidmm_adapter *adapter;
    vidmm_handle last;
    char texts[2][128]; /* what is wrong with its content, in each call that destroys another one */
    size_t asked;
} damaged;

static NTSTATUS destroy_and_look(IN_CONST_HANDLE adapter, IN_CONST_PDXGKARG_DESTROYALLOCATION arg)
{
    char text[128];
    if (damaged.adapter && damaged.asked < 2 &&
        vidmm_content_problem(damaged.adapter, damaged.last, text, sizeof text))
        memcpy(damaged.texts[damaged.asked++], text, sizeof text);
    return mock_front.real.DxgkDdiDestroyAllocation(adapter, arg);
}

static void with_looks(DRIVER_INITIALIZATION_DATA *table)
{
    mock_front_stand(table);
    table->DxgkDdiDestroyAllocation = destroy_and_look;
}

/* Each leaves the books as it goes, the youngest first. The oldest one has, in place of its own
   content, what the youngest left in the segment. */
static void what_has_gone_is_named_no_more(void **state)
{
    struct mock_adapter mock;
    struct vidmm_mock_allocation wish = mock_wish(MOCK_PAGE);
    vidmm_handle made[3];
    (void)state;
    mock_front_start(&mock, VIDMM_WDDM_1_1, with_looks);
    wish.read_set = wish.write_set = 0x1;
    for (uint64_t i = 0; i < 3; i++) {
        struct vidmm_allocation_args args = mock_args(i == 2 ? "youngest" : "older", &wish);
        args.content = 5 + i;
        assert_int_equal(vidmm_allocate(mock.adapter, mock.device, false, &args, 1, &made[i]), 0);
    }
    assert_int_equal(vidmm_page_in(mock.adapter, made[2], true), 0);
    assert_int_equal(vidmm_evict(mock.adapter, made[2]), 0);
    assert_int_equal(vidmm_wait_idle(mock.adapter), 0);
    assert_true(vidmm_mock_switch_set(vidmm_mock_switches(mock.mock), "skip-transfer", ""));
    assert_int_equal(vidmm_page_in(mock.adapter, made[0], true), 0);
    damaged.adapter = mock.adapter;
    damaged.last = made[0];
    mock_adapter_free(&mock);
    assert_int_equal(damaged.asked, 2);
    assert_non_null(strstr(damaged.texts[0], "page 0 of youngest (first content 7)"));
    assert_non_null(strstr(damaged.texts[1], "page 0 of first content 7"));
}

static void reports_after_a_stop_are_findings(void **state)
{
    struct mock_adapter mock;
    (void)state;
    start(&mock);
    assert_int_equal(vidmm_pnp_stop(mock.adapter), 0);
    report();
    assert_int_equal(mock_findings(&mock), REPORTS);
    driver.reports = true;
    assert_int_equal(vidmm_pnp_start(mock.adapter), 0);
    assert_true(mock_findings(&mock) > REPORTS);
    assert_null(vidmm_bugcheck(mock.adapter));
    mock_adapter_stop(&mock);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_given_back_at_the_end_has_gone),
        cmocka_unit_test(in_each_call_of_a_destruction),
        cmocka_unit_test(in_each_call_that_makes_or_ends_an_object),
        cmocka_unit_test(not_in_the_midst_of_a_submission),
        cmocka_unit_test(an_owner_that_ends_gets_nothing_more),
        cmocka_unit_test(an_owner_that_never_was_keeps_nothing),
        cmocka_unit_test(reports_before_the_start_are_findings),
        cmocka_unit_test(reports_after_a_failed_start_are_findings),
        cmocka_unit_test(reports_while_the_adapter_is_freed_end_nothing),
        cmocka_unit_test(what_has_gone_is_named_no_more),
        cmocka_unit_test(reports_after_a_stop_are_findings),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
