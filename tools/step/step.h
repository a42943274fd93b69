/* SPDX-License-Identifier: MIT */
/* step.h: a run one step at a time, and the reasons of one of its moments. */
#ifndef TOOLS_STEP_STEP_H
#define TOOLS_STEP_STEP_H

#include "tools/common/run_options.h"

int cmd_step(int argc, char **argv);

/* What is asked of the run of a file. */
struct step_question {
    const char *event;      /* its number, or another place (where.h); NULL: none is asked for */
    const char *allocation; /* its name; NULL: none is asked for */
};

/* Runs the file and prints the answer. */
enum tool_exit step_explain(const struct step_question *question, struct run_line *line);

#endif
