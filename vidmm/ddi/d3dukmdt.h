/* SPDX-License-Identifier: MIT */
/*
 * d3dukmdt.h: display types that user mode and kernel mode share.
 *
 * One layout for everybody: the newest documented one, whatever DXGKDDI_INTERFACE_VERSION says, so
 * that a driver and its host agree without asking. Older layouts are the same bits with fewer
 * names, except where a header says otherwise.
 *
 * Source: public pages titled like the types (d3dukmdt.h); enumerator values and limits from
 * public headers. Formats stand in d3dukmdt_format.h.
 */
#ifndef VIDMM_DDI_D3DUKMDT_H
#define VIDMM_DDI_D3DUKMDT_H
#define _D3DUKMDT_H_

#include "d3dukmdt_format.h"
#include "ntdef.h"

#define DXGKDDI_INTERFACE_VERSION_VISTA                             0x1052
#define DXGKDDI_INTERFACE_VERSION_VISTA_SP1                         0x1053
#define DXGKDDI_INTERFACE_VERSION_WIN7                              0x2005
#define DXGKDDI_INTERFACE_VERSION_WIN8                              0x300E
#define DXGKDDI_INTERFACE_VERSION_WDDM1_3                           0x4002
#define DXGKDDI_INTERFACE_VERSION_WDDM1_3_PATH_INDEPENDENT_ROTATION 0x4003
#define DXGKDDI_INTERFACE_VERSION_WDDM2_0                           0x5023
#define DXGKDDI_INTERFACE_VERSION_WDDM2_1                           0x6003
#define DXGKDDI_INTERFACE_VERSION_WDDM2_1_5                         0x6010
#define DXGKDDI_INTERFACE_VERSION_WDDM2_1_6                         0x6011
#define DXGKDDI_INTERFACE_VERSION_WDDM2_2                           0x700A
#define DXGKDDI_INTERFACE_VERSION_WDDM2_3                           0x8001
#define DXGKDDI_INTERFACE_VERSION_WDDM2_4                           0x9006
#define DXGKDDI_INTERFACE_VERSION_WDDM2_5                           0xA00B
#define DXGKDDI_INTERFACE_VERSION_WDDM2_6                           0xB004
#define DXGKDDI_INTERFACE_VERSION_WDDM2_7                           0xC004
#define DXGKDDI_INTERFACE_VERSION_WDDM2_8                           0xD001
#define DXGKDDI_INTERFACE_VERSION_WDDM2_9                           0xE003
#define DXGKDDI_INTERFACE_VERSION_WDDM3_0                           0xF003
#define DXGKDDI_INTERFACE_VERSION_WDDM3_1                           0x10004
#define DXGKDDI_INTERFACE_VERSION_WDDM3_2                           0x11007
#ifndef DXGKDDI_INTERFACE_VERSION
#define DXGKDDI_INTERFACE_VERSION DXGKDDI_INTERFACE_VERSION_WDDM3_2
#endif

#define DXGK_MAX_PAGE_TABLE_LEVEL_COUNT 6
#define D3DGPU_NULL                     0
#define D3DGPU_UNIQUE_DRIVER_PROTECTION 0x8000000000000000u
#define D3DDDI_MAX_WRITTEN_PRIMARIES    16
#define D3DDDI_MAX_OBJECT_WAITED_ON     32
#define D3DDDI_MAX_OBJECT_SIGNALED      32
#define D3DDDI_MAX_BROADCAST_CONTEXT    64

#define D3DDDI_ID_UNINITIALIZED ((UINT)~0u)
#define D3DDDI_ID_NOTAPPLICABLE ((UINT)0)
#define D3DDDI_ID_ANY           ((UINT)~1u)
#define D3DDDI_ID_ALL           ((UINT)~2u)

/* Initial values of DXGK_ALLOCATIONINFO.AllocationPriority and of the priority calls. */
#define D3DDDI_ALLOCATIONPRIORITY_MINIMUM 0x28000000
#define D3DDDI_ALLOCATIONPRIORITY_LOW     0x50000000
#define D3DDDI_ALLOCATIONPRIORITY_NORMAL  0x78000000
#define D3DDDI_ALLOCATIONPRIORITY_HIGH    0xa0000000
#define D3DDDI_ALLOCATIONPRIORITY_MAXIMUM 0xc8000000

/* Handle of a kernel object (adapter, device, allocation ...) as user mode knows it. */
typedef UINT D3DKMT_HANDLE;
typedef UINT D3DDDI_VIDEO_PRESENT_SOURCE_ID;
typedef UINT D3DDDI_VIDEO_PRESENT_TARGET_ID;
typedef ULONGLONG D3DGPU_VIRTUAL_ADDRESS;
typedef ULONGLONG D3DGPU_SIZE_T;

typedef SIZE_T D3DKMT_SIZE_T;
typedef UINT_PTR D3DKMT_UINT_PTR;
typedef ULONG_PTR D3DKMT_ULONG_PTR;
typedef D3DKMT_HANDLE IN_D3DKMT_HANDLE;

/* A place in video memory: byte offset in a one-based segment, 0 for system memory. */
typedef struct _D3DGPU_PHYSICAL_ADDRESS {
    UINT SegmentId;
    UINT Padding;
    UINT64 SegmentOffset;
} D3DGPU_PHYSICAL_ADDRESS;

typedef struct _D3DDDI_RATIONAL {
    UINT Numerator;
    UINT Denominator;
} D3DDDI_RATIONAL;

typedef struct _D3DDDI_MULTISAMPLINGMETHOD {
    UINT NumSamples;
    UINT NumQualityLevels;
} D3DDDI_MULTISAMPLINGMETHOD;

typedef struct _D3DDDIRECT {
    LONG left;
    LONG top;
    LONG right;
    LONG bottom;
} D3DDDIRECT;

typedef enum _D3DDDI_ROTATION {
    D3DDDI_ROTATION_IDENTITY = 1,
    D3DDDI_ROTATION_90 = 2,
    D3DDDI_ROTATION_180 = 3,
    D3DDDI_ROTATION_270 = 4
} D3DDDI_ROTATION;

typedef enum D3DDDI_FLIPINTERVAL_TYPE {
    D3DDDI_FLIPINTERVAL_IMMEDIATE = 0,
    D3DDDI_FLIPINTERVAL_ONE = 1,
    D3DDDI_FLIPINTERVAL_TWO = 2,
    D3DDDI_FLIPINTERVAL_THREE = 3,
    D3DDDI_FLIPINTERVAL_FOUR = 4,
    D3DDDI_FLIPINTERVAL_IMMEDIATE_ALLOW_TEARING = 5
} D3DDDI_FLIPINTERVAL_TYPE;

typedef enum _D3DDDI_POOL {
    D3DDDIPOOL_SYSTEMMEM = 1,
    D3DDDIPOOL_VIDEOMEMORY = 2,
    D3DDDIPOOL_LOCALVIDMEM = 3,
    D3DDDIPOOL_NONLOCALVIDMEM = 4,
    D3DDDIPOOL_STAGINGMEM = 5
} D3DDDI_POOL;

typedef enum _D3DDDI_OFFER_PRIORITY {
    D3DDDI_OFFER_PRIORITY_NONE = 0,
    D3DDDI_OFFER_PRIORITY_LOW = 1,
    D3DDDI_OFFER_PRIORITY_NORMAL = 2,
    D3DDDI_OFFER_PRIORITY_HIGH = 3,
    D3DDDI_OFFER_PRIORITY_AUTO = 4
} D3DDDI_OFFER_PRIORITY;

typedef enum _D3DDDI_RECLAIM_RESULT {
    D3DDDI_RECLAIM_RESULT_OK = 0,
    D3DDDI_RECLAIM_RESULT_DISCARDED = 1,
    D3DDDI_RECLAIM_RESULT_NOT_COMMITTED = 2
} D3DDDI_RECLAIM_RESULT;

typedef enum D3DDDI_PAGINGQUEUE_PRIORITY {
    D3DDDI_PAGINGQUEUE_PRIORITY_BELOW_NORMAL = -1,
    D3DDDI_PAGINGQUEUE_PRIORITY_NORMAL = 0,
    D3DDDI_PAGINGQUEUE_PRIORITY_ABOVE_NORMAL = 1
} D3DDDI_PAGINGQUEUE_PRIORITY;

/*
 * Up to five segments in the order of preference; id 0 ends the list. Direction 0 asks for the
 * start of the segment and 1 for its end.
 */
typedef struct _D3DDDI_SEGMENTPREFERENCE {
    union {
        struct {
            UINT SegmentId0 : 5;
            UINT Direction0 : 1;
            UINT SegmentId1 : 5;
            UINT Direction1 : 1;
            UINT SegmentId2 : 5;
            UINT Direction2 : 1;
            UINT SegmentId3 : 5;
            UINT Direction3 : 1;
            UINT SegmentId4 : 5;
            UINT Direction4 : 1;
            UINT Reserved : 2;
        };
        UINT Value;
    };
} D3DDDI_SEGMENTPREFERENCE;

/* One element of a creation call of user mode; pSystemMem serves ExistingSysMem. */
typedef struct _D3DDDI_ALLOCATIONINFO {
    D3DKMT_HANDLE hAllocation;
    const VOID *pSystemMem;
    VOID *pPrivateDriverData;
    UINT PrivateDriverDataSize;
    D3DDDI_VIDEO_PRESENT_SOURCE_ID VidPnSourceId;
    union {
        struct {
            UINT Primary : 1;
            UINT Stereo : 1;
            UINT Reserved : 30;
        };
        UINT Value;
    } Flags;
} D3DDDI_ALLOCATIONINFO;

typedef struct _D3DDDI_ALLOCATIONINFO2 {
    D3DKMT_HANDLE hAllocation;
    union {
        HANDLE hSection;
        const VOID *pSystemMem;
    };
    VOID *pPrivateDriverData;
    UINT PrivateDriverDataSize;
    D3DDDI_VIDEO_PRESENT_SOURCE_ID VidPnSourceId;
    union {
        struct {
            UINT Primary : 1;
            UINT Stereo : 1;
            UINT OverridePriority : 1;
            UINT Reserved : 29;
        };
        UINT Value;
    } Flags;
    D3DGPU_VIRTUAL_ADDRESS GpuVirtualAddress;
    union {
        UINT Priority;
        ULONG_PTR Unused;
    };
    ULONG_PTR Reserved[5];
} D3DDDI_ALLOCATIONINFO2;

typedef struct _D3DDDI_OPENALLOCATIONINFO {
    D3DKMT_HANDLE hAllocation;
    const VOID *pPrivateDriverData;
    UINT PrivateDriverDataSize;
} D3DDDI_OPENALLOCATIONINFO;

/* One reference of a command buffer of user mode. */
typedef struct _D3DDDI_ALLOCATIONLIST {
    D3DKMT_HANDLE hAllocation;
    union {
        struct {
            UINT WriteOperation : 1;
            UINT DoNotRetireInstance : 1;
            UINT OfferPriority : 3;
            UINT Reserved : 27;
        };
        UINT Value;
    };
} D3DDDI_ALLOCATIONLIST;

/*
 * One address to be written into a DMA buffer: at PatchOffset goes the address of element
 * AllocationIndex of the allocation list plus AllocationOffset. SplitOffset is the end of the last
 * whole command before it. All offsets are bytes.
 */
typedef struct _D3DDDI_PATCHLOCATIONLIST {
    UINT AllocationIndex;
    union {
        struct {
            UINT SlotId : 24;
            UINT Reserved : 8;
        };
        UINT Value;
    };
    UINT DriverId;
    UINT AllocationOffset;
    UINT PatchOffset;
    UINT SplitOffset;
} D3DDDI_PATCHLOCATIONLIST;

/* LOCK-002. */
typedef struct _D3DDDICB_LOCKFLAGS {
    union {
        struct {
            UINT ReadOnly : 1;
            UINT WriteOnly : 1;
            UINT DonotWait : 1;
            UINT IgnoreSync : 1;
            UINT LockEntire : 1;
            UINT DonotEvict : 1;
            UINT AcquireAperture : 1;
            UINT Discard : 1;
            UINT NoExistingReference : 1;
            UINT UseAlternateVA : 1;
            UINT IgnoreReadSync : 1;
            UINT Reserved : 21;
        };
        UINT Value;
    };
} D3DDDICB_LOCKFLAGS;

typedef struct _D3DDDICB_LOCK2FLAGS {
    union {
        struct {
            UINT Reserved : 32;
        };
        UINT Value;
    };
} D3DDDICB_LOCK2FLAGS;

typedef struct _D3DDDICB_DESTROYALLOCATION2FLAGS {
    union {
        struct {
            UINT AssumeNotInUse : 1;
            UINT SynchronousDestroy : 1;
            UINT Reserved : 29;
            UINT SystemUseOnly : 1;
        };
        UINT Value;
    };
} D3DDDICB_DESTROYALLOCATION2FLAGS;

typedef struct _D3DDDI_ESCAPEFLAGS {
    union {
        struct {
            UINT HardwareAccess : 1;
            UINT DeviceStatusQuery : 1;
            UINT ChangeFrameLatency : 1;
            UINT NoAdapterSynchronization : 1;
            UINT Reserved : 1;
            UINT VirtualMachineData : 1;
            UINT DriverKnownEscape : 1;
            UINT DriverCommonEscape : 1;
            UINT Reserved2 : 24;
        };
        UINT Value;
    };
} D3DDDI_ESCAPEFLAGS;

typedef struct _D3DDDI_CREATECONTEXTFLAGS {
    union {
        struct {
            UINT NullRendering : 1;
            UINT InitialData : 1;
            UINT DisableGpuTimeout : 1;
            UINT SynchronizationOnly : 1;
            UINT HwQueueSupported : 1;
            UINT NoKmdAccess : 1;
            UINT TestContext : 1;
            UINT Reserved : 25;
        };
        UINT Value;
    };
} D3DDDI_CREATECONTEXTFLAGS;

typedef struct D3DDDI_MAKERESIDENT_FLAGS {
    union {
        struct {
            UINT CantTrimFurther : 1;
            UINT MustSucceed : 1;
            UINT Reserved : 30;
        };
        UINT Value;
    };
} D3DDDI_MAKERESIDENT_FLAGS;

/* NumAllocations answers how many were done; NumBytesToTrim how much the process is over. */
typedef struct D3DDDI_MAKERESIDENT {
    D3DKMT_HANDLE hPagingQueue;
    UINT NumAllocations;
    const D3DKMT_HANDLE *AllocationList;
    const UINT *PriorityList;
    D3DDDI_MAKERESIDENT_FLAGS Flags;
    UINT64 PagingFenceValue;
    UINT64 NumBytesToTrim;
} D3DDDI_MAKERESIDENT;

typedef struct D3DDDI_EVICT_FLAGS {
    union {
        struct {
            UINT EvictOnlyIfNecessary : 1;
            UINT NotWrittenTo : 1;
            UINT Reserved : 30;
        };
        UINT Value;
    };
} D3DDDI_EVICT_FLAGS;

typedef struct D3DDDI_TRIMRESIDENCYSET_FLAGS {
    union {
        struct {
            UINT PeriodicTrim : 1;
            UINT RestartPeriodicTrim : 1;
            UINT TrimToBudget : 1;
            UINT Reserved : 29;
        };
        UINT Value;
    };
} D3DDDI_TRIMRESIDENCYSET_FLAGS;

typedef struct D3DDDI_OFFER_FLAGS {
    union {
        struct {
            UINT AllowDecommit : 1;
            UINT Reserved : 31;
        };
        UINT Value;
    };
} D3DDDI_OFFER_FLAGS;

typedef struct D3DDDI_UPDATEALLOCPROPERTY_FLAGS {
    union {
        struct {
            UINT AccessedPhysically : 1;
            UINT Unmoveable : 1;
            UINT Reserved : 30;
        };
        UINT Value;
    };
} D3DDDI_UPDATEALLOCPROPERTY_FLAGS;

/* PropertyMaskValue says which of the properties above it are to be changed. */
typedef struct D3DDDI_UPDATEALLOCPROPERTY {
    D3DKMT_HANDLE hPagingQueue;
    D3DKMT_HANDLE hAllocation;
    UINT SupportedSegmentSet;
    D3DDDI_SEGMENTPREFERENCE PreferredSegment;
    D3DDDI_UPDATEALLOCPROPERTY_FLAGS Flags;
    UINT64 PagingFenceValue;
    union {
        struct {
            UINT SetAccessedPhysically : 1;
            UINT SetSupportedSegmentSet : 1;
            UINT SetPreferredSegment : 1;
            UINT SetUnmoveable : 1;
            UINT Reserved : 28;
        };
        UINT PropertyMaskValue;
    };
} D3DDDI_UPDATEALLOCPROPERTY;

typedef enum _DXGK_PTE_PAGE_SIZE {
    DXGK_PTE_PAGE_TABLE_PAGE_4KB = 0,
    DXGK_PTE_PAGE_TABLE_PAGE_64KB = 1
} DXGK_PTE_PAGE_SIZE;

/* Page table entry in the form the memory manager hands to a driver; addresses in pages. */
typedef struct _DXGK_PTE {
    union {
        __extension__ struct {
            ULONGLONG Valid : 1;
            ULONGLONG Zero : 1;
            ULONGLONG CacheCoherent : 1;
            ULONGLONG ReadOnly : 1;
            ULONGLONG NoExecute : 1;
            ULONGLONG Segment : 5;
            ULONGLONG LargePage : 1;
            ULONGLONG PhysicalAdapterIndex : 6;
            ULONGLONG PageTablePageSize : 2;
            ULONGLONG SystemReserved0 : 1;
            ULONGLONG Reserved : 44;
        };
        ULONGLONG Flags;
    };
    union {
        ULONGLONG PageAddress;
        ULONGLONG PageTableAddress;
    };
} DXGK_PTE;

typedef enum _DXGK_MIRACAST_CHUNK_TYPE {
    DXGK_MIRACAST_CHUNK_TYPE_UNKNOWN = 0,
    DXGK_MIRACAST_CHUNK_TYPE_COLOR_CONVERT_COMPLETE = 1,
    DXGK_MIRACAST_CHUNK_TYPE_ENCODE_COMPLETE = 2,
    DXGK_MIRACAST_CHUNK_TYPE_FRAME_START = 3,
    DXGK_MIRACAST_CHUNK_TYPE_FRAME_DROPPED = 4
} DXGK_MIRACAST_CHUNK_TYPE;

typedef union _DXGK_MIRACAST_CHUNK_ID {
    __extension__ struct {
        UINT64 FrameNumber : 40;
        UINT64 PartNumber : 24;
    };
    UINT64 Value;
} DXGK_MIRACAST_CHUNK_ID;

typedef struct _DXGK_MIRACAST_CHUNK_INFO {
    DXGK_MIRACAST_CHUNK_TYPE ChunkType;
    DXGK_MIRACAST_CHUNK_ID ChunkId;
    UINT ProcessingTime;
    UINT EncodeRate;
} DXGK_MIRACAST_CHUNK_INFO;

#endif
