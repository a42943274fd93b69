/* SPDX-License-Identifier: MIT */
/*
 * tale.h: looking into an event while telling it.
 */
#ifndef TOOLS_TALE_H
#define TOOLS_TALE_H

#include "tools/narrate.h"

struct tale {
    struct narrator *narrator;
    const struct vidmm_event *event;
    struct text *out;
};

/* 0 or "" when the event has no such field. */
uint64_t tale_number(const struct tale *tale, const char *name);
const char *tale_word(const struct tale *tale, const char *name);
bool tale_is(const struct tale *tale, const char *name, const char *value);
/* The fields `offset`, `segment` and `node`, and the subject. */
struct text_short tale_offset(const struct tale *tale);
struct text_short tale_segment(const struct tale *tale);
struct text_short tale_node(const struct tale *tale);
const char *tale_who(const struct tale *tale);
/* "frame1", "a paging buffer" or "a packet", and its fence. */
void tale_add_buffer(const struct tale *tale);
/* " was submitted to node 0", in a link " ... of adapters 0 and 2"; then `after`. */
void tale_add_target(const struct tale *tale, const char *after);
/* Fields from number `from` on, `before` in front of the first. */
void tale_add_fields(const struct tale *tale, size_t from, const char *before);

#endif
