/* SPDX-License-Identifier: MIT */
/*
 * base.c: the one place where the process stops, the one door to host memory, and the account of
 * what came through it.
 */
#define _DEFAULT_SOURCE
#include "vidmm/base/base.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "vidmm/vidmm_host.h"

enum { EXIT_LIMIT = 4, EXIT_ENOUGH = 130, EXIT_BROKEN_PROMISE = 70, RESERVE_BYTES = 64 * 1024 };

enum { LARGE_PAGE = 2 << 20, LARGE_PIECE = 2 * LARGE_PAGE };

void base_check_failed(const char *file, int line, const char *text)
{
    (void)fprintf(stderr, "%s:%d: vidmm broke its own promise: %s\n", file, line, text);
    (void)fprintf(stderr,
                  "This is a bug of vidmm: please report it with the scenario that shows it.\n");
    exit(EXIT_BROKEN_PROMISE);
}

/* ---- the account ---------------------------------------------------------------------------- */

/* Signed: an adapter may be made on one thread and freed on another. */
static _Thread_local struct {
    int64_t held;
    uint64_t worked;
    struct vidmm_host_limits limits;
    void *reserve; /* for the handler that reports that there is no memory */
    bool leaving;  /* exit() has begun: what it calls may want memory, too */
} account = { .limits = { .memory_bytes = UINT64_MAX, .work = UINT64_MAX } };

/* In front of every piece, so that its size is known when it is given back. */
struct piece {
    _Alignas(VIDMM_HOST_PIECE_BYTES) size_t bytes; /* with this header; 0: not counted */
};

_Static_assert(sizeof(struct piece) == VIDMM_HOST_PIECE_BYTES, "as the account counts");
_Static_assert(_Alignof(max_align_t) <= VIDMM_HOST_PIECE_BYTES, "malloc aligns the header");

VIDMM_NORETURN static void stop(enum vidmm_host_limit limit, size_t bytes)
{
    const struct vidmm_host_limits limits = account.limits;
    if (account.leaving)
        _Exit(EXIT_LIMIT);
    account.limits = (struct vidmm_host_limits){ .memory_bytes = UINT64_MAX, .work = UINT64_MAX };
    free(account.reserve);
    account.reserve = NULL;
    if (limits.passed)
        limits.passed(limits.caller, limit);
    if (limit == VIDMM_HOST_MEMORY)
        (void)fprintf(stderr, "vidmm: %s of memory is the limit\n",
                      words_size(limits.memory_bytes).it);
    else if (limit == VIDMM_HOST_WORK)
        (void)fprintf(stderr, "vidmm: %" PRIu64 " steps of work are the limit\n", limits.work);
    else if (limit == VIDMM_HOST_ENOUGH)
        (void)fprintf(stderr, "vidmm: interrupted\n");
    else
        (void)fprintf(stderr, "vidmm: this machine has no memory left (asked for %s)\n",
                      words_size(bytes).it);
    account.leaving = true;
    exit(limit == VIDMM_HOST_ENOUGH ? EXIT_ENOUGH : EXIT_LIMIT);
}

void vidmm_host_limit(const struct vidmm_host_limits *limits, struct vidmm_host_limits *before)
{
    if (before)
        *before = account.limits;
    account.limits = *limits;
    if (limits->passed && !account.reserve) {
        account.reserve = malloc(RESERVE_BYTES);
    } else if (!limits->passed) {
        free(account.reserve);
        account.reserve = NULL;
    }
}

uint64_t vidmm_host_held(void)
{
    return account.held > 0 ? (uint64_t)account.held : 0;
}

uint64_t vidmm_host_worked(void)
{
    return account.worked;
}

void base_work(uint64_t steps)
{
    account.worked += steps;
    if (account.worked > account.limits.work)
        stop(VIDMM_HOST_WORK, 0);
    if (account.limits.enough && account.limits.enough(account.limits.caller))
        stop(VIDMM_HOST_ENOUGH, 0);
}

/* ---- memory --------------------------------------------------------------------------------- */

/* What a piece takes with its header. */
static size_t base_size_of(size_t count, size_t bytes)
{
    if (bytes && count > (SIZE_MAX / 2 - VIDMM_HOST_PIECE_BYTES) / bytes)
        stop(VIDMM_HOST_MACHINE, SIZE_MAX);
    return count * bytes + VIDMM_HOST_PIECE_BYTES;
}

static void charge(size_t bytes)
{
    int64_t held = account.held + (int64_t)bytes;
    if (held > 0 && (uint64_t)held > account.limits.memory_bytes)
        stop(VIDMM_HOST_MEMORY, bytes);
    account.held = held;
}

/* Zeroed. What is so large is a table or a block of a million records, which are met in no order:
   pages of 4 KiB would cost a miss of their own at nearly every one. */
static struct piece *make_piece(size_t size)
{
    struct piece *piece = calloc(1, size);
    if (!piece)
        stop(VIDMM_HOST_MACHINE, size);
#ifdef MADV_HUGEPAGE
    if (size >= LARGE_PIECE) {
        char *from = (char *)piece + LARGE_PAGE - (uintptr_t)piece % LARGE_PAGE;
        char *end = (char *)piece + size;
        end -= (uintptr_t)end % LARGE_PAGE;
        (void)madvise(from, (size_t)(end - from), MADV_HUGEPAGE); /* it may say no */
    }
#endif
    return piece;
}

void *base_alloc_uncounted(size_t bytes)
{
    return make_piece(base_size_of(1, bytes)) + 1;
}

void base_count_piece(size_t bytes, bool more)
{
    if (more)
        charge(base_size_of(1, bytes));
    else
        account.held -= (int64_t)base_size_of(1, bytes);
}

void *base_alloc(size_t count, size_t bytes)
{
    size_t size = base_size_of(count, bytes);
    charge(size);
    struct piece *piece = make_piece(size);
    piece->bytes = size;
    return piece + 1;
}

/* The machine would move small pages as they are, so a large piece is copied. */
static struct piece *grow_large(struct piece *old, size_t size)
{
    struct piece *piece = make_piece(size);
    memcpy(piece, old, old->bytes);
    free(old);
    return piece;
}

void *base_realloc(void *old, size_t count, size_t bytes)
{
    struct piece *piece = old ? (struct piece *)old - 1 : NULL;
    size_t before = piece ? piece->bytes : 0;
    size_t size = base_size_of(count, bytes);
    if (size > before)
        charge(size - before);
    else
        account.held -= (int64_t)(before - size);
    piece = before && size > before && size >= LARGE_PIECE ? grow_large(piece, size)
                                                           : realloc(piece, size);
    if (!piece)
        stop(VIDMM_HOST_MACHINE, size);
    piece->bytes = size;
    return piece + 1;
}

void base_free(void *memory)
{
    if (!memory)
        return;
    struct piece *piece = (struct piece *)memory - 1;
    account.held -= (int64_t)piece->bytes;
    free(piece);
}

char *base_strndup(const char *text, size_t bytes)
{
    char *copy = base_alloc(bytes + 1, 1);
    memcpy(copy, text, bytes);
    return copy;
}

/* Writes the capacity last: the handler of a limit may look at the array. */
void *base_grow(void *array, size_t *capacity, size_t need, size_t element_bytes)
{
    size_t wanted = *capacity ? *capacity * 2 : 8;
    wanted = wanted < need ? need : wanted;
    array = base_realloc(array, wanted, element_bytes);
    *capacity = wanted;
    return array;
}

/* ---- words ---------------------------------------------------------------------------------- */

struct words_size words_size(uint64_t bytes)
{
    static const char *const units[] = { "KiB", "MiB", "GiB", "TiB" };
    enum { STEP = 1024, UNITS = sizeof units / sizeof *units };
    struct words_size words;
    size_t unit = 0;
    for (; bytes && bytes % STEP == 0 && unit < UNITS; unit++)
        bytes /= STEP;
    if (unit)
        (void)snprintf(words.it, sizeof words.it, "%" PRIu64 " %s", bytes, units[unit - 1]);
    else
        (void)snprintf(words.it, sizeof words.it, "%" PRIu64 " byte%s", bytes,
                       bytes == 1 ? "" : "s");
    return words;
}

void words_add(char *text, size_t bytes, const char *format, ...)
{
    size_t length = strlen(text);
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(text + length, bytes - length, format, arguments);
    va_end(arguments);
}

char words_lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

size_t words_distance(const char *a, size_t a_length, const char *b, size_t b_length)
{
    enum { LONGEST = 64 };
    size_t rows[3][LONGEST + 1];
    if (a_length > LONGEST || b_length > LONGEST)
        return SIZE_MAX;
    for (size_t j = 0; j <= b_length; j++)
        rows[0][j] = j;
    for (size_t i = 1; i <= a_length; i++) {
        size_t *row = rows[i % 3];
        const size_t *above = rows[(i + 2) % 3], *two_above = rows[(i + 1) % 3];
        char last = words_lower(a[i - 1]), before = i > 1 ? words_lower(a[i - 2]) : '\0';
        row[0] = i;
        for (size_t j = 1; j <= b_length; j++) {
            char other = words_lower(b[j - 1]);
            row[j] = min_u64(above[j - 1] + (last != other), min_u64(above[j], row[j - 1]) + 1);
            if (i > 1 && j > 1 && last == words_lower(b[j - 2]) && before == other)
                row[j] = min_u64(row[j], two_above[j - 2] + 1);
        }
    }
    return rows[a_length % 3][b_length];
}
