/* SPDX-License-Identifier: MIT */
/* residency.h: a place that was found, and who has to leave for it: the pager's own header, read by
 * those as well who ask it for a place. */
#ifndef VIDMM_RESIDENCY_H
#define VIDMM_RESIDENCY_H

#include "vidmm/manager.h"

/* PLACE-011: whom a pass may push out. */
enum placement_pass { PASS_LOWER = 1, PASS_ANY, PASS_SOFT_PINNED, PASSES_END };

struct chosen_victim {
    struct pageable *allocation;
    enum evict_reason reason;
};

struct found_place {
    const struct vidmm_search *search;
    struct place place;            /* owns its runs until it is booked */
    struct chosen_victim *victims; /* in the order in which they leave */
    size_t victim_count, victim_capacity;
    bool given_known;
    uint64_t given; /* system pages that offered ones would give, in bytes, once it is known */
    bool starved;   /* a victim stayed because there were no system pages for it (PAGE-015) */
};

void found_place_fini(struct found_place *found);
/* Only the place; who has to leave stays noted. */
void found_place_drop(struct found_place *found);

/* Passes 1 to 3 over all searches; nothing has changed yet (PLACE-014). */
bool find_place(adapter_t *adapter, const struct pageable *allocation,
                const struct vidmm_search *searches, size_t count, struct found_place *found);
/* paging/residency/no_place.c: the refusal after every pass has failed. For each segment it emits
   `shortage` and says what is free there and what stays in the way. */
vidmm_status no_place(adapter_t *adapter, const struct pageable *allocation,
                      const struct vidmm_search *searches, size_t count);
/* How many of the first searches look in the same segment. */
size_t searches_of_segment(const struct vidmm_search *searches, size_t count);

/* Does the protected range of the segment take one allocation more (SEG-061)? */
bool vpr_allows(const adapter_t *adapter, const struct pageable *allocation, uint32_t segment);

/* A free place for one search: a range, a page set, or segment 0. False: none. */
bool free_place(adapter_t *adapter, const struct pageable *allocation,
                const struct vidmm_search *search, struct place *place);
/* PLACE-015: does it need one range there? */
bool needs_range(const adapter_t *adapter, const struct pageable *allocation, uint32_t segment);
/* In WDDM 2.0 and later an aperture stands for system memory unless accessed physically
   (SEG-036). */
bool means_system_memory(const adapter_t *adapter, const struct pageable *allocation,
                         uint32_t segment);

/*
 * Looks for room in one segment by pretending victims away in their order (PLACE-012). True:
 * `found` has the place and the victims, none of which could stay, and nothing has changed yet.
 * False: there is none in this pass. The searches are all of one segment.
 */
bool evict_plan(adapter_t *adapter, const struct pageable *allocation,
                const struct vidmm_search *searches, size_t count, enum placement_pass pass,
                struct found_place *found);

/* The same for one range in an aperture that serves an eviction (PAGE-023). */
bool evict_plan_range(adapter_t *adapter, const struct pageable *allocation,
                      const struct vidmm_search *search, struct found_place *found);

/* page_in.c. What is on its way out of the found place has left it. */
vidmm_status page_in_wait_for_room(adapter_t *adapter, const struct found_place *found,
                                   const struct pageable *allocation);
/* Books the place and brings the content; without pages nothing happened. */
vidmm_status page_in_settle(adapter_t *adapter, struct pageable *allocation,
                            struct found_place *found);
/* The content comes to the place that is booked, by the way that the state before asks for. */
vidmm_status page_in_bring(adapter_t *adapter, struct pageable *allocation,
                           enum allocation_state before);
vidmm_status page_in_no_pages(adapter_t *adapter, const struct pageable *allocation);
/* page_in_move.c: it is resident, and goes to the found place. */
vidmm_status page_in_move(adapter_t *adapter, struct pageable *allocation,
                          struct found_place *found, enum evict_reason reason);
/* find_place.c: event candidate. */
void residency_tell_candidate(adapter_t *adapter, const struct pageable *allocation,
                              const struct vidmm_search *search, enum placement_pass pass,
                              const char *result);

/* How the content of a resident allocation would leave its segment. */
enum way_out {
    OUT_DROP,      /* no transfer is needed: PLACE-029 */
    OUT_UNMAP,     /* it lies in an aperture, or in segment 0 */
    OUT_DIRECT,    /* straight to system pages: PAGE-021, PLACE-033 */
    OUT_VIA,       /* through an aperture of the eviction set: PAGE-020 */
    OUT_LOST,      /* what is pinned blocks its eviction set: PLACE-030 */
    OUT_PROTECTED, /* hardware-protected, and the segment cannot encrypt it: SEG-063 */
    OUT_LATER,     /* only allocations of this preparation are in the way: PAGE-023 */
};
enum way_out way_out(const adapter_t *adapter, const struct pageable *allocation);
/* How a range for an eviction is looked for (PLACE-028). */
struct vidmm_search evict_search(const adapter_t *adapter, uint32_t segment, uint64_t bytes);
/* Can a range of this segment serve its eviction, while what is bound stays (PAGE-023)? */
bool evict_possible(const adapter_t *adapter, const struct pageable *allocation, uint32_t segment);
/* Is its eviction set looked at? In WDDM 2.0 and later only if it is accessed physically
   (SEG-036). */
bool evict_uses_set(const adapter_t *adapter, const struct pageable *allocation);
/* Is the segment in its eviction set, on its adapter? */
bool evict_set_has(const adapter_t *adapter, const struct pageable *allocation, uint32_t segment);
/* Would a range in this segment hold it, but for what is pinned there (PLACE-030)? */
bool evict_blocked(const adapter_t *adapter, const struct pageable *allocation, uint32_t segment);
/* Is every segment of its eviction set too small for it, whoever is there (ALLOC-061)? */
bool evict_never_possible(const adapter_t *adapter, const struct pageable *allocation);

/* Out of an aperture, or of segment 0 (PAGE-026). */
vidmm_status evict_unmap(adapter_t *adapter, struct pageable *allocation);

/* evict_lost.c: what each segment of its eviction set lacks. `ever`: whoever is pinned there. */
struct evict_obstacles {
    char text[256];
};
void evict_name_obstacles(adapter_t *adapter, const struct pageable *allocation, bool ever,
                          struct evict_obstacles *obstacles);
/* evict_lost.c: the miniport is told that the content in its place is not needed any more. */
vidmm_status evict_discard(adapter_t *adapter, struct pageable *allocation);
/* Gives the place and the content up, because of LOST or PROTECTED. */
vidmm_status evict_lose(adapter_t *adapter, struct pageable *allocation, enum way_out way);

/* ---- place_book.c: who is in a segment ------------------------------------------------------- */

/* First the victims in their order, then what is pinned. Nobody may come or go meanwhile. */
struct resident_walk {
    struct victim_cursor order;
    struct pageable *pinned;
};
struct resident_walk residents_begin(const adapter_t *adapter, uint32_t segment);
/* NULL: that was the last one. */
struct pageable *residents_next(struct resident_walk *walk);
/* It may take another turn among the victims. */
void residency_set_priority(adapter_t *adapter, struct pageable *allocation, uint32_t priority);
/* Will it stay pinned when it is displayed no more, and its context not loaded? */
void residency_keep_pinned(struct pageable *allocation, bool keep);
/* RES-057: it is displayed, or not any more. */
void residency_scanned_out(struct pageable *allocation, bool displayed);
/* No new use of any copy; what is resident still has to leave its place. */
void residency_close(struct pageable *allocation);
/* What leads out of its place has been built. */
void residency_departs(struct pageable *allocation);
/* The segments go; nobody is asked to leave. */
void residents_stop(adapter_t *adapter);

/* ---- discard.c: struct shrinker asks -------------------------------------------------------- */

/* Until so many bytes of system memory are free; false: they never are. */
bool discard_for_pages(adapter_t *adapter, uint64_t bytes);
/* Until so many bytes can be charged (ALLOC-009). */
bool discard_for_commitment(adapter_t *adapter, uint64_t bytes);

/* The state of this folder, empty (base_free). */
struct residency *residency_new(void);

#endif
