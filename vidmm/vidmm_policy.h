/* SPDX-License-Identifier: MIT */
/*
 * vidmm_policy.h: where an allocation may go, as a pure function over read-only views.
 *
 * A placement policy turns a demand into an ordered list of searches. It cannot change state,
 * cannot see time and cannot fail; the manager carries the searches out, first without and then
 * with eviction. Searches of one segment stand together.
 */
#ifndef VIDMM_POLICY_H
#define VIDMM_POLICY_H

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

/* One search: the lowest (or highest) aligned start with [start, start + footprint) in [low, high).
 */
struct vidmm_search {
    uint32_t segment;
    uint64_t low, high;
    uint64_t footprint, alignment;
    bool from_end;
    enum vidmm_rule why; /* the rule that gave the direction and window */
};

/* SegmentId0 with four hinted banks gives nine searches, every other segment one. */
enum { VIDMM_SEARCHES_MAX = VIDMM_SEGMENTS_MAX + 2 * VIDMM_BANK_HINTS_MAX };

struct vidmm_placement_policy {
    const char *name, *summary;
    /* Fills `searches` (room for VIDMM_SEARCHES_MAX) and returns how many. `segments[0]` is id 1.
     */
    size_t (*plan)(const struct vidmm_demand *demand,
                   const struct vidmm_segment_desc *const *segments, size_t count,
                   struct vidmm_search *searches);
};

#ifdef __cplusplus
}
#endif
#endif
