/* SPDX-License-Identifier: MIT */
/*
 * objects.h: what handles name: processes, devices, contexts, resources, and allocations as their
 * owners see them: what the pager knows of one (paging/pageable.h), and what the CPU, submissions
 * and the calls of its devices add.
 */
#ifndef VIDMM_SHARE_OBJECTS_H
#define VIDMM_SHARE_OBJECTS_H

#include "paging/pageable.h"
#include "segments/segments.h"
#include "vidmm/cpu/cpu_part.h"
#include "vidmm/ddi/dispmprt.h"
#include "vidmm/submit/use_part.h"
#include "vidmm/vidmm.h"

struct process {
    vidmm_handle handle;
    char *label;
    struct device *devices; /* the youngest first */
    bool secure;            /* KMT-011 */
    vidmm_ns *timeouts;     /* of its engines, within TdrLimitTime (TDR-019) */
    size_t timeout_count, timeout_capacity;
    bool blocked; /* it may use the GPU no longer */
};

/* D3DKMT_DEVICEEXECUTION_*: any but active is final (SUBMIT-015). */
enum device_state {
    DEVICE_ACTIVE,
    DEVICE_OUT_OF_MEMORY,
    DEVICE_DMA_FAULT,
    DEVICE_PAGE_FAULT,
    DEVICE_STOPPED, /* the adapter is gone (TDR-031) */
    DEVICE_HUNG,    /* its packet had to be aborted (TDR-014, TDR-028) */
    DEVICE_RESET,   /* that of another one had (TDR-028) */
};

struct device {
    vidmm_handle handle;
    char *label;
    struct process *process;
    HANDLE driver_handle; /* hDevice */
    DXGK_DEVICEINFO info; /* counts without MultiEngineAware only */
    enum device_state state;
    enum vidmm_rule failed_by; /* why it is in error */
    bool drops;                /* what it has queued is for nobody: the GPU let it down */
    bool gone;                 /* the driver knows nothing of it and of its contexts any more */
    struct context *contexts;
    struct allocation *allocations;         /* created on it */
    struct allocation *context_allocations; /* by the driver, for all of its contexts */
    struct resource *resources;             /* the same */
    struct opening *openings;               /* of shared resources, those of its own too */
    uint64_t paging_values;                 /* fence values given for queued requests (RES-024) */
    uint64_t counters[VIDMM_COUNTERS];
    struct device *prev, *next, *process_prev, *process_next;
};

struct context {
    vidmm_handle handle;
    char *label;
    struct device *device;
    uint32_t node;
    uint32_t engines;      /* EngineAffinity: bit n is physical adapter n of a link */
    HANDLE driver_handle;  /* hContext; without MultiEngineAware that of the device */
    DXGK_CONTEXTINFO info; /* as the driver answered: what the sizes begin with (SUBMIT-022) */
    uint32_t dma_bytes, list_size, patch_size; /* what they are now */
    struct dma_buffer *idle_buffers;
    struct allocation *allocations; /* made by the driver for it (ALLOC-052) */
    struct context *prev, *next;    /* of its device */
};

struct resource {
    vidmm_handle handle;
    char *label; /* NULL: it has no name of its own */
    struct device *device;
    HANDLE driver_handle;           /* hResource */
    bool driver_notified;           /* the driver knows of it */
    uint32_t kmt;                   /* flags of the call that made it */
    uint32_t runtime_bytes;         /* private data of the runtime (KMT-008) */
    struct allocation *allocations; /* in the order of their creation */
    struct sharing *sharing;        /* NULL: not shared */
    uint64_t offered_in;            /* the last call that offered or reclaimed it */
    struct resource *prev, *next;   /* of its device */
};

struct system_range {
    vidmm_handle handle;
    char *label;
    struct range *pages; /* runs of system pages */
    size_t run_count;
    uint64_t page_count;
    uint64_t address, bytes; /* as the caller gave them: not necessarily whole pages */
    bool kernel, section;
    bool cached, uncached;     /* neither: write-combined */
    vidmm_handle process;      /* the only one where the address means it; 0: every one */
    struct allocation *source; /* whose CPU address it is; NULL: memory of its own, or gone */
    bool view;                 /* it was made of a source */
    bool shared_with_source;   /* the pages are the store of `source`, which uses them too */
    bool multiple_stores;      /* of several stores: nobody knows who wrote last */
    uint32_t users;            /* allocations whose store it is, without the source */
};

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
    /* What each folder keeps of it, and alone writes. */
    struct cpu_part *cpu; /* NULL until the CPU looks at it: cpu_of() */
    struct use_part use;
    struct rename_part rename;
    struct resource *resource;
    uint32_t vidpn_source;   /* VidPnSourceId, of a primary */
    uint32_t part;           /* of a shared resource: which of its allocations */
    struct surface *surface; /* NULL: nothing is known about it */
    struct allocation *device_prev, *device_next, *resource_prev, *resource_next;
    struct allocation *group_next; /* of its context; of primaries that are displayed: not both */
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

/* What the CPU has of it: nothing of most, and of those an empty part. */
static inline const struct cpu_part *cpu_of(const struct allocation *allocation)
{
    static const struct cpu_part none = { .lock_count = 0 };
    return allocation->cpu ? allocation->cpu : &none;
}

/* What renaming has of it, the same way. */
static inline const struct rename_entry *rename_of(const struct allocation *allocation)
{
    static const struct rename_entry none = { .list = NULL };
    return allocation->rename.entry ? allocation->rename.entry : &none;
}

/* A second address, for locks with UseAlternateVA. */
struct alternate {
    uint64_t address, bytes;
    bool holds; /* the content stands there: it was evicted under the lock (SWIZ-022) */
    uint32_t range_id, range_data; /* of the lock that made it */
};

#endif
