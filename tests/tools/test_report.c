/* SPDX-License-Identifier: MIT */
/* test_report.c: any text in a report of `vidmm test`: what XML and TAP can hold, and what not. */
#define _DEFAULT_SOURCE /* open_memstream */
#include <stdlib.h>
#include <string.h>

#include "tests/support/unit.h"
#include "tools/common/text.h"
#include "tools/test/report.h"

#define BAD "\xEF\xBF\xBD"

static void check_xml(const char *bytes, size_t count, const char *wanted)
{
    struct text text = { 0 };
    text_add_xml(&text, bytes, count);
    assert_string_equal(text_get(&text), wanted);
    text_free(&text);
}

static void xml_holds_every_text(void **state)
{
    static const struct {
        const char *bytes, *wanted;
    } rows[] = {
        { "", "" },
        { "plain, \xC3\xA9 \xE2\x82\xAC \xF0\x9F\x98\x80",
          "plain, \xC3\xA9 \xE2\x82\xAC \xF0\x9F\x98\x80" },
        { "<a & \"b\">", "&lt;a &amp; &quot;b&quot;&gt;" },
        { "]]>", "]]&gt;" },
        { "a\tb\nc\rd", "a&#9;b&#10;c&#13;d" },
        { "\x01\x1B[1m\x7F", BAD BAD "[1m\x7F" },
        /* Not UTF-8: a lone byte, one too few, too long a form, a surrogate, above U+10FFFF. */
        { "\x80x", BAD "x" },
        { "\xFFx", BAD "x" },
        { "\xC3", BAD },
        { "\xE2\x82x", BAD BAD "x" },
        { "\xC0\xAF", BAD BAD },
        { "\xE0\x80\xAF", BAD BAD BAD },
        { "\xF8\x88\x80\x80\x80", BAD BAD BAD BAD BAD },
        { "\xED\xA0\x80", BAD BAD BAD },
        { "\xF4\x90\x80\x80", BAD BAD BAD BAD },
        /* UTF-8, and no character of XML. */
        { "\xEF\xBF\xBE\xEF\xBF\xBF", BAD BAD },
        { "\xEF\xBF\xBD", BAD },
    };
    (void)state;
    for (size_t i = 0; i < ARRAY_COUNT(rows); i++)
        check_xml(rows[i].bytes, strlen(rows[i].bytes), rows[i].wanted);
    check_xml("a\0b", 3, "a" BAD "b");
    check_xml("\xE2\x82\xAC", 2, BAD BAD); /* it ends before the character does */
}

static void tap_knows_the_end_of_a_name(void **state)
{
    struct text text = { 0 };
    (void)state;
    report_tap_name(&text, "a # SKIP \\ b\nnot ok");
    assert_string_equal(text_get(&text), "a \\# SKIP \\\\ b not ok");
    text_free(&text);
}

/* ---- whole reports --------------------------------------------------------------------------- */

/* A file that failed in its second test, of a seed; a name and a message that hold everything. */
static struct unit_message messages[] = {
    { SCENARIO_WARNING, true, false, 0, 0, 3, 1, "a.vms", "foreseen", "a.vms:3:1: foreseen\n" },
    { SCENARIO_WARNING, false, false, 0, 0, 0, 0, "a.vms", "odd", "a.vms: odd" },
    { SCENARIO_FAILED, false, false, 0, 0, 7, 1, "a.vms", "say \"\\\x01\x7F\"",
      "a.vms:7:1: \x01\x7F\tsaid\nin two lines\n" },
};

static struct unit units[] = {
    { .state = UNIT_PASSED, .name = "first", .why = "", .line = 2, .first = 0, .count = 1 },
    { .state = UNIT_PASSED, .name = "odd", .why = "", .line = 4, .first = 1, .count = 1 },
    { .state = UNIT_FAILED, .name = "", .why = "", .line = 0, .first = 1, .count = 2 },
    { .state = UNIT_FAILED, .name = "dumb", .why = "", .line = 9, .first = 3, .count = 0 },
    { .state = UNIT_CHOSEN, .name = "lost", .why = "", .line = 10, .first = 3, .count = 0 },
    { .state = UNIT_SKIPPED, .name = "last", .why = "not reached", .line = 11, .first = 3 },
};

/* What a report says of them, with this exit code of the file, to be freed. */
static char *report_of(struct report *(*open)(const struct report_options *options), int exit)
{
    char *bytes = NULL;
    size_t count = 0;
    const struct totals totals = { .passed = 2, .failed = 2, .skipped = 1 };
    struct report_options options = { .options = "-v ", .seed_first = 7, .seed_count = 1 };
    const struct verdict verdict = { .file = "a.vms",
                                     .seed = 7,
                                     .seeded = true,
                                     .exit = exit,
                                     .units = units,
                                     .unit_count = ARRAY_COUNT(units),
                                     .messages = messages,
                                     .message_count = ARRAY_COUNT(messages) };
    options.screen.out = open_memstream(&bytes, &count);
    assert_non_null(options.screen.out);
    struct report *report = open(&options);
    report->verdict(report, &verdict);
    report->end(report, &totals);
    assert_int_equal(fclose(options.screen.out), 0);
    return bytes;
}

static void tap_says_all(void **state)
{
    static const char wanted[] = "TAP version 14\n"
                                 "ok 1 - a.vms: first [seed 7]\n"
                                 "ok 2 - a.vms: odd [seed 7]\n"
                                 "  ---\n"
                                 "  message: \"odd\"\n"
                                 "  severity: comment\n"
                                 "  file: \"a.vms\"\n"
                                 "  line: 4\n"
                                 "  test: \"odd\"\n"
                                 "  seed: 7\n"
                                 "  options: \"-v\"\n"
                                 "  output: |\n"
                                 "    a.vms: odd\n"
                                 "  ...\n"
                                 "not ok 3 - a.vms [seed 7]\n"
                                 "  ---\n"
                                 "  message: \"odd\"\n"
                                 "  severity: fail\n"
                                 "  kind: expectation\n"
                                 "  file: \"a.vms\"\n"
                                 "  line: 1\n"
                                 "  seed: 7\n"
                                 "  options: \"-v\"\n"
                                 "  output: |\n"
                                 "    a.vms: odd\n"
                                 "    a.vms:7:1: ??\tsaid\n"
                                 "    in two lines\n"
                                 "  ...\n"
                                 "not ok 4 - a.vms: dumb [seed 7]\n"
                                 "  ---\n"
                                 "  severity: fail\n"
                                 "  kind: expectation\n"
                                 "  file: \"a.vms\"\n"
                                 "  line: 9\n"
                                 "  test: \"dumb\"\n"
                                 "  seed: 7\n"
                                 "  options: \"-v\"\n"
                                 "  ...\n"
                                 "ok 5 - a.vms: last [seed 7] # SKIP not reached\n"
                                 "1..5\n"
                                 "# 2 passed, 2 failed, 1 skipped\n"
                                 "Bail out! not all files were run\n";
    (void)state;
    char *text = report_of(report_tap_open, 1);
    assert_string_equal(text, wanted);
    free(text);
    messages[1].severity = SCENARIO_FAILED;
    messages[1].text = "say \"\\\x01\x7F\"";
    text = report_of(report_tap_open, 1);
    assert_non_null(strstr(text, "  message: \"say \\\"\\\\\\x01\\x7F\\\"\"\n"));
    free(text);
    messages[1].severity = SCENARIO_WARNING;
    messages[1].text = "odd";
}

static void every_exit_has_a_kind(void **state)
{
    static const char *const kinds[] = { [SCENARIO_EXIT_FAILED] = "expectation",
                                         [SCENARIO_EXIT_INPUT] = "input",
                                         [SCENARIO_EXIT_LIMIT] = "limit",
                                         [SCENARIO_EXIT_BUGCHECK] = "bugcheck",
                                         [SCENARIO_EXIT_INVARIANT] = "crash" };
    (void)state;
    for (int exit = 0; exit < (int)ARRAY_COUNT(kinds); exit++)
        if (kinds[exit])
            assert_string_equal(verdict_kind(&(struct verdict){ .exit = exit }), kinds[exit]);
}

static void junit_says_all(void **state)
{
    static const char *const wanted[] = {
        "<testsuites name=\"vidmm test\" tests=\"7\" failures=\"2\" errors=\"2\" skipped=\"1\">\n"
        "  <testsuite name=\"a.vms\" tests=\"6\" failures=\"2\" errors=\"1\" skipped=\"1\">\n",
        "<testcase name=\"odd [seed 7]\" classname=\"a.vms\" file=\"a.vms\" line=\"4\">\n"
        "      <system-out>a.vms: odd</system-out>\n",
        "<failure type=\"limit\" message=\"say &quot;\\" BAD "\x7F&quot;\">"
        "a.vms:7:1: " BAD "\x7F&#9;said\nin two lines\n</failure>",
        "<failure type=\"limit\" message=\"\"></failure>",
        "      <skipped message=\"not reached\"/>\n",
        "<error type=\"unfinished\" message=\"not all files were run\"/>",
    };
    (void)state;
    char *text = report_of(report_junit_open, SCENARIO_EXIT_LIMIT);
    for (size_t i = 0; i < ARRAY_COUNT(wanted); i++)
        if (!strstr(text, wanted[i]))
            fail_msg("no '%s' in %s", wanted[i], text);
    assert_null(strstr(text, "foreseen"));
    free(text);
}

static void json_lines_say_all(void **state)
{
    static const char wanted[] = "{\"type\":\"verdict\",\"verdict\":\"failed\",\"file\":\"a.vms\","
                                 "\"line\":9,\"test\":\"dumb\","
                                 "\"seed\":7,\"kind\":\"crash\"";
    (void)state;
    char *text = report_of(report_jsonl_open, SCENARIO_EXIT_INVARIANT);
    if (!strstr(text, wanted))
        fail_msg("no '%s' in %s", wanted, text);
    assert_null(strstr(text, "lost"));
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tap_says_all),         cmocka_unit_test(every_exit_has_a_kind),
        cmocka_unit_test(junit_says_all),       cmocka_unit_test(json_lines_say_all),
        cmocka_unit_test(xml_holds_every_text), cmocka_unit_test(tap_knows_the_end_of_a_name),
    };
    return cmocka_run_group_tests_name("report", tests, NULL, NULL);
}
