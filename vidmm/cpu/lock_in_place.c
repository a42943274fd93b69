/* SPDX-License-Identifier: MIT */
/*
 * lock_in_place.c: CPU access in WDDM 2.0 and later, by Lock2 and by the old Lock: chapter 6 of the
 * locking catalogue in the place of lock_check.c and lock_reach.c.
 *
 * A lock does not wait for rendering: that is the business of the user-mode driver. What the CPU
 * can reach is reached where it is, also page by page; what it cannot reach moves to system memory
 * and stays resident there, as far as its set allows that.
 *
 * Rules not named below: FLAG-057, LOCK-003, LOCK-004, LOCK-019, LOCK-030, LOCK-049, PAGE-025.
 */
#include "paging/buffer/buffer.h"
#include "paging/residency/residency.h"
#include "paging/store/store.h"
#include "vidmm/cpu/cpu_state.h"
#include "vidmm/cpu/lock.h"

/* ---- checks --------------------------------------------------------------------------------- */

/* The old Lock: ranges and renaming have gone. */
static vidmm_status check_old_flags(adapter_t *adapter, uint32_t flags)
{
    const uint32_t renaming = VIDMM_LOCK_Discard | VIDMM_LOCK_NoExistingReference;
    const uint32_t gone = VIDMM_LOCK_AcquireAperture | VIDMM_LOCK_UseAlternateVA | renaming;
    char words[80];
    if (!(flags & gone))
        return STATUS_SUCCESS;
    applies(adapter, flags & renaming ? RULE(RENAME_020) : RULE(SWIZ_028));
    return refuse(adapter, RULE(LOCK_064), STATUS_INVALID_PARAMETER,
                  "%s: ranges and renaming have gone with 2.0",
                  vidmm_flags_text(VIDMM_FLAGS_LOCK, flags & gone, words, sizeof words));
}

vidmm_status lock2_check(adapter_t *adapter, const struct lock_request *request)
{
    const struct vidmm_lock_args *args = request->args;
    if (args->lock2 && args->flags)
        return refuse(adapter, RULE(RES_062), STATUS_INVALID_PARAMETER,
                      "Lock2 has no flags, not 0x%x", args->flags);
    if (args->lock2 && args->page_runs)
        return refuse(adapter, RULE(RES_062), STATUS_INVALID_PARAMETER, "Lock2 has no page list");
    vidmm_status status = check_old_flags(adapter, args->flags);
    if (!status)
        status = lock_check_word(adapter, args);
    return status ? status : lock_check_allocation(adapter, request);
}

/* ---- the way to the bits -------------------------------------------------------------------- */

static bool cpu_accessible(const struct allocation *allocation)
{
    return allocation_cpu_visible(&allocation->pageable) || allocation->pageable.info.primary;
}

/* It stays resident, but in system memory: the caller made it resident and goes on using it. The
   aperture stands for that, and is in its set (SEG-036). */
static vidmm_status move_to_system(adapter_t *adapter, struct lock_request *request,
                                   enum vidmm_rule rule)
{
    struct allocation *allocation = request->allocation;
    vidmm_status status = lock_may_evict(adapter, request);
    if (status)
        return status;
    request->complex = true;
    request->rule = rule;
    cpu_own(allocation)->lock_view = VIDMM_VIEW_BACKING;
    paging_begin(adapter, request->device);
    return lock_finish(adapter, request,
                       residency_bring(adapter, &allocation->pageable, places_aperture_set(adapter),
                                       "lock", EVICT_LOCK));
}

static vidmm_status not_usable(adapter_t *adapter, const struct allocation *allocation,
                               enum vidmm_rule rule, const char *why)
{
    return refuse(adapter, rule, STATUS_GRAPHICS_INVALID_ALLOCATION_USAGE,
                  "%s is %s, it lies in %s, and it supports no aperture",
                  allocation->pageable.label, why,
                  segment_name(adapter, allocation->pageable.place.at.segment));
}

static vidmm_status reach_memory(adapter_t *adapter, struct lock_request *request)
{
    struct allocation *allocation = request->allocation;
    bool aperture = (allocation->pageable.info.write_set & places_aperture_set(adapter)) != 0;
    if (!cpu_accessible(allocation))
        return aperture ? move_to_system(adapter, request, RULE(RES_069))
                        : not_usable(adapter, allocation, RULE(RES_069), "not CpuVisible");
    if (allocation_has(&allocation->pageable, ALLOCATION_CACHED))
        return aperture ? move_to_system(adapter, request, RULE(RES_064))
                        : not_usable(adapter, allocation, RULE(RES_064), "Cached");
    if (lock_cpu_reaches(adapter, allocation)) {
        request->rule = RULE(RES_065);
        cpu_own(allocation)->lock_view = VIDMM_VIEW_SEGMENT;
        return STATUS_SUCCESS;
    }
    if (host_aperture_map(adapter, allocation)) {
        request->rule = RULE(RES_073);
        cpu_own(allocation)->lock_view = VIDMM_VIEW_HOST_APERTURE;
        return STATUS_SUCCESS;
    }
    if (aperture)
        return move_to_system(adapter, request, RULE(RES_067));
    return refuse(adapter, RULE(RES_067), STATUS_NO_MEMORY,
                  "%s lies where the CPU cannot see it, and it supports no aperture",
                  allocation->pageable.label);
}

static vidmm_status reach(adapter_t *adapter, struct lock_request *request)
{
    struct allocation *allocation = request->allocation;
    if (allocation_busy(adapter, &allocation->pageable))
        applies(adapter, RULE(RES_071));
    if (lock_in_memory(adapter, allocation))
        return allocation_is_permanent(&allocation->pageable)
                   ? lock_reach_permanent(adapter, request)
                   : reach_memory(adapter, request);
    request->rule = cpu_accessible(allocation) ? RULE(RES_066) : RULE(RES_069);
    cpu_own(allocation)->lock_view = VIDMM_VIEW_BACKING;
    return allocation_make_store(adapter, &allocation->pageable);
}

vidmm_status lock2_reach(adapter_t *adapter, struct lock_request *request)
{
    vidmm_status status = reach(adapter, request);
    if (status)
        return status;
    /* RES-063: what is on its way to where the CPU looks has to be there; rendering goes on. */
    const struct pageable *allocation = &request->allocation->pageable;
    uint32_t fence = paging_last_fence(adapter, allocation);
    if (!fence)
        return STATUS_SUCCESS;
    return schedule_wait_fence(adapter, adapter->setup->caps.paging_node, fence, VIDMM_WAIT_LOCK,
                               RULE(RES_063), request->device);
}
