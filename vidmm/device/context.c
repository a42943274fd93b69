/* SPDX-License-Identifier: MIT */
/*
 * context.c: contexts: their calls of the driver, and what they have for their submissions.
 *
 * A driver with multi-engine support makes a context for each, and says what its DMA buffers need;
 * without it the device is the context.
 */
#include "vidmm/device/context.h"
#include "paging/schedule/schedule.h"
#include "paging/store/store.h"
#include "vidmm/allocation/allocation.h"
#include "vidmm/base/base_hash.h"
#include "vidmm/device/device.h"
#include "vidmm/submit/submit.h"

#include <string.h>

/* ---- what the driver says ------------------------------------------------------------------- */

vidmm_status context_check_buffers(adapter_t *adapter, const char *label,
                                   const DXGK_CONTEXTINFO *info, bool gdi)
{
    uint32_t apertures = places_aperture_set(adapter);
    if (info->DmaBufferSegmentSet & ~apertures)
        return refuse(adapter, RULE(SEG_054), STATUS_INVALID_PARAMETER,
                      "%s: DmaBufferSegmentSet 0x%x names a segment that is no aperture", label,
                      info->DmaBufferSegmentSet);
    if (gdi && info->AllocationListSize != DXGK_ALLOCATION_LIST_SIZE_GDICONTEXT)
        return refuse(adapter, RULE(SUBMIT_022), STATUS_INVALID_PARAMETER,
                      "%s: the AllocationListSize of a GDI context is %d, not %u", label,
                      DXGK_ALLOCATION_LIST_SIZE_GDICONTEXT, info->AllocationListSize);
    if (info->DmaBufferSize > VIDMM_DMA_BYTES_MAX ||
        info->DmaBufferPrivateDataSize > VIDMM_DMA_BYTES_MAX)
        return refuse(adapter, RULE(SUBMIT_022), STATUS_INVALID_PARAMETER,
                      "%s: a DMA buffer and its private data have at most %d bytes", label,
                      VIDMM_DMA_BYTES_MAX);
    return STATUS_SUCCESS;
}

DXGK_CONTEXTINFO context_buffers_of(const DXGK_DEVICEINFO *info)
{
    return (DXGK_CONTEXTINFO){
        .DmaBufferSize = info->DmaBufferSize,
        .DmaBufferSegmentSet = info->DmaBufferSegmentSet,
        .DmaBufferPrivateDataSize = info->DmaBufferPrivateDataSize,
        .AllocationListSize = info->AllocationListSize,
        .PatchLocationListSize = info->PatchLocationListSize,
    };
}

vidmm_status context_enter_driver(adapter_t *adapter, HANDLE device, DXGK_CREATECONTEXTFLAGS flags,
                                  struct context *context)
{
    DXGKARG_CREATECONTEXT arg = {
        .hContext = (HANDLE)(uintptr_t)context->handle,
        .NodeOrdinal = context->node,
        .EngineAffinity = context->engines,
        .Flags = flags,
    };
    NTSTATUS status = DRIVER_CALL(adapter, 0, CreateContext, device, &arg);
    DRIVER_CALL_END(adapter, CreateContext, status, context->handle,
                    f_node("NodeOrdinal", context->node), f_hex("Flags", flags.Value),
                    f_bytes("DmaBufferSize", arg.ContextInfo.DmaBufferSize),
                    f_hex("DmaBufferSegmentSet", arg.ContextInfo.DmaBufferSegmentSet),
                    f_bytes("DmaBufferPrivateDataSize", arg.ContextInfo.DmaBufferPrivateDataSize),
                    f_number("AllocationListSize", arg.ContextInfo.AllocationListSize),
                    f_number("PatchLocationListSize", arg.ContextInfo.PatchLocationListSize));
    if (!NT_SUCCESS(status))
        return refuse(adapter, RULE(MINI_022), status, "the miniport made no context for %s",
                      context->label);
    context->driver_handle = arg.hContext;
    context->info = arg.ContextInfo;
    return STATUS_SUCCESS;
}

void context_leave_driver(adapter_t *adapter, HANDLE driver_handle, vidmm_handle handle)
{
    NTSTATUS status = DRIVER_CALL(adapter, 0, DestroyContext, driver_handle);
    driver_call_end(adapter, "DxgkDdiDestroyContext", status, handle, NULL, 0);
}

/* ---- life ----------------------------------------------------------------------------------- */

static vidmm_status create_in_driver(adapter_t *adapter, struct context *context, bool gdi)
{
    vidmm_status status = STATUS_SUCCESS;
    DXGK_CREATECONTEXTFLAGS flags = { .GdiContext = gdi };
    HANDLE device = context->device->driver_handle;
    if (adapter->setup->caps.multi_engine) {
        status = context_enter_driver(adapter, device, flags, context);
    } else { /* the device is the context, and says what its buffers need */
        context->driver_handle = device;
        context->info = context_buffers_of(&context->device->info);
    }
    if (status)
        return status;
    status = context_check_buffers(adapter, context->label, &context->info, gdi);
    if (status && adapter->setup->caps.multi_engine)
        context_leave_driver(adapter, context->driver_handle, context->handle);
    context->dma_bytes = context->info.DmaBufferSize;
    context->list_size = context->info.AllocationListSize;
    context->patch_size = context->info.PatchLocationListSize;
    return status;
}

vidmm_status vidmm_context_create_with(adapter_t *adapter, const struct vidmm_context_args *args,
                                       vidmm_handle *handle)
{
    const char *label = args->label;
    uint32_t node = args->node;
    vidmm_status status = adapter_usable(adapter);
    if (status)
        return status;
    struct device *device = handle_object(adapter, args->device, VIDMM_OBJECT_DEVICE);
    if (!device)
        return refuse(adapter, RULE(KMT_003), STATUS_INVALID_PARAMETER, "%s: no such device",
                      label);
    if (device->state != DEVICE_ACTIVE)
        return refuse(adapter, RULE(SUBMIT_015), STATUS_DEVICE_REMOVED, "device %s is %s",
                      device->label, vidmm_device_state(adapter, device->handle));
    uint32_t nodes = adapter->setup->caps.multi_engine ? adapter->setup->caps.nodes : 1;
    if (node >= nodes)
        return refuse(adapter, RULE(MINI_018), STATUS_INVALID_PARAMETER,
                      "%s: node %u does not exist, there are %u", label, node, nodes);
    struct context *context = base_alloc(1, sizeof *context);
    context->handle = handle_new(adapter, VIDMM_OBJECT_CONTEXT, context);
    context->label = base_strndup(label, strlen(label));
    context->device = device;
    context->node = node;
    context->engines = (1u << adapter->setup->link_count) - 1;
    status =
        context->handle ? create_in_driver(adapter, context, args->gdi) : device_no_handle(adapter);
    if (status) {
        /* What the driver made for it goes too. */
        context_allocations_orphan(adapter, context->allocations); /* ALLOC-052 */
        if (context->handle)
            handle_end(adapter, context->handle);
        base_free(context->label);
        base_free(context);
        return status;
    }
    DL_PREPEND(device->contexts, context);
    *handle = context->handle;
    EMIT(adapter, CREATE, VIDMM_RULE_NONE, context->handle, f_word("kind", "context"),
         f_text("device", device->label), f_node("node", node));
    return STATUS_SUCCESS;
}

vidmm_status vidmm_context_create(adapter_t *adapter, const char *label, vidmm_handle device,
                                  uint32_t node, vidmm_handle *handle)
{
    const struct vidmm_context_args args = { .label = label, .device = device, .node = node };
    return vidmm_context_create_with(adapter, &args, handle);
}

bool vidmm_context_view(const adapter_t *adapter, vidmm_handle handle,
                        struct vidmm_context_view *view)
{
    const struct context *context = handle_object(adapter, handle, VIDMM_OBJECT_CONTEXT);
    if (!context)
        return false;
    *view = (struct vidmm_context_view){
        .node = context->node,
        .device = context->device->handle,
        .dma_segment_set = context->info.DmaBufferSegmentSet,
        .dma_bytes = context->dma_bytes,
        .dma_private_bytes = context->info.DmaBufferPrivateDataSize,
        .list_size = context->list_size,
        .patch_size = context->patch_size,
    };
    return true;
}

void context_free(adapter_t *adapter, struct context *context)
{
    if (node_loaded(adapter, context->node) == context)
        node_load(adapter, context->node, NULL);
    DL_DELETE(context->device->contexts, context);
    handle_close(adapter, context->handle);
    if (!adapter_stopped(adapter) && !context->device->gone && adapter->setup->caps.multi_engine)
        context_leave_driver(adapter, context->driver_handle, context->handle);
    EMIT(adapter, DESTROY, VIDMM_RULE_NONE, context->handle, f_word("kind", "context"));
    handle_end(adapter, context->handle);
    base_free(context->label);
    base_free(context);
}

vidmm_status context_destroy(adapter_t *adapter, struct context *context)
{
    vidmm_status status = context_switch_end(adapter, context);
    uint32_t fence = submit_newest_of(adapter, context);
    if (!status && fence)
        status = schedule_wait_fence(adapter, context->node, fence, VIDMM_WAIT_DESTROY,
                                     RULE(BUG_041), context->device);
    if (!status)
        status = context_end(adapter, context);
    if (!status)
        status = dma_buffers_release(adapter, context);
    if (!status)
        context_free(adapter, context);
    return status;
}
