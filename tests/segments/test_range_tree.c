/* SPDX-License-Identifier: MIT */
/*
 * test_range_tree.c: the allocator on cases worked out by hand, at its limits and at size. Random
 * comparison with the model: prop_ranges.c; all short sequences: test_roster.c.
 */
#include <stdio.h>
#include <string.h>

#include "segments/hole_map.h"
#include "segments/range_tree.h"
#include "tests/support/unit.h"

enum { PAGE = 0x1000 };

struct taken {
    uint64_t offset, bytes;
};

/* The free space is `bytes` minus up to three taken ranges; then one request. */
struct find_case {
    const char *name;
    uint64_t bytes;
    struct taken taken[3];
    struct range_request request;
    bool found;
    uint64_t offset;
};

static const struct find_case FIND_CASES[] = {
    { "lowest", 0x40000, { { 0, 0x3000 } }, { 0x1000, 0x1000, 0, 0x40000, false }, true, 0x3000 },
    { "highest",
      0x40000,
      { { 0x3F000, 0x1000 } },
      { 0x2000, 0x1000, 0, 0x40000, true },
      true,
      0x3D000 },
    { "hole too short once aligned (example 1)",
      0x40000,
      { { 0, 0x3000 }, { 0x8000, 0x4000 } },
      { 0x5000, 0x2000, 0, 0x40000, false },
      true,
      0xC000 },
    { "aligned down from the top (example 2)",
      0x40000,
      { { 0x3C000, 0x4000 } },
      { 0x5000, 0x4000, 0, 0x40000, true },
      true,
      0x34000 },
    { "exactly the hole",
      0x8000,
      { { 0, 0x1000 }, { 0x3000, 0x5000 } },
      { 0x2000, 0x1000, 0, 0x8000, false },
      true,
      0x1000 },
    { "one page more than the hole",
      0x8000,
      { { 0, 0x1000 }, { 0x3000, 0x5000 } },
      { 0x3000, 0x1000, 0, 0x8000, false },
      false,
      0 },
    { "window begins inside a hole",
      0x10000,
      { { 0 } },
      { 0x2000, 0x1000, 0x5000, 0x10000, false },
      true,
      0x5000 },
    { "window begins inside a page",
      0x10000,
      { { 0 } },
      { 0x2000, 0x1000, 1, 0x10000, false },
      true,
      0x1000 },
    { "window ends inside a hole",
      0x10000,
      { { 0 } },
      { 0x2000, 0x1000, 0, 0x5000, true },
      true,
      0x3000 },
    { "window cuts the hole too short",
      0x10000,
      { { 0 } },
      { 0x3000, 0x1000, 0x4000, 0x6000, false },
      false,
      0 },
    { "window of just the size",
      0x10000,
      { { 0 } },
      { 0x2000, 0x1000, 0x4000, 0x6000, true },
      true,
      0x4000 },
    { "window may end beyond the range",
      0x10000,
      { { 0 } },
      { 0x2000, 0x1000, 0, UINT64_MAX, true },
      true,
      0xE000 },
    { "window beyond the range",
      0x10000,
      { { 0 } },
      { 0x1000, 0x1000, 0x10000, 0x20000, false },
      false,
      0 },
    { "empty window", 0x10000, { { 0 } }, { 0x1000, 0x1000, 0x4000, 0x4000, false }, false, 0 },
    { "reversed window", 0x10000, { { 0 } }, { 0x1000, 0x1000, 0x5000, 0x4000, false }, false, 0 },
    { "not a power of two",
      0x100000,
      { { 0, 0x1000 } },
      { 0x1000, 0x30000, 0, 0x100000, false },
      true,
      0x30000 },
    { "not a power of two, from the end",
      0x100000,
      { { 0 } },
      { 0x1000, 0x30000, 0, 0x100000, true },
      true,
      0xF0000 },
    { "alignment below a page",
      0x10000,
      { { 0, 0x1000 } },
      { 0x1000, 0x100, 0, 0x10000, false },
      true,
      0x1000 },
    { "alignment beyond the range, start free",
      0x10000,
      { { 0x8000, 0x8000 } },
      { 0x8000, UINT64_C(1) << 63, 0, 0x10000, true },
      true,
      0 },
    { "alignment beyond the range, start taken",
      0x10000,
      { { 0, 0x1000 } },
      { 0x1000, UINT64_C(1) << 63, 0, 0x10000, false },
      false,
      0 },
    { "alignment beyond the range, start outside",
      0x10000,
      { { 0 } },
      { 0x1000, UINT64_C(1) << 63, 0x1000, 0x10000, false },
      false,
      0 },
    { "larger than everything",
      0x10000,
      { { 0 } },
      { 0x11000, 0x1000, 0, UINT64_MAX, false },
      false,
      0 },
    { "overlay of 8 pages in its region (example 7)",
      0x40000,
      { { 0 } },
      { 0x8000, 0x8000, 0x34000, 0x40000, false },
      true,
      0x38000 },
    { "9 pages with that alignment",
      0x40000,
      { { 0 } },
      { 0x9000, 0x8000, 0x34000, 0x40000, false },
      false,
      0 },
    { "2^48 bytes",
      UINT64_C(1) << 48,
      { { 0 } },
      { UINT64_C(1) << 47, UINT64_C(1) << 47, PAGE, UINT64_MAX, false },
      true,
      UINT64_C(1) << 47 },
};

static void finds_what_was_worked_out(void **state)
{
    (void)state;
    for (size_t i = 0; i < ARRAY_COUNT(FIND_CASES); i++) {
        const struct find_case *one = &FIND_CASES[i];
        struct range_tree tree;
        range_tree_init(&tree, one->bytes, PAGE);
        for (size_t k = 0; k < ARRAY_COUNT(one->taken); k++)
            if (one->taken[k].bytes)
                range_tree_take(&tree, (struct range){ one->taken[k].offset, one->taken[k].bytes });
        uint64_t offset = 0;
        if (range_tree_find(&tree, &one->request, &offset) != one->found || offset != one->offset)
            fail_msg("%s: got 0x%llx", one->name, (unsigned long long)offset);
        range_tree_check(&tree);
        range_tree_fini(&tree);
    }
}

static void joins_what_it_gets_back(void **state)
{
    (void)state;
    struct range_tree tree;
    range_tree_init(&tree, 0x8000, PAGE);
    range_tree_take(&tree, (struct range){ 0, 0x8000 });
    assert_int_equal(range_tree_hole_count(&tree), 0);
    assert_int_equal(range_tree_largest_hole(&tree), 0);
    static const struct {
        struct range freed, hole;
        size_t holes;
    } STEPS[] = {
        { { 0x2000, 0x1000 }, { 0x2000, 0x1000 }, 1 }, /* alone */
        { { 0x4000, 0x1000 }, { 0x4000, 0x1000 }, 2 }, /* alone after it */
        { { 0x5000, 0x2000 }, { 0x4000, 0x3000 }, 2 }, /* after a hole */
        { { 0x1000, 0x1000 }, { 0x1000, 0x2000 }, 2 }, /* before a hole */
        { { 0x3000, 0x1000 }, { 0x1000, 0x6000 }, 1 }, /* between two */
        { { 0x7000, 0x1000 }, { 0x1000, 0x7000 }, 1 }, /* at the end */
        { { 0x0000, 0x1000 }, { 0x0000, 0x8000 }, 1 }, /* at the start */
    };
    for (size_t i = 0; i < ARRAY_COUNT(STEPS); i++) {
        struct range hole = range_tree_release(&tree, STEPS[i].freed);
        assert_int_equal(hole.offset, STEPS[i].hole.offset);
        assert_int_equal(hole.bytes, STEPS[i].hole.bytes);
        assert_int_equal(range_tree_hole_count(&tree), STEPS[i].holes);
        range_tree_check(&tree);
    }
    assert_int_equal(tree.free_bytes, 0x8000);
    range_tree_fini(&tree);
}

static void walks_holes_in_address_order(void **state)
{
    (void)state;
    struct range_tree tree;
    range_tree_init(&tree, 0x8000, PAGE);
    range_tree_take(&tree, (struct range){ 0x0000, 0x1000 });
    range_tree_take(&tree, (struct range){ 0x3000, 0x2000 });
    struct range hole;
    assert_true(range_tree_next_hole(&tree, 0, &hole));
    assert_int_equal(hole.offset, 0x1000);
    assert_true(range_tree_next_hole(&tree, 0x2000, &hole)); /* from the middle: the whole hole */
    assert_int_equal(hole.offset, 0x1000);
    assert_true(range_tree_next_hole(&tree, range_end(hole), &hole));
    assert_int_equal(hole.offset, 0x5000);
    assert_int_equal(hole.bytes, 0x3000);
    assert_false(range_tree_next_hole(&tree, range_end(hole), &hole));
    assert_int_equal(range_tree_largest_hole(&tree), 0x3000);
    assert_true(range_tree_is_free(&tree, (struct range){ 0x1000, 0x2000 }));
    assert_false(range_tree_is_free(&tree, (struct range){ 0x2000, 0x2000 }));
    assert_false(range_tree_is_free(&tree, (struct range){ 0x3000, 0x1000 }));
    range_tree_fini(&tree);
}

static void an_empty_range_has_no_room(void **state)
{
    (void)state;
    struct range_tree tree;
    struct range hole;
    uint64_t offset;
    range_tree_init(&tree, 0, PAGE);
    struct range_request request = { PAGE, PAGE, 0, UINT64_MAX, false };
    assert_false(range_tree_find(&tree, &request, &offset));
    assert_false(range_tree_next_hole(&tree, 0, &hole));
    range_tree_check(&tree);
    range_tree_fini(&tree);
}

static void pages_of_64_kib(void **state)
{
    (void)state;
    struct range_tree tree;
    uint64_t offset;
    range_tree_init(&tree, 0x100000, 0x10000);
    struct range_request request = { 0x20000, PAGE, 0x8000, UINT64_MAX, false };
    assert_true(range_tree_find(&tree, &request, &offset));
    assert_int_equal(offset, 0x10000);
    range_tree_fini(&tree);
}

enum { HOLES = 100 * 1000, PERIOD = 0x40000 };

/* Holes of 64 KiB that begin 32 KiB after each multiple of 256 KiB. */
static struct range numbered_hole(uint64_t number)
{
    return (struct range){ number * PERIOD + 0x8000, 0x10000 };
}

/* Many nodes: in an order that is neither ascending nor descending (7 and HOLES have no common
   divisor), filled and emptied again. */
static void stays_sound_at_size(void **state)
{
    (void)state;
    struct range_tree tree;
    range_tree_init(&tree, (uint64_t)HOLES * PERIOD, PAGE);
    range_tree_take(&tree, (struct range){ 0, tree.bytes });
    for (uint64_t i = 0; i < HOLES; i++)
        range_tree_release(&tree, numbered_hole(i * 7 % HOLES));
    range_tree_check(&tree);
    assert_int_equal(range_tree_hole_count(&tree), HOLES);
    assert_true(range_tree_host_bytes(&tree) < HOLES * 64);
    struct range hole = numbered_hole(12345);
    struct range_request request = { 0x10000, PAGE, hole.offset, range_end(hole), true };
    uint64_t offset;
    assert_true(range_tree_find(&tree, &request, &offset));
    assert_int_equal(offset, hole.offset);
    for (uint64_t i = 0; i < HOLES; i++)
        range_tree_take(&tree, numbered_hole(i * 7 % HOLES));
    range_tree_check(&tree);
    assert_int_equal(tree.free_bytes, 0);
    assert_int_equal(tree.holes->leaves.live, 0);
    assert_int_equal(tree.holes->inners.live, 1);
    range_tree_fini(&tree);
}

/* One search may visit every hole; the next ones know the alignment. */
static void learns_an_alignment(void **state)
{
    (void)state;
    struct range_tree tree;
    range_tree_init(&tree, (uint64_t)HOLES * PERIOD, PAGE);
    range_tree_take(&tree, (struct range){ 0, tree.bytes });
    for (uint64_t i = 0; i < HOLES; i++)
        range_tree_release(&tree, numbered_hole(i));
    struct range_request coarse = { 0x10000, 0x10000, 0, UINT64_MAX, false };
    struct range_request request = { 0x8000, 0x20000, 0, UINT64_MAX, false };
    uint64_t offset;
    assert_false(range_tree_find(&tree, &coarse, &offset));
    assert_int_equal(tree.holes->rows, 2);
    assert_false(range_tree_find(&tree, &request, &offset));
    assert_int_equal(tree.holes->rows, 3);
    assert_false(range_tree_find(&tree, &request, &offset));
    assert_int_equal(tree.holes->rows, 3);
    assert_int_equal(tree.holes->misses, 0);
    range_tree_check(&tree);
    range_tree_release(&tree, (struct range){ 0x80000, 0x8000 });
    assert_true(range_tree_find(&tree, &request, &offset));
    assert_int_equal(offset, 0x80000);
    assert_true(range_tree_find(&tree, &coarse, &offset));
    assert_int_equal(offset, 0x80000);
    range_tree_fini(&tree);
}

/* Few misses each, but always the same alignment. */
static void learns_from_many_searches(void **state)
{
    (void)state;
    struct range_tree tree;
    range_tree_init(&tree, 0x100000, PAGE);
    range_tree_take(&tree, (struct range){ 0x1000, 0x1000 });
    range_tree_take(&tree, (struct range){ 0x4000, 0xFC000 });
    struct range_request request = { 0x2000, 0x4000, 0, UINT64_MAX, false };
    uint64_t offset;
    for (int i = 0; i < 64; i++)
        assert_false(range_tree_find(&tree, &request, &offset));
    assert_int_equal(tree.holes->rows, 1);
    assert_false(range_tree_find(&tree, &request, &offset));
    assert_int_equal(tree.holes->rows, 2);
    range_tree_check(&tree);
    range_tree_fini(&tree);
}

/* More alignments than a tree can learn: answers stay exact. */
static void forgets_no_place_when_it_cannot_learn(void **state)
{
    (void)state;
    struct range_tree tree;
    range_tree_init(&tree, (uint64_t)HOLES * PERIOD, PAGE);
    range_tree_take(&tree, (struct range){ 0, tree.bytes });
    for (uint64_t i = 0; i < 200; i++)
        range_tree_release(&tree, numbered_hole(i));
    range_tree_release(&tree, (struct range){ 512 * PERIOD, 0x20000 });
    for (uint64_t factor = 16; factor < 16 + 2 * HOLE_MAP_ROWS; factor++) {
        struct range_request request = { 0x10000, factor * PAGE, 0, UINT64_MAX, false };
        uint64_t offset, low = UINT64_MAX;
        for (uint64_t i = 0; i <= 200 && low == UINT64_MAX; i++) {
            struct range hole =
                i < 200 ? numbered_hole(i) : (struct range){ 512 * PERIOD, 0x20000 };
            uint64_t start = (hole.offset + factor * PAGE - 1) / (factor * PAGE) * (factor * PAGE);
            if (start + 0x10000 <= range_end(hole))
                low = start;
        }
        for (int again = 0; again < 65; again++) { /* as often as it takes to learn it */
            bool found = range_tree_find(&tree, &request, &offset);
            assert_int_equal(found, low != UINT64_MAX);
            assert_true(!found || offset == low);
        }
    }
    assert_int_equal(tree.holes->rows, HOLE_MAP_ROWS);
    range_tree_check(&tree);
    range_tree_fini(&tree);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finds_what_was_worked_out),
        cmocka_unit_test(joins_what_it_gets_back),
        cmocka_unit_test(walks_holes_in_address_order),
        cmocka_unit_test(an_empty_range_has_no_room),
        cmocka_unit_test(pages_of_64_kib),
        cmocka_unit_test(stays_sound_at_size),
        cmocka_unit_test(learns_an_alignment),
        cmocka_unit_test(learns_from_many_searches),
        cmocka_unit_test(forgets_no_place_when_it_cannot_learn),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
