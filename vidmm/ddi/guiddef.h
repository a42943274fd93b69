/* SPDX-License-Identifier: MIT */
/*
 * guiddef.h: the 16-byte identifier and the macro that declares or defines one.
 *
 * DEFINE_GUID declares; after initguid.h was included it defines. It may therefore be
 * redefined on a second inclusion, which is why that part stands outside the include guard.
 * Source: public page "GUID structure" (guiddef.h).
 */
#ifndef VIDMM_DDI_GUIDDEF_H
#define VIDMM_DDI_GUIDDEF_H

#include <string.h>

typedef struct _GUID {
    __UINT32_TYPE__ Data1;
    __UINT16_TYPE__ Data2;
    __UINT16_TYPE__ Data3;
    __UINT8_TYPE__ Data4[8];
} GUID;

typedef GUID *LPGUID;
typedef const GUID *LPCGUID;

#ifdef __cplusplus
typedef const GUID &REFGUID;
#define IsEqualGUID(left, right) (!memcmp(&(left), &(right), sizeof(GUID)))
#else
typedef const GUID *REFGUID;
#define IsEqualGUID(left, right) (!memcmp((left), (right), sizeof(GUID)))
#endif

#endif

#undef DEFINE_GUID
#ifdef __cplusplus
#define VIDMM_DDI_GUID_LINKAGE extern "C"
#else
#define VIDMM_DDI_GUID_LINKAGE extern
#endif
#ifdef INITGUID
#ifdef __cplusplus
#define DEFINE_GUID(name, l, w1, w2, b1, b2, b3, b4, b5, b6, b7, b8)                               \
    extern "C" const GUID name = { l, w1, w2, { b1, b2, b3, b4, b5, b6, b7, b8 } }
#else
#define DEFINE_GUID(name, l, w1, w2, b1, b2, b3, b4, b5, b6, b7, b8)                               \
    const GUID name = { l, w1, w2, { b1, b2, b3, b4, b5, b6, b7, b8 } }
#endif
#else
#define DEFINE_GUID(name, l, w1, w2, b1, b2, b3, b4, b5, b6, b7, b8)                               \
    VIDMM_DDI_GUID_LINKAGE const GUID name
#endif
