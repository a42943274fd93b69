/* SPDX-License-Identifier: MIT */
/*
 * ddi_dialect.c: a small miniport as a driver's author writes one; it must compile as C and C++.
 *
 * Compiled by ddi_headers.sh with the dialect of vidmm::ddi. It uses what drivers were seen to
 * use: own BYTE and DWORD, annotations, exception blocks, letters as tags, 16-bit literals, calls
 * declared by their type, pointers named by direction, and null as a pure specifier.
 */
#include <d3d10umddi.h>
#include <d3dkmddi.h>
#include <d3dkmthk.h>
#include <dispmprt.h>
#include <initguid.h>
#include <ntddk.h>
#include <ntintsafe.h>
#include <ntstrsafe.h>

#include "tests/vidmm/ddi/ddi_facts.h"

#ifndef _NTDDK_
#error "drivers look for _NTDDK_ to see that they are in the kernel"
#endif
#if NULL
#error "drivers use NULL where only a plain 0 fits"
#endif

typedef unsigned char BYTE;
typedef unsigned short WORD;
typedef unsigned int DWORD;

#ifdef __cplusplus
#define FACT(condition) static_assert(condition, #condition)
#else
#define FACT(condition) _Static_assert(condition, #condition)
#endif
#define SIZE_FACT(type, bytes)           FACT(sizeof(type) == bytes);
#define OFFSET_FACT(type, member, bytes) FACT(offsetof(type, member) == bytes);

DDI_SIZES(SIZE_FACT)
DDI_OFFSETS(OFFSET_FACT)
FACT(sizeof(L'x') == 2);
FACT(sizeof(D3D10DDI_MIPINFO) == 24);

#define TAG 'mmdV'

DEFINE_GUID(guid_of_the_test, 0x11223344, 0x5566, 0x7788, 1, 2, 3, 4, 5, 6, 7, 8);

#ifdef __cplusplus
struct Engine {
    virtual void Run(_In_ DWORD Count) = NULL;
};
extern "C" {
#endif

typedef struct _ADAPTER {
    LIST_ENTRY Allocations;
    DXGKRNL_INTERFACE Interface;
    KSPIN_LOCK Lock;
    volatile LONG Fence;
    ULONG Tag;
} ADAPTER;

typedef struct _COMMAND {
    ULONG Operation;
    LARGE_INTEGER Source, Destination;
    SIZE_T Bytes;
} COMMAND;

/* Words of the compiler that drivers were built with. */
static __forceinline ULONG __stdcall Smaller(__in ULONG a, IN unsigned __int32 b)
{
    return min(a, b);
}

struct __declspec(align(16)) ALIGNED {
    UNALIGNED ULONG *Where;
};
FACT(sizeof(struct ALIGNED) == 16);

DXGKDDI_ADD_DEVICE AddDevice;
DXGKDDI_QUERYADAPTERINFO QueryAdapterInfo;
DXGKDDI_CREATEALLOCATION CreateAllocation;
DXGKDDI_BUILDPAGINGBUFFER BuildPagingBuffer;
DXGKDDI_SUBMITCOMMAND SubmitCommand;
DXGKDDI_PATCH Patch;
DRIVER_INITIALIZATION_DATA *FillTable(DRIVER_INITIALIZATION_DATA *Table);

_Use_decl_annotations_ NTSTATUS AddDevice(IN_CONST_PDEVICE_OBJECT PhysicalDeviceObject,
                                          OUT_PPVOID MiniportDeviceContext)
{
    static ADAPTER Adapter;
    static const WCHAR Name[] = L"miniport";

    PAGED_CODE();
    UNREFERENCED_PARAMETER(PhysicalDeviceObject);
    InitializeListHead(&Adapter.Allocations);
    Adapter.Tag = (ULONG)TAG + Smaller((ULONG)ARRAYSIZE(Name), 3);
    *MiniportDeviceContext = &Adapter;
    return STATUS_SUCCESS;
}

NTSTATUS QueryAdapterInfo(IN_CONST_HANDLE hAdapter,
                          IN_CONST_PDXGKARG_QUERYADAPTERINFO pQueryAdapterInfo)
{
    DXGK_QUERYSEGMENTOUT *Out = (DXGK_QUERYSEGMENTOUT *)pQueryAdapterInfo->pOutputData;

    UNREFERENCED_PARAMETER(hAdapter);
    if (pQueryAdapterInfo->Type != DXGKQAITYPE_QUERYSEGMENT)
        return STATUS_NOT_SUPPORTED;
    if (Out->pSegmentDescriptor == NULL) {
        Out->NbSegment = 1;
        return STATUS_SUCCESS;
    }
    RtlZeroMemory(&Out->pSegmentDescriptor[0], sizeof(DXGK_SEGMENTDESCRIPTOR));
    Out->pSegmentDescriptor[0].Size = 256 * 1024 * 1024;
    Out->pSegmentDescriptor[0].Flags.CpuVisible = TRUE;
    Out->PagingBufferSize = PAGE_SIZE;
    return STATUS_SUCCESS;
}

NTSTATUS CreateAllocation(IN_CONST_HANDLE hAdapter,
                          INOUT_PDXGKARG_CREATEALLOCATION pCreateAllocation)
{
    ADAPTER *Adapter = (ADAPTER *)hAdapter;
    UINT i;

    for (i = 0; i < pCreateAllocation->NumAllocations; i++) {
        DXGK_ALLOCATIONINFO *Info = &pCreateAllocation->pAllocationInfo[i];

        Info->Alignment = 0;
        Info->Size = ROUND_TO_PAGES(Info->PrivateDriverDataSize);
        Info->PreferredSegment.SegmentId0 = 1;
        Info->SupportedWriteSegmentSet = 1;
        Info->Flags.CpuVisible = 1;
        Info->AllocationPriority = D3DDDI_ALLOCATIONPRIORITY_NORMAL;
        Info->hAllocation = Adapter;
    }
    return i ? STATUS_SUCCESS : STATUS_INVALID_PARAMETER;
}

NTSTATUS BuildPagingBuffer(IN_CONST_HANDLE hAdapter, IN_PDXGKARG_BUILDPAGINGBUFFER Args)
{
    COMMAND *Command = (COMMAND *)Args->pDmaBuffer;
    NTSTATUS Status = STATUS_SUCCESS;

    UNREFERENCED_PARAMETER(hAdapter);
    if (Args->DmaSize < sizeof(*Command))
        return STATUS_GRAPHICS_INSUFFICIENT_DMA_BUFFER;
    __try {
        Command->Operation = (ULONG)Args->Operation;
        switch (Args->Operation) {
        case DXGK_OPERATION_TRANSFER:
            Command->Bytes = Args->Transfer.TransferSize;
            Command->Destination = Args->Transfer.Destination.SegmentAddress;
            Command->Destination.QuadPart += Args->Transfer.TransferOffset;
            if (!Args->Transfer.Source.SegmentId) {
                PPFN_NUMBER Pages = MmGetMdlPfnArray(Args->Transfer.Source.pMdl);

                Command->Source.QuadPart =
                    (LONGLONG)(Pages[Args->Transfer.MdlOffset] << PAGE_SHIFT);
            }
            break;
        case DXGK_OPERATION_UNMAP_APERTURE_SEGMENT:
            Command->Source = Args->UnmapApertureSegment.DummyPage;
            break;
        default: Command->Bytes = 0; break;
        }
    } __except (EXCEPTION_EXECUTE_HANDLER) {
        Status = STATUS_INVALID_PARAMETER;
    }
    Args->pDmaBuffer = Command + 1;
    return Status;
}

NTSTATUS Patch(IN_CONST_HANDLE hAdapter, IN_CONST_PDXGKARG_PATCH pPatch)
{
    const D3DDDI_PATCHLOCATIONLIST *Location = pPatch->pPatchLocationList;

    UNREFERENCED_PARAMETER(hAdapter);
    NT_ASSERT(Location->AllocationIndex < pPatch->AllocationListSize);
    RtlCopyMemory((BYTE *)pPatch->pDmaBuffer + Location->PatchOffset,
                  &pPatch->pAllocationList[Location->AllocationIndex].PhysicalAddress,
                  sizeof(PHYSICAL_ADDRESS));
    return STATUS_SUCCESS;
}

NTSTATUS SubmitCommand(IN_CONST_HANDLE hAdapter, CONST DXGKARG_SUBMITCOMMAND *pSubmitCommand)
{
    ADAPTER *Adapter = (ADAPTER *)hAdapter;
    DXGKARGCB_NOTIFY_INTERRUPT_DATA Data;

    RtlZeroMemory(&Data, sizeof(Data));
    Data.InterruptType = DXGK_INTERRUPT_DMA_COMPLETED;
    Data.DmaCompleted.SubmissionFenceId = pSubmitCommand->SubmissionFenceId;
    InterlockedExchange(&Adapter->Fence, (LONG)pSubmitCommand->SubmissionFenceId);
    Adapter->Interface.DxgkCbNotifyInterrupt(Adapter->Interface.DeviceHandle, &Data);
    Adapter->Interface.DxgkCbQueueDpc(Adapter->Interface.DeviceHandle);
    return STATUS_SUCCESS;
}

DRIVER_INITIALIZATION_DATA *FillTable(DRIVER_INITIALIZATION_DATA *Table)
{
    RtlZeroMemory(Table, sizeof(*Table));
    Table->Version = DXGKDDI_INTERFACE_VERSION;
    Table->DxgkDdiAddDevice = AddDevice;
    Table->DxgkDdiQueryAdapterInfo = QueryAdapterInfo;
    Table->DxgkDdiCreateAllocation = CreateAllocation;
    Table->DxgkDdiBuildPagingBuffer = BuildPagingBuffer;
    Table->DxgkDdiPatch = Patch;
    Table->DxgkDdiSubmitCommand = SubmitCommand;
    return Table;
}

#ifdef __cplusplus
}
#endif
