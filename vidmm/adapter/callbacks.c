/* SPDX-License-Identifier: MIT */
/*
 * callbacks.c: what a miniport may call: DXGKRNL_INTERFACE.
 *
 * An interrupt only notes which fence was reported; completions are acted upon when the driver's
 * DPC tells that it has run (SUBMIT-052, SUBMIT-054). Inside a call of the scheduler class only
 * interrupts and handle look-ups are allowed (MINI-001). Before the scheduler is there, and after
 * it has gone, a report is a finding and nothing else (SUBMIT-064).
 *
 * The device itself, handle look-ups and what is not simulated are in vidmm/adapter/.
 *
 * Rules not named below: SUBMIT-053.
 */
#include <string.h>

#include "vidmm/adapter/interface.h"
#include "vidmm/ddi/d3dkmddi_versions.h"
#include "vidmm/recovery/tdr.h"

/* ---- interrupts ----------------------------------------------------------------------------- */

static const char *deaf_when(const adapter_t *adapter)
{
    if (adapter->ending)
        return "while the adapter is freed";
    if (adapter->presence == ADAPTER_REMOVED)
        return "after the adapter was stopped";
    return adapter->untimed ? "before the start is complete" : "after a start that failed";
}

/* SUBMIT-064: false, with a finding, when there is no scheduler to report to. */
static bool hears(adapter_t *adapter, const char *name)
{
    if (!adapter->interrupts.connected)
        finding(adapter, RULE(SUBMIT_064), 0, "%s is called %s: it reports nothing", name,
                deaf_when(adapter));
    return adapter->interrupts.connected;
}

void callbacks_disconnect(adapter_t *adapter)
{
    adapter->interrupts.connected = adapter->interrupts.dpc_queued = false;
    adapter->interrupts.count = 0;
}

/* TDR-018, TDR-021: after a reset the hardware is still, until it is let go again. */
static bool is_late(adapter_t *adapter, uint32_t node, uint32_t fence)
{
    if (!adapter->tdr || node >= adapter->caps.nodes || !adapter->tdr->guards[node].closed)
        return false;
    enum vidmm_rule rule = adapter->tdr->guards[node].ignores ? RULE(TDR_018) : RULE(TDR_021);
    (void)bugcheck(adapter, rule, 0x119, 0x10, (uint64_t[3]){ fence, node, 0 },
                   "node %u reports fence %u after its reset and before it may go on", node, fence);
    return true;
}

static void note(adapter_t *adapter, struct interrupt_report report)
{
    struct interrupt_line *line = &adapter->interrupts;
    if (is_late(adapter, report.node, report.fence))
        return;
    BASE_GROW(line->reported, line->capacity, line->count + 1);
    line->reported[line->count++] = report;
}

static VOID notify_interrupt(IN_CONST_HANDLE handle, IN_CONST_PDXGKARGCB_NOTIFY_INTERRUPT_DATA data)
{
    adapter_t *adapter = handle;
    if (!hears(adapter, "DxgkCbNotifyInterrupt"))
        return;
    switch (data->InterruptType) {
    case DXGK_INTERRUPT_DMA_COMPLETED:
        note(adapter, (struct interrupt_report){ .node = data->DmaCompleted.NodeOrdinal,
                                                 .fence = data->DmaCompleted.SubmissionFenceId });
        break;
    case DXGK_INTERRUPT_DMA_PREEMPTED:
        note(adapter,
             (struct interrupt_report){ .node = data->DmaPreempted.NodeOrdinal,
                                        .fence = data->DmaPreempted.LastCompletedFenceId,
                                        .preempted = true,
                                        .preempt_id = data->DmaPreempted.PreemptionFenceId });
        break;
    case DXGK_INTERRUPT_DMA_FAULTED:
        note(adapter, (struct interrupt_report){ .node = data->DmaFaulted.NodeOrdinal,
                                                 .fence = data->DmaFaulted.FaultedFenceId,
                                                 .faulted = true,
                                                 .status = data->DmaFaulted.Status });
        break;
    case DXGK_INTERRUPT_DMA_PAGE_FAULTED:
        note(adapter,
             (struct interrupt_report){ .node = data->DmaPageFaulted.NodeOrdinal,
                                        .fence = data->DmaPageFaulted.FaultedFenceId,
                                        .page_faulted = true,
                                        .flags = (uint32_t)data->DmaPageFaulted.PageFaultFlags });
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

void callbacks_take_reports(adapter_t *adapter)
{
    struct interrupt_line *line = &adapter->interrupts;
    for (size_t i = 0; i < line->count; i++) {
        const struct interrupt_report *report = &line->reported[i];
        if (report->preempted)
            preempt_report(adapter, report->node, report->preempt_id, report->fence);
        else if (report->faulted)
            fault_report(adapter, report->node, report->fence, report->status);
        else if (report->page_faulted)
            fault_page_report(adapter, report->node, report->fence, report->flags);
        else
            sync_report(adapter, report->node, report->fence);
    }
    line->count = 0;
}

static VOID notify_dpc(IN_CONST_HANDLE handle)
{
    adapter_t *adapter = handle;
    callbacks_called(adapter, "DxgkCbNotifyDpc");
    if (adapter->in_scheduler_call || !hears(adapter, "DxgkCbNotifyDpc"))
        return;
    applies(adapter, RULE(SUBMIT_054));
    const char *before = door_callback(adapter);
    callbacks_take_reports(adapter);
    door_callback_end(adapter, before);
}

void callbacks_interrupt(adapter_t *adapter, uint32_t node, uint32_t fence)
{
    const struct vidmm_hardware *hardware = adapter->config.miniport.hardware;
    const char *before = door_out(adapter, "the hardware");
    hardware->interrupt(hardware->self, node, fence);
    door_in(adapter, before);
    callbacks_run_dpc(adapter);
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
        const char *before = door_out(adapter, "DxgkDdiDpcRoutine");
        adapter->ddi->DxgkDdiDpcRoutine(adapter->driver);
        door_in(adapter, before);
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
    callbacks_called(adapter, "DxgkCbGetDeviceInformation");
    *info = (DXGK_DEVICE_INFO){
        .MiniportDeviceContext = adapter->driver,
        .PhysicalDeviceObject = adapter->config.miniport.physical_device,
        .SystemMemorySize.QuadPart = (LONGLONG)adapter->system_space.bytes,
        .HighestPhysicalAddress.QuadPart = (LONGLONG)(adapter->system_space.bytes - 1),
        .DockingState = DockStateUnsupported,
        .TranslatedResourceList = device_space_resources(adapter->space),
    };
    return STATUS_SUCCESS;
}

/* One thread: nothing can interrupt the routine. */
static NTSTATUS synchronize_execution(HANDLE handle, PKSYNCHRONIZE_ROUTINE routine, PVOID context,
                                      ULONG message, PBOOLEAN result)
{
    (void)message;
    callbacks_called(handle, "DxgkCbSynchronizeExecution");
    *result = routine(context);
    return STATUS_SUCCESS;
}

/* ---- allocations of the driver's own -------------------------------------------------------- */

/* Calls of the driver whose callers expect that allocations come and go meanwhile. */
static bool expects_changes(const char *ddi)
{
    static const char *const calls[] = {
        "DxgkDdiCreateDevice",   "DxgkDdiDestroyDevice",    "DxgkDdiCreateContext",
        "DxgkDdiDestroyContext", "DxgkDdiCreateAllocation", "DxgkDdiDestroyAllocation",
        "DxgkDdiOpenAllocation", "DxgkDdiCloseAllocation",
    };
    for (size_t i = 0; i < ARRAY_COUNT(calls); i++)
        if (!strcmp(ddi, calls[i]))
            return true;
    return false;
}

/* ALLOC-060: not in the midst of a wait, not while memory is being changed, and not at the end. */
static bool may_change_memory(adapter_t *adapter, const char *name)
{
    callbacks_called(adapter, name);
    if (adapter->in_scheduler_call || adapter->ending)
        return false;
    if (!adapter->outside || (!adapter->preparation && expects_changes(adapter->outside)))
        return true;
    finding(adapter, RULE(ALLOC_060), 0, "%s is called inside %s, where memory may not change",
            name, adapter->outside);
    return false;
}

static NTSTATUS create_context_allocation(INOUT_PDXGKARGCB_CREATECONTEXTALLOCATION arg)
{
    adapter_t *adapter = arg->hAdapter;
    if (!may_change_memory(adapter, "DxgkCbCreateContextAllocation"))
        return STATUS_INVALID_PARAMETER;
    const char *before = door_callback(adapter);
    NTSTATUS status = context_allocation_create(arg);
    door_callback_end(adapter, before);
    return status;
}

static NTSTATUS destroy_context_allocation(IN_CONST_HANDLE handle, IN_CONST_HANDLE allocation)
{
    adapter_t *adapter = handle;
    if (!may_change_memory(adapter, "DxgkCbDestroyContextAllocation"))
        return STATUS_INVALID_PARAMETER;
    const char *before = door_callback(adapter);
    NTSTATUS status = context_allocation_destroy(adapter, allocation);
    door_callback_end(adapter, before);
    return status;
}

void callbacks_init(adapter_t *adapter)
{
    adapter->interface = (DXGKRNL_INTERFACE){
        .Size = sizeof(DXGKRNL_INTERFACE),
        .Version = ddi_version_of((uint32_t)setting(adapter, VIDMM_SETTING_SYSTEM_WDDM)),
        .DeviceHandle = adapter,
        .DxgkCbGetDeviceInformation = get_device_information,
        .DxgkCbQueueDpc = queue_dpc,
        .DxgkCbSynchronizeExecution = synchronize_execution,
        .DxgkCbNotifyInterrupt = notify_interrupt,
        .DxgkCbNotifyDpc = notify_dpc,
        .DxgkCbCreateContextAllocation = create_context_allocation,
        .DxgkCbDestroyContextAllocation = destroy_context_allocation,
    };
    interface_fill_stubs(&adapter->interface);
    interface_fill_handles(&adapter->interface);
    interface_fill_space(&adapter->interface);
    if (!adapter->space)
        adapter->space = device_space_new();
}

void callbacks_fini(adapter_t *adapter)
{
    base_free(adapter->interrupts.reported);
    if (adapter->space)
        device_space_free(adapter->space);
}
