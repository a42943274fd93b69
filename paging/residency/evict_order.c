/* SPDX-License-Identifier: MIT */
/*
 * evict_order.c: which allocations may leave for a look for room, and in which order.
 *
 * The one order of victims: that of victim_before(), also where the victims of several segments are
 * looked at together, because all apertures share a limit (SEG-069) or because a place has to be
 * free on every adapter of a link (PLACE-021).
 *
 * Rules not named below: PAGE-027, PLACE-003, PLACE-011.
 */
#include "paging/residency/evict_plan.h"

#include "paging/residency/offer.h"
#include "paging/residency/pager.h"
#include "paging/residency/residency_state.h"

uint64_t evict_pass_limit(const struct pageable *allocation, enum placement_pass pass)
{
    if (pass >= PASS_SOFT_PINNED)
        return VICTIM_ANY_PRIORITY;
    if (pass == PASS_ANY || allocation_is_overlay(allocation))
        return soft_pinned;
    return min_u64(allocation->place.victim.priority, soft_pinned);
}

/* PLACE-024: only what overlaps the region counts as lower, whatever its number. */
static bool in_region(const struct room_search *room, const struct pageable *victim)
{
    uint32_t segment = victim->place.at.segment;
    uint64_t start = segment_desc(room->adapter, segment)->pin_start;
    bool asked = false;
    for (uint32_t i = 0; i < room->segment_count; i++)
        asked |= room->segments[i] == segment;
    return asked && place_overlaps(&victim->place.at, (struct range){ start, UINT64_MAX - start });
}

/* ---- the way out ----------------------------------------------------------------------------- */

uint64_t evict_store_bytes(const struct pageable *victim, enum evict_route way)
{
    bool copied = way == OUT_DIRECT || way == OUT_VIA;
    return copied && !backing_of(victim->store.owner)->populated ? victim->info.bytes : 0;
}

bool evict_have_pages(const struct room_search *room, uint64_t bytes)
{
    uint64_t free = system_space(room->adapter)->free_bytes;
    struct found_place *found = room->found;
    if (bytes <= free)
        return true;
    if (!found->given_known)
        found->given = discard_possible_bytes(room->adapter);
    found->given_known = true;
    return bytes - free <= found->given;
}

const char *evict_why_it_stays(const struct room_search *room, const struct pageable *victim,
                               bool *lack_pages)
{
    const adapter_t *adapter = room->adapter;
    const struct pageable *whole = allocation_whole_of(victim);
    if (victim->store.state == ALLOCATION_CLOSED) /* it leaves when its driver has forgotten it */
        return "destroyed";
    /* A copy does not push out another one for its place, but to leave it does. */
    bool related = whole == room->allocation || whole == room->allocation->place.first_copy;
    if (room->reason != EVICT_RANGE && related)
        return "own-copy";
    if (room->region_first && !victim->place.victim.rank &&
        victim->place.victim.priority >= room->allocation->place.victim.priority &&
        !in_region(room, victim))
        return "region";
    if (whole->place.bound_in == paging_preparation(adapter))
        return "bound";
    enum evict_route way = evict_route(adapter, victim->store.owner);
    if (way == OUT_LATER)
        return "later";
    bool enough = evict_have_pages(room, evict_store_bytes(victim, way));
    *lack_pages |= !enough;
    return enough ? NULL : "no-system-pages";
}

/* ---- the order ------------------------------------------------------------------------------- */

bool evict_before(const struct pageable *a, const struct pageable *b)
{
    if (victim_before(&a->place.victim, &b->place.victim) ||
        victim_before(&b->place.victim, &a->place.victim))
        return victim_before(&a->place.victim, &b->place.victim);
    if (a->handle != b->handle)
        return a->handle < b->handle;
    return a->info.physical < b->info.physical; /* instances in a link have one handle */
}

bool evict_no_victim(const struct room_search *room)
{
    if (heard(room->adapter, VIDMM_EVENT_PASS_OVER))
        return false;
    for (uint32_t i = 0; i < room->segment_count; i++) {
        const struct eviction_order *order = turns_of(room->adapter, room->segments[i]);
        struct victim_cursor cursor = victim_first(&order->tree, room->below_priority);
        if (victim_next(&cursor))
            return false;
    }
    return true;
}

static void advance(struct victim_walk *walk, uint32_t index)
{
    struct victim_node *node;
    walk->head[index] = NULL;
    while (!walk->head[index] && (node = eviction_next(&walk->cursor[index])) != NULL) {
        struct pageable *victim = CONTAINER_OF(node, struct pageable, place.victim);
        const char *why = evict_why_it_stays(walk->room, victim, &walk->lack_pages);
        walk->looked_at++;
        walk->head[index] = why ? NULL : victim;
        evict_stays(walk->room, victim, why);
    }
    if (!walk->head[index] && (node = walk->cursor[index].tree.next) != NULL) /* and all after it */
        evict_stays(walk->room, CONTAINER_OF(node, struct pageable, place.victim), "priority");
    walk->room->flaws |= walk->cursor[index].flaws;
}

/* All heads are needed: what was looked at for them counts. */
static void settle_heads(struct victim_walk *walk)
{
    base_work(walk->looked_at);
    walk->room->found->no_system_pages |= walk->lack_pages;
    walk->looked_at = 0;
}

void victim_walk_begin(struct victim_walk *walk, struct room_search *room, const uint32_t *segments,
                       uint32_t count)
{
    const adapter_t *adapter = room->adapter;
    CHECK(count <= ARRAY_COUNT(walk->cursor));
    walk->room = room;
    walk->count = walk->named = count;
    walk->looked_at = 0;
    walk->lack_pages = false;
    /* For all of the walk, whoever begins to listen meanwhile. */
    walk->shown = heard(adapter, VIDMM_EVENT_PASS_OVER) || heard(adapter, VIDMM_EVENT_TURN) ||
                  eviction_is_listed(turns_of(adapter, 0));
    for (uint32_t i = 0; i < count; i++) {
        walk->cursor[i] = eviction_first(turns_of(adapter, segments[i]), room->below_priority);
        advance(walk, i);
    }
    settle_heads(walk);
}

/* The segment of the next one; the number of segments: there is none. */
static uint32_t first_of(const struct victim_walk *walk)
{
    uint32_t first = walk->count;
    for (uint32_t i = 0; i < walk->count; i++)
        if (walk->head[i] &&
            (first == walk->count || evict_before(walk->head[i], walk->head[first])))
            first = i;
    return first;
}

const struct pageable *victim_walk_peek(const struct victim_walk *walk)
{
    uint32_t first = first_of(walk);
    return first < walk->count ? walk->head[first] : NULL;
}

/* Most often the first is enough, so the one after it is looked at when it is asked for. Where the
   order is shown it is looked at now, and counts then. */
struct pageable *victim_walk_next(struct victim_walk *walk)
{
    if (walk->named < walk->count)
        advance(walk, walk->named);
    settle_heads(walk);
    uint32_t first = first_of(walk);
    if (first == walk->count)
        return NULL;
    struct pageable *victim = walk->head[first];
    if (walk->shown)
        advance(walk, first);
    else
        walk->named = first;
    return victim;
}
