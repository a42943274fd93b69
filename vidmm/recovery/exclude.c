/* SPDX-License-Identifier: MIT */
/*
 * exclude.c: the driver has the adapter for itself (DxgkCbExcludeAdapterAccess).
 *
 * The GPU comes to rest. With DXGK_EXCLUDE_EVICT_ALL everything leaves video memory, and the CPU
 * goes on in system memory; without it, access through existing locks is suspended. New locks and
 * new work wait until the driver is done: with one thread such a call would wait for ever, so it is
 * refused.
 */
#include "paging/schedule/schedule.h"
#include "vidmm/cpu/cpu.h"
#include "vidmm/recovery/recovery.h"
#include "vidmm/share/share.h"

/* Such a lock is never blocked, so its owner and the driver would meet in the same memory. */
static void judge(adapter_t *adapter)
{
    for (struct allocation *a = allocation_first(adapter); a; a = allocation_after(a))
        if (!allocation_of(a->pageable.place.whole) && lock_has(a, VIDMM_LOCK_UseAlternateVA))
            finding(adapter, RULE(TDR_035), a->pageable.handle,
                    "the driver excludes access while %s is locked with UseAlternateVA",
                    a->pageable.label);
}

static vidmm_status begin(adapter_t *adapter, bool evict_all)
{
    vidmm_status status = adapter_usable(adapter);
    if (status)
        return status;
    judge(adapter);
    status = sync_idle(adapter, VIDMM_WAIT_DRAIN, RULE(TDR_035));
    if (!status && evict_all)
        status = purge_everything(adapter, EVICT_EXCLUDE, RULE(TDR_035));
    if (status)
        return status;
    adapter_becomes(adapter, evict_all ? ADAPTER_EXCLUDED_EMPTY : ADAPTER_EXCLUDED);
    EMIT(adapter, EXCLUDE, RULE(TDR_035), 0, f_word("state", evict_all ? "evict-all" : "on"));
    return adapter_alive(adapter);
}

static vidmm_status end(adapter_t *adapter)
{
    vidmm_status status = exclude_holds(adapter) ? adapter_alive(adapter) : adapter_usable(adapter);
    if (status)
        return status;
    if (!exclude_holds(adapter))
        return refuse(adapter, RULE(TDR_035), STATUS_INVALID_PARAMETER,
                      "the driver does not have the adapter for itself");
    adapter_becomes(adapter, ADAPTER_PRESENT);
    EMIT(adapter, EXCLUDE, RULE(TDR_035), 0, f_word("state", "off"));
    return STATUS_SUCCESS;
}

vidmm_status vidmm_exclude(struct vidmm_adapter *adapter, enum vidmm_exclusion exclusion)
{
    return exclusion == VIDMM_EXCLUDE_OFF ? end(adapter)
                                          : begin(adapter, exclusion == VIDMM_EXCLUDE_EVICT_ALL);
}
