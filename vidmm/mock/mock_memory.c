/* SPDX-License-Identifier: MIT */
/*
 * mock_memory.c: calls about memory for which this driver keeps no books: it describes a picture,
 * takes the address of a store, points pages of the CPU host aperture at a segment, lays a
 * swizzling range over one.
 *
 * The chip has as many windows for such ranges as NumberOfSwizzlingRanges says. A window lies over
 * the place where the CPU would see the segment anyway, so the address comes back as it was given;
 * where none was given, each window has a part of the address space of its own. The chip needs no
 * more than the range number.
 *
 * Rules not named below: FLAG-063, MINI-044, RES-073, RES-074; SWIZ-014, SWIZ-016, SWIZ-020 from
 * the driver's side, BUG-005.
 */
#include "vidmm/mock/mock_faults.h"
#include "vidmm/mock/mock_objects.h"

/* What the usage hint of the creation said; a primary runs at 60 Hz. */
NTSTATUS mock_memory_describe(IN_CONST_HANDLE adapter, INOUT_PDXGKARG_DESCRIBEALLOCATION arg)
{
    const struct mock_surface *surface = arg->hAllocation;
    arg->Width = surface->width;
    arg->Height = surface->height;
    arg->Format = surface->format;
    arg->RefreshRate = (D3DDDI_RATIONAL){ .Numerator = 60, .Denominator = 1 };
    return mock_faults_status(adapter, VIDMM_MOCK_DESCRIBE_STATUS);
}

/* ---- calls that only answer a status -------------------------------------------------------- */

#define STATUS_CALL(name, type, which)                                                             \
    NTSTATUS name(IN_CONST_HANDLE adapter, type arg)                                               \
    {                                                                                              \
        UNREFERENCED_PARAMETER(arg);                                                               \
        return mock_faults_status(adapter, VIDMM_MOCK_##which);                                    \
    }

/* The address is a token that no write goes to. */
STATUS_CALL(mock_memory_set_store, IN_CONST_PDXGKARG_SETALLOCATIONBACKINGSTORE,
            BACKING_STORE_STATUS)
/* The hardware reaches the pages that the system named. */
STATUS_CALL(mock_memory_map_host, IN_CONST_PDXGKARG_MAPCPUHOSTAPERTURE, HOST_APERTURE_STATUS)
STATUS_CALL(mock_memory_unmap_host, IN_CONST_PDXGKARG_UNMAPCPUHOSTAPERTURE, HOST_UNMAP_STATUS)
STATUS_CALL(mock_memory_release, IN_CONST_PDXGKARG_RELEASESWIZZLINGRANGE, SWIZZLE_STATUS)

/* ---- swizzling ranges ----------------------------------------------------------------------- */

#define WINDOWS_BASE  UINT64_C(0x0000400000000000)
#define WINDOWS_BYTES UINT64_C(0x0000000100000000)

NTSTATUS mock_memory_acquire(IN_CONST_HANDLE adapter, INOUT_PDXGKARG_ACQUIRESWIZZLINGRANGE arg)
{
    struct vidmm_mock *mock = adapter;
    NTSTATUS status = mock_faults_status(mock, VIDMM_MOCK_SWIZZLE_STATUS);
    if (status)
        return status;
    if (!arg->CPUTranslatedAddress.QuadPart)
        arg->CPUTranslatedAddress.QuadPart =
            (LONGLONG)(WINDOWS_BASE + arg->RangeId * WINDOWS_BYTES);
    if (mock_faults_hit(mock, VIDMM_MOCK_RANGE_SIZE))
        arg->RangeSize = (SIZE_T)mock_faults_value(mock, VIDMM_MOCK_RANGE_SIZE);
    if (mock_faults_hit(mock, VIDMM_MOCK_RANGE_ADDRESS)) {
        if (mock_faults_value(mock, VIDMM_MOCK_RANGE_ADDRESS) == MOCK_ADDRESS_NONE)
            arg->CPUTranslatedAddress.QuadPart = 0;
        else
            arg->CPUTranslatedAddress.QuadPart += mock->config.page_bytes;
    }
    return STATUS_SUCCESS;
}
