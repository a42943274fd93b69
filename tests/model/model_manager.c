/* SPDX-License-Identifier: MIT */
/*
 * model_manager.c: the reference for the effect of an operation, see model_manager.h.
 *
 * Creation ALLOC-009, ALLOC-015 and FLAG-036; references PLACE-005, PAGE-005 to PAGE-008 and
 * LOCK-051; leaving PAGE-020 to PAGE-038; locks LOCK-032 to LOCK-040; offers OFFER-005 and
 * OFFER-011.
 */
#include "tests/model/model_manager.h"
#include "vidmm/base/base.h"
#include "vidmm/ddi/ntstatus.h"

#include <string.h>

enum {
    CPU_VISIBLE = 0x1,
    PERMANENT = 0x2,
    EXISTING = 0x30,
    PINNED = 0x300,
    LOCK_READ_ONLY = 0x1,
    LOCK_WRITE_ONLY = 0x2,
    LOCK_ENTIRE = 0x10,
};

static bool keeps_copy(const struct model_allocation *allocation)
{
    return allocation->wish.flags & (PERMANENT | EXISTING);
}

bool model_in_memory(const struct model *model, const struct model_allocation *allocation)
{
    return allocation->state == VIDMM_RESIDENCY_RESIDENT && allocation->segment != 0 &&
           !model->segments[allocation->segment].aperture;
}

uint32_t model_apertures(const struct model *model)
{
    uint32_t set = 0;
    for (uint32_t id = 1; id <= model->segment_count; id++)
        set |= model->segments[id].aperture ? 1u << (id - 1) : 0;
    return set;
}

/* ---- start ------------------------------------------------------------------------------------
 */

static void start_segment(struct model_segment *segment, const struct model_segment_wish *wish,
                          uint32_t pinned_percent)
{
    *segment = (struct model_segment){ .aperture = wish->aperture,
                                       .cpu_visible = wish->cpu_visible,
                                       .page_bytes = wish->page_bytes,
                                       .pages = wish->bytes / wish->page_bytes,
                                       .limit = wish->bytes,
                                       .banks = wish->banks };
    if (wish->aperture && wish->limit != 0)
        segment->limit = min_u64(wish->limit, wish->bytes);
    segment->pin_start = segment->pages - segment->pages * pinned_percent / 100;
    for (uint32_t i = 0; i < wish->banks; i++)
        segment->bank_ends[i] = wish->bank_ends[i] / wish->page_bytes;
}

/* SEG-072 to SEG-076. */
static uint64_t shared_memory(const struct model *model, const struct model_adapter_wish *wish)
{
    uint64_t shared = 0;
    for (uint32_t id = 1; id <= model->segment_count; id++)
        shared += model->segments[id].aperture ? model->segments[id].limit : 0;
    if (wish->aperture_commit_limit != 0)
        shared = min_u64(shared, wish->aperture_commit_limit);
    return min_u64(shared, max_u64(wish->memory_bytes / 2, 64u << 20));
}

bool model_start(struct model *model, const struct model_adapter_wish *wish)
{
    memset(model, 0, sizeof *model);
    model->wddm = wish->wddm;
    model->direction_zero = wish->direction_zero;
    model->fallback_lost = wish->fallback_lost;
    model->segment_count = wish->segment_count;
    model->commit_limit = wish->commit_bytes;
    for (uint32_t id = 1; id <= wish->segment_count; id++)
        start_segment(&model->segments[id], &wish->segments[id - 1], wish->pinned_percent);
    model->global_limit = shared_memory(model, wish);
    if (wish->paging_buffer_segment == 0)
        return true;
    struct model_segment *segment = &model->segments[wish->paging_buffer_segment];
    uint64_t pages =
        wish->paging_buffers * divide_up(wish->paging_buffer_bytes, segment->page_bytes);
    if (pages > segment->pages)
        return false;
    memset(segment->owner, MODEL_PAGING_BUFFER, pages);
    return pages * segment->page_bytes <= min_u64(segment->limit, model->global_limit);
}

/* ---- leaving ----------------------------------------------------------------------------------
 */

static void free_pages(struct model *model, uint8_t slot)
{
    struct model_segment *segment = &model->segments[model->allocations[slot].segment];
    for (uint64_t page = 0; page < segment->pages; page++) {
        if (segment->owner[page] == slot + 1)
            segment->owner[page] = MODEL_FREE;
    }
}

static void note_leaver(struct model *model, uint8_t slot, enum model_reason reason)
{
    CHECK(model->leaver_count < MODEL_LEAVERS);
    model->leavers[model->leaver_count++] =
        (struct model_leaver){ slot, reason,
                               model->allocations[slot].state == VIDMM_RESIDENCY_LOST };
}

static enum model_reason reason_of(const struct model_place *place, uint8_t slot,
                                   enum model_reason otherwise)
{
    return place->for_limit[slot] ? MODEL_COMMIT : otherwise;
}

static void clear_way(struct model *model, const struct model_task *task,
                      const struct model_place *place, enum model_reason reason)
{
    for (size_t i = 0; i < place->considered; i++)
        model_leave(model, task, place->order[i], reason_of(place, place->order[i], reason));
}

/* Out of its segment, through an eviction range where one is needed (PAGE-020 to PAGE-038). */
void model_leave(struct model *model, const struct model_task *task, uint8_t slot,
                 enum model_reason reason)
{
    struct model_allocation *allocation = &model->allocations[slot];
    struct model_place range;
    bool memory = model_in_memory(model, allocation), lost = false, ranged = false;
    if (model_needs_range(model, allocation)) {
        model->time_matters |= model->leaving;
        ranged = model_find_range(model, task, slot, &range);
        lost = !ranged && model_blocked(model, slot); /* else PLACE-033 */
        if (ranged)
            clear_way(model, task, &range, MODEL_RANGE);
    }
    model->leaving |= !memory || ranged;
    free_pages(model, slot);
    allocation->state = VIDMM_RESIDENCY_EVICTED;
    if (lost)
        allocation->state = VIDMM_RESIDENCY_LOST;
    else if (allocation->offer ? !(allocation->wish.flags & EXISTING)
                               : memory && allocation->pattern_only && !allocation->locks &&
                                     !keeps_copy(allocation))
        allocation->state = VIDMM_RESIDENCY_NO_CONTENT;
    allocation->discarded |= allocation->offer != 0; /* OFFER-011 */
    allocation->pattern_only &= allocation->state == VIDMM_RESIDENCY_EVICTED;
    allocation->segment = 0;
    allocation->gpu_dirty = false;
    allocation->pinned = false;
    note_leaver(model, slot, reason);
}

/* ---- arriving ---------------------------------------------------------------------------------
 */

static void arrive(struct model *model, uint8_t slot, uint32_t id, const bool *pages)
{
    struct model_allocation *allocation = &model->allocations[slot];
    struct model_segment *segment = &model->segments[id];
    for (uint64_t page = 0; id != 0 && page < segment->pages; page++) {
        if (pages[page])
            segment->owner[page] = (uint8_t)(slot + 1);
    }
    bool moved = model_in_memory(model, allocation);
    bool fresh = allocation->state == VIDMM_RESIDENCY_NO_CONTENT;
    allocation->state = VIDMM_RESIDENCY_RESIDENT;
    allocation->segment = id;
    bool memory = model_in_memory(model, allocation);
    allocation->gpu_dirty &= moved && memory; /* no move reaches the store (PAGE-034) */
    if (fresh)
        allocation->pattern_only = memory && model->wddm < VIDMM_WDDM_2_0;
    memset(allocation->written, 0, sizeof allocation->written);
}

/*
 * Out of memory and into an aperture (PAGE-008). Where that aperture serves its evictions the
 * transfer goes straight to the place; otherwise it leaves first, through a range of its own.
 */
static vidmm_status move_to_aperture(struct model *model, struct model_task *task,
                                     const struct model_place *place)
{
    struct model_allocation *allocation = &model->allocations[task->slot];
    bool serves = allocation->wish.eviction_set >> (place->segment - 1) & 1;
    bool clean = keeps_copy(allocation) && !allocation->gpu_dirty; /* nothing to transfer */
    if (serves && !clean) {
        free_pages(model, task->slot);
    } else if (model_way_out(model, task, task->slot) == MODEL_WAY_STUCK) {
        return STATUS_GRAPHICS_NO_VIDEO_MEMORY;
    } else {
        model_leave(model, task, task->slot, MODEL_MOVE);
        if (allocation->state == VIDMM_RESIDENCY_LOST)
            return STATUS_GRAPHICS_ALLOCATION_CONTENT_LOST;
    }
    arrive(model, task->slot, place->segment, place->pages);
    return STATUS_SUCCESS;
}

static vidmm_status bring_in(struct model *model, struct model_task *task)
{
    struct model_allocation *allocation = &model->allocations[task->slot];
    struct model_place place;
    model->time_matters |= model->leaving && task->set & model_apertures(model);
    if (!model_find(model, task, &place))
        return STATUS_GRAPHICS_NO_VIDEO_MEMORY;
    clear_way(model, task, &place, allocation->wish.flags & PINNED ? MODEL_PIN : MODEL_ROOM);
    if (model_in_memory(model, allocation) && model->segments[place.segment].aperture)
        return move_to_aperture(model, task, &place);
    if (allocation->state == VIDMM_RESIDENCY_RESIDENT) {
        model->leaving |= !model_in_memory(model, allocation);
        free_pages(model, task->slot);
    }
    arrive(model, task->slot, place.segment, place.pages);
    return STATUS_SUCCESS;
}

/* ---- references -------------------------------------------------------------------------------
 */

static uint32_t set_of(const struct model *model, const struct model_allocation *allocation,
                       bool write)
{
    if (model->wddm >= VIDMM_WDDM_2_0 || write)
        return allocation->wish.write_set;
    return allocation->wish.read_set;
}

/* System memory of 2.0 represents the aperture of the set. */
static bool is_there(const struct model_allocation *allocation, uint32_t set)
{
    return allocation->state == VIDMM_RESIDENCY_RESIDENT &&
           (allocation->segment == 0 || set >> (allocation->segment - 1) & 1);
}

/* The reason why a submission with it is refused, before anything is done (SUBMIT-015). */
vidmm_status model_check_reference(const struct model *model, uint8_t slot, bool write)
{
    const struct model_allocation *allocation = &model->allocations[slot];
    uint32_t set = set_of(model, allocation, write);
    if (allocation->offer)
        return STATUS_INVALID_PARAMETER;
    if (allocation->state == VIDMM_RESIDENCY_LOST)
        return STATUS_GRAPHICS_ALLOCATION_CONTENT_LOST;
    if (set == 0)
        return STATUS_GRAPHICS_INVALID_ALLOCATION_USAGE;
    if (allocation->locks > 0 && (set & model_apertures(model)) == 0)
        return STATUS_GRAPHICS_CANT_RENDER_LOCKED_ALLOCATION;
    if (allocation->locks > 0 && model_is_pinned(allocation) && model_in_memory(model, allocation))
        return STATUS_GRAPHICS_CANT_RENDER_LOCKED_ALLOCATION;
    if (allocation->locks > 0)
        set &= model_apertures(model);
    if (model_is_pinned(allocation) && !is_there(allocation, set))
        return STATUS_GRAPHICS_CANT_EVICT_PINNED_ALLOCATION;
    return STATUS_SUCCESS;
}

vidmm_status model_reference(struct model *model, struct model_task *task, bool write)
{
    struct model_allocation *allocation = &model->allocations[task->slot];
    task->set = set_of(model, allocation, write);
    if (allocation->locks > 0)
        task->set &= model_apertures(model);
    return is_there(allocation, task->set) ? STATUS_SUCCESS : bring_in(model, task);
}

void model_begin(struct model *model)
{
    model->leaver_count = 0;
    model->leaving = model->time_matters = false;
}

vidmm_status model_page_in(struct model *model, uint8_t slot, bool write)
{
    struct model_task task = { .slot = slot };
    model_begin(model);
    vidmm_status status = model_check_reference(model, slot, write);
    if (status == STATUS_SUCCESS)
        status = model_reference(model, &task, write);
    if (status == STATUS_SUCCESS)
        model->allocations[slot].last_use = ++model->uses;
    return status;
}

/* ---- life -------------------------------------------------------------------------------------
 */

/* The backing store of an existing range was charged to the creator of the range. */
static uint64_t commitment(const struct model_allocation *allocation)
{
    return allocation->wish.flags & EXISTING ? 0 : allocation->bytes;
}

static bool fits_somewhere(const struct model *model, const struct model_allocation *allocation)
{
    const struct model_wish *wish = &allocation->wish;
    uint32_t set = wish->write_set;
    if (model->wddm < VIDMM_WDDM_2_0)
        set |= wish->read_set;
    for (uint32_t id = 1; id <= model->segment_count; id++) {
        const struct model_segment *segment = &model->segments[id];
        uint64_t room = segment->pages - (wish->flags & PINNED ? segment->pin_start : 0);
        uint64_t need = model_footprint(model, allocation, id);
        if (set >> (id - 1) & 1 && need <= room && need * segment->page_bytes <= segment->limit)
            return true;
    }
    return false;
}

vidmm_status model_create(struct model *model, uint8_t slot, const struct model_wish *wish)
{
    struct model_allocation *allocation = &model->allocations[slot];
    model_begin(model);
    memset(allocation, 0, sizeof *allocation);
    allocation->wish = *wish;
    allocation->bytes = align_up(wish->bytes, MODEL_HOST_PAGE);
    allocation->priority = wish->priority;
    allocation->state = wish->has_content || wish->flags & EXISTING ? VIDMM_RESIDENCY_EVICTED
                                                                    : VIDMM_RESIDENCY_NO_CONTENT;
    if (!fits_somewhere(model, allocation))
        return STATUS_GRAPHICS_NO_VIDEO_MEMORY;
    if (model->commit_limit != 0 &&
        model->commit_charged + commitment(allocation) > model->commit_limit)
        return STATUS_NO_MEMORY;
    struct model_task task = { .slot = slot,
                               .set = wish->write_set ? wish->write_set : wish->read_set };
    if (wish->flags & PINNED) {
        vidmm_status status = bring_in(model, &task);
        if (status != STATUS_SUCCESS)
            return status;
    }
    allocation->live = true;
    model->commit_charged += commitment(allocation);
    return STATUS_SUCCESS;
}

void model_destroy(struct model *model, uint8_t slot)
{
    struct model_allocation *allocation = &model->allocations[slot];
    model_begin(model);
    if (allocation->state == VIDMM_RESIDENCY_RESIDENT)
        free_pages(model, slot);
    model->commit_charged -= commitment(allocation);
    allocation->live = false;
}

vidmm_status model_evict(struct model *model, uint8_t slot)
{
    struct model_task task = { .slot = slot };
    model_begin(model);
    if (model_is_pinned(&model->allocations[slot]))
        return STATUS_GRAPHICS_CANT_EVICT_PINNED_ALLOCATION;
    if (model->allocations[slot].state == VIDMM_RESIDENCY_RESIDENT)
        model_leave(model, &task, slot, MODEL_SCRIPT);
    return STATUS_SUCCESS;
}

vidmm_status model_pin(struct model *model, uint8_t slot)
{
    model_begin(model);
    if (model->allocations[slot].state != VIDMM_RESIDENCY_RESIDENT ||
        model->allocations[slot].offer)
        return STATUS_INVALID_PARAMETER;
    model->allocations[slot].pinned = true;
    return STATUS_SUCCESS;
}

vidmm_status model_unpin(struct model *model, uint8_t slot)
{
    model_begin(model);
    if (model->allocations[slot].wish.flags & PINNED || !model->allocations[slot].pinned)
        return STATUS_INVALID_PARAMETER;
    model->allocations[slot].pinned = false;
    return STATUS_SUCCESS;
}

vidmm_status model_priority(struct model *model, uint8_t slot, uint32_t priority)
{
    model_begin(model);
    if (priority == 0)
        return STATUS_INVALID_PARAMETER;
    model->allocations[slot].priority = priority;
    return STATUS_SUCCESS;
}

/* ---- CPU access -------------------------------------------------------------------------------
 */

static vidmm_status check_lock(const struct model_allocation *allocation, uint32_t flags,
                               struct model_pages pages)
{
    if ((flags & LOCK_READ_ONLY && flags & LOCK_WRITE_ONLY) ||
        (flags & LOCK_ENTIRE && pages.count > 0) ||
        (pages.count > 0 && pages.first + pages.count > allocation->bytes / MODEL_HOST_PAGE) ||
        !(allocation->wish.flags & CPU_VISIBLE))
        return STATUS_INVALID_PARAMETER;
    if (allocation->state == VIDMM_RESIDENCY_LOST)
        return STATUS_GRAPHICS_ALLOCATION_CONTENT_LOST;
    return allocation->offer ? STATUS_INVALID_PARAMETER : STATUS_SUCCESS;
}

static void mark_written(struct model_allocation *allocation, struct model_pages pages)
{
    uint64_t count = allocation->bytes / MODEL_HOST_PAGE;
    for (uint64_t page = 0; page < count; page++) {
        if (pages.count == 0 || (page >= pages.first && page < pages.first + pages.count))
            allocation->written[page] = true;
    }
}

vidmm_status model_lock(struct model *model, uint8_t slot, uint32_t flags, struct model_pages pages)
{
    struct model_allocation *allocation = &model->allocations[slot];
    struct model_task task = { .slot = slot };
    model_begin(model);
    vidmm_status status = check_lock(allocation, flags, pages);
    if (status != STATUS_SUCCESS)
        return status;
    if (keeps_copy(allocation)) {
        allocation->gpu_dirty = false;
        if (!(flags & LOCK_READ_ONLY))
            mark_written(allocation, pages);
    } else if (model_in_memory(model, allocation) &&
               !model->segments[allocation->segment].cpu_visible) {
        if (model_is_pinned(allocation))
            return STATUS_GRAPHICS_CANT_EVICT_PINNED_ALLOCATION;
        model_leave(model, &task, slot, MODEL_LOCK);
        if (allocation->state == VIDMM_RESIDENCY_LOST)
            return STATUS_GRAPHICS_ALLOCATION_CONTENT_LOST;
    }
    if (allocation->state == VIDMM_RESIDENCY_NO_CONTENT)
        allocation->state = VIDMM_RESIDENCY_EVICTED;
    allocation->locks++;
    allocation->last_use = ++model->uses;
    return STATUS_SUCCESS;
}

vidmm_status model_unlock(struct model *model, uint8_t slot)
{
    struct model_allocation *allocation = &model->allocations[slot];
    model_begin(model);
    if (allocation->locks == 0)
        return STATUS_INVALID_PARAMETER;
    if (--allocation->locks == 0)
        memset(allocation->written, 0, sizeof allocation->written);
    return STATUS_SUCCESS;
}

void model_write(struct model *model, uint8_t slot)
{
    model_begin(model);
    model->allocations[slot].pattern_only = false;
}
