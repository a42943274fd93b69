/* SPDX-License-Identifier: MIT */
/*
 * test_aperture.c: the page table of an aperture segment, against an array of pages.
 */
#include "segments/aperture.h"
#include "tests/segments/model_ranges.h"
#include "tests/support/random.h"
#include "tests/support/unit.h"

enum { PAGES = 96, TARGETS = 64, LIVES = 400 };

/* One entry a page, as the hardware would have it. */
struct slow_table {
    struct {
        enum aperture_target kind;
        uint64_t target;
    } page[PAGES];
};

static bool slow_continues(const struct slow_table *slow, uint64_t page)
{
    if (page + 1 >= PAGES || slow->page[page].kind != slow->page[page + 1].kind)
        return false;
    uint64_t step = slow->page[page].kind == APERTURE_SYSTEM ? 1 : 0;
    return slow->page[page + 1].target == slow->page[page].target + step;
}

static void compare_page(const struct aperture *aperture, const struct slow_table *slow,
                         uint64_t page, uint64_t max)
{
    uint64_t target, pages, expected = 1;
    while (expected < max && slow_continues(slow, page + expected - 1))
        expected++;
    enum aperture_target kind = aperture_translate(aperture, page, max, &target, &pages);
    assert_int_equal(kind, slow->page[page].kind);
    assert_int_equal(target, slow->page[page].target);
    assert_int_equal(pages, expected);
}

static void slow_set(struct slow_table *slow, uint64_t first, uint64_t pages,
                     enum aperture_target kind, uint64_t target)
{
    for (uint64_t i = 0; i < pages; i++) {
        slow->page[first + i].kind = kind;
        slow->page[first + i].target = target + (kind == APERTURE_SYSTEM ? i : 0);
    }
}

static void test_never_mapped_points_to_nothing(void **state)
{
    (void)state;
    struct aperture aperture;
    uint64_t target, pages;
    aperture_init(&aperture);
    assert_int_equal(aperture_translate(&aperture, 7, 100, &target, &pages), APERTURE_NOTHING);
    assert_int_equal(pages, 100);
    aperture_map(&aperture, 20, 4, 1000);
    assert_int_equal(aperture_translate(&aperture, 7, 100, &target, &pages), APERTURE_NOTHING);
    assert_int_equal(pages, 13);
    assert_int_equal(aperture_translate(&aperture, 24, 100, &target, &pages), APERTURE_NOTHING);
    assert_int_equal(pages, 100);
    aperture_fini(&aperture);
}

static void test_map_and_unmap(void **state)
{
    (void)state;
    struct aperture aperture;
    uint64_t target, pages;
    aperture_init(&aperture);
    aperture_map(&aperture, 16, 16, 500);
    assert_int_equal(aperture_translate(&aperture, 20, 100, &target, &pages), APERTURE_SYSTEM);
    assert_int_equal(target, 504);
    assert_int_equal(pages, 12);
    assert_int_equal(aperture_translate(&aperture, 20, 3, &target, &pages), APERTURE_SYSTEM);
    assert_int_equal(pages, 3);
    aperture_unmap(&aperture, 20, 4, 9);
    assert_int_equal(aperture_translate(&aperture, 22, 100, &target, &pages), APERTURE_DUMMY);
    assert_int_equal(target, 9);
    assert_int_equal(pages, 2);
    assert_int_equal(aperture_translate(&aperture, 24, 100, &target, &pages), APERTURE_SYSTEM);
    assert_int_equal(target, 508);
    assert_int_equal(pages, 8);
    aperture_check(&aperture);
    aperture_fini(&aperture);
}

static size_t count_runs(const struct aperture *aperture)
{
    struct aperture_run run;
    size_t count = 0;
    for (uint64_t at = 0; aperture_next_run(aperture, at, &run); at = run.first + run.pages)
        count++;
    return count;
}

static void test_neighbours_are_one_run(void **state)
{
    (void)state;
    struct aperture aperture;
    struct aperture_run run;
    aperture_init(&aperture);
    aperture_map(&aperture, 0, 4, 100);
    aperture_map(&aperture, 8, 4, 108);
    aperture_map(&aperture, 4, 4, 104);
    assert_int_equal(count_runs(&aperture), 1);
    assert_true(aperture_next_run(&aperture, 0, &run));
    assert_int_equal(run.pages, 12);
    aperture_map(&aperture, 12, 4, 113); /* one system page is missing between them */
    assert_int_equal(count_runs(&aperture), 2);
    aperture_unmap(&aperture, 0, 8, 5);
    aperture_unmap(&aperture, 8, 8, 5);
    assert_int_equal(count_runs(&aperture), 1);
    aperture_unmap(&aperture, 16, 1, 6); /* another dummy page */
    aperture_map(&aperture, 17, 1, 6);   /* the same number, but not a dummy page */
    assert_int_equal(count_runs(&aperture), 3);
    aperture_check(&aperture);
    aperture_fini(&aperture);
}

/* What it loses becomes a part of the run before it. It may be the first run of a node of the tree,
   whose parents know where it begins. */
static void test_a_run_loses_its_beginning(void **state)
{
    (void)state;
    enum { RUNS = 500, APART = 8 };
    struct aperture aperture;
    struct aperture_run run;
    aperture_init(&aperture);
    for (uint64_t i = 0; i < RUNS; i++) {
        aperture_map(&aperture, i * APART, 3, i * 100);
        aperture_map(&aperture, i * APART + 3, 3, 500000 + i * 100);
        aperture_map(&aperture, i * APART + 6, 1, 700000 + i * 100);
    }
    for (uint64_t i = 0; i < RUNS; i++) {
        aperture_map(&aperture, i * APART + 3, 1, i * 100 + 3);
        aperture_check(&aperture);
        assert_true(aperture_next_run(&aperture, i * APART + 3, &run));
        assert_int_equal(run.first, i * APART);
        assert_int_equal(run.pages, 4);
    }
    assert_int_equal(count_runs(&aperture), 3 * RUNS);
    aperture_fini(&aperture);
}

static void test_a_gigabyte_is_one_run(void **state)
{
    (void)state;
    struct aperture aperture;
    aperture_init(&aperture);
    for (uint64_t i = 0; i < 256; i++)
        aperture_map(&aperture, i * 1024, 1024, (UINT64_C(1) << 40) + i * 1024);
    assert_int_equal(count_runs(&aperture), 1);
    for (uint64_t i = 0; i < 256; i += 2)
        aperture_unmap(&aperture, i * 1024, 1024, 0);
    assert_int_equal(count_runs(&aperture), 256);
    aperture_check(&aperture);
    aperture_fini(&aperture);
}

/* More runs than a node holds, each before all others. */
/* Few runs are left of many: the nodes of every level are joined. */
static void test_runs_become_few(void **state)
{
    enum { MANY = 20000, TOGETHER = 40 };
    (void)state;
    struct aperture aperture;
    aperture_init(&aperture);
    for (uint64_t i = 0; i < MANY; i++)
        aperture_map(&aperture, i, 1, i % TOGETHER ? 10 * MANY + 2 * i : 2 * i);
    for (uint64_t i = 0; i < MANY; i++)
        if (i % TOGETHER)
            aperture_map(&aperture, i, 1, 2 * i - i % TOGETHER);
    assert_int_equal(count_runs(&aperture), MANY / TOGETHER);
    aperture_check(&aperture);
    aperture_fini(&aperture);
}

static void test_runs_before_all_others(void **state)
{
    (void)state;
    struct aperture aperture;
    uint64_t system_page, pages;
    aperture_init(&aperture);
    for (uint64_t i = 200; i > 0; i--) {
        assert_int_equal(aperture_translate(&aperture, 2 * i - 2, 8, &system_page, &pages),
                         APERTURE_NOTHING);
        assert_int_equal(pages, i == 200 ? 8 : 4);
        aperture_map(&aperture, 2 * i, 1, 1000 * i);
        aperture_check(&aperture);
    }
    assert_int_equal(count_runs(&aperture), 200);
    assert_int_equal(aperture_translate(&aperture, 246, 8, &system_page, &pages), APERTURE_SYSTEM);
    assert_int_equal(system_page, 123000);
    assert_int_equal(pages, 1);
    aperture_fini(&aperture);
}

/* Maps or unmaps a random range in both tables. */
static void random_step(struct aperture *aperture, struct slow_table *slow, uint64_t *random)
{
    uint64_t first = random_below(random, PAGES);
    uint64_t pages = 1 + random_below(random, random_below(random, PAGES - first) + 1);
    if (random_below(random, 3) == 0) {
        uint64_t dummy = random_below(random, 2);
        aperture_unmap(aperture, first, pages, dummy);
        slow_set(slow, first, pages, APERTURE_DUMMY, dummy);
    } else { /* half of them at a fixed distance: neighbours then continue each other */
        bool fixed = random_below(random, 2);
        uint64_t target = fixed ? 1000 + first : random_below(random, TARGETS);
        aperture_map(aperture, first, pages, target);
        slow_set(slow, first, pages, APERTURE_SYSTEM, target);
    }
}

/* Many short lives: pages that were never mapped are soon used up. */
static void test_random_against_an_array(void **state)
{
    (void)state;
    uint64_t random = 1;
    for (int life = 0; life < LIVES; life++) {
        struct aperture aperture;
        struct slow_table slow = { 0 };
        uint64_t steps = 1 + random_below(&random, 40);
        aperture_init(&aperture);
        for (uint64_t step = 0; step < steps; step++) {
            random_step(&aperture, &slow, &random);
            aperture_check(&aperture);
            for (uint64_t page = 0; page < PAGES; page++)
                compare_page(&aperture, &slow, page, 1 + random_below(&random, PAGES - page));
        }
        aperture_fini(&aperture);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_never_mapped_points_to_nothing),
        cmocka_unit_test(test_map_and_unmap),
        cmocka_unit_test(test_neighbours_are_one_run),
        cmocka_unit_test(test_a_run_loses_its_beginning),
        cmocka_unit_test(test_a_gigabyte_is_one_run),
        cmocka_unit_test(test_runs_become_few),
        cmocka_unit_test(test_runs_before_all_others),
        cmocka_unit_test(test_random_against_an_array),
    };
    return cmocka_run_group_tests_name("aperture", tests, NULL, NULL);
}
