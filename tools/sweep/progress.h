/* SPDX-License-Identifier: MIT */
/*
 * progress.h: how far a sweep has come, on stderr, at most once a second: done, failed, rate, time
 * left. On a terminal one line that is written again and again.
 */
#ifndef TOOLS_SWEEP_PROGRESS_H
#define TOOLS_SWEEP_PROGRESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct progress {
    bool shown, terminal, line; /* line: one stands there now */
    size_t count;
    uint64_t began, told; /* milliseconds of a clock that only moves forward */
};

/* Of `count` things; shown on a terminal, elsewhere only if `forced`. */
void progress_begin(struct progress *progress, size_t count, bool forced);
void progress_tell(struct progress *progress, size_t done, size_t failed);
/* Takes the line off a terminal: before anything else is written, and at the end. */
void progress_clear(struct progress *progress);

#endif
