/* SPDX-License-Identifier: MIT */
/* mock_port.c: see mock_port.h. */
#include "tests/vidmm/mock/mock_port.h"

#include <string.h>

#include "tests/support/unit.h"

static struct port_call *new_call(struct vidmm_bus *bus, enum port_kind kind)
{
    struct port *port = bus->owner;
    assert_true(port->call_count < PORT_CALLS);
    struct port_call *call = &port->calls[port->call_count++];
    *call = (struct port_call){ .kind = kind };
    return call;
}

static void on_copy(struct vidmm_bus *bus, const struct vidmm_bus_place *to,
                    const struct vidmm_bus_place *from, uint64_t bytes)
{
    struct port_call *call = new_call(bus, PORT_COPY);
    call->to = *to;
    call->from = *from;
    call->bytes = bytes;
}

static void on_fill(struct vidmm_bus *bus, const struct vidmm_bus_place *to, uint64_t bytes,
                    uint32_t pattern)
{
    struct port_call *call = new_call(bus, PORT_FILL);
    call->to = *to;
    call->bytes = bytes;
    call->pattern = pattern;
}

static void on_map(struct vidmm_bus *bus, uint32_t segment, uint64_t first, uint64_t pages,
                   const MDL *mdl, uint64_t mdl_page)
{
    struct port_call *call = new_call(bus, PORT_MAP);
    call->segment = segment;
    call->first = first;
    call->pages = pages;
    call->mdl = mdl;
    call->mdl_page = mdl_page;
}

static void on_unmap(struct vidmm_bus *bus, uint32_t segment, uint64_t first, uint64_t pages,
                     uint64_t dummy)
{
    struct port_call *call = new_call(bus, PORT_UNMAP);
    call->segment = segment;
    call->first = first;
    call->pages = pages;
    call->dummy = dummy;
}

static void on_touch(struct vidmm_bus *bus, uint32_t node, uint32_t fence, uint32_t index,
                     bool write, uint32_t segment, uint64_t address)
{
    struct port_call *call = new_call(bus, PORT_TOUCH);
    call->node = node;
    call->fence = fence;
    call->index = index;
    call->write = write;
    call->segment = segment;
    call->address = address;
}

static vidmm_ns on_cost(struct vidmm_bus *bus, enum vidmm_bus_op op,
                        const struct vidmm_bus_place *to, const struct vidmm_bus_place *from,
                        uint64_t bytes, uint32_t flags)
{
    struct port *port = bus->owner;
    (void)op, (void)to, (void)from, (void)flags;
    port->charges++;
    return 1000 + bytes;
}

static void on_spend(struct vidmm_bus *bus, vidmm_ns ns)
{
    struct port *port = bus->owner;
    port->spent += ns;
}

static VOID on_interrupt(HANDLE handle, IN_CONST_PDXGKARGCB_NOTIFY_INTERRUPT_DATA data)
{
    struct port *port = handle;
    assert_int_equal(data->InterruptType, DXGK_INTERRUPT_DMA_COMPLETED);
    assert_int_equal(data->DmaCompleted.EngineOrdinal, 0);
    assert_true(port->fence_count < PORT_FENCES);
    port->fences[port->fence_count] = data->DmaCompleted.SubmissionFenceId;
    port->nodes[port->fence_count++] = data->DmaCompleted.NodeOrdinal;
}

static BOOLEAN on_queue_dpc(HANDLE handle)
{
    struct port *port = handle;
    port->dpcs++;
    return TRUE;
}

static VOID on_notify_dpc(HANDLE handle)
{
    struct port *port = handle;
    port->dpc_notes++;
}

void port_config(struct vidmm_mock_config *config, uint32_t wddm,
                 struct vidmm_mock_segment *segments)
{
    vidmm_mock_config_init(config, wddm);
    segments[0] = (struct vidmm_mock_segment){
        .flags = 0x4,
        .size = UINT64_C(256) << 20,
        .cpu_base = UINT64_C(0x1000000000),
    };
    segments[1] = (struct vidmm_mock_segment){
        .flags = 0x1,
        .base = UINT64_C(1) << 30,
        .size = UINT64_C(64) << 20,
    };
    config->segments = segments;
    config->segment_count = 2;
}

void port_switch(struct vidmm_mock_config *config, const char *name, const char *value)
{
    assert_true(vidmm_mock_switch_set(config->switches, name, value));
}

static void make_clients(struct port *port, const struct vidmm_mock_config *config)
{
    DXGKARG_CREATEDEVICE device = { 0 };
    DXGKARG_CREATECONTEXT context = { .NodeOrdinal = 0 };
    assert_int_equal(port->ddi->DxgkDdiCreateDevice(port->adapter, &device), STATUS_SUCCESS);
    port->device = device.hDevice;
    assert_non_null(port->device);
    if (!config->caps[VIDMM_MOCK_CAP_MultiEngineAware]) {
        assert_int_equal(device.pInfo->DmaBufferSize, 65536);
        return;
    }
    assert_null(device.pInfo);
    assert_int_equal(port->ddi->DxgkDdiCreateContext(port->device, &context), STATUS_SUCCESS);
    assert_int_equal(context.ContextInfo.DmaBufferSize, 65536);
    assert_int_equal(context.ContextInfo.DmaBufferSegmentSet, 0);
    port->context = context.hContext;
}

void port_start(struct port *port, const struct vidmm_mock_config *config)
{
    DXGK_START_INFO info = { 0 };
    ULONG sources = 7, children = 7;
    memset(port, 0, sizeof *port);
    port->bus = (struct vidmm_bus){
        .owner = port,
        .copy = on_copy,
        .fill = on_fill,
        .map = on_map,
        .unmap = on_unmap,
        .touch = on_touch,
        .cost = on_cost,
        .spend = on_spend,
    };
    DXGKRNL_INTERFACE dxgkrnl = {
        .Size = sizeof dxgkrnl,
        .DeviceHandle = port,
        .DxgkCbNotifyInterrupt = on_interrupt,
        .DxgkCbQueueDpc = on_queue_dpc,
        .DxgkCbNotifyDpc = on_notify_dpc,
    };
    port->mock = vidmm_mock_create(config);
    port->miniport = vidmm_mock_miniport(port->mock);
    port->ddi = port->miniport->ddi;
    PDEVICE_OBJECT device = port->miniport->physical_device;
    assert_int_equal(port->ddi->DxgkDdiAddDevice(device, &port->adapter), STATUS_SUCCESS);
    assert_int_equal(port->ddi->DxgkDdiStartDevice(port->adapter, &info, &dxgkrnl, &sources,
                                                   &children),
                     STATUS_SUCCESS);
    assert_int_equal(sources, 0);
    assert_int_equal(children, 0);
    port->miniport->hardware->attach(port->miniport->hardware->self, &port->bus);
    make_clients(port, config);
}

void port_stop(struct port *port)
{
    if (port->context)
        assert_int_equal(port->ddi->DxgkDdiDestroyContext(port->context), STATUS_SUCCESS);
    assert_int_equal(port->ddi->DxgkDdiDestroyDevice(port->device), STATUS_SUCCESS);
    assert_int_equal(port->ddi->DxgkDdiStopDevice(port->adapter), STATUS_SUCCESS);
    assert_int_equal(port->ddi->DxgkDdiRemoveDevice(port->adapter), STATUS_SUCCESS);
    vidmm_mock_destroy(port->mock);
}

NTSTATUS port_build(struct port *port, DXGKARG_BUILDPAGINGBUFFER *arg, uint32_t *used)
{
    arg->pDmaBuffer = port->buffer + *used;
    arg->DmaSize = PORT_BUFFER - *used;
    NTSTATUS status = port->ddi->DxgkDdiBuildPagingBuffer(port->adapter, arg);
    *used = (uint32_t)((uint8_t *)arg->pDmaBuffer - port->buffer);
    return status;
}

void port_submit_paging(struct port *port, uint32_t start, uint32_t end, uint32_t fence)
{
    DXGKARG_SUBMITCOMMAND submit = {
        .DmaBufferSize = PORT_BUFFER,
        .DmaBufferSubmissionStartOffset = start,
        .DmaBufferSubmissionEndOffset = end,
        .SubmissionFenceId = fence,
        .NodeOrdinal = 1,
        .Flags.Paging = 1,
    };
    assert_int_equal(port->ddi->DxgkDdiSubmitCommand(port->adapter, &submit), STATUS_SUCCESS);
}

vidmm_ns port_run(struct port *port, uint32_t node, uint32_t fence)
{
    const struct vidmm_hardware *hardware = port->miniport->hardware;
    vidmm_ns cost = hardware->begin(hardware->self, node, fence);
    if (cost != VIDMM_NEVER)
        hardware->finish(hardware->self, node, fence);
    return cost;
}
