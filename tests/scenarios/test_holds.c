/* SPDX-License-Identifier: MIT */
/*
 * test_holds.c: what expectations and names mean where it matters: texts that run to their end, and
 * of which nothing is said. The random numbers are those of another implementation of what
 * scenarios/README.md writes down.
 */
#include <stdio.h>
#include <string.h>

#include "tests/support/listener.h"
#include "tests/support/unit.h"
#include "vidmm/base/base.h"

static const char *const texts[] = {
#define HOLDS(lines) lines,
#include "tests/scenarios/test_holds.inc"
#undef HOLDS
};

/* Zero: it holds. */
static enum scenario_exit run(const char *lines, struct listener *listener)
{
    static const char head[] = "vidmm-scenario 1\n"
                               "segment vram id=1 kind=memory size=64M flags=CpuVisible\n"
                               "segment aper id=2 kind=aperture size=32M\n";
    struct scenario_result result = { .exit = SCENARIO_EXIT_INPUT };
    const struct scenario_options options = { .check_invariants = true };
    size_t bytes = sizeof head + strlen(lines);
    char *text = base_alloc(bytes, 1);
    (void)snprintf(text, bytes, "%s%s", head, lines);
    listener_open(listener);
    struct scenario *scenario = scenario_parse(text, strlen(text), "test.vms", &listener->host);
    if (scenario_check(scenario))
        scenario_run(scenario, &options, &result);
    scenario_free(scenario);
    base_free(text);
    return result.exit;
}

static void test_texts_hold(void **state)
{
    (void)state;
    for (size_t i = 0; i < ARRAY_COUNT(texts); i++) {
        struct listener listener;
        if (run(texts[i], &listener) != SCENARIO_EXIT_OK || listener.messages) {
            print_error("%s--- said\n%s", texts[i], listener.said.bytes);
            fail();
        }
        listener_close(&listener);
    }
}

/* ---- lists of many events -----------------------------------------------------------------------
 */

/* Forty allocations are placed and evicted: more events than are looked at one after the other. */
static enum scenario_exit list(const char *mode, const char *lines)
{
    static const char before[] = "create t[0..39] size=64K\n"
                                 "context c\n"
                                 "submit f read=t[0]\n"
                                 "wait f\n"
                                 "preempt render\n"
                                 "lock @99 -> fails\n"
                                 "evict t[0]\n"
                                 "expect events\n"
                                 "  evict t[0]\n"
                                 "end\n"
                                 "create b size=0 -> fails\n"
                                 "for i in 0..39\n"
                                 "  page-in t[$i]\n"
                                 "end\n"
                                 "submit g read=t[0]\n"
                                 "wait g\n"
                                 "preempt render\n"
                                 "lock @99 -> fails\n"
                                 "for i in 0..39\n"
                                 "  evict t[$i]\n"
                                 "end\n";
    struct listener listener;
    char text[2048];
    (void)snprintf(text, sizeof text, "%sexpect events %s\n%send\n", before, mode, lines);
    enum scenario_exit exit = run(text, &listener);
    if (exit == SCENARIO_EXIT_INPUT)
        print_error("%s--- said\n%s", lines, listener.said.bytes);
    listener_close(&listener);
    return exit;
}

static void test_lists_in_any_order(void **state)
{
    static const struct {
        const char *lines;
        bool holds;
    } cases[] = {
        { "  evict t[39]\n  place t[7]\n  evict t[0]\n  place t[0]\n", true },
        { "  evict t[39]\n  evict t[39]\n", false },
        { "  place t[5] segment=vram offset=320K bytes=64K\n", true },
        { "  place t[5] segment=vram offset=64K\n", false },
        { "  place offset=64K\n  place offset=0\n  place offset=128K segment=vram\n", true },
        { "  place offset=64K\n  place offset=64K\n", false },
        { "  place offset=0..64K\n  place offset=0..64K\n", true },
        { "  place offset=0..64K\n  place offset=0..64K\n  place offset=0..64K\n", false },
        { "  place offset=0,64K\n  place offset=0,64K\n", true },
        { "  place offset=0,64K\n  place offset=0,64K\n  place offset=0,64K\n", false },
        { "  refuse status=0xC000000D\n  refuse status=STATUS_INVALID_PARAMETER\n", true },
        { "  refuse status=0xC000000D\n  refuse status=0xC000000D\n"
          "  refuse status=0xC000000D\n",
          false },
        { "  evict rule=PAGE-027\n  evict subject=t[1]\n  place time=0..1s\n", true },
        { "  evict time=1\n", false },
        { "  report-segment banks=0\n", false },
        { "  evict reason=\"script\"\n  submit kind=\"render\"\n", true },
        { "  driver-call foo=5\n", false },
        { "  place runs=5\n", false },
        { "  fence g\n  preempt render\n  preempt render phase=answer\n", true },
        { "  fence f\n", false },
        { "  preempt render\n  preempt render\n  preempt render\n", false },
        { "  place vram\n  evict vram offset=128K\n", true },
        { "  place aper\n", false },
        { "  evict b\n", false },
        { "  not evict b\n  not place aper\n  not place offset=0x1234\n", true },
        { "  not evict t[5]\n", false },
        { "  create c\n", false },
    };
    (void)state;
    for (size_t i = 0; i < ARRAY_COUNT(cases); i++) {
        enum scenario_exit exit = list("any-order", cases[i].lines);
        if (exit != (cases[i].holds ? SCENARIO_EXIT_OK : SCENARIO_EXIT_FAILED)) {
            print_error("exit %d of\n%s", exit, cases[i].lines);
            fail();
        }
    }
}

/* What may not come between two lines may come before and after them. */
static void test_absent_lines_in_order(void **state)
{
    (void)state;
    assert_int_equal(list("", "  evict t[0]\n  not evict t[39]\n  evict t[35]\n"),
                     SCENARIO_EXIT_OK);
    assert_int_equal(list("", "  evict t[2]\n  not evict t[1]\n  evict t[38]\n"), SCENARIO_EXIT_OK);
    assert_int_equal(list("", "  evict t[0]\n  not evict t[10]\n  evict t[35]\n"),
                     SCENARIO_EXIT_FAILED);
    assert_int_equal(list("", "  evict t[0]\n  not evict offset=640K\n  evict t[35]\n"),
                     SCENARIO_EXIT_FAILED);
    assert_int_equal(list("", "  evict t[38]\n  next evict t[39]\n  next evict t[0]\n"),
                     SCENARIO_EXIT_FAILED);
    assert_int_equal(list("", "  evict t[30]\n  not evict t[39]\n"), SCENARIO_EXIT_FAILED);
}

/* ---- complaints -------------------------------------------------------------------------------
 */

/* Told but where the outcome speaks of them; fifty at most, and how many more there were. */
static void test_complaints(void **state)
{
    enum { COMPLAINTS = 60, BYTES = 4096 };
    static const char head[] = "vidmm-scenario 1\n"
                               "segment vram id=1 kind=memory size=64M\n"
                               "create x size=4K VidPnSourceId=2 -> warns\n"
                               "create y size=4K VidPnSourceId=2 -> warns SUBMIT-008,ALLOC-044\n";
    const struct scenario_options options = { .tell_complaints = true };
    struct scenario_result result;
    struct listener listener;
    char text[BYTES];
    (void)state;
    size_t length = (size_t)snprintf(text, sizeof text, "%s", head);
    for (int i = 0; i < COMPLAINTS; i++)
        length += (size_t)snprintf(text + length, sizeof text - length,
                                   "create a%d size=4K VidPnSourceId=2\n", i);
    (void)snprintf(text + length, sizeof text - length,
                   "create z size=4K VidPnSourceId=2 -> warns SUBMIT-008\n");
    listener_open(&listener);
    struct scenario *scenario = scenario_parse(text, strlen(text), "test.vms", &listener.host);
    assert_true(scenario_check(scenario));
    assert_int_equal(scenario_run(scenario, &options, &result), SCENARIO_EXIT_FAILED);
    scenario_free(scenario);
    assert_int_equal(result.warnings, COMPLAINTS + 3);
    assert_int_equal(listener.messages, 50 + 1 + 2); /* both rules have to come */
    assert_non_null(strstr(listener.said.bytes, "test.vms:5:1: warning: "));
    assert_non_null(strstr(listener.said.bytes, "test.vms:54:1: warning: "));
    assert_null(strstr(listener.said.bytes, "test.vms:56:1: warning: "));
    assert_non_null(strstr(listener.said.bytes,
                           "test.vms:55:1: warning: 11 more warnings and findings are not shown"));
    assert_non_null(strstr(listener.said.bytes, "test.vms:4:1: failed: create y"));
    assert_non_null(strstr(listener.said.bytes, "test.vms:65:1: failed: create z"));
    listener_close(&listener);
}

/* A setting from outside that cannot be: the run stops where the adapter would start. */
static void test_settings_that_cannot_be(void **state)
{
    static const char *const settings[] = { "pinned-percent=5000" };
    static const char *const starts[] = { "start\n", "create a size=4K\n" };
    const struct scenario_options options = { .settings = settings, .setting_count = 1 };
    (void)state;
    for (size_t i = 0; i < ARRAY_COUNT(starts); i++) {
        struct listener listener;
        struct scenario_result result;
        char text[256];
        (void)snprintf(text, sizeof text, "vidmm-scenario 1\n%s%s",
                       "segment vram id=1 kind=memory size=64M\n", starts[i]);
        listener_open(&listener);
        struct scenario *scenario = scenario_parse(text, strlen(text), "test.vms", &listener.host);
        assert_true(scenario_check(scenario));
        assert_int_equal(scenario_run(scenario, &options, &result), SCENARIO_EXIT_INPUT);
        scenario_free(scenario);
        assert_non_null(strstr(listener.said.bytes,
                               "test.vms:3:1: stopped: 'pinned-percent=5000' cannot be set: "));
        assert_int_equal(listener.messages, 1);
        listener_close(&listener);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_texts_hold),
        cmocka_unit_test(test_lists_in_any_order),
        cmocka_unit_test(test_absent_lines_in_order),
        cmocka_unit_test(test_complaints),
        cmocka_unit_test(test_settings_that_cannot_be),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
