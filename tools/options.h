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

#endif
