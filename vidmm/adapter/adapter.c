/* SPDX-License-Identifier: MIT */
/*
 * adapter.c: the start of an adapter, and settings while it runs.
 *
 * A start goes through the miniport's AddDevice and StartDevice, then asks it for caps and segments
 * (MINI-002), then makes what the answers need: nodes, paging buffers, the system's context.
 */
#include <string.h>

#include "vidmm/adapter/start.h"
#include "vidmm/allocation/allocation.h"
#include "vidmm/manager.h"
#include "vidmm/share/share.h"
#include "vidmm/cpu/cpu.h"

static const uint64_t most_memory_bytes = UINT64_C(1) << 52;

/* ---- start ---------------------------------------------------------------------------------- */

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
    if (!placement_by_name(adapter->config.placement))
        return refuse(adapter, RULE(PLACE_004), STATUS_INVALID_PARAMETER,
                      "no placement policy is called '%s'", adapter->config.placement);
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

vidmm_status adapter_begin(adapter_t *adapter)
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

/* ---- stop ----------------------------------------------------------------------------------- */

void segments_free(adapter_t *adapter)
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
    vidmm_status status = adapter_begin(adapter);
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

