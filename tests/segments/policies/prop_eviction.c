/* SPDX-License-Identifier: MIT */
/*
 * prop_eviction.c: each eviction policy against a slow model of it (model_eviction.h): the whole
 * order of leaving before each eviction, with sizes of many pages, two priorities, offers,
 * evictions that nobody asked for, and victims that are not the first in the order.
 *
 * Usage: prop_eviction [seed [operations]].
 */
#include "segments/eviction.h"
#include "tests/segments/policies/model_eviction.h"
#include "tests/support/random.h"

#include <stdio.h>
#include <stdlib.h>

enum { PRIORITIES = 2, DEFAULT_OPERATIONS = 20000 };

struct shape {
    const char *name;
    int items;
    uint64_t pages, most_pages; /* of the segment, of an item */
    bool unruly;                /* offers, changed priorities, skipped victims, destroyed items */
};

struct world {
    struct shape shape;
    struct eviction_order order;
    struct victim_node node[MODEL_ITEMS];
    uint64_t bytes[MODEL_ITEMS], cost[MODEL_ITEMS];
    struct model model[PRIORITIES];
    int bound[MODEL_ITEMS]; /* to the model of this priority, or -1 */
    int known[PRIORITIES];
    uint64_t random, references, arrivals, turns, used;
};

static bool resident(const struct world *world, int item)
{
    return victim_listed(&world->node[item]);
}

/* ---- both sides ------------------------------------------------------------------------------ */

static void unbind(struct world *world, int item)
{
    int priority = world->bound[item];
    if (priority < 0)
        return;
    model_forgotten(&world->model[priority], item);
    if (--world->known[priority] == 0)
        model_init(&world->model[priority], world->model[priority].policy, world->shape.pages);
    world->bound[item] = -1;
}

/* As turns.c does it. */
static void know(struct world *world, int item)
{
    int priority = (int)world->node[item].priority;
    struct vidmm_resident *view = eviction_view(&world->order, &world->node[item]);
    view->id = (vidmm_handle)item + 1;
    view->bytes = world->bytes[item];
    view->cost = world->cost[item];
    if (world->bound[item] == priority)
        return;
    unbind(world, item);
    world->bound[item] = priority;
    world->known[priority]++;
}

static void tell_facts(struct world *world, int item)
{
    const struct vidmm_resident *view = eviction_known(&world->order, &world->node[item]);
    struct model_item *it = &world->model[world->bound[item]].items[item];
    it->bytes = view->bytes;
    it->cost = view->cost;
    it->arrival = view->arrival;
    it->last_use = view->last_use;
    it->next_use = view->next_use;
}

static void enter(struct world *world, int item)
{
    know(world, item);
    tell_facts(world, item);
    eviction_insert(&world->order, &world->node[item]);
    model_arrived(&world->model[world->bound[item]], item);
}

static void leave(struct world *world, int item, bool victim)
{
    struct victim_node *node = &world->node[item];
    bool offered = node->rank < 0;
    node->chosen = victim;
    eviction_remove(&world->order, node);
    model_left(&world->model[world->bound[item]], item, victim && !offered);
    node->rank = 0;
    world->used -= world->bytes[item];
}

/* ---- the order ------------------------------------------------------------------------------- */

static int expected_order(const struct world *world, int *order)
{
    int count = 0, part[MODEL_ITEMS];
    for (uint64_t turn = 0; turn <= world->turns; turn++)
        for (int i = 0; i < world->shape.items; i++)
            if (resident(world, i) && world->node[i].rank < 0 && world->node[i].last_use == turn)
                order[count++] = i;
    for (int priority = 0; priority < PRIORITIES; priority++) {
        int length = model_order(&world->model[priority], part);
        for (int i = 0; i < length; i++)
            if (!world->node[part[i]].rank)
                order[count++] = part[i];
    }
    return count;
}

static int compare(const struct world *world, int *order)
{
    int count = expected_order(world, order);
    struct eviction_cursor cursor = eviction_first(&world->order, VICTIM_ANY_PRIORITY);
    for (int i = 0; i < count; i++) {
        const struct victim_node *node = eviction_next(&cursor);
        CHECK(node == &world->node[order[i]]);
    }
    CHECK(!eviction_next(&cursor) && !cursor.flaws);
    eviction_check(&world->order);
    return count;
}

/* ---- operations ------------------------------------------------------------------------------ */

static void make_room(struct world *world, int wanted)
{
    while (world->shape.pages * MODEL_PAGE - world->used < world->bytes[wanted]) {
        int order[MODEL_ITEMS];
        int count = compare(world, order), pick = 0;
        CHECK(count);
        if (world->shape.unruly && random_below(&world->random, 4) == 0)
            pick = (int)random_below(&world->random, (uint64_t)count);
        leave(world, order[pick], true);
    }
}

static void refer(struct world *world, int item)
{
    struct vidmm_resident *known = eviction_known(&world->order, &world->node[item]);
    known->last_use = ++world->references;
    known->next_use = random_below(&world->random, 5)
                          ? world->references + 1 + random_below(&world->random, 1000000)
                          : UINT64_MAX;
    if (resident(world, item)) {
        tell_facts(world, item);
        if (world->node[item].rank < 0)
            return; /* offered: nobody uses it */
        eviction_used(&world->order, &world->node[item]);
        model_used(&world->model[world->bound[item]], item);
        return;
    }
    know(world, item);
    tell_facts(world, item);
    eviction_missed(&world->order, &world->node[item]);
    model_missed(&world->model[world->bound[item]], item);
    make_room(world, item);
    known->arrival = ++world->arrivals;
    world->used += world->bytes[item];
    enter(world, item);
}

static void offer(struct world *world, int item)
{
    struct victim_node *node = &world->node[item];
    if (resident(world, item) && !node->rank && eviction_by_last_use(&world->order))
        victim_change_rank(&world->order.tree, node, -1, ++world->turns);
}

static void change_priority(struct world *world, int item)
{
    struct victim_node *node = &world->node[item];
    uint32_t priority = (node->priority + 1) % PRIORITIES;
    if (node->rank)
        return;
    eviction_change_priority(&world->order, node, priority);
    if (!victim_listed(node))
        return;
    struct model *before = &world->model[world->bound[item]];
    model_left(before, item, false);
    unbind(world, item);
    know(world, item);
    tell_facts(world, item);
    model_arrived(&world->model[world->bound[item]], item);
}

static void renew(struct world *world, int item)
{
    if (resident(world, item))
        leave(world, item, false);
    eviction_forget(&world->node[item]);
    unbind(world, item);
    world->bytes[item] = (1 + random_below(&world->random, world->shape.most_pages)) * MODEL_PAGE;
    world->cost[item] = 1 + random_below(&world->random, 1000);
}

static void act(struct world *world)
{
    uint64_t items = (uint64_t)world->shape.items;
    uint64_t a = random_below(&world->random, items), b = random_below(&world->random, items);
    int item = (int)(a < b ? a : b); /* some more often than others */
    uint64_t what = world->shape.unruly ? random_below(&world->random, 40) : 39;
    if (what == 0)
        renew(world, item);
    else if (what == 1 && resident(world, item))
        leave(world, item, false);
    else if (what == 2)
        change_priority(world, item);
    else if (what == 3)
        offer(world, item);
    else
        refer(world, item);
}

static void run(const struct shape *shape, const struct vidmm_eviction_policy *policy,
                uint64_t seed, uint64_t operations)
{
    static struct world world;
    int order[MODEL_ITEMS];
    world = (struct world){ .shape = *shape, .random = seed };
    world.order.policy = policy;
    world.order.terms =
        (struct vidmm_eviction_group){ .capacity = shape->pages * MODEL_PAGE, .page = MODEL_PAGE };
    for (int priority = 0; priority < PRIORITIES; priority++)
        model_init(&world.model[priority], policy->name, shape->pages);
    for (int i = 0; i < shape->items; i++) {
        world.bound[i] = -1;
        world.node[i].offset = (uint64_t)i; /* those of equal keys leave by number */
        world.node[i].priority = shape->unruly && i % 3 == 0;
        renew(&world, i);
    }
    for (uint64_t i = 0; i < operations; i++)
        act(&world);
    (void)compare(&world, order);
    for (int i = 0; i < shape->items; i++)
        renew(&world, i);
    CHECK(!world.order.groups && !world.order.records && !world.order.tree.root);
    eviction_fini(&world.order);
}

int main(int argc, char **argv)
{
    static const struct shape shapes[] = {
        { "one size", 48, 20, 1, false },
        { "one size, a segment of three", 9, 3, 1, false },
        { "many sizes", 48, 64, 9, false },
        { "many sizes, priorities, offers, accidents", 48, 64, 9, true },
        { "one size, accidents", 30, 12, 1, true },
        { "many sizes, some of most of the segment", 48, 64, 30, false },
    };
    uint64_t seed = argc > 1 ? strtoull(argv[1], NULL, 0) : 1;
    uint64_t operations = argc > 2 ? strtoull(argv[2], NULL, 0) : DEFAULT_OPERATIONS;
    const struct vidmm_eviction_policy *policy;
    for (size_t row = 1; (policy = vidmm_eviction_policy_row(row)) != NULL; row++) {
        if (policy->name[0] == 'r') /* lots have no model */
            continue;
        printf("prop_eviction: seed %llu, %llu operations: %s\n", (unsigned long long)seed,
               (unsigned long long)operations, policy->name);
        (void)fflush(stdout);
        for (size_t i = 0; i < ARRAY_COUNT(shapes); i++)
            run(&shapes[i], policy, seed * 2654435761 + i + 1, operations);
    }
    return 0;
}
