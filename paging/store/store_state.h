/* SPDX-License-Identifier: MIT */
/*
 * store_state.h: the state of this folder: system memory, and what is taken of each segment; and
 * what its files ask each other.
 */
#ifndef PAGING_STORE_STATE_H
#define PAGING_STORE_STATE_H

#include "paging/store/pool.h"
#include "paging/store/store.h"
#include "vidmm/adapter.h"

/* What was wrong with the last choice of a placement policy; told when its place is booked. */
struct broken_pick {
    enum vidmm_rule rule; /* NONE: nothing */
    uint64_t offset;      /* what the policy said */
};

/* Apart from the slots: all have a name before anybody knows which there are. */
struct segment_name {
    const char *name;
    char *own; /* what `name` is in a link, after adapter 0 */
};

/* What is taken of one segment. */
struct segment_slot {
    struct segment segment;
    struct held_ranges held;
    struct eviction_order order; /* in which its residents leave (turns.c) */
    void *policy_state;          /* of the placement policy; NULL: all 0 so far */
    struct broken_pick broken;
};

struct store {
    struct range_tree system_space; /* free system pages, in bytes */
    struct page_store system_pages;
    bool dummy_written; /* something was written there since it was looked at (MINI-075) */
    uint64_t commit_charged;
    const struct vidmm_placement_policy *placement; /* NULL: the documented place */
    struct pageable *pageables; /* all that are (pageable.c), the youngest first */
    struct pool records;        /* where they lie */
    uint64_t shared_committed;  /* bytes mapped in all apertures, and segment 0 (SEG-071) */
    struct vidmm_bus bus[VIDMM_LINK_MAX]; /* one for each physical adapter */
    uint64_t next_stamp;                  /* serial of the next content tag */
    struct stamp_note *stamps;            /* the last writes, by stamp (content_check.c) */
    uint32_t ranges_leaving;              /* aperture ranges taken until their unmap has run */
    uint64_t referring;            /* number of the call whose references are counted (turns.c) */
    uint64_t references, arrivals; /* so far, for eviction policies (turns.c) */
    /* Both by id: those of adapter 0 first, then as many of each other one. */
    struct segment_name names[VIDMM_SEGMENT_SLOTS + 1];
    /* [0] has an order only, that of system memory. */
    struct segment_slot segments[VIDMM_SEGMENT_SLOTS + 1];
};

/* It holds no pages any more. */
void backing_end(struct pageable *allocation);
/* Its store goes, whoever supplied the pages. */
void backing_fini(adapter_t *adapter, struct pageable *allocation);
/* Whose list it is. Only for what mdl_of() gave. */
const struct backing *mdl_backing(const MDL *mdl);
/* place_common.c. PLACE-021: the first place that is free on every adapter of a link; the search is
   that of adapter 0. */
bool place_common(const adapter_t *adapter, const struct vidmm_search *search, uint64_t *offset);
/* Its pages are of several stores: another one may have written them. */
bool content_shares_pages(const struct pageable *allocation);

#endif
