/* SPDX-License-Identifier: MIT */
/*
 * test_mock_wrong.c: what the manager never asks of the mock: nodes and segments that there are
 * not, buffers that are too small, pictures in formats that no scenario has.
 */
#include <string.h>

#include "tests/support/unit.h"
#include "tests/vidmm/mock/mock_port.h"
#include "vidmm/base/base.h"
#include "vidmm/ddi/ntstatus.h"

enum { NODES = 2, WIDTH = 100, HEIGHT = 10 };

static struct port port;
static struct vidmm_mock_config config;
static struct vidmm_mock_segment segments[2];

static int setup(void **state)
{
    (void)state;
    port_config(&config, VIDMM_WDDM_2_0, segments);
    segments[0].invalid_count = 2;
    segments[0].invalid[0] = (DXGK_MEMORYRANGE){ 0x1000, 0x2000 };
    segments[0].invalid[1] = (DXGK_MEMORYRANGE){ 0x8000, 0x1000 };
    port_start(&port, &config);
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    port_stop(&port);
    return 0;
}

static void nodes_that_there_are_not(void **state)
{
    const DXGKARG_PREEMPTCOMMAND preempt = { .NodeOrdinal = NODES, .PreemptionFenceId = 1 };
    DXGKARG_QUERYENGINESTATUS status = { .NodeOrdinal = NODES };
    DXGKARG_RESETENGINE reset = { .NodeOrdinal = NODES };
    (void)state;
    assert_int_equal(port.ddi->DxgkDdiPreemptCommand(port.adapter, &preempt),
                     STATUS_INVALID_PARAMETER);
    assert_int_equal(port.ddi->DxgkDdiQueryEngineStatus(port.adapter, &status),
                     STATUS_INVALID_PARAMETER);
    assert_int_equal(port.ddi->DxgkDdiResetEngine(port.adapter, &reset), STATUS_INVALID_PARAMETER);
    assert_int_equal(port.fence_count, 0);
    status.NodeOrdinal = NODES - 1;
    assert_int_equal(port.ddi->DxgkDdiQueryEngineStatus(port.adapter, &status), STATUS_SUCCESS);
    assert_true(status.EngineStatus.Responsive);
}

static NTSTATUS query(DXGK_QUERYADAPTERINFOTYPE type, void *output, UINT bytes)
{
    const DXGKARG_QUERYADAPTERINFO arg = { .Type = type,
                                           .pOutputData = output,
                                           .OutputDataSize = bytes };
    return port.ddi->DxgkDdiQueryAdapterInfo(port.adapter, &arg);
}

static void answers_without_room(void **state)
{
    DXGK_PHYSICALADAPTERCAPS caps = { .NumExecutionNodes = 77 };
    (void)state;
    assert_int_equal(query(DXGKQAITYPE_PHYSICALADAPTERCAPS, &caps, sizeof caps - 1),
                     STATUS_INVALID_PARAMETER);
    assert_int_equal(caps.NumExecutionNodes, 77);
    assert_int_equal(query(DXGKQAITYPE_PHYSICALADAPTERCAPS, &caps, sizeof caps), STATUS_SUCCESS);
    assert_int_equal(caps.NumExecutionNodes, NODES);
}

static void broken_memory_of_a_segment(void **state)
{
    static const struct {
        USHORT segment;
        UINT room;
        NTSTATUS answer;
        UINT count, written;
    } cases[] = {
        { 0, 2, STATUS_INVALID_PARAMETER, 2, 0 }, { 3, 2, STATUS_INVALID_PARAMETER, 2, 0 },
        { 1, 0, STATUS_SUCCESS, 2, 0 },           { 1, 1, STATUS_SUCCESS, 2, 1 },
        { 1, 2, STATUS_SUCCESS, 2, 2 },           { 2, 2, STATUS_SUCCESS, 0, 0 },
    };
    (void)state;
    for (size_t i = 0; i < ARRAY_COUNT(cases); i++) {
        DXGK_MEMORYRANGE ranges[2] = { { 0 } };
        DXGK_SEGMENTMEMORYSTATE out = { .DriverSegmentId = cases[i].segment,
                                        .NumInvalidMemoryRanges = cases[i].room,
                                        .pMemoryRanges = ranges };
        assert_int_equal(query(DXGKQAITYPE_SEGMENTMEMORYSTATE, &out, sizeof out), cases[i].answer);
        assert_int_equal(out.NumInvalidMemoryRanges, cases[i].count);
        for (UINT k = 0; k < 2; k++)
            assert_int_equal(ranges[k].SizeInBytes,
                             k < cases[i].written ? segments[0].invalid[k].SizeInBytes : 0);
    }
}

static void presents_of_nothing(void **state)
{
    uint8_t buffer[256] = { 0 };
    DXGKARG_PRESENT arg = { .pDmaBuffer = buffer, .DmaSize = sizeof buffer };
    (void)state;
    assert_int_equal(port.ddi->DxgkDdiPresent(port.context, &arg), STATUS_INVALID_PARAMETER);
    arg.SubRectCnt = 2;
    arg.MultipassOffset = 3;
    assert_int_equal(port.ddi->DxgkDdiPresent(port.context, &arg), STATUS_INVALID_PARAMETER);
    assert_ptr_equal(arg.pDmaBuffer, buffer);
}

static void pixels_have_the_size_of_their_format(void **state)
{
    static const struct {
        D3DDDIFORMAT format;
        UINT bytes;
    } cases[] = {
        { D3DDDIFMT_UNKNOWN, 1 }, { D3DDDIFMT_A8, 1 },       { D3DDDIFMT_P8, 1 },
        { D3DDDIFMT_R5G6B5, 2 },  { D3DDDIFMT_X1R5G5B5, 2 }, { D3DDDIFMT_A1R5G5B5, 2 },
        { D3DDDIFMT_R8G8B8, 3 },  { D3DDDIFMT_X8R8G8B8, 4 }, { D3DDDIFMT_A16B16G16R16F, 8 },
    };
    (void)state;
    for (size_t i = 0; i < ARRAY_COUNT(cases); i++) {
        D3DKMDT_SHADOWSURFACEDATA shadow = { WIDTH, HEIGHT, cases[i].format, 0 };
        DXGKARG_GETSTANDARDALLOCATIONDRIVERDATA arg = {
            .StandardAllocationType = D3DKMDT_STANDARDALLOCATION_SHADOWSURFACE,
            .pCreateShadowSurfaceData = &shadow,
        };
        assert_int_equal(port.ddi->DxgkDdiGetStandardAllocationDriverData(port.adapter, &arg),
                         STATUS_SUCCESS);
        assert_int_equal(shadow.Pitch, align_up(WIDTH * cases[i].bytes, 64));
    }
}

/* What is written behind the end, and how far from the start the pointer is left. */
static void overruns_do_only_what_they_say(void **state)
{
    enum { BYTES = 64, EXCESS = 3 };
    static const struct {
        const char *mode;
        bool writes;
        int moves;
    } cases[] = {
        { "off", true, BYTES + EXCESS },
        { "bytes", true, BYTES },
        { "pointer", false, BYTES + EXCESS },
        { "back", false, -EXCESS },
    };
    struct vidmm_mock_switch_state *switches = vidmm_mock_switches(port.mock);
    (void)state;
    assert_true(vidmm_mock_switch_set(switches, "bpb-overrun", "3"));
    for (size_t i = 0; i < ARRAY_COUNT(cases); i++) {
        uint8_t buffer[BYTES + 2 * EXCESS] = { 0 };
        DXGKARG_BUILDPAGINGBUFFER arg = { .Operation = DXGK_OPERATION_FILL,
                                          .Fill.FillSize = 0x1000,
                                          .Fill.Destination.SegmentId = 1,
                                          .pDmaBuffer = buffer,
                                          .DmaSize = BYTES };
        assert_true(vidmm_mock_switch_set(switches, "overrun", cases[i].mode));
        assert_int_equal(port.ddi->DxgkDdiBuildPagingBuffer(port.adapter, &arg), STATUS_SUCCESS);
        assert_true((intptr_t)arg.pDmaBuffer - (intptr_t)buffer == cases[i].moves);
        for (int k = 0; k < 2 * EXCESS; k++)
            assert_int_equal(buffer[BYTES + k] != 0, cases[i].writes && k < EXCESS);
    }
}

static void words_that_there_are_not(void **state)
{
    (void)state;
    assert_null(vidmm_mock_switch_help(VIDMM_MOCK_SWITCH_COUNT));
    assert_null(vidmm_mock_switch_value(VIDMM_MOCK_SWITCH_COUNT));
    assert_int_equal(vidmm_mock_switch_moment(VIDMM_MOCK_SWITCH_COUNT), VIDMM_MOCK_AT_CALL);
    assert_int_equal(vidmm_mock_cap_value(&config, "NoSuchCap"), 0);
}

/* As a driver around the mock may do that keeps back what took the first one away. */
static void a_fence_given_twice_is_the_later_packet(void **state)
{
    uint32_t used = 0, first;
    DXGKARG_BUILDPAGINGBUFFER fill = { .Operation = DXGK_OPERATION_FILL,
                                       .Fill.FillSize = 0x1000,
                                       .Fill.Destination.SegmentId = 1 };
    (void)state;
    assert_int_equal(port_build(&port, &fill, &used), STATUS_SUCCESS);
    port_submit_paging(&port, 0, first = used, 1);
    fill.Fill.FillSize = 0x2000;
    assert_int_equal(port_build(&port, &fill, &used), STATUS_SUCCESS);
    port_submit_paging(&port, first, used, 1);
    port.call_count = 0;
    (void)port_run(&port, 1, 1);
    assert_int_equal(port.call_count, 1);
    assert_int_equal(port.calls[0].bytes, 0x2000);
}

/* Who stands in front of the mock may say that one has ended: nothing of it is done. */
static void a_packet_that_was_never_given(void **state)
{
    const struct vidmm_hardware *hardware = port.miniport->hardware;
    (void)state;
    hardware->finish(hardware->self, 1, 1);
    assert_int_equal(port.call_count, 0);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
    const struct CMUnitTest tests[] = {
        TEST(nodes_that_there_are_not),
        TEST(answers_without_room),
        TEST(broken_memory_of_a_segment),
        TEST(presents_of_nothing),
        TEST(pixels_have_the_size_of_their_format),
        TEST(overruns_do_only_what_they_say),
        TEST(words_that_there_are_not),
        TEST(a_fence_given_twice_is_the_later_packet),
        TEST(a_packet_that_was_never_given),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
