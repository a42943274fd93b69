/* SPDX-License-Identifier: MIT */
/*
 * results.h: files of results, line by line. Private to the sweep.
 */
#ifndef TOOLS_SWEEP_RESULTS_H
#define TOOLS_SWEEP_RESULTS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* What a sweep has to know of a line. Valid while it is handed out. */
struct results_line {
    const char *file;
    uint64_t number, offset; /* of the line, from 1; where it begins */
    const char *text;        /* with its line end */
    size_t bytes;
    bool ended; /* by a line break */
    uint64_t run, input;
    const char *vidmm, *verdict;
    uint64_t lab;
};

struct results_reader {
    const char *file;
    void *context;
    /* False: nothing more is wanted. */
    bool (*line)(void *context, const struct results_line *line);
    uint64_t whole; /* bytes of whole lines: what is after them was cut off */
};

/* From the beginning of the stream. False: a line is no result, which was told, or line() had
   enough. */
bool results_read(FILE *in, struct results_reader *reader);
/* An ended process, or a limit, may end otherwise another time; other verdicts stay. */
bool results_may_change(const char *verdict);
bool results_passed(const char *verdict);

#endif
