/* SPDX-License-Identifier: MIT */
/*
 * tools.h: the subcommands, their command lines, and what the program answers.
 *
 * A subcommand gets its own argv, whose first word is what messages call it ("vidmm run"), and
 * returns what the program exits with.
 */
#ifndef TOOLS_TOOLS_H
#define TOOLS_TOOLS_H

#include <argp.h>
#include <stdbool.h>

/* What the program exits with. Of several files the most serious one counts: the largest. */
enum tool_exit {
    TOOL_GOOD = 0,
    TOOL_FAILED = 1,   /* an expectation failed; `fmt --check`: a file is not in canonical layout */
    TOOL_USAGE = 2,    /* wrong command line */
    TOOL_INPUT = 3,    /* a file is missing, cannot be read or written, or has errors */
    TOOL_LIMIT = 4,    /* stopped by a limit */
    TOOL_BUGCHECK = 5, /* the simulated system stopped, and the scenario did not expect it */
    TOOL_BROKEN = 70,  /* a bug of vidmm */
    TOOL_INTERRUPTED = 130 /* by SIGINT (Ctrl-C) or SIGTERM */
};

int cmd_run(int argc, char **argv);
int cmd_check(int argc, char **argv);
int cmd_report(int argc, char **argv);
int cmd_fmt(int argc, char **argv);
int cmd_explain(int argc, char **argv);
int cmd_events(int argc, char **argv);
int cmd_flags(int argc, char **argv);
int cmd_rules(int argc, char **argv);

/* ---- command lines: options.c ---------------------------------------------------------------- */

/* argp_parse() with exit code 2 for mistakes. An option that is none ends the process with a
 * suggestion. */
bool options_parse(const struct argp *grammar, int argc, char **argv, void *input);

/* The words after the options, from ARGP_KEY_ARGS on; without one, the error `missing`. */
struct options_words {
    char **first;
    int count;
};
error_t options_words(struct options_words *words, const char *missing, int key,
                      struct argp_state *state);
/* --format: is it jsonl, and not text? */
bool options_jsonl(const char *argument, struct argp_state *state);

#endif
