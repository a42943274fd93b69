/* SPDX-License-Identifier: MIT */
/*
 * priority.c: D3DKMTSetAllocationPriority: a resource and one value, or a list and a value for
 * each.
 *
 * A change counts at once, also for work that is queued: it moves the allocation in the eviction
 * order of its segment and nothing else happens (PRIO-005).
 *
 * Rules not named below: ALLOC-031 to ALLOC-034, by their twins.
 */
#include "paging/residency/residency.h"
#include "paging/store/store.h"
#include "vidmm/share/share.h"

static vidmm_status bad_form(adapter_t *adapter, const char *why)
{
    return refuse(adapter, RULE(PRIO_004), STATUS_INVALID_PARAMETER, "%s", why);
}

static vidmm_status check_form(adapter_t *adapter, const struct vidmm_priority_args *args)
{
    bool listed = args->count || args->allocations;
    if (args->resource && listed)
        return bad_form(adapter, "a resource and a list of allocations exclude each other");
    if (!args->resource && (!args->count || !args->allocations))
        return bad_form(adapter, "neither a resource nor a list of allocations is named");
    if (args->resource && !handle_object(adapter, args->resource, VIDMM_OBJECT_RESOURCE))
        return bad_form(adapter, "there is no such resource");
    for (size_t i = 0; i < args->count; i++)
        if (!handle_object(adapter, args->allocations[i], VIDMM_OBJECT_ALLOCATION))
            return refuse(adapter, RULE(PRIO_004), STATUS_INVALID_PARAMETER,
                          "the list names something that is no allocation (%s)",
                          shared_word(adapter, args->allocations[i]).it);
    for (size_t i = 0; i < (args->resource ? 1 : args->count); i++)
        if (!args->priorities[i])
            return bad_form(adapter, "0 is no priority");
    return STATUS_SUCCESS;
}

static void set_priority(adapter_t *adapter, struct allocation *allocation, uint32_t priority)
{
    uint32_t before = allocation->pageable.place.victim.priority;
    applies(adapter, RULE(PRIO_001));
    applies(adapter, RULE(PRIO_003));
    if (allocation->rename.list)
        applies(adapter, RULE(PRIO_013));
    residency_set_priority(adapter, &allocation->pageable, priority);
    EMIT(adapter, PRIORITY, RULE(PRIO_005), allocation->pageable.handle, f_hex("from", before),
         f_hex("to", priority));
}

/* PRIO-013: all instances carry the priority of the allocation. */
static void set_all(adapter_t *adapter, struct allocation *allocation, uint32_t priority)
{
    struct allocation *original = rename_original(allocation);
    set_priority(adapter, original, priority);
    for (struct allocation *a = allocation_of(original->pageable.place.next_copy); a;
         a = allocation_of(a->pageable.place.next_copy))
        set_priority(adapter, a, priority);
    for (struct allocation *a = rename_other(original); a; a = rename_next_other(a))
        set_priority(adapter, a, priority);
}

vidmm_status vidmm_set_priority(adapter_t *adapter, const struct vidmm_priority_args *args)
{
    vidmm_status status = adapter_usable(adapter);
    if (!status)
        status = check_form(adapter, args);
    if (status)
        return status;
    if (args->resource) {
        struct resource *resource = handle_object(adapter, args->resource, VIDMM_OBJECT_RESOURCE);
        for (struct allocation *a = resource->allocations; a; a = a->resource_next)
            set_all(adapter, a, args->priorities[0]);
    }
    for (size_t i = 0; i < args->count; i++)
        set_all(adapter, handle_object(adapter, args->allocations[i], VIDMM_OBJECT_ALLOCATION),
                args->priorities[i]);
    return STATUS_SUCCESS;
}
