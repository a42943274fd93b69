/* SPDX-License-Identifier: MIT */
/*
 * paging_trace.c: a DxgkDdiBuildPagingBuffer call in words: the name of its operation, and the
 * operands that the operation has, each under its documented name.
 *
 * Rules not named below: MINI-060.
 */
#include "paging/buffer/paging.h"

#include <string.h>

enum operand_kind {
    OPERAND_HEX,
    OPERAND_NUMBER,
    OPERAND_FLAG,    /* not 0: a bit, or a pointer */
    OPERAND_DEVICE,  /* the driver's handle */
    OPERAND_SEGMENT, /* decides which of the next two there is: */
    OPERAND_ADDRESS, /* in that segment */
    OPERAND_MDL,     /* where the segment is 0 */
};

/* The rows of one operation stand together, in the order in which they are shown. */
static const struct operand {
    DXGK_BUILDPAGINGBUFFER_OPERATION operation;
    enum operand_kind kind;
    const char *operation_name, *name;
    size_t offset, bytes;
} operands[] = {
#define AT(operation, kind, name, offset, bytes)                                                   \
    {                                                                                              \
        DXGK_OPERATION_##operation, OPERAND_##kind, #operation, name, offset, bytes                \
    }
#define ROW(operation, kind, member, path)                                                         \
    AT(operation, kind, #path, offsetof(DXGKARG_BUILDPAGINGBUFFER, member.path),                   \
       sizeof((const DXGKARG_BUILDPAGINGBUFFER *)NULL)->member.path)
/* What two, or three, of them have in common. */
#define MOVE(operation, member)                                                                    \
    ROW(operation, HEX, member, TransferOffset), ROW(operation, HEX, member, TransferSize),        \
        ROW(operation, SEGMENT, member, Source.SegmentId),                                         \
        ROW(operation, ADDRESS, member, Source.SegmentAddress),                                    \
        ROW(operation, MDL, member, Source.pMdl),                                                  \
        ROW(operation, SEGMENT, member, Destination.SegmentId),                                    \
        ROW(operation, ADDRESS, member, Destination.SegmentAddress),                               \
        ROW(operation, MDL, member, Destination.pMdl), ROW(operation, HEX, member, Flags)
#define APERTURE(operation, member)                                                                \
    ROW(operation, DEVICE, member, hDevice), ROW(operation, SEGMENT, member, SegmentId),           \
        ROW(operation, NUMBER, member, OffsetInPages),                                             \
        ROW(operation, NUMBER, member, NumberOfPages)
    MOVE(TRANSFER, Transfer),
    ROW(TRANSFER, NUMBER, Transfer, MdlOffset),
    MOVE(SPECIAL_LOCK_TRANSFER, SpecialLockTransfer),
    ROW(SPECIAL_LOCK_TRANSFER, NUMBER, SpecialLockTransfer, SwizzlingRangeId),
    ROW(SPECIAL_LOCK_TRANSFER, NUMBER, SpecialLockTransfer, SwizzlingRangeData),
    ROW(FILL, HEX, Fill, FillSize),
    ROW(FILL, HEX, Fill, FillPattern),
    ROW(FILL, SEGMENT, Fill, Destination.SegmentId),
    ROW(FILL, ADDRESS, Fill, Destination.SegmentAddress),
    AT(INIT_CONTEXT_RESOURCE, HEX, "VirtualAddress",
       offsetof(DXGKARG_BUILDPAGINGBUFFER, InitContextResource.Destination.VirtualAddress),
       sizeof(PVOID)),
    ROW(INIT_CONTEXT_RESOURCE, SEGMENT, InitContextResource, Destination.SegmentId),
    ROW(INIT_CONTEXT_RESOURCE, ADDRESS, InitContextResource, Destination.SegmentAddress),
    ROW(INIT_CONTEXT_RESOURCE, MDL, InitContextResource, Destination.pMdl),
    ROW(DISCARD_CONTENT, HEX, DiscardContent, Flags),
    ROW(DISCARD_CONTENT, SEGMENT, DiscardContent, SegmentId),
    ROW(DISCARD_CONTENT, HEX, DiscardContent, SegmentAddress),
    ROW(READ_PHYSICAL, SEGMENT, ReadPhysical, SegmentId),
    ROW(READ_PHYSICAL, HEX, ReadPhysical, PhysicalAddress),
    APERTURE(MAP_APERTURE_SEGMENT, MapApertureSegment),
    ROW(MAP_APERTURE_SEGMENT, HEX, MapApertureSegment, Flags),
    ROW(MAP_APERTURE_SEGMENT, FLAG, MapApertureSegment, pMdl),
    ROW(MAP_APERTURE_SEGMENT, NUMBER, MapApertureSegment, MdlOffset),
    APERTURE(UNMAP_APERTURE_SEGMENT, UnmapApertureSegment),
    ROW(UNMAP_APERTURE_SEGMENT, HEX, UnmapApertureSegment, DummyPage),
    /* A bit has no offset: it is read with its word, whose other bits are 0. */
    AT(NOTIFY_RESIDENCY, FLAG, "Resident",
       offsetof(DXGKARG_BUILDPAGINGBUFFER, NotifyResidency.PhysicalAddress) +
           sizeof(D3DGPU_PHYSICAL_ADDRESS),
       sizeof(UINT)),
    ROW(NOTIFY_RESIDENCY, SEGMENT, NotifyResidency, PhysicalAddress.SegmentId),
    ROW(NOTIFY_RESIDENCY, HEX, NotifyResidency, PhysicalAddress.SegmentOffset),
    APERTURE(MAP_APERTURE_SEGMENT2, MapApertureSegment2),
    ROW(MAP_APERTURE_SEGMENT2, HEX, MapApertureSegment2, Flags),
    ROW(MAP_APERTURE_SEGMENT2, NUMBER, MapApertureSegment2, Adl.PageCount),
    ROW(MAP_APERTURE_SEGMENT2, HEX, MapApertureSegment2, Adl.Flags),
    ROW(MAP_APERTURE_SEGMENT2, NUMBER, MapApertureSegment2, AdlOffset),
    ROW(MAP_APERTURE_SEGMENT2, HEX, MapApertureSegment2, CpuVisibleAddress),
    ROW(NOTIFY_ALLOC, HEX, NotifyAllocation, Flags),
    ROW(NOTIFY_ALLOC, HEX, NotifyAllocation, OffsetInBytes),
    ROW(NOTIFY_ALLOC, HEX, NotifyAllocation, SizeInBytes),
    ROW(NOTIFY_ALLOC, HEX, NotifyAllocation, GpuVirtualAddressAtOffset),
#undef APERTURE
#undef MOVE
#undef ROW
#undef AT
};

static size_t first_operand(DXGK_BUILDPAGINGBUFFER_OPERATION operation)
{
    size_t i = 0;
    while (operands[i].operation != operation) {
        i++;
        CHECK(i < ARRAY_COUNT(operands));
    }
    return i;
}

const char *paging_operation_name(DXGK_BUILDPAGINGBUFFER_OPERATION operation)
{
    return operands[first_operand(operation)].operation_name;
}

/* The interface is one of little-endian machines. */
static uint64_t read_operand(const DXGKARG_BUILDPAGINGBUFFER *arg, const struct operand *operand)
{
    uint64_t value = 0;
    CHECK(operand->bytes <= sizeof value);
    memcpy(&value, (const char *)arg + operand->offset, operand->bytes);
    return value;
}

size_t paging_operand_fields(const struct paging_call *call, struct vidmm_field *fields)
{
    const DXGKARG_BUILDPAGINGBUFFER *arg = &call->arg;
    size_t n = 0;
    uint64_t segment = 0;
    for (size_t i = first_operand(arg->Operation);
         i < ARRAY_COUNT(operands) && operands[i].operation == arg->Operation; i++) {
        const char *name = operands[i].name;
        uint64_t value = read_operand(arg, &operands[i]);
        switch (operands[i].kind) {
        case OPERAND_HEX: fields[n++] = f_hex(name, value); break;
        case OPERAND_NUMBER: fields[n++] = f_number(name, value); break;
        case OPERAND_FLAG: fields[n++] = f_flag(name, value); break;
        case OPERAND_DEVICE: fields[n++] = f_allocation(name, call->device); break;
        case OPERAND_SEGMENT: fields[n++] = f_segment(name, segment = value); break;
        case OPERAND_ADDRESS:
            if (segment)
                fields[n++] = f_hex(name, value);
            break;
        case OPERAND_MDL:
            if (!segment)
                fields[n++] = f_flag(name, value);
            break;
        }
    }
    return n;
}
