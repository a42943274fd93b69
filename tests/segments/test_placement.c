/* SPDX-License-Identifier: MIT */
/*
 * test_placement.c: the documented plan, carried out in real segments.
 *
 * The worked examples of the segments catalogue give exact offsets; here they come out of the free
 * ranges alone, without eviction. The order of segments, and whether the plan means what the rules
 * say in every combination, are for test_placement_words.c.
 */
#include "segments/placement.h"
#include "segments/segment.h"
#include "tests/support/unit.h"

enum { PAGE = 0x1000, PAGE_64K = 0x10000, WORLD_SEGMENTS = 2, TOP_DOWN = 0x20 };

struct world {
    size_t count;
    struct segment segments[WORLD_SEGMENTS];
    const struct vidmm_segment_desc *table[WORLD_SEGMENTS];
};

static void add_segment(struct world *world, const struct vidmm_segment_desc *given)
{
    struct vidmm_segment_desc desc = *given;
    desc.id = (uint32_t)world->count + 1;
    desc.page_bytes = given->page_bytes ? given->page_bytes : PAGE;
    struct segment *segment = &world->segments[world->count];
    segment_init(segment, &desc, 20);
    world->table[world->count++] = &segment->desc;
}

static void add_memory(struct world *world, uint64_t bytes)
{
    struct vidmm_segment_desc desc = { .bytes = bytes };
    add_segment(world, &desc);
}

/* The segment of examples 4 and 5. */
static void add_banked(struct world *world)
{
    static const uint64_t ends[] = { 0x40000, 0x80000 };
    struct vidmm_segment_desc desc = {
        .flags = SEGMENT_USE_BANKING, .bytes = 0x100000, .bank_count = 3, .bank_ends = ends
    };
    add_segment(world, &desc);
}

static void end_world(struct world *world)
{
    for (size_t i = 0; i < world->count; i++) {
        segment_check(&world->segments[i]);
        segment_fini(&world->segments[i]);
    }
}

static void hold(struct world *world, uint32_t id, uint64_t start, uint64_t end)
{
    segment_take(&world->segments[id - 1], (struct range){ start, end - start }, false);
}

static size_t plan(const struct world *world, const struct vidmm_demand *demand,
                   struct vidmm_search *searches)
{
    return placement_plan(demand, world->table, world->count, searches);
}

struct found {
    uint32_t segment; /* 0: nowhere */
    uint64_t offset;
    enum vidmm_rule why;
};

/* The first search that finds a place; the place is taken. */
static struct found place(struct world *world, const struct vidmm_demand *demand)
{
    struct vidmm_search searches[VIDMM_SEARCHES_MAX];
    size_t count = plan(world, demand, searches);
    for (size_t i = 0; i < count; i++) {
        struct segment *segment = &world->segments[searches[i].segment - 1];
        uint64_t offset;
        if (!segment_find(segment, &searches[i], &offset))
            continue;
        segment_take(segment, (struct range){ offset, searches[i].footprint }, demand->pinned);
        return (struct found){ searches[i].segment, offset, searches[i].why };
    }
    return (struct found){ 0 };
}

static void assert_place(struct world *world, const struct vidmm_demand *demand,
                         struct found expected)
{
    struct found found = place(world, demand);
    assert_int_equal(found.segment, expected.segment);
    assert_int_equal(found.offset, expected.offset);
    assert_int_equal(found.why, expected.why);
}

static struct vidmm_demand demand_of(uint64_t bytes, uint64_t alignment)
{
    return (struct vidmm_demand){
        .bytes = bytes, .alignment = alignment, .segments = 1, .wddm = VIDMM_WDDM_1_1
    };
}

static void test_fields_of_the_preferences(void **state)
{
    (void)state;
    const uint32_t preferred =
        1 | 1u << 5 | 31u << 6 | 2u << 12 | 1u << 17 | 3u << 18 | 4u << 24 | 1u << 29;
    const uint32_t ids[] = { 1, 31, 2, 3, 4 };
    const bool down[] = { true, false, true, false, true };
    for (unsigned i = 0; i < VIDMM_PREFERENCES_MAX; i++) {
        assert_int_equal(preference_segment(preferred, i), ids[i]);
        assert_int_equal(preference_top_down(preferred, i), down[i]);
        assert_true(preference_top_down(PREFERENCES_TOP_DOWN, i));
        assert_false(preference_top_down(~(uint32_t)PREFERENCES_TOP_DOWN, i));
    }
    const uint32_t hint = 0x7F | 0x81u << 8 | 0x02u << 16 | 0xFFu << 24;
    const uint32_t banks[] = { 127, 1, 2, 127 };
    const bool bank_down[] = { false, true, false, true };
    for (unsigned i = 0; i < VIDMM_BANK_HINTS_MAX; i++) {
        assert_int_equal(hinted_bank(hint, i), banks[i]);
        assert_int_equal(hinted_bank_top_down(hint, i), bank_down[i]);
    }
}

static void test_example_1_default_scan(void **state)
{
    (void)state;
    struct world world = { 0 };
    add_memory(&world, 0x40000);
    hold(&world, 1, 0x0, 0x3000);
    hold(&world, 1, 0x8000, 0xC000);
    struct vidmm_demand demand = demand_of(0x4801, 0x2000);
    assert_place(&world, &demand, (struct found){ 1, 0xC000, VIDMM_RULE(PLACE_007) });
    assert_int_equal(world.segments[0].used_bytes, 0x3000 + 0x4000 + 0x5000);
    end_world(&world);
}

static void test_example_2_from_the_end(void **state)
{
    (void)state;
    struct world world = { 0 };
    add_memory(&world, 0x40000);
    hold(&world, 1, 0x3C000, 0x40000);
    struct vidmm_demand demand = demand_of(0x5000, 0x4000);
    demand.from_end = true;
    assert_place(&world, &demand, (struct found){ 1, 0x34000, VIDMM_RULE(PLACE_008) });
    assert_true(range_tree_is_free(&world.segments[0].space, (struct range){ 0x39000, 0x3000 }));
    end_world(&world);
}

static void test_example_3_direction_bit_and_flag(void **state)
{
    (void)state;
    static const struct {
        uint32_t wddm, preferred;
        bool from_end;
        enum vidmm_direction_zero zero;
        uint64_t offset;
        enum vidmm_rule why;
    } cases[] = {
        { VIDMM_WDDM_1_3, 1, true, VIDMM_DIRECTION_ZERO_AUTO, 0x0, VIDMM_RULE(PLACE_008) },
        { VIDMM_WDDM_2_0, 1, true, VIDMM_DIRECTION_ZERO_AUTO, 0x3B000, VIDMM_RULE(PLACE_008) },
        { VIDMM_WDDM_1_3, 1 | TOP_DOWN, false, VIDMM_DIRECTION_ZERO_AUTO, 0x3B000,
          VIDMM_RULE(PLACE_008) },
        { VIDMM_WDDM_2_0, 1 | TOP_DOWN, false, VIDMM_DIRECTION_ZERO_AUTO, 0x3B000,
          VIDMM_RULE(PLACE_008) },
        { VIDMM_WDDM_1_3, 0, true, VIDMM_DIRECTION_ZERO_AUTO, 0x3B000, VIDMM_RULE(PLACE_008) },
        /* cases that the table omits: nothing at all, and the setting that forces one reading */
        { VIDMM_WDDM_2_0, 1, false, VIDMM_DIRECTION_ZERO_AUTO, 0x0, VIDMM_RULE(PLACE_007) },
        { VIDMM_WDDM_1_3, 1, false, VIDMM_DIRECTION_ZERO_AUTO, 0x0, VIDMM_RULE(PLACE_008) },
        { VIDMM_WDDM_1_3, 1, true, VIDMM_DIRECTION_ZERO_VIDMM, 0x3B000, VIDMM_RULE(PLACE_008) },
        { VIDMM_WDDM_2_0, 1, true, VIDMM_DIRECTION_ZERO_BOTTOM_UP, 0x0, VIDMM_RULE(PLACE_008) },
        { VIDMM_WDDM_1_3, 1, false, VIDMM_DIRECTION_ZERO_VIDMM, 0x0, VIDMM_RULE(PLACE_007) },
    };
    for (size_t i = 0; i < ARRAY_COUNT(cases); i++) {
        struct world world = { 0 };
        add_memory(&world, 0x40000);
        struct vidmm_demand demand = demand_of(0x5000, PAGE);
        demand.wddm = cases[i].wddm;
        demand.preferred = cases[i].preferred;
        demand.from_end = cases[i].from_end;
        demand.direction_zero = cases[i].zero;
        assert_place(&world, &demand, (struct found){ 1, cases[i].offset, cases[i].why });
        end_world(&world);
    }
}

struct bank_case {
    uint32_t preferred, hint;
    struct found found;
};

static void run_bank_cases(const struct bank_case *cases, size_t count, const struct range *held)
{
    for (size_t i = 0; i < count; i++) {
        struct world world = { 0 };
        add_banked(&world);
        if (held)
            hold(&world, 1, held->offset, range_end(*held));
        struct vidmm_demand demand = demand_of(0x10000, PAGE);
        demand.preferred = cases[i].preferred;
        demand.hinted_bank = cases[i].hint;
        demand.from_end = cases[i].preferred & TOP_DOWN;
        assert_place(&world, &demand, cases[i].found);
        end_world(&world);
    }
}

static void test_example_4_bank_hint_wins(void **state)
{
    (void)state;
    const struct bank_case cases[] = {
        { 1 | TOP_DOWN, 0x02, { 1, 0x40000, VIDMM_RULE(PLACE_010) } },
        { 1 | TOP_DOWN, 0x82, { 1, 0x70000, VIDMM_RULE(PLACE_010) } },
        { 1 | TOP_DOWN, 0x00, { 1, 0xF0000, VIDMM_RULE(PLACE_008) } },
        { 0, 0x82, { 1, 0x0, VIDMM_RULE(PLACE_007) } },      /* ALLOC-028: no SegmentId0 */
        { 1 << 6, 0x82, { 1, 0x0, VIDMM_RULE(PLACE_008) } }, /* it is SegmentId1 only */
        { 1 | TOP_DOWN,
          0x8200,
          { 1, 0x70000, VIDMM_RULE(PLACE_010) } }, /* ALLOC-029: Bank1 alone */
        { 1, 0x83, { 1, 0xF0000, VIDMM_RULE(PLACE_010) } },
    };
    run_bank_cases(cases, ARRAY_COUNT(cases), NULL);
}

static void test_example_5_across_a_bank_edge(void **state)
{
    (void)state;
    const struct range held = { 0x48000, 0x38000 };
    const struct bank_case cases[] = {
        { 1, 0x02, { 1, 0x0, VIDMM_RULE(PLACE_008) } },
        { 1, 0x82, { 1, 0x38000, VIDMM_RULE(PLACE_010) } },
        { 1, 0x8302, { 1, 0xF0000, VIDMM_RULE(PLACE_010) } },
    };
    run_bank_cases(cases, ARRAY_COUNT(cases), &held);
}

static void test_upwards_across_a_bank_edge(void **state)
{
    (void)state;
    const struct range held = { 0x40000, 0x38000 }; /* bank 2 keeps [0x78000, 0x80000) */
    const struct bank_case cases[] = {
        { 1, 0x02, { 1, 0x78000, VIDMM_RULE(PLACE_010) } },
        { 1, 0x82, { 1, 0x0, VIDMM_RULE(PLACE_008) } },
        { 1 | TOP_DOWN, 0x82, { 1, 0xF0000, VIDMM_RULE(PLACE_008) } },
    };
    run_bank_cases(cases, ARRAY_COUNT(cases), &held);
}

/* SEG-042: WDDM 2.0 and later have no banks; a hint that is given all the same is ignored. */
static void test_no_banks_from_2_0_on(void **state)
{
    (void)state;
    struct world world = { 0 };
    add_banked(&world);
    struct vidmm_demand demand = demand_of(0x10000, PAGE);
    struct vidmm_search searches[VIDMM_SEARCHES_MAX];
    demand.preferred = 1;
    demand.hinted_bank = 0x83028201;
    assert_int_equal(plan(&world, &demand, searches), 9);
    demand.wddm = VIDMM_WDDM_2_0;
    assert_int_equal(plan(&world, &demand, searches), 1);
    end_world(&world);
}

/* Banks 1 upwards, 2 downwards, 2 upwards, 3 downwards, for 16 pages: every window. */
static void test_windows_of_the_bank_searches(void **state)
{
    (void)state;
    static const struct {
        uint64_t low, high;
        bool from_end;
    } expected[] = {
        { 0x0, 0x40000, false },     { 0x40000, 0x80000, true },  { 0x40000, 0x80000, false },
        { 0x80000, 0x100000, true }, { 0x0, 0x4F000, false },     { 0x31000, 0x80000, true },
        { 0x40000, 0x8F000, false }, { 0x71000, 0x100000, true }, { 0x0, 0x100000, false },
    };
    struct world world = { 0 };
    add_banked(&world);
    struct vidmm_demand demand = demand_of(0x10000, PAGE);
    struct vidmm_search searches[VIDMM_SEARCHES_MAX];
    demand.preferred = 1;
    demand.hinted_bank = 0x83028201;
    assert_int_equal(plan(&world, &demand, searches), ARRAY_COUNT(expected));
    for (size_t i = 0; i < ARRAY_COUNT(expected); i++) {
        assert_int_equal(searches[i].low, expected[i].low);
        assert_int_equal(searches[i].high, expected[i].high);
        assert_int_equal(searches[i].from_end, expected[i].from_end);
        assert_int_equal(searches[i].footprint, 0x10000);
    }
    end_world(&world);
}

/* One page never crosses an edge, and bank 3 downwards ends where the segment ends. */
static void test_searches_that_can_find_nothing_new_are_left_out(void **state)
{
    (void)state;
    struct world world = { 0 };
    add_banked(&world);
    struct vidmm_search searches[VIDMM_SEARCHES_MAX];
    struct vidmm_demand demand = demand_of(PAGE, PAGE);
    demand.preferred = 1;
    demand.hinted_bank = 0x83028201;
    assert_int_equal(plan(&world, &demand, searches), 5);
    demand = demand_of(0x50000, PAGE); /* larger than banks 1 and 2 */
    demand.preferred = 1;
    demand.hinted_bank = 0x02;
    assert_int_equal(plan(&world, &demand, searches), 2);
    demand = demand_of(0x20000, PAGE); /* upwards in the last bank nothing follows */
    demand.preferred = 1;
    demand.hinted_bank = 0x03;
    assert_int_equal(plan(&world, &demand, searches), 2);
    demand = demand_of(0x101000, PAGE);
    assert_int_equal(plan(&world, &demand, searches), 0);
    demand = demand_of(UINT64_MAX - 0xFFF, PAGE);
    assert_int_equal(plan(&world, &demand, searches), 0);
    end_world(&world);
}

static struct vidmm_demand overlay_of(uint64_t pages)
{
    struct vidmm_demand demand = demand_of(pages * PAGE, PAGE);
    demand.pinned = true;
    return demand;
}

static void test_example_6_the_last_fifth(void **state)
{
    (void)state;
    struct world world = { 0 };
    struct vidmm_segment_desc desc = { .flags = SEGMENT_APERTURE, .bytes = 0x64000 };
    add_segment(&world, &desc);
    const struct found nowhere = { 0 };
    struct vidmm_demand overlay = overlay_of(8), capture = overlay_of(12), third = overlay_of(1);
    assert_place(&world, &overlay, (struct found){ 1, 0x50000, VIDMM_RULE(PLACE_023) });
    assert_place(&world, &capture, (struct found){ 1, 0x58000, VIDMM_RULE(PLACE_023) });
    assert_place(&world, &third, nowhere);
    assert_int_equal(world.segments[0].pinned_bytes, 0x14000);
    end_world(&world);
}

static void test_example_7_other_sizes(void **state)
{
    (void)state;
    static const struct {
        uint64_t segment_pages, page_bytes, bytes, alignment;
        bool from_end, fits;
        uint64_t offset;
    } cases[] = {
        { 64, PAGE, 12 * PAGE, PAGE, false, true, 0x34000 },
        { 64, PAGE, 13 * PAGE, PAGE, false, false, 0 },
        { 63, PAGE, 12 * PAGE, PAGE, false, true, 0x33000 },
        { 63, PAGE, 13 * PAGE, PAGE, false, false, 0 },
        { 7, PAGE, PAGE, PAGE, false, true, 0x6000 },
        { 7, PAGE, 2 * PAGE, PAGE, false, false, 0 },
        { 5, PAGE, PAGE, PAGE, false, true, 0x4000 },
        { 4, PAGE, PAGE, PAGE, false, false, 0 },
        { 17, PAGE_64K, PAGE, PAGE_64K, false, true, 0xE0000 },
        { 17, PAGE_64K, 3 * PAGE_64K, PAGE_64K, false, true, 0xE0000 },
        { 17, PAGE_64K, 3 * PAGE_64K + PAGE, PAGE_64K, false, false, 0 },
        { 64, PAGE, 8 * PAGE, 0x8000, false, true, 0x38000 },
        { 64, PAGE, 9 * PAGE, 0x8000, false, false, 0 },
        { 64, PAGE, 5 * PAGE, PAGE, true, true, 0x3B000 },
    };
    for (size_t i = 0; i < ARRAY_COUNT(cases); i++) {
        struct world world = { 0 };
        struct vidmm_segment_desc desc = { .bytes = cases[i].segment_pages * cases[i].page_bytes,
                                           .page_bytes = cases[i].page_bytes };
        add_segment(&world, &desc);
        struct vidmm_demand demand = demand_of(cases[i].bytes, cases[i].alignment);
        demand.pinned = true;
        demand.from_end = cases[i].from_end;
        struct found expected = { cases[i].fits ? 1 : 0, cases[i].offset,
                                  cases[i].fits ? VIDMM_RULE(PLACE_023) : VIDMM_RULE_NONE };
        assert_place(&world, &demand, expected);
        end_world(&world);
    }
}

/* The pinned region of the banked segment, 256 pages, starts in bank 3, at page 205. */
static void test_banks_inside_the_pinned_region(void **state)
{
    (void)state;
    static const struct {
        uint32_t hint;
        size_t searches;
        uint64_t offset;
    } cases[] = { { 0x03, 2, 0xCD000 }, { 0x83, 2, 0xFE000 }, { 0x02, 1, 0xCD000 } };
    for (size_t i = 0; i < ARRAY_COUNT(cases); i++) {
        struct world world = { 0 };
        add_banked(&world);
        struct vidmm_search searches[VIDMM_SEARCHES_MAX];
        struct vidmm_demand demand = overlay_of(2);
        demand.preferred = 1;
        demand.hinted_bank = cases[i].hint;
        assert_int_equal(plan(&world, &demand, searches), cases[i].searches);
        assert_place(&world, &demand, (struct found){ 1, cases[i].offset, VIDMM_RULE(PLACE_023) });
        end_world(&world);
    }
}

/* Example 8 up to the return of T1, as far as free ranges alone decide it. */
static void test_example_8_room_in_the_region(void **state)
{
    (void)state;
    struct world world = { 0 };
    add_memory(&world, 0x40000);
    hold(&world, 1, 0x0, 0x30000);
    hold(&world, 1, 0x30000, 0x3C000);
    struct vidmm_demand overlay = overlay_of(6), again = demand_of(0xC000, PAGE);
    assert_place(&world, &overlay, (struct found){ 0 });
    segment_release(&world.segments[0], (struct range){ 0x30000, 0xC000 }, false);
    assert_place(&world, &overlay, (struct found){ 1, 0x34000, VIDMM_RULE(PLACE_023) });
    assert_place(&world, &again, (struct found){ 0 });
    segment_release(&world.segments[0], (struct range){ 0x0, 0x30000 }, false);
    assert_place(&world, &again, (struct found){ 1, 0x0, VIDMM_RULE(PLACE_007) });
    end_world(&world);
}

/* Takes the pages that are found; the caller owns the runs. */
static size_t take_pages(struct segment *segment, const struct vidmm_search *search,
                         struct range **runs)
{
    size_t count = segment_find_pages(segment, search, runs);
    for (size_t i = 0; i < count; i++)
        segment_take(segment, (*runs)[i], SEGMENT_MOVABLE);
    return count;
}

static void test_example_11_pages_and_range(void **state)
{
    (void)state;
    for (int from_end = 0; from_end < 2; from_end++) {
        struct world world = { 0 };
        add_memory(&world, 0x10000);
        for (uint64_t page = 1; page <= 7; page += 2)
            hold(&world, 1, page * PAGE, (page + 1) * PAGE);
        struct vidmm_search searches[VIDMM_SEARCHES_MAX];
        struct vidmm_demand request_q = demand_of(4 * PAGE, PAGE);
        struct vidmm_demand request_r = demand_of(5 * PAGE, PAGE);
        request_q.wddm = request_r.wddm = VIDMM_WDDM_2_0;
        request_r.preferred = 1;
        request_r.from_end = from_end;
        assert_int_equal(plan(&world, &request_q, searches), 1);
        struct range *runs;
        assert_int_equal(take_pages(&world.segments[0], &searches[0], &runs), 4);
        for (uint64_t i = 0; i < 4; i++)
            assert_int_equal(runs[i].offset, i * 2 * PAGE);
        base_free(runs);
        assert_place(&world, &request_r,
                     (struct found){ 1, from_end ? 0xB000 : 0x8000,
                                     from_end ? VIDMM_RULE(PLACE_008) : VIDMM_RULE(PLACE_007) });
        end_world(&world);
    }
}

/* Example 12, B: the set of the reference says which preference counts. */
static void test_example_12_read_and_write(void **state)
{
    (void)state;
    struct world world = { 0 };
    add_memory(&world, 0x40000);
    add_segment(&world,
                &(struct vidmm_segment_desc){ .flags = SEGMENT_APERTURE, .bytes = 0x40000 });
    struct vidmm_demand demand = demand_of(0x4000, PAGE);
    demand.preferred = 2 | 1 << 6;
    demand.segments = 0x3;
    assert_place(&world, &demand, (struct found){ 2, 0x0, VIDMM_RULE(PLACE_008) });
    demand.segments = 0x1;
    assert_place(&world, &demand, (struct found){ 1, 0x0, VIDMM_RULE(PLACE_008) });
    end_world(&world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_fields_of_the_preferences),
        cmocka_unit_test(test_example_1_default_scan),
        cmocka_unit_test(test_example_2_from_the_end),
        cmocka_unit_test(test_example_3_direction_bit_and_flag),
        cmocka_unit_test(test_example_4_bank_hint_wins),
        cmocka_unit_test(test_example_5_across_a_bank_edge),
        cmocka_unit_test(test_upwards_across_a_bank_edge),
        cmocka_unit_test(test_no_banks_from_2_0_on),
        cmocka_unit_test(test_windows_of_the_bank_searches),
        cmocka_unit_test(test_searches_that_can_find_nothing_new_are_left_out),
        cmocka_unit_test(test_example_6_the_last_fifth),
        cmocka_unit_test(test_example_7_other_sizes),
        cmocka_unit_test(test_banks_inside_the_pinned_region),
        cmocka_unit_test(test_example_8_room_in_the_region),
        cmocka_unit_test(test_example_11_pages_and_range),
        cmocka_unit_test(test_example_12_read_and_write),
    };
    return cmocka_run_group_tests_name("placement", tests, NULL, NULL);
}
