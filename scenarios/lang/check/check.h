/* SPDX-License-Identifier: MIT */
/*
 * check.h: the door of scenarios/lang/check: what can be decided about a scenario from its text.
 */
#ifndef SCENARIOS_LANG_CHECK_CHECK_H
#define SCENARIOS_LANG_CHECK_CHECK_H

#include "scenarios/lang/syntax/syntax.h"

/* Every mistake is a message of the scenario. */
void check_scenario(struct scenario *scenario);

#endif
