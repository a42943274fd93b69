/* SPDX-License-Identifier: MIT */
/*
 * cpu_va.c: addresses by which the CPU sees allocations.
 *
 * In WDDM 2.0 and later a CpuVisible allocation keeps an address from its creation to its end
 * (FLAG-070); below 2.0 none is counted. Memory that a caller brought has one already. What may be
 * locked without either, CpuVisibleOnDemand above all, has an address from the first outstanding
 * lock to the last unlock.
 *
 * An alternate address, which a lock with UseAlternateVA gives out, counts in the same books. It
 * shows an allocation through a swizzling range wherever it is. When the allocation is evicted
 * under such a lock, its content goes to pages at that address by SPECIAL_LOCK_TRANSFER, and comes
 * back from there. Those pages are the store of the allocation by another name, so the books of
 * stores hold for them.
 *
 * Rules not named below: FLAG-007, LOCK-029, SWIZ-019, SWIZ-022.
 */
#include "vidmm/cpu/cpu_state.h"
#include "vidmm/cpu/lock.h"
#include "vidmm/cpu/swizzle.h"

/* In the books of addresses. False: none is left. */
static bool cpu_va_take(adapter_t *adapter, uint64_t bytes)
{
    uint64_t limit = setting(adapter, VIDMM_SETTING_CPU_VA);
    uint64_t used = counters_of(adapter)[VIDMM_COUNTER_CPU_VA_BYTES];
    if (used > limit || bytes > limit - used)
        return false;
    gauge_change(adapter, VIDMM_COUNTER_CPU_VA_BYTES, (int64_t)bytes);
    return true;
}

static void cpu_va_release(adapter_t *adapter, uint64_t bytes)
{
    gauge_change(adapter, VIDMM_COUNTER_CPU_VA_BYTES, -(int64_t)bytes);
}

bool cpu_va_is_kept(const adapter_t *adapter, const struct allocation *allocation)
{
    return adapter->setup->caps.wddm >= VIDMM_WDDM_2_0 &&
           allocation_has(&allocation->pageable, ALLOCATION_CPU_VISIBLE) &&
           !allocation_has(&allocation->pageable, ALLOCATION_EXISTING);
}

/* 64 KiB lie between two of them. */
static uint64_t take_apart(adapter_t *adapter, uint64_t bytes)
{
    return cpu_address_take(adapter, bytes + 0x10000);
}

void cpu_va_assign(adapter_t *adapter, struct allocation *allocation)
{
    cpu_own(allocation)->lock_address = take_apart(adapter, lock_bytes(&allocation->pageable));
}

vidmm_status cpu_va_create(adapter_t *adapter, struct allocation *allocation)
{
    if (!cpu_va_is_kept(adapter, allocation))
        return STATUS_SUCCESS;
    for (struct allocation *part = allocation; part;
         part = allocation_of(lock_next_part(&part->pageable))) {
        cpu_own(part)->cpu_va = cpu_va_take(adapter, part->pageable.info.bytes);
        if (!cpu_of(part)->cpu_va)
            return refuse(
                adapter, RULE(FLAG_070), STATUS_NO_MEMORY,
                "%s: CpuVisible keeps CPU addresses (%s) from its creation on, and less is left of "
                "cpu-va (%s); CpuVisibleOnDemand takes them only while it is locked",
                allocation->pageable.label, words_size(lock_bytes(&allocation->pageable)).it,
                words_size(setting(adapter, VIDMM_SETTING_CPU_VA)).it);
    }
    cpu_va_assign(adapter, allocation);
    return STATUS_SUCCESS;
}

vidmm_status cpu_va_lock(adapter_t *adapter, struct allocation *allocation)
{
    if (cpu_of(allocation)->cpu_va ||
        allocation_has(&allocation->pageable, ALLOCATION_CPU_VISIBLE | ALLOCATION_EXISTING))
        return STATUS_SUCCESS;
    if (!cpu_va_take(adapter, allocation->pageable.info.bytes))
        return refuse(adapter, RULE(LOCK_014), STATUS_NO_MEMORY,
                      "%s: no CPU address is left for %s", allocation->pageable.label,
                      words_size(allocation->pageable.info.bytes).it);
    cpu_own(allocation)->cpu_va = true;
    return STATUS_SUCCESS;
}

static void cpu_va_end(adapter_t *adapter, struct allocation *allocation)
{
    if (!allocation->cpu || !allocation->cpu->cpu_va)
        return;
    cpu_va_release(adapter, allocation->pageable.info.bytes);
    allocation->cpu->cpu_va = false;
}

void cpu_va_unlock(adapter_t *adapter, struct allocation *allocation)
{
    if (!cpu_va_is_kept(adapter, allocation))
        cpu_va_end(adapter, allocation);
}

/* ---- alternate addresses -------------------------------------------------------------------- */

bool alternate_assign(adapter_t *adapter, struct allocation *allocation,
                      const struct swizzling_range *range)
{
    if (cpu_of(allocation)->alternate)
        return true;
    if (!cpu_va_take(adapter, range->bytes))
        return false;
    struct alternate *alternate = base_alloc(1, sizeof *alternate);
    *alternate = (struct alternate){
        .address = take_apart(adapter, align_up(range->bytes, adapter->setup->page)),
        .bytes = range->bytes,
        .range_id = range->id,
        .range_data = range->data,
    };
    cpu_own(allocation)->alternate = alternate;
    applies(adapter, RULE(SWIZ_021));
    return true;
}

void alternate_release(adapter_t *adapter, struct allocation *allocation)
{
    if (!cpu_of(allocation)->alternate)
        return;
    cpu_va_release(adapter, cpu_of(allocation)->alternate->bytes);
    base_free(cpu_of(allocation)->alternate);
    cpu_own(allocation)->alternate = NULL;
}

void alternate_arrived(adapter_t *adapter, struct pageable *pageable)
{
    struct allocation *allocation = allocation_of(pageable);
    if (swizzle_keeps(allocation))
        cpu_own(allocation)->alternate->holds = false;
    else
        alternate_release(adapter, allocation);
}

bool alternate_in_use(const struct allocation *allocation)
{
    return cpu_of(allocation)->alternate && lock_has(allocation, VIDMM_LOCK_UseAlternateVA);
}

/* ---- the end -------------------------------------------------------------------------------- */

static void end_part(struct allocation *allocation)
{
    if (allocation->cpu)
        page_set_fini(&allocation->cpu->written);
    base_free(allocation->cpu);
    allocation->cpu = NULL;
}

void cpu_end(adapter_t *adapter, struct allocation *allocation)
{
    for (struct allocation *a = allocation; a; a = allocation_of(a->pageable.place.next_copy)) {
        alternate_release(adapter, a);
        cpu_va_end(adapter, a);
        end_part(a);
    }
}

void cpu_forget(adapter_t *adapter, struct allocation *allocation)
{
    lock_drop_all(adapter, allocation);
    host_aperture_forget(allocation);
    alternate_release(adapter, allocation);
    end_part(allocation);
}

void cpu_address_name(struct allocation *allocation, struct system_range *range)
{
    cpu_own(allocation)->cpu_range = range;
}

void cpu_start(adapter_t *adapter)
{
    adapter->cpu->next_address = adapter->setup->page; /* 0 is no address */
}

uint64_t cpu_address_take(adapter_t *adapter, uint64_t bytes)
{
    uint64_t address = adapter->cpu->next_address;
    adapter->cpu->next_address += bytes;
    return address;
}

struct cpu *cpu_new(void)
{
    return base_alloc(1, sizeof(struct cpu));
}
