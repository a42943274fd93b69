/* SPDX-License-Identifier: MIT */
/*
 * eviction_clock.c: second chance. Residents queue in the order of their arrival; one that was used
 * since is sent to the end once more, without its reference bit, instead of leaving.
 *
 * So those without the bit leave first, the oldest before all, then those with it. `word` of a
 * resident is its bit.
 */
#include "segments/policies/policies.h"

struct state {
    struct vidmm_queue queue;
};

static void arrived(void *memory, struct vidmm_resident *resident)
{
    struct state *state = memory;
    resident->word = 0;
    vidmm_queue_append(&state->queue, resident);
}

static void used(void *memory, struct vidmm_resident *resident)
{
    (void)memory;
    resident->word = 1;
}

/* Two laps: the one without the bit, then, word[0] of the walk, the one with it. */
static struct vidmm_resident *next(const void *memory, struct vidmm_eviction_walk *walk)
{
    const struct state *state = memory;
    for (;;) {
        struct vidmm_resident *at = walk->at[0] ? walk->at[0]->newer : state->queue.oldest;
        while (at && at->word != walk->word[0])
            at = at->newer;
        walk->at[0] = at;
        if (at || walk->word[0]++)
            return at;
    }
}

/* Those with the bit before the victim get their second chance, and it, too, if it had the bit. */
static void left(void *memory, struct vidmm_resident *resident, bool victim)
{
    struct state *state = memory;
    struct vidmm_resident *at = state->queue.oldest, *after;
    for (; victim && (at != resident || at->word); at = after) {
        after = at->newer;
        if (!at->word)
            continue;
        at->word = 0;
        vidmm_queue_remove(&state->queue, at);
        vidmm_queue_append(&state->queue, at);
        if (!after)
            after = at;
    }
    vidmm_queue_remove(&state->queue, resident);
}

const struct vidmm_eviction_policy eviction_clock = {
    .name = "clock",
    .summary = "first in, first out, with a second chance for what was used since",
    .source = "Corbato, A paging experiment with the Multics system, 1968",
    .state_bytes = sizeof(struct state),
    .next = next,
    .arrived = arrived,
    .used = used,
    .left = left,
};
