/* SPDX-License-Identifier: MIT */
/*
 * swizzle_alternate.c: alternate addresses, which locks with UseAlternateVA give out.
 *
 * An alternate address shows an allocation through a swizzling range wherever it is. When the
 * allocation is evicted under such a lock, its content goes to pages behind that address by
 * SPECIAL_LOCK_TRANSFER, and from there it comes back. Those pages are the store of the allocation
 * by another name, so the books of stores hold for them.
 *
 * Rules not named below: SWIZ-022.
 */
#include "vidmm/cpu/cpu_state.h"
#include "vidmm/cpu/cpu_va.h"
#include "vidmm/cpu/swizzle.h"

bool alternate_assign(adapter_t *adapter, struct allocation *allocation,
                      const struct swizzling_range *range)
{
    if (allocation->cpu.alternate)
        return true;
    if (!cpu_va_take(adapter, range->bytes))
        return false;
    struct alternate *alternate = base_alloc(1, sizeof *alternate);
    *alternate = (struct alternate){ .address = adapter->cpu->next_address,
                                     .bytes = range->bytes,
                                     .range_id = range->id,
                                     .range_data = range->data };
    adapter->cpu->next_address += align_up(range->bytes, 0x10000) + 0x10000;
    allocation->cpu.alternate = alternate;
    applies(adapter, RULE(SWIZ_019));
    applies(adapter, RULE(SWIZ_021));
    return true;
}

void alternate_release(adapter_t *adapter, struct allocation *allocation)
{
    if (!allocation->cpu.alternate)
        return;
    cpu_va_release(adapter, allocation->cpu.alternate->bytes);
    base_free(allocation->cpu.alternate);
    allocation->cpu.alternate = NULL;
    applies(adapter, RULE(SWIZ_021));
}

void alternate_arrived(adapter_t *adapter, struct allocation *allocation)
{
    if (swizzle_keeps(allocation))
        allocation->cpu.alternate->holds = false;
    else
        alternate_release(adapter, allocation);
}

bool alternate_in_use(const struct allocation *allocation)
{
    const struct lock_record *record = allocation->cpu.locks;
    while (record && !(record->flags & VIDMM_LOCK_UseAlternateVA))
        record = record->next;
    return allocation->cpu.alternate && record;
}
