/* SPDX-License-Identifier: MIT */
/*
 * lock.c: CPU access.
 *
 * A lock goes through the checks of chapter 0.5 of the locking catalogue, in that order
 * (lock_check.c), waits for the GPU, and then leads to the bits (lock_reach.c). The last unlock of
 * a permanent copy brings the written pages to the segment.
 *
 * Rules not named below: LOCK-025, LOCK-039, LOCK-040, LOCK-055.
 */
#include "vidmm/cpu/lock.h"
#include "paging/buffer/buffer.h"
#include "paging/residency/link.h"
#include "paging/schedule/schedule.h"
#include "paging/store/store.h"
#include "vidmm/cpu/cpu_state.h"
#include "vidmm/cpu/cpu_va.h"
#include "vidmm/cpu/rename.h"
#include "vidmm/cpu/swizzle.h"

/* ---- waiting -------------------------------------------------------------------------------- */

/* LOCK-022: a lock of bytes that the GPU does not use; nobody looks at the GPU then. */
static bool ignores_gpu(const adapter_t *adapter, uint32_t flags)
{
    return (flags & LOCK_IGNORE_SYNC) &&
           ((flags & LOCK_DONOT_WAIT) || setting(adapter, VIDMM_SETTING_IGNORESYNC_ALONE));
}

static vidmm_status synchronise(adapter_t *adapter, struct lock_request *request)
{
    struct allocation *allocation = request->allocation;
    const uint32_t *marks = allocation->pageable.transfer.marks;
    enum vidmm_rule rule = RULE(LOCK_021);
    request->no_overwrite = ignores_gpu(adapter, request->args->flags);
    if (request->no_overwrite) {
        applies(adapter, RULE(LOCK_022));
        return STATUS_SUCCESS;
    }
    if (request->args->flags & LOCK_IGNORE_READ_SYNC) {
        marks = allocation->pageable.transfer.write_marks;
        rule = RULE(LOCK_024);
    }
    applies(adapter, rule);
    if (!sync_busy(adapter, marks))
        return STATUS_SUCCESS;
    if (request->args->flags & LOCK_DONOT_WAIT)
        return refuse(adapter, RULE(LOCK_023), STATUS_GRAPHICS_ALLOCATION_BUSY,
                      "the GPU still uses %s", allocation->pageable.label);
    request->waited = true;
    return sync_marks(adapter, marks, VIDMM_WAIT_LOCK, rule, allocation->pageable.creator);
}

/* ---- books ---------------------------------------------------------------------------------- */

static void note_pages(adapter_t *adapter, struct allocation *allocation,
                       const struct vidmm_lock_args *args)
{
    applies(adapter, RULE(PAGE_036));
    if (args->flags & LOCK_READ_ONLY)
        return;
    for (size_t i = 0; i < args->page_runs; i++)
        page_set_add(&allocation->pageable.store.cpu_dirty, args->pages[i].first,
                     args->pages[i].count);
    if (!args->page_runs && !(args->flags & LOCK_ENTIRE))
        applies(adapter, RULE(LOCK_020));
    if (!args->page_runs)
        page_set_add(&allocation->pageable.store.cpu_dirty, 0,
                     allocation->pageable.info.bytes / adapter->setup->page);
}

/* One part of it: who holds it, and which pages may be written. */
static void write_down(adapter_t *adapter, const struct lock_part *part)
{
    const struct lock_request *request = &part->request;
    struct allocation *allocation = request->allocation;
    struct lock_record *record = base_alloc(1, sizeof *record);
    if (!part->untouched)
        coherency_lock(adapter, &allocation->pageable, &part->args);
    *record = (struct lock_record){ .flags = part->args.flags,
                                    .device = request->device,
                                    .data = part->args.private_data,
                                    .ranged = request->range != NULL,
                                    .next = allocation->cpu.locks };
    allocation->cpu.locks = record;
    allocation->cpu.lock_count++;
    if (request->range)
        swizzle_use(adapter, request->range);
    if (allocation->pageable.store.state == ALLOCATION_RESIDENT)
        residency_touch(adapter, &allocation->pageable);
    if (part->untouched)
        return;
    note_pages(adapter, allocation, &part->args);
    lock_watch(adapter, allocation, &part->args);
}

static void count_lock(adapter_t *adapter, const struct lock_request *request)
{
    count_up(adapter, VIDMM_COUNTER_NB_LOCKS, 1);
    count_up(adapter, VIDMM_COUNTER_NB_LOCKS_WAIT, request->waited);
    count_up(adapter, VIDMM_COUNTER_NB_COMPLEX_LOCKS, request->complex);
    count_up(adapter, VIDMM_COUNTER_NB_LOCKS_LINEARIZATION, request->linear);
    count_up(adapter, VIDMM_COUNTER_NB_LOCKS_NO_OVERWRITE, request->no_overwrite);
    count_up(adapter, VIDMM_COUNTER_NB_LOCKS_NO_READ_SYNC,
             !request->no_overwrite && !request->asked &&
                 (request->args->flags & LOCK_IGNORE_READ_SYNC));
    applies(adapter, RULE(LOCK_063));
}

static void tell_lock(adapter_t *adapter, const struct lock_request *request)
{
    const struct allocation *allocation = request->allocation;
    char words[120];
    if (heard(adapter))
        (void)vidmm_flags_text(VIDMM_FLAGS_LOCK, request->args->flags, words, sizeof words);
    EMIT(adapter, LOCK, request->rule, allocation->pageable.handle, f_word("flags", words),
         f_word("via", lock_view_word(allocation)), f_status("status", STATUS_SUCCESS),
         f_number("locks", allocation->cpu.lock_count),
         f_hex("cpu", request->range ? request->range->cpu /* as the driver says */
                                     : lock_cpu_address(adapter, allocation)));
    lock_parts_tell(adapter, allocation);
}

static void take_address(adapter_t *adapter, struct allocation *allocation)
{
    applies(adapter, RULE(LOCK_031));
    if (allocation->cpu.lock_address)
        return;
    if (allocation_is_existing(&allocation->pageable))
        applies(adapter, RULE(LOCK_044));
    /* The caller sees its own memory where it is; kernel pages get a view for the process. */
    if (allocation_has(&allocation->pageable, ALLOCATION_EXISTING) &&
        !allocation->pageable.store.backing.existing->section) {
        allocation->cpu.lock_address = allocation->pageable.store.backing.existing->address;
        return;
    }
    cpu_va_assign(adapter, allocation);
}

/* Step 1: is anybody there, and does the system have what the call needs? */
static vidmm_status possible(adapter_t *adapter, uint32_t flags)
{
    vidmm_status status = door_check(adapter);
    if (status)
        return status;
    if (adapter_presence(adapter) == ADAPTER_REMOVED && !adapter_stopped(adapter))
        return refuse(adapter, RULE(LOCK_028), STATUS_DEVICE_REMOVED, "the adapter is gone");
    return exclude_lock(adapter, flags);
}

/* LOCK-029: the array of pages that a lock or an unlock works with. */
static vidmm_status have_array(adapter_t *adapter, const struct allocation *allocation)
{
    if (!setting(adapter, VIDMM_SETTING_FAIL_PAGE_ARRAY))
        return STATUS_SUCCESS;
    return refuse(adapter, RULE(LOCK_029), STATUS_NO_MEMORY,
                  "there is no memory for the page array of %s", allocation->pageable.label);
}

vidmm_status vidmm_lock(struct vidmm_adapter *adapter, const struct vidmm_lock_args *args,
                        struct vidmm_lock_result *result)
{
    struct lock_request request = { .args = args };
    bool level2 = adapter->setup->caps.wddm >= VIDMM_WDDM_2_0;
    vidmm_status status = possible(adapter, args->flags);
    if (!status)
        status = lock_find(adapter, args->device, args->allocation, &request.device,
                           &request.allocation);
    if (!status)
        status = level2 ? lock2_check(adapter, &request) : lock_check(adapter, &request);
    if (!status)
        status = have_array(adapter, request.allocation);
    if (status)
        return status;
    sync_due(adapter);
    status = adapter_alive(adapter);
    if (!status && !level2)
        status = rename_wanted(adapter, &request) ? rename_choose(adapter, &request)
                                                  : synchronise(adapter, &request);
    struct lock_parts parts = { .count = 0 };
    if (!status) {
        lock_parts_init(adapter, &parts, &request);
        status = lock_parts_reach(adapter, &parts, &request);
    }
    if (status) {
        lock_parts_fini(&parts);
        rename_undo(adapter, &request);
        return status;
    }
    if (request.asked)
        rename_commit(adapter, &request);

    struct allocation *allocation = request.allocation;
    applies(adapter, RULE(LOCK_056));
    if (allocation->rename.list)
        applies(adapter, RULE(RENAME_016));
    paging_count_use(adapter); /* a use, for the order of victims */
    for (uint32_t i = 0; i < parts.count; i++)
        write_down(adapter, &parts.part[i]);
    take_address(adapter, allocation);
    count_lock(adapter, &request);
    lock_parts_fini(&parts);
    if (!level2)
        request.rule =
            allocation_is_permanent(&allocation->pageable) ? RULE(LOCK_037) : RULE(LOCK_021);
    tell_lock(adapter, &request);
    *result = (struct vidmm_lock_result){ .address = allocation->cpu.lock_address,
                                          .via = allocation->cpu.lock_view,
                                          .allocation = allocation->pageable.handle,
                                          .bytes = lock_bytes(&allocation->pageable),
                                          .parts = lock_part_count(&allocation->pageable) };
    if (allocation->cpu.alternate && allocation->cpu.lock_view == VIDMM_VIEW_ALTERNATE)
        result->address = allocation->cpu.alternate->address;
    return STATUS_SUCCESS;
}

/* ---- unlock --------------------------------------------------------------------------------- */

static uint32_t locks_of(const struct allocation *allocation, const struct device *device)
{
    uint32_t count = 0;
    for (const struct lock_record *record = allocation->cpu.locks; record; record = record->next)
        count += record->device == device;
    return count;
}

/* A list may name an allocation as often as the device holds it. */
static bool take_lock(const adapter_t *adapter, struct allocation *allocation,
                      const struct device *device)
{
    if (allocation->cpu.last_unlock_call != adapter->cpu->unlock_calls)
        allocation->cpu.locks_left = locks_of(allocation, device);
    allocation->cpu.last_unlock_call = adapter->cpu->unlock_calls;
    return allocation->cpu.locks_left && allocation->cpu.locks_left--;
}

/* Of this device, which has one. */
static void drop_newest(struct allocation *allocation, const struct device *device)
{
    struct lock_record **at = &allocation->cpu.locks;
    while ((*at)->device != device)
        at = &(*at)->next;
    struct lock_record *record = *at;
    *at = record->next;
    allocation->cpu.lock_count--;
    base_free(record);
}

/* LOCK-039: the segment copy of a permanent allocation gets the written pages. */
static vidmm_status refresh(adapter_t *adapter, struct allocation *allocation)
{
    bool permanent = allocation_is_permanent(&allocation->pageable);
    bool mirrored = allocation_is_mirrored(&allocation->pageable);
    if (!(permanent || mirrored) || !lock_in_memory(adapter, allocation) ||
        !allocation->pageable.store.cpu_dirty.count) {
        page_set_clear(&allocation->pageable.store.cpu_dirty);
        return STATUS_SUCCESS;
    }
    vidmm_status status = STATUS_SUCCESS;
    paging_begin(adapter);
    if (mirrored)
        status = link_spread_writes(adapter, &allocation->pageable);
    if (permanent && !status) {
        applies(adapter, RULE(LOCK_066));
        applies(adapter, RULE(LOCK_043));
        status = paging_update(adapter, &allocation->pageable);
    }
    vidmm_status ended = paging_close(adapter);
    return status ? status : ended;
}

static void drop_part(adapter_t *adapter, struct allocation *allocation,
                      const struct device *device)
{
    bool ranged = swizzle_in_use(allocation);
    drop_newest(allocation, device);
    if (ranged && !swizzle_in_use(allocation))
        swizzle_unuse(adapter, allocation);
}

/* Nobody holds it any more. */
static vidmm_status end_view(adapter_t *adapter, struct allocation *allocation)
{
    cpu_va_unlock(adapter, allocation);
    host_aperture_offer(adapter, allocation);
    allocation->cpu.lock_view = VIDMM_VIEW_NONE;
    applies(adapter, RULE(LOCK_054));
    applies(adapter, RULE(LOCK_059)); /* ranges and alternate addresses stay */
    coherency_unlock(adapter, &allocation->pageable);
    return refresh(adapter, allocation);
}

static vidmm_status unlock_one(adapter_t *adapter, struct allocation *allocation,
                               const struct device *device)
{
    vidmm_status status = STATUS_SUCCESS;
    for (struct allocation *a = allocation; a; a = allocation_of(lock_next_part(&a->pageable)))
        drop_part(adapter, a, device);
    EMIT(adapter, UNLOCK, RULE(LOCK_056), allocation->pageable.handle,
         f_number("locks", allocation->cpu.lock_count));
    if (allocation->cpu.lock_count)
        return STATUS_SUCCESS;
    if (!cpu_va_is_kept(adapter, allocation))
        allocation->cpu.lock_address = 0;
    for (struct allocation *a = allocation; a && !status;
         a = allocation_of(lock_next_part(&a->pageable)))
        status = end_view(adapter, a);
    return status;
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
    adapter->cpu->unlock_calls++;
    for (size_t i = 0; i < count; i++) {
        vidmm_status status = lock_find(adapter, device_handle, handles[i], &device, &allocation);
        if (!status)
            status = exclude_access(adapter, allocation);
        if (status)
            return status;
        if (!take_lock(adapter, allocation, device))
            return refuse(adapter, RULE(LOCK_057), STATUS_INVALID_PARAMETER, "%s is not locked",
                          allocation->pageable.label);
        status = have_array(adapter, allocation);
        if (status)
            return status;
    }
    sync_due(adapter);
    vidmm_status status = adapter_alive(adapter);
    for (size_t i = 0; i < count && !status; i++) {
        allocation = handle_object(adapter, handles[i], VIDMM_OBJECT_ALLOCATION);
        status = unlock_one(adapter, allocation, device);
    }
    return status;
}

void lock_release_all(adapter_t *adapter, struct allocation *allocation)
{
    if (allocation->cpu.lock_count)
        (void)warn(adapter, RULE(LOCK_058), allocation->pageable.handle,
                   "%s goes away with %u outstanding locks", allocation->pageable.label,
                   allocation->cpu.lock_count);
    for (struct allocation *a = allocation; a; a = allocation_of(lock_next_part(&a->pageable))) {
        while (a->cpu.locks)
            drop_newest(a, a->cpu.locks->device);
        cpu_va_unlock(adapter, a);
        page_set_fini(&a->pageable.store.cpu_dirty);
    }
}

vidmm_status lock_release_device(adapter_t *adapter, struct allocation *allocation,
                                 const struct device *device)
{
    uint32_t count = locks_of(allocation, device);
    if (count)
        (void)warn(adapter, RULE(LOCK_058), allocation->pageable.handle,
                   "device %s closes %s with %u outstanding locks", device->label,
                   allocation->pageable.label, count);
    vidmm_status status = STATUS_SUCCESS;
    while (count-- && !status)
        status = unlock_one(adapter, allocation, device);
    return status;
}
