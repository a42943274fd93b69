/* SPDX-License-Identifier: MIT */
/*
 * cmd_bench.c: `vidmm bench`: how fast does this machine read, check, run and tell?
 *
 * What is measured is the processor's time of this process, which other processes lengthen less
 * than the time of the clock on the wall. It is what no other command prints: different each time.
 */
#define _POSIX_C_SOURCE 200809L /* clock_gettime */
#include "tools/bench/bench.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "scenarios/lang/scenario_twin.h"
#include "tools/bench/loads.h"
#include "tools/bench/rate.h"
#include "tools/common/host.h"
#include "tools/common/json.h"
#include "tools/common/output.h"
#include "tools/story/story.h"

/* What the clock runs for; of a run, what comes before is not counted. */
enum part { PART_PACK, PART_READ, PART_CHECK, PART_RUN, PART_ALL };

struct benchmark {
    const char *name, *says;
    const struct load *load;
    enum part part;
    bool twin;                                                /* it is read from its binary twin */
    struct sink *(*tell)(const struct sink_options *options); /* NULL: nobody listens */
};

/* A tenth of a second each, at most: --times is for those who want more. */
static const struct load creations = { 10000, 10000, 0, NULL, "" };
static const struct load hits = { 1000, 1000, 100000, NULL, "page-in @" };
static const struct load misses = { 2000, 1000, 20000, NULL, "page-in @" };
static const struct load submissions = { 1000, 1000, 10000, "submit @", " read=@" };
static const struct load lines = { 10000, 10000, 200000, NULL, "page-in @" };
static const struct load told = { 200, 100, 5000, NULL, "page-in @" };
static const struct load smallest = { 1, 1, 0, NULL, "" };

static const struct benchmark benchmarks[] = {
    { "create", "allocations come", &creations, .part = PART_RUN },
    { "use", "page-in of what is resident", &hits, .part = PART_RUN },
    { "evict", "page-in, with room for half of it", &misses, .part = PART_RUN },
    { "submit", "each reads one allocation", &submissions, .part = PART_RUN },
    { "pack", "a text becomes its binary twin", &lines, .part = PART_PACK },
    { "read", "a text is read", &lines, .part = PART_READ },
    { "twin", "it is read from its binary twin", &lines, .part = PART_READ, .twin = true },
    { "check", "a text that was read is checked", &lines, .part = PART_CHECK },
    { "text", "a run is told as text", &told, .part = PART_RUN, .tell = sink_text_open },
    { "jsonl", "it is told as JSON lines", &told, .part = PART_RUN, .tell = sink_jsonl_open },
    { "start", "the smallest scenario, text to end", &smallest, .part = PART_ALL },
};

enum { TIMES_DEFAULT = 5, TIMES_MOST = 1000, ROUNDS_OF_ALL = 100 };

struct bench {
    struct options_words names;
    unsigned times;
    bool jsonl;
};

/* Of one measurement. */
struct measured {
    uint64_t ns, amount;
};

/* ---- one measurement ------------------------------------------------------------------------- */

/* What is counted. */
static const char *unit_of(const struct benchmark *benchmark)
{
    if (benchmark->part < PART_RUN || benchmark->tell)
        return "bytes";
    return benchmark->part == PART_ALL ? "runs" : "operations";
}

static uint64_t bench_now(void)
{
    struct timespec now;
    bool known = clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now) == 0;
    CHECK(known);
    return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

static ssize_t count_bytes(void *context, const char *bytes, size_t count)
{
    (void)bytes;
    *(uint64_t *)context += count;
    return (ssize_t)count;
}

struct listener {
    struct sink *sink;
    FILE *out;
    uint64_t told;
};

static void listen(struct listener *listener, const struct benchmark *benchmark)
{
    if (!benchmark->tell)
        return;
    struct sink_options options = { .to = UINT64_MAX };
    listener->out = output_into(count_bytes, &listener->told);
    screen_init(&options.screen, listener->out, SCREEN_COLOR_NEVER, SCREEN_LETTERS_ASCII, 0);
    listener->sink = benchmark->tell(&options);
}

/* From its text to its end; each part adds its time. An interruption ends the program. */
static void run_once(struct host_file *file, struct listener *listener, uint64_t *spent,
                     struct scenario_result *result)
{
    struct host host;
    const struct scenario_options options = { .tell_statements = listener->sink };
    host_init(&host, listener->sink, SCREEN_COLOR_NEVER);
    host.path = file->path;
    if (listener->sink)
        listener->sink->begin(listener->sink, file->name);
    uint64_t begin = bench_now();
    file->scenario = scenario_parse(file->text, file->bytes, file->name, &host.base);
    uint64_t read = bench_now();
    bool right = scenario_check(file->scenario);
    CHECK(right); /* its text is ours */
    uint64_t checked = bench_now();
    enum tool_exit code = host_run(&host, file, &options, result);
    if (code != TOOL_GOOD) /* between two statements; inside of one the host leaves */
        exit(host_end(code));
    if (listener->sink)
        listener->sink->end(listener->sink, file->name, result);
    uint64_t ran = bench_now();
    scenario_free(file->scenario);
    spent[PART_READ] += read - begin;
    spent[PART_CHECK] += checked - read;
    spent[PART_RUN] += ran - checked;
    spent[PART_ALL] += ran - begin;
}

static struct measured measure_bench(const struct benchmark *benchmark)
{
    struct host_file file = { .name = "bench.vms", .path = "bench.vms" };
    struct scenario_result result = { .operations = 0 };
    struct listener listener = { .sink = NULL };
    uint64_t spent[PART_ALL + 1] = { 0 }, rounds = benchmark->part == PART_ALL ? ROUNDS_OF_ALL : 1;
    size_t bytes = 0;
    file.text = loads_text(benchmark->load, &file.bytes);
    bytes = file.bytes;
    if (benchmark->twin || benchmark->part == PART_PACK) {
        uint64_t begin = bench_now();
        char *twin = scenario_pack(file.text, file.bytes, &file.bytes);
        spent[PART_PACK] = bench_now() - begin;
        base_free(file.text);
        file.text = twin;
    }
    listen(&listener, benchmark);
    for (uint64_t i = 0; i < rounds && benchmark->part != PART_PACK; i++)
        run_once(&file, &listener, spent, &result);
    if (listener.sink) {
        listener.sink->close(listener.sink);
        (void)fclose(listener.out);
    }
    base_free(file.text);
    struct measured measured = { spent[benchmark->part], bytes };
    if (benchmark->tell)
        measured.amount = listener.told;
    else if (benchmark->part >= PART_RUN)
        measured.amount = benchmark->part == PART_ALL ? rounds : result.operations;
    return measured;
}

/* ---- all of them ----------------------------------------------------------------------------- */

static int compare_measured(const void *left, const void *right)
{
    uint64_t a = ((const struct measured *)left)->ns, b = ((const struct measured *)right)->ns;
    return (a > b) - (a < b);
}

static struct text_short rate_of(const struct benchmark *benchmark, struct measured measured)
{
    return rate_text(measured.amount, measured.ns, strcmp(unit_of(benchmark), "bytes") == 0);
}

/* `all` in the order of their times. */
static void bench_print_json(const struct benchmark *benchmark, const struct measured *all,
                             unsigned times)
{
    struct json json = { .out = stdout };
    json_open(&json, NULL, '{');
    json_string(&json, "type", "bench");
    json_string(&json, "name", benchmark->name);
    json_string(&json, "unit", unit_of(benchmark));
    json_number(&json, "amount", all[0].amount);
    json_number(&json, "times", times);
    json_number(&json, "best_ns", all[0].ns);
    json_number(&json, "median_ns", all[times / 2].ns);
    json_close(&json, '}');
    json_end_line(&json);
}

static void bench_print(const struct bench *bench, const struct benchmark *benchmark,
                        const struct measured *all)
{
    if (bench->jsonl)
        bench_print_json(benchmark, all, bench->times);
    else
        (void)printf("%-7s %10s %10s %-10s %s\n", benchmark->name,
                     rate_of(benchmark, all[bench->times / 2]).it, rate_of(benchmark, all[0]).it,
                     unit_of(benchmark), benchmark->says);
    (void)fflush(stdout);
}

static void bench_run(const struct bench *bench, const struct benchmark *benchmark)
{
    struct measured *all = base_alloc(bench->times, sizeof *all);
    for (unsigned i = 0; i < bench->times; i++)
        all[i] = measure_bench(benchmark);
    qsort(all, bench->times, sizeof *all, compare_measured);
    bench_print(bench, benchmark, all);
    base_free(all);
}

static bool is_wanted(const struct bench *bench, const char *name)
{
    for (int i = 0; i < bench->names.count; i++)
        if (strcmp(bench->names.first[i], name) == 0)
            return true;
    return !bench->names.count;
}

/* ---- the command line ------------------------------------------------------------------------ */

static void check_bench_names(const struct bench *bench, struct argp_state *state)
{
    struct text names = { 0 }, why = { 0 };
    for (size_t i = 0; i < ARRAY_COUNT(benchmarks); i++)
        text_add(&names, "%s%s", i ? "|" : "", benchmarks[i].name);
    for (int i = 0; i < bench->names.count; i++) {
        if (text_listed(text_get(&names), bench->names.first[i]))
            continue;
        run_options_nearest(bench->names.first[i], text_get(&names), &why);
        argp_error(state, "no benchmark is named '%s'%s", bench->names.first[i], text_get(&why));
    }
    text_free(&why);
    text_free(&names);
}

static unsigned read_times(const char *argument, struct argp_state *state)
{
    uint64_t times;
    if (!text_read_size(argument, &times) || !times || times > TIMES_MOST)
        argp_error(state, "--times=%s: a number from 1 to %d is expected", argument, TIMES_MOST);
    return (unsigned)times;
}

static error_t parse_bench(int key, char *argument, struct argp_state *state)
{
    struct bench *bench = state->input;
    switch (key) {
    case 'f': bench->jsonl = options_jsonl(argument, state); return 0;
    case 't': bench->times = read_times(argument, state); return 0;
    case ARGP_KEY_ARGS:
        bench->names =
            (struct options_words){ state->argv + state->next, state->argc - state->next };
        return 0;
    case ARGP_KEY_END: check_bench_names(bench, state); return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

int cmd_bench(int argc, char **argv)
{
    static const struct argp_option options[] = {
        { "times", 't', "N", 0, "measure each N times (default 5)", 0 },
        { "format", 'f', "text|jsonl", 0, "text (default) or jsonl, for programs", 0 },
        { 0 },
    };
    static const struct argp grammar = {
        .options = options,
        .parser = parse_bench,
        .args_doc = "create|use|evict|submit|pack|read|twin|check|text|jsonl|start...",
        .doc = "Measures how fast this machine reads, checks, runs and tells scenarios, each NAME "
               "or all of them: the median and the best rate, in the processor's time.\v"
               "Examples:\n"
               "  vidmm bench\n"
               "  vidmm bench --times=20 evict text\n"
               "  vidmm bench --format=jsonl >before.jsonl\n\n"
               "It is the one command whose output differs from run to run. To compare two "
               "versions, let them take turns on a machine that does nothing else. A line of jsonl "
               "has the amount of each measurement in its unit, and the shortest and the median "
               "time in nanoseconds.",
    };
    struct bench bench = { .times = TIMES_DEFAULT };
    if (!options_parse(&grammar, argc, argv, &bench))
        return TOOL_USAGE;
    if (!bench.jsonl)
        (void)printf("%-7s %10s %10s %-10s %s\n", "name", "median", "best", "counted",
                     "what is measured");
    for (size_t i = 0; i < ARRAY_COUNT(benchmarks); i++)
        if (is_wanted(&bench, benchmarks[i].name))
            bench_run(&bench, &benchmarks[i]);
    return host_end(TOOL_GOOD);
}
