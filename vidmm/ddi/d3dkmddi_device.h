/* SPDX-License-Identifier: MIT */
/*
 * d3dkmddi_device.h: processes, devices and contexts of a miniport.
 *
 * hDevice and hContext carry the system's handle in and the driver's handle out. Sizes of the
 * command buffer and its lists come from the device below 2.0 without multi-engine support, else
 * from the context; private data in bytes, lists in elements.
 *
 * Source: public pages titled like the types (d3dkmddi.h).
 */
#ifndef VIDMM_DDI_D3DKMDDI_DEVICE_H
#define VIDMM_DDI_D3DKMDDI_DEVICE_H

#include "d3dkmddi_names.h"
#include "d3dkmdt.h"

typedef struct _DXGK_CREATEPROCESSFLAGS {
    union {
        struct {
            UINT SystemProcess : 1;
            UINT GdiProcess : 1;
            UINT VirtualMachineProcess : 1;
            UINT VirtualMachineWorkerProcess : 1;
            UINT SessionIsolatedContainer : 1;
            UINT Reserved : 27;
        };
        UINT Value;
    };
} DXGK_CREATEPROCESSFLAGS;

typedef struct _DXGKARG_CREATEPROCESS {
    HANDLE hDxgkProcess;
    HANDLE hKmdProcess;
    DXGK_CREATEPROCESSFLAGS Flags;
    UINT NumPasid;
    ULONG *pPasid;
    HANDLE hKmdVmWorkerProcess;
    UINT ProcessNameLength;
    WCHAR *pProcessName;
} DXGKARG_CREATEPROCESS;
VIDMM_DDI_POINTERS(DXGKARG_CREATEPROCESS);

typedef struct _DXGK_CREATEDEVICEFLAGS {
    union {
        struct {
            UINT SystemDevice : 1;
            UINT GdiDevice : 1;
            UINT Reserved : 29;
            UINT DXGK_DEVICE_RESERVED0 : 1;
        };
        UINT Value;
    };
} DXGK_CREATEDEVICEFLAGS;

typedef struct _DXGK_DEVICEINFOFLAGS {
    union {
        struct {
            UINT GuaranteedDmaBufferContract : 1;
            UINT Reserved : 31;
        };
        UINT Value;
    };
} DXGK_DEVICEINFOFLAGS;

/* DmaBufferSegmentSet 0 puts command buffers into locked system memory. */
typedef struct _DXGK_DEVICEINFO {
    UINT DmaBufferSize;
    UINT DmaBufferSegmentSet;
    UINT DmaBufferPrivateDataSize;
    UINT AllocationListSize;
    UINT PatchLocationListSize;
    DXGK_DEVICEINFOFLAGS Flags;
} DXGK_DEVICEINFO;

/* Flags and pInfo share their place: a driver reads Flags before it writes through pInfo. */
typedef struct _DXGKARG_CREATEDEVICE {
    HANDLE hDevice;
    union {
        DXGK_CREATEDEVICEFLAGS Flags;
        DXGK_DEVICEINFO *pInfo;
    };
    ULONG Pasid;
    HANDLE hKmdProcess;
} DXGKARG_CREATEDEVICE;
VIDMM_DDI_POINTERS(DXGKARG_CREATEDEVICE);

typedef struct _DXGK_CREATECONTEXTFLAGS {
    union {
        struct {
            UINT SystemContext : 1;
            UINT GdiContext : 1;
            UINT VirtualAddressing : 1;
            UINT SystemProtectedContext : 1;
            UINT HwQueueSupported : 1;
            UINT TestContext : 1;
            UINT Reserved : 26;
        };
        UINT Value;
    };
} DXGK_CREATECONTEXTFLAGS;

typedef struct _DXGK_CONTEXTINFO_CAPS {
    union {
        struct {
            UINT NoPatchingRequired : 1;
            UINT DriverManagesResidency : 1;
            UINT UseIoMmu : 1;
            UINT Reserved : 29;
        };
        UINT Value;
    };
} DXGK_CONTEXTINFO_CAPS;

/* List size that a context with GdiContext has to answer. */
#define DXGK_ALLOCATION_LIST_SIZE_GDICONTEXT 256

typedef struct _DXGK_CONTEXTINFO {
    UINT DmaBufferSize;
    UINT DmaBufferSegmentSet;
    UINT DmaBufferPrivateDataSize;
    UINT AllocationListSize;
    UINT PatchLocationListSize;
    UINT Reserved;
    DXGK_CONTEXTINFO_CAPS Caps;
    ULONG PagingCompanionNodeId;
} DXGK_CONTEXTINFO;

/* EngineAffinity: one bit for each engine of the node. */
typedef struct _DXGKARG_CREATECONTEXT {
    HANDLE hContext;
    UINT NodeOrdinal;
    UINT EngineAffinity;
    DXGK_CREATECONTEXTFLAGS Flags;
    VOID *pPrivateDriverData;
    UINT PrivateDriverDataSize;
    DXGK_CONTEXTINFO ContextInfo;
} DXGKARG_CREATECONTEXT;
VIDMM_DDI_POINTERS(DXGKARG_CREATECONTEXT);

typedef struct _DXGKARG_ESCAPE {
    HANDLE hDevice;
    D3DDDI_ESCAPEFLAGS Flags;
    VOID *pPrivateDriverData;
    UINT PrivateDriverDataSize;
    HANDLE hContext;
    HANDLE hKmdProcessHandle;
} DXGKARG_ESCAPE;
VIDMM_DDI_POINTERS(DXGKARG_ESCAPE);

#endif
