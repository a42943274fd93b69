/* SPDX-License-Identifier: MIT */
/* test_real.c: numbers of 53 bits in integers against those of the processor. */
#include "segments/policies/real.h"

#include <math.h>

#include "tests/support/random.h"
#include "tests/support/unit.h"

static double value(struct real real)
{
    return ldexp((double)real.bits, real.exponent);
}

static void assert_same(struct real real, double expected)
{
    assert_true(value(real) == expected);
    assert_true(real.bits == 0 || (real.bits >> 52) == 1);
}

static void a_sum_that_is_no_fraction(void **state)
{
    (void)state;
    struct real third = real_ratio(4, 3), sum = real_plus(real_plus(third, third), third);
    assert_int_equal(real_compare(sum, real_of(4)), 0); /* rounded to even, as in IEEE 754 */
    assert_int_equal(real_compare(real_minus(sum, real_of(4)), real_of(0)), 0);
    assert_int_equal(real_compare(real_minus(third, real_of(2)), real_of(0)), 0);
    assert_int_equal(real_compare(real_of(0), third), -1);
}

static void random_steps_of_a_target(void **state)
{
    (void)state;
    uint64_t random = 1;
    for (int run = 0; run < 200; run++) {
        struct real p = real_of(0);
        double same = 0;
        for (int i = 0; i < 500; i++) {
            uint64_t b = 1 + random_below(&random, UINT64_C(1) << random_below(&random, 40));
            uint64_t a = b + random_below(&random, UINT64_C(1) << random_below(&random, 40));
            uint64_t factor = 1 + random_below(&random, 100000);
            struct real step = real_times(real_ratio(a, b), factor);
            double double_step = (double)a / (double)b * (double)factor;
            assert_same(step, double_step);
            bool more = random_below(&random, 5) > 1;
            p = more ? real_plus(p, step) : real_minus(p, step);
            same = more ? same + double_step : same - double_step > 0 ? same - double_step : 0;
            assert_same(p, same);
            uint64_t near = (uint64_t)same;
            int expected = (same > (double)near) - (same < (double)near);
            assert_int_equal(real_compare(p, real_of(near)), expected);
        }
    }
}

/* From one bit apart to where nothing is left of the smaller one. */
static void numbers_far_apart(void **state)
{
    const uint64_t odd = (UINT64_C(1) << 53) - 1, even = UINT64_C(1) << 52;
    (void)state;
    for (int32_t apart = 0; apart < 400; apart++)
        for (int which = 0; which < 4; which++) {
            struct real large = { which & 1 ? odd : even, 0 };
            struct real small = { which & 2 ? odd : even, -apart };
            assert_same(real_plus(small, large), value(large) + value(small));
            assert_same(real_plus(large, small), value(large) + value(small));
            double left = value(large) - value(small);
            assert_same(real_minus(large, small), left > 0 ? left : 0);
        }
    assert_same(real_minus(real_of(7), real_of(0)), 7);
    assert_same(real_plus(real_of(7), real_of(0)), 7);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_sum_that_is_no_fraction),
        cmocka_unit_test(random_steps_of_a_target),
        cmocka_unit_test(numbers_far_apart),
    };
    return cmocka_run_group_tests_name("real", tests, NULL, NULL);
}
