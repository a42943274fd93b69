/* SPDX-License-Identifier: MIT */
/*
 * ntdef.h: base types of the display driver interface, with the widths of 64-bit Windows.
 *
 * A source written for Windows expects LONG and ULONG of 32 bits and pointers of 64. All 64-bit
 * types are what the host's uint64_t and int64_t are (whose names a driver may have for its own: no
 * header of this folder includes <stdint.h>), so that SIZE_T, ULONGLONG, UINT64 and size_t are one
 * type, as they are on 64-bit Windows.
 *
 * Two dialects read this file. Drivers compile with -fms-extensions -fshort-wchar (CMake target
 * vidmm::ddi): then WCHAR is wchar_t, NULL is plain 0 (drivers use it as a pure specifier), IN, OUT
 * and OPTIONAL are empty words, min and max are macros (unless NOMINMAX), and words that the
 * compiler lacks (__stdcall, __declspec ...) are supplied. Everybody else keeps the host's NULL and
 * wchar_t and gets a 16-bit WCHAR of the same layout. The compiler's wchar_t width tells which
 * dialect it is.
 *
 * BYTE, WORD and DWORD are missing on purpose: drivers define their own (windef.h has them).
 */
#ifndef VIDMM_DDI_NTDEF_H
#define VIDMM_DDI_NTDEF_H
#define _NTDEF_

#include <stddef.h>
#include <string.h>

#include "guiddef.h"
#include "sal.h"

#if __SIZEOF_WCHAR_T__ == 2
#define VIDMM_DDI_DRIVER_DIALECT 1
#define IN
#define OUT
#define OPTIONAL
#define EXCEPTION_EXECUTE_HANDLER 1
#define EXCEPTION_CONTINUE_SEARCH 0
/* No exceptions exist in user space: the guarded block runs, the handler never does. */
/* clang-format off */
#define __try if (1)
#define __except(filter) else
#define __finally
/* clang-format on */
#define __stdcall
#define __cdecl
#define __fastcall
#define UNALIGNED
#ifndef __clang__
#define __int64 long
#define __int32 int
#define __int16 short
#define __int8 char
#define __forceinline inline __attribute__((always_inline))
#define __declspec(word) VIDMM_DDI_DECLSPEC_##word
#define VIDMM_DDI_DECLSPEC_align(bytes) __attribute__((aligned(bytes)))
#define VIDMM_DDI_DECLSPEC_noreturn     __attribute__((noreturn))
#define VIDMM_DDI_DECLSPEC_noinline     __attribute__((noinline))
#define VIDMM_DDI_DECLSPEC_selectany    __attribute__((weak))
#define VIDMM_DDI_DECLSPEC_dllexport    __attribute__((visibility("default")))
#define VIDMM_DDI_DECLSPEC_dllimport
#define VIDMM_DDI_DECLSPEC_novtable
#endif
#ifndef NOMINMAX
#ifndef min
#define min(a, b) ((a) < (b) ? (a) : (b))
#endif
#ifndef max
#define max(a, b) ((a) > (b) ? (a) : (b))
#endif
#endif
#endif

/* Calling conventions: one convention for all on this host. */
#define NTAPI
#define APIENTRY
#define WINAPI
#define CALLBACK
#define FASTCALL
#define NTAPI_INLINE
#define FORCEINLINE           static inline
#define DECLSPEC_NORETURN     __attribute__((noreturn))
#define DECLSPEC_ALIGN(bytes) __attribute__((aligned(bytes)))
#define DECLSPEC_IMPORT
#define DECLSPEC_EXPORT
#define NTSYSAPI
#define NTKERNELAPI
#ifdef __cplusplus
#define EXTERN_C       extern "C"
#define EXTERN_C_START extern "C" {
#define EXTERN_C_END   }
#else
#define EXTERN_C extern
#define EXTERN_C_START
#define EXTERN_C_END
#endif

#define VOID void
#ifndef CONST
#define CONST const
#endif
#ifndef TRUE
#define TRUE 1
#endif
#ifndef FALSE
#define FALSE 0
#endif

typedef void *PVOID;
typedef void **PPVOID;
typedef void *HANDLE;
typedef HANDLE *PHANDLE;

typedef char CHAR;
typedef signed char SCHAR;
typedef unsigned char UCHAR;
typedef short SHORT;
typedef short CSHORT;
typedef unsigned short USHORT;
typedef int INT;
typedef unsigned int UINT;
typedef __INT32_TYPE__ LONG;
typedef __UINT32_TYPE__ ULONG;
typedef __INT64_TYPE__ LONGLONG;
typedef __UINT64_TYPE__ ULONGLONG;
typedef UCHAR BOOLEAN;
typedef __INT8_TYPE__ INT8;
typedef __UINT8_TYPE__ UINT8;
typedef __INT16_TYPE__ INT16;
typedef __UINT16_TYPE__ UINT16;
typedef __INT32_TYPE__ INT32;
typedef __UINT32_TYPE__ UINT32;
typedef __INT64_TYPE__ INT64;
typedef __UINT64_TYPE__ UINT64;
typedef __INT32_TYPE__ LONG32;
typedef __UINT32_TYPE__ ULONG32;
typedef __UINT32_TYPE__ DWORD32;
typedef __INT64_TYPE__ LONG64;
typedef __UINT64_TYPE__ ULONG64;
typedef __UINT64_TYPE__ DWORD64;
typedef __INT64_TYPE__ INT_PTR;
typedef __UINT64_TYPE__ UINT_PTR;
typedef __INT64_TYPE__ LONG_PTR;
typedef __UINT64_TYPE__ ULONG_PTR;
typedef __UINT64_TYPE__ DWORD_PTR;
typedef size_t SIZE_T;
typedef __INT64_TYPE__ SSIZE_T;
typedef LONG NTSTATUS;
typedef ULONG ACCESS_MASK;
typedef __UINT64_TYPE__ KAFFINITY;
typedef ULONG LCID;

#if VIDMM_DDI_DRIVER_DIALECT
typedef wchar_t WCHAR;
#else
typedef __UINT16_TYPE__ WCHAR;
#endif

typedef CHAR *PCHAR, *PCH, *PSTR, *LPSTR;
typedef const CHAR *PCSTR, *LPCSTR, *PCCH;
typedef UCHAR *PUCHAR;
typedef SHORT *PSHORT;
typedef USHORT *PUSHORT;
typedef INT *PINT;
typedef UINT *PUINT;
typedef LONG *PLONG;
typedef ULONG *PULONG;
typedef LONGLONG *PLONGLONG;
typedef ULONGLONG *PULONGLONG;
typedef UINT8 *PUINT8;
typedef UINT16 *PUINT16;
typedef UINT32 *PUINT32;
typedef UINT64 *PUINT64;
typedef ULONG64 *PULONG64;
typedef ULONG_PTR *PULONG_PTR;
typedef SIZE_T *PSIZE_T;
typedef BOOLEAN *PBOOLEAN;
typedef NTSTATUS *PNTSTATUS;
typedef WCHAR *PWCHAR, *PWCH, *PWSTR, *LPWSTR;
typedef const WCHAR *PCWSTR, *LPCWSTR, *PCWCH;

/* The 64-bit value of many interface structures; addresses of the bus use it too. */
typedef union _LARGE_INTEGER {
    struct {
        ULONG LowPart;
        LONG HighPart;
    };
    struct {
        ULONG LowPart;
        LONG HighPart;
    } u;
    LONGLONG QuadPart;
} LARGE_INTEGER, *PLARGE_INTEGER;

typedef union _ULARGE_INTEGER {
    struct {
        ULONG LowPart;
        ULONG HighPart;
    };
    struct {
        ULONG LowPart;
        ULONG HighPart;
    } u;
    ULONGLONG QuadPart;
} ULARGE_INTEGER, *PULARGE_INTEGER;

typedef LARGE_INTEGER PHYSICAL_ADDRESS, *PPHYSICAL_ADDRESS;

typedef struct _LUID {
    ULONG LowPart;
    LONG HighPart;
} LUID, *PLUID;

/* Length and MaximumLength count bytes, not characters. */
typedef struct _UNICODE_STRING {
    USHORT Length;
    USHORT MaximumLength;
    PWCH Buffer;
} UNICODE_STRING, *PUNICODE_STRING;
typedef const UNICODE_STRING *PCUNICODE_STRING;

typedef struct _STRING {
    USHORT Length;
    USHORT MaximumLength;
    PCHAR Buffer;
} STRING, ANSI_STRING, *PSTRING, *PANSI_STRING;

typedef struct _LIST_ENTRY {
    struct _LIST_ENTRY *Flink;
    struct _LIST_ENTRY *Blink;
} LIST_ENTRY, *PLIST_ENTRY;

typedef struct _SINGLE_LIST_ENTRY {
    struct _SINGLE_LIST_ENTRY *Next;
} SINGLE_LIST_ENTRY, *PSINGLE_LIST_ENTRY;

#define NT_SUCCESS(status)     (((NTSTATUS)(status)) >= 0)
#define NT_INFORMATION(status) ((((ULONG)(status)) >> 30) == 1)
#define NT_WARNING(status)     ((((ULONG)(status)) >> 30) == 2)
#define NT_ERROR(status)       ((((ULONG)(status)) >> 30) == 3)

#define UNREFERENCED_PARAMETER(name)          ((void)(name))
#define DBG_UNREFERENCED_PARAMETER(name)      ((void)(name))
#define DBG_UNREFERENCED_LOCAL_VARIABLE(name) ((void)(name))

#define FIELD_OFFSET(type, field) ((LONG)offsetof(type, field))
#define CONTAINING_RECORD(address, type, field)                                                    \
    ((type *)(void *)((char *)(address)-offsetof(type, field)))
#define ARRAYSIZE(array)            (sizeof(array) / sizeof((array)[0]))
#define RTL_NUMBER_OF(array)        ARRAYSIZE(array)
#define RTL_FIELD_SIZE(type, field) (sizeof(((type *)0)->field))

#define MAXUCHAR     0xff
#define MAXUSHORT    0xffff
#define MAXLONG      0x7fffffff
#define MAXULONG     0xffffffffu
#define MAXULONG64   __UINT64_MAX__
#define MAXULONGLONG __UINT64_MAX__

/* Pointer names of plain types that callback prototypes are written with. */
typedef const HANDLE IN_CONST_HANDLE;
typedef void *const IN_CONST_PVOID;
typedef void *IN_PVOID;
typedef PVOID *OUT_PPVOID;
typedef ULONG IN_ULONG;
typedef UCHAR IN_UCHAR;
typedef BOOLEAN IN_BOOLEAN;
typedef ULONG *OUT_PULONG;

#endif

/* Outside of the guard: headers of the host put their own NULL back. */
#if __SIZEOF_WCHAR_T__ == 2
#undef NULL
#define NULL 0
#endif
