/* SPDX-License-Identifier: MIT */
/* offer.h: what is offered, and what becomes of it. */
#ifndef PAGING_RESIDENCY_OFFER_H
#define PAGING_RESIDENCY_OFFER_H

#include "vidmm/tell/tell.h"

/* ---- offer.c: states ------------------------------------------------------------------------ */

/* The terms of one offer. */
struct offer_terms {
    uint32_t priority; /* as given: LOW to AUTO */
    bool immediate;    /* what refers to it does not count (OFFER-019) */
    bool decommit;     /* its commitment may go with the content */
    enum vidmm_rule rule;
};
/* The owner offers it, on these terms: event. */
void offer_start(adapter_t *adapter, struct pageable *allocation, const struct offer_terms *terms);
/* All owners have: it is pending, or takes effect. It is in no list, and its terms are noted. */
void offer_complete(adapter_t *adapter, struct pageable *allocation, bool immediate);
/* An offer is over (OFFER-013). Was the content discarded? `given_up`: nobody wants it. */
bool offer_end(adapter_t *adapter, struct pageable *allocation, bool given_up);

/* A pending offer takes effect, if nothing that was submitted refers to the allocation. */
void offer_settle(adapter_t *adapter, struct pageable *allocation);
/* Books only: the last packet that referred to it is reported. */
void offer_unreferenced(adapter_t *adapter, struct pageable *allocation);
/* The allocation is gone. */
void offer_forget(adapter_t *adapter, struct pageable *allocation);

/* Is its content up for the taking, or taken already? Of a copy: that of the whole. */
bool offer_gives_up(const struct pageable *allocation);

/* ---- discard.c: the content goes ------------------------------------------------------------ */

/* It is being evicted: event, and the state. Does nothing when it is discarded already. */
void discard_tell(adapter_t *adapter, struct pageable *allocation, enum vidmm_rule rule);
/* The state of an allocation that was discarded. */
enum allocation_state discard_state(const struct pageable *allocation);
/* Its place is left: the store is empty, and goes when no operation names its pages. */
void discard_content(adapter_t *adapter, struct pageable *allocation);
/* An evicted one: its content is only in the store, or on the way there (OFFER-012). */
void discard_evicted(adapter_t *adapter, struct pageable *allocation, enum vidmm_rule rule);

/* OFFER-018: charges again what went with the content; false: it cannot be. */
bool discard_recommit(adapter_t *adapter, struct pageable *allocation);

#endif
