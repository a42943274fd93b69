/* SPDX-License-Identifier: MIT */
/*
 * offer.c: content that its owner can do without for a while: the states of an offer.
 *
 *   no --- offered, by every device that has it open ---> pending
 *   pending --- nothing that was submitted refers to it ---> offered --- evicted ---> discarded
 *   any of them --- reclaim ---> no
 *
 * What is offered goes before every other victim: the rank of its node says so (PRIO-006). Where a
 * packet still refers to it, the report of its last one makes the offer deferred work; an eviction
 * looks first (offer_settle()). That holds for packets that a reset dropped, too.
 *
 * The pager knows one owner. Of an allocation that several devices have open, vidmm/share finds out
 * when all of them have offered it.
 */
#include "paging/residency/offer.h"
#include "paging/residency/pager.h"
#include "paging/residency/residency_state.h"
#include "paging/store/trail.h"
#include "vidmm/base/base_hash.h"

/* LOW is -4, HIGH -2. */
enum { RANK_AFTER_ALL_LEVELS = 5 };

/* ---- words ---------------------------------------------------------------------------------- */

const char *vidmm_offer_state_name(enum vidmm_offer_state state)
{
    static const char *const words[] = { "no", "pending", "offered", "discarded" };
    return (size_t)state < ARRAY_COUNT(words) ? words[state] : "";
}

static void tell(adapter_t *adapter, const struct pageable *allocation, const char *phase,
                 enum vidmm_rule rule)
{
    const struct offer *offer = offer_of(allocation);
    EMIT(adapter, OFFER, rule, allocation->handle, f_word("phase", phase),
         f_word("priority", offer_priority_word(offer->priority)),
         f_word("level", offer_priority_word(offer->level)),
         f_word("state", vidmm_offer_state_name(offer->state)));
}

/* OFFER-009: AUTO goes by the class of the eviction priority. */
static uint32_t resolve(adapter_t *adapter, const struct pageable *allocation, uint32_t priority)
{
    applies(adapter, RULE(OFFER_001));
    if (priority != D3DDDI_OFFER_PRIORITY_AUTO)
        return priority;
    applies(adapter, RULE(OFFER_009));
    if (allocation->place.victim.priority < (uint32_t)D3DDDI_ALLOCATIONPRIORITY_NORMAL)
        return D3DDDI_OFFER_PRIORITY_LOW;
    return allocation->place.victim.priority < (uint32_t)D3DDDI_ALLOCATIONPRIORITY_HIGH
               ? D3DDDI_OFFER_PRIORITY_NORMAL
               : D3DDDI_OFFER_PRIORITY_HIGH;
}

/* ---- its turn among the victims -------------------------------------------------------------- */

static void take_turn(adapter_t *adapter, struct pageable *allocation)
{
    const struct offer *offer = offer_of(allocation);
    for (struct pageable *a = allocation; a; a = a->place.next_copy)
        turns_set_rank(adapter, a, (int)offer->level - RANK_AFTER_ALL_LEVELS, offer->turn);
}

/* ---- states --------------------------------------------------------------------------------- */

bool offer_gives_up(const struct pageable *allocation)
{
    enum vidmm_offer_state state = offer_of(allocation_whole_of(allocation))->state;
    return state == VIDMM_OFFER_OFFERED || state == VIDMM_OFFER_DISCARDED;
}

static void take_effect(adapter_t *adapter, struct pageable *allocation)
{
    for (struct pageable *a = allocation; a; a = a->place.next_copy)
        offer_own(a)->last_use = a->place.victim.last_use;
    offer_own(allocation)->state = VIDMM_OFFER_OFFERED;
    take_turn(adapter, allocation);
    applies(adapter, RULE(OFFER_008));
    tell(adapter, allocation, "stop", RULE(OFFER_003));
}

void offer_settle(adapter_t *adapter, struct pageable *allocation)
{
    struct pageable *whole = allocation_whole(allocation);
    if (offer_of(whole)->state == VIDMM_OFFER_PENDING && !whole->packet_refs &&
        whole->store.state != ALLOCATION_CLOSED)
        take_effect(adapter, whole);
}

static vidmm_status settle_due(adapter_t *adapter, const struct deferred_work *work)
{
    if (work->allocation)
        offer_settle(adapter, work->allocation);
    return STATUS_SUCCESS;
}

void offer_unreferenced(adapter_t *adapter, struct pageable *allocation)
{
    if (offer_of(allocation)->state != VIDMM_OFFER_PENDING)
        return;
    tell(adapter, allocation, "info", RULE(OFFER_003));
    schedule_defer(adapter, (struct deferred_work){ .run = settle_due, .allocation = allocation });
}

static void part(adapter_t *adapter, struct pageable *allocation)
{
    const struct offer *offer = offer_of(allocation);
    if (offer->state == VIDMM_OFFER_PENDING || offer->state == VIDMM_OFFER_OFFERED)
        DL_DELETE2(adapter->residency->offered[offer->level], allocation, place.offer->previous,
                   place.offer->next);
}

void offer_complete(adapter_t *adapter, struct pageable *allocation, bool immediate)
{
    struct offer *offer = offer_own(allocation);
    /* What can still be given up is listed: after all that were offered before. */
    if (offer->state != VIDMM_OFFER_DISCARDED) {
        offer->turn = ++adapter->residency->offers;
        DL_APPEND2(adapter->residency->offered[offer->level], allocation, place.offer->previous,
                   place.offer->next);
    }
    if (offer->state == VIDMM_OFFER_OFFERED)
        take_turn(adapter, allocation);
    if (offer_gives_up(allocation)) {
        tell(adapter, allocation, "stop", RULE(OFFER_003));
        return;
    }
    offer->state = VIDMM_OFFER_PENDING;
    if (immediate)
        take_effect(adapter, allocation);
    else
        offer_settle(adapter, allocation);
}

void offer_become(adapter_t *adapter, struct pageable *allocation, enum vidmm_offer_state state)
{
    part(adapter, allocation);
    offer_own(allocation)->state = state;
}

/* ---- one owner ------------------------------------------------------------------------------ */

void offer_start(adapter_t *adapter, struct pageable *allocation, const struct offer_terms *terms)
{
    struct offer *offer = offer_own(allocation);
    part(adapter, allocation); /* the level may be another one now */
    offer->priority = terms->priority;
    offer->level = resolve(adapter, allocation, terms->priority);
    offer->decommit = terms->decommit;
    tell(adapter, allocation, "start", terms->rule);
}

bool offer_end(adapter_t *adapter, struct pageable *allocation, bool given_up)
{
    struct offer *offer = offer_own(allocation);
    bool discarded = offer->state == VIDMM_OFFER_DISCARDED || allocation_is_lost(allocation);
    for (struct pageable *a = offer_gives_up(allocation) ? allocation : NULL; a;
         a = a->place.next_copy)
        turns_set_rank(adapter, a, 0, offer_of(a)->last_use);
    if (discarded || given_up)
        discard_unasked(adapter, allocation);
    offer->refill = discarded;
    offer_become(adapter, allocation, VIDMM_OFFER_NONE);
    return discarded;
}

void offer_forget(adapter_t *adapter, struct pageable *allocation)
{
    if (offer_of(allocation)->state == VIDMM_OFFER_NONE)
        return;
    offer_become(adapter, allocation, VIDMM_OFFER_NONE);
    schedule_deferred_forget(adapter, settle_due, allocation);
}
