/* SPDX-License-Identifier: MIT */
/*
 * model_submit.c: the reference for a submission, see model_manager.h.
 *
 * All of it is one split group. When it does not fit, its allocations leave, as far as they may,
 * and are placed again, the largest first (SUBMIT-031, step 6); then it is given up (SUBMIT-038).
 */
#include <stdlib.h>

#include "tests/model_manager.h"
#include "vidmm/base.h"

struct mover {
    uint64_t bytes;
    uint32_t tie;
    struct model_use use;
};

static int by_size(const void *left, const void *right)
{
    const struct mover *a = left, *b = right;
    if (a->bytes != b->bytes)
        return a->bytes > b->bytes ? -1 : 1;
    return a->tie < b->tie ? -1 : a->tie > b->tie;
}

static size_t list_movers(const struct model *model, const struct model_use *uses, size_t count,
                          struct mover *movers)
{
    size_t n = 0;
    for (size_t i = 0; i < count; i++) {
        const struct model_allocation *allocation = &model->allocations[uses[i].slot];
        if (!model_is_pinned(allocation) && allocation->locks == 0)
            movers[n++] = (struct mover){ allocation->bytes, allocation->tie, uses[i] };
    }
    qsort(movers, n, sizeof *movers, by_size);
    return n;
}

static void move_out(struct model *model, struct model_task *task, uint8_t slot)
{
    struct model_allocation *allocation = &model->allocations[slot];
    if (allocation->state != VIDMM_RESIDENCY_RESIDENT)
        return;
    task->slot = slot;
    model->time_matters |= model->leaving && model_needs_range(model, allocation);
    if (!model_in_memory(model, allocation) || model_way_out(model, task, slot) == MODEL_WAY_OPEN)
        model_leave(model, task, slot, MODEL_ROOM);
}

static vidmm_status refer(struct model *model, struct model_task *task, struct model_use use)
{
    task->slot = use.slot;
    vidmm_status status = model_reference(model, task, use.write);
    if (status == STATUS_SUCCESS)
        model->allocations[use.slot].last_use = model->uses;
    return status;
}

static vidmm_status refer_all(struct model *model, struct model_task *task,
                              const struct model_use *uses, size_t count)
{
    vidmm_status status = STATUS_SUCCESS;
    for (size_t i = 0; i < count && status == STATUS_SUCCESS; i++)
        status = refer(model, task, uses[i]);
    return status;
}

static vidmm_status shuffle(struct model *model, struct model_task *task,
                            const struct model_use *uses, size_t count)
{
    struct mover movers[MODEL_USES];
    size_t n = list_movers(model, uses, count, movers);
    vidmm_status status = STATUS_SUCCESS;
    for (size_t i = 0; i < n; i++)
        move_out(model, task, movers[i].use.slot);
    for (size_t i = 0; i < n && status == STATUS_SUCCESS; i++)
        status = refer(model, task, movers[i].use);
    return status == STATUS_SUCCESS ? refer_all(model, task, uses, count) : status;
}

/* A submission that fails has used what it found a place for before. */
vidmm_status model_submit(struct model *model, const struct model_use *uses, size_t count)
{
    struct model_task task = { .slot = 0 };
    model_begin(model);
    for (size_t i = 0; i < count; i++) {
        vidmm_status status = model_check_reference(model, uses[i].slot, uses[i].write);
        if (status != STATUS_SUCCESS)
            return status;
        task.bound[uses[i].slot] = true;
    }
    model->uses++;
    vidmm_status status = refer_all(model, &task, uses, count);
    if (status == STATUS_GRAPHICS_NO_VIDEO_MEMORY && count > 1 && model->wddm < VIDMM_WDDM_2_0)
        status = shuffle(model, &task, uses, count);
    if (status != STATUS_SUCCESS)
        return status;
    for (size_t i = 0; i < count; i++) {
        struct model_allocation *allocation = &model->allocations[uses[i].slot];
        allocation->gpu_dirty |= uses[i].write && model_in_memory(model, allocation);
        allocation->pattern_only &= !uses[i].write;
    }
    return STATUS_SUCCESS;
}
