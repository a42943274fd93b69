/* SPDX-License-Identifier: MIT */
/* base.c: the one place where the process stops, and the one door to host memory. */
#include "vidmm/base.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { EXIT_BROKEN_PROMISE = 70 };

void base_check_failed(const char *file, int line, const char *text)
{
    (void)fprintf(stderr, "%s:%d: vidmm broke its own promise: %s\n", file, line, text);
    (void)fprintf(stderr,
                  "This is a bug of vidmm: please report it with the scenario that shows it.\n");
    exit(EXIT_BROKEN_PROMISE);
}

VIDMM_NORETURN static void out_of_memory(size_t count, size_t bytes)
{
    (void)fprintf(stderr, "vidmm: this machine has no memory left (asked for %zu x %zu bytes)\n",
                  count, bytes);
    exit(EXIT_BROKEN_PROMISE);
}

void *base_alloc(size_t count, size_t bytes)
{
    void *memory = calloc(count ? count : 1, bytes ? bytes : 1);
    if (!memory)
        out_of_memory(count, bytes);
    return memory;
}

void *base_realloc(void *old, size_t count, size_t bytes)
{
    if (bytes && count > SIZE_MAX / bytes)
        out_of_memory(count, bytes);
    size_t total = count * bytes;
    void *memory = realloc(old, total ? total : 1);
    if (!memory)
        out_of_memory(count, bytes);
    return memory;
}

void base_free(void *memory)
{
    free(memory);
}

char *base_strndup(const char *text, size_t bytes)
{
    char *copy = base_alloc(bytes + 1, 1);
    memcpy(copy, text, bytes);
    return copy;
}

void *base_grow(void *array, size_t *capacity, size_t need, size_t element_bytes)
{
    if (need <= *capacity)
        return array;
    size_t wanted = *capacity ? *capacity * 2 : 8;
    *capacity = wanted < need ? need : wanted;
    return base_realloc(array, *capacity, element_bytes);
}
