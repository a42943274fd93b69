/* SPDX-License-Identifier: MIT */
/*
 * fault.c: a packet of the GPU ends in a fault.
 *
 * Its number is over, and those before it too. A paging packet serves everybody, so the system
 * stops. Of rendering the device is in error: what it has queued on any node is taken back, where
 * the hardware can give it back, and dropped.
 *
 * Rules: SUBMIT-059.
 */
#include "vidmm/submit.h"
#include "vidmm/tdr.h"

static const struct job *find(const adapter_t *adapter, uint32_t node, uint32_t fence)
{
    const struct job *job = node < adapter->caps.nodes ? adapter->jobs[node].head : NULL;
    while (job && job->fence != fence)
        job = job->next;
    return job;
}

static bool has_more(const adapter_t *adapter, uint32_t node, const struct device *device)
{
    for (const struct job *job = adapter->jobs[node].head; job; job = job->next)
        if (!job->paging && ((const struct render_packet *)job)->context->device == device)
            return true;
    return false;
}

static void take_back(adapter_t *adapter, const struct device *device)
{
    if (adapter->caps.preemption_granularity == D3DKMDT_GRAPHICS_PREEMPTION_NONE)
        return;
    for (uint32_t node = 0; node < adapter->caps.nodes; node++)
        if (has_more(adapter, node, device))
            adapter->tdr->guards[node].drop_due = adapter->tdr->due = true;
}

void fault_report(adapter_t *adapter, uint32_t node, uint32_t fence, NTSTATUS status)
{
    const struct job *job = find(adapter, node, fence);
    if (adapter->stopped || (job && adapter->tdr->guards[node].ignores))
        return;
    applies(adapter, RULE(SUBMIT_059));
    if (job && job->paging) {
        (void)bugcheck(adapter, RULE(SUBMIT_059), 0x119, 0x5,
                       (uint64_t[3]){ fence, node, (uint32_t)status },
                       "paging packet %u of node %u faulted", fence, node);
        return;
    }
    struct device *device = job ? ((const struct render_packet *)job)->context->device : NULL;
    if (device)
        device_fail(adapter, device, DEVICE_DMA_FAULT, RULE(SUBMIT_059));
    sync_report(adapter, node, fence);
    if (device && !adapter->stopped)
        take_back(adapter, device);
}
