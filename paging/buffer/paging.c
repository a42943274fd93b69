/* SPDX-License-Identifier: MIT */
/*
 * paging.c: the pool of paging buffers, the calls that fill them, and handing them over.
 *
 * One preparation is open at a time; its operations are packed into the current buffer and go out
 * when the buffer is full, before a wait, and at the end (PAGE-009). A buffer serves several
 * submissions; only a full one is exchanged for the next of the pool (MINI-050, TIME-019).
 *
 * Rules not named below: MINI-013, MINI-014, MINI-050 to MINI-058, PAGE-041, PAGE-044, SEG-053.
 */
#include "paging/buffer/paging.h"
#include "paging/schedule/watch.h"
#include "paging/store/store.h"

#include <string.h>

/* ---- the pool ------------------------------------------------------------------------------- */

/* They share one block, which the first one owns: the host gives so large a one untouched, and a
   scenario that fills no buffer spares 300 KiB of zeros, a quarter of its start. */
static void buffers_init(const adapter_t *adapter, struct paging_buffer *buffers, uint32_t count)
{
    const struct setup *setup = adapter->setup;
    size_t each = (size_t)align_up(setup->paging_bytes + PAGING_GUARD_BYTES, PAGE_SIZE);
    buffers->storage = base_alloc(count * each + PAGE_SIZE, 1);
    uint8_t *memory = (uint8_t *)buffers->storage;
    memory += PAGE_SIZE - (uintptr_t)memory % PAGE_SIZE;
    for (uint32_t i = 0; i < count; i++) {
        struct paging_buffer *buffer = &buffers[i];
        buffer->memory = memory + i * each;
        buffer->private_data = base_alloc(setup->paging_private_bytes + PAGING_GUARD_BYTES, 1);
        memset(buffer->memory + setup->paging_bytes, PAGING_GUARD, PAGING_GUARD_BYTES);
        memset(buffer->private_data + setup->paging_private_bytes, PAGING_GUARD,
               PAGING_GUARD_BYTES);
    }
}

/* SEG-052: each buffer lies in the range that was reserved for it; an aperture maps it there. */
static vidmm_status place_buffers(adapter_t *adapter)
{
    struct buffers *paging = adapter->buffers;
    const uint32_t segment = adapter->setup->paging_segment;
    const struct vidmm_segment_desc *desc = segment_desc(adapter, segment);
    const struct range_list *fixed = &places_held(adapter, segment)->fixed;
    size_t first = fixed->count - paging->count;
    vidmm_status status = STATUS_SUCCESS;
    for (uint32_t i = 0; i < paging->count && !status; i++) {
        struct range range = fixed->ranges[first + i];
        paging->buffers[i].segment = segment;
        paging->buffers[i].address = desc->base + range.offset;
        paging->current = i;
        if (segment_is_aperture(desc))
            status = paging_map_buffer(adapter, &paging->buffers[i], range);
        if (!status)
            status = paging_flush(adapter);
    }
    paging->current = 0;
    return status;
}

static struct paging_packet *take_packet(struct buffers *paging)
{
    struct paging_packet *packet = paging->free;
    if (packet) {
        paging->free = (struct paging_packet *)packet->job.next;
        packet->count = 0;
        return packet;
    }
    packet = base_alloc(1, sizeof *packet);
    packet->ops = packet->own;
    packet->capacity = ARRAY_COUNT(packet->own);
    return packet;
}

vidmm_status paging_start(adapter_t *adapter)
{
    struct buffers *paging = adapter->buffers;
    paging->count = adapter->setup->paging_count;
    paging->buffers = base_alloc(paging->count, sizeof *paging->buffers);
    buffers_init(adapter, paging->buffers, paging->count);
    paging->waits = base_alloc(adapter->setup->caps.nodes, sizeof *paging->waits);
    paging->open = take_packet(paging);
    return adapter->setup->paging_segment ? place_buffers(adapter) : STATUS_SUCCESS;
}

static void free_packet(struct paging_packet *packet)
{
    if (packet->ops != packet->own)
        base_free(packet->ops);
    base_free(packet);
}

static void free_packets(struct job *job)
{
    for (struct job *next; job; job = next) {
        next = job->next;
        free_packet((struct paging_packet *)job);
    }
}

static bool is_paging(const struct job *job, const void *context)
{
    (void)context;
    return job->paging;
}

void paging_stop(adapter_t *adapter)
{
    struct buffers *paging = adapter->buffers;
    if (!paging->buffers)
        return;
    /* What is still on its way; the others of the node are submit_stop()'s. */
    free_packets(schedule_take_jobs(adapter, adapter->setup->caps.paging_node, is_paging, NULL));
    free_packets((struct job *)paging->free);
    free_packet(paging->open);
    for (uint32_t i = 0; i < paging->count; i++) {
        struct paging_buffer *buffer = &paging->buffers[i];
        base_free(buffer->storage);
        base_free(buffer->private_data);
        system_release(adapter, buffer->backing.runs, buffer->backing.run_count);
        mdl_end(&buffer->backing);
        base_free(buffer->backing.runs);
    }
    base_free(paging->buffers);
    base_free(paging->waits);
    *paging = (struct buffers){ .preparation = paging->preparation,
                                .preparations = paging->preparations,
                                .drained = paging->drained };
}

uint64_t paging_pages(const adapter_t *adapter)
{
    const struct buffers *paging = adapter->buffers;
    uint64_t pages = 0;
    for (uint32_t i = 0; i < paging->count; i++)
        if (paging->buffers[i].backing.run_count)
            pages += paging->buffers[i].backing.pages;
    return pages;
}

static struct paging_buffer *current(const struct buffers *paging)
{
    return &paging->buffers[paging->current];
}

/* ---- while nothing may be submitted --------------------------------------------------------- */

void paging_defer(adapter_t *adapter)
{
    struct buffers *paging = adapter->buffers;
    CHECK(!paging->deferring && !paging->deferred);
    paging->deferring = true;
    paging->first_deferred = paging->current;
    paging->ring = paging->count;
    current(paging)->adapter = paging->adapter;
}

/* The buffer that is used as number `i` while nothing is submitted: more are made at need. */
static uint32_t deferred_buffer(const struct buffers *paging, uint32_t i)
{
    return i < paging->ring ? (paging->first_deferred + i) % paging->ring : i;
}

/* A buffer of which nothing waits to be submitted is used again: nothing runs meanwhile. */
static void next_deferred(const adapter_t *adapter, struct buffers *paging)
{
    if (current(paging)->used != current(paging)->submitted)
        paging->current = deferred_buffer(paging, ++paging->deferred);
    if (paging->current == paging->count) {
        struct paging_buffer *buffers = base_alloc(paging->count + 1, sizeof *buffers);
        memcpy(buffers, paging->buffers, paging->count * sizeof *buffers);
        base_free(paging->buffers);
        paging->buffers = buffers;
        buffers_init(adapter, &buffers[paging->count++], 1);
    }
    struct paging_buffer *buffer = current(paging);
    buffer->used = buffer->submitted = 0;
    buffer->private_used = buffer->private_submitted = 0;
    buffer->adapter = paging->adapter;
}

/* What the record of a packet names. It was marked when it was built, but a request to preempt may
   have taken that number, and while nothing is submitted all goes with the last buffer. */
static void mark_ops(adapter_t *adapter, const struct paging_packet *packet, uint32_t fence)
{
    struct fence_ref ref = { adapter->setup->caps.paging_node, fence };
    for (size_t i = 0; i < packet->count; i++)
        if (packet->ops[i].allocation)
            pageable_fence(packet->ops[i].allocation, ref, true);
}

/* Returns how many of them follow the first, up to the last in which something stands. */
static uint32_t end_deferring(struct buffers *paging)
{
    uint32_t last = paging->deferred;
    paging->deferring = false;
    paging->deferred = 0;
    while (last && paging->buffers[deferred_buffer(paging, last)].used ==
                       paging->buffers[deferred_buffer(paging, last)].submitted)
        last--;
    return last;
}

vidmm_status paging_submit_deferred(adapter_t *adapter)
{
    struct buffers *paging = adapter->buffers;
    struct paging_packet *all = paging->open;
    uint32_t count = end_deferring(paging);
    vidmm_status status = STATUS_SUCCESS;
    paging_drain(adapter, true); /* a NULL context */
    for (uint32_t i = 0; i <= count && !status; i++) {
        paging->current = deferred_buffer(paging, i);
        paging->adapter = current(paging)->adapter;
        if (i < count)
            paging->open = take_packet(paging);
        status = paging_flush(adapter);
        if (i == count)
            continue;
        free_packet(paging->open); /* the empty one behind it */
        paging->open = all;
    }
    paging_drain(adapter, false);
    return status;
}

void paging_discard_deferred(adapter_t *adapter)
{
    struct buffers *paging = adapter->buffers;
    uint32_t node = adapter->setup->caps.paging_node, last = fences_of(adapter)->completed[node];
    for (struct pageable *a = pageable_first(adapter); a; a = pageable_next(a)) {
        a->transfer.fences[node] = min_u32(a->transfer.fences[node], last);
        a->transfer.write_fences[node] = min_u32(a->transfer.write_fences[node], last);
    }
    for (size_t i = 0; i < paging->open->count; i++)
        paging_op_done(adapter, &paging->open->ops[i]);
    paging->open->count = 0;
    (void)end_deferring(paging);
    current(paging)->submitted = current(paging)->used; /* the others are used no more */
}

/* The next buffer of the pool, empty; waits for the oldest when none is free (TIME-019). */
vidmm_status paging_next_buffer(adapter_t *adapter)
{
    struct buffers *paging = adapter->buffers;
    uint32_t node = adapter->setup->caps.paging_node;
    if (paging->deferring) {
        next_deferred(adapter, paging);
        return STATUS_SUCCESS;
    }
    paging->current = (paging->current + 1) % paging->count;
    struct paging_buffer *buffer = current(paging);
    uint64_t turn = ++paging->turns;
    if (buffer->last_fence > fences_of(adapter)->completed[node]) {
        vidmm_status status = schedule_wait_fence(adapter, node, buffer->last_fence,
                                                  VIDMM_WAIT_PAGING_BUFFER, RULE(TIME_019), NULL);
        if (status)
            return status;
    }
    /* What became due during the wait is in a buffer already, and goes out with what follows. */
    if (paging->turns != turn || buffer->used != buffer->submitted)
        return STATUS_SUCCESS;
    buffer->used = buffer->submitted = 0;
    buffer->private_used = buffer->private_submitted = 0;
    return STATUS_SUCCESS;
}

/* ---- handing over --------------------------------------------------------------------------- */

static void enqueue(adapter_t *adapter, struct paging_buffer *buffer,
                    const struct paging_span *span, uint32_t fence)
{
    struct buffers *paging = adapter->buffers;
    uint32_t node = adapter->setup->caps.paging_node;
    uint32_t bytes = buffer->used - buffer->submitted;

    buffer->last_fence = fence;
    buffer->submitted = buffer->used;
    buffer->private_submitted = buffer->private_used;
    if (paging->synchronous)
        paging->sync_fence = fence;
    paging->synchronous = false;
    count_up(adapter, VIDMM_COUNTER_PAGING_SUBMITS, 1);
    count_up(adapter, VIDMM_COUNTER_PAGING_BUFFER_BYTES, bytes);
    applies(adapter, RULE(PAGE_009));
    paging_tell_submit(adapter, paging->waits, fence, bytes, 0);

    struct packet *packet = schedule_packet_new(adapter, node, fence);
    packet->paging = true;
    fences_merge(fences_of(adapter), packet->waits, paging->waits);
    memset(paging->waits, 0, adapter->setup->caps.nodes * sizeof *paging->waits);
    struct paging_packet *open = paging->open;
    mark_ops(adapter, open, fence);
    open->buffer = (uint32_t)(buffer - paging->buffers);
    open->span = *span;
    paging->open = take_packet(paging);
    schedule_submit(adapter, packet, &open->job, &paging_job_ops);
    context_load_paging(adapter);
}

static bool pending(const adapter_t *adapter)
{
    const struct paging_buffer *buffer = current(adapter->buffers);
    return buffer->used != buffer->submitted;
}

VIDMM_APART static vidmm_status hand_over(adapter_t *adapter)
{
    vidmm_status status = STATUS_SUCCESS;
    /* What empties memory goes out together. */
    if (!adapter->buffers->drained)
        status = schedule_wait_for_room(adapter, adapter->setup->caps.paging_node, NULL);
    if (status || !pending(adapter)) /* it went out meanwhile, with what became due */
        return status;
    struct paging_buffer *buffer = current(adapter->buffers);
    uint32_t fence = schedule_fence_next(adapter, adapter->setup->caps.paging_node);
    struct paging_span span = { buffer->submitted, buffer->used, buffer->private_submitted,
                                buffer->private_used, adapter->buffers->adapter };
    if (!fence)
        return bugcheck(adapter, RULE(SUBMIT_050), 0x119, 0x1,
                        (uint64_t[3]){ 0, adapter->setup->caps.paging_node, 0 },
                        "the paging node has used up its fence numbers");
    if (!watch_node(adapter, adapter->setup->caps.paging_node)->holds)
        status = paging_give(adapter, buffer, &span, fence, false);
    if (!status)
        enqueue(adapter, buffer, &span, fence);
    return status;
}

vidmm_status paging_flush(adapter_t *adapter)
{
    if (adapter_stopped(adapter))
        return adapter_usable(adapter);
    if (!pending(adapter) || adapter->buffers->deferring)
        return STATUS_SUCCESS; /* MINI-058 */
    return hand_over(adapter);
}

vidmm_status paging_turn_to(adapter_t *adapter, uint32_t index)
{
    struct buffers *paging = adapter->buffers;
    if (paging->adapter == index)
        return STATUS_SUCCESS;
    vidmm_status status = paging_flush(adapter);
    paging->adapter = index;
    if (paging->deferring)
        next_deferred(adapter, paging);
    return status;
}

bool paging_under_way(const adapter_t *adapter)
{
    return pending(adapter) || schedule_deferred_any(adapter) ||
           schedule_newest_job(adapter, adapter->setup->caps.paging_node) != NULL;
}

vidmm_status paging_finish(adapter_t *adapter, enum vidmm_rule rule)
{
    uint32_t node = adapter->setup->caps.paging_node;
    vidmm_status status = paging_flush(adapter);
    /* It may still be held (SUBMIT-051). */
    const struct job *last = schedule_newest_job(adapter, node);
    uint32_t fence = last ? last->fence : fences_of(adapter)->submitted[node];
    if (!status)
        status = schedule_wait_fence(adapter, node, fence, VIDMM_WAIT_APERTURE_IDLE, rule, NULL);
    return status ? status : schedule_deferred_now(adapter);
}

/* ---- preparations --------------------------------------------------------------------------- */

static void note_preparation(adapter_t *adapter, uint64_t number, struct device *waiter)
{
    adapter->buffers->preparation = number;
    adapter->buffers->waiter = waiter;
    schedule_building(adapter, number != 0);
}

void paging_begin(adapter_t *adapter, struct device *device)
{
    CHECK(!adapter->buffers->preparation); /* PAGE-009: never nested */
    schedule_deferred(adapter);
    note_preparation(adapter, ++adapter->buffers->preparations, device);
}

vidmm_status paging_end(adapter_t *adapter)
{
    CHECK(adapter->buffers->preparation);
    note_preparation(adapter, 0, NULL);
    vidmm_status status = paging_flush(adapter);
    return status ? status : schedule_settle(adapter);
}

vidmm_status paging_close(adapter_t *adapter)
{
    if (!adapter_stopped(adapter))
        return paging_end(adapter);
    note_preparation(adapter, 0, NULL);
    return adapter_usable(adapter);
}

struct device *paging_waiter(const adapter_t *adapter, const struct pageable *allocation)
{
    struct device *waiter = adapter->buffers->waiter;
    return waiter ? waiter : allocation->creator;
}

uint64_t paging_preparation(const adapter_t *adapter)
{
    return adapter->buffers->preparation;
}

uint64_t paging_uses(const adapter_t *adapter)
{
    return adapter->buffers->preparations;
}

void paging_count_use(adapter_t *adapter)
{
    adapter->buffers->preparations++;
}

void paging_drain(adapter_t *adapter, bool on)
{
    if (on) {
        books_open(adapter);
        adapter->buffers->drained++;
    } else {
        books_close(adapter);
        adapter->buffers->drained--;
    }
}

bool paging_is_drained(const adapter_t *adapter)
{
    return adapter->buffers->drained != 0;
}

uint32_t paging_sync_fence(const adapter_t *adapter)
{
    return adapter->buffers->sync_fence;
}

/* ---- fences --------------------------------------------------------------------------------- */

uint32_t paging_next_fence(const adapter_t *adapter)
{
    uint32_t node = adapter->setup->caps.paging_node;
    return fences_of(adapter)->issued[node] + 1;
}

struct buffers *buffers_new(void)
{
    return base_alloc(1, sizeof(struct buffers));
}
