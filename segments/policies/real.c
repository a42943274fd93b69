/* SPDX-License-Identifier: MIT */
/*
 * real.c: sums, differences and ratios with 53 significant bits.
 *
 * Each is computed exactly in 128 bits, where bits that were shifted out at the lower end stand as
 * one sticky bit, and is then rounded once.
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

/* The lowest bit stays set when any bit that goes was. */
static wide shift_down(wide number, int by)
{
    if (by >= 128)
        return number != 0;
    return number >> by | (by && (number & (((wide)1 << by) - 1)) != 0);
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

/* Both with one exponent, which is returned; `a` is not the smaller one, and neither is 0. */
static int32_t align(struct real a, struct real b, wide *high, wide *low)
{
    int32_t apart = a.exponent - b.exponent;
    int32_t up = apart > HEADROOM ? HEADROOM : apart;
    *high = (wide)a.bits << up;
    *low = shift_down(b.bits, apart - up);
    return a.exponent - up;
}

int real_compare(struct real a, struct real b)
{
    if (!a.bits || !b.bits)
        return (a.bits != 0) - (b.bits != 0);
    if (a.exponent != b.exponent)
        return a.exponent > b.exponent ? 1 : -1;
    return (a.bits > b.bits) - (a.bits < b.bits);
}

struct real real_plus(struct real a, struct real b)
{
    wide high, low;
    if (real_compare(a, b) < 0)
        return real_plus(b, a);
    if (!b.bits)
        return a;
    int32_t exponent = align(a, b, &high, &low);
    return rounded(high + low, exponent);
}

struct real real_minus(struct real a, struct real b)
{
    wide high, low;
    if (real_compare(a, b) <= 0)
        return (struct real){ 0, 0 };
    if (!b.bits)
        return a;
    int32_t exponent = align(a, b, &high, &low);
    return rounded(high - low, exponent);
}
