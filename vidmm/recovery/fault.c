/* SPDX-License-Identifier: MIT */
/*
 * fault.c: a packet of the GPU ends in a fault.
 *
 * Its number is over, and those before it too. Paging serves all devices, and a context switch the
 * system itself, so the system stops. Of rendering the device is in error: what it has queued on
 * any node is taken back, where the hardware can give it back, and dropped.
 *
 * A page fault, in WDDM 2.0 and later, may also demand a reset of the node or of the adapter, with
 * or without a packet that it names. That is only noted here, for tdr_work() to do.
 */
#include "vidmm/recovery/recovery_state.h"
#include "vidmm/recovery/tdr.h"
#include "vidmm/share/share.h"
#include "vidmm/submit/submit.h"

static bool has_failed(const adapter_t *adapter, uint32_t node)
{
    for (const struct job *job = schedule_jobs(adapter, node); job; job = job->next)
        if (!job->ops->of_system && job->ops->device(job)->drops)
            return true;
    return false;
}

void fault_take_back(adapter_t *adapter)
{
    if (adapter->setup->caps.preemption_granularity == D3DKMDT_GRAPHICS_PREEMPTION_NONE)
        return;
    for (uint32_t node = 0; node < adapter->setup->caps.nodes; node++)
        if (has_failed(adapter, node))
            watch_take_back_due(adapter, node);
}

/* The number that the report names is over, and the device of its packet in error; NULL: the packet
   was over before, or the system has stopped. `value` goes into the bug check. */
static struct device *close_packet(adapter_t *adapter, const struct interrupt_report *report,
                                   enum device_state state, enum vidmm_rule rule, uint32_t value)
{
    uint32_t node = report->node, fence = report->fence;
    bool exists = node < adapter->setup->caps.nodes;
    const struct job *job = exists ? schedule_jobs(adapter, node) : NULL;
    while (job && job->fence != fence)
        job = job->next;
    if (job && job->ops->of_system) {
        (void)bugcheck(adapter, rule, 0x119, 0x5, (uint64_t[3]){ fence, node, value },
                       "%s packet %u of node %u %s", job->ops->kind(job), fence, node,
                       report->faulted ? "faulted" : "met a page fault");
        return NULL;
    }
    /* Any other number without a packet stops the system (SUBMIT-053). */
    if (exists && fence == fences_of(adapter)->completed[node])
        finding(adapter, rule, 0, "a fault names fence %u of node %u, which is over already", fence,
                node);
    struct device *device = job ? job->ops->device(job) : NULL;
    if (device)
        device_fail(adapter, device, state, rule);
    schedule_report(adapter, node, fence);
    return device;
}

/* ---- page faults ---------------------------------------------------------------------------- */

enum {
    RESETS = DXGK_PAGE_FAULT_ADAPTER_RESET_REQUIRED | DXGK_PAGE_FAULT_ENGINE_RESET_REQUIRED,
    DRASTIC = RESETS | DXGK_PAGE_FAULT_FATAL_HARDWARE_ERROR,
    KNOWN = DXGK_PAGE_FAULT_WRITE | DXGK_PAGE_FAULT_FENCE_INVALID | DRASTIC |
            DXGK_PAGE_FAULT_IOMMU | DXGK_PAGE_FAULT_HW_CONTEXT_VALID |
            DXGK_PAGE_FAULT_PROCESS_HANDLE_VALID
};

/* What no driver may say; NULL: it makes sense. */
static const char *flaw_of(const adapter_t *adapter, const struct interrupt_report *fault)
{
    bool unknown = fault->flags & DXGK_PAGE_FAULT_FENCE_INVALID;
    if (fault->node >= adapter->setup->caps.nodes)
        return "a node that does not exist";
    if (unknown && fault->fence)
        return "a fence, and that there is none";
    if (unknown && !(fault->flags & DRASTIC))
        return "that nobody knows the packet, and asks for no reset";
    if (!unknown && !fault->fence)
        return "fence 0 of a packet that it should know";
    return NULL;
}

/* Why no page fault can be reported now; NULL: it can. */
static const char *silence_of(const adapter_t *adapter)
{
    if (!adapter_started(adapter))
        return "the adapter has not started";
    if (adapter->setup->caps.wddm < VIDMM_WDDM_2_0)
        return "that interrupt exists from 2.0 on";
    return adapter_presence(adapter) == ADAPTER_ASLEEP ? "the GPU has no power" : NULL;
}

/* False: the system has stopped, or the report does not count. */
static bool makes_sense(adapter_t *adapter, const struct interrupt_report *fault)
{
    const char *silence = silence_of(adapter);
    const char *flaw = flaw_of(adapter, fault);
    if (silence) {
        finding(adapter, RULE(SUBMIT_060), 0, "a page fault of node %u is reported; %s",
                fault->node, silence);
        return false;
    }
    if (flaw) {
        (void)bugcheck(adapter, RULE(SUBMIT_060), 0x119, 0xD,
                       (uint64_t[3]){ fault->flags, fault->fence, fault->node },
                       "a page fault names %s (flags 0x%x, fence %u, node %u)", flaw, fault->flags,
                       fault->fence, fault->node);
        return false;
    }
    if (fault->flags & ~(uint32_t)KNOWN)
        finding(adapter, RULE(SUBMIT_060), 0, "a page fault of node %u has unknown flags (0x%x)",
                fault->node, fault->flags);
    return true;
}

static void report_page_fault(adapter_t *adapter, const struct interrupt_report *fault)
{
    const struct device *device = NULL;
    uint32_t node = fault->node, fence = fault->fence, flags = fault->flags;
    if (!makes_sense(adapter, fault))
        return;
    EMIT(adapter, PAGE_FAULT, RULE(SUBMIT_060), 0, f_node("node", node), f_number("fence", fence),
         f_hex("flags", flags));
    if (flags & DXGK_PAGE_FAULT_FATAL_HARDWARE_ERROR)
        (void)bugcheck(adapter, RULE(SUBMIT_060), 0x119, 0xC, (uint64_t[3]){ flags, fence, node },
                       "a page fault of node %u says that the hardware cannot go on", node);
    else if (!(flags & DXGK_PAGE_FAULT_FENCE_INVALID))
        device = close_packet(adapter, fault, DEVICE_PAGE_FAULT, RULE(SUBMIT_060), flags);
    if (flags & RESETS) { /* the whole adapter includes its nodes */
        struct demand *demand = &adapter->recovery->demands[node];
        demand->whole = (flags & DXGK_PAGE_FAULT_ADAPTER_RESET_REQUIRED) ||
                        (watch_node(adapter, node)->reset_due && demand->whole);
        demand->fence = fence;
        watch_demand_reset(adapter, node);
    }
    if (device)
        fault_take_back(adapter);
}

void fault_reported(adapter_t *adapter, const struct interrupt_report *report)
{
    uint32_t node = report->node;
    if (adapter_stopped(adapter) ||
        (node < adapter->setup->caps.nodes && watch_node(adapter, node)->ignores))
        return;
    if (!report->faulted) {
        report_page_fault(adapter, report);
        return;
    }
    if (close_packet(adapter, report, DEVICE_DMA_FAULT, RULE(SUBMIT_059), (uint32_t)report->status))
        fault_take_back(adapter);
}
