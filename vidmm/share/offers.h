/* SPDX-License-Identifier: MIT */
/* offers.h: offers of all who have an allocation open. See residency.h for those of one owner. */
#ifndef VIDMM_SHARE_OFFERS_H
#define VIDMM_SHARE_OFFERS_H

#include "paging/residency/offer.h"

struct vidmm_use;
struct vidmm_work;

/* ---- offer_owners.c ------------------------------------------------------------------------- */

/* May it be offered now, by way of this handle (OFFER-006)? */
vidmm_status offer_check(adapter_t *adapter, const struct allocation *allocation,
                         vidmm_handle handle);
/* By way of this handle; the caller has asked offer_check(). */
void offer_begin(adapter_t *adapter, struct allocation *allocation, vidmm_handle handle,
                 const struct offer_terms *terms);
/* OFFER-013: the offer is over. Returns a D3DDDI_RECLAIM_RESULT. `asked`: the caller wants it. */
uint32_t offer_reclaim(adapter_t *adapter, struct allocation *allocation, vidmm_handle handle,
                       bool asked);
/* A device has closed it: perhaps all others have offered it. */
void offer_closed(adapter_t *adapter, struct allocation *allocation);
/* As the device of this handle sees it. */
enum vidmm_offer_state offer_state(const struct allocation *allocation, vidmm_handle handle);
/* Refused by `rule`, OFFER-005 or LOCK-017, while it is offered by way of this handle. */
vidmm_status offer_check_use(adapter_t *adapter, const struct allocation *allocation,
                             vidmm_handle handle, enum vidmm_rule rule);

/* ---- offer_list.c: offers that stand in an allocation list (OFFER-004) ---------------------- */

vidmm_status offer_check_listed(adapter_t *adapter, const struct allocation *allocation,
                                const struct vidmm_use *use);
/* The whole buffer has been handed over. */
void offer_listed(adapter_t *adapter, const struct vidmm_work *work);

#endif
