/* SPDX-License-Identifier: MIT */
/* test_verdict.c: what a job said, and how it ended, as verdicts about its tests. */
#define _DEFAULT_SOURCE /* open_memstream */
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/unit.h"
#include "tools/test/answer.h"
#include "tools/test/verdict.h"

struct job {
    FILE *file;
    char *bytes;
    size_t count;
};

static void begin(struct job *job)
{
    job->file = open_memstream(&job->bytes, &job->count);
    assert_non_null(job->file);
}

static void say(struct job *job, enum answer_kind kind, uint64_t number, const char *name)
{
    const struct answer answer = { .kind = kind,
                                   .number = number,
                                   .name = name,
                                   .text = kind == ANSWER_TEST ? "" : name,
                                   .more = "" };
    answer_write(job->file, &answer);
}

/* "passed failed(2) skipped:why | exit" of the job; frees it. */
static void check(struct job *job, struct workers_answer answer, const char *wanted)
{
    static const char *const words[] = { "chosen", "begun", "passed", "failed", "skipped" };
    struct verdict verdict = { .file = "x.vms" };
    struct text text = { 0 };
    (void)fclose(job->file);
    answer.bytes = job->bytes;
    answer.count = job->count;
    answer.output = answer.output ? answer.output : "";
    answer.output_count = strlen(answer.output);
    verdict_read(&verdict, &answer);
    for (size_t i = 0; i < verdict.unit_count; i++)
        text_add(&text, "%s=%s(%zu) ", verdict.units[i].name, words[verdict.units[i].state],
                 verdict.units[i].count);
    text_add(&text, "%d%s", verdict.exit, verdict.known ? "" : " unknown");
    assert_string_equal(text_get(&text), wanted);
    verdict_free(&verdict);
    text_free(&text);
    free(job->bytes);
}

static void three_tests(struct job *job)
{
    begin(job);
    say(job, ANSWER_TEST, ANSWER_CHOSEN, "a");
    say(job, ANSWER_TEST, ANSWER_NOT_BY_TAGS, "b");
    say(job, ANSWER_TEST, ANSWER_CHOSEN, "c");
    say(job, ANSWER_MESSAGE, SCENARIO_WARNING, "preamble");
    say(job, ANSWER_BEGIN, 0, "");
    say(job, ANSWER_END, 1, "");
    say(job, ANSWER_BEGIN, 0, "");
    say(job, ANSWER_MESSAGE, SCENARIO_FAILED, "wrong");
}

static void messages_belong_to_the_test_that_ends_next(void **state)
{
    struct job job;
    (void)state;
    three_tests(&job);
    say(&job, ANSWER_END, 0, "");
    say(&job, ANSWER_FINISH, 1, "");
    check(&job, (struct workers_answer){ 0 }, "a=passed(1) b=skipped(0) c=failed(1) 1");
}

static void what_no_test_is_left_for_is_nothing(void **state)
{
    struct job job;
    (void)state;
    three_tests(&job);
    say(&job, ANSWER_END, 1, "");
    say(&job, ANSWER_BEGIN, 0, "");
    say(&job, ANSWER_END, 0, "");
    say(&job, ANSWER_FINISH, 0, "");
    check(&job, (struct workers_answer){ 0 }, "a=passed(1) b=skipped(0) c=passed(1) 0");
}

static void a_test_that_did_not_end_failed(void **state)
{
    struct job job;
    (void)state;
    three_tests(&job);
    check(&job, (struct workers_answer){ .signal = SIGSEGV },
          "a=passed(1) b=skipped(0) c=failed(2) 70");
    three_tests(&job);
    for (size_t i = 0; i < 2; i++) {
        check(&job, (struct workers_answer){ .exit = 4, .output = i ? "no more" : "no more\n" },
              "a=passed(1) b=skipped(0) c=failed(2) 4");
        three_tests(&job);
    }
    /* It ended well, and never said so. */
    check(&job, (struct workers_answer){ 0 }, "a=passed(1) b=skipped(0) c=failed(2) 70");
}

static void an_interrupted_test_is_unknown(void **state)
{
    struct job job;
    (void)state;
    three_tests(&job);
    say(&job, ANSWER_FINISH, 130, "");
    check(&job, (struct workers_answer){ .cut = true, .exit = 0 },
          "a=passed(1) b=skipped(0) c=begun(0) 130 unknown");
    three_tests(&job);
    check(&job, (struct workers_answer){ .cut = true, .signal = SIGTERM },
          "a=passed(1) b=skipped(0) c=begun(0) 70 unknown");
}

static void what_failed_before_the_tests_is_of_the_file(void **state)
{
    struct job job;
    (void)state;
    begin(&job);
    say(&job, ANSWER_TEST, ANSWER_CHOSEN, "a");
    say(&job, ANSWER_TEST, ANSWER_CHOSEN, "b");
    say(&job, ANSWER_MESSAGE, SCENARIO_FAILED, "before");
    say(&job, ANSWER_BEGIN, 1, "");
    say(&job, ANSWER_MESSAGE, SCENARIO_FAILED, "wrong");
    say(&job, ANSWER_MESSAGE, SCENARIO_FAILED, "wrong again");
    say(&job, ANSWER_END, 0, "");
    say(&job, ANSWER_BEGIN, 0, "");
    say(&job, ANSWER_END, 1, "");
    say(&job, ANSWER_MESSAGE, SCENARIO_FAILED, "never came into play");
    say(&job, ANSWER_FINISH, 1, "");
    check(&job, (struct workers_answer){ 0 }, "a=failed(2) b=passed(0) =failed(2) 1");
}

static void a_file_may_fail_alone(void **state)
{
    struct job job;
    (void)state;
    begin(&job);
    say(&job, ANSWER_MESSAGE, SCENARIO_ERROR, "nonsense");
    say(&job, ANSWER_FINISH, 3, "");
    check(&job, (struct workers_answer){ 0 }, "=failed(1) 3");
    begin(&job);
    say(&job, ANSWER_TEST, ANSWER_CHOSEN, "a");
    say(&job, ANSWER_TEST, ANSWER_CHOSEN, "b");
    say(&job, ANSWER_BEGIN, 0, "");
    say(&job, ANSWER_END, 1, "");
    say(&job, ANSWER_BEGIN, 0, "");
    say(&job, ANSWER_END, 1, "");
    say(&job, ANSWER_MESSAGE, SCENARIO_FAILED, "never came into play");
    say(&job, ANSWER_FINISH, 1, "");
    check(&job, (struct workers_answer){ 0 }, "a=passed(0) b=passed(0) =failed(1) 1");
    /* And beside a test that failed, none of whose business it is; news are no failure. */
    for (unsigned failing = 0; failing < 2; failing++) {
        three_tests(&job);
        say(&job, ANSWER_END, 0, "");
        say(&job, ANSWER_MESSAGE, failing ? SCENARIO_FAILED : SCENARIO_WARNING, "of the file");
        say(&job, ANSWER_FINISH, 1, "");
        check(&job, (struct workers_answer){ 0 },
              failing ? "a=passed(1) b=skipped(0) c=failed(1) =failed(1) 1"
                      : "a=passed(1) b=skipped(0) c=failed(2) 1");
    }
}

static void a_file_without_tests_is_one(void **state)
{
    struct job job;
    (void)state;
    for (unsigned exit = 0; exit < 2; exit++) {
        begin(&job);
        say(&job, ANSWER_TEST, ANSWER_CHOSEN, "");
        say(&job, ANSWER_MESSAGE, SCENARIO_FAILED, "said");
        say(&job, ANSWER_FINISH, exit, "");
        check(&job, (struct workers_answer){ 0 }, exit ? "=failed(1) 1" : "=passed(1) 0");
    }
}

/* Every beginning of an answer can be read. */
static void an_answer_may_be_cut_off(void **state)
{
    struct job job;
    (void)state;
    three_tests(&job);
    (void)fclose(job.file);
    for (size_t bytes = 0; bytes <= job.count; bytes++) {
        char *copy = malloc(bytes ? bytes : 1);
        struct answer answer;
        assert_non_null(copy);
        memcpy(copy, job.bytes, bytes);
        const char *at = copy;
        size_t lines = 0;
        while (answer_next(&at, copy + bytes, &answer))
            lines++;
        assert_true(lines == (bytes == job.count ? 8 : lines) && lines <= 8);
        free(copy);
    }
    free(job.bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(messages_belong_to_the_test_that_ends_next),
        cmocka_unit_test(what_no_test_is_left_for_is_nothing),
        cmocka_unit_test(a_test_that_did_not_end_failed),
        cmocka_unit_test(an_interrupted_test_is_unknown),
        cmocka_unit_test(what_failed_before_the_tests_is_of_the_file),
        cmocka_unit_test(a_file_may_fail_alone),
        cmocka_unit_test(a_file_without_tests_is_one),
        cmocka_unit_test(an_answer_may_be_cut_off),
    };
    return cmocka_run_group_tests_name("verdict", tests, NULL, NULL);
}
