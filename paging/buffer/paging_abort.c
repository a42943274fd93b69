/* SPDX-License-Identifier: MIT */
/*
 * paging_abort.c: paging operations that the GPU will never carry out, because it was reset.
 *
 * Their pages are unlocked and the unmaps that were to follow become due, as if they had run; that
 * their content did not move is noted at the allocation (enum aborted), for the clean-up to judge.
 *
 * Rules not named below: PAGE-014, TDR-020, TDR-023, TDR-027.
 */
#include "paging/buffer/paging.h"
#include "paging/store/store.h"
#include "vidmm/submit/submit.h"

static void unmap_due(adapter_t *adapter, const struct paging_op *op, bool last)
{
    sync_due_add(adapter, (struct due_work){ .run = paging_unmap_due,
                                             .allocation = op->allocation,
                                             .segment = op->segment,
                                             .range = op->range,
                                             .last = last });
}

/* The first one decides where the content is: those behind it had nothing to move. */
static void note(struct pageable *allocation, enum aborted aborted)
{
    if (allocation->transfer.aborted == ABORTED_NOTHING)
        allocation->transfer.aborted = aborted;
}

static void move_aborted(adapter_t *adapter, const struct paging_op *op)
{
    bool from_memory = !segment_is_aperture(segment_desc(adapter, op->segment));
    note(op->allocation, from_memory ? ABORTED_OUT : ABORTED_IN);
    if (op->last)
        unmap_due(adapter, op, false);
}

void paging_op_aborted(adapter_t *adapter, const struct paging_op *op)
{
    bool unlocks = op->kind != PAGING_MAP && op->kind != PAGING_UNMAP;
    if (op->page_lock && unlocks)
        backing_unlock(adapter, op->allocation);
    switch (op->kind) {
    case PAGING_FILL: note(op->allocation, ABORTED_FILL); break;
    case PAGING_TRANSFER_IN: note(op->allocation, ABORTED_IN); break;
    case PAGING_TRANSFER_OUT: note(op->allocation, ABORTED_OUT); break;
    case PAGING_COPY_BACK: /* on its way to the other adapters: LINK-011 */
        if (allocation_is_mirrored(op->allocation))
            note(op->allocation, ABORTED_OUT);
        break;
    case PAGING_TRANSFER_VIA:
        note(op->allocation, ABORTED_OUT);
        unmap_due(adapter, op, false);
        break;
    case PAGING_MOVE: move_aborted(adapter, op); break;
    case PAGING_UNMAP:
        count_segment(adapter, VIDMM_COUNTER_BYTES_UNMAPPED, op->segment, 0 - op->range.bytes);
        unmap_due(adapter, op, op->last);
        break;
    case PAGING_UNMAP_BUFFER:
        count_segment(adapter, VIDMM_COUNTER_BYTES_UNMAPPED, op->buffer->segment,
                      0 - op->buffer->range.bytes);
        op->buffer->unmap_lost = true;
        break;
    default: break; /* nothing depends on the others any more */
    }
}
