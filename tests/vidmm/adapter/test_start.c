/* SPDX-License-Identifier: MIT */
/* test_start.c: reports of the miniport, and their consequences: caps_start.c, segments_*.c. */
#include <string.h>

#include "tests/support/mock_front.h"
#include "tests/support/unit.h"
#include "tests/vidmm/adapter/start_fixture.h"
#include "vidmm/ddi/ntstatus.h"

/* ---- an adapter that starts -------------------------------------------------------------------
 */

static void start_asks_in_order(void **state)
{
    static const struct {
        uint32_t wddm;
        const char *trace;
    } rows[] = {
        { 11, "driver-call-1 driver-call-2 driver-call-2 report-segment-1 report-segment-2 " },
        { 13, "driver-call-1 finding driver-call-5 driver-call-5 report-segment-1 " },
        { 20, "driver-call-1 driver-call-11 driver-call-11 report-segment-1 report-segment-2 "
              "driver-call-15 " },
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct fixture *fixture = fixture_new(rows[i].wddm);
        if (rows[i].wddm == 13)
            fixture_cap(fixture, "SupportNonVGA", 0); /* only reported: MINI-025 */
        assert_int_equal(fixture_start(fixture), STATUS_SUCCESS);
        assert_memory_equal(fixture->trace, rows[i].trace, strlen(rows[i].trace));
        assert_int_equal(vidmm_rule_uses(fixture->adapter, VIDMM_RULE(MINI_025)),
                         rows[i].wddm == 13);
        fixture_free(fixture);
    }
}

static void segments_are_taken_over(void **state)
{
    struct fixture *fixture = fixture_new(11);
    struct vidmm_segment_view view;
    struct vidmm_adapter_view all;
    uint64_t first, end;
    (void)state;
    fixture->config.segment_names[1] = "vram";
    fixture->segments[0].flags |= 0x8;
    fixture->segments[0].bank_count = 2;
    fixture->segments[0].banks[0] = 64 * MIB;
    fixture->segments[0].bank_ends = 1;
    fixture->segments[1].commit_limit = 16 * MIB;
    assert_int_equal(fixture_start(fixture), STATUS_SUCCESS);
    assert_int_equal(vidmm_segment_count(fixture->adapter), 2);

    assert_true(vidmm_segment_view(fixture->adapter, 1, &view));
    assert_string_equal(view.name, "vram");
    assert_string_equal(view.kind, "memory");
    assert_int_equal(view.bytes, 256 * MIB);
    assert_int_equal(view.limit, 256 * MIB);
    assert_int_equal(view.cpu_base, UINT64_C(0x1000000000));
    assert_int_equal(view.banks, 2);
    assert_true(vidmm_segment_bank(fixture->adapter, 1, 1, &first, &end));
    assert_int_equal(first, 64 * MIB);
    assert_int_equal(end, 256 * MIB);

    assert_true(vidmm_segment_view(fixture->adapter, 2, &view));
    assert_string_equal(view.name, "segment 2");
    assert_string_equal(view.kind, "aperture");
    assert_int_equal(view.base, GIB);
    assert_int_equal(view.limit, 16 * MIB);
    assert_int_equal(view.used, 0);

    vidmm_adapter_view(fixture->adapter, &all);
    assert_int_equal(all.dedicated_video, 256 * MIB);
    assert_int_equal(all.dedicated_system, 0);
    assert_int_equal(all.shared_limit, 16 * MIB);
    assert_int_equal(all.paging_node, 1);
    assert_int_equal(all.findings, 0);
    fixture_free(fixture);
}

/* SEG-072 to SEG-076: the bytes that the apertures may map together. */
static void memory_report(void **state)
{
    static const struct {
        uint64_t memory, cap, from_system, shared, dedicated_system;
    } rows[] = {
        { 96 * MIB, 0, 0, 64 * MIB, 0 },             /* half, but at least 64 MiB */
        { 100 * MIB, 0, 0, 64 * MIB, 0 },            /* the aperture is the limit */
        { 8ull * GIB, 32 * MIB, 0, 32 * MIB, 0 },    /* ApertureSegmentCommitLimit */
        { 600 * MIB, 0, 0x40, 44 * MIB, 256 * MIB }, /* the other segment takes its part */
        { 512 * MIB, 0, 0x40, 0, 256 * MIB },        /* all of it */
        { 400 * MIB, 0, 0x40, 0, 200 * MIB },        /* more than there is: SEG-074 */
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct fixture *fixture = fixture_new(11);
        struct vidmm_adapter_view view;
        fixture->config.machine.memory_bytes = rows[i].memory;
        fixture->segments[0].flags |= (uint32_t)rows[i].from_system;
        fixture_cap(fixture, "ApertureSegmentCommitLimit", rows[i].cap);
        assert_int_equal(fixture_start(fixture), STATUS_SUCCESS);
        vidmm_adapter_view(fixture->adapter, &view);
        assert_int_equal(view.shared_limit, rows[i].shared);
        assert_int_equal(view.dedicated_system, rows[i].dedicated_system);
        assert_int_equal(view.dedicated_video, rows[i].from_system ? 0 : 256 * MIB);
        assert_int_equal(view.findings, rows[i].memory == 400 * MIB);
        struct vidmm_memory_report report;
        vidmm_memory_report(fixture->adapter, &report);
        assert_int_equal(report.system, rows[i].memory);
        assert_int_equal(report.shared, rows[i].shared);
        assert_int_equal(report.max_shared, report.available - rows[i].dedicated_system);
        assert_int_equal(report.total,
                         view.dedicated_video + rows[i].dedicated_system + rows[i].shared);
        fixture_free(fixture);
    }
}

/* SEG-052: bottom-up, one after the other, before anything else. */
static void paging_buffers_take_their_place(void **state)
{
    struct fixture *fixture = fixture_new(11);
    struct vidmm_segment_span spans[8];
    char problem[240];
    (void)state;
    fixture->mock_config.paging_buffer_segment = 2;
    fixture->mock_config.paging_buffer_bytes = 5000;
    assert_int_equal(fixture_start(fixture), STATUS_SUCCESS);
    assert_int_equal(vidmm_segment_map(fixture->adapter, 2, spans, 8), 5);
    for (uint32_t i = 0; i < 4; i++) {
        assert_string_equal(spans[i].what, "paging-buffer");
        assert_int_equal(spans[i].offset, i * 8192);
        assert_int_equal(spans[i].bytes, 8192);
    }
    assert_non_null(strstr(fixture->trace, "place-2 place-2 place-2 place-2 "));
    if (!vidmm_check(fixture->adapter, problem, sizeof problem))
        fail_msg("%s", problem);
    fixture_free(fixture);
}

/* MINI-016: asked once for the segment that announced ranges. */
static void nothing_lies_on_broken_memory(void **state)
{
    struct fixture *fixture = fixture_new(20);
    struct vidmm_segment_span spans[8];
    char problem[240];
    (void)state;
    fixture->segments[0].flags |= 0x800;
    fixture->segments[0].invalid_count = 2;
    fixture->segments[0].invalid[0] = (DXGK_MEMORYRANGE){ 0x100000, 0x20000 };
    fixture->segments[0].invalid[1] = (DXGK_MEMORYRANGE){ 0, 0x10000 };
    fixture_switch(fixture, "stride", "200");
    assert_int_equal(fixture_start(fixture), STATUS_SUCCESS);
    assert_int_equal(vidmm_segment_map(fixture->adapter, 1, spans, 8), 4);
    assert_int_equal(spans[0].bytes, 0x10000);
    assert_int_equal(spans[2].offset, 0x100000);
    assert_int_equal(spans[2].bytes, 0x20000);
    assert_string_equal(spans[0].what, "reserved");
    assert_string_equal(spans[2].what, "reserved");
    assert_non_null(strstr(fixture->trace, "driver-call-12 place-1 place-1 "));
    if (!vidmm_check(fixture->adapter, problem, sizeof problem))
        fail_msg("%s", problem);
    fixture_free(fixture);
}

/* Bits that a rule ignores are gone afterwards. */
static void ignored_bits_are_gone(void **state)
{
    struct fixture *fixture = fixture_new(11);
    struct vidmm_segment_view view;
    (void)state;
    fixture->segments[0].flags |= 0x10;
    fixture->segments[1].flags |= 0x40;
    fixture->segments[1].commit_limit = 65 * MIB;
    assert_int_equal(fixture_start(fixture), STATUS_SUCCESS);
    assert_true(vidmm_segment_view(fixture->adapter, 1, &view));
    assert_int_equal(view.flags, 0x4);
    assert_true(vidmm_segment_view(fixture->adapter, 2, &view));
    assert_int_equal(view.flags, 0x1);
    assert_int_equal(view.limit, 64 * MIB);
    fixture_free(fixture);
}

static void up_to_31_segments(void **state)
{
    struct fixture *fixture = fixture_new(11);
    (void)state;
    for (uint32_t i = 0; i < 31; i++)
        fixture->segments[i] = (struct vidmm_mock_segment){
            .flags = 0x4,
            .base = (uint64_t)i * GIB,
            .size = GIB,
        };
    fixture->mock_config.segment_count = 31;
    assert_int_equal(fixture_start(fixture), STATUS_SUCCESS);
    assert_int_equal(vidmm_segment_count(fixture->adapter), 31);
    fixture_free(fixture);
}

static SIZE_T stride;

/* The descriptors of the mock, so far apart. */
static NTSTATUS query_apart(IN_CONST_HANDLE adapter, IN_CONST_PDXGKARG_QUERYADAPTERINFO arg)
{
    NTSTATUS answer = mock_front.real.DxgkDdiQueryAdapterInfo(adapter, arg);
    DXGK_QUERYSEGMENTOUT4 *out = arg->pOutputData;
    if (arg->Type != DXGKQAITYPE_QUERYSEGMENT4 || !out->pSegmentDescriptor)
        return answer;
    const SIZE_T own = out->SegmentDescriptorStride;
    for (UINT i = out->NbSegment; stride > own && stride <= 4096 && --i;)
        memmove(out->pSegmentDescriptor + i * stride, out->pSegmentDescriptor + i * own, own);
    out->SegmentDescriptorStride = stride;
    return answer;
}

static void strides(DRIVER_INITIALIZATION_DATA *table)
{
    mock_front_stand(table);
    table->DxgkDdiQueryAdapterInfo = query_apart;
}

/* SEG-003: descriptors that overlap, or that are too far apart. */
static void descriptors_are_apart(void **state)
{
    enum { size = sizeof(DXGK_SEGMENTDESCRIPTOR4) };
    static const SIZE_T cases[] = { 0, size - 1, size, 4096, 4097 };
    struct mock_adapter mock;
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        bool possible = cases[i] >= size && cases[i] <= 4096;
        mock_adapter_init(&mock, VIDMM_WDDM_2_0);
        mock.hook = strides;
        stride = cases[i];
        mock_adapter_prepare(&mock);
        assert_int_equal(vidmm_adapter_start(&mock.config, &mock.adapter),
                         possible ? 0 : STATUS_INVALID_PARAMETER);
        if (possible)
            assert_int_equal(vidmm_segment_count(mock.adapter), 2);
        else
            mock_refused(&mock, VIDMM_RULE(SEG_003));
        mock_adapter_free(&mock);
    }
}

static uint64_t came_at, left_at; /* segment addresses of a fill, and of a transfer to pages */

/* The first segment of adapter 1 has another base. */
static NTSTATUS query_elsewhere(IN_CONST_HANDLE adapter, IN_CONST_PDXGKARG_QUERYADAPTERINFO arg)
{
    NTSTATUS answer = mock_front.real.DxgkDdiQueryAdapterInfo(adapter, arg);
    const DXGK_QUERYSEGMENTIN4 *in = arg->pInputData;
    const DXGK_QUERYSEGMENTOUT4 *out = arg->pOutputData;
    if (arg->Type == DXGKQAITYPE_QUERYSEGMENT4 && in->PhysicalAdapterIndex &&
        out->pSegmentDescriptor)
        ((DXGK_SEGMENTDESCRIPTOR4 *)(void *)out->pSegmentDescriptor)->BaseAddress.QuadPart = GIB;
    return answer;
}

static NTSTATUS build_elsewhere(IN_CONST_HANDLE adapter, IN_PDXGKARG_BUILDPAGINGBUFFER arg)
{
    if (arg->Operation == DXGK_OPERATION_FILL)
        came_at = (uint64_t)arg->Fill.Destination.SegmentAddress.QuadPart;
    if (arg->Operation == DXGK_OPERATION_TRANSFER)
        left_at = (uint64_t)arg->Transfer.Source.SegmentAddress.QuadPart;
    return mock_front.real.DxgkDdiBuildPagingBuffer(adapter, arg);
}

static void lies_elsewhere(DRIVER_INITIALIZATION_DATA *table)
{
    mock_front_stand(table);
    table->DxgkDdiQueryAdapterInfo = query_elsewhere;
    table->DxgkDdiBuildPagingBuffer = build_elsewhere;
}

/* SEG-020: base and offset, on each adapter of a link its own. */
static void addresses_are_those_of_the_adapter(void **state)
{
    struct mock_adapter mock;
    vidmm_handle handle;
    (void)state;
    mock_adapter_init(&mock, VIDMM_WDDM_2_0);
    mock.config.link_adapters = 2;
    mock.hook = lies_elsewhere;
    mock_adapter_start(&mock);
    struct vidmm_mock_allocation wish = mock_wish(MOCK_PAGE);
    wish.rename_or_adapter = 1;
    wish.flags = VIDMM_ALLOCATION2_0_AccessedPhysically;
    wish.fills_wddm2 = true;
    assert_int_equal(mock_allocate(&mock, &wish, &handle), 0);
    assert_int_equal(vidmm_page_in(mock.adapter, handle, true), 0);
    assert_int_equal(came_at, GIB);
    assert_int_equal(mock_use(&mock, handle, true, (struct vidmm_mock_command){ 0 }, NULL), 0);
    assert_int_equal(vidmm_evict(mock.adapter, handle), 0);
    assert_int_equal(left_at, GIB);
    mock_adapter_stop(&mock);
}

static UINT most_segments;

static NTSTATUS query(IN_CONST_HANDLE adapter, IN_CONST_PDXGKARG_QUERYADAPTERINFO arg)
{
    NTSTATUS answer = mock_front.real.DxgkDdiQueryAdapterInfo(adapter, arg);
    DXGK_QUERYSEGMENTOUT *out = arg->pOutputData;
    if (arg->Type == DXGKQAITYPE_QUERYSEGMENT)
        out->NbSegment = most_segments;
    return answer;
}

static unsigned contexts; /* that the driver has */

static NTSTATUS create_context(IN_CONST_HANDLE device, INOUT_PDXGKARG_CREATECONTEXT arg)
{
    contexts++;
    return mock_front.real.DxgkDdiCreateContext(device, arg);
}

static NTSTATUS destroy_context(IN_CONST_HANDLE context)
{
    assert_true(contexts--);
    return mock_front.real.DxgkDdiDestroyContext(context);
}

static void has_fewer_segments(DRIVER_INITIALIZATION_DATA *table)
{
    mock_front_stand(table);
    table->DxgkDdiQueryAdapterInfo = query;
    table->DxgkDdiCreateContext = create_context;
    table->DxgkDdiDestroyContext = destroy_context;
}

/* Everything that follows from the answers of the miniport follows from the new ones. */
static void another_start_may_find_other_segments(void **state)
{
    static const UINT counts[] = { 2, 1, 2 };
    struct mock_adapter mock;
    (void)state;
    most_segments = counts[0];
    mock_front_start(&mock, VIDMM_WDDM_1_1, has_fewer_segments);
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        struct vidmm_segment_view view;
        struct vidmm_adapter_view all;
        most_segments = counts[i];
        if (i) {
            assert_int_equal(vidmm_pnp_stop(mock.adapter), 0);
            assert_int_equal(vidmm_pnp_start(mock.adapter), 0);
            assert_int_equal(vidmm_device_create(mock.adapter, "d", mock.process, &mock.device), 0);
        }
        assert_int_equal(vidmm_segment_count(mock.adapter), counts[i]);
        assert_int_equal(vidmm_segment_view(mock.adapter, 2, &view), counts[i] == 2);
        vidmm_adapter_view(mock.adapter, &all);
        assert_int_equal(all.shared_limit, counts[i] == 2 ? MOCK_SEGMENT_BYTES : 0);
        struct vidmm_mock_allocation wish = mock_wish(MOCK_PAGE);
        wish.read_set = wish.write_set = counts[i]; /* the last one */
        wish.eviction_set = 0;
        vidmm_handle handle;
        assert_int_equal(mock_allocate(&mock, &wish, &handle), 0);
        assert_int_equal(vidmm_page_in(mock.adapter, handle, false), 0);
        assert_int_equal(vidmm_wait_idle(mock.adapter), 0);
        assert_int_equal(mock_view(&mock, handle).segment, counts[i]);
        assert_true(vidmm_segment_view(mock.adapter, counts[i], &view));
        assert_int_equal(view.used, MOCK_PAGE);
        mock_adapter_check(&mock);
    }
    most_segments = 0;
    assert_int_equal(vidmm_pnp_stop(mock.adapter), 0);
    assert_int_not_equal(vidmm_pnp_start(mock.adapter), 0);
    assert_int_equal(vidmm_segment_count(mock.adapter), 0);
    most_segments = counts[0];
    assert_int_equal(vidmm_pnp_start(mock.adapter), 0);
    assert_int_equal(vidmm_segment_count(mock.adapter), counts[0]);
    mock_adapter_stop(&mock);
}

/* BUG-050: not even where a start was it. */
static void nothing_follows_the_last_finding(void **state)
{
    struct mock_adapter mock;
    (void)state;
    mock_adapter_init(&mock, VIDMM_WDDM_1_1);
    mock.config.settings.value[VIDMM_SETTING_FINDINGS] = 1;
    mock_adapter_start(&mock);
    struct vidmm_mock_switch_state *switches = vidmm_mock_switches(mock.mock);
    const struct vidmm_lock_args lock = { .device = mock.device, .allocation = mock_make(&mock) };
    struct vidmm_lock_result seen;
    assert_int_equal(vidmm_pnp_stop(mock.adapter), 0);
    assert_true(vidmm_mock_switch_set(switches, "first-query-writes", NULL));
    assert_int_equal(vidmm_pnp_start(mock.adapter), STATUS_DEVICE_REMOVED);
    assert_true(vidmm_mock_switch_set(switches, "first-query-writes", "off"));
    const uint64_t starts = mock.events[VIDMM_EVENT_START_ADAPTER];
    assert_int_equal(vidmm_pnp_start(mock.adapter), STATUS_DEVICE_REMOVED);
    assert_int_equal(mock.events[VIDMM_EVENT_START_ADAPTER], starts);
    mock_refused(&mock, mock.finding_rule);
    assert_int_equal(vidmm_lock(mock.adapter, &lock, &seen), STATUS_DEVICE_REMOVED);
    mock_refused(&mock, mock.finding_rule); /* it has stopped, and is not only gone */
    mock_adapter_free(&mock);
}

static NTSTATUS refuse_first(IN_CONST_HANDLE device, INOUT_PDXGKARG_CREATECONTEXT arg)
{
    return contexts++ ? mock_front.real.DxgkDdiCreateContext(device, arg) : STATUS_NO_MEMORY;
}

static void refuses_first(DRIVER_INITIALIZATION_DATA *table)
{
    mock_front_stand(table);
    table->DxgkDdiCreateContext = refuse_first;
}

/* MINI-022: of each adapter in a link. */
static void no_start_without_the_first_of_the_contexts(void **state)
{
    struct mock_adapter mock;
    (void)state;
    contexts = 0;
    mock_adapter_init(&mock, VIDMM_WDDM_1_1);
    mock.hook = refuses_first;
    mock.config.link_adapters = 2;
    mock_adapter_prepare(&mock);
    assert_int_equal(vidmm_adapter_start(&mock.config, &mock.adapter), STATUS_NO_MEMORY);
    assert_int_equal(contexts, 1);
    mock_adapter_free(&mock);
}

static NTSTATUS create_device(IN_CONST_HANDLE adapter, INOUT_PDXGKARG_CREATEDEVICE arg)
{
    static DXGK_DEVICEINFO info = { .DmaBufferSegmentSet = 0x1 }; /* memory */
    NTSTATUS answer = mock_front.real.DxgkDdiCreateDevice(adapter, arg);
    arg->pInfo = &info;
    return answer;
}

static void tells_of_buffers(DRIVER_INITIALIZATION_DATA *table)
{
    mock_front_stand(table);
    table->DxgkDdiCreateDevice = create_device;
}

/* SEG-054: a driver with contexts says it of each of them, and nothing of a device. */
static void buffers_of_a_device_with_contexts(void **state)
{
    struct mock_adapter mock;
    (void)state;
    mock_front_start(&mock, VIDMM_WDDM_1_1, tells_of_buffers);
    mock_adapter_stop(&mock);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(start_asks_in_order),
        cmocka_unit_test(segments_are_taken_over),
        cmocka_unit_test(memory_report),
        cmocka_unit_test(paging_buffers_take_their_place),
        cmocka_unit_test(nothing_lies_on_broken_memory),
        cmocka_unit_test(ignored_bits_are_gone),
        cmocka_unit_test(up_to_31_segments),
        cmocka_unit_test(descriptors_are_apart),
        cmocka_unit_test(addresses_are_those_of_the_adapter),
        cmocka_unit_test(another_start_may_find_other_segments),
        cmocka_unit_test(nothing_follows_the_last_finding),
        cmocka_unit_test(no_start_without_the_first_of_the_contexts),
        cmocka_unit_test(buffers_of_a_device_with_contexts),
    };
    return cmocka_run_group_tests_name("start", tests, NULL, NULL);
}
