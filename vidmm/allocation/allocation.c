/* SPDX-License-Identifier: MIT */
/*
 * allocation.c: the birth of allocations, and what ends with one.
 *
 * One call, one DxgkDdiCreateAllocation with all elements, then one DxgkDdiOpenAllocation: every
 * answer is checked between the two (allocation_calls.c), and what fails takes all elements with it
 * (allocation_destroy.c ends them). No place is taken and nothing is moved, but for pinned ones
 * (FLAG-036).
 *
 * Rules not named below: ALLOC-003, ALLOC-007, ALLOC-010, ALLOC-035, KMT-012, KMT-041, MINI-031,
 * PAGE-013, PRIO-001.
 */
#include "paging/buffer/buffer.h"
#include "paging/residency/link.h"
#include "paging/residency/offer.h"
#include "paging/store/store.h"
#include "paging/store/turns.h"
#include "vidmm/allocation/allocation_make.h"
#include "vidmm/allocation/allocation_state.h"
#include "vidmm/base/base_hash.h"
#include "vidmm/cpu/cpu.h"
#include "vidmm/share/share.h"

/* ---- one element ---------------------------------------------------------------------------- */

uint64_t allocations_no_kmd(const adapter_t *adapter)
{
    return adapter->allocations->no_kmd;
}

void allocation_free(adapter_t *adapter, struct allocation *allocation)
{
    CHECK(!allocation->pageable.packet_refs && !cpu_of(allocation)->lock_count); /* SUBMIT-063 */
    rename_fini(allocation);
    system_range_orphan(adapter, allocation);
    if (allocation_is_no_kmd(&allocation->pageable))
        adapter->allocations->no_kmd--;
    if (allocation->pageable.driver_handle)
        driver_handle_remove(adapter, allocation->pageable.driver_handle);
    if (allocation->pageable.handle)
        handle_end(adapter, allocation->pageable.handle);
    cpu_end(adapter, allocation);
    display_forget(adapter, allocation);
    offer_forget(adapter, &allocation->pageable);
    if (allocation->pageable.of_context)
        context_allocation_forget(allocation);
    if (adapter->allocations->shared_primary == allocation)
        adapter->allocations->shared_primary = NULL;
    base_free(allocation->surface);
    link_free_copies(adapter, &allocation->pageable);
    pageable_free(adapter, &allocation->pageable);
}

vidmm_status allocation_keep_driver_handle(adapter_t *adapter, struct allocation *allocation,
                                           HANDLE handle)
{
    if (!driver_handle_add(adapter, handle)) {
        finding(adapter, RULE(MINI_033), 0, "%s: hAllocation is that of another allocation",
                allocation->pageable.label);
        return refuse(adapter, RULE(MINI_033), STATUS_INVALID_PARAMETER,
                      "%s: hAllocation is that of another allocation", allocation->pageable.label);
    }
    allocation->pageable.driver_handle = handle;
    return STATUS_SUCCESS;
}

/* What the driver answered for element i, checked and taken over. */
static vidmm_status take_answer(struct creation *creation, size_t i, struct system_range *range)
{
    adapter_t *adapter = creation->adapter;
    const struct vidmm_allocation_args *args = &creation->args[i];
    const DXGK_ALLOCATIONINFO *answer = &creation->infos[i];
    struct allocation *allocation = creation->made[i];
    const struct vidmm_miniport *miniport = &adapter->setup->config.miniport;
    bool wddm2_flags = adapter->setup->caps.wddm >= VIDMM_WDDM_2_0;
    if (miniport->fills_wddm2 && answer->hAllocation) /* the driver says so (FLAG-001) */
        wddm2_flags = miniport->fills_wddm2(miniport->physical_device, answer->hAllocation);
    if (!answer->hAllocation)
        finding(adapter, RULE(MINI_033), 0, "%s: hAllocation is NULL", args->label);
    const struct allocation_request request = {
        .label = args->label,
        .range = range,
        .range_foreign = range && !system_range_valid(adapter, range, creation->device->process),
        .wddm2_flags = wddm2_flags,
        .section = creation->flags & VIDMM_KMT_ExistingSection,
        .primary = primary_asked(args),
        .cross_adapter = creation->flags & VIDMM_KMT_CrossAdapter,
        .heap_bytes = creation->heap_bytes,
        .surface = args->standard ? &creation->standards[i].surface : NULL,
        .shared = creation->flags & VIDMM_KMT_CreateShared,
    };
    vidmm_status status = allocation_check(adapter, answer, &request, &allocation->pageable.info);
    if (!status)
        status = allocation_advice_cpu_use(adapter, allocation, args->cpu_use);
    if (!status)
        standard_note(creation, i);
    if (!status)
        status = allocation_keep_driver_handle(adapter, allocation, answer->hAllocation);
    return status;
}

/* NoKmdAccess: the driver is told nothing, the caller alone says what it is (KMT-039). */
static vidmm_status describe_unseen(const struct creation *creation, size_t i)
{
    enum { PRIORITY_NORMAL = 0x78000000 };
    adapter_t *adapter = creation->adapter;
    struct allocation *allocation = creation->made[i];
    uint64_t bytes = creation->args[i].bytes;
    adapter->allocations->no_kmd++; /* until allocation_free() */
    if (!bytes)
        return refuse(adapter, RULE(ALLOC_013), STATUS_INVALID_PARAMETER,
                      "%s: nobody says how large it is", allocation->pageable.label);
    if (bytes > adapter->setup->config.machine.memory_bytes)
        return system_refuse(adapter, RULE(PAGE_015), bytes, "", allocation->pageable.label);
    allocation->pageable.info = (struct allocation_info){
        .bytes = align_up(bytes, adapter->setup->page),
        .alignment = adapter->setup->page,
        .flags = ALLOCATION_CPU_VISIBLE,
        .view = VIDMM_FLAGS_ALLOCATION2_0, /* the flag of the call is no older */
        .priority = PRIORITY_NORMAL,
    };
    return STATUS_SUCCESS;
}

static vidmm_status make_one(struct creation *creation, size_t i)
{
    adapter_t *adapter = creation->adapter;
    const struct vidmm_allocation_args *args = &creation->args[i];
    struct system_range *range =
        handle_object(adapter, args->system_range, VIDMM_OBJECT_SYSTEM_RANGE);
    struct allocation *allocation = allocation_of(allocation_new(adapter, args->label));
    creation->made[i] = allocation;
    allocation->pageable.creator = creation->device;
    allocation->pageable.kmt = creation->flags & ~(uint32_t)VIDMM_KMT_Zeroed;
    vidmm_status status = allocation_is_no_kmd(&allocation->pageable)
                              ? describe_unseen(creation, i)
                              : take_answer(creation, i, range);
    if (!status)
        status = allocation_charge(adapter, &allocation->pageable);
    if (!status && allocation_is_existing(&allocation->pageable))
        status = system_range_fetch(adapter, range);
    if (status)
        return status;
    if (args->override_priority)
        allocation->pageable.info.priority = args->priority;
    turns_set_priority(adapter, &allocation->pageable, allocation->pageable.info.priority);
    allocation->vidpn_source = allocation->pageable.info.primary ? args->vidpn_source : 0;
    if (allocation_is_existing(&allocation->pageable))
        backing_adopt(adapter, &allocation->pageable, range);
    allocation->pageable.handle = handle_new(adapter, VIDMM_OBJECT_ALLOCATION, allocation);
    if (!allocation->pageable.handle)
        return refuse(adapter, RULE(ALLOC_009), STATUS_NO_MEMORY, "more than %d objects would live",
                      VIDMM_LIVE_MAX);
    status = link_make_copies(adapter, &allocation->pageable);
    return status ? status : cpu_va_create(adapter, allocation);
}

/* ---- what it holds from the start ----------------------------------------------------------- */

/* PhysicallyContiguous pages are taken when the allocation is made and stay with it, because later
   nobody could promise that a run of them is left. */
static vidmm_status take_contiguous(adapter_t *adapter, struct allocation *allocation)
{
    if (!allocation_is_contiguous(&allocation->pageable))
        return STATUS_SUCCESS;
    if (!backing_populate(adapter, &allocation->pageable) ||
        backing_of(&allocation->pageable)->run_count != 1)
        return refuse(adapter, RULE(KMT_038), STATUS_NO_MEMORY,
                      "%s: no run of %s of system pages is left", allocation->pageable.label,
                      words_size(allocation->pageable.info.bytes).it);
    return STATUS_SUCCESS;
}

static vidmm_status give_content(adapter_t *adapter, struct allocation *allocation, uint64_t stamp)
{
    struct pageable *pageable = &allocation->pageable;
    if (allocation_is_existing(pageable)) {
        content_from_store(adapter, pageable);
        allocation_become(pageable, ALLOCATION_EVICTED);
        return take_contiguous(adapter, allocation);
    }
    applies(adapter, RULE(MINI_038));
    vidmm_status status = take_contiguous(adapter, allocation);
    if (status || (!stamp && !backing_of(pageable)->populated))
        return status;
    if (stamp && !backing_populate(adapter, pageable))
        return system_refuse(adapter, RULE(PAGE_015), pageable->info.bytes, "the content of ",
                             pageable->label);
    if (stamp) {
        /* Stamps of scenarios have a half of their own, so they never meet those of later writes.
         */
        uint64_t tag = (UINT64_C(1) << 63) | (stamp & 0x7FFFFFF) << 36;
        content_set(&pageable->store.content, 0, pageable->info.bytes / adapter->setup->page, tag,
                    1);
        const struct backing *backing = backing_of(pageable);
        for (size_t i = 0; i < backing->run_count; i++) {
            system_write(adapter, backing_runs(backing)[i], tag);
            tag += backing_runs(backing)[i].bytes;
        }
    } else {
        allocation_first_content(adapter, pageable);
    }
    allocation_become(pageable, ALLOCATION_EVICTED);
    return STATUS_SUCCESS;
}

/* LINK-007: each instance has it, in a store of its own. */
static vidmm_status give_contents(adapter_t *adapter, struct allocation *allocation, uint64_t stamp)
{
    vidmm_status status = give_content(adapter, allocation, stamp);
    for (struct allocation *a = allocation_of(allocation->pageable.place.next_copy); a && !status;
         a = allocation_of(a->pageable.place.next_copy))
        if (allocation_of(a->pageable.store.owner) == a)
            status = give_content(adapter, a, stamp);
    return status;
}

/* ---- joining the living --------------------------------------------------------------------- */

static void tell_create(adapter_t *adapter, const struct allocation *allocation)
{
    const struct allocation_info *info = &allocation->pageable.info;
    EMIT(adapter, CREATE, RULE(ALLOC_001), allocation->pageable.handle,
         f_word("kind", "allocation"), f_bytes("bytes", info->bytes), f_hex("flags", info->flags),
         f_word("view", info->view == VIDMM_FLAGS_ALLOCATION ? "Flags" : "FlagsWddm2"),
         f_hex("read", info->read_set), f_hex("write", info->write_set),
         f_hex("evict-to", info->eviction_set), f_hex("priority", info->priority),
         f_bytes("alignment", info->alignment));
    if (!allocation_is_no_kmd(&allocation->pageable))
        EMIT(adapter, OPEN, RULE(ALLOC_008), allocation->pageable.handle,
             f_text("device", allocation->pageable.creator->label));
}

static void join(struct creation *creation)
{
    adapter_t *adapter = creation->adapter;
    struct resource *resource = creation->resource;
    if (creation->new_resource) /* without a name it is called like its first allocation */
        EMIT(adapter, CREATE, RULE(KMT_004), resource->handle, f_word("kind", "resource"),
             f_text("device", resource->device->label));
    for (size_t i = 0; i < creation->count; i++) {
        struct allocation *allocation = creation->made[i];
        allocation_list(allocation, creation->device);
        allocation->resource = resource;
        if (resource)
            DL_APPEND2(resource->allocations, allocation, resource_prev, resource_next);
        tell_create(adapter, allocation);
    }
    if (creation->flags & VIDMM_KMT_CreateShared)
        shared_begin(adapter, creation);
}

/* FLAG-036, ALLOC-046: a place at once, in one preparation of its own. */
static vidmm_status place_pinned(struct creation *creation)
{
    adapter_t *adapter = creation->adapter;
    for (size_t i = 0; i < creation->count; i++) {
        if (!allocation_is_pinned_at_creation(&creation->made[i]->pageable))
            continue;
        paging_begin(adapter, creation->made[i]->pageable.creator);
        vidmm_status status = residency_pin_new(adapter, &creation->made[i]->pageable);
        vidmm_status end = paging_end(adapter);
        if (status || end)
            return status ? status : end;
    }
    return STATUS_SUCCESS;
}

vidmm_status creation_carry_out(struct creation *creation)
{
    bool told = !(creation->flags & VIDMM_KMT_NoKmdAccess);
    vidmm_status status = told ? creation_call_driver(creation) : STATUS_SUCCESS;
    if (status)
        return status;
    creation->created = told;
    for (size_t i = 0; i < creation->count && !status; i++)
        status = make_one(creation, i);
    for (size_t i = 0; i < creation->count && !status; i++)
        status = give_contents(creation->adapter, creation->made[i], creation->args[i].content);
    for (size_t i = 0; i < creation->count && !status; i++)
        status = creation_share_store(creation->adapter, creation->made[i]);
    for (size_t i = 0; i < creation->count && !status; i++) {
        status = allocation_advice(creation->adapter, creation->made[i]);
        if (!status)
            status = allocation_advice_eviction(creation->adapter, creation->made[i]);
    }
    if (!status && creation->count && told) /* nothing to open in an empty resource (KMT-006) */
        status = creation_open(creation);
    if (!status && told)
        status = creation_describe(creation);
    if (status)
        return status;
    join(creation);
    creation->joined = true;
    status = place_pinned(creation);
    for (size_t i = 0; i < creation->count && !status; i++)
        if (allocation_is(&creation->made[i]->pageable, ALLOCATION_ALTERNATE_VA))
            status = swizzle_keep(creation->adapter, creation->made[i]);
    /* ALLOC-047: what failed was never the newest. A standard allocation is the first element. */
    if (!status && creation->count && creation->made[0]->pageable.shared_primary)
        creation->adapter->allocations->shared_primary = creation->made[0];
    return status;
}
