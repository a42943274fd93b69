/* SPDX-License-Identifier: MIT */
/*
 * mock_memory.c: calls about memory for which this driver keeps no books: it describes a picture,
 * takes the address of a store, points pages of the CPU host aperture at a segment.
 *
 * Rules not named below: FLAG-063, MINI-044, RES-073, RES-074.
 */
#include "vidmm/mock/mock_calls.h"
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

/* The address is a token that no write goes to: the driver keeps nothing. */
NTSTATUS mock_memory_set_store(IN_CONST_HANDLE adapter,
                               IN_CONST_PDXGKARG_SETALLOCATIONBACKINGSTORE arg)
{
    UNREFERENCED_PARAMETER(arg);
    return mock_faults_status(adapter, VIDMM_MOCK_BACKING_STORE_STATUS);
}

/* The hardware reaches the pages that the system named: the driver keeps no book of them. */
NTSTATUS mock_memory_map_host(IN_CONST_HANDLE adapter, IN_CONST_PDXGKARG_MAPCPUHOSTAPERTURE arg)
{
    UNREFERENCED_PARAMETER(arg);
    return mock_faults_status(adapter, VIDMM_MOCK_HOST_APERTURE_STATUS);
}

NTSTATUS mock_memory_unmap_host(IN_CONST_HANDLE adapter, IN_CONST_PDXGKARG_UNMAPCPUHOSTAPERTURE arg)
{
    UNREFERENCED_PARAMETER(arg);
    return mock_faults_status(adapter, VIDMM_MOCK_HOST_UNMAP_STATUS);
}
