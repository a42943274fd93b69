/* SPDX-License-Identifier: MIT */
/*
 * placement_plan.c: the documented order of searches, under every placement policy.
 *
 * Which segments: the preferred ones of the set in their order, each once, then the rest by id
 * (PLACE-004, ALLOC-022); no direction and no flag ever changes this order (PLACE-009).
 *
 * Which way: a bank's own bit in a bank; else the bit of the preference, where it says something;
 * else FromEndOfSegment; else upwards (PLACE-007, PLACE-008, FLAG-029).
 *
 * Where: a pinned allocation only in the pinned region (PLACE-023), one that is created in the VPR
 * only in the protected range (FLAG-059), any other in the whole segment.
 * Banks of SegmentId0 come first, inside before across their edge, then all of it (PLACE-010).
 *
 * A window that cannot hold the allocation even when everything in it leaves is no search.
 */
#include "segments/placement.h"
#include "segments/segment.h"

struct plan {
    const struct vidmm_demand *demand;
    const struct vidmm_segment_desc *const *segments;
    uint32_t left; /* segments of the set that have no searches yet */
    struct vidmm_search *searches;
    size_t length;
};

enum banks { BANKS_NONE, BANKS_INSIDE, BANKS_ACROSS };

struct direction {
    bool from_end;
    enum vidmm_rule why;
};

uint32_t preference_segment(uint32_t preferred, unsigned index)
{
    CHECK(index < VIDMM_PREFERENCES_MAX);
    return preferred >> (6 * index) & 0x1F;
}

bool preference_top_down(uint32_t preferred, unsigned index)
{
    CHECK(index < VIDMM_PREFERENCES_MAX);
    return preferred >> (6 * index + 5) & 1;
}

uint32_t hinted_bank(uint32_t hint, unsigned index)
{
    CHECK(index < VIDMM_BANK_HINTS_MAX);
    return hint >> (8 * index) & 0x7F;
}

bool hinted_bank_top_down(uint32_t hint, unsigned index)
{
    CHECK(index < VIDMM_BANK_HINTS_MAX);
    return hint >> (8 * index + 7) & 1;
}

/* The older text reads bit 0 as "upwards", the current one as "the manager chooses". */
static bool zero_is_bottom_up(const struct vidmm_demand *demand)
{
    if (demand->direction_zero == VIDMM_DIRECTION_ZERO_AUTO)
        return demand->wddm < VIDMM_WDDM_2_0;
    return demand->direction_zero == VIDMM_DIRECTION_ZERO_BOTTOM_UP;
}

static struct direction flag_direction(const struct vidmm_demand *demand)
{
    if (demand->from_end)
        return (struct direction){ true, VIDMM_RULE(PLACE_008) };
    return (struct direction){ false, VIDMM_RULE(PLACE_007) };
}

static struct direction preferred_direction(const struct vidmm_demand *demand, unsigned index)
{
    bool top_down = preference_top_down(demand->preferred, index);
    if (top_down || zero_is_bottom_up(demand))
        return (struct direction){ top_down, VIDMM_RULE(PLACE_008) };
    return flag_direction(demand);
}

/* Adds `window` in the given direction, unless it is too small. */
static void add_search(struct plan *plan, const struct vidmm_search *window,
                       struct direction direction)
{
    if (window->high < window->footprint || window->high - window->footprint < window->low)
        return;
    CHECK(plan->length < VIDMM_SEARCHES_MAX);
    struct vidmm_search *search = &plan->searches[plan->length++];
    *search = *window;
    search->from_end = direction.from_end;
    search->why = plan->demand->pinned ? VIDMM_RULE(PLACE_023) : direction.why;
}

static struct vidmm_search bank_inside(const struct vidmm_search *whole, struct range bank)
{
    struct vidmm_search window = *whole;
    window.low = max_u64(whole->low, bank.offset);
    window.high = min_u64(whole->high, range_end(bank));
    return window;
}

/*
 * Upwards the first page lies in the bank and the rest may follow it; downwards the last
 * page lies in the bank and the rest may come before it.
 */
static struct vidmm_search bank_across(const struct vidmm_search *whole, struct range bank,
                                       uint64_t page_bytes, bool from_end)
{
    struct vidmm_search window = *whole;
    uint64_t more = whole->footprint - page_bytes;
    if (from_end) {
        uint64_t first = bank.offset + page_bytes;
        window.low = max_u64(whole->low, first > whole->footprint ? first - whole->footprint : 0);
        window.high = min_u64(whole->high, range_end(bank));
    } else {
        window.low = max_u64(whole->low, bank.offset);
        window.high = min_u64(whole->high, range_end(bank) + more);
    }
    return window;
}

/* Adds searches in the hinted banks: either inside them, or across their edge. */
static void add_banks(struct plan *plan, const struct vidmm_segment_desc *desc,
                      const struct vidmm_search *whole, enum banks banks)
{
    uint32_t hint = plan->demand->hinted_bank;
    for (unsigned i = 0; i < VIDMM_BANK_HINTS_MAX; i++) {
        uint32_t id = hinted_bank(hint, i);
        if (id == 0 || id > desc->bank_count)
            continue;
        struct range bank = bank_range(desc, id);
        struct direction direction = { hinted_bank_top_down(hint, i), VIDMM_RULE(PLACE_010) };
        struct vidmm_search window = bank_inside(whole, bank);
        if (banks == BANKS_ACROSS) {
            struct vidmm_search inside = window;
            window = bank_across(whole, bank, desc->page_bytes, direction.from_end);
            if (window.low == inside.low && window.high == inside.high)
                continue; /* no room for an edge between bank and window: nothing new to find */
        }
        add_search(plan, &window, direction);
    }
}

static void plan_segment(struct plan *plan, uint32_t id, struct direction direction,
                         enum banks banks)
{
    const struct vidmm_demand *demand = plan->demand;
    const struct vidmm_segment_desc *desc = plan->segments[id - 1];
    plan->left &= ~(UINT32_C(1) << (id - 1));
    struct vidmm_search whole = {
        .segment = id,
        .low = demand->pinned ? desc->pin_start : 0,
        .high = desc->bytes,
        .footprint = segment_footprint(desc, demand->bytes, demand->pitch_bytes),
        .alignment = max_u64(demand->alignment, desc->page_bytes),
    };
    if (demand->in_vpr) {
        whole.low = max_u64(whole.low, desc->vpr_start);
        whole.high = desc->vpr_end;
    }
    if (whole.footprint == 0 || whole.footprint > desc->bytes)
        return;
    if (banks != BANKS_NONE &&
        demand->wddm < VIDMM_WDDM_2_0) { /* later descriptors have none: SEG-042 */
        add_banks(plan, desc, &whole, BANKS_INSIDE);
        add_banks(plan, desc, &whole, BANKS_ACROSS);
    }
    add_search(plan, &whole, direction);
}

size_t placement_plan(const struct vidmm_demand *demand,
                      const struct vidmm_segment_desc *const *segments, size_t count,
                      struct vidmm_search *searches)
{
    CHECK(count <= VIDMM_SEGMENTS_MAX);
    uint32_t all = (UINT32_C(1) << count) - 1;
    struct plan plan = {
        .demand = demand, .segments = segments, .left = demand->segments & all, .searches = searches
    };
    for (unsigned i = 0; i < VIDMM_PREFERENCES_MAX; i++) {
        uint32_t id = preference_segment(demand->preferred, i);
        if (id != 0 && plan.left >> (id - 1) & 1)
            plan_segment(&plan, id, preferred_direction(demand, i),
                         i == 0 ? BANKS_INSIDE : BANKS_NONE);
    }
    for (uint32_t id = 1; id <= count; id++)
        if (plan.left >> (id - 1) & 1)
            plan_segment(&plan, id, flag_direction(demand), BANKS_NONE);
    return plan.length;
}
