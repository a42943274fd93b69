/* SPDX-License-Identifier: MIT */
/* movement.h: what changed between two maps of a segment. */
#ifndef TOOLS_STORY_MOVEMENT_H
#define TOOLS_STORY_MOVEMENT_H

#include "tools/story/show.h"

/* What lies in a segment now. */
struct movement_spans {
    const struct vidmm_adapter *adapter;
    uint32_t segment;
    const struct vidmm_segment_span *first;
    size_t count;
};

/* Prints a line if a map of the segment was shown before and another allocation lies there now, or
   elsewhere in it. Remembers the spans for the next map. */
void movement_show(const struct screen *screen, struct map_memory *memory,
                   const struct movement_spans *now);

#endif
