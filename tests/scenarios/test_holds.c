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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_texts_hold),
        cmocka_unit_test(test_lists_in_any_order),
        cmocka_unit_test(test_absent_lines_in_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
