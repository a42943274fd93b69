/* SPDX-License-Identifier: MIT */
/*
 * level3.c: the GPU comes to rest: because a script asks for level two or three of synchronisation,
 * or because the driver wants the adapter for itself (DxgkCbExcludeAdapterAccess).
 *
 * New work is held back (there is one thread) and every node finishes. At level two that is all; at
 * level three everything leaves video memory (purge.c). Power and Plug and Play events go through
 * the same steps with a call of the driver at their end (power.c, pnp.c).
 *
 * With DXGK_EXCLUDE_EVICT_ALL everything leaves video memory, too, and the CPU goes on in system
 * memory; without it, access through existing locks is suspended. New locks and new work wait until
 * the driver is done: with one thread such a call would wait for ever, so it is refused.
 */
#include "paging/schedule/schedule.h"
#include "vidmm/cpu/cpu.h"
#include "vidmm/recovery/recovery.h"
#include "vidmm/share/share.h"

/* ---- levels that a script asks for ---------------------------------------------------------- */

vidmm_status vidmm_level2(struct vidmm_adapter *adapter)
{
    vidmm_status status = adapter_usable(adapter);
    if (status)
        return status;
    EMIT(adapter, LEVEL2, RULE(TDR_034), 0, f_word("phase", "drain"));
    status = schedule_wait_idle(adapter, VIDMM_WAIT_DRAIN, RULE(TDR_034));
    if (!status)
        EMIT(adapter, LEVEL2, RULE(TDR_034), 0, f_word("phase", "idle"));
    return status;
}

vidmm_status vidmm_level3(struct vidmm_adapter *adapter)
{
    struct purge purge;
    vidmm_status status = adapter_usable(adapter);
    purge_init(&purge, EVICT_LEVEL3, RULE(TDR_033));
    if (!status)
        status = purge_warn(adapter, &purge);
    if (status)
        return status;
    EMIT(adapter, LEVEL3, RULE(TDR_030), 0, f_word("phase", "drain"));
    status = schedule_wait_idle(adapter, VIDMM_WAIT_DRAIN, RULE(TDR_030));
    if (!status)
        status = purge_everything(adapter, EVICT_LEVEL3, RULE(TDR_033));
    if (!status)
        EMIT(adapter, LEVEL3, RULE(TDR_030), 0, f_word("phase", "empty"));
    return status;
}

/* ---- the driver has the adapter for itself -------------------------------------------------- */

static vidmm_status exclude_begin(adapter_t *adapter, bool evict_all)
{
    vidmm_status status = adapter_usable(adapter);
    if (status)
        return status;
    struct allocation *a = lock_any_alternate(adapter) ? allocation_first(adapter) : NULL;
    for (; a; a = allocation_after(a))
        /* Such a lock is never blocked, so its owner and the driver would meet in one memory. */
        if (!a->pageable.place.first_copy && lock_has(a, VIDMM_LOCK_UseAlternateVA))
            finding(adapter, RULE(TDR_035), a->pageable.handle,
                    "the driver excludes access while %s is locked with UseAlternateVA",
                    a->pageable.label);
    status = schedule_wait_idle(adapter, VIDMM_WAIT_DRAIN, RULE(TDR_035));
    if (!status && evict_all)
        status = purge_everything(adapter, EVICT_EXCLUDE, RULE(TDR_035));
    if (status)
        return status;
    adapter_becomes(adapter, evict_all ? ADAPTER_EXCLUDED_EMPTY : ADAPTER_EXCLUDED);
    EMIT(adapter, EXCLUDE, RULE(TDR_035), 0, f_word("state", evict_all ? "evict-all" : "on"));
    return adapter_alive(adapter);
}

static vidmm_status exclude_end(adapter_t *adapter)
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
    return exclusion == VIDMM_EXCLUDE_OFF
               ? exclude_end(adapter)
               : exclude_begin(adapter, exclusion == VIDMM_EXCLUDE_EVICT_ALL);
}
