/* SPDX-License-Identifier: MIT */
/*
 * cpu_part.h: what vidmm/cpu keeps of each allocation. It alone writes it.
 */
#ifndef VIDMM_CPU_PART_H
#define VIDMM_CPU_PART_H

#include "paging/store/content.h"
#include "vidmm/vidmm.h"

struct allocation;
struct alternate;
struct host_mapping;
struct lock_books;
struct rename_list;
struct swizzling_range;
struct system_range;

/* CPU access. */
struct cpu_part {
    struct lock_books *locks; /* NULL: there is none */
    uint32_t lock_count;
    uint32_t locks_left;       /* of those, after the elements that were checked */
    uint64_t last_unlock_call; /* the call that unlocked it last (LOCK-057) */
    uint64_t lock_address;
    enum vidmm_view lock_view;
    bool cpu_va;                    /* counts in cpu_va_bytes (LOCK-014) */
    bool unswizzle;                 /* the present eviction is for a lock of the linear form */
    struct host_mapping *host;      /* its pages in the CPU host aperture, NULL: none */
    struct system_range *cpu_range; /* names its CPU address as existing memory (KMT-034) */
    struct swizzling_range *ranges; /* set up over its place (SWIZ-015) */
    struct alternate *alternate;    /* NULL: it has no alternate address (SWIZ-021) */
    struct page_set written;        /* by the CPU since the last reset of the watch (KMT-023) */
};

/* Of an allocation that was renamed, or an instance of one. */
struct rename_entry {
    struct rename_list *list;
    struct allocation *prev, *next, *live_prev, *live_next; /* by when they were handed out */
    uint64_t generation;      /* when it was handed out (RENAME-002) */
    uint64_t kept_in;         /* the last submission that kept it (RENAME-009) */
    bool superseded, retired; /* a submission used a newer one; and nothing kept it */
};

struct rename_part {
    struct rename_entry *entry; /* NULL: never renamed, as nearly all; rename_of() */
    uint64_t submitted;         /* when a submission used it last */
};

#endif
