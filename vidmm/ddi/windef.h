/* SPDX-License-Identifier: MIT */
/*
 * windef.h: the short type names of Windows programs, beside those of ntdef.h.
 *
 * Separate from ntddk.h because many drivers define BYTE, WORD and DWORD themselves.
 */
#ifndef VIDMM_DDI_WINDEF_H
#define VIDMM_DDI_WINDEF_H
#define _WINDEF_

#include "ntdef.h"
#include "windef_rect.h"

typedef UCHAR BYTE, *PBYTE, *LPBYTE;
typedef USHORT WORD, *PWORD, *LPWORD;
typedef ULONG DWORD, *PDWORD, *LPDWORD;
typedef int BOOL, *PBOOL, *LPBOOL;
typedef float FLOAT, *PFLOAT;
typedef void *LPVOID;
typedef const void *LPCVOID;
typedef LONG HRESULT;
typedef ULONG COLORREF;
typedef UINT_PTR WPARAM;
typedef LONG_PTR LPARAM;

typedef struct HWND__ *HWND;
typedef struct HDC__ *HDC;
typedef struct HINSTANCE__ *HINSTANCE;
typedef HINSTANCE HMODULE;

#define MAX_PATH            260
#define LOBYTE(word)        ((BYTE)(((ULONG_PTR)(word)) & 0xff))
#define HIBYTE(word)        ((BYTE)((((ULONG_PTR)(word)) >> 8) & 0xff))
#define LOWORD(value)       ((WORD)(((ULONG_PTR)(value)) & 0xffff))
#define HIWORD(value)       ((WORD)((((ULONG_PTR)(value)) >> 16) & 0xffff))
#define MAKEWORD(low, high) ((WORD)(((BYTE)(low)) | ((WORD)((BYTE)(high))) << 8))
#define MAKELONG(low, high) ((LONG)(((WORD)(low)) | ((ULONG)((WORD)(high))) << 16))

#endif
