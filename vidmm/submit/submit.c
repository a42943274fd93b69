/* SPDX-License-Identifier: MIT */
/*
 * submit.c: one DMA buffer from the caller to the node (SUBMIT-001).
 *
 *   check      nothing is built for a submission that is refused (SUBMIT-015)
 *   render     the driver translates the command buffer
 *   prepare    every allocation that a patch location names becomes resident, in the order of the
 *              list (PAGE-002); the paging buffer goes out. What does not fit together is split
 *              (split.c), and the rest of this is done for each portion
 *   hold back  synchronous paging operations finish first (PAGE-041)
 *   patch      with final addresses
 *   submit     fences are marked, what is written becomes dirty, the node has it
 */
#include "vidmm/submit/submit.h"
#include "paging/buffer/buffer.h"
#include "paging/residency/link.h"
#include "paging/residency/offer.h"
#include "paging/schedule/watch.h"
#include "vidmm/cpu/cpu.h"
#include "vidmm/share/share.h"
#include "vidmm/submit/submission.h"
#include "vidmm/submit/submit_state.h"

#include <string.h>

/* ---- holding back --------------------------------------------------------------------------- */

/* What the portion binds, in the order of the list. */
static void bind(adapter_t *adapter, const struct submission *submission,
                 struct render_packet *packet)
{
    adapter->submit->packed++;
    /* As many as there are: many packets wait, most with a short list. */
    if (packet->capacity < submission->count) {
        packet->bindings =
            base_realloc(packet->bindings, submission->count, sizeof *packet->bindings);
        packet->capacity = submission->count;
    }
    for (size_t i = 0; i < submission->count; i++) {
        const struct element *element = &submission->elements[i];
        struct allocation *allocation = element->allocation;
        if (!allocation || element->portion != submission->portion)
            continue;
        packet->bindings[packet->count++] = (struct binding){
            .allocation = allocation,
            .driver_handle = element->driver_handle,
            .index = (uint32_t)i,
            /* What another element writes is written (SUBMIT-008). */
            .write = allocation->use.bound_write == submission->preparation,
            .listed = element->write,
            .again = allocation->use.packed_in == adapter->submit->packed,
        };
        allocation->use.packed_in = adapter->submit->packed;
    }
}

/* PAGE-041, PAGE-042: the paging fence that a render buffer waits for; 0: none. */
static uint32_t fence_ahead(adapter_t *adapter, const struct render_packet *packet)
{
    uint32_t node = adapter->setup->caps.paging_node, fence = paging_sync_fence(adapter);
    if (setting(adapter, VIDMM_SETTING_SYNC_SCOPE)) {
        fence = 0;
        for (size_t i = 0; i < packet->count; i++) {
            const struct allocation *allocation = packet->bindings[i].allocation;
            if (allocation_is(&allocation->pageable, ALLOCATION_SYNCHRONOUS))
                fence = max_u32(fence, allocation->pageable.transfer.fences[node]);
        }
    } else if (fence) {
        applies(adapter, RULE(PAGE_042));
    }
    return fence > fences_of(adapter)->completed[node] ? fence : 0;
}

vidmm_status submit_wait_for_turn(adapter_t *adapter, const struct render_packet *packet)
{
    const struct context *context = packet->context;
    uint32_t fence = fence_ahead(adapter, packet);
    vidmm_status status = STATUS_SUCCESS;
    do {
        if (fence)
            status = schedule_wait_fence(adapter, adapter->setup->caps.paging_node, fence,
                                         VIDMM_WAIT_SYNC_AFTER, RULE(PAGE_041), context->device);
        if (!status)
            status = schedule_wait_for_room(adapter, context->node, context->device);
        /* What became due in the waits may be another synchronous operation: until there is none.
         */
        fence = fence_ahead(adapter, packet);
    } while (!status && fence);
    return status;
}

/* ---- handing over --------------------------------------------------------------------------- */

static void mark_written(adapter_t *adapter, struct pageable *allocation)
{
    uint32_t segment = allocation->place.at.segment;
    const struct vidmm_segment_desc *desc = segment ? segment_desc(adapter, segment) : NULL;
    content_written(allocation);
    content_agp_written(allocation, desc && (desc->flags & SEGMENT_AGP));
    if (!desc || segment_is_aperture(desc))
        return;
    pageable_gpu_wrote(allocation);
    applies(adapter, RULE(PAGE_030));
    applies(adapter, RULE(PAGE_033));
}

/* PAGE-062: the GPU saves the state of the context there. */
void submit_mark_saved(adapter_t *adapter, const struct context *context, struct packet *queued)
{
    struct fence_ref ref = { queued->node, queued->fence };
    uint32_t paging = adapter->setup->caps.paging_node;
    struct allocation *a = NULL;
    while ((a = context_saved_after(context, a)) != NULL) {
        queued->waits[paging] = max_u32(queued->waits[paging], a->pageable.transfer.fences[paging]);
        pageable_fence(&a->pageable, ref, true);
        mark_written(adapter, &a->pageable);
    }
}

static void mark_used(adapter_t *adapter, const struct submission *submission,
                      struct render_packet *packet, struct packet *queued)
{
    struct fence_ref ref = { queued->node, queued->fence };
    uint32_t paging = adapter->setup->caps.paging_node;
    queued->waits[paging] = packet->buffer->map_fence;
    for (size_t i = 0; i < packet->count; i++) {
        struct allocation *allocation = packet->bindings[i].allocation;
        queued->waits[paging] =
            max_u32(queued->waits[paging], allocation->pageable.transfer.fences[paging]);
        if (packet->bindings[i].again)
            continue;
        allocation->pageable.packet_refs++;
        if (cpu_of(allocation)->lock_count)
            count_up(adapter, VIDMM_COUNTER_NB_LOCKED_REFERENCED, 1);
    }
    for (size_t i = 0; i < packet->count; i++) {
        const struct binding *binding = &packet->bindings[i];
        struct allocation *allocation = binding->allocation;
        pageable_fence(&allocation->pageable, ref, binding->write);
        rename_note_use(adapter, allocation, submission->elements[binding->index].keep);
        coherency_gpu_uses(adapter, &allocation->pageable, binding->write);
        if (!binding->write)
            continue;
        /* What some adapters write changes their instances; a mirrored one counts as one
         * (LINK-006). */
        bool instanced =
            allocation->pageable.place.next_copy && !allocation_is_mirrored(&allocation->pageable);
        for (struct pageable *a = &allocation->pageable; a; a = a->place.next_copy)
            if (a->store.owner == a && (!instanced || (packet->adapters >> a->info.physical & 1)))
                mark_written(adapter, a);
    }
    applies(adapter, RULE(SUBMIT_062));
    applies(adapter, RULE(SUBMIT_063));
    applies(adapter, RULE(PAGE_001));
    applies(adapter, RULE(PAGE_044));
}

static void keep_lists(const adapter_t *adapter, const struct submission *submission,
                       struct render_packet *packet)
{
    packet->list_count = submission->count;
    packet->location_count = submission->patch_count;
    if (packet->location_capacity < packet->location_count) {
        packet->locations =
            base_realloc(packet->locations, packet->location_count, sizeof *packet->locations);
        packet->location_capacity = packet->location_count;
    }
    if (packet->location_count)
        memcpy(packet->locations, adapter->submit->scratch.out,
               packet->location_count * sizeof *packet->locations);
}

static vidmm_status hand_over(adapter_t *adapter, struct submission *submission,
                              struct render_packet *packet)
{
    const struct vidmm_work *work = submission->work;
    struct context *context = packet->context;
    uint32_t node = context->node;
    uint32_t fence = schedule_fence_next(adapter, node);
    if (!fence)
        return bugcheck(adapter, RULE(SUBMIT_050), 0x119, 0x1, (uint64_t[3]){ 0, node, 0 },
                        "node %u has used up its fence numbers", node);
    applies(adapter, RULE(SUBMIT_050));
    keep_lists(adapter, submission, packet);
    bool held = watch_node(adapter, node)->holds;
    vidmm_status status = submit_patch(adapter, submission, packet, held ? 0 : fence);
    if (!status && !held)
        status = submit_command(adapter, packet, fence, false);
    if (status)
        return status;
    watch_count_render(adapter, node);
    count_up(adapter, VIDMM_COUNTER_RENDER_SUBMITS, 1);
    submit_tell(adapter, packet, work->label ? work->label : "", fence);
    struct packet *queued = schedule_packet_new(adapter, node, fence);
    mark_used(adapter, submission, packet, queued);
    submit_mark_saved(adapter, context, queued);
    context_load(adapter, context);
    *submission->result = (struct vidmm_submission){ node, fence };
    submission->handed = true;
    schedule_submit(adapter, queued, &packet->job, &submit_job_ops);
    return STATUS_SUCCESS;
}

vidmm_status submit_portion(adapter_t *adapter, struct submission *submission,
                            const struct portion *portion)
{
    struct render_packet *packet = submit_take_packet(adapter, submission->context);
    packet->buffer = submission->buffer;
    packet->buffer->refs++;
    packet->start = portion->start;
    packet->end = portion->end;
    packet->first = portion->first;
    packet->length = portion->behind - portion->first;
    packet->null_rendering = submission->work->null_rendering;
    packet->adapters = link_adapters(adapter, submission->work->adapters);
    packet->present = submission->present;
    bind(adapter, submission, packet);
    vidmm_status status = submit_wait_for_turn(adapter, packet);
    /* Recovery may have come in between. */
    bool lost = submission->context->device->state != DEVICE_ACTIVE;
    if (!status && !lost)
        status = hand_over(adapter, submission, packet);
    if (status || lost) {
        submit_give_packet(adapter, packet);
        return status;
    }
    /* Instances that the whole buffer no longer needs; of a present, another buffer may. */
    bool last = portion->last && !submission->present;
    for (size_t i = 0; last && i < submission->count; i++)
        if (submission->elements[i].portion) /* it was bound */
            rename_retire(adapter, submission->elements[i].allocation);
    return STATUS_SUCCESS;
}

/* SUBMIT-022: what a caller asks for, or brings, is what it has from then on. */
void submit_resize(struct context *context, const struct vidmm_work *work)
{
    if (work->dma_bytes)
        context->dma_bytes = max_u32(context->info.DmaBufferSize, work->dma_bytes);
    context->list_size = max_u32(context->list_size, (uint32_t)work->use_count);
    context->patch_size = max_u32(context->patch_size, (uint32_t)work->patch_count);
}

void submit_begin(adapter_t *adapter, struct submission *submission)
{
    const struct vidmm_work *work = submission->work;
    struct submit_scratch *scratch = &adapter->submit->scratch;
    submission->buffer = dma_buffer_take(adapter, submission->context);
    submission->buffer->refs = 1;
    submission->portion = 0;
    submission->elements = scratch->elements; /* submit_check() has looked them up */
    submission->count = work->use_count;
}

vidmm_status submit_prepare(adapter_t *adapter, struct submission *submission)
{
    vidmm_status status = submit_check_lists(adapter, submission);
    return status ? status : split_run(adapter, submission);
}

vidmm_status submit_work(adapter_t *adapter, const struct vidmm_work *work,
                         struct vidmm_submission *result)
{
    struct submission submission = { .work = work, .result = result };
    vidmm_status status = submit_check(adapter, work, &submission.context);
    if (status)
        return status;
    submit_resize(submission.context, work);
    submit_begin(adapter, &submission);
    status = submit_render(adapter, &submission);
    if (!status)
        status = submit_prepare(adapter, &submission);
    if (!status)
        offer_listed(adapter, work);
    dma_buffer_drop(adapter, submission.buffer); /* it is that of its packets, if there are any */
    schedule_deferred(adapter);
    return status;
}

struct submit *submit_new(void)
{
    return base_alloc(1, sizeof(struct submit));
}
