/* SPDX-License-Identifier: MIT */
/*
 * test_allocation_check.c: each rule of the tables, broken alone; the order of several; advice.
 *
 * The adapter: 1 memory that the CPU sees, 2 memory that it does not see, 3 aperture, 4 aperture
 * with PitchAlignment, 5 memory with three banks.
 */
#include <string.h>

#include "tests/support/bare_adapter.h"
#include "tests/support/unit.h"
#include "vidmm/allocation/allocation_make.h"
#include "vidmm/tell/tell_state.h"

enum { PAGE = 4096, MIB = 1024 * 1024, NORMAL = 0x78000000 };

static struct bare_adapter *new_adapter(uint32_t wddm)
{
    struct bare_adapter *bare = bare_adapter_create(64 * MIB, wddm);
    bare_adapter_segment(bare, SEGMENT_CPU_VISIBLE, 10 * MIB);
    bare_adapter_segment(bare, 0, 10 * MIB);
    bare_adapter_segment(bare, SEGMENT_APERTURE, 20 * MIB);
    bare_adapter_segment(bare, SEGMENT_APERTURE | SEGMENT_PITCH_ALIGNMENT, 20 * MIB);
    bare_adapter_banks(bare, 3 * MIB, 3);
    return bare;
}

static DXGK_ALLOCATIONINFO good_answer(void)
{
    static int driver_object;
    DXGK_ALLOCATIONINFO info = { 0 };
    info.hAllocation = &driver_object;
    info.Size = 4 * PAGE + 1;
    info.SupportedReadSegmentSet = 0x7;
    info.SupportedWriteSegmentSet = 0x7;
    info.EvictionSegmentSet = 0x4;
    info.AllocationPriority = NORMAL;
    info.Flags.CpuVisible = 1;
    return info;
}

static vidmm_status check(struct bare_adapter *bare, const DXGK_ALLOCATIONINFO *answer,
                          const struct system_range *range)
{
    struct allocation_info info;
    const struct allocation_request request = {
        .label = "tex",
        .range = range,
        .section = range && range->section,
        .wddm2_flags = bare->adapter.setup->caps.wddm >= VIDMM_WDDM_2_0,
    };
    return allocation_check(&bare->adapter, answer, &request, &info);
}

/* ---- one broken rule --------------------------------------------------------------------------
 */

typedef void spoil(DXGK_ALLOCATIONINFO *info);

#define SPOIL(name, ...)                                                                           \
    static void name(DXGK_ALLOCATIONINFO *info)                                                    \
    {                                                                                              \
        __VA_ARGS__;                                                                               \
    }

SPOIL(null_handle, info->hAllocation = NULL)
SPOIL(alignment_3_pages, info->Alignment = 3 * PAGE)
SPOIL(size_0, info->Size = 0)
SPOIL(size_21_mib, info->Size = 21 * MIB)
SPOIL(size_of_everything, info->Size = UINT64_MAX)
SPOIL(pinned_3_mib, info->Flags.Overlay = 1; info->SupportedReadSegmentSet = 0x3;
      info->SupportedWriteSegmentSet = 0x3; info->Size = 3 * MIB)
SPOIL(small_pitch_size, info->PitchAlignedSize = 4 * PAGE)
SPOIL(no_pitch_size, info->SupportedReadSegmentSet |= 0x8)
SPOIL(unknown_read_segment, info->SupportedReadSegmentSet |= 0x20)
SPOIL(unknown_write_segment, info->SupportedWriteSegmentSet |= 0x20)
SPOIL(unknown_eviction_segment, info->EvictionSegmentSet |= 0x80000000u)
SPOIL(no_segment, info->SupportedReadSegmentSet = info->SupportedWriteSegmentSet = 0)
SPOIL(preference_6, info->PreferredSegment.Value = 6)
SPOIL(last_preference_6, info->PreferredSegment.Value = 6u << 24)
SPOIL(reserved_preference, info->PreferredSegment.Value = 0x40000000)
SPOIL(unsupported_preference, info->PreferredSegment.Value = 5)
SPOIL(evicts_to_memory, info->EvictionSegmentSet = 0x1)
SPOIL(evicts_to_pitch, info->EvictionSegmentSet = 0x8)
SPOIL(bank_4, info->SupportedReadSegmentSet |= 0x10; info->SupportedWriteSegmentSet |= 0x10;
      info->PreferredSegment.Value = 5; info->HintedBank.Value = 4u << 8)
SPOIL(priority_0, info->AllocationPriority = 0)
SPOIL(reserved_flag, info->Flags.Value |= 0x00080000)
SPOIL(flag_of_2_0, info->Flags.Value |= 0x00008000)
SPOIL(permanent_unseen, info->Flags.Value = 0x2)
SPOIL(cached_unseen, info->Flags.Value = 0x4)
SPOIL(protected_permanent, info->Flags.Value = 0xB)
SPOIL(existing_without_range, info->Flags.Value |= 0x10)
SPOIL(swizzled_in_aperture, info->Flags.Value |= 0x80; info->SupportedReadSegmentSet = 0x4;
      info->SupportedWriteSegmentSet = 0x4)
SPOIL(alternate_va, info->Flags.Value |= 0x400)
SPOIL(both_links, info->Flags.Value |= 0x3000)
SPOIL(flags2_early, info->Flags2.Value = 1)

static const struct {
    spoil *spoil;
    enum vidmm_rule rule;
    vidmm_status status;
} single[] = {
    { null_handle, RULE(ALLOC_007), STATUS_INVALID_PARAMETER },
    { alignment_3_pages, RULE(ALLOC_011), STATUS_INVALID_PARAMETER },
    { size_0, RULE(ALLOC_013), STATUS_INVALID_PARAMETER },
    { size_21_mib, RULE(ALLOC_015), STATUS_GRAPHICS_NO_VIDEO_MEMORY },
    { size_of_everything, RULE(ALLOC_015), STATUS_GRAPHICS_NO_VIDEO_MEMORY },
    { pinned_3_mib, RULE(ALLOC_015), STATUS_GRAPHICS_NO_VIDEO_MEMORY },
    { small_pitch_size, RULE(ALLOC_016), STATUS_INVALID_PARAMETER },
    { no_pitch_size, RULE(ALLOC_017), STATUS_INVALID_PARAMETER },
    { unknown_read_segment, RULE(ALLOC_018), STATUS_INVALID_PARAMETER },
    { unknown_write_segment, RULE(ALLOC_018), STATUS_INVALID_PARAMETER },
    { unknown_eviction_segment, RULE(ALLOC_018), STATUS_INVALID_PARAMETER },
    { no_segment, RULE(ALLOC_019), STATUS_INVALID_PARAMETER },
    { preference_6, RULE(ALLOC_023), STATUS_INVALID_PARAMETER },
    { last_preference_6, RULE(ALLOC_023), STATUS_INVALID_PARAMETER },
    { reserved_preference, RULE(ALLOC_023), STATUS_INVALID_PARAMETER },
    { unsupported_preference, RULE(ALLOC_024), STATUS_INVALID_PARAMETER },
    { evicts_to_memory, RULE(ALLOC_025), STATUS_INVALID_PARAMETER },
    { evicts_to_pitch, RULE(ALLOC_026), STATUS_INVALID_PARAMETER },
    { bank_4, RULE(ALLOC_029), STATUS_INVALID_PARAMETER },
    { priority_0, RULE(PRIO_002), STATUS_INVALID_PARAMETER },
    { reserved_flag, RULE(FLAG_003), STATUS_INVALID_PARAMETER },
    { flag_of_2_0, RULE(FLAG_003), STATUS_INVALID_PARAMETER },
    { permanent_unseen, RULE(FLAG_013), STATUS_INVALID_PARAMETER },
    { cached_unseen, RULE(FLAG_017), STATUS_INVALID_PARAMETER },
    { protected_permanent, RULE(FLAG_021), STATUS_INVALID_PARAMETER },
    { existing_without_range, RULE(FLAG_025), STATUS_INVALID_PARAMETER },
    { swizzled_in_aperture, RULE(FLAG_034), STATUS_INVALID_PARAMETER },
    { alternate_va, RULE(FLAG_042), STATUS_INVALID_PARAMETER },
    { both_links, RULE(FLAG_050), STATUS_INVALID_PARAMETER },
    { flags2_early, RULE(FLAG_061), STATUS_INVALID_PARAMETER },
};

static void each_broken_rule_is_named_alone(void **state)
{
    (void)state;
    struct bare_adapter *bare = new_adapter(13);
    DXGK_ALLOCATIONINFO good = good_answer();
    assert_int_equal(check(bare, &good, NULL), STATUS_SUCCESS);
    assert_int_equal(bare->adapter.tell->counters[VIDMM_COUNTER_FINDINGS], 0);
    for (size_t i = 0; i < ARRAY_COUNT(single); i++) {
        DXGK_ALLOCATIONINFO bad = good_answer();
        single[i].spoil(&bad);
        assert_int_equal(check(bare, &bad, NULL), single[i].status);
        const struct vidmm_refusal *refusal = vidmm_last_refusal(&bare->adapter);
        assert_int_equal(refusal->rule_count, 1);
        assert_string_equal(vidmm_rule_id(refusal->rules[0]), vidmm_rule_id(single[i].rule));
        assert_int_equal(strncmp(refusal->text, "tex: ", 5), 0);
    }
    bare_adapter_destroy(bare);
}

/* ---- several ----------------------------------------------------------------------------------
 */

/* C3: all are listed, ALLOC before FLAG, the first gives the status. */
static void several_broken_rules_stand_in_order(void **state)
{
    (void)state;
    struct bare_adapter *bare = new_adapter(11);
    DXGK_ALLOCATIONINFO bad = good_answer();
    bad.Flags.Value = 0x2;
    bad.Alignment = 3;
    bad.AllocationPriority = 0;
    assert_int_equal(check(bare, &bad, NULL), STATUS_INVALID_PARAMETER);
    const struct vidmm_refusal *refusal = vidmm_last_refusal(&bare->adapter);
    assert_int_equal(refusal->rule_count, 3);
    assert_int_equal(refusal->rules[0], RULE(ALLOC_011));
    assert_int_equal(refusal->rules[1], RULE(PRIO_002));
    assert_int_equal(refusal->rules[2], RULE(FLAG_013));
    bad.Size = 21 * MIB;
    bad.Alignment = 0;
    assert_int_equal(check(bare, &bad, NULL), STATUS_GRAPHICS_NO_VIDEO_MEMORY);
    assert_int_equal(bare->events[VIDMM_EVENT_REFUSE], 2);

    /* Everything at once: the text is cut, the list of rules has room. */
    memset(&bad, 0xFF, sizeof bad);
    bad.hAllocation = NULL;
    bad.pAllocationUsageHint = NULL; /* a pointer has to be one */
    assert_int_equal(check(bare, &bad, NULL), STATUS_INVALID_PARAMETER);
    assert_in_range(refusal->rule_count, 9, ARRAY_COUNT(refusal->rules));
    bare_adapter_destroy(bare);
}

/* C4. */
static void a_wrong_preference_is_an_assertion_of_the_system(void **state)
{
    (void)state;
    struct bare_adapter *bare = new_adapter(11);
    DXGK_ALLOCATIONINFO bad = good_answer();
    unsupported_preference(&bad);
    assert_int_equal(check(bare, &bad, NULL), STATUS_INVALID_PARAMETER);
    assert_int_equal(bare->events[VIDMM_EVENT_FINDING], 1);
    bare_adapter_destroy(bare);
}

static vidmm_status check_view(struct bare_adapter *bare, const DXGK_ALLOCATIONINFO *answer,
                               bool wddm2_flags, struct allocation_info *info)
{
    const struct allocation_request request = { .label = "tex", .wddm2_flags = wddm2_flags };
    return allocation_check(&bare->adapter, answer, &request, info);
}

/* ---- values that are kept ---------------------------------------------------------------------
 */

static void the_answer_is_kept_in_natural_units(void **state)
{
    (void)state;
    struct bare_adapter *bare = new_adapter(11);
    DXGK_ALLOCATIONINFO good = good_answer();
    struct allocation_info info;
    good.SupportedReadSegmentSet = 0x5;
    assert_int_equal(check_view(bare, &good, false, &info), 0);
    assert_int_equal(info.bytes, 5 * PAGE);
    assert_int_equal(info.alignment, PAGE);
    assert_int_equal(info.read_set, 0x5);
    assert_int_equal(info.write_set, 0x7);
    assert_int_equal(info.view, VIDMM_FLAGS_ALLOCATION);
    assert_int_equal(info.priority, NORMAL);
    bare_adapter_destroy(bare);
}

/* ALLOC-021. */
static void from_2_0_on_only_the_write_set_counts(void **state)
{
    (void)state;
    struct bare_adapter *bare = new_adapter(20);
    DXGK_ALLOCATIONINFO answer = good_answer();
    struct allocation_info info;
    answer.SupportedReadSegmentSet = 0xFFFF0000;
    assert_int_equal(check_view(bare, &answer, true, &info), 0);
    assert_int_equal(bare->last_rule, RULE(ALLOC_021));
    assert_int_equal(bare->events[VIDMM_EVENT_WARN], 1);
    assert_int_equal(info.read_set, 0x7);
    assert_int_equal(info.view, VIDMM_FLAGS_ALLOCATION2_0);
    assert_int_equal(vidmm_rule_uses(&bare->adapter, RULE(ALLOC_020)), 0);
    assert_int_equal(vidmm_rule_uses(&bare->adapter, RULE(FLAG_058)), 0);

    bare->adapter.setup->config.settings.value[VIDMM_SETTING_STRICT] = 1;
    assert_int_equal(check_view(bare, &answer, true, &info), STATUS_INVALID_PARAMETER);
    assert_int_equal(vidmm_last_refusal(&bare->adapter)->rules[0], RULE(ALLOC_021));
    bare_adapter_destroy(bare);
}

/* FLAG-001. */
static void the_view_follows_the_member_that_was_filled(void **state)
{
    (void)state;
    struct bare_adapter *old = new_adapter(13);
    struct bare_adapter *new = new_adapter(20);
    DXGK_ALLOCATIONINFO answer = good_answer();
    struct allocation_info info;
    assert_int_equal(check_view(old, &answer, true, &info), STATUS_INVALID_PARAMETER);
    assert_int_equal(vidmm_last_refusal(&old->adapter)->rules[0], RULE(FLAG_001));

    answer.Flags.Value |= 0x800; /* SynchronousPaging is reserved in FlagsWddm2 */
    assert_int_equal(check_view(new, &answer, false, &info), 0);
    assert_int_equal(new->last_rule, RULE(FLAG_001));
    assert_int_equal(info.view, VIDMM_FLAGS_ALLOCATION);
    assert_int_equal(check_view(new, &answer, true, &info), STATUS_INVALID_PARAMETER);
    assert_int_equal(vidmm_last_refusal(&new->adapter)->rules[0], RULE(FLAG_003));
    bare_adapter_destroy(old);
    bare_adapter_destroy(new);
}

/* What only the new member has means nothing where there is no such member. */
static void the_wrong_member_is_the_only_mistake(void **state)
{
    static const uint32_t bits[] = { 0x400, 0x800, 0x2000 };
    struct bare_adapter *old = new_adapter(13);
    DXGK_ALLOCATIONINFO answer = good_answer();
    struct allocation_info info;
    (void)state;
    for (size_t i = 0; i < ARRAY_COUNT(bits); i++) {
        answer.FlagsWddm2.Value = bits[i];
        assert_int_equal(check_view(old, &answer, true, &info), STATUS_INVALID_PARAMETER);
        const struct vidmm_refusal *refusal = vidmm_last_refusal(&old->adapter);
        assert_int_equal(refusal->rule_count, 1);
        assert_int_equal(refusal->rules[0], RULE(FLAG_001));
    }
    bare_adapter_destroy(old);
}

/* ALLOC-038: one word of the answer is a length or an index, never both. */
static void a_length_or_an_index(void **state)
{
    (void)state;
    for (uint32_t wddm = 13; wddm <= 20; wddm += 7) {
        struct bare_adapter *bare = bare_adapter_create(64 * MIB, wddm);
        DXGK_ALLOCATIONINFO answer = good_answer();
        struct allocation_info info;
        for (int adapter = 0; adapter < 2; adapter++) {
            bare_adapter_segment(bare, SEGMENT_CPU_VISIBLE, 10 * MIB);
            bare_adapter_segment(bare, SEGMENT_APERTURE, 20 * MIB);
        }
        bare->adapter.setup->segments_each = 2;
        bare->adapter.setup->link_count = 2;
        answer.SupportedReadSegmentSet = answer.SupportedWriteSegmentSet = 0x3;
        answer.EvictionSegmentSet = 0x2;
        answer.MaximumRenamingListLength = 1;
        assert_int_equal(check_view(bare, &answer, wddm == 20, &info), 0);
        assert_int_equal(info.rename_limit, wddm == 13);
        assert_int_equal(info.physical, wddm == 20);
        bare_adapter_destroy(bare);
    }
}

/* FLAG-006, FLAG-007: on demand counts as visible. */
static void invisible_memory_needs_an_aperture(void **state)
{
    (void)state;
    struct bare_adapter *bare = new_adapter(20);
    DXGK_ALLOCATIONINFO answer = good_answer();
    answer.SupportedReadSegmentSet = answer.SupportedWriteSegmentSet = 0x2;
    assert_int_equal(check(bare, &answer, NULL), STATUS_INVALID_PARAMETER);
    assert_int_equal(vidmm_last_refusal(&bare->adapter)->rules[0], RULE(FLAG_006));
    answer.FlagsWddm2.Value = ALLOCATION_ON_DEMAND;
    assert_int_equal(check(bare, &answer, NULL), STATUS_INVALID_PARAMETER);
    answer.FlagsWddm2.Value = 0;
    assert_int_equal(check(bare, &answer, NULL), STATUS_SUCCESS);
    bare_adapter_destroy(bare);
}

/* ALLOC-012. */
static void large_pages_ask_for_alignment(void **state)
{
    (void)state;
    struct bare_adapter *bare = bare_adapter_create(64 * MIB, 20);
    bare_adapter_segment(bare, SEGMENT_64KB_PAGES | SEGMENT_CPU_VISIBLE, 8 * MIB);
    DXGK_ALLOCATIONINFO answer = good_answer();
    answer.SupportedReadSegmentSet = answer.SupportedWriteSegmentSet = 0x1;
    answer.EvictionSegmentSet = 0;
    answer.Alignment = PAGE;
    assert_int_equal(check(bare, &answer, NULL), STATUS_INVALID_PARAMETER);
    assert_int_equal(vidmm_last_refusal(&bare->adapter)->rules[0], RULE(ALLOC_012));
    answer.Alignment = 128 * 1024;
    assert_int_equal(check(bare, &answer, NULL), STATUS_SUCCESS);
    bare_adapter_destroy(bare);
}

/* ---- existing memory --------------------------------------------------------------------------
 */

static void existing_ranges_have_to_fit(void **state)
{
    (void)state;
    struct bare_adapter *bare = new_adapter(11);
    DXGK_ALLOCATIONINFO answer = good_answer();
    struct system_range range = { .address = 0x10000, .bytes = 5 * PAGE, .page_count = 5 };
    answer.Flags.Value = 0x11;
    assert_int_equal(check(bare, &answer, &range), STATUS_SUCCESS);
    assert_int_equal(bare->events[VIDMM_EVENT_WARN], 0);

    range.cached = true;
    assert_int_equal(check(bare, &answer, &range), STATUS_SUCCESS);
    assert_int_equal(bare->last_rule, RULE(FLAG_026));
    range.cached = false;

    range.address = 0x10800;
    assert_int_equal(check(bare, &answer, &range), STATUS_INVALID_PARAMETER);
    assert_int_equal(vidmm_last_refusal(&bare->adapter)->rules[0], RULE(FLAG_022));
    range.address = 0x10000;

    range.kernel = true;
    assert_int_equal(check(bare, &answer, &range), STATUS_INVALID_PARAMETER);
    answer.Flags.Value = 0x21;
    assert_int_equal(check(bare, &answer, &range), STATUS_SUCCESS);

    /* Also one that others use already. */
    range.users = 1;
    range.bytes = 4 * PAGE;
    assert_int_equal(check(bare, &answer, &range), STATUS_INVALID_PARAMETER);
    assert_int_equal(vidmm_last_refusal(&bare->adapter)->rules[0], RULE(FLAG_024));
    range.bytes = 5 * PAGE;

    /* A section need not end with a page; what the last one lacks is missing all the same. */
    struct system_range section = { .bytes = 5 * PAGE, .page_count = 5, .section = true };
    answer.Flags.Value = 0x11;
    assert_int_equal(check(bare, &answer, &section), STATUS_SUCCESS);
    section.bytes = 5 * PAGE - 1;
    assert_int_equal(check(bare, &answer, &section), STATUS_INVALID_PARAMETER);
    assert_int_equal(vidmm_last_refusal(&bare->adapter)->rules[0], RULE(FLAG_024));

    answer.Flags.Value = 0x31;
    assert_int_equal(check(bare, &answer, &range), STATUS_INVALID_PARAMETER);
    const struct vidmm_refusal *refusal = vidmm_last_refusal(&bare->adapter);
    assert_int_equal(refusal->rules[refusal->rule_count - 1], RULE(FLAG_028));

    answer.Flags.Value = 0x1;
    assert_int_equal(check(bare, &answer, &range), STATUS_SUCCESS);
    assert_int_equal(bare->last_rule, RULE(FLAG_025));
    bare_adapter_destroy(bare);
}

/* ALLOC-028. */
static void a_hint_without_banks_is_ignored_with_a_warning(void **state)
{
    (void)state;
    struct bare_adapter *bare = new_adapter(11);
    DXGK_ALLOCATIONINFO answer = good_answer();
    answer.PreferredSegment.Value = 1;
    answer.HintedBank.Value = 2;
    assert_int_equal(check(bare, &answer, NULL), STATUS_SUCCESS);
    assert_int_equal(bare->last_rule, RULE(ALLOC_028));
    bare_adapter_destroy(bare);
}

/* ---- the 80 percent advice --------------------------------------------------------------------
 */

static struct allocation *member(struct bare_adapter *bare, uint64_t bytes, bool overlay)
{
    struct allocation *allocation = bare_allocation(bare, bytes);
    allocation->pageable.info.write_set = overlay ? 0x4 : 0x1;
    allocation->pageable.info.eviction_set = overlay ? 0 : 0x4;
    allocation->pageable.info.flags = overlay ? ALLOCATION_OVERLAY : 0;
    allocation->pageable.handle = handle_new(&bare->adapter, VIDMM_OBJECT_ALLOCATION, allocation);
    return allocation;
}

/* FLAG-039: the warning is for the second one, and not at exactly 80 percent. */
static void the_second_of_a_bad_pair_is_warned_about(void **state)
{
    (void)state;
    struct bare_adapter *bare = new_adapter(11);
    adapter_t *adapter = &bare->adapter;
    struct allocation *just = member(bare, 16 * MIB, false);
    struct allocation *large = member(bare, 16 * MIB + PAGE, false);
    struct allocation *overlay = member(bare, PAGE, true);
    assert_int_equal(allocation_advice(adapter, overlay), 0);
    assert_int_equal(allocation_advice(adapter, just), 0);
    assert_int_equal(bare->events[VIDMM_EVENT_WARN], 0);
    assert_int_equal(allocation_advice(adapter, large), 0);
    assert_int_equal(bare->events[VIDMM_EVENT_WARN], 1);
    assert_int_equal(bare->last_rule, RULE(FLAG_039));

    allocation_advice_count(adapter, overlay, false);
    overlay->pageable.advised = false;
    assert_int_equal(allocation_advice(adapter, overlay), 0);
    assert_int_equal(bare->events[VIDMM_EVENT_WARN], 2);

    allocation_advice_count(adapter, overlay, false);
    allocation_advice_count(adapter, large, false);
    overlay->pageable.advised = false;
    assert_int_equal(allocation_advice(adapter, overlay), 0);
    assert_int_equal(bare->events[VIDMM_EVENT_WARN], 2);
    base_free(just);
    base_free(large);
    base_free(overlay);
    bare_adapter_destroy(bare);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_broken_rule_is_named_alone),
        cmocka_unit_test(several_broken_rules_stand_in_order),
        cmocka_unit_test(a_wrong_preference_is_an_assertion_of_the_system),
        cmocka_unit_test(the_answer_is_kept_in_natural_units),
        cmocka_unit_test(from_2_0_on_only_the_write_set_counts),
        cmocka_unit_test(the_view_follows_the_member_that_was_filled),
        cmocka_unit_test(the_wrong_member_is_the_only_mistake),
        cmocka_unit_test(a_length_or_an_index),
        cmocka_unit_test(invisible_memory_needs_an_aperture),
        cmocka_unit_test(large_pages_ask_for_alignment),
        cmocka_unit_test(existing_ranges_have_to_fit),
        cmocka_unit_test(a_hint_without_banks_is_ignored_with_a_warning),
        cmocka_unit_test(the_second_of_a_bad_pair_is_warned_about),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
