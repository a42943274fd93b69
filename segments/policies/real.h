/* SPDX-License-Identifier: MIT */
/*
 * real.h: numbers that are not whole, for policies that learn: 53 significant bits, rounded to the
 * nearest and to even, from 0 upwards. So they are those of IEEE 754, and the same on every
 * machine.
 */
#ifndef SEGMENTS_POLICIES_REAL_H
#define SEGMENTS_POLICIES_REAL_H

#include <stdbool.h>
#include <stdint.h>

/* bits * 2^exponent; normalized: 2^52 <= bits < 2^53, or 0 with the exponent 0. */
struct real {
    uint64_t bits;
    int32_t exponent;
};

/* a / b, for a >= b > 0. */
struct real real_ratio(uint64_t a, uint64_t b);
struct real real_of(uint64_t number);
struct real real_times(struct real a, uint64_t factor);
struct real real_plus(struct real a, struct real b);
/* 0 when b is the larger one. */
struct real real_minus(struct real a, struct real b);
/* -1, 0, 1: a is less than, equal to, greater than b. */
int real_compare(struct real a, struct real b);

#endif
