/* SPDX-License-Identifier: MIT */
/*
 * cpu_check.c: do the books of CPU access agree with each other and with where everything lies?
 * Between two calls: a lock on its way has a view, and does not count yet.
 */
#include "paging/store/store.h"
#include "vidmm/cpu/cpu_state.h"
#include "vidmm/cpu/lock.h"
#include "vidmm/cpu/swizzle.h"

/* Does the view that its locks have fit its place? After an eviction that of memory is suspended,
   until the CPU looks again (PAGE-029). */
static bool view_fits(const adapter_t *adapter, const struct allocation *allocation)
{
    const struct pageable *pageable = &allocation->pageable;
    if (!cpu_of(allocation)->lock_count)
        return true;
    switch (cpu_of(allocation)->lock_view) {
    case VIDMM_VIEW_NONE: break;
    case VIDMM_VIEW_BACKING:
        return !lock_in_memory(adapter, allocation) || allocation_is_permanent(pageable);
    case VIDMM_VIEW_SEGMENT:
    case VIDMM_VIEW_HOST_APERTURE:
        return !lock_in_memory(adapter, allocation) || lock_shows_segment(adapter, allocation);
    case VIDMM_VIEW_RANGE: return swizzle_in_use(allocation);
    case VIDMM_VIEW_ALTERNATE: return cpu_of(allocation)->alternate != NULL;
    }
    return false;
}

/* LOCK-031: those up to the next address have been given. The pages of existing memory lie where
   their owner has them. */
static bool has_own_addresses(const adapter_t *adapter, const struct allocation *allocation)
{
    const struct cpu_part *cpu = cpu_of(allocation);
    uint64_t bytes = lock_bytes(&allocation->pageable), next = adapter->cpu->next_address;
    return (!cpu->lock_address || allocation_is_existing(&allocation->pageable) ||
            cpu->lock_address + bytes <= next) &&
           (!cpu->alternate || cpu->alternate->address + cpu->alternate->bytes <= next);
}

static const char *access_problem(const adapter_t *adapter, const struct allocation *allocation)
{
    const struct cpu_part *cpu = cpu_of(allocation);
    bool first = allocation == allocation_of(allocation_whole_of(&allocation->pageable));
    bool kept = cpu_va_is_kept(adapter, allocation);
    if (allocation->pageable.store.state == ALLOCATION_CLOSED)
        return NULL;
    if (!view_fits(adapter, allocation))
        return "its locks lead where it is not";
    if (first && cpu->lock_count && !cpu->lock_address)
        return "it is locked and has no address";
    if (!cpu->lock_count && cpu->lock_view)
        return "it has a view without a lock";
    if (!cpu->lock_count && (cpu->lock_address || cpu->cpu_va) && !kept)
        return "it has an address without a lock";
    return has_own_addresses(adapter, allocation) ? NULL : "others may get its addresses, too";
}

const char *cpu_problem(const adapter_t *adapter, const struct pageable **whose)
{
    uint64_t alternate = 0, va_bytes = 0;
    const char *problem = NULL;
    for (const struct pageable *a = pageable_first(adapter); a && !problem; a = pageable_next(a)) {
        const struct cpu_part *cpu = cpu_of(allocation_of(a));
        *whose = a;
        problem = access_problem(adapter, allocation_of(a));
        alternate += lock_count_with(allocation_of(a), VIDMM_LOCK_UseAlternateVA);
        va_bytes +=
            (cpu->cpu_va ? a->info.bytes : 0) + (cpu->alternate ? cpu->alternate->bytes : 0);
    }
    if (problem)
        return problem;
    *whose = NULL;
    for (uint32_t id = 1; id <= adapter->setup->segment_count && !problem; id++)
        if (segment_desc(adapter, id)->host_pages)
            problem = host_aperture_problem(adapter, id);
    if (problem)
        return problem;
    if (adapter->cpu->next_address % adapter->setup->page)
        return "the next address is inside a page";
    if (alternate != adapter->cpu->alternate)
        return "locks with UseAlternateVA are counted wrongly";
    if (va_bytes != counters_of(adapter)[VIDMM_COUNTER_CPU_VA_BYTES])
        return "cpu_va_bytes is not the sum of all addresses";
    return swizzle_problem(adapter);
}
