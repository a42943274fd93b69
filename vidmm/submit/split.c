/* SPDX-License-Identifier: MIT */
/*
 * split.c: what a DMA buffer binds becomes resident, and a buffer whose allocations do not fit
 * together is split.
 *
 * Patch locations with one SplitOffset are a group. Group by group, in the order of the list, its
 * allocations are bound and brought in; nobody that the portion binds is a victim. When one finds
 * no place, what is ready goes to the node as a portion that ends at the SplitOffset of the group.
 * What stands in a slot that the group does not write stays bound, at its address; everybody else
 * may leave now, and the whole group is tried again. A group that stands at the beginning of its
 * portion is on its own: its allocations leave, and come back largest first. If that does not help
 * either, the rest of the buffer is dropped, and the device is in error.
 *
 * Each portion is one preparation: its paging buffers go out before it and behind the portion
 * before. The lists are in reach of the driver: what counts is a copy of them.
 *
 * Rules not named below: SUBMIT-012, SUBMIT-013, SUBMIT-032, SUBMIT-033.
 */
#include "paging/residency/link.h"
#include "vidmm/submit/submission.h"

#include <stdlib.h>
#include <string.h>

#include "paging/buffer/buffer.h"
#include "paging/residency/residency.h"
#include "paging/store/turns.h"
#include "vidmm/share/share.h"
#include "vidmm/submit/submit_state.h"

struct split {
    adapter_t *adapter;
    struct submission *submission;
    D3DDDI_PATCHLOCATIONLIST *locations;
    struct portion portion; /* that is being prepared; its end is not known yet */
    size_t group, behind;   /* locations of the present group */
    size_t fresh;           /* elements that this group was the first to bind */
    uint64_t kept;          /* elements that the last split kept bound */
    uint64_t bound;         /* elements that the portion binds */
    bool based;             /* the context and the buffer have their place */
};

static struct element *element_at(const struct split *split, size_t location)
{
    return &split->submission->elements[split->locations[location].AllocationIndex];
}

static size_t *slot_at(const struct split *split, size_t location)
{
    return &split->adapter->submit->scratch.slots[split->locations[location].SlotId];
}

/* ---- binding -------------------------------------------------------------------------------- */

/* True: the portion did not bind it before. */
static bool bind_element(struct split *split, struct element *element)
{
    bool first = element->portion != split->submission->portion;
    element->portion = split->submission->portion;
    split->bound += first;
    if (element->allocation->pageable.place.bound_in != paging_preparation(split->adapter))
        residency_bind(split->adapter, &element->allocation->pageable);
    return first;
}

/* Step 2: the slots hold what the group writes, NULL empties one. */
static void bind_group(struct split *split)
{
    struct submit_scratch *scratch = &split->adapter->submit->scratch;
    split->fresh = 0;
    for (size_t i = split->group; i < split->behind; i++) {
        struct element *element = element_at(split, i);
        *slot_at(split, i) = element->allocation ? i + 1 : 0;
        if (!element->allocation) {
            applies(split->adapter, RULE(SUBMIT_014));
            continue;
        }
        if (!bind_element(split, element))
            continue;
        BASE_GROW(scratch->group, scratch->group_capacity, split->fresh + 1);
        scratch->group[split->fresh++] = split->locations[i].AllocationIndex;
    }
}

/* What earlier groups left in slots that this one does not write. */
static void bind_kept(struct split *split)
{
    split->kept = 0;
    for (size_t i = 0; i < split->group; i++) {
        if (*slot_at(split, i) != i + 1)
            continue;
        struct element *element = element_at(split, i);
        element->kept = true;
        split->kept += bind_element(split, element);
    }
}

/* What is written anywhere in the buffer is written in each portion (SUBMIT-004). */
static void stamp_written(const struct split *split)
{
    const struct submission *submission = split->submission;
    for (size_t i = 0; i < submission->count; i++) {
        struct element *element = &submission->elements[i];
        if (element->allocation && element->write)
            element->allocation->use.bound_write = paging_preparation(split->adapter);
        element->kept = false;
    }
}

/* SUBMIT-008: several elements of one allocation join. The list of a present is not the caller's:
   what is copied onto itself stands in it twice. */
static void count_list(struct split *split)
{
    adapter_t *adapter = split->adapter;
    const struct submission *submission = split->submission;
    struct device *device = submission->context->device;
    for (size_t i = 0; i < submission->count; i++) {
        struct allocation *allocation = submission->elements[i].allocation;
        if (!allocation) {
            count_device(adapter, VIDMM_COUNTER_NULL_REFS, device, 1);
            continue;
        }
        count_device(adapter, VIDMM_COUNTER_ALLOCS_REFERENCED, device, 1);
        if (submission->elements[i].write)
            count_device(adapter, VIDMM_COUNTER_WRITE_REFS, device, 1);
        if (allocation->use.listed_in == paging_preparation(adapter) && !submission->present)
            finding(adapter, RULE(SUBMIT_008), allocation->pageable.handle,
                    "%s appears more than once in the allocation list; one element is enough, with "
                    "WriteOperation if the GPU writes it",
                    allocation->pageable.label);
        allocation->use.listed_in = paging_preparation(adapter);
    }
}

/* ---- bringing in ---------------------------------------------------------------------------- */

/* RES-002, RES-032: from 2.0 on a list brings nothing in; what it names has to be there. */
static vidmm_status require_resident(adapter_t *adapter, struct allocation *allocation,
                                     struct device *device)
{
    bool resident = true; /* every copy (LINK-008) */
    applies(adapter, RULE(RES_002));
    for (const struct pageable *a = &allocation->pageable; a; a = a->place.next_copy)
        resident &= a->store.state == ALLOCATION_RESIDENT;
    if (resident) {
        turns_used(adapter, &allocation->pageable, paging_uses(adapter));
        return STATUS_SUCCESS;
    }
    device_fail(adapter, device, DEVICE_PAGE_FAULT, RULE(RES_032));
    return refuse(
        adapter, RULE(RES_032), STATUS_DEVICE_REMOVED,
        "%s is not resident: in WDDM 2.0 and later it has to be paged in before a submission",
        allocation->pageable.label);
}

static vidmm_status require(const struct split *split, struct allocation *allocation)
{
    adapter_t *adapter = split->adapter;
    struct device *device = split->submission->context->device;
    bool write = allocation->use.bound_write == paging_preparation(adapter);
    /* An earlier group drove it out, and there was no way for its content. After the first portion
       the state of the device tells (SUBMIT-038). */
    if (allocation_is_lost(&allocation->pageable)) {
        count_fault(adapter, VIDMM_COUNTER_FAULTS_LOST_CONTENT, device);
        return split->submission->handed
                   ? STATUS_GRAPHICS_ALLOCATION_CONTENT_LOST
                   : refuse(adapter, RULE(PAGE_025), STATUS_GRAPHICS_ALLOCATION_CONTENT_LOST,
                            "the content of %s was lost to make room for others of the same list",
                            allocation->pageable.label);
    }
    if (adapter->setup->caps.wddm >= VIDMM_WDDM_2_0)
        return require_resident(adapter, allocation, device);
    return residency_require(adapter, &allocation->pageable, write, device);
}

static vidmm_status bring_group(const struct split *split)
{
    vidmm_status status = STATUS_SUCCESS;
    applies(split->adapter, RULE(PAGE_002));
    applies(split->adapter, RULE(PLACE_003));
    for (size_t i = split->group; i < split->behind && !status; i++) {
        struct allocation *allocation = element_at(split, i)->allocation;
        if (allocation)
            status = require(split, allocation);
    }
    return status;
}

/* ---- a group on its own (step 6) ------------------------------------------------------------ */

static int by_size(const void *a, const void *b)
{
    const struct pageable *left = &(*(struct allocation *const *)a)->pageable;
    const struct pageable *right = &(*(struct allocation *const *)b)->pageable;
    if (left->info.bytes != right->info.bytes)
        return left->info.bytes > right->info.bytes ? -1 : 1;
    return left->handle < right->handle ? -1 : left->handle > right->handle;
}

static bool is_kept(const struct split *split, const struct allocation *allocation)
{
    const struct submission *submission = split->submission;
    for (size_t i = 0; split->kept && i < submission->count; i++)
        if (submission->elements[i].kept && submission->elements[i].allocation == allocation)
            return true;
    return false;
}

/* The allocations of the group that may be moved, largest first. */
static struct allocation **movable(const struct split *split, size_t *count)
{
    size_t n = 0;
    struct allocation **list = base_alloc(split->behind - split->group, sizeof *list);
    for (size_t i = split->group; i < split->behind; i++) {
        struct allocation *allocation = element_at(split, i)->allocation;
        if (allocation && !allocation->pageable.place.pinned && !cpu_of(allocation)->lock_count &&
            !is_kept(split, allocation))
            list[n++] = allocation;
    }
    if (n)
        qsort(list, n, sizeof(struct allocation *), by_size);
    *count = n;
    return list;
}

/* Of a link, each instance on its own; mirrored copies leave with the first. */
static vidmm_status move_out(adapter_t *adapter, struct allocation *allocation)
{
    vidmm_status status = STATUS_SUCCESS;
    for (struct pageable *a = &allocation->pageable; a && !status; a = a->place.next_copy) {
        if (a->store.state != ALLOCATION_RESIDENT)
            continue;
        enum evict_route way = evict_route(adapter, a->store.owner);
        if (way != OUT_LOST && way != OUT_LATER) /* else it stays where it is */
            status = evict_allocation(adapter, a, EVICT_RETRY, RULE(SUBMIT_031));
    }
    return status;
}

static vidmm_status shuffle(const struct split *split)
{
    adapter_t *adapter = split->adapter;
    size_t count;
    struct allocation **list = movable(split, &count);
    vidmm_status status = STATUS_SUCCESS;
    for (size_t i = 0; i < count && !status; i++)
        status = move_out(adapter, list[i]);
    for (size_t i = 0; i < count && !status; i++)
        status = require(split, list[i]);
    base_free(list);
    return status ? status : bring_group(split); /* what could not be moved */
}

/* ---- portions ------------------------------------------------------------------------------- */

static void open_portion(struct split *split)
{
    adapter_t *adapter = split->adapter;
    paging_begin(adapter, split->submission->context->device);
    split->submission->portion++;
    split->submission->preparation = paging_preparation(adapter);
    split->bound = 0;
    split->based = false;
    stamp_written(split);
}

static vidmm_status close_preparation(adapter_t *adapter)
{
    residency_unbind(adapter);
    residency_on_miss(adapter, MISS_REFUSED);
    return paging_close(adapter);
}

/* SUBMIT-037: a driver that promises to bind everything again after a split does so. */
static vidmm_status check_leaks(struct split *split)
{
    adapter_t *adapter = split->adapter;
    const struct caps *caps = &adapter->setup->caps;
    const struct context *context = split->submission->context;
    unsigned long long kept = split->kept;
    const char *verb = kept == 1 ? " is" : "s are";
    if (!caps->preemption || caps->no_dma_patching || !kept)
        return STATUS_SUCCESS;
    if (!setting(adapter, VIDMM_SETTING_LEAK)) /* word 0 is "stop" */
        return bugcheck(adapter, RULE(SUBMIT_037), 0x10E, 0x27,
                        (uint64_t[3]){ context->handle, 0, 0 },
                        "%llu binding%s not programmed again after the split at 0x%x", kept, verb,
                        split->portion.start);
    finding(adapter, RULE(SUBMIT_037), context->handle,
            "%llu binding%s not programmed again after the split at 0x%x", kept, verb,
            split->portion.start);
    device_fail(adapter, context->device, DEVICE_DMA_FAULT, RULE(SUBMIT_037));
    return STATUS_SUCCESS;
}

/* What is ready goes to the node. */
static vidmm_status close_portion(struct split *split, uint32_t end, size_t behind, bool last)
{
    adapter_t *adapter = split->adapter;
    const struct device *device = split->submission->context->device;
    vidmm_status status = close_preparation(adapter);
    if (!status)
        status = check_leaks(split);
    if (status || device->state != DEVICE_ACTIVE)
        return status;
    split->portion.end = end;
    split->portion.behind = behind;
    split->portion.last = last;
    return submit_portion(adapter, split->submission, &split->portion);
}

/* Step 5: the portion ends before the group, and the group begins the next one. */
static vidmm_status cut(struct split *split)
{
    adapter_t *adapter = split->adapter;
    struct submission *submission = split->submission;
    struct device *device = submission->context->device;
    uint32_t offset = split->locations[split->group].SplitOffset;
    /* Elements that the group bound first are not in the portion. */
    for (size_t i = 0; i < split->fresh; i++)
        submission->elements[adapter->submit->scratch.group[i]].portion = 0;
    vidmm_status status = close_portion(split, offset, split->group, false);
    if (!status)
        status = submit_check_again(adapter, submission, split->group);
    if (status || device->state != DEVICE_ACTIVE)
        return status;
    split->portion = (struct portion){ .start = offset, .first = split->group };
    open_portion(split);
    bind_kept(split);
    uint64_t kept = split->kept;
    bind_group(split);
    count_device(adapter, VIDMM_COUNTER_DMA_SPLITS, device, 1);
    applies(adapter, RULE(SUBMIT_030));
    applies(adapter, RULE(SUBMIT_034));
    applies(adapter, RULE(SUBMIT_035));
    applies(adapter, RULE(SUBMIT_036));
    EMIT(adapter, SPLIT, RULE(SUBMIT_031), submission->context->handle, f_hex("offset", offset),
         f_number("portion", submission->portion), f_number("kept", kept),
         f_number("bound", split->bound));
    return STATUS_SUCCESS;
}

/* ---- the whole ------------------------------------------------------------------------------ */

static bool misses(vidmm_status status)
{
    return status == STATUS_GRAPHICS_NO_VIDEO_MEMORY || status == STATUS_NO_MEMORY;
}

/* Allocations of the context, and the place of the buffer, in each preparation. */
static vidmm_status require_context(struct split *split)
{
    const struct submission *submission = split->submission;
    if (split->based)
        return STATUS_SUCCESS;
    split->based = true;
    vidmm_status status = context_require(split->adapter, submission->context);
    return status ? status : dma_buffer_place(split->adapter, submission->buffer);
}

static vidmm_status bring_alone(struct split *split)
{
    adapter_t *adapter = split->adapter;
    bool began = split->submission->handed; /* then only the state of the device tells */
    bool again = split->behind - split->group > 1;
    vidmm_status status = require_context(split);
    if (status)
        return status;
    residency_on_miss(adapter, began || again ? MISS_QUIET : MISS_REFUSED);
    status = bring_group(split);
    residency_on_miss(adapter, began ? MISS_QUIET : MISS_REFUSED);
    if (misses(status) && again && !adapter_stopped(adapter))
        status = status == STATUS_NO_MEMORY ? bring_group(split) : shuffle(split);
    return status;
}

static vidmm_status bring_with_others(struct split *split)
{
    adapter_t *adapter = split->adapter;
    residency_on_miss(adapter, MISS_SPLITS);
    vidmm_status status = bring_group(split);
    if (!misses(status) || adapter_stopped(adapter))
        return status;
    status = cut(split);
    if (status || split->submission->context->device->state != DEVICE_ACTIVE)
        return status;
    return bring_alone(split);
}

static vidmm_status bring_all(struct split *split)
{
    const struct device *device = split->submission->context->device;
    vidmm_status status = STATUS_SUCCESS;
    if (!split->submission->patch_count)
        status = require_context(split);
    for (split->group = 0;
         split->group < split->submission->patch_count && !status && device->state == DEVICE_ACTIVE;
         split->group = split->behind) {
        while (split->behind < split->submission->patch_count &&
               split->locations[split->behind].SplitOffset ==
                   split->locations[split->group].SplitOffset)
            split->behind++;
        bind_group(split);
        /* Nothing else is bound: a split would help nobody (SUBMIT-030). */
        status = split->bound == split->fresh ? bring_alone(split) : bring_with_others(split);
    }
    return status;
}

/* SUBMIT-038: portions that the node has run on. */
static vidmm_status drop_rest(struct split *split, vidmm_status status)
{
    adapter_t *adapter = split->adapter;
    struct device *device = split->submission->context->device;
    bool began = split->submission->handed;
    if (!status && !began) /* recovery came in between */
        return refuse(adapter, RULE(TDR_028), STATUS_DEVICE_REMOVED, "device %s is %s",
                      device->label, vidmm_device_state(adapter, device->handle));
    bool given_up = began && (misses(status) || status == STATUS_GRAPHICS_ALLOCATION_CONTENT_LOST);
    if (status == STATUS_GRAPHICS_NO_VIDEO_MEMORY || given_up)
        device_fail(adapter, device, DEVICE_OUT_OF_MEMORY, RULE(SUBMIT_038));
    return given_up ? STATUS_SUCCESS : status;
}

static void copy_locations(struct split *split)
{
    struct submit_scratch *scratch = &split->adapter->submit->scratch;
    size_t count = split->submission->patch_count;
    /* The caller's list is not needed any more: the driver's takes its place. */
    split->locations = scratch->in;
    if (count)
        memcpy(scratch->in, scratch->out, count * sizeof *scratch->in);
    for (size_t i = 0; i < count; i++) {
        size_t slot = scratch->in[i].SlotId;
        BASE_GROW(scratch->slots, scratch->slot_capacity, slot + 1);
    }
}

vidmm_status split_run(adapter_t *adapter, struct submission *submission)
{
    struct split split = { .adapter = adapter, .submission = submission };
    struct device *device = submission->context->device;
    copy_locations(&split);
    open_portion(&split);
    count_device(adapter, VIDMM_COUNTER_DMA_PREPARED, device, 1);
    count_list(&split);
    vidmm_status status = bring_all(&split);
    if (!status && device->state == DEVICE_ACTIVE)
        status = close_portion(&split, (uint32_t)submission->buffer->used, submission->patch_count,
                               true);
    if (!status && device->state == DEVICE_ACTIVE)
        return STATUS_SUCCESS;
    if (paging_preparation(adapter)) {
        vidmm_status ended = close_preparation(adapter);
        if (!status)
            status = ended;
    }
    return drop_rest(&split, status);
}
