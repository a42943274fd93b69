/* SPDX-License-Identifier: MIT */
/*
 * lock_check.c: may there be such a lock? Steps 1 to 6 of chapter 0.5 of the locking catalogue; a
 * lock that fails here has changed nothing.
 *
 * Rules: LOCK-001 to LOCK-004, LOCK-013, LOCK-019, LOCK-028, LOCK-030, LOCK-041, LOCK-042,
 * LOCK-049, FLAG-057, PAGE-025.
 */
#include "vidmm/lock.h"

/* ---- device and allocation ------------------------------------------------------------------ */

vidmm_status lock_find(adapter_t *adapter, vidmm_handle device_handle, vidmm_handle handle,
                       struct device **device, struct allocation **allocation)
{
    vidmm_status status = exclude_holds(adapter) ? adapter_alive(adapter) : adapter_usable(adapter);
    if (status)
        return status;
    if (adapter->caps.wddm >= VIDMM_WDDM_2_0)
        return refuse(adapter, RULE(LOCK_064), STATUS_NOT_SUPPORTED,
                      "locks on a 2.0 adapter are not simulated yet");
    *device = handle_object(adapter, device_handle, VIDMM_OBJECT_DEVICE);
    if (!*device)
        return refuse(adapter, RULE(LOCK_001), STATUS_INVALID_PARAMETER,
                      "the lock names no device");
    if ((*device)->state != DEVICE_ACTIVE)
        return refuse(adapter, RULE(LOCK_028), STATUS_DEVICE_REMOVED, "device %s is in error",
                      (*device)->label);
    *allocation = handle_object(adapter, handle, VIDMM_OBJECT_ALLOCATION);
    if (!*allocation || (*allocation)->creator != *device)
        return refuse(adapter, RULE(LOCK_001), STATUS_INVALID_PARAMETER,
                      "the allocation is not one of device %s", (*device)->label);
    return STATUS_SUCCESS;
}

/* ---- flags, allocation, state --------------------------------------------------------------- */

static vidmm_status check_flags(adapter_t *adapter, const struct vidmm_lock_args *args)
{
    uint32_t flags = args->flags;
    applies(adapter, RULE(LOCK_002));
    if (flags & (uint32_t)LOCK_RESERVED)
        return refuse(adapter, RULE(LOCK_003), STATUS_INVALID_PARAMETER,
                      "reserved lock flags 0x%x are set", flags & (uint32_t)LOCK_RESERVED);
    if ((flags & LOCK_READ_ONLY) && (flags & LOCK_WRITE_ONLY))
        return refuse(adapter, RULE(LOCK_004), STATUS_INVALID_PARAMETER,
                      "ReadOnly and WriteOnly exclude each other");
    if (flags & LOCK_LATER) {
        char words[80];
        return refuse(adapter, RULE(LOCK_002), STATUS_NOT_SUPPORTED,
                      "%s: locks with this flag are not simulated yet",
                      vidmm_flags_text(VIDMM_FLAGS_LOCK, flags & LOCK_LATER, words, sizeof words));
    }
    return STATUS_SUCCESS;
}

static vidmm_status check_pages(adapter_t *adapter, const struct allocation *allocation,
                                const struct vidmm_lock_args *args)
{
    uint64_t pages = allocation->info.bytes / adapter->page;
    if ((args->flags & LOCK_ENTIRE) && args->page_runs)
        return refuse(adapter, RULE(LOCK_019), STATUS_INVALID_PARAMETER,
                      "LockEntire and a page list exclude each other");
    for (size_t i = 0; i < args->page_runs; i++)
        if (!args->pages[i].count || args->pages[i].first >= pages ||
            args->pages[i].count > pages - args->pages[i].first)
            return refuse(adapter, RULE(LOCK_019), STATUS_INVALID_PARAMETER,
                          "the page list leaves %s, which has %llu pages", allocation->label,
                          (unsigned long long)pages);
    return STATUS_SUCCESS;
}

static vidmm_status check_allocation(adapter_t *adapter, const struct allocation *allocation,
                                     const struct vidmm_lock_args *args)
{
    if (!allocation_cpu_visible(allocation) && !allocation->info.primary)
        return refuse(adapter, RULE(LOCK_013), STATUS_INVALID_PARAMETER, "%s is not CpuVisible",
                      allocation->label);
    if (allocation_has(allocation, ALLOCATION_PROTECTED))
        return refuse(adapter, RULE(LOCK_049), STATUS_INVALID_PARAMETER,
                      "%s is Protected: its store lies in kernel memory", allocation->label);
    if (allocation_has(allocation, ALLOCATION_HARDWARE_PROTECTED))
        return refuse(adapter, RULE(FLAG_057), STATUS_INVALID_PARAMETER,
                      "%s is HardwareProtected: the CPU may not see it", allocation->label);
    vidmm_status status = check_pages(adapter, allocation, args);
    if (status)
        return status;
    if (allocation->state == ALLOCATION_LOST)
        return refuse(adapter, RULE(PAGE_025), STATUS_GRAPHICS_ALLOCATION_CONTENT_LOST,
                      "the content of %s was lost", allocation->label);
    uint64_t references = (uint64_t)allocation->lock_count + allocation->packet_refs;
    if (references >= setting(adapter, VIDMM_SETTING_MAX_LOCK_REFS))
        return refuse(adapter, RULE(LOCK_030), STATUS_GRAPHICS_TOO_MANY_REFERENCES,
                      "%s has %llu references already", allocation->label,
                      (unsigned long long)references);
    return STATUS_SUCCESS;
}

/* LOCK-041, LOCK-042: advice about page lists of a permanent copy. */
static vidmm_status advise(adapter_t *adapter, const struct allocation *allocation,
                           const struct vidmm_lock_args *args)
{
    uint64_t bytes = setting(adapter, VIDMM_SETTING_PAGING_GRANULARITY);
    uint64_t granule = bytes / adapter->page;
    if (!allocation_is_permanent(allocation))
        return STATUS_SUCCESS;
    if (!args->page_runs)
        return warn(adapter, RULE(LOCK_041), allocation->handle,
                    "%s has a permanent copy: a lock should name the pages", allocation->label);
    if ((args->flags & LOCK_READ_ONLY) || granule <= 1)
        return STATUS_SUCCESS;
    for (size_t i = 0; i < args->page_runs; i++)
        if (!is_aligned(args->pages[i].first, granule) ||
            !is_aligned(args->pages[i].count, granule))
            return warn(adapter, RULE(LOCK_042), allocation->handle,
                        "locked pages of %s do not cover whole granules of %llu bytes",
                        allocation->label, (unsigned long long)bytes);
    return STATUS_SUCCESS;
}

vidmm_status lock_check(adapter_t *adapter, const struct lock_request *request)
{
    vidmm_status status = check_flags(adapter, request->args);
    if (!status)
        status = check_allocation(adapter, request->allocation, request->args);
    return status ? status : advise(adapter, request->allocation, request->args);
}
