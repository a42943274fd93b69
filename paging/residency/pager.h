/* SPDX-License-Identifier: MIT */
/*
 * pager.h: what the files of this folder ask each other: places, their books, and ways out.
 */
#ifndef PAGING_RESIDENCY_PAGER_H
#define PAGING_RESIDENCY_PAGER_H

#include "paging/buffer/buffer.h"
#include "paging/residency/residency.h"
#include "paging/schedule/schedule.h"
#include "paging/store/store.h"
#include "paging/store/turns.h"

/* ---- finding a place ------------------------------------------------------------------------- */

/* PLACE-011: whom a pass may push out. The range of an eviction pushes out whatever it can. */
enum placement_pass { PASS_LOWER = 1, PASS_ANY, PASS_SOFT_PINNED, PASSES_END, PASS_RANGE };

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
/* In WDDM 2.0 and later an aperture stands for system memory unless accessed physically
   (SEG-036). */
static inline bool means_system_memory(const adapter_t *adapter, const struct pageable *allocation,
                                       uint32_t segment)
{
    return adapter->setup->caps.wddm >= VIDMM_WDDM_2_0 && !allocation_is_mirrored(allocation) &&
           segment_is_aperture(segment_desc(adapter, segment)) &&
           !allocation_has(allocation, ALLOCATION_ACCESSED_PHYSICALLY) &&
           !allocation->place.displayed;
}

/*
 * Looks for room in one segment by pretending victims away in their order (PLACE-012). True:
 * `found` has the place and the victims, none of which could stay, and nothing has changed yet.
 * False: there is none in this pass. The searches are all of one segment.
 */
bool evict_plan(adapter_t *adapter, const struct pageable *allocation,
                const struct vidmm_search *searches, size_t count, enum placement_pass pass,
                struct found_place *found);

/* ---- books and content ----------------------------------------------------------------------- */

/* Books a found place: taken, in the eviction order, events `place` and `pin`. */
void residency_place(adapter_t *adapter, struct pageable *allocation, struct place place,
                     const struct vidmm_search *search);
/* Takes back a residency_place() whose content could not be brought. */
void residency_undo(adapter_t *adapter, struct pageable *allocation, enum allocation_state before);

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
/* page_in_move.c: it leaves its segment, for this reason, and is brought into the found place from
   the store next. Waits for room there. */
vidmm_status page_in_leave(adapter_t *adapter, struct pageable *allocation,
                           const struct found_place *found, enum evict_reason reason);
/* PAGE-008: it is resident, and goes to the found place. */
vidmm_status page_in_move(adapter_t *adapter, struct pageable *allocation,
                          struct found_place *found, enum evict_reason reason);

/* ---- ways out -------------------------------------------------------------------------------- */

/* How a range for an eviction is looked for (PLACE-028). */
struct vidmm_search evict_search(const adapter_t *adapter, uint32_t segment, uint64_t bytes);
/* Can a range of this segment serve its eviction, while what is bound stays (PAGE-023)? */
bool evict_possible(const adapter_t *adapter, const struct pageable *allocation, uint32_t segment);
/* The largest piece of a segment that nothing pinned lies in. */
uint64_t evict_largest(const adapter_t *adapter, uint32_t segment);
/* PAGE-026: nothing of the GPU may still touch the range that it lies in. Waits. */
vidmm_status evict_wait_until_idle(adapter_t *adapter, const struct pageable *allocation);
/* Out of an aperture, or of segment 0 (PAGE-026). Waits. */
vidmm_status evict_unmap(adapter_t *adapter, struct pageable *allocation);
/* The miniport is told that the content in its place is not needed any more. */
vidmm_status evict_discard(adapter_t *adapter, struct pageable *allocation);
/* evict_tell.c: its content was given up, because of OUT_LOST or OUT_PROTECTED. */
void evict_tell_lost(adapter_t *adapter, const struct pageable *allocation, enum evict_route way);

/* ---- copies in a link ------------------------------------------------------------------------ */

/* The found place, on all adapters: a mirrored allocation comes, or moves, with all copies. */
vidmm_status link_settle(adapter_t *adapter, struct pageable *allocation, struct found_place *found,
                         enum evict_reason leaving);
/* LINK-005: the first copy has gone, with this status. The others go, too, also when that or
   another wait failed and the driver cannot be told. */
vidmm_status link_drop_copies(adapter_t *adapter, struct pageable *allocation, vidmm_status status);

/* ---- offers ---------------------------------------------------------------------------------- */

void offer_become(adapter_t *adapter, struct pageable *allocation, enum vidmm_offer_state state);
/* Out of a memory segment, without a copy. */
vidmm_status discard_from_memory(adapter_t *adapter, struct pageable *allocation);
/* OFFER-013: wherever it is, what it holds does not count any more. */
void discard_unasked(adapter_t *adapter, struct pageable *allocation);
/* System pages that offered allocations would give. */
uint64_t discard_possible_bytes(const adapter_t *adapter);

#endif
