/* SPDX-License-Identifier: MIT */
/*
 * model_level3.c: the reference for a purge, see model_manager.h.
 *
 * SEG-050, TDR-033, TDR-041.
 */
#include "tests/model/model_manager.h"

/* Everything of these apertures, and of system memory if `system`. */
static void empty_apertures(struct model *model, uint32_t set, bool system)
{
    for (uint8_t slot = 0; slot < MODEL_ALLOCATIONS; slot++) {
        const struct model_allocation *allocation = &model->allocations[slot];
        struct model_task task = { .slot = slot };
        if (!allocation->live || allocation->state != VIDMM_RESIDENCY_RESIDENT ||
            model_in_memory(model, allocation))
            continue;
        if (allocation->segment == 0 ? system : set >> (allocation->segment - 1) & 1)
            model_leave(model, &task, slot, MODEL_LEVEL3);
    }
}

/* Memory first. Pinned allocations in the way leave before it, finally all that hold commit. */
static void level3_leave(struct model *model, uint8_t slot)
{
    const struct model_allocation *allocation = &model->allocations[slot];
    struct model_task task = { .slot = slot };
    if (model_way_out(model, &task, slot) == MODEL_WAY_LOST)
        empty_apertures(model, allocation->wish.eviction_set, false);
    if (model_way_out(model, &task, slot) == MODEL_WAY_LOST)
        empty_apertures(model, model_apertures(model), true);
    model_leave(model, &task, slot, MODEL_LEVEL3);
}

static uint64_t first_page(const struct model *model, uint8_t slot)
{
    const struct model_segment *segment = &model->segments[model->allocations[slot].segment];
    uint64_t page = 0;
    while (page < segment->pages && segment->owner[page] != slot + 1)
        page++;
    return page;
}

/* The one in memory of the lowest segment and offset; MODEL_ALLOCATIONS for none. */
static uint8_t first_in_memory(const struct model *model)
{
    uint8_t first = MODEL_ALLOCATIONS;
    for (uint8_t slot = 0; slot < MODEL_ALLOCATIONS; slot++) {
        const struct model_allocation *allocation = &model->allocations[slot];
        if (!allocation->live || !model_in_memory(model, allocation))
            continue;
        const struct model_allocation *best = &model->allocations[first % MODEL_ALLOCATIONS];
        if (first == MODEL_ALLOCATIONS || allocation->segment < best->segment ||
            (allocation->segment == best->segment &&
             first_page(model, slot) < first_page(model, first)))
            first = slot;
    }
    return first;
}

void model_level3(struct model *model)
{
    uint8_t slot;
    model_begin(model);
    while ((slot = first_in_memory(model)) < MODEL_ALLOCATIONS)
        level3_leave(model, slot);
    empty_apertures(model, model_apertures(model), true);
}
