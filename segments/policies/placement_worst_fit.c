/* SPDX-License-Identifier: MIT */
/*
 * placement_worst_fit.c: the hole with most room; of equal ones the first.
 *
 * D. E. Knuth, The Art of Computer Programming, volume 1, section 2.5, exercises (worst-fit).
 *
 * Cost: a larger footprint skips all holes that are not larger than the best so far, so only holes
 * that are the largest up to there are looked at: with n holes in any order about ln n of them.
 */
#include "segments/policies/policies.h"

static bool pick(const void *state, const struct vidmm_space *space,
                 const struct vidmm_search *search, uint64_t *offset)
{
    struct vidmm_search rest = *search;
    struct vidmm_fit fit, most = { 0 };
    (void)state;
    while (space->next(space, &rest, &fit)) {
        most = fit;
        rest.footprint = fit.room + space->segment->page_bytes;
    }
    if (!most.room)
        return false;
    /* `most.place` is that of the footprint which found it. */
    rest = *search;
    rest.low = most.low > search->low ? most.low : search->low;
    rest.high = most.high < search->high ? most.high : search->high;
    bool fits = space->next(space, &rest, &fit);
    *offset = fit.place;
    return fits;
}

const struct vidmm_placement_policy placement_worst_fit = {
    .name = "worst-fit",
    .summary = "the hole with most room",
    .source = "Knuth, The Art of Computer Programming, volume 1, section 2.5",
    .pick = pick,
};
