/* SPDX-License-Identifier: MIT */
/*
 * model_place.c: the reference for searches and victims, see model_manager.h.
 *
 * Candidates PLACE-004, passes PLACE-011, victims PLACE-012, commit limits PLACE-019, pinned
 * requests PLACE-024, eviction ranges PLACE-028 and PAGE-023, offers OFFER-010.
 */
#include "tests/model/model_manager.h"
#include "vidmm/base/base.h"

#include <stdlib.h>
#include <string.h>

enum {
    FLAG_PINNED = 0x300,
    FLAG_PHYSICAL = 0x8000,
    FREE_ONLY = 0, /* the first half of pass 1 */
};
#define SOFT_PINNED 0xC8000000u

/* ---- victims ----------------------------------------------------------------------------------
 */

static bool overlaps_region(const struct model *model, uint32_t id, uint8_t slot)
{
    const struct model_segment *segment = &model->segments[id];
    for (uint64_t page = segment->pin_start; page < segment->pages; page++) {
        if (segment->owner[page] == slot + 1)
            return true;
    }
    return false;
}

static uint64_t lowest_page(const struct model *model, uint8_t slot)
{
    const struct model_segment *segment = &model->segments[model->allocations[slot].segment];
    uint64_t page = 0;
    while (page < segment->pages && segment->owner[page] != slot + 1)
        page++;
    return page * segment->page_bytes;
}

bool model_is_pinned(const struct model_allocation *allocation)
{
    return allocation->state == VIDMM_RESIDENCY_RESIDENT &&
           (allocation->pinned || allocation->wish.flags & FLAG_PINNED);
}

/* Independent of a pass: the allocations that could ever leave while the task is served. */
static bool may_leave(const struct model *model, const struct model_task *task, uint8_t slot)
{
    const struct model_allocation *allocation = &model->allocations[slot];
    return allocation->live && allocation->state == VIDMM_RESIDENCY_RESIDENT &&
           !model_is_pinned(allocation) && !task->bound[slot] && slot != task->slot;
}

struct pass {
    const struct model *model;
    const struct model_task *task;
    uint32_t candidate;
    int number;
    bool excluded[MODEL_ALLOCATIONS]; /* no eviction route for them (PAGE-023) */
};

/* PLACE-011, and PLACE-024 for pinned requests. */
static bool pass_allows(const struct pass *pass, uint8_t slot)
{
    const struct model *model = pass->model;
    const struct model_allocation *victim = &model->allocations[slot];
    const struct model_allocation *asking = &model->allocations[pass->task->slot];
    if (pass->excluded[slot] || pass->number == FREE_ONLY || !may_leave(model, pass->task, slot))
        return false;
    if (victim->offer)
        return true; /* OFFER-010 */
    if (victim->priority >= SOFT_PINNED)
        return pass->number == 3;
    if (pass->number > 1 || victim->priority < asking->priority)
        return true;
    return asking->wish.flags & FLAG_PINNED && victim->segment == pass->candidate &&
           overlaps_region(model, pass->candidate, slot);
}

struct rank {
    uint8_t slot;
    uint32_t offer, priority, tie;
    uint64_t turn, last_use, offset;
};

static int compare_ranks(const void *left, const void *right)
{
    const struct rank *a = left, *b = right;
    if (!a->offer != !b->offer)
        return a->offer ? -1 : 1;
    if (a->offer != b->offer)
        return a->offer < b->offer ? -1 : 1;
    if (a->offer)
        return a->turn < b->turn ? -1 : a->turn > b->turn;
    if (a->priority != b->priority)
        return a->priority < b->priority ? -1 : 1;
    if (a->last_use != b->last_use)
        return a->last_use < b->last_use ? -1 : 1;
    if (a->offset != b->offset)
        return a->offset < b->offset ? -1 : 1;
    return a->tie < b->tie ? -1 : a->tie > b->tie;
}

struct order {
    uint8_t slots[MODEL_ALLOCATIONS];
    size_t count;
};

/* PLACE-012; `id` 0: everything that counts for the global limit. */
static struct order list_victims(const struct pass *pass, uint32_t id)
{
    struct rank ranks[MODEL_ALLOCATIONS];
    const struct model *model = pass->model;
    struct order order = { .count = 0 };
    for (uint8_t slot = 0; slot < MODEL_ALLOCATIONS; slot++) {
        const struct model_allocation *allocation = &model->allocations[slot];
        if (!pass_allows(pass, slot))
            continue;
        bool shared = allocation->segment == 0 || model->segments[allocation->segment].aperture;
        if (id ? allocation->segment != id : !shared)
            continue;
        ranks[order.count++] = (struct rank){ .slot = slot,
                                              .offer = allocation->offer,
                                              .priority = allocation->priority,
                                              .tie = allocation->tie,
                                              .turn = allocation->turn,
                                              .last_use = allocation->last_use,
                                              .offset = lowest_page(model, slot) };
    }
    qsort(ranks, order.count, sizeof *ranks, compare_ranks);
    for (size_t i = 0; i < order.count; i++)
        order.slots[i] = ranks[i].slot;
    return order;
}

/* ---- commit limits ----------------------------------------------------------------------------
 */

typedef bool (*hole_finder)(const struct pass *pass, const uint8_t *owner, bool *pages);

struct wanted {
    uint32_t id;      /* 0: system memory, which has no places */
    uint64_t bytes;   /* for the limits */
    hole_finder find; /* in the segment */
};

/* With these gone, the bytes that count for the limit of the segment, or for that over all
 * apertures. */
static uint64_t left_committed(const struct model *model, uint32_t id, const bool *away)
{
    uint64_t bytes = id ? model_committed(model, id) : model_committed_global(model);
    for (uint8_t slot = 0; slot < MODEL_ALLOCATIONS; slot++) {
        if (away[slot] && (!id || model->allocations[slot].segment == id))
            bytes -= model->allocations[slot].bytes;
    }
    return bytes;
}

/* PLACE-019; `id` 0: the limit over all apertures. */
static bool limit_holds(const struct pass *pass, const struct wanted *wanted, uint32_t id,
                        const bool *away)
{
    const struct model *model = pass->model;
    uint64_t limit = id ? model->segments[id].limit : model->global_limit;
    if (wanted->id && !model->segments[wanted->id].aperture)
        return true;
    return left_committed(model, id, away) + wanted->bytes <= limit;
}

/* ---- one candidate in one pass ----------------------------------------------------------------
 */

static void pretend_away(uint8_t *owner, uint8_t slot)
{
    for (size_t page = 0; page < MODEL_PAGES; page++) {
        if (owner[page] == slot + 1)
            owner[page] = MODEL_FREE;
    }
}

/* With these gone, is there a hole? Marks its pages. */
static bool has_hole(const struct pass *pass, const struct wanted *wanted, const bool *away,
                     bool *pages)
{
    uint8_t owner[MODEL_PAGES];
    memset(pages, 0, MODEL_PAGES * sizeof *pages);
    if (!wanted->id)
        return true;
    memcpy(owner, pass->model->segments[wanted->id].owner, sizeof owner);
    for (uint8_t slot = 0; slot < MODEL_ALLOCATIONS; slot++) {
        if (away[slot] && pass->model->allocations[slot].segment == wanted->id)
            pretend_away(owner, slot);
    }
    return wanted->find(pass, owner, pages);
}

static bool limits_hold(const struct pass *pass, const struct wanted *wanted, const bool *away)
{
    return (!wanted->id || limit_holds(pass, wanted, wanted->id, away)) &&
           limit_holds(pass, wanted, 0, away);
}

/* All that leave for this place, or for its limits, in their order. */
static struct order list_all(const struct pass *pass, uint32_t id)
{
    return list_victims(pass, id && !pass->model->segments[id].aperture ? id : 0);
}

static void mark_in_the_way(const struct pass *pass, const struct wanted *wanted, const bool *pages,
                            bool *in_the_way)
{
    const struct model_segment *segment = &pass->model->segments[wanted->id];
    memset(in_the_way, 0, MODEL_ALLOCATIONS * sizeof *in_the_way);
    for (uint64_t page = 0; wanted->id && page < segment->pages; page++) {
        if (pages[page] && segment->owner[page] != MODEL_FREE)
            in_the_way[segment->owner[page] - 1] = true;
    }
}

/* Neither the place nor a limit needs them: they stay, the last in the order first. */
static void take_back(const struct pass *pass, const struct wanted *wanted,
                      struct model_place *place)
{
    struct order order = list_all(pass, wanted->id);
    bool in_the_way[MODEL_ALLOCATIONS];
    mark_in_the_way(pass, wanted, place->pages, in_the_way);
    for (size_t i = order.count; i > 0; i--) {
        uint8_t slot = order.slots[i - 1];
        if (!place->victim[slot] || in_the_way[slot])
            continue;
        place->victim[slot] = false;
        place->victim[slot] = !limits_hold(pass, wanted, place->victim);
    }
}

/* PLACE-012: one by one until there is a hole; those that are not in its way stay. */
static bool make_hole(const struct pass *pass, const struct wanted *wanted,
                      struct model_place *place)
{
    struct order order = list_victims(pass, wanted->id);
    bool found = has_hole(pass, wanted, place->victim, place->pages);
    for (size_t i = 0; !found && i < order.count; i++) {
        place->victim[order.slots[i]] = true;
        found = has_hole(pass, wanted, place->victim, place->pages);
    }
    mark_in_the_way(pass, wanted, place->pages, place->victim);
    return found;
}

/* PLACE-019: more victims, of the segment or of all apertures, until the limit holds. */
static bool make_limit(const struct pass *pass, const struct wanted *wanted, uint32_t id,
                       struct model_place *place)
{
    struct order order = list_victims(pass, id);
    for (size_t i = 0; i < order.count && !limit_holds(pass, wanted, id, place->victim); i++) {
        uint8_t slot = order.slots[i];
        place->for_limit[slot] |= !place->victim[slot];
        place->victim[slot] = true;
    }
    return limit_holds(pass, wanted, id, place->victim);
}

/* The essential property: without any one of them the place is not free, or a limit is exceeded. */
static void check_that_all_are_needed(const struct pass *pass, const struct wanted *wanted,
                                      const struct model_place *place)
{
    struct model_place without = *place;
    bool in_the_way[MODEL_ALLOCATIONS];
    mark_in_the_way(pass, wanted, place->pages, in_the_way);
    for (uint8_t slot = 0; slot < MODEL_ALLOCATIONS; slot++) {
        without.victim[slot] = false;
        CHECK(!place->victim[slot] || in_the_way[slot] ||
              !limits_hold(pass, wanted, without.victim));
        without.victim[slot] = place->victim[slot];
    }
}

static bool make_room(const struct pass *pass, const struct wanted *wanted,
                      struct model_place *place)
{
    *place = (struct model_place){ .segment = wanted->id };
    if (!make_hole(pass, wanted, place))
        return false;
    if (!limits_hold(pass, wanted, place->victim)) {
        if ((wanted->id && !make_limit(pass, wanted, wanted->id, place)) ||
            !make_limit(pass, wanted, 0, place))
            return false;
        take_back(pass, wanted, place);
        CHECK(has_hole(pass, wanted, place->victim, place->pages));
        take_back(pass, wanted, place);
    }
    check_that_all_are_needed(pass, wanted, place);
    return true;
}

static bool find_for_task(const struct pass *pass, const uint8_t *owner, bool *pages)
{
    return model_hole(pass->model, &pass->model->allocations[pass->task->slot], pass->candidate,
                      owner, pages);
}

/* Segment 0 of 2.0 has no addresses, only the global limit (SEG-036, PLACE-017). */
static bool goes_to_system(const struct model *model, const struct model_allocation *allocation,
                           uint32_t id)
{
    return model->wddm >= VIDMM_WDDM_2_0 && model->segments[id].aperture &&
           !(allocation->wish.flags & FLAG_PHYSICAL);
}

static bool try_candidate(const struct pass *pass, struct model_place *place)
{
    const struct model *model = pass->model;
    const struct model_allocation *allocation = &model->allocations[pass->task->slot];
    struct wanted wanted = { .id = pass->candidate, .find = find_for_task };
    wanted.bytes = model_footprint(model, allocation, pass->candidate) *
                   model->segments[pass->candidate].page_bytes;
    if (goes_to_system(model, allocation, pass->candidate))
        wanted = (struct wanted){ .bytes = allocation->bytes };
    return make_room(pass, &wanted, place);
}

/* A victim that cannot leave is put back and the search continues without it (PAGE-023). */
static bool try_with_ways_out(struct pass *pass, struct model_place *place)
{
    memset(pass->excluded, 0, sizeof pass->excluded);
    for (;;) {
        if (!try_candidate(pass, place))
            return false;
        bool stuck = false;
        for (uint8_t slot = 0; slot < MODEL_ALLOCATIONS; slot++) {
            if (place->victim[slot] &&
                model_way_out(pass->model, pass->task, slot) == MODEL_WAY_STUCK)
                stuck = pass->excluded[slot] = true;
        }
        if (!stuck)
            return true;
    }
}

static size_t list_candidates(const struct model *model, const struct model_task *task,
                              uint32_t *ids)
{
    const struct model_wish *wish = &model->allocations[task->slot].wish;
    uint32_t left = task->set;
    size_t count = 0;
    for (unsigned i = 0; i < VIDMM_PREFERENCES_MAX; i++) {
        uint32_t id = model_preferred(wish, i);
        if (id == 0 || !(left >> (id - 1) & 1))
            continue;
        ids[count++] = id;
        left &= ~(1u << (id - 1));
    }
    for (uint32_t id = 1; id <= model->segment_count; id++) {
        if (left >> (id - 1) & 1)
            ids[count++] = id;
    }
    return count;
}

/* The order in which the chosen ones leave. */
static void put_in_order(const struct pass *pass, struct model_place *place)
{
    struct pass everybody = *pass;
    everybody.number = 3;
    struct order order = list_all(&everybody, place->segment);
    for (size_t i = 0; i < order.count; i++) {
        if (place->victim[order.slots[i]])
            place->order[place->considered++] = order.slots[i];
    }
}

bool model_find(const struct model *model, const struct model_task *task, struct model_place *place)
{
    uint32_t ids[MODEL_SEGMENTS];
    size_t count = list_candidates(model, task, ids);
    for (int number = 1; number <= (task->may_split ? 2 : 3); number++) {
        for (size_t i = 0; i < count; i++) {
            struct pass pass = { .model = model, .task = task, .candidate = ids[i] };
            bool found = number == 1 && try_with_ways_out(&pass, place);
            pass.number = number;
            if (found || try_with_ways_out(&pass, place)) {
                put_in_order(&pass, place);
                return true;
            }
        }
    }
    return false;
}

/* ---- eviction ranges --------------------------------------------------------------------------
 */

static bool find_for_eviction(const struct pass *pass, const uint8_t *owner, bool *pages)
{
    return model_eviction_hole(pass->model, &pass->model->allocations[pass->task->slot],
                               pass->candidate, owner, pages);
}

static bool range_in(const struct model *model, const struct model_task *task, uint32_t id,
                     struct model_place *place)
{
    struct pass pass = { .model = model, .task = task, .candidate = id, .number = FREE_ONLY };
    struct wanted wanted = { id, model->allocations[task->slot].bytes, find_for_eviction };
    if (make_room(&pass, &wanted, place))
        return true;
    pass.number = 3;
    if (!make_room(&pass, &wanted, place))
        return false;
    put_in_order(&pass, place);
    return true;
}

bool model_find_range(const struct model *model, const struct model_task *task, uint8_t slot,
                      struct model_place *place)
{
    struct model_task leaving = *task;
    leaving.bound[task->slot] = true;
    leaving.slot = slot;
    for (uint32_t id = 1; id <= model->segment_count; id++) {
        if (model->allocations[slot].wish.eviction_set >> (id - 1) & 1 &&
            range_in(model, &leaving, id, place))
            return true;
    }
    return false;
}
