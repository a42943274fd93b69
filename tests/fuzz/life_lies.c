/* SPDX-License-Identifier: MIT */
/* life_lies.c: a driver in front of the mock, which lies, and does at any time what it may do. */
#include "tests/fuzz/life.h"

#include <string.h>

static void interrupt(void)
{
    static const uint8_t types[] = { DXGK_INTERRUPT_DMA_COMPLETED, DXGK_INTERRUPT_DMA_PREEMPTED,
                                     DXGK_INTERRUPT_DMA_FAULTED, DXGK_INTERRUPT_DMA_PAGE_FAULTED };
    DXGKARGCB_NOTIFY_INTERRUPT_DATA data = { 0 };
    uint8_t type = life_byte();
    data.InterruptType =
        (DXGK_INTERRUPT_TYPE)(type < 240 ? types[type % ARRAY_COUNT(types)] : life_number());
    /* All kinds begin with numbers: fences, then the node. */
    for (size_t i = 0; i < 4; i++)
        data.Reserved.Reserved[i] =
            life_chance(128) ? life.last.fence + life_byte() % 3 - 1 : life_number();
    if (data.InterruptType == DXGK_INTERRUPT_DMA_COMPLETED && life_chance(200))
        data.DmaCompleted.NodeOrdinal = life_byte() % 2;
    if (data.InterruptType == DXGK_INTERRUPT_DMA_PAGE_FAULTED && life_chance(200))
        data.DmaPageFaulted.NodeOrdinal = life_byte() % 2;
    life.system.DxgkCbNotifyInterrupt(life.system.DeviceHandle, &data);
}

/* What a driver may do besides its answer. */
static void meddle(void)
{
    if (!life.started || life.inside || !life_chance(life.malice))
        return;
    life.inside = true;
    switch (life_byte() % 6) {
    case 0:
    case 1: interrupt(); break;
    case 2: life.system.DxgkCbNotifyDpc(life.system.DeviceHandle); break;
    case 3: life.system.DxgkCbQueueDpc(life.system.DeviceHandle); break;
    case 4: {
        struct vidmm_mock_allocation wish = mock_wish(4096);
        vidmm_handle owner = life_handle();
        bool shared = life_chance(64);
        if (life.running)
            (void)!vidmm_mock_context_allocation(life.mock.mock, owner, shared, &wish, &life.owned);
        break;
    }
    default:
        if (life.mock.adapter)
            life_call(life.mock.adapter);
    }
    life.inside = false;
}

static bool lie(NTSTATUS *answer)
{
    static const uint32_t statuses[] = { 0,          0xC0000001, 0xC000000D, 0xC0000017,
                                         0x00000103, 0xC01E0001, 0xC01E0110, 0xC01E0102,
                                         0xC01E0100, 0xC00002B6, 0xC01E0101, 0x80000005 };
    meddle();
    if (!life_chance(life.malice))
        return false;
    uint32_t status = life_byte();
    *answer = (NTSTATUS)(status < 240 ? statuses[status % ARRAY_COUNT(statuses)] : life_word());
    return true;
}

/* After the mock has done it; what it makes, it does not make when the driver is about to lie. */
static NTSTATUS answer(NTSTATUS honest)
{
    NTSTATUS other;
    return lie(&other) ? other : honest;
}

/* Any bytes in a member that the driver fills. */
static void scribble(void *member, size_t bytes)
{
    if (!life_chance(life.malice))
        return;
    uint8_t *at = member;
    size_t from = life_byte() % bytes;
    uint32_t value = life_number();
    memcpy(at + from, &value, bytes - from < sizeof value ? bytes - from : sizeof value);
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
    return other ? other : status;
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
    return other ? other : status;
}

static NTSTATUS create_context(IN_CONST_HANDLE device, INOUT_PDXGKARG_CREATECONTEXT args)
{
    NTSTATUS other = 0;
    if (lie(&other) && other < 0)
        return other;
    NTSTATUS status = life.real.DxgkDdiCreateContext(device, args);
    SCRIBBLE(args->ContextInfo);
    return other ? other : status;
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
    return other ? other : status;
}

static NTSTATUS open_allocation(IN_CONST_HANDLE device, IN_CONST_PDXGKARG_OPENALLOCATION args)
{
    NTSTATUS other = 0;
    if (lie(&other) && other < 0)
        return other;
    NTSTATUS status = life.real.DxgkDdiOpenAllocation(device, args);
    return other ? other : status;
}

static NTSTATUS close_allocation(IN_CONST_HANDLE device, IN_CONST_PDXGKARG_CLOSEALLOCATION args)
{
    return answer(life.real.DxgkDdiCloseAllocation(device, args));
}

static NTSTATUS destroy_allocation(IN_CONST_HANDLE adapter,
                                   IN_CONST_PDXGKARG_DESTROYALLOCATION args)
{
    return answer(life.real.DxgkDdiDestroyAllocation(adapter, args));
}

static NTSTATUS destroy_context(IN_CONST_HANDLE context)
{
    if (life.owned && life_chance(128))
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

static NTSTATUS patch(IN_CONST_HANDLE adapter, IN_CONST_PDXGKARG_PATCH args)
{
    return answer(life.real.DxgkDdiPatch(adapter, args));
}

static NTSTATUS submit_command(IN_CONST_HANDLE adapter, IN_CONST_PDXGKARG_SUBMITCOMMAND args)
{
    return answer(life.real.DxgkDdiSubmitCommand(adapter, args));
}

static NTSTATUS preempt_command(IN_CONST_HANDLE adapter, IN_CONST_PDXGKARG_PREEMPTCOMMAND args)
{
    return answer(life.real.DxgkDdiPreemptCommand(adapter, args));
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

static NTSTATUS cancel_command(IN_CONST_HANDLE adapter, IN_CONST_PDXGKARG_CANCELCOMMAND args)
{
    return answer(life.real.DxgkDdiCancelCommand(adapter, args));
}

static void dpc_routine(IN_CONST_PVOID context)
{
    if (!life_chance(life.malice))
        life.real.DxgkDdiDpcRoutine(context);
    meddle();
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

void life_stand_in_front(DRIVER_INITIALIZATION_DATA *table)
{
    life.real = *table;
    table->DxgkDdiStartDevice = start_device;
    table->DxgkDdiQueryAdapterInfo = query_adapter_info;
    table->DxgkDdiCreateDevice = create_device;
    table->DxgkDdiCreateContext = create_context;
    table->DxgkDdiCreateAllocation = create_allocation;
    table->DxgkDdiOpenAllocation = open_allocation;
    table->DxgkDdiCloseAllocation = close_allocation;
    table->DxgkDdiDestroyAllocation = destroy_allocation;
    table->DxgkDdiDestroyContext = destroy_context;
    table->DxgkDdiDestroyDevice = destroy_device;
    table->DxgkDdiRender = render;
    table->DxgkDdiPresent = table->DxgkDdiPresent ? present : NULL;
    table->DxgkDdiBuildPagingBuffer = build_paging_buffer;
    table->DxgkDdiPatch = patch;
    table->DxgkDdiSubmitCommand = submit_command;
    table->DxgkDdiPreemptCommand = preempt_command;
    table->DxgkDdiQueryCurrentFence = query_current_fence;
    if (table->DxgkDdiQueryEngineStatus) {
        table->DxgkDdiQueryEngineStatus = query_engine_status;
        table->DxgkDdiQueryDependentEngineGroup = query_dependent;
        table->DxgkDdiResetEngine = reset_engine;
        table->DxgkDdiCancelCommand = cancel_command;
    }
    table->DxgkDdiResetFromTimeout = reset_from_timeout;
    table->DxgkDdiRestartFromTimeout = restart_from_timeout;
    table->DxgkDdiDpcRoutine = dpc_routine;
    table->DxgkDdiStopDevice = stop_device;
    if (table->DxgkDdiAcquireSwizzlingRange)
        table->DxgkDdiAcquireSwizzlingRange = acquire_range;
}
