/* SPDX-License-Identifier: MIT */
/* test_page_store.c: tags written, filled, moved, poisoned and compared as runs. */
#include "segments/page_store.h"
#include "tests/support/random.h"
#include "tests/support/unit.h"

static int setup(void **state)
{
    struct page_store *stores = base_alloc(2, sizeof *stores);
    page_store_init(&stores[0]);
    page_store_init(&stores[1]);
    *state = stores;
    return 0;
}

static int teardown(void **state)
{
    struct page_store *stores = *state;
    page_store_check(&stores[0]);
    page_store_check(&stores[1]);
    page_store_fini(&stores[0]);
    page_store_fini(&stores[1]);
    base_free(stores);
    return 0;
}

static void untouched_pages_are_poison(void **state)
{
    struct page_store *store = *state;
    assert_int_equal(page_store_get(store, 0), PAGE_STORE_POISON);
    assert_int_equal(page_store_get(store, PAGE_STORE_PAGES - 1), PAGE_STORE_POISON);
    assert_int_equal(store->runs.count, 1);
}

static void a_write_counts_and_a_fill_does_not(void **state)
{
    struct page_store *store = *state;
    page_store_write(store, 10, 5, 700, 1);
    page_store_write(store, 20, 5, 900, 0);
    assert_int_equal(page_store_get(store, 9), PAGE_STORE_POISON);
    assert_int_equal(page_store_get(store, 10), 700);
    assert_int_equal(page_store_get(store, 14), 704);
    assert_int_equal(page_store_get(store, 15), PAGE_STORE_POISON);
    assert_int_equal(page_store_get(store, 20), 900);
    assert_int_equal(page_store_get(store, 24), 900);
    struct page_store_run run = page_store_run(store, 12, 100);
    assert_int_equal(run.first, 12);
    assert_int_equal(run.pages, 3);
    assert_int_equal(run.tag, 702);
    assert_int_equal(run.step, 1);
    assert_int_equal(page_store_run(store, 12, 2).pages, 2);
}

static void a_write_cuts_what_was_there(void **state)
{
    struct page_store *store = *state;
    page_store_write(store, 0, 100, 1000, 1);
    page_store_write(store, 40, 20, 5, 0);
    assert_int_equal(page_store_get(store, 39), 1039);
    assert_int_equal(page_store_get(store, 40), 5);
    assert_int_equal(page_store_get(store, 59), 5);
    assert_int_equal(page_store_get(store, 60), 1060);
    page_store_write(store, 30, 50, 1030, 1); /* as if nothing had happened */
    assert_int_equal(store->runs.count, 2);
    assert_int_equal(page_store_get(store, 99), 1099);
}

static void pages_written_one_by_one_become_a_run(void **state)
{
    struct page_store *store = *state;
    for (uint64_t page = 0; page < 1000; page++)
        page_store_write(store, page, 1, 5000 + page, 0);
    for (uint64_t page = 3000; page-- > 2000;)
        page_store_write(store, page, 1, 77, 0);
    assert_int_equal(store->runs.count, 4); /* two of them poison */
    assert_int_equal(page_store_get(store, 999), 5999);
    assert_int_equal(page_store_get(store, 2000), 77);
}

/* Two apart is no step of a run. */
static void a_run_that_is_rewritten_joins_its_neighbours(void **state)
{
    struct page_store *store = *state;
    page_store_write(store, 0, 10, 1000, 1);
    page_store_write(store, 10, 10, 7000, 1);
    page_store_write(store, 20, 10, 1020, 1);
    page_store_write(store, 10, 10, 1009, 0);
    page_store_write(store, 30, 1, 1031, 0);
    page_store_write(store, 31, 1, 1033, 0);
    assert_int_equal(store->runs.count, 6);
    page_store_write(store, 20, 10, 3000, 1);
    page_store_write(store, 10, 10, 1010, 1);
    assert_int_equal(store->runs.count, 5);
    page_store_write(store, 20, 10, 1020, 1);
    assert_int_equal(store->runs.count, 4);
    assert_int_equal(page_store_get(store, 29), 1029);
}

static void poison_gives_the_memory_back(void **state)
{
    struct page_store *store = *state;
    for (uint64_t i = 0; i < 10 * 1000; i++)
        page_store_write(store, i * 10, 7, i << 36, 1);
    size_t full = key_tree_host_bytes(&store->runs);
    assert_true(full > 10 * 1000 * 24);
    page_store_poison(store, 0, 100 * 1000);
    assert_int_equal(store->runs.count, 1);
    assert_true(key_tree_host_bytes(&store->runs) < full / 100);
}

static void a_copy_moves_runs(void **state)
{
    struct page_store *store = *state;
    page_store_write(&store[0], 100, 65536, UINT64_C(1) << 36, 1);
    page_store_copy(&store[1], UINT64_C(1) << 40, &store[0], 100, 65536);
    assert_int_equal(store[1].runs.count, 3);
    assert_int_equal(page_store_get(&store[1], (UINT64_C(1) << 40) + 65535),
                     (UINT64_C(1) << 36) + 65535);
    page_store_copy(&store[1], 0, &store[0], 90, 20); /* half of it poison */
    assert_int_equal(page_store_get(&store[1], 9), PAGE_STORE_POISON);
    assert_int_equal(page_store_get(&store[1], 10), UINT64_C(1) << 36);
}

static void a_copy_may_overlap_itself(void **state)
{
    struct page_store *store = *state;
    for (uint64_t page = 0; page < 10; page++)
        page_store_write(store, page, 1, 100 * page * page, 0);
    page_store_copy(store, 3, store, 0, 10);
    for (uint64_t page = 0; page < 10; page++)
        assert_int_equal(page_store_get(store, 3 + page), 100 * page * page);
    page_store_copy(store, 1, store, 3, 10);
    for (uint64_t page = 0; page < 10; page++)
        assert_int_equal(page_store_get(store, 1 + page), 100 * page * page);
}

static void a_difference_is_named(void **state)
{
    struct page_store *store = *state;
    uint64_t bad_page = 0;
    page_store_write(store, 50, 100, 1000, 1);
    struct page_store_run expected = { 50, 100, 1000, 1 };
    assert_true(page_store_matches(store, &expected, &bad_page));
    page_store_write(store, 77, 1, 1, 0);
    assert_false(page_store_matches(store, &expected, &bad_page));
    assert_int_equal(bad_page, 77);
    struct page_store_run shifted = { 51, 10, 1000, 1 }; /* everything one page too far */
    assert_false(page_store_matches(store, &shifted, &bad_page));
    assert_int_equal(bad_page, 51);
    struct page_store_run pattern = { 100, 10, 1050, 0 };
    assert_false(page_store_matches(store, &pattern, &bad_page));
    assert_int_equal(bad_page, 101);
}

/* A run cut down to one page may continue its neighbour without being joined to it. */
static void a_match_may_span_runs(void **state)
{
    struct page_store *store = *state;
    uint64_t bad_page = 0;
    page_store_write(store, 0, 10, 100, 1);
    page_store_write(store, 10, 5, 110, 0);
    page_store_write(store, 11, 4, 7, 0);
    struct page_store_run expected = { 0, 11, 100, 1 };
    assert_true(page_store_matches(store, &expected, &bad_page));
    expected.pages = 12;
    assert_false(page_store_matches(store, &expected, &bad_page));
    assert_int_equal(bad_page, 11);
}

static void no_pages_change_nothing(void **state)
{
    struct page_store *store = *state;
    page_store_write(store, PAGE_STORE_PAGES, 0, 1, 1);
    page_store_copy(store, 5, store, 9, 0);
    assert_int_equal(store->runs.count, 1);
    page_store_write(store, PAGE_STORE_PAGES - 4, 4, 1, 1); /* the last page there is */
    assert_int_equal(page_store_get(store, PAGE_STORE_PAGES - 1), 4);
    assert_int_equal(page_store_run(store, PAGE_STORE_PAGES - 2, 9).pages, 2);
    page_store_write(store, PAGE_STORE_PAGES - 4, 4, 10, 1); /* the last run becomes another one */
    assert_int_equal(page_store_get(store, PAGE_STORE_PAGES - 5), PAGE_STORE_POISON);
    assert_int_equal(page_store_get(store, PAGE_STORE_PAGES - 1), 13);
    assert_int_equal(store->runs.count, 2);
}

/* Three levels of nodes; few different tags, so that neighbours often continue each other. */
static void writes_agree_with_an_array(void **state)
{
    enum { PAGES = 3000, STEPS = 20000, TAGS = 3 };
    struct page_store *store = *state;
    static uint64_t expected[PAGES];
    uint64_t seed = 7;
    for (uint64_t page = 0; page < PAGES; page++) {
        expected[page] = page * page * 5;
        page_store_write(store, page, 1, expected[page], 0);
    }
    for (int i = 0; i < STEPS; i++) {
        uint64_t first = random_below(&seed, PAGES), step = random_below(&seed, 2);
        uint64_t pages = random_below(&seed, min_u64(i % 8 ? 2 : 9, PAGES - first) + 1);
        uint64_t tag = random_below(&seed, TAGS) * PAGES + first * step;
        if (i % 5 == 0)
            tag = expected[first]; /* what is there already */
        page_store_write(store, first, pages, tag, step);
        for (uint64_t page = 0; page < pages; page++)
            expected[first + page] = tag + page * step;
        uint64_t end = min_u64(first + pages + 2, PAGES);
        for (uint64_t page = first ? first - 1 : 0; page < end; page++)
            assert_int_equal(page_store_get(store, page), expected[page]);
    }
    for (uint64_t page = 0; page < PAGES; page++)
        assert_int_equal(page_store_get(store, page), expected[page]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(untouched_pages_are_poison, setup, teardown),
        cmocka_unit_test_setup_teardown(a_write_counts_and_a_fill_does_not, setup, teardown),
        cmocka_unit_test_setup_teardown(a_write_cuts_what_was_there, setup, teardown),
        cmocka_unit_test_setup_teardown(pages_written_one_by_one_become_a_run, setup, teardown),
        cmocka_unit_test_setup_teardown(a_run_that_is_rewritten_joins_its_neighbours, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(poison_gives_the_memory_back, setup, teardown),
        cmocka_unit_test_setup_teardown(a_copy_moves_runs, setup, teardown),
        cmocka_unit_test_setup_teardown(a_copy_may_overlap_itself, setup, teardown),
        cmocka_unit_test_setup_teardown(a_difference_is_named, setup, teardown),
        cmocka_unit_test_setup_teardown(a_match_may_span_runs, setup, teardown),
        cmocka_unit_test_setup_teardown(no_pages_change_nothing, setup, teardown),
        cmocka_unit_test_setup_teardown(writes_agree_with_an_array, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
