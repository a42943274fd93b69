/* SPDX-License-Identifier: MIT */
/*
 * callbacks.c: what a miniport may call: DXGKRNL_INTERFACE.
 *
 * Inside a call of the scheduler class only interrupts and handle look-ups are allowed (MINI-001).
 * Interrupts and DPCs are those of the scheduler (paging/schedule/interrupt.c). The device itself
 * and what is not simulated have files of their own.
 *
 * A handle look-up is given no adapter and the handle has 32 bits, so the adapter is that whose
 * driver is being called (door_caller). Outside of a call the answer is NULL, as for a handle that
 * names nothing.
 */
#include "paging/buffer/buffer.h"
#include "paging/schedule/watch.h"
#include "paging/store/store.h"
#include "vidmm/adapter/adapter.h"
#include "vidmm/adapter/start.h"
#include "vidmm/adapter/start_state.h"
#include "vidmm/allocation/allocation.h"
#include "vidmm/ddi/d3dkmddi_versions.h"
#include "vidmm/share/share.h"

/* ---- questions of the driver ---------------------------------------------------------------- */

static NTSTATUS get_device_information(HANDLE handle, PDXGK_DEVICE_INFO info)
{
    adapter_t *adapter = handle;
    callbacks_called(adapter, "DxgkCbGetDeviceInformation");
    *info = (DXGK_DEVICE_INFO){
        .MiniportDeviceContext = adapter->setup->driver,
        .PhysicalDeviceObject = adapter->setup->config.miniport.physical_device,
        .SystemMemorySize.QuadPart = (LONGLONG)system_space(adapter)->bytes,
        .HighestPhysicalAddress.QuadPart = (LONGLONG)(system_space(adapter)->bytes - 1),
        .DockingState = DockStateUnsupported,
        .TranslatedResourceList = device_space_resources(adapter->start->space),
    };
    return STATUS_SUCCESS;
}

/* One thread: nothing can interrupt the routine. */
static NTSTATUS synchronize_execution(HANDLE handle, PKSYNCHRONIZE_ROUTINE routine, PVOID context,
                                      ULONG message, PBOOLEAN result)
{
    (void)message;
    callbacks_called(handle, "DxgkCbSynchronizeExecution");
    *result = routine(context);
    return STATUS_SUCCESS;
}

/* ---- allocations of the driver's own -------------------------------------------------------- */

/* Calls of the driver whose callers expect that allocations come and go meanwhile. */
static const char *const expect_changes[] = {
    "DxgkDdiCreateDevice",   "DxgkDdiDestroyDevice",    "DxgkDdiCreateContext",
    "DxgkDdiDestroyContext", "DxgkDdiCreateAllocation", "DxgkDdiDestroyAllocation",
    "DxgkDdiOpenAllocation", "DxgkDdiCloseAllocation",
};

/* ALLOC-060: not in the midst of a wait, not while memory is being changed, and not at the end. */
static bool may_change_memory(adapter_t *adapter, const char *name)
{
    callbacks_called(adapter, name);
    if (scheduler_call_is_on(adapter) || adapter_ending(adapter))
        return false;
    if (!driver_call_now(adapter))
        return true;
    if (driver_call_is(adapter, expect_changes, ARRAY_COUNT(expect_changes))) {
        CHECK(!paging_preparation(adapter)); /* nothing comes or goes in one */
        return true;
    }
    finding(adapter, RULE(ALLOC_060), 0, "%s is called inside %s, where memory may not change",
            name, driver_call_now(adapter));
    return false;
}

static NTSTATUS create_context_allocation(INOUT_PDXGKARGCB_CREATECONTEXTALLOCATION arg)
{
    adapter_t *adapter = arg->hAdapter;
    if (!may_change_memory(adapter, "DxgkCbCreateContextAllocation"))
        return STATUS_INVALID_PARAMETER;
    const char *before = door_callback(adapter);
    NTSTATUS status = context_allocation_create(arg);
    door_callback_end(adapter, before);
    return status;
}

static NTSTATUS destroy_context_allocation(IN_CONST_HANDLE handle, IN_CONST_HANDLE allocation)
{
    adapter_t *adapter = handle;
    if (!may_change_memory(adapter, "DxgkCbDestroyContextAllocation"))
        return STATUS_INVALID_PARAMETER;
    const char *before = door_callback(adapter);
    NTSTATUS status = context_allocation_destroy(adapter, allocation);
    door_callback_end(adapter, before);
    return status;
}

/* ---- what a driver has behind a handle ------------------------------------------------------ */

/* hAllocation as the driver made it, or what it has for the device that opened the allocation. */
static HANDLE of_allocation(const adapter_t *adapter, const DXGKARGCB_GETHANDLEDATA *arg)
{
    const struct allocation *allocation =
        handle_object(adapter, arg->hObject, VIDMM_OBJECT_ALLOCATION);
    if (!allocation)
        return NULL;
    return arg->Flags.DeviceSpecific ? shared_driver_handle(allocation, arg->hObject)
                                     : allocation->pageable.driver_handle;
}

static VOID *get_handle_data(IN_CONST_PDXGKARGCB_GETHANDLEDATA arg)
{
    adapter_t *adapter = door_caller();
    if (!adapter)
        return NULL;
    applies(adapter, RULE(MINI_086));
    if (arg->Type == DXGK_HANDLE_ALLOCATION)
        return of_allocation(adapter, arg);
    const struct resource *resource = NULL;
    if (arg->Type == DXGK_HANDLE_RESOURCE)
        resource = handle_object(adapter, arg->hObject, VIDMM_OBJECT_RESOURCE);
    return resource ? resource->driver_handle : NULL;
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

/* ---- all of them ---------------------------------------------------------------------------- */

void callbacks_init(adapter_t *adapter)
{
    adapter->start->interface = (DXGKRNL_INTERFACE){
        .Size = sizeof(DXGKRNL_INTERFACE),
        .Version = ddi_version_of((uint32_t)setting(adapter, VIDMM_SETTING_SYSTEM_WDDM)),
        .DeviceHandle = adapter,
        .DxgkCbGetDeviceInformation = get_device_information,
        .DxgkCbSynchronizeExecution = synchronize_execution,
        .DxgkCbCreateContextAllocation = create_context_allocation,
        .DxgkCbDestroyContextAllocation = destroy_context_allocation,
        .DxgkCbGetHandleData = get_handle_data,
        .DxgkCbAcquireHandleData = acquire_handle_data,
        .DxgkCbReleaseHandleData = release_handle_data,
    };
    interrupt_fill(&adapter->start->interface);
    interface_fill_stubs(&adapter->start->interface);
    interface_fill_space(&adapter->start->interface);
    if (!adapter->start->space)
        adapter->start->space = device_space_new();
}

void callbacks_fini(adapter_t *adapter)
{
    if (adapter->start->space)
        device_space_free(adapter->start->space);
}
