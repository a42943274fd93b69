/* SPDX-License-Identifier: MIT */
/*
 * suite.h: private: what one `vidmm test` runs, and who is told.
 */
#ifndef TOOLS_TEST_SUITE_H
#define TOOLS_TEST_SUITE_H

#include "tools/common/host.h"
#include "tools/common/output.h"
#include "tools/test/find.h"
#include "tools/test/known.h"
#include "tools/test/report.h"
#include "tools/test/test_run.h"

enum { REPORTS_MOST = 8 };

struct form {
    const char *name;
    struct report *(*open)(const struct report_options *options);
};

/* stdout, and each --report=FORM:FILE. */
struct listener {
    const struct form *form;
    const char *path; /* NULL: stdout */
    struct output output;
    struct report_options options;
    struct report *report;
};

struct suite {
    struct test_plan plan;
    struct options_words paths;
    struct found files;
    unsigned jobs;
    bool fail_fast, verbose, listing;
    const char *known_path; /* --known */
    struct known known;
    enum screen_color color;
    struct listener listeners[1 + REPORTS_MOST];
    size_t listener_count;
    struct text again; /* report_options.options */
    struct text tags, params;
    struct host_tests tests; /* what there is, when --only chose none */
    struct totals totals;
    enum tool_exit worst;
    size_t turn;       /* the job that is waited for */
    size_t finished;   /* jobs that came to their end */
    size_t uncompared; /* files with a golden */
    size_t goldenless; /* that should write one */
    long ticked;       /* the tenth of a second in which the progress was shown */
    bool progress, shown;
};

/* The files of `paths` are found, run or listed, and reported. */
enum tool_exit suite_run(struct suite *suite);

#endif
