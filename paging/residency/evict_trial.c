/* SPDX-License-Identifier: MIT */
/*
 * evict_trial.c: victims pretended away in the segments that are asked for, on every adapter of a
 * link where that is one for each. Is there a place then, and do the limits hold?
 *
 * Rules not named below: PLACE-019, PLACE-021, SEG-061.
 */
#include "paging/residency/evict_plan.h"

#include "paging/residency/link.h"
#include "paging/residency/pager.h"
#include "paging/residency/residency_state.h"

#include <stdlib.h>
#include <string.h>

void evict_trial_begin(struct evict_trial *trial, struct room_search *room)
{
    CHECK(room->count && room->count <= VIDMM_SEARCHES_MAX);
    memset(trial, 0, offsetof(struct evict_trial, segment)); /* not the arrays, which have 4 KiB */
    trial->room = room;
    trial->list = room->adapter->residency->candidates; /* until evict_trial_end() */
    trial->capacity = room->adapter->residency->candidate_capacity;
    for (size_t i = 0; i < room->count; i++) {
        const struct vidmm_search *search = &room->searches[i];
        CHECK(search->segment == room->searches[0].segment);
        trial->requests[i] = (struct range_request){ search->footprint, search->alignment,
                                                     search->low, search->high, search->from_end };
    }
    for (uint32_t i = 0; i < room->segment_count; i++) {
        trial->segment[i].held = trial->segment[i].protected_count = 0;
        roster_init(&trial->segment[i].roster, &segment_at(room->adapter, room->segments[i])->space,
                    trial->requests, room->count);
    }
}

void evict_trial_end(struct evict_trial *trial)
{
    for (size_t i = 0; i < trial->count; i++)
        if (trial->list[i].away)
            evict_trial_set(trial, &trial->list[i], false);
    for (uint32_t i = 0; i < trial->room->segment_count; i++)
        roster_fini(&trial->segment[i].roster);
    struct residency *residency = trial->room->adapter->residency;
    residency->candidates = trial->list;
    residency->candidate_capacity = trial->capacity;
}

/* ---- away, and back -------------------------------------------------------------------------- */

static void take_along(uint64_t *sum, uint64_t bytes, bool away)
{
    *sum += away ? bytes : 0 - bytes;
}

/* One copy. Where its segment is one of those asked for, its ranges become free or used again. */
static void count_copy(struct evict_trial *trial, const struct pageable *a, bool away)
{
    const struct room_search *room = trial->room;
    const struct range *runs = place_runs(&a->place.at);
    uint64_t bytes = place_bytes(a);
    uint32_t i = 0;
    if (!place_in_memory(room->adapter, &a->place.at))
        take_along(&trial->held_shared, bytes, away);
    while (i < room->segment_count && room->segments[i] != a->place.at.segment)
        i++;
    if (i == room->segment_count)
        return;
    take_along(&trial->segment[i].held, bytes, away);
    trial->segment[i].protected_count += allocation_in_vpr(a) ? (away ? 1 : UINT32_MAX) : 0;
    if (!away)
        roster_put_back(&trial->segment[i].roster, runs, a->place.at.run_count);
    else
        roster_remove(&trial->segment[i].roster, runs, a->place.at.run_count);
    /* These look for themselves, and a turn tells what is free. */
    if (room->page_set || room->segment_count > 1 || places_policy(room->adapter) ||
        heard(room->adapter, VIDMM_EVENT_TURN))
        roster_settle(&trial->segment[i].roster);
}

void evict_trial_set(struct evict_trial *trial, struct candidate *candidate, bool away)
{
    const struct pageable *victim = candidate->allocation;
    bool mirrored = allocation_is_mirrored(victim);
    CHECK(candidate->away != away);
    candidate->away = away;
    take_along(&trial->store_bytes, candidate->store_bytes, away);
    for (const struct pageable *a = victim->store.owner; a;
         a = mirrored ? a->place.next_copy : NULL)
        if (a->store.state == ALLOCATION_RESIDENT)
            count_copy(trial, a, away);
}

bool evict_trial_has(const struct evict_trial *trial, size_t count, const struct pageable *victim)
{
    bool mirrored = allocation_is_mirrored(victim);
    for (size_t i = 0; i < (mirrored ? trial->count : count); i++)
        if (trial->list[i].allocation->store.owner == victim->store.owner)
            return true;
    return false;
}

void evict_trial_add(struct evict_trial *trial, struct pageable *victim, enum evict_reason reason)
{
    BASE_GROW(trial->list, trial->capacity, trial->count + 1);
    trial->list[trial->count] = (struct candidate){
        .allocation = victim,
        .reason = reason,
        .turn = eviction_is_listed(turns_of(trial->room->adapter, 0)) ? ++trial->turns : 0,
        .store_bytes =
            evict_store_bytes(victim, evict_route(trial->room->adapter, victim->store.owner)),
    };
    evict_trial_set(trial, &trial->list[trial->count++], true);
}

static int by_order(const void *a, const void *b)
{
    const struct candidate *left = a, *right = b;
    const struct victim_node *l = &left->allocation->place.victim;
    const struct victim_node *r = &right->allocation->place.victim;
    if (left->turn != right->turn && !l->rank && !r->rank && l->priority == r->priority)
        return left->turn < right->turn ? -1 : 1;
    return evict_before(left->allocation, right->allocation) ? -1 : 1;
}

void evict_trial_tidy(struct evict_trial *trial)
{
    size_t kept = 0;
    for (size_t i = 0; i < trial->count; i++)
        if (trial->list[i].away)
            trial->list[kept++] = trial->list[i];
    trial->count = kept;
    if (kept > 1)
        qsort(trial->list, kept, sizeof *trial->list, by_order);
}

/* ---- is there room? -------------------------------------------------------------------------- */

/* A page set needs free pages, not a hole (PLACE-016). */
static bool enough_pages(const struct room_search *room)
{
    const struct segment *segment = segment_at(room->adapter, room->segments[0]);
    for (size_t i = 0; i < room->count; i++)
        if (segment_free_in(segment, room->searches[i].low, room->searches[i].high) >=
            room->searches[i].footprint)
            return true;
    return false;
}

void evict_trial_take_pages(struct evict_trial *trial)
{
    struct room_search *room = trial->room;
    const struct vidmm_search *search = room->searches;
    found_place_drop(room->found);
    while (!free_place(room->adapter, room->allocation, search, &room->found->place)) {
        search++;
        CHECK(search < room->searches + room->count);
    }
    room->found->search = search;
}

void evict_trial_found(struct evict_trial *trial, struct roster_place place)
{
    const struct room_search *room = trial->room;
    room->found->search = &room->searches[place.request];
    room->found->place =
        (struct place){ .segment = room->segments[0], .one = place.range, .run_count = 1 };
}

bool evict_trial_is_open(struct evict_trial *trial, const struct pageable *victim)
{
    struct room_search *room = trial->room;
    struct roster_place place;
    if (!room->segment_count)
        return true;
    if (room->page_set)
        return enough_pages(room);
    if (room->segment_count > 1) {
        room->found->search =
            places_find_common(room->adapter, room->searches, room->count, &room->found->place);
        return room->found->search != NULL;
    }
    if (!roster_look(&trial->segment[0].roster, victim ? place_runs(&victim->place.at) : NULL,
                     victim ? victim->place.at.run_count : 0, &place))
        return false;
    evict_trial_found(trial, place);
    return true;
}

bool evict_trial_pick(struct evict_trial *trial)
{
    struct room_search *room = trial->room;
    struct found_place *found = room->found;
    /* A range for an eviction is chosen once its victims have gone. */
    if (!places_policy(room->adapter) || !room->segment_count || room->page_set ||
        room->reason == EVICT_RANGE)
        return false;
    applies(room->adapter, RULE(POLICY_008));
    if (room->segment_count > 1)
        places_pick_common(room->adapter, found->search, &found->place.one.offset);
    else
        (void)places_find(room->adapter, found->search, &found->place.one.offset);
    return true;
}

static bool overlaps(const struct pageable *victim, const struct place *place)
{
    for (size_t i = 0; i < place->run_count; i++)
        if (place_overlaps(&victim->place.at, place_runs(place)[i]))
            return true;
    return false;
}

bool evict_trial_in_the_way(const struct evict_trial *trial, const struct pageable *victim)
{
    const struct room_search *room = trial->room;
    bool mirrored = allocation_is_mirrored(victim), in_the_way = false;
    for (const struct pageable *a = victim->store.owner; a;
         a = mirrored ? a->place.next_copy : NULL)
        for (uint32_t i = 0; i < room->segment_count; i++)
            in_the_way |=
                a->place.at.segment == room->segments[i] && overlaps(a, &room->found->place);
    return in_the_way;
}

/* ---- limits ---------------------------------------------------------------------------------- */

static uint64_t excess(uint64_t committed, uint64_t bytes, uint64_t limit)
{
    uint64_t sum;
    if (!add_fits(committed, bytes, &sum))
        sum = UINT64_MAX;
    return sum > limit ? sum - limit : 0;
}

uint64_t evict_trial_lack(const struct evict_trial *trial, enum evict_limit limit, uint32_t index)
{
    const struct room_search *room = trial->room;
    const adapter_t *adapter = room->adapter;
    uint64_t footprint = room->searches[0].footprint;
    if (limit == LIMIT_SHARED) {
        /* System memory counts by its pages, not by footprints. */
        uint64_t bytes = room->segment_count ? multiply_capped(room->segment_count, footprint)
                                             : room->allocation->info.bytes;
        return room->limited ? excess(places_committed(adapter) - trial->held_shared, bytes,
                                      adapter->setup->shared_limit)
                             : 0;
    }
    uint32_t id = room->segments[index];
    const struct segment *segment = segment_at(adapter, id);
    if (limit == LIMIT_OWN)
        return room->limited ? excess(segment->committed_bytes - trial->segment[index].held,
                                      footprint, segment->desc.limit)
                             : 0;
    uint32_t most = segment->desc.vpr_limit;
    uint32_t there = adapter->residency->residents[id].protected_count;
    return most && allocation_in_vpr(room->allocation) &&
           there - trial->segment[index].protected_count >= most;
}

bool evict_trial_limits_hold(const struct evict_trial *trial)
{
    bool hold = !evict_trial_lack(trial, LIMIT_SHARED, 0);
    for (uint32_t i = 0; i < trial->room->segment_count && hold; i++)
        hold =
            !evict_trial_lack(trial, LIMIT_OWN, i) && !evict_trial_lack(trial, LIMIT_PROTECTED, i);
    return hold;
}

/* On every adapter that is asked for. */
static bool place_is_free(const struct evict_trial *trial)
{
    const struct room_search *room = trial->room;
    const struct place *place = &room->found->place;
    bool free = true;
    for (uint32_t i = 0; i < room->segment_count; i++)
        for (size_t j = 0; j < place->run_count; j++)
            free &= range_tree_is_free(&segment_at(room->adapter, room->segments[i])->space,
                                       place_runs(place)[j]);
    return free;
}

bool evict_trial_holds(struct evict_trial *trial)
{
    for (uint32_t i = 0; i < trial->room->segment_count; i++)
        roster_settle(&trial->segment[i].roster);
    bool good = place_is_free(trial) && evict_trial_limits_hold(trial) &&
                evict_have_pages(trial->room, trial->store_bytes);
    for (size_t i = 0; i < trial->count && good; i++) {
        evict_trial_set(trial, &trial->list[i], false);
        good = evict_trial_in_the_way(trial, trial->list[i].allocation) ||
               !evict_trial_limits_hold(trial);
        evict_trial_set(trial, &trial->list[i], true);
    }
    return good;
}
