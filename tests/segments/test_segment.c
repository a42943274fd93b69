/* SPDX-License-Identifier: MIT */
/*
 * test_segment.c: footprints, banks, the pinned region, the books, and places of single pages.
 */
#include "segments/segment.h"
#include "tests/segments/model_ranges.h"
#include "tests/support/random.h"
#include "tests/support/unit.h"

enum {
    PAGE = 0x1000,
    PAGE_64K = 0x10000,
    SMALL_PAGES = 7,
    RANDOM_PAGES = 200,
    RANDOM_STEPS = 3000
};

static struct vidmm_segment_desc memory_of(uint64_t pages, uint64_t page_bytes)
{
    return (struct vidmm_segment_desc){
        .id = 1, .bytes = pages * page_bytes, .page_bytes = page_bytes, .limit = pages * page_bytes
    };
}

static void test_footprint(void **state)
{
    (void)state;
    struct vidmm_segment_desc plain = memory_of(64, PAGE);
    struct vidmm_segment_desc large = memory_of(64, PAGE_64K);
    struct vidmm_segment_desc pitch = memory_of(64, PAGE);
    pitch.flags = SEGMENT_PITCH_ALIGNMENT;
    assert_int_equal(segment_footprint(&plain, 0x5000, 0x9000), 0x5000);
    assert_int_equal(segment_footprint(&plain, 0x4801, 0), 0x5000);
    assert_int_equal(segment_footprint(&large, 0x1000, 0), 0x10000);
    assert_int_equal(segment_footprint(&large, 0x10001, 0), 0x20000);
    assert_int_equal(segment_footprint(&pitch, 0x5000, 0x8800), 0x9000);
    assert_int_equal(segment_footprint(&pitch, 0x5000, 0), 0);
    assert_true(segment_footprint(&large, UINT64_MAX, 0) > large.bytes);
    assert_true(segment_footprint(&large, UINT64_MAX - 0xFFFF, 0) > large.bytes);
}

static void test_banks(void **state)
{
    (void)state;
    const uint64_t two_ends[] = { 0x40000, 0x80000 };
    const uint64_t wrong_last[] = { 0x40000, 0x80000, 0x90000 };
    const uint64_t *tables[] = { two_ends, wrong_last };
    for (size_t i = 0; i < ARRAY_COUNT(tables); i++) {
        struct vidmm_segment_desc desc = memory_of(256, PAGE);
        desc.bank_count = 3;
        desc.bank_ends = tables[i];
        struct segment segment;
        segment_init(&segment, &desc, 20);
        const struct range expected[] = { { 0, 0x40000 },
                                          { 0x40000, 0x40000 },
                                          { 0x80000, 0x80000 } };
        for (uint32_t bank = 1; bank <= 3; bank++) {
            struct range range = bank_range(&segment.desc, bank);
            assert_int_equal(range.offset, expected[bank - 1].offset);
            assert_int_equal(range.bytes, expected[bank - 1].bytes);
        }
        assert_int_equal(segment.desc.bank_ends[2], 0x100000);
        segment_fini(&segment);
    }
    struct vidmm_segment_desc one = memory_of(256, PAGE);
    one.bank_count = 1;
    assert_int_equal(bank_range(&one, 1).bytes, 0x100000);
}

/* Examples 6 and 7 of the catalogue, and the page counts of PLACE-022. */
static void test_pinned_tail(void **state)
{
    (void)state;
    static const struct {
        uint64_t pages, page_bytes;
        uint32_t percent;
        uint64_t start;
    } cases[] = {
        { 100, PAGE, 20, 0x50000 },    { 64, PAGE, 20, 0x34000 },
        { 63, PAGE, 20, 0x33000 },     { 7, PAGE, 20, 0x6000 },
        { 5, PAGE, 20, 0x4000 },       { 4, PAGE, 20, 0x4000 },
        { 17, PAGE_64K, 20, 0xE0000 }, { 1, PAGE, 20, 0x1000 },
        { 100, PAGE, 0, 0x64000 },     { 100, PAGE, 100, 0 },
        { 3, PAGE, 50, 0x2000 },       { UINT64_C(1) << 40, PAGE, 20, 0xCCCCCCCCCD000 },
    };
    for (size_t i = 0; i < ARRAY_COUNT(cases); i++)
        assert_int_equal(pinned_tail_start(cases[i].pages * cases[i].page_bytes,
                                           cases[i].page_bytes, cases[i].percent),
                         cases[i].start);
}

static void test_books(void **state)
{
    (void)state;
    struct vidmm_segment_desc desc = memory_of(64, PAGE);
    struct segment segment;
    segment_init(&segment, &desc, 20);
    assert_int_equal(segment.desc.pin_start, 0x34000);
    segment_take(&segment, (struct range){ 0x1000, 0x3000 }, false);
    segment_take(&segment, (struct range){ 0x34000, 0x2000 }, true);
    segment_check(&segment);
    assert_int_equal(segment.used_bytes, 0x5000);
    assert_int_equal(segment.pinned_bytes, 0x2000);
    assert_int_equal(segment.committed_bytes, 0x5000);
    segment_repin(&segment, 0x3000, true);
    assert_int_equal(segment.pinned_bytes, 0x5000);
    segment_repin(&segment, 0x3000, false);
    segment_release(&segment, (struct range){ 0x34000, 0x2000 }, true);
    segment_check(&segment);
    assert_int_equal(segment.used_bytes, 0x3000);
    assert_int_equal(segment.pinned_bytes, 0);
    segment_release(&segment, (struct range){ 0x1000, 0x3000 }, false);
    assert_int_equal(segment.used_bytes, 0);
    assert_int_equal(segment.committed_bytes, 0);
    assert_int_equal(range_tree_largest_hole(&segment.space), 0x40000);
    segment_check(&segment);
    segment_fini(&segment);
}

static void test_find(void **state)
{
    (void)state;
    struct vidmm_segment_desc desc = memory_of(64, PAGE);
    struct segment segment;
    uint64_t offset;
    segment_init(&segment, &desc, 20);
    segment_take(&segment, (struct range){ 0, 0x1000 }, false);
    struct vidmm_search search = {
        .segment = 1, .high = 0x40000, .footprint = 0x3000, .alignment = 0x8000
    };
    assert_true(segment_find(&segment, &search, &offset));
    assert_int_equal(offset, 0x8000);
    search.from_end = true;
    assert_true(segment_find(&segment, &search, &offset));
    assert_int_equal(offset, 0x38000);
    search.high = 0x3A000;
    assert_true(segment_find(&segment, &search, &offset));
    assert_int_equal(offset, 0x30000);
    search.low = 0x31000;
    assert_false(segment_find(&segment, &search, &offset));
    segment_fini(&segment);
}

static void test_an_aperture_has_a_page_table(void **state)
{
    (void)state;
    struct vidmm_segment_desc desc = memory_of(64, PAGE);
    desc.flags = SEGMENT_APERTURE;
    struct segment segment;
    uint64_t system_page, pages;
    segment_init(&segment, &desc, 20);
    segment_take(&segment, (struct range){ 0x2000, 0x3000 }, false);
    aperture_map(&segment.table, 2, 3, 77);
    assert_int_equal(aperture_translate(&segment.table, 3, 9, &system_page, &pages),
                     APERTURE_SYSTEM);
    assert_int_equal(system_page, 78);
    segment_check(&segment);
    segment_fini(&segment);
}

static void test_memory_has_content(void **state)
{
    (void)state;
    struct vidmm_segment_desc desc = memory_of(64, PAGE);
    struct segment segment;
    segment_init(&segment, &desc, 20);
    assert_true(page_store_get(&segment.pages, 63) == PAGE_STORE_POISON);
    page_store_write(&segment.pages, 63, 1, 5, 0);
    assert_true(page_store_get(&segment.pages, 63) == 5);
    segment_check(&segment);
    segment_fini(&segment);
}

/* Example 11: pages 1, 3, 5 and 7 of 16 are held. */
/* Takes the pages that are found; the caller owns the runs. */
static size_t take_pages(struct segment *segment, const struct vidmm_search *search,
                         struct range **runs)
{
    size_t count = segment_find_pages(segment, search, runs);
    for (size_t i = 0; i < count; i++)
        segment_take(segment, (*runs)[i], SEGMENT_MOVABLE);
    return count;
}

static void test_single_pages_of_example_11(void **state)
{
    (void)state;
    struct vidmm_segment_desc desc = memory_of(16, PAGE);
    struct segment segment;
    struct range *runs;
    segment_init(&segment, &desc, 20);
    for (uint64_t page = 1; page <= 7; page += 2)
        segment_take(&segment, (struct range){ page * PAGE, PAGE }, false);
    struct vidmm_search search = {
        .segment = 1, .high = 0x10000, .footprint = 0x4000, .alignment = 0x8000
    };
    assert_int_equal(take_pages(&segment, &search, &runs), 4);
    for (uint64_t i = 0; i < 4; i++) {
        assert_int_equal(runs[i].offset, i * 0x2000);
        assert_int_equal(runs[i].bytes, PAGE);
        segment_release(&segment, runs[i], false);
    }
    base_free(runs);
    search.from_end = true;
    search.footprint = 0x9000;
    assert_int_equal(take_pages(&segment, &search, &runs), 2);
    assert_int_equal(runs[0].offset, 0x6000);
    assert_int_equal(runs[0].bytes, 0x1000);
    assert_int_equal(runs[1].offset, 0x8000);
    assert_int_equal(runs[1].bytes, 0x8000);
    base_free(runs);
    search.footprint = 0x4000;
    assert_int_equal(take_pages(&segment, &search, &runs), 0);
    assert_null(runs);
    segment_check(&segment);
    segment_fini(&segment);
}

/* ---- single pages against an array --------------------------------------------------------------
 */

/* Marks the pages that the words of PLACE-016 choose; false, and nothing marked, when too few. */
static bool slow_pages(const struct model_ranges *model, const struct model_request *request,
                       bool *chosen)
{
    uint64_t missing = request->pages;
    for (uint64_t i = 0; i < model->pages; i++)
        chosen[i] = false;
    for (uint64_t i = 0; i < model->pages && missing; i++) {
        uint64_t page = request->from_end ? model->pages - 1 - i : i;
        if (model->used[page] || page < request->low || page >= request->high)
            continue;
        chosen[page] = true;
        missing--;
    }
    return missing == 0;
}

/* Takes pages and compares; the caller owns the runs. */
static size_t take_compared(struct segment *segment, const struct model_ranges *model,
                            const struct model_request *request, struct range **runs)
{
    bool chosen[MODEL_PAGES_MAX];
    bool fits = slow_pages(model, request, chosen);
    struct vidmm_search search = { .segment = 1,
                                   .low = request->low * PAGE,
                                   .high = request->high * PAGE,
                                   .footprint = request->pages * PAGE,
                                   .alignment = PAGE,
                                   .from_end = request->from_end };
    size_t count = take_pages(segment, &search, runs);
    assert_int_equal(count > 0, fits);
    uint64_t sum = 0;
    for (size_t i = 0; i < count; i++) {
        const struct range *run = &(*runs)[i];
        assert_true(i == 0 || range_end(run[-1]) < run->offset);
        for (uint64_t page = run->offset / PAGE; page < range_end(*run) / PAGE; page++)
            assert_true(chosen[page]);
        sum += run->bytes;
    }
    assert_int_equal(sum, fits ? request->pages * PAGE : 0);
    return count;
}

static void compare_all_requests(struct segment *segment, const struct model_ranges *model)
{
    struct model_request request = { .alignment = 1 };
    for (uint64_t code = 0; code < 2 * SMALL_PAGES * SMALL_PAGES * (SMALL_PAGES + 1); code++) {
        struct range *runs;
        request.from_end = code % 2;
        request.pages = code / 2 % SMALL_PAGES + 1;
        request.low = code / 2 / SMALL_PAGES % SMALL_PAGES;
        request.high = code / 2 / SMALL_PAGES / SMALL_PAGES;
        size_t count = take_compared(segment, model, &request, &runs);
        for (size_t i = 0; i < count; i++)
            segment_release(segment, runs[i], false);
        base_free(runs);
    }
}

static void test_single_pages_exhaustively(void **state)
{
    (void)state;
    for (unsigned pattern = 0; pattern < 1u << SMALL_PAGES; pattern++) {
        struct vidmm_segment_desc desc = memory_of(SMALL_PAGES, PAGE);
        struct segment segment;
        static struct model_ranges model;
        segment_init(&segment, &desc, 20);
        model_ranges_init(&model, SMALL_PAGES);
        for (uint64_t page = 0; page < SMALL_PAGES; page++) {
            if (!(pattern >> page & 1))
                continue;
            segment_take(&segment, (struct range){ page * PAGE, PAGE }, false);
            model_ranges_set(&model, (struct model_range){ page, 1 }, true);
        }
        compare_all_requests(&segment, &model);
        segment_check(&segment);
        segment_fini(&segment);
    }
}

static uint64_t slow_free_in(const struct model_ranges *model, uint64_t low, uint64_t high)
{
    uint64_t sum = 0;
    for (uint64_t page = low; page < high && page < model->pages; page++)
        sum += !model->used[page];
    return sum;
}

static void free_some(struct segment *segment, struct model_ranges *model, uint64_t *random)
{
    for (uint64_t page = 0; page < model->pages; page++) {
        if (!model->used[page] || random_below(random, 3) == 0)
            continue;
        segment_release(segment, (struct range){ page * PAGE, PAGE }, false);
        model_ranges_set(model, (struct model_range){ page, 1 }, false);
    }
}

static void test_single_pages_at_random(void **state)
{
    (void)state;
    struct vidmm_segment_desc desc = memory_of(RANDOM_PAGES, PAGE);
    struct segment segment;
    static struct model_ranges model;
    uint64_t random = 16;
    segment_init(&segment, &desc, 20);
    model_ranges_init(&model, RANDOM_PAGES);
    for (int step = 0; step < RANDOM_STEPS; step++) {
        struct model_request request = { .pages = 1 + random_below(&random, 40),
                                         .low = random_below(&random, 50),
                                         .high = 150 + random_below(&random, 70),
                                         .from_end = random_below(&random, 2) };
        assert_int_equal(segment_free_in(&segment, request.low * PAGE, request.high * PAGE),
                         slow_free_in(&model, request.low, request.high) * PAGE);
        struct range *runs;
        size_t count = take_compared(&segment, &model, &request, &runs);
        for (size_t i = 0; i < count; i++)
            model_ranges_set(&model,
                             (struct model_range){ runs[i].offset / PAGE, runs[i].bytes / PAGE },
                             true);
        base_free(runs);
        if (count == 0)
            free_some(&segment, &model, &random);
        segment_check(&segment);
    }
    segment_fini(&segment);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_footprint),
        cmocka_unit_test(test_banks),
        cmocka_unit_test(test_pinned_tail),
        cmocka_unit_test(test_books),
        cmocka_unit_test(test_find),
        cmocka_unit_test(test_an_aperture_has_a_page_table),
        cmocka_unit_test(test_memory_has_content),
        cmocka_unit_test(test_single_pages_of_example_11),
        cmocka_unit_test(test_single_pages_exhaustively),
        cmocka_unit_test(test_single_pages_at_random),
    };
    return cmocka_run_group_tests_name("segment", tests, NULL, NULL);
}
