/* SPDX-License-Identifier: MIT */
/*
 * dma_buffer.c: where DMA buffers live, and how long.
 *
 * A buffer is made when a submission finds none idle in its context; it is placed in the first
 * preparation that needs it, and keeps its place while the context keeps it. Its place goes when
 * the context ends, when an aperture is emptied, when the buffer has to grow, and when it is idle
 * and another one finds no room.
 *
 * Room for a mapping is looked for in the apertures of the set, by id, bottom-up: free space, then
 * what is on its way out, then idle buffers, then victims; at last the oldest buffer of the context
 * is waited for, and its place taken over.
 *
 * Rules not named below: PLACE-020, SEG-054, SEG-071, SUBMIT-022.
 */
#include "paging/buffer/buffer.h"
#include "paging/residency/residency.h"
#include "paging/schedule/watch.h"
#include "paging/store/store.h"
#include "vidmm/base/base_hash.h"
#include "vidmm/submit/packet.h"
#include "vidmm/submit/submit_state.h"

#include <string.h>

/* ---- life ----------------------------------------------------------------------------------- */

static void release_pages(adapter_t *adapter, struct dma_buffer *buffer)
{
    struct backing *backing = buffer->backing;
    if (!backing)
        return;
    mdl_end(backing);
    system_release(adapter, backing_runs(backing), backing->run_count);
    base_free(backing->runs);
    base_free(backing);
    buffer->backing = NULL;
}

static void forget(adapter_t *adapter, struct dma_buffer *buffer)
{
    DL_DELETE2(adapter->submit->dma_buffers, buffer, before, behind);
    if (buffer->backing) {
        mdl_end(buffer->backing);
        base_free(buffer->backing->runs);
    }
    base_free(buffer->backing);
    dma_memory_give(adapter, buffer);
    base_free(buffer->private_data);
    base_free(buffer);
}

static void unmapped(adapter_t *adapter, struct dma_buffer *buffer)
{
    places_leaving_end(adapter);
    places_release(adapter, buffer->segment, (struct freed_runs){ &buffer->range, 1, false, 0 });
    release_pages(adapter, buffer);
    forget(adapter, buffer);
}

static struct dma_buffer *make(adapter_t *adapter, struct context *context)
{
    struct dma_buffer *buffer = base_alloc(1, sizeof *buffer);
    uint32_t private_bytes = context->info.DmaBufferPrivateDataSize;
    buffer->context = context;
    buffer->unmapped = unmapped;
    buffer->private_bytes = private_bytes;
    buffer->private_data = base_alloc(private_bytes + (size_t)PAGING_GUARD_BYTES, 1);
    memset(buffer->private_data + private_bytes, PAGING_GUARD, PAGING_GUARD_BYTES);
    DL_PREPEND2(adapter->submit->dma_buffers, buffer, before, behind);
    applies(adapter, RULE(SUBMIT_026));
    return buffer;
}

struct dma_buffer *dma_buffer_first(const adapter_t *adapter)
{
    return adapter->submit->dma_buffers;
}

void dma_buffers_stop(adapter_t *adapter)
{
    while (adapter->submit->dma_buffers)
        forget(adapter, adapter->submit->dma_buffers);
    dma_memory_stop(adapter);
}

/* The range stays taken until the unmap has run. */
static void leave(adapter_t *adapter, struct dma_buffer *buffer)
{
    buffer->placed = false;
    places_leaving_begin(adapter);
    segment_repin(segment_at(adapter, buffer->segment), buffer->range.bytes, false);
    places_buffer_end(adapter, buffer->segment, buffer->range);
}

/* An idle buffer that its context no longer has. */
static vidmm_status give_up(adapter_t *adapter, struct dma_buffer *buffer)
{
    if (buffer->placed && buffer->segment) {
        leave(adapter, buffer);
        return paging_unmap_dma(adapter, buffer);
    }
    release_pages(adapter, buffer);
    forget(adapter, buffer);
    return STATUS_SUCCESS;
}

/* ---- the idle ones of a context ------------------------------------------------------------- */

struct dma_buffer *dma_buffer_take(adapter_t *adapter, struct context *context)
{
    struct dma_buffer *buffer = context->idle_buffers;
    if (buffer)
        context->idle_buffers = buffer->next_idle;
    else
        buffer = make(adapter, context);
    buffer->bytes = context->dma_bytes;
    dma_memory_take(adapter, buffer);
    return buffer;
}

vidmm_status dma_buffers_release(adapter_t *adapter, struct context *context)
{
    vidmm_status status = STATUS_SUCCESS;
    bool own = context->idle_buffers && !paging_preparation(adapter);
    if (own)
        paging_begin(adapter, context->device);
    while (context->idle_buffers && !status) {
        struct dma_buffer *buffer = context->idle_buffers;
        context->idle_buffers = buffer->next_idle;
        status = give_up(adapter, buffer);
    }
    if (!own)
        return status;
    vidmm_status ended = paging_close(adapter);
    return status ? status : ended;
}

/* Takes one that was mapped there last out of the idle ones of its context; NULL: none. */
static struct dma_buffer *take_idle_in(adapter_t *adapter, uint32_t segment)
{
    for (struct dma_buffer *buffer = adapter->submit->dma_buffers; buffer;
         buffer = buffer->behind) {
        if (!buffer->context || buffer->segment != segment)
            continue;
        for (struct dma_buffer **at = &buffer->context->idle_buffers; *at; at = &(*at)->next_idle) {
            if (*at != buffer)
                continue;
            *at = buffer->next_idle;
            return buffer;
        }
    }
    return NULL;
}

vidmm_status dma_buffers_empty(adapter_t *adapter, uint32_t segment)
{
    vidmm_status status = STATUS_SUCCESS;
    struct dma_buffer *buffer;
    while (!status && (buffer = take_idle_in(adapter, segment)) != NULL)
        status = give_up(adapter, buffer);
    return status;
}

/* ---- room for a mapping --------------------------------------------------------------------- */

static bool take_hole(adapter_t *adapter, struct dma_buffer *buffer,
                      const struct vidmm_search *search)
{
    uint64_t offset;
    if (!places_allow(adapter, search->segment, search->footprint) ||
        !places_find(adapter, search, &offset))
        return false;
    buffer->segment = search->segment;
    buffer->range = (struct range){ offset, search->footprint };
    places_take(adapter, buffer->segment, buffer->range, true);
    places_placed(adapter, search, offset);
    return true;
}

static bool take_hole_in_time(adapter_t *adapter, struct dma_buffer *buffer,
                              const struct vidmm_search *search, vidmm_status *status)
{
    bool taken = take_hole(adapter, buffer, search);
    while (!taken && !*status && places_leaving(adapter)) {
        *status = paging_finish(adapter, RULE(SUBMIT_021));
        taken = !*status && take_hole(adapter, buffer, search);
    }
    return taken;
}

/* What would leave an aperture for an allocation leaves for a buffer. */
static bool push_victims(adapter_t *adapter, const struct dma_buffer *buffer,
                         const struct vidmm_search *search, vidmm_status *status)
{
    struct allocation someone = { .pageable.creator = buffer->context->device };
    struct found_place found = { 0 };
    bool planned = evict_plan_range(adapter, pageable_of(&someone), search, &found);
    for (size_t i = 0; planned && !*status && i < found.victim_count; i++)
        if (found.victims[i].allocation->store.state == ALLOCATION_RESIDENT)
            *status = evict_allocation(adapter, found.victims[i].allocation, EVICT_ROOM,
                                       RULE(SUBMIT_021));
    found_place_fini(adapter, &found);
    return planned;
}

static bool make_hole(adapter_t *adapter, struct dma_buffer *buffer,
                      const struct vidmm_search *search, vidmm_status *status)
{
    struct dma_buffer *idle;
    while (!*status && (idle = take_idle_in(adapter, search->segment)) != NULL) {
        *status = give_up(adapter, idle);
        if (!*status && take_hole_in_time(adapter, buffer, search, status))
            return true;
    }
    return !*status && push_victims(adapter, buffer, search, status) && !*status &&
           take_hole_in_time(adapter, buffer, search, status);
}

/* One without a byte, which a driver may ask for, has a page, too. */
static uint64_t room_for(const struct dma_buffer *buffer, uint64_t page)
{
    return align_up(max_u64(buffer->bytes, 1), page);
}

static struct vidmm_search search_in(const adapter_t *adapter, const struct dma_buffer *buffer,
                                     uint32_t segment)
{
    const struct vidmm_segment_desc *desc = segment_desc(adapter, segment);
    return (struct vidmm_search){
        .segment = segment,
        .high = desc->bytes,
        .footprint = room_for(buffer, desc->page_bytes),
        .alignment = desc->page_bytes,
        .why = RULE(SUBMIT_021),
    };
}

/* First room that costs nothing, in all segments of the set. */
static bool find_range(adapter_t *adapter, struct dma_buffer *buffer, vidmm_status *status)
{
    uint32_t set = buffer->context->info.DmaBufferSegmentSet;
    for (int pass = 0; pass < 2; pass++)
        for (uint32_t id = 1; id <= adapter->setup->segments_each && !*status; id++) {
            struct vidmm_search search = search_in(adapter, buffer, id);
            if (!(set & (1u << (id - 1))))
                continue;
            if (pass ? make_hole(adapter, buffer, &search, status)
                     : take_hole_in_time(adapter, buffer, &search, status))
                return true;
        }
    return false;
}

/* ---- the oldest buffer of the context ------------------------------------------------------- */

/* Waits for the oldest packet of the context; false: none is on its way. */
static bool wait_for_oldest(adapter_t *adapter, const struct context *context, vidmm_status *status)
{
    const struct job *job = schedule_jobs(adapter, context->node);
    while (job && (job->paging || ((const struct render_packet *)job)->context != context))
        job = job->next;
    if (!job)
        return false;
    uint32_t fence = job->first; /* which stays its own while the flush waits */
    *status = paging_flush(adapter);
    if (!*status)
        *status = schedule_wait_fence(adapter, context->node, fence, VIDMM_WAIT_QUEUE_FULL,
                                      RULE(SUBMIT_021), context->device);
    return !*status;
}

/* The place of a buffer that has become idle, when it is large enough. */
static bool take_over(struct dma_buffer *buffer)
{
    for (struct dma_buffer *idle = buffer->context->idle_buffers; idle; idle = idle->next_idle) {
        if (!idle->placed || idle->range.bytes < buffer->bytes)
            continue;
        buffer->segment = idle->segment;
        buffer->range = idle->range;
        buffer->address = idle->address;
        buffer->map_fence = idle->map_fence;
        buffer->backing = idle->backing;
        buffer->placed = true;
        idle->placed = false;
        idle->backing = NULL;
        return true;
    }
    return false;
}

/* ---- placing -------------------------------------------------------------------------------- */

/* A buffer without memory that has the place of this one. */
static struct dma_buffer *part_with_place(adapter_t *adapter, struct dma_buffer *buffer)
{
    struct dma_buffer *old = make(adapter, buffer->context);
    old->segment = buffer->segment;
    old->range = buffer->range;
    old->backing = buffer->backing;
    old->placed = true;
    buffer->placed = false;
    buffer->backing = NULL;
    return old;
}

static vidmm_status map(adapter_t *adapter, struct dma_buffer *buffer)
{
    uint64_t pages = buffer->range.bytes / adapter->setup->page;
    struct range *runs;
    size_t count = system_take(adapter, pages, &runs);
    if (!count) {
        places_release(adapter, buffer->segment, (struct freed_runs){ &buffer->range, 1, true, 0 });
        return system_refuse(adapter, RULE(SUBMIT_021), buffer->range.bytes, "a DMA buffer", "");
    }
    buffer->backing = base_alloc(1, sizeof *buffer->backing);
    *buffer->backing =
        (struct backing){ .one = runs[0], .runs = runs, .run_count = count, .pages = pages };
    buffer->address = segment_desc(adapter, buffer->segment)->base + buffer->range.offset;
    buffer->placed = true;
    places_buffer_begin(adapter, buffer->segment, buffer->range);
    EMIT(adapter, PLACE, RULE(SUBMIT_021), buffer->context->handle,
         f_segment("segment", buffer->segment), f_hex("offset", buffer->range.offset),
         f_bytes("bytes", buffer->range.bytes), f_word("kind", "dmabuffer"));
    vidmm_status status = paging_map_dma(adapter, buffer);
    if (status && !adapter_stopped(adapter)) {
        struct dma_buffer *old = part_with_place(adapter, buffer);
        leave(adapter, old);
        paging_unmap_dma_later(adapter, old);
    }
    return status;
}

/* SUBMIT-020: contiguous pages, from the end of memory, where they split nothing. */
static bool lock_pages(adapter_t *adapter, struct dma_buffer *buffer)
{
    const uint64_t bytes = room_for(buffer, adapter->setup->page);
    if (!system_take_last(adapter, bytes, &buffer->range))
        return false;
    buffer->backing = base_alloc(1, sizeof *buffer->backing);
    buffer->backing->one =
        (struct range){ buffer->range.offset / adapter->setup->page, bytes / adapter->setup->page };
    buffer->backing->pages = buffer->backing->one.bytes;
    buffer->backing->run_count = 1;
    buffer->address = buffer->range.offset;
    buffer->placed = true;
    return true;
}

static bool find_room(adapter_t *adapter, struct dma_buffer *buffer, vidmm_status *status)
{
    if (!buffer->context->info.DmaBufferSegmentSet)
        return lock_pages(adapter, buffer);
    if (!find_range(adapter, buffer, status))
        return false;
    *status = map(adapter, buffer);
    return true;
}

/* Its place goes, with its pages; the memory that the driver wrote stays. */
static vidmm_status outgrow(adapter_t *adapter, struct dma_buffer *buffer)
{
    return give_up(adapter, part_with_place(adapter, buffer));
}

bool dma_buffer_in(const struct dma_buffer *buffer, uint32_t segment)
{
    return buffer->segment == segment && (buffer->placed || buffer->unmap_lost);
}

vidmm_status dma_buffer_clean(adapter_t *adapter, struct dma_buffer *buffer)
{
    if (buffer->placed)
        return outgrow(adapter, buffer);
    return paging_unmap_dma(adapter, buffer);
}

static vidmm_status no_room(adapter_t *adapter, const struct dma_buffer *buffer)
{
    if (!buffer->context->info.DmaBufferSegmentSet)
        return refuse(adapter, RULE(SUBMIT_020), STATUS_NO_MEMORY,
                      "system memory has no %s in one piece for a DMA buffer",
                      words_size(buffer->bytes).it);
    return refuse(adapter, RULE(SUBMIT_021), STATUS_GRAPHICS_NO_VIDEO_MEMORY,
                  "no aperture has room for a DMA buffer of %s", words_size(buffer->bytes).it);
}

vidmm_status dma_buffer_place(adapter_t *adapter, struct dma_buffer *buffer)
{
    vidmm_status status = STATUS_SUCCESS;
    if (buffer->placed && buffer->range.bytes >= buffer->bytes)
        return STATUS_SUCCESS;
    if (buffer->placed)
        status = outgrow(adapter, buffer);
    while (!status && !take_over(buffer) && !find_room(adapter, buffer, &status) && !status)
        if (!wait_for_oldest(adapter, buffer->context, &status) && !status)
            return no_room(adapter, buffer);
    return status;
}

void dma_buffers_renumber(adapter_t *adapter, uint32_t node, const struct renaming *renaming)
{
    if (node != adapter->setup->caps.paging_node)
        return;
    for (struct dma_buffer *buffer = adapter->submit->dma_buffers; buffer; buffer = buffer->behind)
        buffer->map_fence = preempt_new_number(renaming, buffer->map_fence);
}

void dma_buffer_drop(adapter_t *adapter, struct dma_buffer *buffer)
{
    struct context *context = buffer->context;
    CHECK(buffer->refs);
    if (--buffer->refs)
        return;
    CHECK(context);
    dma_memory_give(adapter, buffer);
    buffer->next_idle = context->idle_buffers;
    context->idle_buffers = buffer;
}
