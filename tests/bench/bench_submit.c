/* SPDX-License-Identifier: MIT */
/*
 * bench_submit.c: the host's cost of one submission, and whether it grows with allocations that
 * the submission does not touch.
 *
 *     bench_submit [LIVE [SUBMISSIONS]]
 *
 * So many allocations of one page are resident; each submission reads a few of them, is rendered,
 * patched, executed and reported. "hot" takes them from sixteen, "any" from all of them: the
 * difference is the host's cache. Nothing is evicted. Figures are host nanoseconds.
 */
#define _POSIX_C_SOURCE 200809L
#include <stdio.h>
#include <stdlib.h>

#include "tests/bench/bench.h"
#include "tests/support/mock_adapter.h"
#include "tests/support/random.h"
#include "vidmm/base/base.h"
#include "vidmm/vidmm_mock.h"

enum { HOT = 16, USES_MAX = 8, IN_FLIGHT = 32 };

struct bench {
    struct mock_adapter mock;
    vidmm_handle *live;
    size_t count, submissions;
    uint64_t random;
};

static void start(struct bench *bench, size_t count)
{
    struct mock_adapter *mock = &bench->mock;
    mock_adapter_init(mock, 11);
    mock->segments[0].size = (count + HOT) * MOCK_PAGE;
    mock->segments[0].commit_limit = mock->segments[0].size;
    mock->segments[1].base = UINT64_C(1) << 40;
    mock_adapter_start(mock);
    bench->count = count;
    bench->random = 88172645463325252;
    bench->live = base_alloc(count, sizeof *bench->live);
    const struct vidmm_mock_allocation wish = mock_wish(MOCK_PAGE);
    for (size_t i = 0; i < count; i++) {
        CHECK(mock_allocate(mock, &wish, &bench->live[i]) == 0);
        CHECK(vidmm_page_in(mock->adapter, bench->live[i], false) == 0);
    }
    CHECK(vidmm_wait_idle(mock->adapter) == 0);
}

static struct vidmm_submission submit(struct bench *bench, size_t uses, size_t among)
{
    struct vidmm_use use[USES_MAX + 1] = { { .allocation = 0 } };
    struct vidmm_patch patch[USES_MAX];
    const struct vidmm_mock_command command = { .cost_ns = 1000 };
    struct vidmm_submission submission;
    for (size_t i = 0; i < uses; i++) {
        use[i + 1].allocation = bench->live[random_below(&bench->random, among)];
        patch[i] = (struct vidmm_patch){
            .allocation_index = (uint32_t)i + 1,
            .slot = (uint32_t)i,
            .patch_offset = (uint32_t)i * 16,
            .split_offset = (uint32_t)i * 16,
        };
    }
    const struct vidmm_work work = {
        .label = "work",
        .context = bench->mock.context,
        .uses = use,
        .use_count = uses + 1,
        .patches = patch,
        .patch_count = uses,
        .command = &command,
        .command_bytes = sizeof command,
    };
    CHECK(vidmm_submit(bench->mock.adapter, &work, &submission) == 0);
    return submission;
}

static double time_submissions(struct bench *bench, size_t uses, size_t among)
{
    struct vidmm_submission flight[IN_FLIGHT];
    for (size_t i = 0; i < IN_FLIGHT; i++)
        flight[i] = submit(bench, uses, among);
    double begin = bench_ns(CLOCK_MONOTONIC);
    for (size_t i = 0; i < bench->submissions; i++) {
        CHECK(vidmm_wait(bench->mock.adapter, flight[i % IN_FLIGHT]) == 0);
        flight[i % IN_FLIGHT] = submit(bench, uses, among);
    }
    double each = (bench_ns(CLOCK_MONOTONIC) - begin) / (double)bench->submissions;
    CHECK(vidmm_wait_idle(bench->mock.adapter) == 0);
    return each;
}

static void run(size_t count, size_t submissions)
{
    static const size_t uses[] = { 1, 2, 8 };
    struct bench bench = { .submissions = submissions };
    start(&bench, count);
    for (size_t i = 0; i < ARRAY_COUNT(uses); i++) {
        double hot = time_submissions(&bench, uses[i], HOT);
        double any = time_submissions(&bench, uses[i], count);
        printf("%8zu %5zu %8.0f %8.0f\n", count, uses[i], hot, any);
        (void)fflush(stdout);
    }
    base_free(bench.live);
    mock_adapter_stop(&bench.mock);
}

int main(int argc, char **argv)
{
    size_t live = argc > 1 ? strtoull(argv[1], NULL, 10) : 0;
    size_t submissions = argc > 2 ? strtoull(argv[2], NULL, 10) : 200000;
    printf("%8s %5s %8s %8s   ns for each submission\n", "live", "refs", "hot", "any");
    if (live)
        run(live, submissions);
    else
        for (size_t count = 1000; count <= 100 * 1000; count *= 10)
            run(count, submissions);
    return 0;
}
