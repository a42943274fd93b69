/* SPDX-License-Identifier: MIT */
/*
 * adapter.h: everything that one simulation owns. There are no globals.
 */
#ifndef VIDMM_ADAPTER_H
#define VIDMM_ADAPTER_H

#include "paging/time/time.h"
#include "segments/segments.h"
#include "vidmm/base/base.h"
#include "vidmm/share/allocation.h"

/* Slots of the segments of all physical adapters. */
enum { VIDMM_SEGMENT_SLOTS = VIDMM_LINK_MAX * VIDMM_SEGMENTS_MAX };

struct opening;
struct paging_state;
struct tdr;
struct render_packet;
struct sharing;
struct host_mapping;
struct dma_buffer;
struct element;
struct job;
struct job_fifo; /* these and due work: paging/schedule/schedule.h */
struct due_work;
struct tell_hooks;
struct schedule_hooks;

/* ---- the objects that handles name ---------------------------------------------------------- */

struct process {
    vidmm_handle handle;
    char *label;
    uint32_t devices;
    bool secure;        /* KMT-011 */
    vidmm_ns *timeouts; /* of its engines, within TdrLimitTime (TDR-019) */
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
    struct device *next;
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
    struct context *next;
};

struct resource {
    vidmm_handle handle;
    char *label; /* NULL: it has no name of its own */
    struct device *device;
    HANDLE driver_handle;   /* hResource */
    bool told;              /* the driver knows of it */
    uint32_t kmt;           /* flags of the call that made it */
    uint32_t runtime_bytes; /* private data of the runtime (KMT-008) */
    struct allocation *allocations, *last;
    struct sharing *sharing;      /* NULL: not shared */
    uint64_t offered_in;          /* the last call that offered or reclaimed it */
    struct resource *prev, *next; /* of its device */
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
    bool lent;                 /* the pages are the store of `source`, which uses them too */
    bool several;              /* of several stores: nobody knows who wrote last */
    uint32_t users;            /* allocations whose store it is, without the source */
};

/* A table of handles: the low 24 bits are an index, the rest a generation. */
struct handle_slot {
    void *object;
    uint8_t kind; /* enum vidmm_object */
    uint8_t generation;
    bool closed; /* the object is there, but the handle names nothing any more */
    uint32_t next_free;
};

struct handle_table {
    struct handle_slot *slots; /* [0] is never used */
    size_t count, capacity;
    uint32_t free_head, free_tail; /* first in, first out; 0: none */
    size_t free_count;
    uint64_t live;
};

/* ---- segments ------------------------------------------------------------------------------- */

struct segment_slot {
    struct segment segment;
    const char *name;
    char *own_name;            /* what `name` is in a link, behind adapter 0 */
    struct victim_index order; /* who leaves first (PLACE-012) */
    struct allocation *pinned; /* residents that are not in that order */
    struct range_list {
        struct range *ranges;
        size_t count, capacity;
    } fixed,      /* paging buffers: never free (PLACE-020) */
        evicting; /* aperture ranges that serve an eviction */
    /* FLAG-039: live allocations that could be pinned here, and those that evict too much to here.
     */
    struct advice {
        vidmm_handle newest; /* one of them, to be named */
        uint64_t count;
    } may_pin, evicts_much;
    uint32_t protected_count; /* residents in its protected range (NumVprSupported, SEG-061) */
    struct host_aperture {
        struct range_tree space;              /* free pages of it */
        struct host_mapping *oldest, *newest; /* offered ranges (RES-074) */
    } host;
    uint64_t counters[VIDMM_COUNTERS];
};

/* What the driver reported (MINI-018), in natural units. */
struct caps {
    uint32_t wddm, nodes, paging_node;
    uint32_t slots; /* MaxAllocationListSlotId */
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

/* ---- swizzling ranges (SWIZ-012) ------------------------------------------------------------ */

struct swizzling_range {
    uint32_t id, data;             /* RangeId, PrivateDriverData */
    uint64_t bytes, cpu;           /* RangeSize, CPUTranslatedAddress */
    bool alternate;                /* acquired for a lock with UseAlternateVA */
    bool kept;                     /* for as long as its allocation lives (SWIZ-023) */
    struct allocation *allocation; /* whom it shows */
    struct swizzling_range *next;  /* of the same allocation */
    bool idle;                     /* in the list below: another allocation may take it */
    struct swizzling_range *older, *newer;
};

struct swizzling_ranges {
    struct swizzling_range **by_id; /* those that are set up */
    size_t count, capacity;         /* ids below `count` have been given out at some time */
    uint32_t first_free;            /* no smaller id is free */
    struct swizzling_range *oldest, *newest; /* by last use */
};

/* Whether anything can be asked of the adapter now. */
enum adapter_presence {
    ADAPTER_PRESENT,
    ADAPTER_ASLEEP,         /* between standby or hibernation and the resume (TDR-044) */
    ADAPTER_REMOVED,        /* stopped by Plug and Play (TDR-031) */
    ADAPTER_EXCLUDED,       /* the driver has it for itself (TDR-035) */
    ADAPTER_EXCLUDED_EMPTY, /* and video memory is empty */
};

struct vidmm_adapter {
    const struct pageable_hooks *pageable_hooks; /* what floors above answer: vidmm/wiring.c */
    const struct shrinker *shrinker;

    /* constant after start */
    const struct tell_hooks *tell_hooks;
    const struct schedule_hooks *schedule_hooks;
    struct vidmm_config config;
    const DRIVER_INITIALIZATION_DATA *ddi;
    void *driver; /* MiniportDeviceContext */
    DXGKRNL_INTERFACE interface;
    struct caps caps;
    struct cost_params cost;
    uint64_t page;       /* host page in bytes */
    uint32_t link_count; /* physical adapters */
    /* By id; [0] stays empty. Those of adapter 0 first, then as many of each other one. */
    struct segment_slot segments[VIDMM_SEGMENT_SLOTS + 1];
    uint32_t segment_count, segments_each;                       /* of all, of one adapter */
    const struct vidmm_segment_desc *descs[VIDMM_SEGMENT_SLOTS]; /* for the policy: [0] is id 1 */
    uint64_t shared_limit; /* global commit limit of all apertures (PLACE-019) */
    uint64_t available, dedicated_video, dedicated_system, max_shared; /* memory_report.c */
    uint32_t paging_segment;                                           /* PagingBufferSegmentId */
    uint32_t paging_bytes, paging_private_bytes, paging_count;
    HANDLE system_device;                   /* MINI-022; NULL without MultiEngineAware */
    HANDLE system_contexts[VIDMM_LINK_MAX]; /* the same, one for each physical adapter */
    bool driver_added, driver_started;      /* DxgkDdiAddDevice, DxgkDdiStartDevice succeeded */
    bool started;
    bool untimed; /* calls cost nothing: the start (TIME-003), and the end of the adapter */
    enum adapter_presence presence;
    POWER_ACTION power_action; /* why it sleeps */

    /* machine */
    struct range_tree system_space; /* free system pages, in bytes */
    struct page_store system_pages;
    uint64_t dummy_page; /* MINI-074 */
    uint64_t commit_charged;
    struct allocation *pageables; /* all that are (pageable.c), the youngest first */
    uint64_t shared_committed;    /* bytes mapped in all apertures, and segment 0 (SEG-071) */
    struct vidmm_bus bus[VIDMM_LINK_MAX]; /* one for each physical adapter */

    /* time */
    struct timeline timeline;
    struct fence_board fences;
    struct engine_set engines;
    struct job_fifo *jobs; /* per node, submitted and not yet reported */
    struct tdr *tdr;       /* paging/schedule/guard.h */

    /* objects */
    struct handle_table handles;
    uint64_t unseen;                      /* allocations that the driver does not know (KMT-039) */
    struct driver_handle *driver_handles; /* hAllocation of all allocations (MINI-033) */
    struct device *devices;
    struct loaded_context {
        struct context *context; /* whose packet was queued last; NULL: nobody's */
        bool paging;             /* and paging work behind it */
    } loaded[VIDMM_NODES_MAX];
    const char *next_label;            /* of a context allocation */
    struct allocation *shared_primary; /* the youngest; NULL: none */
    struct allocation *displayed;      /* scanned out, one for each source */
    uint64_t next_address;             /* lock tokens (LOCK-031) */
    uint32_t shares;                   /* global and NT handles given out (KMT-016, KMT-017) */
    uint64_t unlock_calls;             /* number of the last one */
    uint64_t offers;                   /* ever made */
    uint64_t offer_calls;              /* number of the last one that offered or reclaimed */
    struct offered_list {
        struct allocation *first, *last;   /* in the order of their offers */
    } offered[D3DDDI_OFFER_PRIORITY_AUTO]; /* pending or offered, by level (OFFER-010) */
    struct swizzling_ranges swizzling;
    uint64_t rename_checks; /* number of the submission that is being checked (RENAME-008) */

    /* paging */
    struct paging_state *paging; /* paging/buffer/paging.h */
    struct due_work *due;
    size_t due_count, due_capacity;
    bool doing_due;
    uint32_t ranges_leaving;   /* aperture ranges that are taken until their unmap has run */
    uint32_t sync_fence;       /* paging fence of the last synchronous operation (PAGE-041) */
    struct allocation **bound; /* what the open preparation binds (PLACE-003) */
    size_t bound_count, bound_capacity;
    uint64_t preparation;  /* number of the open preparation, 0 when none is open */
    bool may_split;        /* what finds no place now is tried again behind a split (SUBMIT-031) */
    bool quiet;            /* what finds no place is not told: there is another try */
    uint64_t packed;       /* packets that were made: for struct allocation, packed_in */
    uint64_t preparations; /* how many there were; also the clock of last use */
    uint32_t open_books;   /* allocations come or leave: half-way nothing has to agree (BUG-030) */
    bool drained;          /* a purge: AllocationIsIdle, NULL context */

    /* rendering */
    struct render_packet *free_packets;
    struct dma_buffer *dma_buffers; /* all of them */
    struct submit_scratch {
        DXGK_ALLOCATIONLIST *list;
        D3DDDI_PATCHLOCATIONLIST *in, *out;
        struct element *elements;
        size_t *slots; /* the location that wrote a slot last, + 1; 0: it is empty */
        size_t *group; /* elements that the present split group bound first */
        size_t list_capacity, in_capacity, out_capacity;
        size_t element_capacity, slot_capacity, group_capacity;
    } scratch;       /* lists of the submission being prepared */
    uint8_t *around; /* a copy of the bytes that a Patch may not touch (SUBMIT-040) */
    size_t around_capacity;
    const struct job *executing; /* whose commands take effect now */

    /* telling */
    struct vidmm_observer *observers;
    uint64_t next_seq;
    uint64_t next_stamp;       /* serial of the next content tag */
    struct stamp_note *stamps; /* the last writes, by stamp (paging/store/stamp.c) */
    struct vidmm_refusal refusal;
    struct {
        vidmm_handle handles[4];
        size_t next;
    } spoken; /* by which handles shared allocations were named lately */
    bool refused;
    struct vidmm_bugcheck stop;
    bool stopped;
    uint64_t driver_calls;  /* number of the last miniport call (BUG-050) */
    uint64_t warnings;      /* part of the counter of findings */
    const char *last_call;  /* name of the last miniport call */
    bool in_scheduler_call; /* MINI-001 */
    const char *outside;    /* whom the manager is calling now; NULL: nobody (tell/door.h) */
    struct vidmm_adapter *called_from; /* who was outside of this thread before (tell/door.c) */
    struct device_space *space;        /* vidmm/adapter/device_space.c */
    bool ending;                       /* vidmm_adapter_free() has begun */
    struct interrupt_line {
        /* By DxgkCbNotifyInterrupt, not yet acted upon (SUBMIT-054). */
        struct interrupt_report {
            uint32_t node, fence;
            bool preempted; /* `fence` is the last completed one, and this was asked for: */
            uint32_t preempt_id;
            bool faulted; /* `fence` is the one that did, with this status: */
            int32_t status;
            bool page_faulted; /* the same of a page fault, with these flags; 0: not known */
            uint32_t flags;
        } * reported;
        size_t count, capacity;
        bool connected; /* the scheduler is there, and takes reports (SUBMIT-064) */
        bool dpc_queued;
    } interrupts;
    uint64_t counters[VIDMM_COUNTERS];
    uint64_t waits[VIDMM_WAIT_REASON_COUNT];
    vidmm_ns stalls[VIDMM_WAIT_REASON_COUNT];
    uint64_t *rule_uses; /* by enum vidmm_rule */
};

static inline uint64_t setting(const struct vidmm_adapter *adapter, enum vidmm_setting which)
{
    return adapter->config.settings.value[which];
}

/* What can still be charged (ALLOC-009). */
static inline uint64_t commitment_left(const struct vidmm_adapter *adapter)
{
    uint64_t limit = adapter->config.machine.commit_bytes;
    return limit ? limit - adapter->commit_charged : UINT64_MAX;
}

/* What does not change about segment `id`, which is not 0. */
static inline const struct vidmm_segment_desc *segment_desc(const struct vidmm_adapter *adapter,
                                                            uint32_t id)
{
    return &adapter->segments[id].segment.desc;
}

/* ---- linked adapters: from ids of the manager to those that the driver knows, and back --------
 */

static inline uint32_t segment_adapter(const struct vidmm_adapter *adapter, uint32_t id)
{
    return id ? (id - 1) / adapter->segments_each : 0;
}

/* What stands in SegmentId: the adapter that is meant follows from the call. */
static inline uint32_t segment_driver_id(const struct vidmm_adapter *adapter, uint32_t id)
{
    return id ? (id - 1) % adapter->segments_each + 1 : 0;
}

static inline uint32_t segment_of_adapter(const struct vidmm_adapter *adapter, uint32_t driver_id,
                                          uint32_t index)
{
    return driver_id ? index * adapter->segments_each + driver_id : 0;
}

/* The bit of a segment in the sets of an allocation, which mean each adapter alike. */
static inline uint32_t segment_set_bit(const struct vidmm_adapter *adapter, uint32_t id)
{
    return UINT32_C(1) << (segment_driver_id(adapter, id) - 1);
}

/* Segment 0 is neither: its pages are system memory. */
static inline bool place_in_aperture(const struct vidmm_adapter *adapter, const struct place *place)
{
    return place->segment && segment_is_aperture(segment_desc(adapter, place->segment));
}

static inline bool place_in_memory(const struct vidmm_adapter *adapter, const struct place *place)
{
    return place->segment && !segment_is_aperture(segment_desc(adapter, place->segment));
}

#endif
