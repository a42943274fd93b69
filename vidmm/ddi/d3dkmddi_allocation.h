/* SPDX-License-Identifier: MIT */
/*
 * d3dkmddi_allocation.h: creating, opening, describing and destroying allocations.
 *
 * The driver fills DXGK_ALLOCATIONINFO once, at creation. In segment sets bit n - 1 stands for
 * segment n. The flag word has three readings (FLAG-001): Flags below 2.0, Flags of a driver of
 * 2.0, and FlagsWddm2; bits 0 to 6, 8, 9 and 14 and up agree in all of them.
 *
 * Source: public pages titled like the types (d3dkmddi.h). The page of DXGK_ALLOCATIONINFOFLAGS
 * prints both alternatives of bits 15 to 18; the newer names stand here.
 */
#ifndef VIDMM_DDI_D3DKMDDI_ALLOCATION_H
#define VIDMM_DDI_D3DKMDDI_ALLOCATION_H

#include "d3dkmddi_segments.h"

typedef struct _DXGK_ALLOCATIONINFOFLAGS {
    union {
        struct {
            UINT CpuVisible : 1;
            UINT PermanentSysMem : 1;
            UINT Cached : 1;
            UINT Protected : 1;
            UINT ExistingSysMem : 1;
            UINT ExistingKernelSysMem : 1;
            UINT FromEndOfSegment : 1;
            UINT Swizzled : 1;
            UINT Overlay : 1;
            UINT Capture : 1;
            UINT UseAlternateVA : 1;
            UINT SynchronousPaging : 1;
            UINT LinkMirrored : 1;
            UINT LinkInstanced : 1;
            UINT HistoryBuffer : 1;
            UINT AccessedPhysically : 1;
            UINT ExplicitResidencyNotification : 1;
            UINT HardwareProtected : 1;
            UINT CpuVisibleOnDemand : 1;
            UINT DXGK_ALLOC_RESERVED16 : 1;
            UINT DXGK_ALLOC_RESERVED15 : 1;
            UINT DXGK_ALLOC_RESERVED14 : 1;
            UINT DXGK_ALLOC_RESERVED13 : 1;
            UINT DXGK_ALLOC_RESERVED12 : 1;
            UINT DXGK_ALLOC_RESERVED11 : 1;
            UINT DXGK_ALLOC_RESERVED10 : 1;
            UINT DXGK_ALLOC_RESERVED9 : 1;
            UINT DXGK_ALLOC_RESERVED4 : 1;
            UINT DXGK_ALLOC_RESERVED3 : 1;
            UINT DXGK_ALLOC_RESERVED2 : 1;
            UINT DXGK_ALLOC_RESERVED1 : 1;
            UINT DXGK_ALLOC_RESERVED0 : 1;
        };
        UINT Value;
    };
} DXGK_ALLOCATIONINFOFLAGS;

/* Bit 10 before 2.1 and bit 13 before 2.9 are reserved. */
typedef struct _DXGK_ALLOCATIONINFOFLAGS_WDDM2_0 {
    union {
        struct {
            UINT CpuVisible : 1;
            UINT PermanentSysMem : 1;
            UINT Cached : 1;
            UINT Protected : 1;
            UINT ExistingSysMem : 1;
            UINT ExistingKernelSysMem : 1;
            UINT FromEndOfSegment : 1;
            UINT DisableLargePageMapping : 1;
            UINT Overlay : 1;
            UINT Capture : 1;
            UINT CreateInVpr : 1;
            UINT DXGK_ALLOC_RESERVED17 : 1;
            UINT Reserved02 : 1;
            UINT MapApertureCpuVisible : 1;
            UINT HistoryBuffer : 1;
            UINT AccessedPhysically : 1;
            UINT ExplicitResidencyNotification : 1;
            UINT HardwareProtected : 1;
            UINT CpuVisibleOnDemand : 1;
            UINT DXGK_ALLOC_RESERVED16 : 1;
            UINT DXGK_ALLOC_RESERVED15 : 1;
            UINT DXGK_ALLOC_RESERVED14 : 1;
            UINT DXGK_ALLOC_RESERVED13 : 1;
            UINT DXGK_ALLOC_RESERVED12 : 1;
            UINT DXGK_ALLOC_RESERVED11 : 1;
            UINT DXGK_ALLOC_RESERVED10 : 1;
            UINT DXGK_ALLOC_RESERVED9 : 1;
            UINT DXGK_ALLOC_RESERVED4 : 1;
            UINT DXGK_ALLOC_RESERVED3 : 1;
            UINT DXGK_ALLOC_RESERVED2 : 1;
            UINT DXGK_ALLOC_RESERVED1 : 1;
            UINT DXGK_ALLOC_RESERVED0 : 1;
        };
        UINT Value;
    };
} DXGK_ALLOCATIONINFOFLAGS_WDDM2_0;

/* Bit 0 since 3.0, the others since 3.2. */
typedef struct _DXGK_ALLOCATIONINFOFLAGS2 {
    union {
        struct {
            UINT ShareBackingStoreWithKmd : 1;
            UINT NoImplicitSynchronization : 1;
            UINT DisablePartialResidency : 1;
            UINT RestrictedToSingleSegment : 1;
            UINT NotifyEviction : 1;
            UINT NotifyIoMmuUnmap : 1;
            UINT Reserved : 26;
        };
        UINT Value;
    };
} DXGK_ALLOCATIONINFOFLAGS2;

/* What the driver says about the use of an allocation, for reports only. */
typedef struct _DXGK_ALLOCATIONUSAGEINFO1 {
    union {
        struct {
            UINT PrivateFormat : 1;
            UINT Swizzled : 1;
            UINT MipMap : 1;
            UINT Cube : 1;
            UINT Volume : 1;
            UINT Vertex : 1;
            UINT Index : 1;
            UINT Reserved : 25;
        };
        UINT Value;
    } Flags;
    union {
        D3DDDIFORMAT Format;
        UINT PrivateFormat;
    };
    UINT SwizzledFormat;
    UINT ByteOffset;
    UINT Width;
    UINT Height;
    UINT Pitch;
    UINT Depth;
    UINT SlicePitch;
} DXGK_ALLOCATIONUSAGEINFO1;

typedef struct _DXGK_ALLOCATIONUSAGEHINT {
    UINT Version;
    DXGK_ALLOCATIONUSAGEINFO1 v1;
} DXGK_ALLOCATIONUSAGEHINT;

/*
 * Sizes and Alignment in bytes, Alignment 0 for one page. PitchAlignedSize is the size in segments
 * with PitchAlignment. hAllocation is the driver's own handle; it must not stay null.
 */
typedef struct _DXGK_ALLOCATIONINFO {
    VOID *pPrivateDriverData;
    UINT PrivateDriverDataSize;
    union {
        UINT Alignment;
        struct {
            UINT16 MinimumPageSize;
            UINT16 RecommendedPageSize;
        };
    };
    SIZE_T Size;
    SIZE_T PitchAlignedSize;
    DXGK_SEGMENTBANKPREFERENCE HintedBank;
    DXGK_SEGMENTPREFERENCE PreferredSegment;
    union {
        UINT SupportedReadSegmentSet;
        UINT MmuSet;
    };
    UINT SupportedWriteSegmentSet;
    UINT EvictionSegmentSet;
    union {
        UINT MaximumRenamingListLength;
        UINT PhysicalAdapterIndex;
    };
    HANDLE hAllocation;
    union {
        DXGK_ALLOCATIONINFOFLAGS Flags;
        DXGK_ALLOCATIONINFOFLAGS_WDDM2_0 FlagsWddm2;
    };
    DXGK_ALLOCATIONUSAGEHINT *pAllocationUsageHint;
    UINT AllocationPriority;
    DXGK_ALLOCATIONINFOFLAGS2 Flags2;
} DXGK_ALLOCATIONINFO;

typedef struct _DXGK_CREATEALLOCATIONFLAGS {
    union {
        struct {
            UINT Resource : 1;
            UINT Reserved : 31;
        };
        UINT Value;
    };
} DXGK_CREATEALLOCATIONFLAGS;

/* hResource: in what the driver answered for the resource before, out its handle for a new one. */
typedef struct _DXGKARG_CREATEALLOCATION {
    const VOID *pPrivateDriverData;
    UINT PrivateDriverDataSize;
    UINT NumAllocations;
    DXGK_ALLOCATIONINFO *pAllocationInfo;
    HANDLE hResource;
    DXGK_CREATEALLOCATIONFLAGS Flags;
} DXGKARG_CREATEALLOCATION;
VIDMM_DDI_POINTERS(DXGKARG_CREATEALLOCATION);

typedef struct _DXGK_DESTROYALLOCATIONFLAGS {
    union {
        struct {
            UINT DestroyResource : 1;
            UINT Reserved : 31;
        };
        UINT Value;
    };
} DXGK_DESTROYALLOCATIONFLAGS;

typedef struct _DXGKARG_DESTROYALLOCATION {
    UINT NumAllocations;
    const HANDLE *pAllocationList;
    HANDLE hResource;
    DXGK_DESTROYALLOCATIONFLAGS Flags;
} DXGKARG_DESTROYALLOCATION;
VIDMM_DDI_POINTERS(DXGKARG_DESTROYALLOCATION);

/* hAllocation is the system's handle here; the driver answers its handle for this device. */
typedef struct _DXGK_OPENALLOCATIONINFO {
    D3DKMT_HANDLE hAllocation;
    VOID *pPrivateDriverData;
    UINT PrivateDriverDataSize;
    HANDLE hDeviceSpecificAllocation;
} DXGK_OPENALLOCATIONINFO;

/* Create is set for the device that created the allocations. */
typedef struct _DXGK_OPENALLOCATIONFLAGS {
    union {
        struct {
            UINT Create : 1;
            UINT ReadOnly : 1;
            UINT Reserved : 30;
        };
        UINT Value;
    };
} DXGK_OPENALLOCATIONFLAGS;

typedef struct _DXGKARG_OPENALLOCATION {
    UINT NumAllocations;
    DXGK_OPENALLOCATIONINFO *pOpenAllocation;
    VOID *pPrivateDriverData;
    UINT PrivateDriverSize;
    DXGK_OPENALLOCATIONFLAGS Flags;
    UINT SubresourceIndex;
    SIZE_T SubresourceOffset;
    UINT Pitch;
} DXGKARG_OPENALLOCATION;
VIDMM_DDI_POINTERS(DXGKARG_OPENALLOCATION);

/* pOpenHandleList holds what opening answered in hDeviceSpecificAllocation. */
typedef struct _DXGKARG_CLOSEALLOCATION {
    UINT NumAllocations;
    const HANDLE *pOpenHandleList;
} DXGKARG_CLOSEALLOCATION;
VIDMM_DDI_POINTERS(DXGKARG_CLOSEALLOCATION);

typedef struct _DXGK_DESCRIBEALLOCATIONFLAGS {
    union {
        struct {
            UINT CheckDisplayMode : 1;
            UINT Reserved : 31;
        };
        UINT Value;
    };
} DXGK_DESCRIBEALLOCATIONFLAGS;

typedef struct _DXGKARG_DESCRIBEALLOCATION {
    HANDLE hAllocation;
    UINT Width;
    UINT Height;
    D3DDDIFORMAT Format;
    D3DDDI_MULTISAMPLINGMETHOD MultisampleMethod;
    D3DDDI_RATIONAL RefreshRate;
    UINT PrivateDriverFormatAttribute;
    DXGK_DESCRIBEALLOCATIONFLAGS Flags;
    D3DDDI_ROTATION Rotation;
} DXGKARG_DESCRIBEALLOCATION;
VIDMM_DDI_POINTERS(DXGKARG_DESCRIBEALLOCATION);

/* The surface a native fence lives in has no memory rule behind it here. */
typedef struct _D3DKMDT_FENCESTORAGESURFACEDATA D3DKMDT_FENCESTORAGESURFACEDATA;

/*
 * Called twice: with null data pointers for the sizes alone, then with buffers of those sizes. The
 * member of the union that belongs to the type also carries back the pitch.
 */
typedef struct _DXGKARG_GETSTANDARDALLOCATIONDRIVERDATA {
    D3DKMDT_STANDARDALLOCATION_TYPE StandardAllocationType;
    union {
        D3DKMDT_SHAREDPRIMARYSURFACEDATA *pCreateSharedPrimarySurfaceData;
        D3DKMDT_SHADOWSURFACEDATA *pCreateShadowSurfaceData;
        D3DKMDT_STAGINGSURFACEDATA *pCreateStagingSurfaceData;
        D3DKMDT_GDISURFACEDATA *pCreateGdiSurfaceData;
        D3DKMDT_VIRTUALGPUSURFACEDATA *pCreateVirtualGpuSurfaceData;
        D3DKMDT_FENCESTORAGESURFACEDATA *pCreateFenceStorageData;
    };
    VOID *pAllocationPrivateDriverData;
    UINT AllocationPrivateDriverDataSize;
    VOID *pResourcePrivateDriverData;
    UINT ResourcePrivateDriverDataSize;
    UINT PhysicalAdapterIndex;
} DXGKARG_GETSTANDARDALLOCATIONDRIVERDATA;
VIDMM_DDI_POINTERS(DXGKARG_GETSTANDARDALLOCATIONDRIVERDATA);

typedef struct _DXGKARG_VALIDATEUPDATEALLOCPROPERTY {
    HANDLE hAllocation;
    UINT SupportedSegmentSet;
    D3DDDI_SEGMENTPREFERENCE PreferredSegment;
    D3DDDI_UPDATEALLOCPROPERTY_FLAGS Flags;
    union {
        struct {
            UINT SetAccessedPhysically : 1;
            UINT SetSupportedSegmentSet : 1;
            UINT SetPreferredSegment : 1;
            UINT Reserved : 29;
        };
        UINT PropertyMaskValue;
    };
} DXGKARG_VALIDATEUPDATEALLOCPROPERTY;
VIDMM_DDI_POINTERS(DXGKARG_VALIDATEUPDATEALLOCPROPERTY);

/* Answer to ShareBackingStoreWithKmd (FLAG-063). */
typedef struct _DXGKARG_SETALLOCATIONBACKINGSTORE {
    HANDLE hDriverAllocation;
    VOID *pBackingStore;
} DXGKARG_SETALLOCATIONBACKINGSTORE;
VIDMM_DDI_POINTERS(DXGKARG_SETALLOCATIONBACKINGSTORE);

/* An allocation the driver asks for itself, to save the state of a context. */
typedef struct _DXGK_CREATECONTEXTALLOCATIONFLAGS {
    union {
        struct {
            UINT SharedAcrossContexts : 1;
            UINT MapGpuVirtualAddress : 1;
            UINT Reserved : 30;
        };
        UINT Value;
    };
} DXGK_CREATECONTEXTALLOCATIONFLAGS;

typedef struct _DXGKARGCB_CREATECONTEXTALLOCATION {
    DXGK_CREATECONTEXTALLOCATIONFLAGS ContextAllocationFlags;
    HANDLE hAdapter;
    HANDLE hDevice;
    HANDLE hContext;
    HANDLE hDriverAllocation;
    SIZE_T Size;
    UINT Alignment;
    UINT SupportedSegmentSet;
    UINT EvictionSegmentSet;
    DXGK_SEGMENTPREFERENCE PreferredSegment;
    DXGK_SEGMENTBANKPREFERENCE HintedBank;
    DXGK_ALLOCATIONINFOFLAGS Flags;
    HANDLE hAllocation;
    UINT PhysicalAdapterIndex;
} DXGKARGCB_CREATECONTEXTALLOCATION;
VIDMM_DDI_POINTERS(DXGKARGCB_CREATECONTEXTALLOCATION);

#endif
