/* SPDX-License-Identifier: MIT */
/*
 * discard.c: offered content goes: in every copy, and nothing is saved.
 *
 *   it is in                what is done                               afterwards
 *   a memory segment        DISCARD_CONTENT                            no content
 *   an aperture, segment 0  unmapped, unlocked                         no content
 *   system memory           nothing; the pages go (OFFER-012)          no content
 *
 * System pages of its store go when no operation names them any more; the commitment stays, unless
 * the offer allowed to take that, too. Memory that came with the creation is not ours to take: what
 * lies there then is the content, as in the beginning (PAGE-013).
 *
 * Rules not named below: OFFER-010, OFFER-011, OFFER-013, OFFER-018.
 */
#include "paging/residency/offer.h"

#include "paging/residency/pager.h"
#include "paging/residency/residency_state.h"
#include "paging/store/trail.h"

/* ---- one allocation ------------------------------------------------------------------------- */

void discard_tell(adapter_t *adapter, struct pageable *allocation, enum vidmm_rule rule)
{
    struct pageable *whole = allocation_whole(allocation);
    if (offer_of(whole)->state == VIDMM_OFFER_DISCARDED)
        return;
    offer_become(adapter, whole, VIDMM_OFFER_DISCARDED);
    /* The commitment of every copy that has a store of its own. */
    for (struct pageable *a = whole; a && offer_of(whole)->decommit; a = a->place.next_copy)
        if (a->store.charged) {
            commitment_change(adapter, a, false);
            whole->place.offer->decommitted = true;
        }
    EMIT(adapter, DISCARD_OFFERED, rule, whole->handle,
         f_segment("segment", allocation->place.at.segment), f_bytes("bytes", whole->info.bytes),
         f_word("priority", offer_priority_word(offer_of(whole)->level)));
}

enum allocation_state discard_state(const struct pageable *allocation)
{
    return backing_of(allocation->store.owner)->existing ? ALLOCATION_EVICTED
                                                         : ALLOCATION_NO_CONTENT;
}

/* Pages that belong to it alone. */
static bool owns_pages(const struct pageable *allocation)
{
    return backing_of(allocation)->populated && !backing_of(allocation)->existing &&
           !allocation_is_contiguous(allocation) &&
           !(allocation->info.flags2 & VIDMM_ALLOCATION2_ShareBackingStoreWithKmd);
}

void discard_content(adapter_t *adapter, struct pageable *allocation)
{
    pageable_is_clean(allocation);
    content_discarded(allocation);
    allocation->place.discards++;
    if (allocation->store.state == ALLOCATION_EVICTED)
        content_from_store(adapter, allocation);
    if (owns_pages(allocation))
        backing_release_unlocked(adapter, allocation);
}

vidmm_status evict_discard(adapter_t *adapter, struct pageable *allocation)
{
    vidmm_status status = paging_notify_departure(adapter, allocation);
    if (!status)
        status = paging_discard(adapter, allocation, &allocation->place.at);
    if (!status)
        status = adapter->pageable_hooks->leave(adapter, allocation);
    return status;
}

vidmm_status discard_from_memory(adapter_t *adapter, struct pageable *allocation)
{
    vidmm_status status = evict_discard(adapter, allocation);
    if (status)
        return status;
    residency_unplace(adapter, allocation, true);
    allocation_become(allocation, discard_state(allocation));
    discard_content(adapter, allocation);
    pageable_check_state(allocation);
    return STATUS_SUCCESS;
}

void discard_evicted(adapter_t *adapter, struct pageable *allocation, enum vidmm_rule rule)
{
    CHECK(!allocation->place.first_copy);
    discard_tell(adapter, allocation, rule);
    for (struct pageable *a = allocation; a; a = a->place.next_copy) {
        if (a->store.state != ALLOCATION_EVICTED)
            continue; /* a resident instance is discarded when it leaves */
        if (discard_state(a) != ALLOCATION_EVICTED)
            allocation_become(a, discard_state(a));
        discard_content(adapter, a);
        pageable_check_state(a);
    }
}

void discard_unasked(adapter_t *adapter, struct pageable *allocation)
{
    bool gone = offer_of(allocation)->state == VIDMM_OFFER_DISCARDED;
    for (struct pageable *a = allocation; a; a = a->place.next_copy) {
        if (a->store.owner != a || (gone && a->store.state == ALLOCATION_EVICTED))
            continue; /* in supplied memory, which is its content (OFFER-011) */
        pageable_is_clean(a);
        /* WDDM 2.0 and later: what the GPU writes is not known (RES-016). */
        content_given_up(a, true,
                         place_in_memory(adapter, &a->place.at) &&
                             adapter->setup->caps.wddm < VIDMM_WDDM_2_0);
    }
}

/* ---- system memory is short ----------------------------------------------------------------- */

/* All of its copies, and nothing that is elsewhere. */
static bool is_out(const adapter_t *adapter, const struct pageable *allocation)
{
    for (const struct pageable *a = allocation; a; a = a->place.next_copy)
        if (a->store.state == ALLOCATION_RESIDENT || a->store.state == ALLOCATION_CLOSED ||
            a->store.state == ALLOCATION_LOST)
            return false;
    return offer_of(allocation)->state == VIDMM_OFFER_OFFERED &&
           !pageable_cpu_use(adapter, allocation, CPU_ELSEWHERE);
}

static uint64_t page_bytes(const struct pageable *allocation)
{
    uint64_t bytes = 0;
    for (const struct pageable *a = allocation; a; a = a->place.next_copy)
        if (a->store.owner == a && owns_pages(a) && !backing_of(a)->page_locks)
            bytes += a->info.bytes;
    return bytes;
}

static uint64_t commitment(const struct pageable *allocation)
{
    uint64_t bytes = 0;
    for (const struct pageable *a = allocation; a; a = a->place.next_copy)
        bytes += a->store.charged && offer_of(allocation)->decommit ? a->info.bytes : 0;
    return bytes;
}

typedef uint64_t gain_of(const struct pageable *allocation);

/* In the order in which they go (OFFER-010); after NULL the first. */
static struct pageable *offered_after(const adapter_t *adapter, const struct pageable *allocation)
{
    const struct residency *residency = adapter->residency;
    struct pageable *next = allocation ? offer_of(allocation)->next : NULL;
    uint32_t level = allocation ? offer_of(allocation)->level + 1 : 0;
    while (!next && level < ARRAY_COUNT(residency->offered))
        next = residency->offered[level++];
    return next;
}

/* What was offered and evicted before would give, as far as that is of interest. */
static uint64_t possible(const adapter_t *adapter, gain_of *gain, uint64_t enough)
{
    uint64_t bytes = 0;
    const struct pageable *a = NULL;
    while (bytes < enough && (a = offered_after(adapter, a)) != NULL)
        bytes += is_out(adapter, a) ? gain(a) : 0;
    return bytes;
}

/* Nothing is discarded where all of it would not do. */
static bool discard_for(adapter_t *adapter, gain_of *gain, uint64_t missing)
{
    if (possible(adapter, gain, missing) < missing)
        return false;
    for (struct pageable *a = offered_after(adapter, NULL), *next; missing; a = next) {
        uint64_t given = is_out(adapter, a) ? gain(a) : 0;
        next = offered_after(adapter, a);
        if (given)
            discard_evicted(adapter, a, RULE(OFFER_012));
        missing -= min_u64(given, missing);
    }
    return true;
}

uint64_t discard_possible_bytes(const adapter_t *adapter)
{
    return possible(adapter, page_bytes, UINT64_MAX);
}

bool discard_for_pages(adapter_t *adapter, uint64_t bytes)
{
    uint64_t free = system_space(adapter)->free_bytes;
    return bytes <= free || discard_for(adapter, page_bytes, bytes - free);
}

bool discard_for_commitment(adapter_t *adapter, uint64_t bytes)
{
    uint64_t left = commitment_left(adapter);
    return bytes <= left || discard_for(adapter, commitment, bytes - left);
}

bool discard_recommit(adapter_t *adapter, struct pageable *allocation)
{
    uint64_t bytes = 0;
    for (const struct pageable *a = allocation; a; a = a->place.next_copy)
        bytes += a->store.owner == a ? a->info.bytes : 0;
    if (!discard_for_commitment(adapter, bytes))
        return false;
    for (struct pageable *a = allocation; a; a = a->place.next_copy)
        if (a->store.owner == a)
            commitment_change(adapter, a, true);
    allocation->place.offer->decommitted = false;
    return true;
}
