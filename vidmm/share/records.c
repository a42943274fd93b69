/* SPDX-License-Identifier: MIT */
/*
 * records.c: the lists of what lives: devices and their states, resources, and every allocation
 * that has a place, a store or fences of its own: what the devices list, and what hangs on that:
 * renaming instances, and copies on the adapters of a link. Nothing may come or go while somebody
 * walks.
 *
 * Rules not named below: PLACE-021, RENAME-011, TDR-022.
 */
#include "vidmm/base/base_hash.h"
#include "vidmm/share/share.h"
#include "vidmm/share/share_state.h"

struct resource *resource_new(adapter_t *adapter, struct device *device)
{
    struct resource *resource = base_alloc(1, sizeof *resource);
    resource->handle = handle_new(adapter, VIDMM_OBJECT_RESOURCE, resource);
    if (!resource->handle) {
        base_free(resource);
        return NULL;
    }
    resource->device = device;
    DL_PREPEND(device->resources, resource);
    return resource;
}

void resource_free(adapter_t *adapter, struct resource *resource)
{
    CHECK(!resource->allocations);
    DL_DELETE(resource->device->resources, resource);
    handle_end(adapter, resource->handle);
    base_free(resource->label);
    base_free(resource);
}

void resource_move(struct resource *resource, struct device *device)
{
    DL_DELETE(resource->device->resources, resource);
    resource->device = device;
    DL_PREPEND(device->resources, resource);
}

/* ---- devices -------------------------------------------------------------------------------- */

struct device *device_first(const adapter_t *adapter)
{
    return adapter->share->devices;
}

void device_list(adapter_t *adapter, struct device *device)
{
    DL_PREPEND(adapter->share->devices, device);
    DL_PREPEND2(device->process->devices, device, process_prev, process_next);
}

void device_unlist(adapter_t *adapter, struct device *device)
{
    DL_DELETE(adapter->share->devices, device);
    DL_DELETE2(device->process->devices, device, process_prev, process_next);
}

void device_fail(adapter_t *adapter, struct device *device, enum device_state state,
                 enum vidmm_rule rule)
{
    /* Where the GPU failed, what follows depends on what never came about. A mistake of the caller,
       and want of memory, take nothing away from what was handed over before. */
    device->drops |= rule == RULE(SUBMIT_059) || rule == RULE(SUBMIT_060) || state == DEVICE_HUNG;
    if (device->state != DEVICE_ACTIVE)
        return; /* the first reason stays */
    device->state = state;
    device->failed_by = rule;
    EMIT(adapter, DEVICE_STATE, rule, device->handle,
         f_word("state", vidmm_device_state(adapter, device->handle)));
}

const char *vidmm_device_state(const adapter_t *adapter, vidmm_handle handle)
{
    static const char *const words[] = {
        [DEVICE_ACTIVE] = "active",       [DEVICE_OUT_OF_MEMORY] = "out-of-memory",
        [DEVICE_DMA_FAULT] = "dma-fault", [DEVICE_PAGE_FAULT] = "page-fault",
        [DEVICE_STOPPED] = "stopped",     [DEVICE_HUNG] = "hung",
        [DEVICE_RESET] = "reset",
    };
    const struct device *device = handle_object(adapter, handle, VIDMM_OBJECT_DEVICE);
    return device ? words[device->state] : NULL;
}

/* ---- every allocation ----------------------------------------------------------------------- */

static struct allocation *first_of(const struct device *device)
{
    while (device && !device->allocations)
        device = device->next;
    return device ? device->allocations : NULL;
}

struct allocation *allocation_first(const adapter_t *adapter)
{
    return first_of(adapter->share->devices);
}

struct allocation *allocation_after(struct allocation *allocation)
{
    if (allocation_of(allocation->pageable.place.next_copy))
        return allocation_of(allocation->pageable.place.next_copy);
    struct allocation *instance = allocation_of(allocation->pageable.place.first_copy)
                                      ? allocation_of(allocation->pageable.place.first_copy)
                                      : allocation;
    struct allocation *listed = rename_original(instance);
    struct allocation *other =
        instance == listed ? rename_other(listed) : rename_next_other(instance);
    if (other)
        return other;
    return listed->device_next ? listed->device_next : first_of(listed->pageable.creator->next);
}

struct allocation *rename_other(const struct allocation *original)
{
    struct allocation *instance =
        rename_of(original)->list ? rename_of(original)->list->first : NULL;
    return instance == original ? rename_of(instance)->next : instance;
}

struct allocation *rename_next_other(const struct allocation *instance)
{
    struct allocation *next = rename_of(instance)->next;
    return next && next == rename_of(instance)->list->original ? rename_of(next)->next : next;
}

void allocation_list(struct allocation *allocation, struct device *device)
{
    for (struct allocation *a = allocation; a; a = allocation_of(a->pageable.place.next_copy))
        a->pageable.creator = device;
    DL_PREPEND2(device->allocations, allocation, device_prev, device_next);
}

void allocation_unlist(struct allocation *allocation)
{
    DL_DELETE2(allocation->pageable.creator->allocations, allocation, device_prev, device_next);
}
