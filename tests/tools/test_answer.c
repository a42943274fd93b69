/* SPDX-License-Identifier: MIT */
/* test_answer.c: which answers to a question are right, in whatever unit, and which are no answer.
 */
#include "tests/support/unit.h"
#include "tools/quiz/answer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

/* "size 20971520 20 MiB (0x1400000) ? How large is it?" */
static void read_question(char *line, struct scenario_telling *asked)
{
    static const char *const forms[] = {
        [SCENARIO_ANSWER_NUMBER] = "number", [SCENARIO_ANSWER_SIZE] = "size",
        [SCENARIO_ANSWER_TIME] = "time",     [SCENARIO_ANSWER_SEGMENT] = "segment",
        [SCENARIO_ANSWER_YES] = "yes",       [SCENARIO_ANSWER_WORD] = "word",
    };
    char *question = strstr(line, " ? "), *value = strchr(line, ' '), *answer = NULL;
    size_t form = 0;
    assert_non_null(question);
    *question = *value = '\0';
    while (form < ARRAY_COUNT(forms) && strcmp(line, forms[form]) != 0)
        form++;
    assert_in_range(form, 0, ARRAY_COUNT(forms) - 1);
    asked->value = strtoull(value + 1, &answer, 10);
    assert_int_equal(*answer, ' ');
    asked->form = (enum scenario_answer)form;
    asked->answer = answer + 1;
    asked->text = question + 3;
}

/* The table that the page has to pass, too. */
static void test_table(void **state)
{
    static const char *const verdicts[] = {
        [ANSWER_WRONG] = "wrong ", [ANSWER_RIGHT] = "right ", [ANSWER_UNREAD] = "unread "
    };
    struct scenario_telling asked = { .text = NULL };
    char line[400], question[400];
    size_t lists = 0;
    FILE *table = fopen(ANSWERS, "r");
    (void)state;
    assert_non_null(table);
    while (fgets(line, sizeof line, table)) {
        size_t verdict = 0;
        line[strcspn(line, "\n")] = '\0';
        if (!*line || *line == '#')
            continue;
        while (verdict < ARRAY_COUNT(verdicts) &&
               strncmp(line, verdicts[verdict], strlen(verdicts[verdict])) != 0)
            verdict++;
        if (verdict == ARRAY_COUNT(verdicts)) {
            memcpy(question, line, sizeof question);
            read_question(question, &asked);
            continue;
        }
        assert_non_null(asked.text);
        judge_each(&asked, line + strlen(verdicts[verdict]), (enum answer_verdict)verdict);
        lists++;
    }
    assert_true(lists > 30);
    assert_int_equal(fclose(table), 0);
}

/* A hint that is made tells a range with the answer in it, and never the answer. */
static void test_hints(void **state)
{
    static const struct {
        enum scenario_answer form;
        uint64_t value;
        const char *hint;
        const char *answer;
    } hints[] = {
        { SCENARIO_ANSWER_NUMBER, 0, "it is a number, less than 8", "sky" },
        { SCENARIO_ANSWER_NUMBER, 7, "it is a number, less than 8", "sky" },
        { SCENARIO_ANSWER_NUMBER, 8, "it is a number, at least 8 and less than 64", "sky" },
        { SCENARIO_ANSWER_SIZE, 0, "it is a number of bytes", "sky" },
        { SCENARIO_ANSWER_SIZE, 20 << 20,
          "it is a number of bytes, at least 16 MiB and less than 128 MiB", "sky" },
        { SCENARIO_ANSWER_TIME, 1500000, "it is a time, at least 1000 us and less than 10000 us",
          "sky" },
        { SCENARIO_ANSWER_WORD, 0, "it is a word of 3 letters", "sky" },
        { SCENARIO_ANSWER_WORD, 0, "it is a word of 1 letter", "x" },
        { SCENARIO_ANSWER_WORD, 0, "it is a word of 5 letters", "Gr\u00fc\u00dfe" },
        { SCENARIO_ANSWER_WORD, 0, "it is 2 words, 6 letters in all", "Foo Bar" },
    };
    (void)state;
    for (size_t i = 0; i < ARRAY_COUNT(hints); i++) {
        struct text hint = { 0 };
        enum vidmm_rule rule = vidmm_rule_by_id("PLACE-007");
        struct scenario_telling asked = {
            .form = hints[i].form, .text = "?", .answer = hints[i].answer, .value = hints[i].value
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
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_table),
                                        cmocka_unit_test(test_hints) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
