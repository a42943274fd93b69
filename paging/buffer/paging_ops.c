/* SPDX-License-Identifier: MIT */
/*
 * paging_ops.c: the paging operations but TRANSFER and the changes of apertures, each with the
 * fields that the documents give it; and what a driver of WDDM 2.0 and later is told in its paging
 * buffer beside the moves: that an allocation is or is no longer where its address says, and that
 * it is about to leave system memory.
 *
 * Rules not named below: ALLOC-052, MINI-057, TIME-022.
 */
#include "paging/buffer/paging.h"
#include "paging/store/store.h"

bool paging_idle_at_first(const adapter_t *adapter, const struct pageable *allocation)
{
    return adapter->buffers->drained || allocation_is(allocation, ALLOCATION_SYNCHRONOUS);
}

vidmm_status paging_ready(adapter_t *adapter, struct pageable *allocation, enum vidmm_rule rule)
{
    if (!allocation_is(allocation, ALLOCATION_SYNCHRONOUS) || adapter->buffers->deferring)
        return STATUS_SUCCESS; /* TDR-025: nothing runs, so there is nothing to wait for */
    applies(adapter, RULE(PAGE_043));
    if (!allocation_busy(adapter, allocation))
        return STATUS_SUCCESS;
    vidmm_status status = paging_flush(adapter);
    if (status)
        return status;
    return schedule_wait_fences(adapter, allocation->transfer.fences,
                                rule == RULE(PAGE_028) ? VIDMM_WAIT_VICTIM_BUSY
                                                       : VIDMM_WAIT_SYNC_BEFORE,
                                rule, paging_waiter(adapter, allocation));
}

struct paging_op paging_new_op(enum paging_kind kind, struct pageable *allocation)
{
    return (struct paging_op){
        .kind = kind,
        .allocation = allocation,
        .placements = allocation->place.placements,
        .dirty_count = allocation->transfer.dirty_count,
        .discards = allocation->store.owner->place.discards,
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
    vidmm_status status = paging_ready(adapter, allocation, RULE(PAGE_040));
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
        call.part = i + 1 < place->run_count;
        status = paging_build(adapter, &call);
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
    vidmm_status status = paging_ready(adapter, allocation, RULE(PAGE_040));
    if (status)
        return status;
    call.arg.Operation = DXGK_OPERATION_DISCARD_CONTENT;
    call.arg.DiscardContent.hAllocation = allocation->driver_handle;
    call.arg.DiscardContent.Flags.AllocationIsIdle = paging_idle_at_first(adapter, allocation);
    call.arg.DiscardContent.SegmentId = segment_driver_id(adapter, from->segment);
    call.arg.DiscardContent.SegmentAddress.QuadPart =
        (LONGLONG)(segment_desc(adapter, from->segment)->base + run.offset);
    call.may_be_busy = !call.arg.DiscardContent.Flags.AllocationIsIdle;
    status = paging_build(adapter, &call);
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
    vidmm_status status = paging_build(adapter, &call);
    if (status)
        return status;
    EMIT(adapter, READ_PHYSICAL, RULE(LOCK_048), allocation->handle,
         f_segment("segment", allocation->place.at.segment), f_hex("address", address),
         f_bytes("bytes", PHYSICAL_BYTES));
    return STATUS_SUCCESS;
}

/* ---- the first content of a context allocation ---------------------------------------------- */

/* The kernel address of a context: a token, like all addresses of the CPU here. */
#define KERNEL_CONTEXTS UINT64_C(0xFFFFC00000000000)
enum { KERNEL_CONTEXT_SHIFT = 20 };

/* The operation takes the place of a fill and is issued once. */
vidmm_status paging_init_context(adapter_t *adapter, struct pageable *allocation)
{
    const struct place *place = &allocation->place.at;
    struct paging_call call = { .op = paging_new_op(PAGING_FILL, allocation) };
    vidmm_status status = paging_ready(adapter, allocation, RULE(PAGE_040));
    if (status)
        return status;
    call.arg.Operation = DXGK_OPERATION_INIT_CONTEXT_RESOURCE;
    call.arg.InitContextResource.hAllocation = (HANDLE)(uintptr_t)allocation->handle;
    call.arg.InitContextResource.Destination.SegmentId = segment_driver_id(adapter, place->segment);
    if (place->segment)
        call.arg.InitContextResource.Destination.SegmentAddress.QuadPart =
            (LONGLONG)(segment_desc(adapter, place->segment)->base + place->one.offset);
    else
        call.arg.InitContextResource.Destination.pMdl = mdl_of(adapter, allocation->store.backing);
    /* Only for protected memory of the kernel that a lock could show. */
    if (allocation_has(allocation, ALLOCATION_CPU_VISIBLE) &&
        allocation_has(allocation, ALLOCATION_PROTECTED) &&
        !(allocation->info.write_set & ~places_aperture_set(adapter)))
        call.arg.InitContextResource.Destination.VirtualAddress =
            (PVOID)(uintptr_t)(KERNEL_CONTEXTS +
                               ((uint64_t)allocation->handle << KERNEL_CONTEXT_SHIFT));
    status = paging_build(adapter, &call);
    if (status)
        return status;
    if (!call.written)
        content_clear(&allocation->store.owner->store.content);
    EMIT(adapter, INIT_CONTEXT, RULE(MINI_078), allocation->handle,
         f_segment("segment", place->segment), f_hex("offset", place->one.offset),
         f_bytes("bytes", allocation->info.bytes));
    return STATUS_SUCCESS;
}

/* ---- notifications -------------------------------------------------------------------------- */

static struct paging_call new_call(DXGK_BUILDPAGINGBUFFER_OPERATION operation,
                                   struct pageable *allocation)
{
    struct paging_call call = { .op = paging_new_op(PAGING_NOTIFY, allocation) };
    call.arg.Operation = operation;
    return call;
}

static vidmm_status notify_residency(adapter_t *adapter, struct pageable *allocation, bool resident)
{
    if (!allocation_has(allocation, ALLOCATION_RESIDENCY_NOTIFICATION) ||
        allocation->transfer.last_notified_resident == resident)
        return STATUS_SUCCESS;
    const struct place *place = &allocation->place.at;
    struct paging_call call = new_call(DXGK_OPERATION_NOTIFY_RESIDENCY, allocation);
    uint64_t offset = resident ? place_runs(place)[0].offset : 0;
    uint32_t segment = resident ? place->segment : 0;
    call.arg.NotifyResidency.hAllocation = allocation->driver_handle;
    call.arg.NotifyResidency.PhysicalAddress.SegmentId = segment_driver_id(adapter, segment);
    call.arg.NotifyResidency.PhysicalAddress.SegmentOffset = offset;
    call.arg.NotifyResidency.Resident = resident;
    vidmm_status status = paging_build(adapter, &call);
    if (status)
        return status;
    allocation->transfer.last_notified_resident = resident;
    EMIT(adapter, NOTIFY, RULE(MINI_079), allocation->handle,
         f_word("kind", resident ? "resident" : "not-resident"), f_segment("segment", segment),
         f_hex("offset", offset), f_bytes("bytes", allocation->info.bytes));
    return STATUS_SUCCESS;
}

vidmm_status paging_notify_arrival(adapter_t *adapter, struct pageable *allocation)
{
    return notify_residency(adapter, allocation, true);
}

vidmm_status paging_notify_departure(adapter_t *adapter, struct pageable *allocation)
{
    return notify_residency(adapter, allocation, false);
}

/* The driver heard that it leaves, and something ended that. */
void paging_notify_stayed(adapter_t *adapter, struct pageable *allocation)
{
    struct vidmm_refusal refusal = *refusal_of(adapter);
    if (adapter_stopped(adapter) || !place_in_memory(adapter, &allocation->place.at))
        return;
    (void)paging_notify_arrival(adapter, allocation);
    refusal_restore(adapter, &refusal); /* why it stays */
}

vidmm_status paging_notify_eviction(adapter_t *adapter, struct pageable *allocation)
{
    if (!(allocation->info.flags2 & VIDMM_ALLOCATION2_NotifyEviction))
        return STATUS_SUCCESS;
    struct paging_call call = new_call(DXGK_OPERATION_NOTIFY_ALLOC, allocation);
    uint64_t bytes = allocation->info.bytes;
    call.arg.NotifyAllocation.hAllocation = allocation->driver_handle;
    call.arg.NotifyAllocation.Flags.Eviction = 1;
    call.arg.NotifyAllocation.SizeInBytes = bytes;
    vidmm_status status = paging_build(adapter, &call);
    /* Nothing of the eviction goes into the same submission. */
    if (!status)
        status = paging_flush(adapter);
    if (status)
        return status;
    EMIT(adapter, NOTIFY, RULE(MINI_081), allocation->handle, f_word("kind", "eviction"),
         f_segment("segment", allocation->place.at.segment), f_hex("offset", 0),
         f_bytes("bytes", bytes));
    return STATUS_SUCCESS;
}
