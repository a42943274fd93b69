/* SPDX-License-Identifier: MIT */
/*
 * model_place.c: the reference for searches and victims, see model_manager.h.
 *
 * Candidates PLACE-004, passes PLACE-011, victims PLACE-012, commit limits PLACE-019, pinned
 * requests PLACE-024, eviction ranges PLACE-028 and PAGE-023, offers OFFER-010.
 */
#include "tests/model_manager.h"
#include "vidmm/base.h"

#include <stdlib.h>
#include <string.h>

enum {
    FLAG_PINNED = 0x300,
    FLAG_PERMANENT = 0x2,
    FLAG_EXISTING = 0x30,
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

/* Nobody's pass: who could ever leave while the task is served. */
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
    bool excluded[MODEL_ALLOCATIONS]; /* no way out for them (PAGE-023) */
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

uint64_t model_committed(const struct model *model, uint32_t segment)
{
    uint64_t pages = 0;
    for (uint64_t page = 0; page < model->segments[segment].pages; page++)
        pages += model->segments[segment].owner[page] != MODEL_FREE;
    return pages * model->segments[segment].page_bytes;
}

uint64_t model_committed_global(const struct model *model)
{
    uint64_t bytes = 0;
    for (uint32_t id = 1; id <= model->segment_count; id++)
        bytes += model->segments[id].aperture ? model_committed(model, id) : 0;
    for (size_t slot = 0; slot < MODEL_ALLOCATIONS; slot++) {
        const struct model_allocation *allocation = &model->allocations[slot];
        if (allocation->live && allocation->state == VIDMM_RESIDENCY_RESIDENT &&
            allocation->segment == 0)
            bytes += allocation->bytes;
    }
    return bytes;
}

/* PLACE-019: victims until both limits hold. `id` 0: only the global one. */
static bool keep_limits(const struct pass *pass, uint32_t id, uint64_t bytes,
                        struct model_place *place)
{
    const struct model *model = pass->model;
    uint64_t global = model_committed_global(model) + bytes;
    uint64_t own = id ? model_committed(model, id) + bytes : 0;
    struct order order = list_victims(pass, id);
    for (size_t i = 0; id && i < order.count && own > model->segments[id].limit; i++) {
        own -= model->allocations[order.slots[i]].bytes;
        global -= model->allocations[order.slots[i]].bytes;
        place->victim[order.slots[i]] = place->for_limit[order.slots[i]] = true;
    }
    if (id && own > model->segments[id].limit)
        return false;
    order = list_victims(pass, 0);
    for (size_t i = 0; i < order.count && global > model->global_limit; i++) {
        if (place->victim[order.slots[i]])
            continue;
        global -= model->allocations[order.slots[i]].bytes;
        place->victim[order.slots[i]] = place->for_limit[order.slots[i]] = true;
    }
    return global <= model->global_limit;
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

static void choose_overlapping(const struct model_segment *segment, const bool *pretended,
                               struct model_place *place)
{
    for (uint64_t page = 0; page < segment->pages; page++) {
        uint8_t owner = segment->owner[page];
        if (place->pages[page] && owner != MODEL_FREE && pretended[owner - 1])
            place->victim[owner - 1] = true;
    }
}

typedef bool (*hole_finder)(const struct pass *pass, const uint8_t *owner, bool *pages);

/* Victims leave a copy of the segment one by one until there is a hole (PLACE-012). */
static bool make_room(const struct pass *pass, uint64_t bytes, hole_finder find,
                      struct model_place *place)
{
    const struct model_segment *segment = &pass->model->segments[pass->candidate];
    uint8_t owner[MODEL_PAGES];
    bool pretended[MODEL_ALLOCATIONS] = { false };
    *place = (struct model_place){ .segment = pass->candidate };
    memcpy(owner, segment->owner, sizeof owner);
    if (segment->aperture && !keep_limits(pass, pass->candidate, bytes, place))
        return false;
    for (uint8_t slot = 0; slot < MODEL_ALLOCATIONS; slot++) {
        if (place->victim[slot] && pass->model->allocations[slot].segment == pass->candidate)
            pretend_away(owner, slot);
    }
    struct order order = list_victims(pass, pass->candidate);
    bool found = find(pass, owner, place->pages);
    for (size_t i = 0; !found && i < order.count; i++) {
        pretend_away(owner, order.slots[i]);
        pretended[order.slots[i]] = true;
        found = find(pass, owner, place->pages);
    }
    choose_overlapping(segment, pretended, place);
    return found;
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
    if (goes_to_system(model, allocation, pass->candidate)) {
        *place = (struct model_place){ .segment = 0 };
        return keep_limits(pass, 0, allocation->bytes, place);
    }
    uint64_t bytes = model_footprint(model, allocation, pass->candidate) *
                     model->segments[pass->candidate].page_bytes;
    return make_room(pass, bytes, find_for_task, place);
}

/* A victim that cannot leave is put back and the search goes on without it (PAGE-023). */
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
    struct order order = list_victims(&everybody, place->segment);
    struct order shared = list_victims(&everybody, 0);
    for (size_t i = 0; i < order.count; i++) {
        if (place->victim[order.slots[i]] && place->segment != 0)
            place->order[place->considered++] = order.slots[i];
    }
    for (size_t i = 0; i < shared.count; i++) {
        uint8_t slot = shared.slots[i];
        if (place->victim[slot] &&
            (place->segment == 0 || pass->model->allocations[slot].segment != place->segment))
            place->order[place->considered++] = slot;
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

bool model_needs_range(const struct model *model, const struct model_allocation *allocation)
{
    uint32_t flags = allocation->wish.flags;
    if (allocation->segment == 0 || model->segments[allocation->segment].aperture ||
        allocation->wish.eviction_set == 0 || allocation->offer)
        return false;
    if (model->wddm >= VIDMM_WDDM_2_0 && !(flags & FLAG_PHYSICAL))
        return false;
    if (flags & (FLAG_PERMANENT | FLAG_EXISTING))
        return allocation->gpu_dirty;
    return !allocation->pattern_only || allocation->locks > 0;
}

static bool find_for_eviction(const struct pass *pass, const uint8_t *owner, bool *pages)
{
    return model_eviction_hole(pass->model, &pass->model->allocations[pass->task->slot],
                               pass->candidate, owner, pages);
}

static bool range_in(const struct model *model, const struct model_task *task, uint32_t id,
                     struct model_place *place)
{
    struct pass pass = { .model = model, .task = task, .candidate = id, .number = FREE_ONLY };
    uint64_t bytes = model->allocations[task->slot].bytes;
    if (make_room(&pass, bytes, find_for_eviction, place))
        return true;
    pass.number = 3;
    if (!make_room(&pass, bytes, find_for_eviction, place))
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

/* What no eviction for a range ever takes away. */
static bool stays(const struct model *model, uint8_t owner)
{
    return owner == MODEL_PAGING_BUFFER ||
           (owner != MODEL_FREE && model_is_pinned(&model->allocations[owner - 1]));
}

/* Bytes under the global limit that stay, outside of segment `id`. */
static uint64_t staying_elsewhere(const struct model *model, uint32_t id)
{
    uint64_t bytes = 0;
    for (uint32_t other = 1; other <= model->segment_count; other++) {
        const struct model_segment *segment = &model->segments[other];
        for (uint64_t page = 0; segment->aperture && other != id && page < segment->pages; page++)
            bytes += stays(model, segment->owner[page]) ? segment->page_bytes : 0;
    }
    for (size_t slot = 0; slot < MODEL_ALLOCATIONS; slot++) {
        const struct model_allocation *allocation = &model->allocations[slot];
        if (allocation->live && allocation->segment == 0 && model_is_pinned(allocation))
            bytes += allocation->bytes;
    }
    return bytes;
}

/* It would fit into the segment, but for the place of what stays there (PLACE-030). */
static bool is_blocked(const struct model *model, uint8_t slot, uint32_t id)
{
    const struct model_allocation *allocation = &model->allocations[slot];
    const struct model_segment *segment = &model->segments[id];
    uint8_t owner[MODEL_PAGES] = { MODEL_FREE };
    bool pages[MODEL_PAGES];
    if (allocation->bytes > segment->pages * segment->page_bytes ||
        allocation->bytes > segment->limit ||
        staying_elsewhere(model, id) + allocation->bytes > model->global_limit)
        return false;
    for (uint64_t page = 0; page < segment->pages; page++) {
        if (stays(model, segment->owner[page]))
            owner[page] = segment->owner[page];
    }
    return !model_eviction_hole(model, allocation, id, owner, pages);
}

bool model_blocked(const struct model *model, uint8_t slot)
{
    bool blocked = model->fallback_lost;
    for (uint32_t id = 1; id <= model->segment_count; id++) {
        if (model->allocations[slot].wish.eviction_set >> (id - 1) & 1)
            blocked |= is_blocked(model, slot, id);
    }
    return blocked;
}

enum model_way model_way_out(const struct model *model, const struct model_task *task, uint8_t slot)
{
    struct model_place place;
    struct model_task alone = { .slot = slot };
    if (!model_needs_range(model, &model->allocations[slot]) ||
        model_find_range(model, task, slot, &place))
        return MODEL_WAY_OPEN;
    if (model_find_range(model, &alone, slot, &place))
        return MODEL_WAY_STUCK;
    return model_blocked(model, slot) ? MODEL_WAY_LOST : MODEL_WAY_OPEN; /* PLACE-033 */
}
