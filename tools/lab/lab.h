/* SPDX-License-Identifier: MIT */
/*
 * lab.h: policies side by side, and sweeps over everything that can be varied: the subcommands
 * `compare` and `sweep`, each with the command line of its own and the exit code of the program.
 */
#ifndef TOOLS_LAB_LAB_H
#define TOOLS_LAB_LAB_H

int cmd_compare(int argc, char **argv);
int cmd_sweep(int argc, char **argv);

#endif
