/* SPDX-License-Identifier: MIT */
/*
 * device.c: processes and devices come and go.
 *
 * Owners take what they own with them: a process its devices, a device its contexts and
 * allocations. The calls that make and end devices and contexts cost no time, like those of
 * allocations: the times of a scenario begin with its first work (TIME-003).
 *
 * DXGKARG_CREATEDEVICE carries Flags in, and in the same place a pointer out: a driver without
 * multi-engine support points to what the buffers of the device need.
 *
 * Rules not named below: BUG-041, SUBMIT-015.
 */
#include <string.h>

#include "vidmm/allocation/allocation.h"
#include "vidmm/device/context.h"
#include "vidmm/device/device.h"
#include "vidmm/share/share.h"
#include "vidmm/submit/submit.h"

vidmm_status device_no_handle(adapter_t *adapter)
{
    return refuse(adapter, RULE(ALLOC_009), STATUS_NO_MEMORY, "more than %d objects would live",
                  VIDMM_LIVE_MAX);
}

/* ---- calls of the driver -------------------------------------------------------------------- */

static vidmm_status create_driver_device(adapter_t *adapter, struct device *device, bool system)
{
    DXGKARG_CREATEDEVICE arg = { .hDevice = (HANDLE)(uintptr_t)device->handle };
    DXGK_CREATEDEVICEFLAGS flags = { .SystemDevice = system };
    arg.Flags = flags;
    NTSTATUS status = DRIVER_CALL(adapter, 0, CreateDevice, adapter->setup->driver, &arg);
    DRIVER_CALL_END(adapter, CreateDevice, status, device->handle, f_hex("Flags", flags.Value));
    if (!NT_SUCCESS(status))
        return refuse(adapter, RULE(MINI_022), status, "the miniport made no device for %s",
                      device->label);
    device->driver_handle = arg.hDevice;
    /* What still is no address are the flags of the call, 0 without contexts. */
    if (!adapter->setup->caps.multi_engine && arg.Flags.Value != flags.Value)
        device->info = *arg.pInfo;
    return STATUS_SUCCESS;
}

static void destroy_driver_device(adapter_t *adapter, HANDLE driver_handle, vidmm_handle handle)
{
    NTSTATUS status = DRIVER_CALL(adapter, 0, DestroyDevice, driver_handle);
    driver_call_end(adapter, "DxgkDdiDestroyDevice", status, handle, NULL, 0);
}

/* ---- the system's own device and context ---------------------------------------------------- */

vidmm_status device_start_system(adapter_t *adapter)
{
    char label[] = "system";
    struct device device = { .label = label };
    struct context context = { .label = label, .node = adapter->setup->caps.paging_node };
    if (!adapter->setup->caps.multi_engine && adapter->setup->link_count > 1)
        return refuse(adapter, RULE(MINI_022), STATUS_INVALID_PARAMETER,
                      "without contexts no paging operation can say which adapter of the link it "
                      "is for: MultiEngineAware has to be set");
    if (!adapter->setup->caps.multi_engine)
        return STATUS_SUCCESS;
    vidmm_status status = create_driver_device(adapter, &device, true);
    if (status)
        return status;
    adapter->setup->system_device = device.driver_handle;
    DXGK_CREATECONTEXTFLAGS flags = { .SystemContext = 1 };
    for (uint32_t i = 0; i < adapter->setup->link_count && !status; i++) {
        context.engines = 1u << i;
        status = context_enter_driver(adapter, device.driver_handle, flags, &context);
        adapter->setup->system_contexts[i] = status ? NULL : context.driver_handle;
    }
    return status;
}

void device_stop_system(adapter_t *adapter)
{
    for (uint32_t i = 0; i < adapter->setup->link_count; i++)
        if (adapter->setup->system_contexts[i])
            context_leave_driver(adapter, adapter->setup->system_contexts[i], 0);
    if (adapter->setup->system_device)
        destroy_driver_device(adapter, adapter->setup->system_device, 0);
    memset(adapter->setup->system_contexts, 0, sizeof adapter->setup->system_contexts);
    adapter->setup->system_device = NULL;
}

/* ---- processes ------------------------------------------------------------------------------ */

vidmm_status vidmm_process_create(adapter_t *adapter, const char *label, vidmm_handle *handle)
{
    const struct vidmm_process_args args = { .label = label };
    return vidmm_process_create_with(adapter, &args, handle);
}

vidmm_status vidmm_process_create_with(adapter_t *adapter, const struct vidmm_process_args *args,
                                       vidmm_handle *handle)
{
    vidmm_status status = adapter_usable(adapter);
    if (status)
        return status;
    struct process *process = base_alloc(1, sizeof *process);
    process->handle = handle_new(adapter, VIDMM_OBJECT_PROCESS, process);
    if (!process->handle) {
        base_free(process);
        return device_no_handle(adapter);
    }
    process->label = base_strndup(args->label, strlen(args->label));
    process->secure = args->secure;
    *handle = process->handle;
    EMIT(adapter, CREATE, VIDMM_RULE_NONE, process->handle, f_word("kind", "process"));
    return STATUS_SUCCESS;
}

void process_free(adapter_t *adapter, struct process *process)
{
    EMIT(adapter, DESTROY, VIDMM_RULE_NONE, process->handle, f_word("kind", "process"));
    handle_end(adapter, process->handle);
    base_free(process->label);
    base_free(process->timeouts);
    base_free(process);
}

vidmm_status process_destroy(adapter_t *adapter, struct process *process)
{
    vidmm_status status = STATUS_SUCCESS;
    while (!status && process->devices)
        status = device_destroy(adapter, process->devices);
    if (!status)
        process_free(adapter, process);
    return status;
}

/* ---- devices -------------------------------------------------------------------------------- */

vidmm_status vidmm_device_create(adapter_t *adapter, const char *label, vidmm_handle process_handle,
                                 vidmm_handle *handle)
{
    vidmm_status status = adapter_usable(adapter);
    if (status)
        return status;
    struct process *process = handle_object(adapter, process_handle, VIDMM_OBJECT_PROCESS);
    if (!process)
        return refuse(adapter, RULE(KMT_003), STATUS_INVALID_PARAMETER, "%s: no such process",
                      label);
    if (process->blocked)
        return refuse(adapter, RULE(TDR_019), STATUS_DEVICE_REMOVED,
                      "%s may not use the GPU any more: it hung too often", process->label);
    struct device *device = base_alloc(1, sizeof *device);
    device->handle = handle_new(adapter, VIDMM_OBJECT_DEVICE, device);
    device->label = base_strndup(label, strlen(label));
    device->process = process;
    status =
        device->handle ? create_driver_device(adapter, device, false) : device_no_handle(adapter);
    if (!status) { /* of a driver with contexts there are no buffers yet */
        const DXGK_CONTEXTINFO info = context_buffers_of(&device->info);
        status = context_check_buffers(adapter, label, &info, false);
        if (status)
            destroy_driver_device(adapter, device->driver_handle, device->handle);
    }
    if (status) {
        context_allocations_orphan(adapter, device->context_allocations);
        if (device->handle)
            handle_end(adapter, device->handle);
        base_free(device->label);
        base_free(device);
        return status;
    }
    device_list(adapter, device);
    *handle = device->handle;
    EMIT(adapter, CREATE, VIDMM_RULE_NONE, device->handle, f_word("kind", "device"),
         f_text("process", process->label));
    return STATUS_SUCCESS;
}

void device_free(adapter_t *adapter, struct device *device)
{
    device_unlist(adapter, device);
    CHECK(!device->allocations && !device->contexts && !device->openings);
    handle_close(adapter, device->handle);
    if (!adapter_stopped(adapter) && !device->gone)
        destroy_driver_device(adapter, device->driver_handle, device->handle);
    EMIT(adapter, DESTROY, VIDMM_RULE_NONE, device->handle, f_word("kind", "device"));
    handle_end(adapter, device->handle);
    base_free(device->label);
    base_free(device);
}

/* An allocation of a resource goes together with the resource. */
static vidmm_status destroy_allocations(adapter_t *adapter, struct device *device)
{
    vidmm_status status = STATUS_SUCCESS;
    while (device->allocations && !status) {
        struct allocation *allocation = device->allocations;
        status = allocation->resource ? resource_destroy(adapter, allocation->resource)
                                      : allocation_destroy(adapter, allocation);
    }
    while (device->resources && !status) /* those that hold nothing (KMT-006) */
        status = resource_destroy(adapter, device->resources);
    return status;
}

vidmm_status device_destroy(adapter_t *adapter, struct device *device)
{
    vidmm_status status = STATUS_SUCCESS;
    while (!status && device->contexts)
        status = context_destroy(adapter, device->contexts);
    if (!status)
        status = shared_close_all(adapter, device);
    if (!status)
        status = destroy_allocations(adapter, device);
    if (!status)
        device_free(adapter, device);
    return status;
}

vidmm_status device_leave_driver(adapter_t *adapter, struct device *device)
{
    vidmm_status status = destroy_allocations(adapter, device);
    if (!status) /* how the driver ended them may have been its last mistake (BUG-050) */
        status = adapter_alive(adapter);
    if (status || device->gone)
        return status;
    device->gone = true; /* the driver makes nothing for it any more */
    for (struct context *context = device->contexts; context; context = context->next) {
        status = dma_buffers_release(adapter, context);
        if (status)
            return status;
        if (adapter->setup->caps.multi_engine)
            context_leave_driver(adapter, context->driver_handle, context->handle);
    }
    destroy_driver_device(adapter, device->driver_handle, device->handle);
    device->driver_handle = NULL;
    return STATUS_SUCCESS;
}
