/* SPDX-License-Identifier: MIT */
/*
 * d3dkmddi_submit.h: rendering, presenting, patching, submitting, preempting, resetting.
 *
 * Offsets into DMA buffers are bytes; "Start" is the first byte of a submission and "End" the one
 * behind its last. Element n of the patch list of a submission names, through the allocation
 * list, the address that the driver writes into the buffer. Where a list cannot change it is const.
 *
 * Source: public pages titled like the types (d3dkmddi.h).
 */
#ifndef VIDMM_DDI_D3DKMDDI_SUBMIT_H
#define VIDMM_DDI_D3DKMDDI_SUBMIT_H

#include "d3dkmddi_names.h"
#include "d3dkmdt.h"

/*
 * One reference, as the driver sees it: hDeviceSpecificAllocation is what opening answered, null
 * for an unused element. SegmentId 0 means that the allocation was not paged in when the list was
 * handed over; the address includes the segment's base.
 */
typedef struct _DXGK_ALLOCATIONLIST {
    HANDLE hDeviceSpecificAllocation;
    struct {
        UINT WriteOperation : 1;
        UINT SegmentId : 5;
        UINT Reserved : 26;
    };
    union {
        PHYSICAL_ADDRESS PhysicalAddress;
        D3DGPU_VIRTUAL_ADDRESS VirtualAddress;
    };
} DXGK_ALLOCATIONLIST;

/* pDmaBuffer and pPatchLocationListOut come back behind what the driver wrote. */
typedef struct _DXGKARG_RENDER {
    const VOID *pCommand;
    UINT CommandLength;
    VOID *pDmaBuffer;
    UINT DmaSize;
    VOID *pDmaBufferPrivateData;
    UINT DmaBufferPrivateDataSize;
    DXGK_ALLOCATIONLIST *pAllocationList;
    UINT AllocationListSize;
    D3DDDI_PATCHLOCATIONLIST *pPatchLocationListIn;
    UINT PatchLocationListInSize;
    D3DDDI_PATCHLOCATIONLIST *pPatchLocationListOut;
    UINT PatchLocationListOutSize;
    UINT MultipassOffset;
    UINT DmaBufferSegmentId;
    PHYSICAL_ADDRESS DmaBufferPhysicalAddress;
} DXGKARG_RENDER;
VIDMM_DDI_POINTERS(DXGKARG_RENDER);

typedef struct _DXGKARG_RENDERGDI {
    const VOID *pCommand;
    UINT CommandLength;
    VOID *pDmaBuffer;
    D3DGPU_VIRTUAL_ADDRESS DmaBufferGpuVirtualAddress;
    UINT DmaSize;
    VOID *pDmaBufferPrivateData;
    UINT DmaBufferPrivateDataSize;
    DXGK_ALLOCATIONLIST *pAllocationList;
    UINT AllocationListSize;
    UINT MultipassOffset;
} DXGKARG_RENDERGDI;
VIDMM_DDI_POINTERS(DXGKARG_RENDERGDI);

typedef struct _DXGK_PRESENTFLAGS {
    union {
        struct {
            UINT Blt : 1;
            UINT ColorFill : 1;
            UINT Flip : 1;
            UINT FlipWithNoWait : 1;
            UINT SrcColorKey : 1;
            UINT DstColorKey : 1;
            UINT LinearToSrgb : 1;
            UINT Rotate : 1;
            UINT FlipStereo : 1;
            UINT FlipStereoTemporaryMono : 1;
            UINT FlipStereoPreferRight : 1;
            UINT BltStereoUseRight : 1;
            UINT FlipWithMultiPlaneOverlay : 1;
            UINT RedirectedFlip : 1;
            UINT Reserved : 18;
        };
        UINT Value;
    };
} DXGK_PRESENTFLAGS;

typedef struct _DXGK_PRESENTALLOCATIONINFO {
    HANDLE hDeviceSpecificAllocation;
    D3DGPU_VIRTUAL_ADDRESS AllocationVirtualAddress;
    PHYSICAL_ADDRESS PhysicalAddress;
    USHORT SegmentId;
    USHORT PhysicalAdapterIndex;
} DXGK_PRESENTALLOCATIONINFO;

typedef struct _DXGK_PRESENTMULTIPLANEOVERLAYINFO DXGK_PRESENTMULTIPLANEOVERLAYINFO;

/* Places of the source and the target in the allocation list. */
#define DXGK_PRESENT_SOURCE_INDEX      1
#define DXGK_PRESENT_DESTINATION_INDEX 2

typedef struct _DXGKARG_PRESENT {
    VOID *pDmaBuffer;
    UINT DmaSize;
    VOID *pDmaBufferPrivateData;
    UINT DmaBufferPrivateDataSize;
    union {
        DXGK_ALLOCATIONLIST *pAllocationList;
        DXGK_PRESENTALLOCATIONINFO *pAllocationInfo;
        DXGK_PRESENTMULTIPLANEOVERLAYINFO *pPresentMultiPlaneOverlayInfo;
    };
    D3DDDI_PATCHLOCATIONLIST *pPatchLocationListOut;
    UINT PatchLocationListOutSize;
    UINT MultipassOffset;
    UINT Color;
    RECT DstRect;
    RECT SrcRect;
    UINT SubRectCnt;
    const RECT *pDstSubRects;
    D3DDDI_FLIPINTERVAL_TYPE FlipInterval;
    DXGK_PRESENTFLAGS Flags;
    UINT DmaBufferSegmentId;
    PHYSICAL_ADDRESS DmaBufferPhysicalAddress;
    UINT Reserved;
    D3DGPU_VIRTUAL_ADDRESS DmaBufferGpuVirtualAddress;
    UINT NumSrcAllocations;
    UINT NumDstAllocations;
    UINT PrivateDriverDataSize;
    PVOID pPrivateDriverData;
} DXGKARG_PRESENT;
VIDMM_DDI_POINTERS(DXGKARG_PRESENT);

typedef struct _DXGK_PATCHFLAGS {
    union {
        struct {
            UINT Paging : 1;
            UINT Present : 1;
            UINT RedirectedPresent : 1;
            UINT NullRendering : 1;
            UINT Reserved : 28;
        };
        UINT Value;
    };
} DXGK_PATCHFLAGS;

/* hDevice for a driver without multi-engine support, hContext else. */
typedef struct _DXGKARG_PATCH {
    union {
        HANDLE hDevice;
        HANDLE hContext;
    };
    UINT DmaBufferSegmentId;
    PHYSICAL_ADDRESS DmaBufferPhysicalAddress;
    VOID *pDmaBuffer;
    UINT DmaBufferSize;
    UINT DmaBufferSubmissionStartOffset;
    UINT DmaBufferSubmissionEndOffset;
    VOID *pDmaBufferPrivateData;
    UINT DmaBufferPrivateDataSize;
    UINT DmaBufferPrivateDataSubmissionStartOffset;
    UINT DmaBufferPrivateDataSubmissionEndOffset;
    const DXGK_ALLOCATIONLIST *pAllocationList;
    UINT AllocationListSize;
    const D3DDDI_PATCHLOCATIONLIST *pPatchLocationList;
    UINT PatchLocationListSize;
    UINT PatchLocationListSubmissionStart;
    UINT PatchLocationListSubmissionLength;
    UINT SubmissionFenceId;
    DXGK_PATCHFLAGS Flags;
    UINT EngineOrdinal;
} DXGKARG_PATCH;
VIDMM_DDI_POINTERS(DXGKARG_PATCH);

typedef struct _DXGK_SUBMITCOMMANDFLAGS {
    union {
        struct {
            UINT Paging : 1;
            UINT Present : 1;
            UINT RedirectedPresent : 1;
            UINT NullRendering : 1;
            UINT Flip : 1;
            UINT FlipWithNoWait : 1;
            UINT ContextSwitch : 1;
            UINT Resubmission : 1;
            UINT VirtualMachineData : 1;
            UINT Reserved : 23;
        };
        UINT Value;
    };
} DXGK_SUBMITCOMMANDFLAGS;

typedef struct _DXGKARG_SUBMITCOMMAND {
    union {
        HANDLE hDevice;
        HANDLE hContext;
    };
    UINT DmaBufferSegmentId;
    PHYSICAL_ADDRESS DmaBufferPhysicalAddress;
    UINT DmaBufferSize;
    UINT DmaBufferSubmissionStartOffset;
    UINT DmaBufferSubmissionEndOffset;
    VOID *pDmaBufferPrivateData;
    UINT DmaBufferPrivateDataSize;
    UINT DmaBufferPrivateDataSubmissionStartOffset;
    UINT DmaBufferPrivateDataSubmissionEndOffset;
    UINT SubmissionFenceId;
    D3DDDI_VIDEO_PRESENT_SOURCE_ID VidPnSourceId;
    D3DDDI_FLIPINTERVAL_TYPE FlipInterval;
    DXGK_SUBMITCOMMANDFLAGS Flags;
    UINT EngineOrdinal;
    D3DGPU_VIRTUAL_ADDRESS DmaBufferVirtualAddress;
    UINT NodeOrdinal;
} DXGKARG_SUBMITCOMMAND;
VIDMM_DDI_POINTERS(DXGKARG_SUBMITCOMMAND);

typedef struct _DXGKARG_SUBMITCOMMANDVIRTUAL {
    HANDLE hContext;
    D3DGPU_VIRTUAL_ADDRESS DmaBufferVirtualAddress;
    UINT DmaBufferSize;
    VOID *pDmaBufferPrivateData;
    UINT DmaBufferPrivateDataSize;
    UINT DmaBufferUmdPrivateDataSize;
    UINT SubmissionFenceId;
    D3DDDI_VIDEO_PRESENT_SOURCE_ID VidPnSourceId;
    D3DDDI_FLIPINTERVAL_TYPE FlipInterval;
    DXGK_SUBMITCOMMANDFLAGS Flags;
    UINT EngineOrdinal;
    UINT NodeOrdinal;
} DXGKARG_SUBMITCOMMANDVIRTUAL;
VIDMM_DDI_POINTERS(DXGKARG_SUBMITCOMMANDVIRTUAL);

typedef struct _DXGK_PREEMPTCOMMANDFLAGS {
    union {
        struct {
            UINT Reserved : 32;
        };
        UINT Value;
    };
} DXGK_PREEMPTCOMMANDFLAGS;

typedef struct _DXGKARG_PREEMPTCOMMAND {
    UINT PreemptionFenceId;
    UINT NodeOrdinal;
    UINT EngineOrdinal;
    DXGK_PREEMPTCOMMANDFLAGS Flags;
} DXGKARG_PREEMPTCOMMAND;
VIDMM_DDI_POINTERS(DXGKARG_PREEMPTCOMMAND);

/* A command that was taken back before the engine saw it. */
typedef struct _DXGKARG_CANCELCOMMAND {
    HANDLE hContext;
    VOID *pDmaBuffer;
    UINT DmaBufferSize;
    UINT DmaBufferSubmissionStartOffset;
    UINT DmaBufferSubmissionEndOffset;
    VOID *pDmaBufferPrivateData;
    UINT DmaBufferPrivateDataSize;
    UINT DmaBufferPrivateDataSubmissionStartOffset;
    UINT DmaBufferPrivateDataSubmissionEndOffset;
    const DXGK_ALLOCATIONLIST *pAllocationList;
    UINT AllocationListSize;
    const D3DDDI_PATCHLOCATIONLIST *pPatchLocationList;
    UINT PatchLocationListSize;
    UINT PatchLocationListSubmissionStart;
    UINT PatchLocationListSubmissionLength;
    D3DGPU_VIRTUAL_ADDRESS DmaBufferVirtualAddress;
    UINT DmaBufferUmdPrivateDataSize;
} DXGKARG_CANCELCOMMAND;
VIDMM_DDI_POINTERS(DXGKARG_CANCELCOMMAND);

typedef struct _DXGKARG_QUERYCURRENTFENCE {
    UINT CurrentFence;
    UINT NodeOrdinal;
    UINT EngineOrdinal;
} DXGKARG_QUERYCURRENTFENCE;
VIDMM_DDI_POINTERS(DXGKARG_QUERYCURRENTFENCE);

/* Timeouts of one engine. DependentNodeOrdinalMask: nodes that are reset together with it. */
typedef struct _DXGKARG_QUERYDEPENDENTENGINEGROUP {
    UINT NodeOrdinal;
    UINT EngineOrdinal;
    ULONGLONG DependentNodeOrdinalMask;
} DXGKARG_QUERYDEPENDENTENGINEGROUP;
VIDMM_DDI_POINTERS(DXGKARG_QUERYDEPENDENTENGINEGROUP);
/* The page spells this one without the P. */
typedef DXGKARG_QUERYDEPENDENTENGINEGROUP *INOUT_DXGKARG_QUERYDEPENDENTENGINEGROUP;

typedef struct _DXGK_ENGINESTATUS {
    union {
        struct {
            UINT Responsive : 1;
            UINT Reserved : 31;
        };
        UINT Value;
    };
} DXGK_ENGINESTATUS;

typedef struct _DXGKARG_QUERYENGINESTATUS {
    UINT NodeOrdinal;
    UINT EngineOrdinal;
    DXGK_ENGINESTATUS EngineStatus;
} DXGKARG_QUERYENGINESTATUS;
VIDMM_DDI_POINTERS(DXGKARG_QUERYENGINESTATUS);

typedef struct _DXGKARG_RESETENGINE {
    UINT NodeOrdinal;
    UINT EngineOrdinal;
    UINT LastAbortedFenceId;
} DXGKARG_RESETENGINE;
VIDMM_DDI_POINTERS(DXGKARG_RESETENGINE);

/* Called after a timeout; Reason is the stop code. */
typedef struct _DXGKARG_COLLECTDBGINFO_EXT {
    UINT BucketingKey;
    UINT CurrentDmaBufferOffset;
    UINT Reserved2;
    UINT Reserved3;
    UINT Reserved4;
    UINT Reserved5;
    UINT Reserved6;
    UINT Reserved7;
} DXGKARG_COLLECTDBGINFO_EXT;

typedef struct _DXGKARG_COLLECTDBGINFO {
    UINT Reason;
    VOID *pBuffer;
    SIZE_T BufferSize;
    DXGKARG_COLLECTDBGINFO_EXT *pExtension;
} DXGKARG_COLLECTDBGINFO;
VIDMM_DDI_POINTERS(DXGKARG_COLLECTDBGINFO);

/* GPU virtual addresses (2.0 and later). */
typedef struct _DXGKARG_SETROOTPAGETABLE {
    HANDLE hContext;
    D3DGPU_PHYSICAL_ADDRESS Address;
    UINT NumEntries;
} DXGKARG_SETROOTPAGETABLE;
VIDMM_DDI_POINTERS(DXGKARG_SETROOTPAGETABLE);

typedef struct _DXGKARG_GETROOTPAGETABLESIZE {
    UINT NumberOfPte;
    UINT PhysicalAdapterIndex;
} DXGKARG_GETROOTPAGETABLESIZE;
VIDMM_DDI_POINTERS(DXGKARG_GETROOTPAGETABLESIZE);

#endif
