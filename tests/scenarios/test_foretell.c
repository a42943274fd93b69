/* SPDX-License-Identifier: MIT */
/*
 * test_foretell.c: runs under a policy that foresees: they keep to what was foretold, depart from
 * it, or end before.
 */
#include <stdio.h>
#include <string.h>

#include "tests/support/listener.h"
#include "tests/support/unit.h"
#include "vidmm/base/base.h"

/* Room for two of three pages. */
static const char head[] = "vidmm-scenario 1\n"
                           "adapter eviction=belady\n"
                           "segment vram id=1 kind=memory size=8K flags=CpuVisible\n"
                           "class page segments=vram size=4K flags=CpuVisible\n"
                           "create a[0..2] : page\n";

/* What a lock refers to depends on what was evicted. */
#define REFERENCES                                                                                 \
    "page-in a[0]\n"                                                                               \
    "page-in a[1]\n"                                                                               \
    "page-in a[2]\n"
#define DEPARTS                                                                                    \
    REFERENCES                                                                                     \
    "lock a[0]\n"                                                                                  \
    "unlock a[0]\n"                                                                                \
    "page-in a[0]\n"

struct run {
    struct listener listener;
    struct scenario_result result;
};

static void run(struct run *now, const char *lines, const struct scenario_options *options)
{
    char text[1024];
    (void)snprintf(text, sizeof text, "%s%s", head, lines);
    struct scenario *scenario = scenario_parse(text, strlen(text), "t.vms", &now->listener.host);
    assert_true(scenario_check(scenario));
    (void)scenario_run(scenario, options, &now->result);
    scenario_free(scenario);
}

static void test_runs_that_are_foretold(void **state)
{
    static const char departs[] = "t.vms: error: reference 5: the run departs from the references";
    static const struct {
        const char *lines;
        enum scenario_exit exit;
        size_t messages;
        const char *said;
    } cases[] = {
        /* The page that is used last leaves: no order of victims knows that without its future. */
        { REFERENCES "page-in a[0]\nexpect a[1] evicted\nexpect a[0] resident\n", SCENARIO_EXIT_OK,
          0, NULL },
        { REFERENCES "page-in a[1]\nexpect a[0] evicted\nexpect a[1] resident\n", SCENARIO_EXIT_OK,
          0, NULL },
        { REFERENCES "expect a[0] pinned\n", SCENARIO_EXIT_FAILED, 1, "a[0] is not pinned" },
        { DEPARTS, SCENARIO_EXIT_INPUT, 1, departs },
        /* Once, and the worse of two exits. */
        { "test \"x\"\n" DEPARTS "end\ntest \"y\"\n" DEPARTS "end\n", SCENARIO_EXIT_INPUT, 1,
          departs },
        { DEPARTS "expect a[0] pinned\n", SCENARIO_EXIT_INPUT, 2, departs },
        { DEPARTS "let n = rand(0..0)\nadvance 1 / $n\n", SCENARIO_EXIT_INPUT, 2,
          "division by zero" },
    };
    static const struct scenario_options options = { .check_invariants = true };
    (void)state;
    for (size_t i = 0; i < ARRAY_COUNT(cases); i++) {
        struct run now = { .result = { .exit = SCENARIO_EXIT_OK } };
        listener_open(&now.listener);
        run(&now, cases[i].lines, &options);
        if (now.result.exit != cases[i].exit || now.listener.messages != cases[i].messages ||
            (cases[i].said && !strstr(now.listener.said.bytes, cases[i].said))) {
            print_error("exit %d of\n%s--- said\n%s", now.result.exit, cases[i].lines,
                        now.listener.said.bytes);
            fail();
        }
        listener_close(&now.listener);
    }
}

/* Of three runs the first that passes a limit is the last, and tells it. */
static void test_a_limit_ends_all_runs(void **state)
{
    static const struct scenario_options options = { .limits = { .operations = 2 } };
    struct run now = { .result = { .exit = SCENARIO_EXIT_OK } };
    (void)state;
    listener_open(&now.listener);
    run(&now, REFERENCES, &options);
    assert_int_equal(now.result.exit, SCENARIO_EXIT_LIMIT);
    assert_int_equal(now.listener.messages, 1);
    assert_non_null(strstr(now.listener.said.bytes, "2 operations are the limit"));
    listener_close(&now.listener);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_runs_that_are_foretold),
        cmocka_unit_test(test_a_limit_ends_all_runs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
