/* SPDX-License-Identifier: MIT */
/*
 * packet.c: packets of rendering: taken, looked into, given back; those that their node still has,
 * and how one is cancelled.
 */
#include "vidmm/submit/packet.h"
#include "paging/schedule/schedule.h"
#include "vidmm/share/share.h"
#include "vidmm/submit/submit_state.h"

struct render_packet *submit_take_packet(adapter_t *adapter, struct context *context)
{
    struct render_packet *packet = adapter->submit->free_packets;
    if (packet)
        adapter->submit->free_packets = packet->next_free;
    else
        packet = base_alloc(1, sizeof *packet);
    *packet = (struct render_packet){
        .context = context,
        .bindings = packet->bindings,
        .capacity = packet->capacity,
        .locations = packet->locations,
        .location_capacity = packet->location_capacity,
    };
    return packet;
}

/* A link has them alone. */
static void forget_copies(const adapter_t *adapter, struct render_packet *packet)
{
    for (size_t i = 0; i < packet->count && adapter->setup->link_count > 1; i++) {
        base_free(packet->bindings[i].copies);
        packet->bindings[i].copies = NULL;
    }
}

void submit_give_packet(adapter_t *adapter, struct render_packet *packet)
{
    if (packet->buffer)
        dma_buffer_drop(adapter, packet->buffer);
    forget_copies(adapter, packet);
    packet->next_free = adapter->submit->free_packets;
    adapter->submit->free_packets = packet;
}

static void free_packet(struct render_packet *packet)
{
    base_free(packet->bindings);
    base_free(packet->locations);
    base_free(packet);
}

static bool is_rendering(const struct job *job, const void *context)
{
    (void)context;
    return !job->paging;
}

void submit_stop(adapter_t *adapter)
{
    while (adapter->submit->free_packets) {
        struct render_packet *packet = adapter->submit->free_packets;
        adapter->submit->free_packets = packet->next_free;
        free_packet(packet);
    }
    for (uint32_t node = 0; node < VIDMM_NODES_MAX; node++) {
        struct job *job = schedule_take_jobs(adapter, node, is_rendering, NULL);
        while (job) {
            struct job *next = job->next;
            forget_copies(adapter, (struct render_packet *)job);
            free_packet((struct render_packet *)job);
            job = next;
        }
    }
    dma_buffers_stop(adapter);
    base_free(adapter->submit->scratch.list);
    base_free(adapter->submit->scratch.in);
    base_free(adapter->submit->scratch.out);
    base_free(adapter->submit->scratch.elements);
    base_free(adapter->submit->scratch.slots);
    base_free(adapter->submit->scratch.group);
    base_free(adapter->submit->patch_guard_copy);
}

struct binding *submit_binding(const struct render_packet *packet, uint32_t index)
{
    size_t low = 0, high = packet->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (packet->bindings[middle].index < index)
            low = middle + 1;
        else
            high = middle;
    }
    bool found = low < packet->count && packet->bindings[low].index == index;
    return found ? &packet->bindings[low] : NULL;
}

/* ---- packets that a node still has ---------------------------------------------------------- */

uint32_t submit_newest_of(const adapter_t *adapter, const struct context *context)
{
    uint32_t fence = 0;
    for (const struct job *job = schedule_jobs(adapter, context->node); job; job = job->next)
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
    for (const struct job *job = schedule_jobs(adapter, node); job; job = job->next) {
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
    DXGKARG_CANCELCOMMAND arg = { 0 };
    if (!adapter->setup->caps.cancel_command || !adapter->setup->ddi->DxgkDdiCancelCommand ||
        adapter_stopped(adapter))
        return;
    DXGK_ALLOCATIONLIST *list = submit_list_again(packet);
    arg.hContext = packet->context->driver_handle;
    arg.pDmaBuffer = packet->buffer->memory;
    SUBMIT_BUFFER_MEMBERS(arg, packet);
    arg.pAllocationList = list;
    arg.AllocationListSize = (UINT)packet->list_count;
    arg.pPatchLocationList = packet->locations;
    arg.PatchLocationListSize = (UINT)packet->location_count;
    arg.PatchLocationListSubmissionStart = (UINT)packet->first;
    arg.PatchLocationListSubmissionLength = (UINT)packet->length;
    NTSTATUS answer = DRIVER_CALL(adapter, adapter->setup->cost.ddi_ns, CancelCommand,
                                  adapter->setup->driver, &arg);
    base_free(list);
    DRIVER_CALL_END(adapter, CancelCommand, answer, packet->context->handle,
                    f_number("AllocationListSize", arg.AllocationListSize),
                    f_number("PatchLocationListSize", arg.PatchLocationListSize),
                    f_number("DmaBufferSubmissionStartOffset", arg.DmaBufferSubmissionStartOffset),
                    f_number("DmaBufferSubmissionEndOffset", arg.DmaBufferSubmissionEndOffset),
                    f_number("PatchLocationListSubmissionStart",
                             arg.PatchLocationListSubmissionStart),
                    f_number("PatchLocationListSubmissionLength",
                             arg.PatchLocationListSubmissionLength));
    if (answer != STATUS_SUCCESS)
        (void)bugcheck(adapter, RULE(SUBMIT_061), 0x119, 0x9,
                       (uint64_t[3]){ (uint32_t)answer, packet->job.fence, 0 },
                       "DxgkDdiCancelCommand failed; it may not");
}
