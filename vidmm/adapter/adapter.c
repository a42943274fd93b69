/* SPDX-License-Identifier: MIT */
/*
 * adapter.c: the start of an adapter, and settings while it runs.
 *
 * A start goes through the miniport's AddDevice and StartDevice, then asks it for caps and segments
 * (MINI-002), then makes what the answers need: nodes, paging buffers, the system's context.
 *
 * Rules not named below: MINI-074.
 */
#include <inttypes.h>

#include "paging/buffer/buffer.h"
#include "paging/residency/residency.h"
#include "paging/schedule/watch.h"
#include "paging/store/store.h"
#include "paging/store/turns.h"
#include "vidmm/adapter/start.h"
#include "vidmm/adapter/start_state.h"
#include "vidmm/allocation/allocation.h"
#include "vidmm/base/base_hash.h"
#include "vidmm/catalogue/catalogue.h"
#include "vidmm/cpu/cpu.h"
#include "vidmm/device/device.h"
#include "vidmm/recovery/recovery.h"

static const uint64_t most_memory_bytes = UINT64_C(1) << 52;

/* ---- start ---------------------------------------------------------------------------------- */

/* Lists the calls without which nothing of this can run, and which the driver does not have. */
static void list_missing_calls(const DRIVER_INITIALIZATION_DATA *ddi, char *text, size_t bytes)
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
    text[0] = '\0';
    for (size_t i = 0; i < ARRAY_COUNT(calls); i++)
        if (!calls[i].there)
            words_add(text, bytes, "%s%s", *text ? ", " : "", calls[i].name);
}

static vidmm_status choose_placement(adapter_t *adapter)
{
    uint64_t number = setting(adapter, VIDMM_SETTING_PLACEMENT);
    const struct vidmm_policies *loaded =
        settings_loaded(&adapter->setup->config, VIDMM_SETTING_PLACEMENT);
    const struct vidmm_placement_policy *policy =
        loaded ? loaded->placement : vidmm_placement_policy_row(number);
    if (!policy)
        return refuse(adapter, RULE(POLICY_001), STATUS_INVALID_PARAMETER,
                      "no placement policy has the number %" PRIu64, number);
    places_use_policy(adapter, policy);
    return STATUS_SUCCESS;
}

static vidmm_status check_config(adapter_t *adapter)
{
    const struct vidmm_machine *machine = &adapter->setup->config.machine;
    char missing[VIDMM_REFUSAL_TEXT_MAX - 32];
    if (!adapter->setup->ddi || !adapter->setup->config.miniport.hardware)
        return refuse(adapter, RULE(MINI_002), STATUS_INVALID_PARAMETER, "the miniport has no %s",
                      adapter->setup->ddi ? "hardware" : "DRIVER_INITIALIZATION_DATA");
    list_missing_calls(adapter->setup->ddi, missing, sizeof missing);
    if (*missing)
        return refuse(adapter, RULE(MINI_002), STATUS_INVALID_PARAMETER, "the miniport has no %s",
                      missing);
    if (adapter->setup->config.link_adapters > VIDMM_LINK_MAX)
        return refuse(adapter, RULE(SEG_003), STATUS_INVALID_PARAMETER,
                      "a link has at most %d adapters", VIDMM_LINK_MAX);
    if (machine->memory_bytes < 2 * adapter->setup->page ||
        machine->memory_bytes > most_memory_bytes)
        return refuse(adapter, RULE(MINI_019), STATUS_INVALID_PARAMETER,
                      "a machine cannot have %s of memory", words_size(machine->memory_bytes).it);
    if (!is_aligned(setting(adapter, VIDMM_SETTING_MAX_TRANSFER), adapter->setup->page))
        return refuse(adapter, RULE(MINI_064), STATUS_INVALID_PARAMETER,
                      "max-transfer is no multiple of the page");
    return choose_placement(adapter);
}

/* Free, and before the first line of a trace (MINI-002): no event tells of these two calls. */
static vidmm_status driver_start(adapter_t *adapter)
{
    struct setup *setup = adapter->setup;
    const struct vidmm_miniport *miniport = &setup->config.miniport;
    DXGK_START_INFO info = { 0 };
    ULONG sources, children;
    callbacks_init(adapter);
    driver_call_start(adapter, "DxgkDdiAddDevice");
    NTSTATUS status = setup->ddi->DxgkDdiAddDevice(miniport->physical_device, &setup->driver);
    driver_call_returned(adapter);
    if (!NT_SUCCESS(status))
        return refuse(adapter, RULE(MINI_008), status, "DxgkDdiAddDevice failed");
    adapter->start->driver_added = true;
    bus_start(adapter);
    driver_call_start(adapter, "DxgkDdiStartDevice");
    status = setup->ddi->DxgkDdiStartDevice(setup->driver, &info, &adapter->start->interface,
                                            &sources, &children);
    driver_call_returned(adapter);
    if (!NT_SUCCESS(status))
        return refuse(adapter, RULE(MINI_008), status, "DxgkDdiStartDevice failed");
    adapter->start->driver_started = true;
    return STATUS_SUCCESS;
}

static vidmm_status start(adapter_t *adapter)
{
    vidmm_status status = check_config(adapter);
    if (status)
        return status;
    if (!system_space(adapter)->bytes) { /* or it is not the first start */
        adapter->setup->dummy_page =
            system_start(adapter, align_down(adapter->setup->config.machine.memory_bytes,
                                             adapter->setup->page));
    }
    status = driver_start(adapter);
    if (!status)
        status = caps_start(adapter);
    if (!status)
        status = segments_start(adapter);
    if (!status)
        status = turns_start(adapter);
    if (status)
        return status;
    schedule_start(adapter);
    status = device_start_system(adapter);
    if (status)
        return status;
    adapter_has_started(adapter,
                        true); /* paging buffers may have to be mapped, which is ordinary paging */
    return paging_start(adapter);
}

/* A finding that ends the run refuses nothing. */
static enum vidmm_rule rule_of_failure(const adapter_t *adapter)
{
    const struct vidmm_bugcheck *stop = bugcheck_of(adapter);
    return stop ? stop->rule : refusal_of(adapter)->rules[0];
}

vidmm_status adapter_begin(adapter_t *adapter)
{
    clock_untimed(adapter, true);
    vidmm_status status = start(adapter);
    clock_untimed(adapter, false);
    adapter_has_started(adapter, !status);
    if (status)
        interrupt_disconnect(adapter);
    EMIT(adapter, START_ADAPTER, status ? rule_of_failure(adapter) : RULE(MINI_002), 0,
         f_status("status", status), f_number("segments", adapter->setup->segments_each),
         f_number("nodes", adapter->setup->caps.nodes));
    return status;
}

void segments_free(adapter_t *adapter)
{
    turns_stop(adapter);
    host_aperture_stop(adapter);
    places_stop(adapter);
}

vidmm_status adapter_restart(adapter_t *adapter)
{
    /* Everything goes that follows from the answers of the miniport; what callers hold stays. */
    pnp_stop_driver(adapter);
    paging_stop(adapter);
    counters_forget_segments(adapter);
    segments_free(adapter);
    adapter->setup->segment_count = adapter->setup->segments_each = 0;
    adapter_has_started(adapter, false);
    adapter_becomes(adapter, ADAPTER_PRESENT);
    vidmm_status status = adapter_begin(adapter);
    if (status)
        adapter_becomes(adapter, ADAPTER_REMOVED);
    return status;
}

/* ---- while it runs -------------------------------------------------------------------------- */

void vidmm_observe(adapter_t *adapter, struct vidmm_observer *observer)
{
    LL_APPEND(adapter->observers.first, observer);
    observers_set(adapter, adapter->observers.first);
}

const struct vidmm_config *vidmm_config_of(const adapter_t *adapter)
{
    return &adapter->setup->config;
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
    if (!info->at_run_time ||
        !vidmm_setting_store(&adapter->setup->config.settings, index, value, &why))
        return refuse(adapter, info->rule, STATUS_INVALID_PARAMETER, "%s: %s", info->name, why);
    settings_cost(&adapter->setup->config.settings, &adapter->setup->cost);
    schedule_costs_changed(adapter);
    if (index == VIDMM_SETTING_TDR_LEVEL || index == VIDMM_SETTING_TDR_DEBUG_MODE)
        watch_detection_changed(adapter);
    return STATUS_SUCCESS;
}

struct start *start_new(void)
{
    return base_alloc(1, sizeof(struct start));
}
