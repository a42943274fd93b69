/* SPDX-License-Identifier: MIT */
/*
 * context_allocation.c: allocations that the driver makes for a context, to save its state.
 *
 * DxgkCbCreateContextAllocation describes one completely, so there is no DxgkDdiCreateAllocation,
 * and nothing of the driver is called when it ends. It is resident before a packet of its context
 * enters a queue and stays, pinned, until a packet of another context does; one of a whole device
 * as long as any of its contexts is the last one on its node. No list of a submission names it.
 *
 * Rules not named below: PRIO-012.
 */
#include "paging/buffer/buffer.h"
#include "paging/residency/residency.h"
#include "paging/schedule/schedule.h"
#include "paging/store/store.h"
#include "paging/store/turns.h"
#include "vidmm/allocation/allocation_make.h"
#include "vidmm/base/base_hash.h"
#include "vidmm/cpu/cpu.h"
#include "vidmm/share/share.h"
#include "vidmm/submit/submit.h"

/* ---- birth ---------------------------------------------------------------------------------- */

static vidmm_status find_owner(adapter_t *adapter, const DXGKARGCB_CREATECONTEXTALLOCATION *arg,
                               struct device **device, struct context **context)
{
    bool shared = arg->ContextAllocationFlags.SharedAcrossContexts;
    vidmm_handle handle = (vidmm_handle)(uintptr_t)(shared ? arg->hDevice : arg->hContext);
    *context = shared ? NULL : handle_object(adapter, handle, VIDMM_OBJECT_CONTEXT);
    *device = *context ? (*context)->device : handle_object(adapter, handle, VIDMM_OBJECT_DEVICE);
    if (arg->ContextAllocationFlags.Reserved)
        return refuse(adapter, RULE(ALLOC_052), STATUS_INVALID_PARAMETER,
                      "reserved flags of a context allocation are set");
    if (*device && (*device)->gone)
        return refuse(adapter, RULE(ALLOC_052), STATUS_INVALID_PARAMETER,
                      "a context allocation for a device that has ended");
    if (shared ? !*device : !*context)
        return refuse(adapter, RULE(ALLOC_052), STATUS_INVALID_PARAMETER,
                      "a context allocation for no %s", shared ? "device" : "context");
    return STATUS_SUCCESS;
}

/* One set for reading and writing; the priority is HIGH (PRIO-012). */
static DXGK_ALLOCATIONINFO as_answer(adapter_t *adapter,
                                     const DXGKARGCB_CREATECONTEXTALLOCATION *arg)
{
    DXGK_ALLOCATIONINFO info = {
        .Alignment = arg->Alignment,
        .Size = arg->Size,
        .HintedBank = arg->HintedBank,
        .PreferredSegment = arg->PreferredSegment,
        .SupportedReadSegmentSet = arg->SupportedSegmentSet,
        .SupportedWriteSegmentSet = arg->SupportedSegmentSet,
        .EvictionSegmentSet = arg->EvictionSegmentSet,
        .hAllocation = arg->hDriverAllocation ? arg->hDriverAllocation : adapter,
        .Flags = arg->Flags,
        .AllocationPriority = vidmm_flag_by_name(VIDMM_FLAGS_PRIORITY, "HIGH")->value,
    };
    if (adapter->setup->caps.wddm >= VIDMM_WDDM_2_0)
        info.PhysicalAdapterIndex = arg->PhysicalAdapterIndex;
    return info;
}

static vidmm_status settle(adapter_t *adapter, struct allocation *allocation, HANDLE driver_handle)
{
    vidmm_status status = STATUS_SUCCESS;
    if (driver_handle)
        status = allocation_keep_driver_handle(adapter, allocation, driver_handle);
    if (!status)
        status = allocation_charge(adapter, &allocation->pageable);
    if (status)
        return status;
    turns_set_priority(adapter, &allocation->pageable, allocation->pageable.info.priority);
    allocation->pageable.handle = handle_new(adapter, VIDMM_OBJECT_ALLOCATION, allocation);
    if (!allocation->pageable.handle)
        return refuse(adapter, RULE(ALLOC_009), STATUS_NO_MEMORY, "more than %d objects would live",
                      VIDMM_LIVE_MAX);
    return cpu_va_create(adapter, allocation);
}

NTSTATUS context_allocation_create(INOUT_PDXGKARGCB_CREATECONTEXTALLOCATION arg)
{
    adapter_t *adapter = arg->hAdapter;
    struct device *device;
    struct context *context;
    const char *next = shared_next_label(adapter);
    const char *label = next ? next : "context-allocation";
    vidmm_status status = adapter_usable(adapter);
    if (!status && adapter->setup->caps.wddm < VIDMM_WDDM_1_2)
        status = refuse(adapter, RULE(ALLOC_052), STATUS_INVALID_PARAMETER,
                        "%s: context allocations exist from 1.2 on", label);
    if (!status)
        status = find_owner(adapter, arg, &device, &context);
    if (status)
        return status;
    struct allocation *allocation = allocation_of(allocation_new(adapter, label));
    const DXGK_ALLOCATIONINFO answer = as_answer(adapter, arg);
    const struct allocation_request request = {
        .label = label,
        .wddm2_flags = adapter->setup->caps.wddm >= VIDMM_WDDM_2_0,
    };
    allocation->pageable.creator = device;
    allocation->pageable.of_context = true;
    status = allocation_check(adapter, &answer, &request, &allocation->pageable.info);
    if (!status)
        status = allocation_advice_eviction(adapter, allocation);
    if (!status)
        status = settle(adapter, allocation, arg->hDriverAllocation);
    if (status) {
        allocation_free(adapter, allocation);
        return status;
    }
    struct allocation **head = context ? &context->allocations : &device->context_allocations;
    allocation->pageable.context = context;
    LL_PREPEND2(*head, allocation, group_next);
    allocation_list(allocation, device);
    arg->hAllocation = (HANDLE)(uintptr_t)allocation->pageable.handle;
    EMIT(adapter, CREATE, RULE(ALLOC_052), allocation->pageable.handle,
         f_word("kind", "context-allocation"), f_bytes("bytes", allocation->pageable.info.bytes),
         f_hex("flags", allocation->pageable.info.flags),
         f_hex("write", allocation->pageable.info.write_set),
         f_hex("priority", allocation->pageable.info.priority));
    return STATUS_SUCCESS;
}

/* ---- death ---------------------------------------------------------------------------------- */

void context_allocation_forget(struct allocation *allocation)
{
    struct context *context = allocation->pageable.context;
    struct allocation **list =
        context ? &context->allocations : &allocation->pageable.creator->context_allocations;
    if (*list) /* it need not be in there yet */
        LL_DELETE2(*list, allocation, group_next);
}

vidmm_status context_end(adapter_t *adapter, struct context *context)
{
    vidmm_status status = STATUS_SUCCESS;
    while (context->allocations && !status)
        status = allocation_destroy(adapter, context->allocations);
    return status;
}

void context_allocations_orphan(adapter_t *adapter, struct allocation *list)
{
    while (list) {
        struct allocation *allocation = list;
        list = allocation->group_next;
        allocation_tell_end(adapter, allocation, RULE(ALLOC_052));
        allocation_unlist(allocation);
        allocation_free(adapter, allocation);
    }
}

NTSTATUS context_allocation_destroy(IN_CONST_HANDLE handle, IN_CONST_HANDLE named)
{
    adapter_t *adapter = handle;
    struct allocation *allocation =
        handle_object(adapter, (vidmm_handle)(uintptr_t)named, VIDMM_OBJECT_ALLOCATION);
    if (!allocation || !allocation->pageable.of_context)
        return refuse(adapter, RULE(ALLOC_052), STATUS_INVALID_PARAMETER,
                      "the miniport ends a context allocation that does not exist");
    return allocation_destroy(adapter, allocation);
}
