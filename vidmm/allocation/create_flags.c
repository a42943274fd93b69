/* SPDX-License-Identifier: MIT */
/*
 * create_flags.c: what create flags of the kernel thunk mean for the memory of an allocation.
 *
 * Zeroed and AllowNotZeroed are about system pages: a fill of video memory is the GPU's (PAGE-005).
 * PhysicallyContiguous pages are taken when the allocation is made and stay with it, because later
 * nobody could promise that a run of them is left.
 */
#include "paging/store/store.h"
#include "vidmm/allocation/allocation_make.h"
#include "vidmm/allocation/allocation_state.h"
#include "vidmm/share/share.h"

uint32_t create_flags_out(const struct creation *creation)
{
    bool zeroed = creation->count && !(creation->flags & VIDMM_KMT_AllowNotZeroed) &&
                  creation->adapter->setup->caps.wddm >= VIDMM_WDDM_1_3;
    for (size_t i = 0; i < creation->count; i++)
        zeroed &= !allocation_is_existing(&creation->made[i]->pageable);
    if (creation->adapter->setup->caps.wddm >= VIDMM_WDDM_1_3)
        applies(creation->adapter, RULE(KMT_022));
    return (creation->flags & ~(uint32_t)VIDMM_KMT_Zeroed) | (zeroed ? VIDMM_KMT_Zeroed : 0);
}

const char *create_flags_content(const struct allocation *allocation)
{
    const struct content_run *runs = content_runs(&allocation->pageable.store.content);
    if (!allocation->pageable.store.content.count)
        return "nothing";
    uint64_t tag = runs[0].tag;
    for (size_t i = 0; i < allocation->pageable.store.content.count; i++)
        if (runs[i].tag != tag || runs[i].step)
            return "data";
    return !tag ? "zeros" : tag == PAGE_STORE_POISON ? "stale" : "data";
}

vidmm_status create_flags_pages(adapter_t *adapter, struct allocation *allocation)
{
    if (!allocation_is_contiguous(&allocation->pageable))
        return STATUS_SUCCESS;
    applies(adapter, RULE(KMT_038));
    if (!backing_populate(adapter, &allocation->pageable) ||
        allocation->pageable.store.backing.run_count != 1)
        return refuse(adapter, RULE(KMT_038), STATUS_NO_MEMORY,
                      "%s: no run of %s of system pages is left", allocation->pageable.label,
                      words_size(allocation->pageable.info.bytes).it);
    return STATUS_SUCCESS;
}

vidmm_status create_flags_unseen(const struct creation *creation, size_t i)
{
    enum { PRIORITY_NORMAL = 0x78000000 };
    adapter_t *adapter = creation->adapter;
    struct allocation *allocation = creation->made[i];
    uint64_t bytes = creation->args[i].bytes;
    bool wddm2 = adapter->setup->caps.wddm >= VIDMM_WDDM_2_0;
    adapter->allocations->no_kmd++; /* until allocation_free() */
    if (!bytes)
        return refuse(adapter, RULE(ALLOC_013), STATUS_INVALID_PARAMETER,
                      "%s: nobody says how large it is", allocation->pageable.label);
    if (bytes > adapter->setup->config.machine.memory_bytes)
        return refuse(adapter, RULE(PAGE_015), STATUS_NO_MEMORY,
                      "%s: the machine has less memory than that", allocation->pageable.label);
    allocation->pageable.info = (struct allocation_info){
        .bytes = align_up(bytes, adapter->setup->page),
        .alignment = adapter->setup->page,
        .flags = ALLOCATION_CPU_VISIBLE,
        .view = wddm2 ? VIDMM_FLAGS_ALLOCATION2_0 : VIDMM_FLAGS_ALLOCATION,
        .priority = PRIORITY_NORMAL,
    };
    applies(adapter, RULE(KMT_039));
    return STATUS_SUCCESS;
}

vidmm_status vidmm_reset_watch(struct vidmm_adapter *adapter, vidmm_handle handle)
{
    vidmm_status status = adapter_usable(adapter);
    if (status)
        return status;
    struct allocation *allocation = handle_object(adapter, handle, VIDMM_OBJECT_ALLOCATION);
    shared_spoken(adapter, handle);
    if (!allocation)
        return refuse(adapter, RULE(SUBMIT_002), STATUS_INVALID_HANDLE,
                      "%s names no live allocation", shared_word(adapter, handle).it);
    if (!(allocation->pageable.kmt & VIDMM_KMT_WriteWatch))
        return refuse(adapter, RULE(KMT_023), STATUS_INVALID_PARAMETER,
                      "%s was created without WriteWatch", allocation->pageable.label);
    page_set_clear(&allocation->cpu.written);
    applies(adapter, RULE(KMT_023));
    return STATUS_SUCCESS;
}
