/* SPDX-License-Identifier: MIT */
/*
 * share_state.h: the state of this folder: devices, and how shared things were named.
 */
#ifndef VIDMM_SHARE_STATE_H
#define VIDMM_SHARE_STATE_H

#include "vidmm/adapter.h"
#include "vidmm/share/share.h"

struct offer_terms;

struct share {
    struct device *devices;
    uint32_t shares;        /* global and NT handles given out (KMT-016, KMT-017) */
    const char *next_label; /* of a context allocation */
    uint64_t offer_calls;   /* number of the last one that offered or reclaimed */
    struct {
        vidmm_handle handles[4];
        size_t next;
    } recent_handles; /* by which shared allocations were named lately */
};

/* shared_names.c: the label of an allocation, as the owner of this handle calls it. */
const char *allocation_label(const struct allocation *allocation, vidmm_handle handle);

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
/* As the device of this handle sees it. */
enum vidmm_offer_state offer_state(const struct allocation *allocation, vidmm_handle handle);

#endif
