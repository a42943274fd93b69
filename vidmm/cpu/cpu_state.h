/* SPDX-License-Identifier: MIT */
/*
 * cpu_state.h: the state of this folder: what of the address space of the CPU is given out.
 */
#ifndef VIDMM_CPU_STATE_H
#define VIDMM_CPU_STATE_H

#include "vidmm/adapter.h"
#include "vidmm/cpu/cpu.h"

/* Swizzling ranges (SWIZ-012). */
struct swizzling_range {
    uint32_t id, data;             /* RangeId, PrivateDriverData */
    uint64_t bytes, cpu;           /* RangeSize, CPUTranslatedAddress */
    bool alternate;                /* acquired for a lock with UseAlternateVA */
    bool kept;                     /* for as long as its allocation lives (SWIZ-023) */
    struct allocation *allocation; /* that it shows */
    struct swizzling_range *next;  /* of the same allocation */
    bool idle;                     /* in the list below: another allocation may take it */
    struct swizzling_range *older, *newer;
};

struct swizzling_ranges {
    struct swizzling_range **by_id; /* those that are set up */
    size_t count, capacity;         /* ids below `count` have been given out at some time */
    uint32_t first_free;            /* no smaller id is free */
    struct swizzling_range *oldest; /* of the idle ones, by last use */
};

/* The CPU host aperture of a segment. */
struct host_aperture {
    struct range_tree space;     /* free pages of it */
    struct host_mapping *oldest; /* of the offered ranges (RES-074) */
};

struct cpu {
    uint64_t next_address;  /* lock tokens (LOCK-031) */
    uint64_t unlock_calls;  /* number of the last one */
    uint64_t alternate;     /* outstanding locks with UseAlternateVA */
    uint64_t rename_checks; /* number of the submission that is being checked (RENAME-008) */
    struct lock_holder *lock_holders; /* of allocations that several devices lock */
    struct swizzling_ranges swizzling;
    struct host_aperture hosts[VIDMM_SEGMENT_SLOTS + 1]; /* by segment */
};

/* Does its content stand at the alternate address? */
static inline bool alternate_holds(const struct allocation *allocation)
{
    return cpu_of(allocation)->alternate && cpu_of(allocation)->alternate->holds;
}

/* Its part, to be written: from now on it has one (cpu_of()). */
static inline struct cpu_part *cpu_own(struct allocation *allocation)
{
    if (!allocation->cpu)
        allocation->cpu = base_alloc(1, sizeof *allocation->cpu);
    return allocation->cpu;
}

#endif
