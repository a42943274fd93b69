/* SPDX-License-Identifier: MIT */
/*
 * test_present.c: the arguments of DxgkDdiPresent, and the effect of answers that no ordinary
 * driver gives.
 */
#include <string.h>

#include "tests/support/mock_front.h"
#include "tests/support/unit.h"
#include "vidmm/base/base.h"
#include "vidmm/ddi/ntstatus.h"

enum { CALLS_MAX = 8, RECTS_MAX = 64, FAR = 0x55550000 };

/* Calls seen between vidmm and the mock. Tests run one after the other. */
static struct {
    void (*spoil)(DXGKARG_PRESENT *arg); /* changes the driver's answer */
    bool no_list;                        /* contexts that are made have no patch locations */
    bool far;                            /* MultipassOffset is a large number of the driver's */
    NTSTATUS fails;                      /* what the driver answers all the same */
    HANDLE context;
    DXGKARG_PRESENT args[CALLS_MAX]; /* as they came */
    DXGK_ALLOCATIONLIST list[3];     /* of the last call */
    RECT rects[RECTS_MAX];
    UINT calls, presents; /* SubmitCommand with Flags.Present */
    UINT segment;         /* of the last one, and its address there */
    LONGLONG address;
} seen;

static NTSTATUS present(IN_CONST_HANDLE context, INOUT_PDXGKARG_PRESENT arg)
{
    seen.context = context;
    if (seen.calls < CALLS_MAX)
        seen.args[seen.calls++] = *arg;
    memcpy(seen.list, arg->pAllocationList, sizeof seen.list);
    assert_non_null(arg->pPatchLocationListOut); /* to be moved on by nothing, too */
    if (!arg->PatchLocationListOutSize)
        return STATUS_NO_MEMORY;
    memcpy(seen.rects, arg->pDstSubRects, min_u64(arg->SubRectCnt, RECTS_MAX) * sizeof *seen.rects);
    if (seen.far && seen.calls > 1)
        arg->MultipassOffset -= FAR;
    NTSTATUS status = mock_front.real.DxgkDdiPresent(context, arg);
    if (seen.far)
        arg->MultipassOffset += FAR;
    if (seen.spoil)
        seen.spoil(arg);
    return seen.fails ? seen.fails : status;
}

static NTSTATUS make_context(IN_CONST_HANDLE device, INOUT_PDXGKARG_CREATECONTEXT arg)
{
    NTSTATUS answer = mock_front.real.DxgkDdiCreateContext(device, arg);
    if (seen.no_list)
        arg->ContextInfo.PatchLocationListSize = 0;
    return answer;
}

static NTSTATUS submit(IN_CONST_HANDLE adapter, IN_CONST_PDXGKARG_SUBMITCOMMAND arg)
{
    seen.presents += arg->Flags.Present && !arg->Flags.Paging;
    if (arg->Flags.Present) {
        seen.segment = arg->DmaBufferSegmentId;
        seen.address = arg->DmaBufferPhysicalAddress.QuadPart;
    }
    return mock_front.real.DxgkDdiSubmitCommand(adapter, arg);
}

static void hook(DRIVER_INITIALIZATION_DATA *table)
{
    mock_front_stand(table);
    table->DxgkDdiPresent = present;
    table->DxgkDdiCreateContext = make_context;
    table->DxgkDdiSubmitCommand = submit;
}

struct fixture {
    struct mock_adapter mock;
    vidmm_handle source, destination;
    struct vidmm_present_args args;
    struct vidmm_submission submission;
};

static struct vidmm_mock_allocation in_memory(uint64_t bytes)
{
    struct vidmm_mock_allocation wish = mock_wish(bytes);
    wish.read_set = wish.write_set = 0x1;
    return wish;
}

static void start(struct fixture *f, uint64_t bytes)
{
    struct vidmm_mock_allocation wish = in_memory(bytes);
    memset(&seen, 0, sizeof seen);
    memset(f, 0, sizeof *f);
    mock_front_start(&f->mock, VIDMM_WDDM_1_1, hook);
    assert_int_equal(mock_allocate(&f->mock, &wish, &f->source), 0);
    assert_int_equal(mock_allocate(&f->mock, &wish, &f->destination), 0);
    f->args = (struct vidmm_present_args){
        .label = "f", .context = f->mock.context, .source = f->source, .destination = f->destination
    };
}

static vidmm_status call(struct fixture *f)
{
    return vidmm_present(f->mock.adapter, &f->args, &f->submission);
}

static void finish(struct fixture *f)
{
    assert_int_equal(vidmm_wait(f->mock.adapter, f->submission), 0);
    assert_int_equal(f->mock.events[VIDMM_EVENT_FINDING], 0);
    mock_adapter_stop(&f->mock);
}

/* ---- arguments of the driver ---------------------------------------------------------------- */

static void a_list_of_no_locations_is_somewhere(void **state)
{
    struct fixture f;
    (void)state;
    start(&f, 4 * MOCK_PAGE);
    seen.no_list = true;
    assert_int_equal(vidmm_context_create(f.mock.adapter, "none", f.mock.device, 0,
                                          &f.args.context),
                     0);
    assert_int_equal(call(&f), STATUS_NO_MEMORY);
    assert_int_equal(seen.calls, 1);
    mock_adapter_stop(&f.mock);
}

static void source_and_destination_have_their_places(void **state)
{
    struct fixture f;
    (void)state;
    start(&f, 4 * MOCK_PAGE);
    assert_int_equal(call(&f), 0);
    const DXGKARG_PRESENT *arg = &seen.args[0];
    assert_int_equal(seen.calls, 1);
    assert_non_null(seen.context);
    assert_null(seen.list[0].hDeviceSpecificAllocation);
    assert_non_null(seen.list[DXGK_PRESENT_SOURCE_INDEX].hDeviceSpecificAllocation);
    assert_non_null(seen.list[DXGK_PRESENT_DESTINATION_INDEX].hDeviceSpecificAllocation);
    assert_ptr_not_equal(seen.list[DXGK_PRESENT_SOURCE_INDEX].hDeviceSpecificAllocation,
                         seen.list[DXGK_PRESENT_DESTINATION_INDEX].hDeviceSpecificAllocation);
    assert_int_equal(seen.list[DXGK_PRESENT_SOURCE_INDEX].WriteOperation, 0);
    assert_int_equal(seen.list[DXGK_PRESENT_DESTINATION_INDEX].WriteOperation, 1);
    assert_int_equal(arg->DmaBufferSegmentId, 0); /* it is nowhere but in system memory */
    assert_int_equal(arg->DmaBufferPhysicalAddress.QuadPart, 0);
    assert_int_equal(arg->Flags.Value, 0x1); /* Blt */
    assert_int_equal(arg->NumSrcAllocations, 1);
    assert_int_equal(arg->NumDstAllocations, 1);
    assert_int_equal(arg->SubRectCnt, 1);
    assert_memory_equal(&seen.rects[0], &arg->DstRect, sizeof(RECT));
    assert_int_equal(arg->DstRect.right, MOCK_PAGE / 4);
    assert_int_equal(arg->DstRect.bottom, 4);
    assert_int_equal(seen.presents, 1);
    finish(&f);
}

/* SUBMIT-020: its buffer has a place as soon as it was used, in an aperture or in system memory. */
static void the_place_of_a_buffer_is_that_of_its_last_use(void **state)
{
    (void)state;
    for (uint32_t segment = 0; segment <= 2; segment += 2) {
        struct fixture f;
        struct vidmm_mock_buffers buffers = { .given[VIDMM_MOCK_DMA_SEGMENT_SET] = true };
        start(&f, MOCK_PAGE);
        buffers.value[VIDMM_MOCK_DMA_SEGMENT_SET] = segment; /* bit 1 means segment 2 */
        vidmm_mock_next_buffers(f.mock.mock, &buffers);
        assert_int_equal(vidmm_context_create(f.mock.adapter, "c", f.mock.device, 0,
                                              &f.args.context),
                         0);
        assert_int_equal(call(&f), 0);
        assert_int_equal(vidmm_wait(f.mock.adapter, f.submission), 0);
        assert_int_equal(seen.segment, segment);
        assert_int_not_equal(seen.address, 0);
        assert_int_equal(call(&f), 0);
        assert_int_equal(seen.args[0].DmaBufferSegmentId, 0);
        assert_int_equal(seen.args[0].DmaBufferPhysicalAddress.QuadPart, 0);
        assert_int_equal(seen.args[1].DmaBufferSegmentId, segment);
        assert_int_equal(seen.args[1].DmaBufferPhysicalAddress.QuadPart, seen.address);
        finish(&f);
    }
}

static void a_colour_fill_has_no_source(void **state)
{
    struct fixture f;
    (void)state;
    start(&f, MOCK_PAGE);
    f.args.source = 0;
    assert_int_equal(call(&f), 0);
    assert_null(seen.list[DXGK_PRESENT_SOURCE_INDEX].hDeviceSpecificAllocation);
    assert_int_equal(seen.list[DXGK_PRESENT_DESTINATION_INDEX].WriteOperation, 1);
    assert_int_equal(seen.args[0].Flags.Value, 0x2); /* ColorFill */
    assert_int_equal(seen.args[0].NumSrcAllocations, 0);
    finish(&f);
}

/* Inside of the whole, no pixel in two of them; each in one if these are all. */
static void check_rects(const RECT *whole, UINT count)
{
    LONG pixels = 0;
    for (UINT i = 0; i < count; i++) {
        const RECT *rect = &seen.rects[i];
        pixels += (rect->right - rect->left) * (rect->bottom - rect->top);
        assert_true(rect->left >= whole->left && rect->left < rect->right);
        assert_true(rect->top >= whole->top && rect->top < rect->bottom);
        assert_true(rect->right <= whole->right && rect->bottom <= whole->bottom);
        for (UINT j = 0; j < i; j++)
            assert_true(seen.rects[j].right <= rect->left || seen.rects[j].left >= rect->right ||
                        seen.rects[j].bottom <= rect->top || seen.rects[j].top >= rect->bottom);
    }
    assert_true(count == RECTS_MAX || pixels == whole->right * whole->bottom);
}

static void rectangles_lie_side_by_side(void **state)
{
    static const uint32_t counts[] = { 2, 3, 4, 5, 7, 16, 33, 64, 2048, 4096 };
    (void)state;
    for (size_t i = 0; i < ARRAY_COUNT(counts); i++) {
        struct fixture f;
        start(&f, 4 * MOCK_PAGE);
        f.args.rects = counts[i];
        assert_int_equal(call(&f), 0);
        assert_int_equal(seen.args[0].SubRectCnt, counts[i]);
        assert_memory_equal(&seen.args[0].SrcRect, &seen.args[0].DstRect, sizeof(RECT));
        check_rects(&seen.args[0].DstRect, min_u32(counts[i], RECTS_MAX));
        finish(&f);
    }
}

static void the_same_rectangles_come_with_each_buffer(void **state)
{
    struct fixture f;
    struct vidmm_mock_command data = { .cost_ns = 30 };
    (void)state;
    start(&f, 4 * MOCK_PAGE);
    assert_true(vidmm_mock_switch_set(vidmm_mock_switches(f.mock.mock), "present-rects", "1"));
    f.args.rects = 3;
    f.args.data = &data;
    f.args.data_bytes = sizeof data;
    seen.far = true;
    assert_int_equal(call(&f), 0);
    assert_int_equal(seen.calls, 3);
    assert_int_equal(seen.presents, 3);
    assert_int_equal(f.submission.fence, 3);
    for (UINT i = 0; i < 3; i++) {
        assert_int_equal(seen.args[i].MultipassOffset, i ? i + FAR : 0);
        assert_int_equal(seen.args[i].SubRectCnt, 3);
        assert_ptr_equal(seen.args[i].pDstSubRects, seen.args[0].pDstSubRects);
        assert_ptr_equal(seen.args[i].pPrivateDriverData, &data);
        for (UINT j = 0; j < i; j++)
            assert_ptr_not_equal(seen.args[i].pDmaBuffer, seen.args[j].pDmaBuffer);
    }
    finish(&f);
}

/* ---- split ---------------------------------------------------------------------------------- */

/* A chip that reads everything before it writes: the destination takes the slot of the source. */
static void one_slot_for_both(DXGKARG_PRESENT *arg)
{
    D3DDDI_PATCHLOCATIONLIST *destination = arg->pPatchLocationListOut - 1;
    destination->SlotId = 0;
    destination->SplitOffset = destination->PatchOffset;
}

static void a_buffer_is_split_where_both_do_not_fit(void **state)
{
    struct fixture f;
    (void)state;
    start(&f, MOCK_SEGMENT_BYTES / 8 * 5);
    seen.spoil = one_slot_for_both;
    assert_int_equal(call(&f), 0);
    assert_int_equal(f.mock.events[VIDMM_EVENT_SPLIT], 1);
    assert_int_equal(seen.calls, 1);
    assert_int_equal(seen.presents, 2);
    assert_int_equal(f.submission.fence, 2);
    assert_int_equal(mock_view(&f.mock, f.destination).segment, 1);
    assert_int_equal(mock_view(&f.mock, f.source).segment, 0);
    assert_int_equal(vidmm_wait_idle(f.mock.adapter), 0);
    assert_true(vidmm_content_intact(f.mock.adapter, f.source));
    assert_true(vidmm_content_intact(f.mock.adapter, f.destination));
    finish(&f);
}

/* ---- answers of no ordinary driver ---------------------------------------------------------- */

static void too_many_locations(DXGKARG_PRESENT *arg)
{
    arg->pPatchLocationListOut =
        seen.args[0].pPatchLocationListOut + arg->PatchLocationListOutSize + 1;
}

static void locations_before_the_list(DXGKARG_PRESENT *arg)
{
    arg->pPatchLocationListOut = seen.args[0].pPatchLocationListOut - 1;
}

static void no_locations(DXGKARG_PRESENT *arg)
{
    arg->pPatchLocationListOut = NULL;
}

static void no_buffer(DXGKARG_PRESENT *arg)
{
    arg->pDmaBuffer = NULL;
}

static void buffer_behind_its_end(DXGKARG_PRESENT *arg)
{
    arg->pDmaBuffer = (uint8_t *)seen.args[0].pDmaBuffer + arg->DmaSize + 1;
}

static void no_private_data(DXGKARG_PRESENT *arg)
{
    arg->pDmaBufferPrivateData = NULL;
}

static void pointers_out_of_bounds_stop_the_system(void **state)
{
    static const struct {
        void (*spoil)(DXGKARG_PRESENT *arg);
        uint64_t subcode;
        enum vidmm_rule rule;
    } rows[] = {
        { too_many_locations, 0x12, RULE(SUBMIT_024) },
        { locations_before_the_list, 0x12, RULE(SUBMIT_024) },
        { no_locations, 0x12, RULE(SUBMIT_024) },
        { no_buffer, 0x12, RULE(MINI_051) },
        { buffer_behind_its_end, 0x12, RULE(MINI_051) },
        { no_private_data, 0x13, RULE(MINI_051) },
    };
    (void)state;
    for (size_t i = 0; i < ARRAY_COUNT(rows); i++) {
        struct fixture f;
        start(&f, MOCK_PAGE);
        seen.spoil = rows[i].spoil;
        assert_true(call(&f) < 0);
        mock_stopped_with(&f.mock, rows[i].rule, 0x10E,
                          (uint64_t[4]){ rows[i].subcode, f.mock.context, 0, 0 });
        assert_int_equal(seen.presents, 0);
        mock_adapter_free(&f.mock);
    }
}

static void no_such_element(DXGKARG_PRESENT *arg)
{
    arg->pPatchLocationListOut[-1].AllocationIndex = ARRAY_COUNT(seen.list);
}

static void location_behind_the_buffer(DXGKARG_PRESENT *arg)
{
    arg->pPatchLocationListOut[-1].PatchOffset =
        (UINT)((uint8_t *)arg->pDmaBuffer - (uint8_t *)seen.args[0].pDmaBuffer);
}

static void split_behind_the_location(DXGKARG_PRESENT *arg)
{
    D3DDDI_PATCHLOCATIONLIST *last = arg->pPatchLocationListOut - 1;
    last->SplitOffset = last->PatchOffset + 1;
}

static void offset_behind_the_allocation(DXGKARG_PRESENT *arg)
{
    arg->pPatchLocationListOut[-1].AllocationOffset = MOCK_PAGE;
}

static void no_such_slot(DXGKARG_PRESENT *arg)
{
    arg->pPatchLocationListOut[-1].SlotId = 0xFFFFFF;
}

/* As those of Render: SUBMIT-011, SUBMIT-012. */
static void locations_are_checked_to_the_last(void **state)
{
    static const struct {
        void (*spoil)(DXGKARG_PRESENT *arg);
        enum vidmm_rule rule;
    } rows[] = {
        { no_such_element, RULE(SUBMIT_011) },
        { location_behind_the_buffer, RULE(SUBMIT_011) },
        { split_behind_the_location, RULE(SUBMIT_011) },
        { offset_behind_the_allocation, RULE(SUBMIT_011) },
        { no_such_slot, RULE(SUBMIT_012) },
    };
    (void)state;
    for (size_t i = 0; i < ARRAY_COUNT(rows); i++) {
        struct fixture f;
        start(&f, MOCK_PAGE);
        seen.spoil = rows[i].spoil;
        assert_int_equal(call(&f), STATUS_INVALID_PARAMETER);
        mock_refused(&f.mock, rows[i].rule);
        assert_int_equal(mock_findings(&f.mock), 1);
        assert_int_equal(seen.presents, 0);
        mock_adapter_stop(&f.mock);
    }
}

/* The driver may use the numbers that it receives as it likes. */
static void rewrite_arguments(DXGKARG_PRESENT *arg)
{
    arg->MultipassOffset = UINT32_MAX;
    arg->SubRectCnt = UINT32_MAX;
    arg->pDstSubRects = NULL;
    arg->pAllocationList = NULL;
    arg->DmaSize = 0;
    arg->PatchLocationListOutSize = UINT32_MAX;
}

static void arguments_that_are_written_over_do_no_harm(void **state)
{
    struct fixture f;
    (void)state;
    start(&f, MOCK_PAGE);
    seen.spoil = rewrite_arguments;
    assert_int_equal(call(&f), 0);
    assert_int_equal(seen.presents, 1);
    seen.spoil = NULL;
    assert_int_equal(call(&f), 0);
    finish(&f);
}

/* Whatever was written before. */
static void a_call_that_fails_has_no_locations_to_show(void **state)
{
    struct fixture f;
    (void)state;
    start(&f, MOCK_PAGE);
    assert_int_equal(call(&f), 0);
    uint64_t shown = f.mock.events[VIDMM_EVENT_PATCH_LOCATION];
    assert_true(shown > 0);
    seen.fails = STATUS_NO_MEMORY;
    assert_true(call(&f) < 0);
    assert_int_equal(f.mock.events[VIDMM_EVENT_PATCH_LOCATION], shown);
    finish(&f);
}

static void write_nothing(DXGKARG_PRESENT *arg)
{
    const DXGKARG_PRESENT *came = &seen.args[seen.calls - 1];
    arg->pDmaBuffer = came->pDmaBuffer;
    arg->pPatchLocationListOut = came->pPatchLocationListOut;
}

static void write_one_buffer(DXGKARG_PRESENT *arg)
{
    if (seen.calls > 1)
        write_nothing(arg);
}

static void a_driver_with_nothing_to_do_still_gets_its_fence(void **state)
{
    struct fixture f;
    (void)state;
    start(&f, MOCK_PAGE);
    seen.spoil = write_nothing;
    assert_int_equal(call(&f), 0);
    assert_int_equal(seen.presents, 1);
    assert_int_not_equal(f.submission.fence, 0);
    finish(&f);
}

/* The others of its buffers remain empty, and are none. */
static void a_command_that_has_a_fence_needs_no_empty_buffer(void **state)
{
    struct fixture f;
    (void)state;
    start(&f, 4 * MOCK_PAGE);
    assert_true(vidmm_mock_switch_set(vidmm_mock_switches(f.mock.mock), "present-rects", "1"));
    seen.spoil = write_one_buffer;
    f.args.rects = 3;
    assert_int_equal(call(&f), 0);
    assert_int_equal(seen.calls, 3);
    assert_int_equal(seen.args[2].MultipassOffset, 2);
    assert_int_equal(seen.presents, 1);
    assert_int_equal(f.submission.fence, 1);
    finish(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_list_of_no_locations_is_somewhere),
        cmocka_unit_test(source_and_destination_have_their_places),
        cmocka_unit_test(the_place_of_a_buffer_is_that_of_its_last_use),
        cmocka_unit_test(a_colour_fill_has_no_source),
        cmocka_unit_test(rectangles_lie_side_by_side),
        cmocka_unit_test(the_same_rectangles_come_with_each_buffer),
        cmocka_unit_test(a_buffer_is_split_where_both_do_not_fit),
        cmocka_unit_test(pointers_out_of_bounds_stop_the_system),
        cmocka_unit_test(locations_are_checked_to_the_last),
        cmocka_unit_test(arguments_that_are_written_over_do_no_harm),
        cmocka_unit_test(a_call_that_fails_has_no_locations_to_show),
        cmocka_unit_test(a_driver_with_nothing_to_do_still_gets_its_fence),
        cmocka_unit_test(a_command_that_has_a_fence_needs_no_empty_buffer),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
