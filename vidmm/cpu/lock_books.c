/* SPDX-License-Identifier: MIT */
/*
 * lock_books.c: the outstanding locks of an allocation, the newest first. Each record sums up
 * itself and the older ones, so a question about all of them asks the newest: an allocation may
 * have two thousand million locks (LOCK-030).
 */
#include "vidmm/base/base_hash.h"
#include "vidmm/cpu/cpu.h"
#include "vidmm/cpu/lock.h"
#include "vidmm/cpu/swizzle.h"
#include "vidmm/share/objects.h"

static void sum_up(struct lock_record *record)
{
    const struct lock_record *older = record->next;
    record->set = record->flags | (older ? older->set : 0);
    record->clear = ~record->flags | (older ? older->clear : 0);
    record->any_ranged = record->ranged || (older && older->any_ranged);
}

static const struct lock_record *newest_of(const struct allocation *allocation,
                                           const struct device *device)
{
    const struct lock_record *record = allocation->cpu.locks;
    while (record && record->device != device)
        record = record->next;
    return record;
}

uint32_t lock_count_of(const struct allocation *allocation, const struct device *device)
{
    const struct lock_record *record = newest_of(allocation, device);
    return record ? record->of_device : 0;
}

void lock_add(struct allocation *allocation, const struct lock_part *part)
{
    const struct device *device = part->request.device;
    struct lock_record *record = base_alloc(1, sizeof *record);
    *record = (struct lock_record){ .flags = part->args.flags,
                                    .data = part->args.private_data,
                                    .ranged = part->request.range != NULL,
                                    .device = device,
                                    .of_device = lock_count_of(allocation, device) + 1 };
    DL_PREPEND(allocation->cpu.locks, record);
    sum_up(record);
    allocation->cpu.lock_count++;
}

void lock_drop(struct allocation *allocation, const struct device *device)
{
    struct lock_record *record = (struct lock_record *)newest_of(allocation, device);
    struct lock_record *newer = record == allocation->cpu.locks ? NULL : record->prev;
    DL_DELETE(allocation->cpu.locks, record);
    allocation->cpu.lock_count--;
    base_free(record);
    /* Those of other devices stand above it. */
    for (; newer; newer = newer == allocation->cpu.locks ? NULL : newer->prev)
        sum_up(newer);
}

bool lock_has(const struct allocation *allocation, uint32_t flag)
{
    return allocation->cpu.locks && allocation->cpu.locks->set & flag;
}

bool lock_has_without(const struct allocation *allocation, uint32_t flag)
{
    return allocation->cpu.locks && allocation->cpu.locks->clear & flag;
}

/* ---- through ranges ------------------------------------------------------------------------- */

bool swizzle_in_use(const struct allocation *allocation)
{
    return allocation->cpu.locks && allocation->cpu.locks->any_ranged;
}

bool lock_uses_range(const struct allocation *allocation, uint32_t data)
{
    const struct lock_record *record = allocation->cpu.locks;
    while (record && record->any_ranged && !(record->ranged && record->data == data))
        record = record->next;
    return record && record->any_ranged;
}

bool lock_leave_ranges(struct allocation *allocation)
{
    bool left = swizzle_in_use(allocation);
    for (struct lock_record *record = allocation->cpu.locks; record && record->any_ranged;
         record = record->next)
        record->ranged = record->any_ranged = false;
    return left;
}
