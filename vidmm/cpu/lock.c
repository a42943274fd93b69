/* SPDX-License-Identifier: MIT */
/*
 * lock.c: CPU access.
 *
 * A lock goes through the checks of chapter 0.5 of the locking catalogue, in that order
 * (lock_check.c), waits for the GPU, and then leads to the bits (lock_reach.c). The last unlock of
 * a permanent copy brings the written pages to the segment.
 *
 * Rules not named below: LOCK-020, LOCK-025, LOCK-039, LOCK-040, LOCK-055.
 */
#include "vidmm/cpu/lock.h"
#include "paging/buffer/buffer.h"
#include "paging/residency/link.h"
#include "paging/schedule/schedule.h"
#include "paging/store/store.h"
#include "paging/store/turns.h"
#include "vidmm/cpu/cpu_state.h"
#include "vidmm/cpu/swizzle.h"

/* ---- waiting -------------------------------------------------------------------------------- */

static vidmm_status synchronise(adapter_t *adapter, struct lock_request *request)
{
    const struct pageable *allocation = &request->allocation->pageable;
    const uint32_t *fences = allocation->transfer.fences;
    uint32_t flags = request->args->flags;
    enum vidmm_rule rule = RULE(LOCK_021);
    /* LOCK-022: a lock of bytes that the GPU does not use; what the GPU does is no matter then. */
    request->no_overwrite =
        (flags & VIDMM_LOCK_IgnoreSync) &&
        ((flags & VIDMM_LOCK_DonotWait) || setting(adapter, VIDMM_SETTING_IGNORESYNC_ALONE));
    if (request->no_overwrite) {
        applies(adapter, RULE(LOCK_022));
        return STATUS_SUCCESS;
    }
    if (flags & VIDMM_LOCK_IgnoreReadSync) {
        request->no_read_sync = true;
        fences = allocation->transfer.write_fences;
        rule = RULE(LOCK_024);
    }
    applies(adapter, rule);
    if (!schedule_busy(adapter, fences))
        return STATUS_SUCCESS;
    if (flags & VIDMM_LOCK_DonotWait)
        return refuse(adapter, RULE(LOCK_023), STATUS_GRAPHICS_ALLOCATION_BUSY,
                      "the GPU still uses %s", allocation->label);
    request->waited = true;
    return schedule_wait_fences(adapter, fences, VIDMM_WAIT_LOCK, rule, request->device);
}

/* ---- books ---------------------------------------------------------------------------------- */

/* PAGE-036, KMT-023: pages that may be written have changed when the lock ends. */
static void note_pages(adapter_t *adapter, struct allocation *allocation,
                       const struct vidmm_lock_args *args)
{
    struct pageable *pageable = &allocation->pageable;
    const struct vidmm_page_range all = { 0, pageable->info.bytes / adapter->setup->page };
    const struct vidmm_page_range *pages = args->page_runs ? args->pages : &all;
    bool watched = (pageable->kmt & VIDMM_KMT_WriteWatch) != 0;
    applies(adapter, RULE(PAGE_036));
    if (args->flags & VIDMM_LOCK_ReadOnly)
        return;
    for (size_t i = 0; i < max_u64(args->page_runs, 1); i++) {
        page_set_add(&pageable->store.cpu_dirty, pages[i].first, pages[i].count);
        if (watched)
            page_set_add(&cpu_own(allocation)->written, pages[i].first, pages[i].count);
    }
}

/* One part of it: which device holds it, and which pages may be written. */
static void write_down(adapter_t *adapter, const struct lock_part *part)
{
    const struct lock_request *request = &part->request;
    struct allocation *allocation = request->allocation;
    if (!part->untouched)
        coherency_lock(adapter, &allocation->pageable, &part->args);
    lock_add(adapter, part);
    if (request->range)
        swizzle_use(adapter, request->range);
    if (allocation->pageable.store.state == ALLOCATION_RESIDENT)
        turns_used(adapter, &allocation->pageable, paging_uses(adapter));
    if (!part->untouched)
        note_pages(adapter, allocation, &part->args);
}

static void count_lock(adapter_t *adapter, const struct lock_request *request)
{
    count_up(adapter, VIDMM_COUNTER_NB_LOCKS, 1);
    count_up(adapter, VIDMM_COUNTER_NB_LOCKS_WAIT, request->waited);
    count_up(adapter, VIDMM_COUNTER_NB_COMPLEX_LOCKS, request->complex);
    count_up(adapter, VIDMM_COUNTER_NB_LOCKS_LINEARIZATION, request->linear);
    count_up(adapter, VIDMM_COUNTER_NB_LOCKS_NO_OVERWRITE, request->no_overwrite);
    count_up(adapter, VIDMM_COUNTER_NB_LOCKS_NO_READ_SYNC, request->no_read_sync);
    applies(adapter, RULE(LOCK_063));
}

static void tell_lock(adapter_t *adapter, const struct lock_request *request,
                      const struct lock_parts *parts)
{
    const struct allocation *allocation = request->allocation;
    char words[120];
    if (heard(adapter, VIDMM_EVENT_LOCK))
        (void)vidmm_flags_text(VIDMM_FLAGS_LOCK, request->args->flags, words, sizeof words);
    EMIT(adapter, LOCK, request->rule, allocation->pageable.handle, f_word("flags", words),
         f_word("via", lock_view_word(allocation)), f_status("status", STATUS_SUCCESS),
         f_number("locks", cpu_of(allocation)->lock_count),
         f_hex("cpu", lock_cpu_address(adapter, request)));
    lock_parts_tell(adapter, parts);
}

static void take_address(adapter_t *adapter, struct allocation *allocation)
{
    applies(adapter, RULE(LOCK_031));
    if (cpu_of(allocation)->lock_address)
        return;
    if (allocation_is_existing(&allocation->pageable))
        applies(adapter, RULE(LOCK_044));
    /* The caller sees its own memory where it is; kernel pages get a view for the process. */
    if (allocation_has(&allocation->pageable, ALLOCATION_EXISTING) &&
        !backing_of(&allocation->pageable)->existing->section) {
        cpu_own(allocation)->lock_address = backing_of(&allocation->pageable)->existing->address;
        return;
    }
    cpu_va_assign(adapter, allocation);
}

/* LOCK-029: the array of pages that a lock or an unlock works with. */
static vidmm_status have_array(adapter_t *adapter, const struct allocation *allocation)
{
    if (!setting(adapter, VIDMM_SETTING_FAIL_PAGE_ARRAY))
        return STATUS_SUCCESS;
    return refuse(adapter, RULE(LOCK_029), STATUS_NO_MEMORY,
                  "there is no memory for the page array of %s", allocation->pageable.label);
}

static struct vidmm_lock_result lock_result(const struct allocation *allocation)
{
    const struct pageable *pageable = &allocation->pageable;
    bool alternate = cpu_of(allocation)->lock_view == VIDMM_VIEW_ALTERNATE;
    return (struct vidmm_lock_result){
        .address =
            alternate ? cpu_of(allocation)->alternate->address : cpu_of(allocation)->lock_address,
        .via = cpu_of(allocation)->lock_view,
        .allocation = pageable->handle,
        .bytes = lock_bytes(pageable),
        .parts = lock_part_count(pageable),
    };
}

vidmm_status vidmm_lock(struct vidmm_adapter *adapter, const struct vidmm_lock_args *args,
                        struct vidmm_lock_result *result)
{
    struct lock_request request = { .args = args };
    struct lock_parts parts = { .count = 0 };
    bool level2 = adapter->setup->caps.wddm >= VIDMM_WDDM_2_0;

    /* Everything that can be refused comes first: such a lock has changed nothing. */
    vidmm_status status = door_check(adapter);
    if (status)
        return status;
    turns_begin(adapter);
    status = exclude_lock(adapter, args->flags);
    if (!status)
        status = lock_find(adapter, args->device, args->allocation, &request.device,
                           &request.allocation);
    if (!status)
        status = level2 ? lock2_check(adapter, &request) : lock_check(adapter, &request);
    if (!status)
        status = have_array(adapter, request.allocation);
    if (status)
        return status;

    /* Wait for the GPU, or choose an instance that it does not use. WDDM 2.0 and later does neither
       (RES-063). A failure from here on takes back the instance that was made. */
    schedule_deferred(adapter);
    status = adapter_alive(adapter);
    if (!status && !level2)
        status = rename_wanted(adapter, &request) ? rename_choose(adapter, &request)
                                                  : synchronise(adapter, &request);
    if (status)
        goto undo_rename;

    /* Reach the bits, which may move the allocation: of an instanced one, those of each copy. */
    lock_parts_init(adapter, &parts, &request);
    status = lock_parts_reach(adapter, &parts, &request);
    if (status)
        goto undo_parts;

    /* The lock holds: nothing fails any more, and the books follow. */
    struct allocation *allocation = request.allocation;
    if (request.asked)
        rename_commit(adapter, &request);
    if (rename_of(allocation)->list)
        applies(adapter, RULE(RENAME_016));
    paging_count_use(adapter); /* a use, for the order of victims */
    for (uint32_t i = 0; i < parts.count; i++)
        write_down(adapter, &parts.part[i]);
    take_address(adapter, allocation);
    count_lock(adapter, &request);
    if (!level2)
        request.rule =
            allocation_is_permanent(&allocation->pageable) ? RULE(LOCK_037) : RULE(LOCK_021);
    tell_lock(adapter, &request, &parts);
    lock_parts_fini(&parts);
    *result = lock_result(allocation);
    return STATUS_SUCCESS;

undo_parts:
    lock_parts_fini(&parts);
undo_rename:
    rename_undo(adapter, &request);
    return status;
}

/* ---- unlock --------------------------------------------------------------------------------- */

/* LOCK-039: the segment copy of a permanent allocation gets the written pages. */
static vidmm_status refresh(adapter_t *adapter, struct allocation *allocation)
{
    struct pageable *pageable = &allocation->pageable;
    bool permanent = allocation_is_permanent(pageable);
    bool mirrored = allocation_is_mirrored(pageable);
    vidmm_status status = STATUS_SUCCESS;
    if (!(permanent || mirrored) || !lock_in_memory(adapter, allocation) ||
        !page_set_count(&pageable->store.cpu_dirty)) {
        page_set_clear(&pageable->store.cpu_dirty);
        return STATUS_SUCCESS;
    }
    paging_begin(adapter, NULL);
    if (mirrored)
        status = link_spread_writes(adapter, pageable);
    if (permanent && !status) {
        applies(adapter, RULE(LOCK_066));
        applies(adapter, RULE(LOCK_043));
        status = paging_update(adapter, pageable);
    }
    vidmm_status ended = paging_close(adapter);
    return status ? status : ended;
}

/* No lock holds it any more. */
static vidmm_status end_last(adapter_t *adapter, struct allocation *allocation)
{
    lock_end_view(adapter, allocation);
    applies(adapter, RULE(LOCK_054));
    applies(adapter, RULE(LOCK_059)); /* ranges and alternate addresses stay */
    coherency_unlock(adapter, &allocation->pageable);
    return refresh(adapter, allocation);
}

static vidmm_status unlock_one(adapter_t *adapter, struct allocation *allocation,
                               const struct device *device)
{
    vidmm_status status = STATUS_SUCCESS;
    for (struct allocation *a = allocation; a; a = allocation_of(lock_next_part(&a->pageable))) {
        bool ranged = swizzle_in_use(a);
        lock_drop(adapter, a, device);
        if (ranged && !swizzle_in_use(a))
            swizzle_unuse(adapter, a);
    }
    EMIT(adapter, UNLOCK, RULE(LOCK_056), allocation->pageable.handle,
         f_number("locks", cpu_of(allocation)->lock_count));
    if (cpu_of(allocation)->lock_count)
        return STATUS_SUCCESS;
    if (!cpu_va_is_kept(adapter, allocation))
        cpu_own(allocation)->lock_address = 0;
    for (struct allocation *a = allocation; a && !status;
         a = allocation_of(lock_next_part(&a->pageable)))
        status = end_last(adapter, a);
    return status;
}

vidmm_status vidmm_unlock(struct vidmm_adapter *adapter, vidmm_handle device_handle,
                          const vidmm_handle *handles, size_t count)
{
    struct device *device = NULL;
    struct allocation *allocation = NULL;
    vidmm_status status = door_check(adapter); /* a list may be empty, or too long */
    if (status)
        return status;
    if (count > VIDMM_LIST_MAX)
        return refuse(adapter, RULE(LOCK_057), STATUS_INVALID_PARAMETER,
                      "one call unlocks at most %d allocations", (int)VIDMM_LIST_MAX);
    adapter->cpu->unlock_calls++;
    for (size_t i = 0; i < count; i++) {
        status = lock_find(adapter, device_handle, handles[i], &device, &allocation);
        if (!status)
            status = exclude_access(adapter, allocation);
        if (status)
            return status;
        /* A list may name an allocation as often as the device holds it. */
        if (cpu_of(allocation)->last_unlock_call != adapter->cpu->unlock_calls)
            cpu_own(allocation)->locks_left = lock_count_of(adapter, allocation, device);
        cpu_own(allocation)->last_unlock_call = adapter->cpu->unlock_calls;
        if (!cpu_of(allocation)->locks_left)
            return refuse(adapter, RULE(LOCK_057), STATUS_INVALID_PARAMETER, "%s is not locked",
                          allocation->pageable.label);
        cpu_own(allocation)->locks_left--;
        status = have_array(adapter, allocation);
        if (status)
            return status;
    }
    schedule_deferred(adapter);
    status = adapter_alive(adapter);
    for (size_t i = 0; i < count && !status; i++) {
        allocation = handle_object(adapter, handles[i], VIDMM_OBJECT_ALLOCATION);
        status = unlock_one(adapter, allocation, device);
    }
    return status;
}

void lock_release_all(adapter_t *adapter, struct allocation *allocation)
{
    if (cpu_of(allocation)->lock_count)
        (void)warn(adapter, RULE(LOCK_058), allocation->pageable.handle,
                   "%s goes away with %u outstanding lock%s", allocation->pageable.label,
                   cpu_of(allocation)->lock_count, cpu_of(allocation)->lock_count == 1 ? "" : "s");
    for (struct allocation *a = allocation; a; a = allocation_of(lock_next_part(&a->pageable))) {
        lock_drop_all(adapter, a);
        lock_end_view(adapter, a);
        page_set_fini(&a->pageable.store.cpu_dirty);
    }
}

vidmm_status lock_release_device(adapter_t *adapter, struct allocation *allocation,
                                 const struct device *device)
{
    uint32_t count = lock_count_of(adapter, allocation, device);
    if (count)
        (void)warn(adapter, RULE(LOCK_058), allocation->pageable.handle,
                   "device %s closes %s with %u outstanding lock%s", device->label,
                   allocation->pageable.label, count, count == 1 ? "" : "s");
    vidmm_status status = STATUS_SUCCESS;
    while (count--) /* only the last one can fail */
        status = unlock_one(adapter, allocation, device);
    return status;
}
