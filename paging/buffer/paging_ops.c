/* SPDX-License-Identifier: MIT */
/*
 * paging_ops.c: the paging operations but TRANSFER and the changes of apertures, each with the
 * fields that the documents give it.
 *
 * Rules not named below: MINI-057, TIME-022.
 */
#include "paging/buffer/buffer_state.h"
#include "paging/buffer/paging.h"
#include "paging/store/store.h"

bool paging_idle_at_first(const adapter_t *adapter, const struct pageable *allocation)
{
    return adapter->buffers->drained || allocation_is(allocation, ALLOCATION_SYNCHRONOUS);
}

static vidmm_status make_idle(adapter_t *adapter, struct pageable *allocation,
                              enum vidmm_wait_reason reason, enum vidmm_rule rule)
{
    if (!allocation_is(allocation, ALLOCATION_SYNCHRONOUS) || adapter->buffers->paging->deferring)
        return STATUS_SUCCESS; /* TDR-025: nothing runs, so there is nothing to wait for */
    applies(adapter, RULE(PAGE_040));
    applies(adapter, RULE(PAGE_043));
    if (!allocation_busy(adapter, allocation))
        return STATUS_SUCCESS;
    vidmm_status status = paging_flush(adapter);
    return status
               ? status
               : sync_marks(adapter, allocation->transfer.marks, reason, rule, allocation->creator);
}

vidmm_status paging_ready(adapter_t *adapter, struct pageable *allocation)
{
    return make_idle(adapter, allocation, VIDMM_WAIT_SYNC_BEFORE, RULE(PAGE_040));
}

vidmm_status paging_ready_victim(adapter_t *adapter, struct pageable *allocation)
{
    return make_idle(adapter, allocation, VIDMM_WAIT_VICTIM_BUSY, RULE(PAGE_028));
}

struct paging_op paging_new_op(enum paging_kind kind, struct pageable *allocation)
{
    return (struct paging_op){
        .kind = kind,
        .allocation = allocation,
        .placements = allocation->place.placements,
        .dirty_count = allocation->transfer.dirty_count,
        .discards = allocation->store.keeper->place.discards,
    };
}

void paging_lock_pages(adapter_t *adapter, struct paging_op *op)
{
    backing_lock(adapter, op->allocation);
    op->page_lock = true;
}

/* ---- fill and discard ----------------------------------------------------------------------- */

vidmm_status paging_fill(adapter_t *adapter, struct pageable *allocation)
{
    const struct place *place = &allocation->place.at;
    const struct vidmm_segment_desc *desc = segment_desc(adapter, place->segment);
    struct paging_call call = { .op = paging_new_op(PAGING_FILL, allocation) };
    vidmm_status status = paging_ready(adapter, allocation);
    CHECK(!segment_is_aperture(desc)); /* MINI-068 */
    for (size_t i = 0; i < place->run_count && !status; i++) {
        struct range run = place_runs(place)[i];
        uint64_t bytes = run.bytes;
        if (place->run_count == 1)
            bytes = (desc->flags & SEGMENT_PITCH_ALIGNMENT) ? allocation->info.pitch_bytes
                                                            : allocation->info.bytes;
        call.arg.Operation = DXGK_OPERATION_FILL;
        call.arg.Fill.hAllocation = allocation->driver_handle;
        call.arg.Fill.FillSize = bytes;
        call.arg.Fill.FillPattern = 0;
        call.arg.Fill.Destination.SegmentId = segment_driver_id(adapter, place->segment);
        call.arg.Fill.Destination.SegmentAddress.QuadPart = (LONGLONG)(desc->base + run.offset);
        status = paging_build(adapter, &call, i + 1 < place->run_count);
        if (status)
            break;
        count_segment(adapter, VIDMM_COUNTER_BYTES_FILLED, place->segment, bytes);
        applies(adapter, RULE(MINI_068));
        EMIT(adapter, FILL, RULE(PAGE_005), allocation->handle,
             f_segment("segment", place->segment), f_hex("offset", run.offset),
             f_bytes("bytes", bytes), f_hex("pattern", 0));
    }
    return status;
}

vidmm_status paging_discard(adapter_t *adapter, struct pageable *allocation,
                            const struct place *from)
{
    struct paging_call call = { .op = paging_new_op(PAGING_DISCARD, allocation) };
    struct range run = *place_runs(from);
    vidmm_status status = paging_ready(adapter, allocation);
    if (status)
        return status;
    call.arg.Operation = DXGK_OPERATION_DISCARD_CONTENT;
    call.arg.DiscardContent.hAllocation = allocation->driver_handle;
    call.arg.DiscardContent.Flags.AllocationIsIdle = paging_idle_at_first(adapter, allocation);
    call.arg.DiscardContent.SegmentId = segment_driver_id(adapter, from->segment);
    call.arg.DiscardContent.SegmentAddress.QuadPart =
        (LONGLONG)(segment_desc(adapter, from->segment)->base + run.offset);
    call.may_be_busy = !call.arg.DiscardContent.Flags.AllocationIsIdle;
    status = paging_build(adapter, &call, false);
    if (status)
        return status;
    count_segment(adapter, VIDMM_COUNTER_BYTES_DISCARDED, from->segment, allocation->info.bytes);
    EMIT(adapter, DISCARD, RULE(MINI_069), allocation->handle, f_segment("segment", from->segment),
         f_hex("offset", run.offset), f_bytes("bytes", allocation->info.bytes));
    return STATUS_SUCCESS;
}

/* ---- AGP ------------------------------------------------------------------------------------ */

enum { PHYSICAL_BYTES = 4 };

vidmm_status paging_read_physical(adapter_t *adapter, struct pageable *allocation)
{
    uint64_t address = place_address(adapter, &allocation->place.at);
    struct paging_call call = { .op = paging_new_op(PAGING_READ_PHYSICAL, allocation) };
    call.op.segment = allocation->place.at.segment;
    call.arg.Operation = DXGK_OPERATION_READ_PHYSICAL;
    call.arg.ReadPhysical.SegmentId = segment_driver_id(adapter, allocation->place.at.segment);
    call.arg.ReadPhysical.PhysicalAddress.QuadPart = (LONGLONG)address;
    applies(adapter, RULE(MINI_070));
    vidmm_status status = paging_build(adapter, &call, false);
    if (status)
        return status;
    EMIT(adapter, READ_PHYSICAL, RULE(LOCK_048), allocation->handle,
         f_segment("segment", allocation->place.at.segment), f_hex("address", address),
         f_bytes("bytes", PHYSICAL_BYTES));
    return STATUS_SUCCESS;
}
