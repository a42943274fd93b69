/* SPDX-License-Identifier: MIT */
/*
 * golden_part.h: private: the golden of a file that runs, as far as it has one.
 */
#ifndef TOOLS_TEST_GOLDEN_PART_H
#define TOOLS_TEST_GOLDEN_PART_H

#include "tools/test/known.h"
#include "tools/test/test_run.h"

struct golden_part {
    struct golden *golden; /* NULL: there is none */
    const char *file;
    uint32_t line; /* of the statement `golden`, or 1 */
    FILE *answer;
    bool defined;        /* a parameter of the file has a value of the command line */
    bool update;         /* it is written, unless a test fails */
    struct text kept;    /* why it is not written */
    bool tested, failed; /* a test has ended; something differs */
    bool unwritten;      /* the file could not be written: it failed too */
};

/* `inner` hears messages, tests and the end, as if there were no golden; the host's sink is changed
   until golden_part_end(). `started` is what the host does when an adapter starts. */
struct golden_start {
    struct host *host;
    struct sink *inner;
    struct scenario *scenario;
    void (*started)(struct scenario_host *base, struct vidmm_adapter *adapter);
};
void golden_part_begin(struct golden_part *part, const struct test_plan *plan,
                       const struct golden_start *start, struct scenario_options *options);
/* False: the test, which stands in this line, made other decisions. */
bool golden_part_test_ended(struct golden_part *part, uint32_t line);
/* A test failed, or "" the file: an update keeps the golden then, unless the failure is known. */
void golden_part_failed(struct golden_part *part, const struct known *known, const char *test);
/* After the run; the exit code of a run that would have been good can change. */
void golden_part_end(struct golden_part *part, struct scenario_result *result);

#endif
