/* SPDX-License-Identifier: MIT */
/*
 * paging_context.c: the first content of a context allocation, which is the driver's business.
 *
 * The operation takes the place of a fill and is issued once. The kernel address in it is a token,
 * like all addresses of the CPU here.
 *
 * Rules not named below: ALLOC-052.
 */
#include "paging/buffer/paging.h"
#include "paging/store/store.h"

#define KERNEL_CONTEXTS UINT64_C(0xFFFFC00000000000)
enum { KERNEL_CONTEXT_SHIFT = 20 };

/* Given only for protected memory of the kernel that a lock could show. */
static uint64_t kernel_address(const adapter_t *adapter, const struct pageable *allocation)
{
    bool seen = allocation_has(allocation, ALLOCATION_CPU_VISIBLE) &&
                allocation_has(allocation, ALLOCATION_PROTECTED) &&
                !(allocation->info.write_set & ~places_aperture_set(adapter));
    return seen ? KERNEL_CONTEXTS + ((uint64_t)allocation->handle << KERNEL_CONTEXT_SHIFT) : 0;
}

vidmm_status paging_init_context(adapter_t *adapter, struct pageable *allocation)
{
    const struct place *place = &allocation->place.at;
    struct paging_call call = { .op = paging_new_op(PAGING_FILL, allocation) };
    vidmm_status status = paging_ready(adapter, allocation);
    if (status)
        return status;
    call.arg.Operation = DXGK_OPERATION_INIT_CONTEXT_RESOURCE;
    call.arg.InitContextResource.hAllocation = (HANDLE)(uintptr_t)allocation->handle;
    call.arg.InitContextResource.Destination.SegmentId = segment_driver_id(adapter, place->segment);
    if (place->segment)
        call.arg.InitContextResource.Destination.SegmentAddress.QuadPart =
            (LONGLONG)(segment_desc(adapter, place->segment)->base + place->one.offset);
    else
        call.arg.InitContextResource.Destination.pMdl = mdl_of(adapter, &allocation->store.backing);
    call.arg.InitContextResource.Destination.VirtualAddress =
        (PVOID)(uintptr_t)kernel_address(adapter, allocation);
    status = paging_build(adapter, &call, false);
    if (status)
        return status;
    if (!call.written)
        content_clear(&allocation->store.keeper->store.content);
    applies(adapter, RULE(MINI_078));
    EMIT(adapter, INIT_CONTEXT, RULE(MINI_078), allocation->handle,
         f_segment("segment", place->segment), f_hex("offset", place->one.offset),
         f_bytes("bytes", allocation->info.bytes));
    return STATUS_SUCCESS;
}
