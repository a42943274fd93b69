/* SPDX-License-Identifier: MIT */
/*
 * place_part.h: what paging/residency keeps of each allocation. It alone writes it.
 */
#ifndef PAGING_PLACE_PART_H
#define PAGING_PLACE_PART_H

#include "segments/segments.h"
#include "vidmm/vidmm.h"

struct pageable;

/* Where it is. One range below 2.0; a page set has several, in ascending order. */
struct place {
    uint32_t segment; /* 0: system memory */
    uint32_t run_count;
    union {
        struct range one;   /* where run_count is at most 1 */
        struct range *runs; /* else */
    };
};

static inline const struct range *place_runs(const struct place *place)
{
    return place->run_count > 1 ? place->runs : &place->one;
}

static inline uint64_t place_offset(const struct place *place)
{
    return place->run_count ? place_runs(place)[0].offset : 0;
}

static inline bool place_overlaps(const struct place *place, struct range range)
{
    for (size_t i = 0; i < place->run_count; i++)
        if (range_overlaps(place_runs(place)[i], range))
            return true;
    return false;
}

/* What its owner can do without for a while: see offer.c. Of a copy in a link only `last_use`. */
struct offer {
    enum vidmm_offer_state state;
    uint32_t priority, level; /* as given, and what AUTO came to (OFFER-009) */
    uint64_t turn;            /* which offer it was: those of one level go in this order */
    uint64_t last_use;        /* that of its node, which has the turn meanwhile */
    bool decommit;            /* its commitment may go with the content (OFFER-018) */
    bool decommitted;         /* it has gone */
    bool refill;              /* reclaimed without content: for the cause of a fault (PAGE-066) */
    struct pageable *previous, *next; /* pending or offered: of the same level */
};

struct place_part {
    struct place at;           /* RESIDENT only */
    bool pinned : 1;           /* leaves only in one of the events of FLAG-035 */
    bool pinned_anyway : 1;    /* not only as it is displayed, or its context loaded: it stays so */
    bool displayed : 1;        /* scanned out (RES-057) */
    bool leaving : 1;          /* closed, and still has to leave its place */
    bool used_before : 1;      /* for the cause of a fault (PAGE-066) */
    uint32_t discards;         /* how often its content was thrown away (OFFER-011) */
    struct victim_node victim; /* in its segment's eviction order while RESIDENT, or pinned there */
    uint64_t bound_in;         /* preparation that binds it (PLACE-003) */
    struct offer *offer;       /* NULL: it was never offered; offer_of() */

    /* A mirrored or instanced allocation has a copy on each adapter of a link: the first one is
       part of the allocation itself, with which the others live and whose fences they use. */
    struct pageable *first_copy; /* of a further copy: the first one; else NULL */
    struct pageable *next_copy;  /* on the next adapter */
    /* The place that it left last (SUBMIT-005), segment 0: none, or system memory. */
    uint64_t last_address;
    uint32_t last_segment;
    uint32_t placements; /* how often it was placed: tells a stale completion from a new one */
};

#endif
