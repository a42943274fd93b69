/* SPDX-License-Identifier: MIT */
/*
 * vidmm_policy.h: placement policies: which free place of a search is taken.
 *
 * Which segments, banks and directions are searched, and in which order, is documented and the same
 * under every policy: the manager turns a demand into searches. A policy sees one search of one
 * segment at a time, when there is a free place for it, and chooses among the free places. It
 * changes nothing but a state of its own, cannot see time, and cannot fail.
 * segments/policies/README.md shows how to write one.
 */
#ifndef VIDMM_POLICY_H
#define VIDMM_POLICY_H

#include "vidmm/vidmm_eviction.h"
#include "vidmm/vidmm_rules.h"
#include "vidmm/vidmm_types.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What does not change about a segment after the adapter started. */
struct vidmm_segment_desc {
    uint32_t id;           /* 1-based */
    uint32_t flags;        /* DXGK_SEGMENTFLAGS */
    uint64_t bytes;        /* a multiple of page_bytes */
    uint64_t page_bytes;   /* host page, or 64 KiB with Use64KBPages (SEG-031) */
    uint64_t base;         /* GPU address of offset 0 */
    uint64_t cpu_base;     /* CPU address of offset 0, memory segments with CpuVisible only */
    uint64_t limit;        /* commit limit in bytes (SEG-067, SEG-068) */
    uint64_t pin_start;    /* pinned region [pin_start, bytes) (PLACE-022) */
    uint64_t host_address; /* of the CPU host aperture, and how many pages it has (RES-072) */
    uint64_t host_pages;
    uint32_t bank_count;
    const uint64_t *bank_ends; /* bank k is [end(k-1), end(k)); bank_count entries, last = bytes */
    uint64_t memory_end;       /* SystemMemoryEndAddress, an offset (SEG-049); 0: none */
    uint64_t vpr_start,
        vpr_end;          /* [start, end): what CreateInVpr may use (SEG-061); both 0: none */
    uint32_t vpr_limit;   /* NumVprSupported: so many protected allocations; 0: any number */
    uint32_t uefi_ranges; /* NumUEFIFrameBufferRanges (SEG-066) */
};

/* Readings of direction bit 0 (setting direction-zero, PLACE-008). */
enum vidmm_direction_zero {
    VIDMM_DIRECTION_ZERO_AUTO,
    VIDMM_DIRECTION_ZERO_BOTTOM_UP,
    VIDMM_DIRECTION_ZERO_VIDMM,
};

struct vidmm_demand {
    uint64_t bytes;       /* Size, rounded to host pages */
    uint64_t pitch_bytes; /* PitchAlignedSize, 0 for none */
    uint64_t alignment;   /* effective, at least one host page */
    uint32_t segments;    /* bit n-1: segment n is allowed for this use */
    uint32_t preferred;   /* PreferredSegment, documented layout */
    uint32_t hinted_bank; /* HintedBank, documented layout */
    bool from_end;        /* FromEndOfSegment */
    bool pinned;          /* Overlay, Capture: only inside the pinned region */
    bool in_vpr;          /* CreateInVpr: only inside the protected range */
    uint32_t wddm;
    enum vidmm_direction_zero direction_zero;
};

/* One search: a place of `footprint` bytes in [low, high), whose start is a multiple of
   `alignment`. The documented choice is the lowest such place, with from_end the highest. */
struct vidmm_search {
    uint32_t segment;
    uint64_t low, high;
    uint64_t footprint, alignment;
    bool from_end;
    enum vidmm_rule why; /* the rule that gave the direction and window */
};

/* SegmentId0 with four hinted banks gives nine searches, every other segment one. */
enum { VIDMM_SEARCHES_MAX = VIDMM_SEGMENTS_MAX + 2 * VIDMM_BANK_HINTS_MAX };

/* ---- what a policy sees --------------------------------------------------------------------- */

/* A free place, and the hole that it lies in. */
struct vidmm_fit {
    uint64_t place; /* the documented place in this hole */
    uint64_t room;  /* the most that fits here: from the first aligned start inside the window */
    uint64_t low, high; /* the whole hole, which may reach beyond the window */
};

/* The free places of one segment (in a link: those that are free on every adapter). Valid during
   the call. */
struct vidmm_space {
    const struct vidmm_segment_desc *segment;
    /*
     * The next hole, from the end that the search begins at, that has a place for it. `rest` begins
     * as a copy of the search, and its window loses what was seen; it may be any search of this
     * segment: a larger footprint skips small holes, a narrower window looks into a part. Takes
     * logarithmic time. False: there is none.
     */
    bool (*next)(const struct vidmm_space *space, struct vidmm_search *rest, struct vidmm_fit *fit);
};

/* ---- a policy ------------------------------------------------------------------------------- */

struct vidmm_placement_policy {
    const char *name;    /* as placement=NAME has it: lower-case letters, digits and '-' */
    const char *summary; /* one line */
    const char *source;  /* the paper or program that it comes from */
    size_t state_bytes;  /* of its state for each segment, all 0 at the start; 0: it has none */
    /*
     * What the direction of a search means (POLICY-005). False: a place lies at that end of its
     * hole which the search begins at. True: at that end of a block, a power of two of bytes at
     * least as large as footprint and alignment, and aligned to its own size.
     */
    bool blocks;
    /*
     * One of the free places of the search. False: no opinion, the documented place is taken. It is
     * asked more often than it places, so `state` is read only. NULL: the documented place always.
     */
    bool (*pick)(const void *state, const struct vidmm_space *space,
                 const struct vidmm_search *search, uint64_t *offset);
    /* A place was taken, this one or the documented one. May be NULL. */
    void (*placed)(void *state, const struct vidmm_search *search, uint64_t offset);
};

/* The names of those that are built in, as settings and scenarios list them, the default first. */
#define VIDMM_PLACEMENT_NAMES "wddm|best-fit|worst-fit|next-fit|buddy|segregated"

/* Row `index` of the policies in the order of those names; NULL after the last. */
const struct vidmm_placement_policy *vidmm_placement_policy_row(size_t index);

/* ---- policies in a shared object ------------------------------------------------------------- */

/* Raised by each change of this header or of vidmm_eviction.h that old objects would not survive.
 */
enum { VIDMM_POLICY_VERSION = 1 };

/*
 * A shared object defines one object of this type, which is called `vidmm_policies`:
 *
 *     const struct vidmm_policies vidmm_policies = { VIDMM_POLICIES, .placement = &mine };
 */
struct vidmm_policies {
    uint32_t version, sizes; /* VIDMM_POLICIES: of what it was compiled with */
    const struct vidmm_placement_policy *placement; /* NULL: it has none */
    const struct vidmm_eviction_policy *eviction;   /* NULL: it has none */
};
/* So many shared objects at most. */
enum { VIDMM_POLICIES_MAX = 16 };
#define VIDMM_POLICIES                                                                             \
    VIDMM_POLICY_VERSION, (uint32_t)(sizeof(struct vidmm_placement_policy) |                       \
                                     sizeof(struct vidmm_eviction_policy) << 8 |                   \
                                     (sizeof(struct vidmm_search) + sizeof(struct vidmm_fit) +     \
                                      sizeof(struct vidmm_segment_desc))                           \
                                         << 16 |                                                   \
                                     sizeof(struct vidmm_resident) << 25)

#ifdef __cplusplus
}
#endif
#endif
