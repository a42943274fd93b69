/* SPDX-License-Identifier: MIT */
/*
 * placement_best_fit.c: the hole in which least room is left over; of equal ones the first.
 *
 * D. E. Knuth, The Art of Computer Programming, volume 1, section 2.5 (best-fit). "Room" counts
 * from the first aligned start, so what an alignment skips is not counted as left over.
 *
 * Cost: every hole that fits is looked at, until one fits exactly.
 */
#include "segments/policies/policies.h"

static bool pick(const void *state, const struct vidmm_space *space,
                 const struct vidmm_search *search, uint64_t *offset)
{
    struct vidmm_search rest = *search;
    struct vidmm_fit fit;
    uint64_t least = UINT64_MAX;
    (void)state;
    while (least > search->footprint && space->next(space, &rest, &fit)) {
        if (fit.room >= least)
            continue;
        least = fit.room;
        *offset = fit.place;
    }
    return least != UINT64_MAX;
}

const struct vidmm_placement_policy placement_best_fit = {
    .name = "best-fit",
    .summary = "the hole in which least room is left over",
    .source = "Knuth, The Art of Computer Programming, volume 1, section 2.5",
    .pick = pick,
};
