/* SPDX-License-Identifier: MIT */
/*
 * bench_ranges.c: the cost of one allocation or release, from a thousand to a million live ones.
 *
 *   bench_ranges                     everything
 *   bench_ranges mix                 one of mix, small, end, misaligned
 *   bench_ranges write mix LIVE COUNT    a workload as text, for peers/replay.c
 *
 * Each workload fills a range up to the wanted number of live allocations, then replaces randomly
 * chosen ones by new ones: first until as many have been replaced as are alive, so that the holes
 * look as they do after a long run, then with the clock on. One operation is one release, or one
 * search with the take that follows. The clock runs over batches: choosing what to do next, and the
 * table of live allocations with its cache misses, are not part of the time.
 */
#define _POSIX_C_SOURCE 200809L
#include "segments/range_tree.h"
#include "tests/bench/bench.h"
#include "tests/segments/model_ranges.h"
#include "tests/support/random.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { KIB = 1024, MIB = 1024 * KIB, PAGE = 4 * KIB };
enum { OPERATIONS = 1000 * 1000, BATCH_MAX = 512 };

struct workload {
    const char *name, *text;
    uint64_t smallest, largest; /* bytes, spread evenly over the powers of two between */
    uint64_t mean;              /* of the same, for the size of the range */
    unsigned coarse_percent;    /* requests aligned to 64 KiB */
    bool from_end;
    bool checkered; /* starts as single blocks with holes between them */
};

static const struct workload WORKLOADS[] = {
    { "mix", "4 KiB to 256 MiB", 4 * KIB, 256 * MIB, 24 * MIB, 50, false, false },
    { "small", "4 KiB to 64 KiB", 4 * KIB, 64 * KIB, 22 * KIB, 0, false, false },
    { "end", "4 KiB to 1 MiB from the end", 4 * KIB, MIB, 184 * KIB, 25, true, true },
};

struct bench {
    const struct workload *workload;
    struct range_tree tree;
    struct range *live;
    size_t count, failed;
    uint64_t random;
    double release_ns, allocate_ns;
};

static uint64_t some_bytes(struct bench *bench)
{
    const struct workload *workload = bench->workload;
    uint64_t bytes = workload->smallest;
    uint64_t octaves = 0;
    while (bytes << (octaves + 1) <= workload->largest)
        octaves++;
    bytes <<= random_below(&bench->random, octaves);
    bytes += random_below(&bench->random, bytes);
    return align_up(bytes, PAGE);
}

static struct range_request some_request(struct bench *bench)
{
    uint64_t percent = random_below(&bench->random, 100);
    bool coarse = percent < bench->workload->coarse_percent;
    return (struct range_request){ .bytes = some_bytes(bench),
                                   .alignment = coarse ? 64 * KIB : PAGE,
                                   .high = UINT64_MAX,
                                   .from_end = bench->workload->from_end };
}

static bool allocate(struct bench *bench, const struct range_request *request, struct range *range)
{
    range->bytes = request->bytes;
    if (!range_tree_find(&bench->tree, request, &range->offset))
        return false;
    range_tree_take(&bench->tree, *range);
    return true;
}

/* Releases `size` random allocations, then makes as many new ones. */
static void replace_batch(struct bench *bench, size_t size)
{
    struct range batch[BATCH_MAX];
    struct range_request requests[BATCH_MAX];
    for (size_t i = 0; i < size; i++) {
        size_t chosen = random_below(&bench->random, bench->count);
        batch[i] = bench->live[chosen];
        bench->live[chosen] = bench->live[--bench->count];
        requests[i] = some_request(bench);
    }
    double start = bench_ns(CLOCK_PROCESS_CPUTIME_ID);
    for (size_t i = 0; i < size; i++)
        range_tree_release(&bench->tree, batch[i]);
    double middle = bench_ns(CLOCK_PROCESS_CPUTIME_ID);
    size_t done = 0;
    for (size_t i = 0; i < size; i++)
        done += allocate(bench, &requests[i], &batch[done]);
    bench->allocate_ns += bench_ns(CLOCK_PROCESS_CPUTIME_ID) - middle;
    bench->release_ns += middle - start;
    bench->failed += size - done;
    memcpy(&bench->live[bench->count], batch, done * sizeof *batch);
    bench->count += done;
}

static void fill(struct bench *bench, size_t count)
{
    while (bench->count < count) {
        struct range_request request = some_request(bench);
        if (allocate(bench, &request, &bench->live[bench->count]))
            bench->count++;
    }
}

static void replace(struct bench *bench, size_t times, size_t count)
{
    size_t batch = count / 16 < BATCH_MAX ? count / 16 : BATCH_MAX;
    bench->failed = 0;
    bench->release_ns = bench->allocate_ns = 0;
    for (size_t i = 0; i < times; i += batch) {
        replace_batch(bench, batch);
        fill(bench, count);
    }
}

/* `count` blocks of 64 KiB with a hole of the same size below each, at the end of the range. */
static void fill_checkered(struct bench *bench, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        uint64_t offset = bench->tree.bytes - (2 * i + 1) * 64 * KIB;
        struct range block = { offset, 64 * KIB };
        range_tree_take(&bench->tree, block);
        bench->live[bench->count++] = block;
    }
}

static double run(const struct workload *workload, size_t count)
{
    struct bench bench = { .workload = workload, .random = 1 };
    uint64_t bytes = align_up(workload->mean / 3 * 4 * count, MIB);
    range_tree_init(&bench.tree, bytes, PAGE);
    bench.live = base_alloc(count, sizeof *bench.live);
    if (workload->checkered)
        fill_checkered(&bench, count);
    fill(&bench, count);
    replace(&bench, count > OPERATIONS ? count : OPERATIONS, count);
    replace(&bench, OPERATIONS, count);
    double each = (bench.release_ns + bench.allocate_ns) / (2.0 * OPERATIONS);
    double memory = (double)range_tree_host_bytes(&bench.tree) / (double)count;
    printf("%-6s %8zu %8zu %9.0f %8.0f %7.0f %11.1f %8zu\n", workload->name, count,
           range_tree_hole_count(&bench.tree), bench.allocate_ns / OPERATIONS,
           bench.release_ns / OPERATIONS, each, memory, bench.failed);
    (void)fflush(stdout);
    range_tree_check(&bench.tree);
    range_tree_fini(&bench.tree);
    base_free(bench.live);
    return each;
}

static void run_workload(const struct workload *workload)
{
    double first = 0, last = 0;
    for (size_t count = 1000; count <= 1000 * 1000; count *= 10) {
        last = run(workload, count);
        first = count == 1000 ? last : first;
    }
    printf("%-6s a million live cost %.2f times what a thousand cost (%s)\n\n", workload->name,
           last / first, workload->text);
}

/* README.md has the format. Sizes do not depend on placements, so that every allocator gets the
   same list. */
static int write_workload(const struct workload *workload, uint64_t live, uint64_t count)
{
    struct bench bench = { .workload = workload, .random = 1 };
    uint64_t *ids = base_alloc(live, sizeof *ids);
    printf("range %" PRIu64 " %d\n", align_up(workload->mean / 3 * 4 * live, MIB), PAGE);
    for (uint64_t id = 0; id < live + count; id++) {
        uint64_t chosen = id < live ? id : random_below(&bench.random, live);
        if (id >= live)
            printf("release %" PRIu64 "\n", ids[chosen]);
        struct range_request request = some_request(&bench);
        printf("take %" PRIu64 " %" PRIu64 " %" PRIu64 " %s\n", id, request.bytes,
               request.alignment, request.from_end ? "high" : "low");
        ids[chosen] = id;
    }
    base_free(ids);
    return 0;
}

/* The cost of one search that nothing, or only the farthest hole, can satisfy. */
static double time_search(const struct range_tree *tree, const struct range_request *request,
                          bool expected, size_t times)
{
    uint64_t offset;
    double start = bench_ns(CLOCK_PROCESS_CPUTIME_ID);
    for (size_t i = 0; i < times; i++)
        CHECK(range_tree_find(tree, request, &offset) == expected);
    return (bench_ns(CLOCK_PROCESS_CPUTIME_ID) - start) / (double)times;
}

/* A million holes of just the wanted size, all starting half an alignment too late. */
static void run_misaligned(uint64_t alignment)
{
    enum { HOLES = 1000 * 1000 };
    struct range_tree tree;
    range_tree_init(&tree, 3 * alignment * (HOLES + 1), PAGE);
    range_tree_take(&tree, (struct range){ 0, tree.bytes });
    for (uint64_t i = 0; i < HOLES; i++)
        range_tree_release(&tree, (struct range){ 3 * alignment * i + alignment / 2, alignment });
    struct range_request request = { .bytes = alignment,
                                     .alignment = alignment,
                                     .high = UINT64_MAX };
    double first = time_search(&tree, &request, false, 1);
    double none = time_search(&tree, &request, false, 100 * 1000);
    range_tree_release(&tree, (struct range){ 3 * alignment * HOLES, alignment });
    double lowest = time_search(&tree, &request, true, 100 * 1000);
    request.low = PAGE; /* a border in the middle of nothing */
    request.high = 3 * alignment * HOLES - PAGE;
    request.from_end = true;
    double windowed = time_search(&tree, &request, false, 100 * 1000);
    printf("%8llu KiB %12.0f %8.0f %8.0f %8.0f\n", (unsigned long long)(alignment / KIB), first,
           none, lowest, windowed);
    range_tree_fini(&tree);
}

int main(int argc, char **argv)
{
    const char *only = argc > 1 ? argv[1] : NULL;
    for (size_t i = 0; argc == 5 && i < ARRAY_COUNT(WORKLOADS); i++)
        if (strcmp(only, "write") == 0 && strcmp(argv[2], WORKLOADS[i].name) == 0)
            return write_workload(&WORKLOADS[i], strtoull(argv[3], NULL, 10),
                                  strtoull(argv[4], NULL, 10));
    printf("%-6s %8s %8s %9s %8s %7s %11s %8s\n", "work", "live", "holes", "allocate", "release",
           "mean ns", "bytes/live", "no room");
    for (size_t i = 0; i < ARRAY_COUNT(WORKLOADS); i++)
        if (!only || strcmp(only, WORKLOADS[i].name) == 0)
            run_workload(&WORKLOADS[i]);
    if (only && strcmp(only, "misaligned") != 0)
        return 0;
    printf("a million holes that are long enough and misaligned, ns per search\n");
    printf("%12s %12s %8s %8s %8s\n", "alignment", "first", "none", "lowest", "window");
    static const uint64_t ALIGNMENTS[] = { 8 * KIB, 64 * KIB, 128 * KIB, 192 * KIB, MIB, 2 * MIB };
    for (size_t i = 0; i < ARRAY_COUNT(ALIGNMENTS); i++)
        run_misaligned(ALIGNMENTS[i]);
    return 0;
}
