/* SPDX-License-Identifier: MIT */
/*
 * lock.c: CPU access.
 *
 * A lock goes through the checks of chapter 0.5 of the locking catalogue, in that order
 * (lock_check.c), waits for the GPU, and then leads to the bits (lock_reach.c). The last unlock of
 * a permanent copy brings the written pages to the segment.
 *
 * Rules: LOCK-020, LOCK-021, LOCK-023, LOCK-031, LOCK-039, LOCK-040, LOCK-043, LOCK-054 to
 * LOCK-058, LOCK-063, LOCK-066, SEG-022, SWIZ-024.
 */
#include "vidmm/lock.h"

/* SWIZ-024: CpuVisible of an aperture counts for a primary without an alternate address. */
bool lock_through_aperture(const adapter_t *adapter, const struct allocation *allocation)
{
    return allocation->info.primary && !allocation_is(allocation, ALLOCATION_ALTERNATE_VA) &&
           !adapter->caps.section_backed_primary && allocation->state == ALLOCATION_RESIDENT &&
           place_in_aperture(adapter, &allocation->place) && lock_cpu_reaches(adapter, allocation);
}

bool lock_shows_segment(const adapter_t *adapter, const struct allocation *allocation)
{
    if (!lock_in_memory(adapter, allocation) || !lock_cpu_reaches(adapter, allocation) ||
        allocation->place.run_count != 1)
        return false;
    if (allocation->lock_count)
        return allocation->lock_view == VIDMM_VIEW_SEGMENT;
    return !allocation_is_permanent(allocation);
}

/* ---- waiting -------------------------------------------------------------------------------- */

static vidmm_status synchronise(adapter_t *adapter, struct lock_request *request)
{
    struct allocation *allocation = request->allocation;
    applies(adapter, RULE(LOCK_021));
    if (!allocation_busy(adapter, allocation))
        return STATUS_SUCCESS;
    if (request->args->flags & LOCK_DONOT_WAIT)
        return refuse(adapter, RULE(LOCK_023), STATUS_GRAPHICS_ALLOCATION_BUSY,
                      "the GPU still uses %s", allocation->label);
    request->waited = true;
    return sync_marks(adapter, allocation->marks, VIDMM_WAIT_LOCK, RULE(LOCK_021),
                      allocation->creator);
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
    if (allocation_is_existing(allocation))
        applies(adapter, RULE(LOCK_044));
    /* The caller sees its own memory where it is; kernel pages get a view for the process. */
    if (allocation_has(allocation, ALLOCATION_EXISTING)) {
        allocation->lock_address = allocation->backing.existing->address;
        return;
    }
    allocation->lock_address = adapter->next_address;
    adapter->next_address += align_up(allocation->info.bytes, 0x10000) + 0x10000;
}

vidmm_status vidmm_lock(struct vidmm_adapter *adapter, const struct vidmm_lock_args *args,
                        struct vidmm_lock_result *result)
{
    struct lock_request request = { .args = args };
    vidmm_status status = exclude_lock(adapter, args->flags);
    if (!status)
        status = lock_find(adapter, args->device, args->allocation, &request.device,
                           &request.allocation);
    if (!status)
        status = lock_check(adapter, &request);
    if (status)
        return status;
    sync_due(adapter);
    status = synchronise(adapter, &request);
    if (!status)
        status = lock_reach(adapter, &request);
    if (status)
        return status;

    struct allocation *allocation = request.allocation;
    coherency_lock(adapter, allocation, args);
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
    count_lock(adapter, request.waited, request.complex);
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
    if (!allocation_is_permanent(allocation) || !lock_in_memory(adapter, allocation) ||
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
    coherency_unlock(adapter, allocation);
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
        vidmm_status status = lock_find(adapter, device_handle, handles[i], &device, &allocation);
        if (!status)
            status = exclude_access(adapter, allocation);
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
