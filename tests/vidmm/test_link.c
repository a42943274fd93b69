/* SPDX-License-Identifier: MIT */
/*
 * test_link.c: drivers whose linked adapters are not alike: the mock describes the segments of all
 * of them in the same words.
 */
#include <string.h>

#include "tests/support/mock_front.h"
#include "tests/support/unit.h"
#include "vidmm/ddi/ntstatus.h"
#include "vidmm/vidmm_property.h"

enum { HALF = MOCK_SEGMENT_BYTES / 2, OVERLAY = 0x100, MIRRORED = 0x1000, INSTANCED = 0x2000 };

/* The size of the memory segment of adapter 1, and the last shortage there. */
static struct {
    uint64_t bytes, low, high;
} other;

static NTSTATUS query(IN_CONST_HANDLE adapter, IN_CONST_PDXGKARG_QUERYADAPTERINFO arg)
{
    NTSTATUS answer = mock_front.real.DxgkDdiQueryAdapterInfo(adapter, arg);
    const DXGK_QUERYSEGMENTIN4 *in = arg->pInputData;
    const DXGK_QUERYSEGMENTOUT4 *out = arg->pOutputData;
    if (arg->Type == DXGKQAITYPE_QUERYSEGMENT4 && in->PhysicalAdapterIndex == 1 &&
        out->pSegmentDescriptor)
        ((DXGK_SEGMENTDESCRIPTOR4 *)(void *)out->pSegmentDescriptor)->Size = other.bytes;
    return answer;
}

static void differs(DRIVER_INITIALIZATION_DATA *table)
{
    mock_front_stand(table);
    table->DxgkDdiQueryAdapterInfo = query;
}

static void prepare(struct mock_adapter *mock, uint64_t bytes)
{
    memset(&other, 0, sizeof other);
    other.bytes = bytes;
    mock_adapter_init(mock, VIDMM_WDDM_2_0);
    mock->config.link_adapters = 2;
    mock->hook = differs;
}

/* SEG-003: each adapter answers for itself, and is judged like the first. */
static void what_another_adapter_says_wrong_fails_the_start(void **state)
{
    struct mock_adapter mock;
    (void)state;
    prepare(&mock, MOCK_PAGE + 1);
    mock_adapter_prepare(&mock);
    assert_int_equal(vidmm_adapter_start(&mock.config, &mock.adapter), STATUS_INVALID_PARAMETER);
    mock_refused(&mock, RULE(SEG_019));
    mock_adapter_free(&mock);
}

static void hear(struct vidmm_observer *self, const struct vidmm_event *event)
{
    (void)self;
    for (size_t i = 0; i < event->field_count; i++) {
        if (strcmp(event->fields[i].name, "low") == 0)
            other.low = event->fields[i].value;
        if (strcmp(event->fields[i].name, "high") == 0)
            other.high = event->fields[i].value;
    }
}

static vidmm_status linked(struct mock_adapter *mock, uint64_t bytes, uint32_t flags,
                           vidmm_handle *handle)
{
    struct vidmm_mock_allocation wish = mock_wish(bytes);
    wish.read_set = wish.write_set = 1;
    wish.flags = flags;
    return mock_allocate(mock, &wish, handle);
}

/* The search is that of adapter 0 (PLACE-021), and what it lacks is told of each (PLACE-014). */
static void what_is_mirrored_has_to_fit_into_the_smaller_segment(void **state)
{
    static const bool kinds[VIDMM_EVENT_KINDS] = { [VIDMM_EVENT_SHORTAGE] = true };
    struct vidmm_observer observer = { .on_event = hear, .kinds = kinds };
    struct mock_adapter mock;
    vidmm_handle handle;
    (void)state;
    prepare(&mock, HALF);
    mock_adapter_start(&mock);
    vidmm_observe(mock.adapter, &observer);
    assert_int_equal(linked(&mock, HALF + MOCK_PAGE, MIRRORED, &handle), 0);
    assert_int_equal(vidmm_page_in(mock.adapter, handle, true), STATUS_GRAPHICS_NO_VIDEO_MEMORY);
    assert_string_equal(vidmm_last_refusal(mock.adapter)->text,
                        "no place for tex (516 KiB); segment 1: 1 MiB free, none at an offset that "
                        "is free on every adapter; segment 1[1]: 512 KiB free");
    assert_int_equal(other.low, 0);
    assert_int_equal(other.high, HALF);
    assert_int_equal(linked(&mock, HALF, MIRRORED, &handle), 0);
    assert_int_equal(vidmm_page_in(mock.adapter, handle, true), 0);
    /* The pinned region of adapter 0 begins behind the end of the other one. */
    assert_int_equal(linked(&mock, MOCK_PAGE, MIRRORED | OVERLAY, &handle),
                     STATUS_GRAPHICS_NO_VIDEO_MEMORY);
    assert_string_equal(vidmm_last_refusal(mock.adapter)->text,
                        "no place for tex (4 KiB); segment 1, pinned region 820 KiB to 1 MiB: 204 "
                        "KiB free, none at an offset that is free on every adapter; segment 1[1], "
                        "pinned region 512 KiB to 512 KiB: 0 bytes free");
    assert_int_equal(other.low, HALF);
    assert_int_equal(other.high, HALF);
    mock_adapter_stop(&mock);
}

static void an_instance_has_the_segment_of_its_adapter(void **state)
{
    struct vidmm_segment_view view;
    struct mock_adapter mock;
    vidmm_handle handle;
    (void)state;
    prepare(&mock, HALF);
    mock_adapter_start(&mock);
    assert_true(vidmm_segment_view(mock.adapter, 3, &view));
    assert_int_equal(view.bytes, HALF);
    assert_int_equal(view.pin_start, 412 * 1024);
    assert_int_equal(linked(&mock, HALF + MOCK_PAGE, INSTANCED, &handle), 0);
    assert_int_equal(vidmm_page_in(mock.adapter, handle, true), STATUS_GRAPHICS_NO_VIDEO_MEMORY);
    assert_int_equal(linked(&mock, MOCK_PAGE, INSTANCED | OVERLAY, &handle), 0);
    assert_true(vidmm_segment_view(mock.adapter, 3, &view));
    assert_int_equal(view.pinned, MOCK_PAGE);
    mock_adapter_stop(&mock);
}

/* PLACE-023: in the pinned region of both, where they have one in common. */
static void a_mirrored_overlay_lies_in_the_region_of_each_adapter(void **state)
{
    static const struct {
        uint64_t bytes, start;
    } wider[] = { { 288 * MOCK_PAGE, 231 * MOCK_PAGE }, { 2 * MOCK_SEGMENT_BYTES, 0 } };
    (void)state;
    for (size_t i = 0; i < sizeof wider / sizeof *wider; i++) {
        struct vidmm_segment_view view;
        struct mock_adapter mock;
        vidmm_handle handle;
        prepare(&mock, wider[i].bytes);
        mock_adapter_start(&mock);
        vidmm_status status = linked(&mock, MOCK_PAGE, MIRRORED | OVERLAY, &handle);
        assert_int_equal(status, wider[i].start ? 0 : STATUS_GRAPHICS_NO_VIDEO_MEMORY);
        if (wider[i].start) {
            assert_true(vidmm_segment_view(mock.adapter, 3, &view));
            assert_int_equal(view.pin_start, wider[i].start);
            assert_int_equal(mock_view(&mock, handle).offset, wider[i].start);
        }
        mock_adapter_stop(&mock);
    }
}

/* PLACE-014: what lies in front of the region of one of them is no room for it. */
static void the_shortage_of_a_mirrored_overlay_is_that_of_the_common_region(void **state)
{
    struct mock_adapter mock;
    vidmm_handle handle;
    (void)state;
    prepare(&mock, 288 * MOCK_PAGE);
    mock_adapter_start(&mock);
    assert_int_equal(linked(&mock, 26 * MOCK_PAGE, MIRRORED | OVERLAY, &handle),
                     STATUS_GRAPHICS_NO_VIDEO_MEMORY);
    assert_string_equal(vidmm_last_refusal(mock.adapter)->text,
                        "no place for tex (104 KiB); segment 1, pinned region 924 KiB to 1 MiB: "
                        "100 KiB free; segment 1[1], pinned region 924 KiB to 1 MiB: 100 KiB free");
    mock_adapter_stop(&mock);
    /* They have none in common. */
    prepare(&mock, 2 * MOCK_SEGMENT_BYTES);
    mock_adapter_start(&mock);
    assert_int_equal(linked(&mock, MOCK_PAGE, MIRRORED | OVERLAY, &handle),
                     STATUS_GRAPHICS_NO_VIDEO_MEMORY);
    assert_string_equal(vidmm_last_refusal(mock.adapter)->text,
                        "no place for tex (4 KiB); segment 1, pinned region 1 MiB to 1 MiB: 0 "
                        "bytes free; segment 1[1], pinned region 1 MiB to 1 MiB: 0 bytes free");
    mock_adapter_stop(&mock);
}

static vidmm_status on_second(struct mock_adapter *mock, uint64_t bytes, uint32_t set,
                              vidmm_handle *handle)
{
    struct vidmm_mock_allocation wish = mock_wish(bytes);
    wish.read_set = wish.write_set = set;
    wish.eviction_set = 0;
    wish.rename_or_adapter = 1;
    return mock_allocate(mock, &wish, handle);
}

/* ALLOC-015, ALLOC-053: what an adapter can ever take is its own affair. */
static void what_is_ever_large_enough_depends_on_the_adapter(void **state)
{
    struct mock_adapter mock;
    struct vidmm_property_args args = { .set_segments = true, .segments = 1 };
    struct vidmm_property_result result;
    vidmm_handle large;
    (void)state;
    prepare(&mock, HALF);
    mock_adapter_start(&mock);
    assert_int_equal(on_second(&mock, HALF + MOCK_PAGE, 1, &large),
                     STATUS_GRAPHICS_NO_VIDEO_MEMORY);
    mock_refused(&mock, RULE(ALLOC_015));
    assert_string_equal(vidmm_last_refusal(mock.adapter)->text,
                        "tex: no supported segment is ever large enough for 516 KiB: segment 1[1] "
                        "offers no more than 512 KiB");
    assert_int_equal(on_second(&mock, HALF + MOCK_PAGE, 2, &large), 0);
    args.allocation = large;
    assert_int_equal(vidmm_update_property(mock.adapter, &args, &result), STATUS_NO_MEMORY);
    mock_refused(&mock, RULE(ALLOC_053));
    mock_adapter_stop(&mock);

    prepare(&mock, 2 * MOCK_SEGMENT_BYTES);
    mock_adapter_start(&mock);
    assert_int_equal(on_second(&mock, 2 * MOCK_SEGMENT_BYTES, 1, &large), 0);
    assert_int_equal(vidmm_page_in(mock.adapter, large, true), 0);
    mock_adapter_stop(&mock);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_another_adapter_says_wrong_fails_the_start),
        cmocka_unit_test(what_is_mirrored_has_to_fit_into_the_smaller_segment),
        cmocka_unit_test(an_instance_has_the_segment_of_its_adapter),
        cmocka_unit_test(a_mirrored_overlay_lies_in_the_region_of_each_adapter),
        cmocka_unit_test(the_shortage_of_a_mirrored_overlay_is_that_of_the_common_region),
        cmocka_unit_test(what_is_ever_large_enough_depends_on_the_adapter),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
