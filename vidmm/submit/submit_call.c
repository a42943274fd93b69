/* SPDX-License-Identifier: MIT */
/*
 * submit_call.c: DxgkDdiRender and DxgkDdiSubmitCommand of one DMA buffer; submit_patch.c has the
 * call between them. Also shows the lists that a call hands to the driver.
 *
 * Events `list-element` and `patch-location`, one for each DXGK_ALLOCATIONLIST and for each
 * D3DDDI_PATCHLOCATIONLIST, follow the `driver-call` of DxgkDdiRender, DxgkDdiPresent or
 * DxgkDdiPatch. Render shows the locations twice: those that it got, and those that it gave back. A
 * Patch of a buffer that was split shows what its submission binds, so that many portions of long
 * lists stay affordable.
 *
 * Rules not named below: SUBMIT-001, SUBMIT-003, SUBMIT-004, SUBMIT-006, SUBMIT-026, SUBMIT-046.
 */
#include "paging/buffer/buffer.h"
#include "paging/residency/link.h"
#include "vidmm/share/share.h"
#include "vidmm/submit/submission.h"
#include "vidmm/submit/submit_state.h"

#include <string.h>

/* SUBMIT-005: where it was paged in last, be it still there or not; 0 and 0 when it never was. */
void submit_set_address(const adapter_t *adapter, DXGK_ALLOCATIONLIST *element,
                        const struct pageable *allocation)
{
    const struct place_part *place = &allocation->place;
    uint32_t segment = place->last_segment;
    uint64_t address = place->last_address;
    if (allocation->store.state == ALLOCATION_RESIDENT) {
        segment = place->at.segment;
        CHECK(segment); /* AccessedPhysically: RES-058 */
        address = place_address(adapter, &place->at);
    }
    element->SegmentId = segment ? segment_driver_id(adapter, segment) & 0x1F : 0;
    element->PhysicalAddress.QuadPart = (LONGLONG)address;
}

/* ---- what is shown of lists ----------------------------------------------------------------- */

static void show_element(adapter_t *adapter, const char *ddi, size_t index,
                         const struct allocation *allocation)
{
    const DXGK_ALLOCATIONLIST *element = &adapter->submit->scratch.list[index];
    vidmm_handle handle = allocation ? allocation->pageable.handle : 0;
    EMIT(adapter, LIST_ELEMENT, VIDMM_RULE_NONE, handle, f_word("ddi", ddi),
         f_number("index", index), f_allocation("hDeviceSpecificAllocation", handle),
         f_flag("WriteOperation", element->WriteOperation),
         f_segment("SegmentId", element->SegmentId),
         f_hex("PhysicalAddress", (uint64_t)element->PhysicalAddress.QuadPart));
}

static void show_location(adapter_t *adapter, const struct shown_locations *shown, size_t index,
                          const struct allocation *allocation)
{
    const D3DDDI_PATCHLOCATIONLIST *location = &shown->list[index];
    EMIT(adapter, PATCH_LOCATION, VIDMM_RULE_NONE, allocation ? allocation->pageable.handle : 0,
         f_word("ddi", shown->ddi), f_word("list", shown->name), f_number("index", index),
         f_number("AllocationIndex", location->AllocationIndex),
         f_number("SlotId", location->SlotId), f_number("DriverId", location->DriverId),
         f_number("AllocationOffset", location->AllocationOffset),
         f_number("PatchOffset", location->PatchOffset),
         f_number("SplitOffset", location->SplitOffset), f_hex("Reserved", location->Reserved));
}

void submit_show_elements(adapter_t *adapter, const char *ddi, const struct submission *submission)
{
    for (size_t i = 0; i < submission->count && heard(adapter, VIDMM_EVENT_DRIVER_CALL); i++)
        show_element(adapter, ddi, i, submission->elements[i].allocation);
}

void submit_show_locations(adapter_t *adapter, const struct submission *submission,
                           const struct shown_locations *shown)
{
    for (size_t i = 0; i < shown->count && heard(adapter, VIDMM_EVENT_DRIVER_CALL); i++) {
        uint32_t index = shown->list[i].AllocationIndex;
        bool listed = index < submission->count;
        show_location(adapter, shown, i, listed ? submission->elements[index].allocation : NULL);
    }
}

/* Of a buffer that is in one piece the NULL elements too. */
void submit_show_patched(adapter_t *adapter, const struct render_packet *packet)
{
    const struct shown_locations shown = { "DxgkDdiPatch", "pPatchLocationList",
                                           adapter->submit->scratch.out, packet->location_count };
    bool whole = !packet->start && packet->end == packet->buffer->used;
    const struct binding *next = packet->bindings, *end = next + packet->count;
    for (size_t i = 0; whole && i < packet->list_count; i++) {
        bool bound = next < end && next->index == i;
        if (bound || !adapter->submit->scratch.list[i].hDeviceSpecificAllocation)
            show_element(adapter, shown.ddi, i, bound ? next->allocation : NULL);
        next += bound;
    }
    for (; next < end; next++)
        show_element(adapter, shown.ddi, next->index, next->allocation);
    for (size_t i = packet->first; i < packet->first + packet->length; i++) {
        const struct binding *binding = submit_binding(packet, shown.list[i].AllocationIndex);
        show_location(adapter, &shown, i, binding ? binding->allocation : NULL);
    }
}

/* ---- Render --------------------------------------------------------------------------------- */

void submit_make_list(adapter_t *adapter, const struct submission *submission)
{
    const struct vidmm_work *work = submission->work;
    struct submit_scratch *scratch = &adapter->submit->scratch;
    uint32_t adapters = link_adapters(adapter, work->adapters);
    BASE_GROW(scratch->list, scratch->list_capacity, work->use_count);
    for (size_t i = 0; i < work->use_count; i++) {
        struct element *element = &submission->elements[i];
        DXGK_ALLOCATIONLIST *listed = &scratch->list[i];
        memset(listed, 0, sizeof *listed);
        if (!element->allocation)
            continue; /* SUBMIT-002: handle 0 becomes NULL */
        element->driver_handle =
            shared_driver_handle(element->allocation, work->uses[i].allocation);
        listed->hDeviceSpecificAllocation = element->driver_handle;
        listed->WriteOperation = work->uses[i].write;
        submit_set_address(adapter, listed,
                           link_patched_copy(&element->allocation->pageable, adapters));
        element->told_segment = listed->SegmentId;
        element->told_address = (uint64_t)listed->PhysicalAddress.QuadPart;
    }
    applies(adapter, RULE(SUBMIT_005));
}

static void make_locations(adapter_t *adapter, const struct vidmm_work *work)
{
    struct submit_scratch *scratch = &adapter->submit->scratch;
    /* A driver moves the pointer on by what it wrote, be it nothing: there has to be one. */
    BASE_GROW(scratch->in, scratch->in_capacity, work->patch_count + 1);
    BASE_GROW(scratch->out, scratch->out_capacity, work->patch_count + 1);
    for (size_t i = 0; i < work->patch_count; i++) {
        const struct vidmm_patch *patch = &work->patches[i];
        scratch->in[i] = (D3DDDI_PATCHLOCATIONLIST){ 0 };
        scratch->in[i].AllocationIndex = patch->allocation_index;
        scratch->in[i].SlotId = patch->slot & 0xFFFFFF;
        scratch->in[i].Reserved = (uint8_t)(patch->slot >> 24); /* for SUBMIT-010 to find */
        scratch->in[i].AllocationOffset = patch->allocation_offset;
        scratch->in[i].PatchOffset = patch->patch_offset;
        scratch->in[i].SplitOffset = patch->split_offset;
    }
}

/* The first element that is not NULL stands for the list. */
size_t submit_tell_element(const adapter_t *adapter, const struct allocation *allocation,
                           size_t index, struct vidmm_field *fields)
{
    const DXGK_ALLOCATIONLIST *element = &adapter->submit->scratch.list[index];
    fields[0] = f_allocation("hAllocation", allocation->pageable.handle);
    fields[1] = f_flag("WriteOperation", element->WriteOperation);
    fields[2] = f_segment("SegmentId", element->SegmentId);
    fields[3] = f_hex("PhysicalAddress", (uint64_t)element->PhysicalAddress.QuadPart);
    return 4;
}

static void tell_render(adapter_t *adapter, const struct submission *submission,
                        const DXGKARG_RENDER *arg, NTSTATUS answer)
{
    static const char ddi[] = "DxgkDdiRender";
    struct vidmm_field fields[10];
    size_t n = 0, i = 0;
    if (!heard(adapter, VIDMM_EVENT_DRIVER_CALL)) {
        driver_call_end(adapter, ddi, answer, submission->work->context, NULL, 0);
        return;
    }
    fields[n++] = f_number("AllocationListSize", submission->count);
    fields[n++] = f_number("PatchLocationListSize", submission->patch_count);
    while (i < submission->count && !submission->elements[i].allocation)
        i++;
    if (i < submission->count)
        n += submit_tell_element(adapter, submission->elements[i].allocation, i, fields + n);
    fields[n++] = f_segment("DmaBufferSegmentId", arg->DmaBufferSegmentId);
    fields[n++] =
        f_hex("DmaBufferPhysicalAddress", (uint64_t)arg->DmaBufferPhysicalAddress.QuadPart);
    driver_call_end(adapter, ddi, answer, submission->work->context, fields, n);
    submit_show_elements(adapter, ddi, submission);
    submit_show_locations(adapter, submission,
                          &(struct shown_locations){ ddi, "pPatchLocationListIn",
                                                     adapter->submit->scratch.in,
                                                     submission->work->patch_count });
    if (answer == STATUS_SUCCESS && submission->patch_count <= submission->work->patch_count)
        submit_show_locations(adapter, submission,
                              &(struct shown_locations){ ddi, "pPatchLocationListOut",
                                                         adapter->submit->scratch.out,
                                                         submission->patch_count });
}

/* Codes that go back to the caller, and one that the device does not survive. */
vidmm_status submit_failed(adapter_t *adapter, const struct submission *submission,
                           const struct translator *translator, NTSTATUS answer)
{
    bool known = false;
    for (size_t i = 0; i < translator->legal_count; i++)
        known |= answer == translator->legal[i];
    if (answer == STATUS_GRAPHICS_GPU_EXCEPTION_ON_DEVICE)
        device_fail(adapter, submission->context->device, DEVICE_DMA_FAULT, translator->rule);
    else if (!known)
        finding(adapter, translator->rule, submission->context->handle, "%s may not answer 0x%08x",
                translator->ddi, (unsigned)answer);
    return refuse(adapter, translator->rule, failure_of(answer), "%s failed", translator->ddi);
}

/* SUBMIT-025. */
static vidmm_status render_failed(adapter_t *adapter, const struct submission *submission,
                                  NTSTATUS answer)
{
    static const NTSTATUS legal[] = {
        STATUS_NO_MEMORY,
        STATUS_PRIVILEGED_INSTRUCTION,
        STATUS_ILLEGAL_INSTRUCTION,
        STATUS_INVALID_PARAMETER,
        STATUS_INVALID_USER_BUFFER,
        STATUS_INVALID_HANDLE,
        STATUS_GRAPHICS_DRIVER_MISMATCH,
    };
    if (answer == STATUS_GRAPHICS_INSUFFICIENT_DMA_BUFFER)
        return bugcheck(adapter, RULE(SUBMIT_023), 0x10E, 0x16,
                        (uint64_t[3]){ submission->context->handle, (uint32_t)answer, 0 },
                        "DxgkDdiRender asked for a larger DMA buffer than the one agreed");
    static const struct translator render = { "DxgkDdiRender", RULE(SUBMIT_025), legal,
                                              ARRAY_COUNT(legal) };
    return submit_failed(adapter, submission, &render, answer);
}

static vidmm_status overrun(adapter_t *adapter, const struct submission *submission,
                            uint64_t subcode, const char *ddi)
{
    return bugcheck(adapter, RULE(MINI_051), 0x10E, subcode,
                    (uint64_t[3]){ submission->context->handle, 0, 0 },
                    "%s wrote behind the end of the DMA buffer%s", ddi,
                    subcode == 0x13 ? "'s private data" : "");
}

/* Both pointers advanced by what there was at most, and nothing was written behind. */
vidmm_status submit_check_advance(adapter_t *adapter, const struct submission *submission,
                                  const char *ddi, const VOID *end, const VOID *private_end)
{
    struct dma_buffer *buffer = submission->buffer;
    if (!paging_within(end, buffer->memory, buffer->bytes))
        return overrun(adapter, submission, 0x12, ddi);
    if (!paging_within(private_end, buffer->private_data, buffer->private_bytes))
        return overrun(adapter, submission, 0x13, ddi);
    buffer->used = (uint64_t)((const uint8_t *)end - buffer->memory);
    dma_memory_trim(buffer);
    buffer->private_used = (uint32_t)((const uint8_t *)private_end - buffer->private_data);
    return STATUS_SUCCESS;
}

size_t submit_count_locations(const adapter_t *adapter, const D3DDDI_PATCHLOCATIONLIST *end)
{
    uintptr_t start = (uintptr_t)adapter->submit->scratch.out, behind = (uintptr_t)end;
    return behind < start ? SIZE_MAX : (behind - start) / sizeof *end;
}

vidmm_status submit_render(adapter_t *adapter, struct submission *submission)
{
    const struct vidmm_work *work = submission->work;
    submit_make_list(adapter, submission);
    make_locations(adapter, work);
    DXGKARG_RENDER arg = { 0 };
    arg.pCommand = work->command;
    arg.CommandLength = work->command_bytes;
    SUBMIT_EMPTY_BUFFER(arg, submission->buffer);
    arg.pAllocationList = adapter->submit->scratch.list;
    arg.AllocationListSize = (UINT)work->use_count;
    arg.pPatchLocationListIn = adapter->submit->scratch.in;
    arg.PatchLocationListInSize = (UINT)work->patch_count;
    arg.pPatchLocationListOut = adapter->submit->scratch.out;
    arg.PatchLocationListOutSize = (UINT)work->patch_count;

    NTSTATUS answer = DRIVER_CALL(adapter, adapter->setup->cost.ddi_ns, Render,
                                  submission->context->driver_handle, &arg);
    driver_call_returned(adapter);
    submission->patch_count = submit_count_locations(adapter, arg.pPatchLocationListOut);
    vidmm_status status = STATUS_SUCCESS;
    if (answer == STATUS_SUCCESS)
        status = submit_check_advance(adapter, submission, "DxgkDdiRender", arg.pDmaBuffer,
                                      arg.pDmaBufferPrivateData);
    tell_render(adapter, submission, &arg, answer);
    if (answer != STATUS_SUCCESS)
        return render_failed(adapter, submission, answer);
    if (status)
        return status;
    if (submission->patch_count > work->patch_count)
        return bugcheck(adapter, RULE(SUBMIT_023), 0x10E, 0x16,
                        (uint64_t[3]){ submission->context->handle, 0, 0 },
                        "DxgkDdiRender wrote more patch locations than agreed");
    return adapter_usable(adapter);
}

/* ---- Submit -------------------------------------------------------------------------------- */

/* A context switch has no buffer (SUBMIT-047). */
static void submit_arguments(const struct render_packet *packet, uint32_t fence,
                             DXGKARG_SUBMITCOMMAND *arg)
{
    const struct dma_buffer *buffer = packet->buffer;
    arg->hContext = packet->context->driver_handle;
    arg->SubmissionFenceId = fence;
    arg->NodeOrdinal = packet->context->node;
    arg->Flags.Paging = packet->paged;
    arg->Flags.ContextSwitch = packet->switches;
    arg->Flags.Present = packet->present;
    arg->Flags.NullRendering = packet->null_rendering;
    if (!buffer)
        return;
    arg->DmaBufferSegmentId = buffer->segment;
    arg->DmaBufferPhysicalAddress.QuadPart = (LONGLONG)buffer->address;
    SUBMIT_BUFFER_MEMBERS(*arg, packet);
}

static void tell_submit(adapter_t *adapter, const struct render_packet *packet, NTSTATUS answer,
                        const DXGKARG_SUBMITCOMMAND *arg)
{
    struct vidmm_field fields[12];
    size_t n = 0;
    if (!heard(adapter, VIDMM_EVENT_DRIVER_CALL)) {
        driver_call_end(adapter, "DxgkDdiSubmitCommand", answer, packet->context->handle, NULL, 0);
        return;
    }
    fields[n++] = f_hex("Flags", arg->Flags.Value);
    fields[n++] = f_number("NodeOrdinal", arg->NodeOrdinal);
    fields[n++] = f_number("DmaBufferSubmissionStartOffset", arg->DmaBufferSubmissionStartOffset);
    fields[n++] = f_number("DmaBufferSubmissionEndOffset", arg->DmaBufferSubmissionEndOffset);
    fields[n++] = f_number("SubmissionFenceId", arg->SubmissionFenceId);
    fields[n++] = f_flag("hContext", arg->hContext != NULL);
    if (packet->buffer) {
        fields[n++] = f_segment("DmaBufferSegmentId", packet->buffer->segment);
        fields[n++] = f_hex("DmaBufferPhysicalAddress", packet->buffer->address);
        fields[n++] = f_number("DmaBufferPrivateDataSubmissionStartOffset", 0);
        fields[n++] = f_number("DmaBufferPrivateDataSubmissionEndOffset",
                               arg->DmaBufferPrivateDataSubmissionEndOffset);
    }
    if (adapter->setup->link_count > 1)
        fields[n++] = f_number("EngineOrdinal", arg->EngineOrdinal);
    driver_call_end(adapter, "DxgkDdiSubmitCommand", answer, packet->context->handle, fields, n);
}

/* One adapter of a link. */
static vidmm_status submit_to(adapter_t *adapter, const struct render_packet *packet,
                              DXGKARG_SUBMITCOMMAND *arg)
{
    NTSTATUS answer = SCHEDULER_CALL(adapter, adapter->setup->cost.submit_ns, SubmitCommand,
                                     adapter->setup->driver, arg);
    applies(adapter, RULE(SUBMIT_044));
    if (packet->null_rendering)
        applies(adapter, RULE(SUBMIT_049));
    tell_submit(adapter, packet, answer, arg);
    if (answer != STATUS_SUCCESS)
        return bugcheck(adapter, RULE(SUBMIT_045), 0x119, 0x2,
                        (uint64_t[3]){ (uint32_t)answer, arg->SubmissionFenceId, 0 },
                        "DxgkDdiSubmitCommand failed; it may not");
    return adapter_usable(adapter);
}

/* A broadcast is one submission for each adapter, with one number for all (LINK-006). */
vidmm_status submit_command(adapter_t *adapter, struct render_packet *packet, uint32_t fence,
                            bool again)
{
    vidmm_status status = STATUS_SUCCESS;
    for (uint32_t i = 0; i < adapter->setup->link_count && !status; i++) {
        if (!(packet->adapters >> i & 1))
            continue;
        DXGKARG_SUBMITCOMMAND arg = { .EngineOrdinal = i };
        submit_arguments(packet, fence, &arg);
        arg.Flags.Resubmission = again && adapter->setup->caps.wddm >= VIDMM_WDDM_2_0;
        status = submit_to(adapter, packet, &arg);
    }
    return status;
}
