/* SPDX-License-Identifier: MIT */
/*
 * placement_policies.c: the placement policies that are built in. Their order is that of the words of the settings
 * (vidmm/vidmm_settings.def), the default first.
 */
#include "segments/policies/policies.h"

#include <stddef.h>

/* It has no `pick`: the first place that a search meets is the documented one (PLACE-006). */
const struct vidmm_placement_policy placement_wddm = {
    .name = "wddm",
    .summary = "the documented place: first fit from the end that the search begins at",
    .source = "Windows driver documentation, DXGK_ALLOCATIONINFOFLAGS and others: PLACE-006",
};

static const struct vidmm_placement_policy *const placements[] = {
    &placement_wddm,     &placement_best_fit, &placement_worst_fit,
    &placement_next_fit, &placement_buddy,    &placement_segregated,
};

const struct vidmm_placement_policy *vidmm_placement_policy_row(size_t index)
{
    return index < sizeof placements / sizeof *placements ? placements[index] : NULL;
}
