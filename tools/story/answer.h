/* SPDX-License-Identifier: MIT */
/* answer.h: is the answer to a lesson's question right? */
#ifndef TOOLS_STORY_ANSWER_H
#define TOOLS_STORY_ANSWER_H

#include "scenarios/lang/scenario.h"

/* `telling` is an `ask`; `given` is what was typed. */
bool answer_is_right(const char *given, const struct scenario_telling *telling);

#endif
