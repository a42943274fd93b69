/* SPDX-License-Identifier: MIT */
/*
 * progress.c: how fast do jobs and operations end, and how long will the rest take?
 *
 * Called in the middle of an operation: asks for no memory, which would count as that of the run.
 */
#define _DEFAULT_SOURCE /* clock_gettime, isatty */
#include "tools/common/progress.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "scenarios/lang/scenario_items.h"
#include "tools/common/screen.h"
#include "tools/common/text.h"

enum { MS = 1000, LINE_BYTES = 512, HOURS_MOST = 1000 };

/* The coarse clock is read before each operation. */
#ifdef CLOCK_MONOTONIC_COARSE
enum { PROGRESS_CLOCK = CLOCK_MONOTONIC_COARSE };
#else
enum { PROGRESS_CLOCK = CLOCK_MONOTONIC };
#endif

/* The host's clock decides about nothing but these lines. */
static uint64_t now_ms(void)
{
    struct timespec now;
    if (clock_gettime(PROGRESS_CLOCK, &now) != 0)
        return 0;
    return (uint64_t)now.tv_sec * MS + (uint64_t)now.tv_nsec / 1000000;
}

void progress_begin(struct progress *progress, uint64_t quiet_ms, bool forced)
{
    struct screen screen;
    const char *term = getenv("TERM");
    bool can = isatty(STDERR_FILENO) == 1 && !(term && strcmp(term, "dumb") == 0);
    screen_init(&screen, stderr, SCREEN_COLOR_NEVER, SCREEN_LETTERS_ASCII, 0);
    *progress = (struct progress){ .shown = forced || can, .terminal = can, .width = screen.width };
    progress->began = now_ms();
    progress->told = progress->began + quiet_ms - min_u64(quiet_ms, MS);
}

/* Is it time for a line? Then *passed is how long all has taken. */
static bool is_due(struct progress *progress, uint64_t *passed)
{
    uint64_t now = progress->shown ? now_ms() : 0;
    if (now < progress->told + MS)
        return false;
    progress->told = now;
    *passed = now - progress->began;
    return true;
}

/* The names of files are data: nothing in them moves the cursor. */
static void print_line(struct progress *progress, char *line)
{
    for (char *at = line; *at; at++)
        if ((unsigned char)*at < ' ' || *at == 0x7F)
            *at = '?';
    progress_clear(progress);
    if (progress->terminal)
        (void)fprintf(stderr, "%.*s", progress->width - 1, line);
    else
        (void)fprintf(stderr, "%s\n", line);
    (void)fflush(stderr);
    progress->line = progress->terminal;
}

/* Nothing when it is too long to be of use. */
static struct text_short left_of(double ms)
{
    if (ms >= (double)HOURS_MOST * 3600 * MS)
        return text_print("%s", "");
    uint64_t s = (uint64_t)ms / MS;
    return text_print(", %" PRIu64 ":%02" PRIu64 ":%02" PRIu64 " left", s / 3600, s / 60 % 60,
                      s % 60);
}

/* Milliseconds for one job or operation, since the oldest of the lines that are kept. */
static double recent_pace(struct progress *progress, uint64_t passed, uint64_t done)
{
    size_t line = progress->lines++ % PROGRESS_LINES;
    /* Both are 0 as long as there were fewer lines. */
    bool another = progress->done[line] >= done; /* run begins */
    uint64_t ms = passed - (another ? 0 : progress->passed[line]);
    uint64_t since = done - (another ? 0 : progress->done[line]);
    progress->passed[line] = passed;
    progress->done[line] = done;
    return since ? (double)ms / (double)since : 0;
}

void progress_tell_jobs(struct progress *progress, size_t done, size_t count, size_t failed)
{
    char line[LINE_BYTES];
    uint64_t passed = 0;
    if (!is_due(progress, &passed))
        return;
    uint64_t tenths = (uint64_t)done * 10 * MS / passed; /* of jobs in a second */
    double left = recent_pace(progress, passed, done) * (double)(count - done);
    (void)snprintf(line, sizeof line, "%zu of %s, %zu failed, %" PRIu64 ".%" PRIu64 "/s%s", done,
                   text_count(count, "run").it, failed, tenths / 10, tenths % 10,
                   left > 0 ? left_of(left).it : "");
    print_line(progress, line);
}

/* The rounds that are left have as many operations as those before, at the pace of the last ones.
 */
static struct text_short left_in_loop(const struct scenario_progress *now, double pace)
{
    uint64_t in_loop = now->operations - now->before;
    if (!now->of || !now->rounds || !in_loop)
        return text_print(", %s of virtual time", text_span(now->time).it);
    double rest = (double)in_loop / (double)now->rounds * (double)(now->of - now->rounds);
    return text_print(", %" PRIu64 " of %" PRIu64 "%s", now->rounds, now->of,
                      left_of(pace * rest).it);
}

void progress_tell_run(struct progress *progress, struct scenario *scenario)
{
    char line[LINE_BYTES], place[16] = "";
    uint64_t passed = 0;
    struct scenario_progress now;
    if (!is_due(progress, &passed) || !scenario_progress(scenario, &now))
        return;
    if (now.line)
        (void)snprintf(place, sizeof place, ":%" PRIu32, now.line);
    (void)snprintf(line, sizeof line, "%.*s%s: %" PRIu64 " operations, %" PRIu64 "/s%s",
                   LINE_BYTES / 2, now.file, place, now.operations, now.operations * MS / passed,
                   left_in_loop(&now, recent_pace(progress, passed, now.operations)).it);
    print_line(progress, line);
}

void progress_clear(struct progress *progress)
{
    if (progress->line)
        (void)fputs("\r\033[K", stderr);
    progress->line = false;
}
