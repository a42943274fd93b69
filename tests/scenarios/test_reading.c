/* SPDX-License-Identifier: MIT */
/*
 * test_reading.c: how much of a text is read: blocks, parentheses, forms, files, errors; and hosts
 * that lack a function or hand out more than there is.
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scenarios/lang/scenario_items.h"
#include "tests/support/listener.h"
#include "tests/support/unit.h"
#include "vidmm/base/base.h"

#define HEAD    "vidmm-scenario 1\n"
#define SEGMENT "segment vram id=1 kind=memory size=64M\n"

VIDMM_PRINTF(2, 3) static void add(struct text *text, const char *format, ...)
{
    char line[256];
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    listener_append(text, line, (size_t)length);
}

/* Reads, checks and runs; the messages stay in the listener. */
static enum scenario_exit run(struct listener *listener, struct text *text)
{
    struct scenario_result result = { .exit = SCENARIO_EXIT_INPUT };
    const struct scenario_options options = { 0 };
    struct scenario *scenario =
        scenario_parse(text->bytes, text->length, "test.vms", &listener->host);
    if (scenario_check(scenario))
        scenario_run(scenario, &options, &result);
    scenario_free(scenario);
    base_free(text->bytes);
    *text = (struct text){ 0 };
    return result.exit;
}

static size_t count(const char *text, const char *part)
{
    size_t found = 0;
    for (const char *at = strstr(text, part); at; at = strstr(at + 1, part))
        found++;
    return found;
}

/* ---- depth ------------------------------------------------------------------------------------
 */

/* Inside blocks that are too deep nothing is read, and each `end` still finds its block. */
static void test_blocks_too_deep(void **state)
{
    struct listener listener;
    struct text text = { 0 };
    (void)state;
    listener_open(&listener);
    add(&text, HEAD SEGMENT);
    for (int i = 0; i < 64; i++)
        add(&text, "repeat 1\n");
    add(&text, "repeat 1\nrepeat 1\nchoose\ncase 1\nevict nothing\nend\nend\nend\n");
    add(&text, "quietly\nexpect events\nevict nothing\nend\nexpect map vram\nend\n");
    add(&text, "submit nothing\nsubmit nothing with\nend\nexpect nothing resident\nend\n");
    for (int i = 0; i < 64; i++)
        add(&text, "end\n");
    add(&text, "evict nobody\n");
    assert_int_equal(run(&listener, &text), SCENARIO_EXIT_INPUT);
    assert_int_equal(count(listener.said.bytes, "blocks nest deeper than 64"), 2);
    assert_int_equal(count(listener.said.bytes, "nothing"), 0);
    assert_int_equal(count(listener.said.bytes, "there is no allocation 'nobody' here"), 1);
    assert_int_equal(listener.messages, 3);
    listener_close(&listener);
}

static void test_expressions_too_deep(void **state)
{
    static const char *const openers[] = { "(", "size(", "t[" };
    (void)state;
    for (size_t i = 0; i < ARRAY_COUNT(openers); i++) {
        struct listener listener;
        struct text text = { 0 };
        listener_open(&listener);
        add(&text, HEAD "expect ");
        for (int depth = 0; depth < 70; depth++)
            add(&text, "%s", openers[i]);
        add(&text, "\n");
        assert_int_equal(run(&listener, &text), SCENARIO_EXIT_INPUT);
        assert_int_equal(count(listener.said.bytes, "parentheses nest deeper than 64"), 1);
        assert_int_equal(listener.messages, 1);
        listener_close(&listener);
    }
}

/* ---- many of a thing --------------------------------------------------------------------------
 */

/* More forms than are kept: further lines are read one by one, and mean the same. */
static void test_more_forms_than_are_kept(void **state)
{
    enum { LINES = 8192 + 10 };
    struct listener listener;
    struct text text = { 0 };
    (void)state;
    listener_open(&listener);
    add(&text, HEAD SEGMENT);
    for (int i = 0; i < LINES; i++)
        add(&text, "class c%d size=4K\n", i);
    for (int i = 0; i < LINES; i++)
        add(&text, "create @%d : c%d\n", i, i);
    add(&text, "destroy @%d,@0\nexpect live() == %d\n", LINES - 1, LINES - 2);
    assert_int_equal(run(&listener, &text), SCENARIO_EXIT_OK);
    assert_int_equal(listener.messages, 0);
    listener_close(&listener);
}

/* Reading ends after very many errors, also within a block. */
static void test_errors_of_reading_end(void **state)
{
    static const char *const blocks[] = { "", "repeat 2\n" };
    (void)state;
    for (size_t i = 0; i < ARRAY_COUNT(blocks); i++) {
        struct listener listener;
        struct text text = { 0 };
        listener_open(&listener);
        add(&text, HEAD "%s", blocks[i]);
        for (int line = 0; line < 12000; line++)
            add(&text, "frob\n");
        assert_int_equal(run(&listener, &text), SCENARIO_EXIT_INPUT);
        assert_int_equal(count(listener.said.bytes, "'frob' is not a statement"), 50);
        assert_int_equal(count(listener.said.bytes,
                               " 9950 more errors, and nothing was read behind them"),
                         1);
        assert_int_equal(count(listener.said.bytes, "is never closed"), 0);
        listener_close(&listener);
    }
}

/* The same of lines that have forms, and of names of the wrong kind. */
static void test_errors_of_checks_end(void **state)
{
    static const char *const names[] = { "@", "vram # " };
    (void)state;
    for (size_t i = 0; i < ARRAY_COUNT(names); i++) {
        struct listener listener;
        struct text text = { 0 };
        listener_open(&listener);
        add(&text, HEAD SEGMENT);
        for (int number = 0; number < 12000; number++)
            add(&text, "evict %s%d\n", names[i], number);
        assert_int_equal(run(&listener, &text), SCENARIO_EXIT_INPUT);
        assert_int_equal(listener.messages, 51);
        assert_int_equal(count(listener.said.bytes, " 9950 more errors"), 1);
        listener_close(&listener);
    }
}

/* Of a thousand names that a choice may have made each is looked for at the end, of more none. */
static void test_uses_that_wait(void **state)
{
    struct listener listener;
    struct text text = { 0 };
    (void)state;
    listener_open(&listener);
    add(&text, HEAD SEGMENT "choose\ncase 1\n");
    for (int i = 0; i < 1010; i++)
        add(&text, "evict a%d # x\n", i);
    add(&text, "end\n");
    for (int i = 1; i < 1010; i++)
        add(&text, "create a%d size=4K\n", i);
    assert_int_equal(run(&listener, &text), SCENARIO_EXIT_INPUT);
    assert_int_equal(count(listener.said.bytes, "there is no allocation 'a0' here"), 1);
    assert_int_equal(listener.messages, 1);
    listener_close(&listener);
}

static void test_a_family_of_many(void **state)
{
    struct listener listener;
    struct text text = { 0 };
    (void)state;
    listener_open(&listener);
    add(&text, HEAD SEGMENT "create t[0..1500] size=4K\nevict t[2000]\n");
    assert_int_equal(run(&listener, &text), SCENARIO_EXIT_INPUT);
    assert_int_equal(count(listener.said.bytes, "help: there are t[0..999] and more\n"), 1);
    listener_close(&listener);
}

static void test_segments_and_nodes_of_an_adapter(void **state)
{
    struct listener listener;
    struct text text = { 0 };
    (void)state;
    listener_open(&listener);
    add(&text, HEAD);
    for (int i = 1; i <= 32; i++)
        add(&text, "segment s%d id=%d kind=memory size=1M\n", i, i);
    assert_int_equal(run(&listener, &text), SCENARIO_EXIT_INPUT);
    assert_int_equal(count(listener.said.bytes, "an adapter has at most 31 segments (SEG-006)"), 1);
    assert_int_equal(listener.messages, 1);
    listener_close(&listener);
    listener_open(&listener);
    add(&text, HEAD SEGMENT);
    for (int i = 0; i < 64; i++)
        add(&text, "node %d name=n%d\n", i, i);
    add(&text, "preempt 64\n");
    assert_int_equal(run(&listener, &text), SCENARIO_EXIT_INPUT);
    assert_int_equal(count(listener.said.bytes, "there is no node 64: the adapter has 64"), 1);
    listener_close(&listener);
}

/* ---- files ------------------------------------------------------------------------------------
 */

struct files {
    struct listener listener;
    size_t bytes; /* that the host says each file has; 0: as many as there are */
};

static bool load_any(struct scenario_host *host, const char *path, char **text, size_t *bytes)
{
    const struct files *files = CONTAINER_OF(host, struct files, listener.host);
    (void)path;
    *text = base_strndup(HEAD, strlen(HEAD));
    *bytes = files->bytes ? files->bytes : strlen(HEAD);
    return true;
}

static void test_so_many_files(void **state)
{
    struct files files = { .bytes = 0 };
    struct text text = { 0 };
    (void)state;
    listener_open(&files.listener);
    files.listener.host.load = load_any;
    add(&text, HEAD);
    for (int i = 0; i < 4097; i++)
        add(&text, "include \"f%d.vms\"\n", i);
    assert_int_equal(run(&files.listener, &text), SCENARIO_EXIT_INPUT);
    assert_int_equal(count(files.listener.said.bytes, "is one file too many"), 2);
    assert_int_equal(count(files.listener.said.bytes, "test.vms:4097:9: error: 'f4095.vms'"), 1);
    listener_close(&files.listener);
}

static void test_so_many_values_from_outside(void **state)
{
    struct listener listener;
    static const char text[] = HEAD "param n = 1\n";
    (void)state;
    listener_open(&listener);
    struct scenario *scenario = scenario_parse(text, strlen(text), "test.vms", &listener.host);
    assert_false(scenario_define(scenario, "n"));
    assert_false(scenario_define(scenario, "m=2"));
    for (int i = 0; i < 4095; i++)
        assert_true(scenario_define(scenario, "n=2"));
    assert_false(scenario_define(scenario, "n=2"));
    assert_true(scenario_check(scenario));
    scenario_free(scenario);
    listener_close(&listener);
}

static void test_values_from_outside_that_are_none(void **state)
{
    static const struct {
        const char *option, *said;
    } cases[] = {
        { "n=&", "-D:1:3: error: '&' has no meaning here\n" },
        { "n=2 3", "-D:1:5: error: expected the end of the value, found '3'\n" },
        { "n=", "-D:1:3: error: expected a number or a name, found the end of the line\n" },
        { "n=$late", "-D:1:3: error: there is no variable 'late' here\n"
                     "    1 | n=$late\n"
                     "      |   ^^^^^\n"
                     "      = help: a value of -D may name parameters that stand above its own\n" },
    };
    static const char text[] = HEAD "param n = 1\nparam late = 2\n";
    (void)state;
    for (size_t i = 0; i < ARRAY_COUNT(cases); i++) {
        struct listener listener;
        listener_open(&listener);
        struct scenario *scenario = scenario_parse(text, strlen(text), "test.vms", &listener.host);
        assert_true(scenario_define(scenario, cases[i].option));
        assert_false(scenario_check(scenario));
        assert_int_equal(listener.messages, 1);
        assert_true(strncmp(listener.said.bytes, cases[i].said, strlen(cases[i].said)) == 0);
        scenario_free(scenario);
        listener_close(&listener);
    }
}

/* A file of 4 GiB, and one that nobody can load: nothing of either is read. */
static void test_files_that_cannot_be_read(void **state)
{
    struct files files = { .bytes = UINT32_MAX };
    struct text text = { 0 };
    (void)state;
    listener_open(&files.listener);
    files.listener.host.load = load_any;
    add(&text, HEAD "include \"huge.vms\"\n");
    assert_int_equal(run(&files.listener, &text), SCENARIO_EXIT_INPUT);
    assert_int_equal(count(files.listener.said.bytes, "'huge.vms' has 4 GiB or more"), 1);
    files.listener.host.load = NULL;
    add(&text, HEAD "include \"any.vms\"\n");
    assert_int_equal(run(&files.listener, &text), SCENARIO_EXIT_INPUT);
    assert_int_equal(count(files.listener.said.bytes, "'any.vms' cannot be read"), 1);
    listener_close(&files.listener);
}

/* Lines with forms, before, in and after an included file: each is one of its own file. */
static void test_bulk_lines_of_included_files(void **state)
{
    static const char *const files[] = { "more.vms", HEAD "evict @1\nevict @77\n", NULL };
    struct listener listener;
    struct text text = { 0 };
    (void)state;
    listener_open(&listener);
    listener.files = files;
    add(&text, HEAD SEGMENT "create @1 size=4K\nevict @1\ninclude \"more.vms\"\nevict @78\n");
    assert_int_equal(run(&listener, &text), SCENARIO_EXIT_INPUT);
    assert_int_equal(listener.messages, 2);
    assert_int_equal(count(listener.said.bytes,
                           "more.vms:3:7: error: there is no allocation '@77' here"),
                     1);
    assert_int_equal(count(listener.said.bytes,
                           "test.vms:6:7: error: there is no allocation '@78' here"),
                     1);
    listener_close(&listener);
}

static void test_texts_that_cannot_be_read(void **state)
{
    static const struct {
        const char *text;
        size_t bytes;
        const char *said;
    } cases[] = {
        { HEAD, UINT32_MAX, "test.vms:1:1: error: a scenario is at most 4 GiB long\n" },
        { NULL, 0, "test.vms:1:1: error: this is not a scenario\n" },
    };
    (void)state;
    for (size_t i = 0; i < ARRAY_COUNT(cases); i++) {
        struct listener listener;
        listener_open(&listener);
        struct scenario *scenario =
            scenario_parse(cases[i].text, cases[i].bytes, "test.vms", &listener.host);
        assert_false(scenario_check(scenario));
        scenario_free(scenario);
        assert_int_equal(listener.messages, 1);
        assert_true(strncmp(listener.said.bytes, cases[i].said, strlen(cases[i].said)) == 0);
        listener_close(&listener);
    }
}

static void test_a_first_line_without_an_end(void **state)
{
    struct listener listener;
    struct text text = { 0 };
    (void)state;
    listener_open(&listener);
    add(&text, "vidmm-scenario 1");
    for (int i = 0; i < 1000; i++)
        add(&text, "                                                                      ");
    assert_int_equal(run(&listener, &text), SCENARIO_EXIT_INPUT);
    assert_int_equal(count(listener.said.bytes, "test.vms:1:1: error: this is not a scenario"), 1);
    listener_close(&listener);
}

/* ---- a host that does not listen --------------------------------------------------------------
 */

static void test_nobody_hears_of_errors(void **state)
{
    struct scenario_host host = { .message = NULL };
    struct text text = { 0 };
    (void)state;
    add(&text, HEAD);
    for (int i = 0; i < 60; i++)
        add(&text, "frob\n");
    struct scenario *scenario = scenario_parse(text.bytes, text.length, "test.vms", &host);
    assert_false(scenario_check(scenario));
    scenario_free(scenario);
    base_free(text.bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_blocks_too_deep),
        cmocka_unit_test(test_expressions_too_deep),
        cmocka_unit_test(test_more_forms_than_are_kept),
        cmocka_unit_test(test_errors_of_reading_end),
        cmocka_unit_test(test_errors_of_checks_end),
        cmocka_unit_test(test_uses_that_wait),
        cmocka_unit_test(test_a_family_of_many),
        cmocka_unit_test(test_segments_and_nodes_of_an_adapter),
        cmocka_unit_test(test_so_many_files),
        cmocka_unit_test(test_so_many_values_from_outside),
        cmocka_unit_test(test_values_from_outside_that_are_none),
        cmocka_unit_test(test_files_that_cannot_be_read),
        cmocka_unit_test(test_bulk_lines_of_included_files),
        cmocka_unit_test(test_texts_that_cannot_be_read),
        cmocka_unit_test(test_a_first_line_without_an_end),
        cmocka_unit_test(test_nobody_hears_of_errors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
