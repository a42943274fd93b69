/* SPDX-License-Identifier: MIT */
/*
 * linux.h: what drm_mm.c and the trees below it expect of the kernel, as far as one thread in user
 * space needs it. It stands for every header of the kernel that is not copied.
 */
#ifndef TESTS_BENCH_PEERS_LINUX_H
#define TESTS_BENCH_PEERS_LINUX_H

#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef uint8_t u8;
typedef uint32_t u32;
typedef uint64_t u64;
typedef int64_t s64;

#undef __always_inline
#define __always_inline inline __attribute__((always_inline))
#define __must_check    __attribute__((warn_unused_result))
#define __maybe_unused  __attribute__((unused))
#define __rcu
#define noinline                 __attribute__((noinline))
#define likely(x)                __builtin_expect(!!(x), 1)
#define unlikely(x)              __builtin_expect(!!(x), 0)
#define READ_ONCE(x)             (*(const volatile __typeof__(x) *)&(x))
#define WRITE_ONCE(x, value)     (*(volatile __typeof__(x) *)&(x) = (value))
#define rcu_assign_pointer(p, v) ((p) = (v))
#define rcu_dereference_raw(p)   (p)
#define EXPORT_SYMBOL(name)
#define EXPORT_SYMBOL_GPL(name)
#define IS_ENABLED(option)      0
#define BIT(n)                  (1UL << (n))
#define U64_MAX                 UINT64_MAX
#define BUG_ON(x)               ((x) ? abort() : (void)0)
#define BUILD_BUG_ON_INVALID(x) ((void)sizeof((long)(x)))
#define WARN(x, ...)            ((x) ? (abort(), 1) : 0)
#define WARN_ON(x)              WARN(x, "")
#define min(a, b)               ((a) < (b) ? (a) : (b))
#define max(a, b)               ((a) > (b) ? (a) : (b))
#define container_of(pointer, type, member)                                                        \
    ((type *)(void *)((char *)(pointer)-offsetof(type, member)))

/* ---- bits and numbers ----------------------------------------------------------------------- */

static inline bool test_bit(int bit, const unsigned long *word)
{
    return *word >> bit & 1;
}

static inline void __set_bit(int bit, unsigned long *word)
{
    *word |= BIT(bit);
}

static inline void __clear_bit(int bit, unsigned long *word)
{
    *word &= ~BIT(bit);
}

#define set_bit          __set_bit
#define clear_bit        __clear_bit
#define clear_bit_unlock __clear_bit

static inline bool is_power_of_2(u64 number)
{
    return number && !(number & (number - 1));
}

static inline u64 div64_u64_rem(u64 dividend, u64 divisor, u64 *rest)
{
    *rest = dividend % divisor;
    return dividend / divisor;
}

/* ---- lists ---------------------------------------------------------------------------------- */

struct list_head {
    struct list_head *next, *prev;
};

#define list_entry(pointer, type, member)    container_of(pointer, type, member)
#define list_first_entry(list, type, member) list_entry((list)->next, type, member)
#define list_first_entry_or_null(list, type, member)                                               \
    (list_empty(list) ? NULL : list_first_entry(list, type, member))
#define list_last_entry(list, type, member)  list_entry((list)->prev, type, member)
#define list_next_entry(at, m)               list_entry((at)->m.next, __typeof__(*(at)), m)
#define list_prev_entry(at, m)               list_entry((at)->m.prev, __typeof__(*(at)), m)
#define list_entry_is_head(at, list, member) (&(at)->member == (list))
#define list_for_each_entry(at, list, member)                                                      \
    for (at = list_first_entry(list, __typeof__(*at), member); &at->member != (list);              \
         at = list_next_entry(at, member))
#define list_for_each_entry_safe(at, next, list, member)                                           \
    for (at = list_first_entry(list, __typeof__(*at), member), next = list_next_entry(at, member); \
         &at->member != (list); at = next, next = list_next_entry(next, member))

static inline void INIT_LIST_HEAD(struct list_head *list)
{
    list->next = list->prev = list;
}

static inline bool list_empty(const struct list_head *list)
{
    return list->next == list;
}

static inline void list_add(struct list_head *entry, struct list_head *before)
{
    entry->prev = before;
    entry->next = before->next;
    before->next->prev = entry;
    before->next = entry;
}

static inline void list_add_tail(struct list_head *entry, struct list_head *behind)
{
    list_add(entry, behind->prev);
}

static inline void __list_del_entry(struct list_head *entry)
{
    entry->prev->next = entry->next;
    entry->next->prev = entry->prev;
}

static inline void list_del(struct list_head *entry)
{
    __list_del_entry(entry);
    entry->next = entry->prev = NULL;
}

/* ---- memory and printing, which no measured call uses --------------------------------------- */

enum { GFP_KERNEL, GFP_NOWAIT };
struct drm_printer;
#define kmalloc(bytes, how)  malloc(bytes)
#define kfree(memory)        free(memory)
#define drm_printf(out, ...) ((void)(out), (void)printf(__VA_ARGS__))
#define DRM_ERROR(...)       (void)fprintf(stderr, __VA_ARGS__)
#define pr_err(...)          (void)fprintf(stderr, __VA_ARGS__)

#endif
