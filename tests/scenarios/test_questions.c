/* SPDX-License-Identifier: MIT */
/* test_questions.c: what `ask` and the parameters of an exercise are told as. */
#include <string.h>

#include "tests/support/listener.h"
#include "tests/support/unit.h"
#include "vidmm/base/base.h"

static void add_told(struct listener *listener, const char *before, const char *text)
{
    listener_append(&listener->told, before, strlen(before));
    listener_append(&listener->told, text, strlen(text));
}

/* Parameters, and questions: form, answer, rules, hint. */
static void tell_question(struct scenario_host *host, const struct scenario_telling *telling)
{
    struct listener *listener = CONTAINER_OF(host, struct listener, host);
    const char form[] = { (char)('0' + (int)telling->form), '\0' };
    if (telling->kind == SCENARIO_TELL_PARAM) {
        add_told(listener, telling->text, "=");
        add_told(listener, telling->answer, "\n");
    }
    if (telling->kind != SCENARIO_TELL_ASK)
        return;
    add_told(listener, form, " ");
    add_told(listener, "", telling->answer);
    for (size_t i = 0; i < telling->rule_count; i++)
        add_told(listener, " ", vidmm_rule_id(telling->rules[i]));
    if (telling->hint)
        add_told(listener, " ", telling->hint);
    add_told(listener, "\n", "");
}

static void test_questions(void **state)
{
    static const char text[] = "vidmm-scenario 1\n"
                               "exercise \"x\"\n"
                               "param part = rand(3..3) * 1M\n"
                               "param whole = rand(4M..4M)\n"
                               "segment vram id=1 kind=memory size=64M\n"
                               "create a size=$whole segments=vram\n"
                               "ask \"?\" = a in system\n"
                               "page-in a\n"
                               "ask \"?\" = offset(a) + 4M by PLACE-006,PLACE-007 hint \"look\"\n"
                               "ask \"?\" = time() - time() + 2ms\n"
                               "ask \"?\" = segment(a)\n"
                               "ask \"?\" = 3 by PLACE-006\n"
                               "ask \"?\" = a in vram at 4M\n"
                               "ask \"?\" = used(vram) == $whole\n"
                               "ask \"?\" = no evict a\n"
                               "ask \"?\" = state a residency=resident\n"
                               "ask \"?\" = content of a intact\n"
                               "ask \"?\" = \"blue\"\n";
    static const char told[] = "part=3 MiB (0x300000)\n"
                               "whole=4 MiB (0x400000)\n"
                               "4 yes\n"
                               "1 4 MiB (0x400000) PLACE-006 PLACE-007 look\n"
                               "2 2 ms (2000000 ns)\n"
                               "3 vram\n"
                               "0 3 PLACE-006\n"
                               "4 no\n"
                               "4 yes\n"
                               "4 yes\n"
                               "4 yes\n"
                               "4 yes\n"
                               "5 blue\n";
    struct listener listener;
    struct scenario_result result = { .exit = SCENARIO_EXIT_INPUT };
    const struct scenario_options options = { .tell_params = true };
    (void)state;
    listener_open(&listener);
    listener.host.tell = tell_question;
    struct scenario *scenario = scenario_parse(text, sizeof text - 1, "test.vms", &listener.host);
    if (scenario_check(scenario))
        scenario_run(scenario, &options, &result);
    scenario_free(scenario);
    assert_int_equal(result.exit, SCENARIO_EXIT_OK);
    assert_int_equal(result.expectations, 0);
    assert_int_equal(result.failures, 0);
    assert_string_equal(listener.told.bytes, told);
    listener_close(&listener);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_questions) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
