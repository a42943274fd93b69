/* SPDX-License-Identifier: MIT */
/* direction.h: what preferences, flags and priority of an allocation say about its searches.
 * Private. */
#ifndef TOOLS_STEP_DIRECTION_H
#define TOOLS_STEP_DIRECTION_H

#include "tools/story/names.h"

/* Of a `candidate`: " (its preference, which beats FromEndOfSegment)", or "" where none did. */
const char *direction_words(const struct names *names, const struct vidmm_event *candidate);

/* Adds which preferred segments are too small for the allocation, so that no search tries them. */
void direction_too_small(const struct names *names, vidmm_handle allocation, struct text *out);

/* Of a `turn`: adds ", whose priority is lower than that of NAME" where the comer's is higher. */
void direction_outranks(const struct names *names, const struct vidmm_event *turn,
                        struct text *out);

#endif
