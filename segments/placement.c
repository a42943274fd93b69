/* SPDX-License-Identifier: MIT */
/* placement.c: the placement policies, by name. */
#include "segments/placement.h"

#include <string.h>

#include "vidmm/base/base.h"

/* The first one is the default. */
static const struct vidmm_placement_policy *const policies[] = { &placement_wddm };

const struct vidmm_placement_policy *placement_by_name(const char *name)
{
    if (!name)
        return policies[0];
    for (size_t i = 0; i < ARRAY_COUNT(policies); i++)
        if (strcmp(policies[i]->name, name) == 0)
            return policies[i];
    return NULL;
}
