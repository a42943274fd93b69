/* SPDX-License-Identifier: MIT */
/*
 * report.h: private: where verdicts go. Several reports may listen to one run.
 */
#ifndef TOOLS_TEST_REPORT_H
#define TOOLS_TEST_REPORT_H

#include "tools/common/screen.h"
#include "tools/test/verdict.h"

struct totals {
    uint64_t passed, failed, skipped;
    bool whole; /* false: interrupted, or stopped at the first failure */
};

struct report_options {
    struct screen screen; /* where it is written */
    const char *options;  /* words of the command line that repeat a run, "" or with a space last */
    const char *goldens;  /* --golden; NULL: it was not given */
    bool update;          /* --update */
    uint64_t seed_first, seed_count;
    bool verbose;
};

struct report {
    const struct report_options *options;
    /* Of each job, in order: file by file, and there seed by seed. */
    void (*verdict)(struct report *report, const struct verdict *verdict);
    /* After the last one; frees the report. */
    void (*end)(struct report *report, const struct totals *totals);
};

struct report *report_text_open(const struct report_options *options);
struct report *report_tap_open(const struct report_options *options);
struct report *report_tap13_open(const struct report_options *options);
struct report *report_junit_open(const struct report_options *options);
struct report *report_jsonl_open(const struct report_options *options);

/* report_tap.c: the description of a test point. */
void report_tap_name(struct text *text, const char *name);

#endif
