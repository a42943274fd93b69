/* SPDX-License-Identifier: MIT */
/* submit_queue.c: packets that their node still has: whose they are, and how one is cancelled. */
#include "paging/schedule/schedule.h"
#include "vidmm/share/share.h"
#include "vidmm/submit/packet.h"

uint32_t submit_newest_of(const adapter_t *adapter, const struct context *context)
{
    uint32_t fence = 0;
    for (const struct job *job = sync_jobs(adapter, context->node); job; job = job->next)
        if (!job->paging && ((const struct render_packet *)job)->context == context)
            fence = job->fence;
    return fence;
}

static bool binds(const struct render_packet *packet, const struct resource *resource)
{
    for (size_t i = 0; i < packet->count; i++)
        if (packet->bindings[i].allocation->resource == resource)
            return true;
    return false;
}

uint32_t submit_newest_through(const adapter_t *adapter, uint32_t node,
                               const struct opening *opening)
{
    uint32_t fence = 0;
    for (const struct job *job = sync_jobs(adapter, node); job; job = job->next) {
        const struct render_packet *packet = (const struct render_packet *)job;
        if (!job->paging && packet->context->device == opening->device &&
            binds(packet, opening->resource))
            fence = job->fence;
    }
    return fence;
}

void submit_cancel(adapter_t *adapter, const struct job *job)
{
    const struct render_packet *packet = (const struct render_packet *)job;
    static const char name[] = "DxgkDdiCancelCommand";
    const struct dma_buffer *buffer = packet->buffer;
    DXGKARG_CANCELCOMMAND arg = { 0 };
    if (!adapter->setup->caps.cancel_command || !adapter->setup->ddi->DxgkDdiCancelCommand)
        return;
    DXGK_ALLOCATIONLIST *list = submit_list_again(packet);
    arg.hContext = packet->context->driver_handle;
    arg.pDmaBuffer = buffer->memory;
    arg.DmaBufferSize = (UINT)buffer->bytes;
    arg.DmaBufferSubmissionStartOffset = packet->start;
    arg.DmaBufferSubmissionEndOffset = packet->end;
    arg.pDmaBufferPrivateData = buffer->private_data;
    arg.DmaBufferPrivateDataSize = buffer->private_bytes;
    arg.DmaBufferPrivateDataSubmissionEndOffset = buffer->private_used;
    arg.pAllocationList = list;
    arg.AllocationListSize = (UINT)packet->list_count;
    arg.pPatchLocationList = packet->locations;
    arg.PatchLocationListSize = (UINT)packet->location_count;
    arg.PatchLocationListSubmissionStart = (UINT)packet->first;
    arg.PatchLocationListSubmissionLength = (UINT)packet->length;
    driver_call_begin(adapter, name, adapter->setup->cost.ddi_ns);
    NTSTATUS answer = adapter->setup->ddi->DxgkDdiCancelCommand(adapter->setup->driver, &arg);
    base_free(list);
    const struct vidmm_field fields[] = {
        f_number("AllocationListSize", arg.AllocationListSize),
        f_number("PatchLocationListSize", arg.PatchLocationListSize),
        f_number("DmaBufferSubmissionStartOffset", arg.DmaBufferSubmissionStartOffset),
        f_number("DmaBufferSubmissionEndOffset", arg.DmaBufferSubmissionEndOffset),
        f_number("PatchLocationListSubmissionStart", arg.PatchLocationListSubmissionStart),
        f_number("PatchLocationListSubmissionLength", arg.PatchLocationListSubmissionLength),
    };
    driver_call_end(adapter, name, answer, packet->context->handle, fields, ARRAY_COUNT(fields));
    applies(adapter, RULE(SUBMIT_061));
    if (answer != STATUS_SUCCESS)
        (void)bugcheck(adapter, RULE(SUBMIT_061), 0x119, 0x9,
                       (uint64_t[3]){ (uint32_t)answer, packet->job.fence, 0 },
                       "DxgkDdiCancelCommand failed; it may not");
}
