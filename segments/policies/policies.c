/* SPDX-License-Identifier: MIT */
/*
 * policies.c: the policies that are built in, in the order of their names (VIDMM_PLACEMENT_NAMES,
 * VIDMM_EVICTION_NAMES), the default first.
 */
#include "segments/policies/policies.h"

#include "vidmm/base/base.h"

/* It has no `pick`: the first place that a search meets is the documented one (PLACE-006). */
const struct vidmm_placement_policy placement_wddm = {
    .name = "wddm",
    .summary = "the manager's own place: first fit from the end that the search begins at",
    .source = "DXGK_ALLOCATIONINFOFLAGS, DXGK_SEGMENTBANKPREFERENCE: PLACE-006",
};

static const struct vidmm_placement_policy *const placements[] = {
    &placement_wddm,     &placement_best_fit, &placement_worst_fit,
    &placement_next_fit, &placement_buddy,    &placement_segregated,
};

const struct vidmm_placement_policy *vidmm_placement_policy_row(size_t index)
{
    return index < ARRAY_COUNT(placements) ? placements[index] : NULL;
}

/* Neither key nor list: the order of victims is the documented one (PLACE-012). */
const struct vidmm_eviction_policy eviction_wddm = {
    .name = "wddm",
    .summary = "the manager's order: least recently used by submission or lock, then lower offset",
    .source = "D3DDDIARG_SETPRIORITY: PLACE-012, PRIO-006",
};

static const struct vidmm_eviction_policy *const evictions[] = {
    &eviction_wddm,    &eviction_fifo,   &eviction_lru,     &eviction_clock,
    &eviction_gds,     &eviction_sieve,  &eviction_s3_fifo, &eviction_arc,
    &eviction_largest, &eviction_random, &eviction_belady,
};

const struct vidmm_eviction_policy *vidmm_eviction_policy_row(size_t index)
{
    return index < ARRAY_COUNT(evictions) ? evictions[index] : NULL;
}
