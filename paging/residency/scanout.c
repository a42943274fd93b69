/* SPDX-License-Identifier: MIT */
/*
 * scanout.c: system pages under a range of an aperture, for as long as they are displayed.
 *
 * From 2.0 on resident in system memory means locked pages without a range (PLACE-017). Shown, the
 * same pages get one, and lose it when they are hidden; nothing is copied and nothing is evicted.
 * Bytes under a range and locked pages count against the same limit (SEG-071), never twice.
 */
#include "paging/residency/pager.h"

/* ---- from pages to a range ------------------------------------------------------------------ */

/* Locked pages of segment 0 without a place. */
static void take_off(adapter_t *adapter, struct pageable *allocation)
{
    residency_unplace(adapter, allocation, true);
    allocation_become(allocation, ALLOCATION_EVICTED);
}

static void lie_down(adapter_t *adapter, struct pageable *allocation, bool pinned)
{
    const struct vidmm_search bare = { .segment = 0 };
    allocation->place.pinned = pinned;
    residency_place(adapter, allocation, (struct place){ .segment = 0 }, &bare);
    if (pinned)
        residency_tell_pin(adapter, allocation, RULE(PAGE_051));
}

/* A mapping has a lock of its own. */
static void settle(adapter_t *adapter, struct pageable *allocation)
{
    if (allocation->store.state == ALLOCATION_RESIDENT)
        backing_unlock(adapter, allocation);
    else
        lie_down(adapter, allocation, allocation->place.pinned_anyway);
}

vidmm_status residency_show(adapter_t *adapter, struct pageable *allocation)
{
    uint32_t apertures = places_aperture_set(adapter) & allocation->info.write_set;
    bool resident = allocation->store.state == ALLOCATION_RESIDENT;
    applies(adapter, RULE(RES_057));
    if (adapter->setup->caps.wddm >= VIDMM_WDDM_2_0)
        applies(adapter, RULE(FLAG_054));
    if (resident && allocation->place.at.segment) {
        residency_touch(adapter, allocation);
        return STATUS_SUCCESS;
    }
    if (resident)
        take_off(adapter, allocation);
    allocation->place.displayed = true;
    if (!resident)
        return residency_require(adapter, allocation, true, allocation->creator);
    vidmm_status status = residency_bring(adapter, allocation, apertures, "display");
    if (!adapter_stopped(adapter))
        settle(adapter, allocation);
    return status;
}

/* ---- and back ------------------------------------------------------------------------------- */

/* PAGE-026: nothing of the GPU may still touch the range. */
static vidmm_status wait_until_idle(adapter_t *adapter, struct pageable *allocation)
{
    if (!allocation_busy(adapter, allocation))
        return STATUS_SUCCESS;
    vidmm_status status = paging_flush(adapter);
    return status ? status
                  : sync_marks(adapter, allocation->transfer.marks, VIDMM_WAIT_APERTURE_IDLE,
                               RULE(PAGE_026), allocation->creator);
}

vidmm_status residency_hide(adapter_t *adapter, struct pageable *allocation)
{
    struct place from = allocation->place.at;
    bool pinned = allocation->place.pinned;
    if (!place_in_aperture(adapter, &from) ||
        !means_system_memory(adapter, allocation, from.segment))
        return STATUS_SUCCESS;
    vidmm_status status = wait_until_idle(adapter, allocation);
    if (!status)
        status = paging_ready(adapter, allocation, RULE(PAGE_040));
    if (status)
        return status;
    backing_lock(adapter, allocation); /* PLACE-017: resident means locked */
    places_evicting_begin(adapter, from.segment, from.one);
    residency_unplace(adapter, allocation, false);
    allocation_become(allocation, ALLOCATION_EVICTED);
    status = paging_unmap(adapter, allocation, from.segment, from.one, false);
    while (!status &&
           allocation->info.bytes > adapter->setup->shared_limit - places_committed(adapter))
        status = paging_finish(adapter, RULE(PAGE_026));
    if (!adapter_stopped(adapter))
        lie_down(adapter, allocation, pinned);
    return status;
}
