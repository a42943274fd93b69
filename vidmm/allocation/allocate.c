/* SPDX-License-Identifier: MIT */
/*
 * allocate.c: the creation call as the caller sees it: arguments, all or nothing, handles.
 *
 * Rules not named below: KMT-004, KMT-022.
 */
#include "vidmm/allocation/allocation_make.h"
#include "vidmm/share/share.h"

enum { PRIVATE_BYTES_SMALL = 256 };

/* ---- arguments ------------------------------------------------------------------------------ */

/* What the caller says about a surface that will be displayed. */
static vidmm_status check_primary(adapter_t *adapter, const struct vidmm_allocation_args *args)
{
    uint32_t defined = adapter->setup->caps.defined[VIDMM_FLAGS_INFO];
    uint32_t flags = args->info_flags & ~(uint32_t)VIDMM_INFO_OverridePriority; /* ALLOC-035 */
    if (flags & ~defined)
        return refuse(adapter, RULE(ALLOC_043), STATUS_INVALID_PARAMETER,
                      "%s: reserved bits 0x%x of D3DDDI_ALLOCATIONINFO.Flags are set", args->label,
                      flags & ~defined);
    if ((flags & VIDMM_INFO_Stereo) && !(flags & VIDMM_INFO_Primary))
        return refuse(adapter, RULE(ALLOC_043), STATUS_INVALID_PARAMETER,
                      "%s: Stereo is set without Primary", args->label);
    /* The page's constant for "not applicable" is 0, so the id is dropped, not refused. */
    if (primary_asked(args) || !args->vidpn_source)
        return STATUS_SUCCESS;
    return warn(adapter, RULE(ALLOC_044), 0, "%s: VidPnSourceId is ignored, it is no primary",
                args->label);
}

static vidmm_status check_element(adapter_t *adapter, const struct vidmm_allocation_args *args)
{
    if (args->system_range &&
        !handle_object(adapter, args->system_range, VIDMM_OBJECT_SYSTEM_RANGE))
        return refuse(adapter, RULE(FLAG_025), STATUS_INVALID_PARAMETER,
                      "%s: no such range of system memory", args->label);
    vidmm_status status = check_primary(adapter, args);
    if (status || !args->override_priority)
        return status;
    if (adapter->setup->caps.wddm < VIDMM_WDDM_2_2)
        return refuse(adapter, RULE(ALLOC_035), STATUS_INVALID_PARAMETER,
                      "%s: OverridePriority exists from 2.2 on", args->label);
    if (!args->priority)
        return refuse(adapter, RULE(ALLOC_035), STATUS_INVALID_PARAMETER,
                      "%s: priority 0 cannot override anything", args->label);
    return STATUS_SUCCESS;
}

static vidmm_status check_call(struct creation *creation)
{
    adapter_t *adapter = creation->adapter;
    uint32_t ddi_defined = adapter->setup->caps.defined[VIDMM_FLAGS_DDI_CREATE];
    vidmm_status status = creation_check(creation);
    if (status)
        return status;
    if (creation->device->state != DEVICE_ACTIVE)
        return refuse(adapter, RULE(SUBMIT_015), STATUS_DEVICE_REMOVED, "device %s is in error",
                      creation->device->label);
    /* Whose they are stands in the one bit that is defined, and that one is ours. */
    if (creation->call->ddi_flags & ~ddi_defined)
        return refuse(adapter, RULE(ALLOC_005), STATUS_INVALID_PARAMETER,
                      "%s: reserved bits of DXGK_CREATEALLOCATIONFLAGS are set",
                      creation_label(creation));
    for (size_t i = 0; i < creation->count && !status; i++)
        status = check_element(adapter, &creation->args[i]);
    return status;
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
    if (arg.NumAllocations) {
        NTSTATUS status =
            DRIVER_CALL(adapter, 0, CloseAllocation, creation->device->driver_handle, &arg);
        DRIVER_CALL_END(adapter, CloseAllocation, status, 0,
                        f_number("NumAllocations", arg.NumAllocations));
        allocation_judge_end(adapter, "DxgkDdiCloseAllocation", status);
    }
    base_free(list);
}

static void call_destroy(struct creation *creation)
{
    adapter_t *adapter = creation->adapter;
    HANDLE *list = base_alloc(creation->count, sizeof *list);
    DXGKARG_DESTROYALLOCATION arg = {
        .pAllocationList = list,
        .hResource = creation->resource ? creation->resource->driver_handle : NULL,
        .Flags.DestroyResource = creation->new_resource,
    };
    for (size_t i = 0; i < creation->count; i++)
        if (creation->infos[i].hAllocation)
            list[arg.NumAllocations++] = creation->infos[i].hAllocation;
    NTSTATUS status = DRIVER_CALL(adapter, 0, DestroyAllocation, adapter->setup->driver, &arg);
    DRIVER_CALL_END(adapter, DestroyAllocation, status, 0,
                    f_number("NumAllocations", arg.NumAllocations),
                    f_hex("Flags", arg.Flags.Value));
    allocation_judge_end(adapter, "DxgkDdiDestroyAllocation", status);
    if (creation->resource)
        creation->resource->driver_handle = arg.hResource;
    base_free(list);
}

/* MINI-031: the driver forgets every element of the call, and so do we. */
static void undo(struct creation *creation)
{
    adapter_t *adapter = creation->adapter;
    if (creation->joined) { /* they live: an ordinary end */
        if (!adapter_stopped(adapter))
            (void)allocation_destroy_all(adapter, creation->made, creation->count,
                                         creation->new_resource ? creation->resource : NULL);
        return;
    }
    applies(adapter, RULE(MINI_031));
    applies(adapter, RULE(ALLOC_003));
    if (creation->opened && !adapter_stopped(adapter))
        call_close(creation);
    if (creation->created && !adapter_stopped(adapter))
        call_destroy(creation);
    for (size_t i = 0; i < creation->count; i++) {
        struct allocation *allocation = creation->made[i];
        if (!allocation)
            continue;
        allocation_advice_count(adapter, allocation, false);
        allocation_free(adapter, allocation);
    }
    if (creation->new_resource)
        resource_free(adapter, creation->resource);
}

/* ---- the call ------------------------------------------------------------------------------- */

static vidmm_status carry_out(struct creation *creation)
{
    adapter_t *adapter = creation->adapter;
    if (creation->flags & VIDMM_KMT_CreateResource) {
        creation->resource = resource_new(adapter, creation->device);
        if (!creation->resource)
            return refuse(adapter, RULE(ALLOC_009), STATUS_NO_MEMORY,
                          "more than %d objects would live", VIDMM_LIVE_MAX);
        creation->new_resource = true;
        creation->resource->kmt = creation->flags;
        if (creation->call->label)
            creation->resource->label =
                base_strndup(creation->call->label, strlen(creation->call->label));
        creation->resource->runtime_bytes = creation->call->runtime_bytes;
    }
    applies(adapter, RULE(KMT_005));
    vidmm_status status = creation_carry_out(creation);
    if (status) {
        struct vidmm_refusal refusal = *refusal_of(adapter);
        undo(creation);
        refusal_restore(adapter, &refusal); /* why it failed, not what the undo met */
    }
    return status;
}

/* Flags as they come back from the call. Zeroed and AllowNotZeroed are about system pages: a fill
   of video memory is the GPU's (PAGE-005). */
static uint32_t flags_out(const struct creation *creation)
{
    bool zeroed = creation->count && !(creation->flags & VIDMM_KMT_AllowNotZeroed) &&
                  creation->adapter->setup->caps.wddm >= VIDMM_WDDM_1_3;
    for (size_t i = 0; i < creation->count; i++)
        zeroed &= !allocation_is_existing(&creation->made[i]->pageable);
    return (creation->flags & ~(uint32_t)VIDMM_KMT_Zeroed) | (zeroed ? VIDMM_KMT_Zeroed : 0);
}

/* With room for the elements. */
static vidmm_status create_all(struct creation *creation, vidmm_handle *handles,
                               struct vidmm_creation_result *result)
{
    size_t count = creation->count;
    /* Nearly always there is one element: nothing but the allocation itself is allocated then. */
    DXGK_ALLOCATIONINFO info = { 0 };
    DXGK_OPENALLOCATIONINFO open = { 0 };
    struct allocation *made = NULL;
    creation->infos = count <= 1 ? &info : base_alloc(count, sizeof info);
    creation->opens = count <= 1 ? &open : base_alloc(count, sizeof open);
    creation->made = count <= 1 ? &made : base_alloc(count, sizeof(struct allocation *));
    /* The driver may change what it is given, so it gets copies, each aligned for any type. */
    _Alignas(CREATION_PRIVATE_ALIGN) uint8_t small[PRIVATE_BYTES_SMALL];
    size_t private_bytes = align_up(creation->call->private_bytes, CREATION_PRIVATE_ALIGN);
    for (size_t i = 0; i < count; i++) {
        uint32_t element;
        (void)standard_private_data(creation, i, &element);
        private_bytes += align_up(element, CREATION_PRIVATE_ALIGN);
    }
    creation->private_data = private_bytes <= sizeof small ? small : base_alloc(private_bytes, 1);
    vidmm_status status = carry_out(creation);
    for (size_t i = 0; i < count && !status; i++)
        handles[i] = creation->made[i]->pageable.handle;
    if (!status && result)
        *result = (struct vidmm_creation_result){
            .resource = creation->resource ? creation->resource->handle : 0,
            .flags = flags_out(creation),
            .global_share = creation->resource && creation->resource->sharing
                                ? creation->resource->sharing->global
                                : 0,
        };
    if (creation->private_data != small)
        base_free(creation->private_data);
    if (count > 1) {
        base_free(creation->infos);
        base_free(creation->opens);
        base_free(creation->made);
    }
    return status;
}

vidmm_status vidmm_create_allocations(adapter_t *adapter, const struct vidmm_creation_args *args,
                                      vidmm_handle *handles, struct vidmm_creation_result *result)
{
    struct creation creation = {
        .adapter = adapter,
        .call = args,
        .args = args->allocations,
        .count = args->count,
    };
    applies(adapter, RULE(KMT_002));
    vidmm_status status = adapter_usable(adapter);
    if (!status)
        status = check_call(&creation);
    if (status)
        return status;
    struct existing_heap heap;
    status = existing_heap_begin(&creation, &heap);
    if (!status)
        status = standard_describe(&creation);
    if (!status)
        status = create_all(&creation, handles, result);
    standard_fini(&creation);
    return status;
}

vidmm_status vidmm_allocate(adapter_t *adapter, vidmm_handle device, bool resource,
                            const struct vidmm_allocation_args *args, size_t count,
                            vidmm_handle *handles)
{
    const struct vidmm_creation_args call = {
        .device = device,
        .flags = resource ? VIDMM_KMT_CreateResource : 0,
        .allocations = args,
        .count = count,
    };
    return vidmm_create_allocations(adapter, &call, handles, NULL);
}
