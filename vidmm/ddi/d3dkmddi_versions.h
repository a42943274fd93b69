/* SPDX-License-Identifier: MIT */
/*
 * d3dkmddi_versions.h: which DXGKDDI_INTERFACE_VERSION stands for which version of WDDM, for both
 * sides of the interface.
 */
#ifndef VIDMM_DDI_D3DKMDDI_VERSIONS_H
#define VIDMM_DDI_D3DKMDDI_VERSIONS_H

#include "d3dukmdt.h"

struct ddi_version {
    UINT wddm;
    ULONG version;
};

/* Row `index`, ascending; NULL behind the last. */
static inline const struct ddi_version *ddi_version_row(UINT index)
{
    static const struct ddi_version rows[] = {
        { 10, DXGKDDI_INTERFACE_VERSION_VISTA_SP1 }, { 11, DXGKDDI_INTERFACE_VERSION_WIN7 },
        { 12, DXGKDDI_INTERFACE_VERSION_WIN8 },      { 13, DXGKDDI_INTERFACE_VERSION_WDDM1_3 },
        { 20, DXGKDDI_INTERFACE_VERSION_WDDM2_0 },   { 21, DXGKDDI_INTERFACE_VERSION_WDDM2_1 },
        { 22, DXGKDDI_INTERFACE_VERSION_WDDM2_2 },   { 23, DXGKDDI_INTERFACE_VERSION_WDDM2_3 },
        { 24, DXGKDDI_INTERFACE_VERSION_WDDM2_4 },   { 25, DXGKDDI_INTERFACE_VERSION_WDDM2_5 },
        { 26, DXGKDDI_INTERFACE_VERSION_WDDM2_6 },   { 27, DXGKDDI_INTERFACE_VERSION_WDDM2_7 },
        { 28, DXGKDDI_INTERFACE_VERSION_WDDM2_8 },   { 29, DXGKDDI_INTERFACE_VERSION_WDDM2_9 },
        { 30, DXGKDDI_INTERFACE_VERSION_WDDM3_0 },   { 31, DXGKDDI_INTERFACE_VERSION_WDDM3_1 },
        { 32, DXGKDDI_INTERFACE_VERSION_WDDM3_2 },
    };
    return index < sizeof rows / sizeof *rows ? &rows[index] : 0;
}

/* The interface version of a version of WDDM: that of the newest row that is not newer. */
static inline ULONG ddi_version_of(UINT wddm)
{
    UINT row = 0;
    while (ddi_version_row(row + 1) && ddi_version_row(row + 1)->wddm <= wddm)
        row++;
    return ddi_version_row(row)->version;
}

/* The newest version of WDDM that an interface version knows. */
static inline UINT ddi_version_wddm(ULONG version)
{
    UINT row = 0;
    while (ddi_version_row(row + 1) && ddi_version_row(row + 1)->version <= version)
        row++;
    return ddi_version_row(row)->wddm;
}

#endif
