/* SPDX-License-Identifier: MIT */
/*
 * mock_context.c: allocations that the mock makes for its contexts, with
 * DxgkCbCreateContextAllocation.
 *
 * The driver remembers how large each is, because the operation that initialises one does not say.
 *
 * Rules not named below: ALLOC-052 and MINI-078 from the driver's side.
 */
#include "vidmm/mock/mock_objects.h"

/* A context allocation: its address is hDriverAllocation. */
struct mock_save {
    struct mock_save *next;
    HANDLE allocation; /* the system's own handle */
    uint64_t bytes;
};

NTSTATUS vidmm_mock_context_allocation(struct vidmm_mock *mock, uint32_t context, bool shared,
                                       const struct vidmm_mock_allocation *answer,
                                       uint32_t *allocation)
{
    struct mock_save *save = base_alloc(1, sizeof *save);
    DXGKARGCB_CREATECONTEXTALLOCATION arg = {
        .ContextAllocationFlags.SharedAcrossContexts = shared,
        .hAdapter = mock->dxgkrnl.DeviceHandle,
        .hDevice = shared ? (HANDLE)(uintptr_t)context : NULL,
        .hContext = shared ? NULL : (HANDLE)(uintptr_t)context,
        .hDriverAllocation = save,
        .Size = answer->size,
        .Alignment = answer->alignment,
        .SupportedSegmentSet = answer->write_set,
        .EvictionSegmentSet = answer->eviction_set,
        .PreferredSegment.Value = answer->preferred_segment,
        .HintedBank.Value = answer->hinted_bank,
        .Flags.Value = answer->flags,
        .PhysicalAdapterIndex = answer->rename_or_adapter, /* below 2.0 nobody reads it */
    };
    NTSTATUS status = mock->dxgkrnl.DxgkCbCreateContextAllocation(&arg);
    if (status) {
        base_free(save);
        return status;
    }
    *save = (struct mock_save){ mock->saves, arg.hAllocation, answer->size };
    mock->saves = save;
    *allocation = (uint32_t)(uintptr_t)arg.hAllocation;
    return STATUS_SUCCESS;
}

/* Zeros, as a hardware that starts a context from nothing wants them. */
void mock_context_command(const struct vidmm_mock *mock, const DXGKARG_BUILDPAGINGBUFFER *arg,
                          struct mock_command *command)
{
    const struct mock_save *save = mock->saves;
    while (save && save->allocation != arg->InitContextResource.hAllocation)
        save = save->next;
    if (!save || !arg->InitContextResource.Destination.SegmentId)
        return; /* pages that are zero already */
    command->op = MOCK_FILL;
    command->to_segment = (uint8_t)arg->InitContextResource.Destination.SegmentId;
    command->to = (uint64_t)arg->InitContextResource.Destination.SegmentAddress.QuadPart;
    command->bytes = align_up(save->bytes, mock->config.page_bytes);
}

void mock_context_fini(struct vidmm_mock *mock)
{
    while (mock->saves) {
        struct mock_save *next = mock->saves->next;
        base_free(mock->saves);
        mock->saves = next;
    }
}
