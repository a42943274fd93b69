/* SPDX-License-Identifier: MIT */
/*
 * check_kmt.c: the KMT rules that a creation call can break.
 *
 * The flags are those of D3DKMT_CREATEALLOCATIONFLAGS. Nothing has been asked of the miniport yet:
 * what is refused here it never hears of. A bit that the interface version does not have is KMT-001
 * and nothing else.
 */
#include "paging/store/store.h"
#include "vidmm/allocation/check/check.h"
#include "vidmm/ddi/d3dkmthk.h"
#include "vidmm/share/share.h"

enum {
    KMT_EXISTING = VIDMM_KMT_ExistingSysMem | VIDMM_KMT_ExistingSection,
    KMT_STANDARD_NEEDS = VIDMM_KMT_CreateResource | VIDMM_KMT_CreateShared | VIDMM_KMT_CrossAdapter,
    KMT_KERNEL_ONLY = VIDMM_KMT_CreateWriteCombined | VIDMM_KMT_CreateCached,
};

/* A bit that the interface version does not have means nothing. */
static bool has(const struct creation *call, uint32_t flag)
{
    return (call->flags & flag) != 0;
}

/* ---- the call ------------------------------------------------------------------------------- */

static void check_arguments(struct verdict *verdict, const struct creation *call)
{
    const struct vidmm_creation_args *args = call->call;
    const struct resource *resource = call->resource;
    bool new_one = has(call, VIDMM_KMT_CreateResource);
    /* The second call, with pAllocationInfo2, exists from 2.0 on. */
    bool second =
        args->arrays == VIDMM_ALLOCATION_INFO2 && call->adapter->setup->caps.wddm >= VIDMM_WDDM_2_0;
    verdict_reserved(verdict, RULE(KMT_001), VIDMM_FLAGS_KMT, args->flags,
                     "bits are set that this interface version reserves");
    verdict_if(verdict, RULE(KMT_003), !call->device, "hDevice is no live device");
    /* A resource handle is valid only with the device that created it. */
    verdict_if(verdict, RULE(KMT_004),
               args->resource &&
                   (new_one || !resource || (call->device && resource->device != call->device)),
               "hResource is no resource of this device, or CreateResource asks for another one");
    verdict_if(verdict, RULE(KMT_006),
               (!call->count && !new_one && !args->resource) || call->count > VIDMM_LIST_MAX,
               "NumAllocations is 0 without a resource, or too large");
    verdict_if(verdict, RULE(KMT_007),
               args->arrays && args->arrays != VIDMM_ALLOCATION_INFO && !second,
               "pAllocationInfo and pAllocationInfo2 are both given, or the second below 2.0");
    verdict_if(verdict, RULE(KMT_009), has(call, VIDMM_KMT_CreateShared) && !new_one,
               "CreateShared is set without CreateResource");
    verdict_if(verdict, RULE(KMT_010), resource && (resource->kmt & VIDMM_KMT_CreateShared),
               "a shared resource cannot grow");
}

/* Flags that user mode may not set, and those that mean something with CreateShared only. */
static void check_flags(struct verdict *verdict, const struct creation *call)
{
    bool kernel = call->call->kernel, unshared = !has(call, VIDMM_KMT_CreateShared);
    verdict_if(verdict, RULE(KMT_012),
               has(call, VIDMM_KMT_CreateProtected) ||
                   (call->flags & KMT_KERNEL_ONLY) == KMT_KERNEL_ONLY ||
                   (!kernel && has(call, KMT_KERNEL_ONLY)),
               "CreateProtected, CreateWriteCombined and CreateCached are not for user mode");
    verdict_if(verdict, RULE(KMT_013), !kernel && has(call, VIDMM_KMT_SwapChainBackBuffer),
               "SwapChainBackBuffer is reserved");
    verdict_if(verdict, RULE(KMT_014), unshared && has(call, VIDMM_KMT_RestrictSharedAccess),
               "RestrictSharedAccess is set without CreateShared");
    verdict_if(verdict, RULE(KMT_015), unshared && has(call, VIDMM_KMT_NtSecuritySharing),
               "NtSecuritySharing is set without CreateShared");
    verdict_if(verdict, RULE(KMT_019), unshared && has(call, VIDMM_KMT_CrossAdapter),
               "CrossAdapter is set without CreateShared");
    verdict_if(verdict, RULE(KMT_020), !kernel && has(call, VIDMM_KMT_OpenCrossAdapter),
               "OpenCrossAdapter is not for user mode");
    verdict_if(verdict, RULE(KMT_021), unshared && has(call, VIDMM_KMT_PartialSharedCreation),
               "PartialSharedCreation is set without CreateShared");
}

/* ---- StandardAllocation: memory that the caller has ------------------------------------------ */

/* What the one allocation brings, as ExistingSysMem or as ExistingSection. */
static void check_brought(struct verdict *verdict, const struct creation *call, uint64_t heap_bytes)
{
    adapter_t *adapter = call->adapter;
    const struct system_range *range =
        handle_object(adapter, call->args[0].system_range, VIDMM_OBJECT_SYSTEM_RANGE);
    const struct allocation *source = range ? range->source : NULL;
    uint32_t set = source ? source->pageable.info.write_set : 0; /* from 2.0 on the only one */
    uint64_t page = adapter->setup->page;
    bool buffer = has(call, VIDMM_KMT_ExistingSysMem);
    bool section = has(call, VIDMM_KMT_ExistingSection);
    bool pages = range && is_aligned(range->address, page) && is_aligned(range->bytes, page);
    bool usable = pages && !range->kernel && !range->section && range->bytes >= heap_bytes;
    bool foreign =
        usable && call->device && !system_range_valid(adapter, range, call->device->process);
    verdict_if(verdict, RULE(KMT_032), buffer && (!usable || foreign),
               "the existing memory is no whole pages of this process, or shorter than the "
               "description");
    /* A CPU mapping that changes between the store and a memory segment. */
    verdict_if(verdict, RULE(KMT_034), buffer && (set & ~places_aperture_set(adapter)),
               "the existing memory is where the CPU sees an allocation that can be in video "
               "memory");
    verdict_if(verdict, RULE(KMT_036), section && (!range || !range->section),
               "ExistingSection is set and hSection is no section");
    verdict_if(verdict, RULE(KMT_037),
               section && range && range->section && range->bytes < heap_bytes,
               "the section is shorter than the description");
}

static void check_standard(struct verdict *verdict, const struct creation *call)
{
    const struct vidmm_standard_args *standard = call->call->standard;
    bool is_standard = has(call, VIDMM_KMT_StandardAllocation);
    /* ExistingSysMem means something only where StandardAllocation does (KMT-031). */
    bool from_2_3 = call->adapter->setup->caps.wddm >= VIDMM_WDDM_2_3;
    uint32_t sources = call->flags & KMT_EXISTING;
    bool one_source = sources && sources != KMT_EXISTING;
    uint64_t heap_bytes = standard ? standard->existing_heap_bytes : 0;
    verdict_if(verdict, RULE(KMT_024), is_standard && !standard,
               "StandardAllocation is set and pStandardAllocation is NULL");
    verdict_if(verdict, RULE(KMT_025), from_2_3 && (is_standard ? !one_source : sources != 0),
               "StandardAllocation takes exactly one of ExistingSysMem and ExistingSection, which "
               "need it");
    verdict_if(verdict, RULE(KMT_026),
               is_standard && (call->flags & KMT_STANDARD_NEEDS) != KMT_STANDARD_NEEDS,
               "StandardAllocation needs CreateResource, CreateShared and CrossAdapter");
    verdict_if(verdict, RULE(KMT_027), is_standard && call->count != 1,
               "StandardAllocation is for one allocation");
    verdict_if(verdict, RULE(KMT_028), from_2_3 && sources && call->call->resource,
               "existing memory cannot be added to a resource");
    bool whole_pages = heap_bytes && is_aligned(heap_bytes, call->adapter->setup->page);
    bool existing_heap = standard && standard->type == D3DKMT_STANDARDALLOCATIONTYPE_EXISTINGHEAP &&
                         !standard->flags;
    verdict_if(verdict, RULE(KMT_029), is_standard && standard && !(existing_heap && whole_pages),
               "pStandardAllocation is no EXISTINGHEAP of whole pages without reserved flags");
    verdict_if(verdict, RULE(KMT_030), from_2_3 && call->flags == VIDMM_KMT_ExistingSysMem,
               "ExistingSysMem alone is not enough");
    verdict_if(verdict, RULE(KMT_031), !from_2_3 && has(call, VIDMM_KMT_ExistingSysMem),
               "ExistingSysMem is reserved below 2.3");
    if (is_standard && call->count == 1)
        check_brought(verdict, call, heap_bytes);
}

/* KMT-039: what needs the driver: opening for others, describing, and memory that it adopts. */
static bool needs_driver(const struct creation *call)
{
    bool needed = has(call, VIDMM_KMT_CreateShared);
    for (size_t i = 0; i < call->count; i++)
        needed |= call->args[i].standard || call->args[i].info_flags || call->args[i].system_range;
    return needed;
}

vidmm_status creation_check(struct creation *creation)
{
    adapter_t *adapter = creation->adapter;
    const struct vidmm_creation_args *args = creation->call;
    struct verdict verdict;
    verdict_begin(&verdict, adapter, creation_label(creation));
    creation->flags = args->flags & adapter->setup->caps.defined[VIDMM_FLAGS_KMT];
    creation->device = handle_object(adapter, args->device, VIDMM_OBJECT_DEVICE);
    creation->resource = handle_object(adapter, args->resource, VIDMM_OBJECT_RESOURCE);
    check_arguments(&verdict, creation);
    check_flags(&verdict, creation);
    check_standard(&verdict, creation);
    verdict_if(&verdict, RULE(KMT_039),
               has(creation, VIDMM_KMT_NoKmdAccess) && needs_driver(creation),
               "NoKmdAccess is not for shared, displayed, standard or existing memory");
    verdict_if(&verdict, RULE(KMT_040),
               has(creation, VIDMM_KMT_SharedDisplayable) &&
                   (!has(creation, VIDMM_KMT_CreateShared) || !adapter->setup->caps.displayable),
               "SharedDisplayable needs CreateShared and the cap DisplayableSupport");
    /* Another adapter opens it as one piece. */
    verdict_if(&verdict, RULE(ALLOC_050),
               has(creation, VIDMM_KMT_CrossAdapter) && creation->count != 1,
               "a cross-adapter resource is exactly one allocation");
    return verdict_end(&verdict);
}
