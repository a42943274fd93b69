/* SPDX-License-Identifier: MIT */
/*
 * words.h: sizes in sentences: "12 MiB", "1536 KiB", "100 bytes". Exact, in the largest unit that
 * needs no fraction.
 */
#ifndef VIDMM_WORDS_H
#define VIDMM_WORDS_H

#include <stdint.h>

/* By value: use as words_size(n).it inside one expression. */
struct words_size {
    char it[32];
};

struct words_size words_size(uint64_t bytes);

#endif
