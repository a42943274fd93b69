/* SPDX-License-Identifier: MIT */
/*
 * lock_check.c: may there be such a lock? Steps 1 to 6 of chapter 0.5 of the locking catalogue; a
 * lock that fails here has changed nothing.
 */
#include "paging/residency/offer.h"
#include "paging/store/store.h"
#include "vidmm/cpu/lock.h"
#include "vidmm/cpu/rename.h"
#include "vidmm/cpu/swizzle.h"
#include "vidmm/share/share.h"

/* ---- device and allocation ------------------------------------------------------------------ */

vidmm_status lock_find(adapter_t *adapter, vidmm_handle device_handle, vidmm_handle handle,
                       struct device **device, struct allocation **allocation)
{
    vidmm_status status = exclude_holds(adapter) ? adapter_alive(adapter) : adapter_usable(adapter);
    if (status)
        return status;
    *device = handle_object(adapter, device_handle, VIDMM_OBJECT_DEVICE);
    if (!*device)
        return refuse(adapter, RULE(LOCK_001), STATUS_INVALID_PARAMETER,
                      "the lock names no device");
    if ((*device)->state != DEVICE_ACTIVE)
        return refuse(adapter, RULE(LOCK_028), STATUS_DEVICE_REMOVED, "device %s is in error",
                      (*device)->label);
    *allocation = handle_object(adapter, handle, VIDMM_OBJECT_ALLOCATION);
    shared_spoken(adapter, handle);
    if (!*allocation)
        return refuse(adapter, RULE(LOCK_001), STATUS_INVALID_PARAMETER,
                      "%s names no live allocation", shared_word(adapter, handle).it);
    if (shared_device(*allocation, handle) != *device)
        return refuse(adapter, RULE(LOCK_001), STATUS_INVALID_PARAMETER,
                      "the allocation is not one of device %s", (*device)->label);
    return STATUS_SUCCESS;
}

/* ---- flags, allocation, state --------------------------------------------------------------- */

/* Broken when all of `set` is there and nothing of `without` is. */
static const struct word_check {
    uint32_t set, without;
    enum vidmm_rule rule;
    const char *text;
} word_checks[] = {
    { LOCK_READ_ONLY | LOCK_WRITE_ONLY, 0, RULE(LOCK_004),
      "ReadOnly and WriteOnly exclude each other" },
    { LOCK_IGNORE_SYNC | LOCK_ACQUIRE, 0, RULE(LOCK_005),
      "IgnoreSync and AcquireAperture exclude each other" },
    { LOCK_ALTERNATE_VA, LOCK_ACQUIRE, RULE(LOCK_006), "UseAlternateVA needs AcquireAperture" },
};

vidmm_status lock_check_word(adapter_t *adapter, const struct vidmm_lock_args *args)
{
    uint32_t flags = args->flags;
    applies(adapter, RULE(LOCK_002));
    if (flags & (uint32_t)LOCK_RESERVED)
        return refuse(adapter, RULE(LOCK_003), STATUS_INVALID_PARAMETER,
                      "reserved lock flags 0x%x are set", flags & (uint32_t)LOCK_RESERVED);
    for (size_t i = 0; i < ARRAY_COUNT(word_checks); i++) {
        const struct word_check *check = &word_checks[i];
        if ((flags & check->set) == check->set && !(flags & check->without))
            return refuse(adapter, check->rule, STATUS_INVALID_PARAMETER, "%s", check->text);
    }
    return STATUS_SUCCESS;
}

static vidmm_status check_flags(adapter_t *adapter, const struct vidmm_lock_args *args)
{
    vidmm_status status = lock_check_word(adapter, args);
    if (status)
        return status;
    if (args->lock2)
        return refuse(adapter, RULE(RES_062), STATUS_INVALID_PARAMETER, "Lock2 exists from 2.0 on");
    return STATUS_SUCCESS;
}

static vidmm_status check_pages(adapter_t *adapter, const struct allocation *allocation,
                                const struct vidmm_lock_args *args)
{
    uint64_t pages = lock_bytes(&allocation->pageable) / adapter->setup->page;
    if ((args->flags & LOCK_ENTIRE) && args->page_runs)
        return refuse(adapter, RULE(LOCK_019), STATUS_INVALID_PARAMETER,
                      "LockEntire and a page list exclude each other");
    for (size_t i = 0; i < args->page_runs; i++)
        if (!args->pages[i].count || args->pages[i].first >= pages ||
            args->pages[i].count > pages - args->pages[i].first)
            return refuse(adapter, RULE(LOCK_019), STATUS_INVALID_PARAMETER,
                          "the page list leaves %s, which has %llu pages",
                          allocation->pageable.label, (unsigned long long)pages);
    return STATUS_SUCCESS;
}

/* ---- what depends on the allocation -----------------------------------------------------------
 */

/* In the order in which they are checked: step 4, then what other locks forbid. */
typedef bool lock_broken(const adapter_t *adapter, const struct lock_request *request);

static bool cpu_blind(const adapter_t *adapter, const struct lock_request *request)
{
    /* From 2.0 on that is a question of where it lies (RES-069). */
    return adapter->setup->caps.wddm < VIDMM_WDDM_2_0 &&
           !allocation_cpu_visible(&request->allocation->pageable) &&
           !request->allocation->pageable.info.primary;
}

static bool is_protected(const adapter_t *adapter, const struct lock_request *request)
{
    (void)adapter;
    return allocation_has(&request->allocation->pageable, ALLOCATION_PROTECTED);
}

static bool hardware_protected(const adapter_t *adapter, const struct lock_request *request)
{
    (void)adapter;
    return allocation_has(&request->allocation->pageable, ALLOCATION_HARDWARE_PROTECTED);
}

static bool of_another_process(const adapter_t *adapter, const struct lock_request *request)
{
    (void)adapter;
    return !shared_may_lock(request->allocation, request->device);
}

static bool only_readable(const adapter_t *adapter, const struct lock_request *request)
{
    (void)adapter;
    return !(request->args->flags & LOCK_READ_ONLY) &&
           shared_read_only(request->allocation, request->args->allocation);
}

static bool alternate_of_shared(const adapter_t *adapter, const struct lock_request *request)
{
    (void)adapter;
    return (request->args->flags & LOCK_ALTERNATE_VA) && allocation_is_shared(request->allocation);
}

static bool apertures_only(const adapter_t *adapter, const struct lock_request *request)
{
    const struct allocation_info *info = &request->allocation->pageable.info;
    return (request->args->flags & LOCK_ACQUIRE) &&
           !((info->read_set | info->write_set) & ~places_aperture_set(adapter));
}

/* LOCK-007, LOCK-008: where the CPU and the GPU may use it at the same time. */
static bool no_sharing(const adapter_t *adapter, const struct lock_request *request, uint32_t flag)
{
    const struct allocation *allocation = request->allocation;
    uint32_t supported = allocation->pageable.info.read_set | allocation->pageable.info.write_set;
    bool coherent = false;
    for (uint32_t id = 1; id <= adapter->setup->segments_each; id++)
        coherent |= (segment_desc(adapter, id)->flags & SEGMENT_CACHE_COHERENT) != 0;
    return adapter->setup->caps.wddm < VIDMM_WDDM_2_0 && (request->args->flags & flag) &&
           (!(supported & places_aperture_set(adapter)) ||
            allocation_is(&allocation->pageable, ALLOCATION_SWIZZLED) ||
            (allocation_has(&allocation->pageable, ALLOCATION_CACHED) && !coherent));
}

static bool not_unsynchronised(const adapter_t *adapter, const struct lock_request *request)
{
    return no_sharing(adapter, request, LOCK_IGNORE_SYNC);
}

static bool not_beside_readers(const adapter_t *adapter, const struct lock_request *request)
{
    return no_sharing(adapter, request, LOCK_IGNORE_READ_SYNC);
}

static bool has_lock(const struct lock_request *request, uint32_t flag, bool with)
{
    const struct lock_record *record = request->allocation->cpu.locks;
    while (record && ((record->flags & flag) != 0) != with)
        record = record->next;
    return record != NULL;
}

static bool linear_under_plain(const adapter_t *adapter, const struct lock_request *request)
{
    (void)adapter;
    return (request->args->flags & LOCK_ACQUIRE) && has_lock(request, LOCK_ACQUIRE, false);
}

static bool plain_under_range(const adapter_t *adapter, const struct lock_request *request)
{
    (void)adapter;
    return !(request->args->flags & LOCK_ACQUIRE) && swizzle_in_use(request->allocation);
}

static bool plain_under_linear(const adapter_t *adapter, const struct lock_request *request)
{
    (void)adapter;
    return !(request->args->flags & LOCK_ACQUIRE) && has_lock(request, LOCK_ACQUIRE, true);
}

static bool same_range(const adapter_t *adapter, const struct lock_request *request)
{
    const struct lock_record *record = request->allocation->cpu.locks;
    (void)adapter;
    while (record && !(record->ranged && record->data == request->args->private_data))
        record = record->next;
    return record != NULL;
}

static bool shared_alternate(const adapter_t *adapter, const struct lock_request *request)
{
    (void)adapter;
    return (request->args->flags & LOCK_ALTERNATE_VA) && allocation_is_shared(request->allocation);
}

static bool primary_without_address(const adapter_t *adapter, const struct lock_request *request)
{
    const struct allocation *allocation = request->allocation;
    (void)adapter;
    return (request->args->flags & LOCK_ALTERNATE_VA) && allocation->pageable.info.primary &&
           !allocation_is(&allocation->pageable, ALLOCATION_ALTERNATE_VA);
}

static bool address_of_primary(const adapter_t *adapter, const struct lock_request *request)
{
    (void)adapter;
    return !(request->args->flags & LOCK_ALTERNATE_VA) &&
           allocation_is(&request->allocation->pageable, ALLOCATION_ALTERNATE_VA);
}

static bool second_alternate(const adapter_t *adapter, const struct lock_request *request)
{
    (void)adapter;
    return (request->args->flags & LOCK_ALTERNATE_VA) && has_lock(request, LOCK_ALTERNATE_VA, true);
}

#define SHARING                                                                                    \
    "it supports no aperture, is Swizzled, or is Cached where no segment is CacheCoherent"

/* The text follows the name of the allocation. */
static const struct allocation_check {
    enum vidmm_rule rule;
    lock_broken *broken;
    const char *text;
} own_checks[] = {
    { RULE(LOCK_013), cpu_blind, "is not CpuVisible" },
    { RULE(LOCK_049), is_protected, "is Protected: its store lies in kernel memory" },
    { RULE(FLAG_057), hardware_protected, "is HardwareProtected: the CPU may not see it" },
    { RULE(LOCK_016), of_another_process, "is shared, and another process created it" },
    { RULE(KMT_018), only_readable, "is only to be read, and the lock is not ReadOnly" },
    { RULE(LOCK_007), not_unsynchronised, "does not permit IgnoreSync: " SHARING },
    { RULE(LOCK_008), not_beside_readers, "does not permit IgnoreReadSync: " SHARING },
    { RULE(LOCK_009), apertures_only, "supports no memory segment that a range could lie over" },
    { RULE(LOCK_012), alternate_of_shared, "is shared: there is no alternate address" },
    { RULE(LOCK_012), shared_alternate, "is shared and has no alternate address" },
    { RULE(LOCK_012), primary_without_address, "is a primary that has no alternate address" },
    { RULE(LOCK_012), address_of_primary, "accepts only locks with UseAlternateVA" },
};

static const struct allocation_check other_checks[] = {
    { RULE(LOCK_010), linear_under_plain, "has a lock without AcquireAperture already" },
    { RULE(LOCK_011), plain_under_range, "is locked through a range: a plain lock has to wait" },
    { RULE(SWIZ_011), plain_under_linear, "has a lock with AcquireAperture already" },
    { RULE(LOCK_011), same_range, "is locked through the range of this private data already" },
    { RULE(LOCK_012), second_alternate, "has a lock with UseAlternateVA already" },
};

static vidmm_status check_table(adapter_t *adapter, const struct lock_request *request,
                                const struct allocation_check *checks, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (checks[i].broken(adapter, request))
            return refuse(adapter, checks[i].rule, STATUS_INVALID_PARAMETER, "%s %s",
                          request->allocation->pageable.label, checks[i].text);
    return STATUS_SUCCESS;
}

vidmm_status lock_check_allocation(adapter_t *adapter, const struct lock_request *request)
{
    const struct allocation *allocation = request->allocation;
    vidmm_status status = check_table(adapter, request, own_checks, ARRAY_COUNT(own_checks));
    if (!status)
        status = check_pages(adapter, allocation, request->args);
    if (status)
        return status;
    if (allocation_is_lost(&allocation->pageable))
        return refuse(adapter, RULE(PAGE_025), STATUS_GRAPHICS_ALLOCATION_CONTENT_LOST,
                      "the content of %s was lost", allocation->pageable.label);
    status = offer_check_use(adapter, allocation, request->args->allocation, RULE(LOCK_017));
    if (status)
        return status;
    const char *barred = rename_bars_lock(adapter, allocation);
    if (allocation->rename.list)
        applies(adapter, RULE(LOCK_018));
    if (barred)
        return refuse(adapter, RULE(LOCK_018), STATUS_INVALID_PARAMETER, "%s %s",
                      allocation->pageable.label, barred);
    status = check_table(adapter, request, other_checks, ARRAY_COUNT(other_checks));
    if (status)
        return status;
    uint64_t references = (uint64_t)allocation->cpu.lock_count + allocation->pageable.packet_refs;
    if (references >= setting(adapter, VIDMM_SETTING_MAX_LOCK_REFS))
        return refuse(adapter, RULE(LOCK_030), STATUS_GRAPHICS_TOO_MANY_REFERENCES,
                      "%s has %llu references already", allocation->pageable.label,
                      (unsigned long long)references);
    return STATUS_SUCCESS;
}

/* LOCK-041, LOCK-042: advice about page lists of a permanent copy; RENAME-006. */
static vidmm_status advise(adapter_t *adapter, const struct allocation *allocation,
                           const struct vidmm_lock_args *args)
{
    uint64_t bytes = setting(adapter, VIDMM_SETTING_PAGING_GRANULARITY);
    uint64_t granule = bytes / adapter->setup->page;
    if ((args->flags & LOCK_NO_REFERENCE) && !(args->flags & LOCK_DISCARD)) {
        vidmm_status status = warn(adapter, RULE(RENAME_006), allocation->pageable.handle,
                                   "NoExistingReference means nothing without Discard");
        if (status)
            return status;
    }
    if (!allocation_is_permanent(&allocation->pageable))
        return STATUS_SUCCESS;
    if (!args->page_runs)
        return warn(adapter, RULE(LOCK_041), allocation->pageable.handle,
                    "%s has a permanent copy: a lock should name the pages",
                    allocation->pageable.label);
    if ((args->flags & LOCK_READ_ONLY) || granule <= 1)
        return STATUS_SUCCESS;
    for (size_t i = 0; i < args->page_runs; i++)
        if (!is_aligned(args->pages[i].first, granule) ||
            !is_aligned(args->pages[i].count, granule))
            return warn(adapter, RULE(LOCK_042), allocation->pageable.handle,
                        "locked pages of %s do not cover whole granules of %llu bytes",
                        allocation->pageable.label, (unsigned long long)bytes);
    return STATUS_SUCCESS;
}

vidmm_status lock_check(adapter_t *adapter, const struct lock_request *request)
{
    vidmm_status status = check_flags(adapter, request->args);
    if (!status)
        status = lock_check_allocation(adapter, request);
    return status ? status : advise(adapter, request->allocation, request->args);
}
