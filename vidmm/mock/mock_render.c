/* SPDX-License-Identifier: MIT */
/*
 * mock_render.c: from a command buffer to the chip: DxgkDdiRender, DxgkDdiPatch,
 * DxgkDdiSubmitCommand.
 *
 * The DMA buffer holds one 16-byte slot for each patch location, at its PatchOffset, and zeros: the
 * list index and the direction stand there from the translation on, segment and address come from
 * the pre-patch information and again from Patch. A location without room for a slot is listed and
 * not written, as a driver does that trusts its caller. How long the packet runs is not in the
 * buffer, for any byte of it may be a patch location: it goes to the chip with the submission, a
 * portion of a buffer gets its share (TIME-011).
 *
 * Rules not named below: BUG-005, SUBMIT-002 to SUBMIT-006, SUBMIT-010, SUBMIT-014, SUBMIT-023,
 * SUBMIT-037, SUBMIT-040, SUBMIT-041, SUBMIT-044, TIME-011.
 */
#include "vidmm/mock/mock_faults.h"
#include "vidmm/mock/mock_gpu.h"
#include "vidmm/mock/mock_objects.h"

/* What stands in paging buffers, and was not submitted yet. */
struct mock_written {
    const uint8_t *begin, *end;
};

/* An address that no segment has, in slots without a patch. */
static const uint64_t no_address = UINT64_C(0xBADBADBADBADB000);
enum { NO_SEGMENT = 0xFF };

/* ---- Render --------------------------------------------------------------------------------- */

static uint64_t end_of_slot(const D3DDDI_PATCHLOCATIONLIST *location)
{
    return (uint64_t)location->PatchOffset + MOCK_REFERENCE_BYTES;
}

/* NULL for the NULL element, and for an index that the list does not have. */
static const DXGK_ALLOCATIONLIST *element_of(const DXGK_ALLOCATIONLIST *list, UINT size, UINT index)
{
    if (index >= size || !list[index].hDeviceSpecificAllocation)
        return NULL;
    return &list[index];
}

/* Length of the DMA buffer: what the caller wants, else enough for the slots. */
static uint64_t length_of(const DXGKARG_RENDER *arg, const struct vidmm_mock_command *command)
{
    uint64_t length = MOCK_REFERENCE_BYTES;
    if (command->bytes)
        return command->bytes;
    for (UINT i = 0; i < arg->PatchLocationListInSize; i++) {
        const D3DDDI_PATCHLOCATIONLIST *location = &arg->pPatchLocationListIn[i];
        if (element_of(arg->pAllocationList, arg->AllocationListSize, location->AllocationIndex))
            length = max_u64(length, end_of_slot(location));
    }
    return length;
}

void mock_render_slot(uint8_t *at, UINT index, const DXGK_ALLOCATIONLIST *element, uint64_t offset,
                      bool prepatch)
{
    struct mock_reference slot = {
        .op = MOCK_REFERENCE,
        .write = element->WriteOperation,
        .segment = NO_SEGMENT,
        .index = index,
        .address = no_address,
    };
    if (prepatch && element->SegmentId) {
        slot.segment = (uint8_t)element->SegmentId;
        slot.address = (uint64_t)element->PhysicalAddress.QuadPart + offset;
    }
    memcpy(at, &slot, sizeof slot);
}

static void write_slots(const DXGKARG_RENDER *arg, uint64_t length, bool prepatch)
{
    memset(arg->pDmaBuffer, 0, length);
    for (UINT i = 0; i < arg->PatchLocationListInSize; i++) {
        const D3DDDI_PATCHLOCATIONLIST *location = &arg->pPatchLocationListIn[i];
        const DXGK_ALLOCATIONLIST *element =
            element_of(arg->pAllocationList, arg->AllocationListSize, location->AllocationIndex);
        if (element && end_of_slot(location) <= length)
            mock_render_slot((uint8_t *)arg->pDmaBuffer + location->PatchOffset,
                             location->AllocationIndex, element, location->AllocationOffset,
                             prepatch);
    }
}

/* Number of locations in the output list. With `keep-binding` no slot is emptied (SUBMIT-037). */
static UINT mock_render_copy_locations(const DXGKARG_RENDER *arg, bool keeps)
{
    UINT count = 0;
    for (UINT i = 0; i < arg->PatchLocationListInSize; i++) {
        const D3DDDI_PATCHLOCATIONLIST *location = &arg->pPatchLocationListIn[i];
        if (!keeps ||
            element_of(arg->pAllocationList, arg->AllocationListSize, location->AllocationIndex))
            arg->pPatchLocationListOut[count++] = *location;
    }
    return count;
}

/* `patch-entry`: the first location of the output list that is not for the NULL element. */
static void spoil_entry(const struct vidmm_mock *mock, const struct mock_lists *lists)
{
    UINT i = 0;
    while (i < lists->count &&
           !element_of(lists->list, lists->size, lists->locations[i].AllocationIndex))
        i++;
    if (i == lists->count)
        return;
    D3DDDI_PATCHLOCATIONLIST *location = &lists->locations[i];
    switch (mock_faults_value(mock, VIDMM_MOCK_PATCH_ENTRY)) {
    case MOCK_BAD_INDEX: location->AllocationIndex = lists->size; break;
    case MOCK_BAD_SLOT:
        location->SlotId =
            mock_query_cap(&mock->config, VIDMM_MOCK_CAP_MaxAllocationListSlotId) & 0xFFFFFF;
        break;
    default: location->SplitOffset = location->PatchOffset + 1; break;
    }
}

void mock_render_spoil(struct vidmm_mock *mock, const struct mock_lists *lists)
{
    if (mock_faults_hit(mock, VIDMM_MOCK_PATCH_ENTRY))
        spoil_entry(mock, lists);
    if (mock_faults_hit(mock, VIDMM_MOCK_RESERVED_BITS)) {
        bool list = mock_faults_value(mock, VIDMM_MOCK_RESERVED_BITS) == MOCK_RESERVED_LIST;
        if (list && lists->size)
            lists->list[lists->size - 1].Reserved = 1;
        if (!list && lists->count)
            lists->locations[0].Reserved = 1;
    }
    if (mock_faults_hit(mock, VIDMM_MOCK_FLIP_WRITE))
        for (UINT i = 0; i < lists->size; i++)
            lists->list[i].WriteOperation ^= 1;
}

uint8_t *mock_render_count_up(uint8_t *data, UINT bytes)
{
    uint32_t uses;
    if (bytes < sizeof uses)
        return data;
    memcpy(&uses, data, sizeof uses);
    uses++;
    memcpy(data, &uses, sizeof uses);
    return data + sizeof uses;
}

/* Each translation counts itself up in the first bytes of the private data, if there are any: a
   buffer that comes back still has the old number (SUBMIT-026). */
uint8_t *mock_render_count_use(struct vidmm_mock *mock, uint8_t *data, UINT bytes)
{
    if (mock_faults_hit(mock, VIDMM_MOCK_PRIV_OVERRUN) && bytes)
        return mock_faults_overrun(mock, data, bytes, VIDMM_MOCK_PRIV_OVERRUN);
    return mock_render_count_up(data, bytes);
}

uint8_t *mock_render_end(struct vidmm_mock *mock, uint8_t *start, UINT size, uint64_t length)
{
    if (!mock_faults_hit(mock, VIDMM_MOCK_DMA_OVERRUN))
        return start + length;
    return mock_faults_overrun(mock, start, size, VIDMM_MOCK_DMA_OVERRUN);
}

/* The one of this buffer, new when there is none. */
static struct mock_translation *translation_of(struct vidmm_mock *mock, const uint8_t *dma)
{
    for (size_t i = 0; i < mock->translation_count; i++)
        if (mock->translations[i].dma == dma)
            return &mock->translations[i];
    BASE_GROW(mock->translations, mock->translation_capacity, mock->translation_count + 1);
    struct mock_translation *fresh = &mock->translations[mock->translation_count++];
    *fresh = (struct mock_translation){ .dma = dma };
    return fresh;
}

void mock_render_translated(struct vidmm_mock *mock, struct mock_client *client,
                            const struct mock_translation *translation)
{
    struct mock_translation *kept = translation_of(mock, translation->dma);
    *kept = *translation;
    kept->cost_left = translation->cost_ns;
    client->dma = translation->dma;
    mock_recovery_forget(mock, translation->dma, translation->bytes);
}

NTSTATUS mock_render_translate(IN_CONST_HANDLE context, INOUT_PDXGKARG_RENDER arg)
{
    struct mock_client *client = context;
    struct vidmm_mock *mock = client->mock;
    NTSTATUS status = mock_faults_begin(mock, VIDMM_MOCK_RENDER_STATUS);
    if (status)
        return status;
    if (mock_faults_hit(mock, VIDMM_MOCK_RENDER_INSUFFICIENT))
        return STATUS_GRAPHICS_INSUFFICIENT_DMA_BUFFER;
    struct vidmm_mock_command command;
    if (arg->CommandLength < sizeof command)
        return STATUS_INVALID_USER_BUFFER;
    memcpy(&command, arg->pCommand, sizeof command);
    uint64_t length = length_of(arg, &command);
    if (length > arg->DmaSize || arg->PatchLocationListInSize > arg->PatchLocationListOutSize)
        return STATUS_GRAPHICS_INSUFFICIENT_DMA_BUFFER;

    write_slots(arg, length, !mock_faults_hit(mock, VIDMM_MOCK_NO_PREPATCH));
    UINT count = mock_render_copy_locations(arg, mock_faults_hit(mock, VIDMM_MOCK_KEEP_BINDING));
    mock_render_spoil(mock, &(struct mock_lists){ arg->pAllocationList, arg->AllocationListSize,
                                                  arg->pPatchLocationListOut, count });

    arg->pDmaBufferPrivateData =
        mock_render_count_use(mock, arg->pDmaBufferPrivateData, arg->DmaBufferPrivateDataSize);
    mock_render_translated(mock, client,
                           &(struct mock_translation){
                               .dma = arg->pDmaBuffer,
                               .bytes = (uint32_t)length,
                               .cost_ns = command.cost_ns,
                               .hangs = command.flags & VIDMM_MOCK_COMMAND_HANG,
                           });
    arg->pDmaBuffer = mock_render_end(mock, arg->pDmaBuffer, arg->DmaSize, length);
    if (count)
        arg->pPatchLocationListOut += count;
    return STATUS_SUCCESS;
}

/* ---- Patch ---------------------------------------------------------------------------------- */

static void patch_slot(const DXGKARG_PATCH *arg, const D3DDDI_PATCHLOCATIONLIST *location)
{
    const DXGK_ALLOCATIONLIST *element =
        element_of(arg->pAllocationList, arg->AllocationListSize, location->AllocationIndex);
    if (!element || end_of_slot(location) > arg->DmaBufferSubmissionEndOffset)
        return;
    uint8_t *at = (uint8_t *)arg->pDmaBuffer + location->PatchOffset;
    struct mock_reference slot;
    memcpy(&slot, at, sizeof slot);
    slot.segment = element->SegmentId;
    slot.address = (uint64_t)element->PhysicalAddress.QuadPart + location->AllocationOffset;
    memcpy(at, &slot, sizeof slot);
}

NTSTATUS mock_render_patch(IN_CONST_HANDLE adapter, IN_CONST_PDXGKARG_PATCH arg)
{
    struct vidmm_mock *mock = adapter;
    struct mock_client *client = arg->hContext;
    NTSTATUS status = mock_faults_status(mock, VIDMM_MOCK_PATCH_STATUS);
    if (status)
        return status;

    if (arg->Flags.Paging) {
        mock->paging_dma = arg->pDmaBuffer;
    } else {
        client->patched = arg->pDmaBuffer;
        UINT last = arg->PatchLocationListSubmissionStart + arg->PatchLocationListSubmissionLength;
        bool forgets = mock_faults_hit(mock, VIDMM_MOCK_FORGET_PATCH);
        for (UINT i = arg->PatchLocationListSubmissionStart; i < last && !forgets; i++)
            patch_slot(arg, &arg->pPatchLocationList[i]);
        /* `patch-behind`: the list is the driver's, and constant only for what reads it. */
        if (mock_faults_hit(mock, VIDMM_MOCK_PATCH_BEHIND) && last < arg->PatchLocationListSize)
            ((D3DDDI_PATCHLOCATIONLIST *)arg->pPatchLocationList)[last].AllocationIndex =
                arg->AllocationListSize;
    }
    if (mock_faults_hit(mock, VIDMM_MOCK_PATCH_OUTSIDE)) {
        /* The byte before the submission; where it begins the buffer, and of paging, where commands
           name memory of the host, the one after it, which the system may guard. */
        UINT start = arg->Flags.Paging ? 0 : arg->DmaBufferSubmissionStartOffset;
        ((uint8_t *)arg->pDmaBuffer)[start ? start - 1 : arg->DmaBufferSubmissionEndOffset] ^= 0xFF;
    }
    return STATUS_SUCCESS;
}

/* ---- Submit --------------------------------------------------------------------------------- */

/* TIME-011: the floor of the share, the rest for the portion that ends the buffer. */
static uint64_t take_cost(struct mock_translation *translation, uint32_t start, uint32_t end)
{
    uint64_t total = translation->bytes;
    uint64_t bytes = end - start;
    uint64_t share = translation->cost_left;
    if (end < total)
        share = translation->cost_ns / total * bytes + translation->cost_ns % total * bytes / total;
    translation->cost_left -= share;
    return share;
}

/* A translation ends with its last portion. */
static void take_translation(struct vidmm_mock *mock, struct mock_packet *packet)
{
    struct mock_translation *translation = translation_of(mock, packet->buffer);
    packet->hangs = translation->hangs;
    packet->cost_ns = take_cost(translation, packet->start, packet->end);
    if (packet->end >= translation->bytes)
        *translation = mock->translations[--mock->translation_count];
}

/* What continues the last call in the same buffer is one piece with it. */
void mock_render_wrote(struct vidmm_mock *mock, const uint8_t *begin, const uint8_t *end)
{
    if (begin >= end)
        return;
    mock_recovery_forget(mock, begin, (size_t)(end - begin));
    if (mock->written_count && mock->written[mock->written_count - 1].end == begin) {
        mock->written[mock->written_count - 1].end = end;
        return;
    }
    BASE_GROW(mock->written, mock->written_capacity, mock->written_count + 1);
    mock->written[mock->written_count++] = (struct mock_written){ begin, end };
}

/* Buffers are submitted in the order in which they were written. Without Patch that says where
   this one is; with it, the system gave up what stands before. */
static void take_written(struct vidmm_mock *mock, struct mock_packet *packet)
{
    size_t i = 0;
    while (packet->buffer && i < mock->written_count &&
           mock->written[i].begin != packet->buffer + packet->start)
        i++;
    if (i == mock->written_count) {
        packet->start = packet->buffer ? packet->start : packet->end;
        return;
    }
    struct mock_written *first = &mock->written[i];
    packet->buffer = first->begin - packet->start;
    first->begin += packet->end - packet->start;
    if (first->begin >= first->end)
        i++;
    mock->written_count -= i;
    memmove(mock->written, mock->written + i, mock->written_count * sizeof *mock->written);
}

/* What a context switch executes. */
static const uint8_t no_commands[1] = { MOCK_NOTHING };

NTSTATUS mock_render_submit(IN_CONST_HANDLE adapter, IN_CONST_PDXGKARG_SUBMITCOMMAND arg)
{
    struct vidmm_mock *mock = adapter;
    struct mock_client *client = arg->hContext;
    NTSTATUS status = mock_faults_status(mock, VIDMM_MOCK_SUBMIT_STATUS);
    struct mock_packet packet = {
        .fence = arg->SubmissionFenceId,
        .start = arg->DmaBufferSubmissionStartOffset,
        .end = arg->DmaBufferSubmissionEndOffset,
        .paging = arg->Flags.Paging,
        .adapters = 1u << (arg->EngineOrdinal & 31),
        .switches = arg->Flags.ContextSwitch,
    };

    if (status)
        return status;
    if (arg->NodeOrdinal >= mock->nodes || packet.end < packet.start)
        return STATUS_INVALID_PARAMETER;
    if (mock_gpu_broadcast(mock, arg->NodeOrdinal, &packet))
        return STATUS_SUCCESS;
    if (packet.switches) {
        packet.buffer = no_commands;
    } else if (packet.paging) {
        packet.buffer = mock->paging_dma; /* from Patch */
        mock->paging_dma = NULL;
    } else {
        packet.buffer = client->patched ? client->patched : client->dma;
        client->patched = NULL;
    }
    bool again = mock_recovery_taken(mock, &packet);
    if (!again && packet.paging && !packet.switches)
        take_written(mock, &packet);
    else if (!again && !packet.switches)
        take_translation(mock, &packet);
    if (arg->Flags.NullRendering) { /* also when it comes again */
        packet.hangs = false;
        packet.cost_ns = 0;
        packet.start = packet.end;
    }
    mock_gpu_submit(mock, arg->NodeOrdinal, &packet);
    return STATUS_SUCCESS;
}
