/* SPDX-License-Identifier: MIT */
/*
 * test_eviction.c: policies in an order of victims: what they are told, and those that break their
 * word (POLICY-010, POLICY-011). What each built-in one orders is for prop_eviction.c.
 */
#include "segments/eviction.h"
#include "segments/policies/policies.h"

#include <stdio.h>
#include <string.h>

#include "tests/support/unit.h"

enum { COUNT = 4, LOW = 1, HIGH = 2 };

/* It lists the oldest arrival first, and breaks its word as `broken` says. */
enum broken { FAIR, STRANGER, FOREIGN, GHOST, TWICE, EARLY };
static enum broken broken;
static char heard[200];
static const void *foreign; /* state of the group that was told of something last */

struct listed {
    struct vidmm_queue queue;
    struct vidmm_resident *ghost;
};

static void hear(const char *what, const struct vidmm_resident *resident)
{
    size_t length = strlen(heard);
    (void)snprintf(heard + length, sizeof heard - length, "%s%u ", what, (unsigned)resident->id);
}

static void missed(void *state, struct vidmm_resident *resident)
{
    (void)state;
    hear("m", resident);
}

static void arrived(void *state, struct vidmm_resident *resident)
{
    struct listed *listed = state;
    foreign = listed;
    vidmm_queue_append(&listed->queue, resident);
    hear("a", resident);
}

static void used(void *state, struct vidmm_resident *resident)
{
    (void)state;
    hear("u", resident);
}

static void left(void *state, struct vidmm_resident *resident, bool victim)
{
    struct listed *listed = state;
    vidmm_queue_remove(&listed->queue, resident);
    listed->ghost = resident;
    hear(victim ? "v" : "l", resident);
}

static void forgotten(void *state, struct vidmm_resident *resident)
{
    struct listed *listed = state;
    if (listed->ghost == resident)
        listed->ghost = NULL;
    hear("f", resident);
}

static struct vidmm_resident *next(const void *state, struct vidmm_eviction_walk *walk)
{
    const struct listed *listed = state;
    static struct vidmm_resident stranger;
    const struct listed *other = foreign;
    if (walk->word[0]++ == 1 && broken == STRANGER)
        return &stranger;
    if (walk->word[0] == 2 && broken == FOREIGN)
        return other->queue.oldest;
    if (walk->word[0] == 2 && broken == GHOST)
        return listed->ghost;
    if (walk->word[0] == 2 && broken == TWICE)
        return walk->at[0];
    if (walk->word[0] == 2 && broken == EARLY)
        return NULL;
    walk->at[0] = walk->at[0] ? walk->at[0]->newer : listed->queue.oldest;
    return walk->at[0];
}

static const struct vidmm_eviction_policy policy = {
    .name = "test",
    .state_bytes = sizeof(struct listed),
    .next = next,
    .missed = missed,
    .arrived = arrived,
    .used = used,
    .left = left,
    .forgotten = forgotten,
};

struct world {
    struct eviction_order order;
    struct victim_node node[COUNT + 1];
};

static int setup(void **state)
{
    static struct world world;
    world = (struct world){ .order = { .policy = &policy } };
    broken = FAIR;
    heard[0] = '\0';
    *state = &world;
    return 0;
}

static void enter(struct world *world, int i, uint32_t priority)
{
    struct victim_node *node = &world->node[i];
    *node = (struct victim_node){ .priority = priority,
                                  .offset = (uint64_t)i * 10,
                                  .last_use = (uint64_t)(COUNT - i),
                                  .record = node->record };
    eviction_view(&world->order, node)->id = (vidmm_handle)i;
    eviction_insert(&world->order, node);
    eviction_check(&world->order);
}

static void assert_order(struct world *world, uint64_t below, uint32_t flaws, const char *expected)
{
    char text[100] = "";
    struct eviction_cursor cursor = eviction_first(&world->order, below);
    const struct victim_node *node;
    while ((node = eviction_next(&cursor)) != NULL) {
        size_t length = strlen(text);
        (void)snprintf(text + length, sizeof text - length, "%d", (int)(node->offset / 10));
    }
    assert_string_equal(text, expected);
    assert_int_equal(cursor.flaws, flaws);
    eviction_check(&world->order);
}

static void finish(struct world *world)
{
    for (int i = 1; i <= COUNT; i++) {
        if (victim_listed(&world->node[i]))
            eviction_remove(&world->order, &world->node[i]);
        eviction_forget(&world->node[i]);
    }
    assert_null(world->order.groups);
    eviction_fini(&world->order);
}

static void the_policy_orders_inside_of_a_priority(void **state)
{
    struct world *world = *state;
    enter(world, 1, HIGH);
    enter(world, 2, LOW);
    enter(world, 3, HIGH);
    enter(world, 4, LOW);
    assert_order(world, VICTIM_ANY_PRIORITY, 0, "2413");
    assert_order(world, HIGH, 0, "24");
    victim_change_rank(&world->order.tree, &world->node[3], -1, 1);
    assert_order(world, VICTIM_ANY_PRIORITY, 0, "3241");
    assert_order(world, 0, 0, "3");
    eviction_change_priority(&world->order, &world->node[2], HIGH);
    assert_order(world, VICTIM_ANY_PRIORITY, 0, "3412");
    finish(world);
}

static void it_is_told_what_happens(void **state)
{
    struct world *world = *state;
    eviction_view(&world->order, &world->node[1])->id = 1;
    eviction_missed(&world->order, &world->node[1]);
    enter(world, 1, 0);
    eviction_used(&world->order, &world->node[1]);
    world->node[1].chosen = true;
    eviction_remove(&world->order, &world->node[1]);
    eviction_used(&world->order, &world->node[1]); /* gone: nobody is told */
    enter(world, 1, 0);
    eviction_change_priority(&world->order, &world->node[1], 0); /* as it was: nor of that */
    eviction_change_priority(&world->order, &world->node[1], HIGH);
    eviction_remove(&world->order, &world->node[1]);
    eviction_forget(&world->node[1]);
    assert_string_equal(heard, "m1 a1 u1 v1 a1 l1 f1 a1 l1 f1 ");
    finish(world);
}

static void four(struct world *world, enum broken how)
{
    for (int i = 1; i <= COUNT; i++)
        enter(world, i, LOW);
    assert_order(world, VICTIM_ANY_PRIORITY, 0, "1234");
    broken = how;
}

/* By the last use the order is 4, 3, 2, 1. */
static void the_rest_follows_in_the_documented_order(void **state)
{
    static const struct {
        enum broken how;
        uint32_t flaw;
    } cases[] = { { STRANGER, EVICTION_STRANGER },
                  { TWICE, EVICTION_TWICE },
                  { EARLY, EVICTION_EARLY } };
    for (size_t i = 0; i < ARRAY_COUNT(cases); i++) {
        setup(state);
        four(*state, cases[i].how);
        assert_order(*state, VICTIM_ANY_PRIORITY, cases[i].flaw, "1432");
        broken = FAIR;
        assert_order(*state, VICTIM_ANY_PRIORITY, 0, "1234");
        finish(*state);
    }
}

static void a_ghost_is_a_stranger(void **state)
{
    struct world *world = *state;
    four(world, GHOST);
    eviction_remove(&world->order, &world->node[2]);
    assert_order(world, VICTIM_ANY_PRIORITY, EVICTION_STRANGER, "143");
    finish(world);
}

static void a_resident_of_another_priority_is_a_stranger(void **state)
{
    struct world *world = *state;
    enter(world, 1, LOW);
    enter(world, 2, LOW);
    enter(world, 3, HIGH);
    enter(world, 4, HIGH);
    broken = FOREIGN;
    eviction_remove(&world->order, &world->node[4]);
    assert_order(world, HIGH, EVICTION_STRANGER, "12");
    finish(world);
}

static void the_next_priority_is_asked_again(void **state)
{
    struct world *world = *state;
    enter(world, 1, LOW);
    enter(world, 2, LOW);
    enter(world, 3, HIGH);
    enter(world, 4, HIGH);
    broken = TWICE;
    assert_order(world, VICTIM_ANY_PRIORITY, EVICTION_TWICE, "1234");
    finish(world);
}

/* Each number is how many came to the group before. */
static uint64_t key(void *state, struct vidmm_resident *resident)
{
    uint64_t *count = state;
    resident->word = ++*count;
    return *count;
}

static const struct vidmm_eviction_policy keyed = { .name = "keyed",
                                                    .state_bytes = sizeof(uint64_t),
                                                    .key = key };

/* What is offered and comes into another group has a number of that one when it is reclaimed. */
static void a_number_belongs_to_a_group(void **state)
{
    struct world *world = *state;
    world->order.policy = &keyed;
    enter(world, 1, LOW);
    enter(world, 2, LOW);
    enter(world, 3, LOW);
    enter(world, 4, HIGH);
    struct victim_node *node = &world->node[1];
    uint64_t last_use = node->last_use;
    eviction_change_rank(&world->order, node, -1, 7);
    assert_order(world, VICTIM_ANY_PRIORITY, 0, "1234");
    eviction_change_priority(&world->order, node, HIGH);
    assert_order(world, VICTIM_ANY_PRIORITY, 0, "1234");
    eviction_change_rank(&world->order, node, 0, last_use);
    assert_int_equal(eviction_view(&world->order, node)->word, 2);
    assert_order(world, VICTIM_ANY_PRIORITY, 0, "2341");
    finish(world);
}

/* A policy that chooses without numbers leaves what is reclaimed its last use. */
static void what_has_no_number_keeps_its_last_use(void **state)
{
    struct world *world = *state;
    enter(world, 1, LOW);
    enter(world, 2, LOW);
    uint64_t last_use = world->node[1].last_use;
    eviction_change_rank(&world->order, &world->node[1], -1, 7);
    eviction_change_rank(&world->order, &world->node[1], 0, last_use);
    assert_int_equal(world->node[1].last_use, last_use);
    assert_order(world, VICTIM_ANY_PRIORITY, 0, "12");
    finish(world);
}

/* Used while it is offered, it keeps its turn among those, and is reclaimed as the newest. */
static void a_use_counts_under_any_rank(void **state)
{
    struct world *world = *state;
    world->order.policy = &keyed;
    enter(world, 1, LOW);
    enter(world, 2, LOW);
    enter(world, 3, LOW);
    uint64_t last_use = world->node[1].last_use;
    eviction_change_rank(&world->order, &world->node[1], -1, 2);
    eviction_change_rank(&world->order, &world->node[3], -1, 3);
    eviction_used(&world->order, &world->node[1]);
    assert_order(world, VICTIM_ANY_PRIORITY, 0, "132");
    eviction_change_rank(&world->order, &world->node[1], 0, last_use);
    assert_order(world, VICTIM_ANY_PRIORITY, 0, "321");
    finish(world);
}

/* What cannot be told apart any more has the largest number there is. */
static void gds_does_not_overflow(void **state)
{
    struct world *world = *state;
    world->order.policy = &eviction_gds;
    for (int i = 1; i <= COUNT; i++) {
        struct vidmm_resident *view = eviction_view(&world->order, &world->node[i]);
        view->bytes = 1;
        view->cost = i == 1 ? 1 : i == 2 ? UINT64_C(1) << 44 : UINT64_MAX;
        enter(world, i, LOW);
    }
    assert_order(world, VICTIM_ANY_PRIORITY, 0, "1234");
    world->node[2].chosen = true;
    eviction_remove(&world->order, &world->node[2]); /* the inflation is nearly all */
    eviction_used(&world->order, &world->node[1]);
    eviction_used(&world->order, &world->node[3]);
    assert_order(world, VICTIM_ANY_PRIORITY, 0, "413");
    assert_int_equal(eviction_view(&world->order, &world->node[3])->word, UINT64_MAX);
    finish(world);
}

/* A real policy, over residents of these sizes, by number; 0: nothing is known of it. */
static void begin_with(struct world *world, const struct vidmm_eviction_policy *real,
                       uint64_t capacity, const uint64_t *bytes)
{
    world->order.policy = real;
    world->order.terms = (struct vidmm_eviction_group){ .capacity = capacity, .page = 1 };
    for (int i = 0; i <= COUNT; i++) {
        if (!bytes[i])
            continue;
        world->node[i].priority = LOW;
        eviction_view(&world->order, &world->node[i])->bytes = bytes[i];
    }
}

/* What is wanted again goes to T2; what comes meanwhile does not. */
static void arc_knows_what_was_wanted(void **state)
{
    static const uint64_t bytes[COUNT + 1] = { 0, 1, 1 };
    struct world *world = *state;
    begin_with(world, &eviction_arc, 2, bytes);
    enter(world, 1, LOW);
    world->node[1].chosen = true;
    eviction_remove(&world->order, &world->node[1]);
    eviction_missed(&world->order, &world->node[1]);
    enter(world, 2, LOW);
    enter(world, 1, LOW);
    assert_order(world, VICTIM_ANY_PRIORITY, 0, "12");
    finish(world);
}

/* A victim of T2 that had to be chosen while T1 fills the ghosts' room: none of B1 has to go. */
static void arc_has_no_ghost_to_forget(void **state)
{
    static const uint64_t bytes[COUNT + 1] = { 0, 2, 1, 2 };
    struct world *world = *state;
    begin_with(world, &eviction_arc, 3, bytes);
    enter(world, 1, LOW);
    enter(world, 2, LOW);
    eviction_used(&world->order, &world->node[2]);
    eviction_missed(&world->order, &world->node[3]);
    assert_order(world, VICTIM_ANY_PRIORITY, 0, "12");
    world->node[2].chosen = true;
    eviction_remove(&world->order, &world->node[2]);
    eviction_remove(&world->order, &world->node[1]);
    enter(world, 3, LOW);
    eviction_missed(&world->order, &world->node[2]); /* a ghost of B2 */
    enter(world, 2, LOW);
    assert_order(world, VICTIM_ANY_PRIORITY, 0, "32");
    finish(world);
}

/* Ghosts of a walk's own victims count further on in it: as long as there are some, the target of
   T1 decides, however much is wanted. */
static void arc_walks_on_with_the_ghosts_of_its_victims(void **state)
{
    static const uint64_t bytes[COUNT + 1] = { 8, 5, 1, 2, 4 };
    struct world *world = *state;
    begin_with(world, &eviction_arc, 11, bytes);
    enter(world, 1, LOW);
    world->node[1].chosen = true;
    eviction_remove(&world->order, &world->node[1]);
    eviction_missed(&world->order, &world->node[1]); /* the target of T1 is 5 */
    enter(world, 1, LOW);
    for (int i = 2; i <= COUNT; i++)
        enter(world, i, LOW);
    world->node[2].chosen = true;
    eviction_remove(&world->order, &world->node[2]);
    eviction_missed(&world->order, &world->node[0]);
    assert_order(world, VICTIM_ANY_PRIORITY, 0, "314");
    eviction_forget(&world->node[0]);
    finish(world);
}

/* More than all ghosts may have: it comes back as a stranger, behind who came meanwhile. */
static void s3_fifo_has_no_ghost_of_what_is_too_large(void **state)
{
    static const uint64_t bytes[COUNT + 1] = { 0, 10, 1 };
    struct world *world = *state;
    begin_with(world, &eviction_s3_fifo, 10, bytes);
    enter(world, 1, LOW);
    world->node[1].chosen = true;
    eviction_remove(&world->order, &world->node[1]);
    enter(world, 2, LOW);
    eviction_missed(&world->order, &world->node[1]);
    enter(world, 1, LOW);
    assert_order(world, VICTIM_ANY_PRIORITY, 0, "21");
    finish(world);
}

/* Its bytes may be others there. */
static void in_another_segment_it_is_known_anew(void **state)
{
    struct world *world = *state;
    struct eviction_order other = { .policy = &policy };
    struct victim_node *node = &world->node[1];
    enter(world, 1, LOW);
    eviction_remove(&world->order, node);
    assert_int_equal(eviction_view(&world->order, node)->id, 1);
    assert_int_equal(eviction_view(&other, node)->id, 0);
    finish(world);
    eviction_fini(&other);
}

/* Nor what the policy of its group has noted. */
static void in_another_group_it_has_no_past(void **state)
{
    struct world *world = *state;
    enter(world, 1, LOW);
    eviction_view(&world->order, &world->node[1])->word = 7;
    eviction_remove(&world->order, &world->node[1]);
    assert_int_equal(eviction_view(&world->order, &world->node[1])->word, 7);
    enter(world, 1, HIGH);
    assert_int_equal(eviction_view(&world->order, &world->node[1])->word, 0);
    finish(world);
}

static void without_a_policy_nothing_is_kept(void **state)
{
    struct world *world = *state;
    world->order.policy = NULL;
    world->node[1] = (struct victim_node){ .offset = 10, .last_use = 2 };
    world->node[2] = (struct victim_node){ .offset = 20, .last_use = 1 };
    assert_null(eviction_view(&world->order, &world->node[1]));
    eviction_insert(&world->order, &world->node[1]);
    eviction_insert(&world->order, &world->node[2]);
    assert_order(world, VICTIM_ANY_PRIORITY, 0, "21");
    assert_null(world->node[1].record);
    finish(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(the_policy_orders_inside_of_a_priority, setup),
        cmocka_unit_test_setup(it_is_told_what_happens, setup),
        cmocka_unit_test_setup(the_rest_follows_in_the_documented_order, setup),
        cmocka_unit_test_setup(a_ghost_is_a_stranger, setup),
        cmocka_unit_test_setup(a_resident_of_another_priority_is_a_stranger, setup),
        cmocka_unit_test_setup(the_next_priority_is_asked_again, setup),
        cmocka_unit_test_setup(a_number_belongs_to_a_group, setup),
        cmocka_unit_test_setup(what_has_no_number_keeps_its_last_use, setup),
        cmocka_unit_test_setup(a_use_counts_under_any_rank, setup),
        cmocka_unit_test_setup(gds_does_not_overflow, setup),
        cmocka_unit_test_setup(arc_knows_what_was_wanted, setup),
        cmocka_unit_test_setup(arc_has_no_ghost_to_forget, setup),
        cmocka_unit_test_setup(arc_walks_on_with_the_ghosts_of_its_victims, setup),
        cmocka_unit_test_setup(s3_fifo_has_no_ghost_of_what_is_too_large, setup),
        cmocka_unit_test_setup(in_another_segment_it_is_known_anew, setup),
        cmocka_unit_test_setup(in_another_group_it_has_no_past, setup),
        cmocka_unit_test_setup(without_a_policy_nothing_is_kept, setup),
    };
    return cmocka_run_group_tests_name("eviction", tests, NULL, NULL);
}
