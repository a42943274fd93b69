/* SPDX-License-Identifier: MIT */
/*
 * eviction_largest.c: the largest resident leaves. Few evictions make much room, and small ones
 * stay for ever: a bound to compare with, not a policy to use.
 */
#include "segments/policies/policies.h"

static uint64_t key(void *state, struct vidmm_resident *resident)
{
    (void)state;
    return UINT64_MAX - resident->bytes;
}

const struct vidmm_eviction_policy eviction_largest = {
    .name = "largest",
    .summary = "the largest",
    .source = "Williams et al., Removal policies in network caches for World-Wide Web documents, "
              "1996 (SIZE)",
    .key = key,
};
