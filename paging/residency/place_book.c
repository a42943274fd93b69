/* SPDX-License-Identifier: MIT */
/*
 * place_book.c: what is resident where, what may leave and in which order, and what is bound.
 */
#include "paging/residency/pager.h"
#include "paging/residency/residency_state.h"
#include "vidmm/base/base_hash.h"

/* ---- the books ------------------------------------------------------------------------------ */

/* Pinned residents are in a list, all others in the eviction order. */
static void list_resident(adapter_t *adapter, struct pageable *allocation)
{
    struct residents *residents = &adapter->residency->residents[allocation->place.at.segment];
    if (!allocation->place.pinned)
        turns_enter(adapter, allocation);
    else
        DL_PREPEND2(residents->pinned, &allocation->place.victim, prev, next);
}

static void unlist_resident(adapter_t *adapter, struct pageable *allocation)
{
    struct residents *residents = &adapter->residency->residents[allocation->place.at.segment];
    if (!allocation->place.pinned)
        turns_leave(adapter, allocation);
    else
        DL_DELETE2(residents->pinned, &allocation->place.victim, prev, next);
}

const char *pageable_state_problem(const struct pageable *allocation)
{
    const struct place *place = &allocation->place.at;
    enum allocation_state state = allocation->store.state;
    bool resident = state == ALLOCATION_RESIDENT;
    if (state == ALLOCATION_CLOSED)
        return NULL; /* on its way out, and held up there */
    if (!resident && (place->run_count || place->segment))
        return " is not resident and has a place";
    if (resident && (place->segment != 0) != (place->run_count != 0))
        return " is resident without a range";
    if (victim_listed(&allocation->place.victim) != (resident && !allocation->place.pinned))
        return ": the eviction order of its segment is wrong about it";
    if (resident && place->segment && allocation->place.victim.offset != place_offset(place))
        return " stands in the eviction order with a wrong offset";
    if (state == ALLOCATION_EVICTED && allocation->store.owner == allocation &&
        !backing_of(allocation)->populated)
        return " is evicted and its content is nowhere";
    if (state == ALLOCATION_NO_CONTENT && content_count(&allocation->store.content))
        return " has no content, and what it holds is known";
    return NULL;
}

static void tell_pin(adapter_t *adapter, const struct pageable *allocation)
{
    const struct pin_cause cause = pageable_pinned_by(allocation);
    EMIT(adapter, PIN, cause.rule, allocation->handle,
         f_segment("segment", allocation->place.at.segment), f_word("kind", cause.kind));
}

void residency_place(adapter_t *adapter, struct pageable *allocation, struct place place,
                     const struct vidmm_search *search)
{
    applies(adapter, RULE(PLACE_002)); /* whatever the runs are, they lie in this one segment */
    for (size_t i = 0; i < place.run_count; i++)
        places_take(adapter, place.segment, place_runs(&place)[i], allocation->place.pinned);
    if (!place.segment)
        places_commit(adapter, 0, allocation->info.bytes, true);
    adapter->residency->residents[place.segment].protected_count += allocation_in_vpr(allocation);
    allocation->place.at = place;
    allocation->place.placements++;
    allocation_become(allocation, ALLOCATION_RESIDENT);
    /* Instances in a link have one handle. */
    uint64_t order = (uint64_t)allocation->handle * VIDMM_LINK_MAX + allocation->info.physical;
    allocation->place.victim.offset = place.run_count ? place_offset(&place) : order;
    allocation->place.victim.last_use = paging_uses(adapter);
    turns_arrive(adapter, allocation);
    list_resident(adapter, allocation);
    places_tell(adapter, allocation, search);
    if (allocation->place.pinned)
        tell_pin(adapter, allocation);
    pageable_check_state(allocation);
}

void residency_unplace(adapter_t *adapter, struct pageable *allocation, bool release)
{
    struct place *place = &allocation->place.at;
    uint32_t segment = place->segment;
    adapter->pageable_hooks->left(adapter, allocation);
    unlist_resident(adapter, allocation);
    if (!segment)
        places_commit(adapter, 0, allocation->info.bytes, false);
    adapter->residency->residents[segment].protected_count -= allocation_in_vpr(allocation);
    if (release) {
        places_release(adapter, segment,
                       (struct freed_runs){ place_runs(place), place->run_count,
                                            allocation->place.pinned, allocation->handle });
    } else {
        places_leaving_begin(adapter);
        if (allocation->place.pinned)
            segment_repin(segment_at(adapter, segment), place_bytes(allocation), false);
    }
    allocation->place.last_segment = segment;
    allocation->place.last_address = place_address(adapter, place);
    content_agp_written(allocation, false);
    allocation->place.leaving = false;
    if (place->run_count > 1)
        base_free(place->runs);
    *place = (struct place){ 0 };
    if (allocation->of_context)
        allocation->place.pinned_anyway = false; /* a display restores what it was */
    if (allocation->place.pinned) {
        /* A script's pin for good, others until placed: FLAG-036. */
        allocation->place.pinned = false;
        EMIT(adapter, UNPIN, RULE(PLACE_026), allocation->handle, f_segment("segment", segment));
    }
}

void residency_undo(adapter_t *adapter, struct pageable *allocation, enum allocation_state before)
{
    const struct place from = allocation->place.at;
    const uint32_t last_segment = allocation->place.last_segment;
    const uint64_t last_address = allocation->place.last_address;
    /* Pages that began to appear in an aperture leave by an unmap, and hold the first content. */
    bool populated = backing_of(allocation->store.owner)->populated;
    bool mapped = populated && place_in_aperture(adapter, &from);
    bool content = mapped && !allocation->of_context && allocation->store.owner == allocation;
    residency_unplace(adapter, allocation, !mapped);
    if (populated && !from.segment)
        backing_unlock(adapter, allocation);
    allocation_become(allocation, content ? ALLOCATION_EVICTED : before);
    if (mapped)
        paging_unmap_later(adapter, allocation, from.segment, from.one, true);
    /* It never was in the place it leaves. */
    allocation->place.last_segment = last_segment;
    allocation->place.last_address = last_address;
    pageable_check_state(allocation);
}

void residency_bind(adapter_t *adapter, struct pageable *allocation)
{
    struct residency *residency = adapter->residency;
    CHECK(paging_preparation(adapter));
    allocation = allocation_whole(allocation);
    allocation->place.bound_in = paging_preparation(adapter);
    BASE_GROW(residency->bound, residency->bound_capacity, residency->bound_count + 1);
    residency->bound[residency->bound_count++] = allocation;
}

void residency_unbind(adapter_t *adapter)
{
    adapter->residency->bound_count = 0;
}

void residency_on_miss(adapter_t *adapter, enum residency_miss miss)
{
    adapter->residency->miss = miss;
}

void residency_stop(adapter_t *adapter)
{
    base_free(adapter->residency->bound);
    base_free(adapter->residency->candidates);
    base_free(adapter->residency->victims);
}

void residency_pin(adapter_t *adapter, struct pageable *allocation, bool pinned)
{
    for (struct pageable *a = allocation; a; a = a->place.next_copy) {
        uint32_t segment = a->place.at.segment;
        if (a->place.pinned == pinned || a->store.state != ALLOCATION_RESIDENT)
            continue;
        unlist_resident(adapter, a);
        a->place.pinned = pinned;
        list_resident(adapter, a);
        if (segment)
            segment_repin(segment_at(adapter, segment), place_bytes(a), pinned);
        if (pinned)
            tell_pin(adapter, a);
        else
            EMIT(adapter, UNPIN, pageable_pinned_by(a).rule, a->handle,
                 f_segment("segment", segment));
    }
}

/* ---- the residents of a segment -------------------------------------------------------------- */

struct resident_walk residents_begin(const adapter_t *adapter, uint32_t segment)
{
    const struct residents *residents = &adapter->residency->residents[segment];
    return (
        struct resident_walk){ victim_first(&turns_of(adapter, segment)->tree, VICTIM_ANY_PRIORITY),
                               pinned_first(residents) };
}

struct pageable *residents_next(struct resident_walk *walk)
{
    struct victim_node *node = victim_next(&walk->order);
    struct pageable *pinned = walk->pinned;
    if (node)
        return CONTAINER_OF(node, struct pageable, place.victim);
    walk->pinned = pinned ? pinned_next(pinned) : NULL;
    return pinned;
}

void residency_keep_pinned(struct pageable *allocation, bool keep)
{
    allocation->place.pinned_anyway = keep;
}

void residency_scanned_out(struct pageable *allocation, bool displayed)
{
    allocation->place.displayed = displayed;
}

void residency_close(struct pageable *allocation)
{
    for (struct pageable *a = allocation; a; a = a->place.next_copy) {
        a->place.leaving = a->store.state == ALLOCATION_RESIDENT;
        allocation_become(a, ALLOCATION_CLOSED);
    }
}

void residency_departs(struct pageable *allocation)
{
    allocation->place.leaving = false;
}

struct residency *residency_new(void)
{
    return base_alloc(1, sizeof(struct residency));
}
