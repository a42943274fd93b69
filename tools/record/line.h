/* SPDX-License-Identifier: MIT */
/*
 * line.h: an event as a line of `expect events`: EVENT SUBJECT key=value. Private.
 *
 * Names instead of handles, sizes with their unit, the rule, and at most one time. What people read
 * (sentences) and what only counts (calls) is left out.
 */
#ifndef TOOLS_RECORD_LINE_H
#define TOOLS_RECORD_LINE_H

#include "tools/common/text.h"
#include "vidmm/vidmm.h"

/* What segments are called: learned from the events that report them. */
struct line_names {
    const struct vidmm_adapter *adapter; /* for allocations; NULL before the first one started */
    char segments[VIDMM_LINK_MAX * VIDMM_SEGMENTS_MAX + 1][48];
};

/* To be called for every report-segment. */
void line_learn(struct line_names *names, const struct vidmm_event *event);
/* Appends the line, without its end. */
void line_add(struct text *out, const struct line_names *names, const struct vidmm_event *event,
              bool time);

/* The parts of it, for lines that are made of something else. */
void line_add_number(struct text *out, uint64_t value);
void line_add_key(struct text *out, const char *name);
/* True: it is a part of a line. `text` is only for words and texts. */
bool line_add_value(struct text *out, const struct vidmm_field *field, const char *name);
bool line_skips(enum vidmm_event_kind event, const char *field, enum vidmm_field_kind kind);

/* A piece of a line that is held elsewhere. */
struct slice {
    const char *at;
    size_t length;
};
struct slice slice_of(const char *text);
bool slice_same(struct slice a, struct slice b);
/* The first word, the subject ("" without one), the value of a key ("" without it). */
struct slice line_event(struct slice line);
struct slice line_subject(struct slice line);
struct slice line_value(struct slice line, const char *key);
/* Key and value number `index`, from 0; false after the last. */
bool line_pair(struct slice line, size_t index, struct slice *key, struct slice *value);
/* Without its time, which stands last. */
struct slice line_timeless(struct slice line);

#endif
