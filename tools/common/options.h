/* SPDX-License-Identifier: MIT */
/* options.h: command lines, and what the program answers. */
#ifndef TOOLS_COMMON_OPTIONS_H
#define TOOLS_COMMON_OPTIONS_H

#include <argp.h>
#include <stdbool.h>

/* What the program exits with. Of several files the most serious one counts: the largest. */
enum tool_exit {
    TOOL_GOOD = 0,
    TOOL_FAILED = 1,   /* an expectation failed; `fmt --check`: a file is not in canonical layout */
    TOOL_USAGE = 2,    /* wrong command line, be it only for this file: -D */
    TOOL_INPUT = 3,    /* a file is missing, cannot be read or written, or has errors */
    TOOL_LIMIT = 4,    /* stopped by a limit */
    TOOL_BUGCHECK = 5, /* the simulated system stopped, and the scenario did not expect it */
    TOOL_BROKEN = 70,  /* a bug of vidmm */
    TOOL_INTERRUPTED = 130 /* by SIGINT (Ctrl-C) or SIGTERM */
};

/* argp_parse(), exit code 2 for mistakes; an option that is none ends it with a suggestion. */
bool options_parse(const struct argp *grammar, int argc, char **argv, void *input);

/* Row `index` of a grammar and its children; NULL: there are no more. Every one has a long name. */
const struct argp_option *options_row(const struct argp *grammar, size_t index);
/* A command is called, hands what it would parse with to `hear`, and comes back. */
void options_describe(int (*command)(int argc, char **argv),
                      void (*hear)(void *context, const struct argp *grammar), void *context);

/* The words after the options, from ARGP_KEY_ARGS on; without one, the error `missing`. */
struct options_words {
    char **first;
    int count;
};
error_t options_words(struct options_words *words, const char *missing, int key,
                      struct argp_state *state);
/* What is read twice has to be a file, and no pipe: else an error. */
void options_reread(const struct options_words *words, struct argp_state *state);
/* What is read shall not be replaced: else an error. `output` NULL: stdout. */
void options_spare(const struct options_words *words, const char *output, struct argp_state *state);
unsigned options_jobs(const char *argument, struct argp_state *state); /* -j N */
bool options_jsonl(const char *argument, struct argp_state *state);    /* --format: not text? */

#endif
