/* SPDX-License-Identifier: MIT */
/*
 * pick.c: the placement policy chooses among the free places of a search, and is not believed.
 *
 * Whether there is a place, and in which window, is decided before a policy is asked, and does not
 * depend on it. What it answers is checked against the search; where a rule is broken the
 * documented place is taken instead, and the mistake is told once the place is booked: a policy is
 * asked more often than that.
 */
#include <inttypes.h>

#include "paging/store/store.h"
#include "paging/store/store_state.h"
#include "segments/policies/policies.h"

/* One segment as a policy sees it. */
struct segment_space {
    struct vidmm_space view;
    const struct segment *segment;
};

static bool next_in_segment(const struct vidmm_space *space, struct vidmm_search *rest,
                            struct vidmm_fit *fit)
{
    const struct segment *segment = CONTAINER_OF(space, const struct segment_space, view)->segment;
    rest->segment = segment->desc.id;
    return segment_next_fit(segment, rest, fit);
}

/* What is free on every adapter of a link. */
struct common_space {
    struct vidmm_space view;
    const adapter_t *adapter;
};

static bool next_in_all(const struct vidmm_space *space, struct vidmm_search *rest,
                        struct vidmm_fit *fit)
{
    const adapter_t *adapter = CONTAINER_OF(space, const struct common_space, view)->adapter;
    uint64_t place;
    base_work(1);
    rest->segment = space->segment->id;
    if (!segment_can_search(space->segment, rest) || !place_common(adapter, rest, &place))
        return false;
    *fit = (struct vidmm_fit){ .place = place, .room = UINT64_MAX, .high = UINT64_MAX };
    for (uint32_t i = 0; i < adapter->setup->link_count; i++) {
        uint32_t there = segment_of_adapter(adapter, rest->segment, i);
        struct vidmm_fit one = segment_fit_at(segment_at(adapter, there), rest, place);
        fit->low = max_u64(fit->low, one.low);
        fit->high = min_u64(fit->high, one.high);
    }
    fit->room =
        min_u64(fit->high, rest->high) - align_up(max_u64(fit->low, rest->low), rest->alignment);
    segment_pass(rest, fit);
    return true;
}

/* ---- what a policy answers ------------------------------------------------------------------ */

const struct vidmm_placement_policy *places_policy(const adapter_t *adapter)
{
    const struct vidmm_placement_policy *policy = adapter->store->placement;
    return policy && policy->pick ? policy : NULL;
}

void places_use_policy(adapter_t *adapter, const struct vidmm_placement_policy *policy)
{
    adapter->store->placement = policy;
}

static void *state_of(adapter_t *adapter, uint32_t segment)
{
    struct segment_slot *slot = &adapter->store->segments[segment];
    size_t bytes = adapter->store->placement->state_bytes;
    if (!slot->policy_state && bytes)
        slot->policy_state = base_alloc(1, bytes);
    return slot->policy_state;
}

/* The window within which the place has to lie at one end (POLICY-005): of its hole or its block.
 */
static struct vidmm_search surroundings(const struct vidmm_placement_policy *policy,
                                        const struct vidmm_search *search,
                                        const struct vidmm_fit *fit)
{
    struct vidmm_search window = *search;
    uint64_t low = fit->low, high = fit->high;
    if (policy->blocks) {
        uint64_t block = 1; /* a larger alignment leaves one place in its block, the first */
        while (block < search->footprint)
            block *= 2;
        low = align_down(fit->place, block);
        high = low + block;
    }
    window.low = max_u64(window.low, low);
    window.high = min_u64(window.high, high);
    return window;
}

/* NONE: the choice keeps every rule. */
static enum vidmm_rule broken_rule(const struct vidmm_placement_policy *policy,
                                   const struct vidmm_space *space,
                                   const struct vidmm_search *search, uint64_t offset)
{
    struct vidmm_search alone = *search;
    struct vidmm_fit fit;
    if (offset < search->low || offset >= search->high || search->high - offset < search->footprint)
        return RULE(POLICY_002);
    if (!is_aligned(offset, search->alignment))
        return RULE(POLICY_003);
    alone.low = offset;
    alone.high = offset + search->footprint;
    if (!space->next(space, &alone, &fit))
        return RULE(POLICY_004);
    alone = surroundings(policy, search, &fit);
    if (!space->next(space, &alone, &fit) || fit.place != offset)
        return RULE(POLICY_005);
    return RULE(NONE);
}

/* `*offset` comes as the documented place. */
static void pick(adapter_t *adapter, const struct vidmm_space *space,
                 const struct vidmm_search *search, uint64_t *offset)
{
    const struct vidmm_placement_policy *policy = places_policy(adapter);
    struct broken_pick *broken = &adapter->store->segments[search->segment].broken;
    uint64_t chosen = *offset;
    *broken = (struct broken_pick){ .rule = RULE(NONE) };
    if (!policy->pick(state_of(adapter, search->segment), space, search, &chosen)) {
        applies(adapter, RULE(POLICY_006));
        return;
    }
    enum vidmm_rule rule = broken_rule(policy, space, search, chosen);
    if (rule == RULE(NONE))
        *offset = chosen;
    else
        *broken = (struct broken_pick){ rule, chosen };
}

bool places_find(adapter_t *adapter, const struct vidmm_search *search, uint64_t *offset)
{
    const struct segment *segment = segment_at(adapter, search->segment);
    if (!segment_find(segment, search, offset))
        return false;
    if (places_policy(adapter)) {
        struct segment_space space = { { &segment->desc, next_in_segment }, segment };
        pick(adapter, &space.view, search, offset);
    }
    return true;
}

void places_pick_common(adapter_t *adapter, const struct vidmm_search *search, uint64_t *offset)
{
    struct common_space space = { { segment_desc(adapter, search->segment), next_in_all },
                                  adapter };
    if (places_policy(adapter))
        pick(adapter, &space.view, search, offset);
}

/* ---- what a policy did wrong ---------------------------------------------------------------- */

static const char *what_is_wrong(enum vidmm_rule rule)
{
    if (rule == RULE(POLICY_002))
        return "outside of the window of the search";
    if (rule == RULE(POLICY_003))
        return "not aligned";
    if (rule == RULE(POLICY_004))
        return "not free";
    return "not where the direction of the search begins";
}

void places_placed(adapter_t *adapter, const struct vidmm_search *search, uint64_t offset)
{
    const struct vidmm_placement_policy *policy = places_policy(adapter);
    struct broken_pick *broken = &adapter->store->segments[search->segment].broken;
    if (!policy)
        return;
    applies(adapter, RULE(POLICY_007));
    if (policy->placed)
        policy->placed(state_of(adapter, search->segment), search, offset);
    if (broken->rule == RULE(NONE))
        return;
    enum vidmm_rule rule = broken->rule;
    broken->rule = RULE(NONE);
    finding(adapter, rule, 0,
            "placement policy %s chose offset 0x%" PRIX64 " of %s for %s between 0x%" PRIX64
            " and 0x%" PRIX64 ", which is %s: the documented place 0x%" PRIX64 " is taken",
            policy->name, broken->offset, segment_name(adapter, search->segment),
            words_size(search->footprint).it, search->low, search->high, what_is_wrong(rule),
            offset);
}
