/* SPDX-License-Identifier: MIT */
/*
 * link_place.c: a place that is free at the same offset on every adapter of a link.
 *
 * The searches are those of adapter 0. The lowest place of each adapter is a lower bound for all:
 * the bound rises until they agree. Without a place victims of all adapters are pretended away in
 * their common order; those that overlap the place on any adapter leave. For a commit limit of
 * apertures nobody leaves: the limits have to allow all copies.
 *
 * Rules not named below: PLACE-004.
 */
#include "vidmm/link.h"

static bool limits_allow(const adapter_t *adapter, const struct vidmm_search *search)
{
    uint64_t all = 0;
    if (!segment_is_aperture(segment_desc(adapter, search->segment)))
        return true;
    for (uint32_t i = 0; i < adapter->link_count; i++) {
        if (!commit_allows(adapter, segment_of_adapter(adapter, search->segment, i),
                           search->footprint) ||
            !add_fits(all, search->footprint, &all))
            return false;
    }
    return all <= adapter->shared_limit && adapter->shared_committed <= adapter->shared_limit - all;
}

/* What this adapter has in the window, behind the bound. */
static bool agree(const adapter_t *adapter, struct vidmm_search *window, bool *same)
{
    uint64_t bound = 0;
    *same = true;
    for (uint32_t i = 0; i < adapter->link_count; i++) {
        struct vidmm_search there = *window;
        uint64_t offset;
        there.segment = segment_of_adapter(adapter, window->segment, i);
        if (!segment_find(&adapter->segments[there.segment].segment, &there, &offset))
            return false;
        *same &= !i || offset == bound;
        if (!i || (window->from_end ? offset < bound : offset > bound))
            bound = offset;
    }
    if (window->from_end)
        window->high = bound + window->footprint;
    else
        window->low = bound;
    return true;
}

static bool common_place(const adapter_t *adapter, const struct vidmm_search *search,
                         struct place *place)
{
    struct vidmm_search window = *search;
    bool same = false;
    if (!limits_allow(adapter, search))
        return false;
    while (!same)
        if (!agree(adapter, &window, &same))
            return false;
    uint64_t offset = window.from_end ? window.high - window.footprint : window.low;
    *place = (struct place){ .segment = search->segment,
                             .one = { offset, search->footprint },
                             .run_count = 1 };
    return true;
}

static bool first_common(const adapter_t *adapter, const struct vidmm_search *searches,
                         size_t count, struct found_place *found)
{
    for (size_t i = 0; i < count; i++)
        if (common_place(adapter, &searches[i], &found->place)) {
            found->search = &searches[i];
            return true;
        }
    return false;
}

bool link_has_room(const adapter_t *adapter, const struct place *place)
{
    for (uint32_t i = 0; i < adapter->link_count; i++)
        if (!range_tree_is_free(
                &adapter->segments[segment_of_adapter(adapter, place->segment, i)].segment.space,
                place->one))
            return false;
    return true;
}

/* ---- victims -------------------------------------------------------------------------------- */

/* Those of one segment on all adapters, and whether they are pretended away. */
struct victims {
    adapter_t *adapter;
    const struct allocation *allocation; /* for whom */
    uint64_t below_priority;
    struct victim_cursor cursor[VIDMM_LINK_MAX];
    struct allocation *head[VIDMM_LINK_MAX];
    struct allocation **away;
    size_t count, capacity;
};

static struct allocation *whole_of(struct allocation *allocation)
{
    return allocation->whole ? allocation->whole : allocation;
}

static bool is_away(const struct victims *victims, const struct allocation *allocation)
{
    for (size_t i = 0; i < victims->count; i++)
        if (victims->away[i] == allocation)
            return true;
    return false;
}

static bool may_leave(const struct victims *victims, struct allocation *victim)
{
    const adapter_t *adapter = victims->adapter;
    const struct allocation *whole = whole_of(victim);
    if (whole == victims->allocation || is_away(victims, victim) ||
        (adapter->preparation && whole->bound_in == adapter->preparation))
        return false;
    enum way_out way = way_out(adapter, victim->keeper);
    bool copied = way == OUT_DIRECT || way == OUT_VIA;
    return way != OUT_LATER && (!copied || victim->keeper->backing.populated ||
                                victim->info.bytes <= adapter->system_space.free_bytes);
}

static void advance(struct victims *victims, uint32_t index)
{
    struct victim_node *node;
    victims->head[index] = NULL;
    while (!victims->head[index] && (node = victim_next(&victims->cursor[index])) != NULL) {
        struct allocation *victim = CONTAINER_OF(node, struct allocation, victim);
        if (may_leave(victims, victim))
            victims->head[index] = victim;
    }
}

static bool before(const struct allocation *a, const struct allocation *b)
{
    if (a->victim.priority != b->victim.priority)
        return a->victim.priority < b->victim.priority;
    if (a->victim.last_use != b->victim.last_use)
        return a->victim.last_use < b->victim.last_use;
    return a->victim.offset < b->victim.offset;
}

static struct allocation *next_victim(struct victims *victims)
{
    uint32_t first = VIDMM_LINK_MAX;
    for (uint32_t i = 0; i < victims->adapter->link_count; i++) {
        while (victims->head[i] && is_away(victims, victims->head[i]))
            advance(victims, i); /* it went with a copy of another adapter */
        if (victims->head[i] &&
            (first == VIDMM_LINK_MAX || before(victims->head[i], victims->head[first])))
            first = i;
    }
    if (first == VIDMM_LINK_MAX)
        return NULL;
    struct allocation *victim = victims->head[first];
    advance(victims, first);
    return victim;
}

static void set_free(adapter_t *adapter, const struct allocation *victim, bool away)
{
    struct range_tree *space = &adapter->segments[victim->place.segment].segment.space;
    for (size_t i = 0; i < victim->place.run_count; i++) {
        if (away)
            (void)range_tree_release(space, place_runs(&victim->place)[i]);
        else
            range_tree_take(space, place_runs(&victim->place)[i]);
    }
}

static void pretend_one(struct victims *victims, struct allocation *victim)
{
    BASE_GROW(victims->away, victims->capacity, victims->count + 1);
    victims->away[victims->count++] = victim;
    set_free(victims->adapter, victim, true);
}

/* Mirrored ones leave every adapter together (LINK-005). */
static void pretend(struct victims *victims, struct allocation *victim)
{
    bool mirrored = allocation_is_mirrored(victim);
    for (struct allocation *a = mirrored ? victim->keeper : victim; a; a = a->next_copy) {
        if (a->state == ALLOCATION_RESIDENT && a->place.segment)
            pretend_one(victims, a);
        if (!mirrored)
            return;
    }
}

static bool in_the_way(const struct allocation *victim, const struct place *place)
{
    for (size_t i = 0; i < victim->place.run_count; i++)
        if (range_overlaps(place_runs(&victim->place)[i], place->one))
            return true;
    return false;
}

static void choose(const struct victims *victims, struct found_place *found)
{
    for (size_t i = 0; i < victims->count; i++) {
        struct allocation *victim = victims->away[i];
        if (!in_the_way(victim, &found->place))
            continue;
        BASE_GROW(found->victims, found->victim_capacity, found->victim_count + 1);
        found->victims[found->victim_count++] = (struct chosen_victim){ victim, EVICT_ROOM };
    }
}

/* PLACE-011: the first priority that this pass may not push out. */
static uint64_t pass_limit(const struct allocation *allocation, enum placement_pass pass)
{
    static const uint32_t soft_pinned = 0xC8000000;
    if (pass == PASS_SOFT_PINNED)
        return VICTIM_ANY_PRIORITY;
    return pass == PASS_ANY ? soft_pinned : min_u64(allocation->victim.priority, soft_pinned);
}

static bool plan(adapter_t *adapter, const struct allocation *allocation,
                 const struct vidmm_search *searches, size_t count, enum placement_pass pass,
                 struct found_place *found)
{
    struct victims victims = { .adapter = adapter, .allocation = allocation };
    struct allocation *victim;
    bool open = false;
    for (uint32_t i = 0; i < adapter->link_count; i++) {
        uint32_t id = segment_of_adapter(adapter, searches[0].segment, i);
        victims.cursor[i] =
            victim_first(&adapter->segments[id].order, pass_limit(allocation, pass));
        advance(&victims, i);
    }
    while (!open && (victim = next_victim(&victims)) != NULL) {
        pretend(&victims, victim);
        open = first_common(adapter, searches, count, found);
    }
    for (size_t i = victims.count; i; i--)
        set_free(adapter, victims.away[i - 1], false);
    if (open)
        choose(&victims, found);
    base_free(victims.away);
    applies(adapter, RULE(PLACE_012));
    return open;
}

/* ---- the search ----------------------------------------------------------------------------- */

bool link_find_place(adapter_t *adapter, const struct allocation *allocation,
                     const struct vidmm_search *searches, size_t count, struct found_place *found)
{
    applies(adapter, RULE(PLACE_011));
    applies(adapter, RULE(PLACE_021));
    for (enum placement_pass pass = PASS_LOWER; pass < PASSES_END; pass++)
        for (size_t i = 0, n; i < count; i += n) {
            n = 1;
            while (i + n < count && searches[i + n].segment == searches[i].segment)
                n++;
            bool free = pass == PASS_LOWER && first_common(adapter, &searches[i], n, found);
            bool room = free || plan(adapter, allocation, &searches[i], n, pass, found);
            residency_tell_candidate(adapter, allocation, room ? found->search : &searches[i], pass,
                                     free   ? "free"
                                     : room ? "room"
                                            : "full");
            if (room)
                return true;
        }
    return false;
}
