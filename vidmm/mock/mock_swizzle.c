/* SPDX-License-Identifier: MIT */
/*
 * mock_swizzle.c: DxgkDdiAcquireSwizzlingRange and DxgkDdiReleaseSwizzlingRange of the mock.
 *
 * The chip has as many windows as NumberOfSwizzlingRanges says. A window lies over the place where
 * the CPU would see the segment anyway, so the address comes back as it was given; where none was
 * given, each window has a part of the address space of its own. The chip needs no more than the
 * range number, so nothing is kept.
 *
 * Rules not named below: SWIZ-014, SWIZ-016, SWIZ-020 from the driver's side, BUG-005.
 */
#include "vidmm/mock/mock_calls.h"
#include "vidmm/mock/mock_faults.h"

#define WINDOWS_BASE  UINT64_C(0x0000400000000000)
#define WINDOWS_BYTES UINT64_C(0x0000000100000000)

NTSTATUS mock_swizzle_acquire(IN_CONST_HANDLE adapter, INOUT_PDXGKARG_ACQUIRESWIZZLINGRANGE arg)
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

NTSTATUS mock_swizzle_release(IN_CONST_HANDLE adapter, IN_CONST_PDXGKARG_RELEASESWIZZLINGRANGE arg)
{
    struct vidmm_mock *mock = adapter;
    UNREFERENCED_PARAMETER(arg);
    return mock_faults_status(mock, VIDMM_MOCK_SWIZZLE_STATUS);
}
