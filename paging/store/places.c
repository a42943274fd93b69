/* SPDX-License-Identifier: MIT */
/*
 * places.c: the books of ranges in segments: what is taken, what is committed, and what serves an
 * eviction. Whoever decides about a place books it here.
 *
 * Rules not named below: PLACE-019.
 */
#include <stdlib.h>
#include <string.h>

#include "paging/store/store.h"
#include "paging/store/store_state.h"

/* ---- where ---------------------------------------------------------------------------------- */

struct segment *segment_at(const adapter_t *adapter, uint32_t id)
{
    return &adapter->store->segments[id].segment;
}

const char *segment_name(const adapter_t *adapter, uint32_t id)
{
    return adapter->store->names[id].name;
}

uint64_t place_address(const adapter_t *adapter, const struct place *place)
{
    return adapter->store->segments[place->segment].segment.desc.base + place_runs(place)[0].offset;
}

uint32_t places_aperture_set(const adapter_t *adapter)
{
    uint32_t set = 0;
    for (uint32_t id = 1; id <= adapter->setup->segments_each; id++)
        if (segment_is_aperture(segment_desc(adapter, id)))
            set |= 1u << (id - 1);
    return set;
}

/* ---- commitment ----------------------------------------------------------------------------- */

bool places_allow(const adapter_t *adapter, uint32_t segment, uint64_t bytes)
{
    const struct segment *target = &adapter->store->segments[segment].segment;
    if (!segment_is_aperture(&target->desc))
        return true;
    return bytes <= target->desc.limit && target->committed_bytes <= target->desc.limit - bytes &&
           bytes <= adapter->setup->shared_limit &&
           adapter->store->shared_committed <= adapter->setup->shared_limit - bytes;
}

void places_commit(adapter_t *adapter, uint32_t segment, uint64_t bytes, bool more)
{
    if (segment && !segment_is_aperture(segment_desc(adapter, segment)))
        return;
    applies(adapter, RULE(SEG_071));
    CHECK(more || adapter->store->shared_committed >= bytes);
    adapter->store->shared_committed += more ? bytes : 0 - bytes;
}

uint64_t places_committed(const adapter_t *adapter)
{
    return adapter->store->shared_committed;
}

/* ---- taken and given back ------------------------------------------------------------------- */

void places_take(adapter_t *adapter, uint32_t segment, struct range range, bool pinned)
{
    segment_take(&adapter->store->segments[segment].segment, range, pinned);
    places_commit(adapter, segment, range.bytes, true);
    gauge_segment(adapter, VIDMM_COUNTER_RESIDENT_BYTES, segment, range.bytes);
}

void places_release(adapter_t *adapter, uint32_t segment, struct freed_runs freed)
{
    for (size_t i = 0; i < freed.count; i++) {
        struct range run = freed.runs[i];
        segment_release(&adapter->store->segments[segment].segment, run, freed.pinned);
        places_commit(adapter, segment, run.bytes, false);
        count_segment(adapter, VIDMM_COUNTER_RESIDENT_BYTES, segment, 0 - run.bytes);
        EMIT(adapter, UNPLACE, RULE(PAGE_064), freed.owner, f_segment("segment", segment),
             f_hex("offset", run.offset), f_bytes("bytes", run.bytes));
    }
}

/* ---- ranges that no allocation holds -------------------------------------------------------- */

const struct held_ranges *places_held(const adapter_t *adapter, uint32_t segment)
{
    return &adapter->store->segments[segment].held;
}

void range_list_add(struct range_list *list, struct range range)
{
    BASE_GROW(list->ranges, list->capacity, list->count + 1);
    list->ranges[list->count++] = range;
}

static int by_offset(const void *a, const void *b)
{
    const struct range *left = a, *right = b;
    return left->offset < right->offset ? -1 : left->offset > right->offset;
}

uint64_t range_list_largest(struct range_list *list, uint64_t bytes, uint64_t *taken)
{
    uint64_t at = 0, largest = 0;
    *taken = 0;
    if (list->count)
        qsort(list->ranges, list->count, sizeof *list->ranges, by_offset);
    for (size_t i = 0; i < list->count; i++) {
        if (list->ranges[i].offset > at)
            largest = max_u64(largest, list->ranges[i].offset - at);
        at = max_u64(at, range_end(list->ranges[i]));
        *taken += list->ranges[i].bytes;
    }
    return max_u64(largest, bytes - at);
}

static void take_out(struct range_list *list, struct range range)
{
    size_t i = 0;
    CHECK(list->count);
    while (list->ranges[i].offset != range.offset) {
        i++;
        CHECK(i < list->count);
    }
    list->ranges[i] = list->ranges[--list->count];
}

void places_evicting_begin(adapter_t *adapter, uint32_t segment, struct range range)
{
    range_list_add(&adapter->store->segments[segment].held.evicting, range);
}

void places_evicting_end(adapter_t *adapter, uint32_t segment, struct range range)
{
    take_out(&adapter->store->segments[segment].held.evicting, range);
}

void places_buffer_begin(adapter_t *adapter, uint32_t segment, struct range range)
{
    range_list_add(&adapter->store->segments[segment].held.buffers, range);
}

void places_buffer_end(adapter_t *adapter, uint32_t segment, struct range range)
{
    take_out(&adapter->store->segments[segment].held.buffers, range);
}

void places_leaving_begin(adapter_t *adapter)
{
    adapter->store->ranges_leaving++;
}

void places_leaving_end(adapter_t *adapter)
{
    CHECK(adapter->store->ranges_leaving);
    adapter->store->ranges_leaving--;
}

bool places_leaving(const adapter_t *adapter)
{
    return adapter->store->ranges_leaving > 0;
}

bool places_take_fixed(adapter_t *adapter, uint32_t segment, struct range range)
{
    struct segment_slot *slot = &adapter->store->segments[segment];
    if (!range_tree_is_free(&slot->segment.space, range))
        return false;
    places_take(adapter, segment, range, true);
    range_list_add(&slot->held.fixed, range);
    return true;
}

/* ---- start and stop ------------------------------------------------------------------------- */

void places_name(adapter_t *adapter, uint32_t id, const char *name, char *own)
{
    adapter->store->names[id] = (struct segment_name){ own ? own : name, own };
}

void places_stop(adapter_t *adapter)
{
    struct store *store = adapter->store;
    for (uint32_t id = 0; id <= adapter->setup->segment_count; id++) {
        struct segment_slot *slot = &store->segments[id];
        if (store->names[id].own) { /* the other names are those of the configuration */
            base_free(store->names[id].own);
            store->names[id] = (struct segment_name){ 0 };
        }
        base_free(slot->policy_state);
        base_free(slot->held.fixed.ranges);
        base_free(slot->held.evicting.ranges);
        base_free(slot->held.buffers.ranges);
        if (id)
            segment_fini(&slot->segment);
    }
    /* Not the slots that no adapter has: they have 200 KiB, and nothing was in them. */
    memset(store->segments, 0, (adapter->setup->segment_count + 1) * sizeof *store->segments);
    store->shared_committed = 0;
}

struct store *store_new(void)
{
    return base_alloc(1, sizeof(struct store));
}
