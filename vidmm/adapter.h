/* SPDX-License-Identifier: MIT */
/*
 * adapter.h: everything that one simulation owns. There are no globals.
 */
#ifndef VIDMM_ADAPTER_H
#define VIDMM_ADAPTER_H

#include "paging/time/time.h"
#include "segments/segments.h"
#include "vidmm/base/base.h"
#include "vidmm/share/objects.h"

/* Slots of the segments of all physical adapters. */
enum { VIDMM_SEGMENT_SLOTS = VIDMM_LINK_MAX * VIDMM_SEGMENTS_MAX };

typedef struct vidmm_adapter adapter_t;

/* What the driver reported (MINI-018), in natural units. */
struct caps {
    uint32_t wddm, nodes, paging_node;
    uint32_t defined[VIDMM_FLAG_SETS]; /* bits of each set that wddm has */
    uint32_t slots;                    /* MaxAllocationListSlotId */
    uint64_t highest_address;
    uint64_t aperture_commit_limit; /* ApertureSegmentCommitLimit; 0: no reduction */
    uint32_t queue_cap;             /* HwQueuePacketCap; 0: no limit */
    bool multi_engine, preemption, no_dma_patching;
    bool map_aperture2; /* MapAperture2Supported, from 2.9 on */
    bool per_engine_tdr, non_vga;
    bool virtual_addressing, gpu_mmu, io_mmu; /* MINI-024: refused */
    D3DKMDT_GRAPHICS_PREEMPTION_GRANULARITY preemption_granularity;
    bool cross_adapter;                             /* CrossAdapterResource, from 1.3 on */
    bool section_backed_primary, invisible_primary; /* SWIZ-024, ALLOC-041 */
    bool cancel_command;                            /* CancelCommandAware */
    bool no_self_refresh;                           /* DisableSelfRefreshVRAMInS3 */
    bool out_of_order_lock;                         /* LOCK-018 */
    uint32_t swizzling_ranges, max_overlays;
    bool displayable; /* DisplayableSupport, from 3.0 on */
};

/* Whether anything can be asked of the adapter now. */
enum adapter_presence {
    ADAPTER_PRESENT,
    ADAPTER_ASLEEP,         /* between standby or hibernation and the resume (TDR-044) */
    ADAPTER_REMOVED,        /* stopped by Plug and Play (TDR-031) */
    ADAPTER_EXCLUDED,       /* the driver has it for itself (TDR-035) */
    ADAPTER_EXCLUDED_EMPTY, /* and video memory is empty */
};

/* What does not change after the start. */
struct setup {
    struct vidmm_config config;
    const DRIVER_INITIALIZATION_DATA *ddi;
    void *driver; /* MiniportDeviceContext */
    struct caps caps;
    struct cost_params cost;
    uint64_t page;                                               /* host page in bytes */
    uint32_t link_count;                                         /* physical adapters */
    uint32_t segment_count, segments_each;                       /* of all, of one adapter */
    const struct vidmm_segment_desc *descs[VIDMM_SEGMENT_SLOTS]; /* for the policy: [0] is id 1 */
    uint64_t shared_limit;   /* global commit limit of all apertures (PLACE-019) */
    uint32_t paging_segment; /* PagingBufferSegmentId */
    uint32_t paging_bytes, paging_private_bytes, paging_count;
    uint64_t dummy_page;                    /* MINI-074 */
    HANDLE system_device;                   /* MINI-022; NULL without MultiEngineAware */
    HANDLE system_contexts[VIDMM_LINK_MAX]; /* the same, one for each physical adapter */
};

/* Written by observers_set(). */
struct observers {
    struct vidmm_observer *first;
    bool heard[VIDMM_EVENT_KINDS]; /* by any of them */
};

/* A directory: what each folder keeps is defined in a private header of its own. */
struct vidmm_adapter {
    struct setup *setup; /* read by all; written while the adapter starts */
    struct tell *tell;
    struct schedule *schedule;
    struct store *store;
    struct buffers *buffers;
    struct residency *residency;
    struct share *share;
    struct cpu *cpu;
    struct submit *submit;
    struct allocations *allocations;
    struct recovery *recovery;
    struct start *start;
    /* What floors above answer: vidmm/wiring.c. */
    const struct tell_hooks *tell_hooks;
    const struct schedule_hooks *schedule_hooks;
    const struct pageable_hooks *pageable_hooks;
    const struct shrinker *shrinker;
    /* Looked at on every path, so by macros of tell.h. */
    struct observers observers;
    uint64_t *rule_uses; /* by enum vidmm_rule */
};

static inline uint64_t setting(const struct vidmm_adapter *adapter, enum vidmm_setting which)
{
    return adapter->setup->config.settings.value[which];
}

/* What does not change about segment `id`; nothing is true of segment 0 and of one that has not
   been reported yet. */
static inline const struct vidmm_segment_desc *segment_desc(const struct vidmm_adapter *adapter,
                                                            uint32_t id)
{
    static const struct vidmm_segment_desc none = { .bytes = 0 };
    return id && id <= adapter->setup->segment_count ? adapter->setup->descs[id - 1] : &none;
}

/* Linked adapters: from ids of the manager to those that the driver knows, and back. */

static inline uint32_t segment_adapter(const struct vidmm_adapter *adapter, uint32_t id)
{
    return id > adapter->setup->segments_each ? (id - 1) / adapter->setup->segments_each : 0;
}

/* What stands in SegmentId: the adapter that is meant follows from the call. */
static inline uint32_t segment_driver_id(const struct vidmm_adapter *adapter, uint32_t id)
{
    return id > adapter->setup->segments_each ? (id - 1) % adapter->setup->segments_each + 1 : id;
}

static inline uint32_t segment_of_adapter(const struct vidmm_adapter *adapter, uint32_t driver_id,
                                          uint32_t index)
{
    return driver_id ? index * adapter->setup->segments_each + driver_id : 0;
}

/* The bit of a segment in the sets of an allocation, which mean each adapter alike. */
static inline uint32_t segment_set_bit(const struct vidmm_adapter *adapter, uint32_t id)
{
    return UINT32_C(1) << (segment_driver_id(adapter, id) - 1);
}

/* Segment 0 is neither: its pages are system memory. */
static inline bool place_in_aperture(const struct vidmm_adapter *adapter, const struct place *place)
{
    return segment_is_aperture(segment_desc(adapter, place->segment));
}

static inline bool place_in_memory(const struct vidmm_adapter *adapter, const struct place *place)
{
    return place->segment && !segment_is_aperture(segment_desc(adapter, place->segment));
}

#endif
