/* SPDX-License-Identifier: MIT */
/*
 * base.h: what every file of vidmm may rely on.
 *
 * CHECK is for our own mistakes only and stays on in release builds; CHECK_SLOW looks at whole
 * structures and is on in test builds. A caller's mistake is refused, a miniport's is a fault
 * (vidmm/tell/tell.h): neither ever ends in a CHECK.
 *
 * Host memory comes from here and nowhere else, and is counted (vidmm/vidmm_host.h). These
 * functions never return NULL: what would pass a limit, or finds the host without memory, ends in
 * the limit's handler or in exit code 4. Simulated shortage is something else and is an ordinary
 * result.
 */
#ifndef VIDMM_BASE_H
#define VIDMM_BASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if defined(__GNUC__)
/* Flags of the interface are bit fields and are read as numbers too; its SIZE_T has 64 bits. */
_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ && __SIZEOF_POINTER__ == 8,
               "vidmm needs a 64-bit little-endian machine");
#define VIDMM_APART               __attribute__((noinline)) /* rare: callers save no registers */
#define VIDMM_PRINTF(text, first) __attribute__((format(printf, text, first)))
#define VIDMM_NORETURN            __attribute__((noreturn, cold))
#define VIDMM_LIKELY(condition)   __builtin_expect(!!(condition), 1)
#define VIDMM_PREFETCH(address)   __builtin_prefetch(address)
#else
#define VIDMM_APART
#define VIDMM_PRINTF(format, first)
#define VIDMM_NORETURN
#define VIDMM_LIKELY(condition) (condition)
#define VIDMM_PREFETCH(address) ((void)(address))
#endif

/* Prints "file:line: broken promise: text" to stderr and exits with 70. */
VIDMM_NORETURN void base_check_failed(const char *file, int line, const char *text);

#define CHECK(condition)                                                                           \
    (VIDMM_LIKELY(condition) ? (void)0 : base_check_failed(__FILE__, __LINE__, #condition))

/* Off builds still compile the condition, so it cannot rot. */
#ifdef VIDMM_PARANOID
#define CHECK_SLOW(condition) CHECK(condition)
#else
#define CHECK_SLOW(condition) ((void)sizeof(!!(condition)))
#endif

/* Zeroed memory. `count * bytes` may not overflow; both may be 0. Free with base_free(). */
void *base_alloc(size_t count, size_t bytes);
/* Grows or shrinks; new bytes are not zeroed. */
void *base_realloc(void *old, size_t count, size_t bytes);
void base_free(void *memory);
void *base_alloc_uncounted(size_t bytes);       /* zeroed; for a pool, which counts its pieces: */
void base_count_piece(size_t bytes, bool more); /* as base_alloc() and base_free() do */
/* Copies the first `bytes` bytes of `text` and adds a NUL. */
char *base_strndup(const char *text, size_t bytes);

/* Makes room for at least `need` elements, by doubling; the macro evaluates `need` twice. */
void *base_grow(void *array, size_t *capacity, size_t need, size_t element_bytes);
#define BASE_GROW(array, capacity, need)                                                           \
    ((need) <= (capacity)                                                                          \
         ? (void)0                                                                                 \
         : (void)((array) = base_grow((array), &(capacity), (need), sizeof *(array))))

/* Counts work: a loop that one call of the API may repeat without end reports its steps here. */
void base_work(uint64_t steps);

#define ARRAY_COUNT(array) (sizeof(array) / sizeof *(array))

/* The struct of which `pointer` is the member `member`. */
#define CONTAINER_OF(pointer, type, member)                                                        \
    ((type *)(void *)((char *)(pointer)-offsetof(type, member)))

static inline uint32_t min_u32(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

static inline uint32_t max_u32(uint32_t a, uint32_t b)
{
    return a > b ? a : b;
}

static inline uint64_t min_u64(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

static inline uint64_t max_u64(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

static inline bool is_power_of_two(uint64_t value)
{
    return value && !(value & (value - 1));
}

/* `alignment` need not be a power of two: drivers may ask for any multiple of the page. */
static inline uint64_t align_down(uint64_t value, uint64_t alignment)
{
    return is_power_of_two(alignment) ? value & ~(alignment - 1) : value - value % alignment;
}

/* The caller guarantees that the result fits in 64 bits (check_add_u64 when in doubt). */
static inline uint64_t align_up(uint64_t value, uint64_t alignment)
{
    return align_down(value + (alignment - 1), alignment);
}

static inline bool is_aligned(uint64_t value, uint64_t alignment)
{
    return align_down(value, alignment) == value;
}

static inline uint64_t divide_up(uint64_t value, uint64_t divisor)
{
    return value / divisor + (value % divisor != 0);
}

/* UINT64_MAX when the product does not fit. */
static inline uint64_t multiply_capped(uint64_t a, uint64_t b)
{
    return a && b > UINT64_MAX / a ? UINT64_MAX : a * b;
}

/* False when the sum does not fit; *sum is then untouched. */
static inline bool add_fits(uint64_t a, uint64_t b, uint64_t *sum)
{
    if (a > UINT64_MAX - b)
        return false;
    *sum = a + b;
    return true;
}

/* "12 MiB", "1536 KiB", "100 bytes": exact. By value: words_size(n).it inside one expression. */
struct words_size {
    char it[32];
};
struct words_size words_size(uint64_t bytes);
/* Adds to a text in an array of so many bytes. What does not fit any more is cut off. */
VIDMM_PRINTF(3, 4) void words_add(char *text, size_t bytes, const char *format, ...);
char words_lower(char c); /* of ASCII */
/* How many letters to insert, remove, change or swap, in any case; SIZE_MAX: too long. */
size_t words_distance(const char *a, size_t a_length, const char *b, size_t b_length);

#endif
