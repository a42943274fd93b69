/* SPDX-License-Identifier: MIT */
/*
 * test_hole_map.c: what the holes of a range cost, what their maxima cannot count, what is
 * remembered between a search and a take, and misuse.
 */
#define _POSIX_C_SOURCE 200809L
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "segments/hole_node.h"
#include "segments/range_tree.h"
#include "tests/support/random.h"
#include "tests/support/unit.h"

enum { PAGE = 0x1000 };

#define TIB (UINT64_C(1) << 40)

/* Maxima count up to 2^31 - 1 pages, 8 TiB less one page. Holes of 8, 9 and 10 TiB, then 7. */
static void tells_holes_apart_that_it_cannot_count(void **state)
{
    (void)state;
    struct range_tree tree;
    range_tree_init(&tree, 34 * TIB + 4 * PAGE, PAGE);
    const struct range used[] = { { 0, PAGE },
                                  { 8 * TIB + PAGE, PAGE },
                                  { 17 * TIB + 2 * PAGE, PAGE },
                                  { 27 * TIB + 3 * PAGE, PAGE } };
    for (size_t i = 0; i < ARRAY_COUNT(used); i++)
        range_tree_take(&tree, used[i]);
    assert_int_equal(range_tree_largest_hole(&tree), 10 * TIB);
    static const struct {
        uint64_t bytes, alignment, low, high;
        bool from_end, found;
        uint64_t offset;
    } CASES[] = {
        { 8 * TIB, PAGE, 0, UINT64_MAX, false, true, PAGE },
        { 8 * TIB + PAGE, PAGE, 0, UINT64_MAX, false, true, 8 * TIB + 2 * PAGE },
        { 9 * TIB + PAGE, PAGE, 0, UINT64_MAX, false, true, 17 * TIB + 3 * PAGE },
        { 10 * TIB + PAGE, PAGE, 0, UINT64_MAX, false, false, 0 },
        { 8 * TIB, PAGE, 0, UINT64_MAX, true, true, 19 * TIB + 3 * PAGE },
        { 8 * TIB, TIB, 0, UINT64_MAX, true, true, 19 * TIB },
        { 8 * TIB, PAGE, 2 * PAGE, 17 * TIB, false, true, 8 * TIB + 2 * PAGE },
        { 8 * TIB, PAGE, 0, 17 * TIB, true, true, 9 * TIB },
        { 7 * TIB, PAGE, 28 * TIB, UINT64_MAX, false, false, 0 },
    };
    for (size_t i = 0; i < ARRAY_COUNT(CASES); i++) {
        const struct range_request request = { CASES[i].bytes, CASES[i].alignment, CASES[i].low,
                                               CASES[i].high, CASES[i].from_end };
        uint64_t offset = 0;
        assert_int_equal(range_tree_find(&tree, &request, &offset), CASES[i].found);
        assert_int_equal(offset, CASES[i].offset);
    }
    range_tree_check(&tree);
    range_tree_fini(&tree);
}

/* What is not used costs nothing, whatever the range could hold. */
static void a_range_costs_what_its_holes_cost(void **state)
{
    (void)state;
    struct range_tree tree;
    for (int shift = 44; shift <= 62; shift += 9) {
        range_tree_init(&tree, UINT64_C(1) << shift, PAGE);
        for (uint64_t i = 1; i <= 3; i++)
            range_tree_take(&tree,
                            (struct range){ (i << (shift - 2)) - PAGE, 2 * PAGE >> (i == 3) });
        assert_int_equal(range_tree_hole_count(&tree), 4);
        assert_true(range_tree_host_bytes(&tree) < 16 * 1024);
        range_tree_check(&tree);
        range_tree_fini(&tree);
    }
}

/* The place that a search found is remembered for the take that follows it, and for no other. */
static void takes_what_it_did_not_find(void **state)
{
    (void)state;
    struct range_tree tree;
    range_tree_init(&tree, 0x100000, PAGE);
    range_tree_take(&tree, (struct range){ 0x3000, PAGE });
    const struct range_request request = { PAGE, PAGE, 0, UINT64_MAX, false };
    uint64_t offset;
    assert_true(range_tree_find(&tree, &request, &offset));
    range_tree_take(&tree, (struct range){ 0x80000, PAGE }); /* another hole */
    assert_true(range_tree_find(&tree, &request, &offset));
    range_tree_release(&tree, (struct range){ 0x3000, PAGE }); /* the hole has grown */
    range_tree_take(&tree, (struct range){ 0x1000, 0x4000 });
    range_tree_check(&tree);
    assert_int_equal(tree.free_bytes, 0x100000 - 0x5000);
    range_tree_fini(&tree);
}

/* Both ways to compare sixteen lanes are one. */
static void lanes_are_the_same_in_plain_c(void **state)
{
    (void)state;
    static const int32_t VALUES[] = { 0, 1, 2, 63, 64, HOLE_MOST_MAX - 1, HOLE_MOST_MAX };
    uint64_t seed = 1;
    for (int round = 0; round < 1000; round++) {
        struct hole_row row;
        for (int lane = 0; lane < HOLE_LANES; lane++)
            row.most[lane] = VALUES[random_below(&seed, ARRAY_COUNT(VALUES))];
        for (size_t i = 1; i < ARRAY_COUNT(VALUES); i++)
            assert_int_equal(lanes_with(&row, VALUES[i]), lanes_with_plain(&row, VALUES[i]));
    }
}

/* A second release and a take of what is used, in all the places that a hole can lie. */
static bool is_misuse(struct range_tree *tree, bool take, struct range range)
{
    int status;
    pid_t child = fork();
    if (child == 0) {
        (void)fclose(stderr);
        if (take)
            range_tree_take(tree, range);
        else
            (void)range_tree_release(tree, range);
        _exit(0);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    return WIFEXITED(status) && WEXITSTATUS(status) == 70;
}

static void misuse_ends_in_a_check(void **state)
{
    (void)state;
    struct range_tree tree;
    range_tree_init(&tree, 0x10000000, PAGE);
    range_tree_take(&tree, (struct range){ 0x100000, 0x8000000 });
    static const struct range FREE[] = { { 0, PAGE },           { 0x50000, PAGE },
                                         { 0xFF000, PAGE },     { 0xFF000, 2 * PAGE },
                                         { 0x8100000, PAGE },   { 0x80FF000, 2 * PAGE },
                                         { 0xC000000, PAGE },   { 0xFFFF000, PAGE },
                                         { 0xFFFF000, 0x2000 }, { 0x100000, 0x100 } };
    static const struct range USED[] = { { 0x100000, PAGE },
                                         { 0xFF000, 2 * PAGE },
                                         { 0x4000000, PAGE },
                                         { 0x80FF000, PAGE },
                                         { 0x80FF000, 0x2000 },
                                         { 0xFFFF000, 0x2000 },
                                         { 0, 0 } };
    for (size_t i = 0; i < ARRAY_COUNT(FREE); i++)
        assert_true(is_misuse(&tree, false, FREE[i]));
    for (size_t i = 0; i < ARRAY_COUNT(USED); i++)
        assert_true(is_misuse(&tree, true, USED[i]));
    assert_false(is_misuse(&tree, false, (struct range){ 0x100000, PAGE }));
    assert_false(is_misuse(&tree, true, (struct range){ 0xFF000, PAGE }));
    range_tree_fini(&tree);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tells_holes_apart_that_it_cannot_count),
        cmocka_unit_test(a_range_costs_what_its_holes_cost),
        cmocka_unit_test(takes_what_it_did_not_find),
        cmocka_unit_test(lanes_are_the_same_in_plain_c),
        cmocka_unit_test(misuse_ends_in_a_check),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
