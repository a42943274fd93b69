/* SPDX-License-Identifier: MIT */
/*
 * segment.h: one segment of an adapter: its address space and what its pages hold.
 *
 * The space knows only free and taken; the owner of a taken range remembers it. Taking
 * and releasing keep the books (used, pinned, committed bytes). A memory segment has page contents,
 * an aperture segment a page table: both belong to the hardware and change only when virtual time
 * says that a packet ran.
 *
 * Rules not named below: ALLOC-014, PLACE-002, PLACE-016, PLACE-022, SEG-005, SEG-008, SEG-011,
 * SEG-020, SEG-039.
 */
#ifndef SEGMENTS_SEGMENT_H
#define SEGMENTS_SEGMENT_H

#include "segments/aperture.h"
#include "segments/page_store.h"
#include "segments/range_tree.h"
#include "vidmm/vidmm_flags.h"
#include "vidmm/vidmm_policy.h"

struct prospect;
struct victim_index;

/* DXGK_SEGMENTFLAGS (vidmm_flags.def) that mechanisms look at. */
enum {
    SEGMENT_APERTURE = VIDMM_SEGMENT_Aperture,
    SEGMENT_AGP = VIDMM_SEGMENT_Agp,
    SEGMENT_CPU_VISIBLE = VIDMM_SEGMENT_CpuVisible,
    SEGMENT_USE_BANKING = VIDMM_SEGMENT_UseBanking,
    SEGMENT_CACHE_COHERENT = VIDMM_SEGMENT_CacheCoherent,
    SEGMENT_PITCH_ALIGNMENT = VIDMM_SEGMENT_PitchAlignment,
    SEGMENT_FROM_SYSTEM_MEMORY = VIDMM_SEGMENT_PopulatedFromSystemMemory,
    SEGMENT_ENCRYPTED_PAGING = VIDMM_SEGMENT_EncryptedPagingSupported,
    SEGMENT_64KB_PAGES = VIDMM_SEGMENT_Use64KBPages,
};

struct segment {
    /* constant after segment_init() */
    struct vidmm_segment_desc desc;
    uint64_t bank_ends[VIDMM_BANKS_MAX]; /* desc.bank_ends points here */
    /* state */
    struct range_tree space;
    struct prospect *prospect; /* follows the space; NULL: none (paging/store/turns.c) */
    uint64_t used_bytes;       /* taken ranges */
    uint64_t pinned_bytes;     /* the part of them that may not move */
    uint64_t committed_bytes;  /* counts against desc.limit (SEG-071) */
    struct page_store pages;   /* memory segments */
    struct aperture table;     /* aperture segments */
};

/*
 * `desc` is copied, with its banks; pin_start is computed from `pinned_percent` (PLACE-022). The
 * end of the last bank is not read and may be missing (SEG-039). Whether the miniport's numbers
 * make sense is for the manager to check. The copy points into the segment itself: it may not be
 * moved.
 */
void segment_init(struct segment *segment, const struct vidmm_segment_desc *desc,
                  uint32_t pinned_percent);
void segment_fini(struct segment *segment);

static inline bool segment_is_aperture(const struct vidmm_segment_desc *desc)
{
    return (desc->flags & (SEGMENT_APERTURE | SEGMENT_AGP)) != 0;
}

/* "memory", "aperture" or "agp". */
const char *segment_kind_word(uint32_t flags);

/* ALLOC-014: what an allocation takes here; 0: nothing, it cannot be here (ALLOC-017). */
uint64_t segment_footprint(const struct vidmm_segment_desc *desc, uint64_t bytes,
                           uint64_t pitch_bytes);

/* The place that a search finds among the free ranges; false: none. */
bool segment_find(const struct segment *segment, const struct vidmm_search *search,
                  uint64_t *offset);

/* What a placement policy sees of this segment (struct vidmm_space): the next hole with a place for
   `rest`, which may be any search. Counts as work. */
bool segment_next_fit(const struct segment *segment, struct vidmm_search *rest,
                      struct vidmm_fit *fit);
/* Can it be searched for: a footprint and an alignment that the pages of the segment allow? */
bool segment_can_search(const struct vidmm_segment_desc *desc, const struct vidmm_search *search);
/* The hole that a place lies in, and the room there, as far as the window goes. */
struct vidmm_fit segment_fit_at(const struct segment *segment, const struct vidmm_search *search,
                                uint64_t place);
/* The window loses a hole, and what is before it in the direction of the search. */
void segment_pass(struct vidmm_search *rest, const struct vidmm_fit *fit);

/* May an occupant be moved away? */
enum segment_hold { SEGMENT_MOVABLE, SEGMENT_PINNED };

/* Books a range. The caller found it free. */
void segment_take(struct segment *segment, struct range range, enum segment_hold hold);
void segment_release(struct segment *segment, struct range range, enum segment_hold hold);
/* An occupant becomes pinned or unpinned without moving. */
void segment_repin(struct segment *segment, uint64_t bytes, enum segment_hold hold);

/*
 * PLACE-016: finds the footprint as single pages, lowest or highest first inside the window, and
 * returns them as runs in ascending order in `*runs` (base_free). The alignment does not matter. 0
 * runs and NULL when the window has not enough free pages.
 */
size_t segment_find_pages(const struct segment *segment, const struct vidmm_search *search,
                          struct range **runs);
/* Free bytes inside [low, high). */
uint64_t segment_free_in(const struct segment *segment, uint64_t low, uint64_t high);

/* From now on a prospect of the segment is kept; `order`: of its residents. */
void segment_foresee(struct segment *segment, struct victim_index *order);
void segment_forget_prospect(struct segment *segment);

/* Panics (CHECK) when the books and the space disagree. */
void segment_check(const struct segment *segment);

/* PLACE-022: first byte of the pinned region of a segment. */
uint64_t pinned_tail_start(uint64_t bytes, uint64_t page_bytes, uint32_t percent);

/* SEG-039: [start, end) of bank `bank` (1-based). */
struct range bank_range(const struct vidmm_segment_desc *desc, uint32_t bank);

#endif
