/* SPDX-License-Identifier: MIT */
/*
 * manual.h: the door of tools/manual: the program for man, shells and editors.
 */
#ifndef TOOLS_MANUAL_MANUAL_H
#define TOOLS_MANUAL_MANUAL_H

#include <stddef.h>

/* A subcommand. */
struct command {
    const char *name;
    int (*run)(int argc, char **argv);
    const char *arguments, *summary;
};

/* What main.c knows of the program. */
struct manual {
    const struct command *commands;
    size_t count;
    const char *about, *exits; /* running text, in lines */
};

/* `vidmm manual`: what the process exits with. */
int manual_command(const struct manual *manual, int argc, char **argv);

#endif
