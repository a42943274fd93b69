/* SPDX-License-Identifier: MIT */
/*
 * page_in_move.c: a resident allocation moves: from one segment to another, because an access
 * cannot use the one where it is, or because system pages need a range of an aperture for as long
 * as they are displayed.
 *
 * In WDDM 2.0 and later resident in system memory means locked pages without a range (PLACE-017).
 * Shown, the same pages get one, and lose it when they are hidden; nothing is copied and nothing is
 * evicted. Bytes under a range and locked pages count against the same limit (SEG-071), never
 * twice.
 *
 * Rules not named below: RES-057.
 */
#include "paging/residency/pager.h"

/* ---- from one segment to another ------------------------------------------------------------- */

static struct place copy_place(const struct place *place)
{
    struct place copy = *place;
    if (place->run_count > 1) {
        copy.runs = base_alloc(place->run_count, sizeof *copy.runs);
        for (size_t i = 0; i < place->run_count; i++)
            copy.runs[i] = place->runs[i];
    }
    return copy;
}

/* Something ended half-way: the old place is as it was, for nothing could take it meanwhile. */
static void go_back(adapter_t *adapter, struct pageable *allocation, const struct place *old)
{
    const struct vidmm_search back = { .segment = old->segment,
                                       .high = segment_desc(adapter, old->segment)->bytes,
                                       .why = RULE(PAGE_008) };
    const struct place failed = allocation->place.at; /* of an aperture it is one range */
    bool mapped = place_in_aperture(adapter, &failed);
    residency_unplace(adapter, allocation, !mapped);
    if (place_in_aperture(adapter, old)) {
        places_evicting_end(adapter, old->segment, old->one);
        places_leaving_end(adapter);
        places_release(adapter, old->segment,
                       (struct freed_runs){ &old->one, 1, false, allocation->handle });
    }
    residency_place(adapter, allocation, copy_place(old), &back);
    if (mapped) {
        places_evicting_begin(adapter, failed.segment, failed.one);
        paging_unmap_later(adapter, allocation, failed.segment, failed.one, false);
    }
}

/* Memory to memory, aperture to memory, or memory to an aperture that serves evictions. */
static vidmm_status move_by_transfer(adapter_t *adapter, struct pageable *allocation,
                                     struct found_place *found)
{
    bool to_aperture = place_in_aperture(adapter, &found->place);
    if (to_aperture && !backing_populate(adapter, allocation))
        return page_in_no_pages(adapter, allocation);
    if (to_aperture) /* what waits may end an earlier page-in, and let the store go (PAGE-011) */
        backing_lock(adapter, allocation);
    /* What the driver is notified of is a paging operation, too (PAGE-043). */
    vidmm_status status = paging_ready(adapter, allocation, RULE(PAGE_040));
    bool was_aperture = place_in_aperture(adapter, &allocation->place.at);
    if (!status)
        status = was_aperture ? paging_notify_eviction(adapter, allocation)
                              : paging_notify_departure(adapter, allocation);
    if (!status)
        status = adapter->pageable_hooks->move(adapter, allocation);
    if (to_aperture)
        backing_unlock(adapter, allocation); /* paging_map() takes them at once, and keeps them */
    if (status)
        return status;
    struct place old = copy_place(&allocation->place.at);
    if (was_aperture)
        places_evicting_begin(adapter, old.segment, old.one);
    residency_unplace(adapter, allocation, !was_aperture);
    residency_place(adapter, allocation, found->place, found->search);
    found->place = (struct place){ 0 };
    if (to_aperture)
        status = paging_map(adapter, allocation, allocation->place.at.segment,
                            allocation->place.at.one, false);
    if (!status)
        status = paging_transfer_move(adapter, allocation, &old);
    if (status && !adapter_stopped(adapter))
        go_back(adapter, allocation, &old);
    if (!status && !to_aperture)
        status = paging_notify_arrival(adapter, allocation);
    if (old.run_count > 1)
        base_free(old.runs);
    return status;
}

vidmm_status page_in_leave(adapter_t *adapter, struct pageable *allocation,
                           const struct found_place *found, enum evict_reason reason)
{
    vidmm_status status = STATUS_SUCCESS;
    if (allocation->store.state == ALLOCATION_RESIDENT)
        status = evict_allocation(adapter, allocation, reason, RULE(PAGE_008));
    if (!status && allocation->store.state == ALLOCATION_LOST)
        return refuse(adapter, RULE(PAGE_025), STATUS_GRAPHICS_ALLOCATION_CONTENT_LOST,
                      "%s lost its content on the way to another segment", allocation->label);
    return status ? status : page_in_wait_for_room(adapter, found, allocation);
}

vidmm_status page_in_move(adapter_t *adapter, struct pageable *allocation,
                          struct found_place *found, enum evict_reason reason)
{
    const struct place *from = &allocation->place.at;
    bool permanent = allocation_is_permanent(allocation);
    enum evict_route way = evict_route(adapter, allocation);
    bool kept = place_in_memory(adapter, from) && place_in_aperture(adapter, &found->place) &&
                (allocation->info.eviction_set & segment_set_bit(adapter, found->place.segment)) &&
                way != OUT_PROTECTED && !(permanent && way == OUT_DROP);
    vidmm_status status;
    if (!from->segment || !(place_in_memory(adapter, &found->place) || kept)) {
        status = page_in_leave(adapter, allocation, found, reason);
        return status ? status : page_in_settle(adapter, allocation, found);
    }
    status = move_by_transfer(adapter, allocation, found);
    if (status)
        paging_notify_stayed(adapter, allocation);
    return status;
}

/* ---- from pages to a range ------------------------------------------------------------------ */

static void lie_down(adapter_t *adapter, struct pageable *allocation, bool pinned)
{
    allocation->place.pinned = pinned;
    allocation->place.displayed = false;
    residency_place(adapter, allocation, (struct place){ 0 }, &(struct vidmm_search){ 0 });
}

vidmm_status residency_show(adapter_t *adapter, struct pageable *allocation)
{
    bool resident = allocation->store.state == ALLOCATION_RESIDENT;
    if (adapter->setup->caps.wddm >= VIDMM_WDDM_2_0)
        applies(adapter, RULE(FLAG_054));
    if (allocation->place.at.segment) {
        turns_used(adapter, allocation, paging_uses(adapter));
        return STATUS_SUCCESS;
    }
    if (resident) { /* locked pages of segment 0: they stay locked, without a place */
        residency_unplace(adapter, allocation, true);
        allocation_become(allocation, ALLOCATION_EVICTED);
        pageable_check_state(allocation);
    }
    allocation->place.displayed = true;
    if (!resident)
        return residency_require(adapter, allocation, true, allocation->creator);
    /* The one that stood for system memory in its set (SEG-036). */
    vidmm_status status = residency_bring(adapter, allocation, places_aperture_set(adapter),
                                          "display", EVICT_MIGRATION);
    if (adapter_stopped(adapter))
        return status;
    if (allocation->store.state == ALLOCATION_RESIDENT)
        backing_unlock(adapter, allocation); /* a mapping has a lock of its own */
    else
        lie_down(adapter, allocation, allocation->place.pinned_anyway);
    return status;
}

/* ---- and back ------------------------------------------------------------------------------- */

vidmm_status residency_hide(adapter_t *adapter, struct pageable *allocation)
{
    struct place from = allocation->place.at;
    bool pinned = allocation->place.pinned;
    if (!means_system_memory(adapter, allocation, from.segment))
        return STATUS_SUCCESS;
    vidmm_status status = evict_wait_until_idle(adapter, allocation);
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
