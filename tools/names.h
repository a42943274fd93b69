/* SPDX-License-Identifier: MIT */
/*
 * names.h: what handles, segments and nodes are called.
 *
 * An event carries the label of its subject; whatever else it mentions is asked of the adapter. An
 * adapter that is still starting cannot be asked, so `adapter` may be NULL: then a segment is
 * "segment 2".
 */
#ifndef TOOLS_NAMES_H
#define TOOLS_NAMES_H

#include "tools/text.h"
#include "vidmm/vidmm.h"

struct names {
    const struct vidmm_adapter *adapter;
};

/* The label of the event's subject; "" when it has none. */
const char *names_subject(const struct vidmm_event *event);
struct text_short names_allocation(const struct names *names, vidmm_handle handle);
/* "system memory" for 0. */
struct text_short names_segment(const struct names *names, uint32_t segment);
struct text_short names_status(vidmm_status status);

#endif
