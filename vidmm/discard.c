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
 * Rules not named below: OFFER-010, OFFER-013.
 */
#include "vidmm/offer.h"

#include "vidmm/residency.h"
#include "vidmm/swizzle.h"

#include <stdlib.h>

/* ---- one allocation ------------------------------------------------------------------------- */

/* OFFER-018: of every copy that has a store of its own. */
static void decommit(adapter_t *adapter, struct allocation *allocation)
{
    if (!allocation->offer.decommit)
        return;
    for (struct allocation *a = allocation; a; a = a->next_copy)
        if (a->charged) {
            a->charged = false;
            adapter->commit_charged -= a->info.bytes;
            allocation->offer.decommitted = true;
        }
    applies(adapter, RULE(OFFER_018));
}

void discard_tell(adapter_t *adapter, struct allocation *allocation, enum vidmm_rule rule)
{
    struct allocation *whole = allocation_whole(allocation);
    if (whole->offer.state == VIDMM_OFFER_DISCARDED)
        return;
    whole->offer.state = VIDMM_OFFER_DISCARDED;
    applies(adapter, RULE(OFFER_011));
    decommit(adapter, whole);
    EMIT(adapter, DISCARD_OFFERED, rule, whole->handle,
         f_segment("segment", allocation->place.segment), f_bytes("bytes", whole->info.bytes),
         f_word("priority", offer_level_word(whole)));
}

enum allocation_state discard_state(const struct allocation *allocation)
{
    return allocation->keeper->backing.existing ? ALLOCATION_EVICTED : ALLOCATION_NO_CONTENT;
}

/* Pages that nobody else has a right to. */
static bool owns_pages(const struct allocation *allocation)
{
    return allocation->backing.populated && !allocation->backing.existing &&
           !allocation_is_contiguous(allocation) &&
           !(allocation->info.flags2 & VIDMM_ALLOCATION2_ShareBackingStoreWithKmd);
}

static void release_pages(adapter_t *adapter, struct allocation *allocation)
{
    if (!owns_pages(allocation))
        return;
    if (allocation->backing.page_locks)
        allocation->backing.release_due = RELEASE_UNLOCKED; /* by backing_unlock() */
    else
        backing_release(adapter, allocation);
}

void discard_content(adapter_t *adapter, struct allocation *allocation)
{
    allocation->gpu_dirty = allocation->pattern_only = allocation->linear = false;
    if (allocation->keeper != allocation)
        return;
    content_clear(&allocation->content);
    page_set_clear(&allocation->cpu_dirty);
    allocation->encrypted = allocation->cpu_unflushed = false;
    if (allocation->state == ALLOCATION_EVICTED)
        content_from_store(adapter, allocation);
    release_pages(adapter, allocation);
}

vidmm_status discard_from_memory(adapter_t *adapter, struct allocation *allocation)
{
    vidmm_status status = evict_discard(adapter, allocation);
    if (status)
        return status;
    residency_unplace(adapter, allocation, true);
    allocation_become(allocation, discard_state(allocation));
    discard_content(adapter, allocation);
    return STATUS_SUCCESS;
}

void discard_evicted(adapter_t *adapter, struct allocation *allocation, enum vidmm_rule rule)
{
    discard_tell(adapter, allocation, rule);
    for (struct allocation *a = allocation; a; a = a->next_copy) {
        if (a->state == ALLOCATION_EVICTED && discard_state(a) != ALLOCATION_EVICTED)
            allocation_become(a, discard_state(a));
        discard_content(adapter, a);
    }
}

void discard_unasked(adapter_t *adapter, struct allocation *allocation)
{
    for (struct allocation *a = allocation; a; a = a->next_copy) {
        bool memory = a->state == ALLOCATION_RESIDENT && place_in_memory(adapter, &a->place);
        if (a->state == ALLOCATION_NO_CONTENT || a->keeper != a)
            continue;
        content_clear(&a->content);
        page_set_clear(&a->cpu_dirty);
        a->gpu_dirty = false;
        /* From 2.0 on nobody knows what the GPU writes: RES-016. */
        a->pattern_only = memory && adapter->caps.wddm < VIDMM_WDDM_2_0;
    }
}

/* ---- system memory is short ----------------------------------------------------------------- */

/* Offered ones that were evicted before, in the order in which they go. */
struct offered {
    struct allocation **list;
    size_t count, capacity;
};

/* All of its copies, and nothing that is elsewhere. */
static bool is_out(const struct allocation *allocation)
{
    for (const struct allocation *a = allocation; a; a = a->next_copy)
        if (a->state == ALLOCATION_RESIDENT || a->state == ALLOCATION_CLOSED ||
            a->state == ALLOCATION_LOST)
            return false;
    return allocation->offer.state == VIDMM_OFFER_OFFERED && !alternate_holds(allocation);
}

static uint64_t page_bytes(const struct allocation *allocation)
{
    uint64_t bytes = 0;
    for (const struct allocation *a = allocation; a; a = a->next_copy)
        if (a->keeper == a && owns_pages(a) && !a->backing.page_locks)
            bytes += a->info.bytes;
    return bytes;
}

static uint64_t commitment(const struct allocation *allocation)
{
    uint64_t bytes = 0;
    for (const struct allocation *a = allocation; a; a = a->next_copy)
        bytes += a->charged && allocation->offer.decommit ? a->info.bytes : 0;
    return bytes;
}

typedef uint64_t gain_of(const struct allocation *allocation);

static void add(struct offered *offered, struct allocation *allocation, gain_of *gain)
{
    if (!is_out(allocation) || !gain(allocation))
        return;
    BASE_GROW(offered->list, offered->capacity, offered->count + 1);
    offered->list[offered->count++] = allocation;
}

static int by_turn(const void *a, const void *b)
{
    const struct victim_node *left = &(*(struct allocation *const *)a)->victim;
    const struct victim_node *right = &(*(struct allocation *const *)b)->victim;
    if (left->rank != right->rank)
        return left->rank < right->rank ? -1 : 1;
    return left->last_use < right->last_use ? -1 : left->last_use > right->last_use;
}

static struct offered find_offered(const adapter_t *adapter, gain_of *gain)
{
    struct offered offered = { 0 };
    for (struct allocation *a = adapter->offered; a; a = a->offer.next)
        add(&offered, a, gain);
    if (offered.count)
        qsort(offered.list, offered.count, sizeof(struct allocation *), by_turn);
    return offered;
}

uint64_t discard_possible_bytes(const adapter_t *adapter)
{
    uint64_t bytes = 0;
    struct offered offered = find_offered(adapter, page_bytes);
    for (size_t i = 0; i < offered.count; i++)
        bytes += page_bytes(offered.list[i]);
    base_free(offered.list);
    return bytes;
}

bool discard_for_pages(adapter_t *adapter, uint64_t bytes)
{
    if (adapter->system_space.free_bytes >= bytes)
        return true;
    struct offered offered = find_offered(adapter, page_bytes);
    uint64_t possible = adapter->system_space.free_bytes;
    for (size_t i = 0; i < offered.count; i++)
        possible += page_bytes(offered.list[i]);
    for (size_t i = 0; possible >= bytes && adapter->system_space.free_bytes < bytes; i++)
        discard_evicted(adapter, offered.list[i], RULE(OFFER_012));
    base_free(offered.list);
    return possible >= bytes;
}

static bool charges(const adapter_t *adapter, uint64_t bytes)
{
    uint64_t limit = adapter->config.machine.commit_bytes;
    return !limit || bytes <= limit - adapter->commit_charged;
}

bool discard_for_commitment(adapter_t *adapter, uint64_t bytes)
{
    if (charges(adapter, bytes))
        return true;
    struct offered offered = find_offered(adapter, commitment);
    uint64_t possible = adapter->config.machine.commit_bytes - adapter->commit_charged;
    for (size_t i = 0; i < offered.count; i++)
        possible += commitment(offered.list[i]);
    for (size_t i = 0; possible >= bytes && !charges(adapter, bytes); i++)
        discard_evicted(adapter, offered.list[i], RULE(OFFER_012));
    base_free(offered.list);
    return possible >= bytes;
}

bool discard_recommit(adapter_t *adapter, struct allocation *allocation)
{
    uint64_t bytes = 0;
    for (const struct allocation *a = allocation; a; a = a->next_copy)
        bytes += a->keeper == a && !a->charged ? a->info.bytes : 0;
    if (!discard_for_commitment(adapter, bytes))
        return false;
    adapter->commit_charged += bytes;
    for (struct allocation *a = allocation; a; a = a->next_copy)
        a->charged |= a->keeper == a;
    allocation->offer.decommitted = false;
    return true;
}
