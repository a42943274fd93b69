/* SPDX-License-Identifier: MIT */
/*
 * prop_manager.c: random operations on random adapters against the model of model_manager.h.
 *
 *   prop_manager [OPERATIONS [SEED [SCENARIO]]]
 *
 * After each operation the views of the manager must be those of the model; invariants and content
 * are checked after each one in test builds, else now and then. A difference ends the run: the
 * round is made as short as possible while it still fails, both views are printed, and the round is
 * written as a scenario to the file SCENARIO.
 */
#define _DEFAULT_SOURCE /* fork, mmap */

#include "tests/model/prop_manager.h"
#include "tests/support/shrink.h"
#include "vidmm/base/base.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#ifdef VIDMM_PARANOID
enum { CHECK_EVERY = 1 };
#else
enum { CHECK_EVERY = 16 };
#endif

enum { PROBLEM_BYTES = 400, ENOUGH = 10000 };

/* How a round ended; shared with the child that ran it. */
struct ending {
    size_t failed; /* number of the operation, SIZE_MAX while all is well */
    char problem[PROBLEM_BYTES];
};

/* The round that is running, for a manager that stops the process. */
static struct prop_round *running;

static void run_again(const struct prop_round *round, struct ending *ending, bool tell)
{
    struct prop_run *run = prop_run_start(round, 1);
    bool good = prop_run_problem(run) == NULL;
    for (size_t i = 0; good && i < round->count; i++) {
        ending->failed = i;
        good = prop_run_step(run, &round->ops[i]);
    }
    good = good && prop_run_finish(run);
    if (tell && !good)
        prop_run_print(stdout, run);
    if (!good)
        (void)snprintf(ending->problem, PROBLEM_BYTES, "%s", prop_run_problem(run));
    if (good)
        ending->failed = SIZE_MAX;
    prop_run_end(run);
}

/* In a process of its own: the manager stops the process when it breaks its own promise. */
static struct ending try_round(const struct prop_round *round, bool tell)
{
    struct ending *shared =
        mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    CHECK(shared != MAP_FAILED);
    *shared = (struct ending){ .problem = "broken promise" };
    (void)fflush(stdout);
    pid_t child = fork();
    CHECK(child >= 0);
    if (child == 0) {
        running = NULL;
        if (!tell && !freopen("/dev/null", "w", stderr))
            _exit(1);
        run_again(round, shared, tell);
        (void)fflush(stdout);
        _exit(0);
    }
    (void)waitpid(child, NULL, 0);
    struct ending ending = *shared;
    (void)munmap(shared, sizeof *shared);
    return ending;
}

static void drop(struct prop_round *round, size_t first, size_t count)
{
    memmove(&round->ops[first], &round->ops[first + count],
            (round->count - first - count) * sizeof round->ops[0]);
    round->count -= count;
}

/* Keeps the shorter round when it still fails in the same way. */
static bool keep_if_fails(struct prop_round *round, struct prop_round *shorter,
                          const struct ending *wanted)
{
    struct ending ending = try_round(shorter, false);
    if (ending.failed == SIZE_MAX || !shrink_same_kind(ending.problem, wanted->problem))
        return false;
    shorter->count = min_u64(ending.failed + 1, shorter->count);
    *round = *shorter;
    return true;
}

static void drop_use(struct prop_op *op, size_t use)
{
    memmove(&op->uses[use], &op->uses[use + 1], (op->use_count - use - 1) * sizeof op->uses[0]);
    op->use_count--;
}

/* A round, and the one that is tried in its place. */
struct cutter {
    struct prop_round *round, *shorter;
    const struct ending *wanted;
    size_t op; /* whose uses are left out */
};

static size_t count_ops(void *self)
{
    const struct cutter *cutter = self;
    return cutter->round->count;
}

static bool leave_out_ops(void *self, size_t first, size_t count)
{
    struct cutter *cutter = self;
    *cutter->shorter = *cutter->round;
    drop(cutter->shorter, first, count);
    return keep_if_fails(cutter->round, cutter->shorter, cutter->wanted);
}

static size_t count_uses(void *self)
{
    const struct cutter *cutter = self;
    return cutter->op < cutter->round->count ? cutter->round->ops[cutter->op].use_count : 0;
}

static bool leave_out_use(void *self, size_t first, size_t count)
{
    struct cutter *cutter = self;
    *cutter->shorter = *cutter->round;
    for (; count > 0; count--)
        drop_use(&cutter->shorter->ops[cutter->op], first);
    return keep_if_fails(cutter->round, cutter->shorter, cutter->wanted);
}

/* Leaves out operations, then single uses of submissions. */
static void shrink(struct prop_round *round, const struct ending *wanted)
{
    struct cutter cutter = { .round = round,
                             .shorter = base_alloc(1, sizeof *round),
                             .wanted = wanted };
    shrink_list(&(struct shrinker){ count_ops, leave_out_ops, &cutter });
    for (; cutter.op < round->count; cutter.op++)
        shrink_list(&(struct shrinker){ count_uses, leave_out_use, &cutter });
    base_free(cutter.shorter);
}

static void report(struct prop_round *round, const char *path)
{
    printf("seed %" PRIu64 ", operation %zu differs\n", round->seed, round->count);
    struct ending ending = try_round(round, false);
    if (ending.failed == SIZE_MAX) {
        printf("it does not happen again when every step is checked\n");
        return;
    }
    shrink(round, &ending);
    prop_print_scenario(stdout, round);
    ending = try_round(round, true);
    printf("%s\n", ending.problem);
    FILE *file = path ? fopen(path, "w") : NULL;
    if (file) {
        prop_print_scenario(file, round);
        (void)fclose(file);
    }
}

static void report_at_exit(void)
{
    struct prop_round *round = running;
    running = NULL;
    if (round)
        report(round, NULL);
}

static void add_totals(struct prop_totals *sum, const struct prop_totals *totals)
{
    sum->done += totals->done;
    sum->passed_over += totals->passed_over;
    sum->refused += totals->refused;
    sum->lost += totals->lost;
    sum->outlived += totals->outlived;
    sum->splits += totals->splits;
    sum->discarded += totals->discarded;
    for (size_t i = 0; i < MODEL_REASONS; i++)
        sum->left[i] += totals->left[i];
}

/* A run that met none of these has tested nothing. */
static bool print_totals(const struct prop_totals *sum)
{
    static const char *const REASONS[] = { "room",   "pin",  "commit", "range",
                                           "script", "lock", "move",   "level 3" };
    bool all = sum->lost > 0;
    printf("%" PRIu64 " done, %" PRIu64 " left to time, %" PRIu64 " refused; evictions:", sum->done,
           sum->passed_over, sum->refused);
    for (size_t i = 0; i < MODEL_REASONS; i++) {
        printf(" %s %" PRIu64, REASONS[i], sum->left[i]);
        all &= sum->left[i] > 0;
    }
    printf("; content lost %" PRIu64 ", closed and kept %" PRIu64 ", splits %" PRIu64
           ", discarded %" PRIu64 "\n",
           sum->lost, sum->outlived, sum->splits, sum->discarded);
    return all && sum->outlived > 0 && sum->splits > 0 && sum->discarded > 0;
}

/* One adapter; true when nothing differs. */
static bool run_round(struct prop_round *round, size_t operations, struct prop_totals *sum)
{
    uint64_t random = round->seed;
    prop_random_adapter(round, &random);
    round->count = 0;
    running = round;
    struct prop_run *run = prop_run_start(round, CHECK_EVERY);
    bool good = prop_run_problem(run) == NULL;
    while (good && round->count < operations) {
        struct prop_op *op = &round->ops[round->count++];
        prop_random_op(round, prop_run_known(run), &random, op);
        good = prop_run_step(run, op);
    }
    good = good && prop_run_finish(run);
    if (!good)
        printf("%s\n", prop_run_problem(run));
    add_totals(sum, prop_run_totals(run));
    prop_run_end(run);
    running = NULL;
    return good;
}

int main(int argc, char **argv)
{
    uint64_t left = argc > 1 ? strtoull(argv[1], NULL, 0) : 20000;
    uint64_t seed = argc > 2 ? strtoull(argv[2], NULL, 0) : 1;
    uint64_t total = left, rounds = 0;
    struct prop_round *round = base_alloc(1, sizeof *round);
    struct prop_totals sum = { 0 };
    bool good = true;
    (void)atexit(report_at_exit);
    printf("seed %" PRIu64 "\n", seed);
    for (; good && left > 0; left -= round->count, seed++, rounds++) {
        round->seed = seed;
        good = run_round(round, left < PROP_ROUND ? (size_t)left : PROP_ROUND, &sum);
        if (!good)
            report(round, argc > 3 ? argv[3] : NULL);
    }
    if (good)
        printf("%" PRIu64 " operations on %" PRIu64 " adapters agree with the model\n", total,
               rounds);
    if (good && !print_totals(&sum) && total >= ENOUGH) {
        printf("some of this never happened: the test does not test it any more\n");
        good = false;
    }
    base_free(round);
    return good ? 0 : 1;
}
