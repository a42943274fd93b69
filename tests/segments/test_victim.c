/* SPDX-License-Identifier: MIT */
/* test_victim.c: the order in which resident allocations leave: PLACE-011, PLACE-012. */
#include <string.h>

#include "segments/victim.h"
#include "tests/support/unit.h"

enum { LOW = 0x50000000, NORMAL = 0x78000000 };
static const uint32_t SOFT_PINNED = 0xC8000000;

/* The offsets of all victims below the limit, in order, ended by 0. */
static void assert_order(const struct victim_index *index, uint64_t below, const uint64_t *offsets)
{
    victim_check(index);
    struct victim_cursor cursor = victim_first(index, below);
    for (; *offsets; offsets++) {
        const struct victim_node *node = victim_next(&cursor);
        assert_non_null(node);
        assert_int_equal(node->offset, *offsets);
    }
    assert_null(victim_next(&cursor));
    assert_null(victim_next(&cursor));
}

#define ASSERT_ORDER(index, below, ...)                                                            \
    assert_order(index, below, (const uint64_t[]){ __VA_ARGS__, 0 })

static struct victim_node node(uint32_t priority, uint64_t last_use, uint64_t offset)
{
    return (struct victim_node){ .priority = priority, .last_use = last_use, .offset = offset };
}

static void empty_index_has_no_victim(void **state)
{
    (void)state;
    struct victim_index index = { 0 };
    struct victim_cursor cursor = victim_first(&index, VICTIM_ANY_PRIORITY);
    assert_null(victim_next(&cursor));
    victim_check(&index);
    victim_fini(&index);
}

static void priority_then_last_use_then_offset(void **state)
{
    (void)state;
    struct victim_node nodes[] = {
        node(NORMAL, 3, 0x1000), node(LOW, 9, 0x2000),    node(NORMAL, 1, 0x3000),
        node(LOW, 9, 0x1500),    node(UINT32_MAX, 0, 50), node(0, 100, 60),
        node(NORMAL, 3, 0x900),
    };
    struct victim_index index = { 0 };
    for (size_t i = 0; i < ARRAY_COUNT(nodes); i++) {
        assert_false(victim_listed(&nodes[i]));
        victim_insert(&index, &nodes[i]);
        assert_true(victim_listed(&nodes[i]));
    }
    ASSERT_ORDER(&index, VICTIM_ANY_PRIORITY, 60, 0x1500, 0x2000, 0x3000, 0x900, 0x1000, 50);
    victim_fini(&index);
}

static void limit_excludes_equal_and_higher_priorities(void **state)
{
    (void)state;
    struct victim_node nodes[] = { node(LOW, 5, 1), node(NORMAL, 1, 2), node(SOFT_PINNED, 0, 3),
                                   node(UINT32_MAX, 0, 4) };
    struct victim_index index = { 0 };
    for (size_t i = 0; i < ARRAY_COUNT(nodes); i++)
        victim_insert(&index, &nodes[i]);
    ASSERT_ORDER(&index, NORMAL, 1);           /* pass 1 of a NORMAL one */
    ASSERT_ORDER(&index, SOFT_PINNED, 1, 2);   /* pass 2 */
    ASSERT_ORDER(&index, UINT32_MAX, 1, 2, 3); /* a limit is exclusive */
    ASSERT_ORDER(&index, VICTIM_ANY_PRIORITY, 1, 2, 3, 4);
    assert_order(&index, LOW, (const uint64_t[]){ 0 });
    assert_order(&index, 0, (const uint64_t[]){ 0 });
    victim_fini(&index);
}

static void use_moves_behind_all_of_the_same_priority(void **state)
{
    (void)state;
    struct victim_node a = node(NORMAL, 1, 10), b = node(NORMAL, 2, 20), c = node(NORMAL, 3, 30);
    struct victim_node high = node(SOFT_PINNED, 0, 40);
    struct victim_index index = { 0 };
    victim_insert(&index, &a);
    victim_insert(&index, &b);
    victim_insert(&index, &c);
    victim_insert(&index, &high);
    victim_touch(&a, 4);
    ASSERT_ORDER(&index, VICTIM_ANY_PRIORITY, 20, 30, 10, 40);
    /* One submission uses all: lower offsets first, whatever the order of its list. */
    victim_touch(&c, 5);
    victim_touch(&a, 5);
    victim_touch(&b, 5);
    ASSERT_ORDER(&index, VICTIM_ANY_PRIORITY, 10, 20, 30, 40);
    victim_touch(&b, 5); /* twice in one list */
    ASSERT_ORDER(&index, VICTIM_ANY_PRIORITY, 10, 20, 30, 40);
    assert_int_equal(b.last_use, 5);
    victim_fini(&index);
}

static void large_submission_in_any_order_of_offsets(void **state)
{
    (void)state;
    enum { COUNT = 101 };
    struct victim_node nodes[COUNT];
    uint64_t expected[COUNT + 1] = { 0 };
    struct victim_index index = { 0 };
    for (uint32_t i = 0; i < COUNT; i++) {
        nodes[i] = node(NORMAL, i, i + 1);
        expected[i] = i + 1;
        victim_insert(&index, &nodes[i]);
    }
    for (uint32_t stride = 1; stride < COUNT; stride += 7)
        for (uint32_t i = 0; i < COUNT; i++)
            victim_touch(&nodes[i * stride % COUNT], 1000 + stride);
    assert_order(&index, VICTIM_ANY_PRIORITY, expected);
    victim_fini(&index);
}

static void priority_changes_keep_the_last_use(void **state)
{
    (void)state;
    struct victim_node a = node(NORMAL, 1, 10), b = node(NORMAL, 2, 20), c = node(NORMAL, 3, 30);
    struct victim_index index = { 0 };
    victim_insert(&index, &a);
    victim_insert(&index, &b);
    victim_insert(&index, &c);
    victim_change_priority(&index, &b, LOW);
    ASSERT_ORDER(&index, VICTIM_ANY_PRIORITY, 20, 10, 30);
    victim_change_priority(&index, &b, LOW);
    ASSERT_ORDER(&index, NORMAL, 20);
    victim_change_priority(&index, &b, NORMAL); /* back between the two */
    ASSERT_ORDER(&index, VICTIM_ANY_PRIORITY, 10, 20, 30);
    victim_fini(&index);
}

static void ranks_go_before_every_priority_and_limit(void **state)
{
    (void)state;
    struct victim_node a = node(LOW, 1, 10), b = node(NORMAL, 2, 20), c = node(NORMAL, 3, 30);
    struct victim_index index = { 0 };
    victim_insert(&index, &a);
    victim_insert(&index, &b);
    victim_insert(&index, &c);
    victim_change_rank(&index, &c, -2, 8);
    ASSERT_ORDER(&index, VICTIM_ANY_PRIORITY, 30, 10, 20);
    victim_change_rank(&index, &b, -2, 7);
    ASSERT_ORDER(&index, VICTIM_ANY_PRIORITY, 20, 30, 10);
    victim_change_rank(&index, &a, -3, 9);
    ASSERT_ORDER(&index, LOW, 10, 20, 30);
    victim_change_priority(&index, &b, LOW); /* counts only when it is ordinary again */
    ASSERT_ORDER(&index, 1, 10, 20, 30);
    victim_change_rank(&index, &b, 0, 2);
    ASSERT_ORDER(&index, LOW, 10, 30);
    ASSERT_ORDER(&index, VICTIM_ANY_PRIORITY, 10, 30, 20);
    victim_fini(&index);
}

static void walk_survives_the_removal_of_each_victim(void **state)
{
    (void)state;
    enum { COUNT = 50 };
    struct victim_node nodes[COUNT];
    struct victim_index index = { 0 };
    for (uint32_t i = 0; i < COUNT; i++) {
        nodes[i] = node(i % 3, i / 6, i + 1);
        victim_insert(&index, &nodes[i]);
    }
    struct victim_cursor cursor = victim_first(&index, 2);
    size_t seen = 0;
    for (struct victim_node *victim; (victim = victim_next(&cursor)); seen++) {
        victim_remove(&index, victim);
        assert_false(victim_listed(victim));
        victim_check(&index);
    }
    assert_int_equal(seen, 34);
    for (uint32_t i = 0; i < COUNT; i++)
        assert_int_equal(victim_listed(&nodes[i]), i % 3 == 2);
    victim_fini(&index);
}

static void emptied_index_can_be_filled_again(void **state)
{
    (void)state;
    struct victim_node a = node(LOW, 7, 10);
    struct victim_index index = { 0 };
    victim_insert(&index, &a);
    victim_remove(&index, &a);
    assert_order(&index, VICTIM_ANY_PRIORITY, (const uint64_t[]){ 0 });
    a.priority = NORMAL;
    victim_insert(&index, &a);
    victim_touch(&a, 8);
    ASSERT_ORDER(&index, VICTIM_ANY_PRIORITY, 10);
    victim_fini(&index);
}

static void there_is_none_before_the_first(void **state)
{
    struct victim_index index = { 0 };
    struct victim_node first = node(NORMAL, 2, 0x1000), key = node(NORMAL, 1, 0x2000);
    (void)state;
    assert_null(victim_last_before(&index, &key));
    assert_null(victim_first_from(&index, &key));
    assert_int_equal(victim_count_before(&index, &key), 0);
    victim_insert(&index, &first);
    assert_null(victim_last_before(&index, &key));
    assert_ptr_equal(victim_first_from(&index, &key), &first);
    assert_int_equal(victim_count_before(&index, &key), 0);
    victim_fini(&index);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(empty_index_has_no_victim),
        cmocka_unit_test(priority_then_last_use_then_offset),
        cmocka_unit_test(limit_excludes_equal_and_higher_priorities),
        cmocka_unit_test(use_moves_behind_all_of_the_same_priority),
        cmocka_unit_test(large_submission_in_any_order_of_offsets),
        cmocka_unit_test(priority_changes_keep_the_last_use),
        cmocka_unit_test(ranks_go_before_every_priority_and_limit),
        cmocka_unit_test(walk_survives_the_removal_of_each_victim),
        cmocka_unit_test(emptied_index_can_be_filled_again),
        cmocka_unit_test(there_is_none_before_the_first),
    };
    return cmocka_run_group_tests_name("victim", tests, NULL, NULL);
}
