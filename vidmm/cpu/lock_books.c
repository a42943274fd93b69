/* SPDX-License-Identifier: MIT */
/*
 * lock_books.c: the outstanding locks of an allocation: those of each device, the newest first, and
 * how many of all have which flag. No question goes through them: an allocation may have two
 * thousand million locks (LOCK-030), and be locked by very many devices.
 */
#include "vidmm/base/base_hash.h"
#include "vidmm/cpu/cpu_state.h"
#include "vidmm/cpu/lock.h"
#include "vidmm/cpu/swizzle.h"

enum { FLAG_BITS = 32 };

/* An unlock names none: the newest of its device ends. */
struct lock_record {
    uint32_t flags, data;            /* PrivateDriverData */
    bool ranged;                     /* leads through a swizzling range */
    struct lock_record *older;       /* of the same device */
    struct lock_record *prev, *next; /* of those that are ranged */
};

/* All locks of one device. */
struct lock_holder {
    struct lock_key {
        const struct allocation *allocation;
        const struct device *device;
    } key;
    struct lock_record *newest;
    uint32_t count;
    struct lock_holder *prev, *next; /* of the same allocation */
    UT_hash_handle hh; /* of all but the first of an allocation, which is most often the only one */
};

struct lock_books {
    struct lock_holder *holders;
    struct lock_record *ranged;
    uint32_t with[FLAG_BITS]; /* how many have the flag */
};

/* ---- the locks of a device ------------------------------------------------------------------ */

static struct lock_holder *holder_of(const adapter_t *adapter, const struct allocation *allocation,
                                     const struct device *device)
{
    const struct lock_key key = { allocation, device };
    struct lock_holder *holder =
        cpu_of(allocation)->locks ? cpu_of(allocation)->locks->holders : NULL;
    if (holder && holder->key.device != device)
        HASH_FIND(hh, adapter->cpu->lock_holders, &key, sizeof key, holder);
    return holder;
}

static struct lock_holder *new_holder(adapter_t *adapter, struct allocation *allocation,
                                      const struct device *device)
{
    struct lock_books *books = cpu_of(allocation)->locks;
    struct lock_holder *holder = base_alloc(1, sizeof *holder);
    holder->key = (struct lock_key){ allocation, device };
    if (books->holders)
        HASH_ADD(hh, adapter->cpu->lock_holders, key, sizeof holder->key, holder);
    DL_APPEND(books->holders, holder);
    return holder;
}

static void free_holder(adapter_t *adapter, struct lock_books *books, struct lock_holder *holder)
{
    if (holder->hh.tbl)
        HASH_DEL(adapter->cpu->lock_holders, holder);
    DL_DELETE(books->holders, holder);
    base_free(holder);
}

uint32_t lock_count_of(const adapter_t *adapter, const struct allocation *allocation,
                       const struct device *device)
{
    const struct lock_holder *holder = holder_of(adapter, allocation, device);
    return holder ? holder->count : 0;
}

/* ---- one lock ------------------------------------------------------------------------------- */

static void count_flags(struct lock_books *books, uint32_t flags, uint32_t more)
{
    for (uint32_t bit = 0; flags >> bit; bit++)
        books->with[bit] += flags >> bit & 1 ? more : 0;
}

void lock_add(adapter_t *adapter, const struct lock_part *part)
{
    struct allocation *allocation = part->request.allocation;
    struct lock_record *record = base_alloc(1, sizeof *record);
    if (!cpu_of(allocation)->locks)
        cpu_own(allocation)->locks = base_alloc(1, sizeof *cpu_of(allocation)->locks);
    struct lock_books *books = cpu_of(allocation)->locks;
    struct lock_holder *holder = holder_of(adapter, allocation, part->request.device);
    if (!holder)
        holder = new_holder(adapter, allocation, part->request.device);
    *record = (struct lock_record){ .flags = part->args.flags,
                                    .data = part->args.private_data,
                                    .ranged = part->request.range != NULL,
                                    .older = holder->newest };
    holder->newest = record;
    holder->count++;
    cpu_own(allocation)->lock_count++;
    count_flags(books, record->flags, 1);
    adapter->cpu->alternate += (record->flags & VIDMM_LOCK_UseAlternateVA) != 0;
    if (record->ranged)
        DL_PREPEND(books->ranged, record);
}

void lock_drop(adapter_t *adapter, struct allocation *allocation, const struct device *device)
{
    struct lock_books *books = cpu_of(allocation)->locks;
    struct lock_holder *holder = holder_of(adapter, allocation, device);
    struct lock_record *record = holder->newest;
    holder->newest = record->older;
    count_flags(books, record->flags, UINT32_MAX); /* one less */
    adapter->cpu->alternate -= (record->flags & VIDMM_LOCK_UseAlternateVA) != 0;
    if (record->ranged)
        DL_DELETE(books->ranged, record);
    base_free(record);
    if (!--holder->count)
        free_holder(adapter, books, holder);
    if (--cpu_own(allocation)->lock_count)
        return;
    base_free(books);
    cpu_own(allocation)->locks = NULL;
}

void lock_drop_all(adapter_t *adapter, struct allocation *allocation)
{
    while (cpu_of(allocation)->locks)
        lock_drop(adapter, allocation, cpu_of(allocation)->locks->holders->key.device);
}

bool lock_any_alternate(const adapter_t *adapter)
{
    return adapter->cpu->alternate;
}

uint32_t lock_count_with(const struct allocation *allocation, uint32_t flag)
{
    const struct lock_books *books = cpu_of(allocation)->locks;
    uint32_t bit = 0;
    while (flag >> bit > 1)
        bit++;
    return books ? books->with[bit] : 0;
}

bool lock_has(const struct allocation *allocation, uint32_t flag)
{
    return lock_count_with(allocation, flag) > 0;
}

bool lock_has_without(const struct allocation *allocation, uint32_t flag)
{
    return lock_count_with(allocation, flag) < cpu_of(allocation)->lock_count;
}

/* A lock through a range has one with its private data, or one that was kept. */
static bool has_ranges(const struct allocation *allocation)
{
    const struct lock_record *lock = cpu_of(allocation)->locks->ranged;
    for (; lock; lock = lock->next) {
        const struct swizzling_range *range = cpu_of(allocation)->ranges;
        while (range && range->data != lock->data && !range->kept)
            range = range->next;
        if (!range || !lock->ranged)
            return false;
    }
    return true;
}

const char *lock_problem(const struct allocation *allocation)
{
    const struct lock_books *books = cpu_of(allocation)->locks;
    const struct lock_holder *holder = books ? books->holders : NULL;
    uint32_t locks = 0, with[FLAG_BITS] = { 0 };
    for (; holder; holder = holder->next) {
        uint32_t count = 0;
        for (const struct lock_record *lock = holder->newest; lock; lock = lock->older, count++)
            for (uint32_t bit = 0; bit < FLAG_BITS; bit++)
                with[bit] += lock->flags >> bit & 1;
        if (count != holder->count)
            return "the locks of a device are counted wrongly";
        locks += count;
    }
    if (locks != cpu_of(allocation)->lock_count || !locks != !books)
        return "its locks are counted wrongly";
    for (uint32_t bit = 0; bit < FLAG_BITS && books; bit++)
        if (books->with[bit] != with[bit])
            return "its locks are summed up wrongly";
    return books && !has_ranges(allocation) ? "a lock of it leads through no range" : NULL;
}

/* ---- through ranges ------------------------------------------------------------------------- */

bool swizzle_in_use(const struct allocation *allocation)
{
    return cpu_of(allocation)->locks && cpu_of(allocation)->locks->ranged;
}

bool lock_uses_range(const struct allocation *allocation, uint32_t data)
{
    const struct lock_record *record =
        cpu_of(allocation)->locks ? cpu_of(allocation)->locks->ranged : NULL;
    while (record && record->data != data)
        record = record->next;
    return record != NULL;
}

bool lock_leave_ranges(struct allocation *allocation)
{
    bool left = swizzle_in_use(allocation);
    while (swizzle_in_use(allocation)) {
        struct lock_record *record = cpu_of(allocation)->locks->ranged;
        DL_DELETE(cpu_of(allocation)->locks->ranged, record);
        record->ranged = false;
    }
    return left;
}
