/* SPDX-License-Identifier: MIT */
/*
 * submit_check.c: what is wrong with a submission before anything is built, and what is wrong with
 * the lists that the driver gave back.
 *
 * The first hit of SUBMIT-015 ends it; such a submission leaves no trace but the status.
 *
 * Rules not named below: SUBMIT-008, SUBMIT-014.
 */
#include "paging/residency/link.h"
#include "paging/residency/offer.h"
#include "vidmm/cpu/cpu.h"
#include "vidmm/share/share.h"
#include "vidmm/submit/submission.h"
#include "vidmm/submit/submit_state.h"

/* ---- before the call ------------------------------------------------------------------------ */

/* LOCK-051 to LOCK-053, FLAG-035: what is locked is used from an aperture or not at all, and what
   is pinned cannot be moved to where the access needs it (PLACE-005). */
static vidmm_status check_place(adapter_t *adapter, const struct pageable *allocation, uint32_t set)
{
    uint32_t segment = allocation->place.at.segment;
    uint32_t uses = adapter->setup->caps.wddm < VIDMM_WDDM_2_0 ? lock_cpu_use(allocation) : 0;
    if (uses & CPU_BARS_GPU)
        return refuse(adapter, RULE(LOCK_053), STATUS_GRAPHICS_CANT_RENDER_LOCKED_ALLOCATION,
                      "%s is %s: CPU and GPU never use it at the same time", allocation->label,
                      allocation_is(allocation, ALLOCATION_SWIZZLED) ? "Swizzled and locked"
                                                                     : "locked for a range");
    if (uses & CPU_LOCKED) {
        bool memory = place_in_memory(adapter, &allocation->place.at);
        set &= places_aperture_set(adapter);
        if (!set || (memory && allocation->place.pinned))
            return refuse(adapter, RULE(LOCK_052), STATUS_GRAPHICS_CANT_RENDER_LOCKED_ALLOCATION,
                          "%s is locked by the CPU and %s", allocation->label,
                          memory && allocation->place.pinned
                              ? "pinned in memory"
                              : "supports no aperture for this access");
    }
    if (!allocation->place.pinned || !segment || set & segment_set_bit(adapter, segment))
        return STATUS_SUCCESS;
    return residency_refuse_pinned(adapter, allocation);
}

/* Only a device that has it open may name it, and by the handle that it was given. */
static vidmm_status check_device(adapter_t *adapter, const struct allocation *allocation,
                                 vidmm_handle handle, const struct device *device)
{
    const struct device *opener = shared_device(allocation, handle);
    if (opener == device)
        return STATUS_SUCCESS;
    if (!opener)
        return refuse(adapter, RULE(SUBMIT_015), STATUS_GRAPHICS_ALLOCATION_INVALID,
                      "%s is closed for the device of this handle", allocation->pageable.label);
    return refuse(adapter, RULE(SUBMIT_002), STATUS_GRAPHICS_WRONG_ALLOCATION_DEVICE,
                  "%s belongs to device %s, the submission to %s", allocation->pageable.label,
                  opener->label, device->label);
}

static vidmm_status check_element(adapter_t *adapter, const struct vidmm_use *use,
                                  struct allocation *allocation, struct device *device)
{
    const struct pageable *pageable = pageable_of(allocation);
    if (!allocation && handle_was(adapter, use->allocation, VIDMM_OBJECT_ALLOCATION))
        return refuse(adapter, RULE(SUBMIT_015), STATUS_GRAPHICS_ALLOCATION_INVALID,
                      "the list names an allocation that is closed");
    if (!allocation)
        return refuse(adapter, RULE(SUBMIT_002), STATUS_INVALID_HANDLE,
                      "the list names an unknown handle (%s)",
                      shared_word(adapter, use->allocation).it);
    vidmm_status status = check_device(adapter, allocation, use->allocation, device);
    if (!status)
        status = offer_check_use(adapter, allocation, use->allocation, RULE(OFFER_005));
    if (status)
        return status;
    if (allocation_is_lost(pageable)) {
        count_fault(adapter, VIDMM_COUNTER_FAULTS_LOST_CONTENT, device);
        return refuse(adapter, RULE(PAGE_025), STATUS_GRAPHICS_ALLOCATION_CONTENT_LOST,
                      "the content of %s was lost", pageable->label);
    }
    status = residency_gpu_use(adapter, pageable);
    if (!status)
        status = rename_check_use(adapter, allocation, use->keep);
    if (status)
        return status;
    uint32_t set = residency_allowed_set(pageable, use->write);
    if (!set)
        return refuse(adapter, RULE(PLACE_005), STATUS_GRAPHICS_INVALID_ALLOCATION_USAGE,
                      "%s supports no segment for %s", pageable->label,
                      use->write ? "writing" : "reading");
    if (pageable->of_context)
        return refuse(adapter, RULE(ALLOC_052), STATUS_INVALID_PARAMETER,
                      "%s is the driver's own: no allocation list can name it", pageable->label);
    if (adapter->setup->caps.wddm >= VIDMM_WDDM_2_0) {
        /* A page set has no address that could be patched into a buffer. */
        applies(adapter, RULE(FLAG_053));
        if (!allocation_has(pageable, ALLOCATION_ACCESSED_PHYSICALLY))
            return refuse(adapter, RULE(RES_058), STATUS_GRAPHICS_INVALID_ALLOCATION_USAGE,
                          "%s does not have AccessedPhysically: in WDDM 2.0 and later no "
                          "allocation list can name it",
                          pageable->label);
    }
    status = check_place(adapter, pageable, set);
    if (status)
        return status;
    if (use->write && shared_read_only(allocation, use->allocation)) /* the last of SUBMIT-015 */
        return refuse(adapter, RULE(KMT_018), STATUS_GRAPHICS_INVALID_ALLOCATION_USAGE,
                      "%s is only to be read", pageable->label);
    return offer_check_listed(adapter, allocation, use);
}

/*
 * The elements, each handle looked up once. With a hundred thousand allocations those of one list
 * are far from each other, and long out of the host's cache: asks for the lines of all of them at
 * once, not for one after the other.
 */
static void find_elements(adapter_t *adapter, const struct vidmm_work *work)
{
    struct submit_scratch *scratch = &adapter->submit->scratch;
    BASE_GROW(scratch->elements, scratch->element_capacity, work->use_count);
    for (size_t i = 0; i < work->use_count; i++) {
        const struct vidmm_use *use = &work->uses[i];
        struct allocation *allocation =
            handle_object(adapter, use->allocation, VIDMM_OBJECT_ALLOCATION);
        scratch->elements[i] =
            (struct element){ .allocation = allocation, .write = use->write, .keep = use->keep };
        if (allocation)
            pageable_fetch(adapter, &allocation->pageable);
    }
    for (size_t i = 0; i < work->use_count; i++)
        if (scratch->elements[i].allocation && scratch->elements[i].allocation->resource)
            VIDMM_PREFETCH(scratch->elements[i].allocation->resource);
}

vidmm_status submit_check(adapter_t *adapter, const struct vidmm_work *work,
                          struct context **context)
{
    vidmm_status status = adapter_usable(adapter);
    if (status)
        return status;
    *context = handle_object(adapter, work->context, VIDMM_OBJECT_CONTEXT);
    if (!*context)
        return refuse(adapter, RULE(SUBMIT_002), STATUS_INVALID_HANDLE,
                      "the submission names no context");
    if ((*context)->device->state != DEVICE_ACTIVE)
        return refuse(adapter, RULE(SUBMIT_015), STATUS_DEVICE_REMOVED,
                      "device %s is in error and takes no more work", (*context)->device->label);
    if (work->use_count > VIDMM_LIST_MAX || work->patch_count > VIDMM_LIST_MAX)
        return refuse(adapter, RULE(SUBMIT_011), STATUS_INVALID_PARAMETER,
                      "lists hold at most %d elements", (int)VIDMM_LIST_MAX);
    if (work->dma_bytes > VIDMM_DMA_BYTES_MAX)
        return refuse(adapter, RULE(SUBMIT_022), STATUS_INVALID_PARAMETER,
                      "a DMA buffer has at most %d bytes", (int)VIDMM_DMA_BYTES_MAX);
    find_elements(adapter, work);
    rename_check_begin(adapter);
    for (size_t i = 0; i < work->use_count && !status; i++)
        if (work->uses[i].allocation)
            status =
                check_element(adapter, &work->uses[i],
                              adapter->submit->scratch.elements[i].allocation, (*context)->device);
    return status ? status : link_check_adapters(adapter, work);
}

/* ---- after the call: the driver's lists ----------------------------------------------------- */

static void check_list(adapter_t *adapter, const struct submission *submission)
{
    for (size_t i = 0; i < submission->count; i++) {
        const DXGK_ALLOCATIONLIST *element = &adapter->submit->scratch.list[i];
        const struct allocation *allocation = submission->elements[i].allocation;
        if (element->Reserved)
            finding(adapter, RULE(SUBMIT_003), allocation ? allocation->pageable.handle : 0,
                    "the driver set reserved bits in element %zu of the allocation list", i);
        if (allocation && element->WriteOperation != submission->elements[i].write)
            finding(adapter, RULE(SUBMIT_004), allocation->pageable.handle,
                    "the driver changed WriteOperation of element %zu; the caller's value counts",
                    i);
    }
}

static const char *location_wrong(const adapter_t *adapter, const struct submission *submission,
                                  size_t i, enum vidmm_rule *rule)
{
    const D3DDDI_PATCHLOCATIONLIST *at = &adapter->submit->scratch.out[i];
    *rule = RULE(SUBMIT_011);
    if (at->AllocationIndex >= submission->count)
        return "AllocationIndex is not in the allocation list";
    const struct allocation *allocation = submission->elements[at->AllocationIndex].allocation;
    if (allocation && at->PatchOffset >= submission->buffer->used)
        return "PatchOffset lies behind the DMA buffer";
    if (allocation && at->SplitOffset > at->PatchOffset)
        return "SplitOffset lies behind PatchOffset";
    if (allocation && at->AllocationOffset >= allocation->pageable.info.bytes)
        return "AllocationOffset lies behind the allocation";
    *rule = RULE(SUBMIT_012);
    if (at->SlotId >= adapter->setup->caps.slots)
        return "SlotId is not below MaxAllocationListSlotId";
    *rule = RULE(SUBMIT_013);
    if (i && at->SplitOffset < adapter->submit->scratch.out[i - 1].SplitOffset)
        return "SplitOffset decreases along the list";
    return NULL;
}

vidmm_status submit_check_lists(adapter_t *adapter, const struct submission *submission)
{
    check_list(adapter, submission);
    for (size_t i = 0; i < submission->patch_count; i++) {
        enum vidmm_rule rule;
        const char *wrong = location_wrong(adapter, submission, i, &rule);
        if (adapter->submit->scratch.out[i].Reserved)
            finding(adapter, RULE(SUBMIT_010), 0,
                    "the driver set reserved bits in patch location %zu", i);
        if (!wrong)
            continue;
        finding(adapter, rule, 0, "patch location %zu: %s", i, wrong);
        return refuse(adapter, rule, STATUS_INVALID_PARAMETER, "patch location %zu: %s", i, wrong);
    }
    return STATUS_SUCCESS;
}

vidmm_status submit_check_again(adapter_t *adapter, const struct submission *submission,
                                size_t first)
{
    for (size_t i = first; i < submission->patch_count; i++) {
        enum vidmm_rule rule;
        const char *wrong = location_wrong(adapter, submission, i, &rule);
        if (wrong)
            return bugcheck(adapter, rule, 0x10E, 0x8,
                            (uint64_t[3]){ submission->context->handle, 0, 0 },
                            "patch location %zu of a buffer that is being split: %s", i, wrong);
    }
    return STATUS_SUCCESS;
}
