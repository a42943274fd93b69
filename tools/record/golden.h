/* SPDX-License-Identifier: MIT */
/*
 * golden.h: yesterday's decisions of a scenario, beside it. The third door of this folder.
 *
 *     struct golden *golden = golden_open(&options, scenario, "a.vms");  NULL: it wants none
 *     struct sink *sink = golden_sink(golden, inner);                    and a run with it
 *     golden_test_ended(golden, &told);                                  at the end of each test
 *     golden_end(golden, whole, kept, &told);                            after the run
 */
#ifndef TOOLS_RECORD_GOLDEN_H
#define TOOLS_RECORD_GOLDEN_H

#include "tools/record/record.h"

struct golden_options {
    const char *folder; /* goldens of all files are there; NULL: of those that ask, beside them */
    bool update;        /* write it, and tell what changed */
    bool partial;       /* only some tests of the file run */
};

/* What there is to say; both "" when there is nothing. */
struct golden_told {
    struct text text;       /* one line */
    struct text details;    /* lines, indented */
    uint64_t line;          /* of the scenario; 0: unknown */
    bool failed, unwritten; /* no: it is only news; an update could not write */
};
void golden_told_free(struct golden_told *told);

struct golden;

struct golden *golden_open(const struct golden_options *options, struct scenario *scenario,
                           const char *path);
/* Hears the run in front of `inner`, which hears messages, tests and the end. */
struct sink *golden_sink(struct golden *golden, struct sink *inner);
/* A test is over, or a file that has none. */
void golden_test_ended(struct golden *golden, struct golden_told *told);
/* The run is over; `whole`: not broken off. An update writes, unless there is `kept`: why not. */
void golden_end(struct golden *golden, bool whole, const char *kept, struct golden_told *told);

#endif
