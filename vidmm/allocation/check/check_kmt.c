/* SPDX-License-Identifier: MIT */
/*
 * check_kmt.c: the KMT rules that a creation call can break, one a line.
 *
 * The flags are those of D3DKMT_CREATEALLOCATIONFLAGS. Nothing has been asked of the miniport yet:
 * what is refused here it never hears of. A bit that the interface version does not have is KMT-001
 * and nothing else.
 */
#include <stdio.h>

#include "paging/store/store.h"
#include "vidmm/allocation/allocation_make.h"
#include "vidmm/ddi/d3dkmthk.h"
#include "vidmm/share/share.h"

enum {
    KMT_EXISTING = VIDMM_KMT_ExistingSysMem | VIDMM_KMT_ExistingSection,
    KMT_STANDARD_NEEDS = VIDMM_KMT_CreateResource | VIDMM_KMT_CreateShared | VIDMM_KMT_CrossAdapter,
    KMT_KERNEL_ONLY = VIDMM_KMT_CreateWriteCombined | VIDMM_KMT_CreateCached,
};

struct kmt_check {
    enum vidmm_rule rule;
    bool (*broken)(const struct creation *call);
    const char *message;
};

/* A bit that the interface version does not have means nothing. */
static bool has(const struct creation *call, uint32_t flag)
{
    return (call->flags & flag) != 0;
}

/* ExistingSysMem means something only where StandardAllocation does (KMT-031). */
static bool from_2_3(const struct creation *call)
{
    return call->adapter->setup->caps.wddm >= VIDMM_WDDM_2_3;
}

static bool reserved_bits(const struct creation *call)
{
    return call->call->flags != call->flags;
}

static bool no_device(const struct creation *call)
{
    return !call->device;
}

/* A resource handle is valid only with the device that created it. */
static bool wrong_resource(const struct creation *call)
{
    vidmm_handle resource = call->call->resource;
    return resource && (has(call, VIDMM_KMT_CreateResource) || !call->resource ||
                        (call->device && call->resource->device != call->device));
}

static bool wrong_count(const struct creation *call)
{
    bool part = has(call, VIDMM_KMT_CreateResource) || call->call->resource;
    return (!call->count && !part) || call->count > VIDMM_LIST_MAX;
}

/* The second call, with pAllocationInfo2, exists from 2.0 on. */
static bool wrong_arrays(const struct creation *call)
{
    uint32_t arrays = call->call->arrays;
    bool second =
        arrays == VIDMM_ALLOCATION_INFO2 && call->adapter->setup->caps.wddm >= VIDMM_WDDM_2_0;
    return arrays && arrays != VIDMM_ALLOCATION_INFO && !second;
}

static bool shared_alone(const struct creation *call)
{
    return has(call, VIDMM_KMT_CreateShared) && !has(call, VIDMM_KMT_CreateResource);
}

static bool grows_shared(const struct creation *call)
{
    return call->resource && (call->resource->kmt & VIDMM_KMT_CreateShared);
}

static bool not_for_user_mode(const struct creation *call)
{
    bool both = (call->flags & KMT_KERNEL_ONLY) == KMT_KERNEL_ONLY;
    return has(call, VIDMM_KMT_CreateProtected) || both ||
           (!call->call->kernel && has(call, KMT_KERNEL_ONLY));
}

static bool back_buffer(const struct creation *call)
{
    return !call->call->kernel && has(call, VIDMM_KMT_SwapChainBackBuffer);
}

static bool unshared(const struct creation *call, uint32_t flag)
{
    return has(call, flag) && !has(call, VIDMM_KMT_CreateShared);
}

static bool restricted_unshared(const struct creation *call)
{
    return unshared(call, VIDMM_KMT_RestrictSharedAccess);
}

static bool nt_unshared(const struct creation *call)
{
    return unshared(call, VIDMM_KMT_NtSecuritySharing);
}

static bool cross_adapter_unshared(const struct creation *call)
{
    return unshared(call, VIDMM_KMT_CrossAdapter);
}

static bool opens_cross_adapter(const struct creation *call)
{
    return !call->call->kernel && has(call, VIDMM_KMT_OpenCrossAdapter);
}

static bool partial_unshared(const struct creation *call)
{
    return unshared(call, VIDMM_KMT_PartialSharedCreation);
}

static bool undescribed(const struct creation *call)
{
    return has(call, VIDMM_KMT_StandardAllocation) && !call->call->standard;
}

static bool wrong_source(const struct creation *call)
{
    if (!from_2_3(call))
        return false;
    uint32_t sources = call->flags & KMT_EXISTING;
    bool one = sources && sources != KMT_EXISTING;
    return has(call, VIDMM_KMT_StandardAllocation) ? !one : sources != 0;
}

static bool standard_lacks(const struct creation *call)
{
    return has(call, VIDMM_KMT_StandardAllocation) &&
           (call->flags & KMT_STANDARD_NEEDS) != KMT_STANDARD_NEEDS;
}

static bool standard_not_one(const struct creation *call)
{
    return has(call, VIDMM_KMT_StandardAllocation) && call->count != 1;
}

static bool existing_added(const struct creation *call)
{
    return from_2_3(call) && has(call, KMT_EXISTING) && call->call->resource;
}

static bool wrong_description(const struct creation *call)
{
    const struct vidmm_standard_args *standard = call->call->standard;
    if (!has(call, VIDMM_KMT_StandardAllocation) || !standard)
        return false;
    return standard->type != D3DKMT_STANDARDALLOCATIONTYPE_EXISTINGHEAP ||
           !standard->existing_heap_bytes ||
           !is_aligned(standard->existing_heap_bytes, call->adapter->setup->page) ||
           standard->flags;
}

/* What the one allocation brings; NULL where that is another mistake. */
static const struct system_range *brought(const struct creation *call, uint32_t source)
{
    if (!from_2_3(call) || !has(call, VIDMM_KMT_StandardAllocation) || !has(call, source) ||
        call->count != 1)
        return NULL;
    return handle_object(call->adapter, call->args[0].system_range, VIDMM_OBJECT_SYSTEM_RANGE);
}

static bool brings_nothing(const struct creation *call, uint32_t source)
{
    return from_2_3(call) && has(call, VIDMM_KMT_StandardAllocation) && has(call, source) &&
           call->count == 1 && !brought(call, source);
}

static uint64_t heap_bytes(const struct creation *call)
{
    return call->call->standard ? call->call->standard->existing_heap_bytes : 0;
}

static bool wrong_buffer(const struct creation *call)
{
    const struct system_range *range = brought(call, VIDMM_KMT_ExistingSysMem);
    uint64_t page = call->adapter->setup->page;
    if (!range)
        return brings_nothing(call, VIDMM_KMT_ExistingSysMem);
    return range->kernel || range->section || !is_aligned(range->address, page) ||
           !is_aligned(range->bytes, page) || range->bytes < heap_bytes(call) ||
           (call->device && !system_range_valid(call->adapter, range, call->device->process));
}

/* A CPU mapping that changes between the store and a memory segment. */
static bool rotating_buffer(const struct creation *call)
{
    const struct system_range *range = brought(call, VIDMM_KMT_ExistingSysMem);
    const struct allocation *source = range ? range->source : NULL;
    uint32_t set = source ? source->pageable.info.read_set | source->pageable.info.write_set : 0;
    return source && (set & ~places_aperture_set(call->adapter));
}

static bool no_section(const struct creation *call)
{
    const struct system_range *range = brought(call, VIDMM_KMT_ExistingSection);
    return range ? !range->section : brings_nothing(call, VIDMM_KMT_ExistingSection);
}

static bool short_section(const struct creation *call)
{
    const struct system_range *range = brought(call, VIDMM_KMT_ExistingSection);
    return range && range->section && range->bytes < heap_bytes(call);
}

/* Another adapter opens it as one piece. */
static bool crosses_in_pieces(const struct creation *call)
{
    return has(call, VIDMM_KMT_CrossAdapter) && call->count != 1;
}

static bool printed_example(const struct creation *call)
{
    return from_2_3(call) && call->flags == VIDMM_KMT_ExistingSysMem;
}

static bool existing_too_early(const struct creation *call)
{
    return !from_2_3(call) && has(call, VIDMM_KMT_ExistingSysMem);
}

/* What needs the driver: opening for others, describing, and memory that it asks to adopt. */
static bool not_without_driver(const struct creation *call)
{
    if (!has(call, VIDMM_KMT_NoKmdAccess))
        return false;
    bool needed = has(call, VIDMM_KMT_CreateShared);
    for (size_t i = 0; i < call->count; i++)
        needed |= call->args[i].standard || call->args[i].info_flags || call->args[i].system_range;
    return needed;
}

static bool not_displayable(const struct creation *call)
{
    return has(call, VIDMM_KMT_SharedDisplayable) &&
           (!has(call, VIDMM_KMT_CreateShared) || !call->adapter->setup->caps.displayable);
}

static const struct kmt_check checks[] = {
    { RULE(KMT_001), reserved_bits, "bits are set that this interface version reserves" },
    { RULE(KMT_003), no_device, "hDevice is no live device" },
    { RULE(KMT_004), wrong_resource,
      "hResource is no resource of this device, or CreateResource asks for another one" },
    { RULE(KMT_006), wrong_count, "NumAllocations is 0 without a resource, or too large" },
    { RULE(KMT_007), wrong_arrays,
      "pAllocationInfo and pAllocationInfo2 are both given, or the second below 2.0" },
    { RULE(KMT_009), shared_alone, "CreateShared is set without CreateResource" },
    { RULE(KMT_010), grows_shared, "a shared resource cannot grow" },
    { RULE(KMT_012), not_for_user_mode,
      "CreateProtected, CreateWriteCombined and CreateCached are not for user mode" },
    { RULE(KMT_013), back_buffer, "SwapChainBackBuffer is reserved" },
    { RULE(KMT_014), restricted_unshared, "RestrictSharedAccess is set without CreateShared" },
    { RULE(KMT_015), nt_unshared, "NtSecuritySharing is set without CreateShared" },
    { RULE(KMT_019), cross_adapter_unshared, "CrossAdapter is set without CreateShared" },
    { RULE(KMT_020), opens_cross_adapter, "OpenCrossAdapter is not for user mode" },
    { RULE(KMT_021), partial_unshared, "PartialSharedCreation is set without CreateShared" },
    { RULE(KMT_024), undescribed, "StandardAllocation is set and pStandardAllocation is NULL" },
    { RULE(KMT_025), wrong_source,
      "StandardAllocation takes exactly one of ExistingSysMem and ExistingSection, which need it" },
    { RULE(KMT_026), standard_lacks,
      "StandardAllocation needs CreateResource, CreateShared and CrossAdapter" },
    { RULE(KMT_027), standard_not_one, "StandardAllocation is for one allocation" },
    { RULE(KMT_028), existing_added, "existing memory cannot be added to a resource" },
    { RULE(KMT_029), wrong_description,
      "pStandardAllocation is no EXISTINGHEAP of whole pages without reserved flags" },
    { RULE(KMT_030), printed_example, "ExistingSysMem alone is not enough" },
    { RULE(KMT_031), existing_too_early, "ExistingSysMem is reserved below 2.3" },
    { RULE(KMT_032), wrong_buffer,
      "the existing memory is no whole pages of this process, or shorter than the description" },
    { RULE(KMT_034), rotating_buffer,
      "the existing memory is where the CPU sees an allocation that can be in video memory" },
    { RULE(KMT_036), no_section, "ExistingSection is set and hSection is no section" },
    { RULE(KMT_037), short_section, "the section is shorter than the description" },
    { RULE(KMT_039), not_without_driver,
      "NoKmdAccess is not for shared, displayed, standard or existing memory" },
    { RULE(KMT_040), not_displayable,
      "SharedDisplayable needs CreateShared and the cap DisplayableSupport" },
    { RULE(ALLOC_050), crosses_in_pieces, "a cross-adapter resource is exactly one allocation" },
};

/* What is wrong, and with which flags where the flags are too new. */
static const char *message_of(const struct kmt_check *check, const struct creation *creation,
                              char *text, size_t bytes)
{
    char flags[160];
    if (check->broken != reserved_bits)
        return check->message;
    (void)vidmm_flags_reserved_text(VIDMM_FLAGS_KMT, creation->call->flags,
                                    creation->adapter->setup->caps.wddm, flags, sizeof flags);
    (void)snprintf(text, bytes, "%s: %s", check->message, flags);
    return text;
}

vidmm_status creation_check(struct creation *creation)
{
    struct verdict verdict = { .status = STATUS_SUCCESS };
    const struct vidmm_creation_args *args = creation->call;
    char text[VIDMM_REFUSAL_TEXT_MAX];
    creation->flags =
        args->flags & vidmm_flags_defined(VIDMM_FLAGS_KMT, creation->adapter->setup->caps.wddm);
    creation->device = handle_object(creation->adapter, args->device, VIDMM_OBJECT_DEVICE);
    creation->resource = handle_object(creation->adapter, args->resource, VIDMM_OBJECT_RESOURCE);
    for (size_t i = 0; i < ARRAY_COUNT(checks); i++)
        if (checks[i].broken(creation))
            verdict_add(&verdict, checks[i].rule, 0, creation_label(creation),
                        message_of(&checks[i], creation, text, sizeof text));
    return verdict_end(creation->adapter, &verdict);
}
