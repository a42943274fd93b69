/* SPDX-License-Identifier: MIT */
/* loads.h: the texts that are measured. They are the same everywhere. */
#ifndef TOOLS_BENCH_LOADS_H
#define TOOLS_BENCH_LOADS_H

#include <stddef.h>
#include <stdint.h>

struct load {
    uint32_t objects;  /* allocations of a page */
    uint32_t room;     /* how many of them the segment holds */
    uint32_t lines;    /* operations after that: */
    const char *makes; /* before a new number; NULL: they make none */
    const char *uses;  /* before the number of an allocation */
};

/* For base_free(). */
char *loads_text(const struct load *load, size_t *bytes);

#endif
