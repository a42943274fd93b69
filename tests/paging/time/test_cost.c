/* SPDX-License-Identifier: MIT */
/* test_cost.c: TIME-002, TIME-007, TIME-008 and the costs printed in the worked sequences. */
#include <string.h>

#include "paging/time/cost.h"
#include "tests/support/unit.h"

enum { PAGE = 4096, MIB = 1024 * 1024 };

static vidmm_ns charge(const struct cost_params *params, struct cost_command command)
{
    if (!command.page_bytes)
        command.page_bytes = PAGE;
    return cost_charge(params, &command);
}

static void time_rounds_up(void **state)
{
    (void)state;
    static const struct {
        uint64_t bytes, rate;
        vidmm_ns ns;
    } cases[] = {
        { 4 * MIB, 12800000000, 327680 },
        { 4 * MIB, 12000000000, 349526 },
        { 0, 5, 0 },
        { 1, UINT64_MAX, 1 },
        { 1, 1000000000, 1 },
        { 1, 999999999, 2 },
        { 123, 0, 0 },
        { UINT64_MAX, 0, 0 },
        { UINT64_MAX, 1000000000, UINT64_MAX }, /* exact, and just fits */
        { UINT64_MAX, 999999999, COST_FOREVER },
        { UINT64_MAX, 1, COST_FOREVER },
        { UINT64_MAX, UINT64_MAX, 1000000000 },
        { UINT64_MAX - 1, UINT64_MAX, 1000000000 },
        { 18446744073, 1, 18446744073000000000u },
        { 18446744074, 1, COST_FOREVER },
    };
    for (size_t i = 0; i < ARRAY_COUNT(cases); i++)
        assert_int_equal(cost_time(cases[i].bytes, cases[i].rate), cases[i].ns);
    assert_int_equal(cost_add(2, 3), 5);
    assert_int_equal(cost_add(UINT64_MAX - 3, 3), UINT64_MAX);
    assert_int_equal(cost_add(UINT64_MAX - 3, 4), COST_FOREVER);
    assert_int_equal(cost_add(COST_FOREVER, COST_FOREVER), COST_FOREVER);
}

static void profiles_hold_the_published_numbers(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        uint64_t value[COST_PROFILES];
    } rows[] = {
        { "line-rate", { 15753846153, 31507692307, 63015384615, 1000000000 } },
        { "h2d-rate", { 12000000000, 25000000000, 50000000000, 1000000000 } },
        { "d2h-rate", { 12800000000, 26000000000, 52000000000, 1000000000 } },
        { "vram-copy-rate", { 220000000000, 230000000000, 230000000000, 1000000000 } },
        { "vram-fill-rate", { 440000000000, 460000000000, 460000000000, 1000000000 } },
        { "link-ns", { 1000, 1000, 1000, 0 } },
        { "local-ns", { 500, 500, 500, 0 } },
        { "mdl-page-ns", { 60, 60, 60, 0 } },
        { "map-ns", { 500, 500, 500, 0 } },
        { "map-page-ns", { 10, 10, 10, 0 } },
        { "ddi-ns", { 500, 500, 500, 0 } },
        { "submit-ns", { 5000, 5000, 5000, 0 } },
        { "irq-ns", { 5000, 5000, 5000, 0 } },
        { "cpu-sys-rate", { 10000000000, 20000000000, 40000000000, 1000000000 } },
        { "cpu-bar-write-rate", { 5000000000, 10000000000, 20000000000, 1000000000 } },
        { "cpu-bar-read-rate", { 100000000, 100000000, 100000000, 1000000000 } },
        { "preempt-ns", { 100000, 100000, 100000, 0 } },
        { "permit-ns", { 100000000, 100000000, 100000000, 100000000 } },
        { "fence-poll-ns", { 1000000000, 1000000000, 1000000000, 1000000000 } },
    };
    for (size_t profile = 0; profile < COST_PROFILES; profile++) {
        struct cost_params params;
        cost_load_profile(&params, (enum cost_profile)profile);
        for (size_t i = 0; i < ARRAY_COUNT(rows); i++) {
            const struct cost_setting *setting = cost_setting_by_name(rows[i].name);
            assert_non_null(setting);
            assert_ptr_equal(setting, cost_setting_by_name(rows[0].name) + i);
            uint64_t value;
            memcpy(&value, (const char *)&params + setting->offset, sizeof value);
            assert_int_equal(value, rows[i].value[profile]);
        }
    }
    assert_int_equal(sizeof(struct cost_params), ARRAY_COUNT(rows) * sizeof(uint64_t));
}

static void settings_are_found_by_name(void **state)
{
    (void)state;
    struct cost_params params, before;
    cost_load_profile(&params, COST_PROFILE_PCIE3);
    before = params;
    cost_set(&params, cost_setting_by_name("link-ns"), 17);
    assert_int_equal(params.link_ns, 17);
    params.link_ns = before.link_ns;
    assert_memory_equal(&params, &before, sizeof params);
    cost_set(&params, cost_setting_by_name("h2d-rate"), 0);
    assert_int_equal(params.h2d_rate, 0);
    assert_int_equal(cost_setting_by_name("h2d-rate")->kind, COST_KIND_RATE);
    assert_int_equal(cost_setting_by_name("irq-ns")->kind, COST_KIND_TIME);
    assert_int_equal(cost_setting_by_name("line-rate")->kind, COST_KIND_NOTE);
    assert_null(cost_setting_by_name("irq"));
    assert_null(cost_setting_by_name(""));
}

static void every_row_of_the_table(void **state)
{
    (void)state;
    /* Primes, so that each term of a sum can be distinguished from the others. */
    struct cost_params p = { .h2d_rate = 1000000000,
                             .d2h_rate = 500000000,
                             .vram_copy_rate = 250000000,
                             .vram_fill_rate = 125000000,
                             .link_ns = 1009,
                             .local_ns = 10007,
                             .mdl_page_ns = 13,
                             .map_ns = 100003,
                             .map_page_ns = 17 };
    const uint64_t b = 2 * PAGE + 1; /* three pages */
    const struct {
        struct cost_command command;
        vidmm_ns ns;
    } cases[] = {
        { { COST_TRANSFER, COST_MDL, COST_MEMORY, b, 0, false }, 1009 + b + 3 * 13 },
        { { COST_TRANSFER, COST_MEMORY, COST_MDL, b, 0, false }, 1009 + 2 * b + 3 * 13 },
        { { COST_TRANSFER, COST_APERTURE, COST_MEMORY, b, 0, false }, 1009 + b },
        { { COST_TRANSFER, COST_MEMORY, COST_APERTURE, b, 0, false }, 1009 + 2 * b },
        { { COST_TRANSFER, COST_MEMORY, COST_MEMORY, b, 0, false }, 10007 + 4 * b },
        { { COST_TRANSFER, COST_MDL, COST_APERTURE, b, 0, false }, 1009 + 3 * b + 3 * 13 },
        { { COST_TRANSFER, COST_MDL, COST_MEMORY, b, 0, true }, 1009 + b + 3 * 13 + 10007 + 4 * b },
        { { COST_TRANSFER, COST_MDL, COST_MEMORY, b, 8 * PAGE, false }, 1009 + b + 13 },
        { { COST_TRANSFER, COST_MDL, COST_MEMORY, 0, 0, false }, 0 },
        { { COST_TRANSFER, COST_MEMORY, COST_MEMORY, 0, 0, true }, 0 },
        { { COST_FILL, COST_MEMORY, COST_MEMORY, b, 0, false }, 10007 + 8 * b },
        { { COST_MAP, COST_MEMORY, COST_MEMORY, b, 0, false }, 100003 + 3 * 17 },
        { { COST_PHYSICAL, COST_MEMORY, COST_MEMORY, 4, 0, false }, 1009 },
        { { COST_NOTHING, COST_MEMORY, COST_MEMORY, b, 0, false }, 0 },
    };
    for (size_t i = 0; i < ARRAY_COUNT(cases); i++)
        assert_int_equal(charge(&p, cases[i].command), cases[i].ns);
}

static void worked_sequences(void **state)
{
    (void)state;
    struct cost_params p;
    cost_load_profile(&p, COST_PROFILE_PCIE3);
    struct cost_command fill = { .operation = COST_FILL, .bytes = 4 * MIB };
    assert_int_equal(charge(&p, fill), 10033); /* 1 */
    fill.bytes = 0x0FD00000;
    assert_int_equal(charge(&p, fill), 603432); /* 2 */
    struct cost_command map = { .operation = COST_MAP, .bytes = 4 * MIB };
    assert_int_equal(charge(&p, map), 10740);
    struct cost_command out = { COST_TRANSFER, COST_MEMORY, COST_APERTURE, 4 * MIB, 0, false };
    assert_int_equal(charge(&p, out), 328680);
    out.destination = COST_MDL;
    assert_int_equal(charge(&p, out), 390120); /* 3 */
    struct cost_command in = { COST_TRANSFER, COST_MDL, COST_MEMORY, 8 * MIB, 0, false };
    assert_int_equal(charge(&p, in), 822931); /* 7: one of the two pieces */
}

/* TIME-007: from 26 pages on the way through an aperture is the cheaper one. */
static void aperture_pays_off_from_26_pages(void **state)
{
    (void)state;
    struct cost_params p;
    cost_load_profile(&p, COST_PROFILE_PCIE3);
    for (uint64_t pages = 1; pages < 60; pages++) {
        uint64_t b = pages * PAGE;
        struct cost_command map = { .operation = COST_MAP, .bytes = b };
        struct cost_command out = { COST_TRANSFER, COST_MEMORY, COST_APERTURE, b, 0, false };
        vidmm_ns through = 2 * charge(&p, map) + charge(&p, out);
        out.destination = COST_MDL;
        vidmm_ns direct = charge(&p, out);
        assert_int_equal(through < direct, pages >= 26);
        assert_int_equal(through == direct, pages == 25);
    }
}

static void unit_profile_counts_bytes(void **state)
{
    (void)state;
    struct cost_params p;
    cost_load_profile(&p, COST_PROFILE_UNIT);
    struct cost_command in = { COST_TRANSFER, COST_MDL, COST_MEMORY, 12345, 0, false };
    assert_int_equal(charge(&p, in), 12345);
    struct cost_command map = { .operation = COST_MAP, .bytes = 12345 };
    assert_int_equal(charge(&p, map), 0);
}

static void hostile_parameters_saturate(void **state)
{
    (void)state;
    struct cost_params p;
    memset(&p, 0xFF, sizeof p);
    struct cost_command in = { COST_TRANSFER, COST_MDL, COST_MEMORY, UINT64_MAX, 0, true };
    assert_int_equal(charge(&p, in), COST_FOREVER);
    struct cost_command map = { .operation = COST_MAP, .bytes = UINT64_MAX };
    assert_int_equal(charge(&p, map), COST_FOREVER);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(time_rounds_up),
        cmocka_unit_test(profiles_hold_the_published_numbers),
        cmocka_unit_test(settings_are_found_by_name),
        cmocka_unit_test(every_row_of_the_table),
        cmocka_unit_test(worked_sequences),
        cmocka_unit_test(aperture_pays_off_from_26_pages),
        cmocka_unit_test(unit_profile_counts_bytes),
        cmocka_unit_test(hostile_parameters_saturate),
    };
    return cmocka_run_group_tests_name("cost", tests, NULL, NULL);
}
