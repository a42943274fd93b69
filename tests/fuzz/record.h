/* SPDX-License-Identifier: MIT */
/*
 * record.h: an input as records of one length, so that a change of a byte changes one statement or
 * call and none of those after it. A record has bytes that decide, and then some that dice begin
 * with, which decide the rest. The first record says what the adapter is.
 */
#ifndef TESTS_FUZZ_RECORD_H
#define TESTS_FUZZ_RECORD_H

#include "tests/support/random_text.h"

#include <string.h>

enum { RECORD_BYTES = 32, RECORD_CHOICES = 28 };

/* How many there are; an input that is no whole number of records stands for the most. */
static inline size_t record_count(size_t size, size_t most)
{
    return size % RECORD_BYTES ? most : min_u64(size / RECORD_BYTES, most);
}

/* Record `index`; of an input that is no whole number of them, one that depends on all its bytes.
 */
static inline void record_read(const uint8_t *data, size_t size, size_t index,
                               uint8_t record[RECORD_BYTES])
{
    struct dice dice = dice_from(data, size);
    if (size % RECORD_BYTES == 0) {
        memcpy(record, data + index * RECORD_BYTES, RECORD_BYTES);
        return;
    }
    dice.state += index * UINT64_C(0x9E3779B97F4A7C15) & ~UINT64_C(1);
    for (size_t i = 0; i < RECORD_BYTES; i++)
        record[i] = (uint8_t)dice_throw(&dice);
    if (dice_below(&dice, 4)) /* most drivers are honest most of the time (life.h) */
        record[RECORD_CHOICES] = 0;
}

static inline struct dice record_dice(const uint8_t record[RECORD_BYTES])
{
    struct dice dice = dice_from(record + RECORD_CHOICES, RECORD_BYTES - RECORD_CHOICES);
    dice.at = record;
    dice.end = record + RECORD_CHOICES;
    return dice;
}

#endif
