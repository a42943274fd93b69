/* SPDX-License-Identifier: MIT */
/*
 * display.c: which primaries are scanned out, and what that means for memory.
 *
 * One primary for each video present source. It is resident and pinned as long as it is shown: the
 * hardware reads it all the time, by address. From 2.0 on a primary in system memory is only a list
 * of locked pages; shown, it is mapped into a contiguous range of an aperture, hidden it is not
 * (residency_show(), residency_hide()). There is no flip queue: a flip takes effect in the call.
 *
 * A flip waits for what the GPU still writes to the new primary, unless the driver or the caller
 * asked to be left alone (FLAG-065).
 *
 * Rules not named below: FLAG-054.
 */
#include "paging/buffer/buffer.h"
#include "paging/residency/link.h"
#include "paging/residency/residency.h"
#include "paging/schedule/schedule.h"
#include "paging/store/turns.h"
#include "vidmm/allocation/allocation.h"
#include "vidmm/allocation/allocation_state.h"
#include "vidmm/base/base_hash.h"
#include "vidmm/share/share.h"

void display_forget(adapter_t *adapter, struct allocation *allocation)
{
    struct allocations *allocations = adapter->allocations;
    if (!allocation->pageable.place.displayed)
        return;
    if (allocations->displayed)
        LL_DELETE2(allocations->displayed, allocation, group_next);
    allocation->group_next = NULL;
    residency_scanned_out(&allocation->pageable, false);
}

static vidmm_status hide(adapter_t *adapter, struct allocation *allocation, struct device *device)
{
    if (!allocation->pageable.place.pinned_anyway &&
        !allocation_is_pinned_at_creation(&allocation->pageable))
        residency_pin(adapter, &allocation->pageable, false);
    display_forget(adapter, allocation);
    paging_begin(adapter, device);
    vidmm_status status = residency_hide(adapter, &allocation->pageable);
    vidmm_status ended = paging_end(adapter);
    return status ? status : ended;
}

/* FLAG-065: a flip to what is still being written; the device that asked for it waits. */
static vidmm_status wait_for_writes(adapter_t *adapter, struct allocation *allocation,
                                    struct device *device)
{
    bool driver = allocation->pageable.info.flags2 & VIDMM_ALLOCATION2_NoImplicitSynchronization;
    bool caller = allocation->pageable.kmt & VIDMM_KMT_NoImplicitSynchronization;
    if (driver || caller) {
        applies(adapter, driver ? RULE(FLAG_065) : RULE(KMT_041));
        return STATUS_SUCCESS;
    }
    return schedule_wait_fences(adapter, allocation->pageable.transfer.write_fences,
                                VIDMM_WAIT_FLIP, RULE(FLAG_065), device);
}

static vidmm_status show(adapter_t *adapter, struct allocation *allocation, struct device *device)
{
    struct allocations *allocations = adapter->allocations;
    struct allocation *before = allocations->displayed;
    while (before && before->vidpn_source != allocation->vidpn_source)
        before = before->group_next;
    /* The pin of a request ends with its place: what is left of it is void. */
    if (!link_pinned(&allocation->pageable))
        residency_keep_pinned(&allocation->pageable, false);
    vidmm_status status = wait_for_writes(adapter, allocation, device);
    if (!status) {
        turns_begin(adapter);
        paging_begin(adapter, device);
        status = residency_show(adapter, &allocation->pageable);
        vidmm_status ended = paging_end(adapter);
        status = status ? status : ended;
    }
    if (status) {
        residency_scanned_out(&allocation->pageable, false);
        return status;
    }
    residency_scanned_out(&allocation->pageable, true);
    LL_PREPEND2(allocations->displayed, allocation, group_next);
    residency_pin(adapter, &allocation->pageable, true);
    return before ? hide(adapter, before, device) : STATUS_SUCCESS;
}

vidmm_status vidmm_display(adapter_t *adapter, vidmm_handle handle)
{
    vidmm_status status = adapter_usable(adapter);
    if (status)
        return status;
    schedule_deferred(adapter);
    while (!handle && adapter->allocations->displayed && !status)
        status = hide(adapter, adapter->allocations->displayed, NULL);
    if (!handle)
        return status;
    struct allocation *allocation = handle_object(adapter, handle, VIDMM_OBJECT_ALLOCATION);
    shared_spoken(adapter, handle);
    if (!allocation || !allocation->pageable.info.primary)
        return refuse(adapter, RULE(RES_057), STATUS_INVALID_PARAMETER,
                      "%s is no primary: it cannot be displayed",
                      allocation ? allocation->pageable.label : "this");
    if (allocation->pageable.place.displayed)
        return STATUS_SUCCESS;
    status = offer_check_use(adapter, allocation, handle, RULE(OFFER_005));
    return status ? status : show(adapter, allocation, shared_caller(allocation, handle));
}
