/* SPDX-License-Identifier: MIT */
/*
 * random_text.h: random scenarios as texts: dice that depend on a seed only, and a text that grows.
 */
#ifndef TESTS_RANDOM_TEXT_H
#define TESTS_RANDOM_TEXT_H

#include "vidmm/base/base.h"

struct dice {
    uint64_t state;          /* not 0 */
    const uint8_t *at, *end; /* bytes that decide first */
};

/* Every bit of the input affects every number: neighbouring inputs give distant numbers. */
struct dice dice_from(const uint8_t *data, size_t size);
uint32_t dice_throw(struct dice *dice);
/* From 0 to `bound` - 1; of 256 and fewer it is the next byte that decides, if there is one left.
 */
uint32_t dice_below(struct dice *dice, uint32_t bound);

enum { SCRIPT_BYTES = 1 << 16 };

struct script {
    struct dice *dice;
    char text[SCRIPT_BYTES];
    size_t length;
    uint32_t segments; /* that it has: s1, s2 ... */
};

VIDMM_PRINTF(2, 3) void script_say(struct script *script, const char *format, ...);
/* One of "a|b|c". */
void script_say_word(struct script *script, const char *words);

#endif
