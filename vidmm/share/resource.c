/* SPDX-License-Identifier: MIT */
/* resource.c: resources, which hold allocations together, and the devices that list them. */
#include "vidmm/share/share.h"

static void list_resource(struct resource *resource, struct device *device)
{
    resource->device = device;
    resource->prev = NULL;
    resource->next = device->resources;
    if (resource->next)
        resource->next->prev = resource;
    device->resources = resource;
}

static void unlist_resource(struct resource *resource)
{
    if (resource->prev)
        resource->prev->next = resource->next;
    else
        resource->device->resources = resource->next;
    if (resource->next)
        resource->next->prev = resource->prev;
}

struct resource *resource_new(adapter_t *adapter, struct device *device)
{
    struct resource *resource = base_alloc(1, sizeof *resource);
    resource->handle = handle_new(adapter, VIDMM_OBJECT_RESOURCE, resource);
    if (!resource->handle) {
        base_free(resource);
        return NULL;
    }
    list_resource(resource, device);
    return resource;
}

void resource_free(adapter_t *adapter, struct resource *resource)
{
    CHECK(!resource->allocations);
    unlist_resource(resource);
    handle_end(adapter, resource->handle);
    base_free(resource->label);
    base_free(resource);
}

void resource_move(struct resource *resource, struct device *device)
{
    unlist_resource(resource);
    list_resource(resource, device);
}
