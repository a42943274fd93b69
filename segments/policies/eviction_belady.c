/* SPDX-License-Identifier: MIT */
/*
 * eviction_belady.c: the resident that is not needed for the longest time from now on. With
 * allocations of one size no other order has fewer misses; with several sizes one may have.
 */
#include "segments/policies/policies.h"

static uint64_t key(void *state, struct vidmm_resident *resident)
{
    (void)state;
    return UINT64_MAX - resident->next_use;
}

const struct vidmm_eviction_policy eviction_belady = {
    .name = "belady",
    .summary = "the one whose next use is furthest away: the optimum for equal sizes",
    .source =
        "Belady, A study of replacement algorithms for a virtual-storage computer, 1966 (MIN)",
    .foresees = true,
    .key = key,
};
