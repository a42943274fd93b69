/* SPDX-License-Identifier: MIT */
/* foretell.h: private: runs that know their future. */
#ifndef SCENARIOS_LANG_FORETELL_H
#define SCENARIOS_LANG_FORETELL_H

#include "scenarios/lang/syntax/syntax.h"

/* Runs the scenario under a policy that foresees, if one of its adapters has one. False: none has,
   and nothing was run. */
bool foretell_run(struct scenario *scenario, const struct scenario_options *options,
                  struct scenario_result *result);

#endif
