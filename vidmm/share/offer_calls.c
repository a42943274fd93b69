/* SPDX-License-Identifier: MIT */
/*
 * offer_calls.c: what callers ask: offer and reclaim, by resource or by allocation.
 *
 * Everything is checked before anything is done: a call offers all that it names, or nothing.
 *
 * OfferPriority of an element of the allocation list offers the allocation when the DMA buffer has
 * been processed. In 2.0 and later, and before 1.2, the bits are reserved. The offer is made when
 * the whole buffer has been handed over, and is pending until its last packet is reported; a buffer
 * that is refused half-way has offered nothing.
 *
 * Rules not named below: OFFER-006.
 */
#include "paging/residency/offer.h"
#include "paging/schedule/schedule.h"
#include "vidmm/share/share.h"
#include "vidmm/share/share_state.h"

/* What a call names, one by one. */
struct target {
    struct allocation *allocation;
    vidmm_handle handle; /* as the device has it open */
    size_t entry;        /* of the list */
};

struct targets {
    struct target *list;
    size_t count, capacity;
};

static void add(struct targets *targets, struct allocation *allocation, vidmm_handle handle,
                size_t entry)
{
    BASE_GROW(targets->list, targets->capacity, targets->count + 1);
    targets->list[targets->count++] = (struct target){ allocation, handle, entry };
}

/* ---- whom does it name? --------------------------------------------------------------------- */

static vidmm_status check_list(adapter_t *adapter, const struct vidmm_offer_list *list,
                               enum vidmm_rule rule)
{
    vidmm_status status = adapter_usable(adapter);
    if (status)
        return status;
    const struct device *device = handle_object(adapter, list->device, VIDMM_OBJECT_DEVICE);
    if (adapter->setup->caps.wddm < VIDMM_WDDM_1_2)
        return refuse(adapter, rule, STATUS_INVALID_PARAMETER, "offers exist from 1.2 on");
    if (!device)
        return refuse(adapter, rule, STATUS_INVALID_PARAMETER, "the call names no device");
    if (device->state != DEVICE_ACTIVE)
        return refuse(adapter, rule == RULE(OFFER_013) ? rule : RULE(SUBMIT_015),
                      STATUS_DEVICE_REMOVED, "device %s is in error", device->label);
    if (!list->resources == !list->allocations)
        return refuse(adapter, rule, STATUS_INVALID_PARAMETER,
                      "%s of pResources and HandleList is NULL: it has to be one",
                      list->resources ? "none" : "each");
    if (!list->count || list->count > VIDMM_LIST_MAX)
        return refuse(adapter, rule, STATUS_INVALID_PARAMETER,
                      "NumAllocations is %zu, and not 1 to %d", list->count, (int)VIDMM_LIST_MAX);
    return STATUS_SUCCESS;
}

/* With all instances: they are memory of the resource, too. What is named twice counts once. */
static bool add_resource(const adapter_t *adapter, const struct vidmm_offer_list *list, size_t i,
                         struct targets *targets)
{
    struct resource *resource = handle_object(adapter, list->resources[i], VIDMM_OBJECT_RESOURCE);
    const struct device *device = handle_object(adapter, list->device, VIDMM_OBJECT_DEVICE);
    if (!resource)
        return false;
    struct opening *opening =
        resource->sharing ? shared_opening(resource, list->resources[i]) : NULL;
    uint64_t *offered_in = opening ? &opening->offered_in : &resource->offered_in;
    if (resource->sharing ? !opening || opening->device != device : resource->device != device)
        return false;
    if (*offered_in == adapter->share->offer_calls)
        return true;
    *offered_in = adapter->share->offer_calls;
    for (struct allocation *a = resource->allocations; a; a = a->resource_next) {
        add(targets, a, opening ? opening->members[a->part].handle : a->pageable.handle, i);
        for (struct allocation *b = rename_other(a); b; b = rename_next_other(b))
            add(targets, b, b->pageable.handle, i);
    }
    return true;
}

static bool add_allocation(const adapter_t *adapter, const struct vidmm_offer_list *list, size_t i,
                           struct targets *targets)
{
    struct allocation *allocation =
        handle_object(adapter, list->allocations[i], VIDMM_OBJECT_ALLOCATION);
    const struct device *device = handle_object(adapter, list->device, VIDMM_OBJECT_DEVICE);
    if (!allocation || shared_device(allocation, list->allocations[i]) != device)
        return false;
    add(targets, allocation, list->allocations[i], i);
    return true;
}

static vidmm_status find_targets(adapter_t *adapter, const struct vidmm_offer_list *list,
                                 enum vidmm_rule rule, struct targets *targets)
{
    vidmm_status status = check_list(adapter, list, rule);
    adapter->share->offer_calls++;
    for (size_t i = 0; i < list->count && !status; i++)
        if (!(list->resources ? add_resource(adapter, list, i, targets)
                              : add_allocation(adapter, list, i, targets)))
            status = refuse(adapter, rule, STATUS_INVALID_PARAMETER,
                            "element %zu names nothing that the device has open", i);
    return status;
}

/* ---- offer ---------------------------------------------------------------------------------- */

/* OFFER-019: AllowDecommit is another bit in the flags of the callback. */
static vidmm_status check_flags(adapter_t *adapter, const struct vidmm_offer_args *args,
                                struct offer_terms *terms)
{
    enum vidmm_flag_set set = args->callback ? VIDMM_FLAGS_OFFER_CALLBACK : VIDMM_FLAGS_OFFER;
    uint32_t reserved = args->flags & ~adapter->setup->caps.defined[set];
    uint32_t decommit = args->callback ? (uint32_t)VIDMM_OFFER_CALLBACK_AllowDecommit
                                       : (uint32_t)VIDMM_OFFER_AllowDecommit;
    char text[80];
    terms->decommit = (args->flags & decommit) != 0;
    terms->immediate = !args->callback && (args->flags & VIDMM_OFFER_OfferImmediately);
    if (!reserved)
        return STATUS_SUCCESS;
    return refuse(adapter, RULE(OFFER_019), STATUS_INVALID_PARAMETER, "reserved offer flags: %s",
                  vidmm_flags_reserved_text(set, reserved, adapter->setup->caps.wddm, text,
                                            sizeof text));
}

static vidmm_status check_offer(adapter_t *adapter, const struct vidmm_offer_args *args,
                                struct offer_terms *terms, struct targets *targets)
{
    vidmm_status status = find_targets(adapter, &args->list, RULE(OFFER_002), targets);
    if (status)
        return status;
    if (!args->priority || args->priority > D3DDDI_OFFER_PRIORITY_AUTO)
        return refuse(adapter, RULE(OFFER_002), STATUS_INVALID_PARAMETER,
                      "%u is no priority of offers: they are LOW 1 to AUTO 4", args->priority);
    status = check_flags(adapter, args, terms);
    for (size_t i = 0; i < targets->count && !status; i++)
        status = offer_check(adapter, targets->list[i].allocation, targets->list[i].handle);
    return status;
}

vidmm_status vidmm_offer(adapter_t *adapter, const struct vidmm_offer_args *args)
{
    struct targets targets = { 0 };
    struct offer_terms terms = { .priority = args->priority, .rule = RULE(OFFER_003) };
    vidmm_status status = check_offer(adapter, args, &terms, &targets);
    if (!status)
        schedule_deferred(adapter);
    for (size_t i = 0; i < targets.count && !status; i++)
        offer_begin(adapter, targets.list[i].allocation, targets.list[i].handle, &terms);
    base_free(targets.list);
    return status;
}

vidmm_status vidmm_reclaim(adapter_t *adapter, const struct vidmm_offer_list *list,
                           uint32_t *results)
{
    struct targets targets = { 0 };
    vidmm_status status = find_targets(adapter, list, RULE(OFFER_013), &targets);
    if (!status)
        schedule_deferred(adapter);
    for (size_t i = 0; i < list->count && results && !status; i++)
        results[i] = D3DDDI_RECLAIM_RESULT_OK;
    for (size_t i = 0; i < targets.count && !status; i++) {
        const struct target *target = &targets.list[i];
        uint32_t result =
            offer_reclaim(adapter, target->allocation, target->handle, results != NULL);
        if (results)
            results[target->entry] = max_u32(results[target->entry], result);
    }
    base_free(targets.list);
    return status;
}

/* ---- OfferPriority in an allocation list ---------------------------------------------------- */

vidmm_status offer_check_listed(adapter_t *adapter, const struct allocation *allocation,
                                const struct vidmm_use *use)
{
    uint32_t wddm = adapter->setup->caps.wddm;
    if (!use->offer)
        return STATUS_SUCCESS;
    const char *label = allocation_label(allocation, use->allocation);
    if (wddm < VIDMM_WDDM_1_2 || wddm >= VIDMM_WDDM_2_0)
        return refuse(
            adapter, RULE(OFFER_004), STATUS_INVALID_PARAMETER,
            "%s: the allocation list has an OfferPriority below 2.0 only, and from 1.2 on", label);
    if (use->offer > D3DDDI_OFFER_PRIORITY_AUTO)
        return refuse(adapter, RULE(OFFER_004), STATUS_INVALID_PARAMETER,
                      "%s: %u is no OfferPriority", label, use->offer);
    return offer_check(adapter, allocation, use->allocation);
}

void offer_listed(adapter_t *adapter, const struct vidmm_work *work)
{
    for (size_t i = 0; i < work->use_count; i++) {
        const struct vidmm_use *use = &work->uses[i];
        if (!use->offer)
            continue;
        struct allocation *allocation =
            handle_object(adapter, use->allocation, VIDMM_OBJECT_ALLOCATION);
        const struct offer_terms terms = { .priority = use->offer, .rule = RULE(OFFER_004) };
        if (allocation)
            offer_begin(adapter, allocation, use->allocation, &terms);
    }
}
