/* SPDX-License-Identifier: MIT */
/*
 * submit_patch.c: DxgkDdiPatch of one DMA buffer: final addresses, and whether the driver knew them
 * before.
 */
#include "paging/buffer/buffer.h"
#include "paging/residency/link.h"
#include "vidmm/submit/submission.h"
#include "vidmm/submit/submit_state.h"

#include <string.h>

/* ---- addresses ------------------------------------------------------------------------------ */

/* SUBMIT-033: its address is in the state of the GPU already. */
static void check_kept(adapter_t *adapter, const struct element *element,
                       const struct pageable *allocation)
{
    applies(adapter, RULE(SUBMIT_033));
    CHECK(allocation->store.state == ALLOCATION_RESIDENT);
    CHECK((segment_driver_id(adapter, allocation->place.at.segment) & 0x1F) == element->segment);
    CHECK(place_address(adapter, &allocation->place.at) == element->address);
}

/* LINK-007: where the instances of a packet's allocation are, when it is patched. */
static void bind_copies(adapter_t *adapter, struct binding *binding)
{
    CHECK(!binding->copies);
    binding->copies = base_alloc(adapter->setup->link_count, sizeof *binding->copies);
    for (const struct pageable *a = &binding->allocation->pageable; a; a = a->place.next_copy) {
        CHECK(a->store.state == ALLOCATION_RESIDENT); /* LINK-008 */
        CHECK(a->place.at.segment);                   /* AccessedPhysically: RES-058 */
        binding->copies[a->info.physical] = (struct vidmm_bus_place){
            .segment = segment_driver_id(adapter, a->place.at.segment),
            .address = place_address(adapter, &a->place.at),
        };
    }
}

/* Final addresses; counts how good the pre-patch data was. `*same`: nothing has changed. */
static void final_addresses(adapter_t *adapter, const struct submission *submission,
                            const struct render_packet *packet, bool *same)
{
    struct device *device = packet->context->device;
    *same = true;
    for (size_t i = 0; i < packet->count; i++) {
        struct binding *binding = &packet->bindings[i];
        struct element *element = &submission->elements[binding->index];
        DXGK_ALLOCATIONLIST *listed = &adapter->submit->scratch.list[binding->index];
        const struct pageable *copy =
            link_patched_copy(&binding->allocation->pageable, packet->adapters);
        if (element->kept)
            check_kept(adapter, element, copy);
        submit_set_address(adapter, listed, copy);
        listed->WriteOperation = element->write; /* SUBMIT-004 */
        binding->segment = element->segment = listed->SegmentId;
        binding->address = element->address = (uint64_t)listed->PhysicalAddress.QuadPart;
        if (binding->allocation->pageable.place.next_copy)
            bind_copies(adapter, binding);
        bool valid = element->told_segment == element->segment &&
                     element->told_address == element->address;
        count_device(adapter, valid ? VIDMM_COUNTER_PREPATCH_VALID : VIDMM_COUNTER_PREPATCH_INVALID,
                     device, 1);
        *same &= valid;
    }
    if (*same)
        count_device(adapter, VIDMM_COUNTER_PREPATCHED_BUFFERS, device, 1);
}

static void patch_arguments(const adapter_t *adapter, const struct render_packet *packet,
                            uint32_t fence, DXGKARG_PATCH *arg)
{
    const struct dma_buffer *buffer = packet->buffer;
    arg->hContext = packet->context->driver_handle;
    arg->DmaBufferSegmentId = buffer->segment;
    arg->DmaBufferPhysicalAddress.QuadPart = (LONGLONG)buffer->address;
    arg->pDmaBuffer = buffer->memory;
    SUBMIT_BUFFER_MEMBERS(*arg, packet);
    arg->pAllocationList = adapter->submit->scratch.list;
    arg->AllocationListSize = (UINT)packet->list_count;
    arg->pPatchLocationList = adapter->submit->scratch.out;
    arg->PatchLocationListSize = (UINT)packet->location_count;
    arg->PatchLocationListSubmissionStart = (UINT)packet->first;
    arg->PatchLocationListSubmissionLength = (UINT)packet->length;
    arg->SubmissionFenceId = fence;
    arg->EngineOrdinal = link_first(packet->adapters);
    arg->Flags.Present = packet->present;
    arg->Flags.NullRendering = packet->null_rendering;
}

/* ---- the call ------------------------------------------------------------------------------- */

/*
 * The bytes around a submission: a Patch may not touch them. A buffer may be large, and have as
 * many portions as patch locations, so there is a limit to what is looked at.
 */
enum { AROUND_MAX = 1 << 16 };

struct around {
    const uint8_t *before, *behind;
    size_t before_bytes, behind_bytes;
};

static struct around remember_around(adapter_t *adapter, const struct render_packet *packet)
{
    const struct dma_buffer *buffer = packet->buffer;
    struct around around = {
        .behind = buffer->memory + packet->end,
        .before_bytes = (size_t)min_u64(packet->start, AROUND_MAX),
        .behind_bytes =
            (size_t)min_u64(buffer->used - packet->end, AROUND_MAX) + PAGING_GUARD_BYTES,
    };
    around.before = buffer->memory + packet->start - around.before_bytes;
    BASE_GROW(adapter->submit->patch_guard_copy, adapter->submit->patch_guard_capacity,
              around.before_bytes + around.behind_bytes);
    memcpy(adapter->submit->patch_guard_copy, around.before, around.before_bytes);
    memcpy(adapter->submit->patch_guard_copy + around.before_bytes, around.behind,
           around.behind_bytes);
    return around;
}

static void tell_patch(adapter_t *adapter, const struct render_packet *packet, NTSTATUS answer,
                       const DXGKARG_PATCH *arg)
{
    struct vidmm_field fields[16];
    size_t n = 0;
    if (!heard(adapter, VIDMM_EVENT_DRIVER_CALL)) {
        driver_call_end(adapter, "DxgkDdiPatch", answer, packet->context->handle, NULL, 0);
        return;
    }
    fields[n++] = f_hex("Flags", arg->Flags.Value);
    fields[n++] = f_number("AllocationListSize", packet->list_count);
    fields[n++] = f_number("PatchLocationListSize", packet->location_count);
    if (packet->count)
        n += submit_tell_element(adapter, packet->bindings[0].allocation, packet->bindings[0].index,
                                 fields + n);
    fields[n++] = f_number("DmaBufferSubmissionStartOffset", packet->start);
    fields[n++] = f_number("DmaBufferSubmissionEndOffset", packet->end);
    fields[n++] = f_number("PatchLocationListSubmissionStart", packet->first);
    fields[n++] = f_number("PatchLocationListSubmissionLength", packet->length);
    fields[n++] = f_number("SubmissionFenceId", arg->SubmissionFenceId);
    fields[n++] = f_segment("DmaBufferSegmentId", packet->buffer->segment);
    fields[n++] = f_hex("DmaBufferPhysicalAddress", packet->buffer->address);
    if (adapter->setup->link_count > 1)
        fields[n++] = f_number("EngineOrdinal", arg->EngineOrdinal);
    driver_call_end(adapter, "DxgkDdiPatch", answer, packet->context->handle, fields, n);
    submit_show_patched(adapter, packet);
}

/* The lists are those of the scratch. */
static vidmm_status call_patch(adapter_t *adapter, const struct render_packet *packet,
                               uint32_t fence)
{
    DXGKARG_PATCH arg = { 0 };
    patch_arguments(adapter, packet, fence, &arg);
    const struct around around = remember_around(adapter, packet);
    const uint8_t *copy = adapter->submit->patch_guard_copy;
    NTSTATUS answer =
        SCHEDULER_CALL(adapter, adapter->setup->cost.ddi_ns, Patch, adapter->setup->driver, &arg);
    driver_call_returned(adapter);
    bool outside = memcmp(copy, around.before, around.before_bytes) != 0 ||
                   memcmp(copy + around.before_bytes, around.behind, around.behind_bytes) != 0;
    tell_patch(adapter, packet, answer, &arg);
    EMIT(adapter, PATCH, RULE(SUBMIT_040), packet->context->handle,
         f_node("node", packet->context->node), f_number("fence", fence));
    if (answer != STATUS_SUCCESS)
        return bugcheck(adapter, RULE(SUBMIT_042), 0x119, 0x3,
                        (uint64_t[3]){ (uint32_t)answer, fence, 0 },
                        "DxgkDdiPatch failed; it may not");
    if (outside)
        finding(adapter, RULE(SUBMIT_040), packet->context->handle,
                "DxgkDdiPatch changed bytes outside of the submission");
    return adapter_usable(adapter);
}

/* ---- what a packet binds -------------------------------------------------------------------- */

vidmm_status submit_patch(adapter_t *adapter, const struct submission *submission,
                          struct render_packet *packet, uint32_t fence)
{
    bool needless, whole = !packet->start && packet->end == packet->buffer->used;
    final_addresses(adapter, submission, packet, &needless);
    if (!fence)
        return STATUS_SUCCESS;
    applies(adapter, RULE(SUBMIT_032));
    applies(adapter, RULE(SUBMIT_043));
    packet->unpatched = needless && whole && setting(adapter, VIDMM_SETTING_SKIP_PATCH);
    return packet->unpatched ? STATUS_SUCCESS : call_patch(adapter, packet, fence);
}

DXGK_ALLOCATIONLIST *submit_list_again(const struct render_packet *packet)
{
    DXGK_ALLOCATIONLIST *list = base_alloc(packet->list_count + 1, sizeof *list);
    for (size_t i = 0; i < packet->count; i++) {
        const struct binding *binding = &packet->bindings[i];
        DXGK_ALLOCATIONLIST *listed = &list[binding->index];
        listed->hDeviceSpecificAllocation = binding->driver_handle;
        listed->WriteOperation = binding->listed;
        listed->SegmentId = binding->segment & 0x1F;
        listed->PhysicalAddress.QuadPart = (LONGLONG)binding->address;
    }
    return list;
}

/* The addresses are those that were bound: what a packet names does not move before it has run. */
vidmm_status submit_patch_again(adapter_t *adapter, const struct render_packet *packet,
                                uint32_t fence)
{
    struct submit_scratch saved = adapter->submit->scratch;
    DXGK_ALLOCATIONLIST *list = submit_list_again(packet);
    adapter->submit->scratch.list = list;
    adapter->submit->scratch.out = packet->locations;
    vidmm_status status = call_patch(adapter, packet, fence);
    adapter->submit->scratch = saved;
    base_free(list);
    return status;
}
