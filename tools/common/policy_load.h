/* SPDX-License-Identifier: MIT */
/* policy_load.h: the option --policy=FILE, policies in a shared object (vidmm/vidmm_policy.h). */
#ifndef TOOLS_COMMON_POLICY_LOAD_H
#define TOOLS_COMMON_POLICY_LOAD_H

#include "tools/common/run_options.h"

#define POLICY_LOAD_HELP                                                                           \
    "policies in a shared object, chosen unless --set says otherwise "                             \
    "(segments/policies/README.md)"

/*
 * Loads it until the process ends, adds it to settings->policies, and puts its policies before the
 * settings of the command line. What cannot be used ends the process: 3, with what to do.
 */
void policy_load(struct run_settings *settings, const char *path, struct argp_state *state);

#endif
