/* SPDX-License-Identifier: MIT */
/*
 * tools.h: the subcommands of this folder. Those of the other rooms are in the doors there.
 *
 * A subcommand gets its own argv, whose first word is what messages call it ("vidmm run"), and
 * returns what the program exits with.
 */
#ifndef TOOLS_TOOLS_H
#define TOOLS_TOOLS_H

#include "tools/common/options.h"

int cmd_run(int argc, char **argv);
int cmd_trace(int argc, char **argv);
int cmd_check(int argc, char **argv);
int cmd_report(int argc, char **argv);
int cmd_fmt(int argc, char **argv);
int cmd_explain(int argc, char **argv);
int cmd_events(int argc, char **argv);
int cmd_policies(int argc, char **argv);
int cmd_flags(int argc, char **argv);
int cmd_rules(int argc, char **argv);

#endif
