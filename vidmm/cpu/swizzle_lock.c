/* SPDX-License-Identifier: MIT */
/*
 * swizzle_lock.c: the way to the bits for locks that ask for the linear form (AcquireAperture), and
 * for plain locks of Swizzled allocations, which ask for the bits as they are stored.
 *
 *   AcquireAperture    where it is                      what the CPU gets
 *                      memory that the CPU sees         a range over it (case 1)
 *                      evicted swizzled, or aperture    paged into such memory first (case 2)
 *                      evicted linear                   system memory as it is (case 3)
 *                      no range can be had              evicted with Unswizzle, or refused
 *   + UseAlternateVA   any segment                      a range, at an alternate address
 *   neither            evicted linear                   paged in with Swizzle first
 *
 * An allocation without the Swizzled flag is linear in system memory, so only the first and the
 * last but one line concern it.
 *
 * Rules not named below: LOCK-026, LOCK-027, SWIZ-015, SWIZ-018.
 */
#include "paging/buffer/buffer.h"
#include "paging/residency/residency.h"
#include "paging/store/turns.h"
#include "vidmm/cpu/cpu_state.h"
#include "vidmm/cpu/lock.h"
#include "vidmm/cpu/swizzle.h"

/* ---- into memory ---------------------------------------------------------------------------- */

static uint32_t memory_set(const adapter_t *adapter, const struct allocation *allocation,
                           bool visible)
{
    uint32_t set = 0;
    uint32_t supported = allocation->pageable.info.read_set | allocation->pageable.info.write_set;
    for (uint32_t id = 1; id <= adapter->setup->segments_each; id++) {
        const struct vidmm_segment_desc *desc = segment_desc(adapter, id);
        if (!segment_is_aperture(desc) && (!visible || (desc->flags & SEGMENT_CPU_VISIBLE)))
            set |= supported & 1u << (id - 1);
    }
    return set;
}

static vidmm_status page_in(adapter_t *adapter, struct lock_request *request, uint32_t set,
                            enum vidmm_rule rule)
{
    struct allocation *allocation = request->allocation;
    vidmm_status status = STATUS_GRAPHICS_NO_VIDEO_MEMORY;
    request->complex = true;
    applies(adapter, rule);
    if (set) {
        paging_begin(adapter, request->device);
        residency_bind(adapter, &allocation->pageable);
        turns_wanted(adapter, &allocation->pageable);
        status = residency_bring(adapter, &allocation->pageable, set, "lock", EVICT_MIGRATION);
        residency_unbind(adapter);
        status = lock_finish(adapter, request, status);
    }
    if (status != STATUS_GRAPHICS_NO_VIDEO_MEMORY)
        return status;
    return refuse(adapter, rule, STATUS_NO_MEMORY,
                  "no memory segment that the lock could use has room for %s",
                  allocation->pageable.label);
}

/* ---- a range, or none ----------------------------------------------------------------------- */

static vidmm_status give_range(adapter_t *adapter, struct lock_request *request,
                               struct swizzling_range *range)
{
    struct allocation *allocation = request->allocation;
    bool alternate = (request->args->flags & VIDMM_LOCK_UseAlternateVA) != 0;
    if (alternate && !alternate_assign(adapter, allocation, range)) {
        const struct words_size size = words_size(range->bytes);
        vidmm_status status = swizzle_release(adapter, range, RULE(SWIZ_019));
        return status
                   ? status
                   : refuse(adapter, RULE(SWIZ_019), STATUS_NO_MEMORY,
                            "no address is left for %s of %s", size.it, allocation->pageable.label);
    }
    range->alternate |= alternate;
    request->range = range;
    request->linear = true;
    cpu_own(allocation)->lock_view = alternate ? VIDMM_VIEW_ALTERNATE : VIDMM_VIEW_RANGE;
    return STATUS_SUCCESS;
}

/* SWIZ-013: what stops the eviction that would serve the lock without a range. */
static vidmm_status may_evict(adapter_t *adapter, const struct lock_request *request)
{
    const struct allocation *allocation = request->allocation;
    bool whole = (request->args->flags & VIDMM_LOCK_LockEntire) || request->args->pages;
    bool visible = lock_cpu_reaches(adapter, allocation);
    if (!(request->args->flags & VIDMM_LOCK_DonotEvict) && !whole && visible)
        return refuse(adapter, RULE(LOCK_020), STATUS_GRAPHICS_UNSWIZZLING_APERTURE_UNAVAILABLE,
                      "no swizzling range is left for %s, and the lock names neither pages nor all",
                      allocation->pageable.label);
    return lock_may_evict(adapter, request);
}

static vidmm_status evict_linear(adapter_t *adapter, struct lock_request *request,
                                 enum vidmm_rule rule)
{
    struct allocation *allocation = request->allocation;
    vidmm_status status = may_evict(adapter, request);
    if (status)
        return status;
    request->complex = true;
    request->linear = true;
    cpu_own(allocation)->unswizzle = true;
    status = lock_evict(adapter, request, rule);
    cpu_own(allocation)->unswizzle = false;
    return status;
}

static vidmm_status try_range(adapter_t *adapter, struct lock_request *request, bool *given)
{
    bool alternate = (request->args->flags & VIDMM_LOCK_UseAlternateVA) != 0;
    struct swizzling_range *range = NULL;
    vidmm_status status = swizzle_acquire(adapter, request->allocation, request->args->private_data,
                                          alternate, &range);
    *given = !status && range;
    return *given ? give_range(adapter, request, range) : status;
}

/* Case 1. `asked`: the driver has just refused a range. */
static vidmm_status use_range(adapter_t *adapter, struct lock_request *request, bool asked)
{
    bool given = false;
    if (!(request->args->flags & VIDMM_LOCK_UseAlternateVA) &&
        !lock_cpu_reaches(adapter, request->allocation))
        return evict_linear(adapter, request, RULE(LOCK_035));
    vidmm_status status = asked ? STATUS_SUCCESS : try_range(adapter, request, &given);
    if (status || given)
        return status;
    applies(adapter, RULE(SWIZ_013));
    return evict_linear(adapter, request, RULE(SWIZ_004));
}

/* False: nothing stands in the way of the views that every lock has. */
static bool needs_memory(const adapter_t *adapter, const struct lock_request *request)
{
    const struct allocation *allocation = request->allocation;
    if (!allocation_is(&allocation->pageable, ALLOCATION_SWIZZLED))
        return false;
    if (allocation->pageable.store.state == ALLOCATION_EVICTED)
        return !allocation->pageable.store.linear;
    return place_in_aperture(adapter, &allocation->pageable.place.at);
}

vidmm_status swizzle_lock_linear(adapter_t *adapter, struct lock_request *request, bool *served)
{
    struct allocation *allocation = request->allocation;
    const struct place *place = &allocation->pageable.place.at;
    bool alternate = (request->args->flags & VIDMM_LOCK_UseAlternateVA) != 0;
    /* SWIZ-019: an aperture will do for an alternate address, but not one of the AGP bus. */
    bool asked = alternate && place_in_aperture(adapter, place) &&
                 !(segment_desc(adapter, place->segment)->flags & SEGMENT_AGP);
    vidmm_status status = asked ? try_range(adapter, request, served) : STATUS_SUCCESS;
    if (status || *served)
        return status;
    if (needs_memory(adapter, request))
        status =
            page_in(adapter, request, memory_set(adapter, allocation, !alternate), RULE(SWIZ_005));
    if (status)
        return status;
    if (lock_in_memory(adapter, allocation)) {
        status = use_range(adapter, request, asked);
        *served = request->range != NULL;
        return status;
    }
    if (allocation->pageable.store.linear)
        applies(adapter, RULE(SWIZ_006));
    return STATUS_SUCCESS;
}

vidmm_status swizzle_lock_stored(adapter_t *adapter, struct lock_request *request)
{
    struct allocation *allocation = request->allocation;
    if (!allocation_is(&allocation->pageable, ALLOCATION_SWIZZLED))
        return STATUS_SUCCESS;
    if (!allocation->pageable.store.linear)
        return STATUS_SUCCESS;
    uint32_t set = memory_set(adapter, allocation, true);
    if (!set)
        set = memory_set(adapter, allocation, false);
    return page_in(adapter, request, set, RULE(SWIZ_010));
}
