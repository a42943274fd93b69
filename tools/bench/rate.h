/* SPDX-License-Identifier: MIT */
/* rate.h: how much a second, in three digits. */
#ifndef TOOLS_BENCH_RATE_H
#define TOOLS_BENCH_RATE_H

#include "tools/common/text.h"

/* Bytes in MB/s; anything else in k/s or, from a million on, in M/s. */
struct text_short rate_text(uint64_t amount, uint64_t ns, bool bytes);

#endif
