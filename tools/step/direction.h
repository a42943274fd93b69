/* SPDX-License-Identifier: MIT */
/* direction.h: which word decided the direction of a search. Private. */
#ifndef TOOLS_STEP_DIRECTION_H
#define TOOLS_STEP_DIRECTION_H

#include "tools/story/names.h"

/* Of a `candidate`: " (its preference, which beats FromEndOfSegment)", or "" where none did. */
const char *direction_words(const struct names *names, const struct vidmm_event *candidate);

#endif
