/* SPDX-License-Identifier: MIT */
/*
 * backing_part.h: what paging/store keeps of each allocation. It alone writes it.
 */
#ifndef PAGING_BACKING_PART_H
#define PAGING_BACKING_PART_H

#include "paging/store/content.h"
#include "segments/segments.h"
#include "vidmm/ddi/dispmprt.h"
#include "vidmm/vidmm.h"

struct pageable;
struct system_range;

enum allocation_state {
    ALLOCATION_NO_CONTENT,
    ALLOCATION_EVICTED,
    ALLOCATION_RESIDENT,
    ALLOCATION_LOST,
    ALLOCATION_CLOSED,
};

/* When system pages of a store go back. */
enum store_release {
    RELEASE_NOT,
    RELEASE_AT_FENCE, /* PAGE-011 */
    RELEASE_UNLOCKED, /* as soon as no operation names them (OFFER-011) */
};

/* System pages that hold the content outside a memory segment. */
struct backing {
    struct range one; /* in system pages, not bytes */
    struct range *runs;
    size_t run_count;
    uint64_t pages;
    bool populated;                 /* really holds pages (MINI-038) */
    enum store_release release_due; /* unless needed before */
    uint32_t page_locks;            /* operations that name the pages (PAGE-014) */
    struct system_range *existing;  /* supplied by the caller; then never released (PAGE-013) */
    /* The whole store, page i of the allocation is page i of the MDL (MINI-062). NULL: no operation
       has asked for it, or none names the pages any more. */
    MDL *mdl;
};

static inline const struct range *backing_runs(const struct backing *backing)
{
    return backing->run_count > 1 ? backing->runs : &backing->one;
}

struct backing_part {
    struct content content;    /* what every page should hold */
    struct backing *backing;   /* NULL: no pages so far, or no more; backing_of() */
    struct page_set cpu_dirty; /* pages of the store newer than the segment copy (PAGE-036) */
    struct page_set uncertain; /* written through a cache that is never flushed (FLAG-026) */
    struct {
        struct pageable *prev, *next;
    } all; /* that live */
    /* What each use looks at: struct pageable continues it. */
    struct {
        uint64_t counted; /* the last call for which it was (POLICY-012) */
        vidmm_ns used;    /* when it was used last, or came */
    } reference;
    enum allocation_state state : 8; /* assigned in pageable.c only; read by all */
    bool charged : 1;                /* its bytes count as commitment (ALLOC-009) */
    bool encrypted : 1;              /* the store holds what left a protecting segment (SEG-063) */
    bool linear : 1;                 /* Swizzled, and its only copy is the linear one (SWIZ-001) */
    bool pattern_only : 1;           /* PAGE-005 */
    bool cpu_unflushed : 1; /* the store was written, and the cache not flushed (LOCK-045) */
    bool gpu_unflushed : 1; /* the GPU wrote what the cache does not show (LOCK-045) */
    bool agp_written : 1;   /* the GPU wrote it in the AGP segment since the last lock */
    bool miss_untold : 1;   /* the eviction policy has yet to hear of its miss */
    struct pageable *owner; /* has the store and content: itself, but for a mirrored copy */
};

#endif
