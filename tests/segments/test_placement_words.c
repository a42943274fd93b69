/* SPDX-License-Identifier: MIT */
/*
 * test_placement_words.c: the documented plan against a slow reading of the rules.
 *
 * The slow reading has no windows and no plan: it asks of every page of every segment, in the order
 * that PLACE-004 and PLACE-010 give, whether an allocation may begin there. Random segments, banks,
 * occupants and demands; both must find the same place, or none.
 */
#include "segments/placement.h"
#include "segments/segment.h"
#include "tests/segments/model_ranges.h"
#include "tests/support/random.h"
#include "tests/support/unit.h"

enum { PAGE = 0x1000, SEGMENTS = 4, PAGES_MAX = 96, ROUNDS = 30000 };

struct slow_segment {
    uint64_t pages, page; /* `page`: segment page in host pages */
    uint64_t bank_ends[8];
    uint32_t banks;
    bool used[PAGES_MAX];
};

struct slow_world {
    uint64_t random;
    size_t count;
    struct slow_segment slow[SEGMENTS];
    struct segment real[SEGMENTS];
    const struct vidmm_segment_desc *table[SEGMENTS];
};

struct slow_place {
    uint32_t segment; /* 0: none */
    uint64_t page;
};

/* Which starts a step of PLACE-010 allows. */
enum step { INSIDE_BANK, ACROSS_EDGE, ANYWHERE };

struct slow_step {
    enum step step;
    uint64_t bank_first, bank_end; /* pages */
    bool from_end;
};

static uint64_t below(struct slow_world *world, uint64_t limit)
{
    return random_below(&world->random, limit);
}

static bool step_allows(const struct slow_step *step, uint64_t start, uint64_t end)
{
    if (step->step == INSIDE_BANK)
        return start >= step->bank_first && end <= step->bank_end;
    if (step->step == ACROSS_EDGE && step->from_end)
        return end - 1 >= step->bank_first && end - 1 < step->bank_end;
    if (step->step == ACROSS_EDGE)
        return start >= step->bank_first && start < step->bank_end;
    return true;
}

static bool may_begin(const struct slow_segment *segment, const struct vidmm_demand *demand,
                      uint64_t start, uint64_t pages)
{
    uint64_t units = segment->pages / segment->page;
    uint64_t first = demand->pinned ? (units - units * 20 / 100) * segment->page : 0;
    if (start < first || start + pages > segment->pages)
        return false;
    if (start % segment->page != 0 || start * PAGE % demand->alignment != 0)
        return false;
    for (uint64_t i = 0; i < pages; i++)
        if (segment->used[start + i])
            return false;
    return true;
}

static bool slow_try(const struct slow_segment *segment, const struct vidmm_demand *demand,
                     const struct slow_step *step, uint64_t *page)
{
    uint64_t pages = (demand->bytes + PAGE - 1) / PAGE;
    pages = (pages + segment->page - 1) / segment->page * segment->page;
    for (uint64_t i = 0; i < segment->pages; i++) {
        uint64_t start = step->from_end ? segment->pages - 1 - i : i;
        if (!may_begin(segment, demand, start, pages) || !step_allows(step, start, start + pages))
            continue;
        *page = start;
        return true;
    }
    return false;
}

static bool slow_try_banks(const struct slow_segment *segment, const struct vidmm_demand *demand,
                           enum step which, uint64_t *page)
{
    for (unsigned i = 0; i < 4; i++) {
        uint32_t entry = demand->hinted_bank >> (8 * i) & 0xFF;
        uint32_t bank = entry & 0x7F;
        if (bank == 0 || bank > segment->banks)
            continue;
        struct slow_step step = { which, bank == 1 ? 0 : segment->bank_ends[bank - 2],
                                  segment->bank_ends[bank - 1], entry & 0x80 };
        if (slow_try(segment, demand, &step, page))
            return true;
    }
    return false;
}

/* PLACE-008 for a segment outside the bank scan; `entry` -1: not a preferred one. */
static bool slow_direction(const struct vidmm_demand *demand, int entry)
{
    bool new_reading = demand->wddm >= VIDMM_WDDM_2_0;
    if (demand->direction_zero != VIDMM_DIRECTION_ZERO_AUTO)
        new_reading = demand->direction_zero == VIDMM_DIRECTION_ZERO_VIDMM;
    if (entry >= 0 && demand->preferred >> (6 * entry + 5) & 1)
        return true;
    if (entry >= 0 && !new_reading)
        return false;
    return demand->from_end;
}

static bool slow_try_segment(const struct slow_world *world, const struct vidmm_demand *demand,
                             uint32_t id, int entry, struct slow_place *place)
{
    const struct slow_segment *segment = &world->slow[id - 1];
    struct slow_step step = { ANYWHERE, 0, 0, slow_direction(demand, entry) };
    place->segment = id;
    if (entry == 0 && demand->wddm < VIDMM_WDDM_2_0) {
        if (slow_try_banks(segment, demand, INSIDE_BANK, &place->page) ||
            slow_try_banks(segment, demand, ACROSS_EDGE, &place->page))
            return true;
    }
    return slow_try(segment, demand, &step, &place->page);
}

static struct slow_place slow_place(const struct slow_world *world,
                                    const struct vidmm_demand *demand)
{
    struct slow_place place = { 0 };
    bool seen[32] = { true };
    for (int pass = 0; pass < 5 + SEGMENTS; pass++) {
        uint32_t id = pass < 5 ? demand->preferred >> (6 * pass) & 0x1F : (uint32_t)pass - 4;
        if (seen[id] || id > world->count || !(demand->segments >> (id - 1) & 1))
            continue;
        seen[id] = true;
        if (slow_try_segment(world, demand, id, pass < 5 ? pass : -1, &place))
            return place;
    }
    return (struct slow_place){ 0 };
}

static struct slow_place real_place(const struct slow_world *world,
                                    const struct vidmm_demand *demand)
{
    struct vidmm_search searches[VIDMM_SEARCHES_MAX];
    size_t count = placement_plan(demand, world->table, world->count, searches);
    for (size_t i = 0; i < count; i++) {
        uint64_t offset;
        if (segment_find(&world->real[searches[i].segment - 1], &searches[i], &offset))
            return (struct slow_place){ searches[i].segment, offset / PAGE };
    }
    return (struct slow_place){ 0 };
}

static void occupy(struct slow_world *world, size_t index)
{
    struct slow_segment *slow = &world->slow[index];
    for (uint64_t at = 0; at < slow->pages;) {
        uint64_t pages = (1 + below(world, 6)) * slow->page;
        if (pages > slow->pages - at)
            pages = slow->pages - at;
        if (below(world, 2)) {
            segment_take(&world->real[index], (struct range){ at * PAGE, pages * PAGE }, false);
            for (uint64_t i = 0; i < pages; i++)
                slow->used[at + i] = true;
        }
        at += pages;
    }
}

static void random_segment(struct slow_world *world, size_t index)
{
    struct slow_segment *slow = &world->slow[index];
    *slow = (struct slow_segment){ .page = below(world, 4) ? 1 : 16 };
    slow->pages = slow->page * (1 + below(world, PAGES_MAX / slow->page));
    uint64_t ends[8], at = 0;
    while (below(world, 3) && slow->banks < 7 && at + slow->page < slow->pages) {
        at += slow->page * (1 + below(world, (slow->pages - at) / slow->page - 1));
        slow->bank_ends[slow->banks++] = at;
    }
    if (slow->banks)
        slow->bank_ends[slow->banks++] = slow->pages;
    for (uint32_t i = 0; i < slow->banks; i++)
        ends[i] = slow->bank_ends[i] * PAGE;
    struct vidmm_segment_desc desc = { .id = (uint32_t)index + 1,
                                       .bytes = slow->pages * PAGE,
                                       .page_bytes = slow->page * PAGE,
                                       .bank_count = slow->banks,
                                       .bank_ends = ends };
    segment_init(&world->real[index], &desc, 20);
    world->table[index] = &world->real[index].desc;
    if (below(world, 8))
        occupy(world, index);
}

static struct vidmm_demand random_demand(struct slow_world *world)
{
    struct vidmm_demand demand = {
        .bytes = 1 + below(world, 1 + below(world, 20) * PAGE),
        .alignment = (uint64_t)PAGE << below(world, 6),
        .segments = (uint32_t)below(world, 1 << SEGMENTS),
        .from_end = below(world, 2),
        .pinned = below(world, 4) == 0,
        .wddm = below(world, 4) ? VIDMM_WDDM_1_3 : VIDMM_WDDM_2_0,
        .direction_zero = below(world, 3) ? VIDMM_DIRECTION_ZERO_AUTO
                                          : (enum vidmm_direction_zero)(1 + below(world, 2)),
    };
    for (unsigned i = 0; i < 5 && below(world, 6); i++)
        demand.preferred |= (uint32_t)(below(world, SEGMENTS + 2) | below(world, 2) << 5)
                            << (6 * i);
    for (unsigned i = 0; i < 4 && below(world, 4); i++)
        demand.hinted_bank |= (uint32_t)(below(world, 6) | below(world, 2) << 7) << (8 * i);
    return demand;
}

static void test_plan_means_what_the_rules_say(void **state)
{
    (void)state;
    static struct slow_world world;
    uint64_t placed = 0, in_bank = 0;
    for (uint64_t round = 0; round < ROUNDS; round++) {
        world.random = round;
        world.count = 1 + below(&world, SEGMENTS);
        for (size_t i = 0; i < world.count; i++)
            random_segment(&world, i);
        struct vidmm_demand demand = random_demand(&world);
        struct slow_place expected = slow_place(&world, &demand);
        struct slow_place found = real_place(&world, &demand);
        if (found.segment != expected.segment || found.page != expected.page)
            fail_msg("round %llu: segment %u page %llu instead of segment %u page %llu",
                     (unsigned long long)round, found.segment, (unsigned long long)found.page,
                     expected.segment, (unsigned long long)expected.page);
        placed += found.segment != 0;
        in_bank += found.segment && world.slow[found.segment - 1].banks && demand.hinted_bank;
        for (size_t i = 0; i < world.count; i++)
            segment_fini(&world.real[i]);
    }
    assert_true(placed > ROUNDS / 4); /* the demands are not all hopeless */
    assert_true(in_bank > ROUNDS / 20);
}

/* ---- the order of segments, and their differences -----------------------------------------------
 */

enum { TABLE_SEGMENTS = 6, TOP_DOWN = 0x20 };

struct table {
    struct vidmm_segment_desc descs[TABLE_SEGMENTS];
    const struct vidmm_segment_desc *pointers[TABLE_SEGMENTS];
};

static void fill_table(struct table *table)
{
    for (uint32_t i = 0; i < TABLE_SEGMENTS; i++) {
        table->descs[i] =
            (struct vidmm_segment_desc){ .id = i + 1, .bytes = 64 * PAGE, .page_bytes = PAGE };
        table->pointers[i] = &table->descs[i];
    }
}

static void assert_order(const struct table *table, const struct vidmm_demand *demand,
                         const char *expected)
{
    struct vidmm_search searches[VIDMM_SEARCHES_MAX];
    char order[VIDMM_SEARCHES_MAX + 1] = { 0 };
    size_t count = placement_plan(demand, table->pointers, TABLE_SEGMENTS, searches);
    for (size_t i = 0; i < count; i++)
        order[i] = (char)('0' + searches[i].segment);
    assert_string_equal(order, expected);
}

static void test_order_of_segments(void **state)
{
    (void)state;
    static const struct {
        uint32_t segments, preferred;
        const char *order;
    } cases[] = {
        { 0x3F, 0, "123456" },
        { 0x3F, 5 | 2 << 6, "521346" },
        /* gaps are skipped; a repeated id counts once (ALLOC-022) */
        { 0x3F, 5 << 6 | 2 << 18, "521346" },
        { 0x3F, 5 | 2 << 6 | 5 << 12 | 2 << 18 | 1 << 24, "521346" },
        /* not in the set of this use (ALLOC-024); no such segment */
        { 0x15, 2 | 5 << 6 | 4 << 12, "513" },
        { 0x3F, 31 | 7 << 6 | 6 << 12, "612345" },
        { 0x80000001, 0, "1" },
        { 0, 1, "" },
    };
    struct table table;
    fill_table(&table);
    for (size_t i = 0; i < ARRAY_COUNT(cases); i++) {
        struct vidmm_demand demand = { .bytes = PAGE, .alignment = PAGE, .wddm = VIDMM_WDDM_1_1 };
        demand.segments = cases[i].segments;
        for (uint32_t directions = 0; directions < 64; directions++) { /* PLACE-009 */
            demand.preferred = cases[i].preferred;
            for (unsigned k = 0; k < VIDMM_PREFERENCES_MAX; k++)
                demand.preferred |= (directions >> k & 1) << (6 * k + 5);
            demand.from_end = directions >> 5;
            assert_order(&table, &demand, cases[i].order);
        }
    }
}

static void test_each_segment_counts_in_its_own_pages(void **state)
{
    (void)state;
    const uint64_t footprints[] = { 0xA000, 0x9000, 0x10000 };
    const uint64_t alignments[] = { 0x2000, 0x2000, 0x10000 };
    struct table table;
    struct vidmm_search searches[VIDMM_SEARCHES_MAX];
    fill_table(&table);
    table.descs[0].flags = SEGMENT_PITCH_ALIGNMENT;
    table.descs[2].page_bytes = 16 * PAGE;
    table.descs[3].bytes = 8 * PAGE; /* too small */
    struct vidmm_demand demand = {
        .bytes = 0x9000, .pitch_bytes = 0x9800, .alignment = 0x2000, .segments = 0xF
    };
    assert_int_equal(placement_plan(&demand, table.pointers, 4, searches), 3);
    for (size_t i = 0; i < 3; i++) {
        assert_int_equal(searches[i].segment, i + 1);
        assert_int_equal(searches[i].footprint, footprints[i]);
        assert_int_equal(searches[i].alignment, alignments[i]);
    }
    demand.pitch_bytes = 0; /* ALLOC-017: then never in segment 1 */
    assert_order(&table, &demand, "23");
}

/* Every preference has its own direction; the segments after them follow the flag. */
static void test_each_preference_has_its_direction(void **state)
{
    (void)state;
    static const struct {
        uint32_t wddm;
        bool from_end, directions[4];
    } cases[] = {
        { VIDMM_WDDM_1_3, true, { false, true, true, true } },
        { VIDMM_WDDM_1_3, false, { false, true, false, false } },
        { VIDMM_WDDM_2_0, true, { true, true, true, true } },
        { VIDMM_WDDM_2_0, false, { false, true, false, false } },
    };
    struct table table;
    fill_table(&table);
    for (size_t i = 0; i < ARRAY_COUNT(cases); i++) {
        struct vidmm_search searches[VIDMM_SEARCHES_MAX];
        struct vidmm_demand demand = { .bytes = PAGE,
                                       .alignment = PAGE,
                                       .segments = 0xF,
                                       .preferred = 3 | (2 | TOP_DOWN) << 6,
                                       .from_end = cases[i].from_end,
                                       .wddm = cases[i].wddm };
        assert_int_equal(placement_plan(&demand, table.pointers, 4, searches), 4);
        for (size_t k = 0; k < 4; k++)
            assert_int_equal(searches[k].from_end, cases[i].directions[k]);
    }
}

/* The most searches that one demand can give (VIDMM_SEARCHES_MAX). */
static void test_the_longest_plan(void **state)
{
    (void)state;
    static const uint64_t ends[] = { 16 * PAGE, 32 * PAGE, 48 * PAGE, 64 * PAGE };
    struct vidmm_segment_desc desc = {
        .bytes = 64 * PAGE, .page_bytes = PAGE, .bank_count = 4, .bank_ends = ends
    };
    const struct vidmm_segment_desc *pointers[VIDMM_SEGMENTS_MAX];
    struct vidmm_search searches[VIDMM_SEARCHES_MAX];
    for (size_t i = 0; i < VIDMM_SEGMENTS_MAX; i++)
        pointers[i] = &desc;
    struct vidmm_demand demand = { .bytes = 2 * PAGE,
                                   .alignment = PAGE,
                                   .segments = 0x7FFFFFFF,
                                   .preferred = 31,
                                   .hinted_bank = 0x84830201,
                                   .wddm = VIDMM_WDDM_1_1 };
    assert_int_equal(placement_plan(&demand, pointers, VIDMM_SEGMENTS_MAX, searches),
                     VIDMM_SEARCHES_MAX);
    for (size_t i = 0; i < 9; i++)
        assert_int_equal(searches[i].segment, 31);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_plan_means_what_the_rules_say),
        cmocka_unit_test(test_order_of_segments),
        cmocka_unit_test(test_each_segment_counts_in_its_own_pages),
        cmocka_unit_test(test_each_preference_has_its_direction),
        cmocka_unit_test(test_the_longest_plan),
    };
    return cmocka_run_group_tests_name("placement words", tests, NULL, NULL);
}
