/* SPDX-License-Identifier: MIT */
/*
 * align.h: which decision of one log is which of the other, after they have parted. Private.
 *
 * Decisions are matched by kind and subject, in their order: the second `place` of `a` here is the
 * second `place` of `a` there, wherever it stands. So one more eviction does not shift a thousand
 * decisions behind it. What waits for its counterpart is bounded; the oldest gives up first and
 * counts as being in one log only.
 */
#ifndef TOOLS_RECORD_ALIGN_H
#define TOOLS_RECORD_ALIGN_H

#include "tools/record/diff.h"
#include "tools/record/line.h"

struct align;

struct align *align_new(struct diff_counts *counts);
/* A decision of a side (0 or 1), in the order of its log. */
void align_add(struct align *align, unsigned side, struct slice line);
/* Nothing more comes: what waits is in one log only. The next section begins. */
void align_end(struct align *align);
void align_free(struct align *align);

/* Only the place differs: segment, offset and window. */
bool align_same_but_place(struct slice a, struct slice b);

#endif
