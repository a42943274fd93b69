/* SPDX-License-Identifier: MIT */
/*
 * test_arguments.c: what a driver alone can see of its packets. A driver keeps the state of a
 * packet in the private data of the DMA buffer: what DxgkDdiRender wrote there, and nothing else,
 * is what Patch, SubmitCommand and CancelCommand get (SUBMIT-038, SUBMIT-040, SUBMIT-061).
 */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/mock_front.h"
#include "tests/support/unit.h"
#include "vidmm/base/base.h"
#include "vidmm/ddi/ntstatus.h"

enum { PRIVATE_BYTES = 64, STATE_BYTES = 16, PACKETS = 4, HANG = VIDMM_MOCK_COMMAND_HANG };
enum { LISTED = 2 };

/* What the driver remembers of a call about a packet. */
struct call {
    const uint8_t *state; /* the private data */
    uint8_t first;        /* its first byte, which Render numbered */
    UINT bytes, used, start, end, room;
    HANDLE context;
    const void *buffer;
    uint64_t now;
};

static struct {
    struct vidmm_adapter *adapter;
    HANDLE context;
    HANDLE listed[PACKETS][LISTED]; /* what Render was told that the packet uses */
    struct call rendered[PACKETS], patched[PACKETS], submitted[PACKETS], cancelled[PACKETS];
    size_t renders, patches, submits, cancels;
    UINT less;       /* bytes of private data that each Render writes less than the one before */
    NTSTATUS cancel; /* what CancelCommand answers */
} seen;

static NTSTATUS make_context(IN_CONST_HANDLE device, INOUT_PDXGKARG_CREATECONTEXT arg)
{
    NTSTATUS answer = mock_front.real.DxgkDdiCreateContext(device, arg);
    arg->ContextInfo.DmaBufferPrivateDataSize = PRIVATE_BYTES;
    seen.context = arg->hContext;
    return answer;
}

static NTSTATUS render(IN_CONST_HANDLE context, INOUT_PDXGKARG_RENDER arg)
{
    uint8_t *state = arg->pDmaBufferPrivateData;
    const void *buffer = arg->pDmaBuffer;
    assert_non_null(arg->pPatchLocationListIn); /* to be moved on by nothing, too */
    assert_non_null(arg->pPatchLocationListOut);
    NTSTATUS answer = mock_front.real.DxgkDdiRender(context, arg);
    assert_true(seen.renders < PACKETS);
    assert_int_equal(arg->DmaBufferPrivateDataSize, PRIVATE_BYTES);
    assert_int_equal((uintptr_t)buffer % MOCK_PAGE, 0); /* SUBMIT-020 */
    for (UINT i = 0; i < arg->AllocationListSize && i < LISTED; i++)
        seen.listed[seen.renders][i] = arg->pAllocationList[i].hDeviceSpecificAllocation;
    memset(state, (int)seen.renders + 1, STATE_BYTES);
    arg->pDmaBufferPrivateData = state + STATE_BYTES - seen.renders * seen.less;
    seen.rendered[seen.renders++] =
        (struct call){ .state = state, .buffer = buffer, .context = context, .room = arg->DmaSize };
    return answer;
}

/* Of any of the three argument structures. */
#define NOTE(list, count, arg, from)                                                               \
    do {                                                                                           \
        assert_true(seen.count < PACKETS);                                                         \
        seen.list[seen.count++] = (struct call){                                                   \
            .state = (const uint8_t *)(arg)->pDmaBufferPrivateData,                                \
            .first = *(const uint8_t *)(arg)->pDmaBufferPrivateData,                               \
            .bytes = (arg)->DmaBufferPrivateDataSize,                                              \
            .used = (arg)->DmaBufferPrivateDataSubmissionEndOffset -                               \
                    (arg)->DmaBufferPrivateDataSubmissionStartOffset,                              \
            .start = (arg)->DmaBufferSubmissionStartOffset,                                        \
            .end = (arg)->DmaBufferSubmissionEndOffset,                                            \
            .room = (arg)->DmaBufferSize,                                                          \
            .context = (arg)->hContext,                                                            \
            .buffer = (from),                                                                      \
            .now = vidmm_now(seen.adapter),                                                        \
        };                                                                                         \
    } while (0)

static NTSTATUS patch(IN_CONST_HANDLE adapter, IN_CONST_PDXGKARG_PATCH arg)
{
    NOTE(patched, patches, arg, arg->pDmaBuffer);
    return mock_front.real.DxgkDdiPatch(adapter, arg);
}

static NTSTATUS submit(IN_CONST_HANDLE adapter, IN_CONST_PDXGKARG_SUBMITCOMMAND arg)
{
    if (!arg->Flags.Paging)
        NOTE(submitted, submits, arg, &seen); /* which names no buffer */
    return mock_front.real.DxgkDdiSubmitCommand(adapter, arg);
}

static NTSTATUS cancel(IN_CONST_HANDLE adapter, IN_CONST_PDXGKARG_CANCELCOMMAND arg)
{
    const size_t number = *(const uint8_t *)arg->pDmaBufferPrivateData;
    for (UINT i = 0; i < arg->AllocationListSize; i++)
        assert_ptr_equal(arg->pAllocationList[i].hDeviceSpecificAllocation,
                         seen.listed[number - 1][i]);
    NOTE(cancelled, cancels, arg, arg->pDmaBuffer);
    (void)mock_front.real.DxgkDdiCancelCommand(adapter, arg);
    return seen.cancel;
}

static void notes_packets(DRIVER_INITIALIZATION_DATA *table)
{
    memset(&seen, 0, sizeof seen);
    mock_front_stand(table);
    table->DxgkDdiCreateContext = make_context;
    table->DxgkDdiRender = render;
    table->DxgkDdiPatch = patch;
    table->DxgkDdiSubmitCommand = submit;
    table->DxgkDdiCancelCommand = cancel;
}

static void start(struct mock_adapter *mock)
{
    mock_adapter_init(mock, VIDMM_WDDM_1_3);
    assert_true(vidmm_mock_cap_set(&mock->mock_config, "CancelCommandAware", 1));
    mock->config.settings.value[VIDMM_SETTING_PROFILE] = 0; /* calls take time */
    mock->hook = notes_packets;
    mock_adapter_start(mock);
    seen.adapter = mock->adapter;
}

static void same_packet(const struct call *call, const struct call *rendered, size_t number)
{
    assert_ptr_equal(call->state, rendered->state);
    assert_int_equal(call->first, number + 1);
    assert_int_equal(call->bytes, PRIVATE_BYTES);
    assert_int_equal(call->used, STATE_BYTES);
    assert_int_equal(call->room, rendered->room);
    assert_true(call->end > call->start);
    assert_ptr_equal(call->context, seen.context);
    if (call->buffer != &seen)
        assert_ptr_equal(call->buffer, rendered->buffer);
}

static void each_packet_comes_with_its_private_data(void **state)
{
    struct mock_adapter mock;
    (void)state;
    start(&mock);
    for (size_t i = 0; i < 3; i++)
        mock_front_work(&mock, 1000);
    assert_int_equal(vidmm_wait_idle(mock.adapter), 0);
    assert_int_equal(seen.patches, 3);
    assert_int_equal(seen.submits, 3);
    for (size_t i = 0; i < 3; i++) {
        same_packet(&seen.patched[i], &seen.rendered[i], i);
        same_packet(&seen.submitted[i], &seen.rendered[i], i);
    }
    mock_adapter_stop(&mock);
}

/* SUBMIT-026: the same buffer, and what was written this time. */
static void a_buffer_that_comes_back_has_less_private_data(void **state)
{
    struct mock_adapter mock;
    (void)state;
    start(&mock);
    seen.less = STATE_BYTES / 2;
    for (UINT i = 0; i < 3; i++) {
        mock_front_work(&mock, 1000);
        assert_int_equal(vidmm_wait_idle(mock.adapter), 0);
        assert_ptr_equal(seen.submitted[i].state, seen.rendered[0].state);
        assert_int_equal(seen.patched[i].used, STATE_BYTES - i * seen.less);
        assert_int_equal(seen.submitted[i].used, STATE_BYTES - i * seen.less);
    }
    mock_adapter_stop(&mock);
}

/* One that hangs, and two more, which are dropped with their device. */
static void drop_two(struct mock_adapter *mock, struct vidmm_submission *first)
{
    const struct vidmm_mock_command hang = { .flags = HANG };
    const struct vidmm_work work = {
        .context = mock->context,
        .label = "one",
        .command = &hang,
        .command_bytes = sizeof hang,
    };
    const struct vidmm_use uses[LISTED] = { { .allocation = mock_make(mock) },
                                            { .allocation = mock_make(mock) } };
    const struct vidmm_use others[LISTED] = { uses[1], uses[0] };
    const struct vidmm_patch patches[LISTED] = { { 0 }, { .allocation_index = 1, .slot = 1 } };
    struct vidmm_work lists = {
        .uses = uses, .use_count = LISTED, .patches = patches, .patch_count = LISTED
    };
    const struct vidmm_mock_command command = { .cost_ns = 1000 };
    assert_int_equal(vidmm_submit(mock->adapter, &work, first), 0);
    assert_int_equal(mock_submit(mock, lists, command, NULL), 0);
    lists.uses = others;
    assert_int_equal(mock_submit(mock, lists, command, NULL), 0);
}

static void a_dropped_packet_is_cancelled_with_its_private_data(void **state)
{
    struct mock_adapter mock;
    struct vidmm_submission first;
    (void)state;
    start(&mock);
    drop_two(&mock, &first);
    assert_int_not_equal(vidmm_wait(mock.adapter, first), 0);
    assert_int_equal(seen.cancels, 2);
    for (size_t i = 0; i < 2; i++)
        same_packet(&seen.cancelled[i], &seen.rendered[i + 1], i + 1);
    /* It takes its time, as any call. */
    assert_true(seen.cancelled[1].now > seen.cancelled[0].now);
    mock_adapter_free(&mock);
}

static void a_failing_cancel_stops_with_its_answer_and_the_fence(void **state)
{
    struct mock_adapter mock;
    struct vidmm_submission first;
    (void)state;
    start(&mock);
    drop_two(&mock, &first);
    seen.cancel = STATUS_NO_MEMORY;
    assert_int_not_equal(vidmm_wait(mock.adapter, first), 0);
    const struct vidmm_bugcheck *stop = mock_stopped(&mock, RULE(SUBMIT_061), 0x119, 0x9);
    assert_int_equal(stop->parameter[1], (uint32_t)STATUS_NO_MEMORY);
    assert_int_equal(stop->parameter[2], first.fence + 1);
    assert_int_equal(stop->parameter[3], 0);
    assert_int_equal(seen.cancels, 1);
    mock_adapter_free(&mock);
}

/* The handle that the event of a Render names. */
static uint64_t first_element;

static void on_event(struct vidmm_observer *self, const struct vidmm_event *event)
{
    (void)self;
    for (size_t i = 0; i < event->field_count; i++)
        if (event->kind == VIDMM_EVENT_DRIVER_CALL &&
            !strcmp(event->fields[0].text ? event->fields[0].text : "", "DxgkDdiRender") &&
            !strcmp(event->fields[i].name, "hAllocation"))
            first_element = event->fields[i].value;
}

/* SUBMIT-002: NULL elements may stand anywhere, and are shown where they stand. */
static void each_element_is_told(void **state)
{
    struct vidmm_observer observer = { .on_event = on_event };
    struct mock_adapter mock;
    (void)state;
    start(&mock);
    vidmm_observe(mock.adapter, &observer);
    const vidmm_handle handle = mock_make(&mock), other = mock_make(&mock);
    const struct vidmm_use uses[] = {
        { .allocation = handle }, { 0 }, { .allocation = other }, { 0 }
    };
    const struct vidmm_patch patches[] = { { .allocation_index = 0, .slot = 1 },
                                           { .allocation_index = 2, .slot = 2 } };
    const struct vidmm_work lists = { .uses = uses,
                                      .use_count = ARRAY_COUNT(uses),
                                      .patches = patches,
                                      .patch_count = ARRAY_COUNT(patches) };
    const struct vidmm_mock_command command = { .cost_ns = 1000 };
    assert_int_equal(mock_submit(&mock, lists, command, NULL), 0);
    assert_int_equal(first_element, handle);
    assert_int_equal(vidmm_counter(mock.adapter, VIDMM_COUNTER_NULL_REFS), 2);
    /* At DxgkDdiRender, and at DxgkDdiPatch. */
    assert_int_equal(mock.events[VIDMM_EVENT_LIST_ELEMENT], 2 * ARRAY_COUNT(uses));
    mock_adapter_free(&mock);
}

/* Lists of NULL elements, and of locations that are nowhere. */
static vidmm_status submit_lists(struct mock_adapter *mock, size_t uses, size_t patches)
{
    struct vidmm_use *use = calloc(uses + 1, sizeof *use);
    struct vidmm_patch *patch = calloc(patches + 1, sizeof *patch);
    const struct vidmm_mock_command command = { .cost_ns = 1000 };
    const struct vidmm_work lists = {
        .uses = use, .use_count = uses, .patches = patch, .patch_count = patches
    };
    assert_true(use && patch);
    vidmm_status status = mock_submit(mock, lists, command, NULL);
    free(use);
    free(patch);
    return status;
}

static void lists_have_an_end(void **state)
{
    static const size_t refused[][2] = { { VIDMM_LIST_MAX + 1, 0 }, { 1, VIDMM_LIST_MAX + 1 } };
    struct mock_adapter mock;
    (void)state;
    start(&mock);
    for (size_t i = 0; i < 2; i++) {
        assert_int_equal(submit_lists(&mock, refused[i][0], refused[i][1]),
                         STATUS_INVALID_PARAMETER);
        mock_refused(&mock, RULE(SUBMIT_011));
    }
    assert_int_equal(seen.renders, 0);
    assert_int_equal(submit_lists(&mock, VIDMM_LIST_MAX, 0), 0);
    assert_int_equal(submit_lists(&mock, 1, VIDMM_LIST_MAX), 0);
    assert_int_equal(seen.renders, 2);
    assert_int_equal(submit_lists(&mock, 0, 1), STATUS_INVALID_PARAMETER); /* of no element */
    mock_refused(&mock, RULE(SUBMIT_011));
    mock_adapter_free(&mock);
}

/* ---- a success that is none (SUBMIT-045) ---------------------------------------------------- */

/* What the driver keeps to itself. */
static struct {
    UINT paging;
    bool on;
} keeps;

static NTSTATUS keep(IN_CONST_HANDLE adapter, IN_CONST_PDXGKARG_SUBMITCOMMAND arg)
{
    if (keeps.on && arg->Flags.Paging == keeps.paging) {
        keeps.on = false;
        return STATUS_SUCCESS;
    }
    return mock_front.real.DxgkDdiSubmitCommand(adapter, arg);
}

static void keeps_a_packet(DRIVER_INITIALIZATION_DATA *table)
{
    keeps.on = false;
    mock_front_stand(table);
    table->DxgkDdiSubmitCommand = keep;
}

/* The system cannot see it: it waits for a packet that does not end, with another one behind it. */
static void hangs_when_kept(uint32_t wddm, UINT paging)
{
    struct mock_adapter mock;
    mock_front_start(&mock, wddm, keeps_a_packet);
    keeps.paging = paging;
    keeps.on = true;
    if (paging)
        assert_int_equal(vidmm_page_in(mock.adapter, mock_make(&mock), true), 0);
    else
        mock_front_work(&mock, 10);
    assert_false(keeps.on);
    mock_front_work(&mock, 10);
    assert_int_equal(vidmm_wait_idle(mock.adapter), STATUS_DEVICE_REMOVED);
    assert_true(vidmm_counter(mock.adapter, VIDMM_COUNTER_TDR_ENGINE) +
                    vidmm_counter(mock.adapter, VIDMM_COUNTER_TDR_ADAPTER) >
                0);
    mock_adapter_check(&mock);
    mock_adapter_free(&mock);
}

static void a_packet_that_the_chip_never_gets_hangs(void **state)
{
    static const uint32_t versions[] = { VIDMM_WDDM_1_1, VIDMM_WDDM_1_3, VIDMM_WDDM_2_0 };
    (void)state;
    for (size_t i = 0; i < ARRAY_COUNT(versions); i++) {
        hangs_when_kept(versions[i], 0);
        hangs_when_kept(versions[i], 1);
    }
}

/* ---- in a link ------------------------------------------------------------------------------ */

static struct {
    UINT patched;   /* EngineOrdinal of the last Patch for rendering, */
    UINT submitted; /* and of all submissions, as bits */
} engines;

static NTSTATUS note_patch(IN_CONST_HANDLE adapter, IN_CONST_PDXGKARG_PATCH arg)
{
    if (!arg->Flags.Paging)
        engines.patched = arg->EngineOrdinal;
    return mock_front.real.DxgkDdiPatch(adapter, arg);
}

static NTSTATUS note_submit(IN_CONST_HANDLE adapter, IN_CONST_PDXGKARG_SUBMITCOMMAND arg)
{
    if (!arg->Flags.Paging)
        engines.submitted |= 1u << arg->EngineOrdinal;
    return mock_front.real.DxgkDdiSubmitCommand(adapter, arg);
}

static void notes_engines(DRIVER_INITIALIZATION_DATA *table)
{
    mock_front_stand(table);
    table->DxgkDdiPatch = note_patch;
    table->DxgkDdiSubmitCommand = note_submit;
}

/* LINK-006: the first of the adapters that execute it; none named is all. */
static void a_packet_is_patched_for_the_first_of_its_adapters(void **state)
{
    static const uint32_t adapters[] = { 0x1, 0x2, 0x6, 0 };
    static const UINT first[] = { 0, 1, 1, 0 };
    struct mock_adapter mock;
    (void)state;
    mock_adapter_init(&mock, VIDMM_WDDM_1_1);
    mock.config.link_adapters = 3;
    mock.hook = notes_engines;
    mock_adapter_start(&mock);
    for (size_t i = 0; i < ARRAY_COUNT(adapters); i++) {
        engines.patched = UINT_MAX;
        engines.submitted = 0;
        assert_int_equal(mock_submit(&mock, (struct vidmm_work){ .adapters = adapters[i] },
                                     (struct vidmm_mock_command){ .cost_ns = 1 }, NULL),
                         0);
        assert_int_equal(engines.patched, first[i]);
        assert_int_equal(engines.submitted, adapters[i] ? adapters[i] : 0x7);
    }
    mock_adapter_stop(&mock);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_packet_comes_with_its_private_data),
        cmocka_unit_test(a_buffer_that_comes_back_has_less_private_data),
        cmocka_unit_test(a_dropped_packet_is_cancelled_with_its_private_data),
        cmocka_unit_test(a_failing_cancel_stops_with_its_answer_and_the_fence),
        cmocka_unit_test(each_element_is_told),
        cmocka_unit_test(lists_have_an_end),
        cmocka_unit_test(a_packet_that_the_chip_never_gets_hangs),
        cmocka_unit_test(a_packet_is_patched_for_the_first_of_its_adapters),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
