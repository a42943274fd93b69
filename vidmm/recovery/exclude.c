/* SPDX-License-Identifier: MIT */
/*
 * exclude.c: the driver has the adapter for itself (DxgkCbExcludeAdapterAccess).
 *
 * The GPU comes to rest. With DXGK_EXCLUDE_EVICT_ALL everything leaves video memory, and the CPU
 * goes on in system memory; without it, access through existing locks is suspended. New locks and
 * new work wait until the driver is done: with one thread such a call would wait for ever, so it is
 * refused.
 */
#include "vidmm/recovery/purge.h"

static bool any_alternate_lock(const struct allocation *allocation)
{
    for (const struct lock_record *lock = allocation->locks; lock; lock = lock->next)
        if (lock->flags & VIDMM_LOCK_UseAlternateVA)
            return true;
    return false;
}

/* Such a lock is never blocked, so its owner and the driver would meet in the same memory. */
static void judge(adapter_t *adapter)
{
    for (struct allocation *a = allocation_first(adapter); a; a = allocation_after(a))
        if (!a->whole && any_alternate_lock(a))
            finding(adapter, RULE(TDR_035), a->handle,
                    "the driver excludes access while %s is locked with UseAlternateVA", a->label);
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
    adapter->presence = evict_all ? ADAPTER_EXCLUDED_EMPTY : ADAPTER_EXCLUDED;
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
    adapter->presence = ADAPTER_PRESENT;
    EMIT(adapter, EXCLUDE, RULE(TDR_035), 0, f_word("state", "off"));
    return STATUS_SUCCESS;
}

vidmm_status vidmm_exclude(struct vidmm_adapter *adapter, enum vidmm_exclusion exclusion)
{
    return exclusion == VIDMM_EXCLUDE_OFF ? end(adapter)
                                          : begin(adapter, exclusion == VIDMM_EXCLUDE_EVICT_ALL);
}

bool exclude_holds(const adapter_t *adapter)
{
    return adapter->presence == ADAPTER_EXCLUDED || adapter->presence == ADAPTER_EXCLUDED_EMPTY;
}

vidmm_status exclude_lock(adapter_t *adapter, uint32_t flags)
{
    if (!exclude_holds(adapter))
        return adapter_usable(adapter);
    applies(adapter, RULE(LOCK_060));
    if (flags & VIDMM_LOCK_UseAlternateVA)
        return adapter_alive(adapter);
    return refuse(adapter, RULE(LOCK_060), STATUS_UNSUCCESSFUL,
                  "the driver has the adapter for itself: the lock would wait for the end of that");
}

vidmm_status exclude_access(adapter_t *adapter, const struct allocation *allocation)
{
    if (!exclude_holds(adapter))
        return adapter_usable(adapter);
    applies(adapter, RULE(LOCK_060));
    if (adapter->presence == ADAPTER_EXCLUDED_EMPTY || any_alternate_lock(allocation))
        return adapter_alive(adapter);
    return refuse(adapter, RULE(LOCK_060), STATUS_UNSUCCESSFUL,
                  "the driver has the adapter for itself: access to %s is suspended",
                  allocation->label);
}
