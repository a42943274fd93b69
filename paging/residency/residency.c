/* SPDX-License-Identifier: MIT */
/*
 * residency.c: looking for a place (chapter 5.1 of the segments catalogue) and the books of places.
 *
 * The policy gave the searches in order; passes 1 to 3 go through them, first for a free place,
 * then for one that victims make free. Looking changes nothing. Bringing the content is page_in.c.
 *
 * Rules not named below: FLAG-035, PLACE-019.
 */
#include "paging/residency/residency.h"

#include "paging/residency/link.h"
#include "vidmm/base/words.h"

#include <stdio.h>

enum { LARGE_PAGE = 64 * 1024 };

void found_place_drop(struct found_place *found)
{
    if (found->place.run_count > 1)
        base_free(found->place.runs);
    found->place = (struct place){ 0 };
}

void found_place_fini(struct found_place *found)
{
    found_place_drop(found);
    base_free(found->victims);
    *found = (struct found_place){ 0 };
}

bool means_system_memory(const adapter_t *adapter, const struct allocation *allocation,
                         uint32_t segment)
{
    return adapter->caps.wddm >= VIDMM_WDDM_2_0 && !allocation_is_mirrored(allocation) &&
           segment_is_aperture(segment_desc(adapter, segment)) &&
           !allocation_has(allocation, ALLOCATION_ACCESSED_PHYSICALLY) && !allocation->displayed;
}

bool needs_range(const adapter_t *adapter, const struct allocation *allocation, uint32_t segment)
{
    return adapter->caps.wddm < VIDMM_WDDM_2_0 || allocation_is_mirrored(allocation) ||
           segment_is_aperture(segment_desc(adapter, segment)) ||
           allocation_has(allocation, ALLOCATION_ACCESSED_PHYSICALLY) ||
           allocation_is_contiguous(allocation) || allocation_is_overlay(allocation) ||
           allocation->info.primary || allocation->of_context;
}

/* ---- looking for a place -------------------------------------------------------------------- */

bool vpr_allows(const adapter_t *adapter, const struct allocation *allocation, uint32_t segment)
{
    const struct segment_slot *slot = &adapter->segments[segment];
    uint32_t limit = slot->segment.desc.vpr_limit;
    return !limit || !allocation_in_vpr(allocation) || slot->protected_count < limit;
}

static bool free_system_place(const adapter_t *adapter, const struct allocation *allocation,
                              struct place *place)
{
    if (allocation->info.bytes > adapter->shared_limit - adapter->shared_committed)
        return false;
    *place = (struct place){ .segment = 0 };
    return true;
}

static bool free_page_set(adapter_t *adapter, const struct vidmm_search *search,
                          struct place *place)
{
    struct segment *segment = &adapter->segments[search->segment].segment;
    struct range *runs;
    applies(adapter, RULE(SEG_035));
    size_t count = segment_take_pages(segment, search, &runs);
    applies(adapter, RULE(PLACE_016));
    /* Only a look: booking is residency_place()'s. */
    for (size_t i = 0; i < count; i++)
        segment_release(segment, runs[i], false);
    *place = (struct place){ .segment = search->segment, .run_count = count };
    if (count > 1)
        place->runs = runs;
    else if (count)
        place->one = runs[0];
    if (count <= 1)
        base_free(runs);
    return count != 0;
}

bool free_place(adapter_t *adapter, const struct allocation *allocation,
                const struct vidmm_search *search, struct place *place)
{
    if (means_system_memory(adapter, allocation, search->segment))
        return free_system_place(adapter, allocation, place);
    if (allocation_is_mirrored(allocation))
        return link_free_place(adapter, search, place);
    if (!places_allow(adapter, search->segment, search->footprint))
        return false;
    applies(adapter, RULE(PLACE_015));
    if (!needs_range(adapter, allocation, search->segment))
        return free_page_set(adapter, search, place);
    uint64_t offset;
    if (!segment_find(&adapter->segments[search->segment].segment, search, &offset))
        return false;
    *place = (struct place){ .segment = search->segment,
                             .one = { offset, search->footprint },
                             .run_count = 1 };
    return true;
}

void residency_tell_candidate(adapter_t *adapter, const struct allocation *allocation,
                              const struct vidmm_search *search, enum placement_pass pass,
                              const char *result)
{
    applies(adapter, RULE(PLACE_004));
    EMIT(adapter, CANDIDATE, search->why, allocation->handle, f_segment("segment", search->segment),
         f_hex("low", search->low), f_hex("high", search->high),
         f_word("direction", search->from_end ? "top-down" : "bottom-up"),
         f_number("pass", (uint64_t)pass), f_word("result", result));
}

/* SEG-061, on each adapter of a link for a mirrored one. */
static bool protected_allowed(const adapter_t *adapter, const struct allocation *allocation,
                              uint32_t segment)
{
    if (!allocation_is_mirrored(allocation))
        return vpr_allows(adapter, allocation, segment);
    bool allowed = true;
    for (uint32_t i = 0; i < adapter->link_count; i++)
        allowed &= vpr_allows(adapter, allocation, segment_of_adapter(adapter, segment, i));
    return allowed;
}

/* The searches of one segment, in one pass. */
static bool try_segment(adapter_t *adapter, const struct allocation *allocation,
                        const struct vidmm_search *searches, size_t count, enum placement_pass pass,
                        struct found_place *found)
{
    bool room = protected_allowed(adapter, allocation, searches[0].segment);
    for (size_t i = 0; i < count && room && pass == PASS_LOWER; i++) {
        if (free_place(adapter, allocation, &searches[i], &found->place)) {
            found->search = &searches[i];
            residency_tell_candidate(adapter, allocation, &searches[i], pass, "free");
            return true;
        }
    }
    if (evict_plan(adapter, allocation, searches, count, pass, found)) {
        residency_tell_candidate(adapter, allocation, found->search, pass, "room");
        return true;
    }
    residency_tell_candidate(adapter, allocation, &searches[0], pass, "full");
    return false;
}

bool find_place(adapter_t *adapter, const struct allocation *allocation,
                const struct vidmm_search *searches, size_t count, struct found_place *found)
{
    applies(adapter, RULE(PLACE_011));
    /* Soft-pinned ones leave only when no split can help any more. */
    enum placement_pass end = adapter->may_split ? PASS_SOFT_PINNED : PASSES_END;
    for (enum placement_pass pass = PASS_LOWER; pass < end; pass++) {
        for (size_t i = 0; i < count;) {
            size_t n = searches_of_segment(&searches[i], count - i);
            if (try_segment(adapter, allocation, &searches[i], n, pass, found))
                return true;
            i += n;
        }
    }
    return false;
}

/* ---- the books ------------------------------------------------------------------------------ */

static uint64_t place_bytes(const struct allocation *allocation, const struct place *place)
{
    uint64_t bytes = place->segment ? 0 : allocation->info.bytes;
    for (size_t i = 0; i < place->run_count; i++)
        bytes += place_runs(place)[i].bytes;
    return bytes;
}

/* Pinned residents are in a list, all others in the eviction order. */
static void list_resident(struct segment_slot *slot, struct allocation *allocation)
{
    if (!allocation->pinned) {
        victim_insert(&slot->order, &allocation->victim);
        return;
    }
    allocation->pinned_prev = NULL;
    allocation->pinned_next = slot->pinned;
    if (slot->pinned)
        slot->pinned->pinned_prev = allocation;
    slot->pinned = allocation;
}

static void unlist_resident(struct segment_slot *slot, struct allocation *allocation)
{
    if (!allocation->pinned) {
        victim_remove(&slot->order, &allocation->victim);
        return;
    }
    if (allocation->pinned_prev)
        allocation->pinned_prev->pinned_next = allocation->pinned_next;
    else
        slot->pinned = allocation->pinned_next;
    if (allocation->pinned_next)
        allocation->pinned_next->pinned_prev = allocation->pinned_prev;
    allocation->pinned_prev = allocation->pinned_next = NULL;
}

/* PLACE-018: the segment has large pages, and the allocation consists of whole ones. */
static bool mapped_by_large_pages(adapter_t *adapter, const struct allocation *allocation)
{
    uint32_t segment = allocation->place.segment;
    if (!segment || segment_desc(adapter, segment)->page_bytes < LARGE_PAGE)
        return false;
    applies(adapter, RULE(PLACE_018));
    return is_aligned(allocation->info.bytes | allocation->info.alignment, LARGE_PAGE);
}

/* Rules that a place shows and that no other line decides. */
static void count_place_rules(adapter_t *adapter, const struct allocation *allocation)
{
    const struct place *place = &allocation->place;
    const struct vidmm_segment_desc *desc = segment_desc(adapter, place->segment);
    applies(adapter, RULE(ALLOC_014));
    applies(adapter, RULE(SEG_021)); /* a location is a segment and an offset */
    if (desc->flags & SEGMENT_PITCH_ALIGNMENT)
        applies(adapter, RULE(SEG_028));
    if (allocation_is_overlay(allocation))
        applies(adapter, RULE(FLAG_038));
    if (adapter->segments[place->segment].fixed.count)
        applies(adapter, RULE(PLACE_020));
    for (uint32_t bank = 0; bank + 1 < desc->bank_count; bank++)
        if (place->one.offset < desc->bank_ends[bank] &&
            range_end(place->one) > desc->bank_ends[bank])
            applies(adapter, RULE(SEG_041)); /* across the edge of a bank */
}

static void tell_place(adapter_t *adapter, const struct allocation *allocation,
                       const struct vidmm_search *search)
{
    const struct place *place = &allocation->place;
    bool large = mapped_by_large_pages(adapter, allocation);
    applies(adapter, RULE(PLACE_006));
    if (place->segment)
        count_place_rules(adapter, allocation);
    else
        applies(adapter, RULE(SEG_036));
    EMIT(adapter, PLACE, place->segment ? search->why : RULE(PLACE_017), allocation->handle,
         f_segment("segment", place->segment),
         f_hex("offset", place->run_count ? place_runs(place)[0].offset : 0),
         f_bytes("bytes", place_bytes(allocation, place)),
         f_word("direction", search->from_end ? "top-down" : "bottom-up"),
         f_number("runs", place->run_count), f_word("pages", large ? "64k" : "4k"),
         f_hex("low", search->low), f_hex("high", search->high));
}

void residency_place(adapter_t *adapter, struct allocation *allocation, struct place place,
                     const struct vidmm_search *search)
{
    struct segment_slot *slot = &adapter->segments[place.segment];
    applies(adapter, RULE(PLACE_002)); /* whatever the runs are, they lie in this one segment */
    for (size_t i = 0; i < place.run_count; i++)
        places_take(adapter, place.segment, place_runs(&place)[i], allocation->pinned);
    if (!place.segment)
        places_commit(adapter, 0, allocation->info.bytes, true);
    slot->protected_count += allocation_in_vpr(allocation);
    allocation->place = place;
    allocation->placements++;
    allocation_become(allocation, ALLOCATION_RESIDENT);
    /* Instances in a link have one handle. */
    uint64_t order = (uint64_t)allocation->handle * VIDMM_LINK_MAX + allocation->info.physical;
    allocation->victim.offset = place.run_count ? place_runs(&place)[0].offset : order;
    allocation->victim.last_use = adapter->preparations;
    list_resident(slot, allocation);
    tell_place(adapter, allocation, search);
}

void residency_unplace(adapter_t *adapter, struct allocation *allocation, bool release)
{
    struct place *place = &allocation->place;
    struct segment_slot *slot = &adapter->segments[place->segment];
    adapter->pageable_hooks->left(adapter, allocation);
    unlist_resident(slot, allocation);
    if (!place->segment)
        places_commit(adapter, 0, allocation->info.bytes, false);
    slot->protected_count -= allocation_in_vpr(allocation);
    adapter->ranges_leaving += !release;
    if (release)
        places_release(adapter, place->segment,
                       (struct freed_runs){ place_runs(place), place->run_count, allocation->pinned,
                                            allocation->handle });
    else if (allocation->pinned)
        segment_repin(&slot->segment, place_bytes(allocation, place), false);
    allocation->placements++;
    allocation->last = (struct last_place){
        .segment = place->segment,
        .address = place->segment ? place_address(adapter, place) : 0,
    };
    allocation->agp_written = allocation->leaving = false;
    if (place->run_count > 1)
        base_free(place->runs);
    *place = (struct place){ 0 };
    if (allocation->of_context)
        allocation->pinned_anyway = false; /* a display restores what it was */
    if (allocation->pinned) {
        allocation->pinned = false; /* a script's pin for good, others until placed: FLAG-036 */
        EMIT(adapter, UNPIN, RULE(PLACE_026), allocation->handle,
             f_segment("segment", slot->segment.desc.id));
    }
}

/* Pages that began to appear in an aperture leave it by an unmap, and hold the first content. */
static void undo_mapping(adapter_t *adapter, struct allocation *allocation,
                         enum allocation_state before)
{
    struct place from = allocation->place;
    residency_unplace(adapter, allocation, false);
    allocation_become(allocation, allocation->of_context || allocation->keeper != allocation
                                      ? before
                                      : ALLOCATION_EVICTED);
    paging_unmap_later(adapter, allocation, from.segment, from.one, true);
}

void residency_undo(adapter_t *adapter, struct allocation *allocation, enum allocation_state before)
{
    const struct last_place last = allocation->last; /* it never was in the place that it leaves */
    if (place_in_aperture(adapter, &allocation->place) && allocation->keeper->backing.populated) {
        undo_mapping(adapter, allocation, before);
    } else {
        residency_unplace(adapter, allocation, true);
        allocation_become(allocation, before);
    }
    allocation->last = last;
}

void residency_bind(adapter_t *adapter, struct allocation *allocation)
{
    if (allocation->whole)
        allocation = allocation->whole;
    allocation->bound_in = adapter->preparation;
    BASE_GROW(adapter->bound, adapter->bound_capacity, adapter->bound_count + 1);
    adapter->bound[adapter->bound_count++] = allocation;
}

void residency_touch(adapter_t *adapter, struct allocation *allocation)
{
    for (struct allocation *a = allocation; a; a = a->next_copy)
        victim_touch(&a->victim, adapter->preparations);
}

void residency_tell_pin(adapter_t *adapter, const struct allocation *allocation,
                        enum vidmm_rule rule)
{
    EMIT(adapter, PIN, rule, allocation->handle, f_segment("segment", allocation->place.segment),
         f_word("kind", allocation_is_shared_primary(allocation)         ? "shared-primary"
                        : allocation->of_context                         ? "context"
                        : allocation->displayed                          ? "display"
                        : allocation_has(allocation, ALLOCATION_OVERLAY) ? "overlay"
                        : allocation_has(allocation, ALLOCATION_CAPTURE) ? "capture"
                                                                         : "script"));
}

static void pin_copy(adapter_t *adapter, struct allocation *allocation, bool pinned)
{
    struct segment_slot *slot = &adapter->segments[allocation->place.segment];
    enum vidmm_rule rule = allocation->displayed    ? RULE(RES_057)
                           : allocation->of_context ? RULE(PAGE_062)
                                                    : RULE(PAGE_051);
    if (allocation->pinned == pinned)
        return;
    unlist_resident(slot, allocation);
    allocation->pinned = pinned;
    list_resident(slot, allocation);
    if (allocation->place.segment)
        segment_repin(&slot->segment, place_bytes(allocation, &allocation->place), pinned);
    if (pinned)
        residency_tell_pin(adapter, allocation, rule);
    else
        EMIT(adapter, UNPIN, rule, allocation->handle,
             f_segment("segment", allocation->place.segment));
}

/* ---- counting ------------------------------------------------------------------------------- */

struct fault {
    enum vidmm_counter counter;
    const char *word;
};

/* PAGE-066: why this reference needs work. */
static struct fault cause_of(const struct allocation *allocation, bool migration)
{
    if (migration)
        return (struct fault){ VIDMM_COUNTER_FAULTS_MIGRATION, "migration" };
    if (allocation->state == ALLOCATION_RESIDENT)
        return (struct fault){ VIDMM_COUNTER_FAULTS_INCORRECT_RESOURCE, "incorrect-resource" };
    if (allocation->offer.refill)
        return (struct fault){ VIDMM_COUNTER_FAULTS_RECLAIMED, "reclaimed" };
    if (!allocation->used_before)
        return (struct fault){ VIDMM_COUNTER_FAULTS_FIRST_ACCESS, "first-access" };
    return (struct fault){ VIDMM_COUNTER_FAULTS_EVICTED, "evicted" };
}

/* A search that is tried again is no reference of its own. */
vidmm_status residency_bring_fault(adapter_t *adapter, struct allocation *allocation, uint32_t set,
                                   bool migration, struct device *device)
{
    struct fault fault = cause_of(allocation, migration);
    vidmm_status status = residency_bring(adapter, allocation, set, fault.word);
    if (status && adapter->quiet)
        return status;
    allocation->used_before = true;
    allocation->offer.refill = false;
    applies(adapter, RULE(PAGE_066));
    count_device(adapter, VIDMM_COUNTER_FAULTS, device, 1);
    count_device(adapter, fault.counter, device, 1);
    return status;
}

/* ---- every copy -----------------------------------------------------------------------------
 */

void residency_pin(adapter_t *adapter, struct allocation *allocation, bool pinned)
{
    for (struct allocation *a = allocation; a; a = a->next_copy)
        if (a == allocation || a->state == ALLOCATION_RESIDENT)
            pin_copy(adapter, a, pinned);
}
