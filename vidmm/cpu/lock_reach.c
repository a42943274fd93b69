/* SPDX-License-Identifier: MIT */
/*
 * lock_reach.c: the way to the bits: step 9 of chapter 0.5 of the locking catalogue.
 *
 * A lock leads to one of two views: the backing store (evicted, in an aperture, permanent copy) or
 * the memory segment itself. Memory that the CPU cannot reach is evicted first. A failure here
 * keeps what has already moved.
 *
 * Rules not named below: LOCK-038, LOCK-048.
 */
#include "paging/buffer/buffer.h"
#include "paging/residency/residency.h"
#include "paging/schedule/schedule.h"
#include "paging/store/store.h"
#include "vidmm/cpu/cpu.h"
#include "vidmm/cpu/cpu_state.h"
#include "vidmm/cpu/lock.h"
#include "vidmm/cpu/swizzle.h"

vidmm_status lock_finish(adapter_t *adapter, const struct lock_request *request,
                         vidmm_status status)
{
    const uint32_t *fences = request->allocation->pageable.transfer.fences;
    bool level2 = adapter->setup->caps.wddm >= VIDMM_WDDM_2_0;
    if (adapter_stopped(adapter))
        return paging_close(adapter);
    vidmm_status ended = paging_end(adapter);
    if (!status)
        status = ended;
    /* Whoever else uses it has been waited for, or the lock does not care (LOCK-022, LOCK-024,
       RES-063). */
    uint32_t node = adapter->setup->caps.paging_node;
    if (!status && fences[node] > fences_of(adapter)->completed[node])
        status = schedule_wait_fence(adapter, node, fences[node], VIDMM_WAIT_LOCK,
                                     level2 ? RULE(RES_063) : RULE(LOCK_021), request->device);
    schedule_deferred(adapter);
    return status ? status : adapter_alive(adapter);
}

vidmm_status lock_may_evict(adapter_t *adapter, const struct lock_request *request)
{
    const struct allocation *allocation = request->allocation;
    const struct pageable *pageable = &allocation->pageable;
    if (request->args->flags & VIDMM_LOCK_DonotEvict)
        return refuse(adapter, RULE(LOCK_026), STATUS_GRAPHICS_UNSWIZZLING_APERTURE_UNAVAILABLE,
                      "%s would have to be evicted, and DonotEvict is set", pageable->label);
    if (pageable->place.pinned)
        return refuse(adapter, RULE(LOCK_027), STATUS_GRAPHICS_CANT_EVICT_PINNED_ALLOCATION,
                      "%s would have to be evicted, and it is pinned", pageable->label);
    return STATUS_SUCCESS;
}

vidmm_status lock_evict(adapter_t *adapter, const struct lock_request *request,
                        enum vidmm_rule rule)
{
    struct allocation *allocation = request->allocation;
    struct pageable *pageable = &allocation->pageable;
    paging_begin(adapter, request->device);
    vidmm_status status =
        lock_finish(adapter, request, evict_allocation(adapter, pageable, EVICT_LOCK, rule));
    if (!status && pageable->store.state == ALLOCATION_LOST)
        return refuse(adapter, RULE(PAGE_025), STATUS_GRAPHICS_ALLOCATION_CONTENT_LOST,
                      "%s lost its content when the lock had to evict it", pageable->label);
    return status;
}

/* The store, where the content is or now comes to be. */
static vidmm_status reach_store(adapter_t *adapter, struct lock_request *request)
{
    struct allocation *allocation = request->allocation;
    struct pageable *pageable = &allocation->pageable;
    applies(adapter,
            pageable->store.state == ALLOCATION_RESIDENT ? RULE(LOCK_033) : RULE(LOCK_032));
    cpu_own(allocation)->lock_view = alternate_holds(allocation) || swizzle_keeps(allocation)
                                         ? VIDMM_VIEW_ALTERNATE
                                         : VIDMM_VIEW_BACKING;
    bool reads = !(request->args->flags & VIDMM_LOCK_WriteOnly) && !request->no_overwrite;
    /* LOCK-048: what the GPU wrote there has to arrive. */
    if (pageable->store.agp_written && reads) {
        request->complex = true;
        paging_begin(adapter, request->device);
        vidmm_status status =
            lock_finish(adapter, request, paging_read_physical(adapter, pageable));
        if (status)
            return status;
        content_agp_written(pageable, false);
    }
    vidmm_status status = allocation_make_store(adapter, pageable);
    /* Any other content is linear by now, and zeros are the same in either form. */
    if (!status && (request->args->flags & VIDMM_LOCK_AcquireAperture))
        content_is_linear(pageable, allocation_is(pageable, ALLOCATION_SWIZZLED) &&
                                        !allocation_is_permanent(pageable));
    return status;
}

vidmm_status lock_reach_permanent(adapter_t *adapter, struct lock_request *request)
{
    struct allocation *allocation = request->allocation;
    request->rule = RULE(LOCK_037);
    cpu_own(allocation)->lock_view = VIDMM_VIEW_BACKING;
    if (!allocation->pageable.transfer.gpu_dirty || request->no_overwrite)
        return STATUS_SUCCESS;
    /* LOCK-038: what the GPU wrote comes back before the CPU looks. */
    request->complex = true;
    paging_begin(adapter, request->device);
    return lock_finish(adapter, request, paging_copy_back(adapter, &allocation->pageable));
}

vidmm_status lock_reach(adapter_t *adapter, struct lock_request *request)
{
    struct allocation *allocation = request->allocation;
    vidmm_status status = STATUS_SUCCESS;
    bool served = false;
    if (allocation_is_permanent(&allocation->pageable))
        return lock_in_memory(adapter, allocation) ? lock_reach_permanent(adapter, request)
                                                   : reach_store(adapter, request);
    if (request->args->flags & VIDMM_LOCK_AcquireAperture)
        status = swizzle_lock_linear(adapter, request, &served);
    else
        status = swizzle_lock_stored(adapter, request);
    if (status || served)
        return status;
    if (lock_in_memory(adapter, allocation)) {
        if (lock_cpu_reaches(adapter, allocation)) {
            applies(adapter, RULE(LOCK_034));
            cpu_own(allocation)->lock_view = VIDMM_VIEW_SEGMENT;
            return STATUS_SUCCESS;
        }
        request->complex = true;
        status = lock_may_evict(adapter, request);
        if (!status)
            status = lock_evict(adapter, request, RULE(LOCK_035));
        if (status)
            return status;
    }
    if (lock_through_aperture(adapter, allocation)) {
        applies(adapter, RULE(SWIZ_024));
        cpu_own(allocation)->lock_view = VIDMM_VIEW_SEGMENT;
        return STATUS_SUCCESS;
    }
    return reach_store(adapter, request);
}
