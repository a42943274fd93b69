/* SPDX-License-Identifier: MIT */
/*
 * paging_aperture.c: system pages appear in an aperture, and leave it again.
 *
 * An aperture of the GPU is the miniport's: MAP and UNMAP_APERTURE_SEGMENT are paging operations
 * like others. The AGP aperture of the machine is the GART driver's: nobody calls the miniport, the
 * change is made at once, and its time is the CPU's, as for a driver that maps by MMIO (TIME-010).
 * The manager has made sure that nobody uses the range (MINI-076).
 *
 * Buffers are mapped like allocations, but have no handle of one.
 *
 * Rules not named below: FLAG-060.
 */
#include "paging/buffer/paging.h"
#include "paging/store/store.h"
#include "vidmm/submit/submit.h"

#include <string.h>

/* MINI-072: hDevice is NULL for a primary, and for what a device left behind. */
static const struct device *owner(const struct pageable *allocation)
{
    return allocation->info.primary ? NULL : allocation->creator;
}

/* The call is on behalf of this device, NULL: of none. Returns its hDevice. */
static HANDLE name_device(struct paging_call *call, const struct device *device)
{
    call->device = device ? device->handle : 0;
    return device ? device->driver_handle : NULL;
}

static bool through_gart(const adapter_t *adapter, uint32_t segment)
{
    return (segment_desc(adapter, segment)->flags & SEGMENT_AGP) != 0;
}

static const char *by(const adapter_t *adapter, uint32_t segment)
{
    return through_gart(adapter, segment) ? "gart" : "driver";
}

/* SEG-017: the same fields, read by the GART driver. */
static void gart(adapter_t *adapter, uint32_t index, const DXGKARG_BUILDPAGINGBUFFER *arg)
{
    struct vidmm_bus *bus = bus_of(adapter, index);
    bool map = arg->Operation == DXGK_OPERATION_MAP_APERTURE_SEGMENT;
    uint64_t pages =
        map ? arg->MapApertureSegment.NumberOfPages : arg->UnmapApertureSegment.NumberOfPages;
    applies(adapter, RULE(SEG_017));
    cpu_spend(adapter, bus->cost(bus, map ? VIDMM_BUS_MAP : VIDMM_BUS_UNMAP, NULL, NULL,
                                 pages * adapter->setup->page, 0));
    if (map)
        bus->map(bus, arg->MapApertureSegment.SegmentId, arg->MapApertureSegment.OffsetInPages,
                 pages, arg->MapApertureSegment.pMdl, arg->MapApertureSegment.MdlOffset);
    else
        bus->unmap(bus, arg->UnmapApertureSegment.SegmentId,
                   arg->UnmapApertureSegment.OffsetInPages, pages, adapter->setup->dummy_page);
}

static vidmm_status carry_out(adapter_t *adapter, struct paging_call *call, uint32_t segment)
{
    if (!through_gart(adapter, segment))
        return paging_build(adapter, call);
    gart(adapter, segment_adapter(adapter, segment), &call->arg);
    paging_op_done(adapter, &call->op);
    return adapter_usable(adapter);
}

/* A kernel address for a mapped aperture range: a token, like all addresses of the CPU here. */
enum { KERNEL_SEGMENT_SHIFT = 40 };
#define KERNEL_APERTURES UINT64_C(0xFFFF800000000000)

static void list_pages(const struct backing *backing, DXGK_PAGE_NUMBER *pages)
{
    for (size_t i = 0; i < backing->run_count; i++) {
        struct range run = backing_runs(backing)[i];
        for (uint64_t page = 0; page < run.bytes; page++)
            *pages++ = run.offset + page;
    }
}

/* Rewrites a MAP_APERTURE_SEGMENT as its second form. Returns the list of pages (base_free). */
static DXGK_PAGE_NUMBER *make_second_form(DXGKARG_BUILDPAGINGBUFFER *arg,
                                          const struct backing *backing, uint64_t address)
{
    const DXGKARG_BUILDPAGINGBUFFER old = *arg;
    DXGK_PAGE_NUMBER *pages = base_alloc(old.MapApertureSegment.NumberOfPages, sizeof *pages);
    list_pages(backing, pages);
    arg->Operation = DXGK_OPERATION_MAP_APERTURE_SEGMENT2;
    memset(&arg->Reserved, 0, sizeof arg->Reserved);
    arg->MapApertureSegment2.hDevice = old.MapApertureSegment.hDevice;
    arg->MapApertureSegment2.hAllocation = old.MapApertureSegment.hAllocation;
    arg->MapApertureSegment2.SegmentId = old.MapApertureSegment.SegmentId;
    arg->MapApertureSegment2.OffsetInPages = old.MapApertureSegment.OffsetInPages;
    arg->MapApertureSegment2.NumberOfPages = old.MapApertureSegment.NumberOfPages;
    arg->MapApertureSegment2.Adl.PageCount = (UINT32)old.MapApertureSegment.NumberOfPages;
    arg->MapApertureSegment2.Adl.Pages = pages;
    arg->MapApertureSegment2.Flags = old.MapApertureSegment.Flags;
    arg->MapApertureSegment2.CpuVisibleAddress = (PVOID)(uintptr_t)address;
    return pages;
}

/* In the form that the driver asked for (MINI-080). `*address`: where the kernel sees the range, 0:
   nowhere. It lives as long as the mapping, so the range gives it. */
static vidmm_status carry_out_map(adapter_t *adapter, struct paging_call *call,
                                  const struct backing *backing, uint64_t *address)
{
    const struct pageable *allocation = call->op.allocation; /* NULL: a buffer */
    uint32_t segment = call->op.segment;
    *address = 0;
    if (!adapter->setup->caps.map_aperture2)
        return carry_out(adapter, call, segment);
    if (allocation && allocation->info.view == VIDMM_FLAGS_ALLOCATION2_0 &&
        allocation_has(allocation, VIDMM_ALLOCATION2_0_MapApertureCpuVisible)) {
        *address = KERNEL_APERTURES +
                   ((uint64_t)call->arg.MapApertureSegment.SegmentId << KERNEL_SEGMENT_SHIFT) +
                   call->arg.MapApertureSegment.OffsetInPages * adapter->setup->page;
    }
    applies(adapter, RULE(MINI_080));
    DXGK_PAGE_NUMBER *pages = make_second_form(&call->arg, backing, *address);
    vidmm_status status = carry_out(adapter, call, segment);
    base_free(pages);
    return status;
}

/* The fence that what was just built goes out with, or went; a request to preempt has none. */
static uint32_t fence_of_call(const adapter_t *adapter)
{
    const struct buffers *paging = adapter->buffers;
    const struct paging_buffer *current = &paging->buffers[paging->current];
    const struct job *last = schedule_newest_job(adapter, adapter->setup->caps.paging_node);
    if (current->used != current->submitted)
        return paging_next_fence(adapter);
    return last ? last->fence : 0;
}

/* ---- the two operations --------------------------------------------------------------------- */

static void fill_map(adapter_t *adapter, DXGKARG_BUILDPAGINGBUFFER *arg, uint32_t segment,
                     struct range range, MDL *mdl)
{
    arg->Operation = DXGK_OPERATION_MAP_APERTURE_SEGMENT;
    arg->MapApertureSegment.SegmentId = segment_driver_id(adapter, segment);
    arg->MapApertureSegment.OffsetInPages = range.offset / adapter->setup->page;
    arg->MapApertureSegment.NumberOfPages = range.bytes / adapter->setup->page;
    arg->MapApertureSegment.pMdl = mdl;
    applies(adapter, RULE(MINI_072));
}

static void fill_unmap(const adapter_t *adapter, DXGKARG_BUILDPAGINGBUFFER *arg, uint32_t segment,
                       struct range range)
{
    arg->Operation = DXGK_OPERATION_UNMAP_APERTURE_SEGMENT;
    arg->UnmapApertureSegment.SegmentId = segment_driver_id(adapter, segment);
    arg->UnmapApertureSegment.OffsetInPages = range.offset / adapter->setup->page;
    arg->UnmapApertureSegment.NumberOfPages = range.bytes / adapter->setup->page;
    arg->UnmapApertureSegment.DummyPage.QuadPart =
        (LONGLONG)(adapter->setup->dummy_page * adapter->setup->page);
}

/* ---- allocations ---------------------------------------------------------------------------- */

vidmm_status paging_map(adapter_t *adapter, struct pageable *allocation, uint32_t segment,
                        struct range range, bool last)
{
    const struct vidmm_segment_desc *desc = segment_desc(adapter, segment);
    struct paging_call call = { .op = paging_new_op(PAGING_MAP, allocation) };
    const struct range shown = paging_shown(allocation, range);
    uint64_t address;
    bool coherent =
        (desc->flags & SEGMENT_CACHE_COHERENT) && allocation_has(allocation, ALLOCATION_CACHED);
    /* First: an earlier page-in may end while this waits, and let the store go (PAGE-011). */
    paging_lock_pages(adapter, &call.op);
    count_segment(adapter, VIDMM_COUNTER_BYTES_MAPPED, segment, shown.bytes);
    vidmm_status status = paging_ready(adapter, allocation, RULE(PAGE_040));
    if (status)
        return status;
    coherency_paging(adapter, allocation, segment);
    call.op.segment = segment;
    call.op.range = range;
    call.op.last = last;
    fill_map(adapter, &call.arg, segment, shown,
             mdl_of(adapter, allocation->store.owner->store.backing));
    call.arg.MapApertureSegment.hDevice = name_device(&call, owner(allocation));
    call.arg.MapApertureSegment.hAllocation = allocation->driver_handle;
    call.arg.MapApertureSegment.Flags.CacheCoherent = coherent;
    applies(adapter, RULE(MINI_071));
    applies(adapter, RULE(MINI_073));
    status = carry_out_map(adapter, &call, allocation->store.owner->store.backing, &address);
    if (status)
        return status;
    EMIT(adapter, MAP, RULE(PAGE_007), allocation->handle, f_segment("segment", segment),
         f_hex("offset", shown.offset), f_number("pages", shown.bytes / adapter->setup->page),
         f_hex("flags", coherent), f_word("by", by(adapter, segment)), f_hex("cpu", address));
    return STATUS_SUCCESS;
}

/* In the middle of something: what was built of it goes out before. */
void paging_unmap_later(adapter_t *adapter, struct pageable *allocation, uint32_t segment,
                        struct range range, bool last)
{
    schedule_defer(adapter, (struct deferred_work){ .run = paging_unmap_due,
                                                    .allocation = allocation,
                                                    .segment = segment,
                                                    .range = range,
                                                    .last = last,
                                                    .after = fence_of_call(adapter) });
}

/* The range is free, and its pages are, only after an unmap: what cannot be built now is due. */
vidmm_status paging_unmap(adapter_t *adapter, struct pageable *allocation, uint32_t segment,
                          struct range range, bool last)
{
    struct paging_call call = { .op = paging_new_op(PAGING_UNMAP, allocation) };
    const struct range shown = paging_shown(allocation, range);
    vidmm_status status = paging_ready(adapter, allocation, RULE(PAGE_040));
    if (status)
        goto later;
    call.op.segment = segment;
    call.op.range = range;
    call.op.last = last;
    call.op.page_lock = true; /* taken by the map */
    fill_unmap(adapter, &call.arg, segment, shown);
    call.arg.UnmapApertureSegment.hDevice = name_device(&call, owner(allocation));
    call.arg.UnmapApertureSegment.hAllocation = allocation->driver_handle;
    applies(adapter, RULE(MINI_076));
    status = carry_out(adapter, &call, segment);
    if (status)
        goto later;
    count_segment(adapter, VIDMM_COUNTER_BYTES_UNMAPPED, segment, shown.bytes);
    EMIT(adapter, UNMAP, RULE(MINI_074), allocation->handle, f_segment("segment", segment),
         f_hex("offset", shown.offset), f_number("pages", shown.bytes / adapter->setup->page),
         f_word("by", by(adapter, segment)));
    return STATUS_SUCCESS;

later:
    paging_unmap_later(adapter, allocation, segment, range, last);
    return status;
}

vidmm_status paging_unmap_due(adapter_t *adapter, const struct deferred_work *work)
{
    uint32_t node = adapter->setup->caps.paging_node;
    vidmm_status status = STATUS_SUCCESS;
    if (work->after > fences_of(adapter)->completed[node]) {
        status = paging_flush(adapter);
        if (!status)
            status = schedule_wait_fence(adapter, node, work->after, VIDMM_WAIT_APERTURE_IDLE,
                                         RULE(MINI_076), NULL);
    }
    if (!status && work->buffer)
        return paging_unmap_dma(adapter, work->buffer);
    if (!status)
        return paging_unmap(adapter, work->allocation, work->segment, work->range, work->last);
    schedule_defer(adapter, *work);
    return status;
}

/* ---- buffers -------------------------------------------------------------------------------- */

vidmm_status paging_map_buffer(adapter_t *adapter, struct paging_buffer *buffer, struct range range)
{
    struct paging_call call = { .op = { .kind = PAGING_MAP_BUFFER, .segment = buffer->segment } };
    struct backing *backing = &buffer->backing;
    backing->pages = range.bytes / adapter->setup->page;
    backing->run_count = system_take(adapter, backing->pages, &backing->runs);
    if (!backing->run_count)
        return system_refuse(adapter, RULE(MINI_013), range.bytes, "a paging buffer", "");
    backing->one = backing->runs[0];
    fill_map(adapter, &call.arg, buffer->segment, range, mdl_of(adapter, backing));
    uint64_t address;
    vidmm_status status = carry_out_map(adapter, &call, backing, &address);
    if (status)
        return status;
    count_segment(adapter, VIDMM_COUNTER_BYTES_MAPPED, buffer->segment, range.bytes);
    EMIT(adapter, MAP, RULE(MINI_013), 0, f_segment("segment", buffer->segment),
         f_hex("offset", range.offset), f_number("pages", backing->pages), f_hex("flags", 0),
         f_word("by", by(adapter, buffer->segment)), f_word("kind", "pagingbuffer"));
    return STATUS_SUCCESS;
}

vidmm_status paging_map_dma(adapter_t *adapter, struct dma_buffer *buffer)
{
    struct paging_call call = { .op = { .kind = PAGING_MAP_BUFFER, .segment = buffer->segment } };
    uint64_t address;
    fill_map(adapter, &call.arg, buffer->segment, buffer->range, mdl_of(adapter, buffer->backing));
    call.arg.MapApertureSegment.hDevice = name_device(&call, buffer->context->device);
    count_segment(adapter, VIDMM_COUNTER_BYTES_MAPPED, buffer->segment, buffer->range.bytes);
    vidmm_status status = carry_out_map(adapter, &call, buffer->backing, &address);
    if (status)
        return status;
    buffer->map_fence = fence_of_call(adapter);
    EMIT(adapter, MAP, RULE(SUBMIT_021), buffer->context->handle,
         f_segment("segment", buffer->segment), f_hex("offset", buffer->range.offset),
         f_number("pages", buffer->backing->pages), f_hex("flags", 0),
         f_word("by", by(adapter, buffer->segment)), f_word("kind", "dmabuffer"));
    return STATUS_SUCCESS;
}

void paging_unmap_dma_later(adapter_t *adapter, struct dma_buffer *buffer)
{
    buffer->unmap_lost = true;
    schedule_defer(adapter, (struct deferred_work){ .run = paging_unmap_due,
                                                    .buffer = buffer,
                                                    .after = fence_of_call(adapter) });
}

vidmm_status paging_unmap_dma(adapter_t *adapter, struct dma_buffer *buffer)
{
    struct paging_call call = { .op = { .kind = PAGING_UNMAP_BUFFER, .buffer = buffer } };
    uint32_t segment = buffer->segment;
    struct range range = buffer->range;
    fill_unmap(adapter, &call.arg, segment, range);
    /* Once more, after a reset: the device may be gone. */
    if (buffer->context)
        call.arg.UnmapApertureSegment.hDevice = name_device(&call, buffer->context->device);
    buffer->context = NULL;
    /* The buffer may be gone when this succeeds. */
    vidmm_status status = carry_out(adapter, &call, segment);
    if (status) {
        paging_unmap_dma_later(adapter, buffer);
        return status;
    }
    count_segment(adapter, VIDMM_COUNTER_BYTES_UNMAPPED, segment, range.bytes);
    EMIT(adapter, UNMAP, RULE(SUBMIT_021), 0, f_segment("segment", segment),
         f_hex("offset", range.offset), f_number("pages", range.bytes / adapter->setup->page),
         f_word("by", by(adapter, segment)), f_word("kind", "dmabuffer"));
    return STATUS_SUCCESS;
}
