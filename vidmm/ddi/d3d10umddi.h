/* SPDX-License-Identifier: MIT */
/*
 * d3d10umddi.h: two words of the user-mode interface that drivers keep in allocation private data.
 *
 * Nothing else of that interface is here. Source: public pages "D3D10DDI_MIPINFO structure" and
 * "D3D10DDIRESOURCE_TYPE enumeration" (d3d10umddi.h).
 */
#ifndef VIDMM_DDI_D3D10UMDDI_H
#define VIDMM_DDI_D3D10UMDDI_H

#include "ntdef.h"

typedef enum D3D10DDIRESOURCE_TYPE {
    D3D10DDIRESOURCE_BUFFER = 1,
    D3D10DDIRESOURCE_TEXTURE1D = 2,
    D3D10DDIRESOURCE_TEXTURE2D = 3,
    D3D10DDIRESOURCE_TEXTURE3D = 4,
    D3D10DDIRESOURCE_TEXTURECUBE = 5,
    D3D11DDIRESOURCE_BUFFEREX = 6
} D3D10DDIRESOURCE_TYPE;

/* Texels as the application sees them, and as padded for the hardware. */
typedef struct D3D10DDI_MIPINFO {
    UINT TexelWidth;
    UINT TexelHeight;
    UINT TexelDepth;
    UINT PhysicalWidth;
    UINT PhysicalHeight;
    UINT PhysicalDepth;
} D3D10DDI_MIPINFO;

#endif
