/* SPDX-License-Identifier: MIT */
/*
 * lock_check.c: may there be such a lock? Steps 1 to 6 of chapter 0.5 of the locking catalogue; a
 * lock that fails here has changed nothing.
 */
#include "paging/residency/offer.h"
#include "paging/store/store.h"
#include "vidmm/cpu/cpu.h"
#include "vidmm/cpu/lock.h"
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

#define LOCK_RESERVED 0xFFFFF800u

/* Broken when all of `set` is there and nothing of `without` is. */
struct lock_rule {
    enum vidmm_rule rule;
    uint32_t set, without;
    const char *text; /* follows the name of the allocation, if it is about one */
};

static const struct lock_rule word_rules[] = {
    { RULE(LOCK_004), VIDMM_LOCK_ReadOnly | VIDMM_LOCK_WriteOnly, 0,
      "ReadOnly and WriteOnly exclude each other" },
    { RULE(LOCK_005), VIDMM_LOCK_IgnoreSync | VIDMM_LOCK_AcquireAperture, 0,
      "IgnoreSync and AcquireAperture exclude each other" },
    { RULE(LOCK_006), VIDMM_LOCK_UseAlternateVA, VIDMM_LOCK_AcquireAperture,
      "UseAlternateVA needs AcquireAperture" },
};

static vidmm_status lock_check_rules(adapter_t *adapter, uint32_t facts, const char *label,
                                     const struct lock_rule *rules, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if ((facts & rules[i].set) == rules[i].set && !(facts & rules[i].without))
            return refuse(adapter, rules[i].rule, STATUS_INVALID_PARAMETER, "%s%s%s", label,
                          *label ? " " : "", rules[i].text);
    return STATUS_SUCCESS;
}

vidmm_status lock_check_word(adapter_t *adapter, const struct vidmm_lock_args *args)
{
    uint32_t flags = args->flags;
    applies(adapter, RULE(LOCK_002));
    if (flags & LOCK_RESERVED)
        return refuse(adapter, RULE(LOCK_003), STATUS_INVALID_PARAMETER,
                      "reserved lock flags 0x%x are set", flags & LOCK_RESERVED);
    return lock_check_rules(adapter, flags, "", word_rules, ARRAY_COUNT(word_rules));
}

static vidmm_status check_pages(adapter_t *adapter, const struct allocation *allocation,
                                const struct vidmm_lock_args *args)
{
    uint64_t pages = lock_bytes(&allocation->pageable) / adapter->setup->page;
    if ((args->flags & VIDMM_LOCK_LockEntire) && args->page_runs)
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

/* ---- what depends on the allocation --------------------------------------------------------- */

/* What a lock finds, in the reserved bits of the flags that its caller gives. */
enum lock_fact {
    FACT_BLIND = 0x800, /* the CPU never sees it; in 2.0 that hangs on where it lies (RES-069) */
    FACT_PROTECTED = 0x1000,
    FACT_HARDWARE_PROTECTED = 0x2000,
    FACT_FOREIGN = 0x4000,       /* another process created it */
    FACT_ONLY_READABLE = 0x8000, /* by this handle */
    FACT_EXCLUSIVE = 0x10000,    /* never used by CPU and GPU at once (LOCK-007, LOCK-008) */
    FACT_APERTURES = 0x20000,    /* it supports no memory segment */
    FACT_SHARED = 0x40000,
    FACT_PRIMARY = 0x80000,
    FACT_ADDRESS = 0x100000,         /* it has an alternate address as long as it lives */
    FACT_PLAIN_LOCK = 0x200000,      /* it has a lock without AcquireAperture, */
    FACT_LINEAR_LOCK = 0x400000,     /* one with it, */
    FACT_RANGED_LOCK = 0x800000,     /* one through a range, */
    FACT_SAME_RANGE = 0x1000000,     /* through that of this private data, */
    FACT_ALTERNATE_LOCK = 0x2000000, /* one with UseAlternateVA */
};
_Static_assert((FACT_BLIND & LOCK_RESERVED) != 0, "facts take bits that no caller may set");
_Static_assert(FACT_BLIND + FACT_PROTECTED + FACT_HARDWARE_PROTECTED + FACT_FOREIGN +
                       FACT_ONLY_READABLE + FACT_EXCLUSIVE + FACT_APERTURES + FACT_SHARED +
                       FACT_PRIMARY + FACT_ADDRESS + FACT_PLAIN_LOCK + FACT_LINEAR_LOCK +
                       FACT_RANGED_LOCK + FACT_SAME_RANGE + FACT_ALTERNATE_LOCK ==
                   2 * FACT_ALTERNATE_LOCK - FACT_BLIND,
               "each takes one of them");

static uint32_t lock_facts(const adapter_t *adapter, const struct lock_request *request)
{
    const struct allocation *allocation = request->allocation;
    const struct pageable *pageable = &allocation->pageable;
    const struct vidmm_lock_args *args = request->args;
    uint32_t supported = pageable->info.read_set | pageable->info.write_set;
    CHECK(!(args->flags & LOCK_RESERVED)); /* lock_check_word() refused it */
    uint32_t apertures = places_aperture_set(adapter);
    bool below_2_0 = adapter->setup->caps.wddm < VIDMM_WDDM_2_0;
    bool visible = allocation_cpu_visible(pageable) || pageable->info.primary;
    bool coherent = false;
    for (uint32_t id = 1; id <= adapter->setup->segments_each; id++)
        coherent |= (segment_desc(adapter, id)->flags & SEGMENT_CACHE_COHERENT) != 0;
    bool exclusive = !(supported & apertures) || allocation_is(pageable, ALLOCATION_SWIZZLED) ||
                     (allocation_has(pageable, ALLOCATION_CACHED) && !coherent);
    uint32_t facts =
        args->flags | (below_2_0 && !visible ? FACT_BLIND : 0u) |
        (allocation_has(pageable, ALLOCATION_PROTECTED) ? FACT_PROTECTED : 0u) |
        (allocation_has(pageable, ALLOCATION_HARDWARE_PROTECTED) ? FACT_HARDWARE_PROTECTED : 0u) |
        (shared_may_lock(allocation, request->device) ? 0u : FACT_FOREIGN) |
        (shared_read_only(allocation, args->allocation) ? FACT_ONLY_READABLE : 0u) |
        (below_2_0 && exclusive ? FACT_EXCLUSIVE : 0u) |
        (supported & ~apertures ? 0u : FACT_APERTURES) |
        (allocation_is_shared(allocation) ? FACT_SHARED : 0u) |
        (pageable->info.primary ? FACT_PRIMARY : 0u) |
        (allocation_is(pageable, ALLOCATION_ALTERNATE_VA) ? FACT_ADDRESS : 0u);
    return facts | (lock_has(allocation, VIDMM_LOCK_AcquireAperture) ? FACT_LINEAR_LOCK : 0u) |
           (lock_has_without(allocation, VIDMM_LOCK_AcquireAperture) ? FACT_PLAIN_LOCK : 0u) |
           (lock_has(allocation, VIDMM_LOCK_UseAlternateVA) ? FACT_ALTERNATE_LOCK : 0u) |
           (swizzle_in_use(allocation) ? FACT_RANGED_LOCK : 0u) |
           (lock_uses_range(allocation, args->private_data) ? FACT_SAME_RANGE : 0u);
}

#define EXCLUSIVE                                                                                  \
    "it supports no aperture, is Swizzled, or is Cached where no segment is CacheCoherent"

/* In the order in which they are checked: step 4, then what other locks forbid. */
static const struct lock_rule own_rules[] = {
    { RULE(LOCK_013), FACT_BLIND, 0, "was created without the flag CpuVisible" },
    { RULE(LOCK_049), FACT_PROTECTED, 0, "is Protected: its store lies in kernel memory" },
    { RULE(FLAG_057), FACT_HARDWARE_PROTECTED, 0, "is HardwareProtected: the CPU may not see it" },
    { RULE(LOCK_016), FACT_FOREIGN, 0, "is shared, and another process created it" },
    { RULE(KMT_018), FACT_ONLY_READABLE, VIDMM_LOCK_ReadOnly,
      "is only to be read, and the lock is not ReadOnly" },
    { RULE(LOCK_007), VIDMM_LOCK_IgnoreSync | FACT_EXCLUSIVE, 0,
      "does not permit IgnoreSync: " EXCLUSIVE },
    { RULE(LOCK_008), VIDMM_LOCK_IgnoreReadSync | FACT_EXCLUSIVE, 0,
      "does not permit IgnoreReadSync: " EXCLUSIVE },
    { RULE(LOCK_009), VIDMM_LOCK_AcquireAperture | FACT_APERTURES, 0,
      "supports no memory segment that a range could lie over" },
    { RULE(LOCK_012), VIDMM_LOCK_UseAlternateVA | FACT_SHARED, 0,
      "is shared: there is no alternate address" },
    { RULE(LOCK_012), VIDMM_LOCK_UseAlternateVA | FACT_PRIMARY, FACT_ADDRESS,
      "is a primary that has no alternate address" },
    { RULE(LOCK_012), FACT_ADDRESS, VIDMM_LOCK_UseAlternateVA,
      "accepts only locks with UseAlternateVA" },
};

static const struct lock_rule other_rules[] = {
    { RULE(LOCK_010), VIDMM_LOCK_AcquireAperture | FACT_PLAIN_LOCK, 0,
      "has a lock without AcquireAperture already" },
    { RULE(LOCK_011), FACT_RANGED_LOCK, VIDMM_LOCK_AcquireAperture,
      "is locked through a range: a further lock needs AcquireAperture" },
    { RULE(SWIZ_011), FACT_LINEAR_LOCK, VIDMM_LOCK_AcquireAperture,
      "has a lock with AcquireAperture already" },
    { RULE(LOCK_011), FACT_SAME_RANGE, 0,
      "is locked through the range of this private data already" },
    { RULE(LOCK_012), VIDMM_LOCK_UseAlternateVA | FACT_ALTERNATE_LOCK, 0,
      "has a lock with UseAlternateVA already" },
};

vidmm_status lock_check_allocation(adapter_t *adapter, const struct lock_request *request)
{
    const struct allocation *allocation = request->allocation;
    const char *label = allocation->pageable.label;
    uint32_t facts = lock_facts(adapter, request);
    vidmm_status status =
        lock_check_rules(adapter, facts, label, own_rules, ARRAY_COUNT(own_rules));
    if (!status)
        status = check_pages(adapter, allocation, request->args);
    if (status)
        return status;
    if (allocation_is_lost(&allocation->pageable))
        return refuse(adapter, RULE(PAGE_025), STATUS_GRAPHICS_ALLOCATION_CONTENT_LOST,
                      "the content of %s was lost", label);
    status = offer_check_use(adapter, allocation, request->args->allocation, RULE(LOCK_017));
    if (status)
        return status;
    const char *barred = rename_bars_lock(adapter, allocation);
    if (barred)
        return refuse(adapter, RULE(LOCK_018), STATUS_INVALID_PARAMETER, "%s %s", label, barred);
    status = lock_check_rules(adapter, facts, label, other_rules, ARRAY_COUNT(other_rules));
    if (status)
        return status;
    uint64_t references =
        (uint64_t)cpu_of(allocation)->lock_count + allocation->pageable.packet_refs;
    if (references >= setting(adapter, VIDMM_SETTING_MAX_LOCK_REFS))
        return refuse(adapter, RULE(LOCK_030), STATUS_GRAPHICS_TOO_MANY_REFERENCES,
                      "%s has %llu reference%s already", label, (unsigned long long)references,
                      references == 1 ? "" : "s");
    return STATUS_SUCCESS;
}

/* LOCK-041, LOCK-042: advice about page lists of a permanent copy; RENAME-006. */
static vidmm_status advise(adapter_t *adapter, const struct allocation *allocation,
                           const struct vidmm_lock_args *args)
{
    uint64_t bytes = setting(adapter, VIDMM_SETTING_PAGING_GRANULARITY);
    uint64_t granule = bytes / adapter->setup->page;
    if ((args->flags & VIDMM_LOCK_NoExistingReference) && !(args->flags & VIDMM_LOCK_Discard)) {
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
    if ((args->flags & VIDMM_LOCK_ReadOnly) || granule <= 1)
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
    if (request->args->lock2)
        return refuse(adapter, RULE(RES_062), STATUS_INVALID_PARAMETER, "Lock2 exists from 2.0 on");
    vidmm_status status = lock_check_word(adapter, request->args);
    if (!status)
        status = lock_check_allocation(adapter, request);
    return status ? status : advise(adapter, request->allocation, request->args);
}
