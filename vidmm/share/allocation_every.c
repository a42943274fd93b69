/* SPDX-License-Identifier: MIT */
/*
 * allocation_every.c: every allocation that has a place, a store or marks of its own: what the
 * devices list, and what hangs on that: renaming instances, and copies on the adapters of a link.
 * Nothing may come or go while somebody walks.
 *
 * Rules not named below: PLACE-021, RENAME-011, TDR-022.
 */
#include "vidmm/share/share.h"
#include "vidmm/share/share_state.h"

static struct allocation *first_of(const struct device *device)
{
    while (device && !device->allocations)
        device = device->next;
    return device ? device->allocations : NULL;
}

struct allocation *allocation_first(const adapter_t *adapter)
{
    return first_of(adapter->share->devices);
}

struct allocation *allocation_after(struct allocation *allocation)
{
    if (allocation_of(allocation->pageable.place.next_copy))
        return allocation_of(allocation->pageable.place.next_copy);
    struct allocation *instance = allocation_of(allocation->pageable.place.whole)
                                      ? allocation_of(allocation->pageable.place.whole)
                                      : allocation;
    struct allocation *listed = rename_original(instance);
    struct allocation *other =
        instance == listed ? rename_other(listed) : rename_next_other(instance);
    if (other)
        return other;
    return listed->device_next ? listed->device_next : first_of(listed->pageable.creator->next);
}

struct allocation *rename_other(const struct allocation *original)
{
    struct allocation *instance = original->rename.list ? original->rename.list->first : NULL;
    while (instance == original)
        instance = instance->rename.next;
    return instance;
}

struct allocation *rename_next_other(const struct allocation *instance)
{
    struct allocation *next = instance->rename.next;
    return next && next == instance->rename.list->original ? next->rename.next : next;
}

void allocation_list(struct allocation *allocation, struct device *device)
{
    for (struct allocation *a = allocation; a; a = allocation_of(a->pageable.place.next_copy))
        a->pageable.creator = device;
    allocation->device_prev = NULL;
    allocation->device_next = device->allocations;
    if (device->allocations)
        device->allocations->device_prev = allocation;
    device->allocations = allocation;
}

void allocation_unlist(struct allocation *allocation)
{
    if (allocation->device_prev)
        allocation->device_prev->device_next = allocation->device_next;
    else
        allocation->pageable.creator->allocations = allocation->device_next;
    if (allocation->device_next)
        allocation->device_next->device_prev = allocation->device_prev;
}
