/* SPDX-License-Identifier: MIT */
/* rate.c: how much a second, in three digits. */
#include "tools/bench/rate.h"

struct text_short rate_text(uint64_t amount, uint64_t ns, bool bytes)
{
    double rate = (double)amount * 1e9 / (double)max_u64(ns, 1);
    bool millions = bytes || rate >= 1e6;
    const char *unit = bytes ? "MB/s" : millions ? "M/s" : "k/s";
    rate /= millions ? 1e6 : 1e3;
    return text_print("%.*f %s", rate < 10 ? 2 : rate < 100 ? 1 : 0, rate, unit);
}
