/* SPDX-License-Identifier: MIT */
/*
 * shared.c: who has a shared resource open, from the creation to the last close.
 *
 * A close that is not the last waits for the packets of its own device only: they alone go through
 * its binding. The last one is the ordinary destruction (allocation_destroy.c), which waits for
 * all users.
 *
 * Rules not named below: ALLOC-008, KMT-016, KMT-021, MINI-072.
 */
#include "vidmm/allocation/allocation_make.h"

#include <string.h>

#include "paging/schedule/schedule.h"
#include "vidmm/base/base_hash.h"
#include "vidmm/cpu/cpu.h"
#include "vidmm/share/share.h"
#include "vidmm/submit/submit.h"

/* Where hGlobalShare begins: far from every vidmm_handle, to be told from them. */
#define FIRST_GLOBAL_SHARE UINT32_C(0x40000000)

/* ---- lists ---------------------------------------------------------------------------------- */

static void link_to_opener(struct sharing *sharing, struct opening *opening)
{
    struct opener *opener;
    HASH_FIND_PTR(sharing->openers, &opening->device, opener);
    if (!opener) {
        opener = base_alloc(1, sizeof *opener);
        opener->device = opening->device;
        HASH_ADD_PTR(sharing->openers, device, opener);
    }
    DL_APPEND2(opener->openings, opening, opener_previous, opener_next);
    opening->opener = opener;
}

static void unlink_from_opener(struct sharing *sharing, struct opening *opening)
{
    DL_DELETE2(opening->opener->openings, opening, opener_previous, opener_next);
    if (opening->opener->openings)
        return;
    HASH_DEL(sharing->openers, opening->opener);
    base_free(opening->opener);
}

static void link_opening(struct opening *opening)
{
    struct sharing *sharing = opening->resource->sharing;
    link_to_opener(sharing, opening);
    DL_APPEND2(sharing->first, opening, previous, next);
    DL_PREPEND2(opening->device->openings, opening, device_previous, device_next);
    HASH_ADD(hh, sharing->openings, handle, sizeof opening->handle, opening);
    for (size_t i = 0; i < sharing->part_count; i++) {
        struct opened *opened = &opening->members[i];
        HASH_ADD(hh, sharing->opened, handle, sizeof opened->handle, opened);
    }
}

static void unlink_opening(struct opening *opening)
{
    struct sharing *sharing = opening->resource->sharing;
    DL_DELETE2(sharing->first, opening, previous, next);
    DL_DELETE2(opening->device->openings, opening, device_previous, device_next);
    unlink_from_opener(sharing, opening);
    HASH_DEL(sharing->openings, opening);
    for (size_t i = 0; i < sharing->part_count; i++) {
        HASH_DELETE(hh, sharing->opened, &opening->members[i]);
        sharing->parts[i].offered -= opening->members[i].offered;
    }
}

/* ---- handles -------------------------------------------------------------------------------- */

/* Those of the creation end with what they name. */
static void end_handles(adapter_t *adapter, struct opening *opening)
{
    const struct resource *resource = opening->resource;
    if (opening->handle && opening->handle != resource->handle)
        handle_end(adapter, opening->handle);
    opening->handle = 0;
    for (size_t i = 0; i < resource->sharing->part_count; i++) {
        vidmm_handle handle = opening->members[i].handle;
        if (handle && handle != resource->sharing->parts[i].allocation->pageable.handle)
            handle_end(adapter, handle);
        opening->members[i].handle = 0;
    }
}

static bool take_handles(adapter_t *adapter, struct opening *opening)
{
    struct resource *resource = opening->resource;
    opening->handle = handle_new(adapter, VIDMM_OBJECT_RESOURCE, resource);
    bool complete = opening->handle != 0;
    for (size_t i = 0; i < resource->sharing->part_count; i++) {
        opening->members[i].handle =
            handle_new(adapter, VIDMM_OBJECT_ALLOCATION, resource->sharing->parts[i].allocation);
        complete &= opening->members[i].handle != 0;
    }
    return complete;
}

static void free_opening(struct opening *opening)
{
    for (size_t i = 0; i < opening->resource->sharing->part_count; i++)
        base_free(opening->members[i].label);
    base_free(opening->label);
    base_free(opening->members);
    base_free(opening);
}

static struct opening *new_opening(struct resource *resource, struct device *device, bool read_only)
{
    struct opening *opening = base_alloc(1, sizeof *opening);
    opening->resource = resource;
    opening->device = device;
    opening->read_only = read_only;
    opening->members = base_alloc(resource->sharing->part_count, sizeof *opening->members);
    for (size_t i = 0; i < resource->sharing->part_count; i++)
        opening->members[i].opening = opening;
    return opening;
}

/* ---- the creator ---------------------------------------------------------------------------- */

void shared_begin(adapter_t *adapter, const struct creation *creation)
{
    struct resource *resource = creation->resource;
    const struct process *process = creation->device->process;
    struct sharing *sharing = base_alloc(1, sizeof *sharing);
    sharing->process = process->handle;
    sharing->secure = process->secure;
    sharing->flags = creation->flags;
    if (!(sharing->flags & VIDMM_KMT_NtSecuritySharing))
        sharing->global = FIRST_GLOBAL_SHARE + shared_number(adapter);
    resource->sharing = sharing;
    sharing->part_count = creation->count;
    sharing->parts = base_alloc(creation->count, sizeof *sharing->parts);
    const uint8_t *at = creation->private_data;
    at += align_up(creation->call->private_bytes, CREATION_PRIVATE_ALIGN);
    struct opening *opening =
        new_opening(resource, creation->device, sharing->flags & VIDMM_KMT_ReadOnly);
    opening->handle = resource->handle;
    for (size_t i = 0; i < creation->count; i++) {
        struct shared_part *part = &sharing->parts[i];
        struct allocation *allocation = part->allocation = creation->made[i];
        allocation->part = (uint32_t)i;
        (void)standard_private_data(creation, i, &part->private_bytes);
        part->private_data = base_alloc(part->private_bytes, 1);
        if (part->private_bytes)
            memcpy(part->private_data, at, part->private_bytes);
        at += align_up(part->private_bytes, CREATION_PRIVATE_ALIGN);
        opening->members[i].handle = allocation->pageable.handle;
        opening->members[i].driver_handle = allocation->open_handle;
    }
    link_opening(opening);
}

void shared_free(adapter_t *adapter, struct resource *resource)
{
    struct sharing *sharing = resource->sharing;
    if (!sharing)
        return;
    shared_lose_names(adapter, resource);
    while (sharing->first) {
        struct opening *opening = sharing->first;
        unlink_opening(opening);
        free_opening(opening);
    }
    for (size_t i = 0; i < sharing->part_count; i++)
        base_free(sharing->parts[i].private_data);
    base_free(sharing->parts);
    base_free(sharing->granted);
    base_free(sharing);
    resource->sharing = NULL;
}

void shared_lose_names(adapter_t *adapter, struct resource *resource)
{
    struct opening *opening = resource && resource->sharing ? resource->sharing->first : NULL;
    for (; opening; opening = opening->next)
        end_handles(adapter, opening);
}

/* ---- opening -------------------------------------------------------------------------------- */

/* What the driver is given for each part: a copy of its private data, in one block. */
static uint8_t *copy_private_data(const struct sharing *sharing, DXGK_OPENALLOCATIONINFO *infos)
{
    size_t bytes = 0;
    for (size_t i = 0; i < sharing->part_count; i++)
        bytes += align_up(sharing->parts[i].private_bytes, CREATION_PRIVATE_ALIGN);
    uint8_t *block = base_alloc(bytes, 1);
    uint8_t *at = block;
    for (size_t i = 0; i < sharing->part_count; i++) {
        const struct shared_part *part = &sharing->parts[i];
        if (!part->private_bytes)
            continue;
        memcpy(at, part->private_data, part->private_bytes);
        infos[i].pPrivateDriverData = at;
        infos[i].PrivateDriverDataSize = part->private_bytes;
        at += align_up(part->private_bytes, CREATION_PRIVATE_ALIGN);
    }
    return block;
}

/* MINI-040: without Create the private data is only to be read. */
static void check_private_data(adapter_t *adapter, const struct sharing *sharing,
                               const uint8_t *block)
{
    for (size_t i = 0; i < sharing->part_count; i++) {
        const struct shared_part *part = &sharing->parts[i];
        if (part->private_bytes && memcmp(block, part->private_data, part->private_bytes) != 0)
            finding(adapter, RULE(MINI_040), part->allocation->pageable.handle,
                    "%s: DxgkDdiOpenAllocation changed the private data, and Create is not set",
                    part->allocation->pageable.label);
        block += align_up(part->private_bytes, CREATION_PRIVATE_ALIGN);
    }
}

static vidmm_status call_open(adapter_t *adapter, struct opening *opening)
{
    const struct sharing *sharing = opening->resource->sharing;
    if (!sharing->part_count) /* an empty resource (KMT-006) */
        return STATUS_SUCCESS;
    DXGK_OPENALLOCATIONINFO *infos = base_alloc(sharing->part_count, sizeof *infos);
    uint8_t *block = copy_private_data(sharing, infos);
    for (size_t i = 0; i < sharing->part_count; i++)
        infos[i].hAllocation = opening->members[i].handle;
    DXGKARG_OPENALLOCATION arg = {
        .NumAllocations = (UINT)sharing->part_count,
        .pOpenAllocation = infos,
        .Flags.ReadOnly = opening->read_only,
    };
    NTSTATUS answer = DRIVER_CALL(adapter, 0, OpenAllocation, opening->device->driver_handle, &arg);
    DRIVER_CALL_END(adapter, OpenAllocation, answer, sharing->parts[0].allocation->pageable.handle,
                    f_number("NumAllocations", sharing->part_count),
                    f_hex("Flags", arg.Flags.Value));
    check_private_data(adapter, sharing, block);
    const struct allocation *missing = NULL;
    vidmm_status status =
        creation_judge_open(adapter, sharing->parts[0].allocation->pageable.label, answer);
    for (size_t i = 0; i < sharing->part_count && !status; i++) {
        opening->members[i].driver_handle = infos[i].hDeviceSpecificAllocation;
        if (!infos[i].hDeviceSpecificAllocation && !missing)
            missing = sharing->parts[i].allocation;
    }
    if (missing)
        status = creation_refuse_open(adapter, missing);
    base_free(block);
    base_free(infos);
    return status;
}

/* All of a resource in one call (MINI-041); those that the driver never opened are left out. */
static void call_close(adapter_t *adapter, const struct opening *opening)
{
    const struct sharing *sharing = opening->resource->sharing;
    HANDLE *list = base_alloc(sharing->part_count, sizeof *list);
    DXGKARG_CLOSEALLOCATION arg = { .NumAllocations = 0, .pOpenHandleList = list };
    for (size_t i = 0; i < sharing->part_count; i++)
        if (opening->members[i].driver_handle)
            list[arg.NumAllocations++] = opening->members[i].driver_handle;
    if (arg.NumAllocations && !adapter_stopped(adapter)) {
        NTSTATUS answer =
            DRIVER_CALL(adapter, 0, CloseAllocation, opening->device->driver_handle, &arg);
        DRIVER_CALL_END(adapter, CloseAllocation, answer,
                        sharing->parts[0].allocation->pageable.handle,
                        f_number("NumAllocations", arg.NumAllocations));
        if (answer)
            finding(adapter, RULE(MINI_043), 0,
                    "DxgkDdiCloseAllocation answers 0x%08x; it is closed all the same",
                    (unsigned)answer);
    }
    base_free(list);
}

static void tell_opening(adapter_t *adapter, const struct opening *opening)
{
    for (size_t i = 0; i < opening->resource->sharing->part_count; i++) {
        const char *label = opening->members[i].label;
        EMIT(adapter, OPEN, RULE(ALLOC_049),
             opening->resource->sharing->parts[i].allocation->pageable.handle,
             f_text("device", opening->device->label), f_text("as", label ? label : ""));
    }
}

vidmm_status shared_open(adapter_t *adapter, const struct open_request *request,
                         struct opening **result)
{
    struct opening *opening = new_opening(request->resource, request->device, request->read_only);
    vidmm_status status = STATUS_SUCCESS;
    if (!take_handles(adapter, opening))
        status = refuse(adapter, RULE(ALLOC_009), STATUS_NO_MEMORY,
                        "more than %d objects would live", VIDMM_LIVE_MAX);
    if (!status)
        status = call_open(adapter, opening);
    if (status) {
        call_close(adapter, opening);
        end_handles(adapter, opening);
        free_opening(opening);
        return status;
    }
    link_opening(opening);
    shared_name(opening, request->named, request->label);
    tell_opening(adapter, opening);
    *result = opening;
    return STATUS_SUCCESS;
}

/* ---- closing -------------------------------------------------------------------------------- */

static vidmm_status wait_for_device(adapter_t *adapter, const struct opening *opening)
{
    for (uint32_t node = 0; node < adapter->setup->caps.nodes; node++) {
        uint32_t fence = submit_newest_through(adapter, node, opening);
        vidmm_status status = fence ? schedule_wait_fence(adapter, node, fence, VIDMM_WAIT_DESTROY,
                                                          RULE(MINI_041), opening->device)
                                    : STATUS_SUCCESS;
        if (status)
            return status;
    }
    return STATUS_SUCCESS;
}

/* The creator is gone: the earliest of those that are left is the owner (MINI-072). */
static void follow_owner(const struct resource *resource)
{
    const struct opening *owner = resource->sharing->first;
    for (size_t i = 0; i < resource->sharing->part_count; i++) {
        struct allocation *allocation = resource->sharing->parts[i].allocation;
        allocation_unlist(allocation);
        allocation->open_handle = owner->members[i].driver_handle;
        allocation_list(allocation, owner->device);
    }
}

static void end_opening(adapter_t *adapter, struct opening *opening)
{
    const struct sharing *sharing = opening->resource->sharing;
    call_close(adapter, opening);
    for (size_t i = 0; i < sharing->part_count; i++) {
        const char *label = opening->members[i].label;
        EMIT(adapter, CLOSE, RULE(MINI_041), sharing->parts[i].allocation->pageable.handle,
             f_text("device", opening->device->label), f_text("as", label ? label : ""));
    }
    unlink_opening(opening);
    end_handles(adapter, opening);
    free_opening(opening);
}

void shared_close_others(adapter_t *adapter, struct resource *resource)
{
    while (resource->sharing && resource->sharing->first->next)
        end_opening(adapter, resource->sharing->first->previous); /* the last one */
}

vidmm_status shared_close(adapter_t *adapter, struct opening *opening)
{
    struct resource *resource = opening->resource;
    struct sharing *sharing = resource->sharing;
    applies(adapter, RULE(ALLOC_006));
    if (!sharing->first->next)
        return resource_destroy(adapter, resource);
    vidmm_status status = wait_for_device(adapter, opening);
    for (size_t i = 0; i < sharing->part_count && !status; i++)
        status = lock_release_device(adapter, sharing->parts[i].allocation, opening->device);
    if (status)
        return status;
    bool owned = sharing->first == opening;
    end_opening(adapter, opening);
    for (size_t i = 0; i < sharing->part_count; i++)
        offer_closed(adapter, sharing->parts[i].allocation);
    if (owned) {
        resource_move(resource, sharing->first->device);
        follow_owner(resource);
    }
    schedule_deferred(adapter);
    return STATUS_SUCCESS;
}

vidmm_status shared_close_all(adapter_t *adapter, struct device *device)
{
    vidmm_status status = STATUS_SUCCESS;
    while (!status && device->openings)
        status = shared_close(adapter, device->openings);
    return status;
}

void shared_abandon(adapter_t *adapter)
{
    for (struct device *device = device_first(adapter); device; device = device->next)
        while (device->openings) {
            struct resource *resource = device->openings->resource;
            const struct opening *opening = resource->sharing->first->next;
            for (; opening; opening = opening->next)
                call_close(adapter, opening);
            shared_free(adapter, resource);
        }
}
