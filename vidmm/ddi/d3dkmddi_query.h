/* SPDX-License-Identifier: MIT */
/*
 * d3dkmddi_query.h: what the system asks about an adapter, and the capabilities it is told.
 *
 * pInputData and pOutputData of DXGKARG_QUERYADAPTERINFO are of the type that belongs to Type. Of
 * DXGK_DRIVERCAPS memory management reads what MINI-018 lists; the rest is there because the
 * layout is one.
 *
 * Source: public pages titled like the types (d3dkmddi.h).
 */
#ifndef VIDMM_DDI_D3DKMDDI_QUERY_H
#define VIDMM_DDI_D3DKMDDI_QUERY_H

#include "d3dkmddi_names.h"
#include "d3dkmdt.h"

typedef enum _DXGK_QUERYADAPTERINFOTYPE {
    DXGKQAITYPE_UMDRIVERPRIVATE = 0,
    DXGKQAITYPE_DRIVERCAPS = 1,
    DXGKQAITYPE_QUERYSEGMENT = 2,
    DXGKQAITYPE_RESERVED = 3,
    DXGKQAITYPE_QUERYSEGMENT2 = 4,
    DXGKQAITYPE_QUERYSEGMENT3 = 5,
    DXGKQAITYPE_NUMPOWERCOMPONENTS = 6,
    DXGKQAITYPE_POWERCOMPONENTINFO = 7,
    DXGKQAITYPE_PREFERREDGPUNODE = 8,
    DXGKQAITYPE_POWERCOMPONENTPSTATEINFO = 9,
    DXGKQAITYPE_HISTORYBUFFERPRECISION = 10,
    DXGKQAITYPE_QUERYSEGMENT4 = 11,
    DXGKQAITYPE_SEGMENTMEMORYSTATE = 12,
    DXGKQAITYPE_GPUMMUCAPS = 13,
    DXGKQAITYPE_PAGETABLELEVELDESC = 14,
    DXGKQAITYPE_PHYSICALADAPTERCAPS = 15,
    DXGKQAITYPE_DISPLAY_DRIVERCAPS_EXTENSION = 16,
    DXGKQAITYPE_INTEGRATED_DISPLAY_DESCRIPTOR = 17,
    DXGKQAITYPE_UEFIFRAMEBUFFERRANGES = 18,
    DXGKQAITYPE_QUERYCOLORIMETRYOVERRIDES = 19,
    DXGKQAITYPE_DISPLAYID_DESCRIPTOR = 20,
    DXGKQAITYPE_FRAMEBUFFERSAVESIZE = 21,
    DXGKQAITYPE_HARDWARERESERVEDRANGES = 22,
    DXGKQAITYPE_INTEGRATED_DISPLAY_DESCRIPTOR2 = 23,
    DXGKQAITYPE_NODEPERFDATA = 24,
    DXGKQAITYPE_ADAPTERPERFDATA = 25,
    DXGKQAITYPE_ADAPTERPERFDATA_CAPS = 26,
    DXGKQAITYPE_GPUVERSION = 27,
    DXGKQAITYPE_DEVICE_TYPE_CAPS = 28,
    DXGKQAITYPE_WDDMDEVICECAPS = 29,
    DXGKQAITYPE_GPUPCAPS = 30,
    DXGKQAITYPE_QUERYTARGETGAMMACAPS = 31,
    DXGKQAITYPE_SCANOUT_CAPS = 33,
    DXGKQAITYPE_PHYSICAL_MEMORY_CAPS = 34,
    DXGKQAITYPE_IOMMU_CAPS = 35,
    DXGKQAITYPE_HARDWARERESERVEDRANGES2 = 36,
    DXGKQAITYPE_NATIVE_FENCE_CAPS = 37,
    DXGKQAITYPE_USERMODESUBMISSION_CAPS = 38,
    DXGKQAITYPE_DIRTYBITTRACKINGCAPS = 39,
    DXGKQAITYPE_DIRTYBITTRACKINGSEGMENTCAPS = 40,
    DXGKQAITYPE_SCATTER_RESERVE = 41,
    DXGKQAITYPE_QUERYPAGINGBUFFERINFO = 42,
    DXGKQAITYPE_QUERYSEGMENTCOUNT = 43,
    DXGKQAITYPE_QUERYSEGMENT5 = 44,
    DXGKQAITYPE_QUERYMMUCOUNT = 45,
    DXGKQAITYPE_QUERYMMUS = 46,
    DXGKQAITYPE_64BITONLYCAPS = 47,
    DXGKQAITYPE_PAGINGPROCESSGPUVASIZE = 48
} DXGK_QUERYADAPTERINFOTYPE;

typedef struct _DXGK_QUERYADAPTERINFOFLAGS {
    union {
        struct {
            UINT VirtualMachineData : 1;
            UINT SecureVirtualMachine : 1;
            UINT Reserved : 30;
        };
        UINT Value;
    };
} DXGK_QUERYADAPTERINFOFLAGS;

typedef struct _DXGKARG_QUERYADAPTERINFO {
    DXGK_QUERYADAPTERINFOTYPE Type;
    VOID *pInputData;
    UINT InputDataSize;
    VOID *pOutputData;
    UINT OutputDataSize;
    DXGK_QUERYADAPTERINFOFLAGS Flags;
    HANDLE hKmdProcessHandle;
} DXGKARG_QUERYADAPTERINFO;
VIDMM_DDI_POINTERS(DXGKARG_QUERYADAPTERINFO);

/* A driver of 1.1 reports v1 as well; 1.1 is told apart by the interface version. */
typedef enum _DXGK_WDDMVERSION {
    DXGKDDI_WDDMv1 = 0x1000,
    DXGKDDI_WDDMv1_2 = 0x1200,
    DXGKDDI_WDDMv1_3 = 0x1300,
    DXGKDDI_WDDMv2 = 0x2000,
    DXGKDDI_WDDMv2_1 = 0x2100,
    DXGKDDI_WDDMv2_1_5 = 0x2105,
    DXGKDDI_WDDMv2_1_6 = 0x2106,
    DXGKDDI_WDDMv2_2 = 0x2200,
    DXGKDDI_WDDMv2_3 = 0x2300,
    DXGKDDI_WDDMv2_4 = 0x2400,
    DXGKDDI_WDDMv2_5 = 0x2500,
    DXGKDDI_WDDMv2_6 = 0x2600,
    DXGKDDI_WDDMv2_7 = 0x2700,
    DXGKDDI_WDDMv2_8 = 0x2800,
    DXGKDDI_WDDMv2_9 = 0x2900,
    DXGKDDI_WDDMv3_0 = 0x3000,
    DXGKDDI_WDDMv3_1 = 0x3100,
    DXGKDDI_WDDMv3_2 = 0x3200,
    DXGKDDI_WDDM_LATEST = DXGKDDI_WDDMv3_2
} DXGK_WDDMVERSION;

typedef struct _DXGK_WDDMDEVICECAPS {
    DXGK_WDDMVERSION WDDMVersion;
} DXGK_WDDMDEVICECAPS;

typedef struct _DXGK_POINTERFLAGS {
    union {
        struct {
            UINT Monochrome : 1;
            UINT Color : 1;
            UINT MaskedColor : 1;
            UINT Reserved : 29;
        };
        UINT Value;
    };
} DXGK_POINTERFLAGS;

typedef struct _DXGK_GAMMARAMPCAPS {
    union {
        struct {
            UINT Gamma_Rgb256x3x16 : 1;
            UINT Reserved : 31;
        };
        UINT Value;
    };
} DXGK_GAMMARAMPCAPS;

typedef struct _DXGK_COLORTRANSFORMCAPS {
    union {
        struct {
            UINT Gamma_Rgb256x3x16 : 1;
            UINT Gamma_Dxgi1 : 1;
            UINT Transform_3x4Matrix : 1;
            UINT Transform_3x4Matrix_WideColor : 1;
            UINT Transform_3x4Matrix_HighColor : 1;
            UINT Transform_Matrix_V2 : 1;
            UINT Reserved : 26;
        };
        UINT Value;
    };
} DXGK_COLORTRANSFORMCAPS;

/* Texture shifts: the largest size is 2048 pixels shifted left by the value. */
typedef struct _DXGK_PRESENTATIONCAPS {
    union {
        struct {
            UINT NoScreenToScreenBlt : 1;
            UINT NoOverlapScreenBlt : 1;
            UINT SupportKernelModeCommandBuffer : 1;
            UINT NoSameBitmapAlphaBlend : 1;
            UINT NoSameBitmapStretchBlt : 1;
            UINT NoSameBitmapTransparentBlt : 1;
            UINT NoSameBitmapOverlappedAlphaBlend : 1;
            UINT NoSameBitmapOverlappedStretchBlt : 1;
            UINT DriverSupportsCddDwmInterop : 1;
            UINT Reserved0 : 1;
            UINT AlignmentShift : 4;
            UINT MaxTextureWidthShift : 3;
            UINT MaxTextureHeightShift : 3;
            UINT SupportAllBltRops : 1;
            UINT SupportMirrorStretchBlt : 1;
            UINT SupportMonoStretchBltModes : 1;
            UINT StagingRectStartPitchAligned : 1;
            UINT NoSameBitmapBitBlt : 1;
            UINT NoSameBitmapOverlappedBitBlt : 1;
            UINT Reserved1 : 1;
            UINT NoTempSurfaceForClearTypeBlend : 1;
            UINT SupportSoftwareDeviceBitmaps : 1;
            UINT NoCacheCoherentApertureMemory : 1;
            UINT SupportLinearHeap : 1;
            UINT Reserved : 1;
        };
        UINT Value;
    };
} DXGK_PRESENTATIONCAPS;

typedef struct _DXGK_FLIPCAPS {
    union {
        struct {
            UINT FlipOnVSyncWithNoWait : 1;
            UINT FlipOnVSyncMmIo : 1;
            UINT FlipInterval : 1;
            UINT FlipImmediateMmIo : 1;
            UINT FlipIndependent : 1;
            UINT DdiPresentForIFlip : 1;
            UINT FlipImmediateOnHSync : 1;
            UINT Reserved : 25;
        };
        UINT Value;
    };
} DXGK_FLIPCAPS;

/* MINI-021 tells which of these need which. */
typedef struct _DXGK_VIDSCHCAPS {
    union {
        struct {
            UINT MultiEngineAware : 1;
            UINT VSyncPowerSaveAware : 1;
            UINT PreemptionAware : 1;
            UINT NoDmaPatching : 1;
            UINT CancelCommandAware : 1;
            UINT No64BitAtomics : 1;
            UINT LowIrqlPreemptCommand : 1;
            UINT HwQueuePacketCap : 4;
            UINT NativeGpuFence : 1;
            UINT OptimizedNativeFenceSignaledInterrupt : 1;
            UINT Reserved : 19;
        };
        UINT Value;
    };
} DXGK_VIDSCHCAPS;

/* PagingNode is the node for paging buffers below 2.0 (MINI-022). */
typedef struct _DXGK_VIDMMCAPS {
    union {
        struct {
            UINT OutOfOrderLock : 1;
            UINT DedicatedPagingEngine : 1;
            UINT PagingEngineCanSwizzle : 1;
            UINT SectionBackedPrimary : 1;
            UINT CrossAdapterResource : 1;
            UINT VirtualAddressingSupported : 1;
            UINT GpuMmuSupported : 1;
            UINT IoMmuSupported : 1;
            UINT ReplicateGdiContent : 1;
            UINT NonCpuVisiblePrimary : 1;
            UINT ParavirtualizationSupported : 1;
            UINT IoMmuSecureModeSupported : 1;
            UINT DisableSelfRefreshVRAMInS3 : 1;
            UINT IoMmuSecureModeRequired : 1;
            UINT MapAperture2Supported : 1;
            UINT CrossAdapterResourceTexture : 1;
            UINT CrossAdapterResourceScanout : 1;
            UINT AlwaysPoweredVRAM : 1;
            UINT Reserved : 14;
        };
        UINT Value;
    };
    UINT PagingNode;
} DXGK_VIDMMCAPS;

#define DXGK_MAX_ASYMETRICAL_PROCESSING_NODES 64

typedef struct _DXGK_GPUENGINETOPOLOGY {
    UINT NbAsymetricProcessingNodes;
    UINT Reserved[DXGK_MAX_ASYMETRICAL_PROCESSING_NODES];
} DXGK_GPUENGINETOPOLOGY;

/* Two members of the capabilities that nobody uses any more; kept for their size. */
typedef struct _DXGK_VIRTUALADDRESSCAPS_DEPRECATED {
    union {
        struct {
            UINT PrivilegedMemorySupported : 1;
            UINT ReadOnlyMemorySupported : 1;
            UINT Reserved : 30;
        };
        UINT Value;
    };
    UINT VirtualAddressBitCount;
    UINT PageTableCoverageBitCount;
    UINT PageDirectoryEntrySize;
    UINT PageDirectorySegment;
    UINT PageTableSegment;
    UINT IdealGPUPageSize;
} DXGK_VIRTUALADDRESSCAPS_DEPRECATED;

typedef struct _DXGK_DMABUFFERCAPS_DEPRECATED {
    struct {
        UINT Size;
        UINT PrivateDriverDataSize;
        UINT SegmentId;
        UINT Reserved1;
        UINT Reserved[16];
    } PresentDmaBuffer;
    struct {
        UINT Size;
        UINT PrivateDriverDataSize;
        UINT SegmentId;
        UINT Reserved1;
        UINT Reserved[16];
    } PagingDmaBuffer;
} DXGK_DMABUFFERCAPS_DEPRECATED;

typedef struct _DXGK_HWQUEUEDFLIP_CAPS {
    union {
        struct {
            UINT Reserved : 32;
        };
        UINT Value;
    };
} DXGK_HWQUEUEDFLIP_CAPS;

/* ApertureSegmentCommitLimit in bytes over all apertures, 0 for no reduction (SEG-070). */
typedef struct _DXGK_DRIVERCAPS {
    PHYSICAL_ADDRESS HighestAcceptableAddress;
    UINT MaxAllocationListSlotId;
    SIZE_T ApertureSegmentCommitLimit;
    UINT MaxPointerWidth;
    UINT MaxPointerHeight;
    DXGK_POINTERFLAGS PointerCaps;
    UINT InterruptMessageNumber;
    UINT NumberOfSwizzlingRanges;
    UINT MaxOverlays;
    union {
        DXGK_GAMMARAMPCAPS GammaRampCaps;
        DXGK_COLORTRANSFORMCAPS ColorTransformCaps;
    };
    DXGK_PRESENTATIONCAPS PresentationCaps;
    UINT MaxQueuedFlipOnVSync;
    DXGK_FLIPCAPS FlipCaps;
    DXGK_VIDSCHCAPS SchedulingCaps;
    DXGK_VIDMMCAPS MemoryManagementCaps;
    DXGK_GPUENGINETOPOLOGY GpuEngineTopology;
    DXGK_WDDMVERSION WDDMVersion;
    DXGK_VIRTUALADDRESSCAPS_DEPRECATED Reserved;
    DXGK_DMABUFFERCAPS_DEPRECATED Reserved1;
    D3DKMDT_PREEMPTION_CAPS PreemptionCaps;
    BOOLEAN SupportNonVGA;
    BOOLEAN SupportSmoothRotation;
    BOOLEAN SupportPerEngineTDR;
    BOOLEAN SupportDirectFlip;
    BOOLEAN SupportMultiPlaneOverlay;
    BOOLEAN SupportRuntimePowerManagement;
    BOOLEAN SupportSurpriseRemovalInHibernation;
    BOOLEAN HybridDiscrete;
    UINT MaxOverlayPlanes;
    BOOLEAN HybridIntegrated;
    D3DGPU_VIRTUAL_ADDRESS InternalGpuVirtualAddressRangeStart;
    D3DGPU_VIRTUAL_ADDRESS InternalGpuVirtualAddressRangeEnd;
    BOOLEAN SupportSurpriseRemoval;
    BOOLEAN SupportMultiPlaneOverlayImmediateFlip;
    BOOLEAN CursorScaledWithMultiPlaneOverlayPlane0;
    BOOLEAN HybridAcpiChainingRequired;
    UINT MaxQueuedMultiPlaneOverlayFlipVSync;
    union {
        struct {
            UINT SupportContextlessPresent : 1;
            UINT Detachable : 1;
            UINT VirtualGpuOnly : 1;
            UINT ComputeOnly : 1;
            UINT IndependentVidPnVSyncControl : 1;
            UINT NoHybridDiscreteDListDllSupport : 1;
            UINT DisplayableSupport : 1;
            UINT NoHybridDiscreteDListDllMuxSupport : 1;
            UINT CursorDoesNotSupportXorBlendWithMultiPlaneOverlay : 1;
            UINT Reserved : 23;
        };
        UINT Value;
    } MiscCaps;
    UINT MaxHwQueuedFlips;
    DXGK_HWQUEUEDFLIP_CAPS HwQueuedFlipCaps;
} DXGK_DRIVERCAPS;

/* One physical adapter of a link (type 15, 2.0 and later). */
typedef struct _DXGK_PHYSICALADAPTERFLAGS {
    union {
        struct {
            UINT IoMmuSupported : 1;
            UINT GpuMmuSupported : 1;
            UINT MovePagingSupported : 1;
            UINT VPRPagingContextRequired : 1;
            UINT AllowHardwareProtectedNoVpr : 1;
            UINT VirtualCopyEngineSupported : 1;
            UINT GpuVaIommuRequired : 1;
            UINT GpuVaIommuGlobalRequired : 1;
            UINT GpuVaIommuCacheCoherent : 1;
            UINT Reserved : 23;
        };
        UINT Value;
    };
} DXGK_PHYSICALADAPTERFLAGS;

typedef struct _DXGK_QUERYPHYSICALADAPTERCAPSIN {
    UINT PhysicalAdapterIndex;
} DXGK_QUERYPHYSICALADAPTERCAPSIN;

typedef struct _DXGK_PHYSICALADAPTERCAPS {
    USHORT NumExecutionNodes;
    USHORT PagingNodeIndex;
    HANDLE DxgkPhysicalAdapterHandle;
    DXGK_PHYSICALADAPTERFLAGS Flags;
    UINT VPRPagingNode;
    UINT VirtualCopyNodeIndex;
} DXGK_PHYSICALADAPTERCAPS;

typedef struct _DXGKARG_HISTORYBUFFERPRECISION {
    UINT32 PrecisionBits;
} DXGKARG_HISTORYBUFFERPRECISION;

#endif
