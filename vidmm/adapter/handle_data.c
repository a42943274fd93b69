/* SPDX-License-Identifier: MIT */
/*
 * handle_data.c: what a driver has behind a D3DKMT_HANDLE: hAllocation and hResource as it made
 * them, or with DeviceSpecific what it has for the device that opened the allocation.
 *
 * The callback is given no adapter and the handle has 32 bits, so the adapter is that whose driver
 * is being called (door_caller). Outside of a call the answer is NULL, as for a handle that names
 * nothing.
 */
#include "vidmm/adapter/interface.h"
#include "vidmm/share/share.h"

static HANDLE of_allocation(const adapter_t *adapter, const DXGKARGCB_GETHANDLEDATA *arg)
{
    const struct allocation *allocation =
        handle_object(adapter, arg->hObject, VIDMM_OBJECT_ALLOCATION);
    if (!allocation)
        return NULL;
    return arg->Flags.DeviceSpecific ? shared_driver_handle(allocation, arg->hObject)
                                     : allocation->pageable.driver_handle;
}

static HANDLE of_resource(const adapter_t *adapter, const DXGKARGCB_GETHANDLEDATA *arg)
{
    const struct resource *resource = handle_object(adapter, arg->hObject, VIDMM_OBJECT_RESOURCE);
    return resource ? resource->driver_handle : NULL;
}

static VOID *get_handle_data(IN_CONST_PDXGKARGCB_GETHANDLEDATA arg)
{
    adapter_t *adapter = door_caller();
    if (!adapter)
        return NULL;
    applies(adapter, RULE(MINI_086));
    switch (arg->Type) {
    case DXGK_HANDLE_ALLOCATION: return of_allocation(adapter, arg);
    case DXGK_HANDLE_RESOURCE: return of_resource(adapter, arg);
    default: return NULL;
    }
}

/* Nothing ends during a call of the driver: there is nothing to hold. */
static VOID *acquire_handle_data(IN_CONST_PDXGKARGCB_GETHANDLEDATA arg,
                                 PDXGKARG_RELEASE_HANDLE release)
{
    VOID *data = get_handle_data(arg);
    *release = data;
    return data;
}

static VOID release_handle_data(IN_CONST_DXGKARGCB_RELEASEHANDLEDATA arg)
{
    (void)arg;
}

void interface_fill_handles(DXGKRNL_INTERFACE *interface)
{
    interface->DxgkCbGetHandleData = get_handle_data;
    interface->DxgkCbAcquireHandleData = acquire_handle_data;
    interface->DxgkCbReleaseHandleData = release_handle_data;
}
