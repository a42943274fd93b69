/* SPDX-License-Identifier: MIT */
/*
 * allocate.c: the creation call as the caller sees it: arguments, all or nothing, handles.
 *
 * Rules: ALLOC-003, ALLOC-035, MINI-031, KMT-003, KMT-006.
 */
#include "vidmm/standard.h"

enum { PRIVATE_BYTES_SMALL = 256 };

/* ---- arguments ------------------------------------------------------------------------------ */

static vidmm_status check_element(adapter_t *adapter, const struct vidmm_allocation_args *args)
{
    if (args->system_range &&
        !handle_object(adapter, args->system_range, VIDMM_OBJECT_SYSTEM_RANGE))
        return refuse(adapter, RULE(FLAG_025), STATUS_INVALID_PARAMETER,
                      "%s: no such range of system memory", args->label);
    vidmm_status status = primary_check(adapter, args);
    if (status || !args->override_priority)
        return status;
    if (adapter->caps.wddm < 22)
        return refuse(adapter, RULE(ALLOC_035), STATUS_INVALID_PARAMETER,
                      "%s: OverridePriority exists from 2.2 on", args->label);
    if (!args->priority)
        return refuse(adapter, RULE(ALLOC_035), STATUS_INVALID_PARAMETER,
                      "%s: priority 0 cannot override anything", args->label);
    applies(adapter, RULE(ALLOC_035));
    return STATUS_SUCCESS;
}

static vidmm_status check_call(struct creation *creation, vidmm_handle device, bool resource)
{
    adapter_t *adapter = creation->adapter;
    creation->device = handle_object(adapter, device, VIDMM_OBJECT_DEVICE);
    if (!creation->device)
        return refuse(adapter, RULE(KMT_003), STATUS_INVALID_PARAMETER, "no such device");
    if (creation->device->state != DEVICE_ACTIVE)
        return refuse(adapter, RULE(SUBMIT_015), STATUS_DEVICE_REMOVED, "device %s is in error",
                      creation->device->label);
    if (!creation->count && resource) /* legal, and of use to those who add to it */
        return refuse(adapter, RULE(KMT_006), STATUS_NOT_SUPPORTED,
                      "a resource without allocations is not simulated yet");
    if (!creation->count || creation->count > VIDMM_LIST_MAX)
        return refuse(adapter, RULE(KMT_006), STATUS_INVALID_PARAMETER,
                      "one call cannot create %zu allocations", creation->count);
    for (size_t i = 0; i < creation->count; i++) {
        vidmm_status status = check_element(adapter, &creation->args[i]);
        if (status)
            return status;
    }
    return STATUS_SUCCESS;
}

/* ---- undo ----------------------------------------------------------------------------------- */

static void call_close(struct creation *creation)
{
    adapter_t *adapter = creation->adapter;
    HANDLE *list = base_alloc(creation->count, sizeof *list);
    DXGKARG_CLOSEALLOCATION arg = { .NumAllocations = 0, .pOpenHandleList = list };
    for (size_t i = 0; i < creation->count; i++)
        if (creation->opens[i].hDeviceSpecificAllocation)
            list[arg.NumAllocations++] = creation->opens[i].hDeviceSpecificAllocation;
    driver_call_begin(adapter, "DxgkDdiCloseAllocation", 0);
    NTSTATUS status = adapter->ddi->DxgkDdiCloseAllocation(creation->device->driver_handle, &arg);
    const struct vidmm_field fields[] = { f_number("NumAllocations", arg.NumAllocations) };
    driver_call_end(adapter, "DxgkDdiCloseAllocation", status, 0, fields, ARRAY_COUNT(fields));
    base_free(list);
}

static void call_destroy(struct creation *creation)
{
    adapter_t *adapter = creation->adapter;
    HANDLE *list = base_alloc(creation->count, sizeof *list);
    DXGKARG_DESTROYALLOCATION arg = {
        .pAllocationList = list,
        .hResource = creation->resource ? creation->resource->driver_handle : NULL,
        .Flags.DestroyResource = creation->resource != NULL,
    };
    for (size_t i = 0; i < creation->count; i++)
        if (creation->infos[i].hAllocation)
            list[arg.NumAllocations++] = creation->infos[i].hAllocation;
    driver_call_begin(adapter, "DxgkDdiDestroyAllocation", 0);
    NTSTATUS status = adapter->ddi->DxgkDdiDestroyAllocation(adapter->driver, &arg);
    const struct vidmm_field fields[] = {
        f_number("NumAllocations", arg.NumAllocations),
        f_hex("Flags", arg.Flags.Value),
    };
    driver_call_end(adapter, "DxgkDdiDestroyAllocation", status, 0, fields, ARRAY_COUNT(fields));
    base_free(list);
}

/* MINI-031: the driver forgets every element of the call, and so do we. */
static void take_back(struct creation *creation)
{
    adapter_t *adapter = creation->adapter;
    applies(adapter, RULE(MINI_031));
    applies(adapter, RULE(ALLOC_003));
    if (creation->opened && !adapter->stopped)
        call_close(creation);
    if (creation->created && !adapter->stopped)
        call_destroy(creation);
    for (size_t i = 0; i < creation->count; i++) {
        struct allocation *allocation = creation->made[i];
        if (!allocation)
            continue;
        allocation_advice_forget(adapter, allocation);
        allocation_free(adapter, allocation);
    }
    if (creation->resource) {
        handle_end(adapter, creation->resource->handle);
        base_free(creation->resource);
    }
}

static void undo(struct creation *creation)
{
    struct vidmm_refusal refusal = creation->adapter->refusal;
    if (!creation->joined)
        take_back(creation);
    else if (!creation->adapter->stopped)
        (void)allocation_destroy_all(creation->adapter, creation->made, creation->count,
                                     creation->resource);
    creation->adapter->refusal = refusal; /* why it failed, not what the undo met */
}

/* ---- private data -----------------------------------------------------------------------------
 */

/* The driver may change what it is given, so it gets copies, each aligned for any of its types. */
static size_t copy_size(const struct creation *creation)
{
    size_t bytes = 0;
    for (size_t i = 0; i < creation->count; i++) {
        uint32_t element;
        (void)standard_private_data(creation, i, &element);
        bytes += align_up(element, CREATION_PRIVATE_ALIGN);
    }
    return bytes;
}

/* ---- the call ------------------------------------------------------------------------------- */

static struct resource *new_resource(adapter_t *adapter, struct device *device)
{
    struct resource *resource = base_alloc(1, sizeof *resource);
    resource->handle = handle_new(adapter, VIDMM_OBJECT_RESOURCE, resource);
    resource->device = device;
    if (resource->handle)
        return resource;
    base_free(resource);
    return NULL;
}

static vidmm_status carry_out(struct creation *creation, bool resource, vidmm_handle *handles)
{
    adapter_t *adapter = creation->adapter;
    if (resource) {
        creation->resource = new_resource(adapter, creation->device);
        if (!creation->resource)
            return refuse(adapter, RULE(ALLOC_009), STATUS_NO_MEMORY,
                          "more than %d objects would live", VIDMM_LIVE_MAX);
    }
    vidmm_status status = creation_carry_out(creation);
    if (status) {
        undo(creation);
        return status;
    }
    for (size_t i = 0; i < creation->count; i++)
        handles[i] = creation->made[i]->handle;
    return STATUS_SUCCESS;
}

/* With room for the elements. */
static vidmm_status create_all(struct creation *creation, bool resource, vidmm_handle *handles)
{
    size_t count = creation->count;
    /* Nearly always there is one element: nothing but the allocation itself is allocated then. */
    DXGK_ALLOCATIONINFO info = { 0 };
    DXGK_OPENALLOCATIONINFO open = { 0 };
    struct allocation *made = NULL;
    creation->infos = count == 1 ? &info : base_alloc(count, sizeof info);
    creation->opens = count == 1 ? &open : base_alloc(count, sizeof open);
    creation->made = count == 1 ? &made : base_alloc(count, sizeof(struct allocation *));
    _Alignas(CREATION_PRIVATE_ALIGN) uint8_t small[PRIVATE_BYTES_SMALL];
    size_t private_bytes = copy_size(creation);
    creation->private_data = private_bytes <= sizeof small ? small : base_alloc(private_bytes, 1);
    vidmm_status status = carry_out(creation, resource, handles);
    if (creation->private_data != small)
        base_free(creation->private_data);
    if (count != 1) {
        base_free(creation->infos);
        base_free(creation->opens);
        base_free(creation->made);
    }
    return status;
}

vidmm_status vidmm_allocate(adapter_t *adapter, vidmm_handle device, bool resource,
                            const struct vidmm_allocation_args *args, size_t count,
                            vidmm_handle *handles)
{
    struct creation creation = { .adapter = adapter, .args = args, .count = count };
    vidmm_status status = adapter_usable(adapter);
    if (!status)
        status = check_call(&creation, device, resource);
    if (status)
        return status;
    status = standard_describe(&creation);
    if (!status)
        status = create_all(&creation, resource, handles);
    standard_fini(&creation);
    return status;
}
