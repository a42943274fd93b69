/* SPDX-License-Identifier: MIT */
/*
 * test_mock_gpu.c: the commands that the mock miniport writes, and their execution by its chip.
 * Worked sequence 7 of the paging catalogue gives the numbers of the multipass test.
 */
#include <stdlib.h>
#include <string.h>

#include "tests/support/unit.h"
#include "tests/vidmm/mock/mock_port.h"

static const MDL mdl; /* never read */
enum { SOME_ALLOCATION = 0x1000 };

struct fixture {
    struct port port;
    struct vidmm_mock_config config;
    struct vidmm_mock_segment segments[2];
    uint32_t used, fence;
};

static struct fixture *set_up(void)
{
    struct fixture *fixture = calloc(1, sizeof *fixture);
    assert_non_null(fixture);
    port_config(&fixture->config, 11, fixture->segments);
    return fixture;
}

static void tear_down(struct fixture *fixture)
{
    port_stop(&fixture->port);
    free(fixture);
}

/* ---- paging operations ----------------------------------------------------------------------- */

static DXGKARG_BUILDPAGINGBUFFER page_in(uint64_t bytes)
{
    DXGKARG_BUILDPAGINGBUFFER arg = { .Operation = DXGK_OPERATION_TRANSFER };
    arg.Transfer.hAllocation = (HANDLE)(uintptr_t)SOME_ALLOCATION;
    arg.Transfer.TransferOffset = 0x2000;
    arg.Transfer.TransferSize = bytes;
    arg.Transfer.Source.pMdl = (MDL *)(uintptr_t)&mdl;
    arg.Transfer.MdlOffset = 2;
    arg.Transfer.Destination.SegmentId = 1;
    arg.Transfer.Destination.SegmentAddress.QuadPart = 0x400000;
    arg.Transfer.Flags.Value = 0x18;
    return arg;
}

static DXGKARG_BUILDPAGINGBUFFER page_out(uint64_t bytes)
{
    DXGKARG_BUILDPAGINGBUFFER arg = page_in(bytes);
    arg.Transfer.Destination.pMdl = (MDL *)(uintptr_t)&mdl;
    arg.Transfer.Destination.SegmentId = 0;
    arg.Transfer.Source.SegmentId = 1;
    arg.Transfer.Source.SegmentAddress.QuadPart = 0x400000;
    return arg;
}

static DXGKARG_BUILDPAGINGBUFFER filling(uint64_t bytes)
{
    DXGKARG_BUILDPAGINGBUFFER arg = { .Operation = DXGK_OPERATION_FILL };
    arg.Fill.FillSize = bytes;
    arg.Fill.FillPattern = 0x55AA;
    arg.Fill.Destination.SegmentId = 1;
    arg.Fill.Destination.SegmentAddress.QuadPart = 0x10000;
    return arg;
}

static DXGKARG_BUILDPAGINGBUFFER mapping(bool unmap)
{
    DXGKARG_BUILDPAGINGBUFFER arg = { .Operation = DXGK_OPERATION_MAP_APERTURE_SEGMENT };
    if (unmap) {
        arg.Operation = DXGK_OPERATION_UNMAP_APERTURE_SEGMENT;
        arg.UnmapApertureSegment.SegmentId = 2;
        arg.UnmapApertureSegment.OffsetInPages = 5;
        arg.UnmapApertureSegment.NumberOfPages = 3;
        arg.UnmapApertureSegment.DummyPage.QuadPart = 0x9000;
    } else {
        arg.MapApertureSegment.SegmentId = 2;
        arg.MapApertureSegment.OffsetInPages = 5;
        arg.MapApertureSegment.NumberOfPages = 3;
        arg.MapApertureSegment.pMdl = (MDL *)(uintptr_t)&mdl;
        arg.MapApertureSegment.MdlOffset = 7;
    }
    return arg;
}

static NTSTATUS build(struct fixture *fixture, DXGKARG_BUILDPAGINGBUFFER arg)
{
    return port_build(&fixture->port, &arg, &fixture->used);
}

/* Submits everything built so far, runs it, and starts a new buffer. */
static vidmm_ns run_all(struct fixture *fixture)
{
    fixture->port.call_count = 0;
    fixture->port.charges = 0;
    port_submit_paging(&fixture->port, 0, fixture->used, ++fixture->fence);
    fixture->used = 0;
    return port_run(&fixture->port, 1, fixture->fence);
}

static void each_operation_is_one_command(void **state)
{
    struct fixture *fixture = set_up();
    struct port *port = &fixture->port;
    DXGKARG_BUILDPAGINGBUFFER discard = { .Operation = DXGK_OPERATION_DISCARD_CONTENT };
    (void)state;
    port_start(port, &fixture->config);
    assert_int_equal(build(fixture, page_in(0x3000)), STATUS_SUCCESS);
    assert_int_equal(fixture->used, 32);
    assert_int_equal(build(fixture, discard), STATUS_SUCCESS);
    assert_int_equal(build(fixture, page_out(0)), STATUS_SUCCESS);
    assert_int_equal(fixture->used, 32);
    assert_int_equal(build(fixture, page_out(0x1000)), STATUS_SUCCESS);
    assert_int_equal(build(fixture, filling(0x4000)), STATUS_SUCCESS);
    assert_int_equal(build(fixture, mapping(false)), STATUS_SUCCESS);
    assert_int_equal(build(fixture, mapping(true)), STATUS_SUCCESS);
    assert_int_equal(fixture->used, 5 * 32);

    assert_int_equal(run_all(fixture), 5 * 1000 + 0x3000 + 0x1000 + 0x4000 + 2 * 0x3000);
    assert_int_equal(port->call_count, 5);
    const struct port_call *call = port->calls;
    assert_int_equal(call[0].kind, PORT_COPY);
    assert_ptr_equal(call[0].from.mdl, &mdl);
    assert_int_equal(call[0].from.mdl_page, 2);
    assert_int_equal(call[0].to.segment, 1);
    assert_int_equal(call[0].to.address, 0x402000);
    assert_int_equal(call[0].bytes, 0x3000);
    assert_ptr_equal(call[1].to.mdl, &mdl);
    assert_int_equal(call[1].to.mdl_page, 2);
    assert_int_equal(call[1].from.address, 0x402000);
    assert_int_equal(call[2].kind, PORT_FILL);
    assert_int_equal(call[2].to.address, 0x10000);
    assert_int_equal(call[2].pattern, 0x55AA);
    assert_int_equal(call[3].kind, PORT_MAP);
    assert_int_equal(call[3].segment, 2);
    assert_int_equal(call[3].first, 5);
    assert_int_equal(call[3].pages, 3);
    assert_ptr_equal(call[3].mdl, &mdl);
    assert_int_equal(call[3].mdl_page, 7);
    assert_int_equal(call[4].kind, PORT_UNMAP);
    assert_int_equal(call[4].first, 5);
    assert_int_equal(call[4].dummy, 9);
    tear_down(fixture);
}

/* Sequence 7: 4,096 pages of 32 bytes each, 2,048 of which fit into a buffer. */
static void multipass_counts_pages(void **state)
{
    struct fixture *fixture = set_up();
    struct port *port = &fixture->port;
    DXGKARG_BUILDPAGINGBUFFER arg = page_in(0x1000000);
    (void)state;
    assert_true(vidmm_mock_cap_set(&fixture->config, "command-per-page", 32));
    port_start(port, &fixture->config);
    assert_int_equal(port_build(port, &arg, &fixture->used),
                     STATUS_GRAPHICS_INSUFFICIENT_DMA_BUFFER);
    assert_int_equal(fixture->used, 65536);
    assert_int_equal(arg.MultipassOffset, 2048);
    assert_int_equal(run_all(fixture), 1000 + 0x800000);
    assert_int_equal(port->charges, 1);
    assert_int_equal(port->call_count, 1);
    assert_int_equal(port->calls[0].bytes, 0x800000);
    assert_int_equal(port->calls[0].to.address, 0x402000);

    assert_int_equal(port_build(port, &arg, &fixture->used), STATUS_SUCCESS);
    assert_int_equal(fixture->used, 65536);
    assert_int_equal(run_all(fixture), 1000 + 0x800000);
    assert_int_equal(port->calls[0].to.address, 0x402000 + 0x800000);
    assert_int_equal(port->calls[0].from.mdl_page, 2 + 2048);

    /* Two operations that happen to touch are two all the same. */
    DXGKARG_BUILDPAGINGBUFFER next = page_in(0x1000);
    next.Transfer.TransferOffset = 0x3000;
    next.Transfer.MdlOffset = 3;
    assert_int_equal(build(fixture, page_in(0x1000)), STATUS_SUCCESS);
    assert_int_equal(build(fixture, next), STATUS_SUCCESS);
    (void)run_all(fixture);
    assert_int_equal(port->charges, 2);
    tear_down(fixture);
}

/* Whatever the operation: pieces of `space` bytes do the same as the whole. */
static void space_divides_every_operation(void **state)
{
    struct fixture *fixture = set_up();
    struct port *port = &fixture->port;
    DXGKARG_BUILDPAGINGBUFFER operations[] = { page_out(0x3000), filling(0x3000), mapping(false),
                                               mapping(true) };
    (void)state;
    port_switch(&fixture->config, "space", "64");
    assert_true(vidmm_mock_cap_set(&fixture->config, "command-size", 48));
    assert_true(vidmm_mock_cap_set(&fixture->config, "command-per-page", 20));
    port_start(port, &fixture->config);
    for (size_t i = 0; i < 4; i++) {
        assert_int_equal(port_build(port, &operations[i], &fixture->used),
                         STATUS_GRAPHICS_INSUFFICIENT_DMA_BUFFER);
        assert_int_equal(fixture->used, 64);
        assert_int_equal(operations[i].MultipassOffset, 2);
        assert_int_equal(port_build(port, &operations[i], &fixture->used), STATUS_SUCCESS);
        assert_int_equal(fixture->used, 96);
        (void)run_all(fixture);
        assert_int_equal(port->charges, 2);
        assert_int_equal(port->call_count, 2);
    }
    assert_int_equal(port->calls[0].kind, PORT_UNMAP);
    assert_int_equal(port->calls[0].pages, 2);
    assert_int_equal(port->calls[1].first, 7);
    assert_int_equal(port->calls[1].dummy, 9);
    tear_down(fixture);
}

static void a_full_buffer_is_left_alone(void **state)
{
    struct fixture *fixture = set_up();
    DXGKARG_BUILDPAGINGBUFFER arg = filling(0x1000);
    (void)state;
    assert_true(vidmm_mock_cap_set(&fixture->config, "command-size", 40));
    port_start(&fixture->port, &fixture->config);
    arg.pDmaBuffer = fixture->port.buffer;
    arg.DmaSize = 39;
    assert_int_equal(fixture->port.ddi->DxgkDdiBuildPagingBuffer(fixture->port.adapter, &arg),
                     STATUS_GRAPHICS_INSUFFICIENT_DMA_BUFFER);
    assert_ptr_equal(arg.pDmaBuffer, fixture->port.buffer);
    assert_int_equal(arg.MultipassOffset, 0);
    assert_int_equal(fixture->port.buffer[0], 0);
    assert_int_equal(build(fixture, filling(0x1000)), STATUS_SUCCESS);
    assert_int_equal(fixture->used, 40);
    tear_down(fixture);
}

static void private_data_counts_uses(void **state)
{
    struct fixture *fixture = set_up();
    struct port *port = &fixture->port;
    uint32_t uses[2] = { 0, 0 };
    (void)state;
    port_start(port, &fixture->config);
    for (uint32_t i = 1; i <= 3; i++) {
        DXGKARG_BUILDPAGINGBUFFER arg = filling(0x1000);
        arg.pDmaBufferPrivateData = uses;
        arg.DmaBufferPrivateDataSize = 4;
        assert_int_equal(port_build(port, &arg, &fixture->used), STATUS_SUCCESS);
        assert_ptr_equal(arg.pDmaBufferPrivateData, &uses[1]);
        assert_int_equal(uses[0], i);
        arg.DmaBufferPrivateDataSize = 0;
        assert_int_equal(port_build(port, &arg, &fixture->used), STATUS_SUCCESS);
        assert_ptr_equal(arg.pDmaBufferPrivateData, &uses[1]);
        assert_int_equal(uses[1], 0);
    }
    tear_down(fixture);
}

static void mmio_changes_apertures_at_once(void **state)
{
    struct fixture *fixture = set_up();
    struct port *port = &fixture->port;
    (void)state;
    fixture->config.aperture_mmio = true;
    port_start(port, &fixture->config);
    assert_int_equal(build(fixture, mapping(false)), STATUS_SUCCESS);
    assert_int_equal(fixture->used, 0);
    assert_int_equal(port->call_count, 1);
    assert_int_equal(port->calls[0].kind, PORT_MAP);
    assert_int_equal(port->spent, 1000 + 0x3000);
    tear_down(fixture);
}

static void busy_until_idle(void **state)
{
    struct fixture *fixture = set_up();
    DXGKARG_BUILDPAGINGBUFFER raw = page_in(0x1000);
    DXGKARG_BUILDPAGINGBUFFER idle = page_in(0x1000);
    DXGKARG_BUILDPAGINGBUFFER discard = { .Operation = DXGK_OPERATION_DISCARD_CONTENT };
    (void)state;
    port_switch(&fixture->config, "busy", "always-first");
    port_start(&fixture->port, &fixture->config);
    raw.Transfer.hAllocation = NULL;
    idle.Transfer.Flags.AllocationIsIdle = 1;
    discard.DiscardContent.hAllocation = (HANDLE)(uintptr_t)SOME_ALLOCATION;
    assert_int_equal(build(fixture, page_in(0x1000)), STATUS_GRAPHICS_ALLOCATION_BUSY);
    assert_int_equal(build(fixture, discard), STATUS_GRAPHICS_ALLOCATION_BUSY);
    assert_int_equal(fixture->used, 0);
    assert_int_equal(build(fixture, raw), STATUS_SUCCESS);
    assert_int_equal(build(fixture, idle), STATUS_SUCCESS);
    assert_int_equal(build(fixture, filling(0x1000)), STATUS_SUCCESS);
    discard.DiscardContent.Flags.AllocationIsIdle = 1;
    assert_int_equal(build(fixture, discard), STATUS_SUCCESS);
    /* MINI-065: without an allocation the bytes go over as they are, page by page. */
    (void)run_all(fixture);
    assert_int_equal(fixture->port.calls[0].from.mdl_page, 2);
    assert_int_equal(fixture->port.calls[0].to.address, 0x402000);
    assert_int_equal(fixture->port.calls[0].bytes, 0x1000);
    tear_down(fixture);
}

/* ---- paging, spoiled ------------------------------------------------------------------------- */

static void spoiled_commands(void **state)
{
    struct fixture *fixture = set_up();
    struct port *port = &fixture->port;
    (void)state;
    port_switch(&fixture->config, "swap-transfer", "@1");
    port_switch(&fixture->config, "ignore-offset", "@2");
    port_switch(&fixture->config, "short-copy", "@3");
    port_switch(&fixture->config, "keep-mapping", NULL);
    port_start(port, &fixture->config);
    assert_int_equal(build(fixture, page_in(0x2000)), STATUS_SUCCESS);
    assert_int_equal(build(fixture, page_in(0x2000)), STATUS_SUCCESS);
    assert_int_equal(build(fixture, page_in(0x2000)), STATUS_SUCCESS);
    assert_int_equal(build(fixture, mapping(true)), STATUS_SUCCESS);
    assert_int_equal(fixture->used, 4 * 32);
    (void)run_all(fixture);
    assert_ptr_equal(port->calls[0].to.mdl, &mdl);
    assert_int_equal(port->calls[0].from.address, 0x402000);
    assert_int_equal(port->calls[1].to.address, 0x400000);
    assert_int_equal(port->calls[2].bytes, 0x1000);
    assert_int_equal(port->call_count, 3);
    assert_int_equal(port->charges, 4);
    tear_down(fixture);
}

static void spoiled_answers(void **state)
{
    struct fixture *fixture = set_up();
    struct port *port = &fixture->port;
    (void)state;
    port_switch(&fixture->config, "bpb-status", "UNSUCCESSFUL@1");
    port_switch(&fixture->config, "no-aperture-ops", NULL);
    port_switch(&fixture->config, "reenter", "@2");
    port_start(port, &fixture->config);
    DXGKARG_BUILDPAGINGBUFFER nothing = mapping(true);
    nothing.UnmapApertureSegment.NumberOfPages = 0;
    assert_int_equal(build(fixture, nothing), STATUS_NOT_SUPPORTED);
    assert_int_equal(build(fixture, filling(0x1000)), STATUS_UNSUCCESSFUL);
    assert_int_equal(port->dpc_notes, 0);
    assert_int_equal(build(fixture, mapping(false)), STATUS_NOT_SUPPORTED);
    assert_int_equal(port->dpc_notes, 1);
    assert_int_equal(build(fixture, mapping(true)), STATUS_NOT_SUPPORTED);
    assert_int_equal(fixture->used, 0);
    assert_int_equal(build(fixture, filling(0x1000)), STATUS_SUCCESS);

    struct vidmm_mock_switch_state *switches = vidmm_mock_switches(port->mock);
    assert_true(vidmm_mock_switch_set(switches, "bpb-stall", NULL));
    assert_int_equal(build(fixture, filling(0x1000)), STATUS_GRAPHICS_INSUFFICIENT_DMA_BUFFER);
    assert_true(vidmm_mock_switch_set(switches, "bpb-stall", "off"));
    assert_int_equal(build(fixture, filling(0x1000)), STATUS_SUCCESS);
    tear_down(fixture);
}

static void overruns_touch_what_is_behind(void **state)
{
    struct fixture *fixture = set_up();
    struct port *port = &fixture->port;
    uint8_t private_data[32] = { 0 };
    DXGKARG_BUILDPAGINGBUFFER arg = filling(0x1000);
    (void)state;
    port_switch(&fixture->config, "bpb-overrun", "3");
    port_switch(&fixture->config, "priv-overrun", "4096");
    port_start(port, &fixture->config);
    arg.pDmaBufferPrivateData = private_data;
    arg.DmaBufferPrivateDataSize = 8;
    assert_int_equal(port_build(port, &arg, &fixture->used), STATUS_SUCCESS);
    assert_int_equal(fixture->used, PORT_BUFFER + 3);
    assert_int_not_equal(port->buffer[PORT_BUFFER + 2], 0);
    assert_int_equal(port->buffer[PORT_BUFFER + 3], 0);
    assert_ptr_equal(arg.pDmaBufferPrivateData, (void *)((uintptr_t)private_data + 8 + 4096));
    assert_int_not_equal(private_data[8], 0);
    assert_int_not_equal(private_data[23], 0);
    assert_int_equal(private_data[24], 0);
    tear_down(fixture);
}

/* ---- the nodes ------------------------------------------------------------------------------- */

static void raise_line(struct port *port, uint32_t node, uint32_t fence)
{
    const struct vidmm_hardware *hardware = port->miniport->hardware;
    hardware->interrupt(hardware->self, node, fence);
}

/* More packets in flight than the first ring holds; each is found by its number. */
static void many_packets_in_flight(void **state)
{
    struct fixture *fixture = set_up();
    struct port *port = &fixture->port;
    enum { PACKETS = 1000 };
    (void)state;
    port_start(port, &fixture->config);
    for (uint32_t i = 0; i < 8; i++)
        assert_int_equal(build(fixture, filling((uint64_t)(i + 1) * 0x1000)), STATUS_SUCCESS);
    for (uint32_t fence = 1; fence <= PACKETS; fence++) {
        uint32_t start = fence % 8 * 32;
        /* As after Patch: the buffer whose end was written last. */
        DXGKARG_PATCH patch = { .pDmaBuffer = port->buffer, .Flags.Paging = 1 };
        assert_int_equal(port->ddi->DxgkDdiPatch(port->adapter, &patch), STATUS_SUCCESS);
        port_submit_paging(port, start, start + 32, fence);
    }
    for (uint32_t fence = 1; fence <= PACKETS; fence++) {
        port->call_count = 0;
        (void)port_run(port, 1, fence);
        assert_int_equal(port->call_count, 1);
        assert_int_equal(port->calls[0].bytes, (fence % 8 + 1) * 0x1000);
    }
    raise_line(port, 1, PACKETS);
    assert_int_equal(port->fences[0], PACKETS);
    tear_down(fixture);
}

static void interrupts_report_in_order(void **state)
{
    struct fixture *fixture = set_up();
    struct port *port = &fixture->port;
    (void)state;
    port_start(port, &fixture->config);
    for (int i = 0; i < 3; i++) {
        assert_int_equal(build(fixture, filling(0x1000)), STATUS_SUCCESS);
        (void)run_all(fixture);
    }
    /* All have ended; the interrupts come one by one, and say no more than they should. */
    raise_line(port, 1, 1);
    raise_line(port, 1, 2);
    assert_int_equal(port->fence_count, 2);
    assert_int_equal(port->fences[0], 1);
    assert_int_equal(port->fences[1], 2);
    assert_int_equal(port->nodes[1], 1);
    assert_int_equal(port->dpcs, 2);
    port->ddi->DxgkDdiDpcRoutine(port->adapter);
    assert_int_equal(port->dpc_notes, 1);
    assert_int_equal(port->ddi->DxgkDdiInterruptRoutine(port->adapter, 0), FALSE);

    /* The answer to the question includes the missed fence. */
    DXGKARG_QUERYCURRENTFENCE fence = { .NodeOrdinal = 1 };
    assert_int_equal(port->ddi->DxgkDdiQueryCurrentFence(port->adapter, &fence), STATUS_SUCCESS);
    assert_int_equal(fence.CurrentFence, 3);
    assert_int_equal(port->fence_count, 3);
    assert_int_equal(port->fences[2], 3);
    raise_line(port, 1, 3);
    assert_int_equal(port->fence_count, 3);
    fence.NodeOrdinal = 2;
    assert_int_equal(port->ddi->DxgkDdiQueryCurrentFence(port->adapter, &fence),
                     STATUS_INVALID_PARAMETER);
    tear_down(fixture);
}

static void spoiled_interrupts(void **state)
{
    struct fixture *fixture = set_up();
    struct port *port = &fixture->port;
    (void)state;
    port_switch(&fixture->config, "fence", "low@2");
    port_switch(&fixture->config, "no-dpc", "@3");
    port_start(port, &fixture->config);
    for (uint32_t i = 1; i <= 3; i++) {
        assert_int_equal(build(fixture, filling(0x1000)), STATUS_SUCCESS);
        (void)run_all(fixture);
        raise_line(port, 1, i);
    }
    assert_int_equal(port->fences[0], 1);
    assert_int_equal(port->fences[1], 0);
    assert_int_equal(port->fences[2], 3);
    assert_int_equal(port->dpcs, 2);
    assert_true(vidmm_mock_switch_set(vidmm_mock_switches(port->mock), "fence", "high"));
    assert_int_equal(build(fixture, filling(0x1000)), STATUS_SUCCESS);
    (void)run_all(fixture);
    raise_line(port, 1, 4);
    assert_int_equal(port->fences[3], 5);
    tear_down(fixture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_operation_is_one_command),
        cmocka_unit_test(multipass_counts_pages),
        cmocka_unit_test(space_divides_every_operation),
        cmocka_unit_test(a_full_buffer_is_left_alone),
        cmocka_unit_test(private_data_counts_uses),
        cmocka_unit_test(mmio_changes_apertures_at_once),
        cmocka_unit_test(busy_until_idle),
        cmocka_unit_test(spoiled_commands),
        cmocka_unit_test(spoiled_answers),
        cmocka_unit_test(overruns_touch_what_is_behind),
        cmocka_unit_test(many_packets_in_flight),
        cmocka_unit_test(interrupts_report_in_order),
        cmocka_unit_test(spoiled_interrupts),
    };
    return cmocka_run_group_tests_name("mock_gpu", tests, NULL, NULL);
}
