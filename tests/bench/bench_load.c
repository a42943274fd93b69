/* SPDX-License-Identifier: MIT */
/*
 * bench_load.c: how fast a generated scenario is read, as text and as its binary twin, beside the
 * copying of the same bytes; and how fast it is checked.
 *
 *     bench_load [MILLIONS]
 *
 * Times of the processor, which other processes do not lengthen as much.
 */
#define _POSIX_C_SOURCE 200809L /* clock_gettime */
#include "scenarios/lang/scenario.h"
#include "scenarios/lang/scenario_twin.h"
#include "tests/bench/bench.h"
#include "vidmm/base/base.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { OBJECTS = 100000, LINE_BYTES = 32 };

static void hear(struct scenario_host *host, const struct scenario_message *message)
{
    (void)host;
    (void)fputs(message->rendered, stderr);
}

static char *add(char *at, const char *format, int number)
{
    return at + snprintf(at, LINE_BYTES, format, number);
}

static char *make_text(uint64_t lines, size_t *bytes)
{
    static const char head[] = "vidmm-scenario 1\nsegment s id=1 kind=memory size=400M\n"
                               "class o segments=s size=4K\n";
    char *text = base_alloc(lines + OBJECTS + 10, LINE_BYTES);
    char *at = text + sizeof head - 1;
    uint64_t state = 88172645463325252;
    memcpy(text, head, sizeof head - 1);
    for (int i = 1; i <= OBJECTS; i++)
        at = add(at, "create @%d : o\n", i);
    for (uint64_t i = 0; i < lines; i++) {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        at = add(at, "page-in @%d\n", (int)(1 + state % OBJECTS));
    }
    *bytes = (size_t)(at - text);
    return text;
}

static void tell_rate(const char *what, double ns, uint64_t lines, size_t bytes)
{
    printf("%-28s %8.1f ms %8.1f M lines/s %8.0f MB/s\n", what, ns / 1e6, (double)lines * 1e3 / ns,
           (double)bytes * 1e3 / ns);
}

static void measure(const char *what, const char *bytes, size_t count, uint64_t lines)
{
    struct scenario_host host = { .message = hear };
    char name[64];
    double begin = bench_ns(CLOCK_PROCESS_CPUTIME_ID);
    struct scenario *scenario = scenario_parse(bytes, count, "load.vms", &host);
    double read = bench_ns(CLOCK_PROCESS_CPUTIME_ID);
    bool good = scenario_check(scenario);
    double checked = bench_ns(CLOCK_PROCESS_CPUTIME_ID);
    scenario_free(scenario);
    (void)snprintf(name, sizeof name, "%s: read%s", what, good ? "" : " (errors)");
    tell_rate(name, read - begin, lines, count);
    (void)snprintf(name, sizeof name, "%s: checked", what);
    tell_rate(name, checked - read, lines, count);
}

int main(int argc, char **argv)
{
    uint64_t lines = (argc > 1 ? strtoull(argv[1], NULL, 10) : 10) * 1000000;
    size_t bytes, count;
    char *text = make_text(lines, &bytes);
    double begin = bench_ns(CLOCK_PROCESS_CPUTIME_ID);
    char *twin = scenario_pack(text, bytes, &count);
    tell_rate("packed", bench_ns(CLOCK_PROCESS_CPUTIME_ID) - begin, lines, bytes);
    for (int i = 0; i < 3; i++) {
        measure("text", text, bytes, lines);
        measure("twin", twin, count, lines);
        /* What a reader has to write at least: 8 bytes for a line, 4 for a number. */
        char *copy = base_alloc(12, lines);
        begin = bench_ns(CLOCK_PROCESS_CPUTIME_ID);
        for (size_t at = 0; at < 12 * lines; at += count)
            memcpy(copy + at, twin, min_u64(count, 12 * lines - at));
        tell_rate("copied: the bytes of the tree", bench_ns(CLOCK_PROCESS_CPUTIME_ID) - begin,
                  lines, 12 * lines);
        base_free(copy);
    }
    base_free(twin);
    base_free(text);
    return 0;
}
