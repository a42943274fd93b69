/* SPDX-License-Identifier: MIT */
/*
 * allocation.h: an allocation as its owners see it: what the pager knows of it (paging/pageable.h),
 * and what the CPU, submissions and the calls of its devices add.
 */
#ifndef VIDMM_SHARE_ALLOCATION_H
#define VIDMM_SHARE_ALLOCATION_H

#include "paging/pageable.h"
#include "segments/segments.h"
#include "vidmm/cpu/cpu_part.h"
#include "vidmm/ddi/dispmprt.h"
#include "vidmm/submit/use_part.h"
#include "vidmm/vidmm.h"

struct device;
struct resource;
struct system_range;

/* What is known about the picture in it. */
struct surface {
    uint32_t standard; /* D3DKMDT_STANDARDALLOCATION_TYPE, 0: made by user mode */
    uint32_t gdi_type; /* D3DKMDT_GDISURFACETYPE */
    uint32_t width, height, pitch;
    uint32_t format; /* D3DDDIFORMAT */
    /* DXGK_ALLOCATIONUSAGEHINT, for reports only (ALLOC-039); version 0: none */
    uint32_t hint_version, hint_flags, hint_format;
};

/* What was asked for, where it counts for judging the answer. */
struct allocation_request {
    const char *label;
    const struct system_range *range; /* given with the call, or NULL */
    bool range_foreign;               /* its address means nothing in this process (FLAG-022) */
    bool wddm2_flags;                 /* the driver filled FlagsWddm2 (FLAG-001) */
    bool section;                     /* the range may be a section (KMT-036) */
    bool primary;
    bool cross_adapter;            /* CrossAdapter of the call (KMT-019) */
    uint64_t heap_bytes;           /* ExistingHeapData.Size; 0: no existing memory (KMT-029) */
    const struct surface *surface; /* a standard allocation, or NULL */
    bool shared;                   /* created with CreateShared (FLAG-064) */
};

struct allocation {
    struct pageable pageable; /* first: allocation_of() */
    HANDLE open_handle;       /* hDeviceSpecificAllocation of the creator's device */
    uint32_t vidpn_source;    /* VidPnSourceId, of a primary */
    uint32_t part;            /* of a shared resource: which of its allocations */
    bool advised;             /* noted for the 80 percent advice (FLAG-039) */
    struct resource *resource;
    struct surface *surface; /* NULL: nothing is known about it */
    struct allocation *device_prev, *device_next, *resource_prev, *resource_next;
    struct allocation *context_next;
    struct allocation *displayed_next;

    /* What each folder keeps of it, and alone writes. */
    struct cpu_part cpu;
    struct rename_part rename;
    struct use_part use;
};

/* NULL stays NULL, both ways. */
static inline struct allocation *allocation_of(const struct pageable *pageable)
{
    return (struct allocation *)pageable;
}

static inline struct pageable *pageable_of(const struct allocation *allocation)
{
    return (struct pageable *)allocation;
}

/* A second address, for locks with UseAlternateVA. */
struct alternate {
    uint64_t address, bytes;
    bool holds; /* the content stands there: it was evicted under the lock (SWIZ-022) */
    uint32_t range_id, range_data; /* of the lock that made it */
};

/* Does its content stand at the alternate address? */
static inline bool alternate_holds(const struct allocation *allocation)
{
    return allocation->cpu.alternate && allocation->cpu.alternate->holds;
}

/* One outstanding lock: an unlock names none, the newest ends first. */
struct lock_record {
    uint32_t flags;
    uint32_t data;               /* PrivateDriverData */
    bool ranged;                 /* leads through a swizzling range */
    const struct device *device; /* that took it */
    struct lock_record *next;
};

#endif
