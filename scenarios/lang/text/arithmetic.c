/* SPDX-License-Identifier: MIT */
/*
 * arithmetic.c: unsigned 64-bit numbers that never wrap silently.
 */
#include "scenarios/lang/text/text.h"

static enum arithmetic multiply(uint64_t a, uint64_t b, uint64_t *result)
{
    if (a && b > UINT64_MAX / a)
        return ARITHMETIC_OVERFLOW;
    *result = a * b;
    return ARITHMETIC_OK;
}

enum arithmetic arithmetic_apply(uint8_t op, uint64_t a, uint64_t b, uint64_t *result)
{
    switch (op) {
    case '+': return add_fits(a, b, result) ? ARITHMETIC_OK : ARITHMETIC_OVERFLOW;
    case '-':
        if (a < b)
            return ARITHMETIC_NEGATIVE;
        *result = a - b;
        return ARITHMETIC_OK;
    case '*': return multiply(a, b, result);
    default: break;
    }
    if (!b)
        return ARITHMETIC_ZERO;
    *result = op == '/' ? a / b : a % b;
    return ARITHMETIC_OK;
}

enum arithmetic arithmetic_percent(uint64_t percent, uint64_t whole, uint64_t *result)
{
    /* percent * (whole / 100) + rest: exact, and no wider than the result. */
    uint64_t rest = whole % 100;
    uint64_t high = 0;
    uint64_t low = 0;
    if (multiply(percent, whole / 100, &high) || multiply(percent, rest, &low))
        return ARITHMETIC_OVERFLOW;
    return add_fits(high, low / 100, result) ? ARITHMETIC_OK : ARITHMETIC_OVERFLOW;
}

bool arithmetic_compare(uint8_t op, uint64_t a, uint64_t b)
{
    switch (op) {
    case MARK_EQUAL: return a == b;
    case MARK_UNEQUAL: return a != b;
    case MARK_AT_MOST: return a <= b;
    case MARK_AT_LEAST: return a >= b;
    default: return op == '<' ? a < b : a > b;
    }
}

const char *arithmetic_problem(enum arithmetic problem)
{
    static const char *const texts[] = { "", "this does not fit in 64 bits",
                                         "this is less than zero", "division by zero" };
    return texts[problem];
}
