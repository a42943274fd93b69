/* SPDX-License-Identifier: MIT */
/* run.h: a scenario as one side of a comparison. Private. */
#ifndef TOOLS_RECORD_RUN_H
#define TOOLS_RECORD_RUN_H

#include "tools/common/options.h"
#include "tools/common/run_options.h"
#include "tools/record/record.h"

struct record_run {
    struct record_options recorded;
    struct scenario_options options;
    struct run_settings defines;       /* parameters of the file */
    const struct run_settings *loaded; /* policies that the file may name */
};

/* Runs a file; its decisions go to `out`. Only errors are told: that an expectation fails under
   other settings than those of the file is no surprise. */
enum tool_exit record_run(const char *path, const struct record_run *run, struct record_out *out);

#endif
