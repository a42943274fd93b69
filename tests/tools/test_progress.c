/* SPDX-License-Identifier: MIT */
/* test_progress.c: the line that says how far many jobs have come, and how long the rest takes. */
#define _DEFAULT_SOURCE /* clock_gettime, dup, dup2 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "tests/support/unit.h"
#include "tools/common/progress.h"
#include "vidmm/base/base.h"

static uint64_t now_ms(void)
{
    struct timespec now;
    assert_int_equal(clock_gettime(CLOCK_MONOTONIC, &now), 0);
    return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

/* What is said on stderr after so many seconds of work. */
static void say(struct progress *progress, size_t done, size_t count, char text[128])
{
    FILE *file = tmpfile();
    int before = dup(STDERR_FILENO);
    assert_non_null(file);
    assert_true(before >= 0 && dup2(fileno(file), STDERR_FILENO) >= 0);
    progress_tell_jobs(progress, done, count, 2);
    (void)fflush(stderr);
    assert_true(dup2(before, STDERR_FILENO) >= 0);
    (void)close(before);
    rewind(file);
    text[fread(text, 1, 127, file)] = '\0';
    (void)fclose(file);
}

static void jobs_have_a_rest(void **state)
{
    static const struct {
        size_t done, count;
        const char *words;
    } rows[] = {
        { 0, 20, "0 of 20 runs, 2 failed, 0.0/s\n" },
        { 5, 20, "5 of 20 runs, 2 failed, 0.5/s, 0:00:30 left\n" },
        { 5, 50000, "5 of 50000 runs, 2 failed, 0.5/s, 27:46:30 left\n" },
        { 1, 1000000, "1 of 1000000 runs, 2 failed, 0.1/s\n" }, /* too long to be of use */
        { 20, 20, "20 of 20 runs, 2 failed, 2.0/s\n" },
    };
    char text[128];
    (void)state;
    for (size_t i = 0; i < ARRAY_COUNT(rows); i++) {
        /* How fast they are depends on the machine, too. */
        struct progress progress = { .shown = true, .width = 80, .began = now_ms() - 10005 };
        say(&progress, rows[i].done, rows[i].count, text);
        if (strncmp(text, rows[i].words,
                    (size_t)(strstr(rows[i].words, "failed") - rows[i].words)) != 0 ||
            !strstr(rows[i].words, "left") != !strstr(text, "left"))
            fail_msg("'%s', not '%s'", text, rows[i].words);
    }
}

/* A thousand jobs in the first ten seconds, and then one in ten: 100 more take 1,000 seconds. */
static void the_rest_goes_by_the_latest_lines(void **state)
{
    struct progress progress = { .shown = true, .width = 80 };
    char text[128];
    (void)state;
    for (unsigned i = 0; i <= PROGRESS_LINES; i++) {
        progress.told = 0;
        progress.began = now_ms() - 10000 - i * (uint64_t)10000;
        say(&progress, 1000 + i, 1100 + i, text);
    }
    assert_non_null(strstr(text, "0:16:"));
}

static void a_line_comes_once_a_second(void **state)
{
    struct progress progress = { .shown = true, .width = 80, .began = now_ms() - 10005 };
    char text[128];
    (void)state;
    progress.told = now_ms();
    say(&progress, 5, 20, text);
    assert_string_equal(text, "");
    progress.told = 0;
    progress.shown = false;
    say(&progress, 5, 20, text);
    assert_string_equal(text, "");
}

static void on_a_terminal_it_is_one_line(void **state)
{
    struct progress progress = {
        .shown = true, .terminal = true, .line = true, .width = 11, .began = now_ms() - 10005
    };
    char text[128];
    (void)state;
    say(&progress, 5, 20, text);
    assert_string_equal(text, "\r\033[K5 of 20 ru");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(jobs_have_a_rest),
        cmocka_unit_test(the_rest_goes_by_the_latest_lines),
        cmocka_unit_test(a_line_comes_once_a_second),
        cmocka_unit_test(on_a_terminal_it_is_one_line),
    };
    return cmocka_run_group_tests_name("progress", tests, NULL, NULL);
}
