/* SPDX-License-Identifier: MIT */
/*
 * prop_engine.c: random packets against the formula of TIME-005.
 *
 * A packet depends only on earlier submissions, so start = max(ready, F(n), ends of its
 * dependencies) can be computed at once, without any events: the model knows each packet's whole
 * future when it is submitted. Usage: prop_engine [seed [packets]].
 */
#include "paging/time/engine.h"
#include "tests/support/random.h"

#include <stdio.h>
#include <stdlib.h>

enum { NODES_MAX = 5, IRQ_NS = 50, DEFAULT_PACKETS = 200000 };

struct plan {
    vidmm_ns start, end;
};

struct world {
    struct timeline timeline;
    struct fence_board board;
    struct engine_set set;
    uint64_t random;
    uint32_t nodes;
    struct plan *plans[NODES_MAX]; /* by fence */
    size_t capacity[NODES_MAX];
    vidmm_ns busy[NODES_MAX], dependency[NODES_MAX];
    uint64_t begun, finished, reported;
};

static const struct plan *plan_of(const struct world *world, const struct packet *packet)
{
    return &world->plans[packet->node][packet->fence];
}

static vidmm_ns on_begin(void *owner, struct packet *packet)
{
    struct world *world = owner;
    const struct plan *plan = plan_of(world, packet);
    CHECK(world->timeline.now == plan->start);
    world->begun++;
    return plan->end - plan->start;
}

static void on_finish(void *owner, struct packet *packet)
{
    struct world *world = owner;
    CHECK(world->timeline.now == plan_of(world, packet)->end);
    CHECK(world->board.ended[packet->node] == packet->fence);
    world->finished++;
}

static void on_interrupt(void *owner, struct packet *packet)
{
    struct world *world = owner;
    CHECK(world->timeline.now == plan_of(world, packet)->end + IRQ_NS);
    CHECK(world->board.completed[packet->node] + 1 == packet->fence);
    CHECK(fence_report(&world->board, packet->node, packet->fence));
    world->reported++;
}

static const struct engine_hooks hooks = { on_begin, on_finish, on_interrupt };

static void submit_something(struct world *world)
{
    struct packet *packet = engine_packet_take(&world->set);
    uint32_t node = packet->node = (uint32_t)random_below(&world->random, world->nodes);
    packet->fence = fence_issue(&world->board, node);
    struct plan **plans = &world->plans[node];
    BASE_GROW(*plans, world->capacity[node], (size_t)packet->fence + 1);
    vidmm_ns free_at = packet->fence > 1 ? (*plans)[packet->fence - 1].end : 0;
    vidmm_ns unblocked = max_u64(world->timeline.now, free_at), start = unblocked;
    for (uint32_t other = 0; other < world->nodes; other++) {
        uint32_t last = world->board.submitted[other];
        if (!last || random_below(&world->random, 3))
            continue;
        uint32_t fence = last - (uint32_t)random_below(&world->random, last < 4 ? last : 4);
        fences_raise(packet->waits, (struct fence_ref){ other, fence });
        start = max_u64(start, world->plans[other][fence].end);
    }
    vidmm_ns cost = random_below(&world->random, 4) ? random_below(&world->random, 300) : 0;
    (*plans)[packet->fence] = (struct plan){ start, start + cost };
    world->busy[node] += cost;
    world->dependency[node] += start - unblocked;
    engine_submit(&world->set, packet);
}

static void finish_and_compare(struct world *world, uint64_t packets)
{
    while (timeline_step(&world->timeline))
        continue;
    CHECK(world->begun == packets && world->finished == packets && world->reported == packets);
    for (uint32_t node = 0; node < world->nodes; node++) {
        struct engine_stats stats = engine_stats(&world->set, node);
        CHECK(engine_idle(&world->set, node));
        CHECK(stats.busy_ns == world->busy[node]);
        CHECK(stats.dependency_ns == world->dependency[node]);
        CHECK(stats.packets == world->board.submitted[node]);
    }
}

static void run(uint64_t seed, uint32_t nodes, uint64_t packets)
{
    struct world world = { .random = seed, .nodes = nodes };
    fence_board_init(&world.board, nodes);
    engine_set_init(&world.set, &world.timeline, &world.board, &hooks, &world);
    world.set.irq_ns = IRQ_NS;
    for (uint64_t i = 0; i < packets; i++) {
        submit_something(&world);
        if (random_below(&world.random, 2))
            timeline_run_until(&world.timeline,
                               world.timeline.now + random_below(&world.random, 250));
    }
    finish_and_compare(&world, packets);
    for (uint32_t node = 0; node < nodes; node++)
        base_free(world.plans[node]);
    engine_set_fini(&world.set);
    fence_board_fini(&world.board);
    timeline_fini(&world.timeline);
}

int main(int argc, char **argv)
{
    uint64_t seed = argc > 1 ? strtoull(argv[1], NULL, 0) : 1;
    uint64_t packets = argc > 2 ? strtoull(argv[2], NULL, 0) : DEFAULT_PACKETS;
    printf("prop_engine: seed %llu, %llu packets for each of %d numbers of nodes\n",
           (unsigned long long)seed, (unsigned long long)packets, NODES_MAX);
    (void)fflush(stdout);
    for (uint32_t nodes = 1; nodes <= NODES_MAX; nodes++)
        run(seed * 2654435761 + nodes, nodes, packets);
    return 0;
}
