/* SPDX-License-Identifier: MIT */
/* bench.h: the door of tools/bench: how fast this machine is. */
#ifndef TOOLS_BENCH_BENCH_H
#define TOOLS_BENCH_BENCH_H

int cmd_bench(int argc, char **argv);

#endif
