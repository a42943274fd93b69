/* SPDX-License-Identifier: MIT */
/*
 * eviction_gds.c: GreedyDual-Size. A resident is worth what bringing it back costs, for each byte,
 * above an inflation L that rises to the worth of each victim; so what is not used falls behind.
 */
#include "segments/policies/policies.h"
#include "vidmm/base/base.h"

enum { FRACTION_BITS = 20 }; /* of the worth of a byte */

struct state {
    uint64_t inflation;
};

static uint64_t key(void *memory, struct vidmm_resident *resident)
{
    const struct state *state = memory;
    uint64_t most = UINT64_MAX >> FRACTION_BITS;
    uint64_t cost = resident->cost < most ? resident->cost : most;
    CHECK(resident->bytes);
    uint64_t worth = (cost << FRACTION_BITS) / resident->bytes;
    uint64_t left = UINT64_MAX - state->inflation;
    resident->word = state->inflation + (worth < left ? worth : left);
    return resident->word;
}

static void left(void *memory, struct vidmm_resident *resident, bool victim)
{
    struct state *state = memory;
    if (victim && resident->word > state->inflation)
        state->inflation = resident->word;
}

const struct vidmm_eviction_policy eviction_gds = {
    .name = "gds",
    .summary = "the one that is cheapest to bring back for its size, with ageing",
    .source = "Cao and Irani, Cost-aware WWW proxy caching algorithms (GreedyDual-Size), 1997",
    .state_bytes = sizeof(struct state),
    .key = key,
    .left = left,
};
