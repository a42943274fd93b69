/* SPDX-License-Identifier: MIT */
/* axis.h: where on the axis of time is a moment? */
#ifndef TOOLS_PICTURE_AXIS_H
#define TOOLS_PICTURE_AXIS_H

#include "tools/scene/scene.h"

struct axis {
    vidmm_ns *moments; /* when something begins or ends, each once */
    size_t count;
    vidmm_ns from, to;
    uint64_t step; /* that each moment gets, however little time passes */
};

void axis_init(struct axis *axis, const struct scene *scene, const struct scene_act *act,
               const struct sink_options *options);
void axis_fini(struct axis *axis);
uint64_t axis_x(const struct axis *axis, vidmm_ns time);
/* Where something ends: what is still there goes on to the edge. */
uint64_t axis_end(const struct axis *axis, vidmm_ns time, bool still_there);
/* `part` of `whole`, as a length. */
uint64_t axis_scale(uint64_t part, uint64_t whole, uint64_t length);
uint64_t axis_height(void);
/* "12.5 us", "8.621 ms": four digits at least, in the unit that suits it. */
struct text_short axis_words(vidmm_ns time);

#endif
