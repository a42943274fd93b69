/* SPDX-License-Identifier: MIT */
/*
 * ntintsafe.h: additions and products that report overflow instead of wrapping.
 *
 * On overflow the result is set to all ones and STATUS_INTEGER_OVERFLOW is returned.
 */
#ifndef VIDMM_DDI_NTINTSAFE_H
#define VIDMM_DDI_NTINTSAFE_H

#include "ntdef.h"
#include "ntstatus.h"

#define VIDMM_DDI_CHECKED(name, type, builtin)                                                     \
    static inline NTSTATUS name(type a, type b, type *result)                                      \
    {                                                                                              \
        if (!builtin(a, b, result))                                                                \
            return STATUS_SUCCESS;                                                                 \
        *result = (type)-1;                                                                        \
        return STATUS_INTEGER_OVERFLOW;                                                            \
    }

VIDMM_DDI_CHECKED(RtlUIntAdd, UINT, __builtin_add_overflow)
VIDMM_DDI_CHECKED(RtlUIntSub, UINT, __builtin_sub_overflow)
VIDMM_DDI_CHECKED(RtlUIntMult, UINT, __builtin_mul_overflow)
VIDMM_DDI_CHECKED(RtlULongAdd, ULONG, __builtin_add_overflow)
VIDMM_DDI_CHECKED(RtlULongSub, ULONG, __builtin_sub_overflow)
VIDMM_DDI_CHECKED(RtlULongMult, ULONG, __builtin_mul_overflow)
VIDMM_DDI_CHECKED(RtlULongLongAdd, ULONGLONG, __builtin_add_overflow)
VIDMM_DDI_CHECKED(RtlULongLongSub, ULONGLONG, __builtin_sub_overflow)
VIDMM_DDI_CHECKED(RtlULongLongMult, ULONGLONG, __builtin_mul_overflow)
VIDMM_DDI_CHECKED(RtlSizeTAdd, SIZE_T, __builtin_add_overflow)
VIDMM_DDI_CHECKED(RtlSizeTSub, SIZE_T, __builtin_sub_overflow)
VIDMM_DDI_CHECKED(RtlSizeTMult, SIZE_T, __builtin_mul_overflow)

static inline NTSTATUS RtlULongLongToULong(ULONGLONG value, ULONG *result)
{
    if (value <= MAXULONG) {
        *result = (ULONG)value;
        return STATUS_SUCCESS;
    }
    *result = MAXULONG;
    return STATUS_INTEGER_OVERFLOW;
}

static inline NTSTATUS RtlSizeTToULong(SIZE_T value, ULONG *result)
{
    return RtlULongLongToULong(value, result);
}

#endif
