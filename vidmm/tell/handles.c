/* SPDX-License-Identifier: MIT */
/*
 * handles.c: names of objects: an index into a dense table, and a generation that tells the present
 * owner of a slot from earlier ones.
 *
 * The low 24 bits are the index, the rest the generation. A freed slot waits in a queue and is
 * given out again only when many others are free too, so a stale handle is told from a live one for
 * at least 256 times REUSE_AFTER further objects.
 *
 * The values of hAllocation that live are a set, to see that a miniport does not use one twice
 * (MINI-033). They are the driver's and are compared, never looked through.
 */
#include "vidmm/tell/tell.h"
#include "vidmm/tell/tell_state.h"

enum { INDEX_BITS = 24, INDEX_MASK = (1 << INDEX_BITS) - 1, REUSE_AFTER = 1024 };

/* Finds a free slot: a new one, or the one that has been free for the longest time. 0: none. */
static uint32_t take_slot(struct handle_table *table)
{
    if (!table->count)
        table->count = 1; /* index 0 stays unused: 0 is never a handle */
    bool grow = table->free_count < REUSE_AFTER && table->count <= INDEX_MASK;
    if (!grow && !table->free_count)
        return 0;
    if (!grow) {
        uint32_t index = table->free_head;
        table->free_head = table->slots[index].next_free;
        if (!--table->free_count)
            table->free_tail = 0;
        return index;
    }
    BASE_GROW(table->slots, table->capacity, table->count + 1);
    table->slots[table->count] = (struct handle_slot){ 0 };
    return (uint32_t)table->count++;
}

vidmm_handle handle_new(adapter_t *adapter, enum vidmm_object kind, void *object)
{
    struct handle_table *table = &adapter->tell->handles;
    CHECK(kind != VIDMM_OBJECT_NONE && object);
    uint32_t index = take_slot(table);
    if (!index)
        return 0;
    struct handle_slot *slot = &table->slots[index];
    slot->object = object;
    slot->kind = (uint8_t)kind;
    slot->closed = false;
    table->live++;
    return index | (uint32_t)slot->generation << INDEX_BITS;
}

/* NULL when the object is gone. */
static struct handle_slot *live_slot(const struct handle_table *table, vidmm_handle handle)
{
    uint32_t index = handle & INDEX_MASK;
    if (!index || index >= table->count)
        return NULL;
    struct handle_slot *slot = &table->slots[index];
    return slot->object && slot->generation == handle >> INDEX_BITS ? slot : NULL;
}

void handle_end(adapter_t *adapter, vidmm_handle handle)
{
    struct handle_table *table = &adapter->tell->handles;
    struct handle_slot *slot = live_slot(table, handle);
    uint32_t index = handle & INDEX_MASK;
    CHECK(slot);
    slot->object = NULL;
    slot->generation++;
    slot->next_free = 0;
    if (table->free_tail)
        table->slots[table->free_tail].next_free = index;
    else
        table->free_head = index;
    table->free_tail = index;
    table->free_count++;
    table->live--;
}

/* The slot stays taken while the object exists, so that events can still name it. */
void handle_close(adapter_t *adapter, vidmm_handle handle)
{
    struct handle_slot *slot = live_slot(&adapter->tell->handles, handle);
    CHECK(slot);
    slot->closed = true;
}

void *handle_object(const adapter_t *adapter, vidmm_handle handle, enum vidmm_object kind)
{
    const struct handle_slot *slot = live_slot(&adapter->tell->handles, handle);
    return slot && !slot->closed && slot->kind == kind ? slot->object : NULL;
}

void *handle_behind(const adapter_t *adapter, vidmm_handle handle, enum vidmm_object *kind)
{
    const struct handle_slot *slot = live_slot(&adapter->tell->handles, handle);
    *kind = slot ? (enum vidmm_object)slot->kind : VIDMM_OBJECT_NONE;
    return slot ? slot->object : NULL;
}

bool handle_was(const adapter_t *adapter, vidmm_handle handle, enum vidmm_object kind)
{
    const struct handle_table *table = &adapter->tell->handles;
    uint32_t index = handle & INDEX_MASK;
    if (!index || index >= table->count)
        return false;
    const struct handle_slot *slot = &table->slots[index];
    uint8_t last = slot->object ? slot->generation : (uint8_t)(slot->generation - 1);
    bool over = !slot->object || slot->closed;
    /* Of the owners before the last one only their number is known. */
    if (over && handle >> INDEX_BITS == last)
        return slot->kind == (uint8_t)kind;
    return handle >> INDEX_BITS < slot->generation;
}

enum vidmm_object vidmm_object_kind(const adapter_t *adapter, vidmm_handle handle)
{
    const struct handle_slot *slot = live_slot(&adapter->tell->handles, handle);
    return slot && !slot->closed ? (enum vidmm_object)slot->kind : VIDMM_OBJECT_NONE;
}

void *handle_next(const adapter_t *adapter, enum vidmm_object kind, size_t *at)
{
    const struct handle_table *table = &adapter->tell->handles;
    for (size_t i = *at + 1; i < table->count; i++) {
        const struct handle_slot *slot = &table->slots[i];
        if (slot->object && slot->kind == (uint8_t)kind) {
            *at = i;
            return slot->object;
        }
    }
    return NULL;
}

/* ---- handles of the driver ------------------------------------------------------------------ */

/*
 * Open addressing: 11 to 22 bytes for each handle and 60 instructions for an addition, where a
 * table of uthash took 80 and 570: this is done for every allocation.
 */
static size_t home_of(const struct driver_handles *set, HANDLE handle)
{
    uint64_t hash = (uint64_t)(uintptr_t)handle * UINT64_C(0x9E3779B97F4A7C15);
    return (hash >> 32) & (set->capacity - 1);
}

/* Where it stands, or would. */
static size_t place_of(const struct driver_handles *set, HANDLE handle)
{
    size_t at = home_of(set, handle);
    while (set->slots[at] && set->slots[at] != handle)
        at = (at + 1) & (set->capacity - 1);
    return at;
}

static void make_room(struct driver_handles *set)
{
    const struct driver_handles old = *set;
    if ((set->count + 1) * 4 <= set->capacity * 3)
        return;
    set->capacity = old.capacity ? old.capacity * 2 : 16;
    set->slots = base_alloc(set->capacity, sizeof(HANDLE));
    for (size_t i = 0; i < old.capacity; i++)
        if (old.slots[i])
            set->slots[place_of(set, old.slots[i])] = old.slots[i];
    base_free(old.slots);
}

bool driver_handle_add(adapter_t *adapter, HANDLE handle)
{
    struct driver_handles *set = &adapter->tell->driver_handles;
    CHECK(handle);
    make_room(set);
    size_t at = place_of(set, handle);
    if (set->slots[at])
        return false;
    set->slots[at] = handle;
    set->count++;
    return true;
}

void driver_handle_remove(adapter_t *adapter, HANDLE handle)
{
    struct driver_handles *set = &adapter->tell->driver_handles;
    size_t mask = set->capacity - 1, hole = set->count ? place_of(set, handle) : 0;
    CHECK(set->count && set->slots[hole]);
    /* Those after it that could stand in the hole move up: no search may end at it. */
    for (size_t at = (hole + 1) & mask; set->slots[at]; at = (at + 1) & mask) {
        size_t home = home_of(set, set->slots[at]);
        if (((at - home) & mask) < ((at - hole) & mask))
            continue;
        set->slots[hole] = set->slots[at];
        hole = at;
    }
    set->slots[hole] = NULL;
    set->count--;
}

size_t driver_handle_count(const adapter_t *adapter)
{
    return adapter->tell->driver_handles.count;
}

void tell_fini(adapter_t *adapter)
{
    base_free(adapter->tell->driver_handles.slots);
    base_free(adapter->tell->handles.slots);
    base_free(adapter->tell->segment_counters);
}
