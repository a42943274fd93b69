/* SPDX-License-Identifier: MIT */
/*
 * test_run.h: private: one file, once, in a process of its own.
 */
#ifndef TOOLS_TEST_TEST_RUN_H
#define TOOLS_TEST_TEST_RUN_H

#include "tools/common/run_options.h"
#include "tools/record/golden.h"
#include "tools/test/answer.h"

struct known;

/* What the command line asks of every file. */
struct test_plan {
    struct scenario_options options; /* but for the seed; `settings` are those below */
    struct run_settings settings, defines;
    struct run_settings limits, policies; /* words of --limit and --policy, to repeat them */
    uint64_t seed_first, seed_count;      /* count 0: the seed of each file, once */
    unsigned processes;
    struct golden_options goldens;
    const struct known *known; /* failures */
    bool list;                 /* nothing runs: which tests, tags and parameters are there? */
    bool every;                /* also those that --only leaves out are said */
};

struct test_job {
    const char *path;
    uint64_t seed; /* if the plan has seeds */
};

/* Writes what the file says of itself, what happens, and ANSWER_FINISH. Returns the exit code. */
int test_run(const struct test_plan *plan, const struct test_job *job, FILE *answer);

#endif
