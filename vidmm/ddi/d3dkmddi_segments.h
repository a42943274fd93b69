/* SPDX-License-Identifier: MIT */
/*
 * d3dkmddi_segments.h: how a miniport describes its memory segments.
 *
 * The system asks twice: first with a null descriptor array, where only NbSegment is filled, then
 * with an array of that size. Descriptor n becomes segment n + 1. Interface below 1.2 uses
 * QUERYSEGMENT, 1.2 to below 2.0 QUERYSEGMENT3, later QUERYSEGMENT4. SEG-001 to SEG-005.
 *
 * Source: public pages titled like the types (d3dkmddi.h).
 */
#ifndef VIDMM_DDI_D3DKMDDI_SEGMENTS_H
#define VIDMM_DDI_D3DKMDDI_SEGMENTS_H

#include "d3dkmddi_names.h"
#include "d3dkmdt.h"

/* What a segment is. Bits 7 to 10 since 1.2, 11 to 20 since 2.0, 21 since 2.9. */
typedef struct _DXGK_SEGMENTFLAGS {
    union {
        struct {
            UINT Aperture : 1;
            UINT Agp : 1;
            UINT CpuVisible : 1;
            UINT UseBanking : 1;
            UINT CacheCoherent : 1;
            UINT PitchAlignment : 1;
            UINT PopulatedFromSystemMemory : 1;
            UINT PreservedDuringStandby : 1;
            UINT PreservedDuringHibernate : 1;
            UINT PartiallyPreservedDuringHibernate : 1;
            UINT DirectFlip : 1;
            UINT Use64KBPages : 1;
            UINT ReservedSysMem : 1;
            UINT SupportsCpuHostAperture : 1;
            UINT SupportsCachedCpuHostAperture : 1;
            UINT ApplicationTarget : 1;
            UINT VprSupported : 1;
            UINT VprPreservedDuringStandby : 1;
            UINT EncryptedPagingSupported : 1;
            UINT LocalBudgetGroup : 1;
            UINT NonLocalBudgetGroup : 1;
            UINT PopulatedByReservedDDRByFirmware : 1;
            UINT Reserved : 10;
        };
        UINT Value;
    };
} DXGK_SEGMENTFLAGS;

/* Four banks in the order of preference; Direction as in a segment preference. */
typedef struct _DXGK_SEGMENTBANKPREFERENCE {
    union {
        struct {
            UINT Bank0 : 7;
            UINT Direction0 : 1;
            UINT Bank1 : 7;
            UINT Direction1 : 1;
            UINT Bank2 : 7;
            UINT Direction2 : 1;
            UINT Bank3 : 7;
            UINT Direction3 : 1;
        };
        UINT Value;
    };
} DXGK_SEGMENTBANKPREFERENCE;

typedef D3DDDI_SEGMENTPREFERENCE DXGK_SEGMENTPREFERENCE, *PDXGK_SEGMENTPREFERENCE;

/* Input of types 2 and 5: the AGP aperture, all zero where none exists. */
typedef struct _DXGK_QUERYSEGMENTIN {
    PHYSICAL_ADDRESS AgpApertureBase;
    LARGE_INTEGER AgpApertureSize;
    DXGK_SEGMENTFLAGS AgpFlags;
} DXGK_QUERYSEGMENTIN;

/*
 * BaseAddress is the GPU's address of offset 0, CpuTranslatedAddress the bus address under which
 * the CPU sees it. pBankRangeTable holds the end offset of each bank but the last. All in bytes.
 */
typedef struct _DXGK_SEGMENTDESCRIPTOR {
    PHYSICAL_ADDRESS BaseAddress;
    PHYSICAL_ADDRESS CpuTranslatedAddress;
    SIZE_T Size;
    UINT NbOfBanks;
    SIZE_T *pBankRangeTable;
    SIZE_T CommitLimit;
    DXGK_SEGMENTFLAGS Flags;
} DXGK_SEGMENTDESCRIPTOR;

/* SystemMemoryEndAddress bounds the part that hibernation keeps (TDR-040). */
typedef struct _DXGK_SEGMENTDESCRIPTOR3 {
    DXGK_SEGMENTFLAGS Flags;
    PHYSICAL_ADDRESS BaseAddress;
    PHYSICAL_ADDRESS CpuTranslatedAddress;
    SIZE_T Size;
    UINT NbOfBanks;
    SIZE_T *pBankRangeTable;
    SIZE_T CommitLimit;
    SIZE_T SystemMemoryEndAddress;
    SIZE_T Reserved;
} DXGK_SEGMENTDESCRIPTOR3;

typedef struct _DXGK_CPUHOSTAPERTURE {
    UINT64 PhysicalAddress;
    UINT32 SizeInPages;
} DXGK_CPUHOSTAPERTURE;

/* The second union member counts with SupportsCpuHostAperture. Walked by stride (SEG-003). */
typedef struct _DXGK_SEGMENTDESCRIPTOR4 {
    DXGK_SEGMENTFLAGS Flags;
    PHYSICAL_ADDRESS BaseAddress;
    SIZE_T Size;
    SIZE_T CommitLimit;
    SIZE_T SystemMemoryEndAddress;
    union {
        PHYSICAL_ADDRESS CpuTranslatedAddress;
        DXGK_CPUHOSTAPERTURE CpuHostAperture;
    };
    UINT NumInvalidMemoryRanges;
    SIZE_T VprRangeStartOffset;
    SIZE_T VprRangeSize;
    UINT VprAlignment;
    UINT NumVprSupported;
    UINT VprReserveSize;
    UINT NumUEFIFrameBufferRanges;
} DXGK_SEGMENTDESCRIPTOR4;

/* PagingBufferSegmentId 0 asks for locked system memory; sizes in bytes. */
typedef struct _DXGK_QUERYSEGMENTOUT {
    UINT NbSegment;
    DXGK_SEGMENTDESCRIPTOR *pSegmentDescriptor;
    UINT PagingBufferSegmentId;
    UINT PagingBufferSize;
    UINT PagingBufferPrivateDataSize;
} DXGK_QUERYSEGMENTOUT;

typedef struct _DXGK_QUERYSEGMENTOUT3 {
    UINT NbSegment;
    DXGK_SEGMENTDESCRIPTOR3 *pSegmentDescriptor;
    UINT PagingBufferSegmentId;
    UINT PagingBufferSize;
    UINT PagingBufferPrivateDataSize;
} DXGK_QUERYSEGMENTOUT3;

typedef struct _DXGK_QUERYSEGMENTIN4 {
    UINT PhysicalAdapterIndex;
} DXGK_QUERYSEGMENTIN4;

/* pSegmentDescriptor is a byte array: element n begins n * SegmentDescriptorStride bytes in. */
typedef struct _DXGK_QUERYSEGMENTOUT4 {
    UINT NbSegment;
    UCHAR *pSegmentDescriptor;
    UINT PagingBufferSegmentId;
    UINT PagingBufferSize;
    UINT PagingBufferPrivateDataSize;
    SIZE_T SegmentDescriptorStride;
} DXGK_QUERYSEGMENTOUT4;

/* Ranges of a segment that must not be used (type 12), or that firmware still shows (type 18). */
typedef struct _DXGK_MEMORYRANGE {
    UINT64 SegmentOffset;
    UINT64 SizeInBytes;
} DXGK_MEMORYRANGE;

typedef struct _DXGK_QUERYSEGMENTMEMORYSTATE {
    USHORT DriverSegmentId;
    USHORT PhysicalAdapterIndex;
    union {
        UINT NumInvalidMemoryRanges;
        UINT NumUEFIFrameBufferRanges;
    };
    DXGK_MEMORYRANGE *pMemoryRanges;
} DXGK_QUERYSEGMENTMEMORYSTATE, DXGK_SEGMENTMEMORYSTATE;

typedef struct _DXGK_PHYSICAL_MEMORY_CAPS {
    PHYSICAL_ADDRESS HighestVisibleAddress;
} DXGK_PHYSICAL_MEMORY_CAPS;

/* The CPU host aperture: pages of it are pointed at pages of a segment the CPU cannot see. */
typedef struct _DXGKARG_MAPCPUHOSTAPERTURE {
    HANDLE hAllocation;
    USHORT SegmentId;
    USHORT PhysicalAdapterIndex;
    UINT64 NumberOfPages;
    UINT32 *pCpuHostAperturePages;
    UINT64 *pMemorySegmentPages;
} DXGKARG_MAPCPUHOSTAPERTURE;
VIDMM_DDI_POINTERS(DXGKARG_MAPCPUHOSTAPERTURE);

typedef struct _DXGKARG_UNMAPCPUHOSTAPERTURE {
    UINT64 NumberOfPages;
    UINT32 *pCpuHostAperturePages;
    USHORT SegmentId;
    USHORT PhysicalAdapterIndex;
} DXGKARG_UNMAPCPUHOSTAPERTURE;
VIDMM_DDI_POINTERS(DXGKARG_UNMAPCPUHOSTAPERTURE);

/* A window through which the CPU sees a tiled allocation as if it were linear. */
typedef struct _DXGKARG_ACQUIRESWIZZLINGRANGE {
    HANDLE hAllocation;
    UINT PrivateDriverData;
    UINT RangeId;
    UINT SegmentId;
    SIZE_T RangeSize;
    PHYSICAL_ADDRESS CPUTranslatedAddress;
} DXGKARG_ACQUIRESWIZZLINGRANGE;
VIDMM_DDI_POINTERS(DXGKARG_ACQUIRESWIZZLINGRANGE);

typedef struct _DXGKARG_RELEASESWIZZLINGRANGE {
    HANDLE hAllocation;
    UINT PrivateDriverData;
    UINT RangeId;
} DXGKARG_RELEASESWIZZLINGRANGE;
VIDMM_DDI_POINTERS(DXGKARG_RELEASESWIZZLINGRANGE);

#endif
