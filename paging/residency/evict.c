/* SPDX-License-Identifier: MIT */
/*
 * evict.c: pushing an allocation out of its segment, by the way that its content needs.
 *
 *   way      when                                               what is built
 *   drop     no other copy is needed (PAGE-031, PAGE-038)       DISCARD_CONTENT
 *   drop     it was offered (OFFER-011)                         DISCARD_CONTENT
 *   direct   EvictionSegmentSet 0 (PAGE-021)                    TRANSFER to the MDL
 *   direct   every aperture of the set is too small (PLACE-033) TRANSFER to the MDL
 *   via      an aperture of the set has a range (PAGE-020)      MAP, TRANSFER, UNMAP at its fence
 *   unmap    it lies in an aperture (PAGE-026)                  UNMAP
 *   lost     pinned ones block the apertures of the set         DISCARD_CONTENT (PLACE-030)
 *   lost     protected, and the segment cannot encrypt (SEG-063) DISCARD_CONTENT
 *
 * Rules not named below: PAGE-020 to PAGE-022, PAGE-025, PAGE-027, PLACE-029,
 * PLACE-030, PLACE-032.
 */
#include "paging/residency/link.h"
#include "paging/residency/offer.h"
#include "paging/residency/pager.h"
#include "paging/residency/residency_state.h"

/* ---- the range of an eviction --------------------------------------------------------------- */

static bool take_free_range(adapter_t *adapter, const struct vidmm_search *search,
                            struct range *range)
{
    uint64_t offset;
    if (!places_allow(adapter, search->segment, search->footprint) ||
        !places_find(adapter, search, &offset))
        return false;
    *range = (struct range){ offset, search->footprint };
    places_take(adapter, search->segment, *range, false);
    places_placed(adapter, search, offset);
    places_evicting_begin(adapter, search->segment, *range);
    places_leaving_begin(adapter);
    return true;
}

static vidmm_status push_occupants(adapter_t *adapter, const struct pageable *allocation,
                                   const struct vidmm_search *search)
{
    struct found_place found = { 0 };
    vidmm_status status = STATUS_SUCCESS;
    (void)evict_plan_range(adapter, allocation, search, &found); /* no plan has no victims */
    for (size_t i = 0; !status && i < found.victim_count; i++)
        status =
            evict_allocation(adapter, found.victims[i].allocation, EVICT_RANGE, RULE(PLACE_028));
    found_place_fini(adapter, &found);
    return status;
}

/* A range as soon as what is on its way out has gone. */
static vidmm_status take_when_free(adapter_t *adapter, const struct vidmm_search *search,
                                   struct range *range, bool *taken)
{
    vidmm_status status = STATUS_SUCCESS;
    while (!status && !(*taken = take_free_range(adapter, search, range)) &&
           paging_under_way(adapter))
        status = paging_finish(adapter, RULE(PAGE_023));
    return status;
}

/* PAGE-023 in one segment. */
static vidmm_status take_range_in(adapter_t *adapter, const struct pageable *allocation,
                                  uint32_t segment, struct range *range, bool *taken)
{
    struct vidmm_search search = evict_search(adapter, segment, allocation->info.bytes);
    bool leaving = false;

    /* TIME-016: an unmap may be due, and free a range at once. */
    vidmm_status status = schedule_deferred_now(adapter);
    if (status || adapter_stopped(adapter))
        return status ? status : adapter_usable(adapter);

    /* A hole costs nothing; ranges of earlier evictions are about to be free. They count under the
       global limit wherever they are (SEG-071). */
    for (uint32_t id = 1; id <= adapter->setup->segment_count; id++)
        leaving |= places_held(adapter, id)->evicting.count > 0;
    *taken = take_free_range(adapter, &search, range);
    if (!*taken && leaving)
        status = take_when_free(adapter, &search, range, taken);

    /* Occupants leave. A plan that fails is made once more: unmaps of earlier evictions were in its
       way, and nothing is under way the second time. */
    for (int attempt = 0; attempt < 2 && !status && !*taken; attempt++) {
        status = push_occupants(adapter, allocation, &search);
        if (!status)
            status = take_when_free(adapter, &search, range, taken);
    }
    return status;
}

static vidmm_status take_range(adapter_t *adapter, const struct pageable *allocation,
                               uint32_t *segment, struct range *range)
{
    applies(adapter, RULE(PAGE_023));
    for (uint32_t id = 1;; id++) {
        bool taken = false;
        CHECK(id <= adapter->setup->segment_count); /* evict_route() said that it is possible */
        if (!evict_possible(adapter, allocation, id))
            continue;
        *segment = id;
        vidmm_status status = take_range_in(adapter, allocation, id, range, &taken);
        if (status || taken)
            return status;
    }
}

/* ---- the ways out --------------------------------------------------------------------------- */

static void leave(adapter_t *adapter, struct pageable *allocation, enum allocation_state next,
                  bool release)
{
    residency_unplace(adapter, allocation, release);
    allocation_become(allocation, next);
    pageable_check_state(allocation);
}

/* Why nothing has to be copied. */
static enum vidmm_rule drop_rule(const adapter_t *adapter, const struct pageable *allocation)
{
    if (offer_gives_up(allocation))
        return RULE(OFFER_011);
    if (pageable_cpu_use(adapter, allocation, CPU_GIVEN_UP))
        return RULE(RENAME_012);
    return allocation_is_permanent(allocation) ? RULE(PAGE_031) : RULE(PAGE_038);
}

static vidmm_status drop(adapter_t *adapter, struct pageable *allocation)
{
    bool permanent = allocation_is_permanent(allocation);
    vidmm_status status = evict_discard(adapter, allocation);
    if (status)
        return status;
    leave(adapter, allocation, permanent ? ALLOCATION_EVICTED : ALLOCATION_NO_CONTENT, true);
    pageable_is_clean(allocation);
    content_is_linear(allocation, false); /* nothing has no form, whatever was meant to leave */
    return STATUS_SUCCESS;
}

/* Locks that are suspended may wait, and what ends meanwhile let the store go (PAGE-011). */
static vidmm_status leave_ranges(adapter_t *adapter, struct pageable *allocation)
{
    backing_lock(adapter, allocation);
    vidmm_status status = adapter->pageable_hooks->leave(adapter, allocation);
    backing_unlock(adapter, allocation);
    return status;
}

static vidmm_status out_direct(adapter_t *adapter, struct pageable *allocation)
{
    vidmm_status status = paging_notify_departure(adapter, allocation);
    if (!status)
        status = paging_transfer_out(adapter, allocation, &allocation->place.at);
    if (!status)
        status = leave_ranges(adapter, allocation);
    if (!status)
        leave(adapter, allocation, ALLOCATION_EVICTED, true);
    return status;
}

static vidmm_status out_via(adapter_t *adapter, struct pageable *allocation, uint32_t segment,
                            struct range range)
{
    if (adapter->residency->residents[segment].pinned)
        applies(adapter, RULE(PLACE_031)); /* pinned ones leave the part in front of them */
    vidmm_status status = paging_map(adapter, allocation, segment, range, false);
    if (!status)
        status = paging_notify_departure(adapter, allocation);
    if (!status)
        status = paging_transfer_via(adapter, allocation, &allocation->place.at, segment, range);
    if (status) { /* nothing went through the range, and nothing will */
        paging_unmap_later(adapter, allocation, segment, range, false);
        return status;
    }
    status = leave_ranges(adapter, allocation);
    if (!status)
        leave(adapter, allocation, ALLOCATION_EVICTED, true);
    return status;
}

vidmm_status evict_wait_until_idle(adapter_t *adapter, const struct pageable *allocation)
{
    if (!allocation_busy(adapter, allocation))
        return STATUS_SUCCESS;
    vidmm_status status = paging_flush(adapter);
    return status ? status
                  : schedule_wait_fences(adapter, allocation->transfer.fences,
                                         VIDMM_WAIT_APERTURE_IDLE, RULE(PAGE_026),
                                         paging_waiter(adapter, allocation));
}

vidmm_status evict_unmap(adapter_t *adapter, struct pageable *allocation)
{
    struct place from = allocation->place.at;
    vidmm_status status = STATUS_SUCCESS;
    bool offered = offer_gives_up(allocation);
    enum allocation_state next = offered ? discard_state(allocation) : ALLOCATION_EVICTED;
    if (!from.segment) {
        status = paging_notify_eviction(adapter, allocation);
        if (status)
            return status;
        leave(adapter, allocation, next, true);
        backing_unlock(adapter, allocation);
        if (offered)
            discard_content(adapter, allocation);
        return STATUS_SUCCESS;
    }
    if (pageable_cpu_use(adapter, allocation, CPU_ALTERNATE)) /* SWIZ-022 */
        status = paging_transfer_out(adapter, allocation, &allocation->place.at);
    if (!status)
        status = evict_wait_until_idle(adapter, allocation);
    if (!status)
        status = paging_notify_eviction(adapter, allocation);
    if (!status)
        status = adapter->pageable_hooks->leave(adapter, allocation);
    if (status)
        return status;
    leave(adapter, allocation, next, false);
    if (offered)
        discard_content(adapter, allocation);
    return paging_unmap(adapter, allocation, from.segment, from.one, true);
}

static vidmm_status lose(adapter_t *adapter, struct pageable *allocation, enum evict_route way)
{
    vidmm_status status = evict_discard(adapter, allocation);
    if (status)
        return status;
    residency_unplace(adapter, allocation, true);
    allocation_lose(adapter, allocation);
    pageable_check_state(allocation);
    evict_tell_lost(adapter, allocation, way);
    return STATUS_SUCCESS;
}

static vidmm_status evict_by_transfer(adapter_t *adapter, struct pageable *allocation,
                                      enum evict_reason reason, enum vidmm_rule rule, bool via)
{
    uint32_t segment = 0;
    struct range range = { 0, 0 };
    vidmm_status status = STATUS_SUCCESS;
    if (!backing_populate(adapter, allocation))
        return system_refuse(adapter, RULE(PAGE_015), allocation->info.bytes, "the eviction of ",
                             allocation->label);
    if (via) {
        /* Making room may wait, and an earlier page-in may end and let the store go (PAGE-011). */
        backing_lock(adapter, allocation);
        status = take_range(adapter, allocation, &segment, &range);
        backing_unlock(adapter, allocation); /* paging_map() takes them at once, and keeps them */
    }
    if (status)
        return status;
    bool alternate = pageable_cpu_use(adapter, allocation, CPU_ALTERNATE);
    struct evict_way way = {
        .via = via         ? segment_name(adapter, segment)
               : alternate ? "alternate"
                           : "direct",
        .rule = allocation_is_permanent(allocation) ? RULE(PAGE_032) : RULE(PAGE_038),
        .fell_back = !via && !alternate && evict_uses_set(adapter, allocation),
    };
    evict_tell(adapter, allocation, reason, rule, way);
    return via ? out_via(adapter, allocation, segment, range) : out_direct(adapter, allocation);
}

static vidmm_status leave_place(adapter_t *adapter, struct pageable *allocation,
                                enum evict_reason reason, enum vidmm_rule rule)
{
    bool makes_room = reason <= EVICT_RANGE;
    CHECK(allocation->store.state == ALLOCATION_RESIDENT);
    /* Do everything that can be refused before changing any state. */
    vidmm_status status =
        paging_ready(adapter, allocation, makes_room ? RULE(PAGE_028) : RULE(PAGE_040));
    if (!status)
        status = adapter->pageable_hooks->may_leave(adapter, allocation);
    if (status)
        return status;
    enum evict_route way = evict_route(adapter, allocation);
    bool offered = offer_gives_up(allocation);
    if (offered)
        discard_tell(adapter, allocation, makes_room ? RULE(OFFER_010) : RULE(OFFER_011));
    switch (way) {
    case OUT_DROP:
        evict_tell(adapter, allocation, reason, rule,
                   (struct evict_way){ "discard", drop_rule(adapter, allocation), false });
        return offered ? discard_from_memory(adapter, allocation) : drop(adapter, allocation);
    case OUT_UNMAP:
        evict_tell(adapter, allocation, reason, rule,
                   (struct evict_way){ "unmap", RULE(PAGE_026), false });
        return evict_unmap(adapter, allocation);
    case OUT_LOST:
    case OUT_PROTECTED:
        evict_tell(adapter, allocation, reason, rule,
                   (struct evict_way){ "lost", way == OUT_LOST ? RULE(PAGE_024) : RULE(SEG_063),
                                       false });
        return lose(adapter, allocation, way);
    case OUT_DIRECT:
    case OUT_VIA: return evict_by_transfer(adapter, allocation, reason, rule, way == OUT_VIA);
    case OUT_LATER: break;
    }
    return refuse(adapter, RULE(PAGE_023), STATUS_GRAPHICS_NO_VIDEO_MEMORY,
                  "%s cannot leave now: allocations of the same buffer fill the eviction segment",
                  allocation->label);
}

static vidmm_status evict_one(adapter_t *adapter, struct pageable *allocation,
                              enum evict_reason reason, enum vidmm_rule rule)
{
    allocation->place.victim.chosen = reason <= EVICT_RANGE && reason != EVICT_RETRY;
    vidmm_status status = leave_place(adapter, allocation, reason, rule);
    if (status) {
        allocation->place.victim.chosen = false;
        paging_notify_stayed(adapter, allocation);
    }
    return status;
}

/* OFFER-011: an instanced allocation is discarded on every adapter, wherever its instances are. */
static vidmm_status evict_instances(adapter_t *adapter, struct pageable *whole,
                                    enum evict_reason reason, enum vidmm_rule rule)
{
    vidmm_status status = STATUS_SUCCESS;
    for (struct pageable *a = whole; a && !status; a = a->place.next_copy)
        if (a->store.state == ALLOCATION_RESIDENT)
            status = evict_one(adapter, a, reason, rule);
    if (!status)
        discard_evicted(adapter, whole, RULE(OFFER_011));
    return status;
}

vidmm_status evict_allocation(adapter_t *adapter, struct pageable *allocation,
                              enum evict_reason reason, enum vidmm_rule rule)
{
    bool mirrored = allocation_is_mirrored(allocation);
    vidmm_status status;
    books_open(adapter);
    offer_settle(adapter, allocation);
    if (!mirrored && offer_gives_up(allocation))
        status = evict_instances(adapter, allocation_whole(allocation), reason, rule);
    else
        status = evict_one(adapter, allocation->store.owner, reason, rule);
    if (mirrored && allocation->store.owner->store.state != ALLOCATION_RESIDENT)
        status = link_drop_copies(adapter, allocation->store.owner, status);
    books_close(adapter);
    return status;
}
