/* SPDX-License-Identifier: MIT */
/*
 * paging_job.c: what the scheduler asks of a paging packet, what follows when it ends, and the
 * fences that its operations and the last uses of pageables wait for.
 *
 * What an operation brought is looked at when its packet ends (paging/buffer/verify.c). When the
 * fence is reported the books are closed: pages are unlocked, ranges become free, and what needs
 * another call of the miniport (the unmap after an eviction) is marked as deferred work. Nothing is
 * decided here.
 *
 * A reset may take a packet from the GPU. Its pages are unlocked and the unmaps that were to follow
 * become due, as if it had run; that the content did not move is noted at the allocation (enum
 * aborted), for the clean-up to judge.
 *
 * Rules not named below: LOCK-067, MINI-076, PAGE-014, PAGE-020, PAGE-026, TDR-020, TDR-023,
 * TDR-027.
 */
#include "paging/buffer/paging.h"
#include "paging/schedule/watch.h"
#include "paging/store/store.h"
#include "vidmm/submit/submit.h"

/* ---- the fence is reported ------------------------------------------------------------------ */

/* The unmap of what the operation used, or unmapped. `last`: that was the place it leaves. */
static void unmap_due(adapter_t *adapter, const struct paging_op *op, bool last)
{
    schedule_defer(adapter, (struct deferred_work){ .run = paging_unmap_due,
                                                    .allocation = op->allocation,
                                                    .segment = op->segment,
                                                    .range = op->range,
                                                    .last = last });
}

static void unmap_later(adapter_t *adapter, const struct paging_op *op)
{
    unmap_due(adapter, op, false);
}

static void tell_arrived(adapter_t *adapter, const struct pageable *allocation)
{
    EMIT(adapter, ARRIVE, RULE(PAGE_010), allocation->handle,
         f_segment("segment", allocation->place.at.segment));
}

static void tell_left(adapter_t *adapter, const struct paging_op *op)
{
    const struct pageable *allocation = op->allocation;
    /* Nothing is left of what goes with its allocation, and of the only good copy that is
       discarded. The state may not show it yet: an operation that wrote nothing is done inside its
       call (MINI-058). */
    bool other_copy = allocation_is_permanent(allocation) && !allocation->transfer.gpu_dirty;
    bool nothing =
        allocation->store.state == ALLOCATION_CLOSED || (op->kind == PAGING_DISCARD && !other_copy);
    EMIT(adapter, LEAVE, RULE(PAGE_003), allocation->handle,
         f_word("to", nothing ? "nothing" : "system"));
}

/* PAGE-034: only what was dirty when the operation was built is clean now. */
static void clean(adapter_t *adapter, const struct paging_op *op)
{
    if (!op->allocation->transfer.gpu_dirty ||
        op->allocation->transfer.dirty_count != op->dirty_count)
        return;
    op->allocation->transfer.gpu_dirty = false;
    applies(adapter, RULE(PAGE_034));
}

/* PAGE-011: in memory, an ordinary allocation needs its store no longer. */
static void drop_store(adapter_t *adapter, struct pageable *allocation)
{
    if (allocation_is_permanent(allocation) || allocation_is_contiguous(allocation) ||
        !place_in_memory(adapter, &allocation->place.at))
        return;
    /* One store serves all mirrored copies: until the last one has it, whose transfer may not be
       built yet, and as long as the CPU may write what an unlock brings to them through it
       (LINK-011). */
    bool mirrored = allocation_is_mirrored(allocation);
    if (mirrored && allocation->place.next_copy)
        return;
    allocation = allocation->store.owner;
    if (allocation->store.state != ALLOCATION_RESIDENT)
        return; /* it has left already, and the other copies follow */
    if (mirrored && page_set_count(&allocation->store.cpu_dirty))
        return;
    backing_release_at_fence(adapter, allocation);
}

static void arrived(adapter_t *adapter, const struct paging_op *op)
{
    if (!op->stays_dirty)
        clean(adapter, op);
    if (!paging_still_there(op))
        return;
    tell_arrived(adapter, op->allocation);
    if (op->kind == PAGING_TRANSFER_IN)
        drop_store(adapter, op->allocation);
}

static void unmapped(adapter_t *adapter, const struct paging_op *op)
{
    if (!op->last)
        places_evicting_end(adapter, op->segment, op->range);
    places_leaving_end(adapter);
    places_release(adapter, op->segment,
                   (struct freed_runs){ &op->range, 1, false, op->allocation->handle });
    if (op->last)
        tell_left(adapter, op);
    else
        drop_store(adapter, op->allocation);
}

void paging_op_done(adapter_t *adapter, const struct paging_op *op)
{
    if (op->page_lock && op->kind != PAGING_MAP)
        backing_unlock(adapter, op->allocation);
    switch (op->kind) {
    case PAGING_FILL:
    case PAGING_TRANSFER_IN: arrived(adapter, op); break;
    case PAGING_MAP:
        if (!paging_still_there(op))
            break;
        /* The pages stay locked as long as they are mapped; nothing reads their list any more. */
        if (backing_of(op->allocation->store.owner)->page_locks == 1)
            mdl_end(op->allocation->store.owner->store.backing);
        if (op->last)
            tell_arrived(adapter, op->allocation);
        break;
    case PAGING_MOVE:
        arrived(adapter, op);
        if (op->last)
            unmap_later(adapter, op);
        break;
    case PAGING_COPY_BACK: clean(adapter, op); break;
    case PAGING_TRANSFER_OUT:
    case PAGING_TRANSFER_VIA:
        clean(adapter, op);
        tell_left(adapter, op);
        if (op->kind == PAGING_TRANSFER_VIA)
            unmap_later(adapter, op);
        break;
    case PAGING_DISCARD:
        if (op->allocation->store.owner ==
            op->allocation) /* else the first copy says what is left */
            tell_left(adapter, op);
        break;
    case PAGING_UNMAP: unmapped(adapter, op); break;
    case PAGING_UNMAP_BUFFER: op->buffer->unmapped(adapter, op->buffer); break;
    case PAGING_UPDATE:
    case PAGING_READ_PHYSICAL:
    case PAGING_MAP_BUFFER:
    case PAGING_NOTIFY:
    case PAGING_CLEAN:
    case PAGING_GIVEN_UP: break;
    }
}

/* ---- it never will be ----------------------------------------------------------------------- */

/* Where its content should be, or come from. */
static enum aborted missed(const adapter_t *adapter, const struct paging_op *op)
{
    switch (op->kind) {
    case PAGING_FILL: return ABORTED_FILL;
    case PAGING_TRANSFER_IN: return ABORTED_IN;
    case PAGING_COPY_BACK: /* on its way to the other adapters: LINK-011 */
        return allocation_is_mirrored(op->allocation) ? ABORTED_OUT : ABORTED_NOTHING;
    case PAGING_TRANSFER_OUT:
    case PAGING_TRANSFER_VIA: return ABORTED_OUT;
    case PAGING_MOVE:
        return segment_is_aperture(segment_desc(adapter, op->segment)) ? ABORTED_IN : ABORTED_OUT;
    default: return ABORTED_NOTHING; /* nothing depends on the others any more */
    }
}

static void abort_op(adapter_t *adapter, const struct paging_op *op)
{
    enum aborted aborted = missed(adapter, op);
    if (op->page_lock && op->kind != PAGING_MAP && op->kind != PAGING_UNMAP)
        backing_unlock(adapter, op->allocation);
    /* The first one decides where the content is: those after it had nothing to move. */
    if (aborted && !op->allocation->transfer.aborted)
        op->allocation->transfer.aborted = aborted;
    if (op->kind == PAGING_TRANSFER_VIA || (op->kind == PAGING_MOVE && op->last))
        unmap_due(adapter, op, false);
    if (op->kind == PAGING_UNMAP) {
        count_segment(adapter, VIDMM_COUNTER_BYTES_UNMAPPED, op->segment,
                      0 - paging_shown(op->allocation, op->range).bytes);
        unmap_due(adapter, op, op->last);
    }
    if (op->kind == PAGING_UNMAP_BUFFER) {
        count_segment(adapter, VIDMM_COUNTER_BYTES_UNMAPPED, op->buffer->segment,
                      0 - op->buffer->range.bytes);
        op->buffer->unmap_lost = true;
    }
}

/* ---- what the scheduler asks ---------------------------------------------------------------- */

static const char *kind(const struct job *job)
{
    (void)job;
    return "paging";
}

static const struct pageable *subject(const struct job *job)
{
    size_t at = 0;
    return paging_next_named(job, &at);
}

/* Paging serves everybody. */
static struct device *device(const struct job *job)
{
    (void)job;
    return NULL;
}

/* The record that the next packet names was last used when that packet was built, perhaps thousands
   of packets ago: prefetches the cache lines that its end and its fence read. */
static void fetch_next(const struct job *job)
{
    const struct paging_packet *next = (const struct paging_packet *)job->next;
    const struct pageable *named = next && next->job.paging ? next->own[0].allocation : NULL;
    if (!named)
        return;
    VIDMM_PREFETCH(&named->store.content);
    VIDMM_PREFETCH(&named->store.owner);
    VIDMM_PREFETCH(&named->place.placements);
}

static void ended(adapter_t *adapter, struct job *job)
{
    fetch_next(job);
    paging_verify(adapter, (struct paging_packet *)job);
    bus_watch_dummy(adapter);
}

static void close_packet(adapter_t *adapter, struct paging_packet *packet,
                         void (*close)(adapter_t *adapter, const struct paging_op *op))
{
    for (size_t i = 0; i < packet->count; i++)
        close(adapter, &packet->ops[i]);
    packet->job.next = (struct job *)adapter->buffers->free;
    adapter->buffers->free = packet;
}

static void done(adapter_t *adapter, struct job *job)
{
    close_packet(adapter, (struct paging_packet *)job, paging_op_done);
}

static void aborted(adapter_t *adapter, struct job *job)
{
    close_packet(adapter, (struct paging_packet *)job, abort_op);
}

static vidmm_status again(adapter_t *adapter, struct job *job)
{
    const struct paging_packet *packet = (const struct paging_packet *)job;
    const struct paging_buffer *buffer = &adapter->buffers->buffers[packet->buffer];
    applies(adapter, RULE(SUBMIT_056));
    paging_tell_submit(adapter, job->packet->waits, job->fence,
                       packet->span.end - packet->span.start, job->packet->fence);
    return paging_give(adapter, buffer, &packet->span, job->fence, !job->fresh);
}

const struct job_ops paging_job_ops = {
    .kind = kind,
    .subject = subject,
    .device = device,
    .ended = ended,
    .done = done,
    .aborted = aborted,
    .again = again,
    .of_system = true,
};

/* ---- fences --------------------------------------------------------------------------------- */

struct pageable *allocation_new(adapter_t *adapter, const char *label)
{
    uint32_t nodes = adapter->setup->caps.nodes;
    struct pageable *allocation = pageable_new(adapter, label, 2 * nodes * sizeof(uint32_t));
    char *fences = (char *)allocation + adapter->pageable_hooks->record_bytes;
    allocation->transfer.fences = (uint32_t *)(void *)fences;
    allocation->transfer.write_fences = allocation->transfer.fences + nodes;
    return allocation;
}

void paging_renumber(adapter_t *adapter, uint32_t node, const struct renaming *renaming)
{
    struct buffers *paging = adapter->buffers;
    for (struct pageable *a = pageable_first(adapter); a; a = pageable_next(a)) {
        if (a->place.first_copy) /* its fences are those of the first copy */
            continue;
        a->transfer.fences[node] = preempt_new_number(renaming, a->transfer.fences[node]);
        a->transfer.write_fences[node] =
            preempt_new_number(renaming, a->transfer.write_fences[node]);
    }
    paging->waits[node] = preempt_new_number(renaming, paging->waits[node]);
    if (node != adapter->setup->caps.paging_node)
        return;
    paging->sync_fence = preempt_new_number(renaming, paging->sync_fence);
    for (uint32_t i = 0; i < paging->count; i++) {
        struct paging_buffer *buffer = &paging->buffers[i];
        buffer->last_fence = preempt_new_number(renaming, buffer->last_fence);
    }
}

uint32_t paging_last_fence(const adapter_t *adapter, const struct pageable *allocation)
{
    uint32_t fence = 0;
    for (const struct job *job = schedule_jobs(adapter, adapter->setup->caps.paging_node); job;
         job = job->next) {
        const struct pageable *named;
        for (size_t at = 0; job->paging && (named = paging_next_named(job, &at));)
            if (named == allocation)
                fence = job->fence;
    }
    return fence;
}

struct pageable *paging_next_named(const struct job *job, size_t *at)
{
    const struct paging_packet *packet = (const struct paging_packet *)job;
    while (*at < packet->count) {
        struct pageable *named = packet->ops[(*at)++].allocation;
        if (named)
            return named;
    }
    return NULL;
}
