/* SPDX-License-Identifier: MIT */
/*
 * allocation_store.c: a backing store that the kernel-mode driver sees: ShareBackingStoreWithKmd.
 *
 * The driver is given a kernel address during the creation. The store is there from then on and
 * stays as long as the allocation lives, for nobody could take it back.
 */
#include "paging/store/store.h"
#include "vidmm/allocation/allocation_make.h"
#include "vidmm/allocation/create_flags.h"
#include "vidmm/cpu/cpu.h"

/* Tokens of their own half: the kernel sees a store at another address than the application. */
#define KERNEL_STORES UINT64_C(0xFFFFC00000000000)

static vidmm_status call_driver(adapter_t *adapter, const struct allocation *allocation,
                                uint64_t address)
{
    const DXGKARG_SETALLOCATIONBACKINGSTORE arg = {
        .hDriverAllocation = allocation->pageable.driver_handle,
        .pBackingStore = (VOID *)(uintptr_t)address,
    };
    NTSTATUS answer =
        DRIVER_CALL(adapter, 0, SetAllocationBackingStore, adapter->setup->driver, &arg);
    DRIVER_CALL_END(adapter, SetAllocationBackingStore, answer, allocation->pageable.handle,
                    f_hex("pBackingStore", address));
    if (!answer)
        return STATUS_SUCCESS;
    return refuse(adapter, RULE(FLAG_063), failure_of(answer),
                  "%s: the miniport does not take the backing store that it asked for",
                  allocation->pageable.label);
}

vidmm_status creation_share_store(adapter_t *adapter, struct allocation *allocation)
{
    if (!(allocation->pageable.info.flags2 & VIDMM_ALLOCATION2_ShareBackingStoreWithKmd))
        return STATUS_SUCCESS;
    if (!adapter->setup->ddi->DxgkDdiSetAllocationBackingStore)
        return refuse(adapter, RULE(FLAG_063), STATUS_INVALID_PARAMETER,
                      "%s: ShareBackingStoreWithKmd, but the miniport has no call to take a store",
                      allocation->pageable.label);
    if (!backing_populate(adapter, &allocation->pageable))
        return refuse(adapter, RULE(PAGE_015), STATUS_NO_MEMORY,
                      "%s: no system pages are left for the store that is shared",
                      allocation->pageable.label);
    if (allocation->pageable.store.state == ALLOCATION_NO_CONTENT) {
        allocation_first_content(adapter, &allocation->pageable);
        allocation_become(&allocation->pageable, ALLOCATION_EVICTED);
    }
    applies(adapter, RULE(FLAG_063));
    uint64_t address =
        cpu_address_take(adapter, align_up(allocation->pageable.info.bytes, 0x10000) + 0x10000);
    return call_driver(adapter, allocation, KERNEL_STORES + address);
}
