/* SPDX-License-Identifier: MIT */
/* range_address.c: does the address of memory that a caller brought mean it now, and for whom? */
#include "vidmm/share/share.h"

/* Below 2.0 a lock makes the address and the unlock ends it; in 2.0 and later it stays. */
bool range_has_address(const adapter_t *adapter, const struct allocation *source)
{
    return adapter->setup->caps.wddm >= VIDMM_WDDM_2_0 || source->cpu.lock_count;
}

bool system_range_valid(const adapter_t *adapter, const struct system_range *range,
                        const struct process *process)
{
    if (range->process && range->process != process->handle)
        return false;
    return !range->view || (range->source && range_has_address(adapter, range->source));
}
