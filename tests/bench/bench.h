/* SPDX-License-Identifier: MIT */
/* bench.h: shared by the benchmarks. */
#ifndef TESTS_BENCH_H
#define TESTS_BENCH_H

#include <time.h>

#include "vidmm/base/base.h"

/* Of CLOCK_MONOTONIC, or of CLOCK_PROCESS_CPUTIME_ID. */
static inline double bench_ns(clockid_t clock)
{
    struct timespec now;
    CHECK(clock_gettime(clock, &now) == 0);
    return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}

#endif
