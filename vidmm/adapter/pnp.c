/* SPDX-License-Identifier: MIT */
/*
 * pnp.c: Plug and Play: the adapter is stopped and removed, and may come back.
 *
 * A stop ends all that the driver knows: content goes to system memory, allocations are closed and
 * destroyed, contexts and devices follow, then come the calls that stop and remove the driver. What
 * callers hold of devices and contexts stays as handles of stopped devices, to be destroyed.
 *
 * Rules not named below: FLAG-035, PAGE-053.
 */
#include "paging/residency/residency.h"
#include "paging/schedule/watch.h"
#include "paging/store/store.h"
#include "vidmm/adapter/start.h"
#include "vidmm/adapter/start_state.h"
#include "vidmm/allocation/allocation.h"
#include "vidmm/device/device.h"
#include "vidmm/recovery/recovery.h"
#include "vidmm/share/share.h"
#include "vidmm/submit/submit.h"

/* ---- the end of what the driver knows ------------------------------------------------------- */

/* Oldest first. */
static struct device **all_devices(const adapter_t *adapter, size_t *count)
{
    size_t n = 0;
    for (const struct device *device = device_first(adapter); device; device = device->next)
        n++;
    struct device **list = base_alloc(n + 1, sizeof(struct device *));
    *count = n;
    for (struct device *device = device_first(adapter); device; device = device->next)
        list[--n] = device;
    return list;
}

static void mark_devices(adapter_t *adapter, enum vidmm_rule rule)
{
    size_t count;
    struct device **devices = all_devices(adapter, &count);
    for (size_t i = 0; i < count; i++)
        device_fail(adapter, devices[i], DEVICE_STOPPED, rule);
    base_free(devices);
}

static vidmm_status forget_devices(adapter_t *adapter)
{
    size_t count;
    struct device **devices = all_devices(adapter, &count);
    vidmm_status status = STATUS_SUCCESS;
    struct resource *resource;
    for (size_t at = 0;
         !status && (resource = handle_next(adapter, VIDMM_OBJECT_RESOURCE, &at)) != NULL;)
        status = resource_destroy(adapter, resource);
    for (size_t i = 0; i < count && !status; i++)
        status = device_leave_driver(adapter, devices[i]);
    base_free(devices);
    return status;
}

/* ---- calls of the driver -------------------------------------------------------------------- */

/* The simulated adapter is the one that firmware initialised. True: the driver is stopped. */
static bool stop_and_release(adapter_t *adapter)
{
    struct setup *setup = adapter->setup;
    DXGK_DISPLAY_INFORMATION information = { 0 };
    if (!setup->caps.non_vga || !setup->ddi->DxgkDdiStopDeviceAndReleasePostDisplayOwnership)
        return false;
    NTSTATUS answer = DRIVER_CALL(adapter, 0, StopDeviceAndReleasePostDisplayOwnership,
                                  setup->driver, 0, &information);
    DRIVER_CALL_END(adapter, StopDeviceAndReleasePostDisplayOwnership, answer, 0,
                    f_number("TargetId", 0));
    return answer == STATUS_SUCCESS;
}

void pnp_stop_driver(adapter_t *adapter)
{
    NTSTATUS answer;
    device_stop_system(adapter);
    if (adapter->start->driver_started) {
        applies(adapter, RULE(TDR_032));
        if (!stop_and_release(adapter)) {
            answer = DRIVER_CALL(adapter, 0, StopDevice, adapter->setup->driver);
            driver_call_end(adapter, "DxgkDdiStopDevice", answer, 0, NULL, 0);
        }
    }
    interrupt_disconnect(adapter);
    if (adapter->start->driver_added) {
        answer = DRIVER_CALL(adapter, 0, RemoveDevice, adapter->setup->driver);
        driver_call_end(adapter, "DxgkDdiRemoveDevice", answer, 0, NULL, 0);
    }
    adapter->start->driver_started = adapter->start->driver_added = false;
}

/* ---- stop and start ------------------------------------------------------------------------- */

/* Nothing of the devices and nothing of the driver is left. */
static vidmm_status leave(adapter_t *adapter, enum vidmm_rule rule)
{
    vidmm_status status = forget_devices(adapter);
    if (status)
        return status;
    pnp_stop_driver(adapter);
    adapter_becomes(adapter, ADAPTER_REMOVED);
    EMIT(adapter, PNP, rule, 0, f_word("state", "stopped"));
    return adapter_alive(adapter);
}

vidmm_status vidmm_pnp_stop(struct vidmm_adapter *adapter)
{
    struct purge purge;
    vidmm_status status = adapter_usable(adapter);
    purge_init(&purge, EVICT_PNP_STOP, RULE(TDR_033));
    if (!status)
        status = purge_warn(adapter, &purge);
    if (status)
        return status;
    EMIT(adapter, PNP, RULE(TDR_031), 0, f_word("state", "stopping"));
    mark_devices(adapter, RULE(TDR_031));
    status = schedule_wait_idle(adapter, VIDMM_WAIT_DRAIN, RULE(TDR_031));
    if (!status)
        status = purge_everything(adapter, EVICT_PNP_STOP, RULE(TDR_033));
    for (uint32_t id = 0; id <= adapter->setup->segment_count && !status; id++) {
        struct resident_walk walk = residents_begin(adapter, id);
        CHECK(!residents_next(&walk)); /* where the system would stop with 0x10E */
    }
    return status ? status : leave(adapter, RULE(TDR_031));
}

/* TDR-036: the driver may be in the middle of anything, and must not touch the hardware. */
static vidmm_status notify(adapter_t *adapter, bool asleep)
{
    struct setup *setup = adapter->setup;
    DXGK_SURPRISE_REMOVAL_TYPE type = asleep ? DxgkRemovalHibernation : DxgkRemovalPnPNotify;
    if (setup->caps.wddm < VIDMM_WDDM_1_2 || !setup->ddi->DxgkDdiNotifySurpriseRemoval)
        return STATUS_SUCCESS;
    NTSTATUS answer = DRIVER_CALL(adapter, 0, NotifySurpriseRemoval, setup->driver, type);
    DRIVER_CALL_END(adapter, NotifySurpriseRemoval, answer, 0,
                    f_number("RemovalType", (uint64_t)type));
    if (!NT_SUCCESS(answer))
        last_finding(adapter, RULE(TDR_036), 0,
                     "DxgkDdiNotifySurpriseRemoval answers 0x%08x: the system has to start anew",
                     (unsigned)answer);
    return adapter_stopped(adapter) ? adapter_usable(adapter) : STATUS_SUCCESS;
}

vidmm_status vidmm_surprise_removal(struct vidmm_adapter *adapter)
{
    bool asleep = adapter_presence(adapter) == ADAPTER_ASLEEP;
    /* Whoever has the adapter: nobody is asked. */
    bool at_once = asleep || exclude_holds(adapter);
    vidmm_status status = at_once ? adapter_alive(adapter) : adapter_usable(adapter);
    if (status)
        return status;
    adapter_becomes(adapter, ADAPTER_PRESENT);
    EMIT(adapter, PNP, RULE(TDR_036), 0, f_word("state", "surprise-removal"));
    status = notify(adapter, asleep);
    if (status)
        return status;
    mark_devices(adapter, RULE(TDR_036));
    status = tdr_hardware_gone(adapter);
    return status ? status : leave(adapter, RULE(TDR_036));
}

vidmm_status vidmm_pnp_start(struct vidmm_adapter *adapter)
{
    vidmm_status status = door_check(adapter);
    if (status)
        return status;
    if (adapter_presence(adapter) != ADAPTER_REMOVED || adapter_stopped(adapter)) {
        status = adapter_usable(adapter);
        return status ? status
                      : refuse(adapter, RULE(TDR_031), STATUS_INVALID_PARAMETER,
                               "the adapter was not stopped");
    }
    EMIT(adapter, PNP, RULE(TDR_031), 0, f_word("state", "starting"));
    status = adapter_restart(adapter);
    EMIT(adapter, PNP, RULE(TDR_031), 0, f_word("state", status ? "failed" : "started"));
    return status;
}
