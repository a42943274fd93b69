/* SPDX-License-Identifier: MIT */
/*
 * mock_paging.c: DxgkDdiBuildPagingBuffer of the mock.
 *
 * An operation becomes one command of `command-size` bytes, or one for each page of
 * `command-per-page` bytes; what is left of that size stays zero, which the chip skips.
 * DISCARD_CONTENT and work on no bytes at all write nothing: the driver keeps no books that they
 * would change. When the buffer is too short, whole pages are written, MultipassOffset counts them,
 * and the call is going to be repeated.
 *
 * Private data: each call that writes commands counts itself up in the next four bytes, if there
 * are any; on reuse of the buffer the old value is still there (MINI-014).
 *
 * Rules not named below: BUG-005, MINI-050 to MINI-056, MINI-061 to MINI-074, MINI-079 to
 * MINI-082, TIME-010.
 */
#include "vidmm/mock/mock_faults.h"
#include "vidmm/mock/mock_gpu.h"
#include "vidmm/mock/mock_objects.h"

/* ---- what is to be done --------------------------------------------------------------------- */

static void transfer_command(struct vidmm_mock *mock, const DXGKARG_BUILDPAGINGBUFFER *arg,
                             struct mock_command *command)
{
    UINT offset = arg->Transfer.TransferOffset;
    if (mock_faults_hit(mock, VIDMM_MOCK_IGNORE_OFFSET))
        offset = 0;
    command->op = MOCK_TRANSFER;
    command->flags = (uint8_t)(arg->Transfer.Flags.Value & MOCK_TRANSFER_FLAGS);
    command->from_segment = (uint8_t)arg->Transfer.Source.SegmentId;
    command->to_segment = (uint8_t)arg->Transfer.Destination.SegmentId;
    command->word = arg->Transfer.MdlOffset;
    command->bytes = arg->Transfer.TransferSize;
    command->from = command->from_segment
                        ? (uint64_t)arg->Transfer.Source.SegmentAddress.QuadPart + offset
                        : (uintptr_t)arg->Transfer.Source.pMdl;
    command->to = command->to_segment
                      ? (uint64_t)arg->Transfer.Destination.SegmentAddress.QuadPart + offset
                      : (uintptr_t)arg->Transfer.Destination.pMdl;
    if (mock_faults_hit(mock, VIDMM_MOCK_SWAP_TRANSFER)) {
        struct mock_command right = *command;
        command->from_segment = right.to_segment;
        command->from = right.to;
        command->to_segment = right.from_segment;
        command->to = right.from;
    }
    if (mock_faults_hit(mock, VIDMM_MOCK_SHORT_COPY) && command->bytes)
        command->bytes -= mock->config.page_bytes;
}

/* The pages of the alternate address come as an MDL, which begins with the first of them. */
static void special_command(struct vidmm_mock *mock, const DXGKARG_BUILDPAGINGBUFFER *arg,
                            struct mock_command *command)
{
    DXGKARG_BUILDPAGINGBUFFER plain = { .Operation = DXGK_OPERATION_TRANSFER };
    plain.Transfer.hAllocation = arg->SpecialLockTransfer.hAllocation;
    plain.Transfer.TransferOffset = arg->SpecialLockTransfer.TransferOffset;
    plain.Transfer.TransferSize = arg->SpecialLockTransfer.TransferSize;
    plain.Transfer.Source.SegmentId = arg->SpecialLockTransfer.Source.SegmentId;
    plain.Transfer.Source.SegmentAddress = arg->SpecialLockTransfer.Source.SegmentAddress;
    plain.Transfer.Destination.SegmentId = arg->SpecialLockTransfer.Destination.SegmentId;
    plain.Transfer.Destination.SegmentAddress = arg->SpecialLockTransfer.Destination.SegmentAddress;
    plain.Transfer.Flags = arg->SpecialLockTransfer.Flags;
    plain.Transfer.MdlOffset = plain.Transfer.TransferOffset / mock->config.page_bytes;
    transfer_command(mock, &plain, command);
}

/* False for an operation that this driver does not know. */
static bool mock_paging_translate(struct vidmm_mock *mock, const DXGKARG_BUILDPAGINGBUFFER *arg,
                                  struct mock_command *command)
{
    uint64_t page = mock->config.page_bytes;
    *command = (struct mock_command){ 0 };
    switch (arg->Operation) {
    case DXGK_OPERATION_TRANSFER: transfer_command(mock, arg, command); return true;
    case DXGK_OPERATION_SPECIAL_LOCK_TRANSFER: special_command(mock, arg, command); return true;
    case DXGK_OPERATION_FILL:
        command->op = MOCK_FILL;
        command->to_segment = (uint8_t)arg->Fill.Destination.SegmentId;
        command->to = (uint64_t)arg->Fill.Destination.SegmentAddress.QuadPart;
        command->bytes = arg->Fill.FillSize;
        command->word = arg->Fill.FillPattern;
        return true;
    case DXGK_OPERATION_INIT_CONTEXT_RESOURCE:
        mock_context_command(mock, arg, command);
        return true;
    case DXGK_OPERATION_DISCARD_CONTENT:
    case DXGK_OPERATION_NOTIFY_RESIDENCY: return true;
    case DXGK_OPERATION_READ_PHYSICAL:
        command->op = MOCK_READ;
        command->to_segment = (uint8_t)arg->ReadPhysical.SegmentId;
        command->to = (uint64_t)arg->ReadPhysical.PhysicalAddress.QuadPart;
        command->bytes = sizeof(uint32_t); /* any few bytes will do: a word */
        return true;
    case DXGK_OPERATION_NOTIFY_ALLOC: command->op = MOCK_NOTE; return true;
    case DXGK_OPERATION_MAP_APERTURE_SEGMENT:
        command->op = MOCK_MAP;
        command->to_segment = (uint8_t)arg->MapApertureSegment.SegmentId;
        command->to = arg->MapApertureSegment.OffsetInPages * page;
        command->bytes = arg->MapApertureSegment.NumberOfPages * page;
        command->from = (uintptr_t)arg->MapApertureSegment.pMdl;
        command->word = arg->MapApertureSegment.MdlOffset;
        return !mock_faults_hit(mock, VIDMM_MOCK_NO_APERTURE_OPS);
    case DXGK_OPERATION_UNMAP_APERTURE_SEGMENT:
        command->op = MOCK_UNMAP;
        command->to_segment = (uint8_t)arg->UnmapApertureSegment.SegmentId;
        command->to = arg->UnmapApertureSegment.OffsetInPages * page;
        command->bytes = arg->UnmapApertureSegment.NumberOfPages * page;
        command->from = (uint64_t)arg->UnmapApertureSegment.DummyPage.QuadPart;
        if (mock_faults_hit(mock, VIDMM_MOCK_KEEP_MAPPING))
            command->bytes = 0;
        return !mock_faults_hit(mock, VIDMM_MOCK_NO_APERTURE_OPS);
    default: return false;
    }
}

/* ---- writing it down ------------------------------------------------------------------------ */

static uint8_t *forward(VOID *from, uint64_t bytes)
{
    return (uint8_t *)((uintptr_t)from + bytes);
}

/* One command in `bytes` bytes of the buffer. */
static void mock_paging_write_command(DXGKARG_BUILDPAGINGBUFFER *arg,
                                      const struct mock_command *command, uint32_t bytes)
{
    memcpy(arg->pDmaBuffer, command, sizeof *command);
    memset(forward(arg->pDmaBuffer, sizeof *command), 0, bytes - sizeof *command);
    arg->pDmaBuffer = forward(arg->pDmaBuffer, bytes);
}

static void count_use(DXGKARG_BUILDPAGINGBUFFER *arg)
{
    arg->pDmaBufferPrivateData =
        mock_render_count_up(arg->pDmaBufferPrivateData, arg->DmaBufferPrivateDataSize);
}

static uint32_t command_size(const struct vidmm_mock *mock, enum vidmm_mock_cap cap)
{
    uint64_t bytes = mock->config.caps[cap];
    if (bytes < MOCK_COMMAND_BYTES)
        return MOCK_COMMAND_BYTES;
    return (uint32_t)min_u64(bytes, UINT32_MAX);
}

/* As many pages as there is room for. The first of a call begins a piece of its own (TIME-010). */
static NTSTATUS mock_paging_write_pages(struct vidmm_mock *mock, DXGKARG_BUILDPAGINGBUFFER *arg,
                                        const struct mock_command *whole)
{
    uint32_t page = mock->config.page_bytes;
    uint64_t pages = divide_up(whole->bytes, page);
    uint32_t bytes = command_size(mock, VIDMM_MOCK_CAP_COMMAND_PER_PAGE);
    uint64_t room = arg->DmaSize;
    struct mock_command command = *whole;

    if (mock_faults_hit(mock, VIDMM_MOCK_SPACE))
        room = min_u64(room, (uint64_t)mock_faults_value(mock, VIDMM_MOCK_SPACE));
    uint64_t last = min_u64(arg->MultipassOffset + room / bytes, pages);
    if (last > arg->MultipassOffset)
        count_use(arg);
    mock_gpu_advance(mock, &command, (uint64_t)arg->MultipassOffset * page);
    while (arg->MultipassOffset < last) {
        command.bytes = min_u64(page, whole->bytes - (uint64_t)arg->MultipassOffset * page);
        mock_paging_write_command(arg, &command, bytes);
        mock_gpu_advance(mock, &command, page);
        command.flags |= MOCK_CONTINUES;
        arg->MultipassOffset++;
    }
    return last < pages ? STATUS_GRAPHICS_INSUFFICIENT_DMA_BUFFER : STATUS_SUCCESS;
}

/* Whose memory is meant: the system has a context for each physical adapter of a link. */
static uint32_t mock_paging_adapter_of(const DXGKARG_BUILDPAGINGBUFFER *arg)
{
    const struct mock_client *client = arg->hSystemContext;
    return client ? client->adapter : 0;
}

static NTSTATUS mock_paging_carry_out(struct vidmm_mock *mock, DXGKARG_BUILDPAGINGBUFFER *arg,
                                      const struct mock_command *command)
{
    bool by_page = mock->config.caps[VIDMM_MOCK_CAP_COMMAND_PER_PAGE] != 0 ||
                   mock->config.switches[VIDMM_MOCK_SPACE].on;
    if (command->op == MOCK_NOTHING || (command->op == MOCK_TRANSFER && !command->bytes))
        return STATUS_SUCCESS;
    bool maps = command->op == MOCK_MAP || command->op == MOCK_UNMAP;
    if (mock->config.aperture_mmio && maps) {
        mock->bus->spend(mock->bus,
                         mock_gpu_execute_now(mock, command, mock_paging_adapter_of(arg)));
        return STATUS_SUCCESS;
    }
    if (by_page && command->bytes)
        return mock_paging_write_pages(mock, arg, command);
    uint32_t bytes = command_size(mock, VIDMM_MOCK_CAP_COMMAND_SIZE);
    if (arg->DmaSize < bytes)
        return STATUS_GRAPHICS_INSUFFICIENT_DMA_BUFFER;
    mock_paging_write_command(arg, command, bytes);
    count_use(arg);
    return STATUS_SUCCESS;
}

/*
 * MAP_APERTURE_SEGMENT2: the pages come as numbers that are valid during the call only. One command
 * for each stretch of consecutive pages; MultipassOffset counts the pages that are done.
 */
static NTSTATUS map_listed_pages(struct vidmm_mock *mock, DXGKARG_BUILDPAGINGBUFFER *arg)
{
    const DXGK_PAGE_NUMBER *pages = arg->MapApertureSegment2.Adl.Pages;
    uint64_t page = mock->config.page_bytes, count = arg->MapApertureSegment2.NumberOfPages;
    uint32_t room = arg->DmaSize, bytes = command_size(mock, VIDMM_MOCK_CAP_COMMAND_SIZE);
    while (arg->MultipassOffset < count) {
        uint64_t first = arg->MultipassOffset, end = first + 1;
        while (end < count && pages[end] == pages[end - 1] + 1)
            end++;
        struct mock_command command = {
            .op = MOCK_MAP,
            .from_segment = MOCK_SYSTEM,
            .to_segment = (uint8_t)arg->MapApertureSegment2.SegmentId,
            .from = pages[first] * page,
            .to = (arg->MapApertureSegment2.OffsetInPages + first) * page,
            .bytes = (end - first) * page,
        };
        if (mock->config.aperture_mmio) {
            mock->bus->spend(mock->bus,
                             mock_gpu_execute_now(mock, &command, mock_paging_adapter_of(arg)));
        } else if (room < bytes) {
            return STATUS_GRAPHICS_INSUFFICIENT_DMA_BUFFER;
        } else {
            mock_paging_write_command(arg, &command, bytes);
            room -= bytes;
        }
        arg->MultipassOffset = (UINT)end;
    }
    return STATUS_SUCCESS;
}

/* ---- bad manners ---------------------------------------------------------------------------- */

/* BUSY is for work on an allocation that may still be in use (MINI-052). */
static bool may_be_busy(const DXGKARG_BUILDPAGINGBUFFER *arg)
{
    if (arg->Operation == DXGK_OPERATION_TRANSFER)
        return arg->Transfer.hAllocation && !arg->Transfer.Flags.AllocationIsIdle;
    if (arg->Operation == DXGK_OPERATION_SPECIAL_LOCK_TRANSFER)
        return arg->SpecialLockTransfer.hAllocation &&
               !arg->SpecialLockTransfer.Flags.AllocationIsIdle;
    if (arg->Operation == DXGK_OPERATION_DISCARD_CONTENT)
        return arg->DiscardContent.hAllocation && !arg->DiscardContent.Flags.AllocationIsIdle;
    return false;
}

/* A success without a command. */
static bool skips(struct vidmm_mock *mock, const DXGKARG_BUILDPAGINGBUFFER *arg)
{
    switch (arg->Operation) {
    case DXGK_OPERATION_TRANSFER:
    case DXGK_OPERATION_FILL:
    case DXGK_OPERATION_INIT_CONTEXT_RESOURCE:
        return mock_faults_hit(mock, VIDMM_MOCK_SKIP_TRANSFER);
    case DXGK_OPERATION_MAP_APERTURE_SEGMENT:
    case DXGK_OPERATION_MAP_APERTURE_SEGMENT2: return mock_faults_hit(mock, VIDMM_MOCK_SKIP_MAP);
    default: return false;
    }
}

static NTSTATUS mock_paging_answer(struct vidmm_mock *mock, DXGKARG_BUILDPAGINGBUFFER *arg)
{
    struct mock_command command;
    if (skips(mock, arg))
        return STATUS_SUCCESS;
    if (arg->Operation == DXGK_OPERATION_MAP_APERTURE_SEGMENT2)
        return mock_faults_hit(mock, VIDMM_MOCK_NO_APERTURE_OPS) ? STATUS_NOT_SUPPORTED
                                                                 : map_listed_pages(mock, arg);
    return mock_paging_translate(mock, arg, &command) ? mock_paging_carry_out(mock, arg, &command)
                                                      : STATUS_NOT_SUPPORTED;
}

NTSTATUS mock_paging_build(IN_CONST_HANDLE adapter, IN_PDXGKARG_BUILDPAGINGBUFFER arg)
{
    struct vidmm_mock *mock = adapter;
    VOID *dma = arg->pDmaBuffer;
    VOID *private_data = arg->pDmaBufferPrivateData;
    /* Of no pages it is only a question whether the driver knows the operation: no call that
       another switch spoils. */
    if ((arg->Operation == DXGK_OPERATION_MAP_APERTURE_SEGMENT &&
         !arg->MapApertureSegment.NumberOfPages) ||
        (arg->Operation == DXGK_OPERATION_UNMAP_APERTURE_SEGMENT &&
         !arg->UnmapApertureSegment.NumberOfPages))
        return mock_faults_hit(mock, VIDMM_MOCK_NO_APERTURE_OPS) ? STATUS_NOT_SUPPORTED
                                                                 : STATUS_SUCCESS;
    NTSTATUS status = mock_faults_begin(mock, VIDMM_MOCK_BPB_STATUS);

    if (!status && mock_faults_hit(mock, VIDMM_MOCK_BPB_STALL))
        status = STATUS_GRAPHICS_INSUFFICIENT_DMA_BUFFER;
    if (!status && may_be_busy(arg) && mock_faults_hit(mock, VIDMM_MOCK_BUSY))
        status = STATUS_GRAPHICS_ALLOCATION_BUSY;
    if (!status)
        status = mock_paging_answer(mock, arg);
    if (mock_faults_hit(mock, VIDMM_MOCK_REENTER))
        mock->dxgkrnl.DxgkCbNotifyDpc(mock->dxgkrnl.DeviceHandle);
    if (mock_faults_hit(mock, VIDMM_MOCK_BPB_OVERRUN)) {
        /* The memory lists that commands of an earlier use name may be gone: none stays. */
        if (dma)
            memset(arg->pDmaBuffer, MOCK_NOTHING,
                   (size_t)(forward(dma, arg->DmaSize) - (uint8_t *)arg->pDmaBuffer));
        arg->pDmaBuffer = mock_faults_overrun(mock, dma, arg->DmaSize, VIDMM_MOCK_BPB_OVERRUN);
    }
    if (mock_faults_hit(mock, VIDMM_MOCK_PRIV_OVERRUN))
        arg->pDmaBufferPrivateData =
            mock_faults_overrun(mock, private_data, arg->DmaBufferPrivateDataSize,
                                VIDMM_MOCK_PRIV_OVERRUN);
    mock_render_wrote(mock, dma, arg->pDmaBuffer);
    return status;
}
