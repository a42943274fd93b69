/* SPDX-License-Identifier: MIT */
/* device_state.c: is the device in error, since when, and what becomes of what it has queued? */
#include "vidmm/share/share.h"
#include "vidmm/share/share_state.h"

/*
 * Where the GPU failed, what follows depends on what never came about. A mistake of the caller, and
 * want of memory, take nothing away from what was handed over before.
 */
static bool drops_queue(enum device_state state, enum vidmm_rule rule)
{
    bool faulted = rule == RULE(SUBMIT_059) || rule == RULE(SUBMIT_060);
    return faulted || state == DEVICE_HUNG || state == DEVICE_RESET;
}

struct device *device_first(const adapter_t *adapter)
{
    return adapter->share->devices;
}

void device_list(adapter_t *adapter, struct device *device)
{
    device->next = adapter->share->devices;
    adapter->share->devices = device;
}

void device_unlist(adapter_t *adapter, struct device *device)
{
    struct device **at = &adapter->share->devices;
    while (*at != device)
        at = &(*at)->next;
    *at = device->next;
}

void device_fail(adapter_t *adapter, struct device *device, enum device_state state,
                 enum vidmm_rule rule)
{
    device->drops |= drops_queue(state, rule);
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
