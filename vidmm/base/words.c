/* SPDX-License-Identifier: MIT */
/* words.c: sizes in sentences. */
#include "vidmm/base/words.h"

#include <inttypes.h>
#include <stdio.h>

struct words_size words_size(uint64_t bytes)
{
    static const char *const units[] = { "KiB", "MiB", "GiB", "TiB" };
    enum { STEP = 1024, UNITS = sizeof units / sizeof *units };
    struct words_size words;
    size_t unit = 0;
    for (; bytes && bytes % STEP == 0 && unit < UNITS; unit++)
        bytes /= STEP;
    if (unit)
        (void)snprintf(words.it, sizeof words.it, "%" PRIu64 " %s", bytes, units[unit - 1]);
    else
        (void)snprintf(words.it, sizeof words.it, "%" PRIu64 " byte%s", bytes,
                       bytes == 1 ? "" : "s");
    return words;
}
