/* SPDX-License-Identifier: MIT */
/*
 * paging_done.c: paging operations that the GPU has carried out.
 *
 * What they brought was looked at when their packet ended (paging/buffer/verify.c). When its fence
 * is reported the books are closed: pages are unlocked, ranges become free, and what needs another
 * call of the miniport (the unmap behind an eviction) is marked as due work. Nothing is decided
 * here.
 *
 * Rules not named below: LOCK-067, PAGE-014, PAGE-020, PAGE-026.
 */
#include "paging/buffer/paging.h"
#include "paging/store/store.h"

#include "paging/buffer/buffer_state.h"
#include "paging/schedule/schedule.h"
#include "vidmm/submit/submit.h"

/* ---- the fence is reported ------------------------------------------------------------------ */

/* What goes with its allocation, and a discard of the only good copy. The state may not show it
   yet: an operation that wrote nothing is done inside its call (MINI-058). */
static bool leaves_nothing(const struct paging_op *op)
{
    const struct pageable *allocation = op->allocation;
    bool other_copy = allocation_is_permanent(allocation) && !allocation->transfer.gpu_dirty;
    return allocation->store.state == ALLOCATION_CLOSED ||
           (op->kind == PAGING_DISCARD && !other_copy);
}

static void tell(adapter_t *adapter, const struct paging_op *op, bool arrived)
{
    const struct pageable *allocation = op->allocation;
    if (arrived)
        EMIT(adapter, ARRIVE, RULE(PAGE_010), allocation->handle,
             f_segment("segment", allocation->place.at.segment));
    else
        EMIT(adapter, LEAVE, RULE(PAGE_003), allocation->handle,
             f_word("to", leaves_nothing(op) ? "nothing" : "system"));
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
    if (allocation->store.state != ALLOCATION_RESIDENT || allocation_is_permanent(allocation) ||
        allocation_is_contiguous(allocation) || !place_in_memory(adapter, &allocation->place.at))
        return;
    /* One store serves all mirrored copies: until the last one has it. */
    if (allocation_is_mirrored(allocation) && allocation->place.next_copy)
        return;
    allocation = allocation->store.keeper;
    if (allocation->store.state != ALLOCATION_RESIDENT)
        return; /* it has left already, and the other copies follow */
    backing_release_at_fence(adapter, allocation);
}

static void unmap_later(adapter_t *adapter, const struct paging_op *op)
{
    applies(adapter, RULE(MINI_076));
    sync_due_add(adapter, (struct due_work){ .run = paging_unmap_due,
                                             .allocation = op->allocation,
                                             .segment = op->segment,
                                             .range = op->range });
}

static void arrived(adapter_t *adapter, const struct paging_op *op)
{
    if (!op->stays_dirty)
        clean(adapter, op);
    if (!paging_still_there(op))
        return;
    tell(adapter, op, true);
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
        tell(adapter, op, false);
    else
        drop_store(adapter, op->allocation);
}

/* The pages stay locked as long as they are mapped; nobody reads their list any more. */
static void mapped(adapter_t *adapter, const struct paging_op *op)
{
    struct backing *backing = &op->allocation->store.keeper->store.backing;
    if (backing->page_locks == 1)
        mdl_end(backing);
    tell(adapter, op, true);
}

void paging_op_done(adapter_t *adapter, const struct paging_op *op)
{
    if (op->page_lock && op->kind != PAGING_MAP)
        backing_unlock(adapter, op->allocation);
    switch (op->kind) {
    case PAGING_FILL:
    case PAGING_TRANSFER_IN: arrived(adapter, op); break;
    case PAGING_MAP:
        if (paging_still_there(op) && op->allocation->place.at.segment == op->segment)
            mapped(adapter, op);
        break;
    case PAGING_MOVE:
        arrived(adapter, op);
        if (op->last)
            unmap_later(adapter, op);
        break;
    case PAGING_TRANSFER_OUT:
        clean(adapter, op);
        tell(adapter, op, false);
        break;
    case PAGING_TRANSFER_VIA:
        clean(adapter, op);
        tell(adapter, op, false);
        unmap_later(adapter, op);
        break;
    case PAGING_COPY_BACK: clean(adapter, op); break;
    case PAGING_DISCARD:
        if (op->allocation->store.keeper ==
            op->allocation) /* else the first copy says what is left */
            tell(adapter, op, false);
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

uint32_t paging_unissued(const adapter_t *adapter)
{
    return 1 + adapter->buffers->paging->deferred;
}

static bool names(const struct paging_packet *packet, const struct pageable *allocation)
{
    for (size_t i = 0; i < packet->count; i++)
        if (packet->ops[i].allocation == allocation)
            return true;
    return false;
}

uint32_t paging_last_fence(const adapter_t *adapter, const struct pageable *allocation)
{
    uint32_t fence = 0;
    for (const struct job *job = sync_jobs(adapter, adapter->setup->caps.paging_node); job;
         job = job->next)
        if (job->paging && names((const struct paging_packet *)job, allocation))
            fence = job->fence;
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
