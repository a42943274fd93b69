/* SPDX-License-Identifier: MIT */
/*
 * evict_plan.c: who would have to leave, found out without moving anything.
 *
 * Victims are pretended away in their order until the searches find a place; those that overlap the
 * place are chosen, the others were never touched (PLACE-012). Commit limits come first: whoever
 * has to leave for them leaves whether he is in the way or not (PLACE-019).
 *
 * Rules not named below: OFFER-012, PAGE-015, PAGE-023, PLACE-003, PLACE-011, PLACE-019,
 * PLACE-022 to PLACE-024, SEG-061.
 */
#include "segments/roster.h"
#include "vidmm/offer.h"
#include "vidmm/residency.h"

/* D3DDDI_ALLOCATIONPRIORITY_MAXIMUM: from here on an allocation is soft-pinned. */
static const uint32_t soft_pinned = 0xC8000000;
static const uint32_t priority_minimum = 0x28000000;

static struct allocation *allocation_of(struct victim_node *node)
{
    return CONTAINER_OF(node, struct allocation, victim);
}

/* PLACE-011, PLACE-024: the first priority that this pass may not push out. */
static uint64_t pass_limit(const struct allocation *allocation, enum placement_pass pass)
{
    if (pass == PASS_SOFT_PINNED)
        return VICTIM_ANY_PRIORITY;
    if (pass == PASS_ANY || allocation_is_overlay(allocation))
        return soft_pinned;
    return min_u64(allocation->victim.priority, soft_pinned);
}

/* One look for room in a segment. */
struct room {
    adapter_t *adapter;
    const struct allocation *allocation; /* for whom */
    const struct vidmm_search *searches;
    size_t count;
    uint64_t below_priority;
    enum evict_reason reason;
    bool page_set;
    bool region_first;  /* a pinned request in pass 1 (PLACE-024) */
    uint64_t low, high; /* union of the searches' windows */
    struct found_place *found;
};

/* PLACE-024: only what overlaps the region counts as lower, whatever its number. */
static bool in_region(const struct room *room, const struct allocation *victim)
{
    uint32_t segment = room->searches[0].segment;
    uint64_t start = segment_desc(room->adapter, segment)->pin_start;
    bool overlaps = false;
    for (size_t i = 0; victim->place.segment == segment && i < victim->place.run_count; i++)
        overlaps |= range_end(place_runs(&victim->place)[i]) > start;
    return overlaps;
}

/* PAGE-015: the bytes of system memory that the way out of a victim takes. */
static uint64_t store_bytes(const struct allocation *victim, enum way_out way)
{
    bool copied = way == OUT_DIRECT || way == OUT_VIA;
    return copied && !victim->keeper->backing.populated ? victim->info.bytes : 0;
}

/* OFFER-012: what was offered and evicted before gives its pages. */
static bool have_pages(const struct room *room, uint64_t bytes)
{
    uint64_t free = room->adapter->system_space.free_bytes;
    struct found_place *found = room->found;
    if (bytes <= free)
        return true;
    if (!found->given_known)
        found->given = discard_possible_bytes(room->adapter);
    found->given_known = true;
    return bytes - free <= found->given;
}

static bool has_way_out(const struct room *room, const struct allocation *victim)
{
    const adapter_t *adapter = room->adapter;
    enum way_out way = way_out(adapter, victim->keeper);
    bool starved = !have_pages(room, store_bytes(victim, way));
    room->found->starved |= starved;
    return way != OUT_LATER && !starved;
}

static bool eligible(const struct room *room, const struct allocation *victim)
{
    const adapter_t *adapter = room->adapter;
    const struct allocation *whole = victim->whole ? victim->whole : victim;
    /* A copy does not push out another one for its place, but to leave it does. */
    bool related = whole == room->allocation || whole == room->allocation->whole;
    if (room->reason == EVICT_RANGE ? victim == room->allocation : related)
        return false;
    if (room->region_first && !victim->victim.rank &&
        victim->victim.priority >= room->allocation->victim.priority && !in_region(room, victim))
        return false;
    if (adapter->preparation && whole->bound_in == adapter->preparation)
        return false;
    return has_way_out(room, victim);
}

static void choose(struct room *room, struct allocation *victim, enum evict_reason reason)
{
    bool ordinary = !victim->victim.rank;
    applies(room->adapter, ordinary ? RULE(PAGE_027) : RULE(OFFER_010));
    if (ordinary && victim->victim.priority <= priority_minimum)
        applies(room->adapter, RULE(PRIO_007));
    if (ordinary && victim->victim.priority >= soft_pinned)
        applies(room->adapter, RULE(PRIO_010));
    if (ordinary && victim->victim.priority < room->allocation->victim.priority)
        applies(room->adapter, RULE(PRIO_003));
    if (victim->creator->process != room->allocation->creator->process)
        applies(room->adapter, RULE(SEG_010)); /* a segment is nobody's in part */
    struct found_place *found = room->found;
    BASE_GROW(found->victims, found->victim_capacity, found->victim_count + 1);
    found->victims[found->victim_count++] = (struct chosen_victim){ victim, reason };
}

/* ---- commit limits -------------------------------------------------------------------------- */

static uint64_t excess(uint64_t committed, uint64_t bytes, uint64_t limit)
{
    uint64_t sum;
    if (!add_fits(committed, bytes, &sum))
        sum = UINT64_MAX;
    return sum > limit ? sum - limit : 0;
}

static uint64_t held(const struct allocation *allocation)
{
    uint64_t bytes = allocation->place.segment ? 0 : allocation->info.bytes;
    for (size_t i = 0; i < allocation->place.run_count; i++)
        bytes += place_runs(&allocation->place)[i].bytes;
    return bytes;
}

static bool leaves_before(const struct allocation *a, const struct allocation *b)
{
    if (victim_before(&a->victim, &b->victim) || victim_before(&b->victim, &a->victim))
        return victim_before(&a->victim, &b->victim);
    return a->handle < b->handle;
}

/* The next victim of one segment that may leave in this pass. */
static struct allocation *next_eligible(const struct room *room, struct victim_cursor *cursor)
{
    struct victim_node *node;
    while ((node = victim_next(cursor)) != NULL) {
        base_work(1);
        if (eligible(room, allocation_of(node)))
            return allocation_of(node);
    }
    return NULL;
}

/* The order of all apertures and of segment 0 together, merged from the order of each. */
struct merged {
    struct victim_cursor cursor[VIDMM_SEGMENT_SLOTS + 1];
    struct allocation *head[VIDMM_SEGMENT_SLOTS + 1];
    uint32_t segments;
};

static void merged_start(const struct room *room, struct merged *merged)
{
    const adapter_t *adapter = room->adapter;
    merged->segments = adapter->segment_count + 1;
    for (uint32_t id = 0; id < merged->segments; id++) {
        merged->head[id] = NULL;
        if (id && !segment_is_aperture(segment_desc(adapter, id)))
            continue;
        merged->cursor[id] = victim_first(&adapter->segments[id].order, room->below_priority);
        merged->head[id] = next_eligible(room, &merged->cursor[id]);
    }
}

static struct allocation *merged_next(const struct room *room, struct merged *merged)
{
    uint32_t first = merged->segments;
    for (uint32_t id = 0; id < merged->segments; id++)
        if (merged->head[id] &&
            (first == merged->segments || leaves_before(merged->head[id], merged->head[first])))
            first = id;
    if (first == merged->segments)
        return NULL;
    struct allocation *victim = merged->head[first];
    merged->head[first] = next_eligible(room, &merged->cursor[first]);
    return victim;
}

/* Among the first `count` that were chosen. */
static bool is_chosen(const struct found_place *found, size_t count,
                      const struct allocation *allocation)
{
    for (size_t i = 0; i < count; i++)
        if (found->victims[i].allocation == allocation)
            return true;
    return false;
}

/* Victims until both limits leave room for `bytes`; false: they never do. */
static bool satisfy_limits(struct room *room, uint32_t segment, uint64_t bytes)
{
    const adapter_t *adapter = room->adapter;
    uint64_t own = 0, global = excess(adapter->shared_committed, bytes, adapter->shared_limit);
    if (segment) {
        const struct segment *target = &adapter->segments[segment].segment;
        own = excess(target->committed_bytes, bytes, target->desc.limit);
        struct victim_cursor cursor =
            victim_first(&adapter->segments[segment].order, room->below_priority);
        struct allocation *victim;
        while (own && (victim = next_eligible(room, &cursor)) != NULL) {
            choose(room, victim, EVICT_COMMIT);
            own -= min_u64(own, held(victim));
            global -= min_u64(global, held(victim));
        }
    }
    if (own || !global)
        return !own;
    applies(room->adapter, RULE(SEG_069));
    size_t before = room->found->victim_count; /* nobody is met twice */
    struct merged merged;
    merged_start(room, &merged);
    struct allocation *victim;
    while (global && (victim = merged_next(room, &merged)) != NULL) {
        if (is_chosen(room->found, before, victim))
            continue;
        choose(room, victim, EVICT_COMMIT);
        global -= min_u64(global, held(victim));
    }
    return !global;
}

/* SEG-061: where the number of protected allocations is limited, one goes for one that comes. */
static bool satisfy_vpr(struct room *room, uint32_t segment)
{
    const adapter_t *adapter = room->adapter;
    struct victim_cursor cursor =
        victim_first(&adapter->segments[segment].order, room->below_priority);
    struct allocation *victim;
    if (vpr_allows(adapter, room->allocation, segment))
        return true;
    while ((victim = next_eligible(room, &cursor)) != NULL) {
        if (!allocation_in_vpr(victim))
            continue;
        choose(room, victim, EVICT_ROOM);
        return true;
    }
    return false;
}

/* ---- room in a segment ---------------------------------------------------------------------- */

/* The roster knows ranges, this list knows whose they are. */
struct considered {
    struct roster roster;
    struct range_request requests[VIDMM_SEARCHES_MAX];
    struct allocation **victims;
    size_t count, capacity;
};

static bool in_window(const struct room *room, const struct allocation *victim)
{
    struct range window = { room->low, room->high - room->low };
    for (size_t i = 0; i < victim->place.run_count; i++)
        if (range_overlaps(place_runs(&victim->place)[i], window))
            return true;
    return false;
}

static void note(struct considered *list, struct allocation *victim)
{
    BASE_GROW(list->victims, list->capacity, list->count + 1);
    list->victims[list->count++] = victim;
}

static void found_range(struct room *room, const struct roster_place *place)
{
    room->found->search = &room->searches[place->request];
    room->found->place =
        (struct place){ .segment = room->searches[0].segment, .one = place->range, .run_count = 1 };
}

/* A page set needs free pages, not a hole (PLACE-016). */
static bool look_for_pages(struct room *room)
{
    for (size_t i = 0; i < room->count; i++)
        if (free_place(room->adapter, room->allocation, &room->searches[i], &room->found->place)) {
            room->found->search = &room->searches[i];
            return true;
        }
    return false;
}

static bool pretend(struct room *room, struct considered *list, struct allocation *victim)
{
    const struct range *runs = place_runs(&victim->place);
    size_t count = victim->place.run_count;
    struct roster_place place;
    note(list, victim);
    if (room->page_set) {
        (void)roster_remove(&list->roster, list->count - 1, runs, count);
        return look_for_pages(room);
    }
    if (!roster_add(&list->roster, list->count - 1, runs, count, &place))
        return false;
    found_range(room, &place);
    return true;
}

static bool overlaps_place(const struct allocation *victim, const struct place *place)
{
    for (size_t i = 0; i < victim->place.run_count; i++)
        for (size_t j = 0; j < place->run_count; j++)
            if (range_overlaps(place_runs(&victim->place)[i], place_runs(place)[j]))
                return true;
    return false;
}

/* PAGE-015: can system memory take all that would leave? */
static bool all_have_stores(const struct room *room, const struct considered *list)
{
    const adapter_t *adapter = room->adapter;
    uint64_t bytes = 0;
    for (size_t i = 0; i < list->count; i++)
        if (overlaps_place(list->victims[i], &room->found->place))
            bytes += store_bytes(list->victims[i], way_out(adapter, list->victims[i]->keeper));
    return have_pages(room, bytes);
}

/* The last one that was pretended away stays after all; without it there was no room. */
static void put_back(struct room *room, struct considered *list)
{
    struct place *place = &room->found->place;
    struct roster_place other;
    (void)roster_put_back(&list->roster, list->count - 1, &other);
    room->found->starved = true;
    if (place->run_count > 1)
        base_free(place->runs);
    *place = (struct place){ 0 };
}

static bool open_hole(struct room *room, struct considered *list)
{
    uint32_t id = room->searches[0].segment;
    struct roster_place place;
    struct victim_cursor cursor =
        victim_first(&room->adapter->segments[id].order, room->below_priority);
    struct victim_node *node;
    /* Whoever leaves for a commit limit makes room too. */
    for (size_t i = 0; i < room->found->victim_count; i++) {
        struct allocation *victim = room->found->victims[i].allocation;
        if (victim->place.segment != id)
            continue;
        note(list, victim);
        (void)roster_remove(&list->roster, list->count - 1, place_runs(&victim->place),
                            victim->place.run_count);
    }
    if (room->page_set ? look_for_pages(room) : roster_look(&list->roster, &place)) {
        if (!room->page_set)
            found_range(room, &place);
        return true;
    }
    while ((node = victim_next(&cursor)) != NULL) {
        struct allocation *victim = allocation_of(node);
        base_work(1);
        if (!in_window(room, victim) || !eligible(room, victim) ||
            is_chosen(room->found, room->found->victim_count, victim) ||
            !pretend(room, list, victim))
            continue;
        if (all_have_stores(room, list))
            return true;
        put_back(room, list);
    }
    return false;
}

static bool plan(struct room *room)
{
    struct range_tree *space = &room->adapter->segments[room->searches[0].segment].segment.space;
    struct considered list = { .victims = NULL };
    for (size_t i = 0; i < room->count; i++) {
        const struct vidmm_search *search = &room->searches[i];
        list.requests[i] = (struct range_request){ search->footprint, search->alignment,
                                                   search->low, search->high, search->from_end };
    }
    roster_init(&list.roster, space, list.requests, room->count);
    size_t before = room->found->victim_count; /* for a commit limit */
    bool open = open_hole(room, &list);
    roster_fini(&list.roster);
    for (size_t i = 0; open && i < list.count; i++)
        if (overlaps_place(list.victims[i], &room->found->place) &&
            !is_chosen(room->found, before, list.victims[i]))
            choose(room, list.victims[i], room->reason);
    base_free(list.victims);
    applies(room->adapter, RULE(PLACE_012));
    if (space->free_bytes >= room->searches[0].footprint)
        applies(room->adapter, RULE(PLACE_013)); /* only the holes are too small: none is joined */
    return open;
}

bool evict_plan(adapter_t *adapter, const struct allocation *allocation,
                const struct vidmm_search *searches, size_t count, enum placement_pass pass,
                struct found_place *found)
{
    uint32_t segment = searches[0].segment;
    struct room room = {
        .adapter = adapter,
        .allocation = allocation,
        .searches = searches,
        .count = count,
        .below_priority = pass_limit(allocation, pass),
        .reason = allocation_is_overlay(allocation) ? EVICT_PIN : EVICT_ROOM,
        .page_set = !needs_range(adapter, allocation, segment),
        .region_first = pass == PASS_LOWER && allocation_is_overlay(allocation),
        .low = UINT64_MAX,
        .found = found,
    };
    bool system = means_system_memory(adapter, allocation, segment);
    if (room.reason == EVICT_PIN && adapter->segments[segment].pinned)
        applies(adapter, RULE(PLACE_025)); /* those are in no order of victims */
    for (size_t i = 0; i < count; i++) {
        room.low = min_u64(room.low, searches[i].low);
        room.high = max_u64(room.high, searches[i].high);
    }
    bool fits = true;
    if (system || segment_is_aperture(segment_desc(adapter, segment)))
        fits = satisfy_limits(&room, system ? 0 : segment,
                              system ? allocation->info.bytes : searches[0].footprint);
    fits = fits && satisfy_vpr(&room, segment);
    if (fits && system) {
        found->place = (struct place){ .segment = 0 };
        found->search = &searches[0];
        return true;
    }
    if (fits && plan(&room))
        return true;
    bool starved = found->starved;
    found_place_fini(found);
    found->starved = starved;
    return false;
}

bool evict_plan_range(adapter_t *adapter, const struct allocation *allocation,
                      const struct vidmm_search *search, struct found_place *found)
{
    struct room room = {
        .adapter = adapter,
        .allocation = allocation,
        .searches = search,
        .count = 1,
        .below_priority = VICTIM_ANY_PRIORITY,
        .reason = EVICT_RANGE,
        .low = search->low,
        .high = search->high,
        .found = found,
    };
    if (satisfy_limits(&room, search->segment, search->footprint) && plan(&room))
        return true;
    found_place_fini(found);
    return false;
}
