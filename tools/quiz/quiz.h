/* SPDX-License-Identifier: MIT */
/* quiz.h: a run that asks before it shows. */
#ifndef TOOLS_QUIZ_QUIZ_H
#define TOOLS_QUIZ_QUIZ_H

#include "tools/common/sink.h"

struct quiz_score {
    uint64_t asked, right, skipped;
    uint64_t second; /* of the right ones: at the second try */
    bool interrupted; /* by Ctrl-C, at a question */
};

/*
 * A sink for scenarios with questions; answers come from stdin. `jsonl`: for programs. A scenario
 * that it hears needs `tell_statements` and `tell_params`.
 */
struct sink *quiz_open(const struct sink_options *options, bool jsonl);
/* Of all files so far. */
struct quiz_score quiz_score(struct sink *sink);

int cmd_quiz(int argc, char **argv);

#endif
