/* SPDX-License-Identifier: MIT */
/*
 * property.c: what may change about an allocation after its creation, from 2.0 on: its segments,
 * the preferred ones, whether it is accessed physically, and whether it may move.
 *
 * What is unchanged is ignored; nothing to do is done at once. Anything else is queued: the caller
 * gets a fence value to wait for. Where the allocation lies at a place that does not fit any more,
 * it moves; when there is no room for that, nothing has changed.
 *
 * A priority may change in every version, of a resource with one value or of a list with a value
 * for each. It counts at once, also for work that is queued: the allocation moves in the eviction
 * order of its segment and nothing else happens (PRIO-005).
 *
 * Rules not named below: ALLOC-031 to ALLOC-034, by their twins; PRIO-003, RES-025.
 */
#include "paging/buffer/buffer.h"
#include "paging/residency/link.h"
#include "paging/residency/offer.h"
#include "paging/residency/residency.h"
#include "paging/schedule/schedule.h"
#include "paging/store/store.h"
#include "paging/store/turns.h"
#include "vidmm/allocation/allocation_make.h"
#include "vidmm/allocation/check/check.h"
#include "vidmm/share/share.h"
#include "vidmm/submit/submit.h"

struct change {
    struct allocation *allocation;
    uint32_t set, preferred, flags;
    bool pinned;
};

/* In a link each copy counts for itself. */
struct copies {
    unsigned resident, pinned;
};

static struct copies copies_of(const struct allocation *allocation)
{
    struct copies copies = { 0 };
    for (const struct pageable *a = &allocation->pageable; a; a = a->place.next_copy) {
        copies.resident += a->store.state == ALLOCATION_RESIDENT;
        copies.pinned += a->place.pinned;
    }
    return copies;
}

/* ---- is it legal? --------------------------------------------------------------------------- */

/* NULL: nobody has it open. */
static vidmm_status check_device(adapter_t *adapter, const struct device *device)
{
    if (!device || device->state == DEVICE_ACTIVE)
        return STATUS_SUCCESS;
    return refuse(adapter, RULE(SUBMIT_015), STATUS_DEVICE_REMOVED, "device %s is in error",
                  device->label);
}

static vidmm_status find(adapter_t *adapter, const struct vidmm_property_args *args,
                         struct allocation **allocation)
{
    vidmm_status status = adapter_usable(adapter);
    if (status)
        return status;
    if (adapter->setup->caps.wddm < VIDMM_WDDM_2_0)
        return refuse(adapter, RULE(RES_029), STATUS_INVALID_PARAMETER,
                      "properties of an allocation change from 2.0 on only");
    *allocation = handle_object(adapter, args->allocation, VIDMM_OBJECT_ALLOCATION);
    shared_spoken(adapter, args->allocation);
    if (!*allocation)
        return refuse(adapter, RULE(RES_029), STATUS_INVALID_PARAMETER,
                      "%s names no live allocation", shared_word(adapter, args->allocation).it);
    return check_device(adapter, (*allocation)->pageable.creator);
}

static vidmm_status check(adapter_t *adapter, const struct vidmm_property_args *args,
                          const struct change *change)
{
    const struct allocation *allocation = change->allocation;
    const char *label = allocation->pageable.label;
    uint32_t existing = UINT32_MAX >> (32 - adapter->setup->segments_each);
    if (allocation_is_no_kmd(&allocation->pageable))
        return refuse(adapter, RULE(KMT_039), STATUS_GRAPHICS_INVALID_ALLOCATION_USAGE,
                      "%s was created with NoKmdAccess: it has no segments", label);
    if (!change->set || (change->set & ~existing))
        return refuse(adapter, RULE(RES_029), STATUS_INVALID_PARAMETER,
                      "%s: the new set 0x%x is empty, or names a segment that does not exist",
                      label, change->set);
    vidmm_status status = allocation_check_update(adapter, allocation, change->set, change->flags,
                                                  args->set_preferred ? change->preferred : 0);
    if (status)
        return status;
    if (args->set_unmoveable && !copies_of(allocation).resident)
        return refuse(adapter, RULE(RES_029), STATUS_INVALID_PARAMETER,
                      "%s is not resident: there is nothing that could not move", label);
    if (args->set_unmoveable && args->unmoveable)
        status = offer_check_use(adapter, allocation, args->allocation, RULE(OFFER_006));
    return status;
}

/* ---- carrying it out ------------------------------------------------------------------------ */

/* Does something else pin it, whatever this property says: a display, its context, its flags? */
static bool is_held(const adapter_t *adapter, const struct pageable *allocation)
{
    return allocation->place.displayed || context_is_loaded(adapter, allocation) ||
           allocation_is_pinned_at_creation(allocation);
}

static struct change present(const adapter_t *adapter, struct allocation *allocation)
{
    const struct allocation_info *info = &allocation->pageable.info;
    const struct pageable *pageable = &allocation->pageable;
    bool pinned =
        is_held(adapter, pageable) ? pageable->place.pinned_anyway : link_pinned(pageable);
    return (struct change){ allocation, info->write_set, info->preferred, info->flags, pinned };
}

static struct change plan(const adapter_t *adapter, const struct vidmm_property_args *args,
                          struct allocation *allocation)
{
    struct change change = present(adapter, allocation);
    if (args->set_segments)
        change.set = args->segments;
    if (args->set_preferred)
        change.preferred = args->preferred;
    if (args->set_physically) {
        change.flags &= ~(uint32_t)ALLOCATION_ACCESSED_PHYSICALLY;
        change.flags |= args->physically ? ALLOCATION_ACCESSED_PHYSICALLY : 0;
    }
    if (args->set_unmoveable)
        change.pinned = args->unmoveable;
    return change;
}

/* RES-025. An instance that came back after a pin is not pinned yet. */
static bool is_present(const adapter_t *adapter, const struct vidmm_property_args *args,
                       const struct change *change)
{
    const struct change now = present(adapter, change->allocation);
    const struct copies copies = copies_of(change->allocation);
    bool pins = args->set_unmoveable && args->unmoveable;
    return change->set == now.set && change->preferred == now.preferred &&
           change->flags == now.flags && change->pinned == now.pinned &&
           (!pins || copies.pinned == copies.resident);
}

/* Resident is what is resident on every adapter (LINK-008): anything else comes to its new place at
   the next use. */
static bool has_to_move(const adapter_t *adapter, const struct change *change)
{
    bool stays = true;
    for (const struct pageable *a = &change->allocation->pageable; a; a = a->place.next_copy) {
        if (a->store.state != ALLOCATION_RESIDENT)
            return false;
        stays &= residency_stays(adapter, a, change->set);
    }
    return !stays;
}

static void apply(adapter_t *adapter, const struct change *change)
{
    allocation_advice_count(adapter, change->allocation, false);
    for (struct pageable *a = &change->allocation->pageable; a; a = a->place.next_copy) {
        a->info.read_set = a->info.write_set = change->set;
        a->info.preferred = change->preferred;
        a->info.flags = change->flags;
    }
    allocation_advice_count(adapter, change->allocation, true);
}

/* What the CPU holds in memory goes to system memory, if it has to go (RES-070). */
static vidmm_status check_move(adapter_t *adapter, const struct change *change, uint32_t *set)
{
    struct allocation *allocation = change->allocation;
    bool by_context = context_is_loaded(adapter, &allocation->pageable) &&
                      !allocation->pageable.place.pinned_anyway;
    const struct pin_cause cause = pageable_pinned_by(&allocation->pageable);
    if (link_pinned(&allocation->pageable) && !by_context)
        return refuse(adapter, cause.rule, STATUS_GRAPHICS_CANT_EVICT_PINNED_ALLOCATION,
                      "%s has to move for this, but is pinned: %s", allocation->pageable.label,
                      cause.why);
    if (cpu_of(allocation)->lock_count && !allocation_is_permanent(&allocation->pageable))
        *set &= places_aperture_set(adapter);
    if (!*set)
        return refuse(adapter, RULE(RES_070), STATUS_GRAPHICS_CANT_RENDER_LOCKED_ALLOCATION,
                      "%s is locked, and its new set has no aperture", allocation->pageable.label);
    return STATUS_SUCCESS;
}

static vidmm_status move(adapter_t *adapter, struct allocation *allocation, uint32_t set)
{
    paging_begin(adapter, NULL); /* does deferred work first: an offer that is due takes effect */
    vidmm_status status = context_switch_away(adapter, &allocation->pageable);
    /* What is offered goes where it would go for any reason (OFFER-011). */
    if (offer_gives_up(&allocation->pageable)) /* never that of a context (OFFER-006) */
        status = link_evict(adapter, &allocation->pageable, EVICT_MIGRATION, RULE(OFFER_011));
    else if (!status)
        status = residency_bring(adapter, &allocation->pageable, set, "property", EVICT_MIGRATION);
    vidmm_status ended = paging_close(adapter);
    return status ? status : ended;
}

/* Does it lie where it may not any more? */
static bool lies_outside(const adapter_t *adapter, const struct change *change)
{
    return change->allocation->pageable.store.state != ALLOCATION_RESIDENT ||
           has_to_move(adapter, change);
}

/* What is refused has changed nothing. */
static vidmm_status carry_out(adapter_t *adapter, const struct change *change)
{
    struct allocation *allocation = change->allocation;
    const struct change old = present(adapter, allocation);
    uint32_t set = change->set;
    apply(adapter, change);
    if (!has_to_move(adapter, change))
        return STATUS_SUCCESS;
    vidmm_status status = check_move(adapter, change, &set);
    if (!status) {
        status = move(adapter, allocation, set);
        if (!status || !lies_outside(adapter, change))
            return status;
    }
    if (status == STATUS_GRAPHICS_NO_VIDEO_MEMORY)
        status =
            refuse(adapter, RULE(ALLOC_053), STATUS_NO_MEMORY,
                   "%s has to move for this, but there is no room", allocation->pageable.label);
    apply(adapter, &old);
    return status;
}

static void tell(adapter_t *adapter, const struct change *change,
                 const struct vidmm_property_result *result)
{
    const struct pageable *allocation = &change->allocation->pageable;
    const struct vidmm_field fields[] = {
        f_hex("write", change->set),
        f_hex("flags", change->flags),
        f_flag("pinned", change->pinned),
        f_number("value", result->paging_fence_value),
        f_node("node", result->node),
        f_number("fence", result->fence),
        f_word("kind", pageable_pinned_by(allocation).kind), /* left out when nothing pins it */
    };
    applies(adapter, RULE(RES_029));
    if (heard(adapter, VIDMM_EVENT_PROPERTY))
        emit_fields(adapter, VIDMM_EVENT_PROPERTY, RULE(RES_029), allocation->handle, fields,
                    ARRAY_COUNT(fields) - !change->pinned);
}

vidmm_status vidmm_update_property(adapter_t *adapter, const struct vidmm_property_args *args,
                                   struct vidmm_property_result *result)
{
    struct allocation *allocation = NULL;
    *result = (struct vidmm_property_result){ 0 };
    vidmm_status status = find(adapter, args, &allocation);
    if (status)
        return status;
    struct change change = plan(adapter, args, allocation);
    status = check(adapter, args, &change);
    if (status)
        return status;
    if (is_present(adapter, args, &change))
        return STATUS_SUCCESS; /* value 0, nothing to wait for */
    status = carry_out(adapter, &change);
    if (status)
        return status;
    /* By now: a context that was loaded before a move is not any more. */
    change.pinned |= is_held(adapter, &allocation->pageable);
    if (args->set_unmoveable) {
        /* An event says what pins it, or pinned it: the request does before a pin, and until after
           an unpin. */
        residency_keep_pinned(&allocation->pageable, true);
        residency_pin(adapter, &allocation->pageable, change.pinned);
        residency_keep_pinned(&allocation->pageable, args->unmoveable);
    }
    uint32_t node = adapter->setup->caps.paging_node;
    result->paging_fence_value = ++allocation->pageable.creator->paging_values;
    result->node = node;
    result->fence =
        schedule_first_number(adapter, node, allocation->pageable.transfer.fences[node]);
    tell(adapter, &change, result);
    return STATUS_PENDING;
}

/* ---- D3DKMTSetAllocationPriority ------------------------------------------------------------ */

static vidmm_status check_form(adapter_t *adapter, const struct vidmm_priority_args *args)
{
    bool listed = args->count || args->allocations;
    const char *why = NULL;
    if (args->resource && listed)
        why = "a resource and a list of allocations exclude each other";
    else if (!args->resource && (!args->count || !args->allocations))
        why = "neither a resource nor a list of allocations is named";
    else if (args->resource && !handle_object(adapter, args->resource, VIDMM_OBJECT_RESOURCE))
        why = "there is no such resource";
    for (size_t i = 0; i < args->count && !why; i++)
        if (!handle_object(adapter, args->allocations[i], VIDMM_OBJECT_ALLOCATION))
            return refuse(adapter, RULE(PRIO_004), STATUS_INVALID_PARAMETER,
                          "the list names something that is no allocation (%s)",
                          shared_word(adapter, args->allocations[i]).it);
    for (size_t i = 0; i < (args->resource ? 1 : args->count) && !why; i++)
        why = args->priorities[i] ? NULL : "0 is no priority";
    return why ? refuse(adapter, RULE(PRIO_004), STATUS_INVALID_PARAMETER, "%s", why)
               : STATUS_SUCCESS;
}

/* TDR-028: of each element the one that its handle belongs to. */
static vidmm_status check_devices(adapter_t *adapter, const struct vidmm_priority_args *args)
{
    vidmm_status status = STATUS_SUCCESS;
    if (args->resource) {
        const struct resource *resource =
            handle_object(adapter, args->resource, VIDMM_OBJECT_RESOURCE);
        const struct opening *opening =
            resource->sharing ? shared_opening(resource, args->resource) : NULL;
        status = check_device(adapter, opening ? opening->device : resource->device);
    }
    for (size_t i = 0; i < args->count && !status; i++) {
        const struct allocation *allocation =
            handle_object(adapter, args->allocations[i], VIDMM_OBJECT_ALLOCATION);
        status = check_device(adapter, shared_device(allocation, args->allocations[i]));
    }
    return status;
}

static void set_priority(adapter_t *adapter, struct allocation *allocation, uint32_t priority)
{
    uint32_t before = allocation->pageable.place.victim.priority;
    applies(adapter, RULE(PRIO_001));
    if (rename_of(allocation)->list || allocation->pageable.place.next_copy)
        applies(adapter, RULE(PRIO_013));
    turns_set_priority(adapter, &allocation->pageable, priority);
    EMIT(adapter, PRIORITY, RULE(PRIO_005), allocation->pageable.handle, f_hex("from", before),
         f_hex("to", priority));
}

/* PRIO-013: all instances carry the priority of the allocation, and so do all of their copies. */
static void set_all(adapter_t *adapter, struct allocation *allocation, uint32_t priority)
{
    struct allocation *original = rename_original(allocation), *instance = original;
    while (instance) {
        for (struct allocation *a = instance; a; a = allocation_of(a->pageable.place.next_copy))
            set_priority(adapter, a, priority);
        instance = instance == original ? rename_other(original) : rename_next_other(instance);
    }
}

vidmm_status vidmm_set_priority(adapter_t *adapter, const struct vidmm_priority_args *args)
{
    vidmm_status status = adapter_usable(adapter);
    if (!status)
        status = check_form(adapter, args);
    if (!status)
        status = check_devices(adapter, args);
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
