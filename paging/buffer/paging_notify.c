/* SPDX-License-Identifier: MIT */
/*
 * paging_notify.c: what a driver of 2.0 and later is told in its paging buffer beside the moves:
 * that an allocation is or is no longer where its address says, and that it is about to leave
 * system memory; and the form in which it hears of an aperture mapping.
 */
#include "paging/buffer/paging.h"

#include <string.h>

/* A kernel address for a mapped aperture range: a token, like all addresses of the CPU here. */
enum { KERNEL_SEGMENT_SHIFT = 40 };
#define KERNEL_APERTURES UINT64_C(0xFFFF800000000000)

static struct paging_call new_call(DXGK_BUILDPAGINGBUFFER_OPERATION operation,
                                   struct pageable *allocation)
{
    struct paging_call call = { .op = paging_new_op(PAGING_NOTIFY, allocation) };
    call.arg.Operation = operation;
    return call;
}

/* ---- residency ------------------------------------------------------------------------------ */

static vidmm_status notify_residency(adapter_t *adapter, struct pageable *allocation, bool resident)
{
    const struct place *place = &allocation->place.at;
    struct paging_call call = new_call(DXGK_OPERATION_NOTIFY_RESIDENCY, allocation);
    uint64_t offset = resident ? place_runs(place)[0].offset : 0;
    uint32_t segment = resident ? place->segment : 0;
    if (!allocation_has(allocation, ALLOCATION_RESIDENCY_NOTIFICATION) ||
        allocation->transfer.last_notified_resident == resident)
        return STATUS_SUCCESS;
    call.arg.NotifyResidency.hAllocation = allocation->driver_handle;
    call.arg.NotifyResidency.PhysicalAddress.SegmentId = segment_driver_id(adapter, segment);
    call.arg.NotifyResidency.PhysicalAddress.SegmentOffset = offset;
    call.arg.NotifyResidency.Resident = resident;
    vidmm_status status = paging_build(adapter, &call, false);
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
    if (adapter_stopped(adapter) || allocation->store.state != ALLOCATION_RESIDENT ||
        !place_in_memory(adapter, &allocation->place.at))
        return;
    (void)paging_notify_arrival(adapter, allocation);
    refusal_restore(adapter, &refusal); /* why it stays */
}

/* ---- evictions from system memory ----------------------------------------------------------- */

vidmm_status paging_notify_eviction(adapter_t *adapter, struct pageable *allocation)
{
    struct paging_call call = new_call(DXGK_OPERATION_NOTIFY_ALLOC, allocation);
    uint64_t bytes = allocation->info.bytes;
    if (!(allocation->info.flags2 & VIDMM_ALLOCATION2_NotifyEviction))
        return STATUS_SUCCESS;
    call.arg.NotifyAllocation.hAllocation = allocation->driver_handle;
    call.arg.NotifyAllocation.Flags.Eviction = 1;
    call.arg.NotifyAllocation.SizeInBytes = bytes;
    vidmm_status status = paging_build(adapter, &call, false);
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

/* ---- MAP_APERTURE_SEGMENT2 ------------------------------------------------------------------ */

static void list_pages(const struct backing *backing, DXGK_PAGE_NUMBER *pages)
{
    for (size_t i = 0; i < backing->run_count; i++) {
        struct range run = backing_runs(backing)[i];
        for (uint64_t page = 0; page < run.bytes; page++)
            *pages++ = run.offset + page;
    }
}

/* MINI-080: the address lives as long as the mapping, so the range gives it. */
static uint64_t kernel_address(uint32_t segment, uint64_t offset)
{
    return KERNEL_APERTURES + ((uint64_t)segment << KERNEL_SEGMENT_SHIFT) + offset;
}

struct paging_map2 paging_map2_begin(adapter_t *adapter, DXGKARG_BUILDPAGINGBUFFER *arg,
                                     const struct backing *backing,
                                     const struct pageable *allocation)
{
    struct paging_map2 map = { NULL, 0 };
    DXGKARG_BUILDPAGINGBUFFER old = *arg;
    if (!adapter->setup->caps.map_aperture2)
        return map;
    if (allocation && allocation_is_2_0(allocation, VIDMM_ALLOCATION2_0_MapApertureCpuVisible)) {
        map.address = kernel_address(old.MapApertureSegment.SegmentId,
                                     old.MapApertureSegment.OffsetInPages * adapter->setup->page);
        applies(adapter, RULE(FLAG_060));
    }
    map.pages = base_alloc(old.MapApertureSegment.NumberOfPages, sizeof *map.pages);
    list_pages(backing, map.pages);
    arg->Operation = DXGK_OPERATION_MAP_APERTURE_SEGMENT2;
    memset(&arg->Reserved, 0, sizeof arg->Reserved);
    arg->MapApertureSegment2.hDevice = old.MapApertureSegment.hDevice;
    arg->MapApertureSegment2.hAllocation = old.MapApertureSegment.hAllocation;
    arg->MapApertureSegment2.SegmentId = old.MapApertureSegment.SegmentId;
    arg->MapApertureSegment2.OffsetInPages = old.MapApertureSegment.OffsetInPages;
    arg->MapApertureSegment2.NumberOfPages = old.MapApertureSegment.NumberOfPages;
    arg->MapApertureSegment2.Adl.PageCount = (UINT32)old.MapApertureSegment.NumberOfPages;
    arg->MapApertureSegment2.Adl.Pages = map.pages;
    arg->MapApertureSegment2.Flags = old.MapApertureSegment.Flags;
    arg->MapApertureSegment2.CpuVisibleAddress = (PVOID)(uintptr_t)map.address;
    applies(adapter, RULE(MINI_080));
    return map;
}

void paging_map2_end(struct paging_map2 *map)
{
    base_free(map->pages);
}
