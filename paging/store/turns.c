/* SPDX-License-Identifier: MIT */
/*
 * turns.c: the orders in which residents leave their segments, one for each segment, and what the
 * eviction policy is told.
 *
 * Under the documented order nothing is kept but the nodes. Under a policy each allocation that was
 * referenced or placed has a record (segments/eviction.h), which ends with the allocation.
 */
#include <inttypes.h>

#include "paging/store/turns.h"

#include "paging/store/store_state.h"
#include "paging/time/time.h"
#include "segments/policies/policies.h"
#include "vidmm/catalogue/catalogue.h"

struct eviction_order *turns_of(const adapter_t *adapter, uint32_t segment)
{
    return &adapter->store->segments[segment].order;
}

vidmm_status turns_start(adapter_t *adapter)
{
    const struct setup *setup = adapter->setup;
    uint64_t number = setting(adapter, VIDMM_SETTING_EVICTION);
    const struct vidmm_policies *loaded = settings_loaded(&setup->config, VIDMM_SETTING_EVICTION);
    const struct vidmm_eviction_policy *policy =
        loaded ? loaded->eviction : vidmm_eviction_policy_row(number);
    if (!policy)
        return refuse(adapter, RULE(POLICY_010), STATUS_INVALID_PARAMETER,
                      "no eviction policy has the number %" PRIu64, number);
    const struct vidmm_foresight *foresight = setup->config.foresight;
    if (policy->foresees && !(foresight && foresight->next_use))
        return refuse(adapter, RULE(POLICY_013), STATUS_INVALID_PARAMETER,
                      "the eviction policy %s needs the references to come, and nobody knows them",
                      policy->name);
    for (uint32_t id = 0; id <= setup->segment_count; id++) {
        const struct vidmm_segment_desc *desc = id ? segment_desc(adapter, id) : NULL;
        *turns_of(adapter, id) = (struct eviction_order){
            .policy = policy->key || policy->next ? policy : NULL,
            .terms = { .capacity = desc ? desc->bytes : setup->shared_limit,
                       .page = desc ? desc->page_bytes : setup->page,
                       .seed = setup->config.seed },
        };
    }
    applies(adapter, RULE(POLICY_010));
    if (policy->foresees)
        applies(adapter, RULE(POLICY_013));
    adapter->store->references = 0;
    if (foresight && foresight->begun)
        foresight->begun(foresight->caller);
    return STATUS_SUCCESS;
}

void turns_stop(adapter_t *adapter)
{
    for (uint32_t id = 0; id <= adapter->setup->segment_count; id++) {
        eviction_fini(turns_of(adapter, id));
        *turns_of(adapter, id) = (struct eviction_order){ 0 };
    }
}

/* ---- what policies are told ------------------------------------------------------------------ */

static vidmm_ns cost_of_return(const adapter_t *adapter, const struct pageable *allocation,
                               uint32_t segment)
{
    bool memory = segment && !segment_is_aperture(segment_desc(adapter, segment));
    const struct cost_command command = {
        .operation = memory ? COST_TRANSFER : COST_MAP,
        .source = COST_MDL,
        .destination = COST_MEMORY,
        .bytes = allocation->info.bytes,
        .page_bytes = adapter->setup->page,
    };
    return max_u64(cost_charge(&adapter->setup->cost, &command), 1);
}

/* NULL: there is no policy beside the documented order. */
static struct vidmm_resident *view_in(const adapter_t *adapter, struct pageable *allocation,
                                      uint32_t segment)
{
    struct vidmm_resident *view =
        eviction_view(turns_of(adapter, segment), &allocation->place.victim);
    if (!view || view->id)
        return view;
    view->id = allocation->handle;
    view->bytes = segment ? segment_footprint(segment_desc(adapter, segment),
                                              allocation->info.bytes, allocation->info.pitch_bytes)
                          : allocation->info.bytes;
    view->cost = cost_of_return(adapter, allocation, segment);
    return view;
}

void turns_arrive(adapter_t *adapter, struct pageable *allocation)
{
    struct vidmm_resident *view = view_in(adapter, allocation, allocation->place.at.segment);
    allocation->store.reference.used = clock_now(adapter);
    if (view)
        view->arrival = ++adapter->store->arrivals;
}

/* ---- the prospect of a segment --------------------------------------------------------------- */

struct prospect *turns_prospect(const adapter_t *adapter, uint32_t segment)
{
    return adapter->store->segments[segment].segment.prospect;
}

void turns_foresee(adapter_t *adapter, uint32_t segment)
{
    CHECK(!turns_of(adapter, segment)->policy);
    segment_foresee(segment_at(adapter, segment), &turns_of(adapter, segment)->tree);
}

/* It has got another turn, or its first one. */
static void foresee_turn(const adapter_t *adapter, struct pageable *allocation)
{
    const struct place *place = &allocation->place.at;
    struct prospect *prospect = adapter->store->segments[place->segment].segment.prospect;
    if (!prospect || !victim_listed(&allocation->place.victim))
        return;
    prospect_enter(prospect, &allocation->place.victim,
                   place->run_count == 1 ? place->one : (struct range){ 0 });
    if (prospect_is_done(prospect))
        segment_forget_prospect(segment_at(adapter, place->segment));
}

/* It is going to lose its turn. */
static void foresee_loss(const adapter_t *adapter, struct pageable *allocation)
{
    uint32_t segment = allocation->place.at.segment;
    struct prospect *prospect = adapter->store->segments[segment].segment.prospect;
    if (prospect) /* of one that has no turn it knows nothing */
        prospect_leave(prospect, &allocation->place.victim);
}

/* ---- turns ----------------------------------------------------------------------------------- */

void turns_enter(adapter_t *adapter, struct pageable *allocation)
{
    (void)view_in(adapter, allocation, allocation->place.at.segment);
    eviction_insert(turns_of(adapter, allocation->place.at.segment), &allocation->place.victim);
    foresee_turn(adapter, allocation);
}

/* It is the next to leave, and nobody has looked at its record for long. */
static void fetch_first(const adapter_t *adapter, const struct eviction_order *order)
{
    struct victim_cursor cursor = victim_first(&order->tree, VICTIM_ANY_PRIORITY);
    struct victim_node *node = victim_next(&cursor);
    if (node)
        pageable_fetch(adapter, CONTAINER_OF(node, struct pageable, place.victim));
}

void turns_leave(adapter_t *adapter, struct pageable *allocation)
{
    struct eviction_order *order = turns_of(adapter, allocation->place.at.segment);
    bool makes_room = allocation->place.victim.chosen; /* then others follow */
    foresee_loss(adapter, allocation);
    eviction_remove(order, &allocation->place.victim);
    if (makes_room)
        fetch_first(adapter, order);
}

void turns_set_priority(adapter_t *adapter, struct pageable *allocation, uint32_t priority)
{
    foresee_loss(adapter, allocation);
    eviction_change_priority(turns_of(adapter, allocation->place.at.segment),
                             &allocation->place.victim, priority);
    foresee_turn(adapter, allocation);
}

void turns_set_rank(adapter_t *adapter, struct pageable *allocation, int rank, uint64_t last_use)
{
    foresee_loss(adapter, allocation);
    eviction_change_rank(turns_of(adapter, allocation->place.at.segment), &allocation->place.victim,
                         (int8_t)rank, last_use);
    foresee_turn(adapter, allocation);
}

void turns_forget(struct pageable *allocation)
{
    eviction_forget(&allocation->place.victim);
}

void turns_missed(adapter_t *adapter, struct pageable *allocation, uint32_t segment)
{
    if (!allocation->store.miss_untold || allocation->store.state == ALLOCATION_RESIDENT)
        return;
    allocation->store.miss_untold = false;
    (void)view_in(adapter, allocation, segment);
    eviction_missed(turns_of(adapter, segment), &allocation->place.victim);
}

/* ---- references ------------------------------------------------------------------------------ */

void turns_begin(adapter_t *adapter)
{
    adapter->store->referring++;
}

/* Of a miss the policy hears when it is known where the allocation is wanted. */
VIDMM_APART static void tell_policy(adapter_t *adapter, struct pageable *allocation, bool hit)
{
    const struct vidmm_foresight *foresight = adapter->setup->config.foresight;
    uint64_t next_use = UINT64_MAX;
    if (foresight && foresight->referenced)
        foresight->referenced(foresight->caller, allocation->handle, allocation->info.bytes);
    if (turns_of(adapter, 0)->policy && turns_of(adapter, 0)->policy->foresees)
        next_use = foresight->next_use(foresight->caller, allocation->handle);
    for (struct pageable *a = allocation; a; a = a->place.next_copy) {
        struct eviction_order *order = turns_of(adapter, a->place.at.segment);
        struct vidmm_resident *known = eviction_known(order, &a->place.victim);
        if (!known)
            continue;
        known->last_use = adapter->store->references;
        known->next_use = next_use;
        a->store.miss_untold = !hit;
        if (hit)
            eviction_used(order, &a->place.victim);
    }
}

static void count(adapter_t *adapter, struct pageable *allocation, bool hit)
{
    struct pageable *whole = allocation_whole(allocation);
    if (whole->store.reference.counted == adapter->store->referring)
        return;
    whole->store.reference.counted = adapter->store->referring;
    adapter->store->references++;
    applies(adapter, RULE(POLICY_012));
    count_up(adapter, hit ? VIDMM_COUNTER_USE_HITS : VIDMM_COUNTER_USE_MISSES, 1);
    count_up(adapter, hit ? VIDMM_COUNTER_USE_HIT_BYTES : VIDMM_COUNTER_USE_MISS_BYTES,
             whole->info.bytes);
    if (turns_of(adapter, 0)->policy || adapter->setup->config.foresight)
        tell_policy(adapter, whole, hit);
}

void turns_used(adapter_t *adapter, struct pageable *allocation, uint64_t use)
{
    for (struct pageable *a = allocation; a; a = a->place.next_copy) {
        a->store.reference.used = clock_now(adapter);
        if (eviction_by_last_use(turns_of(adapter, 0)))
            victim_touch(&a->place.victim, use);
        if (a->place.victim.away && turns_prospect(adapter, a->place.at.segment))
            prospect_used(turns_prospect(adapter, a->place.at.segment), &a->place.victim);
    }
    count(adapter, allocation, true);
}

void turns_wanted(adapter_t *adapter, struct pageable *allocation)
{
    count(adapter, allocation, false);
}

/* ---- a policy that breaks its word ----------------------------------------------------------- */

void turns_tell_flaw(adapter_t *adapter, uint32_t flaws)
{
    if (flaws)
        finding(adapter, RULE(POLICY_011), 0,
                "the eviction policy %s named %s: the rest follows in the documented order",
                turns_of(adapter, 0)->policy->name,
                flaws & EVICTION_STRANGER ? "what is no resident of that segment and priority"
                : flaws & EVICTION_TWICE  ? "a resident twice"
                                          : "less than all residents");
}
