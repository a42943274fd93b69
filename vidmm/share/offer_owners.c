/* SPDX-License-Identifier: MIT */
/*
 * offer_owners.c: offers of all who have an allocation open: what one of them offers is pending
 * until all have offered it, and the first of them that reclaims it ends the offer for all.
 *
 * Rules not named below: LOCK-017, OFFER-005.
 */
#include "paging/residency/offer.h"
#include "paging/store/trail.h"
#include "vidmm/share/share.h"
#include "vidmm/share/share_state.h"

/* ---- who offers it -------------------------------------------------------------------------- */

static struct opened *opened_by(const struct allocation *allocation, vidmm_handle handle)
{
    struct opening *opening =
        allocation_is_shared(allocation) ? shared_opening(allocation->resource, handle) : NULL;
    return opening ? &opening->members[allocation->part] : NULL;
}

static void mark(const struct allocation *allocation, const struct opening *opening, bool offered)
{
    struct opened *opened = &opening->members[allocation->part];
    uint32_t *count = &allocation->resource->sharing->parts[allocation->part].offered;
    *count += offered;
    *count -= opened->offered;
    opened->offered = offered;
}

/* In all openings of the device that this handle belongs to. */
static void mark_device(const struct allocation *allocation, vidmm_handle handle, bool offered)
{
    const struct opening *opening = shared_opening(allocation->resource, handle);
    opening = opening ? opening->opener->openings : NULL;
    for (; opening; opening = opening->opener_next)
        mark(allocation, opening, offered);
}

static bool offered_by_all(const struct allocation *allocation)
{
    const struct sharing *sharing = allocation->resource->sharing;
    return sharing->parts[allocation->part].offered == HASH_COUNT(sharing->openings);
}

/* The others that offered it hear of the loss when they ask. */
static void end_for_all(const struct allocation *allocation, bool discarded)
{
    const struct opening *opening = allocation->resource->sharing->first;
    for (; opening; opening = opening->next) {
        struct opened *opened = &opening->members[allocation->part];
        opened->discarded |= discarded && opened->offered;
        mark(allocation, opening, false);
    }
}

static bool is_pinned(const struct allocation *allocation)
{
    bool pinned =
        allocation_is_pinned_at_creation(&allocation->pageable); /* as soon as it is placed */
    for (const struct allocation *a = allocation; a; a = allocation_of(a->pageable.place.next_copy))
        pinned |= a->pageable.place.pinned;
    return pinned;
}

/* It may have been pinned since the others offered it: then nothing comes of that. */
void offer_closed(adapter_t *adapter, struct allocation *allocation)
{
    if (offer_of(&allocation->pageable)->state == VIDMM_OFFER_NONE && !is_pinned(allocation) &&
        !allocation_is_lost(&allocation->pageable) && offered_by_all(allocation))
        offer_complete(adapter, &allocation->pageable, false);
}

enum vidmm_offer_state offer_state(const struct allocation *allocation, vidmm_handle handle)
{
    if (offer_of(&allocation->pageable)->state != VIDMM_OFFER_NONE)
        return offer_of(&allocation->pageable)->state;
    const struct opened *opened = opened_by(allocation, handle);
    /* The others have not offered it yet. */
    return opened && opened->offered ? VIDMM_OFFER_PENDING : VIDMM_OFFER_NONE;
}

enum vidmm_offer_state vidmm_offer_state(const adapter_t *adapter, vidmm_handle handle)
{
    const struct allocation *allocation = handle_object(adapter, handle, VIDMM_OBJECT_ALLOCATION);
    return allocation ? offer_state(allocation, handle) : VIDMM_OFFER_NONE;
}

/* ---- offer ---------------------------------------------------------------------------------- */

vidmm_status offer_check(adapter_t *adapter, const struct allocation *allocation,
                         vidmm_handle handle)
{
    const char *label = allocation_label(allocation, handle);
    bool pinned = is_pinned(allocation);
    if (cpu_of(allocation)->lock_count || pinned || allocation->pageable.of_context)
        return refuse(adapter, RULE(OFFER_006), STATUS_INVALID_PARAMETER,
                      "%s is %s: it cannot be offered", label,
                      cpu_of(allocation)->lock_count         ? "locked"
                      : allocation->pageable.place.displayed ? "displayed"
                      : pinned                               ? "pinned"
                                                             : "the driver's own");
    if (allocation_is_lost(&allocation->pageable))
        return refuse(adapter, RULE(PAGE_025), STATUS_GRAPHICS_ALLOCATION_CONTENT_LOST,
                      "the content of %s was lost", label);
    if (offer_of(&allocation->pageable)->decommitted &&
        offer_of(&allocation->pageable)->state == VIDMM_OFFER_NONE)
        return refuse(adapter, RULE(OFFER_018), STATUS_GRAPHICS_ALLOCATION_CONTENT_LOST,
                      "%s has no commitment: it can be reclaimed or destroyed", label);
    return STATUS_SUCCESS;
}

void offer_begin(adapter_t *adapter, struct allocation *allocation, vidmm_handle handle,
                 const struct offer_terms *terms)
{
    bool complete = true;
    if (allocation_is_shared(allocation)) {
        applies(adapter, RULE(OFFER_007));
        mark_device(allocation, handle, true);
        complete = offer_of(&allocation->pageable)->state != VIDMM_OFFER_NONE ||
                   offered_by_all(allocation);
    }
    offer_start(adapter, &allocation->pageable, terms);
    if (complete)
        offer_complete(adapter, &allocation->pageable, terms->immediate);
}

/* ---- reclaim -------------------------------------------------------------------------------- */

static bool take_back(adapter_t *adapter, struct allocation *allocation, vidmm_handle handle,
                      bool given_up)
{
    struct opened *opened = opened_by(allocation, handle);
    bool told = opened && opened->discarded; /* another device was the first to ask */
    if (opened) {
        opened->discarded = false;
        mark_device(allocation, handle, false);
    }
    if (offer_of(&allocation->pageable)->state == VIDMM_OFFER_NONE)
        return told;
    bool discarded = offer_end(adapter, &allocation->pageable, given_up);
    if (opened)
        end_for_all(allocation, discarded || given_up);
    return discarded;
}

uint32_t offer_reclaim(adapter_t *adapter, struct allocation *allocation, vidmm_handle handle,
                       bool asked)
{
    struct pageable *pageable = &allocation->pageable;
    static const char *const results[] = { "ok", "discarded", "not-committed" };
    enum vidmm_offer_state before = offer_state(allocation, handle);
    bool given_up = !asked && offer_of(pageable)->state == VIDMM_OFFER_OFFERED;
    uint32_t result = take_back(adapter, allocation, handle, given_up)
                          ? D3DDDI_RECLAIM_RESULT_DISCARDED
                          : D3DDDI_RECLAIM_RESULT_OK;
    enum vidmm_rule rule = before == VIDMM_OFFER_NONE      ? RULE(OFFER_015)
                           : before == VIDMM_OFFER_PENDING ? RULE(OFFER_014)
                                                           : RULE(OFFER_013);
    if (offer_of(pageable)->decommitted) {
        result = discard_recommit(adapter, pageable) ? D3DDDI_RECLAIM_RESULT_DISCARDED
                                                     : D3DDDI_RECLAIM_RESULT_NOT_COMMITTED;
    }
    EMIT(adapter, RECLAIM, rule, pageable->handle, f_word("state", vidmm_offer_state_name(before)),
         f_word("priority", offer_priority_word(before ? offer_of(pageable)->level : 0)),
         f_word("result", given_up && !result ? "unasked" : results[result]));
    applies(adapter, RULE(OFFER_016));
    return result;
}

vidmm_status offer_check_use(adapter_t *adapter, const struct allocation *allocation,
                             vidmm_handle handle, enum vidmm_rule rule)
{
    static const char *const more[] = { [VIDMM_OFFER_PENDING] = " (it takes effect later)",
                                        [VIDMM_OFFER_OFFERED] = "",
                                        [VIDMM_OFFER_DISCARDED] = ", and its content is gone" };
    enum vidmm_offer_state state = offer_state(allocation, handle);
    if (state != VIDMM_OFFER_NONE)
        return refuse(adapter, rule, STATUS_INVALID_PARAMETER,
                      "%s is offered%s: it has to be reclaimed first",
                      allocation_label(allocation, handle), more[state]);
    if (offer_of(&allocation->pageable)->decommitted)
        return refuse(adapter, RULE(OFFER_018), STATUS_GRAPHICS_ALLOCATION_CONTENT_LOST,
                      "%s has no commitment: it can be reclaimed or destroyed",
                      allocation_label(allocation, handle));
    return STATUS_SUCCESS;
}
