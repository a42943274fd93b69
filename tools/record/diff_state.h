/* SPDX-License-Identifier: MIT */
/* diff_state.h: a comparison under way. Private to diff.c and diff_print.c. */
#ifndef TOOLS_RECORD_DIFF_STATE_H
#define TOOLS_RECORD_DIFF_STATE_H

#include "tools/record/align.h"
#include "tools/record/diff.h"
#include "tools/record/reader.h"

/* Where a section begins in the log of side 0. */
struct section;

struct diff_side {
    struct text statement;
    uint64_t line;
    uint64_t decisions;
    struct text trail; /* of the last decision, while `trails` wants it */
    unsigned files;
};

struct diff {
    struct record_out out;
    struct diff_options options;
    struct reader expected;
    unsigned header; /* lines of the log of a run that are no decisions */
    struct diff_side side[2];
    struct text section, file; /* in which side 1 is */
    bool parted;               /* in this section */
    bool alone;                /* only side 1 has this section */
    bool capture[2];           /* trail lines that come belong to the first difference */
    struct align *align;
    struct diff_counts counts;
    struct diff_first first;
    uint64_t total;        /* differences up to this section */
    struct text ahead;     /* the section that side 0 begins next; "": in the middle of one */
    uint64_t ahead_place;  /* where its lines begin */
    bool ended;            /* side 0 */
    struct section *index; /* of side 0 */
    bool indexed;
    bool told; /* diff_section() was asked: the next section counts anew */
};

#endif
