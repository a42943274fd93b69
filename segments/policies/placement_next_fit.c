/* SPDX-License-Identifier: MIT */
/*
 * placement_next_fit.c: first fit that goes on where the last place ended, and comes round.
 *
 * D. E. Knuth, The Art of Computer Programming, volume 1, section 2.5, exercise 6 (next-fit: a
 * roving pointer). Each segment has one pointer: the end of the last place that was searched from
 * the start, or the start of the last one that was searched from the end. A hole that it points
 * into is used from its own end, as after a roving pointer that moves with joined holes.
 *
 * Cost: at most three looks.
 */
#include "segments/policies/policies.h"

struct rover {
    uint64_t at;
};

static bool pick(const void *state, const struct vidmm_space *space,
                 const struct vidmm_search *search, uint64_t *offset)
{
    const struct rover *rover = state;
    struct vidmm_search rest = *search;
    struct vidmm_fit fit;
    uint64_t *edge = search->from_end ? &rest.high : &rest.low;
    if (rover->at > search->low && rover->at < search->high)
        *edge = rover->at;
    bool found = space->next(space, &rest, &fit);
    rest = *search;
    if (found) { /* in this hole, wherever the pointer is in it */
        rest.low = fit.low > search->low ? fit.low : search->low;
        rest.high = fit.high < search->high ? fit.high : search->high;
    }
    found = space->next(space, &rest, &fit);
    *offset = fit.place;
    return found;
}

static void placed(void *state, const struct vidmm_search *search, uint64_t offset)
{
    struct rover *rover = state;
    rover->at = search->from_end ? offset : offset + search->footprint;
}

const struct vidmm_placement_policy placement_next_fit = {
    .name = "next-fit",
    .summary = "first fit that goes on where the last place ended",
    .source = "Knuth, The Art of Computer Programming, volume 1, section 2.5, exercise 6",
    .state_bytes = sizeof(struct rover),
    .pick = pick,
    .placed = placed,
};
