/* SPDX-License-Identifier: MIT */
/* test_rate.c: what `vidmm bench` says of an amount and a time, on fast and slow machines. */
#include "tests/support/unit.h"
#include "tools/bench/rate.h"

static void a_rate_has_three_digits_and_a_unit(void **state)
{
    static const struct {
        uint64_t amount, ns;
        bool bytes;
        const char *said;
    } rates[] = {
        { 22000, 10000000, false, "2.20 M/s" },
        { 22000, 1000000, false, "22.0 M/s" },
        { 22000, 100000, false, "220 M/s" },
        { 1000, 1000000, false, "1.00 M/s" },
        { 999, 1000000, false, "999 k/s" },
        { 1, 100000, false, "10.0 k/s" },
        { 1, 1000000, false, "1.00 k/s" },
        { 1, 1000000, true, "0.00 MB/s" },
        { 100, 1000, true, "100 MB/s" },
        { 10, 1000, true, "10.0 MB/s" },
        { 9, 1000, true, "9.00 MB/s" },
        { 1, 0, false, "1000 M/s" }, /* a clock that stood still */
    };
    (void)state;
    for (size_t i = 0; i < sizeof rates / sizeof *rates; i++)
        assert_string_equal(rate_text(rates[i].amount, rates[i].ns, rates[i].bytes).it,
                            rates[i].said);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(a_rate_has_three_digits_and_a_unit) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
