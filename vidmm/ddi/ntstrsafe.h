/* SPDX-License-Identifier: MIT */
/*
 * ntstrsafe.h: narrow strings that never run past their buffer; sizes are bytes.
 *
 * A text that does not fit is cut, still ends in a NUL, and gives STATUS_BUFFER_OVERFLOW. A
 * buffer of 0 bytes gives STATUS_INVALID_PARAMETER. The host's <stdio.h> stays out: it would bring
 * its own NULL along.
 */
#ifndef VIDMM_DDI_NTSTRSAFE_H
#define VIDMM_DDI_NTSTRSAFE_H

#include <stdarg.h>

#include "ntdef.h"
#include "ntstatus.h"

#define NTSTRSAFE_MAX_CCH 2147483647

static inline NTSTATUS RtlStringCbLengthA(PCSTR text, SIZE_T limit, SIZE_T *length)
{
    SIZE_T bytes = 0;

    while (bytes < limit && text[bytes])
        bytes++;
    if (length)
        *length = bytes < limit ? bytes : 0;
    return bytes < limit ? STATUS_SUCCESS : STATUS_INVALID_PARAMETER;
}

__attribute__((format(printf, 3, 0))) static inline NTSTATUS
RtlStringCbVPrintfA(PSTR target, SIZE_T size, PCSTR format, va_list arguments)
{
    int length;

    if (!size || size > NTSTRSAFE_MAX_CCH)
        return STATUS_INVALID_PARAMETER;
    length = __builtin_vsnprintf(target, size, format, arguments);
    return length >= 0 && (SIZE_T)length < size ? STATUS_SUCCESS : STATUS_BUFFER_OVERFLOW;
}

__attribute__((format(printf, 3, 4))) static inline NTSTATUS
RtlStringCbPrintfA(PSTR target, SIZE_T size, PCSTR format, ...)
{
    NTSTATUS status;
    va_list arguments;

    va_start(arguments, format);
    status = RtlStringCbVPrintfA(target, size, format, arguments);
    va_end(arguments);
    return status;
}

static inline NTSTATUS RtlStringCbCopyA(PSTR target, SIZE_T size, PCSTR source)
{
    return RtlStringCbPrintfA(target, size, "%s", source);
}

static inline NTSTATUS RtlStringCbCatA(PSTR target, SIZE_T size, PCSTR source)
{
    SIZE_T length;
    NTSTATUS status = RtlStringCbLengthA(target, size, &length);

    return NT_SUCCESS(status) ? RtlStringCbCopyA(target + length, size - length, source) : status;
}

#define RtlStringCchLengthA RtlStringCbLengthA
#define RtlStringCchPrintfA RtlStringCbPrintfA
#define RtlStringCchCopyA   RtlStringCbCopyA
#define RtlStringCchCatA    RtlStringCbCatA

#endif
