/* SPDX-License-Identifier: MIT */
/*
 * allocation_calls.c: DxgkDdiCreateAllocation and DxgkDdiOpenAllocation, with all elements of one
 * creation, DxgkDdiDescribeAllocation for its primaries, DxgkDdiSetAllocationBackingStore for a
 * store that is shared, and what the driver may answer to them as a whole.
 *
 * Rules not named below: ALLOC-001, ALLOC-005.
 */
#include <stdio.h>
#include <string.h>

#include "paging/store/store.h"
#include "vidmm/allocation/allocation_make.h"
#include "vidmm/cpu/cpu.h"

/* MINI-032, MINI-040. */
static bool creation_code_is_legal(NTSTATUS status)
{
    return status == STATUS_SUCCESS || status == STATUS_INVALID_PARAMETER ||
           status == STATUS_NO_MEMORY || status == STATUS_GRAPHICS_DRIVER_MISMATCH;
}

/* The driver gets copies: one block of the call, and one of each element (ALLOC-004). */
static void copy_private_data(struct creation *creation, DXGKARG_CREATEALLOCATION *arg)
{
    const struct vidmm_creation_args *call = creation->call;
    uint8_t *at = creation->private_data;
    if (call->private_bytes) {
        memcpy(at, call->private_data, call->private_bytes);
        arg->pPrivateDriverData = at;
        arg->PrivateDriverDataSize = call->private_bytes;
        at += align_up(call->private_bytes, CREATION_PRIVATE_ALIGN);
    }
    for (size_t i = 0; i < creation->count; i++) {
        uint32_t bytes;
        const void *data = standard_private_data(creation, i, &bytes);
        if (bytes)
            memcpy(at, data, bytes);
        creation->infos[i].pPrivateDriverData = bytes ? at : NULL;
        creation->infos[i].PrivateDriverDataSize = bytes;
        at += align_up(bytes, CREATION_PRIVATE_ALIGN);
    }
    applies(creation->adapter, RULE(KMT_008));
}

enum { ELEMENTS_SHOWN = 8, LIST_BYTES = 128 };

/* Tells one content from another: FNV-1a in 32 bits. */
static uint32_t checksum(const void *data, size_t bytes)
{
    const uint8_t *at = data;
    uint32_t sum = 2166136261u;
    for (size_t i = 0; i < bytes; i++)
        sum = (sum ^ at[i]) * 16777619u;
    return sum;
}

/* Of the first elements: "64,128,..." and "0x1234ABCD,none,...". */
static void list_private_data(const struct creation *creation, char sizes[LIST_BYTES],
                              char sums[LIST_BYTES])
{
    size_t size_at = 0, sum_at = 0;
    for (size_t i = 0; i < creation->count && i < ELEMENTS_SHOWN; i++) {
        uint32_t bytes;
        const char *comma = i ? "," : "";
        const void *data = standard_private_data(creation, i, &bytes);
        char sum[16] = "none";
        if (bytes)
            (void)snprintf(sum, sizeof sum, "0x%08X", (unsigned)checksum(data, bytes));
        size_at += (size_t)snprintf(sizes + size_at, LIST_BYTES - size_at, "%s%u", comma, bytes);
        sum_at += (size_t)snprintf(sums + sum_at, LIST_BYTES - sum_at, "%s%s", comma, sum);
    }
    if (creation->count > ELEMENTS_SHOWN) {
        (void)snprintf(sizes + size_at, LIST_BYTES - size_at, ",...");
        (void)snprintf(sums + sum_at, LIST_BYTES - sum_at, ",...");
    }
}

/* Which handle of its own the driver has for a resource: addresses are not told. */
const char *creation_resource_word(HANDLE before, HANDLE after)
{
    if (!after)
        return "none";
    return !before ? "new" : before == after ? "kept" : "replaced";
}

/* Of the content that the driver was given: what it made of its copies is its own affair. */
static void tell_create_call(const struct creation *creation, const DXGKARG_CREATEALLOCATION *arg,
                             NTSTATUS status)
{
    char sizes[LIST_BYTES] = "none", sums[LIST_BYTES] = "none";
    uint32_t sum = 0;
    const struct resource *resource = creation->resource;
    if (heard(creation->adapter, VIDMM_EVENT_DRIVER_CALL)) {
        list_private_data(creation, sizes, sums);
        if (arg->PrivateDriverDataSize)
            sum = checksum(creation->standards ? creation->standards[0].resource_data
                                               : creation->call->private_data,
                           arg->PrivateDriverDataSize);
    }
    DRIVER_CALL_END(creation->adapter, CreateAllocation, status, 0,
                    f_number("NumAllocations", creation->count), f_hex("Flags", arg->Flags.Value),
                    f_bytes("PrivateDriverDataSize", arg->PrivateDriverDataSize),
                    f_hex("checksum", sum), f_text("pAllocationInfo.PrivateDriverDataSize", sizes),
                    f_text("pAllocationInfo.checksum", sums),
                    f_word("hResource",
                           creation_resource_word(resource ? resource->driver_handle : NULL,
                                                  arg->hResource)));
}

/* ALLOC-002, MINI-032: failures are passed on unchanged. */
vidmm_status creation_call_driver(struct creation *creation)
{
    adapter_t *adapter = creation->adapter;
    DXGKARG_CREATEALLOCATION arg = {
        .NumAllocations = (UINT)creation->count,
        .pAllocationInfo = creation->infos,
        .hResource = creation->resource ? creation->resource->driver_handle : NULL,
        .Flags.Resource = creation->resource != NULL,
    };
    copy_private_data(creation, &arg);
    if (creation->standards) {
        arg.pPrivateDriverData = creation->standards[0].resource_data;
        arg.PrivateDriverDataSize = creation->standards[0].resource_bytes;
    }
    NTSTATUS status = DRIVER_CALL(adapter, 0, CreateAllocation, adapter->setup->driver, &arg);
    applies(adapter, RULE(MINI_030));
    tell_create_call(creation, &arg, status);
    if (!creation_code_is_legal(status))
        finding(adapter, RULE(MINI_032), 0,
                "DxgkDdiCreateAllocation answers 0x%08x, which it may not", (unsigned)status);
    if (status)
        return refuse(adapter, RULE(ALLOC_002), failure_of(status),
                      "%s: the miniport refused the creation", creation_label(creation));
    /* It may return or replace its handle, and gets it back with every addition. */
    if (creation->resource) {
        creation->resource->driver_handle = arg.hResource;
        creation->resource->driver_notified = true;
    }
    return STATUS_SUCCESS;
}

vidmm_status creation_judge_open(adapter_t *adapter, const char *label, NTSTATUS answer)
{
    if (!creation_code_is_legal(answer))
        finding(adapter, RULE(MINI_040), 0,
                "DxgkDdiOpenAllocation answers 0x%08x, which it may not", (unsigned)answer);
    if (!answer)
        return STATUS_SUCCESS;
    return refuse(adapter, RULE(ALLOC_008), failure_of(answer),
                  "%s: the miniport refused to open it", label);
}

vidmm_status creation_refuse_open(adapter_t *adapter, const struct allocation *allocation)
{
    const char *label = allocation->pageable.label;
    finding(adapter, RULE(MINI_040), allocation->pageable.handle,
            "%s: hDeviceSpecificAllocation is NULL", label);
    return refuse(adapter, RULE(MINI_040), STATUS_INVALID_PARAMETER,
                  "%s: hDeviceSpecificAllocation is NULL", label);
}

vidmm_status creation_open(struct creation *creation)
{
    adapter_t *adapter = creation->adapter;
    DXGKARG_OPENALLOCATION arg = {
        .NumAllocations = (UINT)creation->count,
        .pOpenAllocation = creation->opens,
        .Flags.Create = 1,
        .Flags.ReadOnly = (creation->flags & VIDMM_KMT_ReadOnly) != 0,
    };
    for (size_t i = 0; i < creation->count; i++)
        creation->opens[i] = (DXGK_OPENALLOCATIONINFO){
            .hAllocation = creation->made[i]->pageable.handle,
            .pPrivateDriverData = creation->infos[i].pPrivateDriverData,
            .PrivateDriverDataSize = creation->infos[i].PrivateDriverDataSize,
        };
    NTSTATUS status =
        DRIVER_CALL(adapter, 0, OpenAllocation, creation->device->driver_handle, &arg);
    DRIVER_CALL_END(adapter, OpenAllocation, status, creation->made[0]->pageable.handle,
                    f_number("NumAllocations", creation->count), f_hex("Flags", arg.Flags.Value));
    status = creation_judge_open(adapter, creation->args[0].label, status);
    creation->opened = !status;
    for (size_t i = 0; i < creation->count && !status; i++) {
        creation->made[i]->open_handle = creation->opens[i].hDeviceSpecificAllocation;
        if (!creation->made[i]->open_handle)
            status = creation_refuse_open(adapter, creation->made[i]);
    }
    return status;
}

/* MINI-044: what a primary looks like. */
static vidmm_status describe(adapter_t *adapter, const struct allocation *allocation)
{
    DXGKARG_DESCRIBEALLOCATION arg = { .hAllocation = allocation->pageable.driver_handle };
    if (!adapter->setup->ddi->DxgkDdiDescribeAllocation) {
        finding(adapter, RULE(MINI_044), allocation->pageable.handle,
                "%s is a primary, and the driver cannot describe it", allocation->pageable.label);
        return adapter_usable(adapter);
    }
    NTSTATUS answer = DRIVER_CALL(adapter, 0, DescribeAllocation, adapter->setup->driver, &arg);
    DRIVER_CALL_END(adapter, DescribeAllocation, answer, allocation->pageable.handle,
                    f_number("Width", arg.Width), f_number("Height", arg.Height),
                    f_number("Format", (uint64_t)arg.Format),
                    f_number("RefreshRate.Numerator", arg.RefreshRate.Numerator),
                    f_number("RefreshRate.Denominator", arg.RefreshRate.Denominator));
    if (!answer)
        return STATUS_SUCCESS;
    return refuse(adapter, RULE(MINI_044), failure_of(answer),
                  "%s: the miniport does not describe the primary", allocation->pageable.label);
}

vidmm_status creation_describe(struct creation *creation)
{
    vidmm_status status = STATUS_SUCCESS;
    for (size_t i = 0; i < creation->count && !status; i++)
        if (creation->made[i]->pageable.info.primary)
            status = describe(creation->adapter, creation->made[i]);
    return status;
}

/* ---- a store that the driver sees ------------------------------------- */

/*
 * ShareBackingStoreWithKmd: the driver is given a kernel address during the creation. The store is
 * there from then on and stays as long as the allocation lives, for nobody could take it back.
 */

/* Tokens of their own half: the kernel sees a store at another address than the application. */
#define KERNEL_STORES UINT64_C(0xFFFFC00000000000)

vidmm_status creation_share_store(adapter_t *adapter, struct allocation *allocation)
{
    struct pageable *pageable = &allocation->pageable;
    if (!(pageable->info.flags2 & VIDMM_ALLOCATION2_ShareBackingStoreWithKmd))
        return STATUS_SUCCESS;
    if (!adapter->setup->ddi->DxgkDdiSetAllocationBackingStore)
        return refuse(adapter, RULE(FLAG_063), STATUS_INVALID_PARAMETER,
                      "%s: ShareBackingStoreWithKmd, but the miniport has no call to take a store",
                      pageable->label);
    if (!backing_populate(adapter, pageable))
        return system_refuse(adapter, RULE(PAGE_015), pageable->info.bytes,
                             "the shared store of ", pageable->label);
    if (pageable->store.state == ALLOCATION_NO_CONTENT) {
        allocation_first_content(adapter, pageable);
        allocation_become(pageable, ALLOCATION_EVICTED);
    }
    uint64_t address = KERNEL_STORES +
                       cpu_address_take(adapter, align_up(pageable->info.bytes, 0x10000) + 0x10000);
    const DXGKARG_SETALLOCATIONBACKINGSTORE arg = {
        .hDriverAllocation = pageable->driver_handle,
        .pBackingStore = (VOID *)(uintptr_t)address,
    };
    NTSTATUS answer =
        DRIVER_CALL(adapter, 0, SetAllocationBackingStore, adapter->setup->driver, &arg);
    DRIVER_CALL_END(adapter, SetAllocationBackingStore, answer, pageable->handle,
                    f_hex("pBackingStore", address));
    if (!answer)
        return STATUS_SUCCESS;
    return refuse(adapter, RULE(FLAG_063), failure_of(answer),
                  "%s: the miniport does not take the backing store that it asked for",
                  pageable->label);
}
