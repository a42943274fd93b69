/* SPDX-License-Identifier: MIT */
/*
 * driver_handles.c: the set of hAllocation values that live, to see that a miniport does not use
 * one twice (MINI-033).
 *
 * The values are the driver's and are compared, never looked through. Open addressing with linear
 * probing; where a value stands depends on host addresses, so nothing ever walks over the set.
 */
#include "vidmm/manager.h"

enum { SMALLEST = 64 };

static size_t home(const struct driver_handles *set, HANDLE handle)
{
    uint64_t mixed = (uint64_t)(uintptr_t)handle * UINT64_C(0x9E3779B97F4A7C15);
    return (size_t)(mixed >> 32) & (set->capacity - 1);
}

/* Its slot, or the empty one where it belongs. */
static size_t find(const struct driver_handles *set, HANDLE handle)
{
    size_t slot = home(set, handle);
    while (set->slots[slot] && set->slots[slot] != handle)
        slot = (slot + 1) & (set->capacity - 1);
    return slot;
}

/* At most half of the slots are used: probes stay short. */
static void make_room(struct driver_handles *set)
{
    if ((set->count + 1) * 2 <= set->capacity)
        return;
    struct driver_handles larger = { .count = set->count };
    larger.capacity = set->capacity ? set->capacity * 2 : SMALLEST;
    larger.slots = base_alloc(larger.capacity, sizeof *larger.slots);
    for (size_t i = 0; i < set->capacity; i++)
        if (set->slots[i])
            larger.slots[find(&larger, set->slots[i])] = set->slots[i];
    base_free(set->slots);
    *set = larger;
}

bool driver_handle_add(adapter_t *adapter, HANDLE handle)
{
    struct driver_handles *set = &adapter->driver_handles;
    CHECK(handle);
    make_room(set);
    size_t slot = find(set, handle);
    if (set->slots[slot])
        return false;
    set->slots[slot] = handle;
    set->count++;
    return true;
}

void driver_handle_remove(adapter_t *adapter, HANDLE handle)
{
    struct driver_handles *set = &adapter->driver_handles;
    CHECK(set->count);
    size_t mask = set->capacity - 1;
    size_t hole = find(set, handle);
    CHECK(set->slots[hole]);
    /* Whoever was pushed past the hole moves back, so that every probe still ends at its value. */
    for (size_t at = (hole + 1) & mask; set->slots[at]; at = (at + 1) & mask) {
        size_t from_home = (at - home(set, set->slots[at])) & mask;
        if (from_home < ((at - hole) & mask))
            continue;
        set->slots[hole] = set->slots[at];
        hole = at;
    }
    set->slots[hole] = NULL;
    set->count--;
}
