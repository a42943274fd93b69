/* SPDX-License-Identifier: MIT */
/*
 * lab.h: the subcommand `compare`. What is measured, and how a result is written, is for sweeps
 * too: the other doors of this folder.
 */
#ifndef TOOLS_LAB_LAB_H
#define TOOLS_LAB_LAB_H

int cmd_compare(int argc, char **argv);

#endif
