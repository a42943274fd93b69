/* SPDX-License-Identifier: MIT */
/* life_lies.c: a driver in front of the mock, which lies, and calls back at any time. */
#include "tests/fuzz/life.h"

#include <string.h>

/* ---- lies ------------------------------------------------------------------------------------ */

static bool lie(NTSTATUS *answer)
{
    static const uint32_t statuses[] = { 0,          0xC0000001, 0xC000000D, 0xC0000017,
                                         0x00000103, 0xC01E0001, 0xC01E0110, 0xC01E0102,
                                         0xC01E0100, 0xC00002B6, 0xC01E0101, 0x80000005 };
    life_meddle();
    if (!life_harm())
        return false;
    uint32_t which = dice_throw(&life.dice) % 256;
    *answer =
        (NTSTATUS)(which < 240 ? statuses[which % ARRAY_COUNT(statuses)] : dice_throw(&life.dice));
    return true;
}

/* After the mock has done it; what it makes, it does not make when the driver is about to lie. */
static NTSTATUS answer(NTSTATUS honest)
{
    NTSTATUS other;
    return lie(&other) ? other : honest;
}

/* What the mock did not make, it cannot be asked to destroy. */
static NTSTATUS claim(NTSTATUS other, NTSTATUS honest)
{
    return other && NT_SUCCESS(honest) ? other : honest;
}

/* Any bytes in a member that the driver fills. */
static void scribble(void *member, size_t bytes)
{
    if (!life_harm())
        return;
    const uint8_t *at = life_dice_only();
    uint8_t *target = member;
    size_t from = life_byte() % bytes;
    uint32_t value = life_number();
    memcpy(target + from, &value, bytes - from < sizeof value ? bytes - from : sizeof value);
    life_bytes_again(at);
}
#define SCRIBBLE(member) scribble(&(member), sizeof(member))

/* What a driver returns beside a DMA buffer, of render or present. */
#define SCRIBBLE_BUILT(args)                                                                       \
    do {                                                                                           \
        SCRIBBLE((args)->pDmaBuffer);                                                              \
        SCRIBBLE((args)->pPatchLocationListOut);                                                   \
        SCRIBBLE((args)->pDmaBufferPrivateData);                                                   \
        SCRIBBLE((args)->MultipassOffset);                                                         \
    } while (0)

static NTSTATUS start_device(IN_CONST_PVOID context, IN_PDXGK_START_INFO info,
                             IN_PDXGKRNL_INTERFACE interface, OUT_PULONG sources,
                             OUT_PULONG children)
{
    NTSTATUS other = 0;
    life.system = *interface;
    life.started = true;
    if (lie(&other) && other < 0)
        return other;
    NTSTATUS status = life.real.DxgkDdiStartDevice(context, info, interface, sources, children);
    life.running = !status;
    return claim(other, status);
}

static NTSTATUS query_adapter_info(IN_CONST_HANDLE adapter,
                                   IN_CONST_PDXGKARG_QUERYADAPTERINFO query)
{
    NTSTATUS status = life.real.DxgkDdiQueryAdapterInfo(adapter, query);
    if (query->pOutputData && query->OutputDataSize && !status)
        scribble(query->pOutputData, query->OutputDataSize);
    return answer(status);
}

static NTSTATUS create_device(IN_CONST_HANDLE adapter, INOUT_PDXGKARG_CREATEDEVICE args)
{
    NTSTATUS other = 0;
    if (lie(&other) && other < 0)
        return other;
    NTSTATUS status = life.real.DxgkDdiCreateDevice(adapter, args);
    if (args->pInfo)
        SCRIBBLE(*args->pInfo);
    return claim(other, status);
}

static NTSTATUS create_context(IN_CONST_HANDLE device, INOUT_PDXGKARG_CREATECONTEXT args)
{
    NTSTATUS other = 0;
    if (lie(&other) && other < 0)
        return other;
    NTSTATUS status = life.real.DxgkDdiCreateContext(device, args);
    SCRIBBLE(args->ContextInfo);
    return claim(other, status);
}

static NTSTATUS create_allocation(IN_CONST_HANDLE adapter, INOUT_PDXGKARG_CREATEALLOCATION args)
{
    NTSTATUS other = 0;
    if (lie(&other) && other < 0)
        return other;
    NTSTATUS status = life.real.DxgkDdiCreateAllocation(adapter, args);
    for (UINT i = 0; i < args->NumAllocations; i++) {
        DXGK_ALLOCATIONINFO info = args->pAllocationInfo[i];
        HANDLE made = info.hAllocation;
        SCRIBBLE(info);
        info.hAllocation = made; /* the mock gets it back */
        info.pAllocationUsageHint = NULL;
        info.pPrivateDriverData = args->pAllocationInfo[i].pPrivateDriverData;
        if (life.started)
            args->pAllocationInfo[i] = info;
    }
    return claim(other, status);
}

static NTSTATUS open_allocation(IN_CONST_HANDLE device, IN_CONST_PDXGKARG_OPENALLOCATION args)
{
    NTSTATUS other = 0;
    if (lie(&other) && other < 0)
        return other;
    NTSTATUS status = life.real.DxgkDdiOpenAllocation(device, args);
    return claim(other, status);
}

/* What is passed on as it came. */
#define PASSES_ON(name, Ddi, ARGS)                                                                 \
    static NTSTATUS name(IN_CONST_HANDLE handle, IN_CONST_PDXGKARG_##ARGS args)                    \
    {                                                                                              \
        return answer(life.real.DxgkDdi##Ddi(handle, args));                                       \
    }

PASSES_ON(close_allocation, CloseAllocation, CLOSEALLOCATION)
PASSES_ON(destroy_allocation, DestroyAllocation, DESTROYALLOCATION)
PASSES_ON(patch, Patch, PATCH)
PASSES_ON(submit_command, SubmitCommand, SUBMITCOMMAND)
PASSES_ON(preempt_command, PreemptCommand, PREEMPTCOMMAND)
PASSES_ON(cancel_command, CancelCommand, CANCELCOMMAND)
PASSES_ON(release_range, ReleaseSwizzlingRange, RELEASESWIZZLINGRANGE)
PASSES_ON(set_store, SetAllocationBackingStore, SETALLOCATIONBACKINGSTORE)
PASSES_ON(map_host, MapCpuHostAperture, MAPCPUHOSTAPERTURE)
PASSES_ON(unmap_host, UnmapCpuHostAperture, UNMAPCPUHOSTAPERTURE)
PASSES_ON(collect, CollectDbgInfo, COLLECTDBGINFO)

static NTSTATUS destroy_context(IN_CONST_HANDLE context)
{
    if (life.owned && life_harm())
        life.system.DxgkCbDestroyContextAllocation(life.system.DeviceHandle,
                                                   (HANDLE)(uintptr_t)life.owned);
    return answer(life.real.DxgkDdiDestroyContext(context));
}

static NTSTATUS destroy_device(IN_CONST_HANDLE device)
{
    return answer(life.real.DxgkDdiDestroyDevice(device));
}

static NTSTATUS render(IN_CONST_HANDLE context, INOUT_PDXGKARG_RENDER args)
{
    NTSTATUS status = life.real.DxgkDdiRender(context, args);
    SCRIBBLE_BUILT(args);
    return answer(status);
}

static NTSTATUS present(IN_CONST_HANDLE context, INOUT_PDXGKARG_PRESENT args)
{
    NTSTATUS status = life.real.DxgkDdiPresent(context, args);
    SCRIBBLE_BUILT(args);
    return answer(status);
}

static NTSTATUS build_paging_buffer(IN_CONST_HANDLE adapter, IN_PDXGKARG_BUILDPAGINGBUFFER args)
{
    NTSTATUS status = life.real.DxgkDdiBuildPagingBuffer(adapter, args);
    SCRIBBLE(args->pDmaBuffer);
    SCRIBBLE(args->pDmaBufferPrivateData);
    SCRIBBLE(args->MultipassOffset);
    return answer(status);
}

static NTSTATUS query_current_fence(IN_CONST_HANDLE adapter, INOUT_PDXGKARG_QUERYCURRENTFENCE args)
{
    NTSTATUS status = life.real.DxgkDdiQueryCurrentFence(adapter, args);
    SCRIBBLE(args->CurrentFence);
    return answer(status);
}

static NTSTATUS query_engine_status(IN_CONST_HANDLE adapter, INOUT_PDXGKARG_QUERYENGINESTATUS args)
{
    NTSTATUS status = life.real.DxgkDdiQueryEngineStatus(adapter, args);
    SCRIBBLE(args->EngineStatus);
    return answer(status);
}

static NTSTATUS query_dependent(IN_CONST_HANDLE adapter,
                                INOUT_DXGKARG_QUERYDEPENDENTENGINEGROUP args)
{
    NTSTATUS status = life.real.DxgkDdiQueryDependentEngineGroup(adapter, args);
    SCRIBBLE(args->DependentNodeOrdinalMask);
    return answer(status);
}

static NTSTATUS reset_engine(IN_CONST_HANDLE adapter, INOUT_PDXGKARG_RESETENGINE args)
{
    NTSTATUS status = life.real.DxgkDdiResetEngine(adapter, args);
    SCRIBBLE(args->LastAbortedFenceId);
    return answer(status);
}

static NTSTATUS reset_from_timeout(IN_CONST_HANDLE adapter)
{
    return answer(life.real.DxgkDdiResetFromTimeout(adapter));
}

static NTSTATUS restart_from_timeout(IN_CONST_HANDLE adapter)
{
    return answer(life.real.DxgkDdiRestartFromTimeout(adapter));
}

static void dpc_routine(IN_CONST_PVOID context)
{
    if (!life_harm())
        life.real.DxgkDdiDpcRoutine(context);
    life_meddle();
}

static NTSTATUS stop_device(IN_CONST_PVOID context)
{
    life.running = false;
    return answer(life.real.DxgkDdiStopDevice(context));
}

static NTSTATUS acquire_range(IN_CONST_HANDLE adapter, INOUT_PDXGKARG_ACQUIRESWIZZLINGRANGE args)
{
    NTSTATUS status = life.real.DxgkDdiAcquireSwizzlingRange(adapter, args);
    SCRIBBLE(args->RangeSize);
    SCRIBBLE(args->CPUTranslatedAddress);
    return answer(status);
}

static NTSTATUS describe(IN_CONST_HANDLE adapter, INOUT_PDXGKARG_DESCRIBEALLOCATION args)
{
    NTSTATUS status = life.real.DxgkDdiDescribeAllocation(adapter, args);
    SCRIBBLE(args->Width);
    SCRIBBLE(args->Height);
    SCRIBBLE(args->Format);
    return answer(status);
}

static NTSTATUS set_power(IN_CONST_PVOID adapter, IN_ULONG device, IN_DEVICE_POWER_STATE state,
                          IN_POWER_ACTION action)
{
    return answer(life.real.DxgkDdiSetPowerState(adapter, device, state, action));
}

static NTSTATUS removal(PVOID adapter, DXGK_SURPRISE_REMOVAL_TYPE type)
{
    return answer(life.real.DxgkDdiNotifySurpriseRemoval(adapter, type));
}

static NTSTATUS standard(IN_CONST_HANDLE adapter,
                         INOUT_PDXGKARG_GETSTANDARDALLOCATIONDRIVERDATA args)
{
    NTSTATUS status = life.real.DxgkDdiGetStandardAllocationDriverData(adapter, args);
    if (!args->pAllocationPrivateDriverData) {
        SCRIBBLE(args->ResourcePrivateDriverDataSize);
        SCRIBBLE(args->AllocationPrivateDriverDataSize);
    }
    return answer(status);
}

static NTSTATUS add_device(IN_CONST_PDEVICE_OBJECT physical, OUT_PPVOID context)
{
    NTSTATUS other = 0;
    if (lie(&other) && other < 0)
        return other;
    NTSTATUS status = life.real.DxgkDdiAddDevice(physical, context);
    return claim(other, status);
}

static NTSTATUS remove_device(IN_CONST_PVOID context)
{
    return answer(life.real.DxgkDdiRemoveDevice(context));
}

/* ---- the table ------------------------------------------------------------------------------- */

static void take_recovery(DRIVER_INITIALIZATION_DATA *table)
{
    table->DxgkDdiPreemptCommand = preempt_command;
    table->DxgkDdiQueryCurrentFence = query_current_fence;
    if (table->DxgkDdiQueryEngineStatus)
        table->DxgkDdiQueryEngineStatus = query_engine_status;
    if (table->DxgkDdiQueryDependentEngineGroup)
        table->DxgkDdiQueryDependentEngineGroup = query_dependent;
    if (table->DxgkDdiResetEngine)
        table->DxgkDdiResetEngine = reset_engine;
    if (table->DxgkDdiResetFromTimeout)
        table->DxgkDdiResetFromTimeout = reset_from_timeout;
    if (table->DxgkDdiRestartFromTimeout)
        table->DxgkDdiRestartFromTimeout = restart_from_timeout;
    table->DxgkDdiCancelCommand = cancel_command;
    table->DxgkDdiCollectDbgInfo = collect;
    table->DxgkDdiSetPowerState = set_power;
    table->DxgkDdiNotifySurpriseRemoval = removal;
    table->DxgkDdiDpcRoutine = dpc_routine;
    table->DxgkDdiAddDevice = add_device;
    table->DxgkDdiStartDevice = start_device;
    table->DxgkDdiStopDevice = stop_device;
    table->DxgkDdiRemoveDevice = remove_device;
}

static void take_memory(DRIVER_INITIALIZATION_DATA *table)
{
    table->DxgkDdiCreateAllocation = create_allocation;
    table->DxgkDdiOpenAllocation = open_allocation;
    table->DxgkDdiCloseAllocation = close_allocation;
    table->DxgkDdiDestroyAllocation = destroy_allocation;
    table->DxgkDdiDescribeAllocation = describe;
    table->DxgkDdiGetStandardAllocationDriverData = standard;
    table->DxgkDdiBuildPagingBuffer = build_paging_buffer;
    table->DxgkDdiAcquireSwizzlingRange = acquire_range;
    table->DxgkDdiReleaseSwizzlingRange = release_range;
    table->DxgkDdiSetAllocationBackingStore = set_store;
    table->DxgkDdiMapCpuHostAperture = map_host;
    table->DxgkDdiUnmapCpuHostAperture = unmap_host;
}

/* Some tables lack a call, or two. */
static void leave_out(DRIVER_INITIALIZATION_DATA *table)
{
    void *none = NULL;
    const size_t calls[] = {
#define AT(call) offsetof(DRIVER_INITIALIZATION_DATA, call)
        AT(DxgkDdiDescribeAllocation),
        AT(DxgkDdiGetStandardAllocationDriverData),
        AT(DxgkDdiAcquireSwizzlingRange),
        AT(DxgkDdiReleaseSwizzlingRange),
        AT(DxgkDdiSetAllocationBackingStore),
        AT(DxgkDdiMapCpuHostAperture),
        AT(DxgkDdiUnmapCpuHostAperture),
        AT(DxgkDdiPreemptCommand),
        AT(DxgkDdiQueryCurrentFence),
        AT(DxgkDdiQueryEngineStatus),
        AT(DxgkDdiQueryDependentEngineGroup),
        AT(DxgkDdiResetEngine),
        AT(DxgkDdiResetFromTimeout),
        AT(DxgkDdiRestartFromTimeout),
        AT(DxgkDdiCancelCommand),
        AT(DxgkDdiCollectDbgInfo),
        AT(DxgkDdiSetPowerState),
        AT(DxgkDdiNotifySurpriseRemoval),
        AT(DxgkDdiPresent),
        AT(DxgkDdiPatch),
        AT(DxgkDdiRender),
        AT(DxgkDdiBuildPagingBuffer),
        AT(DxgkDdiStopDeviceAndReleasePostDisplayOwnership),
#undef AT
    };
    for (uint32_t left = life_chance(64) ? 1 + life_byte() % 2 : 0; left > 0; left--)
        memcpy((uint8_t *)table + calls[life_byte() % ARRAY_COUNT(calls)], &none, sizeof none);
}

void life_stand_in_front(DRIVER_INITIALIZATION_DATA *table)
{
    life.real = *table;
    take_recovery(table);
    take_memory(table);
    table->DxgkDdiQueryAdapterInfo = query_adapter_info;
    table->DxgkDdiCreateDevice = create_device;
    table->DxgkDdiCreateContext = create_context;
    table->DxgkDdiDestroyContext = destroy_context;
    table->DxgkDdiDestroyDevice = destroy_device;
    table->DxgkDdiRender = render;
    if (table->DxgkDdiPresent)
        table->DxgkDdiPresent = present;
    table->DxgkDdiPatch = patch;
    table->DxgkDdiSubmitCommand = submit_command;
    leave_out(table);
}
