/* SPDX-License-Identifier: MIT */
/*
 * test_optimum.c: lower bounds of misses, on cases that can be counted by hand and against every
 * possible order of leaving.
 */
#include "tests/support/random.h"
#include "tests/support/unit.h"
#include "tools/lab/optimum.h"
#include "vidmm/base/base.h"

enum { OBJECTS = 6, USES = 12, NEVER = 1000 };

struct trace {
    uint64_t sizes[OBJECTS];
    unsigned uses[USES];
    size_t count;
    uint64_t capacity;
};

/* ---- every order ------------------------------------------------------------------------------
 */

static uint64_t bytes_of(const struct trace *trace, unsigned residents)
{
    uint64_t bytes = 0;
    for (unsigned i = 0; i < OBJECTS; i++)
        bytes += residents >> i & 1 ? trace->sizes[i] : 0;
    return bytes;
}

/* The fewest misses (or missed bytes) from reference `at` on, with these residents: what is
   referenced comes in, and any of the others may leave. */
static uint64_t fewest(const struct trace *trace, size_t at, unsigned residents, bool by_bytes)
{
    if (at == trace->count)
        return 0;
    unsigned wanted = trace->uses[at];
    uint64_t cost = residents >> wanted & 1 ? 0 : by_bytes ? trace->sizes[wanted] : 1;
    uint64_t least = UINT64_MAX;
    unsigned all = residents | 1U << wanted;
    for (unsigned keep = 0; keep < 1U << OBJECTS; keep++) {
        if (keep & ~all || !(keep >> wanted & 1) || bytes_of(trace, keep) > trace->capacity)
            continue;
        least = min_u64(least, fewest(trace, at + 1, keep, by_bytes));
    }
    return least == UINT64_MAX ? NEVER : cost + least;
}

static struct optimum_bounds bounds_of(const struct trace *trace)
{
    struct optimum *optimum = optimum_new();
    struct optimum_bounds bounds;
    uint64_t bytes[OPTIMUM_SEGMENTS] = { trace->capacity };
    for (size_t i = 0; i < trace->count; i++)
        optimum_use(optimum, 100 + trace->uses[i], trace->sizes[trace->uses[i]], 1, false);
    optimum_bounds(optimum, bytes, &bounds);
    optimum_free(optimum);
    assert_true(bounds.known);
    return bounds;
}

/* ---- by hand ----------------------------------------------------------------------------------
 */

/* a b c a b c ... with room for two: of each round but the first, MIN loses one of two. */
static void loops_of_one_size(void **state)
{
    (void)state;
    struct trace trace = { .sizes = { 4, 4, 4 }, .count = 9, .capacity = 8 };
    for (unsigned i = 0; i < 9; i++)
        trace.uses[i] = i % 3;
    assert_int_equal(fewest(&trace, 0, 0, false), 6);
    assert_int_equal(bounds_of(&trace).misses, 6);
    assert_int_equal(bounds_of(&trace).miss_bytes, 24);
    trace.capacity = 12;
    assert_int_equal(bounds_of(&trace).misses, 3);
    trace.capacity = 4;
    assert_int_equal(bounds_of(&trace).misses, 9);
}

/* The large one is worth less than the small ones that fit in its place. */
static void small_ones_first(void **state)
{
    (void)state;
    const struct trace trace = {
        .sizes = { 8, 2, 2, 2 }, .uses = { 0, 1, 2, 3, 1, 2, 3, 0 }, .count = 8, .capacity = 8
    };
    struct optimum_bounds bounds = bounds_of(&trace);
    /* Volumes 6, 6, 6 and 56 of 64 that there are: three hits of four. */
    assert_int_equal(bounds.misses, 5);
    /* By bytes 18 for the small ones, and 46 / 7 = 6 bytes of the large one. */
    assert_int_equal(bounds.miss_bytes, 14 + 2);
    assert_int_equal(fewest(&trace, 0, 0, false), 5);
}

static void every_reference_once(void **state)
{
    (void)state;
    const struct trace trace = {
        .sizes = { 1, 2, 3 }, .uses = { 0, 1, 2 }, .count = 3, .capacity = 6
    };
    assert_int_equal(bounds_of(&trace).misses, 3);
    assert_int_equal(bounds_of(&trace).miss_bytes, 6);
}

/* Segments that no allocation can choose between do not share their room; those that one can, do.
 */
static void segments_apart(void **state)
{
    (void)state;
    uint64_t bytes[OPTIMUM_SEGMENTS] = { 4, 4, 4 };
    struct optimum_bounds bounds;
    struct optimum *optimum = optimum_new();
    for (unsigned round = 0; round < 3; round++) {
        optimum_use(optimum, 1, 4, 1, false);
        optimum_use(optimum, 2, 4, 1, false);
        optimum_use(optimum, 3, 4, 2, false);
    }
    optimum_bounds(optimum, bytes, &bounds);
    assert_int_equal(bounds.misses, 6 + 1);
    optimum_use(optimum, 4, 4, 3, false);
    optimum_bounds(optimum, bytes, &bounds);
    assert_true(bounds.misses < 6 + 1 + 1);
    optimum_free(optimum);
}

static void what_something_else_brought(void **state)
{
    (void)state;
    uint64_t bytes[OPTIMUM_SEGMENTS] = { 4 };
    struct optimum_bounds bounds;
    struct optimum *optimum = optimum_new();
    optimum_use(optimum, 1, 4, 1, true); /* was there */
    optimum_use(optimum, 2, 4, 1, false);
    optimum_use(optimum, 3, 4, 1, false);
    optimum_use(optimum, 3, 4, 1, true);
    optimum_use(optimum, 2, 4, 1, false);
    optimum_bounds(optimum, bytes, &bounds);
    assert_int_equal(bounds.misses, 3);
    optimum_exempt(optimum, 2);
    optimum_bounds(optimum, bytes, &bounds);
    assert_int_equal(bounds.misses, 1);
    optimum_exempt(optimum, 9); /* never referenced */
    optimum_bounds(optimum, bytes, &bounds);
    assert_int_equal(bounds.misses, 1);
    optimum_free(optimum);
}

/* Products of sizes and lengths have more than 64 bits. */
static void sizes_of_the_sky(void **state)
{
    (void)state;
    const uint64_t large = UINT64_C(1) << 61;
    const struct trace trace = { .sizes = { large, large, 1 },
                                 .uses = { 0, 1, 2, 0, 1, 2, 0, 1 },
                                 .count = 8,
                                 .capacity = 2 * large };
    assert_int_equal(bounds_of(&trace).misses, 3);
    assert_true(bounds_of(&trace).miss_bytes >= 2 * large + 1);
}

/* ---- by chance --------------------------------------------------------------------------------
 */

static struct trace any_trace(uint64_t *seed, bool one_size)
{
    struct trace trace = { .count = 3 + random_below(seed, 5) };
    unsigned objects = 2 + (unsigned)random_below(seed, OBJECTS - 1);
    for (unsigned i = 0; i < OBJECTS; i++)
        trace.sizes[i] = one_size ? 3 : 1 + random_below(seed, 5);
    for (size_t i = 0; i < trace.count; i++)
        trace.uses[i] = (unsigned)random_below(seed, objects);
    trace.capacity = 5 + random_below(seed, 8);
    return trace;
}

static void exact_for_one_size(void **state)
{
    (void)state;
    for (uint64_t i = 0; i < 150; i++) {
        uint64_t seed = i;
        struct trace trace = any_trace(&seed, true);
        struct optimum_bounds bounds = bounds_of(&trace);
        assert_int_equal(bounds.misses, fewest(&trace, 0, 0, false));
        assert_int_equal(bounds.miss_bytes, fewest(&trace, 0, 0, true));
    }
}

/* Never above the optimum, and not always far below it. */
static void below_for_other_sizes(void **state)
{
    (void)state;
    unsigned exact = 0;
    for (uint64_t i = 0; i < 150; i++) {
        uint64_t seed = 1000 + i;
        struct trace trace = any_trace(&seed, false);
        struct optimum_bounds bounds = bounds_of(&trace);
        uint64_t least = fewest(&trace, 0, 0, false);
        assert_true(bounds.misses <= least);
        assert_true(bounds.miss_bytes <= fewest(&trace, 0, 0, true));
        exact += bounds.misses == least;
    }
    assert_true(exact > 75);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(loops_of_one_size),           cmocka_unit_test(small_ones_first),
        cmocka_unit_test(every_reference_once),        cmocka_unit_test(segments_apart),
        cmocka_unit_test(what_something_else_brought), cmocka_unit_test(sizes_of_the_sky),
        cmocka_unit_test(exact_for_one_size),          cmocka_unit_test(below_for_other_sizes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
