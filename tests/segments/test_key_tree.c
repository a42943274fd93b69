/* SPDX-License-Identifier: MIT */
/*
 * test_key_tree.c: a tree with a level between its root and its leaves: where walks end, and how
 * full nodes stay while entries go. Page stores and apertures test the rest (test_page_store.c,
 * test_aperture.c).
 */
#include "segments/key_tree.h"
#include "tests/support/unit.h"

/* Ascending entries leave halves of nodes behind: 32 leaves of these and one more, in two nodes. */
enum { HALF = KEY_NODE_SLOTS / 2, LEAVES = KEY_NODE_SLOTS, ENTRIES = LEAVES * HALF + HALF + 1 };

static void insert(struct key_tree *tree, uint64_t key)
{
    struct key_cursor cursor;
    assert_false(key_tree_seek(tree, key, &cursor) && key_tree_key(tree, &cursor) == key);
    key_tree_insert(tree, &cursor, key, (uint64_t[]){ ~key });
}

static void erase(struct key_tree *tree, uint64_t key)
{
    struct key_cursor cursor;
    assert_true(key_tree_seek(tree, key, &cursor) && key_tree_key(tree, &cursor) == key);
    key_tree_erase(tree, &cursor);
    key_tree_check(tree);
}

static int setup(void **state)
{
    struct key_tree *tree = base_alloc(1, sizeof *tree);
    key_tree_init(tree, 1);
    for (uint64_t key = 0; key < ENTRIES; key++)
        insert(tree, key);
    assert_int_equal(tree->height, 2);
    *state = tree;
    return 0;
}

static int teardown(void **state)
{
    key_tree_fini(*state);
    base_free(*state);
    return 0;
}

static void a_walk_ends_at_the_first_and_at_the_last(void **state)
{
    const struct key_tree *tree = *state;
    struct key_cursor cursor;
    uint64_t key = ENTRIES - 1;
    assert_true(key_tree_seek(tree, key, &cursor));
    assert_false(key_tree_next(tree, &cursor));
    while (key_tree_previous(tree, &cursor))
        assert_int_equal(key_tree_key(tree, &cursor), --key);
    assert_int_equal(key, 0);
    assert_false(key_tree_previous(tree, &cursor));
    while (key_tree_next(tree, &cursor))
        assert_int_equal(key_tree_value(tree, &cursor, 0), ~++key);
    assert_int_equal(key, ENTRIES - 1);
}

/* Neighbours that go together one after the other, with nothing in between: the nodes above have
   fewer children each time, and go together, too. */
static void leaves_that_join_join_their_parents(void **state)
{
    enum { JOINS = KEY_NODE_SLOTS * 3 / 4 / 2, LEFT = JOINS + 1 }; /* two with JOINS entries */
    struct key_tree *tree = *state;
    for (uint64_t key = ENTRIES; key-- > LEAVES * HALF;)
        erase(tree, key);
    for (uint64_t leaf = 0; leaf < LEAVES; leaf++)
        for (uint64_t i = leaf % 2 ? LEFT : JOINS; i < HALF; i++)
            erase(tree, leaf * HALF + i);
    for (uint64_t leaf = 1; leaf < LEAVES; leaf += 2)
        erase(tree, leaf * HALF + JOINS);
    assert_int_equal(tree->height, 1);
    assert_int_equal(tree->count, LEAVES * JOINS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_walk_ends_at_the_first_and_at_the_last, setup, teardown),
        cmocka_unit_test_setup_teardown(leaves_that_join_join_their_parents, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
