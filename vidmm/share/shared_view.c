/* SPDX-License-Identifier: MIT */
/*
 * shared_view.c: what a handle of an allocation stands for: which device, which binding, which
 * rights. Of one that is not shared there is one answer for all handles. And what the address of
 * memory stands for that a caller brought.
 *
 * Rules not named below: KMT-016, KMT-018, LOCK-016, TIME-023.
 */
#include "vidmm/share/share.h"
#include "vidmm/share/share_state.h"

bool allocation_is_shared(const struct allocation *allocation)
{
    return allocation->resource && allocation->resource->sharing;
}

bool shared_may_lock(const struct allocation *allocation, const struct device *device)
{
    return !allocation_is_shared(allocation) || allocation->pageable.shared_primary ||
           allocation->resource->sharing->process == device->process->handle;
}

/* ---- looking -------------------------------------------------------------------------------- */

/* The one in which an allocation has this handle. */
static struct opening *opening_of(const struct resource *resource, vidmm_handle handle)
{
    struct opened *opened;
    HASH_FIND(hh, resource->sharing->opened, &handle, sizeof handle, opened);
    return opened ? opened->opening : NULL;
}

struct opening *shared_opening(const struct resource *resource, vidmm_handle handle)
{
    struct opening *opening;
    HASH_FIND(hh, resource->sharing->openings, &handle, sizeof handle, opening);
    return opening ? opening : opening_of(resource, handle);
}

struct device *shared_device(const struct allocation *allocation, vidmm_handle handle)
{
    if (!allocation_is_shared(allocation))
        return allocation->pageable.creator;
    const struct opening *opening = opening_of(allocation->resource, handle);
    return opening ? opening->device : NULL;
}

/* The handle of the creation names it, too, when its device has closed it. */
struct device *shared_caller(const struct allocation *allocation, vidmm_handle handle)
{
    struct device *device = shared_device(allocation, handle);
    return device ? device : allocation->pageable.creator;
}

HANDLE shared_driver_handle(const struct allocation *allocation, vidmm_handle handle)
{
    if (!allocation_is_shared(allocation))
        return allocation->open_handle;
    const struct opening *opening = opening_of(allocation->resource, handle);
    return opening ? opening->members[allocation->part].driver_handle : NULL;
}

bool shared_read_only(const struct allocation *allocation, vidmm_handle handle)
{
    if (!allocation_is_shared(allocation))
        return (allocation->pageable.kmt & VIDMM_KMT_ReadOnly) != 0;
    const struct opening *opening = opening_of(allocation->resource, handle);
    return opening && opening->read_only;
}

void shared_view(const struct allocation *allocation, vidmm_handle handle,
                 struct vidmm_allocation_view *view)
{
    const struct device *device = shared_device(allocation, handle);
    view->device = device ? device->handle : 0;
    view->process = device ? device->process->handle : 0;
    view->read_only = shared_read_only(allocation, handle);
    if (!allocation_is_shared(allocation))
        return;
    const struct sharing *sharing = allocation->resource->sharing;
    const struct opening *own = opening_of(allocation->resource, handle);
    view->shared = true;
    view->global_share = sharing->global;
    view->resource = own ? own->handle : allocation->resource->handle;
    view->openings = HASH_COUNT(sharing->openings);
}

/* ---- the books ------------------------------------------------------------------------------ */

const char *shared_problem(const adapter_t *adapter, const struct allocation *allocation)
{
    const struct resource *resource = allocation->resource;
    const struct sharing *sharing = resource->sharing;
    if (!sharing->first || sharing->first->device != allocation->pageable.creator ||
        resource->device != allocation->pageable.creator)
        return "its owner is not the first that has it open";
    if (allocation->part >= sharing->part_count ||
        sharing->parts[allocation->part].allocation != allocation)
        return "it is not the part of its resource that it should be";
    uint32_t offered = 0;
    for (const struct opening *opening = sharing->first; opening; opening = opening->next) {
        const struct opened *opened = &opening->members[allocation->part];
        if (opened->handle && handle_object(adapter, opened->handle, VIDMM_OBJECT_ALLOCATION) !=
                                  (const void *)allocation)
            return "a handle of it names something else";
        if (!opened->driver_handle)
            return "a device has it open without a handle of the driver";
        offered += opened->offered;
    }
    if (offered != sharing->parts[allocation->part].offered)
        return "its offers are counted wrongly";
    return NULL;
}

struct share *share_new(void)
{
    return base_alloc(1, sizeof(struct share));
}

/* ---- memory that a caller brought ----------------------------------------------------------- */

/* Below 2.0 a lock makes the address and the unlock ends it; in 2.0 and later it stays. */
bool range_has_address(const adapter_t *adapter, const struct allocation *source)
{
    return adapter->setup->caps.wddm >= VIDMM_WDDM_2_0 || cpu_of(source)->lock_count;
}

bool system_range_valid(const adapter_t *adapter, const struct system_range *range,
                        const struct process *process)
{
    if (range->process && range->process != process->handle)
        return false;
    return !range->view || (range->source && range_has_address(adapter, range->source));
}
