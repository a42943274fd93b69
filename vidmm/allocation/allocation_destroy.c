/* SPDX-License-Identifier: MIT */
/*
 * allocation_destroy.c: the end of allocations, in the order of MINI-042.
 *
 *   idle (may wait)  closed  DxgkDdiCloseAllocation  discard or unmap, and its fence
 *   DxgkDdiDestroyAllocation  range, pages and commitment free  handle gone
 *
 * The wait comes first, because it can be refused when it would never end; then nothing has
 * changed. In WDDM 2.0 and later the documents let a destruction be deferred instead (RES-052);
 * here it waits in every version. What a resource holds goes with one call each (MINI-041).
 *
 * Rules not named below: PAGE-003, PAGE-065, PLACE-026, TIME-016.
 */
#include "paging/buffer/buffer.h"
#include "paging/residency/residency.h"
#include "paging/schedule/schedule.h"
#include "paging/store/store.h"
#include "paging/store/turns.h"
#include "vidmm/allocation/allocation_make.h"
#include "vidmm/base/base_hash.h"
#include "vidmm/cpu/cpu.h"
#include "vidmm/share/share.h"
#include "vidmm/submit/submit.h"

struct ending {
    adapter_t *adapter;
    struct allocation *const *list;
    size_t count;
    struct resource *resource;
    HANDLE *handles; /* room for `count` */
};

/* ---- idle ----------------------------------------------------------------------------------- */

/* What a completed eviction makes due names the allocation again: until nothing is left. */
static vidmm_status wait_idle(adapter_t *adapter, struct allocation *allocation)
{
    vidmm_status due = schedule_deferred_now(adapter);
    while (allocation_busy(adapter, &allocation->pageable)) {
        vidmm_status status =
            schedule_wait_fences(adapter, allocation->pageable.transfer.fences, VIDMM_WAIT_DESTROY,
                                 RULE(MINI_042), allocation->pageable.creator);
        if (status)
            return status;
        due = schedule_deferred_now(adapter);
    }
    /* What is due for others may have ended in a bug check. */
    return schedule_deferred_names(adapter, &allocation->pageable) ? due : adapter_alive(adapter);
}

static vidmm_status wait_all_idle(const struct ending *ending)
{
    vidmm_status status = STATUS_SUCCESS;
    for (size_t i = 0; i < ending->count && !status; i++) {
        status = wait_idle(ending->adapter, ending->list[i]);
        for (struct allocation *a = rename_other(ending->list[i]); a && !status;
             a = rename_next_other(a))
            status = wait_idle(ending->adapter, a);
    }
    return status;
}

/* ---- calls of the driver -------------------------------------------------------------------- */

void allocation_judge_end(adapter_t *adapter, const char *ddi, NTSTATUS answer)
{
    if (answer)
        finding(adapter, RULE(MINI_043), 0, "%s answers 0x%08x; the allocation goes all the same",
                ddi, (unsigned)answer);
}

/* Of those that the driver knows (KMT-039), and does not have from itself (ALLOC-052). */
static UINT collect(const struct ending *ending, bool open)
{
    UINT count = 0;
    for (size_t i = 0; i < ending->count; i++) {
        const struct allocation *allocation = ending->list[i];
        if (!allocation_is_no_kmd(&allocation->pageable) && !allocation->pageable.of_context)
            ending->handles[count++] =
                open ? allocation->open_handle : allocation->pageable.driver_handle;
    }
    return count;
}

static void call_close(const struct ending *ending)
{
    adapter_t *adapter = ending->adapter;
    DXGKARG_CLOSEALLOCATION arg = { collect(ending, true), ending->handles };
    if (!arg.NumAllocations || adapter_stopped(adapter))
        return;
    NTSTATUS status = DRIVER_CALL(adapter, 0, CloseAllocation,
                                  ending->list[0]->pageable.creator->driver_handle, &arg);
    DRIVER_CALL_END(adapter, CloseAllocation, status, ending->list[0]->pageable.handle,
                    f_number("NumAllocations", arg.NumAllocations));
    allocation_judge_end(adapter, "DxgkDdiCloseAllocation", status);
    for (size_t i = 0; i < ending->count; i++)
        if (!allocation_is_no_kmd(&ending->list[i]->pageable))
            EMIT(adapter, CLOSE, RULE(MINI_041), ending->list[i]->pageable.handle,
                 f_text("device", ending->list[i]->pageable.creator->label));
}

static void call_destroy(const struct ending *ending)
{
    adapter_t *adapter = ending->adapter;
    struct resource *resource = ending->resource;
    vidmm_handle subject = ending->count ? ending->list[0]->pageable.handle : 0;
    DXGKARG_DESTROYALLOCATION arg = {
        .NumAllocations = collect(ending, false),
        .pAllocationList = ending->handles,
        .Flags.DestroyResource = resource && resource->driver_notified,
    };
    if (!arg.NumAllocations && !(resource && resource->driver_notified))
        return;
    if (ending->count && ending->list[0]->resource)
        resource = ending->list[0]->resource;
    if (resource)
        arg.hResource = resource->driver_handle;
    NTSTATUS status = DRIVER_CALL(adapter, 0, DestroyAllocation, adapter->setup->driver, &arg);
    const struct vidmm_field fields[] = {
        f_number("NumAllocations", arg.NumAllocations),
        f_hex("Flags", arg.Flags.Value),
        f_word("hResource",
               creation_resource_word(resource ? resource->driver_handle : NULL, arg.hResource)),
    };
    bool stays = resource && !arg.Flags.DestroyResource;
    driver_call_end(adapter, "DxgkDdiDestroyAllocation", status, subject, fields,
                    ARRAY_COUNT(fields) - !stays);
    if (stays)
        resource->driver_handle = arg.hResource;
    allocation_judge_end(adapter, "DxgkDdiDestroyAllocation", status);
}

/* ---- out of its place ----------------------------------------------------------------------- */

/* Memory is discarded and stays taken until the driver forgot it; an aperture range is unmapped. */
static vidmm_status leave_place(adapter_t *adapter, struct allocation *allocation)
{
    struct place from = allocation->pageable.place.at;
    bool memory = place_in_memory(adapter, &from);
    host_aperture_release(adapter, allocation);
    struct evict_way way = { memory ? "discard" : "unmap", RULE(MINI_042), false };
    evict_tell(adapter, &allocation->pageable, EVICT_DESTROY, RULE(MINI_042), way);
    vidmm_status status = swizzle_end(adapter, allocation);
    if (!status)
        status = memory ? paging_notify_departure(adapter, &allocation->pageable)
                        : paging_notify_eviction(adapter, &allocation->pageable);
    if (status)
        return status;
    if (!from.segment) {
        residency_unplace(adapter, &allocation->pageable, true);
        backing_unlock(adapter, &allocation->pageable);
        return STATUS_SUCCESS;
    }
    if (memory)
        return paging_discard(adapter, &allocation->pageable, &from);
    residency_unplace(adapter, &allocation->pageable, false);
    return paging_unmap(adapter, &allocation->pageable, from.segment, from.one, true);
}

static bool any_leaving(const struct ending *ending)
{
    for (size_t i = 0; i < ending->count; i++)
        for (const struct allocation *a = ending->list[i]; a;
             a = allocation_of(a->pageable.place.next_copy))
            if (a->pageable.place.leaving)
                return true;
    return false;
}

static vidmm_status leave_places(const struct ending *ending)
{
    adapter_t *adapter = ending->adapter;
    vidmm_status status = STATUS_SUCCESS;
    paging_begin(adapter, NULL);
    books_open(adapter);
    for (size_t i = 0; i < ending->count && !status; i++) {
        for (struct allocation *a = ending->list[i]; a && !status;
             a = allocation_of(a->pageable.place.next_copy)) {
            if (a->pageable.place.leaving)
                status = leave_place(adapter, a);
            if (!status)
                residency_departs(&a->pageable);
        }
    }
    vidmm_status end = paging_end(adapter);
    books_close(adapter);
    if (!status)
        status = end;
    if (status && (adapter_stopped(adapter) || any_leaving(ending)))
        return status;
    return wait_all_idle(ending); /* a reset meanwhile took their places: TDR-028 */
}

/* ---- gone ----------------------------------------------------------------------------------- */

static void unlink_allocation(struct allocation *allocation)
{
    allocation_unlist(allocation);
    if (allocation->resource)
        DL_DELETE2(allocation->resource->allocations, allocation, resource_prev, resource_next);
}

static void unplace_all(adapter_t *adapter, struct allocation *allocation)
{
    for (struct allocation *a = allocation; a; a = allocation_of(a->pageable.place.next_copy))
        if (a->pageable.place.at.run_count)
            residency_unplace(adapter, &a->pageable, true);
}

void allocation_tell_end(adapter_t *adapter, const struct allocation *allocation,
                         enum vidmm_rule rule)
{
    EMIT(adapter, DESTROY, rule, allocation->pageable.handle, f_word("kind", "allocation"),
         f_bytes("bytes", allocation->pageable.info.bytes));
}

static void finish(adapter_t *adapter, struct allocation *allocation)
{
    unplace_all(adapter, allocation);
    unlink_allocation(allocation);
    allocation_advice_count(adapter, allocation, false);
    allocation_tell_end(adapter, allocation, RULE(MINI_042));
    allocation_free(adapter, allocation);
}

/* ---- instances ------------------------------------------------------------------------------ */

/* No new use from here on. */
static void close_one(adapter_t *adapter, struct allocation *allocation)
{
    if (allocation->pageable.store.state == ALLOCATION_CLOSED)
        return; /* it was held up before */
    lock_release_all(adapter, allocation);
    residency_close(&allocation->pageable);
}

static vidmm_status end_instance(adapter_t *adapter, struct allocation *instance)
{
    const struct ending ending = { adapter, &instance, 1, NULL, NULL };
    close_one(adapter, instance);
    vidmm_status status = leave_places(&ending);
    if (status)
        return status;
    unplace_all(adapter, instance);
    EMIT(adapter, DESTROY, RULE(RENAME_018), instance->pageable.handle, f_word("kind", "instance"),
         f_bytes("bytes", instance->pageable.info.bytes));
    instance = rename_take(instance);
    instance->pageable.driver_handle = NULL; /* it belongs to the original */
    allocation_free(adapter, instance);
    return STATUS_SUCCESS;
}

/* RENAME-018: the driver saw one creation, so the other instances end without it. */
static vidmm_status end_instances(const struct ending *ending)
{
    vidmm_status status = STATUS_SUCCESS;
    for (size_t i = 0; i < ending->count; i++) {
        struct allocation *other;
        while (!status && (other = rename_other(ending->list[i])) != NULL)
            status = end_instance(ending->adapter, other);
    }
    return status;
}

static void close_all(const struct ending *ending)
{
    if (!ending->count || ending->list[0]->pageable.store.state == ALLOCATION_CLOSED)
        return;
    for (size_t i = 0; i < ending->count; i++)
        close_one(ending->adapter, ending->list[i]);
    if (ending->resource)
        shared_close_others(ending->adapter, ending->resource);
    call_close(ending);
}

/* Something else keeps the paging node busy for ever. All of them stay closed, without a name, each
   with its instances; the end of their device tries again, and whatever empties video memory. */
static vidmm_status hold_up(const struct ending *ending, vidmm_status status)
{
    adapter_t *adapter = ending->adapter;
    close_all(ending);
    shared_lose_names(adapter, ending->resource);
    for (size_t i = 0; i < ending->count; i++) {
        handle_close(adapter, ending->list[i]->pageable.handle);
        for (struct allocation *a = rename_other(ending->list[i]); a; a = rename_next_other(a)) {
            close_one(adapter, a);
            handle_close(adapter, a->pageable.handle);
        }
    }
    if (ending->resource)
        handle_close(adapter, ending->resource->handle);
    return status;
}

static vidmm_status carry_out(const struct ending *ending)
{
    adapter_t *adapter = ending->adapter;
    vidmm_status status = STATUS_SUCCESS;
    if (ending->count) /* the GPU saves nothing there any more; what it saves to is alone */
        status = context_switch_away(adapter, &ending->list[0]->pageable); /* SUBMIT-047 */
    if (!status)
        status = wait_all_idle(ending);
    if (status)
        return status;
    status = end_instances(ending);
    if (status)
        return adapter_stopped(adapter) ? status : hold_up(ending, status);
    for (size_t i = 0; i < ending->count && !status; i++)
        status = swizzle_end(adapter, ending->list[i]);
    if (status)
        return status;
    close_all(ending);
    status = leave_places(ending);
    if (status)
        return hold_up(ending, status);
    call_destroy(ending);
    if (ending->resource)
        shared_free(adapter, ending->resource);
    for (size_t i = 0; i < ending->count; i++)
        finish(adapter, ending->list[i]);
    if (ending->resource) {
        EMIT(adapter, DESTROY, RULE(MINI_043), ending->resource->handle,
             f_word("kind", "resource"));
        resource_free(adapter, ending->resource);
    }
    return STATUS_SUCCESS;
}

vidmm_status allocation_destroy_all(adapter_t *adapter, struct allocation *const *list,
                                    size_t count, struct resource *resource)
{
    HANDLE handle = NULL;
    struct ending ending = { adapter, list, count, resource, &handle };
    if (count > 1)
        ending.handles = base_alloc(count, sizeof handle);
    vidmm_status status = carry_out(&ending);
    if (count > 1)
        base_free(ending.handles);
    return status;
}

vidmm_status allocation_destroy(adapter_t *adapter, struct allocation *allocation)
{
    allocation = rename_original(allocation);
    return allocation_destroy_all(adapter, &allocation, 1, NULL);
}

vidmm_status resource_destroy(adapter_t *adapter, struct resource *resource)
{
    size_t count = 0;
    for (struct allocation *a = resource->allocations; a; a = a->resource_next)
        count++;
    struct allocation **list = base_alloc(count, sizeof(struct allocation *));
    count = 0;
    for (struct allocation *a = resource->allocations; a; a = a->resource_next)
        list[count++] = a;
    vidmm_status status = allocation_destroy_all(adapter, list, count, resource);
    base_free(list);
    return status;
}

/* Where it was held up it goes on: a resource as a whole if that was destroyed. */
static vidmm_status end_closed(adapter_t *adapter, struct allocation *allocation)
{
    struct resource *resource = allocation->resource;
    if (resource && !handle_object(adapter, resource->handle, VIDMM_OBJECT_RESOURCE))
        return resource_destroy(adapter, resource);
    return allocation_destroy(adapter, allocation);
}

vidmm_status allocations_end_closed(adapter_t *adapter)
{
    vidmm_status status = STATUS_SUCCESS;
    struct allocation *allocation = allocation_first(adapter);
    while (allocation && !status) {
        bool closed = allocation->pageable.store.state == ALLOCATION_CLOSED;
        if (closed)
            status = end_closed(adapter, allocation);
        allocation = closed ? allocation_first(adapter) : allocation_after(allocation);
    }
    return status;
}

/* ---- the end of the adapter ----------------------------------------------------------------- */

static void forget(adapter_t *adapter, struct allocation *allocation)
{
    struct allocation *copy = allocation_of(allocation->pageable.place.next_copy);
    if (copy)
        forget(adapter, copy);
    if (allocation->pageable.place.at.run_count > 1)
        base_free(allocation->pageable.place.at.runs);
    system_range_orphan(adapter, allocation);
    cpu_forget(adapter, allocation);
    turns_forget(&allocation->pageable);
    base_free(allocation->surface);
    rename_fini(allocation);
    pageable_forget(adapter, &allocation->pageable);
}

void allocation_abandon(adapter_t *adapter, struct allocation *allocation)
{
    HANDLE handle = NULL;
    struct allocation *const list[] = { allocation };
    struct ending ending = { adapter, list, 1, NULL, &handle };
    /* What the driver calls back from here on finds nothing by these names. */
    handle_end(adapter, allocation->pageable.handle);
    for (const struct allocation *a = rename_other(allocation); a; a = rename_next_other(a))
        handle_end(adapter, a->pageable.handle);
    if (!adapter_stopped(adapter))
        (void)swizzle_end(adapter, allocation);
    if (allocation->pageable.store.state != ALLOCATION_CLOSED)
        call_close(&ending);
    if (!adapter_stopped(adapter))
        call_destroy(&ending);
    unlink_allocation(allocation);
    while (rename_other(allocation))
        forget(adapter, rename_take(rename_other(allocation)));
    forget(adapter, allocation);
}
