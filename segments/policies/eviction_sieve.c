/* SPDX-License-Identifier: MIT */
/*
 * eviction_sieve.c: SIEVE. Residents stay in the order of their arrival. A hand goes from the old
 * ones to the new ones and round again: it clears the mark of those that were used, and the first
 * one without a mark leaves. So new ones are sieved quickly, and what is used is never moved.
 *
 * From the hand on, those without a mark leave in its first lap, the others in its second. `word`
 * of a resident is its mark.
 */
#include "segments/policies/policies.h"
#include "vidmm/base/base.h"

struct state {
    struct vidmm_queue queue;
    struct vidmm_resident *hand; /* NULL: at the oldest */
};

static struct vidmm_resident *hand_of(const struct state *state)
{
    return state->hand ? state->hand : state->queue.oldest;
}

static struct vidmm_resident *behind(const struct state *state, const struct vidmm_resident *at)
{
    return at->newer ? at->newer : state->queue.oldest;
}

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

/* word[0] of the walk is the lap. */
static struct vidmm_resident *next(const void *memory, struct vidmm_eviction_walk *walk)
{
    const struct state *state = memory;
    const struct vidmm_resident *start = hand_of(state);
    CHECK(start); /* a group that has no resident is not asked */
    for (;;) {
        struct vidmm_resident *at = walk->at[0] ? behind(state, walk->at[0]) : hand_of(state);
        if (walk->at[0] && at == start && ++walk->word[0] > 1)
            return NULL;
        walk->at[0] = at;
        if (at->word == walk->word[0])
            return at;
    }
}

static void left(void *memory, struct vidmm_resident *resident, bool victim)
{
    struct state *state = memory;
    if (victim) {
        struct vidmm_resident *at = hand_of(state);
        for (; at != resident || at->word; at = behind(state, at))
            at->word = 0;
        state->hand = resident;
    }
    if (state->hand == resident)
        state->hand = resident->newer;
    vidmm_queue_remove(&state->queue, resident);
}

const struct vidmm_eviction_policy eviction_sieve = {
    .name = "sieve",
    .summary = "the first unused one that a hand meets; nothing is moved at a use",
    .source = "Zhang et al., SIEVE is simpler than LRU, NSDI 2024",
    .state_bytes = sizeof(struct state),
    .next = next,
    .arrived = arrived,
    .used = used,
    .left = left,
};
