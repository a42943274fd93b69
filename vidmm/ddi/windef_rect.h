/* SPDX-License-Identifier: MIT */
/*
 * windef_rect.h: points and rectangles, which windef.h and the display interface share.
 *
 * A header of its own because the interface needs them without the other names of windef.h.
 * Source: public pages "RECT structure", "POINT structure", "SIZE structure" (windef.h).
 */
#ifndef VIDMM_DDI_WINDEF_RECT_H
#define VIDMM_DDI_WINDEF_RECT_H

#include "ntdef.h"

/* Pixels; right and bottom lie just outside. */
typedef struct tagRECT {
    LONG left;
    LONG top;
    LONG right;
    LONG bottom;
} RECT, *PRECT, *LPRECT;
typedef const RECT *LPCRECT;

typedef struct tagPOINT {
    LONG x;
    LONG y;
} POINT, *PPOINT;

typedef struct tagSIZE {
    LONG cx;
    LONG cy;
} SIZE, *PSIZE;

#endif
