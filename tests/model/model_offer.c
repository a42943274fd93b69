/* SPDX-License-Identifier: MIT */
/*
 * model_offer.c: the reference for offers, see model_manager.h: OFFER-006, OFFER-009, OFFER-013.
 */
#include "tests/model/model_manager.h"
#include "vidmm/ddi/ntstatus.h"

enum { PINNED = 0x300 };

/* OFFER-009. */
static uint32_t level_of(const struct model_allocation *allocation, uint32_t priority)
{
    enum { LOW = 1, NORMAL, HIGH, AUTO };
    if (priority != AUTO)
        return priority;
    return allocation->priority >= 0xA0000000   ? HIGH
           : allocation->priority >= 0x78000000 ? NORMAL
                                                : LOW;
}

vidmm_status model_offer(struct model *model, uint8_t slot, uint32_t priority)
{
    struct model_allocation *allocation = &model->allocations[slot];
    model_begin(model);
    if (model->wddm < VIDMM_WDDM_1_2 || allocation->locks > 0 || allocation->pinned ||
        allocation->wish.flags & PINNED)
        return STATUS_INVALID_PARAMETER;
    if (allocation->state == VIDMM_RESIDENCY_LOST)
        return STATUS_GRAPHICS_ALLOCATION_CONTENT_LOST;
    allocation->offer = level_of(allocation, priority);
    allocation->turn = ++model->offers;
    return STATUS_SUCCESS;
}

vidmm_status model_reclaim(struct model *model, uint8_t slot)
{
    struct model_allocation *allocation = &model->allocations[slot];
    bool discarded = allocation->discarded;
    model_begin(model);
    if (model->wddm < VIDMM_WDDM_1_2)
        return STATUS_INVALID_PARAMETER;
    allocation->offer = 0;
    allocation->discarded = false;
    return discarded ? 1 : 0;
}
