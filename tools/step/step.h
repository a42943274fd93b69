/* SPDX-License-Identifier: MIT */
/*
 * step.h: a run one step at a time, and the reasons of one of its moments.
 */
#ifndef TOOLS_STEP_STEP_H
#define TOOLS_STEP_STEP_H

#include "tools/common/options.h"
#include "tools/common/run_options.h"

int cmd_step(int argc, char **argv);

/* What is asked of a run. */
struct step_question {
    const char *path;
    uint64_t event;         /* its number; 0: none is asked for */
    const char *allocation; /* its name; NULL: none is asked for */
    struct scenario_options options;
    struct run_settings settings, defines; /* --set; parameters of the file */
};

/* Runs the file and prints the answer. */
enum tool_exit step_explain(const struct step_question *question);

#endif
