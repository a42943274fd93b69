/* SPDX-License-Identifier: MIT */
/*
 * test_doors.c: a function of vidmm.h that is called from inside another one (BUG-051).
 *
 * One life of an adapter reaches each call of the driver below. The life runs once for each
 * function that changes something: the driver calls that function in each of its own calls, is
 * refused, and the life continues as if it had not. Questions are answered instead.
 */
#include <string.h>

#include "tests/support/mock_front.h"
#include "tests/support/unit.h"
#include "vidmm/ddi/ntstatus.h"

enum { SHORT_NS = 1000, LONG_NS = 100000000 };

static struct {
    struct mock_adapter mock;
    vidmm_handle a, b, spare;
    struct vidmm_submission submission;
    vidmm_status (*call)(struct vidmm_adapter *adapter); /* the driver's call inside */
    const char *name;
    bool asks;     /* `call` only asks: it is not refused */
    bool busy;     /* the caller of the call cannot be called back */
    uint64_t seen; /* calls of the driver, by bit of `enum hook` */
    uint64_t told; /* a hash of the events, but for refusals */
    uint64_t hits; /* uses of what was resident */
} world;

/* ---- calls ---------------------------------------------------------------------------------- */

#define CALL(name, expression)                                                                     \
    static vidmm_status name(struct vidmm_adapter *adapter)                                        \
    {                                                                                              \
        (void)adapter;                                                                             \
        return expression;                                                                         \
    }

static vidmm_handle made;
static const struct vidmm_process_args process_args = { .label = "p" };

CALL(process_create, vidmm_process_create(adapter, "p", &made))
CALL(process_create_with, vidmm_process_create_with(adapter, &process_args, &made))
CALL(device_create, vidmm_device_create(adapter, "d", world.mock.process, &made))
CALL(context_create, vidmm_context_create(adapter, "c", world.mock.device, 0, &made))
CALL(page_in, vidmm_page_in(adapter, world.a, true))
CALL(evict, vidmm_evict(adapter, world.a))
CALL(pin, vidmm_pin(adapter, world.a))
CALL(unpin, vidmm_unpin(adapter, world.a))
CALL(destroy_allocation, vidmm_destroy(adapter, &world.a, 1))
CALL(destroy_other, vidmm_destroy(adapter, &world.spare, 1))
CALL(destroy_context, vidmm_destroy(adapter, &world.mock.context, 1))
CALL(destroy_device, vidmm_destroy(adapter, &world.mock.device, 1))
CALL(destroy_process, vidmm_destroy(adapter, &world.mock.process, 1))
CALL(submit, mock_front_submit(&world.mock, SHORT_NS, &world.submission))
CALL(wait_one, vidmm_wait(adapter, world.submission))
CALL(wait_idle, vidmm_wait_idle(adapter))
CALL(advance, vidmm_advance(adapter, LONG_NS))
CALL(display, vidmm_display(adapter, world.a))
CALL(unlock, vidmm_unlock(adapter, world.mock.device, &world.a, 1))
CALL(unlock_nothing, vidmm_unlock(adapter, world.mock.device, NULL, 0))
CALL(cpu_write, vidmm_cpu_write(adapter, world.a, 0, MOCK_PAGE))
CALL(reset_watch, vidmm_reset_watch(adapter, world.a))
CALL(open_shared, vidmm_open(adapter, "o", world.mock.device, world.a, &made))
CALL(close_shared, vidmm_close(adapter, world.a))
CALL(grant, vidmm_grant(adapter, world.a, world.mock.device))
CALL(set, vidmm_set(adapter, vidmm_setting_by_name("ddi-ns"), 1))
CALL(level2, vidmm_level2(adapter))
CALL(level3, vidmm_level3(adapter))
CALL(reset_engine, vidmm_reset_engine(adapter))
CALL(reset_adapter, vidmm_reset_adapter(adapter))
CALL(preempt, vidmm_preempt(adapter, 0))
CALL(exclude_on, vidmm_exclude(adapter, VIDMM_EXCLUDE_EVICT_ALL))
CALL(exclude_off, vidmm_exclude(adapter, VIDMM_EXCLUDE_OFF))
CALL(pnp_stop, vidmm_pnp_stop(adapter))
CALL(pnp_start, vidmm_pnp_start(adapter))
CALL(surprise_removal, vidmm_surprise_removal(adapter))
CALL(standby, vidmm_standby(adapter))
CALL(hibernate, vidmm_hibernate(adapter))
CALL(hybrid_sleep, vidmm_hybrid_sleep(adapter))
CALL(resume, vidmm_resume(adapter))

static vidmm_status context_create_with(struct vidmm_adapter *adapter)
{
    const struct vidmm_context_args args = { .label = "c", .device = world.mock.device };
    return vidmm_context_create_with(adapter, &args, &made);
}

static vidmm_status allocate(struct vidmm_adapter *adapter)
{
    struct vidmm_mock_allocation wish = mock_wish(MOCK_PAGE);
    struct vidmm_allocation_args args = mock_args("inside", &wish);
    return vidmm_allocate(adapter, world.mock.device, false, &args, 1, &made);
}

static vidmm_status set_priority(struct vidmm_adapter *adapter)
{
    const uint32_t priority = 0x78000000;
    const struct vidmm_priority_args args = { 0, &world.a, 1, &priority };
    return vidmm_set_priority(adapter, &args);
}

static vidmm_status present(struct vidmm_adapter *adapter)
{
    struct vidmm_mock_command command = { .cost_ns = SHORT_NS };
    const struct vidmm_present_args args = {
        .label = "present",
        .context = world.mock.context,
        .destination = world.b,
        .data = &command,
        .data_bytes = sizeof command,
    };
    return vidmm_present(adapter, &args, &world.submission);
}

static vidmm_status lock(struct vidmm_adapter *adapter)
{
    const struct vidmm_lock_args args = { .device = world.mock.device, .allocation = world.a };
    struct vidmm_lock_result result;
    return vidmm_lock(adapter, &args, &result);
}

static vidmm_status cpu_read(struct vidmm_adapter *adapter)
{
    bool intact;
    return vidmm_cpu_read(adapter, world.a, 0, MOCK_PAGE, &intact);
}

static vidmm_status share(struct vidmm_adapter *adapter)
{
    uint32_t nt;
    return vidmm_share(adapter, &world.a, 1, false, &nt);
}

static vidmm_status offer(struct vidmm_adapter *adapter)
{
    const struct vidmm_offer_args args = {
        .list = { .device = world.mock.device, .allocations = &world.a, .count = 1 },
        .priority = 1,
    };
    return vidmm_offer(adapter, &args);
}

static vidmm_status reclaim(struct vidmm_adapter *adapter)
{
    uint32_t result;
    const struct vidmm_offer_list list = { .device = world.mock.device,
                                           .allocations = &world.a,
                                           .count = 1 };
    return vidmm_reclaim(adapter, &list, &result);
}

static vidmm_status update_property(struct vidmm_adapter *adapter)
{
    const struct vidmm_property_args args = { .allocation = world.a,
                                              .set_segments = true,
                                              .segments = 0x1 };
    struct vidmm_property_result result;
    return vidmm_update_property(adapter, &args, &result);
}

static vidmm_status system_range(struct vidmm_adapter *adapter)
{
    const struct vidmm_system_range_args args = { .label = "range", .bytes = MOCK_PAGE };
    return vidmm_system_range_create(adapter, &args, &made);
}

/* It has no answer: its message is the last refusal. */
static vidmm_status adapter_free(struct vidmm_adapter *adapter)
{
    vidmm_adapter_free(adapter);
    const struct vidmm_refusal *refusal = vidmm_last_refusal(adapter);
    return refusal ? refusal->status : STATUS_SUCCESS;
}

static const struct {
    const char *name;
    vidmm_status (*call)(struct vidmm_adapter *adapter);
} calls[] = {
#define ROW(name)                                                                                  \
    {                                                                                              \
#name, name                                                                                \
    }
    ROW(process_create),
    ROW(process_create_with),
    ROW(device_create),
    ROW(context_create),
    ROW(context_create_with),
    ROW(allocate),
    ROW(page_in),
    ROW(evict),
    ROW(pin),
    ROW(unpin),
    ROW(destroy_allocation),
    ROW(destroy_other),
    ROW(destroy_context),
    ROW(destroy_device),
    ROW(destroy_process),
    ROW(set_priority),
    ROW(submit),
    ROW(present),
    ROW(wait_one),
    ROW(wait_idle),
    ROW(advance),
    ROW(display),
    ROW(lock),
    ROW(unlock),
    ROW(unlock_nothing),
    ROW(cpu_write),
    ROW(cpu_read),
    ROW(reset_watch),
    ROW(open_shared),
    ROW(close_shared),
    ROW(share),
    ROW(grant),
    ROW(offer),
    ROW(reclaim),
    ROW(update_property),
    ROW(system_range),
    ROW(set),
    ROW(level2),
    ROW(level3),
    ROW(reset_engine),
    ROW(reset_adapter),
    ROW(preempt),
    ROW(exclude_on),
    ROW(exclude_off),
    ROW(pnp_stop),
    ROW(pnp_start),
    ROW(surprise_removal),
    ROW(standby),
    ROW(hibernate),
    ROW(hybrid_sleep),
    ROW(resume),
    ROW(adapter_free),
};

/* ---- from where ----------------------------------------------------------------------------- */

/* X(function of the driver, types of its parameters) */
#define HOOKS_1(X)                                                                                 \
    X(DxgkDdiStopDevice, IN_CONST_PVOID)                                                           \
    X(DxgkDdiRemoveDevice, IN_CONST_PVOID)                                                         \
    X(DxgkDdiDestroyDevice, IN_CONST_HANDLE)                                                       \
    X(DxgkDdiDestroyContext, IN_CONST_HANDLE)                                                      \
    X(DxgkDdiResetFromTimeout, IN_CONST_HANDLE)                                                    \
    X(DxgkDdiRestartFromTimeout, IN_CONST_HANDLE)
#define HOOKS_2(X)                                                                                 \
    X(DxgkDdiAddDevice, IN_CONST_PDEVICE_OBJECT, OUT_PPVOID)                                       \
    X(DxgkDdiQueryAdapterInfo, IN_CONST_HANDLE, IN_CONST_PDXGKARG_QUERYADAPTERINFO)                \
    X(DxgkDdiCreateDevice, IN_CONST_HANDLE, INOUT_PDXGKARG_CREATEDEVICE)                           \
    X(DxgkDdiCreateContext, IN_CONST_HANDLE, INOUT_PDXGKARG_CREATECONTEXT)                         \
    X(DxgkDdiCreateAllocation, IN_CONST_HANDLE, INOUT_PDXGKARG_CREATEALLOCATION)                   \
    X(DxgkDdiDestroyAllocation, IN_CONST_HANDLE, IN_CONST_PDXGKARG_DESTROYALLOCATION)              \
    X(DxgkDdiOpenAllocation, IN_CONST_HANDLE, IN_CONST_PDXGKARG_OPENALLOCATION)                    \
    X(DxgkDdiCloseAllocation, IN_CONST_HANDLE, IN_CONST_PDXGKARG_CLOSEALLOCATION)                  \
    X(DxgkDdiBuildPagingBuffer, IN_CONST_HANDLE, IN_PDXGKARG_BUILDPAGINGBUFFER)                    \
    X(DxgkDdiRender, IN_CONST_HANDLE, INOUT_PDXGKARG_RENDER)                                       \
    X(DxgkDdiPresent, IN_CONST_HANDLE, INOUT_PDXGKARG_PRESENT)                                     \
    X(DxgkDdiPatch, IN_CONST_HANDLE, IN_CONST_PDXGKARG_PATCH)                                      \
    X(DxgkDdiSubmitCommand, IN_CONST_HANDLE, IN_CONST_PDXGKARG_SUBMITCOMMAND)                      \
    X(DxgkDdiPreemptCommand, IN_CONST_HANDLE, IN_CONST_PDXGKARG_PREEMPTCOMMAND)                    \
    X(DxgkDdiQueryCurrentFence, IN_CONST_HANDLE, INOUT_PDXGKARG_QUERYCURRENTFENCE)                 \
    X(DxgkDdiCollectDbgInfo, IN_CONST_HANDLE, IN_CONST_PDXGKARG_COLLECTDBGINFO)

enum hook {
#define HOOK_NUMBER_1(name, type)       HOOK_##name,
#define HOOK_NUMBER_2(name, type, more) HOOK_##name,
    HOOKS_1(HOOK_NUMBER_1) HOOKS_2(HOOK_NUMBER_2) HOOK_DxgkDdiDpcRoutine,
    HOOK_DxgkDdiSetPowerState,
    HOOK_hardware,
    HOOK_observer,
    HOOKS
};

/* `name`: as a refusal says. */
static void inside(enum hook from, const char *name)
{
    struct vidmm_adapter *adapter = world.mock.adapter;
    if (world.busy || !adapter || !world.call)
        return;
    world.busy = true; /* a refusal is an event: the observer would do it again */
    world.seen |= UINT64_C(1) << from;
    vidmm_status status = world.call(adapter);
    if (world.asks) {
        assert_int_equal(status, STATUS_SUCCESS);
    } else {
        if (status != STATUS_UNSUCCESSFUL)
            fail_msg("%s from hook %d: 0x%08x %s", world.name, (int)from, (unsigned)status,
                     vidmm_last_refusal(adapter)->text);
        mock_refused(&world.mock, RULE(BUG_051));
        assert_non_null(strstr(vidmm_last_refusal(adapter)->text, name));
    }
    world.busy = false;
}

#define HOOK_1(name, type)                                                                         \
    static NTSTATUS in_##name(type one)                                                            \
    {                                                                                              \
        inside(HOOK_##name, #name);                                                                \
        return mock_front.real.name(one);                                                          \
    }
#define HOOK_2(name, type, more)                                                                   \
    static NTSTATUS in_##name(type one, more two)                                                  \
    {                                                                                              \
        inside(HOOK_##name, #name);                                                                \
        return mock_front.real.name(one, two);                                                     \
    }
HOOKS_1(HOOK_1)
HOOKS_2(HOOK_2)

static VOID in_DxgkDdiDpcRoutine(IN_CONST_PVOID context)
{
    inside(HOOK_DxgkDdiDpcRoutine, "DxgkDdiDpcRoutine");
    mock_front.real.DxgkDdiDpcRoutine(context);
}

static NTSTATUS in_DxgkDdiSetPowerState(IN_CONST_PVOID context, IN_ULONG device,
                                        IN_DEVICE_POWER_STATE state, IN_POWER_ACTION action)
{
    inside(HOOK_DxgkDdiSetPowerState, "DxgkDdiSetPowerState");
    return mock_front.real.DxgkDdiSetPowerState(context, device, state, action);
}


static vidmm_ns begin(void *self, uint32_t node, uint32_t fence)
{
    inside(HOOK_hardware, "the hardware");
    return mock_front.real_hardware->begin(self, node, fence);
}

static void finish(void *self, uint32_t node, uint32_t fence)
{
    inside(HOOK_hardware, "the hardware");
    mock_front.real_hardware->finish(self, node, fence);
}

static void interrupt(void *self, uint32_t node, uint32_t fence)
{
    inside(HOOK_hardware, "the hardware");
    mock_front.real_hardware->interrupt(self, node, fence);
}

static void on_event(struct vidmm_observer *self, const struct vidmm_event *event)
{
    (void)self;
    if (event->kind != VIDMM_EVENT_REFUSE)
        world.told = (world.told ^ (uint64_t)event->kind ^ event->time) * 0x100000001B3;
    inside(HOOK_observer, "an observer");
}

static void calls_from_inside(DRIVER_INITIALIZATION_DATA *table)
{
    mock_front_stand(table);
#define TAKE_1(name, type)       table->name = in_##name;
#define TAKE_2(name, type, more) table->name = in_##name;
    HOOKS_1(TAKE_1)
    HOOKS_2(TAKE_2)
    table->DxgkDdiStopDeviceAndReleasePostDisplayOwnership = NULL;
    table->DxgkDdiDpcRoutine = in_DxgkDdiDpcRoutine;
    table->DxgkDdiSetPowerState = in_DxgkDdiSetPowerState;
    struct vidmm_hardware *hardware = mock_front_hardware(&world.mock);
    hardware->begin = begin;
    hardware->finish = finish;
    hardware->interrupt = interrupt;
}

/* ---- one life ------------------------------------------------------------------------------- */

/* A reset took the device away. */
static void renew(void)
{
    struct mock_adapter *mock = &world.mock;
    assert_int_equal(vidmm_device_create(mock->adapter, "new", mock->process, &mock->device), 0);
    assert_int_equal(vidmm_context_create(mock->adapter, "new", mock->device, 0, &mock->context),
                     0);
}

/* Reaches everything, and ends with an adapter that was stopped. */
static void live(void)
{
    static struct vidmm_observer observer;
    struct mock_adapter *mock = &world.mock;
    vidmm_handle context;
    observer = (struct vidmm_observer){ .on_event = on_event };
    mock_front_start(mock, VIDMM_WDDM_1_2, calls_from_inside);
    struct vidmm_adapter *adapter = mock->adapter;
    vidmm_observe(adapter, &observer);
    world.a = mock_make(mock);
    world.b = mock_make(mock);
    world.spare = mock_make(mock);
    assert_int_equal(vidmm_page_in(adapter, world.a, true), 0);
    assert_int_equal(vidmm_evict(adapter, world.a), 0);
    assert_int_equal(present(adapter), 0);
    const struct vidmm_use twice[] = { { .allocation = world.b }, { .allocation = world.b } };
    const struct vidmm_work lists = { .uses = twice, .use_count = 2 };
    assert_int_equal(mock_submit(mock, lists, (struct vidmm_mock_command){ 0 }, NULL), 0);
    assert_int_equal(mock_front_submit(mock, LONG_NS, &world.submission), 0);
    assert_int_equal(vidmm_preempt(adapter, 0), 0);
    assert_int_equal(vidmm_wait(adapter, world.submission), 0);
    assert_int_equal(vidmm_context_create(adapter, "second", mock->device, 0, &context), 0);
    assert_int_equal(vidmm_destroy(adapter, &context, 1), 0);
    assert_int_equal(vidmm_destroy(adapter, &world.spare, 1), 0);
    assert_int_equal(vidmm_standby(adapter), 0);
    assert_int_equal(vidmm_resume(adapter), 0);
    mock_front_work(mock, LONG_NS);
    assert_int_equal(vidmm_reset_adapter(adapter), 0);
    renew();
    mock_front_work(mock, UINT64_C(10000000000)); /* asked for its fence, then for its reasons */
    assert_int_not_equal(vidmm_wait_idle(adapter), 1);
    mock_adapter_check(mock);
    assert_int_equal(vidmm_pnp_stop(adapter), 0);
    assert_int_equal(vidmm_pnp_start(adapter), 0);
    assert_int_equal(vidmm_device_create(adapter, "last", mock->process, &made), 0);
    world.hits = vidmm_counter(adapter, VIDMM_COUNTER_USE_HITS);
}

static void end(void)
{
    mock_adapter_free(&world.mock);
    world.mock.adapter = NULL;
}

static void a_call_from_inside_is_refused(void **state)
{
    (void)state;
    memset(&world, 0, sizeof world);
    live();
    uint64_t told = world.told, hits = world.hits;
    end();
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
        memset(&world, 0, sizeof world);
        world.call = calls[i].call;
        world.name = calls[i].name;
        live();
        for (enum hook hook = 0; hook < HOOKS; hook++)
            if (!(world.seen >> hook & 1))
                fail_msg("hook %d was never reached", (int)hook);
        if (world.told != told || world.hits != hits)
            fail_msg("%s: life went on otherwise", world.name);
        end();
    }
}

/* ---- questions ------------------------------------------------------------------------------ */

static vidmm_status ask(struct vidmm_adapter *adapter)
{
    char problem[200];
    struct vidmm_allocation_view allocation;
    struct vidmm_segment_view segment;
    struct vidmm_segment_span spans[8];
    struct vidmm_adapter_view view;
    struct vidmm_node_view node;
    (void)vidmm_check(adapter, problem, sizeof problem);
    (void)vidmm_allocation_view(adapter, world.a, &allocation);
    (void)vidmm_content_intact(adapter, world.a);
    (void)vidmm_label(adapter, world.spare);
    (void)vidmm_object_kind(adapter, world.mock.context);
    (void)vidmm_device_state(adapter, world.mock.device);
    (void)vidmm_counter_of_object(adapter, VIDMM_COUNTER_FINDINGS, world.mock.device);
    (void)vidmm_offer_state(adapter, world.b);
    for (uint32_t id = 1; id <= vidmm_segment_count(adapter); id++) {
        (void)vidmm_segment_view(adapter, id, &segment);
        (void)vidmm_segment_map(adapter, id, spans, 8);
    }
    vidmm_adapter_view(adapter, &view);
    (void)vidmm_node_view(adapter, 0, &node);
    (void)vidmm_now(adapter);
    (void)vidmm_bugcheck(adapter);
    vidmm_name_next(adapter, NULL);
    return STATUS_SUCCESS;
}

static void a_question_from_inside_is_answered(void **state)
{
    (void)state;
    memset(&world, 0, sizeof world);
    world.call = ask;
    world.asks = true;
    live();
    assert_null(vidmm_bugcheck(world.mock.adapter));
    end();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_call_from_inside_is_refused),
        cmocka_unit_test(a_question_from_inside_is_answered),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
