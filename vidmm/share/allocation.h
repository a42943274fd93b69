/* SPDX-License-Identifier: MIT */
/*
 * allocation.h: an allocation as the memory manager sees it.
 *
 *     create
 *       v
 *   NO_CONTENT --- fill or map ---> RESIDENT --- room, script, lock, level 3 ---> EVICTED
 *       |  ^                         |    ^                                          |
 *       |  +-- pattern dropped ------+    +------------- page-in --------------------+
 *       +----- CPU wrote, or the content came with the creation ------------------> EVICTED
 *
 *   RESIDENT --- no way out for the content ---> LOST          every state --- destroy ---> CLOSED
 *   RESIDENT, EVICTED --- a reset of the adapter (tdr_cleanup.c) ---> LOST
 *   RESIDENT, EVICTED --- discarded because it was offered (discard.c) ---> NO_CONTENT
 *
 * The state changes when an operation is built, not when the GPU has carried it out: what is still
 * under way is in the fence marks. What holds in each state:
 *   NO_CONTENT  no place; the store is empty, or permanent and holds the pattern
 *   EVICTED     no place; the store holds the newest content once the marks are reached
 *   RESIDENT    a place: ranges of a segment, or locked pages of segment 0
 *   LOST        no place, no content; only destruction leads out
 *   CLOSED      no new use; waits for its marks, then goes
 *
 * Rules not named below: PAGE-003, PAGE-012, PAGE-030, PAGE-033, PAGE-034, SUBMIT-062.
 */
#ifndef VIDMM_SHARE_ALLOCATION_H
#define VIDMM_SHARE_ALLOCATION_H

#include "paging/store/content.h"
#include "segments/segments.h"
#include "vidmm/ddi/dispmprt.h"
#include "vidmm/vidmm.h"

struct context;
struct device;
struct host_mapping;
struct rename_list;
struct resource;
struct swizzling_range;
struct system_range;

/* Short names for vidmm_flags.def; bits with a second meaning from 2.0 on go through
 * allocation_is(). */
enum {
    ALLOCATION_CPU_VISIBLE = VIDMM_ALLOCATION_CpuVisible,
    ALLOCATION_PERMANENT = VIDMM_ALLOCATION_PermanentSysMem,
    ALLOCATION_CACHED = VIDMM_ALLOCATION_Cached,
    ALLOCATION_PROTECTED = VIDMM_ALLOCATION_Protected,
    ALLOCATION_EXISTING = VIDMM_ALLOCATION_ExistingSysMem,
    ALLOCATION_EXISTING_KERNEL = VIDMM_ALLOCATION_ExistingKernelSysMem,
    ALLOCATION_FROM_END = VIDMM_ALLOCATION_FromEndOfSegment,
    ALLOCATION_SWIZZLED = VIDMM_ALLOCATION_Swizzled, /* not in view C */
    ALLOCATION_OVERLAY = VIDMM_ALLOCATION_Overlay,
    ALLOCATION_CAPTURE = VIDMM_ALLOCATION_Capture,
    ALLOCATION_ALTERNATE_VA = VIDMM_ALLOCATION_UseAlternateVA,   /* not in view C */
    ALLOCATION_SYNCHRONOUS = VIDMM_ALLOCATION_SynchronousPaging, /* not in view C */
    ALLOCATION_HISTORY_BUFFER = VIDMM_ALLOCATION_HistoryBuffer,
    ALLOCATION_ACCESSED_PHYSICALLY = VIDMM_ALLOCATION_AccessedPhysically,
    ALLOCATION_RESIDENCY_NOTIFICATION = VIDMM_ALLOCATION_ExplicitResidencyNotification,
    ALLOCATION_HARDWARE_PROTECTED = VIDMM_ALLOCATION_HardwareProtected,
    ALLOCATION_ON_DEMAND = VIDMM_ALLOCATION_CpuVisibleOnDemand,
};

/* What a reset cut off: see paging_abort.c. */
enum aborted { ABORTED_NOTHING, ABORTED_IN, ABORTED_FILL, ABORTED_OUT };

enum allocation_state {
    ALLOCATION_NO_CONTENT,
    ALLOCATION_EVICTED,
    ALLOCATION_RESIDENT,
    ALLOCATION_LOST,
    ALLOCATION_CLOSED,
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

/* What the miniport answered, checked and in natural units. */
struct allocation_info {
    uint64_t bytes;       /* Size, rounded to host pages (ALLOC-013) */
    uint64_t pitch_bytes; /* PitchAlignedSize, 0: none */
    uint64_t alignment;   /* at least one host page (ALLOC-011) */
    uint32_t hinted_bank, preferred;
    uint32_t read_set, write_set, eviction_set;
    uint32_t flags, flags2;
    enum vidmm_flag_set view;
    uint32_t priority;     /* as created; the current one is in the victim node */
    uint32_t rename_limit; /* MaximumRenamingListLength, below 2.0 */
    uint32_t physical;     /* of a link: the adapter whose memory it uses (PLACE-021) */
    bool primary;          /* may be displayed (ALLOC-040 to ALLOC-042) */
};

/* Where an allocation is. One range below 2.0; a page set has several, in ascending order. */
struct place {
    uint32_t segment;   /* 0: system memory */
    struct range one;   /* used when run_count is 1 */
    struct range *runs; /* NULL when run_count is at most 1 */
    size_t run_count;
};

/* What its owner can do without for a while: see offer.h. Of a copy in a link that of the whole. */
struct offer {
    enum vidmm_offer_state state;
    uint32_t priority, level; /* as given, and what AUTO came to (OFFER-009) */
    uint64_t turn;            /* which offer it was: those of one level go in this order */
    uint64_t last_use;        /* that of its node, which has the turn meanwhile */
    bool decommit;            /* its commitment may go with the content (OFFER-018) */
    bool decommitted;         /* it has gone */
    bool refill;              /* reclaimed without content: for the cause of a fault (PAGE-066) */
    struct allocation *previous, *next; /* pending or offered: of the same level */
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
    /* While operations name the pages: the whole store, page i of the allocation is page i of the
       MDL (MINI-062). NULL: nobody has asked for it (mdl_of()). */
    MDL *mdl;
};

struct allocation {
    /* constant after creation */
    vidmm_handle handle;
    char *label;
    struct device *creator; /* of a shared one its owner, see shared.h */
    struct resource *resource;
    struct surface *surface; /* NULL: nothing is known about it */
    struct allocation_info info;
    uint32_t vidpn_source;   /* VidPnSourceId, of a primary */
    uint32_t kmt;            /* D3DKMT_CREATEALLOCATIONFLAGS of its creation */
    bool of_context;         /* made by the driver for a context (ALLOC-052) */
    struct context *context; /* whose it is; NULL: all of its device */
    bool charged;            /* its bytes count as commitment (ALLOC-009) */
    bool leaving;            /* closed, and still has to leave its place */
    bool advised;            /* noted for the 80 percent advice (FLAG-039) */
    HANDLE driver_handle;    /* hAllocation */
    HANDLE open_handle;      /* hDeviceSpecificAllocation of the creator's device */
    uint32_t part;           /* of a shared resource: which of its allocations */

    /* where */
    enum allocation_state state; /* assigned in pageable.c only */
    struct place place;          /* RESIDENT only */
    struct backing backing;
    struct victim_node victim; /* in its segment's eviction order while RESIDENT and not pinned */
    struct allocation *pinned_prev, *pinned_next; /* pinned residents of the segment */
    bool encrypted;      /* the store holds what left a protecting segment (SEG-063) */
    uint64_t placements; /* how often it was placed: tells a stale completion from a new one */
    bool told_resident;  /* what the driver heard last (MINI-079) */
    struct last_place {
        uint32_t segment; /* 0: in none, or in system memory */
        uint64_t address;
    } last; /* while it is not RESIDENT: the place that it left (SUBMIT-005) */

    /* use */
    bool displayed;     /* scanned out (RES-057) */
    bool pinned_anyway; /* not only as it is displayed, or its context loaded: then it stays so */
    struct allocation *displayed_next;
    bool pinned;           /* leaves only in one of the events of FLAG-035 */
    bool gpu_dirty;        /* PAGE-033 */
    bool pattern_only;     /* PAGE-005 */
    bool used_before;      /* for the cause of a fault (PAGE-066) */
    enum aborted aborted;  /* during the clean-up after a reset only */
    uint64_t dirty_count;  /* raised whenever gpu_dirty is set: PAGE-034 clears only what it saw */
    uint64_t discards;     /* how often its content was thrown away (OFFER-011) */
    uint64_t bound_in;     /* preparation that binds it (PLACE-003) */
    uint64_t listed_in;    /* preparation whose allocation list names it (SUBMIT-008) */
    uint64_t packed_in;    /* packet whose bindings name it (SUBMIT-063) */
    uint64_t bound_write;  /* preparation that binds it for writing */
    uint32_t packet_refs;  /* queued packets that bind it (SUBMIT-063) */
    uint32_t *marks;       /* last fence per node that refers to it (SUBMIT-062) */
    uint32_t *write_marks; /* the same, WriteOperation and paging only */

    struct offer offer;

    /* CPU access */
    struct lock_record *locks;
    uint32_t lock_count;
    uint32_t locks_left;  /* of those, behind the elements that were checked */
    uint64_t unlocked_in; /* by this call (LOCK-057) */
    uint64_t lock_address;
    struct host_mapping *host;      /* its pages in the CPU host aperture, NULL: none */
    bool cpu_va;                    /* counts in cpu_va_bytes (LOCK-014) */
    struct system_range *cpu_range; /* names its CPU address as existing memory (KMT-034) */
    enum vidmm_view lock_view;
    struct swizzling_range *ranges; /* set up over its place (SWIZ-015) */
    bool linear;    /* Swizzled, and its only copy is the linear one in system memory (SWIZ-001) */
    bool unswizzle; /* the present eviction is for a lock that wants the linear form */
    struct alternate *alternate; /* NULL: it has no alternate address (SWIZ-021) */
    struct page_set written;     /* by the CPU since the last reset of the watch (KMT-023) */
    struct page_set cpu_dirty;   /* pages of the store newer than the segment copy (PAGE-036) */
    bool cpu_unflushed;          /* the store was written, and the cache not flushed (LOCK-045) */
    struct page_set uncertain;   /* written through a cache that nobody ever flushes (FLAG-026) */
    bool agp_written;            /* the GPU wrote it in the AGP segment since the last lock */
    bool gpu_unflushed;          /* the GPU wrote where nobody looks into the cache (LOCK-045) */

    /* renaming; all 0 for an allocation that was never renamed */
    struct rename_list *renaming;
    struct allocation *rename_next; /* the instance that was handed out next */
    uint64_t generation;            /* when it was handed out (RENAME-002) */
    uint64_t submitted;             /* when a submission used it last */
    uint64_t kept_in;               /* the last submission that kept it (RENAME-009) */
    bool superseded, retired;       /* a submission used a newer one; and nothing kept it */

    /* A mirrored or instanced allocation has a copy on each adapter of a link: the first one is the
       allocation itself, with which the others live and whose marks they use (link.h). */
    struct allocation *whole;     /* of a further copy: whose; else NULL */
    struct allocation *next_copy; /* on the next adapter */
    struct allocation *keeper; /* whose store and content it has: its own but for a mirrored copy */

    /* checking */
    struct content content; /* what every page should hold */
    uint64_t paged_in_bytes, paged_out_bytes, lost_bytes;
    struct {
        struct allocation *prev, *next;
    } all; /* that live */
    struct allocation *device_prev, *device_next, *context_next, *resource_next;
};

/* The allocation that callers know: of a further copy in a link the first one. */
static inline struct allocation *allocation_whole(struct allocation *allocation)
{
    return allocation->whole ? allocation->whole : allocation;
}

static inline const struct allocation *allocation_whole_of(const struct allocation *allocation)
{
    return allocation->whole ? allocation->whole : allocation;
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
    return allocation->alternate && allocation->alternate->holds;
}

/* One outstanding lock: an unlock names none, the newest ends first. */
struct lock_record {
    uint32_t flags;
    uint32_t data;               /* PrivateDriverData */
    bool ranged;                 /* leads through a swizzling range */
    const struct device *device; /* that took it */
    struct lock_record *next;
};

static inline bool allocation_has(const struct allocation *allocation, uint32_t flag)
{
    return (allocation->info.flags & flag) != 0;
}

/* A flag that bits of view C reuse for something else. */
static inline bool allocation_is(const struct allocation *allocation, uint32_t flag)
{
    return allocation->info.view == VIDMM_FLAGS_ALLOCATION && allocation_has(allocation, flag);
}

/* A flag that only view C has. */
static inline bool allocation_is_2_0(const struct allocation *allocation, uint32_t flag)
{
    return allocation->info.view == VIDMM_FLAGS_ALLOCATION2_0 && allocation_has(allocation, flag);
}

/* Replicated on all adapters of a link (FLAG-048); without one the flag means nothing. */
static inline bool allocation_is_mirrored(const struct allocation *allocation)
{
    return (allocation->next_copy || allocation->whole) &&
           allocation_is(allocation, VIDMM_ALLOCATION_LinkMirrored);
}

/* LINK-010: the CPU sees an instanced allocation as one part for each adapter. Memory that the
   caller brought is one and the same for all of them. */
static inline uint32_t lock_part_count(const struct allocation *allocation)
{
    uint32_t count = 1;
    if (!allocation_is(allocation, VIDMM_ALLOCATION_LinkInstanced) || allocation->whole ||
        allocation->backing.existing)
        return 1;
    for (const struct allocation *a = allocation->next_copy; a; a = a->next_copy)
        count++;
    return count;
}

static inline uint64_t lock_bytes(const struct allocation *allocation)
{
    return lock_part_count(allocation) * allocation->info.bytes;
}

/* NULL: there is none. */
static inline struct allocation *lock_next_part(const struct allocation *part)
{
    const struct allocation *whole = part->whole ? part->whole : part;
    return lock_part_count(whole) > 1 ? part->next_copy : NULL;
}

/* An instance that is lost is lost for all of it: nobody can use the others alone (LINK-008). */
static inline bool allocation_is_lost(const struct allocation *allocation)
{
    for (const struct allocation *a = allocation; a; a = a->next_copy)
        if (a->state == ALLOCATION_LOST)
            return true;
    return false;
}

/* Overlay and Capture: placed at creation, in the last part of a segment (FLAG-035, FLAG-041). */
static inline bool allocation_is_overlay(const struct allocation *allocation)
{
    return allocation_has(allocation, ALLOCATION_OVERLAY | ALLOCATION_CAPTURE);
}

/* CreateInVpr: only inside the protected range of a segment (FLAG-059). View C alone has it. */
static inline bool allocation_in_vpr(const struct allocation *allocation)
{
    return allocation->info.view == VIDMM_FLAGS_ALLOCATION2_0 &&
           allocation_has(allocation, VIDMM_ALLOCATION2_0_CreateInVpr);
}

/* PAGE-013: the store is memory that came with the creation. */
static inline bool allocation_is_existing(const struct allocation *allocation)
{
    return allocation_has(allocation, ALLOCATION_EXISTING | ALLOCATION_EXISTING_KERNEL);
}

/* ALLOC-046: pinned from its creation on, like overlays, but not in the last part. */
static inline bool allocation_is_shared_primary(const struct allocation *allocation)
{
    return allocation->surface &&
           allocation->surface->standard == D3DKMDT_STANDARDALLOCATION_SHAREDPRIMARYSURFACE;
}

/* FLAG-036, ALLOC-046. */
static inline bool allocation_is_pinned_at_creation(const struct allocation *allocation)
{
    return allocation_is_overlay(allocation) || allocation_is_shared_primary(allocation);
}

/* PAGE-012, PAGE-013: the store outlives a page-in. */
static inline bool allocation_is_permanent(const struct allocation *allocation)
{
    return allocation_has(allocation, ALLOCATION_PERMANENT) || allocation_is_existing(allocation);
}

/* RENAME-012: a retired instance; nobody asks any more what it holds. Of copies in a link, the
   first knows. */
static inline bool allocation_given_up(const struct allocation *allocation)
{
    const struct allocation *whole = allocation->whole ? allocation->whole : allocation;
    return whole->retired && !whole->lock_count;
}

static inline bool allocation_cpu_visible(const struct allocation *allocation)
{
    return allocation_has(allocation, ALLOCATION_CPU_VISIBLE | ALLOCATION_ON_DEMAND);
}

/* KMT-039: the driver never hears of it. */
static inline bool allocation_is_unseen(const struct allocation *allocation)
{
    return (allocation->kmt & VIDMM_KMT_NoKmdAccess) != 0;
}

static inline bool allocation_is_contiguous(const struct allocation *allocation)
{
    return (allocation->kmt & VIDMM_KMT_PhysicallyContiguous) != 0;
}

/* The type of its store; the kernel may force it (KMT-012). */
static inline bool allocation_is_cached(const struct allocation *allocation)
{
    const uint32_t forced = VIDMM_KMT_CreateCached | VIDMM_KMT_CreateWriteCombined;
    if (allocation->kmt & forced)
        return (allocation->kmt & VIDMM_KMT_CreateCached) != 0;
    return allocation_has(allocation, ALLOCATION_CACHED);
}

static inline const struct range *place_runs(const struct place *place)
{
    return place->run_count > 1 ? place->runs : &place->one;
}

static inline const struct range *backing_runs(const struct backing *backing)
{
    return backing->run_count > 1 ? backing->runs : &backing->one;
}

#endif
