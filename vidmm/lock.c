/* SPDX-License-Identifier: MIT */
/*
 * lock.c: CPU access.
 *
 * A lock goes through the checks of chapter 0.5 of the locking catalogue, in that order, waits for
 * the GPU, and then leads to one of two views: the backing store (evicted, in an aperture,
 * permanent copy) or the memory segment itself. Memory that the CPU cannot reach is evicted first.
 * The last unlock of a permanent copy brings the written pages to the segment.
 *
 * Rules: LOCK-001 to LOCK-004, LOCK-013, LOCK-019 to LOCK-021, LOCK-023, LOCK-026, LOCK-027,
 * LOCK-030 to LOCK-042, LOCK-049, LOCK-054 to LOCK-058, LOCK-063, LOCK-066.
 */
#include "vidmm/manager.h"

/* D3DDDICB_LOCKFLAGS. */
enum {
    LOCK_READ_ONLY = VIDMM_LOCK_ReadOnly,
    LOCK_WRITE_ONLY = VIDMM_LOCK_WriteOnly,
    LOCK_DONOT_WAIT = VIDMM_LOCK_DonotWait,
    LOCK_ENTIRE = VIDMM_LOCK_LockEntire,
    LOCK_DONOT_EVICT = VIDMM_LOCK_DonotEvict,
    LOCK_RESERVED = (int)0xFFFFF800,
    LOCK_LATER = 0x8 | 0x40 | 0x80 | 0x100 | 0x200 | 0x400, /* not simulated yet */
};

static bool in_memory(const adapter_t *adapter, const struct allocation *allocation)
{
    return allocation->state == ALLOCATION_RESIDENT && place_in_memory(adapter, &allocation->place);
}

static bool cpu_reaches(const adapter_t *adapter, const struct allocation *allocation)
{
    const struct segment *segment = &adapter->segments[allocation->place.segment].segment;
    return (segment->desc.flags & SEGMENT_CPU_VISIBLE) != 0;
}

bool lock_shows_segment(const adapter_t *adapter, const struct allocation *allocation)
{
    if (!in_memory(adapter, allocation) || !cpu_reaches(adapter, allocation) ||
        allocation->place.run_count != 1)
        return false;
    if (allocation->lock_count)
        return allocation->lock_view == VIDMM_VIEW_SEGMENT;
    return !allocation_is_permanent(allocation);
}

/* ---- checks --------------------------------------------------------------------------------- */

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
    if (!allocation_cpu_visible(allocation))
        return refuse(adapter, RULE(LOCK_013), STATUS_INVALID_PARAMETER, "%s is not CpuVisible",
                      allocation->label);
    if (allocation_has(allocation, ALLOCATION_PROTECTED))
        return refuse(adapter, RULE(LOCK_049), STATUS_INVALID_PARAMETER,
                      "%s is Protected: its store lies in kernel memory", allocation->label);
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

static vidmm_status find(adapter_t *adapter, vidmm_handle device_handle, vidmm_handle handle,
                         struct device **device, struct allocation **allocation)
{
    vidmm_status status = adapter_usable(adapter);
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

/* ---- waiting and the way to the bits -------------------------------------------------------- */

static vidmm_status synchronise(adapter_t *adapter, struct allocation *allocation, uint32_t flags,
                                bool *waited)
{
    applies(adapter, RULE(LOCK_021));
    if (!allocation_busy(adapter, allocation))
        return STATUS_SUCCESS;
    if (flags & LOCK_DONOT_WAIT)
        return refuse(adapter, RULE(LOCK_023), STATUS_GRAPHICS_ALLOCATION_BUSY,
                      "the GPU still uses %s", allocation->label);
    *waited = true;
    return sync_marks(adapter, allocation->marks, VIDMM_WAIT_LOCK, RULE(LOCK_021),
                      allocation->creator);
}

/* Ends a preparation and waits for what it built. */
static vidmm_status finish(adapter_t *adapter, const struct allocation *allocation,
                           vidmm_status status)
{
    if (adapter->stopped) {
        adapter->preparation = 0;
        return adapter_usable(adapter);
    }
    vidmm_status ended = paging_end(adapter);
    if (!status)
        status = ended;
    if (!status && allocation_busy(adapter, allocation))
        status = sync_marks(adapter, allocation->marks, VIDMM_WAIT_LOCK, RULE(LOCK_021),
                            allocation->creator);
    sync_due(adapter);
    return status;
}

/* LOCK-035: what the CPU cannot reach is evicted. */
static vidmm_status evict_for_lock(adapter_t *adapter, struct allocation *allocation,
                                   uint32_t flags)
{
    if (flags & LOCK_DONOT_EVICT)
        return refuse(adapter, RULE(LOCK_026), STATUS_GRAPHICS_UNSWIZZLING_APERTURE_UNAVAILABLE,
                      "%s would have to be evicted, and DonotEvict is set", allocation->label);
    if (allocation->pinned)
        return refuse(adapter, RULE(LOCK_027), STATUS_GRAPHICS_CANT_EVICT_PINNED_ALLOCATION,
                      "%s is pinned in memory that the CPU cannot reach", allocation->label);
    paging_begin(adapter);
    return finish(adapter, allocation,
                  evict_allocation(adapter, allocation, EVICT_LOCK, RULE(LOCK_035)));
}

/* LOCK-038: what the GPU wrote comes back before the CPU looks. */
static vidmm_status copy_back(adapter_t *adapter, struct allocation *allocation)
{
    paging_begin(adapter);
    return finish(adapter, allocation, paging_copy_back(adapter, allocation));
}

/* The first content of an allocation that was never used: zeros in its store. */
static vidmm_status make_store(adapter_t *adapter, struct allocation *allocation)
{
    if (!backing_populate(adapter, allocation))
        return refuse(adapter, RULE(PAGE_015), STATUS_NO_MEMORY,
                      "system memory is exhausted: no backing pages for %s", allocation->label);
    if (allocation->state == ALLOCATION_NO_CONTENT) {
        content_set(&allocation->content, 0, allocation->info.bytes / adapter->page, 0, 0);
        allocation->pattern_only = false;
        content_store_pattern(adapter, allocation);
        allocation_become(allocation, ALLOCATION_EVICTED);
    }
    return STATUS_SUCCESS;
}

static vidmm_status reach(adapter_t *adapter, struct allocation *allocation, uint32_t flags,
                          bool *complex)
{
    bool permanent = allocation_is_permanent(allocation);
    bool memory = in_memory(adapter, allocation);
    if (permanent && memory) {
        applies(adapter, RULE(LOCK_037));
        allocation->lock_view = VIDMM_VIEW_BACKING;
        if (!allocation->gpu_dirty)
            return STATUS_SUCCESS;
        *complex = true;
        return copy_back(adapter, allocation);
    }
    if (memory && cpu_reaches(adapter, allocation)) {
        applies(adapter, RULE(LOCK_034));
        allocation->lock_view = VIDMM_VIEW_SEGMENT;
        return STATUS_SUCCESS;
    }
    if (memory) {
        *complex = true;
        vidmm_status status = evict_for_lock(adapter, allocation, flags);
        if (status)
            return status;
        if (allocation->state == ALLOCATION_LOST)
            return refuse(adapter, RULE(PAGE_025), STATUS_GRAPHICS_ALLOCATION_CONTENT_LOST,
                          "%s lost its content when the lock had to evict it", allocation->label);
    }
    applies(adapter, allocation->state == ALLOCATION_RESIDENT ? RULE(LOCK_033) : RULE(LOCK_032));
    allocation->lock_view = VIDMM_VIEW_BACKING;
    return make_store(adapter, allocation);
}

/* ---- books ---------------------------------------------------------------------------------- */

static void note_pages(adapter_t *adapter, struct allocation *allocation,
                       const struct vidmm_lock_args *args)
{
    applies(adapter, RULE(PAGE_036));
    if (args->flags & LOCK_READ_ONLY)
        return;
    for (size_t i = 0; i < args->page_runs; i++)
        page_set_add(&allocation->cpu_dirty, args->pages[i].first, args->pages[i].count);
    if (!args->page_runs && !(args->flags & LOCK_ENTIRE))
        applies(adapter, RULE(LOCK_020));
    if (!args->page_runs)
        page_set_add(&allocation->cpu_dirty, 0, allocation->info.bytes / adapter->page);
}

static void count_lock(adapter_t *adapter, bool waited, bool complex)
{
    count_up(adapter, VIDMM_COUNTER_NB_LOCKS, 1);
    count_up(adapter, VIDMM_COUNTER_NB_LOCKS_WAIT, waited);
    count_up(adapter, VIDMM_COUNTER_NB_COMPLEX_LOCKS, complex);
    applies(adapter, RULE(LOCK_063));
}

/* SEG-022: the CPU sees a memory segment at CpuTranslatedAddress; 0 for system pages. */
static uint64_t cpu_address(adapter_t *adapter, const struct allocation *allocation)
{
    if (allocation->lock_view != VIDMM_VIEW_SEGMENT)
        return 0;
    applies(adapter, RULE(SEG_022));
    return segment_desc(adapter, allocation->place.segment)->cpu_base +
           allocation->place.one.offset;
}

static void tell_lock(adapter_t *adapter, const struct allocation *allocation, uint32_t flags,
                      enum vidmm_rule rule)
{
    char words[120];
    if (heard(adapter))
        (void)vidmm_flags_text(VIDMM_FLAGS_LOCK, flags, words, sizeof words);
    EMIT(adapter, LOCK, rule, allocation->handle, f_word("flags", words),
         f_word("via", allocation->lock_view == VIDMM_VIEW_SEGMENT ? "segment" : "backing"),
         f_status("status", STATUS_SUCCESS), f_number("locks", allocation->lock_count),
         f_hex("cpu", cpu_address(adapter, allocation)));
}

static void take_address(adapter_t *adapter, struct allocation *allocation)
{
    applies(adapter, RULE(LOCK_031));
    if (allocation->lock_address)
        return;
    allocation->lock_address = adapter->next_address;
    adapter->next_address += align_up(allocation->info.bytes, 0x10000) + 0x10000;
}

vidmm_status vidmm_lock(struct vidmm_adapter *adapter, const struct vidmm_lock_args *args,
                        struct vidmm_lock_result *result)
{
    struct device *device = NULL;
    struct allocation *allocation = NULL;
    bool waited = false, complex = false;
    vidmm_status status = find(adapter, args->device, args->allocation, &device, &allocation);
    if (!status)
        status = check_flags(adapter, args);
    if (!status)
        status = check_allocation(adapter, allocation, args);
    if (!status)
        status = advise(adapter, allocation, args);
    if (status)
        return status;
    sync_due(adapter);
    status = synchronise(adapter, allocation, args->flags, &waited);
    if (!status)
        status = reach(adapter, allocation, args->flags, &complex);
    if (status)
        return status;

    struct lock_record *record = base_alloc(1, sizeof *record);
    *record = (struct lock_record){ args->flags, allocation->locks };
    allocation->locks = record;
    allocation->lock_count++;
    applies(adapter, RULE(LOCK_056));
    adapter->preparations++; /* a use, for the order of victims */
    if (allocation->state == ALLOCATION_RESIDENT)
        residency_touch(adapter, allocation);
    take_address(adapter, allocation);
    note_pages(adapter, allocation, args);
    count_lock(adapter, waited, complex);
    tell_lock(adapter, allocation, args->flags,
              allocation_is_permanent(allocation) ? RULE(LOCK_037) : RULE(LOCK_021));
    *result = (struct vidmm_lock_result){ allocation->lock_address, allocation->lock_view };
    return STATUS_SUCCESS;
}

/* ---- unlock --------------------------------------------------------------------------------- */

static void drop_newest(struct allocation *allocation)
{
    struct lock_record *record = allocation->locks;
    allocation->locks = record->next;
    allocation->lock_count--;
    base_free(record);
}

/* LOCK-039: the segment copy of a permanent allocation gets the written pages. */
static vidmm_status refresh(adapter_t *adapter, struct allocation *allocation)
{
    if (!allocation_is_permanent(allocation) || !in_memory(adapter, allocation) ||
        !allocation->cpu_dirty.count) {
        page_set_clear(&allocation->cpu_dirty);
        return STATUS_SUCCESS;
    }
    applies(adapter, RULE(LOCK_066));
    applies(adapter, RULE(LOCK_043));
    paging_begin(adapter);
    vidmm_status status = paging_update(adapter, allocation);
    vidmm_status ended = adapter->stopped ? adapter_usable(adapter) : paging_end(adapter);
    adapter->preparation = 0;
    return status ? status : ended;
}

static vidmm_status unlock_one(adapter_t *adapter, struct allocation *allocation)
{
    drop_newest(allocation);
    EMIT(adapter, UNLOCK, RULE(LOCK_056), allocation->handle,
         f_number("locks", allocation->lock_count));
    if (allocation->lock_count)
        return STATUS_SUCCESS;
    allocation->lock_address = 0;
    allocation->lock_view = VIDMM_VIEW_NONE;
    applies(adapter, RULE(LOCK_054));
    return refresh(adapter, allocation);
}

vidmm_status vidmm_unlock(struct vidmm_adapter *adapter, vidmm_handle device_handle,
                          const vidmm_handle *handles, size_t count)
{
    struct device *device = NULL;
    struct allocation *allocation = NULL;
    applies(adapter, RULE(LOCK_057));
    if (count > VIDMM_LIST_MAX)
        return refuse(adapter, RULE(LOCK_057), STATUS_INVALID_PARAMETER,
                      "one call unlocks at most %d allocations", (int)VIDMM_LIST_MAX);
    for (size_t i = 0; i < count; i++) {
        vidmm_status status = find(adapter, device_handle, handles[i], &device, &allocation);
        if (status)
            return status;
        uint32_t wanted = 0;
        for (size_t j = 0; j <= i; j++)
            wanted += handles[j] == handles[i];
        if (allocation->lock_count < wanted)
            return refuse(adapter, RULE(LOCK_057), STATUS_INVALID_PARAMETER, "%s is not locked",
                          allocation->label);
    }
    sync_due(adapter);
    for (size_t i = 0; i < count; i++) {
        allocation = handle_object(adapter, handles[i], VIDMM_OBJECT_ALLOCATION);
        vidmm_status status = unlock_one(adapter, allocation);
        if (status)
            return status;
    }
    return STATUS_SUCCESS;
}

void lock_release_all(adapter_t *adapter, struct allocation *allocation)
{
    if (allocation->lock_count)
        (void)warn(adapter, RULE(LOCK_058), allocation->handle,
                   "%s goes away with %u outstanding locks", allocation->label,
                   allocation->lock_count);
    while (allocation->locks)
        drop_newest(allocation);
    page_set_fini(&allocation->cpu_dirty);
}
