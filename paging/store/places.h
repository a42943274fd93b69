/* SPDX-License-Identifier: MIT */
/*
 * places.h: the books of ranges: what is taken of each segment, what is committed, and what serves
 * an eviction. The second door of this folder, to places.c.
 */
#ifndef PAGING_STORE_PLACES_H
#define PAGING_STORE_PLACES_H

#include "paging/pageable.h"
#include "vidmm/tell/tell.h"

/* Where what lies in the segment is found; nothing lies in segment 0. */
struct segment *segment_at(const adapter_t *adapter, uint32_t id);
const char *segment_name(const adapter_t *adapter, uint32_t id); /* in scenarios and reports */
/* `name` lives as long as the adapter; `own`, if there is one, is the segment's (base_alloc). */
void places_name(adapter_t *adapter, uint32_t id, const char *name, char *own);
void places_stop(adapter_t *adapter); /* the segments go, with whatever is booked in them */
/* The segment address of a resident allocation: BaseAddress + offset (SEG-020). */
uint64_t place_address(const adapter_t *adapter, const struct place *place);
uint32_t places_aperture_set(const adapter_t *adapter); /* the apertures of one adapter */
/* Do both commit limits allow so many bytes more in this segment (PLACE-019)? */
bool places_allow(const adapter_t *adapter, uint32_t segment, uint64_t bytes);
/* Bytes that count for the limit over all apertures, segment 0 among them (SEG-071). */
void places_commit(adapter_t *adapter, uint32_t segment, uint64_t bytes, bool more);
uint64_t places_committed(const adapter_t *adapter); /* now */

/* pick.c. The place that a search finds, chosen by the placement policy; false: there is none. */
bool places_find(adapter_t *adapter, const struct vidmm_search *search, uint64_t *offset);
/* The same on every adapter of a link, when `*offset` is what places_find_common() found. */
void places_pick_common(adapter_t *adapter, const struct vidmm_search *search, uint64_t *offset);
/* A place that was found is booked. Tells what a policy did wrong. */
void places_placed(adapter_t *adapter, const struct vidmm_search *search, uint64_t offset);
/* place_tell.c. PLACE-015: does it need one range there, and not single pages? */
bool needs_range(const adapter_t *adapter, const struct pageable *allocation, uint32_t segment);
/* It was placed by this search: event `place`; the placement policy hears of it, too. */
void places_tell(adapter_t *adapter, const struct pageable *allocation,
                 const struct vidmm_search *search);
/* What chooses, if not the documented order alone (NULL); from the start of the adapter on. */
const struct vidmm_placement_policy *places_policy(const adapter_t *adapter);
void places_use_policy(adapter_t *adapter, const struct vidmm_placement_policy *policy);
/* place_common.c. PLACE-021: the first search, each of adapter 0, with a place that is free on
   every adapter of a link, whatever the limits say. NULL: none. */
const struct vidmm_search *places_find_common(const adapter_t *adapter,
                                              const struct vidmm_search *searches, size_t count,
                                              struct place *place);
uint64_t places_low(const adapter_t *adapter, const struct vidmm_search *search); /* of them all */
/* Do the commit limits allow so many bytes on each? And is the place, adapter 0's, free on all? */
bool places_allow_all(const adapter_t *adapter, uint32_t segment, uint64_t bytes);
bool places_free_in_all(const adapter_t *adapter, const struct place *place);

/* Takes a range: used, committed, gauges. */
void places_take(adapter_t *adapter, uint32_t segment, struct range range, bool pinned);
struct freed_runs { /* what becomes free of one segment, and whose it was */
    const struct range *runs;
    size_t count;
    bool pinned;
    vidmm_handle owner; /* 0: no allocation's */
};
/* Gives runs back: event `unplace` for each. */
void places_release(adapter_t *adapter, uint32_t segment, struct freed_runs freed);
/* A range of an aperture was given up, and stays taken until its unmap has run. */
void places_leaving_begin(adapter_t *adapter);
void places_leaving_end(adapter_t *adapter);
bool places_leaving(const adapter_t *adapter); /* is there any? */
struct range_list {                            /* of one segment, in no order */
    struct range *ranges;
    size_t count, capacity;
};
void range_list_add(struct range_list *list, struct range range);
/* The largest piece of [0, bytes) between them, which are sorted; `taken`: what they have. */
uint64_t range_list_largest(struct range_list *list, uint64_t bytes, uint64_t *taken);
struct held_ranges {            /* taken, and no allocation's */
    struct range_list fixed;    /* for good: broken memory, reserves, then paging buffers */
    struct range_list evicting; /* of an aperture: for an eviction or a move, until its unmap */
    struct range_list buffers;  /* of DMA buffers: they never leave for an allocation (SEG-054) */
};
const struct held_ranges *places_held(const adapter_t *adapter, uint32_t segment);
/* False: the range is not free. */
bool places_take_fixed(adapter_t *adapter, uint32_t segment, struct range range);
void places_evicting_begin(adapter_t *adapter, uint32_t segment, struct range range);
void places_evicting_end(adapter_t *adapter, uint32_t segment, struct range range);
void places_buffer_begin(adapter_t *adapter, uint32_t segment, struct range range);
void places_buffer_end(adapter_t *adapter, uint32_t segment, struct range range);

#endif
