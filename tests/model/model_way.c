/* SPDX-License-Identifier: MIT */
/*
 * model_way.c: the reference for eviction routes and for committed bytes, see model_manager.h.
 */
#include "tests/model/model_manager.h"
#include "vidmm/base/base.h"

enum { FLAG_PERMANENT = 0x2, FLAG_EXISTING = 0x30, FLAG_PHYSICAL = 0x8000 };

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

/* Pages that no eviction for a range ever frees. */
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

/* It would fit into the segment, but for the place of allocations that stay there (PLACE-030). */
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
