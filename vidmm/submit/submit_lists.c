/* SPDX-License-Identifier: MIT */
/*
 * submit_lists.c: shows the lists that a call hands to the driver: an event `list-element` for each
 * DXGK_ALLOCATIONLIST, an event `patch-location` for each D3DDDI_PATCHLOCATIONLIST.
 *
 * They follow the `driver-call` of DxgkDdiRender, DxgkDdiPresent or DxgkDdiPatch. Render shows the
 * locations twice: those that it got, and those that it gave back. A Patch of a buffer that was
 * split shows what its submission binds, so that many portions of long lists stay affordable.
 *
 * Rules not named below: SUBMIT-002, SUBMIT-005, SUBMIT-010, SUBMIT-032.
 */
#include "vidmm/submit/submission.h"
#include "vidmm/submit/submit_state.h"

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

/* ---- Render and Present --------------------------------------------------------------------- */

void submit_show_elements(adapter_t *adapter, const char *ddi, const struct submission *submission)
{
    for (size_t i = 0; i < submission->count && heard(adapter); i++)
        show_element(adapter, ddi, i, submission->elements[i].allocation);
}

void submit_show_locations(adapter_t *adapter, const struct submission *submission,
                           const struct shown_locations *shown)
{
    for (size_t i = 0; i < shown->count && heard(adapter); i++) {
        uint32_t index = shown->list[i].AllocationIndex;
        bool listed = index < submission->count;
        show_location(adapter, shown, i, listed ? submission->elements[index].allocation : NULL);
    }
}

/* ---- Patch ---------------------------------------------------------------------------------- */

/* Of a buffer that is in one piece the NULL elements too. */
void submit_show_patched(adapter_t *adapter, const struct render_packet *packet)
{
    const struct shown_locations shown = { "DxgkDdiPatch", "pPatchLocationList",
                                           adapter->submit->scratch.out, packet->location_count };
    bool whole = !packet->start && packet->end == packet->buffer->used;
    const struct binding *next = packet->bindings, *end = next + packet->count;
    if (!heard(adapter))
        return;
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
