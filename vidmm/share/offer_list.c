/* SPDX-License-Identifier: MIT */
/*
 * offer_list.c: OfferPriority of an element of the allocation list: the allocation is offered when
 * the DMA buffer has been processed. From 2.0 on, and before 1.2, the bits are reserved.
 *
 * The offer is made when the whole buffer has been handed over, and is pending until its last
 * packet is reported; a buffer that is refused half-way has offered nothing.
 */
#include "paging/residency/offer.h"
#include "vidmm/share/share.h"

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
