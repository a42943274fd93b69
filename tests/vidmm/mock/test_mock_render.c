/* SPDX-License-Identifier: MIT */
/* test_mock_render.c: DMA buffers of the mock miniport: Render, Patch, Submit, and execution. */
#include <stdlib.h>
#include <string.h>

#include "tests/support/unit.h"
#include "tests/vidmm/mock/mock_port.h"

enum { ELEMENTS = 4, LOCATIONS = 4 };

/* One submission: NULL, X, Z, Y as in worked sequence 9. */
struct fixture {
    struct port port;
    struct vidmm_mock_config config;
    struct vidmm_mock_segment segments[2];
    struct vidmm_mock_command command;
    DXGK_ALLOCATIONLIST list[ELEMENTS];
    D3DDDI_PATCHLOCATIONLIST in[LOCATIONS], out[LOCATIONS];
    UINT locations;
    uint32_t bytes; /* of the last translation */
};

static struct fixture *set_up(void)
{
    struct fixture *fixture = calloc(1, sizeof *fixture);
    assert_non_null(fixture);
    port_config(&fixture->config, 11, fixture->segments);
    for (UINT i = 1; i < ELEMENTS; i++)
        fixture->list[i].hDeviceSpecificAllocation = (HANDLE)(uintptr_t)(i * 0x1000);
    fixture->list[1].WriteOperation = 1;
    fixture->in[0] = (D3DDDI_PATCHLOCATIONLIST){ .AllocationIndex = 1, .PatchOffset = 0x10 };
    fixture->in[1] = (D3DDDI_PATCHLOCATIONLIST){ .AllocationIndex = 2, .PatchOffset = 0x23 };
    fixture->in[2] = (D3DDDI_PATCHLOCATIONLIST){
        .AllocationIndex = 3, .AllocationOffset = 0x80, .PatchOffset = 0x810, .SplitOffset = 0x800
    };
    fixture->in[3] = (D3DDDI_PATCHLOCATIONLIST){ .AllocationIndex = 0, .PatchOffset = 0x999 };
    fixture->locations = LOCATIONS;
    fixture->command.cost_ns = 1000001;
    return fixture;
}

static void tear_down(struct fixture *fixture)
{
    port_stop(&fixture->port);
    free(fixture);
}

static NTSTATUS render(struct fixture *fixture)
{
    struct port *port = &fixture->port;
    DXGKARG_RENDER arg = {
        .pCommand = &fixture->command,
        .CommandLength = sizeof fixture->command,
        .pDmaBuffer = port->buffer,
        .DmaSize = PORT_BUFFER,
        .pAllocationList = fixture->list,
        .AllocationListSize = ELEMENTS,
        .pPatchLocationListIn = fixture->in,
        .PatchLocationListInSize = fixture->locations,
        .pPatchLocationListOut = fixture->out,
        .PatchLocationListOutSize = LOCATIONS,
    };
    NTSTATUS status = port->ddi->DxgkDdiRender(port->context, &arg);
    fixture->bytes = (uint32_t)((uint8_t *)arg.pDmaBuffer - port->buffer);
    if (!status)
        assert_ptr_equal(arg.pPatchLocationListOut, fixture->out + fixture->locations);
    return status;
}

static void place(struct fixture *fixture, UINT index, UINT segment, LONGLONG address)
{
    fixture->list[index].SegmentId = segment & 31;
    fixture->list[index].PhysicalAddress.QuadPart = address;
}

struct portion {
    UINT start, end, first, count, fence;
};

static NTSTATUS patch(struct fixture *fixture, struct portion portion)
{
    DXGKARG_PATCH arg = {
        .hContext = fixture->port.context,
        .pDmaBuffer = fixture->port.buffer,
        .DmaBufferSize = PORT_BUFFER,
        .DmaBufferSubmissionStartOffset = portion.start,
        .DmaBufferSubmissionEndOffset = portion.end,
        .pAllocationList = fixture->list,
        .AllocationListSize = ELEMENTS,
        .pPatchLocationList = fixture->out,
        .PatchLocationListSize = LOCATIONS,
        .PatchLocationListSubmissionStart = portion.first,
        .PatchLocationListSubmissionLength = portion.count,
        .SubmissionFenceId = portion.fence,
    };
    return fixture->port.ddi->DxgkDdiPatch(fixture->port.adapter, &arg);
}

static NTSTATUS submit(struct fixture *fixture, struct portion portion)
{
    DXGKARG_SUBMITCOMMAND arg = {
        .hContext = fixture->port.context,
        .DmaBufferSize = PORT_BUFFER,
        .DmaBufferSubmissionStartOffset = portion.start,
        .DmaBufferSubmissionEndOffset = portion.end,
        .SubmissionFenceId = portion.fence,
        .NodeOrdinal = 0,
    };
    return fixture->port.ddi->DxgkDdiSubmitCommand(fixture->port.adapter, &arg);
}

static vidmm_ns run_portion(struct fixture *fixture, struct portion portion)
{
    fixture->port.call_count = 0;
    assert_int_equal(patch(fixture, portion), STATUS_SUCCESS);
    assert_int_equal(submit(fixture, portion), STATUS_SUCCESS);
    return port_run(&fixture->port, 0, portion.fence);
}

static void check_touch(const struct port_call *call, uint32_t index, uint32_t segment,
                        uint64_t address)
{
    assert_int_equal(call->kind, PORT_TOUCH);
    assert_int_equal(call->node, 0);
    assert_int_equal(call->index, index);
    assert_int_equal(call->write, index == 1);
    assert_int_equal(call->segment, segment);
    assert_int_equal(call->address, address);
}

/* The buffer is as long as its slots need; the NULL element has none, wherever it points. */
static void touches_what_patch_says(void **state)
{
    struct fixture *fixture = set_up();
    struct port *port = &fixture->port;
    (void)state;
    port_start(port, &fixture->config);
    assert_int_equal(render(fixture), STATUS_SUCCESS);
    assert_int_equal(fixture->bytes, 0x820);
    assert_memory_equal(fixture->in, fixture->out, sizeof fixture->in);
    place(fixture, 1, 1, 0);
    place(fixture, 2, 31, 0x7000);
    place(fixture, 3, 2, 0x40000000);
    assert_int_equal(run_portion(fixture, (struct portion){ 0, 0x820, 0, 4, 1 }), 1000001);
    assert_int_equal(port->charges, 0);
    assert_int_equal(port->call_count, 3);
    check_touch(&port->calls[0], 1, 1, 0);
    check_touch(&port->calls[1], 2, 31, 0x7000);
    check_touch(&port->calls[2], 3, 2, 0x40000080);
    tear_down(fixture);
}

/* Two portions: each executes its own slots, and they share the cost (TIME-011). */
static void portions_share_the_cost(void **state)
{
    struct fixture *fixture = set_up();
    struct port *port = &fixture->port;
    (void)state;
    port_start(port, &fixture->config);
    fixture->command.bytes = 0x1000;
    assert_int_equal(render(fixture), STATUS_SUCCESS);
    assert_int_equal(fixture->bytes, 0x1000);
    place(fixture, 1, 1, 0);
    place(fixture, 2, 1, 0xA000000);
    assert_int_equal(run_portion(fixture, (struct portion){ 0, 0x800, 0, 2, 1 }), 500000);
    assert_int_equal(port->call_count, 2);
    place(fixture, 3, 1, 0);
    assert_int_equal(run_portion(fixture, (struct portion){ 0x800, 0x1000, 2, 2, 2 }), 500001);
    assert_int_equal(port->call_count, 1);
    check_touch(&port->calls[0], 3, 1, 0x80);
    tear_down(fixture);
}

/* Addresses of resident allocations are written at once; Patch can then be omitted
 * (SUBMIT-006, SUBMIT-043). */
static void prepatched_slots(void **state)
{
    (void)state;
    for (int ignored = 0; ignored < 2; ignored++) {
        struct fixture *fixture = set_up();
        struct port *port = &fixture->port;
        if (ignored)
            port_switch(&fixture->config, "no-prepatch", NULL);
        port_start(port, &fixture->config);
        place(fixture, 1, 1, 0);
        place(fixture, 2, 2, 0x40001000);
        assert_int_equal(render(fixture), STATUS_SUCCESS);
        const struct portion all = { 0, fixture->bytes, 0, LOCATIONS, 1 };
        assert_int_equal(submit(fixture, all), STATUS_SUCCESS);
        (void)port_run(port, 0, 1);
        assert_int_equal(port->call_count, 3);
        assert_int_equal(port->calls[0].segment == 1, !ignored);
        assert_int_equal(port->calls[0].address == 0, !ignored);
        assert_int_equal(port->calls[1].address == 0x40001000, !ignored);
        assert_true(port->calls[2].segment > 31);
        tear_down(fixture);
    }
}

static void lengths_of_dma_buffers(void **state)
{
    struct fixture *fixture = set_up();
    (void)state;
    port_start(&fixture->port, &fixture->config);
    fixture->locations = 0;
    assert_int_equal(render(fixture), STATUS_SUCCESS);
    assert_int_equal(fixture->bytes, 16);
    fixture->locations = 1;
    assert_int_equal(render(fixture), STATUS_SUCCESS);
    assert_int_equal(fixture->bytes, 32);
    /* A location past the end is listed and not written: VidMm has to refuse it (SUBMIT-011). */
    fixture->command.bytes = 24;
    fixture->port.buffer[24] = 0x77;
    assert_int_equal(render(fixture), STATUS_SUCCESS);
    assert_int_equal(fixture->bytes, 24);
    assert_int_equal(fixture->out[0].PatchOffset, 0x10);
    assert_int_equal(fixture->port.buffer[24], 0x77);
    fixture->command.bytes = PORT_BUFFER + 1;
    assert_int_equal(render(fixture), STATUS_GRAPHICS_INSUFFICIENT_DMA_BUFFER);
    fixture->command.bytes = 0;
    fixture->in[0].PatchOffset = UINT32_MAX;
    assert_int_equal(render(fixture), STATUS_GRAPHICS_INSUFFICIENT_DMA_BUFFER);
    tear_down(fixture);
}

static void hanging_packets_never_end(void **state)
{
    struct fixture *fixture = set_up();
    (void)state;
    port_start(&fixture->port, &fixture->config);
    fixture->command.flags = VIDMM_MOCK_COMMAND_HANG;
    assert_int_equal(render(fixture), STATUS_SUCCESS);
    assert_int_equal(submit(fixture, (struct portion){ 0, fixture->bytes, 0, 4, 1 }),
                     STATUS_SUCCESS);
    assert_true(port_run(&fixture->port, 0, 1) == VIDMM_NEVER);
    assert_int_equal(fixture->port.ddi->DxgkDdiResetFromTimeout(fixture->port.adapter),
                     STATUS_SUCCESS);
    assert_int_equal(fixture->port.ddi->DxgkDdiRestartFromTimeout(fixture->port.adapter),
                     STATUS_SUCCESS);
    DXGKARG_QUERYCURRENTFENCE fence = { .NodeOrdinal = 0 };
    assert_int_equal(fixture->port.ddi->DxgkDdiQueryCurrentFence(fixture->port.adapter, &fence),
                     STATUS_SUCCESS);
    assert_int_equal(fence.CurrentFence, 1);
    tear_down(fixture);
}

/* Nonsense in the buffer is skipped, a command that the range cuts off is not executed. */
static void only_whole_commands_run(void **state)
{
    struct fixture *fixture = set_up();
    struct port *port = &fixture->port;
    (void)state;
    port_start(port, &fixture->config);
    assert_int_equal(render(fixture), STATUS_SUCCESS);
    memset(port->buffer + 0x40, 0xA2, 0x100); /* as a FILL of a paging buffer begins */
    const struct portion cut = { 0x30, 0x81F, 0, 0, 1 };
    assert_int_equal(submit(fixture, cut), STATUS_SUCCESS);
    (void)port_run(port, 0, 1);
    assert_int_equal(port->call_count, 0);
    assert_int_equal(submit(fixture, (struct portion){ 0x40, 0x820, 0, 0, 2 }), STATUS_SUCCESS);
    (void)port_run(port, 0, 2);
    assert_int_equal(port->call_count, 1);
    assert_int_equal(submit(fixture, (struct portion){ 8, 4, 0, 0, 3 }), STATUS_INVALID_PARAMETER);
    tear_down(fixture);
}

/* ---- spoiled --------------------------------------------------------------------------------- */

static void spoiled_lists(void **state)
{
    struct fixture *fixture = set_up();
    (void)state;
    port_switch(&fixture->config, "render-status", "ILLEGAL_INSTRUCTION@1");
    port_switch(&fixture->config, "render-insufficient", "@1");
    port_switch(&fixture->config, "patch-entry", "bad-index@1");
    port_switch(&fixture->config, "flip-write", "@2");
    port_start(&fixture->port, &fixture->config);
    struct vidmm_mock_switch_state *switches = vidmm_mock_switches(fixture->port.mock);
    assert_int_equal(render(fixture), STATUS_ILLEGAL_INSTRUCTION);
    assert_int_equal(render(fixture), STATUS_GRAPHICS_INSUFFICIENT_DMA_BUFFER);
    assert_int_equal(render(fixture), STATUS_SUCCESS);
    assert_int_equal(fixture->out[0].AllocationIndex, ELEMENTS);
    assert_int_equal(fixture->in[0].AllocationIndex, 1);
    assert_int_equal(patch(fixture, (struct portion){ 0, fixture->bytes, 0, 4, 1 }),
                     STATUS_SUCCESS);

    assert_true(vidmm_mock_switch_set(switches, "patch-entry", "bad-slot"));
    assert_true(vidmm_mock_switch_set(switches, "reserved-bits", "list"));
    assert_int_equal(render(fixture), STATUS_SUCCESS);
    assert_int_equal(fixture->out[0].SlotId, 1024);
    assert_int_equal(fixture->list[1].WriteOperation, 0);
    assert_int_equal(fixture->list[2].WriteOperation, 1);
    assert_int_equal(fixture->list[ELEMENTS - 1].Reserved, 1);

    assert_true(vidmm_mock_switch_set(switches, "patch-entry", "bad-split"));
    assert_true(vidmm_mock_switch_set(switches, "reserved-bits", "patch"));
    assert_int_equal(render(fixture), STATUS_SUCCESS);
    assert_int_equal(fixture->out[0].SplitOffset, 0x11);
    assert_int_equal(fixture->out[0].Reserved, 1);
    fixture->locations = 0;
    assert_int_equal(render(fixture), STATUS_SUCCESS);
    tear_down(fixture);
}

static void spoiled_patches(void **state)
{
    struct fixture *fixture = set_up();
    struct port *port = &fixture->port;
    const struct portion half = { 0, 0x800, 0, 2, 1 };
    (void)state;
    port_switch(&fixture->config, "patch-status", "UNSUCCESSFUL@1");
    port_switch(&fixture->config, "submit-status", "UNSUCCESSFUL@1");
    port_switch(&fixture->config, "patch-outside", "@1");
    port_switch(&fixture->config, "forget-patch", "@2");
    port_start(port, &fixture->config);
    assert_int_equal(render(fixture), STATUS_SUCCESS);
    place(fixture, 1, 1, 0x5000);
    assert_int_equal(patch(fixture, half), STATUS_UNSUCCESSFUL);
    assert_int_equal(port->buffer[0x800], 0);
    assert_int_equal(patch(fixture, half), STATUS_SUCCESS);
    assert_int_equal(port->buffer[0x800], 0xFF);
    assert_int_equal(submit(fixture, half), STATUS_UNSUCCESSFUL);
    place(fixture, 1, 1, 0x6000);
    (void)run_portion(fixture, half);
    assert_int_equal(port->calls[0].address, 0x5000);
    tear_down(fixture);
}

/* Through the range that was unmapped last; before that, through the end of the aperture. */
static void stale_writes(void **state)
{
    struct fixture *fixture = set_up();
    struct port *port = &fixture->port;
    DXGKARG_BUILDPAGINGBUFFER unmap = { .Operation = DXGK_OPERATION_UNMAP_APERTURE_SEGMENT };
    uint32_t used = 0;
    (void)state;
    port_switch(&fixture->config, "stale-write", NULL);
    port_start(port, &fixture->config);
    fixture->locations = 0;
    assert_int_equal(render(fixture), STATUS_SUCCESS);
    (void)run_portion(fixture, (struct portion){ 0, 16, 0, 0, 1 });
    assert_int_equal(port->calls[0].kind, PORT_FILL);
    assert_int_equal(port->calls[0].to.segment, 2);
    assert_int_equal(port->calls[0].to.address, (1 << 30) + (64 << 20) - 4096);

    unmap.UnmapApertureSegment.SegmentId = 2;
    unmap.UnmapApertureSegment.OffsetInPages = 6;
    unmap.UnmapApertureSegment.NumberOfPages = 1;
    assert_int_equal(port_build(port, &unmap, &used), STATUS_SUCCESS);
    port_submit_paging(port, 0, used, 1);
    (void)port_run(port, 1, 1);
    (void)run_portion(fixture, (struct portion){ 0, 16, 0, 0, 2 });
    assert_int_equal(port->calls[0].to.address, (1 << 30) + 6 * 4096);
    tear_down(fixture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(touches_what_patch_says),
        cmocka_unit_test(portions_share_the_cost),
        cmocka_unit_test(prepatched_slots),
        cmocka_unit_test(lengths_of_dma_buffers),
        cmocka_unit_test(hanging_packets_never_end),
        cmocka_unit_test(only_whole_commands_run),
        cmocka_unit_test(spoiled_lists),
        cmocka_unit_test(spoiled_patches),
        cmocka_unit_test(stale_writes),
    };
    return cmocka_run_group_tests_name("mock_render", tests, NULL, NULL);
}
