/* SPDX-License-Identifier: MIT */
/*
 * model_submit.c: the reference for a submission, see model_manager.h.
 *
 * Written from the steps of SUBMIT-031: group after group is bound and brought in. One that does
 * not fit beside the others ends the portion, and begins the next one with the allocations in
 * slots that it does not write. One that does not fit on its own leaves, as far as it may, and is
 * placed again, the largest first (step 6); then the rest is given up (SUBMIT-038).
 */
#include <stdlib.h>
#include <string.h>

#include "tests/model/model_manager.h"
#include "vidmm/base/base.h"

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

/* One submission. The slot table holds numbers of uses, plus one. */
struct work {
    struct model *model;
    const struct model_use *uses;
    size_t count;
    size_t first, behind; /* the present group */
    size_t table[MODEL_USES];
    bool portion[MODEL_USES]; /* uses that the portion binds */
    bool kept[MODEL_ALLOCATIONS];
    struct model_task task;
};

static size_t list_movers(const struct work *work, struct mover *movers)
{
    size_t n = 0;
    for (size_t i = work->first; i < work->behind; i++) {
        const struct model_use *use = &work->uses[i];
        const struct model_allocation *allocation = &work->model->allocations[use->slot];
        if (!use->none && !model_is_pinned(allocation) && allocation->locks == 0 &&
            !work->kept[use->slot])
            movers[n++] = (struct mover){ allocation->bytes, allocation->tie, *use };
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
    if (model->allocations[use.slot].state == VIDMM_RESIDENCY_LOST)
        return STATUS_GRAPHICS_ALLOCATION_CONTENT_LOST; /* by an earlier group */
    vidmm_status status = model_reference(model, task, use.write);
    if (status == STATUS_SUCCESS)
        model->allocations[use.slot].last_use = model->uses;
    return status;
}

static vidmm_status refer_group(struct work *work)
{
    vidmm_status status = STATUS_SUCCESS;
    for (size_t i = work->first; i < work->behind && status == STATUS_SUCCESS; i++)
        if (!work->uses[i].none)
            status = refer(work->model, &work->task, work->uses[i]);
    return status;
}

static vidmm_status shuffle(struct work *work)
{
    struct mover movers[MODEL_USES];
    size_t n = list_movers(work, movers);
    vidmm_status status = STATUS_SUCCESS;
    for (size_t i = 0; i < n; i++)
        move_out(work->model, &work->task, movers[i].use.slot);
    for (size_t i = 0; i < n && status == STATUS_SUCCESS; i++)
        status = refer(work->model, &work->task, movers[i].use);
    return status == STATUS_SUCCESS ? refer_group(work) : status;
}

static vidmm_status refer_alone(struct work *work)
{
    vidmm_status status = refer_group(work);
    bool several = work->behind - work->first > 1;
    return status == STATUS_GRAPHICS_NO_VIDEO_MEMORY && several ? shuffle(work) : status;
}

static uint8_t bind(struct work *work, size_t use)
{
    uint8_t slot = work->uses[use].slot;
    work->portion[use] = true;
    work->task.bound[slot] = true;
    return slot;
}

/* Steps 1 and 2. True when the portion binds nothing but this group. */
static bool bind_group(struct work *work)
{
    bool alone = true;
    for (size_t i = 0; i < work->count; i++)
        alone &= !work->portion[i];
    work->behind = work->first;
    while (work->behind < work->count &&
           work->uses[work->behind].group == work->uses[work->first].group) {
        const struct model_use *use = &work->uses[work->behind];
        work->table[use->slot_id] = use->none ? 0 : work->behind + 1;
        if (!use->none)
            (void)bind(work, work->behind);
        work->behind++;
    }
    return alone;
}

static void end_portion(const struct work *work)
{
    for (size_t i = 0; i < work->count; i++) {
        struct model_allocation *allocation = &work->model->allocations[work->uses[i].slot];
        if (!work->portion[i])
            continue;
        allocation->gpu_dirty |= work->uses[i].write && model_in_memory(work->model, allocation);
        allocation->pattern_only &= !work->uses[i].write;
    }
}

/* Step 5: the portion ends before the group. */
static void cut(struct work *work)
{
    for (size_t i = work->first; i < work->behind; i++)
        work->portion[i] = false;
    end_portion(work);
    work->model->uses++;
    work->model->splits++;
    memset(work->portion, 0, sizeof work->portion);
    memset(work->kept, 0, sizeof work->kept);
    memset(work->task.bound, 0, sizeof work->task.bound);
    for (size_t i = 0; i < MODEL_USES; i++)
        if (work->table[i] != 0 && work->table[i] - 1 < work->first)
            work->kept[bind(work, work->table[i] - 1)] = true;
    for (size_t i = work->first; i < work->behind; i++)
        if (!work->uses[i].none)
            (void)bind(work, i);
}

static vidmm_status bring(struct work *work)
{
    if (bind_group(work))
        return refer_alone(work);
    work->task.may_split = true;
    vidmm_status status = refer_group(work);
    work->task.may_split = false;
    if (status != STATUS_GRAPHICS_NO_VIDEO_MEMORY)
        return status;
    cut(work);
    return refer_alone(work);
}

static vidmm_status check_all(const struct work *work)
{
    vidmm_status status = STATUS_SUCCESS;
    for (size_t i = 0; i < work->count && status == STATUS_SUCCESS; i++)
        if (!work->uses[i].none)
            status = model_check_reference(work->model, work->uses[i].slot, work->uses[i].write);
    return status;
}

/* A submission that fails has used the allocations that it found a place for. A portion that a
 * node already has makes it a success, except for the device (SUBMIT-038). */
vidmm_status model_submit(struct model *model, const struct model_use *uses, size_t count)
{
    struct work work = { .model = model, .uses = uses, .count = count };
    model_begin(model);
    model->gave_up = false;
    model->splits = 0;
    vidmm_status status = check_all(&work);
    if (status != STATUS_SUCCESS)
        return status;
    model->uses++;
    for (; work.first < count && status == STATUS_SUCCESS; work.first = work.behind)
        status = bring(&work);
    if (status == STATUS_SUCCESS)
        end_portion(&work);
    model->gave_up = status == STATUS_GRAPHICS_NO_VIDEO_MEMORY ||
                     (status != STATUS_SUCCESS && model->splits > 0);
    return model->splits > 0 ? STATUS_SUCCESS : status;
}
