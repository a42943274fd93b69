/* SPDX-License-Identifier: MIT */
/* test_backing.c: system pages, stores of allocations, page locks. */
#include "paging/store/store_state.h"
#include "tests/support/bare_adapter.h"
#include "tests/support/unit.h"
#include "vidmm/tell/tell_state.h"

enum { PAGE = 4096 };

static uint64_t counter(const struct bare_adapter *bare, enum vidmm_counter which)
{
    return bare->adapter.tell->counters[which];
}

static void a_store_is_one_run_when_a_hole_is_large_enough(void **state)
{
    (void)state;
    struct bare_adapter *bare = bare_adapter_create(64 * PAGE, 11);
    struct allocation *a = bare_allocation(bare, 16 * PAGE);
    assert_true(backing_populate(&bare->adapter, &a->pageable));
    assert_int_equal(backing_of(&a->pageable)->run_count, 1);
    assert_null(backing_of(&a->pageable)->runs);
    assert_int_equal(backing_of(&a->pageable)->one.offset, 0);
    assert_int_equal(backing_of(&a->pageable)->one.bytes, 16);
    assert_int_equal(mdl_of(&bare->adapter, a->pageable.store.backing)->ByteCount, 16 * PAGE);
    assert_int_equal(counter(bare, VIDMM_COUNTER_BACKING_BYTES), 16 * PAGE);
    /* Twice is once. */
    assert_true(backing_populate(&bare->adapter, &a->pageable));
    assert_int_equal(counter(bare, VIDMM_COUNTER_BACKING_BYTES), 16 * PAGE);
    backing_release_unlocked(&bare->adapter, &a->pageable);
    assert_false(backing_of(&a->pageable)->populated);
    assert_int_equal(counter(bare, VIDMM_COUNTER_BACKING_BYTES), 0);
    assert_int_equal(counter(bare, VIDMM_COUNTER_BACKING_BYTES_MAX), 16 * PAGE);
    assert_int_equal(bare->adapter.store->system_space.free_bytes, 64 * PAGE);
    base_free(a);
    bare_adapter_destroy(bare);
}

/* Leaves holes of 1, 3 and 2 pages, in this order. */
static void make_holes(struct bare_adapter *bare)
{
    static const struct range taken[] = { { 1, 1 }, { 5, 1 }, { 8, 56 } };
    for (size_t i = 0; i < ARRAY_COUNT(taken); i++)
        range_tree_take(&bare->adapter.store->system_space,
                        (struct range){ taken[i].offset * PAGE, taken[i].bytes * PAGE });
}

static void pieces_are_as_few_as_can_be(void **state)
{
    (void)state;
    struct bare_adapter *bare = bare_adapter_create(64 * PAGE, 11);
    struct allocation *a = bare_allocation(bare, 4 * PAGE);
    make_holes(bare);
    assert_true(backing_populate(&bare->adapter, &a->pageable));
    assert_int_equal(backing_of(&a->pageable)->run_count, 2);
    assert_int_equal(backing_of(&a->pageable)->runs[0].offset, 2);
    assert_int_equal(backing_of(&a->pageable)->runs[0].bytes, 3);
    assert_int_equal(backing_of(&a->pageable)->runs[1].bytes, 1);
    assert_int_equal(backing_of(&a->pageable)->pages, 4);
    backing_release_unlocked(&bare->adapter, &a->pageable);
    assert_int_equal(bare->adapter.store->system_space.free_bytes, 6 * PAGE);

    /* A failed request changes nothing. */
    a->pageable.info.bytes = 7 * PAGE;
    assert_false(backing_populate(&bare->adapter, &a->pageable));
    assert_int_equal(bare->adapter.store->system_space.free_bytes, 6 * PAGE);
    assert_int_equal(counter(bare, VIDMM_COUNTER_BACKING_BYTES), 0);
    range_tree_check(&bare->adapter.store->system_space);
    backing_end(&a->pageable);
    base_free(a);
    bare_adapter_destroy(bare);
}

/* KMT-022: what is not zeroed holds what each page held before, the last of a run, too. */
static void the_old_content_of_all_pages_is_known(void **state)
{
    static const struct content_run old[] = {
        { .first = 0, .pages = 2, .tag = 70, .step = 1 },
        { .first = 2, .pages = 1, .tag = 99 },
        { .first = 3, .pages = 1, .tag = 5 },
    };
    (void)state;
    struct bare_adapter *bare = bare_adapter_create(64 * PAGE, 11);
    struct allocation *a = bare_allocation(bare, 4 * PAGE);
    struct content *content = &a->pageable.store.content;
    struct content_run one;
    make_holes(bare);
    assert_true(backing_populate(&bare->adapter, &a->pageable));
    assert_int_equal(backing_of(&a->pageable)->run_count, 2);
    for (size_t i = 0; i < ARRAY_COUNT(old); i++)
        content_write_backing(&bare->adapter, &a->pageable, old[i].first, old[i].pages, old[i].tag,
                              old[i].step);
    content_from_store(&bare->adapter, &a->pageable);
    assert_int_equal(content_count(content), ARRAY_COUNT(old));
    for (size_t i = 0; i < ARRAY_COUNT(old); i++) {
        assert_int_equal(content_runs(content, &one)[i].first, old[i].first);
        assert_int_equal(content_runs(content, &one)[i].pages, old[i].pages);
        assert_int_equal(content_runs(content, &one)[i].tag, old[i].tag);
    }
    content_fini(content);
    backing_release_unlocked(&bare->adapter, &a->pageable);
    base_free(a);
    bare_adapter_destroy(bare);
}

/* MINI-019. */
static void no_page_lies_above_the_highest_address(void **state)
{
    (void)state;
    struct bare_adapter *bare = bare_adapter_create(64 * PAGE, 11);
    struct range *runs;
    bare->adapter.setup->caps.highest_address = 8 * PAGE - 1; /* the eighth page is whole */
    assert_int_equal(system_take(&bare->adapter, 8, &runs), 1);
    assert_int_equal(runs[0].offset, 0);
    bare->adapter.setup->caps.highest_address = 8 * PAGE + 100; /* the ninth page is not */
    struct range *more;
    assert_int_equal(system_take(&bare->adapter, 1, &more), 0);
    struct allocation *a = bare_allocation(bare, PAGE);
    assert_false(backing_populate(&bare->adapter, &a->pageable));
    assert_false(backing_of(&a->pageable)->populated);
    backing_end(&a->pageable);
    base_free(a);
    assert_int_equal(bare->adapter.store->system_space.free_bytes, 56 * PAGE);
    system_release(&bare->adapter, runs, 1);
    base_free(runs);
    bare_adapter_destroy(bare);
}

static void released_pages_are_poisoned(void **state)
{
    (void)state;
    struct bare_adapter *bare = bare_adapter_create(64 * PAGE, 11);
    struct allocation *a = bare_allocation(bare, 2 * PAGE);
    assert_true(backing_populate(&bare->adapter, &a->pageable));
    page_store_write(&bare->adapter.store->system_pages, backing_of(&a->pageable)->one.offset, 2,
                     77, 1);
    backing_release_unlocked(&bare->adapter, &a->pageable);
    assert_int_equal(page_store_get(&bare->adapter.store->system_pages, 0), PAGE_STORE_POISON);
    base_free(a);
    bare_adapter_destroy(bare);
}

/* PAGE-013: the caller's memory is never freed, and only so much of it is used as is needed. */
static void a_supplied_range_stays_with_its_owner(void **state)
{
    (void)state;
    struct bare_adapter *bare = bare_adapter_create(64 * PAGE, 11);
    struct allocation *a = bare_allocation(bare, 4 * PAGE);
    struct range pages[] = { { 10, 3 }, { 20, 3 }, { 30, 2 } };
    struct system_range range = { .pages = pages, .run_count = 3, .page_count = 8 };
    backing_adopt(&bare->adapter, &a->pageable, &range);
    assert_true(backing_of(&a->pageable)->populated);
    assert_int_equal(range.users, 1);
    assert_int_equal(backing_of(&a->pageable)->run_count, 2);
    assert_int_equal(backing_runs(a->pageable.store.backing)[1].offset, 20);
    assert_int_equal(backing_runs(a->pageable.store.backing)[1].bytes, 1);
    assert_int_equal(counter(bare, VIDMM_COUNTER_BACKING_BYTES), 0);
    backing_release_unlocked(&bare->adapter, &a->pageable);
    assert_true(backing_of(&a->pageable)->populated);
    backing_fini(&bare->adapter, &a->pageable);
    assert_int_equal(range.users, 0);

    /* One run is enough: no array is kept. */
    a->pageable.info.bytes = 3 * PAGE;
    backing_adopt(&bare->adapter, &a->pageable, &range);
    assert_null(backing_of(&a->pageable)->runs);
    assert_int_equal(backing_of(&a->pageable)->one.offset, 10);
    assert_int_equal(backing_of(&a->pageable)->one.bytes, 3);
    backing_fini(&bare->adapter, &a->pageable);
    base_free(a);
    bare_adapter_destroy(bare);
}

/* PAGE-014. */
static void locks_count_pages_once(void **state)
{
    (void)state;
    struct bare_adapter *bare = bare_adapter_create(64 * PAGE, 11);
    struct allocation *a = bare_allocation(bare, 5 * PAGE);
    assert_true(backing_populate(&bare->adapter, &a->pageable));
    backing_lock(&bare->adapter, &a->pageable);
    backing_lock(&bare->adapter, &a->pageable);
    assert_int_equal(counter(bare, VIDMM_COUNTER_LOCKED_PAGES), 5);
    backing_unlock(&bare->adapter, &a->pageable);
    assert_int_equal(counter(bare, VIDMM_COUNTER_LOCKED_PAGES), 5);
    backing_unlock(&bare->adapter, &a->pageable);
    assert_int_equal(counter(bare, VIDMM_COUNTER_LOCKED_PAGES), 0);
    assert_int_equal(counter(bare, VIDMM_COUNTER_LOCKED_PAGES_MAX), 5);
    backing_release_unlocked(&bare->adapter, &a->pageable);
    base_free(a);
    bare_adapter_destroy(bare);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_store_is_one_run_when_a_hole_is_large_enough),
        cmocka_unit_test(pieces_are_as_few_as_can_be),
        cmocka_unit_test(the_old_content_of_all_pages_is_known),
        cmocka_unit_test(no_page_lies_above_the_highest_address),
        cmocka_unit_test(released_pages_are_poisoned),
        cmocka_unit_test(a_supplied_range_stays_with_its_owner),
        cmocka_unit_test(locks_count_pages_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
