/* SPDX-License-Identifier: MIT */
/*
 * eviction_policies.c: the eviction policies that are built in, in the order of the words of the
 * setting (vidmm/vidmm_settings.def), the default first.
 */
#include "segments/policies/policies.h"

#include "vidmm/base/base.h"

/* Neither key nor list: the order of victims is the documented one (PLACE-012). */
const struct vidmm_eviction_policy eviction_wddm = {
    .name = "wddm",
    .summary = "the documented order: least recently used by submission or lock, then lower offset",
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
