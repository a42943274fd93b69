/* SPDX-License-Identifier: MIT */
/*
 * callbacks.c: what a miniport may call: DXGKRNL_INTERFACE.
 *
 * An interrupt only notes which fence was reported; completions are acted upon when the driver's
 * DPC tells that it has run (SUBMIT-052, SUBMIT-054). Inside a call of the scheduler class only
 * interrupts and handle look-ups are allowed (MINI-001).
 *
 * DxgkCbGetHandleData is missing: it is given no adapter, so it would need state that belongs to
 * nobody.
 *
 * Rules: MINI-001, SUBMIT-053, SUBMIT-054.
 */
#include "vidmm/manager.h"

/* Any callback but those that MINI-001 allows. */
static void called_back(adapter_t *adapter, const char *name)
{
    if (adapter->in_scheduler_call)
        finding(adapter, RULE(MINI_001), 0,
                "%s is called inside %s: only interrupts and handle "
                "look-ups are allowed there",
                name, adapter->last_call);
}

/* ---- interrupts ----------------------------------------------------------------------------- */

static VOID notify_interrupt(IN_CONST_HANDLE handle, IN_CONST_PDXGKARGCB_NOTIFY_INTERRUPT_DATA data)
{
    adapter_t *adapter = handle;
    struct interrupt_line *line = &adapter->interrupts;
    switch (data->InterruptType) {
    case DXGK_INTERRUPT_DMA_COMPLETED:
        BASE_GROW(line->reported, line->capacity, line->count + 1);
        line->reported[line->count++] =
            (struct fence_ref){ .node = data->DmaCompleted.NodeOrdinal,
                                .fence = data->DmaCompleted.SubmissionFenceId };
        break;
    case DXGK_INTERRUPT_DMA_PREEMPTED:
        (void)bugcheck(adapter, RULE(SUBMIT_053), 0x119, 0x1,
                       (uint64_t[3]){ data->DmaPreempted.PreemptionFenceId,
                                      data->DmaPreempted.NodeOrdinal, 0 },
                       "the miniport reports a preemption that nobody asked for");
        break;
    default: break; /* displays have no part in memory management */
    }
}

static BOOLEAN queue_dpc(HANDLE handle)
{
    adapter_t *adapter = handle;
    BOOLEAN fresh = !adapter->interrupts.dpc_queued;
    adapter->interrupts.dpc_queued = true;
    return fresh;
}

static VOID notify_dpc(IN_CONST_HANDLE handle)
{
    adapter_t *adapter = handle;
    struct interrupt_line *line = &adapter->interrupts;
    called_back(adapter, "DxgkCbNotifyDpc");
    if (adapter->in_scheduler_call)
        return;
    applies(adapter, RULE(SUBMIT_054));
    for (size_t i = 0; i < line->count; i++)
        sync_report(adapter, line->reported[i].node, line->reported[i].fence);
    line->count = 0;
}

void callbacks_run_dpc(adapter_t *adapter)
{
    struct interrupt_line *line = &adapter->interrupts;
    /* An interrupt may come while a driver function lets time pass; the DPC is none of its doing.
     */
    bool inside = adapter->in_scheduler_call;
    adapter->in_scheduler_call = false;
    if (line->dpc_queued) {
        line->dpc_queued = false;
        adapter->ddi->DxgkDdiDpcRoutine(adapter->driver);
    }
    adapter->in_scheduler_call = inside;
    if (line->count)
        finding(adapter, RULE(SUBMIT_054), 0,
                "fence %u of node %u is reported by an interrupt, but no DPC follows",
                line->reported[0].fence, line->reported[0].node);
}

/* ---- questions of the driver ---------------------------------------------------------------- */

static NTSTATUS get_device_information(HANDLE handle, PDXGK_DEVICE_INFO info)
{
    adapter_t *adapter = handle;
    called_back(adapter, "DxgkCbGetDeviceInformation");
    *info = (DXGK_DEVICE_INFO){
        .MiniportDeviceContext = adapter->driver,
        .PhysicalDeviceObject = adapter->config.miniport.physical_device,
        .SystemMemorySize.QuadPart = (LONGLONG)adapter->system_space.bytes,
        .HighestPhysicalAddress.QuadPart = (LONGLONG)(adapter->system_space.bytes - 1),
        .DockingState = DockStateUnsupported,
    };
    return STATUS_SUCCESS;
}

/* One thread: nothing can interrupt the routine. */
static NTSTATUS synchronize_execution(HANDLE handle, PKSYNCHRONIZE_ROUTINE routine, PVOID context,
                                      ULONG message, PBOOLEAN result)
{
    (void)message;
    called_back(handle, "DxgkCbSynchronizeExecution");
    *result = routine(context);
    return STATUS_SUCCESS;
}

/* ---- allocations of the driver's own -------------------------------------------------------- */

static NTSTATUS create_context_allocation(INOUT_PDXGKARGCB_CREATECONTEXTALLOCATION arg)
{
    called_back(arg->hAdapter, "DxgkCbCreateContextAllocation");
    return context_allocation_create(arg);
}

static NTSTATUS destroy_context_allocation(IN_CONST_HANDLE adapter, IN_CONST_HANDLE allocation)
{
    called_back(adapter, "DxgkCbDestroyContextAllocation");
    return context_allocation_destroy(adapter, allocation);
}

void callbacks_init(adapter_t *adapter)
{
    adapter->interface = (DXGKRNL_INTERFACE){
        .Size = sizeof(DXGKRNL_INTERFACE),
        .Version = adapter->ddi->Version,
        .DeviceHandle = adapter,
        .DxgkCbGetDeviceInformation = get_device_information,
        .DxgkCbQueueDpc = queue_dpc,
        .DxgkCbSynchronizeExecution = synchronize_execution,
        .DxgkCbNotifyInterrupt = notify_interrupt,
        .DxgkCbNotifyDpc = notify_dpc,
        .DxgkCbCreateContextAllocation = create_context_allocation,
        .DxgkCbDestroyContextAllocation = destroy_context_allocation,
    };
}

void callbacks_fini(adapter_t *adapter)
{
    base_free(adapter->interrupts.reported);
}
