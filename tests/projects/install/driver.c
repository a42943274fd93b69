/* SPDX-License-Identifier: MIT */
/*
 * driver.c: a display miniport driver of WDDM 1.1 and its chip, as small as both can be.
 *
 * The driver includes the headers that it would include on Windows, by the same names. One segment
 * of video memory, one node that draws and pages. What is written into DMA and paging buffers is an
 * array of `struct command`; the chip executes what it finds there when virtual time says so.
 */
#include <dispmprt.h>
#include <ntddk.h>

#include <string.h>

#include <vidmm/vidmm_memory.h>

struct vidmm_miniport driver_miniport(void); /* for own.c */

enum { VRAM = 1, VRAM_BYTES = 8 << 20, PAGE = 4096, PACKETS = 256, NS_OF_COMMAND = 1000 };

/* A page that moves or is filled, or an allocation that a drawing uses. */
struct command {
    enum { COPY, FILL, USE } what;
    UINT from_segment, to_segment; /* 0: system memory */
    UINT number;                   /* FILL: the pattern; USE: the element of the allocation list */
    UINT64 from, to;               /* addresses; USE: `to`, which Patch writes */
    BOOLEAN write;                 /* USE */
};

/* What SubmitCommand handed to the chip. */
struct packet {
    UINT fence;
    const UCHAR *begin, *end;
};

static struct {
    DXGKRNL_INTERFACE dxgkrnl;
    struct vidmm_bus *bus;
    UCHAR *patched;                 /* the buffer that Patch named last */
    struct packet packets[PACKETS]; /* by their fence */
    UINT finished;
    UINT_PTR objects; /* a handle of this driver is a number: it keeps nothing for an object */
} card;

static HANDLE new_handle(void)
{
    return (HANDLE)++card.objects;
}

/* ---- the adapter, its devices and contexts --------------------------------------------------- */

static NTSTATUS AddDevice(IN_CONST_PDEVICE_OBJECT device, OUT_PPVOID context)
{
    *context = device;
    return STATUS_SUCCESS;
}

static NTSTATUS StartDevice(IN_CONST_PVOID context, IN_PDXGK_START_INFO info,
                            IN_PDXGKRNL_INTERFACE dxgkrnl, OUT_PULONG sources, OUT_PULONG children)
{
    UNREFERENCED_PARAMETER(context);
    UNREFERENCED_PARAMETER(info);
    card.dxgkrnl = *dxgkrnl;
    *sources = *children = 0;
    return STATUS_SUCCESS;
}

static NTSTATUS StopDevice(IN_CONST_PVOID context)
{
    UNREFERENCED_PARAMETER(context);
    return STATUS_SUCCESS;
}

/* The system asks twice: how many segments are there, and which? */
static NTSTATUS QuerySegments(DXGK_QUERYSEGMENTOUT *out)
{
    out->NbSegment = 1;
    if (!out->pSegmentDescriptor)
        return STATUS_SUCCESS;
    out->pSegmentDescriptor[0] = (DXGK_SEGMENTDESCRIPTOR){ .Size = VRAM_BYTES,
                                                           .CommitLimit = VRAM_BYTES,
                                                           .Flags.CpuVisible = 1 };
    out->PagingBufferSize = 16 * 1024; /* in system memory: PagingBufferSegmentId is 0 */
    return STATUS_SUCCESS;
}

static NTSTATUS QueryAdapterInfo(IN_CONST_HANDLE adapter, IN_CONST_PDXGKARG_QUERYADAPTERINFO arg)
{
    UNREFERENCED_PARAMETER(adapter);
    if (arg->Type == DXGKQAITYPE_QUERYSEGMENT)
        return QuerySegments(arg->pOutputData);
    if (arg->Type != DXGKQAITYPE_DRIVERCAPS)
        return STATUS_NOT_SUPPORTED;
    DXGK_DRIVERCAPS *caps = arg->pOutputData;
    memset(caps, 0, arg->OutputDataSize);
    caps->HighestAcceptableAddress.QuadPart = INT64_MAX;
    caps->MaxAllocationListSlotId = 256;
    caps->SchedulingCaps.MultiEngineAware = 1;
    caps->GpuEngineTopology.NbAsymetricProcessingNodes = 1;
    return STATUS_SUCCESS;
}

static NTSTATUS CreateDevice(IN_CONST_HANDLE adapter, INOUT_PDXGKARG_CREATEDEVICE arg)
{
    UNREFERENCED_PARAMETER(adapter);
    arg->pInfo = NULL; /* of a multi-engine driver each context says it */
    arg->hDevice = new_handle();
    return STATUS_SUCCESS;
}

static NTSTATUS CreateContext(IN_CONST_HANDLE device, INOUT_PDXGKARG_CREATECONTEXT arg)
{
    UNREFERENCED_PARAMETER(device);
    arg->hContext = new_handle();
    arg->ContextInfo = (DXGK_CONTEXTINFO){ .DmaBufferSize = 64 * 1024,
                                           .AllocationListSize = 256,
                                           .PatchLocationListSize = 256 };
    return STATUS_SUCCESS;
}

static NTSTATUS DestroyHandle(IN_CONST_HANDLE handle)
{
    UNREFERENCED_PARAMETER(handle);
    return STATUS_SUCCESS;
}

/* ---- allocations ----------------------------------------------------------------------------- */

/* The private data is what the user-mode driver of this card says: a number of bytes. */
static NTSTATUS CreateAllocation(IN_CONST_HANDLE adapter, INOUT_PDXGKARG_CREATEALLOCATION arg)
{
    UNREFERENCED_PARAMETER(adapter);
    for (UINT i = 0; i < arg->NumAllocations; i++) {
        DXGK_ALLOCATIONINFO *info = &arg->pAllocationInfo[i];
        if (info->PrivateDriverDataSize != sizeof(UINT64))
            return STATUS_INVALID_PARAMETER;
        info->Size = *(const UINT64 *)info->pPrivateDriverData;
        info->SupportedReadSegmentSet = info->SupportedWriteSegmentSet = 1 << (VRAM - 1);
        info->AllocationPriority = D3DDDI_ALLOCATIONPRIORITY_NORMAL;
        info->hAllocation = new_handle();
    }
    return STATUS_SUCCESS;
}

static NTSTATUS DestroyAllocation(IN_CONST_HANDLE adapter, IN_CONST_PDXGKARG_DESTROYALLOCATION arg)
{
    UNREFERENCED_PARAMETER(adapter);
    UNREFERENCED_PARAMETER(arg);
    return STATUS_SUCCESS;
}

static NTSTATUS OpenAllocation(IN_CONST_HANDLE device, IN_CONST_PDXGKARG_OPENALLOCATION arg)
{
    UNREFERENCED_PARAMETER(device);
    for (UINT i = 0; i < arg->NumAllocations; i++)
        arg->pOpenAllocation[i].hDeviceSpecificAllocation = new_handle();
    return STATUS_SUCCESS;
}

static NTSTATUS CloseAllocation(IN_CONST_HANDLE device, IN_CONST_PDXGKARG_CLOSEALLOCATION arg)
{
    UNREFERENCED_PARAMETER(device);
    UNREFERENCED_PARAMETER(arg);
    return STATUS_SUCCESS;
}

/* ---- buffers --------------------------------------------------------------------------------- */

/* Where a page of one side of a transfer is: TransferOffset moves a segment's side only, and
   MdlOffset that of system memory. */
#define ADDRESS_OF(arg, side, page)                                                                \
    ((arg)->Transfer.side.SegmentId                                                                \
         ? (UINT64)(arg)->Transfer.side.SegmentAddress.QuadPart + (arg)->Transfer.TransferOffset + \
               (UINT64)(page)*PAGE                                                                 \
         : (UINT64)MmGetMdlPfnArray(                                                               \
               (arg)->Transfer.side.pMdl)[(arg)->Transfer.MdlOffset + (page)] *                    \
               PAGE)

/* A command for each page. Where they do not fit, MultipassOffset says how many are written, and
   the call comes again with another buffer. */
static NTSTATUS BuildPagingBuffer(IN_CONST_HANDLE adapter, IN_PDXGKARG_BUILDPAGINGBUFFER arg)
{
    struct command *next = arg->pDmaBuffer;
    UINT room = arg->DmaSize / sizeof *next;
    SIZE_T bytes;
    UNREFERENCED_PARAMETER(adapter);
    switch (arg->Operation) {
    case DXGK_OPERATION_TRANSFER: bytes = arg->Transfer.TransferSize; break;
    case DXGK_OPERATION_FILL: bytes = arg->Fill.FillSize; break;
    case DXGK_OPERATION_DISCARD_CONTENT: return STATUS_SUCCESS;
    default: return STATUS_NOT_SUPPORTED;
    }
    for (; arg->MultipassOffset < bytes / PAGE && room; arg->MultipassOffset++, room--, next++) {
        UINT page = arg->MultipassOffset;
        if (arg->Operation == DXGK_OPERATION_FILL)
            *next = (struct command){
                .what = FILL,
                .number = arg->Fill.FillPattern,
                .to_segment = arg->Fill.Destination.SegmentId,
                .to = (UINT64)arg->Fill.Destination.SegmentAddress.QuadPart + (UINT64)page * PAGE,
            };
        else
            *next = (struct command){
                .what = COPY,
                .from_segment = arg->Transfer.Source.SegmentId,
                .to_segment = arg->Transfer.Destination.SegmentId,
                .from = ADDRESS_OF(arg, Source, page),
                .to = ADDRESS_OF(arg, Destination, page),
            };
    }
    arg->pDmaBuffer = next;
    return arg->MultipassOffset < bytes / PAGE ? STATUS_GRAPHICS_INSUFFICIENT_DMA_BUFFER
                                               : STATUS_SUCCESS;
}

/* A drawing uses what each patch location of its user-mode driver names; all addresses are left to
   Patch. */
static NTSTATUS Render(IN_CONST_HANDLE context, INOUT_PDXGKARG_RENDER arg)
{
    struct command *next = arg->pDmaBuffer;
    UINT count = arg->PatchLocationListInSize;
    UNREFERENCED_PARAMETER(context);
    if (arg->DmaSize / sizeof *next < count || arg->PatchLocationListOutSize < count)
        return STATUS_GRAPHICS_INSUFFICIENT_DMA_BUFFER;
    for (UINT i = 0; i < count; i++) {
        D3DDDI_PATCHLOCATIONLIST location = arg->pPatchLocationListIn[i];
        if (location.AllocationIndex >= arg->AllocationListSize)
            return STATUS_INVALID_USER_BUFFER;
        location.PatchOffset = location.SplitOffset = i * sizeof *next;
        *arg->pPatchLocationListOut++ = location;
        *next++ = (struct command){
            .what = USE,
            .number = location.AllocationIndex,
            .write = arg->pAllocationList[location.AllocationIndex].WriteOperation,
        };
    }
    arg->pDmaBuffer = next;
    return STATUS_SUCCESS;
}

static NTSTATUS Patch(IN_CONST_HANDLE adapter, IN_CONST_PDXGKARG_PATCH arg)
{
    UNREFERENCED_PARAMETER(adapter);
    card.patched = arg->pDmaBuffer;
    for (UINT i = 0; i < arg->PatchLocationListSubmissionLength; i++) {
        const D3DDDI_PATCHLOCATIONLIST *at =
            &arg->pPatchLocationList[arg->PatchLocationListSubmissionStart + i];
        const DXGK_ALLOCATIONLIST *element = &arg->pAllocationList[at->AllocationIndex];
        struct command *command = (struct command *)(card.patched + at->PatchOffset);
        command->to_segment = element->SegmentId;
        command->to = (UINT64)element->PhysicalAddress.QuadPart + at->AllocationOffset;
    }
    return STATUS_SUCCESS;
}

static NTSTATUS SubmitCommand(IN_CONST_HANDLE adapter, IN_CONST_PDXGKARG_SUBMITCOMMAND arg)
{
    struct packet *packet = &card.packets[arg->SubmissionFenceId % PACKETS];
    UNREFERENCED_PARAMETER(adapter);
    *packet = (struct packet){ .fence = arg->SubmissionFenceId,
                               .begin = card.patched + arg->DmaBufferSubmissionStartOffset,
                               .end = card.patched + arg->DmaBufferSubmissionEndOffset };
    return STATUS_SUCCESS;
}

/* After a packet that does not end: whatever the chip had is gone. */
static NTSTATUS ResetFromTimeout(IN_CONST_HANDLE adapter)
{
    UNREFERENCED_PARAMETER(adapter);
    return STATUS_SUCCESS;
}

static VOID DpcRoutine(IN_CONST_PVOID adapter)
{
    UNREFERENCED_PARAMETER(adapter);
    card.dxgkrnl.DxgkCbNotifyDpc(card.dxgkrnl.DeviceHandle);
}

/* ---- the chip -------------------------------------------------------------------------------- */

static void attach(void *self, struct vidmm_bus *bus)
{
    UNREFERENCED_PARAMETER(self);
    card.bus = bus;
}

static vidmm_ns begin(void *self, uint32_t node, uint32_t fence)
{
    const struct packet *packet = &card.packets[fence % PACKETS];
    UNREFERENCED_PARAMETER(self);
    UNREFERENCED_PARAMETER(node);
    return (vidmm_ns)(packet->end - packet->begin) / sizeof(struct command) * NS_OF_COMMAND;
}

static struct vidmm_bus_place place(UINT segment, UINT64 address)
{
    return (
        struct vidmm_bus_place){ .segment = segment, .address = address, .system = segment == 0 };
}

static void finish(void *self, uint32_t node, uint32_t fence)
{
    const struct packet *packet = &card.packets[fence % PACKETS];
    UNREFERENCED_PARAMETER(self);
    for (const UCHAR *at = packet->begin; at < packet->end; at += sizeof(struct command)) {
        const struct command *command = (const struct command *)at;
        const struct vidmm_bus_place from = place(command->from_segment, command->from);
        const struct vidmm_bus_place to = place(command->to_segment, command->to);
        switch (command->what) {
        case COPY: card.bus->copy(card.bus, &to, &from, PAGE); break;
        case FILL: card.bus->fill(card.bus, &to, PAGE, command->number); break;
        case USE:
            card.bus->touch(card.bus, node, fence, command->number, command->write,
                            command->to_segment, command->to);
            break;
        }
    }
    card.finished = fence;
}

static void interrupt(void *self, uint32_t node, uint32_t fence)
{
    DXGKARGCB_NOTIFY_INTERRUPT_DATA data = { .InterruptType = DXGK_INTERRUPT_DMA_COMPLETED };
    UNREFERENCED_PARAMETER(self);
    data.DmaCompleted.SubmissionFenceId = fence;
    data.DmaCompleted.NodeOrdinal = node;
    card.dxgkrnl.DxgkCbNotifyInterrupt(card.dxgkrnl.DeviceHandle, &data);
    (void)card.dxgkrnl.DxgkCbQueueDpc(card.dxgkrnl.DeviceHandle);
}

/* ---- the door -------------------------------------------------------------------------------- */

struct vidmm_miniport driver_miniport(void)
{
    /* What DriverEntry fills and hands to DxgkInitialize. */
    static const DRIVER_INITIALIZATION_DATA calls = {
        .Version = DXGKDDI_INTERFACE_VERSION_WIN7,
        .DxgkDdiAddDevice = AddDevice,
        .DxgkDdiStartDevice = StartDevice,
        .DxgkDdiStopDevice = StopDevice,
        .DxgkDdiRemoveDevice = StopDevice,
        .DxgkDdiDpcRoutine = DpcRoutine,
        .DxgkDdiQueryAdapterInfo = QueryAdapterInfo,
        .DxgkDdiCreateDevice = CreateDevice,
        .DxgkDdiDestroyDevice = DestroyHandle,
        .DxgkDdiCreateContext = CreateContext,
        .DxgkDdiDestroyContext = DestroyHandle,
        .DxgkDdiCreateAllocation = CreateAllocation,
        .DxgkDdiDestroyAllocation = DestroyAllocation,
        .DxgkDdiOpenAllocation = OpenAllocation,
        .DxgkDdiCloseAllocation = CloseAllocation,
        .DxgkDdiBuildPagingBuffer = BuildPagingBuffer,
        .DxgkDdiRender = Render,
        .DxgkDdiPatch = Patch,
        .DxgkDdiSubmitCommand = SubmitCommand,
        .DxgkDdiResetFromTimeout = ResetFromTimeout,
        .DxgkDdiRestartFromTimeout = ResetFromTimeout,
    };
    static const struct vidmm_hardware chip = {
        .attach = attach, .begin = begin, .finish = finish, .interrupt = interrupt
    };
    return (struct vidmm_miniport){ .ddi = &calls, .physical_device = &card, .hardware = &chip };
}
