/* SPDX-License-Identifier: MIT */
/* make.h: the door of tools/make: workloads of our own. */
#ifndef TOOLS_MAKE_MAKE_H
#define TOOLS_MAKE_MAKE_H

int cmd_make(int argc, char **argv);

#endif
