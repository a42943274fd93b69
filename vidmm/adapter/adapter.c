/* SPDX-License-Identifier: MIT */
/*
 * adapter.c: start and stop of a simulation, and settings while it runs.
 *
 * A start goes through the miniport's AddDevice and StartDevice, then asks it for caps and segments
 * (MINI-002), then makes what the answers need: nodes, paging buffers, the system's context. The
 * first refusal ends it; what exists by then is undone by vidmm_adapter_free(), like everything
 * else.
 */
#include <string.h>

#include "vidmm/allocation/allocation.h"
#include "vidmm/manager.h"
#include "vidmm/share/share.h"
#include "vidmm/cpu/cpu.h"
#include "vidmm/base/words.h"
#include "vidmm/wiring.h"

enum { DEFAULT_PAGING_BUFFERS = 4 };

static const uint64_t default_memory_bytes = UINT64_C(8) << 30;
static const uint64_t most_memory_bytes = UINT64_C(1) << 52;

void vidmm_config_init(struct vidmm_config *config)
{
    *config = (struct vidmm_config){
        .machine.memory_bytes = default_memory_bytes,
        .paging_buffers = DEFAULT_PAGING_BUFFERS,
    };
    vidmm_settings_init(&config->settings);
}

/* ---- start ---------------------------------------------------------------------------------- */

static adapter_t *new_adapter(const struct vidmm_config *config)
{
    adapter_t *adapter = base_alloc(1, sizeof *adapter);
    adapter->config = *config;
    adapter->ddi = config->miniport.ddi;
    adapter->observers = config->observers;
    adapter->page = setting(adapter, VIDMM_SETTING_PAGE);
    adapter->paging_count =
        config->paging_buffers ? config->paging_buffers : DEFAULT_PAGING_BUFFERS;
    adapter->link_count = config->link_adapters ? config->link_adapters : 1;
    adapter->last_call = "";
    adapter->next_address = adapter->page; /* 0 is no address */
    adapter->rule_uses = base_alloc(vidmm_rule_count() + 1, sizeof *adapter->rule_uses);
    settings_cost(&config->settings, &adapter->cost);
    wiring_connect(adapter);
    return adapter;
}

/* The calls without which nothing of this can run. */
static const char *missing_call(const DRIVER_INITIALIZATION_DATA *ddi)
{
#define CALL(name)                                                                                 \
    {                                                                                              \
#name, ddi->name != NULL                                                                   \
    }
    const struct {
        const char *name;
        bool there;
    } calls[] = {
        CALL(DxgkDdiAddDevice),
        CALL(DxgkDdiStartDevice),
        CALL(DxgkDdiStopDevice),
        CALL(DxgkDdiRemoveDevice),
        CALL(DxgkDdiDpcRoutine),
        CALL(DxgkDdiQueryAdapterInfo),
        CALL(DxgkDdiCreateDevice),
        CALL(DxgkDdiDestroyDevice),
        CALL(DxgkDdiCreateContext),
        CALL(DxgkDdiDestroyContext),
        CALL(DxgkDdiCreateAllocation),
        CALL(DxgkDdiDestroyAllocation),
        CALL(DxgkDdiOpenAllocation),
        CALL(DxgkDdiCloseAllocation),
        CALL(DxgkDdiBuildPagingBuffer),
        CALL(DxgkDdiRender),
        CALL(DxgkDdiPatch),
        CALL(DxgkDdiSubmitCommand),
    };
#undef CALL
    for (size_t i = 0; i < ARRAY_COUNT(calls); i++)
        if (!calls[i].there)
            return calls[i].name;
    return NULL;
}

static vidmm_status check_config(adapter_t *adapter)
{
    const struct vidmm_machine *machine = &adapter->config.machine;
    const char *missing = missing_call(adapter->ddi);
    if (missing)
        return refuse(adapter, RULE(MINI_002), STATUS_INVALID_PARAMETER, "the miniport has no %s",
                      missing);
    if (adapter->link_count > VIDMM_LINK_MAX)
        return refuse(adapter, RULE(SEG_003), STATUS_INVALID_PARAMETER,
                      "a link has at most %d adapters", VIDMM_LINK_MAX);
    if (machine->memory_bytes < 2 * adapter->page || machine->memory_bytes > most_memory_bytes)
        return refuse(adapter, RULE(MINI_019), STATUS_INVALID_PARAMETER,
                      "a machine cannot have %s of memory", words_size(machine->memory_bytes).it);
    if (!is_aligned(setting(adapter, VIDMM_SETTING_MAX_TRANSFER), adapter->page))
        return refuse(adapter, RULE(MINI_064), STATUS_INVALID_PARAMETER,
                      "max-transfer is no multiple of the page");
    return STATUS_SUCCESS;
}

/* All memory is free but for the dummy page, which belongs to nobody else ever (MINI-074). */
static void machine_start(adapter_t *adapter)
{
    uint64_t bytes = align_down(adapter->config.machine.memory_bytes, adapter->page);
    range_tree_init(&adapter->system_space, bytes, adapter->page);
    page_store_init(&adapter->system_pages);
    range_tree_take(&adapter->system_space, (struct range){ 0, adapter->page });
    adapter->dummy_page = 0;
    applies(adapter, RULE(MINI_074));
}

/* Free, and before the first line of a trace (MINI-002): no event tells of these two calls. */
static vidmm_status driver_start(adapter_t *adapter)
{
    const struct vidmm_miniport *miniport = &adapter->config.miniport;
    DXGK_START_INFO info = { 0 };
    ULONG sources, children;
    callbacks_init(adapter);
    adapter->last_call = "DxgkDdiAddDevice";
    (void)door_out(adapter, adapter->last_call);
    NTSTATUS status = adapter->ddi->DxgkDdiAddDevice(miniport->physical_device, &adapter->driver);
    driver_call_returned(adapter);
    if (!NT_SUCCESS(status))
        return refuse(adapter, RULE(MINI_008), status, "DxgkDdiAddDevice failed");
    adapter->driver_added = true;
    bus_start(adapter);
    adapter->last_call = "DxgkDdiStartDevice";
    (void)door_out(adapter, adapter->last_call);
    status = adapter->ddi->DxgkDdiStartDevice(adapter->driver, &info, &adapter->interface, &sources,
                                              &children);
    driver_call_returned(adapter);
    if (!NT_SUCCESS(status))
        return refuse(adapter, RULE(MINI_008), status, "DxgkDdiStartDevice failed");
    adapter->driver_started = true;
    return STATUS_SUCCESS;
}

static vidmm_status start(adapter_t *adapter)
{
    vidmm_status status = check_config(adapter);
    if (status)
        return status;
    if (!adapter->system_space.bytes) /* or it is not the first start */
        machine_start(adapter);
    status = driver_start(adapter);
    applies(adapter, RULE(MINI_002));
    if (!status)
        status = caps_start(adapter);
    if (!status)
        status = segments_start(adapter);
    if (status)
        return status;
    sync_start(adapter);
    status = device_start_system(adapter);
    if (status)
        return status;
    adapter->started = true; /* paging buffers may have to be mapped, which is ordinary paging */
    return paging_start(adapter);
}

static vidmm_status start_and_tell(adapter_t *adapter)
{
    adapter->untimed = true;
    vidmm_status status = start(adapter);
    adapter->untimed = false;
    adapter->started = !status;
    if (status)
        interrupt_disconnect(adapter);
    EMIT(adapter, START_ADAPTER, status ? adapter->refusal.rules[0] : RULE(MINI_002), 0,
         f_status("status", status), f_number("segments", adapter->segments_each),
         f_number("nodes", adapter->caps.nodes));
    return status;
}

vidmm_status vidmm_adapter_start(const struct vidmm_config *config, adapter_t **out)
{
    *out = new_adapter(config);
    return start_and_tell(*out);
}

/* ---- stop ----------------------------------------------------------------------------------- */

typedef void end_object(adapter_t *adapter, void *object);

static void end_context(adapter_t *adapter, void *object)
{
    context_free(adapter, object);
}

static void end_device(adapter_t *adapter, void *object)
{
    device_free(adapter, object);
}

static void end_process(adapter_t *adapter, void *object)
{
    process_free(adapter, object);
}

static void end_range(adapter_t *adapter, void *object)
{
    ((struct system_range *)object)->users = 0;
    system_range_free(adapter, object);
}

static void end_resource(adapter_t *adapter, void *object)
{
    resource_free(adapter, object);
}

static void end_all(adapter_t *adapter, enum vidmm_object kind, end_object *end)
{
    for (size_t i = 1; i < adapter->handles.count; i++) {
        struct handle_slot *slot = &adapter->handles.slots[i];
        if (slot->object && slot->kind == (uint8_t)kind)
            end(adapter, slot->object);
    }
}

/* Owned before owners. */
static void end_objects(adapter_t *adapter)
{
    shared_abandon(adapter);
    for (struct device *device = adapter->devices; device; device = device->next)
        while (device->allocations)
            allocation_abandon(adapter, device->allocations);
    end_all(adapter, VIDMM_OBJECT_RESOURCE, end_resource);
    end_all(adapter, VIDMM_OBJECT_CONTEXT, end_context);
    end_all(adapter, VIDMM_OBJECT_DEVICE, end_device);
    end_all(adapter, VIDMM_OBJECT_PROCESS, end_process);
    end_all(adapter, VIDMM_OBJECT_SYSTEM_RANGE, end_range);
}

static void segments_free(adapter_t *adapter)
{
    for (uint32_t id = 0; id <= adapter->segment_count; id++) {
        struct segment_slot *slot = &adapter->segments[id];
        victim_fini(&slot->order);
        base_free(slot->own_name);
        base_free(slot->fixed.ranges);
        base_free(slot->evicting.ranges);
        if (id)
            host_aperture_fini(slot);
        if (id)
            segment_fini(&slot->segment);
    }
}

void vidmm_adapter_free(adapter_t *adapter)
{
    if (!adapter || door_check(adapter)) /* BUG-051 */
        return;
    if (adapter->started)
        self_check(adapter);
    adapter->ending = true;
    interrupt_disconnect(adapter);
    adapter->config.settings.value[VIDMM_SETTING_CHECKED] = 0;
    /* What follows is no part of the simulation: nobody hears of it, no packet ends meanwhile. */
    adapter->observers = adapter->config.complaint_observers = NULL;
    memset(adapter->spoken.handles, 0, sizeof adapter->spoken.handles);
    adapter->untimed = true;
    end_objects(adapter);
    if (!adapter->stopped) /* a system that has stopped calls nobody any more */
        pnp_stop_driver(adapter);
    sync_stop(adapter);
    paging_stop(adapter);
    submit_stop(adapter);
    swizzle_stop(adapter);
    tdr_stop(adapter);
    engine_set_fini(&adapter->engines);
    timeline_fini(&adapter->timeline);
    fence_board_fini(&adapter->fences);
    segments_free(adapter);
    if (adapter->system_space.bytes) {
        page_store_fini(&adapter->system_pages);
        range_tree_fini(&adapter->system_space);
    }
    callbacks_fini(adapter);
    base_free(adapter->jobs);
    base_free(adapter->due);
    driver_handles_fini(adapter);
    base_free(adapter->handles.slots);
    base_free(adapter->rule_uses);
    base_free(adapter->stamps);
    base_free(adapter);
}

/* ---- once more ------------------------------------------------------------------------------ */

/* Everything that follows from the answers of the miniport; what callers hold stays. */
static void dismantle(adapter_t *adapter)
{
    pnp_stop_driver(adapter);
    paging_stop(adapter);
    for (uint32_t id = 0; id <= adapter->segment_count; id++)
        adapter->counters[VIDMM_COUNTER_RESIDENT_BYTES] -=
            adapter->segments[id].counters[VIDMM_COUNTER_RESIDENT_BYTES];
    segments_free(adapter);
    memset(adapter->segments, 0, sizeof adapter->segments);
    memset(adapter->descs, 0, sizeof adapter->descs);
    adapter->segment_count = adapter->segments_each = 0;
    adapter->shared_committed = 0;
}

vidmm_status adapter_restart(adapter_t *adapter)
{
    dismantle(adapter);
    adapter->started = false;
    adapter->presence = ADAPTER_PRESENT;
    vidmm_status status = start_and_tell(adapter);
    if (status)
        adapter->presence = ADAPTER_REMOVED;
    return status;
}

/* ---- while it runs -------------------------------------------------------------------------- */

void vidmm_observe(adapter_t *adapter, struct vidmm_observer *observer)
{
    struct vidmm_observer **end = &adapter->observers;
    while (*end)
        end = &(*end)->next;
    observer->next = NULL;
    *end = observer;
}

vidmm_status vidmm_set(adapter_t *adapter, size_t index, uint64_t value)
{
    vidmm_status status = adapter_alive(adapter);
    if (status)
        return status;
    const struct vidmm_setting_info *info = vidmm_setting_row(index);
    const char *why = "only a start can change it";
    if (!info)
        return refuse(adapter, RULE(TIME_008), STATUS_INVALID_PARAMETER, "no such setting");
    if (!info->at_run_time || !vidmm_setting_store(&adapter->config.settings, index, value, &why))
        return refuse(adapter, info->rule, STATUS_INVALID_PARAMETER, "%s: %s", info->name, why);
    settings_cost(&adapter->config.settings, &adapter->cost);
    adapter->engines.irq_ns = adapter->cost.irq_ns;
    if (index == VIDMM_SETTING_TDR_LEVEL || index == VIDMM_SETTING_TDR_DEBUG_MODE)
        tdr_detection_changed(adapter);
    return STATUS_SUCCESS;
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
    return kind == VIDMM_OBJECT_NONE || (resource && shared_is_closed(resource, handle));
}

/* Of a shared resource only what the device of the handle has of it, and then as a whole. */
static vidmm_status destroy_resource(adapter_t *adapter, struct resource *resource,
                                     vidmm_handle handle)
{
    return resource->sharing ? vidmm_close(adapter, handle) : resource_destroy(adapter, resource);
}

static vidmm_status destroy_allocation(adapter_t *adapter, struct allocation *allocation,
                                       vidmm_handle handle)
{
    return allocation_is_shared(allocation)
               ? destroy_resource(adapter, allocation->resource, handle)
               : allocation_destroy(adapter, allocation);
}

static vidmm_status destroy_one(adapter_t *adapter, vidmm_handle handle)
{
    enum vidmm_object kind = vidmm_object_kind(adapter, handle);
    void *object = handle_object(adapter, handle, kind);
    switch (kind) {
    case VIDMM_OBJECT_PROCESS: return process_destroy(adapter, object);
    case VIDMM_OBJECT_DEVICE: return device_destroy(adapter, object);
    case VIDMM_OBJECT_CONTEXT: return context_destroy(adapter, object);
    case VIDMM_OBJECT_ALLOCATION: return destroy_allocation(adapter, object, handle);
    case VIDMM_OBJECT_RESOURCE: return destroy_resource(adapter, object, handle);
    case VIDMM_OBJECT_SYSTEM_RANGE: return system_range_destroy(adapter, object);
    case VIDMM_OBJECT_NONE: break;
    }
    return STATUS_SUCCESS;
}

vidmm_status vidmm_destroy(adapter_t *adapter, const vidmm_handle *handles, size_t count)
{
    bool gone = adapter->presence == ADAPTER_REMOVED; /* what is left of it can still end */
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
