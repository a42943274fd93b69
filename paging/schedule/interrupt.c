/* SPDX-License-Identifier: MIT */
/*
 * interrupt.c: what the hardware reports, and when the scheduler acts upon it.
 *
 * An interrupt only notes which fence was reported; the scheduler acts upon completions when the
 * driver's DPC reports that it has run (SUBMIT-052, SUBMIT-054). A report before the scheduler
 * starts, or after it has stopped, is a finding and nothing else (SUBMIT-064).
 *
 * Rules not named below: SUBMIT-053.
 */
#include "paging/schedule/schedule_state.h"

/* ---- reports are noted ---------------------------------------------------------------------- */

static const char *deaf_when(const adapter_t *adapter)
{
    if (adapter_ending(adapter))
        return "while the adapter is freed";
    if (adapter_presence(adapter) == ADAPTER_REMOVED)
        return "after the adapter was stopped";
    return clock_is_untimed(adapter) ? "before the start is complete" : "after a start that failed";
}

/* SUBMIT-064: false, with a finding, when there is no scheduler to report to. */
static bool hears(adapter_t *adapter, const char *name)
{
    if (!adapter->schedule->interrupts.connected)
        finding(adapter, RULE(SUBMIT_064), 0, "%s is called %s: it reports nothing", name,
                deaf_when(adapter));
    return adapter->schedule->interrupts.connected;
}

void interrupt_disconnect(adapter_t *adapter)
{
    adapter->schedule->interrupts.connected = adapter->schedule->interrupts.dpc_queued = false;
    adapter->schedule->interrupts.count = 0;
}

static VOID notify_interrupt(IN_CONST_HANDLE handle, IN_CONST_PDXGKARGCB_NOTIFY_INTERRUPT_DATA data)
{
    adapter_t *adapter = handle;
    struct interrupt_line *line = &adapter->schedule->interrupts;
    struct interrupt_report report;
    if (!hears(adapter, "DxgkCbNotifyInterrupt"))
        return;
    switch (data->InterruptType) {
    case DXGK_INTERRUPT_DMA_COMPLETED:
        report = (struct interrupt_report){ .node = data->DmaCompleted.NodeOrdinal,
                                            .fence = data->DmaCompleted.SubmissionFenceId };
        break;
    case DXGK_INTERRUPT_DMA_PREEMPTED:
        report = (struct interrupt_report){ .node = data->DmaPreempted.NodeOrdinal,
                                            .fence = data->DmaPreempted.LastCompletedFenceId,
                                            .preempted = true,
                                            .preempt_id = data->DmaPreempted.PreemptionFenceId };
        break;
    case DXGK_INTERRUPT_DMA_FAULTED:
        report = (struct interrupt_report){ .node = data->DmaFaulted.NodeOrdinal,
                                            .fence = data->DmaFaulted.FaultedFenceId,
                                            .faulted = true,
                                            .status = data->DmaFaulted.Status };
        break;
    case DXGK_INTERRUPT_DMA_PAGE_FAULTED:
        report =
            (struct interrupt_report){ .node = data->DmaPageFaulted.NodeOrdinal,
                                       .fence = data->DmaPageFaulted.FaultedFenceId,
                                       .page_faulted = true,
                                       .flags = (uint32_t)data->DmaPageFaulted.PageFaultFlags };
        break;
    default: return; /* displays have no part in memory management */
    }
    /* After a reset the hardware is still, until it is let go again. */
    const struct node_guard *guard =
        report.node < adapter->schedule->engines.nodes ? guard_of(adapter, report.node) : NULL;
    if (guard && guard->closed)
        (void)bugcheck(adapter, guard->now.ignores ? RULE(TDR_018) : RULE(TDR_021), 0x119, 0x10,
                       (uint64_t[3]){ report.fence, report.node, 0 },
                       "node %u reports fence %u after its reset and before it may go on",
                       report.node, report.fence);
    BASE_GROW(line->reported, line->capacity, line->count + 1);
    line->reported[line->count++] = report;
}

static BOOLEAN queue_dpc(HANDLE handle)
{
    adapter_t *adapter = handle;
    BOOLEAN fresh = !adapter->schedule->interrupts.dpc_queued;
    adapter->schedule->interrupts.dpc_queued = true;
    return fresh;
}

/* ---- reports are acted upon ----------------------------------------------------------------- */

void interrupt_take_reports(adapter_t *adapter)
{
    struct interrupt_line *line = &adapter->schedule->interrupts;
    for (size_t i = 0; i < line->count; i++) {
        const struct interrupt_report *report = &line->reported[i];
        if (report->preempted)
            preempt_report(adapter, report->node, report->preempt_id, report->fence);
        else if (report->faulted || report->page_faulted)
            adapter->schedule_hooks->faulted(adapter, report);
        else
            schedule_report(adapter, report->node, report->fence);
    }
    line->count = 0;
}

void interrupt_forget(adapter_t *adapter, uint32_t node)
{
    struct interrupt_line *line = &adapter->schedule->interrupts;
    size_t kept = 0;
    for (size_t i = 0; i < line->count; i++)
        if (line->reported[i].node != node)
            line->reported[kept++] = line->reported[i];
    line->count = kept;
}

static VOID notify_dpc(IN_CONST_HANDLE handle)
{
    adapter_t *adapter = handle;
    callbacks_called(adapter, "DxgkCbNotifyDpc");
    if (scheduler_call_is_on(adapter) || !hears(adapter, "DxgkCbNotifyDpc"))
        return;
    const char *before = door_callback(adapter);
    interrupt_take_reports(adapter);
    door_callback_end(adapter, before);
}

void interrupt_raise(adapter_t *adapter, uint32_t node, uint32_t fence)
{
    const struct vidmm_hardware *hardware = adapter->setup->config.miniport.hardware;
    const char *before = door_out(adapter, "the hardware");
    hardware->interrupt(hardware->self, node, fence);
    door_in(adapter, before);
    interrupt_run_dpc(adapter);
}

void interrupt_run_dpc(adapter_t *adapter)
{
    struct interrupt_line *line = &adapter->schedule->interrupts;
    /* An interrupt may come while a driver function lets time pass; the DPC is none of its doing.
     */
    bool inside = scheduler_call(adapter, false);
    if (line->dpc_queued) {
        line->dpc_queued = false;
        const char *before = door_out(adapter, "DxgkDdiDpcRoutine");
        adapter->setup->ddi->DxgkDdiDpcRoutine(adapter->setup->driver);
        door_in(adapter, before);
    }
    (void)scheduler_call(adapter, inside);
    if (line->count && line->reported[0].preempted)
        finding(adapter, RULE(SUBMIT_054), 0,
                "an interrupt tells that node %u has stopped, but no DPC follows",
                line->reported[0].node);
    else if (line->count)
        finding(adapter, RULE(SUBMIT_054), 0,
                "fence %u of node %u is reported by an interrupt, but no DPC follows",
                line->reported[0].fence, line->reported[0].node);
}

void interrupt_fill(DXGKRNL_INTERFACE *interface)
{
    interface->DxgkCbQueueDpc = queue_dpc;
    interface->DxgkCbNotifyInterrupt = notify_interrupt;
    interface->DxgkCbNotifyDpc = notify_dpc;
}
