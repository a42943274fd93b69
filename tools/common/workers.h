/* SPDX-License-Identifier: MIT */
/*
 * workers.h: independent jobs, each in a process of its own, answers in the order of the jobs.
 *
 * A job that crashes ends alone. Answers are handed out in the order of the jobs, so nothing that
 * is printed depends on the number of processes.
 */
#ifndef TOOLS_COMMON_WORKERS_H
#define TOOLS_COMMON_WORKERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "tools/common/options.h"

enum { WORKERS_MOST = 128 }; /* processes at once */
/* Valid until done() returns. */
struct workers_answer {
    const char *bytes; /* what the job wrote to `answer`; 0-terminated */
    size_t count;
    const char *output; /* what it wrote to stdout and stderr, in this order; 0-terminated */
    size_t output_count;
    int exit;   /* what work() returned, or exit() was given; 0 with a signal */
    int signal; /* that ended the job; 0: none. What was not flushed before is lost. */
    bool cut;   /* the run was interrupted before this job ended by itself */
};

struct workers {
    size_t count;  /* of jobs */
    unsigned most; /* processes at once; 0: one for each processor */
    void *context;
    /*
     * In a process of its own, with an empty stdin. The return value, 0 to 255, is its exit code.
     * SIGTERM asks it to end: whoever has something to say then uses interrupt_begin().
     */
    int (*work)(void *context, size_t job, FILE *answer);
    /* In the calling process, job after job. False: no more are wanted, those under way end. */
    bool (*done)(void *context, size_t job, const struct workers_answer *answer);
    /* May be NULL. After each end of a job, in any order, and at least every second: progress. */
    void (*tick)(void *context, size_t finished);
};

/* That this process may use. */
unsigned workers_processors(void);

/*
 * TOOL_GOOD, also when done() wanted no more. TOOL_INTERRUPTED by SIGINT or SIGTERM: the jobs under
 * way were asked to end; all that had been started were handed out, in order, and no others were.
 * TOOL_LIMIT, after a message: the machine gave no process or no temporary file.
 *
 * Answers and outputs are temporary files, so a job never waits for its reader, and a long output
 * takes no memory here. At most 256 are under way or wait for their turn.
 */
enum tool_exit workers_run(const struct workers *workers);

#endif
