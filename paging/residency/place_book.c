/* SPDX-License-Identifier: MIT */
/*
 * place_book.c: the books of places: what is resident where, in which order it may leave, what is
 * pinned there, and what the open preparation binds.
 */
#include "paging/buffer/buffer.h"
#include "paging/residency/residency.h"
#include "paging/residency/residency_state.h"
#include "paging/store/store.h"

enum { LARGE_PAGE = 64 * 1024 };

/* ---- the books ------------------------------------------------------------------------------ */

static uint64_t place_bytes(const struct allocation *allocation, const struct place *place)
{
    uint64_t bytes = place->segment ? 0 : allocation->info.bytes;
    for (size_t i = 0; i < place->run_count; i++)
        bytes += place_runs(place)[i].bytes;
    return bytes;
}

/* Pinned residents are in a list, all others in the eviction order. */
static void list_resident(struct residents *residents, struct allocation *allocation)
{
    if (!allocation->pinned) {
        victim_insert(&residents->order, &allocation->victim);
        return;
    }
    allocation->pinned_prev = NULL;
    allocation->pinned_next = residents->pinned;
    if (residents->pinned)
        residents->pinned->pinned_prev = allocation;
    residents->pinned = allocation;
}

static void unlist_resident(struct residents *residents, struct allocation *allocation)
{
    if (!allocation->pinned) {
        victim_remove(&residents->order, &allocation->victim);
        return;
    }
    if (allocation->pinned_prev)
        allocation->pinned_prev->pinned_next = allocation->pinned_next;
    else
        residents->pinned = allocation->pinned_next;
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
    if (places_fixed(adapter, place->segment)->count)
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
    struct residents *residents = &adapter->residency->residents[place.segment];
    applies(adapter, RULE(PLACE_002)); /* whatever the runs are, they lie in this one segment */
    for (size_t i = 0; i < place.run_count; i++)
        places_take(adapter, place.segment, place_runs(&place)[i], allocation->pinned);
    if (!place.segment)
        places_commit(adapter, 0, allocation->info.bytes, true);
    residents->protected_count += allocation_in_vpr(allocation);
    allocation->place = place;
    allocation->placements++;
    allocation_become(allocation, ALLOCATION_RESIDENT);
    /* Instances in a link have one handle. */
    uint64_t order = (uint64_t)allocation->handle * VIDMM_LINK_MAX + allocation->info.physical;
    allocation->victim.offset = place.run_count ? place_runs(&place)[0].offset : order;
    allocation->victim.last_use = paging_uses(adapter);
    list_resident(residents, allocation);
    tell_place(adapter, allocation, search);
}

void residency_unplace(adapter_t *adapter, struct allocation *allocation, bool release)
{
    struct place *place = &allocation->place;
    struct residents *residents = &adapter->residency->residents[place->segment];
    uint32_t segment = place->segment;
    adapter->pageable_hooks->left(adapter, allocation);
    unlist_resident(residents, allocation);
    if (!place->segment)
        places_commit(adapter, 0, allocation->info.bytes, false);
    residents->protected_count -= allocation_in_vpr(allocation);
    if (release)
        places_release(adapter, place->segment,
                       (struct freed_runs){ place_runs(place), place->run_count, allocation->pinned,
                                            allocation->handle });
    else
        places_leaving_begin(adapter);
    if (!release && allocation->pinned)
        segment_repin(segment_at(adapter, segment), place_bytes(allocation, place), false);
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
        EMIT(adapter, UNPIN, RULE(PLACE_026), allocation->handle, f_segment("segment", segment));
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
    allocation->bound_in = paging_preparation(adapter);
    BASE_GROW(adapter->residency->bound, adapter->residency->bound_capacity,
              adapter->residency->bound_count + 1);
    adapter->residency->bound[adapter->residency->bound_count++] = allocation;
}

void residency_unbind(adapter_t *adapter)
{
    adapter->residency->bound_count = 0;
}

void residency_be_quiet(adapter_t *adapter, bool quiet)
{
    adapter->residency->quiet = quiet;
}

void residency_may_split(adapter_t *adapter, bool may)
{
    adapter->residency->may_split = adapter->residency->quiet = may;
}

void residency_stop(adapter_t *adapter)
{
    base_free(adapter->residency->bound);
}

void residency_touch(adapter_t *adapter, struct allocation *allocation)
{
    for (struct allocation *a = allocation; a; a = a->next_copy)
        victim_touch(&a->victim, paging_uses(adapter));
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
    struct residents *residents = &adapter->residency->residents[allocation->place.segment];
    enum vidmm_rule rule = allocation->displayed    ? RULE(RES_057)
                           : allocation->of_context ? RULE(PAGE_062)
                                                    : RULE(PAGE_051);
    if (allocation->pinned == pinned)
        return;
    unlist_resident(residents, allocation);
    allocation->pinned = pinned;
    list_resident(residents, allocation);
    if (allocation->place.segment)
        segment_repin(segment_at(adapter, allocation->place.segment),
                      place_bytes(allocation, &allocation->place), pinned);
    if (pinned)
        residency_tell_pin(adapter, allocation, rule);
    else
        EMIT(adapter, UNPIN, rule, allocation->handle,
             f_segment("segment", allocation->place.segment));
}

/* ---- every copy ------------------------------------------------------------------------------ */

void residency_pin(adapter_t *adapter, struct allocation *allocation, bool pinned)
{
    for (struct allocation *a = allocation; a; a = a->next_copy)
        if (a == allocation || a->state == ALLOCATION_RESIDENT)
            pin_copy(adapter, a, pinned);
}

/* ---- who is in a segment -------------------------------------------------------------------- */

struct resident_walk residents_begin(const adapter_t *adapter, uint32_t segment)
{
    const struct residents *residents = &adapter->residency->residents[segment];
    return (struct resident_walk){ victim_first(&residents->order, VICTIM_ANY_PRIORITY),
                                   residents->pinned };
}

struct allocation *residents_next(struct resident_walk *walk)
{
    struct victim_node *node = victim_next(&walk->order);
    struct allocation *pinned = walk->pinned;
    if (node)
        return CONTAINER_OF(node, struct allocation, victim);
    walk->pinned = pinned ? pinned->pinned_next : NULL;
    return pinned;
}

void residency_set_priority(adapter_t *adapter, struct allocation *allocation, uint32_t priority)
{
    if (victim_listed(&allocation->victim))
        victim_change_priority(&adapter->residency->residents[allocation->place.segment].order,
                               &allocation->victim, priority);
    else
        allocation->victim.priority = priority;
}

void residents_stop(adapter_t *adapter)
{
    for (uint32_t id = 0; id <= adapter->setup->segment_count; id++) {
        victim_fini(&adapter->residency->residents[id].order);
        adapter->residency->residents[id] = (struct residents){ 0 };
    }
}

struct residency *residency_new(void)
{
    return base_alloc(1, sizeof(struct residency));
}
