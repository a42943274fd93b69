/* SPDX-License-Identifier: MIT */
/*
 * test_uses.c: a rule comes into play where its case is there, and nowhere else: an ordinary life
 * has no links, no banks, no limits of a driver and no pinned ones.
 */
#include "tests/support/mock_adapter.h"
#include "tests/support/unit.h"
#include "vidmm/base/base.h"
#include "vidmm/vidmm_lock.h"
#include "vidmm/vidmm_rules.h"

static void an_ordinary_life_meets_no_rule_of_a_special_one(void **state)
{
    static const enum vidmm_rule rules[] = {
        RULE(TIME_011),   RULE(MINI_064),   RULE(SEG_028),    RULE(FLAG_038),  RULE(PLACE_020),
        RULE(SEG_041),    RULE(PLACE_018),  RULE(POLICY_013), RULE(PLACE_031), RULE(PLACE_021),
        RULE(PLACE_009),  RULE(SWIZ_007),   RULE(PLACE_033),  RULE(PRIO_007),  RULE(PRIO_010),
        RULE(PRIO_003),   RULE(SEG_010),    RULE(PLACE_025),  RULE(FLAG_054),  RULE(POLICY_009),
        RULE(SUBMIT_049), RULE(SEG_064),    RULE(RES_072),    RULE(SEG_030),   RULE(SEG_066),
        RULE(SEG_024),    RULE(SEG_049),    RULE(PRIO_013),   RULE(ALLOC_022), RULE(ALLOC_030),
        RULE(FLAG_058),   RULE(FLAG_066),   RULE(FLAG_067),   RULE(ALLOC_042), RULE(BUG_002),
        RULE(SWIZ_006),   RULE(RENAME_009), RULE(RES_071),    RULE(SWIZ_018),  RULE(SWIZ_001),
        RULE(LOCK_044),   RULE(RENAME_016), RULE(PLACE_005),
    };
    enum { MOST = MOCK_SEGMENT_BYTES / MOCK_PAGE };
    struct mock_adapter mock;
    struct vidmm_mock_allocation wish = mock_wish(MOST / 2 * MOCK_PAGE);
    const struct vidmm_mock_command command = { .cost_ns = 1 };
    vidmm_handle handles[3];
    (void)state;
    mock_adapter_init(&mock, VIDMM_WDDM_1_3);
    mock_adapter_start(&mock);
    wish.read_set = wish.write_set = 1;
    for (size_t i = 0; i < ARRAY_COUNT(handles); i++) { /* for the last one the first leaves */
        assert_int_equal(mock_allocate(&mock, &wish, &handles[i]), 0);
        assert_int_equal(mock_use(&mock, handles[i], true, command, NULL), 0);
    }
    assert_int_equal(vidmm_wait_idle(mock.adapter), 0);
    struct vidmm_lock_args lock = { .device = mock.device, .allocation = handles[1] };
    struct vidmm_lock_result result;
    assert_int_equal(vidmm_lock(mock.adapter, &lock, &result), 0);
    assert_int_equal(vidmm_unlock(mock.adapter, mock.device, &handles[1], 1), 0);
    assert_int_equal(vidmm_evict(mock.adapter, handles[1]), 0);
    assert_int_equal(vidmm_wait_idle(mock.adapter), 0);
    for (size_t i = 0; i < ARRAY_COUNT(rules); i++)
        if (vidmm_rule_uses(mock.adapter, rules[i]))
            fail_msg("%s came into play", vidmm_rule_id(rules[i]));
    mock_adapter_stop(&mock);
}

/* PLACE-025: what is pinned beside the victims concerns another one that is to be pinned. */
static void a_pinned_one_concerns_no_ordinary_search(void **state)
{
    enum { MOST = MOCK_SEGMENT_BYTES / MOCK_PAGE };
    struct mock_adapter mock;
    struct vidmm_mock_allocation wish = mock_wish(MOST / 2 * MOCK_PAGE);
    vidmm_handle pinned = 0, handles[2];
    (void)state;
    mock_adapter_init(&mock, VIDMM_WDDM_1_3);
    mock_adapter_start(&mock);
    wish.read_set = wish.write_set = 1;
    assert_int_equal(mock_allocate(&mock, &wish, &pinned), 0);
    assert_int_equal(vidmm_page_in(mock.adapter, pinned, false), 0);
    assert_int_equal(vidmm_pin(mock.adapter, pinned), 0);
    for (size_t i = 0; i < ARRAY_COUNT(handles); i++) { /* for the last one the first leaves */
        assert_int_equal(mock_allocate(&mock, &wish, &handles[i]), 0);
        assert_int_equal(vidmm_page_in(mock.adapter, handles[i], false), 0);
    }
    assert_true(mock.events[VIDMM_EVENT_EVICT] > 0);
    assert_int_equal(vidmm_rule_uses(mock.adapter, RULE(PLACE_025)), 0);
    mock_adapter_stop(&mock);
}

/* LINK-006: a list may begin with what is mirrored. */
static void the_first_element_counts_like_any_other(void **state)
{
    enum { LINK_MIRRORED = 0x1000 };
    struct mock_adapter mock;
    struct vidmm_mock_allocation wish = mock_wish(MOCK_PAGE);
    const struct vidmm_mock_command command = { .cost_ns = 1 };
    struct vidmm_submission submission;
    struct vidmm_use use = { .write = true };
    (void)state;
    wish.flags |= LINK_MIRRORED;
    mock_adapter_init(&mock, VIDMM_WDDM_1_3);
    mock.config.link_adapters = 2;
    mock_adapter_start(&mock);
    assert_int_equal(mock_allocate(&mock, &wish, &use.allocation), 0);
    uint64_t before = mock_adapter_view(&mock).warnings;
    const struct vidmm_work work = {
        .context = mock.context,
        .uses = &use,
        .use_count = 1,
        .command = &command,
        .command_bytes = sizeof command,
        .adapters = 0x1,
    };
    assert_int_equal(vidmm_submit(mock.adapter, &work, &submission), 0);
    assert_int_equal(mock_adapter_view(&mock).warnings, before + 1);
    assert_int_equal(vidmm_wait_idle(mock.adapter), 0);
    mock_adapter_stop(&mock);
}

/* SEG-041: what ends, or begins, at the edge between two banks does not lie across it. */
static void an_edge_of_banks_is_met_by_what_lies_across(void **state)
{
    enum { HALF = MOCK_SEGMENT_BYTES / 2, USE_BANKING = 0x8 };
    static const struct {
        uint64_t first, second; /* bytes, one after the other from the start on */
        uint64_t uses;
    } cases[] = {
        { HALF, HALF, 0 },
        { HALF - MOCK_PAGE, MOCK_PAGE, 0 },
        { HALF - MOCK_PAGE, 2 * MOCK_PAGE, 1 },
        { HALF + MOCK_PAGE, MOCK_PAGE, 1 },
    };
    (void)state;
    for (size_t i = 0; i < ARRAY_COUNT(cases); i++) {
        struct mock_adapter mock;
        struct vidmm_mock_allocation wish = mock_wish(cases[i].first);
        vidmm_handle first, second;
        mock_adapter_init(&mock, VIDMM_WDDM_1_3);
        mock.segments[0].flags |= USE_BANKING;
        mock.segments[0].bank_count = 2;
        mock.segments[0].banks[0] = HALF;
        mock.segments[0].banks[1] = MOCK_SEGMENT_BYTES;
        mock.segments[0].bank_ends = 2;
        mock_adapter_start(&mock);
        wish.read_set = wish.write_set = 1;
        assert_int_equal(mock_allocate(&mock, &wish, &first), 0);
        wish.size = cases[i].second;
        assert_int_equal(mock_allocate(&mock, &wish, &second), 0);
        assert_int_equal(vidmm_page_in(mock.adapter, first, false), 0);
        assert_int_equal(vidmm_page_in(mock.adapter, second, false), 0);
        assert_int_equal(vidmm_wait_idle(mock.adapter), 0);
        assert_int_equal(vidmm_rule_uses(mock.adapter, RULE(SEG_041)), cases[i].uses);
        mock_adapter_stop(&mock);
    }
}

/* One bit means different things in the two members, and in different versions. */
static void a_bit_concerns_the_rules_of_its_member(void **state)
{
    enum { SWIZZLED = 0x80, LINK_MIRRORED = 0x1000, LINK_INSTANCED = 0x2000 };
    static const struct {
        uint32_t wddm;
        bool wddm2;
        uint32_t flags;
        enum vidmm_rule rule;
        uint64_t uses;
    } cases[] = {
        { VIDMM_WDDM_2_0, false, LINK_MIRRORED, RULE(FLAG_051), 1 },
        { VIDMM_WDDM_2_0, false, LINK_INSTANCED, RULE(FLAG_051), 1 },
        { VIDMM_WDDM_1_3, false, LINK_INSTANCED, RULE(FLAG_051), 0 },
        { VIDMM_WDDM_2_9, true, VIDMM_ALLOCATION2_0_MapApertureCpuVisible, RULE(FLAG_051), 0 },
        { VIDMM_WDDM_2_1, true, VIDMM_ALLOCATION2_0_DisableLargePageMapping, RULE(FLAG_058), 1 },
        { VIDMM_WDDM_1_3, false, SWIZZLED, RULE(FLAG_058), 0 },
    };
    (void)state;
    for (size_t i = 0; i < ARRAY_COUNT(cases); i++) {
        struct mock_adapter mock;
        struct vidmm_mock_allocation wish = mock_wish(MOCK_PAGE);
        vidmm_handle handle;
        mock_adapter_init(&mock, cases[i].wddm);
        assert_true(vidmm_mock_cap_set(&mock.mock_config, "MapAperture2Supported", 1));
        mock_adapter_start(&mock);
        wish.flags = cases[i].flags;
        wish.fills_wddm2 = cases[i].wddm2;
        assert_int_equal(mock_allocate(&mock, &wish, &handle), 0);
        assert_int_equal(vidmm_rule_uses(mock.adapter, cases[i].rule), cases[i].uses);
        mock_adapter_stop(&mock);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_ordinary_life_meets_no_rule_of_a_special_one),
        cmocka_unit_test(a_pinned_one_concerns_no_ordinary_search),
        cmocka_unit_test(the_first_element_counts_like_any_other),
        cmocka_unit_test(an_edge_of_banks_is_met_by_what_lies_across),
        cmocka_unit_test(a_bit_concerns_the_rules_of_its_member),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
