/* SPDX-License-Identifier: MIT */
/*
 * names.h: what handles, segments and nodes are called.
 *
 * An event carries the label of its subject; the adapter is asked about all else. While it starts,
 * `adapter` is NULL, and the names of segments come from the events that report them.
 */
#ifndef TOOLS_STORY_NAMES_H
#define TOOLS_STORY_NAMES_H

#include "tools/common/text.h"
#include "vidmm/vidmm.h"

enum { NAMES_SEGMENT_BYTES = 64 };

struct names {
    const struct vidmm_adapter *adapter;
    char segments[VIDMM_LINK_MAX * VIDMM_SEGMENTS_MAX + 1][NAMES_SEGMENT_BYTES];
};

/* NULL, 0, "": it has no such field. */
const struct vidmm_field *names_field(const struct vidmm_event *event, const char *name);
uint64_t names_number(const struct vidmm_event *event, const char *name);
const char *names_word(const struct vidmm_event *event, const char *name);
void names_learn(struct names *names, const struct vidmm_event *event); /* of each one, first */
const char *names_subject(const struct vidmm_event *event); /* its label; "": it has none */
struct text_short names_allocation(const struct names *names, vidmm_handle handle);
/* Of a field that means one: in the copy of an event its text is the name that it had. */
struct text_short names_meant(const struct names *names, const struct vidmm_field *field);
/* "system memory" for 0. */
struct text_short names_segment(const struct names *names, uint32_t segment);
/* "node 1 (paging)" where paging has its own node; "node copy (paging)" where it has a name. */
struct text_short names_node(const struct names *names, uint32_t node);
struct text_short names_status(vidmm_status status);
bool names_makes_room(const struct vidmm_event *event); /* it leaves so that another can come */
const char *names_standing(enum vidmm_rule_standing standing); /* documented, or our choice */

#endif
