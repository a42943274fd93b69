/* SPDX-License-Identifier: MIT */
/*
 * catalogue.h: the door of vidmm/catalogue for the manager; all else is in the public headers.
 */
#ifndef VIDMM_CATALOGUE_H
#define VIDMM_CATALOGUE_H

#include "paging/time/time.h"
#include "vidmm/vidmm.h"

/* The profile, then the parameters that were set one by one (TIME-008). */
void settings_cost(const struct vidmm_settings *settings, struct cost_params *cost);
/* The loaded policy that `placement` or `eviction` means; NULL: one that is built in, or none. */
const struct vidmm_policies *settings_loaded(const struct vidmm_config *config,
                                             enum vidmm_setting which);

#endif
