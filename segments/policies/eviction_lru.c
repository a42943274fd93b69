/* SPDX-License-Identifier: MIT */
/*
 * eviction_lru.c: least recently used, by single references. The documented order counts by
 * submissions and locks instead, so what one submission uses ties there.
 */
#include "segments/policies/policies.h"

static uint64_t key(void *state, struct vidmm_resident *resident)
{
    (void)state;
    return resident->last_use;
}

const struct vidmm_eviction_policy eviction_lru = {
    .name = "lru",
    .summary = "the least recently used, each reference counted",
    .source = "Mattson et al., Evaluation techniques for storage hierarchies, 1970",
    .key = key,
};
