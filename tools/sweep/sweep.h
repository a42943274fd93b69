/* SPDX-License-Identifier: MIT */
/* sweep.h: the subcommand `sweep`. */
#ifndef TOOLS_SWEEP_SWEEP_H
#define TOOLS_SWEEP_SWEEP_H

int cmd_sweep(int argc, char **argv);

#endif
