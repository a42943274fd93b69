/* SPDX-License-Identifier: MIT */
/* test_items.c: what a text says before it runs: its tests, tags and parameters. */
#include <stdio.h>
#include <string.h>

#include "scenarios/lang/scenario_items.h"
#include "tests/support/listener.h"
#include "tests/support/unit.h"
#include "vidmm/base/base.h"

static const char tagged[] = "vidmm-scenario 1\n"
                             "tags slow,overlay\n"
                             "param n = 2\n"
                             "param room = 32M * $n  # of vram\n"
                             "segment vram id=1 kind=memory size=$room\n"
                             "test \"one\" tags=flip,slow-1\n"
                             "  expect size(vram) == 64M\n"
                             "end\n"
                             "test \"two\"\n"
                             "  expect $n == 2\n"
                             "end\n";

/* Runs the text with these; the last messages are in `said`. */
static struct scenario_result run_defined(const char *define, const char *tags, char *said,
                                          size_t bytes)
{
    struct listener listener;
    struct scenario_result result = { .exit = SCENARIO_EXIT_INPUT };
    const struct scenario_options options = { .tags = tags };
    listener_open(&listener);
    struct scenario *scenario = scenario_parse(tagged, strlen(tagged), "t.vms", &listener.host);
    bool known = !define || scenario_define(scenario, define);
    if (known && scenario_check(scenario))
        scenario_run(scenario, &options, &result);
    snprintf(said, bytes, "%s", known ? listener.said.bytes ? listener.said.bytes : "" : "unknown");
    scenario_free(scenario);
    listener_close(&listener);
    return result;
}

static void test_params(void **state)
{
    char said[512];
    (void)state;
    assert_int_equal(run_defined(NULL, NULL, said, sizeof said).exit, SCENARIO_EXIT_OK);
    assert_int_equal(run_defined("n=1 + 1", NULL, said, sizeof said).exit, SCENARIO_EXIT_OK);
    assert_int_equal(run_defined("room=64M", NULL, said, sizeof said).exit, SCENARIO_EXIT_OK);
    struct scenario_result result = run_defined("n=3", NULL, said, sizeof said);
    assert_int_equal(result.exit, SCENARIO_EXIT_FAILED);
    assert_int_equal(result.tests_failed, 2);
    assert_int_equal(run_defined("room=1M", NULL, said, sizeof said).tests_failed, 1);
    (void)run_defined("m=3", NULL, said, sizeof said);
    assert_string_equal(said, "unknown");
    (void)run_defined("n", NULL, said, sizeof said);
    assert_string_equal(said, "unknown");
    assert_int_equal(run_defined("n=3 4", NULL, said, sizeof said).exit, SCENARIO_EXIT_INPUT);
    assert_string_equal(said, "-D:1:5: error: expected the end of the value, found '4'\n"
                              "    1 | n=3 4\n"
                              "      |     ^\n");
    assert_int_equal(run_defined("n=", NULL, said, sizeof said).exit, SCENARIO_EXIT_INPUT);
}

static void test_tags(void **state)
{
    static const struct {
        const char *tags;
        uint64_t tests;
    } rows[] = {
        { "slow", 2 },     { "flip", 1 },  { "slow,-flip", 1 },
        { "-overlay", 0 }, { "other", 0 }, { "other,flip", 1 },
        { "-other", 2 },   { "", 2 },      { "slow-1,-fli", 1 },
    };
    char said[512];
    (void)state;
    for (size_t i = 0; i < ARRAY_COUNT(rows); i++)
        assert_int_equal(run_defined(NULL, rows[i].tags, said, sizeof said).tests, rows[i].tests);
}

static void test_items(void **state)
{
    struct listener listener;
    struct text found = { 0 };
    (void)state;
    listener_open(&listener);
    struct scenario *scenario = scenario_parse(tagged, strlen(tagged), "t.vms", &listener.host);
    for (int which = SCENARIO_TESTS; which <= SCENARIO_PARAMS; which++) {
        struct scenario_item item = { 0 };
        while (scenario_next(scenario, (enum scenario_items)which, &item)) {
            char line[96];
            int bytes = snprintf(line, sizeof line, "%u %.*s (%.*s)\n", item.at.line,
                                 (int)item.length, item.text, (int)item.more_length, item.more);
            listener_append(&found, line, (size_t)bytes);
        }
    }
    assert_string_equal(found.bytes, "6 one (flip,slow-1)\n9 two ()\n2 slow ()\n2 overlay ()\n"
                                     "3 n (2)\n4 room (32M * $n)\n");
    assert_true(scenario_acts(scenario));
    scenario_free(scenario);
    listener_close(&listener);
    base_free(found.bytes);
}

static void test_foreseen_complaints(void **state)
{
    static const char text[] = "vidmm-scenario 1\n"
                               "segment vram id=1 kind=memory size=16M\n"
                               "test \"proof\"\n"
                               "  proves LOCK-067(c)\n"
                               "end\n"
                               "test \"list\"\n"
                               "  repeat 2\n"
                               "    expect no finding\n"
                               "  end\n"
                               "end\n"
                               "test \"silent\"\n"
                               "end\n";
    enum vidmm_rule rule = vidmm_rule_by_id("LOCK-067"), other = vidmm_rule_by_id("SUBMIT-008");
    static const bool wanted[][3] = { { true, false, false }, { true, true, false }, { 0 } };
    struct listener listener;
    struct scenario_item test = { 0 };
    (void)state;
    listener_open(&listener);
    struct scenario *scenario = scenario_parse(text, strlen(text), "t.vms", &listener.host);
    for (size_t i = 0; i < ARRAY_COUNT(wanted); i++) {
        assert_true(scenario_next(scenario, SCENARIO_TESTS, &test));
        assert_int_equal(scenario_foresees(scenario, &test, SCENARIO_FINDING, rule), wanted[i][0]);
        assert_int_equal(scenario_foresees(scenario, &test, SCENARIO_FINDING, other), wanted[i][1]);
        assert_int_equal(scenario_foresees(scenario, &test, SCENARIO_WARNING, other), wanted[i][2]);
    }
    assert_true(scenario_foresees(scenario, NULL, SCENARIO_FINDING, other));
    assert_false(scenario_foresees(scenario, NULL, SCENARIO_WARNING, other));
    scenario_free(scenario);
    listener_close(&listener);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_params),
        cmocka_unit_test(test_tags),
        cmocka_unit_test(test_items),
        cmocka_unit_test(test_foreseen_complaints),
    };
    return cmocka_run_group_tests_name("items", tests, NULL, NULL);
}
