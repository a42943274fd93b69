/* SPDX-License-Identifier: MIT */
/*
 * level3.c: the two levels of synchronisation that a script can ask for by themselves.
 *
 * New work is held back (there is one thread) and every node finishes. At level two that is all; at
 * level three everything leaves video memory (purge.c). Power and Plug and Play events go through
 * the same steps with a call of the driver at their end (power.c, pnp.c).
 */
#include "paging/schedule/schedule.h"
#include "vidmm/recovery/recovery.h"

vidmm_status vidmm_level2(struct vidmm_adapter *adapter)
{
    vidmm_status status = adapter_usable(adapter);
    if (status)
        return status;
    EMIT(adapter, LEVEL2, RULE(TDR_034), 0, f_word("phase", "drain"));
    status = sync_idle(adapter, VIDMM_WAIT_DRAIN, RULE(TDR_034));
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
    status = sync_idle(adapter, VIDMM_WAIT_DRAIN, RULE(TDR_030));
    if (!status)
        status = purge_everything(adapter, EVICT_LEVEL3, RULE(TDR_033));
    if (!status)
        EMIT(adapter, LEVEL3, RULE(TDR_030), 0, f_word("phase", "empty"));
    return status;
}
