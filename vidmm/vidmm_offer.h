/* SPDX-License-Identifier: MIT */
/*
 * vidmm_offer.h: content that its owner can do without for a while, part of vidmm.h.
 *
 * What is offered stays where it is and as it is until somebody needs the room: then it goes before
 * anything else, and nothing of it is saved (OFFER-008, OFFER-010, OFFER-011). Whoever wants to use
 * it again reclaims it first, and hears whether the content is still there.
 *
 * An offer takes effect when the GPU is done with what was submitted before it; the call does not
 * wait for that (OFFER-003). A shared allocation is offered when every device that has it open has
 * offered it; one reclaim ends the offer for all (OFFER-007). An offer names one instance of an
 * allocation that was renamed; by way of a resource it names all of them.
 *
 * Source: pfnOfferAllocationsCb, pfnReclaimAllocationsCb, D3DKMTOfferAllocations,
 * D3DKMTReclaimAllocations2, D3DDDI_ALLOCATIONLIST.
 */
#ifndef VIDMM_OFFER_H
#define VIDMM_OFFER_H

#include "vidmm/vidmm_types.h"

#ifdef __cplusplus
extern "C" {
#endif

struct vidmm_adapter;

/* The numbers are those that the events of the system use. */
enum vidmm_offer_state {
    VIDMM_OFFER_NONE,
    VIDMM_OFFER_PENDING, /* not in effect yet */
    VIDMM_OFFER_OFFERED,
    VIDMM_OFFER_DISCARDED, /* the content is gone, and the owner has not asked yet */
    VIDMM_OFFER_STATES
};
/* no, pending, offered, discarded */
const char *vidmm_offer_state_name(enum vidmm_offer_state state);
/* As the device of this handle sees it; NONE for a handle that is no live allocation. */
enum vidmm_offer_state vidmm_offer_state(const struct vidmm_adapter *adapter,
                                         vidmm_handle allocation);

/* Exactly one of the two lists; both belong to the caller, who may free them behind the call. */
struct vidmm_offer_list {
    vidmm_handle device;
    const vidmm_handle *resources;   /* pResources: all that they hold */
    const vidmm_handle *allocations; /* HandleList */
    size_t count;                    /* NumAllocations: elements of the list */
};

struct vidmm_offer_args {
    struct vidmm_offer_list list;
    uint32_t priority; /* D3DDDI_OFFER_PRIORITY */
    uint32_t flags;    /* from 2.0 on: D3DKMT_OFFER_FLAGS, of the callback D3DDDI_OFFER_FLAGS */
    bool callback;     /* pfnOfferAllocationsCb, where AllowDecommit is another bit */
};

/*
 * All of it or nothing. Offering what is offered already changes its priority and its turn.
 * Refused: STATUS_INVALID_PARAMETER (OFFER-002, OFFER-006, OFFER-019), STATUS_DEVICE_REMOVED when
 * the device is in error, STATUS_GRAPHICS_ALLOCATION_CONTENT_LOST for what has no content to give
 * (PAGE-025, OFFER-018).
 */
VIDMM_CHECKED vidmm_status vidmm_offer(struct vidmm_adapter *adapter,
                                       const struct vidmm_offer_args *args);

/*
 * `results`, which belongs to the caller, becomes one D3DDDI_RECLAIM_RESULT for each element of the
 * list, of a resource the worst of its allocations. NULL stands for pDiscarded = NULL: nobody asks,
 * and what was offered holds no content that counts any more (OFFER-013). Refused:
 * STATUS_INVALID_PARAMETER for wrong arguments, STATUS_DEVICE_REMOVED when the device is in error.
 */
VIDMM_CHECKED vidmm_status vidmm_reclaim(struct vidmm_adapter *adapter,
                                         const struct vidmm_offer_list *list, uint32_t *results);

#ifdef __cplusplus
}
#endif
#endif
