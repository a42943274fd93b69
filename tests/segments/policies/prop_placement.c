/* SPDX-License-Identifier: MIT */
/*
 * prop_placement.c: each placement policy against a slow one with a byte a page, in random spaces
 * for random searches. The slow ones follow the definitions, and look at everything.
 */
#include "segments/policies/policies.h"
#include "segments/segment.h"
#include "tests/support/random.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PAGE = 0x1000, PAGES = 96, ROUNDS = 400, STEPS = 60, NOWHERE = PAGES + 1 };

struct world {
    uint64_t random;
    struct segment segment;
    bool used[PAGES];
    uint64_t rover; /* what next-fit remembers, in pages */
    uint64_t state;
};

/* All in pages. */
struct ask {
    uint64_t low, high, pages, alignment;
    bool from_end;
};

struct hole {
    uint64_t low, high;  /* whole */
    uint64_t start, end; /* inside the window, from the first aligned start on */
};

/* ---- the slow ones -------------------------------------------------------------------------- */

/* The holes in which there is a place, in the order of the direction. */
static size_t holes_that_fit(const struct world *world, const struct ask *ask, struct hole *holes)
{
    size_t count = 0;
    for (uint64_t at = 0, end; at < PAGES; at = end + 1) {
        for (end = at; end < PAGES && !world->used[end]; end++)
            ;
        struct hole hole = { at, end, max_u64(at, ask->low), min_u64(end, ask->high) };
        while (hole.start % ask->alignment)
            hole.start++;
        if (hole.start + ask->pages <= hole.end)
            holes[count++] = hole;
    }
    for (size_t i = 0; ask->from_end && i < count / 2; i++) {
        struct hole other = holes[i];
        holes[i] = holes[count - 1 - i];
        holes[count - 1 - i] = other;
    }
    return count;
}

static uint64_t place_in(const struct ask *ask, uint64_t low, uint64_t high)
{
    if (ask->pages > high - low)
        return NOWHERE;
    if (!ask->from_end) {
        for (uint64_t at = low; at + ask->pages <= high; at++)
            if (at % ask->alignment == 0)
                return at;
        return NOWHERE;
    }
    for (uint64_t at = high - ask->pages + 1; at-- > low;)
        if (at % ask->alignment == 0)
            return at;
    return NOWHERE;
}

static uint64_t place_in_hole(const struct ask *ask, const struct hole *hole)
{
    return place_in(ask, hole->start, hole->end);
}

static uint64_t size_class(uint64_t pages)
{
    uint64_t bytes = pages * PAGE, power = 1, quarter = 0;
    while (2 * power <= bytes)
        power *= 2;
    for (uint64_t i = 1; i < 4; i++)
        quarter += bytes >= power + i * power / 4;
    return power * 4 + quarter * power;
}

static uint64_t leftover(const struct hole *hole)
{
    return hole->end - hole->start;
}

static uint64_t by_class(const struct hole *hole)
{
    return size_class(leftover(hole));
}

static uint64_t most_first(const struct hole *hole)
{
    return PAGES - leftover(hole);
}

static uint64_t slow_least(const struct world *world, const struct ask *ask,
                           uint64_t (*cost)(const struct hole *))
{
    struct hole holes[PAGES];
    size_t count = holes_that_fit(world, ask, holes), best = 0;
    for (size_t i = 1; i < count; i++)
        if (cost(&holes[i]) < cost(&holes[best]))
            best = i;
    return count ? place_in_hole(ask, &holes[best]) : NOWHERE;
}

static uint64_t slow_best(const struct world *world, const struct ask *ask)
{
    return slow_least(world, ask, leftover);
}

static uint64_t slow_worst(const struct world *world, const struct ask *ask)
{
    return slow_least(world, ask, most_first);
}

static uint64_t slow_segregated(const struct world *world, const struct ask *ask)
{
    return slow_least(world, ask, by_class);
}

/* The first hole in which there is a place on this side of the pointer, else the first of all. */
static uint64_t slow_next(const struct world *world, const struct ask *ask)
{
    struct hole holes[PAGES];
    size_t count = holes_that_fit(world, ask, holes);
    for (size_t i = 0; i < count && world->rover > ask->low && world->rover < ask->high; i++) {
        uint64_t low = ask->from_end ? holes[i].start : max_u64(holes[i].start, world->rover);
        uint64_t high = ask->from_end ? min_u64(holes[i].end, world->rover) : holes[i].end;
        if (low < high && place_in(ask, low, high) != NOWHERE)
            return place_in_hole(ask, &holes[i]);
    }
    return count ? place_in_hole(ask, &holes[0]) : NOWHERE;
}

static bool all_free(const struct world *world, const struct ask *ask, uint64_t low, uint64_t high)
{
    bool free = low >= ask->low && high <= ask->high && high <= PAGES;
    for (uint64_t i = low; free && i < high; i++)
        free = !world->used[i];
    return free;
}

/* Blocks of the smallest size first; one that is half of a larger free one is none. */
static uint64_t slow_buddy(const struct world *world, const struct ask *ask)
{
    uint64_t unit = 1;
    while (unit < ask->pages || unit < ask->alignment)
        unit *= 2;
    for (uint64_t size = unit; size <= PAGES; size *= 2)
        for (uint64_t i = 0; i <= PAGES / size; i++) {
            uint64_t at = (ask->from_end ? PAGES / size - i : i) * size;
            uint64_t parent = at / (2 * size) * (2 * size);
            if (!all_free(world, ask, at, at + size) ||
                all_free(world, ask, parent, parent + 2 * size))
                continue;
            uint64_t low = ask->from_end ? at + size - unit : at;
            return place_in(ask, low, low + unit);
        }
    return NOWHERE;
}

/* ---- the real ones -------------------------------------------------------------------------- */

struct space {
    struct vidmm_space view;
    const struct segment *segment;
};

static bool next(const struct vidmm_space *space, struct vidmm_search *rest, struct vidmm_fit *fit)
{
    return segment_next_fit(CONTAINER_OF(space, const struct space, view)->segment, rest, fit);
}

static void fail(const struct world *world, const char *policy, const struct ask *ask,
                 uint64_t wanted, uint64_t got)
{
    printf("%s: %d pages, alignment %d, in [%d, %d)%s: wanted %d, got %d\n", policy,
           (int)ask->pages, (int)ask->alignment, (int)ask->low, (int)ask->high,
           ask->from_end ? " from the end" : "", (int)wanted, (int)got);
    for (size_t i = 0; i < PAGES; i++)
        putchar(world->used[i] ? '#' : '.');
    printf("\nnext-fit is at %d\n", (int)world->rover);
    exit(1);
}

static uint64_t random_alignment(uint64_t *random)
{
    static const uint64_t alignments[] = { 1, 1, 1, 2, 4, 8, 16, 3, 5, 2 * PAGES };
    return alignments[random_below(random, ARRAY_COUNT(alignments))];
}

static struct ask random_ask(uint64_t *random)
{
    struct ask ask = { .high = PAGES, .alignment = random_alignment(random) };
    if (random_below(random, 3) == 0) {
        ask.low = random_below(random, PAGES);
        ask.high = ask.low + 1 + random_below(random, PAGES - ask.low);
    }
    ask.pages = 1 + random_below(random, random_below(random, 4) ? 8 : PAGES);
    ask.from_end = random_below(random, 2);
    return ask;
}

static struct vidmm_search search_of(const struct ask *ask)
{
    return (struct vidmm_search){ .segment = 1,
                                  .low = ask->low * PAGE,
                                  .high = ask->high * PAGE,
                                  .footprint = ask->pages * PAGE,
                                  .alignment = ask->alignment * PAGE,
                                  .from_end = ask->from_end };
}

static const struct {
    const struct vidmm_placement_policy *policy;
    uint64_t (*slow)(const struct world *world, const struct ask *ask);
} pairs[] = {
    { &placement_best_fit, slow_best },         { &placement_worst_fit, slow_worst },
    { &placement_next_fit, slow_next },         { &placement_buddy, slow_buddy },
    { &placement_segregated, slow_segregated },
};

/* Asks all of them; says where one of them, chosen by lot, wants it. */
static uint64_t ask_all(struct world *world, const struct ask *ask)
{
    struct space space = { { &world->segment.desc, next }, &world->segment };
    struct vidmm_search search = search_of(ask);
    uint64_t at = NOWHERE, chosen = random_below(&world->random, ARRAY_COUNT(pairs)), offset;
    bool possible = segment_find(&world->segment, &search, &offset);
    for (size_t i = 0; i < ARRAY_COUNT(pairs); i++) {
        const struct vidmm_placement_policy *policy = pairs[i].policy;
        uint64_t wanted = pairs[i].slow(world, ask), got = NOWHERE;
        if (policy->pick(&world->state, &space.view, &search, &offset))
            got = offset / PAGE;
        if (wanted != got || (!possible && got != NOWHERE))
            fail(world, policy->name, ask, wanted, got);
        at = i == chosen ? got : at;
    }
    if (at == NOWHERE)
        return at;
    placement_next_fit.placed(&world->state, &search, at * PAGE);
    world->rover = ask->from_end ? at : at + ask->pages;
    return at;
}

static void set(struct world *world, uint64_t page, uint64_t pages, bool used)
{
    for (uint64_t i = page; i < page + pages; i++) {
        if (world->used[i] == used)
            continue;
        struct range one = { i * PAGE, PAGE };
        if (used)
            segment_take(&world->segment, one, SEGMENT_MOVABLE);
        else
            segment_release(&world->segment, one, SEGMENT_MOVABLE);
        world->used[i] = used;
    }
}

static void play(uint64_t seed)
{
    struct world world = { .random = seed };
    struct vidmm_segment_desc desc = { .id = 1, .bytes = PAGES * PAGE, .page_bytes = PAGE };
    segment_init(&world.segment, &desc, 20);
    for (int step = 0; step < STEPS; step++) {
        struct ask ask = random_ask(&world.random);
        uint64_t at = ask_all(&world, &ask);
        if (at != NOWHERE)
            set(&world, at, ask.pages, true);
        at = random_below(&world.random, PAGES);
        if (random_below(&world.random, 3))
            set(&world, at, 1 + random_below(&world.random, min_u64(12, PAGES - at)), false);
    }
    segment_check(&world.segment);
    segment_fini(&world.segment);
}

int main(int argc, char **argv)
{
    uint64_t first = argc > 1 ? strtoull(argv[1], NULL, 10) : 1;
    uint64_t rounds = argc > 2 ? strtoull(argv[2], NULL, 10) : ROUNDS;
    for (uint64_t seed = first; seed < first + rounds; seed++)
        play(seed);
    return 0;
}
