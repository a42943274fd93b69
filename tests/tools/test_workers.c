/* SPDX-License-Identifier: MIT */
/* test_workers.c: jobs in processes of their own: order, crashes, interrupts, nothing left over. */
#define _DEFAULT_SOURCE /* kill, usleep, MAP_ANONYMOUS */
#include <dirent.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/support/temporary.h"
#include "tests/support/unit.h"
#include "tools/common/host.h"
#include "tools/common/text.h"
#include "tools/common/workers.h"
#include "vidmm/base/base.h"

enum { JOBS = 40 };

/* Processes share it. */
struct board {
    volatile int started, ended;
    pid_t parent;
};

struct tale {
    struct text seen; /* what was handed out, in this order */
    struct board *board;
    size_t stop_after; /* jobs; 0: none */
    size_t ticks, handed;
};

static int open_files(void)
{
    int count = 0;
    DIR *folder = opendir("/proc/self/fd");
    assert_non_null(folder);
    while (readdir(folder))
        count++;
    (void)closedir(folder);
    return count;
}

static bool done(void *context, size_t job, const struct workers_answer *answer)
{
    struct tale *tale = context;
    assert_int_equal(job, tale->handed);
    assert_int_equal(answer->count, strlen(answer->bytes));
    assert_int_equal(answer->output_count, strlen(answer->output));
    text_add(&tale->seen, "%zu[%s|%s|%d|%d%s] ", job, answer->bytes, answer->output, answer->exit,
             answer->signal, answer->cut ? "|cut" : "");
    tale->handed++;
    return tale->handed != tale->stop_after;
}

static void tick(void *context, size_t finished)
{
    struct tale *tale = context;
    assert_true(finished >= tale->handed);
    tale->ticks++;
}

/* Runs the jobs; afterwards no child and no open file is left. */
static enum tool_exit crew(struct tale *tale, size_t count, unsigned most,
                           int (*work)(void *, size_t, FILE *))
{
    const struct workers workers = { count, most, tale, work, done, tick };
    int files = open_files();
    enum tool_exit end = workers_run(&workers);
    assert_int_equal(open_files(), files);
    errno = 0;
    assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
    assert_int_equal(errno, ECHILD);
    return end;
}

static struct tale tale_new(void)
{
    struct tale tale = { 0 };
    tale.board =
        mmap(NULL, sizeof *tale.board, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    assert_true(tale.board != MAP_FAILED);
    tale.board->parent = getpid();
    return tale;
}

static void tale_end(struct tale *tale)
{
    text_free(&tale->seen);
    (void)munmap(tale->board, sizeof *tale->board);
}

/* ---- order -------------------------------------------------------------------------------------
 */

/* Earlier jobs take longer. */
static int backwards(void *context, size_t job, FILE *answer)
{
    (void)context;
    (void)usleep((useconds_t)(JOBS - job) * 200);
    (void)fprintf(answer, "a%zu", job);
    (void)fputs("out ", stdout);
    (void)fputs("err\n", stderr);
    (void)fputs("again\n", stdout);
    return (int)(job % 3);
}

static void answers_come_in_the_order_of_the_jobs(void **state)
{
    (void)state;
    struct text first = { 0 };
    for (unsigned most = 1; most <= 7; most += 3) {
        struct tale tale = tale_new();
        assert_int_equal(crew(&tale, JOBS, most, backwards), TOOL_GOOD);
        assert_int_equal(tale.handed, JOBS);
        assert_true(tale.ticks >= JOBS);
        if (most == 1)
            text_add(&first, "%s", text_get(&tale.seen));
        assert_string_equal(text_get(&tale.seen), text_get(&first));
        tale_end(&tale);
    }
    assert_non_null(strstr(text_get(&first), "37[a37|err\nout again\n|1|0] "));
    text_free(&first);
}

static int nothing(void *context, size_t job, FILE *answer)
{
    (void)context;
    (void)job;
    (void)answer;
    return 0;
}

static void no_job_is_no_work(void **state)
{
    (void)state;
    struct tale tale = tale_new();
    assert_int_equal(crew(&tale, 0, 0, nothing), TOOL_GOOD);
    assert_int_equal(tale.handed, 0);
    tale_end(&tale);
}

/* What stood in a buffer of the parent is not printed by its children. */
static void the_buffer_of_the_parent_is_its_own(void **state)
{
    (void)state;
    struct tale tale = tale_new();
    char name[TEMPORARY_BYTES];
    FILE *file = fdopen(mkstemp(temporary(name, "workers")), "w+");
    assert_non_null(file);
    (void)fputs("once", file);
    assert_int_equal(crew(&tale, 3, 2, nothing), TOOL_GOOD);
    assert_string_equal(text_get(&tale.seen), "0[||0|0] 1[||0|0] 2[||0|0] ");
    assert_int_equal(fclose(file), 0);
    file = fopen(name, "r");
    assert_non_null(file);
    char text[16];
    assert_int_equal(fread(text, 1, sizeof text, file), 4);
    (void)fclose(file);
    (void)unlink(name);
    tale_end(&tale);
}

/* ---- sizes -------------------------------------------------------------------------------------
 */

static int talks(void *context, size_t job, FILE *answer)
{
    (void)context;
    for (size_t i = 0; i < 4096 * job; i++)
        (void)fputs("sixteen letters\n", i % 2 ? answer : stdout);
    return 0;
}

static bool done_long(void *context, size_t job, const struct workers_answer *answer)
{
    struct tale *tale = context;
    assert_int_equal(answer->count, 4096 * job * 8);
    assert_int_equal(answer->output_count, 4096 * job * 8);
    assert_int_equal(answer->bytes[answer->count], 0);
    tale->handed++;
    return true;
}

/* Whole pages, too: the 0 after the last byte needs one more. */
static void a_long_answer_arrives(void **state)
{
    (void)state;
    struct tale tale = tale_new();
    const struct workers workers = { 20, 3, &tale, talks, done_long, NULL };
    assert_int_equal(workers_run(&workers), TOOL_GOOD);
    assert_int_equal(tale.handed, 20);
    tale_end(&tale);
}

/* The first one waits until as many have begun as may, however slow the machine, and a little
 * longer for one too many. */
static int counts(void *context, size_t job, FILE *answer)
{
    const int most_ahead = 256;
    struct board *board = ((struct tale *)context)->board;
    int started = __atomic_add_fetch(&board->started, 1, __ATOMIC_SEQ_CST);
    for (int tries = 0; job == 0 && started < most_ahead && tries < 600; tries++) {
        (void)usleep(100000);
        started = __atomic_load_n(&board->started, __ATOMIC_SEQ_CST);
    }
    if (job == 0) {
        (void)usleep(100000);
        (void)fprintf(answer, "%d", board->started);
    }
    return 0;
}

static void jobs_do_not_run_far_ahead(void **state)
{
    (void)state;
    struct tale tale = tale_new();
    assert_int_equal(crew(&tale, 300, 2, counts), TOOL_GOOD);
    assert_memory_equal(text_get(&tale.seen), "0[256||0|0] ", 12);
    assert_int_equal(tale.board->started, 300);
    tale_end(&tale);
}

/* ---- ends --------------------------------------------------------------------------------------
 */

static int crashes(void *context, size_t job, FILE *answer)
{
    (void)context;
    (void)fprintf(answer, "known");
    (void)fflush(answer);
    (void)fprintf(answer, "lost");
    if (job == 1)
        (void)raise(SIGKILL);
    if (job == 2)
        exit(70);
    return 0;
}

static void a_crash_is_of_one_job(void **state)
{
    (void)state;
    struct tale tale = tale_new();
    assert_int_equal(crew(&tale, 4, 2, crashes), TOOL_GOOD);
    assert_string_equal(text_get(&tale.seen),
                        "0[knownlost||0|0] 1[known||0|9] 2[knownlost||70|0] 3[knownlost||0|0] ");
    tale_end(&tale);
}

static int sleeps_after_two(void *context, size_t job, FILE *answer)
{
    struct board *board = ((struct tale *)context)->board;
    (void)answer;
    if (job >= 2)
        (void)pause();
    __atomic_fetch_add(&board->ended, 1, __ATOMIC_SEQ_CST);
    return 0;
}

static void no_more_may_be_wanted(void **state)
{
    (void)state;
    struct tale tale = tale_new();
    tale.stop_after = 2;
    assert_int_equal(crew(&tale, 1000, 3, sleeps_after_two), TOOL_GOOD);
    assert_string_equal(text_get(&tale.seen), "0[||0|0] 1[||0|0] ");
    assert_int_equal(tale.board->ended, 2);
    tale_end(&tale);
}

/* More at a time than the files of the process allow run as far ahead as they are many. */
static void few_files_are_enough(void **state)
{
    (void)state;
    struct rlimit before, few;
    assert_int_equal(getrlimit(RLIMIT_NOFILE, &before), 0);
    few = before;
    few.rlim_cur = 200;
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &few), 0);
    struct tale tale = tale_new();
    assert_int_equal(crew(&tale, 9, 500, nothing), TOOL_GOOD);
    assert_int_equal(tale.handed, 9);
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &before), 0);
    tale_end(&tale);
}

static bool interrupted_at_birth;

static void at_birth(void)
{
    if (interrupted_at_birth)
        (void)raise(SIGINT);
}

/* Ctrl-C is for all of a group, and a new process leads none of its own yet. */
static void an_interrupt_at_birth_is_no_crash(void **state)
{
    (void)state;
    struct tale tale = tale_new();
    assert_int_equal(pthread_atfork(NULL, NULL, at_birth), 0);
    interrupted_at_birth = true;
    assert_int_equal(crew(&tale, 3, 2, nothing), TOOL_GOOD);
    interrupted_at_birth = false;
    assert_string_equal(text_get(&tale.seen), "0[||0|0] 1[||0|0] 2[||0|0] ");
    tale_end(&tale);
}

/* 0 answers, 1 interrupts and knows how to end, 2 has nothing to say, 3 does not listen. */
static int interrupts(void *context, size_t job, FILE *answer)
{
    struct board *board = ((struct tale *)context)->board;
    if (job == 0)
        return 0;
    if (job == 3)
        (void)signal(SIGTERM, SIG_IGN);
    if (job == 1)
        interrupt_begin();
    __atomic_fetch_add(&board->started, 1, __ATOMIC_SEQ_CST);
    while (board->started < 3)
        (void)usleep(1000);
    if (job == 1)
        (void)kill(board->parent, SIGINT);
    while (!interrupt_seen())
        (void)usleep(1000);
    (void)fprintf(answer, "so far");
    return 130;
}

/* The signal is noted for good, so this is the last test. */
static void an_interrupt_ends_all(void **state)
{
    (void)state;
    struct tale tale = tale_new();
    assert_int_equal(crew(&tale, 1000, 3, interrupts), TOOL_INTERRUPTED);
    assert_string_equal(text_get(&tale.seen),
                        "0[||0|0] 1[so far||130|0|cut] 2[||0|15|cut] 3[||0|9|cut] ");
    tale_end(&tale);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(answers_come_in_the_order_of_the_jobs),
        cmocka_unit_test(no_job_is_no_work),
        cmocka_unit_test(the_buffer_of_the_parent_is_its_own),
        cmocka_unit_test(a_long_answer_arrives),
        cmocka_unit_test(jobs_do_not_run_far_ahead),
        cmocka_unit_test(a_crash_is_of_one_job),
        cmocka_unit_test(no_more_may_be_wanted),
        cmocka_unit_test(few_files_are_enough),
        cmocka_unit_test(an_interrupt_at_birth_is_no_crash),
        cmocka_unit_test(an_interrupt_ends_all),
    };
    return cmocka_run_group_tests_name("workers", tests, NULL, NULL);
}
