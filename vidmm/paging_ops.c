/* SPDX-License-Identifier: MIT */
/*
 * paging_ops.c: the paging operations but TRANSFER, each with the fields that the documents give
 * it.
 *
 * Rules: MINI-057, MINI-068, MINI-069, MINI-071 to MINI-074, MINI-076, PAGE-005, PAGE-007,
 * PAGE-040, PAGE-043, TIME-022.
 */
#include "vidmm/paging.h"

/* MINI-072: NULL for a context that is gone. */
static HANDLE owner(const struct allocation *allocation)
{
    return allocation->creator ? allocation->creator->driver_handle : NULL;
}

bool paging_idle_at_first(const adapter_t *adapter, const struct allocation *allocation)
{
    return adapter->drained || allocation_is(allocation, ALLOCATION_SYNCHRONOUS);
}

/* PAGE-040: an allocation with SynchronousPaging is idle before a paging operation names it. */
vidmm_status paging_ready(adapter_t *adapter, struct allocation *allocation)
{
    if (!allocation_is(allocation, ALLOCATION_SYNCHRONOUS))
        return STATUS_SUCCESS;
    applies(adapter, RULE(PAGE_043));
    if (!allocation_busy(adapter, allocation)) {
        applies(adapter, RULE(PAGE_040));
        return STATUS_SUCCESS;
    }
    vidmm_status status = paging_flush(adapter);
    return status ? status
                  : sync_marks(adapter, allocation->marks, VIDMM_WAIT_SYNC_BEFORE, RULE(PAGE_040),
                               allocation->creator);
}

struct paging_op paging_new_op(enum paging_kind kind, struct allocation *allocation)
{
    return (struct paging_op){
        .kind = kind,
        .allocation = allocation,
        .placements = allocation->placements,
        .dirty_count = allocation->dirty_count,
    };
}

void paging_lock_pages(adapter_t *adapter, struct paging_op *op)
{
    backing_lock(adapter, op->allocation);
    op->page_lock = true;
}

/* ---- fill and discard ----------------------------------------------------------------------- */

vidmm_status paging_fill(adapter_t *adapter, struct allocation *allocation)
{
    const struct place *place = &allocation->place;
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
        call.arg.Fill.Destination.SegmentId = place->segment;
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

vidmm_status paging_discard(adapter_t *adapter, struct allocation *allocation,
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
    call.arg.DiscardContent.SegmentId = from->segment;
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

/* ---- apertures ------------------------------------------------------------------------------ */

vidmm_status paging_map(adapter_t *adapter, struct allocation *allocation, uint32_t segment,
                        struct range range)
{
    const struct vidmm_segment_desc *desc = segment_desc(adapter, segment);
    struct paging_call call = { .op = paging_new_op(PAGING_MAP, allocation) };
    bool coherent =
        (desc->flags & SEGMENT_CACHE_COHERENT) && allocation_has(allocation, ALLOCATION_CACHED);
    /* First: an earlier page-in may end while this waits, and let the store go (PAGE-011). */
    paging_lock_pages(adapter, &call.op);
    vidmm_status status = paging_ready(adapter, allocation);
    if (!status)
        coherency_paging(adapter, allocation, segment);
    allocation->backing.release_due = false;
    if (status) {
        backing_unlock(adapter, allocation);
        return status;
    }
    call.op.segment = segment;
    call.op.range = range;
    call.arg.Operation = DXGK_OPERATION_MAP_APERTURE_SEGMENT;
    call.arg.MapApertureSegment.hDevice = owner(allocation);
    call.arg.MapApertureSegment.hAllocation = allocation->driver_handle;
    call.arg.MapApertureSegment.SegmentId = segment;
    call.arg.MapApertureSegment.OffsetInPages = range.offset / adapter->page;
    call.arg.MapApertureSegment.NumberOfPages = range.bytes / adapter->page;
    call.arg.MapApertureSegment.pMdl = &allocation->backing.mdl;
    call.arg.MapApertureSegment.Flags.CacheCoherent = coherent;
    applies(adapter, RULE(MINI_071));
    applies(adapter, RULE(MINI_072));
    applies(adapter, RULE(MINI_073));
    struct paging_map2 second =
        paging_map2_begin(adapter, &call.arg, &allocation->backing, allocation);
    status = paging_build(adapter, &call, false);
    paging_map2_end(&second);
    if (status)
        return status;
    count_segment(adapter, VIDMM_COUNTER_BYTES_MAPPED, segment, range.bytes);
    EMIT(adapter, MAP, RULE(PAGE_007), allocation->handle, f_segment("segment", segment),
         f_hex("offset", range.offset), f_number("pages", range.bytes / adapter->page),
         f_hex("flags", coherent), f_word("by", "driver"), f_hex("cpu", second.address));
    return STATUS_SUCCESS;
}

vidmm_status paging_unmap(adapter_t *adapter, struct allocation *allocation, uint32_t segment,
                          struct range range, bool last)
{
    struct paging_call call = { .op = paging_new_op(PAGING_UNMAP, allocation) };
    vidmm_status status = paging_ready(adapter, allocation);
    if (status)
        return status;
    call.op.segment = segment;
    call.op.range = range;
    call.op.last = last;
    call.op.page_lock = true; /* taken by the map */
    call.arg.Operation = DXGK_OPERATION_UNMAP_APERTURE_SEGMENT;
    call.arg.UnmapApertureSegment.hDevice = owner(allocation);
    call.arg.UnmapApertureSegment.hAllocation = allocation->driver_handle;
    call.arg.UnmapApertureSegment.SegmentId = segment;
    call.arg.UnmapApertureSegment.OffsetInPages = range.offset / adapter->page;
    call.arg.UnmapApertureSegment.NumberOfPages = range.bytes / adapter->page;
    call.arg.UnmapApertureSegment.DummyPage.QuadPart =
        (LONGLONG)(adapter->dummy_page * adapter->page);
    applies(adapter, RULE(MINI_074));
    applies(adapter, RULE(MINI_076));
    status = paging_build(adapter, &call, false);
    if (status)
        return status;
    count_segment(adapter, VIDMM_COUNTER_BYTES_UNMAPPED, segment, range.bytes);
    EMIT(adapter, UNMAP, RULE(MINI_074), allocation->handle, f_segment("segment", segment),
         f_hex("offset", range.offset), f_number("pages", range.bytes / adapter->page),
         f_word("by", "driver"));
    return STATUS_SUCCESS;
}

vidmm_status paging_map_buffer(adapter_t *adapter, struct paging_buffer *buffer, struct range range)
{
    struct paging_call call = { .op = { .kind = PAGING_MAP_BUFFER } };
    struct backing *backing = &buffer->backing;
    backing->pages = range.bytes / adapter->page;
    backing->run_count = system_take(adapter, backing->pages, &backing->runs);
    if (!backing->run_count)
        return refuse(adapter, RULE(MINI_013), STATUS_NO_MEMORY,
                      "system memory is exhausted: no pages for the paging buffers");
    backing->one = backing->runs[0];
    call.arg.Operation = DXGK_OPERATION_MAP_APERTURE_SEGMENT;
    call.arg.MapApertureSegment.SegmentId = buffer->segment;
    call.arg.MapApertureSegment.OffsetInPages = range.offset / adapter->page;
    call.arg.MapApertureSegment.NumberOfPages = backing->pages;
    call.arg.MapApertureSegment.pMdl = &backing->mdl;
    struct paging_map2 second = paging_map2_begin(adapter, &call.arg, backing, NULL);
    vidmm_status status = paging_build(adapter, &call, false);
    paging_map2_end(&second);
    if (status)
        return status;
    count_segment(adapter, VIDMM_COUNTER_BYTES_MAPPED, buffer->segment, range.bytes);
    EMIT(adapter, MAP, RULE(MINI_013), 0, f_segment("segment", buffer->segment),
         f_hex("offset", range.offset), f_number("pages", backing->pages), f_hex("flags", 0),
         f_word("by", "driver"), f_word("kind", "pagingbuffer"));
    return STATUS_SUCCESS;
}
