/* SPDX-License-Identifier: MIT */
/*
 * test_diagnostics.c: every class of message of the scenario language, with its exact text.
 *
 * test_diagnostics_habits.inc holds single lines as other languages would have them,
 * test_diagnostics_lines.inc other single lines, and test_diagnostics_late.inc lines whose mistake
 * only the run shows. The other cases are in test_diagnostics.inc: a text, and the messages about
 * it before anything runs; or a text that runs, the exit code, and the messages then. Numbers of
 * events and times belong to the manager and not to the language: they are compared as "N", and of
 * a line that shows an event only kind and subject count.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/listener.h"
#include "tests/support/unit.h"
#include "vidmm/base/base.h"

struct read_case {
    const char *name, *text, *said;
};

static const struct read_case read_cases[] = {
#define CASE(name, text, said) { name, text, said },
#define RUN(name, exit, text, said)
#include "tests/scenarios/test_diagnostics.inc"
#undef CASE
#undef RUN
};

struct run_case {
    const char *name;
    int exit;
    const char *text, *said;
};

static const struct run_case run_cases[] = {
#define CASE(name, text, said)
#define RUN(name, exit, text, said) { name, exit, text, said },
#include "tests/scenarios/test_diagnostics.inc"
#undef CASE
#undef RUN
};

struct late_case {
    int exit;
    const char *lines, *said;
};

static const struct late_case late_cases[] = {
#define LATE(exit, lines, said) { exit, lines, said },
#include "tests/scenarios/test_diagnostics_late.inc"
#undef LATE
};

/* Habits from another language, and others: one line, one message, and its help. */
struct habit_case {
    const char *line, *said, *help;
};

static const struct habit_case habit_cases[] = {
#define LINE(line, said, help) { line, said, help },
#include "tests/scenarios/test_diagnostics_habits.inc"
#include "tests/scenarios/test_diagnostics_lines.inc"
#undef LINE
};

/* ---- comparison ------------------------------------------------------------------------------ */

/* A number after `word` becomes "N". */
static void forget_number(char *text, const char *word)
{
    for (char *at = strstr(text, word); at; at = strstr(at, word)) {
        at += strlen(word);
        size_t digits = strspn(at, "0123456789");
        if (!digits)
            continue;
        *at = 'N';
        memmove(at + 1, at + digits, strlen(at + digits) + 1);
    }
}

/* "event N: place a segment=vram ..." keeps kind and subject. */
static void forget_fields(char *text)
{
    for (char *at = strstr(text, "   event N: "); at; at = strstr(at, "   event N: ")) {
        at += strlen("   event N: ");
        at += strcspn(at, " \n");
        at += *at == ' ';
        at += strcspn(at, " \n");
        size_t rest = strcspn(at, "\n");
        memmove(at, at + rest, strlen(at + rest) + 1);
    }
}

static void normalise(char *text)
{
    forget_number(text, "event ");
    /* "at N us", and no other "at": offsets stay. */
    for (char *us = strstr(text, " us: "); us; us = strstr(us + 1, " us: ")) {
        char *first = us;
        while (first > text && strchr("0123456789.", first[-1]))
            first--;
        if (first == us)
            continue;
        *first = 'N';
        memmove(first + 1, us, strlen(us) + 1);
        us = first;
    }
    forget_fields(text);
}

static void compare(const char *name, const char *said, const char *expected)
{
    if (strcmp(said, expected) == 0)
        return;
    print_error("case '%s'\n--- expected\n%s--- said\n%s", name, expected, said);
    fail();
}

/* ---- cases -------------------------------------------------------------------------------------
 */

static void test_what_is_said_of_a_text(void **state)
{
    (void)state;
    for (size_t i = 0; i < ARRAY_COUNT(read_cases); i++) {
        struct listener listener;
        const struct read_case *now = &read_cases[i];
        listener_open(&listener);
        struct scenario *scenario =
            scenario_parse(now->text, strlen(now->text), "test.vms", &listener.host);
        assert_false(scenario_check(scenario));
        scenario_free(scenario);
        compare(now->name, listener.said.bytes, now->said);
        listener_close(&listener);
    }
}

static void compare_run(const char *name, const char *text, const char *said, int exit)
{
    struct listener listener;
    struct scenario_result result;
    const struct scenario_options options = { 0 };
    listener_open(&listener);
    struct scenario *scenario = scenario_parse(text, strlen(text), "test.vms", &listener.host);
    assert_true(scenario_check(scenario));
    enum scenario_exit code = scenario_run(scenario, &options, &result);
    assert_int_equal(code, result.exit);
    scenario_free(scenario);
    normalise(listener.said.bytes);
    compare(name, listener.said.bytes, said);
    assert_int_equal(result.exit, exit);
    listener_close(&listener);
}

static void test_what_is_said_of_a_run(void **state)
{
    (void)state;
    for (size_t i = 0; i < ARRAY_COUNT(run_cases); i++)
        compare_run(run_cases[i].name, run_cases[i].text, run_cases[i].said, run_cases[i].exit);
}

/* The numbers are those that only the run knows. */
static void test_what_is_said_of_what_only_the_run_knows(void **state)
{
    (void)state;
    static const char head[] = "vidmm-scenario 1\n"
                               "let zero = rand(0..0)\n"
                               "let one = rand(1..1)\n"
                               "let big = rand(0x100000000..0x100000000)\n"
                               "let most = rand(0xFFFFFFFFFFFFFFFF..0xFFFFFFFFFFFFFFFF)\n"
                               "adapter wddm=2.0\n"
                               "segment vram id=1 kind=memory size=16M flags=CpuVisible\n"
                               "segment aper id=2 kind=aperture size=16M\n";
    for (size_t i = 0; i < ARRAY_COUNT(late_cases); i++) {
        const struct late_case *now = &late_cases[i];
        size_t bytes = sizeof head + strlen(now->lines);
        char *text = base_alloc(bytes, 1);
        (void)snprintf(text, bytes, "%s%s", head, now->lines);
        compare_run(now->lines, text, now->said, now->exit);
        base_free(text);
    }
}

static size_t check(struct listener *listener, const char *text, size_t bytes)
{
    listener_open(listener);
    struct scenario *scenario = scenario_parse(text, bytes, "test.vms", &listener->host);
    scenario_check(scenario);
    scenario_free(scenario);
    return listener->messages;
}

/* It is line 6, so that names are there to be misspelt. */
static char *around(const char *line)
{
    static const char head[] = "vidmm-scenario 1\n"
                               "segment vram id=1 kind=memory size=16M flags=CpuVisible\n"
                               "segment aper id=2 kind=aperture size=16M\n"
                               "create t[0..3] size=1M\n"
                               "create tex size=1M\n";
    size_t bytes = sizeof head + strlen(line) + 2;
    char *text = base_alloc(bytes, 1);
    (void)snprintf(text, bytes, "%s%s\n", head, line);
    return text;
}

static void test_what_is_said_of_habits(void **state)
{
    (void)state;
    for (size_t i = 0; i < ARRAY_COUNT(habit_cases); i++) {
        char said[512], wanted[512];
        struct listener listener;
        const struct habit_case *now = &habit_cases[i];
        char *text = around(now->line);
        size_t messages = check(&listener, text, strlen(text));
        const char *help = messages ? strstr(listener.said.bytes, "      = help: ") : NULL;
        (void)snprintf(said, sizeof said, "test.vms:6:%s\n", now->said);
        (void)snprintf(wanted, sizeof wanted, "%s\n", now->help);
        if (messages != 1 || !help != !*now->help ||
            strncmp(listener.said.bytes, said, strlen(said)) != 0 ||
            (help && strcmp(help + 14, wanted) != 0)) {
            print_error("line '%s'\n--- expected\n%s%s\n--- said\n%s", now->line, said, now->help,
                        listener.said.bytes);
            fail();
        }
        base_free(text);
        listener_close(&listener);
    }
}

static size_t check_bad_lines(struct listener *listener, int lines)
{
    struct text text = { 0 };
    char line[32];
    listener_append(&text, "vidmm-scenario 1\n", 17);
    for (int i = 0; i < lines; i++)
        listener_append(&text, line, (size_t)snprintf(line, sizeof line, "wait f%d\n", i));
    size_t messages = check(listener, text.bytes, text.length);
    base_free(text.bytes);
    return messages;
}

/* Fifty messages, the first in the text, and how many more there are. */
static void test_many_errors_end(void **state)
{
    (void)state;
    struct listener listener;
    assert_int_equal(check_bad_lines(&listener, 5000), 51);
    assert_non_null(
        strstr(listener.said.bytes, "test.vms:2:6: error: there is no submission 'f0' here"));
    assert_non_null(strstr(listener.said.bytes, "test.vms:51:6: error:"));
    assert_null(strstr(listener.said.bytes, "test.vms:52:6: error:"));
    assert_non_null(strstr(listener.said.bytes, "\ntest.vms: 4950 more errors\n"));
    listener_close(&listener);
    assert_int_equal(check_bad_lines(&listener, 20000), 51);
    assert_non_null(strstr(listener.said.bytes,
                           "\ntest.vms: 9950 more errors, and nothing was read behind them\n"));
    listener_close(&listener);
}

/* Errors of the parser and of the later checks come in one order. */
static void test_errors_come_in_order(void **state)
{
    (void)state;
    struct listener listener;
    const char text[] = "vidmm-scenario 1\nwait f\ncraete x\nwait g\noffer x\n";
    assert_int_equal(check(&listener, text, strlen(text)), 4);
    const char *first = strstr(listener.said.bytes, ":2:");
    const char *second = strstr(listener.said.bytes, ":3:");
    const char *third = strstr(listener.said.bytes, ":4:");
    const char *fourth = strstr(listener.said.bytes, ":5:");
    assert_true(first && second && third && fourth);
    assert_true(first < second && second < third && third < fourth);
    listener_close(&listener);
}

static void test_tabs_and_wide_characters_keep_the_mark_below(void **state)
{
    (void)state;
    struct listener listener;
    const char tab[] = "vidmm-scenario 1\n\twait\tf\r\n";
    assert_int_equal(check(&listener, tab, strlen(tab)), 1);
    assert_string_equal(listener.said.bytes,
                        "test.vms:2:7: error: there is no submission 'f' here\n"
                        "    2 |         wait    f\n"
                        "      |                 ^\n"
                        "      = help: `submit NAME read=ALLOCATION` makes one\n");
    listener_close(&listener);
    const char wide[] = "vidmm-scenario 1\nnote \"\xC3\xA4\xE2\x82\xAC\" x\n";
    assert_int_equal(check(&listener, wide, strlen(wide)), 1);
    assert_string_equal(listener.said.bytes,
                        "test.vms:2:11: error: expected the end of the line, found 'x'\n"
                        "    2 | note \"\xC3\xA4\xE2\x82\xAC\" x\n"
                        "      |           ^\n"
                        "      = help: the form is `note \"TEXT\"`\n");
    listener_close(&listener);
}

/* Of a long line only the part around the mark is shown. */
static void test_long_lines_are_clipped(void **state)
{
    (void)state;
    struct listener listener;
    struct text text = { 0 };
    listener_append(&text, "vidmm-scenario 1\nevict ", 23);
    for (int i = 0; i < 60; i++)
        listener_append(&text, "a,", 2);
    listener_append(&text, "a&", 2);
    for (int i = 0; i < 60; i++)
        listener_append(&text, ",a", 2);
    assert_int_equal(check(&listener, text.bytes, text.length), 1);
    base_free(text.bytes);
    assert_string_equal(
        listener.said.bytes,
        "test.vms:2:128: error: '&' has no meaning here\n"
        "    2 | ...,a,a,a,a,a,a,a,a,a,a,a,a,a,a,a,a,a,a,a,a&,a,a,a,a,a,a,a,a,a,a,a,a,a,a,a,a,a,"
        "a,a,a,a,a,a,a,a,a,a,a,a,...\n"
        "      |                                            ^\n"
        "      = help: several values are a list: A,B without spaces; each condition is an "
        "`expect` of its own\n");
    listener_close(&listener);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_what_is_said_of_a_text),
        cmocka_unit_test(test_what_is_said_of_a_run),
        cmocka_unit_test(test_what_is_said_of_what_only_the_run_knows),
        cmocka_unit_test(test_what_is_said_of_habits),
        cmocka_unit_test(test_many_errors_end),
        cmocka_unit_test(test_errors_come_in_order),
        cmocka_unit_test(test_tabs_and_wide_characters_keep_the_mark_below),
        cmocka_unit_test(test_long_lines_are_clipped),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
