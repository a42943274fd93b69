/* SPDX-License-Identifier: MIT */
/*
 * cpu_va.c: addresses by which the CPU sees allocations, those that are given out late.
 *
 * CpuVisible has its address from the creation on, and memory that a caller brought has one
 * already. Who may be locked without either, CpuVisibleOnDemand above all, has an address from the
 * first outstanding lock to the last unlock. Alternate addresses (swizzle_alternate.c) count in the
 * same books.
 *
 * Rules not named below: FLAG-007, LOCK-029.
 */
#include "vidmm/manager.h"
#include "vidmm/words.h"

bool cpu_va_take(adapter_t *adapter, uint64_t bytes)
{
    uint64_t limit = setting(adapter, VIDMM_SETTING_CPU_VA);
    uint64_t used = adapter->counters[VIDMM_COUNTER_CPU_VA_BYTES];
    if (used > limit || bytes > limit - used)
        return false;
    gauge_change(adapter, VIDMM_COUNTER_CPU_VA_BYTES, (int64_t)bytes);
    return true;
}

void cpu_va_release(adapter_t *adapter, uint64_t bytes)
{
    gauge_change(adapter, VIDMM_COUNTER_CPU_VA_BYTES, -(int64_t)bytes);
}

vidmm_status cpu_va_lock(adapter_t *adapter, struct allocation *allocation)
{
    if (allocation->cpu_va ||
        allocation_has(allocation, ALLOCATION_CPU_VISIBLE | ALLOCATION_EXISTING))
        return STATUS_SUCCESS;
    applies(adapter, RULE(LOCK_014));
    if (!cpu_va_take(adapter, allocation->info.bytes))
        return refuse(adapter, RULE(LOCK_014), STATUS_NO_MEMORY,
                      "%s: no CPU address is left for %s", allocation->label,
                      words_size(allocation->info.bytes).it);
    allocation->cpu_va = true;
    return STATUS_SUCCESS;
}

void cpu_va_unlock(adapter_t *adapter, struct allocation *allocation)
{
    if (allocation->cpu_va)
        cpu_va_release(adapter, allocation->info.bytes);
    allocation->cpu_va = false;
}
