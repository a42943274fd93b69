/* SPDX-License-Identifier: MIT */
/*
 * paging_trace.c: a DxgkDdiBuildPagingBuffer call in words: the name of its operation, and the
 * operands that the operation has, each under its documented name.
 *
 * Rules not named below: MINI-060.
 */
#include "paging/buffer/paging.h"
#include "vidmm/share/share_state.h"

/* One side of a move: a segment address, or with segment 0 an MDL. */
static size_t add_side(struct vidmm_field *fields, bool source, UINT segment, uint64_t address,
                       const MDL *mdl)
{
    fields[0] = f_segment(source ? "Source.SegmentId" : "Destination.SegmentId", segment);
    if (!segment) {
        fields[1] = f_flag(source ? "Source.pMdl" : "Destination.pMdl", mdl != NULL);
        return 2;
    }
    fields[1] = f_hex(source ? "Source.SegmentAddress" : "Destination.SegmentAddress", address);
    return 2;
}

static size_t transfer(const adapter_t *adapter, const DXGKARG_BUILDPAGINGBUFFER *arg,
                       struct vidmm_field *fields)
{
    size_t n = 0;
    (void)adapter;
    fields[n++] = f_hex("TransferOffset", arg->Transfer.TransferOffset);
    fields[n++] = f_hex("TransferSize", arg->Transfer.TransferSize);
    n += add_side(fields + n, true, arg->Transfer.Source.SegmentId,
                  (uint64_t)arg->Transfer.Source.SegmentAddress.QuadPart,
                  arg->Transfer.Source.SegmentId ? NULL : arg->Transfer.Source.pMdl);
    n += add_side(fields + n, false, arg->Transfer.Destination.SegmentId,
                  (uint64_t)arg->Transfer.Destination.SegmentAddress.QuadPart,
                  arg->Transfer.Destination.SegmentId ? NULL : arg->Transfer.Destination.pMdl);
    fields[n++] = f_hex("Flags", arg->Transfer.Flags.Value);
    fields[n++] = f_number("MdlOffset", arg->Transfer.MdlOffset);
    return n;
}

static size_t special(const adapter_t *adapter, const DXGKARG_BUILDPAGINGBUFFER *arg,
                      struct vidmm_field *fields)
{
    size_t n = 0;
    (void)adapter;
    fields[n++] = f_hex("TransferOffset", arg->SpecialLockTransfer.TransferOffset);
    fields[n++] = f_hex("TransferSize", arg->SpecialLockTransfer.TransferSize);
    n += add_side(fields + n, true, arg->SpecialLockTransfer.Source.SegmentId,
                  (uint64_t)arg->SpecialLockTransfer.Source.SegmentAddress.QuadPart,
                  arg->SpecialLockTransfer.Source.pMdl);
    n += add_side(fields + n, false, arg->SpecialLockTransfer.Destination.SegmentId,
                  (uint64_t)arg->SpecialLockTransfer.Destination.SegmentAddress.QuadPart,
                  arg->SpecialLockTransfer.Destination.pMdl);
    fields[n++] = f_hex("Flags", arg->SpecialLockTransfer.Flags.Value);
    fields[n++] = f_number("SwizzlingRangeId", arg->SpecialLockTransfer.SwizzlingRangeId);
    fields[n++] = f_number("SwizzlingRangeData", arg->SpecialLockTransfer.SwizzlingRangeData);
    return n;
}

static size_t fill(const adapter_t *adapter, const DXGKARG_BUILDPAGINGBUFFER *arg,
                   struct vidmm_field *fields)
{
    size_t n = 0;
    (void)adapter;
    fields[n++] = f_hex("FillSize", arg->Fill.FillSize);
    fields[n++] = f_hex("FillPattern", arg->Fill.FillPattern);
    return n + add_side(fields + n, false, arg->Fill.Destination.SegmentId,
                        (uint64_t)arg->Fill.Destination.SegmentAddress.QuadPart, NULL);
}

static size_t init_context(const adapter_t *adapter, const DXGKARG_BUILDPAGINGBUFFER *arg,
                           struct vidmm_field *fields)
{
    size_t n = 0;
    (void)adapter;
    fields[n++] =
        f_hex("VirtualAddress", (uintptr_t)arg->InitContextResource.Destination.VirtualAddress);
    return n + add_side(fields + n, false, arg->InitContextResource.Destination.SegmentId,
                        (uint64_t)arg->InitContextResource.Destination.SegmentAddress.QuadPart,
                        NULL);
}

static size_t discard(const adapter_t *adapter, const DXGKARG_BUILDPAGINGBUFFER *arg,
                      struct vidmm_field *fields)
{
    size_t n = 0;
    (void)adapter;
    fields[n++] = f_hex("Flags", arg->DiscardContent.Flags.Value);
    fields[n++] = f_segment("SegmentId", arg->DiscardContent.SegmentId);
    fields[n++] = f_hex("SegmentAddress", (uint64_t)arg->DiscardContent.SegmentAddress.QuadPart);
    return n;
}

/* The device behind the driver's own handle; 0 where hDevice is NULL (MINI-072). */
static vidmm_handle device_behind(const adapter_t *adapter, HANDLE driver_handle)
{
    const struct device *device = adapter->share->devices;
    while (device && device->driver_handle != driver_handle)
        device = device->next;
    return device ? device->handle : 0;
}

static size_t map(const adapter_t *adapter, const DXGKARG_BUILDPAGINGBUFFER *arg,
                  struct vidmm_field *fields)
{
    size_t n = 0;
    fields[n++] = f_allocation("hDevice", device_behind(adapter, arg->MapApertureSegment.hDevice));
    fields[n++] = f_segment("SegmentId", arg->MapApertureSegment.SegmentId);
    fields[n++] = f_number("OffsetInPages", arg->MapApertureSegment.OffsetInPages);
    fields[n++] = f_number("NumberOfPages", arg->MapApertureSegment.NumberOfPages);
    fields[n++] = f_hex("Flags", arg->MapApertureSegment.Flags.Value);
    fields[n++] = f_flag("pMdl", arg->MapApertureSegment.pMdl != NULL);
    fields[n++] = f_number("MdlOffset", arg->MapApertureSegment.MdlOffset);
    return n;
}

static size_t map2(const adapter_t *adapter, const DXGKARG_BUILDPAGINGBUFFER *arg,
                   struct vidmm_field *fields)
{
    size_t n = 0;
    fields[n++] = f_allocation("hDevice", device_behind(adapter, arg->MapApertureSegment2.hDevice));
    fields[n++] = f_segment("SegmentId", arg->MapApertureSegment2.SegmentId);
    fields[n++] = f_number("OffsetInPages", arg->MapApertureSegment2.OffsetInPages);
    fields[n++] = f_number("NumberOfPages", arg->MapApertureSegment2.NumberOfPages);
    fields[n++] = f_hex("Flags", arg->MapApertureSegment2.Flags.Value);
    fields[n++] = f_number("Adl.PageCount", arg->MapApertureSegment2.Adl.PageCount);
    fields[n++] = f_hex("Adl.Flags", arg->MapApertureSegment2.Adl.Flags.Value);
    fields[n++] = f_number("AdlOffset", arg->MapApertureSegment2.AdlOffset);
    fields[n++] = f_hex("CpuVisibleAddress", (uintptr_t)arg->MapApertureSegment2.CpuVisibleAddress);
    return n;
}

static size_t unmap(const adapter_t *adapter, const DXGKARG_BUILDPAGINGBUFFER *arg,
                    struct vidmm_field *fields)
{
    size_t n = 0;
    fields[n++] =
        f_allocation("hDevice", device_behind(adapter, arg->UnmapApertureSegment.hDevice));
    fields[n++] = f_segment("SegmentId", arg->UnmapApertureSegment.SegmentId);
    fields[n++] = f_number("OffsetInPages", arg->UnmapApertureSegment.OffsetInPages);
    fields[n++] = f_number("NumberOfPages", arg->UnmapApertureSegment.NumberOfPages);
    fields[n++] = f_hex("DummyPage", (uint64_t)arg->UnmapApertureSegment.DummyPage.QuadPart);
    return n;
}

static size_t read_physical(const adapter_t *adapter, const DXGKARG_BUILDPAGINGBUFFER *arg,
                            struct vidmm_field *fields)
{
    size_t n = 0;
    (void)adapter;
    fields[n++] = f_segment("SegmentId", arg->ReadPhysical.SegmentId);
    fields[n++] = f_hex("PhysicalAddress", (uint64_t)arg->ReadPhysical.PhysicalAddress.QuadPart);
    return n;
}

static size_t notify_residency(const adapter_t *adapter, const DXGKARG_BUILDPAGINGBUFFER *arg,
                               struct vidmm_field *fields)
{
    size_t n = 0;
    (void)adapter;
    fields[n++] = f_flag("Resident", arg->NotifyResidency.Resident);
    fields[n++] =
        f_segment("PhysicalAddress.SegmentId", arg->NotifyResidency.PhysicalAddress.SegmentId);
    fields[n++] =
        f_hex("PhysicalAddress.SegmentOffset", arg->NotifyResidency.PhysicalAddress.SegmentOffset);
    return n;
}

static size_t notify_alloc(const adapter_t *adapter, const DXGKARG_BUILDPAGINGBUFFER *arg,
                           struct vidmm_field *fields)
{
    size_t n = 0;
    (void)adapter;
    fields[n++] = f_hex("Flags", arg->NotifyAllocation.Flags.Value);
    fields[n++] = f_hex("OffsetInBytes", arg->NotifyAllocation.OffsetInBytes);
    fields[n++] = f_hex("SizeInBytes", arg->NotifyAllocation.SizeInBytes);
    fields[n++] =
        f_hex("GpuVirtualAddressAtOffset", arg->NotifyAllocation.GpuVirtualAddressAtOffset);
    return n;
}

static const struct operation {
    DXGK_BUILDPAGINGBUFFER_OPERATION operation;
    const char *name;
    size_t (*operands)(const adapter_t *adapter, const DXGKARG_BUILDPAGINGBUFFER *arg,
                       struct vidmm_field *fields);
} operations[] = {
    { DXGK_OPERATION_TRANSFER, "TRANSFER", transfer },
    { DXGK_OPERATION_SPECIAL_LOCK_TRANSFER, "SPECIAL_LOCK_TRANSFER", special },
    { DXGK_OPERATION_FILL, "FILL", fill },
    { DXGK_OPERATION_INIT_CONTEXT_RESOURCE, "INIT_CONTEXT_RESOURCE", init_context },
    { DXGK_OPERATION_DISCARD_CONTENT, "DISCARD_CONTENT", discard },
    { DXGK_OPERATION_READ_PHYSICAL, "READ_PHYSICAL", read_physical },
    { DXGK_OPERATION_MAP_APERTURE_SEGMENT, "MAP_APERTURE_SEGMENT", map },
    { DXGK_OPERATION_UNMAP_APERTURE_SEGMENT, "UNMAP_APERTURE_SEGMENT", unmap },
    { DXGK_OPERATION_NOTIFY_RESIDENCY, "NOTIFY_RESIDENCY", notify_residency },
    { DXGK_OPERATION_MAP_APERTURE_SEGMENT2, "MAP_APERTURE_SEGMENT2", map2 },
    { DXGK_OPERATION_NOTIFY_ALLOC, "NOTIFY_ALLOC", notify_alloc },
};

static const struct operation *find(DXGK_BUILDPAGINGBUFFER_OPERATION operation)
{
    size_t i = 0;
    while (i < ARRAY_COUNT(operations) && operations[i].operation != operation)
        i++;
    CHECK(i < ARRAY_COUNT(operations));
    return &operations[i];
}

const char *paging_operation_name(DXGK_BUILDPAGINGBUFFER_OPERATION operation)
{
    return find(operation)->name;
}

size_t paging_operand_fields(const adapter_t *adapter, const DXGKARG_BUILDPAGINGBUFFER *arg,
                             struct vidmm_field *fields)
{
    return find(arg->Operation)->operands(adapter, arg, fields);
}
