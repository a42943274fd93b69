/* SPDX-License-Identifier: MIT */
/*
 * eviction_random.c: a lot for each arrival, drawn from the seed of the run: the smallest leaves.
 * With the same seed the same arrivals draw the same lots, whatever the uses are.
 */
#include "segments/policies/policies.h"

static void begin(void *state, const struct vidmm_eviction_group *group)
{
    *(uint64_t *)state = group->seed;
}

/* A mix of 64 bits (splitmix64, Steele, Lea and Flood 2014). */
static uint64_t key(void *state, struct vidmm_resident *resident)
{
    uint64_t x = *(const uint64_t *)state + resident->arrival * UINT64_C(0x9E3779B97F4A7C15);
    x = (x ^ x >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    x = (x ^ x >> 27) * UINT64_C(0x94D049BB133111EB);
    return x ^ x >> 31;
}

const struct vidmm_eviction_policy eviction_random = {
    .name = "random",
    .summary = "one by lot, drawn from the seed of the run",
    .source = "Belady, A study of replacement algorithms for a virtual-storage computer, 1966",
    .state_bytes = sizeof(uint64_t),
    .begin = begin,
    .key = key,
};
