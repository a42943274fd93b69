/* SPDX-License-Identifier: MIT */
/*
 * cpu_va.c: addresses by which the CPU sees allocations.
 *
 * From 2.0 on a CpuVisible allocation keeps an address from its creation to its end (FLAG-070), and
 * below 2.0 none is counted. Memory that a caller brought has one already. Who may be locked
 * without either, CpuVisibleOnDemand above all, has an address from the first outstanding lock to
 * the last unlock. Alternate addresses (swizzle_alternate.c) count in the same books.
 *
 * Rules not named below: FLAG-007, LOCK-029.
 */
#include "vidmm/cpu/cpu_va.h"
#include "vidmm/cpu/cpu_state.h"
#include "vidmm/cpu/lock.h"
#include "vidmm/cpu/swizzle.h"

bool cpu_va_take(adapter_t *adapter, uint64_t bytes)
{
    uint64_t limit = setting(adapter, VIDMM_SETTING_CPU_VA);
    uint64_t used = counter_of(adapter, VIDMM_COUNTER_CPU_VA_BYTES);
    if (used > limit || bytes > limit - used)
        return false;
    gauge_change(adapter, VIDMM_COUNTER_CPU_VA_BYTES, (int64_t)bytes);
    return true;
}

void cpu_va_release(adapter_t *adapter, uint64_t bytes)
{
    gauge_change(adapter, VIDMM_COUNTER_CPU_VA_BYTES, -(int64_t)bytes);
}

bool cpu_va_is_kept(const adapter_t *adapter, const struct allocation *allocation)
{
    return adapter->setup->caps.wddm >= VIDMM_WDDM_2_0 &&
           allocation_has(&allocation->pageable, ALLOCATION_CPU_VISIBLE) &&
           !allocation_has(&allocation->pageable, ALLOCATION_EXISTING);
}

void cpu_va_assign(adapter_t *adapter, struct allocation *allocation)
{
    allocation->cpu.lock_address =
        cpu_address_take(adapter, align_up(lock_bytes(&allocation->pageable), 0x10000) + 0x10000);
}

vidmm_status cpu_va_create(adapter_t *adapter, struct allocation *allocation)
{
    if (!cpu_va_is_kept(adapter, allocation))
        return STATUS_SUCCESS;
    applies(adapter, RULE(FLAG_070));
    for (struct allocation *part = allocation; part;
         part = allocation_of(lock_next_part(&part->pageable))) {
        part->cpu.cpu_va = cpu_va_take(adapter, part->pageable.info.bytes);
        if (!part->cpu.cpu_va)
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
    if (allocation->cpu.cpu_va ||
        allocation_has(&allocation->pageable, ALLOCATION_CPU_VISIBLE | ALLOCATION_EXISTING))
        return STATUS_SUCCESS;
    applies(adapter, RULE(LOCK_014));
    if (!cpu_va_take(adapter, allocation->pageable.info.bytes))
        return refuse(adapter, RULE(LOCK_014), STATUS_NO_MEMORY,
                      "%s: no CPU address is left for %s", allocation->pageable.label,
                      words_size(allocation->pageable.info.bytes).it);
    allocation->cpu.cpu_va = true;
    return STATUS_SUCCESS;
}

void cpu_va_unlock(adapter_t *adapter, struct allocation *allocation)
{
    if (!cpu_va_is_kept(adapter, allocation))
        cpu_va_end(adapter, allocation);
}

void cpu_va_end(adapter_t *adapter, struct allocation *allocation)
{
    if (allocation->cpu.cpu_va)
        cpu_va_release(adapter, allocation->pageable.info.bytes);
    allocation->cpu.cpu_va = false;
}

void cpu_end(adapter_t *adapter, struct allocation *allocation)
{
    for (struct allocation *a = allocation; a; a = allocation_of(a->pageable.place.next_copy)) {
        alternate_release(adapter, a);
        cpu_va_end(adapter, a);
        page_set_fini(&a->cpu.written);
    }
}

void cpu_forget(adapter_t *adapter, struct allocation *allocation)
{
    while (allocation->cpu.locks) {
        struct lock_record *record = allocation->cpu.locks;
        allocation->cpu.locks = record->next;
        base_free(record);
    }
    host_aperture_forget(allocation);
    page_set_fini(&allocation->cpu.written);
    alternate_release(adapter, allocation);
}

void cpu_address_name(struct allocation *allocation, struct system_range *range)
{
    allocation->cpu.cpu_range = range;
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
