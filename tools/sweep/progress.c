/* SPDX-License-Identifier: MIT */
/* progress.c: how fast do runs end, and how long will the rest take? */
#define _DEFAULT_SOURCE /* clock_gettime, isatty */
#include "tools/sweep/progress.h"

#include <inttypes.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

enum { MS = 1000 };

/* The host's clock decides about nothing but these lines. */
static uint64_t now_ms(void)
{
    struct timespec now;
    if (clock_gettime(CLOCK_MONOTONIC, &now) != 0)
        return 0;
    return (uint64_t)now.tv_sec * MS + (uint64_t)now.tv_nsec / 1000000;
}

void progress_begin(struct progress *progress, size_t count, bool forced)
{
    *progress = (struct progress){ .terminal = isatty(STDERR_FILENO), .count = count };
    progress->shown = forced || progress->terminal;
    progress->began = progress->told = now_ms();
}

void progress_tell(struct progress *progress, size_t done, size_t failed)
{
    uint64_t now = now_ms(), passed = now - progress->began;
    if (!progress->shown || now - progress->told < MS || !passed)
        return;
    progress->told = now;
    uint64_t tenths = (uint64_t)done * 10 * MS / passed; /* of runs in a second */
    progress_clear(progress);
    (void)fprintf(stderr, "%zu of %zu runs, %zu failed, %" PRIu64 ".%" PRIu64 "/s", done,
                  progress->count, failed, tenths / 10, tenths % 10);
    if (done && done < progress->count) {
        uint64_t left = passed / MS * (progress->count - done) / done;
        (void)fprintf(stderr, ", %" PRIu64 ":%02" PRIu64 ":%02" PRIu64 " left", left / 3600,
                      left / 60 % 60, left % 60);
    }
    (void)fputs(progress->terminal ? "" : "\n", stderr);
    (void)fflush(stderr);
    progress->line = progress->terminal;
}

void progress_clear(struct progress *progress)
{
    if (progress->line)
        (void)fputs("\r\033[K", stderr);
    progress->line = false;
}
