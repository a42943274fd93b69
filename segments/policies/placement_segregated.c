/* SPDX-License-Identifier: MIT */
/*
 * placement_segregated.c: holes by size class; the first hole of the lowest class that has one.
 *
 * Segregated fits: P. R. Wilson, M. S. Johnstone, M. Neely, D. Boles, Dynamic storage allocation: a
 * survey and critical review, 1995. The classes are those of TLSF (M. Masmano, I. Ripoll, A.
 * Crespo, J. Real, 2004), here four for each power of two. A hole that fits is never passed over
 * for one of a higher class; within a class address and direction decide, where TLSF takes the last
 * freed one.
 *
 * Cost: every hole that fits is looked at, until one is in the class of the footprint.
 */
#include "segments/policies/policies.h"

enum { CLASSES_PER_POWER = 4 };

static unsigned class_of(uint64_t bytes)
{
    unsigned power = 0;
    while (bytes >> power >= 2 * CLASSES_PER_POWER)
        power++;
    return power * CLASSES_PER_POWER + (unsigned)(bytes >> power);
}

static bool pick(const void *state, const struct vidmm_space *space,
                 const struct vidmm_search *search, uint64_t *offset)
{
    struct vidmm_search rest = *search;
    struct vidmm_fit fit;
    unsigned lowest = class_of(search->footprint), best = UINT32_MAX;
    (void)state;
    while (best > lowest && space->next(space, &rest, &fit)) {
        if (class_of(fit.room) >= best)
            continue;
        best = class_of(fit.room);
        *offset = fit.place;
    }
    return best != UINT32_MAX;
}

const struct vidmm_placement_policy placement_segregated = {
    .name = "segregated",
    .summary = "the first hole of the lowest size class that has one, four classes a power of two",
    .source = "Wilson and others, Dynamic storage allocation, 1995; classes as in TLSF, 2004",
    .pick = pick,
};
