/* SPDX-License-Identifier: MIT */
/*
 * test_passes.c: drivers that let DxgkDdiBuildPagingBuffer be called again, in ways for which the
 * mock has no switch.
 */
#include <string.h>

#include "tests/support/mock_front.h"
#include "tests/support/unit.h"
#include "vidmm/ddi/ntstatus.h"

enum { DAWDLE_BYTES = 32, DAWDLE_CALLS = 601 };

/* Notes of the driver in front of the mock. */
static struct {
    unsigned calls; /* of those that a test counts */
    DXGKARG_BUILDPAGINGBUFFER first, second;
    uint32_t bytes, steps; /* that each call writes, and goes on */
} front;

static void stand_in_front(DRIVER_INITIALIZATION_DATA *table)
{
    memset(&front, 0, sizeof front);
    mock_front_stand(table);
}

/* Out of space at first, after it has changed the question. */
static NTSTATUS spoil(IN_CONST_HANDLE adapter, IN_PDXGKARG_BUILDPAGINGBUFFER arg)
{
    if (arg->Operation == DXGK_OPERATION_UNMAP_APERTURE_SEGMENT)
        return mock_front.real.DxgkDdiBuildPagingBuffer(adapter, arg); /* at the start */
    if (front.calls++) {
        front.second = *arg;
        return mock_front.real.DxgkDdiBuildPagingBuffer(adapter, arg);
    }
    front.first = *arg;
    memset(&arg->Reserved, 0xEE, sizeof arg->Reserved);
    arg->Operation = DXGK_OPERATION_DISCARD_CONTENT;
    arg->DmaSize = 1;
    return STATUS_GRAPHICS_INSUFFICIENT_DMA_BUFFER;
}

static void spoils(DRIVER_INITIALIZATION_DATA *table)
{
    stand_in_front(table);
    table->DxgkDdiBuildPagingBuffer = spoil;
}

/* MINI-053. */
static void a_repeat_asks_for_the_same(void **state)
{
    struct mock_adapter mock;
    (void)state;
    mock_front_start(&mock, VIDMM_WDDM_1_1, spoils);
    vidmm_handle handle = mock_make(&mock);
    assert_int_equal(vidmm_page_in(mock.adapter, handle, true), 0);
    assert_int_equal(front.calls, 2);
    assert_int_equal(front.second.Operation, DXGK_OPERATION_FILL);
    assert_ptr_equal(front.second.Fill.hAllocation, front.first.Fill.hAllocation);
    assert_int_equal(front.second.Fill.FillSize, MOCK_PAGE);
    assert_int_equal(front.second.DmaSize, front.first.DmaSize);
    mock_adapter_stop(&mock);
}

/* Always a little, and never enough: bytes, or that it went on, or both. */
static NTSTATUS dawdle(IN_CONST_HANDLE adapter, IN_PDXGKARG_BUILDPAGINGBUFFER arg)
{
    if (arg->Operation != DXGK_OPERATION_FILL)
        return mock_front.real.DxgkDdiBuildPagingBuffer(adapter, arg);
    front.calls++;
    memset(arg->pDmaBuffer, 0, front.bytes);
    arg->pDmaBuffer = (uint8_t *)arg->pDmaBuffer + front.bytes;
    arg->MultipassOffset += front.steps;
    return STATUS_GRAPHICS_INSUFFICIENT_DMA_BUFFER;
}

static void dawdles(DRIVER_INITIALIZATION_DATA *table)
{
    stand_in_front(table);
    table->DxgkDdiBuildPagingBuffer = dawdle;
}

/* MINI-055: twice for its page, and 1024 times; then once too often. */
static void progress_without_end_is_none(void **state)
{
    static const struct {
        uint32_t bytes, steps;
    } ways[] = { { 0, 1 }, { DAWDLE_BYTES, 0 }, { DAWDLE_BYTES, 1 } };
    (void)state;
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        struct mock_adapter mock;
        mock_front_start(&mock, VIDMM_WDDM_1_1, dawdles);
        front.bytes = ways[i].bytes;
        front.steps = ways[i].steps;
        vidmm_handle handle = mock_make(&mock);
        assert_int_not_equal(vidmm_page_in(mock.adapter, handle, true), 0);
        assert_int_equal(front.calls, 2 + 1024 + 1);
        (void)mock_stopped(&mock, RULE(MINI_055), 0x10E, 0xB);
        assert_int_equal(mock_findings(&mock), 1);
        mock_adapter_free(&mock);
    }
}

/* Asks for space after all is written: of the second fill, and then there is nothing to write. */
static NTSTATUS end_with_nothing(IN_CONST_HANDLE adapter, IN_PDXGKARG_BUILDPAGINGBUFFER arg)
{
    unsigned call = arg->Operation == DXGK_OPERATION_FILL ? front.calls++ : 0;
    if (call == 2)
        return STATUS_SUCCESS;
    NTSTATUS answer = mock_front.real.DxgkDdiBuildPagingBuffer(adapter, arg);
    return call == 1 ? STATUS_GRAPHICS_INSUFFICIENT_DMA_BUFFER : answer;
}

static void ends_with_nothing(DRIVER_INITIALIZATION_DATA *table)
{
    stand_in_front(table);
    table->DxgkDdiBuildPagingBuffer = end_with_nothing;
}

/* MINI-053: it is done with the last packet that has a part of it, which is not the oldest. */
static void the_last_call_may_write_nothing(void **state)
{
    struct mock_adapter mock;
    (void)state;
    mock_front_start(&mock, VIDMM_WDDM_1_1, ends_with_nothing);
    for (unsigned i = 0; i < 2; i++)
        assert_int_equal(vidmm_page_in(mock.adapter, mock_make(&mock), true), 0);
    assert_int_equal(front.calls, 3);
    assert_int_equal(mock.events[VIDMM_EVENT_ARRIVE], 0);
    assert_int_equal(vidmm_wait_idle(mock.adapter), 0);
    assert_int_equal(mock.events[VIDMM_EVENT_ARRIVE], 2);
    assert_int_equal(mock_findings(&mock), 0);
    mock_adapter_stop(&mock);
}

/* Asks for space without a reason once and with one 599 times, in each part of a transfer; writes
   nothing. */
static NTSTATUS dawdle_in_parts(IN_CONST_HANDLE adapter, IN_PDXGKARG_BUILDPAGINGBUFFER arg)
{
    if (arg->Operation != DXGK_OPERATION_TRANSFER)
        return mock_front.real.DxgkDdiBuildPagingBuffer(adapter, arg);
    unsigned call = front.calls++ % DAWDLE_CALLS;
    arg->MultipassOffset += call != 0;
    return call + 1 < DAWDLE_CALLS ? STATUS_GRAPHICS_INSUFFICIENT_DMA_BUFFER : STATUS_SUCCESS;
}

static void dawdles_in_parts(DRIVER_INITIALIZATION_DATA *table)
{
    stand_in_front(table);
    table->DxgkDdiBuildPagingBuffer = dawdle_in_parts;
}

/* MINI-055: each part is an operation, whose calls are counted for themselves. That nothing comes
   of them is another matter (LOCK-067). */
static void each_part_of_a_transfer_is_an_operation(void **state)
{
    enum { PARTS = 4 };
    struct mock_adapter mock;
    struct vidmm_mock_allocation wish = mock_wish(PARTS * MOCK_PAGE);
    struct vidmm_allocation_args args = mock_args("a", &wish);
    vidmm_handle handle;
    (void)state;
    mock_adapter_init(&mock, VIDMM_WDDM_1_1);
    mock.hook = dawdles_in_parts;
    mock.config.settings.value[VIDMM_SETTING_MAX_TRANSFER] = MOCK_PAGE;
    mock_adapter_start(&mock);
    args.content = 1;
    assert_int_equal(vidmm_allocate(mock.adapter, mock.device, false, &args, 1, &handle), 0);
    assert_int_equal(vidmm_page_in(mock.adapter, handle, true), 0);
    assert_int_equal(front.calls, PARTS * DAWDLE_CALLS);
    assert_int_equal(vidmm_rule_uses(mock.adapter, RULE(MINI_055)), 0);
    assert_int_equal(mock_findings(&mock), 1);
    mock_adapter_free(&mock);
}

/* The second discard finds no space, whatever there is. */
static NTSTATUS keep_second(IN_CONST_HANDLE adapter, IN_PDXGKARG_BUILDPAGINGBUFFER arg)
{
    bool kept = arg->Operation == DXGK_OPERATION_DISCARD_CONTENT && front.calls++;
    return kept ? STATUS_GRAPHICS_INSUFFICIENT_DMA_BUFFER
                : mock_front.real.DxgkDdiBuildPagingBuffer(adapter, arg);
}

static void keeps_second(DRIVER_INITIALIZATION_DATA *table)
{
    stand_in_front(table);
    table->DxgkDdiBuildPagingBuffer = keep_second;
}

/* MINI-042: what cannot leave one adapter of a link, after it has left another, has not left. */
static void each_copy_has_to_leave(void **state)
{
    struct mock_adapter mock;
    struct vidmm_mock_allocation wish = mock_wish(MOCK_PAGE);
    vidmm_handle handle;
    (void)state;
    mock_adapter_init(&mock, VIDMM_WDDM_1_1);
    mock.hook = keeps_second;
    mock.config.link_adapters = 2;
    mock.config.paging_buffers = 1;
    mock.config.settings.value[VIDMM_SETTING_TDR_LEVEL] = 0;
    assert_true(vidmm_mock_switch_set(mock.mock_config.switches, "hang", "3"));
    mock_adapter_start(&mock);
    wish.flags |= VIDMM_ALLOCATION_LinkInstanced;
    assert_int_equal(mock_allocate(&mock, &wish, &handle), 0);
    assert_int_equal(vidmm_page_in(mock.adapter, handle, true), 0);
    assert_int_equal(vidmm_wait_idle(mock.adapter), 0);
    assert_int_equal(vidmm_page_in(mock.adapter, mock_make(&mock), true), 0);
    assert_int_not_equal(vidmm_destroy(mock.adapter, &handle, 1), 0);
    mock_refused(&mock, RULE(TIME_017));
    assert_int_equal(mock.events[VIDMM_EVENT_DESTROY], 0);
    mock_adapter_stop(&mock);
}

/* Writes something to give up a place, too. */
static NTSTATUS write_discard(IN_CONST_HANDLE adapter, IN_PDXGKARG_BUILDPAGINGBUFFER arg)
{
    if (arg->Operation != DXGK_OPERATION_DISCARD_CONTENT)
        return mock_front.real.DxgkDdiBuildPagingBuffer(adapter, arg);
    front.calls++;
    memset(arg->pDmaBuffer, 0, DAWDLE_BYTES);
    arg->pDmaBuffer = (uint8_t *)arg->pDmaBuffer + DAWDLE_BYTES;
    return STATUS_SUCCESS;
}

static void writes_discards(DRIVER_INITIALIZATION_DATA *table)
{
    stand_in_front(table);
    table->DxgkDdiBuildPagingBuffer = write_discard;
}

/* PAGE-043: rendering waits for such a buffer, if the allocation is synchronous. */
static void a_discard_is_a_paging_operation(void **state)
{
    static const uint32_t flags[] = { 0, VIDMM_ALLOCATION_SynchronousPaging };
    (void)state;
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++) {
        struct mock_adapter mock;
        struct vidmm_mock_allocation wish = mock_wish(MOCK_PAGE);
        vidmm_handle handle;
        mock_front_start(&mock, VIDMM_WDDM_1_1, writes_discards);
        wish.flags |= flags[i];
        assert_int_equal(mock_allocate(&mock, &wish, &handle), 0);
        assert_int_equal(vidmm_page_in(mock.adapter, handle, true), 0);
        assert_int_equal(vidmm_wait_idle(mock.adapter), 0);
        assert_int_equal(vidmm_evict(mock.adapter, handle), 0);
        assert_int_equal(front.calls, 1);
        unsigned waits = (unsigned)mock.events[VIDMM_EVENT_WAIT];
        mock_front_work(&mock, 1);
        assert_int_equal(mock.events[VIDMM_EVENT_WAIT], waits + i);
        mock_adapter_stop(&mock);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_repeat_asks_for_the_same),
        cmocka_unit_test(progress_without_end_is_none),
        cmocka_unit_test(the_last_call_may_write_nothing),
        cmocka_unit_test(each_part_of_a_transfer_is_an_operation),
        cmocka_unit_test(each_copy_has_to_leave),
        cmocka_unit_test(a_discard_is_a_paging_operation),
    };
    return cmocka_run_group_tests_name("passes", tests, NULL, NULL);
}
