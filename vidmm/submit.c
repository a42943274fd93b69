/* SPDX-License-Identifier: MIT */
/*
 * submit.c: one DMA buffer from the caller to the node (SUBMIT-001).
 *
 *   check      nothing is built for a submission that is refused (SUBMIT-015)
 *   render     the driver translates the command buffer
 *   prepare    every allocation that a patch location names becomes resident, in the order of the
 *              list (PAGE-002); the paging buffer goes out
 *   hold back  synchronous paging operations finish first (PAGE-041)
 *   patch      with final addresses
 *   submit     fences are marked, what is written becomes dirty, the node has it
 *
 * A buffer whose allocations do not fit together fails as a whole: it is not split.
 */
#include "vidmm/submit.h"
#include "vidmm/rename.h"

#include <string.h>

/* More packets than this on one node wait like those behind HwQueuePacketCap: host memory is
 * finite. */
enum { QUEUE_MAX = 1 << 20 };

/* ---- packets -------------------------------------------------------------------------------- */

static struct render_packet *take_packet(adapter_t *adapter, struct context *context, size_t count)
{
    struct render_packet *packet = adapter->free_packets;
    if (packet)
        adapter->free_packets = packet->next_free;
    else
        packet = base_alloc(1, sizeof *packet);
    packet->context = context;
    packet->buffer = dma_buffer_take(adapter, context);
    packet->buffer->refs = 1;
    packet->count = count;
    packet->patch_count = 0;
    BASE_GROW(packet->bindings, packet->capacity, count);
    return packet;
}

static void give_packet(adapter_t *adapter, struct render_packet *packet)
{
    if (!--packet->buffer->refs)
        dma_buffer_give(adapter, packet->buffer);
    packet->buffer = NULL;
    packet->next_free = adapter->free_packets;
    adapter->free_packets = packet;
}

static void free_packet(struct render_packet *packet)
{
    base_free(packet->bindings);
    base_free(packet->locations);
    base_free(packet);
}

void submit_stop(adapter_t *adapter)
{
    while (adapter->free_packets) {
        struct render_packet *packet = adapter->free_packets;
        adapter->free_packets = packet->next_free;
        free_packet(packet);
    }
    for (uint32_t node = 0; adapter->jobs && node < adapter->caps.nodes; node++) {
        struct job *job = adapter->jobs[node].head;
        while (job) {
            struct job *next = job->next;
            if (!job->paging)
                free_packet((struct render_packet *)job);
            job = next;
        }
    }
    dma_buffers_stop(adapter);
    base_free(adapter->scratch.list);
    base_free(adapter->scratch.in);
    base_free(adapter->scratch.out);
    base_free(adapter->bound);
}

const struct allocation *submit_subject(const struct job *job)
{
    const struct render_packet *packet = (const struct render_packet *)job;
    for (size_t i = 0; i < packet->count; i++)
        if (packet->bindings[i].allocation)
            return packet->bindings[i].allocation;
    return NULL;
}

void submit_done(adapter_t *adapter, struct job *job)
{
    struct render_packet *packet = (struct render_packet *)job;
    for (size_t i = 0; i < packet->count; i++) {
        struct allocation *allocation = packet->bindings[i].allocation;
        if (!allocation || packet->bindings[i].again)
            continue;
        CHECK(allocation->packet_refs); /* SUBMIT-063 */
        allocation->packet_refs--;
    }
    give_packet(adapter, packet);
}

/* ---- binding -------------------------------------------------------------------------------- */

static void bind_list(adapter_t *adapter, const struct vidmm_work *work,
                      struct render_packet *packet)
{
    for (size_t i = 0; i < work->use_count; i++)
        packet->bindings[i] = (struct binding){
            .allocation = handle_object(adapter, work->uses[i].allocation, VIDMM_OBJECT_ALLOCATION),
            .write = work->uses[i].write,
            .keep = work->uses[i].keep,
        };
}

/* What a patch location names is bound; several elements of one allocation join (SUBMIT-008). */
static void bind_used(adapter_t *adapter, struct render_packet *packet)
{
    struct device *device = packet->context->device;
    for (size_t i = 0; i < packet->count; i++) {
        struct binding *binding = &packet->bindings[i];
        struct allocation *allocation = binding->allocation;
        if (!allocation) {
            count_device(adapter, VIDMM_COUNTER_NULL_REFS, device, 1);
            continue;
        }
        count_device(adapter, VIDMM_COUNTER_ALLOCS_REFERENCED, device, 1);
        if (binding->write) {
            count_device(adapter, VIDMM_COUNTER_WRITE_REFS, device, 1);
            allocation->bound_write = adapter->preparation;
        }
        binding->again = allocation->listed_in == adapter->preparation;
        if (binding->again)
            finding(adapter, RULE(SUBMIT_008), allocation->handle,
                    "%s appears more than once in the allocation list", allocation->label);
        allocation->listed_in = adapter->preparation;
    }
    for (size_t i = 0; i < packet->patch_count; i++) {
        uint32_t index = adapter->scratch.out[i].AllocationIndex;
        struct allocation *allocation = packet->bindings[index].allocation;
        if (!allocation) {
            applies(adapter, RULE(SUBMIT_014));
            continue;
        }
        if (allocation->bound_in != adapter->preparation)
            residency_bind(adapter, allocation);
    }
}

/* List elements that no patch location names bind nothing (PAGE-002). */
static void forget_unused(struct render_packet *packet, uint64_t preparation)
{
    for (size_t i = 0; i < packet->count; i++) {
        struct binding *binding = &packet->bindings[i];
        if (binding->allocation && binding->allocation->bound_in != preparation)
            binding->allocation = NULL;
    }
}

/* ---- preparation ---------------------------------------------------------------------------- */

/* RES-032: from 2.0 on a list brings nothing in; what it names has to be there. */
static vidmm_status require_resident(adapter_t *adapter, struct allocation *allocation,
                                     struct device *device)
{
    if (allocation->state == ALLOCATION_RESIDENT) {
        residency_touch(adapter, allocation);
        return STATUS_SUCCESS;
    }
    device_fail(adapter, device, DEVICE_PAGE_FAULT, RULE(RES_032));
    return refuse(adapter, RULE(RES_032), STATUS_DEVICE_REMOVED,
                  "%s is not resident; from 2.0 on a submission does not bring it in",
                  allocation->label);
}

static vidmm_status make_resident(adapter_t *adapter, struct render_packet *packet)
{
    struct device *device = packet->context->device;
    vidmm_status status = STATUS_SUCCESS;
    applies(adapter, RULE(PAGE_002));
    applies(adapter, RULE(PLACE_003));
    for (size_t i = 0; i < adapter->bound_count && !status; i++) {
        struct allocation *allocation = adapter->bound[i];
        bool write = allocation->bound_write == adapter->preparation;
        if (adapter->caps.wddm >= VIDMM_WDDM_2_0)
            status = require_resident(adapter, allocation, device);
        else
            status = residency_require(adapter, allocation, write, device);
    }
    return status;
}

static vidmm_status prepare(adapter_t *adapter, struct render_packet *packet)
{
    struct device *device = packet->context->device;
    paging_begin(adapter);
    uint64_t preparation = adapter->preparation;
    count_device(adapter, VIDMM_COUNTER_DMA_PREPARED, device, 1);
    adapter->bound_count = 0;
    bind_used(adapter, packet);
    vidmm_status status = context_require(adapter, packet->context);
    if (!status)
        status = dma_buffer_place(adapter, packet->buffer);
    if (!status)
        status = make_resident(adapter, packet);
    adapter->bound_count = 0;
    vidmm_status ended = adapter->stopped ? adapter_usable(adapter) : paging_end(adapter);
    adapter->preparation = 0;
    forget_unused(packet, preparation);
    if (status == STATUS_GRAPHICS_NO_VIDEO_MEMORY)
        device_fail(adapter, device, DEVICE_OUT_OF_MEMORY, RULE(SUBMIT_038));
    return status ? status : ended;
}

/* PAGE-041, PAGE-042: no render buffer while a synchronous paging operation is under way. */
static vidmm_status hold_back(adapter_t *adapter, const struct render_packet *packet)
{
    uint32_t node = adapter->caps.paging_node, fence = adapter->sync_fence;
    enum vidmm_rule rule = RULE(PAGE_041);
    if (setting(adapter, VIDMM_SETTING_SYNC_SCOPE)) {
        fence = 0;
        for (size_t i = 0; i < packet->count; i++) {
            const struct allocation *allocation = packet->bindings[i].allocation;
            if (allocation && allocation_is(allocation, ALLOCATION_SYNCHRONOUS))
                fence = fence > allocation->marks[node] ? fence : allocation->marks[node];
        }
    } else if (fence) {
        applies(adapter, RULE(PAGE_042));
    }
    if (fence <= adapter->fences.completed[node])
        return STATUS_SUCCESS;
    return sync_fence(adapter, node, fence, VIDMM_WAIT_SYNC_AFTER, rule, packet->context->device);
}

static vidmm_status wait_for_queue(adapter_t *adapter, const struct render_packet *packet)
{
    uint32_t node = packet->context->node;
    uint32_t cap = adapter->caps.queue_cap ? adapter->caps.queue_cap : QUEUE_MAX;
    while (engine_length(&adapter->engines, node) >= cap) {
        vidmm_status status =
            sync_fence(adapter, node, adapter->jobs[node].head->fence, VIDMM_WAIT_QUEUE_FULL,
                       RULE(SUBMIT_048), packet->context->device);
        if (status)
            return status;
    }
    return STATUS_SUCCESS;
}

/* Recovery may have come in between. */
static vidmm_status still_active(adapter_t *adapter, const struct device *device)
{
    if (device->state == DEVICE_ACTIVE)
        return STATUS_SUCCESS;
    return refuse(adapter, RULE(TDR_028), STATUS_DEVICE_REMOVED, "device %s is %s", device->label,
                  vidmm_device_state(adapter, device->handle));
}

/* ---- handing over --------------------------------------------------------------------------- */

static void mark_written(adapter_t *adapter, struct allocation *allocation)
{
    const struct place *place = &allocation->place;
    bool memory = place->segment && !segment_is_aperture(segment_desc(adapter, place->segment));
    allocation->pattern_only = false;
    allocation->agp_written =
        place->segment && (segment_desc(adapter, place->segment)->flags & SEGMENT_AGP);
    if (!memory)
        return;
    allocation->gpu_dirty = true;
    allocation->dirty_count++;
    applies(adapter, RULE(PAGE_030));
    applies(adapter, RULE(PAGE_033));
}

/* PAGE-062: the GPU saves the state of the context there. */
static void mark_saved(adapter_t *adapter, struct allocation *list, struct packet *queued)
{
    struct fence_ref ref = { queued->node, queued->fence };
    uint32_t paging = adapter->caps.paging_node;
    for (struct allocation *a = list; a; a = a->context_next) {
        if (a->marks[paging] > queued->waits[paging])
            queued->waits[paging] = a->marks[paging];
        fence_marks_raise(a->marks, ref);
        fence_marks_raise(a->write_marks, ref);
        mark_written(adapter, a);
    }
}

static void mark_used(adapter_t *adapter, struct render_packet *packet, struct packet *queued)
{
    struct fence_ref ref = { queued->node, queued->fence };
    uint32_t paging = adapter->caps.paging_node;
    queued->waits[paging] = packet->buffer->map_fence;
    for (size_t i = 0; i < packet->count; i++) {
        struct allocation *allocation = packet->bindings[i].allocation;
        if (!allocation)
            continue;
        if (allocation->marks[paging] > queued->waits[paging])
            queued->waits[paging] = allocation->marks[paging];
        if (packet->bindings[i].again)
            continue;
        allocation->packet_refs++;
        if (allocation->lock_count)
            count_up(adapter, VIDMM_COUNTER_NB_LOCKED_REFERENCED, 1);
    }
    for (size_t i = 0; i < packet->count; i++) {
        struct allocation *allocation = packet->bindings[i].allocation;
        if (!allocation)
            continue;
        fence_marks_raise(allocation->marks, ref);
        rename_note_use(adapter, allocation, packet->bindings[i].keep);
        coherency_gpu_uses(adapter, allocation, packet->bindings[i].write);
        if (!packet->bindings[i].write)
            continue;
        fence_marks_raise(allocation->write_marks, ref);
        mark_written(adapter, allocation);
    }
    for (size_t i = 0; i < packet->count; i++)
        if (packet->bindings[i].allocation)
            rename_retire(adapter, packet->bindings[i].allocation);
    applies(adapter, RULE(SUBMIT_062));
    applies(adapter, RULE(SUBMIT_063));
    applies(adapter, RULE(PAGE_001));
    applies(adapter, RULE(PAGE_044));
}

static void keep_locations(const adapter_t *adapter, struct render_packet *packet)
{
    BASE_GROW(packet->locations, packet->location_capacity, packet->patch_count);
    packet->location_count = packet->patch_count;
    if (packet->patch_count)
        memcpy(packet->locations, adapter->scratch.out,
               packet->patch_count * sizeof *packet->locations);
}

vidmm_status submit_resubmit(adapter_t *adapter, struct job *job)
{
    struct render_packet *packet = (struct render_packet *)job;
    EMIT(adapter, SUBMIT, RULE(SUBMIT_056), packet->context->handle, f_node("node", job->node),
         f_number("fence", job->fence), f_word("kind", "render"),
         f_bytes("bytes", packet->buffer->used));
    vidmm_status status = submit_patch_again(adapter, packet, job->fence);
    return status ? status : submit_command(adapter, packet, job->fence, true);
}

static vidmm_status hand_over(adapter_t *adapter, const struct vidmm_work *work,
                              struct render_packet *packet, struct vidmm_submission *submission)
{
    uint32_t node = packet->context->node;
    uint32_t fence = fence_issue(&adapter->fences, node);
    if (!fence)
        return bugcheck(adapter, RULE(SUBMIT_050), 0x119, 0x1, (uint64_t[3]){ 0, node, 0 },
                        "node %u has used up its fence numbers", node);
    applies(adapter, RULE(SUBMIT_050));
    vidmm_status status = STATUS_SUCCESS;
    keep_locations(adapter, packet);
    if (preempt_holds(adapter, node)) {
        submit_bind(adapter, packet);
    } else {
        status = submit_patch(adapter, packet, fence);
        if (!status)
            status = submit_command(adapter, packet, fence, false);
    }
    if (status)
        return status;
    tdr_count_render(adapter, node);
    count_up(adapter, VIDMM_COUNTER_RENDER_SUBMITS, 1);
    EMIT(adapter, SUBMIT, RULE(SUBMIT_001), work->context, f_node("node", node),
         f_number("fence", fence), f_word("kind", "render"), f_bytes("bytes", packet->buffer->used),
         f_text("name", work->label ? work->label : ""));
    struct packet *queued = engine_packet_take(&adapter->engines);
    queued->node = node;
    queued->fence = fence;
    mark_used(adapter, packet, queued);
    mark_saved(adapter, packet->context->allocations, queued);
    mark_saved(adapter, packet->context->device->context_allocations, queued);
    context_switch(adapter, packet->context);
    *submission = (struct vidmm_submission){ node, fence };
    sync_submit(adapter, queued, &packet->job);
    return STATUS_SUCCESS;
}

/* SUBMIT-022: what a caller asks for, or brings, is what it has from then on. */
static void resize(adapter_t *adapter, struct context *context, const struct vidmm_work *work)
{
    applies(adapter, RULE(SUBMIT_022));
    if (work->dma_bytes)
        context->dma_bytes = max_u32(context->info.DmaBufferSize, work->dma_bytes);
    context->list_size = max_u32(context->list_size, (uint32_t)work->use_count);
    context->patch_size = max_u32(context->patch_size, (uint32_t)work->patch_count);
}

vidmm_status submit_work(adapter_t *adapter, const struct vidmm_work *work,
                         struct vidmm_submission *submission)
{
    struct context *context;
    vidmm_status status = submit_check(adapter, work, &context);
    if (status)
        return status;
    resize(adapter, context, work);
    struct render_packet *packet = take_packet(adapter, context, work->use_count);
    bind_list(adapter, work, packet);
    status = submit_render(adapter, work, packet);
    if (!status)
        status = submit_check_lists(adapter, work, packet);
    if (!status)
        status = prepare(adapter, packet);
    if (!status)
        status = hold_back(adapter, packet);
    if (!status)
        status = wait_for_queue(adapter, packet);
    if (!status)
        status = still_active(adapter, context->device);
    if (!status)
        status = hand_over(adapter, work, packet, submission);
    if (status)
        give_packet(adapter, packet);
    sync_due(adapter);
    return status;
}
