/* SPDX-License-Identifier: MIT */
/* test_refuse.c: refusals, warnings, findings and bug checks, and what they do to later calls. */
#include <stdio.h>
#include <string.h>

#include "tests/support/bare_adapter.h"
#include "tests/support/unit.h"
#include "vidmm/tell/tell_state.h"

static void a_refusal_says_which_rule_and_why(void **state)
{
    (void)state;
    struct bare_adapter *bare = bare_adapter_create(1 << 20, 11);
    adapter_t *adapter = &bare->adapter;
    assert_null(vidmm_last_refusal(adapter));
    assert_int_equal(refuse(adapter, RULE(LOCK_001), STATUS_INVALID_PARAMETER, "no %s", "way"),
                     STATUS_INVALID_PARAMETER);
    const struct vidmm_refusal *refusal = vidmm_last_refusal(adapter);
    assert_int_equal(refusal->rules[0], RULE(LOCK_001));
    assert_int_equal(refusal->rule_count, 1);
    assert_string_equal(refusal->text, "no way");
    assert_string_equal(bare->last_text, "no way");
    assert_int_equal(bare->events[VIDMM_EVENT_REFUSE], 1);
    assert_int_equal(vidmm_rule_uses(adapter, RULE(LOCK_001)), 1);
    assert_int_equal(adapter_usable(adapter), STATUS_SUCCESS);

    /* Too long a sentence is cut. */
    (void)refuse(adapter, RULE(LOCK_001), STATUS_INVALID_PARAMETER, "%0500d", 7);
    assert_int_equal(refusal->text[sizeof refusal->text - 1], '\0');
    bare_adapter_destroy(bare);
}

/* C3: all rules are listed; the sentence is cut to the room. */
static void a_verdict_tells_whole_mistakes_only(void **state)
{
    (void)state;
    struct bare_adapter *bare = bare_adapter_create(1 << 20, 11);
    adapter_t *adapter = &bare->adapter;
    char large[VIDMM_REFUSAL_TEXT_MAX - 90];
    memset(large, 'l', sizeof large - 1);
    large[sizeof large - 1] = '\0';
    struct verdict verdict;
    verdict_begin(&verdict, adapter, "tex");
    assert_int_equal(verdict_end(&verdict), STATUS_SUCCESS);
    verdict_add(&verdict, RULE(ALLOC_013), STATUS_NO_MEMORY, "short");
    verdict_add(&verdict, RULE(FLAG_013), STATUS_INVALID_PARAMETER, "%s", large);
    verdict_add(&verdict, RULE(FLAG_017), STATUS_INVALID_PARAMETER, "%s", large);
    verdict_add(&verdict, RULE(FLAG_021), STATUS_INVALID_PARAMETER, "too late");
    assert_int_equal(verdict_end(&verdict), STATUS_NO_MEMORY);
    const struct vidmm_refusal *refusal = vidmm_last_refusal(adapter);
    assert_int_equal(refusal->rule_count, 4);
    char expected[sizeof refusal->text];
    (void)snprintf(expected, sizeof expected, "tex: short; %s; and 2 more", large);
    assert_string_equal(refusal->text, expected);

    /* A label alone may be longer than a sentence. */
    char label[VIDMM_REFUSAL_TEXT_MAX + 100];
    memset(label, 'x', sizeof label - 1);
    label[sizeof label - 1] = '\0';
    struct verdict second = { .adapter = adapter, .label = label };
    verdict_add(&second, RULE(ALLOC_013), STATUS_INVALID_PARAMETER, "short");
    verdict_add(&second, RULE(FLAG_013), STATUS_INVALID_PARAMETER, "short");
    assert_int_equal(verdict_end(&second), STATUS_INVALID_PARAMETER);
    assert_int_equal(refusal->text[0], 'x');
    assert_non_null(strstr(refusal->text, "; and 1 more"));
    bare_adapter_destroy(bare);
}

/* C2. */
static void a_warning_goes_on_unless_strict(void **state)
{
    (void)state;
    struct bare_adapter *bare = bare_adapter_create(1 << 20, 11);
    adapter_t *adapter = &bare->adapter;
    assert_int_equal(warn(adapter, RULE(FLAG_039), 0, "too large"), STATUS_SUCCESS);
    assert_int_equal(bare->events[VIDMM_EVENT_WARN], 1);
    assert_int_equal(vidmm_counter(adapter, VIDMM_COUNTER_FINDINGS), 1);
    adapter->setup->config.settings.value[VIDMM_SETTING_STRICT] = 1;
    assert_int_equal(warn(adapter, RULE(FLAG_039), 0, "too large"), STATUS_INVALID_PARAMETER);
    assert_int_equal(bare->events[VIDMM_EVENT_WARN], 1);
    assert_int_equal(bare->events[VIDMM_EVENT_REFUSE], 1);
    assert_int_equal(vidmm_last_refusal(adapter)->rules[0], RULE(FLAG_039));
    assert_int_equal(vidmm_counter(adapter, VIDMM_COUNTER_FINDINGS), 1);
    bare_adapter_destroy(bare);
}

static void a_finding_is_counted_or_fatal(void **state)
{
    (void)state;
    struct bare_adapter *bare = bare_adapter_create(1 << 20, 11);
    adapter_t *adapter = &bare->adapter;
    finding(adapter, RULE(MINI_032), 0, "a code of %d", 5);
    assert_null(vidmm_bugcheck(adapter));
    assert_string_equal(bare->last_text, "a code of 5");
    adapter->setup->config.settings.value[VIDMM_SETTING_FINDINGS] = 1;
    adapter->tell->last_call = "DxgkDdiPatch";
    adapter->tell->timeline.now = 700;
    finding(adapter, RULE(MINI_033), 0, "twice");
    assert_int_equal(vidmm_counter(adapter, VIDMM_COUNTER_FINDINGS), 2);
    const struct vidmm_bugcheck *stop = vidmm_bugcheck(adapter);
    assert_non_null(stop);
    assert_int_equal(stop->code, 0);
    assert_int_equal(stop->rule, RULE(MINI_033));
    assert_int_equal(stop->time, 700);
    assert_string_equal(stop->name, "a finding ends the run (findings=fatal)");
    assert_string_equal(stop->last_call, "DxgkDdiPatch");
    assert_string_equal(stop->text, "twice");
    assert_int_equal(adapter_usable(adapter), STATUS_DEVICE_REMOVED);
    bare_adapter_destroy(bare);
}

/* BUG-001: the first one counts, and everything later is refused with its rule. */
static void a_bug_check_ends_the_system(void **state)
{
    (void)state;
    struct bare_adapter *bare = bare_adapter_create(1 << 20, 11);
    adapter_t *adapter = &bare->adapter;
    adapter->tell->last_call = "DxgkDdiPatch";
    adapter->tell->timeline.now = 700;
    assert_int_equal(bugcheck(adapter, RULE(SUBMIT_042), 0x119, 0x3, (uint64_t[3]){ 7, 8, 9 },
                              "it failed"),
                     STATUS_DEVICE_REMOVED);
    (void)bugcheck(adapter, RULE(MINI_051), 0x10E, 0x12, (uint64_t[3]){ 0, 0, 0 }, "later");
    adapter->setup->config.settings.value[VIDMM_SETTING_FINDINGS] = 1;
    finding(adapter, RULE(MINI_033), 0, "and a finding that would be fatal");
    const struct vidmm_bugcheck *stop = vidmm_bugcheck(adapter);
    assert_int_equal(stop->code, 0x119);
    assert_int_equal(stop->time, 700);
    assert_int_equal(stop->rule, RULE(SUBMIT_042));
    assert_int_equal(stop->parameter[0], 0x3);
    assert_int_equal(stop->parameter[1], 7);
    assert_int_equal(stop->parameter[2], 8);
    assert_int_equal(stop->parameter[3], 9);
    assert_string_equal(stop->name, "VIDEO_SCHEDULER_INTERNAL_ERROR");
    assert_string_equal(stop->text, "it failed");
    assert_string_equal(stop->last_call, "DxgkDdiPatch");
    assert_int_equal(bare->events[VIDMM_EVENT_BUGCHECK], 1);
    assert_int_equal(adapter_usable(adapter), STATUS_DEVICE_REMOVED);
    assert_int_equal(vidmm_last_refusal(adapter)->rules[0], RULE(SUBMIT_042));
    bare_adapter_destroy(bare);
}

/* BUG-001(b): the object, and the status. */
static void a_stop_of_memory_management_has_its_parameters(void **state)
{
    (void)state;
    struct bare_adapter *bare = bare_adapter_create(1 << 20, 11);
    const uint64_t parameters[3] = { 5, (uint32_t)STATUS_NO_MEMORY, 0 };
    (void)bugcheck(&bare->adapter, RULE(MINI_052), 0x10E, 0xB, parameters, "it failed");
    const struct vidmm_bugcheck *stop = vidmm_bugcheck(&bare->adapter);
    assert_int_equal(stop->code, 0x10E);
    assert_int_equal(stop->parameter[0], 0xB);
    assert_memory_equal(&stop->parameter[1], parameters, sizeof parameters);
    assert_string_equal(stop->meaning, "invalid code from BuildPagingBuffer");
    bare_adapter_destroy(bare);
}

static void an_adapter_that_did_not_start_refuses_with_the_same_rule(void **state)
{
    (void)state;
    struct bare_adapter *bare = bare_adapter_create(1 << 20, 11);
    bare->adapter.tell->started = false;
    (void)refuse(&bare->adapter, RULE(SEG_006), STATUS_INVALID_PARAMETER, "no segment");
    for (int i = 0; i < 2; i++) {
        assert_int_equal(adapter_usable(&bare->adapter), STATUS_GRAPHICS_INVALID_DISPLAY_ADAPTER);
        assert_int_equal(vidmm_last_refusal(&bare->adapter)->rules[0], RULE(SEG_006));
    }
    bare_adapter_destroy(bare);
}

/* A caller's mistake is never a bug of vidmm. */
static void a_number_that_names_nothing_has_an_empty_answer(void **state)
{
    (void)state;
    struct bare_adapter *bare = bare_adapter_create(1 << 20, 11);
    const adapter_t *adapter = &bare->adapter;
    const enum vidmm_counter counter = (enum vidmm_counter)9999;
    const enum vidmm_wait_reason reason = (enum vidmm_wait_reason)9999;
    assert_int_equal(vidmm_counter(adapter, counter), 0);
    assert_int_equal(vidmm_counter_of_segment(adapter, counter, 1), 0);
    assert_int_equal(vidmm_counter_of_segment(adapter, VIDMM_COUNTER_FINDINGS, 9999), 0);
    assert_int_equal(vidmm_counter_of_node(adapter, counter, 9999), 0);
    assert_int_equal(vidmm_counter_of_object(adapter, counter, 0), 0);
    assert_int_equal(vidmm_waits_of(adapter, reason), 0);
    assert_int_equal(vidmm_stall_of(adapter, reason), 0);
    assert_null(vidmm_counter_info(counter));
    assert_null(vidmm_event_info((enum vidmm_event_kind)9999));
    assert_string_equal(vidmm_wait_reason_name(reason), "");
    assert_string_equal(vidmm_offer_state_name((enum vidmm_offer_state)9999), "");
    assert_string_equal(vidmm_rule_standing_name((enum vidmm_rule_standing)9999), "");
    struct vidmm_settings settings;
    const char *why;
    vidmm_settings_init(&settings);
    assert_int_equal(vidmm_setting_default(9999, 0), 0);
    assert_int_equal(vidmm_setting_default(VIDMM_SETTINGS, 9999), 0);
    assert_false(vidmm_setting_store(&settings, 9999, 1, &why));
    assert_string_equal(why, "there is no such setting");
    bare_adapter_destroy(bare);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_refusal_says_which_rule_and_why),
        cmocka_unit_test(a_verdict_tells_whole_mistakes_only),
        cmocka_unit_test(a_warning_goes_on_unless_strict),
        cmocka_unit_test(a_finding_is_counted_or_fatal),
        cmocka_unit_test(a_bug_check_ends_the_system),
        cmocka_unit_test(a_stop_of_memory_management_has_its_parameters),
        cmocka_unit_test(a_number_that_names_nothing_has_an_empty_answer),
        cmocka_unit_test(an_adapter_that_did_not_start_refuses_with_the_same_rule),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
