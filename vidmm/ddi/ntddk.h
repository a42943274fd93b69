/* SPDX-License-Identifier: MIT */
/*
 * ntddk.h: the header most kernel drivers begin with; all of it stands in wdm.h here.
 *
 * Drivers test _NTDDK_ to learn that they are compiled for the kernel. BYTE, WORD and DWORD are
 * deliberately absent (see windef.h).
 */
#ifndef VIDMM_DDI_NTDDK_H
#define VIDMM_DDI_NTDDK_H
#define _NTDDK_

#include "wdm.h"

#endif
