/* SPDX-License-Identifier: MIT */
/*
 * vidmm_view.h: what an adapter looks like now, part of vidmm.h. These functions only ask: they may
 * be called at any time, also by drivers and observers, and change nothing.
 */
#ifndef VIDMM_VIEW_H
#define VIDMM_VIEW_H

#include "vidmm/vidmm_flags.h"
#include "vidmm/vidmm_lock.h"
#include "vidmm/vidmm_rules.h"
#include "vidmm/vidmm_types.h"

#ifdef __cplusplus
extern "C" {
#endif

struct vidmm_adapter;

enum vidmm_object {
    VIDMM_OBJECT_NONE,
    VIDMM_OBJECT_PROCESS,
    VIDMM_OBJECT_DEVICE,
    VIDMM_OBJECT_CONTEXT,
    VIDMM_OBJECT_ALLOCATION,
    VIDMM_OBJECT_RESOURCE,
    VIDMM_OBJECT_SYSTEM_RANGE,
};

/* What a handle names now; NONE for a handle that was never given or is gone. */
enum vidmm_object vidmm_object_kind(const struct vidmm_adapter *adapter, vidmm_handle handle);
/* The label, "" for an unknown handle. Valid until the object is gone. */
const char *vidmm_label(const struct vidmm_adapter *adapter, vidmm_handle handle);

enum vidmm_residency {
    VIDMM_RESIDENCY_NO_CONTENT, /* PAGE-003 */
    VIDMM_RESIDENCY_EVICTED,
    VIDMM_RESIDENCY_RESIDENT,
    VIDMM_RESIDENCY_LOST,
};

struct vidmm_allocation_view {
    enum vidmm_residency residency;
    uint32_t physical; /* adapter of a link; of the first copy when there are several */
    uint32_t copies;   /* how many adapters have one: LinkMirrored, LinkInstanced */
    uint32_t segment;  /* 0: system memory */
    uint64_t offset;
    size_t runs; /* 1 for a contiguous place, 0 without one */
    uint64_t bytes, footprint, alignment;
    uint64_t cpu_bytes; /* what a lock shows: of an instanced one all instances (LINK-010) */
    uint32_t flags, flags2;
    enum vidmm_flag_set flag_view;
    bool primary, displayed;
    uint32_t vidpn_source;
    uint32_t standard; /* D3DKMDT_STANDARDALLOCATION_TYPE, 0: made by user mode */
    uint32_t width, height, pitch, format;
    uint32_t hint_version, hint_flags; /* DXGK_ALLOCATIONUSAGEHINT; version 0: none */
    uint32_t kmt; /* D3DKMT_CREATEALLOCATIONFLAGS of its creation, without Zeroed */
    uint32_t priority, read_set, write_set, eviction_set, preferred, hinted_bank;
    bool encrypted; /* the store holds encrypted content (SEG-063) */
    bool gpu_dirty, pattern_only, pinned, busy, arriving, discarded; /* OFFER-011, OFFER-013 */
    const char *pinned_by;  /* what pins it: "it is displayed"; "nothing pins it" */
    bool cached, uncached;  /* how its store is mapped; neither: write-combined */
    const char *backing;    /* none, kept, stale, supplied, kernel */
    const char *layout;     /* of a Swizzled one: swizzled, linear (SWIZ-001); else none */
    size_t backing_runs;    /* runs of system pages; 0: none are held */
    const char *content;    /* nothing, zeros, stale, data (KMT-022) */
    uint64_t written_pages; /* by the CPU under a WriteWatch (KMT-023) */
    const char *instance;   /* current, older, superseded, retired, reusable (RENAME-002) */
    uint64_t generation;
    uint32_t instances;    /* of the allocation, all together */
    uint32_t rename_limit; /* MaximumRenamingListLength */
    vidmm_handle original; /* the instance that was created */
    uint64_t cpu_dirty_pages;
    uint32_t locks;
    uint64_t address; /* of an outstanding lock, 0 without one */
    enum vidmm_view via;
    vidmm_handle device;            /* that has it open by this handle; 0: closed for that one */
    vidmm_handle owner;             /* created it, or is the earliest that has it open (MINI-072) */
    vidmm_handle process, resource; /* of that device; as that device has it open */
    bool shared, read_only;         /* read_only: through this handle */
    uint32_t global_share;          /* hGlobalShare */
    size_t openings;                /* how often a shared one is open; 0: not shared */
};
/* False for a handle that is no live allocation. */
bool vidmm_allocation_view(const struct vidmm_adapter *adapter, vidmm_handle allocation,
                           struct vidmm_allocation_view *view);
/* The copy that a physical adapter of a link has of it; false: none, and nothing is written. */
bool vidmm_allocation_copy(const struct vidmm_adapter *adapter, vidmm_handle allocation,
                           uint32_t index, struct vidmm_allocation_view *view);

struct vidmm_resource_view {
    vidmm_handle device;    /* that created it */
    uint32_t flags;         /* D3DKMT_CREATEALLOCATIONFLAGS of its creation */
    uint32_t runtime_bytes; /* private data of the runtime */
    size_t allocations;
};
/* False for a handle that is no live resource. */
bool vidmm_resource_view(const struct vidmm_adapter *adapter, vidmm_handle resource,
                         struct vidmm_resource_view *view);
/* Run `index` of its place. */
bool vidmm_allocation_run(const struct vidmm_adapter *adapter, vidmm_handle allocation,
                          size_t index, uint64_t *offset, uint64_t *bytes);
/* Whether the newest copy of every page is what was written last, and guaranteed; true of what an
   offer took (`discarded` of the view). Another copy that the rules call stale is no loss: under a
   lock with a permanent copy the one in the segment, for instance. */
bool vidmm_content_intact(const struct vidmm_adapter *adapter, vidmm_handle allocation);
/* Is the newest copy of a page not what was written last? In words: which page of which copy, what
   is there and what should be. */
bool vidmm_content_problem(const struct vidmm_adapter *adapter, vidmm_handle allocation, char *text,
                           size_t bytes);
/* Pages that are not guaranteed, for the CPU wrote them through a cache that nothing flushes
   (FLAG-026): how many, and the first of them. */
uint64_t vidmm_content_uncertain(const struct vidmm_adapter *adapter, vidmm_handle allocation,
                                 uint64_t *first);

struct vidmm_segment_view {
    uint32_t id, flags;
    const char *name, *kind; /* memory, aperture, agp */
    uint64_t bytes, page_bytes, base, cpu_base, limit, committed;
    uint64_t used, pinned, free_bytes, largest_free, holes;
    uint64_t pin_start, pin_bytes;              /* the pinned region (PLACE-022) */
    uint64_t memory_end;                        /* SystemMemoryEndAddress */
    uint64_t host_aperture, host_aperture_free; /* CPU host aperture; what no lock holds of it */
    uint64_t vpr_start, vpr_bytes; /* what CreateInVpr may use; 0 bytes: nothing (SEG-061) */
    uint32_t vpr_limit, uefi_ranges;
    const char *group; /* of budgets: local, nonlocal, none (RES-044) */
    uint32_t banks;
};
/* memory, aperture or agp: the kind of a segment with these DXGK_SEGMENTFLAGS (SEG-011). */
const char *vidmm_segment_kind(uint32_t flags);
/*
 * Ids run from 1 to vidmm_segment_count(), in a link over the segments of all physical adapters:
 * those of index 0 first, as many for each.
 */
uint32_t vidmm_segment_count(const struct vidmm_adapter *adapter);
/* Segment `id` of index 0, as the physical adapter `index` has it; 0: there is none. */
uint32_t vidmm_segment_of(const struct vidmm_adapter *adapter, uint32_t id, uint32_t index);
bool vidmm_segment_view(const struct vidmm_adapter *adapter, uint32_t id,
                        struct vidmm_segment_view *view);
/* Bank `index` (0-based) of a segment: [start, end). */
bool vidmm_segment_bank(const struct vidmm_adapter *adapter, uint32_t id, uint32_t index,
                        uint64_t *start, uint64_t *end);

/* One occupant or hole of a segment, in offset order. */
struct vidmm_segment_span {
    uint64_t offset, bytes;
    vidmm_handle allocation; /* of an allocation, else 0 */
    const char *what; /* allocation, dma-buffer, eviction, free, paging-buffer, reserved (broken) */
};
/*
 * Copies the layout of a segment, at most `max` spans, and returns how many there are. Not for
 * every step: it sorts.
 */
size_t vidmm_segment_map(const struct vidmm_adapter *adapter, uint32_t id,
                         struct vidmm_segment_span *spans, size_t max);

struct vidmm_adapter_view {
    uint32_t wddm, nodes, paging_node;
    uint64_t shared_limit,
        committed; /* global limit over apertures and what is mapped (PLACE-019) */
    uint64_t dedicated_video, dedicated_system, total;
    uint64_t local, nonlocal, nonbudget; /* what segments of each budget group hold (RES-044) */
    uint64_t findings;                   /* warnings included */
    uint64_t warnings;
    uint64_t live; /* allocations */
    uint64_t commit_charged;
};
void vidmm_adapter_view(const struct vidmm_adapter *adapter, struct vidmm_adapter_view *view);

struct vidmm_node_view {
    uint32_t issued, completed;
    uint64_t queued;  /* packets not yet finished */
    const char *name; /* of vidmm_config; "" for none */
};
bool vidmm_node_view(const struct vidmm_adapter *adapter, uint32_t node,
                     struct vidmm_node_view *view);

/* "active", or what happened to it. NULL for a handle that is no device. */
const char *vidmm_device_state(const struct vidmm_adapter *adapter, vidmm_handle device);

/* How often a rule came into play: decided an event, a refusal, a warning or a finding. */
uint64_t vidmm_rule_uses(const struct vidmm_adapter *adapter, enum vidmm_rule rule);

/*
 * Checks every invariant (no overlap, books balance, no lost byte, fences monotonic). False and a
 * sentence in `problem` when one does not hold.
 */
bool vidmm_check(const struct vidmm_adapter *adapter, char *problem, size_t bytes);

#ifdef __cplusplus
}
#endif
#endif
