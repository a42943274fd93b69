/* SPDX-License-Identifier: MIT */
/* test_items.c: what a text says before it runs: its tests, tags and parameters. */
#include <stdio.h>
#include <string.h>

#include "scenarios/lang/scenario_items.h"
#include "scenarios/lang/tables/tables.h"
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

static void test_two_lines_of_tags(void **state)
{
    static const char text[] = "vidmm-scenario 1\n"
                               "tags a,b\n"
                               "golden times trail\n"
                               "tags c\n";
    struct listener listener;
    struct scenario_item item = { 0 };
    char found[64] = "";
    (void)state;
    listener_open(&listener);
    struct scenario *scenario = scenario_parse(text, strlen(text), "t.vms", &listener.host);
    while (scenario_next(scenario, SCENARIO_TAGS, &item))
        snprintf(found + strlen(found), sizeof found - strlen(found), "%u %s, ", item.at.line,
                 item.text);
    assert_string_equal(found, "2 a, 2 b, 4 c, ");
    item = (struct scenario_item){ 0 };
    assert_true(scenario_next(scenario, SCENARIO_GOLDEN, &item));
    assert_string_equal(item.more, "times trail");
    assert_false(scenario_acts(scenario));
    struct scenario_progress progress;
    assert_false(scenario_progress(scenario, &progress)); /* nothing runs */
    scenario_free(scenario);
    listener_close(&listener);
}

/* The first line from here on that does something. */
static void test_lines_that_act(void **state)
{
    static const char *const files[] = {
        "more.vms", "vidmm-scenario 1\nevict @1\nexpect live() == 2\nevict @2\n", NULL
    };
    static const char text[] = "vidmm-scenario 1\n" /* 1 */
                               "segment vram id=1 kind=memory size=16M\n"
                               "create @1 size=4K\n" /* 3 */
                               "create @2 size=4K\n" /* 4 */
                               "let n = 5\n"
                               "include \"more.vms\"\n"
                               "evict @1\n" /* 7 */
                               "repeat 2\n"
                               "  note \"x\"\n"
                               "  expect live() == 2\n" /* 10 */
                               "end\n"
                               "note \"y\"\n";
    static const uint32_t lines[] = { 3, 3, 3, 3, 4, 7, 7, 7, 10, 10, 10, 0, 0, 0, 0 };
    struct listener listener;
    (void)state;
    listener_open(&listener);
    listener.files = files;
    struct scenario *scenario = scenario_parse(text, strlen(text), "t.vms", &listener.host);
    for (uint32_t line = 0; line < ARRAY_COUNT(lines); line++)
        assert_int_equal(scenario_line_from(scenario, line), lines[line]);
    assert_true(scenario_check(scenario));
    scenario_free(scenario);
    listener_close(&listener);
}

/* ---- settings ---------------------------------------------------------------------------------
 */

static void test_settings_as_they_are_written(void **state)
{
    static const char no_value[] = "the setting has no such value";
    static const struct {
        const char *option, *why; /* NULL: it is one */
        enum vidmm_setting setting;
        uint64_t value;
    } cases[] = {
        { "wddm=1.3", NULL, VIDMM_SETTING_WDDM, 13 },
        { "wddm=2.0", NULL, VIDMM_SETTING_WDDM, 20 },
        { "page=8K", NULL, VIDMM_SETTING_PAGE, 8192 },
        { "page=0x1000", NULL, VIDMM_SETTING_PAGE, 4096 },
        { "eviction=lru", NULL, VIDMM_SETTING_EVICTION, SIZE_MAX },
        { "wddm=1", no_value, 0, 0 },
        { "wddm=1.", no_value, 0, 0 },
        { "wddm=1./", no_value, 0, 0 },
        { "wddm=1.x", no_value, 0, 0 },
        { "wddm=1.31", no_value, 0, 0 },
        { "wddm=1-3", no_value, 0, 0 },
        { "page=x", no_value, 0, 0 },
        { "page=-1", no_value, 0, 0 },
        { "page=", no_value, 0, 0 },
        { "page=4Q", no_value, 0, 0 },
        { "page=18446744073709551615T", no_value, 0, 0 },
        { "eviction=none-such", no_value, 0, 0 },
        { "none-such=1", "no setting has this name", 0, 0 },
        { "page", "a setting is written NAME=VALUE", 0, 0 },
        { "=4K", "a setting is written NAME=VALUE", 0, 0 },
        { "a-name-that-is-longer-than-any-setting-could-ever-be-and-then-some=1",
          "a setting is written NAME=VALUE", 0, 0 },
    };
    const struct scenario_host host = { .policy_count = 0 };
    (void)state;
    for (size_t i = 0; i < ARRAY_COUNT(cases); i++) {
        const char *why = "";
        struct vidmm_settings settings;
        vidmm_settings_init(&settings);
        bool stored = scenario_option_store(&host, cases[i].option, &settings, &why);
        if (stored != !cases[i].why || (!stored && strcmp(why, cases[i].why) != 0)) {
            print_error("%s: %s\n", cases[i].option, stored ? "stored" : why);
            fail();
        }
        if (stored && cases[i].value != SIZE_MAX)
            assert_int_equal(settings.value[cases[i].setting], cases[i].value);
    }
}

/* What a loaded policy implies gives way to a text that chooses one itself; other settings, and
   what the user wrote, do not. */
static void test_implied_settings(void **state)
{
    static const char *const options[] = { "pinned-percent=35", "placement=buddy", "eviction=lru" };
    const struct scenario_host host = { .policy_count = 0 };
    const struct scenario_options chosen = { .settings = options,
                                             .setting_count = ARRAY_COUNT(options),
                                             .implied_count = 2 };
    struct vidmm_settings settings, plain;
    const char *why = "";
    (void)state;
    vidmm_settings_init(&plain);
    settings = plain;
    assert_null(scenario_options_store(&host, &chosen, &settings, &why));
    assert_int_equal(settings.value[VIDMM_SETTING_PINNED_PERCENT], 35);
    assert_true(settings.value[VIDMM_SETTING_PLACEMENT] != plain.value[VIDMM_SETTING_PLACEMENT]);
    assert_true(settings.value[VIDMM_SETTING_EVICTION] != plain.value[VIDMM_SETTING_EVICTION]);
    settings = plain;
    settings.value[VIDMM_SETTING_PLACEMENT] = 1000; /* a loaded one */
    assert_null(scenario_options_store(&host, &chosen, &settings, &why));
    assert_int_equal(settings.value[VIDMM_SETTING_PLACEMENT], 1000);
    static const char *const wrong[] = { "eviction=lru", "wddm=9" };
    const struct scenario_options bad = { .settings = wrong, .setting_count = 2 };
    assert_string_equal(scenario_options_store(&host, &bad, &settings, &why), "wddm=9");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_params),
        cmocka_unit_test(test_tags),
        cmocka_unit_test(test_items),
        cmocka_unit_test(test_foreseen_complaints),
        cmocka_unit_test(test_two_lines_of_tags),
        cmocka_unit_test(test_lines_that_act),
        cmocka_unit_test(test_settings_as_they_are_written),
        cmocka_unit_test(test_implied_settings),
    };
    return cmocka_run_group_tests_name("items", tests, NULL, NULL);
}
