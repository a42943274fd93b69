/* SPDX-License-Identifier: MIT */
/*
 * mock_present.c: DxgkDdiPresent: a copy, or a fill, of a list of sub-rectangles.
 *
 * Each rectangle is a 16-byte slot for the source, if there is one, and one for the destination;
 * both have a patch location, and a buffer may be split before each rectangle. When the buffer or
 * the list of locations is full, MultipassOffset says how many rectangles are done, and a new
 * buffer is asked for. How long it all takes comes with the private data of the command, and is
 * shared out by rectangles.
 *
 * Rules not named below: BUG-005, MINI-055, SUBMIT-005, SUBMIT-006, SUBMIT-010, SUBMIT-024.
 */
#include "vidmm/mock/mock_faults.h"
#include "vidmm/mock/mock_objects.h"

/* What one call writes. */
struct output {
    const DXGKARG_PRESENT *arg;
    UINT bytes, locations;
    bool prepatch;
};

/* One side of a rectangle that begins at `split`. */
static void write_side(struct output *output, UINT index, UINT split)
{
    const DXGKARG_PRESENT *arg = output->arg;
    mock_render_slot((uint8_t *)arg->pDmaBuffer + output->bytes, index,
                     &arg->pAllocationList[index], 0, output->prepatch);
    arg->pPatchLocationListOut[output->locations++] = (D3DDDI_PATCHLOCATIONLIST){
        .AllocationIndex = index,
        .SlotId = (index - DXGK_PRESENT_SOURCE_INDEX) & 0xFFFFFF,
        .PatchOffset = output->bytes,
        .SplitOffset = split,
    };
    output->bytes += MOCK_REFERENCE_BYTES;
}

/* False: there is no room for another rectangle. */
static bool write_rectangle(struct output *output)
{
    const DXGKARG_PRESENT *arg = output->arg;
    bool copies = arg->pAllocationList[DXGK_PRESENT_SOURCE_INDEX].hDeviceSpecificAllocation != NULL;
    UINT sides = copies ? 2 : 1, split = output->bytes;
    if (arg->DmaSize - output->bytes < sides * MOCK_REFERENCE_BYTES ||
        arg->PatchLocationListOutSize - output->locations < sides)
        return false;
    if (copies)
        write_side(output, DXGK_PRESENT_SOURCE_INDEX, split);
    write_side(output, DXGK_PRESENT_DESTINATION_INDEX, split);
    return true;
}

static uint64_t mock_present_part_of(uint64_t whole, UINT part, UINT parts)
{
    return whole / parts * part + whole % parts * part / parts;
}

NTSTATUS mock_present_build(IN_CONST_HANDLE context, INOUT_PDXGKARG_PRESENT arg)
{
    struct mock_client *client = context;
    struct vidmm_mock *mock = client->mock;
    NTSTATUS status = mock_faults_begin(mock, VIDMM_MOCK_PRESENT_STATUS);
    if (status)
        return status;
    if (!arg->SubRectCnt || arg->MultipassOffset > arg->SubRectCnt)
        return STATUS_INVALID_PARAMETER;

    struct output output = { .arg = arg };
    bool restarts = mock_faults_hit(mock, VIDMM_MOCK_PRESENT_RESTART);
    UINT first = restarts ? 0 : arg->MultipassOffset, end = first;
    UINT most = arg->SubRectCnt - first;
    if (mock_faults_hit(mock, VIDMM_MOCK_PRESENT_RECTS))
        most = (UINT)min_u64(most, (uint64_t)mock_faults_value(mock, VIDMM_MOCK_PRESENT_RECTS));
    output.prepatch = !mock_faults_hit(mock, VIDMM_MOCK_NO_PREPATCH);
    while (end - first < most && write_rectangle(&output))
        end++;
    mock_render_spoil(mock, &(struct mock_lists){ arg->pAllocationList,
                                                  DXGK_PRESENT_DESTINATION_INDEX + 1,
                                                  arg->pPatchLocationListOut, output.locations });
    arg->pDmaBufferPrivateData =
        mock_render_count_use(mock, arg->pDmaBufferPrivateData, arg->DmaBufferPrivateDataSize);
    struct vidmm_mock_command command = { 0 };
    if (arg->PrivateDriverDataSize >= sizeof command)
        memcpy(&command, arg->pPrivateDriverData, sizeof command);
    mock_render_translated(mock, client,
                           &(struct mock_translation){
                               .dma = arg->pDmaBuffer,
                               .bytes = output.bytes,
                               .cost_ns =
                                   mock_present_part_of(command.cost_ns, end, arg->SubRectCnt) -
                                   mock_present_part_of(command.cost_ns, first, arg->SubRectCnt),
                               .hangs = command.flags & VIDMM_MOCK_COMMAND_HANG,
                           });
    arg->pDmaBuffer = mock_render_end(mock, arg->pDmaBuffer, arg->DmaSize, output.bytes);
    arg->pPatchLocationListOut += output.locations;
    if (!restarts)
        arg->MultipassOffset = end;
    return end < arg->SubRectCnt ? STATUS_GRAPHICS_INSUFFICIENT_DMA_BUFFER : STATUS_SUCCESS;
}
