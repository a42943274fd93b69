/* SPDX-License-Identifier: MIT */
/*
 * options.h: reading a command line, and naming the option that was meant.
 */
#ifndef TOOLS_OPTIONS_H
#define TOOLS_OPTIONS_H

#include <argp.h>
#include <stdbool.h>

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
