/* SPDX-License-Identifier: MIT */
/*
 * allocation_advice.c: what should be otherwise about a new allocation, and yet goes on: the 80
 * percent advice (FLAG-039), an eviction set that is always too small (ALLOC-061), and Cached where
 * the CPU does not read (FLAG-018).
 *
 * A pinned allocation in an aperture segment can block evictions through it. Whoever evicts through
 * that segment should therefore fit in the part that pinned ones leave free. Two counts per segment
 * tell whether the other half of a bad pair lives, so a creation looks at nobody else.
 */
#include "paging/residency/residency.h"
#include "paging/store/store.h"
#include "vidmm/allocation/allocation_make.h"
#include "vidmm/allocation/allocation_state.h"

#include <stdio.h>

static bool may_pin_in(const struct allocation *allocation, uint32_t segment)
{
    uint32_t set = allocation->pageable.info.read_set | allocation->pageable.info.write_set;
    return allocation_is_overlay(&allocation->pageable) && (set >> (segment - 1) & 1);
}

/* What the documentation allows to evict through a segment where something can be pinned:
   SegmentSize x (100 - pinned-percent) / 100, without overflow: sizes are below 2^63. */
static uint64_t advised_bytes(const adapter_t *adapter, uint32_t segment)
{
    uint64_t bytes = segment_desc(adapter, segment)->bytes;
    uint64_t percent = 100 - setting(adapter, VIDMM_SETTING_PINNED_PERCENT);
    return bytes / 100 * percent + bytes % 100 * percent / 100;
}

static bool evicts_much_to(const adapter_t *adapter, const struct allocation *allocation,
                           uint32_t segment)
{
    return (allocation->pageable.info.eviction_set >> (segment - 1) & 1) &&
           allocation->pageable.info.bytes > advised_bytes(adapter, segment);
}

static void note(struct advice *advice, const struct allocation *allocation, bool more)
{
    CHECK(more || advice->count);
    advice->count += more ? 1 : UINT64_MAX;
    if (more)
        advice->newest = allocation->pageable.handle;
}

struct other {
    char it[100];
};

/* "tex (28 MiB)", when the newest of them still lives. */
static struct other other_of(const adapter_t *adapter, const struct advice *advice)
{
    struct other other = { "an earlier allocation" };
    const struct allocation *newest =
        handle_object(adapter, advice->newest, VIDMM_OBJECT_ALLOCATION);
    if (newest)
        (void)snprintf(other.it, sizeof other.it, "%.60s (%s)", newest->pageable.label,
                       words_size(newest->pageable.info.bytes).it);
    return other;
}

static vidmm_status advise(adapter_t *adapter, const struct allocation *allocation,
                           uint32_t segment)
{
    const struct advice *may_pin = &adapter->allocations->may_pin[segment];
    const struct advice *evicts_much = &adapter->allocations->evicts_much[segment];
    const char *name = segment_name(adapter, segment);
    const uint64_t whole_pages = align_down(advised_bytes(adapter, segment), adapter->setup->page);
    const struct words_size size = words_size(segment_desc(adapter, segment)->bytes);
    const struct words_size most = words_size(whole_pages);
    const struct words_size own = words_size(allocation->pageable.info.bytes);
    const unsigned percent = 100 - (unsigned)setting(adapter, VIDMM_SETTING_PINNED_PERCENT);
    if (evicts_much_to(adapter, allocation, segment) && may_pin->count)
        return warn(adapter, RULE(FLAG_039), allocation->pageable.handle,
                    "%s (%s) evicts through %s (%s), where %s can be pinned: such an allocation "
                    "should have at most %s, %u percent of the segment",
                    allocation->pageable.label, own.it, name, size.it,
                    other_of(adapter, may_pin).it, most.it, percent);
    if (may_pin_in(allocation, segment) && evicts_much->count)
        return warn(adapter, RULE(FLAG_039), allocation->pageable.handle,
                    "%s (%s) can be pinned in %s (%s), through which %s evicts: such an "
                    "allocation should have at most %s, %u percent of the segment",
                    allocation->pageable.label, own.it, name, size.it,
                    other_of(adapter, evicts_much).it, most.it, percent);
    return STATUS_SUCCESS;
}

static void note_everywhere(adapter_t *adapter, const struct allocation *allocation, bool more)
{
    if (!allocation_is_overlay(&allocation->pageable) && !allocation->pageable.info.eviction_set)
        return;
    for (uint32_t id = 1; id <= adapter->setup->segments_each; id++) {
        if (!segment_is_aperture(segment_desc(adapter, id)))
            continue;
        if (may_pin_in(allocation, id))
            note(&adapter->allocations->may_pin[id], allocation, more);
        if (evicts_much_to(adapter, allocation, id))
            note(&adapter->allocations->evicts_much[id], allocation, more);
    }
}

vidmm_status allocation_advice(adapter_t *adapter, struct allocation *allocation)
{
    vidmm_status status = STATUS_SUCCESS;
    if (!allocation_is_overlay(&allocation->pageable) && !allocation->pageable.info.eviction_set)
        return STATUS_SUCCESS;
    for (uint32_t id = 1; id <= adapter->setup->segments_each && !status; id++)
        if (segment_is_aperture(segment_desc(adapter, id)))
            status = advise(adapter, allocation, id);
    if (status)
        return status;
    note_everywhere(adapter, allocation, true);
    allocation->pageable.advised = true;
    return STATUS_SUCCESS;
}

vidmm_status allocation_advice_eviction(adapter_t *adapter, const struct allocation *allocation)
{
    struct evict_obstacles lacks;
    uint32_t set = allocation->pageable.info.read_set | allocation->pageable.info.write_set;
    /* Does it ever lie where it has to leave through its eviction set? */
    if (!evict_uses_set(adapter, &allocation->pageable) || !(set & ~places_aperture_set(adapter)) ||
        !evict_never_possible(adapter, &allocation->pageable))
        return STATUS_SUCCESS;
    bool lost = setting(adapter, VIDMM_SETTING_EVICT_FALLBACK);
    for (uint32_t id = 1; id <= adapter->setup->segment_count; id++)
        lost |= evict_set_has(adapter, &allocation->pageable, id) &&
                evict_blocked(adapter, &allocation->pageable, id);
    evict_name_obstacles(adapter, &allocation->pageable, true, &lacks);
    return warn(adapter, RULE(ALLOC_061), allocation->pageable.handle,
                "%s (%s) can never leave through its eviction set (%s): its content %s",
                allocation->pageable.label, words_size(allocation->pageable.info.bytes).it,
                lacks.text, lost ? "will be lost" : "will go straight to system memory");
}

/* What a history buffer has is not for its maker to choose (FLAG-052). */
vidmm_status allocation_advice_cpu_use(adapter_t *adapter, const struct allocation *allocation,
                                       enum vidmm_cpu_use use)
{
    bool cached = allocation_has(&allocation->pageable, ALLOCATION_CACHED);
    if (use == VIDMM_CPU_USE_UNKNOWN ||
        allocation_has(&allocation->pageable, ALLOCATION_HISTORY_BUFFER))
        return STATUS_SUCCESS;
    if (cached == (use == VIDMM_CPU_USE_READ))
        return STATUS_SUCCESS;
    return warn(adapter, RULE(FLAG_018), 0,
                cached ? "%s: the CPU only writes it, and Cached is set"
                       : "%s: the CPU reads it, and Cached is not set",
                allocation->pageable.label);
}

/* Nobody is warned: it goes, or what counts of it changes between a call with false and one with
 * true. */
void allocation_advice_count(adapter_t *adapter, const struct allocation *allocation, bool more)
{
    if (allocation->pageable.advised)
        note_everywhere(adapter, allocation, more);
}

struct allocations *allocations_new(void)
{
    return base_alloc(1, sizeof(struct allocations));
}
