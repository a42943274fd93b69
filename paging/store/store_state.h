/* SPDX-License-Identifier: MIT */
/*
 * store_state.h: the state of this folder: system memory, and what is taken of each segment.
 */
#ifndef PAGING_STORE_STATE_H
#define PAGING_STORE_STATE_H

#include "paging/store/store.h"
#include "vidmm/adapter.h"

/* What is known of one segment. */
struct segment_slot {
    struct segment segment;
    const char *name;
    char *own_name;            /* what `name` is in a link, behind adapter 0 */
    struct victim_index order; /* who leaves first (PLACE-012) */
    struct allocation *pinned; /* residents that are not in that order */
    struct range_list {
        struct range *ranges;
        size_t count, capacity;
    } fixed,      /* paging buffers: never free (PLACE-020) */
        evicting; /* aperture ranges that serve an eviction */
    /* FLAG-039: live allocations that could be pinned here, and those that evict too much to here.
     */
    struct advice {
        vidmm_handle newest; /* one of them, to be named */
        uint64_t count;
    } may_pin, evicts_much;
    uint32_t protected_count; /* residents in its protected range (NumVprSupported, SEG-061) */
    struct host_aperture {
        struct range_tree space;              /* free pages of it */
        struct host_mapping *oldest, *newest; /* offered ranges (RES-074) */
    } host;
    uint64_t counters[VIDMM_COUNTERS];
};

struct store {
    struct range_tree system_space; /* free system pages, in bytes */
    struct page_store system_pages;
    uint64_t commit_charged;
    struct allocation *pageables; /* all that are (pageable.c), the youngest first */
    uint64_t shared_committed;    /* bytes mapped in all apertures, and segment 0 (SEG-071) */
    struct vidmm_bus bus[VIDMM_LINK_MAX]; /* one for each physical adapter */
    uint64_t next_stamp;                  /* serial of the next content tag */
    struct stamp_note *stamps;            /* the last writes, by stamp (stamp.c) */
    uint32_t ranges_leaving;              /* aperture ranges taken until their unmap has run */
    /* By id; [0] stays empty. Those of adapter 0 first, then as many of each other one. */
    struct segment_slot segments[VIDMM_SEGMENT_SLOTS + 1];
};

#endif
