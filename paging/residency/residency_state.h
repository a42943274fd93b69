/* SPDX-License-Identifier: MIT */
/*
 * residency_state.h: the state of this folder: what is pinned, bound and offered.
 */
#ifndef PAGING_RESIDENCY_STATE_H
#define PAGING_RESIDENCY_STATE_H

#include "paging/residency/residency.h"
#include "vidmm/adapter.h"

/* The residents of one segment. */
struct residents {
    struct victim_node *pinned; /* those that are in no order of victims; pinned_first() */
    uint32_t protected_count;   /* those in its protected range (NumVprSupported, SEG-061) */
};

struct residency {
    struct pageable **bound; /* what the open preparation binds (PLACE-003) */
    size_t bound_count, bound_capacity;
    struct candidate *candidates; /* of the last plan, to be used again by the next */
    size_t candidate_capacity;
    struct chosen_victim *victims; /* likewise, of a place that was found; NULL: in use */
    size_t victim_capacity;
    enum residency_miss miss;
    uint64_t offers; /* ever made */
    /* Pending or offered, by level (OFFER-010); in the order of their offers. */
    struct pageable *offered[D3DDDI_OFFER_PRIORITY_AUTO];
    struct residents residents[VIDMM_SEGMENT_SLOTS + 1]; /* by segment */
};

/* Their nodes stand in no index, so they are linked. */
static inline struct pageable *pinned_first(const struct residents *residents)
{
    return residents->pinned ? CONTAINER_OF(residents->pinned, struct pageable, place.victim)
                             : NULL;
}

static inline struct pageable *pinned_next(const struct pageable *allocation)
{
    struct victim_node *next = allocation->place.victim.next;
    return next ? CONTAINER_OF(next, struct pageable, place.victim) : NULL;
}

/* Its offer, to be written. */
static inline struct offer *offer_own(struct pageable *allocation)
{
    if (!allocation->place.offer)
        allocation->place.offer = base_alloc(1, sizeof *allocation->place.offer);
    return allocation->place.offer;
}

#endif
