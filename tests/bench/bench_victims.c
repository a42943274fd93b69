/* SPDX-License-Identifier: MIT */
/*
 * bench_victims.c: the cost of the order of victims.
 *
 *     bench_victims [RESIDENTS [PRIORITIES]]
 *
 * Residents have offsets in no order. "touch" is one use, in random order, four of each submission;
 * "file" is the cost of the next walk for each resident when all of them were used since the last
 * one; "evict" takes the first victim out and inserts another after all others; "change" gives one
 * another priority; "walk" goes over all of them. Nanoseconds of processor time each, the least of
 * five rounds.
 */
#define _POSIX_C_SOURCE 200809L
#include "segments/victim.h"
#include "tests/bench/bench.h"
#include "tests/support/random.h"

#include <stdio.h>
#include <stdlib.h>

enum { ROUNDS = 5, PER_SUBMISSION = 4, EVICTIONS = 20000 };
enum column { TOUCH, FILE_AGAIN, EVICT, CHANGE, WALK, COLUMNS };

struct bench {
    struct victim_index index;
    struct victim_node *nodes;
    size_t count;
    uint64_t priorities, use, random;
    double best[COLUMNS];
};

static void note(struct bench *bench, enum column column, double begin, size_t operations)
{
    double each = (bench_ns(CLOCK_PROCESS_CPUTIME_ID) - begin) / (double)operations;
    if (bench->best[column] == 0 || each < bench->best[column])
        bench->best[column] = each;
}

static size_t walk(struct bench *bench)
{
    struct victim_cursor cursor = victim_first(&bench->index, VICTIM_ANY_PRIORITY);
    size_t count = 0;
    while (victim_next(&cursor))
        count++;
    return count;
}

static void evict(struct bench *bench)
{
    for (size_t i = 0; i < EVICTIONS; i++) {
        struct victim_cursor cursor = victim_first(&bench->index, VICTIM_ANY_PRIORITY);
        struct victim_node *node = victim_next(&cursor);
        victim_remove(&bench->index, node);
        node->last_use = ++bench->use;
        victim_insert(&bench->index, node);
    }
}

static void round_of(struct bench *bench)
{
    double begin = bench_ns(CLOCK_PROCESS_CPUTIME_ID);
    for (size_t i = 0; i < bench->count; i++) {
        bench->use += i % PER_SUBMISSION == 0;
        victim_touch(&bench->nodes[random_below(&bench->random, bench->count)], bench->use);
    }
    note(bench, TOUCH, begin, bench->count);
    begin = bench_ns(CLOCK_PROCESS_CPUTIME_ID);
    CHECK(walk(bench) == bench->count);
    note(bench, FILE_AGAIN, begin, bench->count);
    begin = bench_ns(CLOCK_PROCESS_CPUTIME_ID);
    CHECK(walk(bench) == bench->count);
    note(bench, WALK, begin, bench->count);
    begin = bench_ns(CLOCK_PROCESS_CPUTIME_ID);
    evict(bench);
    note(bench, EVICT, begin, EVICTIONS);
    begin = bench_ns(CLOCK_PROCESS_CPUTIME_ID);
    for (size_t i = 0; i < EVICTIONS; i++)
        victim_change_priority(&bench->index,
                               &bench->nodes[random_below(&bench->random, bench->count)],
                               (uint32_t)random_below(&bench->random, bench->priorities));
    note(bench, CHANGE, begin, EVICTIONS);
}

static void run(size_t count, uint64_t priorities)
{
    struct bench bench = { .count = count, .priorities = priorities, .random = 88172645463325252 };
    bench.nodes = base_alloc(count, sizeof *bench.nodes);
    for (size_t i = 0; i < count; i++) {
        bench.nodes[i] =
            (struct victim_node){ .priority = (uint32_t)random_below(&bench.random, priorities),
                                  .offset = i * 0x9E3779B97F & 0xFFFFFFFFFF };
        victim_insert(&bench.index, &bench.nodes[i]);
    }
    for (int i = 0; i < ROUNDS; i++)
        round_of(&bench);
    printf("%9zu %10llu", count, (unsigned long long)priorities);
    for (size_t i = 0; i < COLUMNS; i++)
        printf(" %8.0f", bench.best[i]);
    printf("\n");
    victim_fini(&bench.index);
    base_free(bench.nodes);
}

int main(int argc, char **argv)
{
    size_t count = argc > 1 ? strtoull(argv[1], NULL, 10) : 0;
    printf("%9s %10s %8s %8s %8s %8s %8s   ns each\n", "residents", "priorities", "touch", "file",
           "evict", "change", "walk");
    if (count) {
        run(count, argc > 2 ? strtoull(argv[2], NULL, 10) : 5);
        return 0;
    }
    run(1000, 5);
    run(100 * 1000, 5);
    run(1000 * 1000, 5);
    run(1000 * 1000, 1000 * 1000);
    return 0;
}
