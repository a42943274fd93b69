/* SPDX-License-Identifier: MIT */
/* test_content.c: runs of content and sets of pages, against plain arrays. */
#include <string.h>

#include "paging/store/content.h"
#include "tests/support/random.h"
#include "tests/support/unit.h"
#include "vidmm/base/base.h"

enum { PAGES = 24, ROUNDS = 20000 };

/* ---- content ----------------------------------------------------------------------------------
 */

struct expected {
    bool known[PAGES];
    uint64_t tag[PAGES];
};

static void compare(const struct content *content, const struct expected *expected)
{
    struct content_run one;
    const struct content_run *runs = content_runs(content, &one);
    bool known[PAGES] = { false };
    uint64_t end = 0;
    for (size_t i = 0; i < content_count(content); i++) {
        assert_true(runs[i].pages > 0 && runs[i].first >= end);
        end = runs[i].first + runs[i].pages;
        assert_true(end <= PAGES);
        for (uint64_t page = 0; page < runs[i].pages; page++) {
            known[runs[i].first + page] = true;
            assert_int_equal(runs[i].tag + page * runs[i].step,
                             expected->tag[runs[i].first + page]);
        }
    }
    assert_memory_equal(known, expected->known, sizeof known);
}

static void content_agrees_with_an_array(void **state)
{
    (void)state;
    struct content content = { 0 };
    struct expected expected = { 0 };
    uint64_t seed = 1;
    for (int round = 0; round < ROUNDS; round++) {
        if (random_below(&seed, 200) == 0) {
            content_clear(&content);
            memset(&expected, 0, sizeof expected);
        }
        uint64_t first = random_below(&seed, PAGES), pages = random_below(&seed, PAGES - first + 1);
        uint64_t step = random_below(&seed, 2);
        /* Often a tag that continues the run that may lie beside it. */
        uint64_t tag = random_below(&seed, 3) * 1000 + first * step;
        content_set(&content, first, pages, tag, step);
        for (uint64_t i = 0; i < pages; i++) {
            expected.known[first + i] = true;
            expected.tag[first + i] = tag + i * step;
        }
        compare(&content, &expected);
    }
    content_fini(&content);
}

static void whole_writes_never_allocate(void **state)
{
    (void)state;
    struct content content = { 0 };
    for (uint64_t stamp = 1; stamp < 100; stamp++)
        content_set(&content, 0, 1024, stamp << 36, 1);
    assert_null(content.list);
    assert_int_equal(content_count(&content), 1);
    content_fini(&content);
}

static void what_continues_a_neighbour_joins_it(void **state)
{
    (void)state;
    struct content content = { 0 };
    content_set(&content, 0, 4, 100, 1);
    content_set(&content, 8, 4, 108, 1);
    assert_int_equal(content_count(&content), 2);
    content_set(&content, 4, 4, 104, 1);
    assert_int_equal(content_count(&content), 1);
    content_set(&content, 6, 1, 0, 0);
    assert_int_equal(content_count(&content), 3);
    content_fini(&content);
}

/* ---- sets of pages ----------------------------------------------------------------------------
 */

static void page_sets_agree_with_an_array(void **state)
{
    (void)state;
    struct page_set set = { 0 };
    bool expected[PAGES] = { false };
    uint64_t seed = 2;
    for (int round = 0; round < ROUNDS; round++) {
        if (random_below(&seed, 12) == 0) {
            page_set_clear(&set);
            memset(expected, 0, sizeof expected);
        }
        uint64_t first = random_below(&seed, PAGES),
                 pages = random_below(&seed, min_u64(4, PAGES - first + 1));
        page_set_add(&set, first, pages);
        memset(expected + first, true, pages);

        bool have[PAGES] = { false };
        uint64_t sum = 0;
        const struct page_run *runs = set.list ? page_set_runs(&set) : NULL;
        for (size_t i = 0; i < page_set_count(&set); i++) {
            /* Touching runs would have been merged. */
            if (i)
                assert_true(runs[i - 1].first + runs[i - 1].pages < runs[i].first);
            memset(have + runs[i].first, true, runs[i].pages);
            sum += runs[i].pages;
        }
        assert_memory_equal(have, expected, sizeof have);
        assert_int_equal(page_set_pages(&set), sum);
        uint64_t from = random_below(&seed, PAGES), count = 1 + random_below(&seed, PAGES - from);
        bool all = true;
        for (uint64_t i = 0; i < count; i++)
            all &= expected[from + i];
        assert_int_equal(page_set_has(&set, from, count), all);
    }
    page_set_fini(&set);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(content_agrees_with_an_array),
        cmocka_unit_test(whole_writes_never_allocate),
        cmocka_unit_test(what_continues_a_neighbour_joins_it),
        cmocka_unit_test(page_sets_agree_with_an_array),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
