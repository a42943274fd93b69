/* SPDX-License-Identifier: MIT */
/*
 * no_memory.c: preloaded, it lets one allocation of a program find no memory, or all from it on.
 *
 *     VIDMM_STARVE_AT=N       the N-th allocation fails; 0: none
 *     VIDMM_STARVE_LASTS=1    all that follow fail, too
 *     VIDMM_STARVE_COUNT=FILE how many there were is written there at the end
 */
#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* Those of the C library, which this file stands in front of. */
void *__libc_malloc(size_t bytes);
void *__libc_calloc(size_t count, size_t bytes);
void *__libc_realloc(void *old, size_t bytes);

static struct {
    unsigned long count, at;
    bool known, lasts;
} starve;

static bool fails(void)
{
    if (!starve.known) {
        const char *at = getenv("VIDMM_STARVE_AT");
        starve.known = true;
        starve.at = at ? strtoul(at, NULL, 10) : 0;
        starve.lasts = getenv("VIDMM_STARVE_LASTS") != NULL;
    }
    starve.count++;
    if (!starve.at || starve.count < starve.at || (starve.count > starve.at && !starve.lasts))
        return false;
    errno = ENOMEM;
    return true;
}

void *malloc(size_t bytes)
{
    return fails() ? NULL : __libc_malloc(bytes);
}

void *calloc(size_t count, size_t bytes)
{
    return fails() ? NULL : __libc_calloc(count, bytes);
}

void *realloc(void *old, size_t bytes)
{
    return fails() ? NULL : __libc_realloc(old, bytes);
}

__attribute__((destructor)) static void tell(void)
{
    const char *path = getenv("VIDMM_STARVE_COUNT");
    unsigned long count = starve.count;
    FILE *file = path ? fopen(path, "w") : NULL;
    if (!file)
        return;
    (void)fprintf(file, "%lu\n", count);
    (void)fclose(file);
}
