/* SPDX-License-Identifier: MIT */
/*
 * life.c: an adapter comes and goes, and callers end what they have: what reaches through all
 * floors.
 *
 * The first refusal ends a start; what exists by then is undone by vidmm_adapter_free(), like
 * everything else.
 */

#include "paging/buffer/buffer.h"
#include "paging/residency/link.h"
#include "paging/schedule/watch.h"
#include "paging/store/store.h"
#include "vidmm/adapter/adapter.h"
#include "vidmm/allocation/allocation.h"
#include "vidmm/catalogue/catalogue.h"
#include "vidmm/cpu/cpu.h"
#include "vidmm/device/device.h"
#include "vidmm/recovery/recovery.h"
#include "vidmm/share/share.h"
#include "vidmm/submit/submit.h"
#include "vidmm/validate.h"
#include "vidmm/wiring.h"

enum { DEFAULT_PAGING_BUFFERS = 4 };

static const uint64_t default_memory_bytes = UINT64_C(8) << 30;
void vidmm_config_init(struct vidmm_config *config)
{
    *config = (struct vidmm_config){
        .machine.memory_bytes = default_memory_bytes,
    };
    vidmm_settings_init(&config->settings);
}

vidmm_status vidmm_adapter_start(const struct vidmm_config *config, adapter_t **out)
{
    adapter_t *adapter = *out = base_alloc(1, sizeof *adapter);
    wiring_connect(adapter);
    struct setup *setup = adapter->setup;
    setup->config = *config;
    setup->ddi = config->miniport.ddi;
    observers_set(adapter, config->observers);
    setup->page = setting(adapter, VIDMM_SETTING_PAGE);
    setup->paging_count = config->paging_buffers ? config->paging_buffers : DEFAULT_PAGING_BUFFERS;
    /* A start with more is refused; what goes through them until the end finds no more. */
    setup->link_count = config->link_adapters ? min_u32(config->link_adapters, VIDMM_LINK_MAX) : 1;
    cpu_start(adapter);
    adapter->rule_uses = base_alloc(vidmm_rule_count() + 1, sizeof *adapter->rule_uses);
    settings_cost(&config->settings, &setup->cost);
    return adapter_begin(adapter);
}

/* ---- stop ----------------------------------------------------------------------------------- */

static void end_object(adapter_t *adapter, enum vidmm_object kind, void *object)
{
    switch (kind) {
    case VIDMM_OBJECT_RESOURCE: resource_free(adapter, object); break;
    case VIDMM_OBJECT_CONTEXT: context_free(adapter, object); break;
    case VIDMM_OBJECT_DEVICE: device_free(adapter, object); break;
    case VIDMM_OBJECT_PROCESS: process_free(adapter, object); break;
    case VIDMM_OBJECT_SYSTEM_RANGE:
        ((struct system_range *)object)->users = 0;
        system_range_free(adapter, object);
        break;
    default: CHECK(false);
    }
}

static void end_objects(adapter_t *adapter)
{
    static const enum vidmm_object owned_before_owners[] = {
        VIDMM_OBJECT_RESOURCE, VIDMM_OBJECT_CONTEXT,      VIDMM_OBJECT_DEVICE,
        VIDMM_OBJECT_PROCESS,  VIDMM_OBJECT_SYSTEM_RANGE,
    };
    shared_abandon(adapter);
    for (struct device *device = device_first(adapter); device; device = device->next)
        while (device->allocations)
            allocation_abandon(adapter, device->allocations);
    for (size_t i = 0; i < ARRAY_COUNT(owned_before_owners); i++) {
        void *object;
        for (size_t at = 0; (object = handle_next(adapter, owned_before_owners[i], &at)) != NULL;)
            end_object(adapter, owned_before_owners[i], object);
    }
}

void vidmm_adapter_free(adapter_t *adapter)
{
    if (!adapter || door_check(adapter)) /* BUG-051 */
        return;
    if (adapter_started(adapter))
        self_check_end(adapter);
    adapter_ends(adapter);
    interrupt_disconnect(adapter);
    adapter->setup->config.settings.value[VIDMM_SETTING_CHECKED] = 0;
    /* What follows is no part of the simulation: nobody hears of it, no packet ends meanwhile. */
    observers_set(adapter, NULL);
    adapter->setup->config.complaint_observers = NULL;
    shared_forget_spoken(adapter);
    clock_untimed(adapter, true);
    end_objects(adapter);
    if (!adapter_stopped(adapter)) /* a system that has stopped calls nobody any more */
        pnp_stop_driver(adapter);
    schedule_stop(adapter);
    paging_stop(adapter);
    submit_stop(adapter);
    residency_stop(adapter);
    swizzle_stop(adapter);
    schedule_fini(adapter);
    recovery_fini(adapter);
    timeline_fini(clock_of(adapter));
    segments_free(adapter);
    system_stop(adapter);
    callbacks_fini(adapter);
    tell_fini(adapter);
    base_free(adapter->rule_uses);
    wiring_free(adapter);
    base_free(adapter);
}

/* ---- destroy -------------------------------------------------------------------------------- */

/* Gone, or closed for the device of this handle while others have it open. */
static bool names_nothing(const adapter_t *adapter, vidmm_handle handle)
{
    enum vidmm_object kind = vidmm_object_kind(adapter, handle);
    const void *object = handle_object(adapter, handle, kind);
    const struct resource *resource = NULL;
    if (kind == VIDMM_OBJECT_ALLOCATION)
        resource = ((const struct allocation *)object)->resource;
    if (kind == VIDMM_OBJECT_RESOURCE)
        resource = object;
    return kind == VIDMM_OBJECT_NONE ||
           (resource && resource->sharing && !shared_opening(resource, handle));
}

/* Of a shared resource only what the device of the handle has of it, and then as a whole. */
static vidmm_status destroy_resource(adapter_t *adapter, struct resource *resource,
                                     vidmm_handle handle)
{
    return resource->sharing ? vidmm_close(adapter, handle) : resource_destroy(adapter, resource);
}

static vidmm_status destroy_one(adapter_t *adapter, vidmm_handle handle)
{
    enum vidmm_object kind = vidmm_object_kind(adapter, handle);
    void *object = handle_object(adapter, handle, kind);
    struct allocation *allocation = kind == VIDMM_OBJECT_ALLOCATION ? object : NULL;
    CHECK_SLOW(!allocation || validate_allocation(adapter, allocation));
    if (allocation && allocation_is_shared(allocation))
        return destroy_resource(adapter, allocation->resource, handle);
    switch (kind) {
    case VIDMM_OBJECT_PROCESS: return process_destroy(adapter, object);
    case VIDMM_OBJECT_DEVICE: return device_destroy(adapter, object);
    case VIDMM_OBJECT_CONTEXT: return context_destroy(adapter, object);
    case VIDMM_OBJECT_ALLOCATION: return allocation_destroy(adapter, allocation);
    case VIDMM_OBJECT_RESOURCE: return destroy_resource(adapter, object, handle);
    case VIDMM_OBJECT_SYSTEM_RANGE: return system_range_destroy(adapter, object);
    case VIDMM_OBJECT_NONE: break;
    }
    return STATUS_SUCCESS;
}

vidmm_status vidmm_destroy(adapter_t *adapter, const vidmm_handle *handles, size_t count)
{
    bool gone = adapter_presence(adapter) == ADAPTER_REMOVED; /* what is left of it can still end */
    vidmm_status status = gone ? adapter_alive(adapter) : adapter_usable(adapter);
    for (size_t i = 0; i < count && !status; i++)
        if (names_nothing(adapter, handles[i]))
            status = refuse(adapter, RULE(MINI_042), STATUS_INVALID_HANDLE,
                            "element %zu of the call names nothing that lives (%s)", i,
                            shared_word(adapter, handles[i]).it);
    for (size_t i = 0; i < count && !status; i++)
        if (!names_nothing(adapter, handles[i])) /* it may have gone with one before it */
            status = destroy_one(adapter, handles[i]);
    return status;
}
