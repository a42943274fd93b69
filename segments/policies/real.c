/* SPDX-License-Identifier: MIT */
/*
 * real.c: sums, differences and ratios with 53 significant bits.
 *
 * Each is computed exactly in 128 bits and then rounded once. A smaller number that begins too far
 * after the larger one to fit is less than half of the last bit that is kept.
 */
#include "segments/policies/real.h"

#include "vidmm/base/base.h"

__extension__ typedef unsigned __int128 wide;

enum { SIGNIFICANT = 53, HEADROOM = 70 };

static int width(wide number)
{
    int bits = 0;
    for (; number; number >>= 1)
        bits++;
    return bits;
}

static struct real rounded(wide number, int32_t exponent)
{
    int excess = width(number) - SIGNIFICANT;
    if (!number)
        return (struct real){ 0, 0 };
    if (excess > 0) {
        wide rest = number & (((wide)1 << excess) - 1), half = (wide)1 << (excess - 1);
        number >>= excess;
        number += rest > half || (rest == half && (number & 1));
        exponent += excess;
        if (number >> SIGNIFICANT) {
            number >>= 1;
            exponent++;
        }
    } else {
        number <<= -excess;
        exponent += excess;
    }
    return (struct real){ (uint64_t)number, exponent };
}

struct real real_of(uint64_t number)
{
    return rounded(number, 0);
}

struct real real_ratio(uint64_t a, uint64_t b)
{
    CHECK(a >= b && b);
    wide scaled = (wide)a << 63, ratio = scaled / b;
    return rounded(ratio | (scaled % b != 0), -63);
}

struct real real_times(struct real a, uint64_t factor)
{
    return rounded((wide)a.bits * factor, a.exponent);
}

int real_compare(struct real a, struct real b)
{
    if (!a.bits || !b.bits)
        return (a.bits != 0) - (b.bits != 0);
    if (a.exponent != b.exponent)
        return a.exponent > b.exponent ? 1 : -1;
    return (a.bits > b.bits) - (a.bits < b.bits);
}

/* Is `b`, the smaller one, nothing beside `a`? */
static bool vanishes(struct real a, struct real b)
{
    return !b.bits || a.exponent - b.exponent > HEADROOM;
}

/* With the exponent of `b`. */
static wide aligned(struct real a, struct real b)
{
    return (wide)a.bits << (a.exponent - b.exponent);
}

struct real real_plus(struct real a, struct real b)
{
    if (real_compare(a, b) < 0)
        return real_plus(b, a);
    return vanishes(a, b) ? a : rounded(aligned(a, b) + b.bits, b.exponent);
}

struct real real_minus(struct real a, struct real b)
{
    if (real_compare(a, b) <= 0)
        return (struct real){ 0, 0 };
    return vanishes(a, b) ? a : rounded(aligned(a, b) - b.bits, b.exponent);
}
