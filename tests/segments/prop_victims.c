/* SPDX-License-Identifier: MIT */
/*
 * prop_victims.c: the index of victims against a sorted array.
 *
 * The model keeps its own copy of each key and sorts an array whenever an order is asked for.
 * Usage: prop_victims [seed [operations]].
 */
#include "segments/victim.h"
#include "tests/support/random.h"

#include <stdio.h>
#include <stdlib.h>

enum { NODES_MAX = 2000, DEFAULT_OPERATIONS = 60000 };

struct shape {
    const char *name;
    size_t nodes;
    uint32_t priorities; /* 0: any 32-bit number */
    uint64_t share;      /* one in so many touches starts a new submission */
};

struct resident {
    struct victim_node node;
    /* the model's copy */
    uint32_t priority;
    int8_t rank;
    uint64_t last_use, offset;
    bool listed;
};

struct world {
    struct shape shape;
    struct victim_index index;
    uint64_t random, use, next_offset;
    struct resident residents[NODES_MAX];
    const struct resident *sorted[NODES_MAX];
    size_t count;
};

static int three_way(uint64_t a, uint64_t b)
{
    return (a > b) - (a < b);
}

static int by_victim_order(const void *left, const void *right)
{
    const struct resident *a = *(const struct resident *const *)left;
    const struct resident *b = *(const struct resident *const *)right;
    int order = (a->rank > b->rank) - (a->rank < b->rank);
    if (!order && !a->rank)
        order = three_way(a->priority, b->priority);
    if (!order)
        order = three_way(a->last_use, b->last_use);
    return order ? order : three_way(a->offset, b->offset);
}

static void sort_model(struct world *world)
{
    world->count = 0;
    for (size_t i = 0; i < world->shape.nodes; i++)
        if (world->residents[i].listed)
            world->sorted[world->count++] = &world->residents[i];
    qsort(world->sorted, world->count, sizeof *world->sorted, by_victim_order);
}

static uint32_t any_priority(struct world *world)
{
    uint32_t priorities = world->shape.priorities;
    return (uint32_t)random_below(&world->random,
                                  priorities ? priorities : (uint64_t)UINT32_MAX + 1);
}

/* Mostly the newest submission; sometimes an older number, as for an unpinned allocation. */
static void insert(struct world *world, struct resident *resident)
{
    resident->priority = any_priority(world);
    resident->last_use =
        random_below(&world->random, 4) ? world->use : random_below(&world->random, world->use + 1);
    /* Unique, and in no order: an odd factor permutes the numbers below 2^40. */
    resident->offset = (world->next_offset++ * 0x9E3779B97F) & 0xFFFFFFFFFF;
    resident->rank = 0;
    resident->node.rank = 0;
    resident->node.priority = resident->priority;
    resident->node.last_use = resident->last_use;
    resident->node.offset = resident->offset;
    resident->listed = true;
    victim_insert(&world->index, &resident->node);
}

static void drop(struct world *world, struct resident *resident)
{
    victim_remove(&world->index, &resident->node);
    resident->listed = false;
}

static void change_priority(struct world *world, struct resident *resident, uint32_t priority)
{
    resident->priority = priority;
    victim_change_priority(&world->index, &resident->node, priority);
}

/* All of one priority get another: whole pages empty, and others fill from one side. */
static void move_level(struct world *world)
{
    uint32_t from = world->residents[random_below(&world->random, world->shape.nodes)].priority;
    uint32_t to = any_priority(world);
    for (size_t i = 0; i < world->shape.nodes; i++)
        if (world->residents[i].listed && world->residents[i].priority == from)
            change_priority(world, &world->residents[i], to);
}

static void act_on(struct world *world, struct resident *resident)
{
    uint64_t action = random_below(&world->random, 16);
    if (!resident->listed) {
        insert(world, resident);
    } else if (action < 2) {
        drop(world, resident);
    } else if (action < 4) {
        change_priority(world, resident, any_priority(world));
    } else if (action == 4) {
        resident->rank =
            (int8_t)(random_below(&world->random, 2) ? 0
                                                     : (int)random_below(&world->random, 4) - 4);
        resident->last_use = random_below(&world->random, world->use + 1);
        victim_change_rank(&world->index, &resident->node, resident->rank, resident->last_use);
    } else if (!resident->rank) {
        world->use += random_below(&world->random, world->shape.share) == 0;
        uint64_t use = random_below(&world->random, 8) ? world->use : resident->last_use;
        resident->last_use = use;
        victim_touch(&resident->node, use);
    }
}

static void compare(struct world *world)
{
    sort_model(world);
    victim_check(&world->index);
    uint64_t below = random_below(&world->random, 3) ? any_priority(world) : VICTIM_ANY_PRIORITY;
    struct victim_cursor cursor = victim_first(&world->index, below);
    for (size_t i = 0;
         i < world->count && (world->sorted[i]->rank < 0 || world->sorted[i]->priority < below);
         i++)
        CHECK(victim_next(&cursor) == &world->sorted[i]->node);
    CHECK(!victim_next(&cursor));
    if (below < VICTIM_ANY_PRIORITY || !world->count)
        return; /* not all of them are filed where they belong */
    uint64_t some = random_below(&world->random, world->count);
    CHECK(victim_count_before(&world->index, &world->sorted[some]->node) == some);
}

/* Walks as an eviction does: some are taken, some skipped. */
static void evict_some(struct world *world)
{
    sort_model(world);
    struct victim_cursor cursor = victim_first(&world->index, VICTIM_ANY_PRIORITY);
    for (size_t i = 0; i < world->count; i++) {
        struct victim_node *node = victim_next(&cursor);
        CHECK(node == &world->sorted[i]->node);
        if (random_below(&world->random, 3) == 0)
            drop(world, CONTAINER_OF(node, struct resident, node));
    }
    CHECK(!victim_next(&cursor));
}

static void run(const struct shape *shape, uint64_t seed, uint64_t operations)
{
    static struct world world;
    world = (struct world){ .shape = *shape, .random = seed, .use = 1 };
    for (uint64_t i = 0; i < operations; i++) {
        act_on(&world, &world.residents[random_below(&world.random, shape->nodes)]);
        if (random_below(&world.random, 40) == 0)
            compare(&world);
        if (random_below(&world.random, 2000) == 0)
            evict_some(&world);
        if (random_below(&world.random, 1000) == 0)
            move_level(&world);
    }
    compare(&world);
    victim_fini(&world.index);
}

int main(int argc, char **argv)
{
    static const struct shape shapes[] = {
        { "a handful", 6, 2, 2 },
        { "usual: five levels, small submissions", 100, 5, 4 },
        { "one level, one submission for ever", 150, 1, UINT64_MAX },
        { "one level, a submission each", 400, 1, 1 },
        { "hostile: every priority different", 400, 0, 10 },
        { "so many that they need pages of pages of pages", NODES_MAX, 3, 10 },
    };
    uint64_t seed = argc > 1 ? strtoull(argv[1], NULL, 0) : 1;
    uint64_t operations = argc > 2 ? strtoull(argv[2], NULL, 0) : DEFAULT_OPERATIONS;
    for (size_t i = 0; i < ARRAY_COUNT(shapes); i++) {
        printf("prop_victims: seed %llu, %llu operations: %s\n", (unsigned long long)seed,
               (unsigned long long)operations, shapes[i].name);
        (void)fflush(stdout);
        run(&shapes[i], seed * 2654435761 + i + 1, operations);
    }
    return 0;
}
