/* SPDX-License-Identifier: MIT */
/*
 * test_pick.c: a placement policy that breaks a documented rule is caught, and the documented place
 * taken: POLICY-002 to POLICY-005; what is no mistake, and when a policy remembers (POLICY-006,
 * POLICY-007); what a policy sees of a link.
 */
#include "paging/store/store.h"
#include "segments/policies/policies.h"
#include "tests/support/bare_adapter.h"
#include "tests/support/unit.h"

#include <string.h>

enum { PAGE = 4096, PAGES = 40, PIN_START = 32 * PAGE };

/* ---- policies that are wrong in one way each ------------------------------------------------ */

static bool one_page_off(const void *state, const struct vidmm_space *space,
                         const struct vidmm_search *search, uint64_t *offset)
{
    struct vidmm_fit fit;
    (void)state;
    struct vidmm_search rest = *search;
    bool found = space->next(space, &rest, &fit);
    *offset = fit.place + space->segment->page_bytes;
    return found;
}

static bool one_page_before(const void *state, const struct vidmm_space *space,
                            const struct vidmm_search *search, uint64_t *offset)
{
    bool found = one_page_off(state, space, search, offset);
    *offset -= 2 * (uint64_t)space->segment->page_bytes;
    return found;
}

static bool half_a_page_off(const void *state, const struct vidmm_space *space,
                            const struct vidmm_search *search, uint64_t *offset)
{
    bool found = one_page_off(state, space, search, offset);
    *offset -= space->segment->page_bytes / 2;
    return found;
}

/* As if there were no pinned region, no bank, no protected range. */
static bool whole_segment(const void *state, const struct vidmm_space *space,
                          const struct vidmm_search *search, uint64_t *offset)
{
    struct vidmm_search whole = *search;
    struct vidmm_fit fit;
    (void)state;
    whole.low = 0;
    whole.high = space->segment->bytes;
    bool found = space->next(space, &whole, &fit);
    *offset = fit.place;
    return found;
}

static bool always_upwards(const void *state, const struct vidmm_space *space,
                           const struct vidmm_search *search, uint64_t *offset)
{
    struct vidmm_search upwards = *search;
    struct vidmm_fit fit;
    (void)state;
    upwards.from_end = false;
    bool found = space->next(space, &upwards, &fit);
    *offset = fit.place;
    return found;
}

/* Right: the first place of the search, and of no more than its window. */
static bool as_documented(const void *state, const struct vidmm_space *space,
                          const struct vidmm_search *search, uint64_t *offset)
{
    struct vidmm_search rest = *search;
    struct vidmm_fit fit;
    (void)state;
    bool found = space->next(space, &rest, &fit);
    *offset = fit.place;
    return found;
}

static bool occupied(const void *state, const struct vidmm_space *space,
                     const struct vidmm_search *search, uint64_t *offset)
{
    (void)state;
    (void)space;
    *offset = search->low;
    return true;
}

static bool beyond_everything(const void *state, const struct vidmm_space *space,
                              const struct vidmm_search *search, uint64_t *offset)
{
    (void)state;
    (void)search;
    *offset = UINT64_MAX - space->segment->page_bytes + 1;
    return true;
}

/* Says that it has no opinion, and writes one. */
static bool no_opinion(const void *state, const struct vidmm_space *space,
                       const struct vidmm_search *search, uint64_t *offset)
{
    (void)beyond_everything(state, space, search, offset);
    return false;
}

/* Searches that mean nothing have no answer, and break nothing; none leads to another segment. */
static bool nonsense(const void *state, const struct vidmm_space *space,
                     const struct vidmm_search *search, uint64_t *offset)
{
    const uint64_t numbers[] = { 0, 1, PAGE + 1, UINT64_MAX, UINT64_MAX - PAGE + 1, 3 * PAGE };
    struct vidmm_fit fit;
    (void)state;
    (void)offset;
    for (size_t i = 0; i < 6 * 6 * 6 * 6; i++) {
        struct vidmm_search odd = *search;
        odd.segment = 77;
        odd.footprint = numbers[i % 6];
        odd.alignment = numbers[i / 6 % 6];
        odd.low = numbers[i / 36 % 6];
        odd.high = numbers[i / 216 % 6];
        struct vidmm_search rest = odd;
        if (!space->next(space, &rest, &fit))
            continue;
        assert_true(fit.place >= odd.low && fit.place + odd.footprint <= odd.high);
        assert_int_equal(rest.segment, space->segment->id);
    }
    return false;
}

/* ---- the segment of all tests ---------------------------------------------------------------- */

/* Pages 0 to 3 and 20 to 23 are taken; the pinned region begins at page 32. */
static struct bare_adapter *make_world(const struct vidmm_placement_policy *policy)
{
    struct bare_adapter *bare = bare_adapter_create(64 * PAGE, 11);
    bare_adapter_segment(bare, 0, PAGES * PAGE);
    places_take(&bare->adapter, 1, (struct range){ 0, 4 * PAGE }, false);
    places_take(&bare->adapter, 1, (struct range){ 20 * PAGE, 4 * PAGE }, false);
    places_use_policy(&bare->adapter, policy);
    return bare;
}

static struct vidmm_search search_in(uint64_t low, uint64_t high)
{
    return (struct vidmm_search){
        .segment = 1, .low = low, .high = high, .footprint = 2 * PAGE, .alignment = PAGE
    };
}

/* Finds and books a place: is it `offset`, and what was told? */
static void place(struct bare_adapter *bare, const struct vidmm_search *search, uint64_t offset,
                  enum vidmm_rule rule)
{
    uint64_t findings = bare->events[VIDMM_EVENT_FINDING], found;
    assert_true(places_find(&bare->adapter, search, &found));
    assert_int_equal(bare->events[VIDMM_EVENT_FINDING], findings); /* a look tells nothing */
    assert_int_equal(found, offset);
    places_take(&bare->adapter, 1, (struct range){ found, search->footprint }, false);
    places_placed(&bare->adapter, search, found);
    assert_int_equal(bare->events[VIDMM_EVENT_FINDING], findings + (rule != VIDMM_RULE_NONE));
    if (rule != VIDMM_RULE_NONE)
        assert_int_equal(bare->last_rule, rule);
    findings = bare->events[VIDMM_EVENT_FINDING];
    places_placed(&bare->adapter, search, found); /* of a mistake that was told nothing is left */
    assert_int_equal(bare->events[VIDMM_EVENT_FINDING], findings);
}

static const struct {
    const char *name;
    bool (*pick)(const void *state, const struct vidmm_space *space,
                 const struct vidmm_search *search, uint64_t *offset);
    uint64_t low, high; /* pages */
    bool from_end, blocks;
    uint64_t page; /* the documented one */
    enum vidmm_rule rule;
} rows[] = {
    { "one page off", one_page_off, 0, PAGES, false, false, 4, VIDMM_RULE(POLICY_005) },
    { "one page off", one_page_off, 0, PAGES, true, false, 38, VIDMM_RULE(POLICY_002) },
    { "one page off, over the next one", one_page_off, 18, 24, false, false, 18,
      VIDMM_RULE(POLICY_004) },
    { "one page off, in a block", one_page_off, 0, PAGES, false, true, 4, VIDMM_RULE(POLICY_005) },
    { "half a page off", half_a_page_off, 0, PAGES, false, false, 4, VIDMM_RULE(POLICY_003) },
    { "no last fifth", whole_segment, PIN_START / PAGE, PAGES, false, false, 32,
      VIDMM_RULE(POLICY_002) },
    { "one page before", one_page_before, 10, 14, false, false, 10, VIDMM_RULE(POLICY_002) },
    { "no banks", whole_segment, 10, 20, false, false, 10, VIDMM_RULE(POLICY_002) },
    { "wrong direction", always_upwards, 0, PAGES, true, false, 38, VIDMM_RULE(POLICY_005) },
    { "the right direction", always_upwards, 0, PAGES, false, false, 4, VIDMM_RULE(NONE) },
    { "inside a hole", as_documented, 10, 14, false, false, 10, VIDMM_RULE(NONE) },
    { "inside a hole, from the end", as_documented, 10, 14, true, false, 12, VIDMM_RULE(NONE) },
    { "occupied", occupied, 0, PAGES, false, false, 4, VIDMM_RULE(POLICY_004) },
    { "beyond", beyond_everything, 0, PAGES, false, false, 4, VIDMM_RULE(POLICY_002) },
    { "no opinion", no_opinion, 0, PAGES, false, false, 4, VIDMM_RULE(NONE) },
    { "nonsense", nonsense, 0, PAGES, false, false, 4, VIDMM_RULE(NONE) },
};

/* What a finding of the rule says. */
static const char *words_of(enum vidmm_rule rule)
{
    return rule == VIDMM_RULE(POLICY_002)   ? "outside of the window"
           : rule == VIDMM_RULE(POLICY_003) ? "not aligned"
           : rule == VIDMM_RULE(POLICY_004) ? "not free"
                                            : "not where the direction";
}

static void a_broken_policy_is_caught(void **state)
{
    (void)state;
    for (size_t i = 0; i < ARRAY_COUNT(rows); i++) {
        const struct vidmm_placement_policy policy = { .name = rows[i].name,
                                                       .pick = rows[i].pick,
                                                       .blocks = rows[i].blocks };
        struct bare_adapter *bare = make_world(&policy);
        struct vidmm_search search = search_in(rows[i].low * PAGE, rows[i].high * PAGE);
        search.from_end = rows[i].from_end;
        place(bare, &search, rows[i].page * PAGE, rows[i].rule);
        if (rows[i].rule != VIDMM_RULE_NONE) {
            assert_non_null(strstr(bare->last_text, rows[i].name));
            assert_non_null(strstr(bare->last_text, words_of(rows[i].rule)));
        }
        bare_adapter_destroy(bare);
    }
}

/* A good answer after a broken one is not blamed for it. */
static void a_mistake_is_told_once(void **state)
{
    const struct vidmm_placement_policy bad = { .name = "bad", .pick = occupied };
    struct vidmm_search search = search_in(0, PAGES * PAGE);
    uint64_t offset;
    (void)state;
    struct bare_adapter *bare = make_world(&bad);
    assert_true(places_find(&bare->adapter, &search, &offset));
    assert_true(places_find(&bare->adapter, &search, &offset));
    place(bare, &search, 4 * PAGE, VIDMM_RULE(POLICY_004));
    /* Nor for one that was only looked at. */
    assert_true(places_find(&bare->adapter, &search, &offset));
    places_use_policy(&bare->adapter, &placement_best_fit);
    place(bare, &search, 6 * PAGE, VIDMM_RULE(NONE));
    bare_adapter_destroy(bare);
}

static void no_policy_is_asked_where_there_is_no_place(void **state)
{
    const struct vidmm_placement_policy bad = { .name = "bad", .pick = beyond_everything };
    struct vidmm_search search = search_in(20 * PAGE, 24 * PAGE);
    uint64_t offset;
    (void)state;
    struct bare_adapter *bare = make_world(&bad);
    assert_false(places_find(&bare->adapter, &search, &offset));
    bare_adapter_destroy(bare);
}

static void what_is_built_in_keeps_the_rules(void **state)
{
    const struct vidmm_placement_policy *policy;
    (void)state;
    for (size_t i = 0; (policy = vidmm_placement_policy_row(i)) != NULL; i++) {
        struct bare_adapter *bare = make_world(policy);
        for (uint64_t n = 0; n < 8; n++) {
            struct vidmm_search search = search_in(n % 3 * 5 * PAGE, (PAGES - n % 2 * 8) * PAGE);
            uint64_t found;
            search.from_end = n & 1;
            search.footprint = (1 + n % 4) * PAGE;
            if (!places_find(&bare->adapter, &search, &found))
                continue;
            places_take(&bare->adapter, 1, (struct range){ found, search.footprint }, false);
            places_placed(&bare->adapter, &search, found);
        }
        assert_int_equal(bare->events[VIDMM_EVENT_FINDING], 0);
        bare_adapter_destroy(bare);
    }
}

static void a_state_changes_when_a_place_is_booked(void **state)
{
    struct vidmm_search search = search_in(0, PAGES * PAGE);
    uint64_t offset;
    (void)state;
    struct bare_adapter *bare = make_world(&placement_next_fit);
    for (int i = 0; i < 3; i++) {
        assert_true(places_find(&bare->adapter, &search, &offset));
        assert_int_equal(offset, 4 * PAGE);
    }
    place(bare, &search, 4 * PAGE, VIDMM_RULE(NONE));
    place(bare, &search, 6 * PAGE, VIDMM_RULE(NONE));
    places_release(&bare->adapter, 1,
                   (struct freed_runs){ &(struct range){ 4 * PAGE, 2 * PAGE }, 1, false, 0 });
    place(bare, &search, 8 * PAGE, VIDMM_RULE(NONE));
    bare_adapter_destroy(bare);
}

/* ---- a link ---------------------------------------------------------------------------------- */

/* Its second adapter has pages 8 to 11, 30 and 31 taken: holes of 4, 8, 6 and 8 pages are common.
 */
static struct bare_adapter *make_link(const struct vidmm_placement_policy *policy)
{
    struct bare_adapter *bare = make_world(policy);
    bare_adapter_segment(bare, 0, PAGES * PAGE);
    bare->adapter.setup->segments_each = 1;
    bare->adapter.setup->link_count = 2;
    places_take(&bare->adapter, 2, (struct range){ 8 * PAGE, 4 * PAGE }, false);
    places_take(&bare->adapter, 2, (struct range){ 30 * PAGE, 2 * PAGE }, false);
    return bare;
}

static bool find_in_link(struct bare_adapter *bare, const struct vidmm_search *search,
                         uint64_t *offset)
{
    struct place place;
    if (!places_find_common(&bare->adapter, search, 1, &place))
        return false;
    *offset = place.one.offset;
    places_pick_common(&bare->adapter, search, offset);
    return true;
}

static void book_in_link(struct bare_adapter *bare, const struct vidmm_search *search,
                         uint64_t offset)
{
    for (uint32_t id = 1; id <= 2; id++)
        places_take(&bare->adapter, id, (struct range){ offset, search->footprint }, false);
    places_placed(&bare->adapter, search, offset);
}

static void a_policy_sees_what_is_free_everywhere(void **state)
{
    const struct {
        const struct vidmm_placement_policy *policy;
        uint64_t pages;
        bool from_end;
        uint64_t page;
    } cases[] = {
        { &placement_wddm, 5, false, 12 },      { &placement_best_fit, 5, false, 24 },
        { &placement_best_fit, 5, true, 25 },   { &placement_best_fit, 3, true, 5 },
        { &placement_worst_fit, 3, false, 12 }, { &placement_worst_fit, 3, true, 37 },
        { &placement_buddy, 4, false, 4 },      { &placement_buddy, 8, false, 32 },
    };
    (void)state;
    for (size_t i = 0; i < ARRAY_COUNT(cases); i++) {
        struct bare_adapter *bare = make_link(cases[i].policy);
        struct vidmm_search search = search_in(0, PAGES * PAGE);
        uint64_t offset = 0;
        search.footprint = cases[i].pages * PAGE;
        search.from_end = cases[i].from_end;
        assert_true(find_in_link(bare, &search, &offset));
        assert_int_equal(offset / PAGE, cases[i].page);
        book_in_link(bare, &search, offset);
        assert_int_equal(bare->events[VIDMM_EVENT_FINDING], 0);
        bare_adapter_destroy(bare);
    }
}

/* Under each policy a link is one segment in which all is taken that is taken on either adapter. */
static void a_link_is_like_one_segment(void **state)
{
    const struct vidmm_placement_policy *policy;
    (void)state;
    for (size_t i = 0; (policy = vidmm_placement_policy_row(i)) != NULL; i++) {
        struct bare_adapter *bare = make_link(policy), *one = make_world(policy);
        places_take(&one->adapter, 1, (struct range){ 8 * PAGE, 4 * PAGE }, false);
        places_take(&one->adapter, 1, (struct range){ 30 * PAGE, 2 * PAGE }, false);
        for (uint64_t n = 0; n < 12; n++) {
            struct vidmm_search search = search_in(n % 3 * 5 * PAGE, (PAGES - n % 2 * 8) * PAGE);
            uint64_t expected = 0, found = 0;
            search.from_end = n & 1;
            search.footprint = (1 + n % 4) * PAGE;
            bool fits = places_find(&one->adapter, &search, &expected);
            assert_int_equal(find_in_link(bare, &search, &found), fits);
            if (!fits)
                continue;
            assert_int_equal(found, expected);
            places_take(&one->adapter, 1, (struct range){ found, search.footprint }, false);
            places_placed(&one->adapter, &search, found);
            book_in_link(bare, &search, found);
        }
        assert_int_equal(bare->events[VIDMM_EVENT_FINDING], 0);
        bare_adapter_destroy(bare);
        bare_adapter_destroy(one);
    }
}

/* Page 8 is free on the first adapter alone. */
static bool page_eight(const void *state, const struct vidmm_space *space,
                       const struct vidmm_search *search, uint64_t *offset)
{
    (void)state;
    (void)space;
    (void)search;
    *offset = 8 * PAGE;
    return true;
}

/* It is overruled, and so many findings are made. */
static void overrule_in_link(const struct vidmm_placement_policy *policy, uint32_t findings)
{
    struct bare_adapter *bare = make_link(policy);
    struct vidmm_search search = search_in(0, PAGES * PAGE);
    uint64_t offset = 0;
    assert_true(find_in_link(bare, &search, &offset));
    assert_int_equal(offset, 4 * PAGE);
    book_in_link(bare, &search, offset);
    assert_int_equal(bare->events[VIDMM_EVENT_FINDING], findings);
    if (findings)
        assert_int_equal(bare->last_rule, VIDMM_RULE(POLICY_004));
    bare_adapter_destroy(bare);
}

static void a_place_of_one_adapter_is_caught(void **state)
{
    const struct vidmm_placement_policy bad = { .name = "bad", .pick = page_eight };
    (void)state;
    overrule_in_link(&bad, 1);
}

static void nonsense_about_a_link_breaks_nothing(void **state)
{
    const struct vidmm_placement_policy odd = { .name = "odd", .pick = nonsense };
    (void)state;
    overrule_in_link(&odd, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_broken_policy_is_caught),
        cmocka_unit_test(a_mistake_is_told_once),
        cmocka_unit_test(no_policy_is_asked_where_there_is_no_place),
        cmocka_unit_test(what_is_built_in_keeps_the_rules),
        cmocka_unit_test(a_state_changes_when_a_place_is_booked),
        cmocka_unit_test(a_policy_sees_what_is_free_everywhere),
        cmocka_unit_test(a_link_is_like_one_segment),
        cmocka_unit_test(a_place_of_one_adapter_is_caught),
        cmocka_unit_test(nonsense_about_a_link_breaks_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
