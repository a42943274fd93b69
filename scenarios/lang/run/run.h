/* SPDX-License-Identifier: MIT */
/*
 * run.h: the door of scenarios/lang/run: a scenario that runs.
 */
#ifndef SCENARIOS_LANG_RUN_RUN_H
#define SCENARIOS_LANG_RUN_RUN_H

#include "scenarios/lang/syntax/syntax.h"

/* Only after a check that found nothing; *result is empty. */
void run_scenario(struct scenario *scenario, const struct scenario_options *options,
                  struct scenario_result *result);

#endif
