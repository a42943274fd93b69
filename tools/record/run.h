/* SPDX-License-Identifier: MIT */
/* run.h: a scenario as one side of a comparison. Private. */
#ifndef TOOLS_RECORD_RUN_H
#define TOOLS_RECORD_RUN_H

#include "tools/common/run_options.h"
#include "tools/record/record.h"

struct record_run {
    struct record_options recorded;
    struct run_line line; /* its policies may be named by the file */
};

/* Runs a file; its decisions go to `out`. Only errors are told: that an expectation fails under
   other settings than those of the file is no surprise. */
enum tool_exit record_run(const char *path, struct record_run *run, struct record_out *out);

#endif
