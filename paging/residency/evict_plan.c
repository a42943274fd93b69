/* SPDX-License-Identifier: MIT */
/*
 * evict_plan.c: which allocations would have to leave, found out without moving anything.
 *
 *   1 room      victims are pretended away in their order until a search finds a place; those that
 *               do not overlap the place come back (PLACE-012)
 *   2 limits    for what a commit limit still lacks, further victims of the segment, then of all
 *               apertures (PLACE-019); the same for the number of protected allocations (SEG-061)
 *   3 no more   each victim comes back that neither overlaps the place nor is needed for a limit,
 *               the last in the order first; then the place is looked for once more, and the same
 *               again
 *   4 policy   with these away, a placement policy may choose another place of the same search
 *             (POLICY-008), and step 3 is done for that one
 *
 * Promises of a plan:
 *   I1  with all of its victims away, the place is free and every limit holds
 *   I2  without any one of them, the place is not free or a limit does not hold
 *   I3  every victim has a way out, and system memory takes what all of them save (PAGE-015)
 * Fewer victims never make room, and never need more system memory: so one pass in step 3 is enough
 * for (I2), and keeps (I3).
 *
 * Considered and rejected: limits first, then room. What leaves for the place counts for the limit,
 * too, so that way some left for nothing. The smallest set of victims, or another place with fewer:
 * which one that is would hang on sizes, and the order of victims would mean little.
 *
 * Cost: a search, O(log n), for each victim that is considered; of a segment where many were that
 * are not in the way, for each that is new, used, or needed (step 1 by segments/prospect.h).
 *
 * Rules not named below: PAGE-015, PAGE-023, PLACE-019, PLACE-021 to PLACE-024, SEG-061.
 */
#include "paging/residency/evict_plan.h"
#include "paging/residency/pager.h"
#include "paging/residency/residency_state.h"

/* A look that considers as many makes a prospect, which the next one asks. */
enum { MANY_VICTIMS = 64 };

static const uint32_t priority_minimum = 0x28000000;

/* For events turn, as is turn_came(). `sized`: bytes are what is short. */
static void begin_turns(struct evict_trial *trial, bool sized)
{
    const struct room_search *room = trial->room;
    if (!heard(room->adapter, VIDMM_EVENT_TURN))
        return;
    trial->told = (struct trail_turns){
        .comes = room->allocation, .searches = room->searches, .count = room->count, .sized = sized
    };
    trial->told.hole = sized && !room->page_set && room->segment_count == 1;
    trail_turns_begin(room->adapter, &trial->told);
}

/* The last of the list is away. */
static void turn_came(struct evict_trial *trial, const struct victim_walk *walk, bool enough,
                      uint64_t lack)
{
    const struct pageable *victim = trial->list[trial->count - 1].allocation;
    adapter_t *adapter = trial->room->adapter;
    if (heard(adapter, VIDMM_EVENT_TURN))
        trail_turn(adapter, &trial->told,
                   (struct trail_turn){ victim, victim_walk_peek(walk), lack, enough });
}

/* ---- what the limits lack -------------------------------------------------------------------- */

/* Further victims in their order, until the limit lacks nothing: of the segment, or of all that
   counts for the limit over all apertures. */
static void make_limit(struct evict_trial *trial, enum evict_limit limit, uint32_t index)
{
    struct room_search *room = trial->room;
    adapter_t *adapter = room->adapter;
    uint32_t segments[VIDMM_SEGMENT_SLOTS + 1] = { room->segments[index] }, count = 1;
    size_t before = trial->count; /* a walk meets none of its own again */
    struct victim_walk walk;
    struct pageable *victim;
    if (limit == LIMIT_SHARED) {
        applies(adapter, RULE(SEG_069));
        count = 0;
        for (uint32_t id = 0; id <= adapter->setup->segment_count; id++)
            if (!id || segment_is_aperture(segment_desc(adapter, id)))
                segments[count++] = id;
    }
    uint64_t lack = evict_trial_lack(trial, limit, index);
    begin_turns(trial, false);
    victim_walk_begin(&walk, room, segments, count);
    while (lack && (victim = victim_walk_next(&walk)) != NULL) {
        if (evict_trial_has(trial, before, victim) ||
            (limit == LIMIT_PROTECTED && !allocation_in_vpr(victim)))
            continue;
        evict_trial_add(trial, victim, limit == LIMIT_PROTECTED ? EVICT_ROOM : EVICT_COMMIT);
        if (!evict_have_pages(room, trial->store_bytes)) {
            evict_trial_set(trial, &trial->list[--trial->count], false);
            room->found->no_system_pages = true;
            continue;
        }
        lack = evict_trial_lack(trial, limit, index);
        turn_came(trial, &walk, !lack, limit == LIMIT_PROTECTED ? 0 : lack);
    }
    trail_turns_end(room->adapter, &trial->told);
}

/* ---- the plan -------------------------------------------------------------------------------- */

/* (I2): the last in the order, which has the best right to stay, comes back first. */
static void take_back_needless(struct evict_trial *trial)
{
    for (size_t i = trial->count; i > 0; i--) {
        struct candidate *candidate = &trial->list[i - 1];
        if (!candidate->away || evict_trial_in_the_way(trial, candidate->allocation))
            continue;
        evict_trial_set(trial, candidate, false);
        if (evict_trial_limits_hold(trial))
            evict_stays(trial->room, candidate->allocation, "not-needed");
        else
            evict_trial_set(trial, candidate, true);
    }
}

/* A place opened: those that are not in its way come back. */
static void take_back_bystanders(struct evict_trial *trial)
{
    if (trial->room->page_set)
        evict_trial_take_pages(trial);
    for (size_t i = 0; i < trial->count; i++) {
        if (!trial->list[i].away || evict_trial_in_the_way(trial, trial->list[i].allocation))
            continue;
        evict_trial_set(trial, &trial->list[i], false);
        evict_stays(trial->room, trial->list[i].allocation, "not-in-the-way");
    }
}

/* The one that opened the place stays after all; all that were considered before are away again. */
static void forget_opener(struct evict_trial *trial)
{
    struct candidate *opener = &trial->list[trial->count - 1];
    trial->room->found->no_system_pages = true;
    evict_trial_set(trial, opener, false); /* it lies in the place, or that would not be new */
    opener->stuck = true;
    evict_stays(trial->room, opener->allocation, "no-system-pages");
    for (size_t i = 0; i < trial->count; i++)
        if (!trial->list[i].away && !trial->list[i].stuck)
            evict_trial_set(trial, &trial->list[i], true);
}

/* May the place count for a limit that is short? */
static bool may_lack_limit(const struct room_search *room)
{
    return room->limited || allocation_in_vpr(room->allocation);
}

/* Can the prospect of the segment answer, that is: is nothing else asked for than a range in it,
   and does nobody listen to whose turn it is? */
static bool may_foresee(const struct evict_trial *trial)
{
    const struct room_search *room = trial->room;
    const adapter_t *adapter = room->adapter;
    return room->reason == EVICT_ROOM && !room->page_set && !may_lack_limit(room) &&
           adapter->setup->link_count == 1 && !places_policy(adapter) &&
           !turns_of(adapter, 0)->policy && !heard(adapter, VIDMM_EVENT_PASS_OVER) &&
           !heard(adapter, VIDMM_EVENT_TURN);
}

/* The prospect has a place: only those in it are away. False: the system pages do not suffice. */
static bool take_foreseen(struct evict_trial *trial, const struct prospect *prospect)
{
    struct room_search *room = trial->room;
    uint64_t at = prospect->place.range.offset;
    for (struct victim_node *node; (node = prospect_victim(prospect, &at)) != NULL;)
        evict_trial_add(trial, CONTAINER_OF(node, struct pageable, place.victim), room->reason);
    evict_trial_found(trial, prospect->place);
    if (evict_have_pages(room, trial->store_bytes))
        return true;
    while (trial->count)
        evict_trial_set(trial, &trial->list[--trial->count], false);
    return false;
}

/* Step 1 by the prospect, which answers and counts like a walk. ASK: it can not. */
static enum prospect_step foresee(struct evict_trial *trial, struct prospect *prospect)
{
    struct room_search *room = trial->room;
    enum prospect_step step;
    struct victim_node *node;
    bool lack_pages = false;
    prospect_begin(prospect, trial->requests, room->count, room->below_priority);
    while ((step = prospect_step(prospect, &node)) == PROSPECT_ASK) {
        const struct pageable *victim = CONTAINER_OF(node, struct pageable, place.victim);
        const struct place *at = &victim->place.at;
        bool leaves = !evict_why_it_stays(room, victim, &lack_pages);
        prospect_answer(prospect, node, at->run_count == 1 ? at->one : (struct range){ 0 }, leaves);
    }
    /* One that was not asked might stay for want of system pages, which a refusal has to know. */
    if (step == PROSPECT_BROKEN ||
        (step == PROSPECT_FULL && !evict_have_pages(room, prospect->most_bytes)) ||
        (step == PROSPECT_PLACE && !take_foreseen(trial, prospect)))
        return PROSPECT_ASK;
    base_work(prospect_met(prospect));
    room->found->no_system_pages |= lack_pages;
    return step;
}

/* Step 1 by a walk over the victims. */
static bool walk_for_room(struct evict_trial *trial)
{
    struct room_search *room = trial->room;
    struct range window = { room->low, room->high - room->low };
    struct victim_walk walk;
    struct pageable *victim;
    begin_turns(trial, true);
    victim_walk_begin(&walk, room, room->segments, room->segment_count);
    while ((victim = victim_walk_next(&walk)) != NULL) {
        bool outside = !place_overlaps(&victim->place.at, window);
        evict_stays(room, victim, outside ? "window" : NULL);
        /* A mirrored one went with its copy on another adapter. */
        if (outside ||
            (allocation_is_mirrored(victim) && evict_trial_has(trial, trial->count, victim)))
            continue;
        evict_trial_add(trial, victim, room->reason);
        bool open = evict_trial_is_open(trial, victim);
        turn_came(trial, &walk, open, 0);
        if (!open)
            continue;
        take_back_bystanders(trial);
        if (evict_have_pages(room, trial->store_bytes)) {
            trail_turns_end(room->adapter, &trial->told);
            return true;
        }
        forget_opener(trial);
    }
    trail_turns_end(room->adapter, &trial->told);
    /* They are in no order of victims. */
    for (uint32_t i = 0; i < room->segment_count && heard(room->adapter, VIDMM_EVENT_PASS_OVER);
         i++)
        for (victim = pinned_first(&room->adapter->residency->residents[room->segments[i]]); victim;
             victim = pinned_next(victim))
            evict_stays(room, victim, "pinned");
    return false;
}

/* Step 1. The caller has looked for a free place: there may be one only if a limit is short. */
static bool make_room(struct evict_trial *trial)
{
    const struct room_search *room = trial->room;
    if (may_lack_limit(room) && evict_trial_is_open(trial, NULL))
        return true;
    CHECK_SLOW(may_lack_limit(room) || !evict_trial_is_open(trial, NULL));
    struct prospect *prospect = turns_prospect(room->adapter, room->segments[0]);
    enum prospect_step step =
        prospect && may_foresee(trial) ? foresee(trial, prospect) : PROSPECT_ASK;
    if (step != PROSPECT_ASK)
        return step == PROSPECT_PLACE;
    bool open = walk_for_room(trial);
    trial->many = trial->count >= MANY_VICTIMS && may_foresee(trial);
    return open;
}

/* Step 2. */
static bool make_limits(struct evict_trial *trial)
{
    for (uint32_t i = 0; i < trial->room->segment_count; i++) {
        make_limit(trial, LIMIT_OWN, i);
        make_limit(trial, LIMIT_PROTECTED, i);
        if (evict_trial_lack(trial, LIMIT_OWN, i) || evict_trial_lack(trial, LIMIT_PROTECTED, i))
            return false;
    }
    if (evict_trial_lack(trial, LIMIT_SHARED, 0))
        make_limit(trial, LIMIT_SHARED, 0);
    return !evict_trial_lack(trial, LIMIT_SHARED, 0);
}

static void choose(const struct room_search *room, const struct candidate *candidate)
{
    struct pageable *victim = candidate->allocation;
    struct found_place *found = room->found;
    struct residency *residency = room->adapter->residency;
    bool ordinary = !victim->place.victim.rank;
    applies(room->adapter, ordinary ? RULE(PAGE_027) : RULE(OFFER_010));
    if (ordinary && victim->place.victim.priority <= priority_minimum)
        applies(room->adapter, RULE(PRIO_007));
    if (ordinary && victim->place.victim.priority >= soft_pinned)
        applies(room->adapter, RULE(PRIO_010));
    if (ordinary && victim->place.victim.priority < room->allocation->place.victim.priority)
        applies(room->adapter, RULE(PRIO_003));
    if (victim->creator->process != room->allocation->creator->process)
        applies(room->adapter, RULE(SEG_010)); /* no process has a part of a segment for itself */
    if (!found->victims && residency->victims) {
        found->victims = residency->victims;
        found->victim_capacity = residency->victim_capacity;
        residency->victims = NULL;
    }
    BASE_GROW(found->victims, found->victim_capacity, found->victim_count + 1);
    found->victims[found->victim_count++] = (struct chosen_victim){ victim, candidate->reason };
}

static bool make_plan(struct evict_trial *trial)
{
    struct room_search *room = trial->room;
    if (!make_room(trial))
        return false;
    evict_trial_tidy(trial);
    if (!evict_trial_limits_hold(trial)) {
        if (!make_limits(trial))
            return false;
        evict_trial_tidy(trial);
        take_back_needless(trial);
        /* What leaves for a limit makes room, too: an earlier search may have a place now. */
        bool open = evict_trial_is_open(trial, NULL);
        CHECK(open);
        if (room->page_set)
            evict_trial_take_pages(trial);
        take_back_needless(trial);
        evict_trial_tidy(trial);
    }
    if (evict_trial_pick(trial)) {
        take_back_needless(trial);
        evict_trial_tidy(trial);
    }
    if (!room->segment_count) {
        room->found->place = (struct place){ .segment = 0 };
        room->found->search = &room->searches[0];
    }
    CHECK_SLOW(evict_trial_holds(trial)); /* (I1) to (I3) */
    for (size_t i = 0; i < trial->count; i++)
        choose(room, &trial->list[i]);
    return true;
}

static void look_where(struct room_search *room)
{
    uint32_t segment = room->searches[0].segment;
    room->low = UINT64_MAX;
    for (size_t i = 0; i < room->count; i++) {
        room->low = min_u64(room->low, room->searches[i].low);
        room->high = max_u64(room->high, room->searches[i].high);
    }
    room->segment_count = 1;
    room->segments[0] = segment;
    room->limited = segment_is_aperture(segment_desc(room->adapter, segment));
    if (means_system_memory(room->adapter, room->allocation, segment))
        room->segment_count = 0;
    if (!allocation_is_mirrored(room->allocation) || room->reason == EVICT_RANGE)
        return;
    room->segment_count = room->adapter->setup->link_count;
    for (uint32_t i = 1; i < room->segment_count; i++)
        room->segments[i] = segment_of_adapter(room->adapter, segment, i);
}

bool evict_plan(adapter_t *adapter, const struct pageable *allocation,
                const struct vidmm_search *searches, size_t count, enum placement_pass pass,
                struct found_place *found)
{
    struct room_search room = {
        .adapter = adapter,
        .allocation = allocation,
        .searches = searches,
        .count = count,
        .below_priority = evict_pass_limit(allocation, pass),
        .reason = pass == PASS_RANGE                  ? EVICT_RANGE
                  : allocation_is_overlay(allocation) ? EVICT_PIN
                                                      : EVICT_ROOM,
        .page_set = !needs_range(adapter, allocation, searches[0].segment),
        .region_first = pass == PASS_LOWER && allocation_is_overlay(allocation),
        .found = found,
    };
    struct evict_trial trial;
    CHECK(paging_preparation(adapter)); /* what that binds stays */
    if (room.reason == EVICT_PIN && adapter->residency->residents[searches[0].segment].pinned)
        applies(adapter, RULE(PLACE_025)); /* those are in no order of victims */
    look_where(&room);
    if (room.segment_count &&
        segment_at(adapter, room.segments[0])->space.free_bytes >= searches[0].footprint)
        applies(adapter, RULE(PLACE_013)); /* only the holes are too small: none is joined */
    /* Nearly all have one priority: below it there is nobody, so the first pass ends here. */
    if (!may_lack_limit(&room) && evict_no_victim(&room))
        return false;
    evict_trial_begin(&trial, &room);
    bool made = make_plan(&trial);
    evict_trial_end(&trial);
    if (trial.many)
        turns_foresee(adapter, room.segments[0]);
    turns_tell_flaw(adapter, room.flaws);
    if (!made) {
        bool no_system_pages = found->no_system_pages;
        found_place_fini(adapter, found);
        found->no_system_pages = no_system_pages;
    }
    return made;
}

bool evict_plan_range(adapter_t *adapter, const struct pageable *allocation,
                      const struct vidmm_search *search, struct found_place *found)
{
    return evict_plan(adapter, allocation, search, 1, PASS_RANGE, found);
}
