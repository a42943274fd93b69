/* SPDX-License-Identifier: MIT */
/*
 * test_prospect.c: what a prospect cannot follow, it says so. What it can is compared with a walk
 * by prop_prospect.c.
 *
 * A full segment of four pages, a resident in each, used in the order of their offsets.
 */
#include "segments/prospect.h"
#include "segments/segment.h"
#include "tests/support/unit.h"
#include "vidmm/vidmm_host.h"

enum { PAGE = 4096, PAGES = 4 };

struct world {
    struct segment segment;
    struct victim_index order;
    struct victim_node nodes[PAGES];
    uint64_t held; /* host memory before */
};

static struct range page_of(const struct victim_node *node)
{
    return (struct range){ node->offset, PAGE };
}

static int setup(void **state)
{
    const struct vidmm_segment_desc desc = { .id = 1, .bytes = PAGES * PAGE, .page_bytes = PAGE };
    uint64_t held = vidmm_host_held();
    struct world *world = base_alloc(1, sizeof *world);
    world->held = held;
    segment_init(&world->segment, &desc, 0);
    for (uint64_t i = 0; i < PAGES; i++) {
        world->nodes[i] = (struct victim_node){ .offset = i * PAGE, .last_use = i + 1 };
        segment_take(&world->segment, page_of(&world->nodes[i]), SEGMENT_MOVABLE);
        victim_insert(&world->order, &world->nodes[i]);
    }
    segment_foresee(&world->segment, &world->order);
    *state = world;
    return 0;
}

static int teardown(void **state)
{
    struct world *world = *state;
    uint64_t held = world->held;
    segment_check(&world->segment);
    segment_fini(&world->segment); /* its prospect, too */
    victim_fini(&world->order);
    base_free(world);
    return vidmm_host_held() != held;
}

/* Two pages are wanted. The first `stays` residents cannot leave, the next two have to. */
static void look_past(struct world *world, size_t stays)
{
    static const struct range_request request = { 2 * PAGE, PAGE, 0, PAGES * PAGE, false };
    struct prospect *prospect = world->segment.prospect;
    struct victim_node *node;
    enum prospect_step step;
    prospect_begin(prospect, &request, 1, VICTIM_ANY_PRIORITY);
    while ((step = prospect_step(prospect, &node)) == PROSPECT_ASK)
        prospect_answer(prospect, node, page_of(node), node >= &world->nodes[stays]);
    assert_int_equal(step, PROSPECT_PLACE);
    assert_int_equal(prospect->place.range.offset, stays * PAGE);
    assert_int_equal(prospect_met(prospect), stays + 2);
}

static void look(struct world *world)
{
    look_past(world, 0);
}

/* It comes again, with another use, and lies in several ranges now. */
static void come_again(struct world *world, struct victim_node *node, uint64_t last_use)
{
    prospect_leave(world->segment.prospect, node);
    victim_remove(&world->order, node);
    node->last_use = last_use;
    victim_insert(&world->order, node);
    prospect_enter(world->segment.prospect, node, (struct range){ 0 });
}

static void an_arrival_in_several_ranges_whose_turn_was_before_breaks_it(void **state)
{
    struct world *world = *state;
    struct victim_node *node;
    look(world);
    come_again(world, &world->nodes[3], 1);
    assert_true(prospect_is_done(world->segment.prospect));
    assert_int_equal(prospect_step(world->segment.prospect, &node), PROSPECT_BROKEN);
}

static void one_whose_turn_comes_later_does_not(void **state)
{
    struct world *world = *state;
    look(world);
    come_again(world, &world->nodes[3], 5);
    assert_false(prospect_is_done(world->segment.prospect));
    look(world);
}

static void an_answer_without_a_range_breaks_it(void **state)
{
    struct world *world = *state;
    static const struct range_request request = { 2 * PAGE, PAGE, 0, PAGES * PAGE, false };
    struct prospect *prospect = world->segment.prospect;
    struct victim_node *node;
    prospect_begin(prospect, &request, 1, VICTIM_ANY_PRIORITY);
    assert_int_equal(prospect_step(prospect, &node), PROSPECT_ASK);
    prospect_answer(prospect, node, (struct range){ 0 }, true);
    assert_int_equal(prospect_step(prospect, &node), PROSPECT_BROKEN);
}

static void each_that_stayed_is_asked_again(void **state)
{
    struct world *world = *state;
    look_past(world, 2);
    look(world);
    look_past(world, 1);
    look(world);
}

/* It is given up when hundreds have come, and nobody has looked for room. */
static void one_that_is_not_asked_comes_to_an_end(void **state)
{
    struct world *world = *state;
    uint64_t use = PAGES;
    look(world);
    while (++use < PAGES + 100)
        come_again(world, &world->nodes[3], use);
    assert_false(prospect_is_done(world->segment.prospect));
    while (++use < PAGES + 1000)
        come_again(world, &world->nodes[3], use);
    assert_true(prospect_is_done(world->segment.prospect));
    look(world);
    assert_false(prospect_is_done(world->segment.prospect));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(an_arrival_in_several_ranges_whose_turn_was_before_breaks_it),
        TEST(one_whose_turn_comes_later_does_not),
        TEST(each_that_stayed_is_asked_again),
        TEST(one_that_is_not_asked_comes_to_an_end),
        TEST(an_answer_without_a_range_breaks_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
