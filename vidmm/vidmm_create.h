/* SPDX-License-Identifier: MIT */
/*
 * vidmm_create.h: making allocations and resources, part of vidmm.h.
 *
 * Everything that a caller points to is read during the call only.
 */
#ifndef VIDMM_CREATE_H
#define VIDMM_CREATE_H

#include "vidmm/vidmm_flags.h"

#ifdef __cplusplus
extern "C" {
#endif

struct vidmm_adapter;

/* What the caller says about its accesses; only FLAG-018 asks. WRITE: the CPU never reads. */
enum vidmm_cpu_use { VIDMM_CPU_USE_UNKNOWN, VIDMM_CPU_USE_READ, VIDMM_CPU_USE_WRITE };

/*
 * An allocation that the kernel creates without a user-mode driver (ALLOC-045): the miniport
 * describes it, its private data is the miniport's own.
 */
struct vidmm_standard {
    uint32_t type;                  /* D3DKMDT_STANDARDALLOCATION_TYPE */
    uint32_t gdi_type;              /* D3DKMDT_GDISURFACETYPE, of a GDI surface */
    uint32_t width, height, format; /* D3DDDIFORMAT; all 0 for a shadow: those of the primary */
    /* of a virtual GPU */
    uint64_t bytes;
    uint32_t alignment, segment;
};

struct vidmm_allocation_args {
    const char *label;
    const void *private_data; /* for DxgkDdiCreateAllocation; the mock reads its own structure */
    uint32_t private_bytes;
    uint64_t bytes; /* with NoKmdAccess only: otherwise the miniport says how large it is */
    const struct vidmm_standard *standard; /* NULL: a user-mode driver makes it */
    vidmm_handle system_range;             /* pSystemMem; 0: none */
    uint32_t info_flags;                   /* D3DDDI_ALLOCATIONINFO2, Flags: Primary, Stereo */
    uint32_t vidpn_source;                 /* VidPnSourceId, for primaries (ALLOC-044) */
    bool override_priority;                /* D3DDDI_ALLOCATIONINFO2.OverridePriority (ALLOC-035) */
    uint32_t priority;
    uint64_t content; /* initial content stamp; 0: none, the store is empty */
    enum vidmm_cpu_use cpu_use;
};

/* Which arrays describe the allocations: D3DDDI_ALLOCATIONINFO, D3DDDI_ALLOCATIONINFO2 (KMT-007).
 */
enum { VIDMM_ALLOCATION_INFO = 1, VIDMM_ALLOCATION_INFO2 = 2 };

/* D3DKMT_CREATESTANDARDALLOCATION. */
struct vidmm_standard_args {
    uint32_t type; /* D3DKMT_STANDARDALLOCATIONTYPE */
    uint64_t existing_heap_bytes;
    uint32_t flags;
};

/* One creation call, D3DKMT_CREATEALLOCATION. Zero is right for whatever a call does not use. */
struct vidmm_creation_args {
    vidmm_handle device;
    vidmm_handle resource; /* hResource: the resource to which they are added; 0: none */
    uint32_t flags;        /* D3DKMT_CREATEALLOCATIONFLAGS, the set KMT */
    bool kernel;           /* made by the kernel, not by a call of user mode (KMT-012) */
    const struct vidmm_allocation_args *allocations;
    size_t count;
    uint32_t arrays; /* VIDMM_ALLOCATION_INFO...; 0: the one that the call needs */
    const struct vidmm_standard_args *standard; /* pStandardAllocation */
    const void *private_data; /* of the call as a whole, for DxgkDdiCreateAllocation (KMT-008) */
    uint32_t private_bytes;
    const char *label;      /* of a new resource, copied; NULL: that of its first allocation */
    uint32_t runtime_bytes; /* size of the runtime's private data of the resource (KMT-008) */
    uint32_t ddi_flags; /* further bits of DXGK_CREATEALLOCATIONFLAGS: none is legal (ALLOC-005) */
};

struct vidmm_creation_result {
    vidmm_handle resource; /* hResource: the new one, or the one that grew; 0: they stand alone */
    uint32_t flags;        /* as given, with Zeroed as it came out (KMT-022) */
    uint32_t global_share; /* hGlobalShare; 0: not shared, or by NT handle (KMT-016) */
};

/*
 * One creation call (ALLOC-001, ALLOC-003): all or nothing. Handles go to `handles[0..count)`;
 * `result` may be NULL.
 */
VIDMM_CHECKED vidmm_status vidmm_create_allocations(struct vidmm_adapter *adapter,
                                                    const struct vidmm_creation_args *args,
                                                    vidmm_handle *handles,
                                                    struct vidmm_creation_result *result);

/* The same without flags: `count` allocations that stand alone, or with `resource` in a new one. */
VIDMM_CHECKED vidmm_status vidmm_allocate(struct vidmm_adapter *adapter, vidmm_handle device,
                                          bool resource, const struct vidmm_allocation_args *args,
                                          size_t count, vidmm_handle *handles);

#ifdef __cplusplus
}
#endif
#endif
