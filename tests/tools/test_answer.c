/* SPDX-License-Identifier: MIT */
/* test_answer.c: which answers to a question are right, in whatever unit, and which are no answer.
 */
#include "tests/support/unit.h"
#include "tools/quiz/answer.h"

struct answer_case {
    enum scenario_answer form;
    const char *question, *answer;
    uint64_t value;
    /* '|' between */
    const char *right, *wrong, *unread;
};

static const struct answer_case cases[] = {
    { SCENARIO_ANSWER_SIZE, "How large is it?", "20 MiB (0x1400000)", 20 << 20,
      "20M|20m|20MB|20 MiB|20 megabytes|20480K|20480 KiB|0x1400000|0X1400000|20971520|20,971,520|"
      "20_971_520 bytes|0.01953125G|20.0M|20M.",
      "20|20K|21M|20971521|0|20971520ns|20971520 us",
      "|M|20 x|20M 3|-20M|20..M|,20|0x|20M!|1.5.5M" },
    { SCENARIO_ANSWER_TIME, "How long?", "1500 us (1500000 ns)", 1500000,
      "1.5ms|1500us|1500000|1500000 ns|0.0015s|1500 microseconds|1.5 Milliseconds",
      "1.5us|1500|1ms|1500000 bytes", "1.5 m s|0.0000001ns|ms" },
    { SCENARIO_ANSWER_NUMBER, "At which MiB does it begin?", "24", 24,
      "24|24M|24 MiB|25165824|0x18|24576K", "24K|25|24ns|24 GiB", "at 24|" },
    { SCENARIO_ANSWER_SIZE, "How many MiB are free?", "6 MiB (0x600000)", 6 << 20,
      "6|6M|6291456|6144K", "6K|7", "six" },
    { SCENARIO_ANSWER_NUMBER, "How many whole seconds is that?", "2", 2, "2|2s|2000ms", "2ms|2M",
      "2 hours" },
    { SCENARIO_ANSWER_NUMBER, "How many of them leave?", "3", 3, "3|0x3|3.0", "4|33|3M", "a few" },
    { SCENARIO_ANSWER_NUMBER, "Which number is it?", "?", UINT64_MAX,
      "18446744073709551615|0xFFFFFFFFFFFFFFFF", "18446744073709551614",
      "18446744073709551616|99999999999999999999|18446744073709551615K|0x1FFFFFFFFFFFFFFFF" },
    { SCENARIO_ANSWER_YES, "Does it stay?", "yes", 1, "yes|YES|y|true", "no|n|False", "1|maybe|" },
    { SCENARIO_ANSWER_WORD, "Does it stay?", "no", 0, "no|N", "yes", "nothing" },
    { SCENARIO_ANSWER_SEGMENT, "Where?", "vram", 2, "vram|VRAM|2", "aper|1|vra|vram2", "" },
    { SCENARIO_ANSWER_SEGMENT, "Where?", "system", 0, "system|0", "vram", "" },
    { SCENARIO_ANSWER_WORD, "Which one leaves?", "sky", 0, "sky|Sky", "grass|skyy|0", "" },
};

static void judge_each(const struct scenario_telling *asked, const char *list,
                       enum answer_verdict wanted)
{
    char given[200];
    for (const char *at = list;; at++) {
        size_t length = strcspn(at, "|");
        (void)snprintf(given, sizeof given, "%.*s", (int)length, at);
        enum answer_verdict verdict = answer_judge(given, asked);
        if (verdict != wanted)
            fail_msg("'%s' to '%s' is %d, not %d", given, asked->text, (int)verdict, (int)wanted);
        at += length;
        if (!*at)
            return;
    }
}

static void test_units(void **state)
{
    (void)state;
    for (size_t i = 0; i < ARRAY_COUNT(cases); i++) {
        const struct answer_case *at = &cases[i];
        const struct scenario_telling asked = {
            .form = at->form, .text = at->question, .answer = at->answer, .value = at->value
        };
        judge_each(&asked, at->right, ANSWER_RIGHT);
        judge_each(&asked, at->wrong, ANSWER_WRONG);
        judge_each(&asked, at->unread, ANSWER_UNREAD);
    }
}

/* A hint that is made tells a range with the answer in it, and never the answer. */
static void test_hints(void **state)
{
    static const struct {
        enum scenario_answer form;
        uint64_t value;
        const char *hint;
    } hints[] = {
        { SCENARIO_ANSWER_NUMBER, 0, "it is a number, less than 8" },
        { SCENARIO_ANSWER_NUMBER, 7, "it is a number, less than 8" },
        { SCENARIO_ANSWER_NUMBER, 8, "it is a number, at least 8 and less than 64" },
        { SCENARIO_ANSWER_SIZE, 0, "it is a number of bytes" },
        { SCENARIO_ANSWER_SIZE, 20 << 20,
          "it is a number of bytes, at least 16 MiB and less than 128 MiB" },
        { SCENARIO_ANSWER_TIME, 1500000, "it is a time, at least 1000 us and less than 10000 us" },
        { SCENARIO_ANSWER_WORD, 0, "it is a word of 3 letters" },
    };
    (void)state;
    for (size_t i = 0; i < ARRAY_COUNT(hints); i++) {
        struct text hint = { 0 };
        enum vidmm_rule rule = vidmm_rule_by_id("PLACE-007");
        struct scenario_telling asked = {
            .form = hints[i].form, .text = "?", .answer = "sky", .value = hints[i].value
        };
        answer_hint(&asked, &hint);
        assert_string_equal(text_get(&hint), hints[i].hint);
        text_clear(&hint);
        asked.rules = &rule;
        asked.rule_count = 1;
        answer_hint(&asked, &hint);
        assert_string_equal(text_get(&hint), "PLACE-007, Default direction is bottom-up");
        text_clear(&hint);
        asked.hint = "look at the map";
        answer_hint(&asked, &hint);
        assert_string_equal(text_get(&hint), "look at the map");
        text_free(&hint);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_units),
                                        cmocka_unit_test(test_hints) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
