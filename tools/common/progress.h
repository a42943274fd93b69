/* SPDX-License-Identifier: MIT */
/*
 * progress.h: how far a sweep or a run has come, on stderr, at most once a second. On a terminal it
 * is one line that is written again and again, elsewhere it is shown only if somebody asks for it.
 */
#ifndef TOOLS_COMMON_PROGRESS_H
#define TOOLS_COMMON_PROGRESS_H

#include "scenarios/lang/scenario.h"

enum { PROGRESS_LINES = 8 };

struct progress {
    bool shown, terminal, line; /* line: one stands there now */
    int width;
    uint64_t began, told; /* milliseconds of a clock that only moves forward */
    /* Of the latest lines, by which the rest is foretold: milliseconds, and what was done. */
    uint64_t passed[PROGRESS_LINES], done[PROGRESS_LINES], lines;
};

/* Nothing is shown in the first `quiet_ms`. */
void progress_begin(struct progress *progress, uint64_t quiet_ms, bool forced);
/* "3 of 20 runs, 0 failed, 1.5/s, 0:00:11 left" */
void progress_tell_jobs(struct progress *progress, size_t done, size_t count, size_t failed);
/* The same of a run, from its scenario_host.interrupted: the line, operations, what is left. */
void progress_tell_run(struct progress *progress, struct scenario *scenario);
/* Takes the line off a terminal: before anything else is written, and at the end. */
void progress_clear(struct progress *progress);

#endif
