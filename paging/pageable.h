/* SPDX-License-Identifier: MIT */
/*
 * pageable.h: what the pager knows of an allocation, or of one copy of it in a link, and what it
 * asks of the floors above, which answer in vidmm/wiring.c.
 *
 * Its states, and the function that takes it from one to the next:
 *
 *   NO_CONTENT -> RESIDENT  [residency_place]        a fill, or a mapping of a new store
 *   NO_CONTENT -> EVICTED   [allocation_make_store]  the CPU looks
 *   EVICTED -> RESIDENT     [residency_place]        page-in; [residency_undo] takes it back
 *   RESIDENT -> EVICTED     [evict_allocation]       room, script, lock, level 3
 *   RESIDENT -> NO_CONTENT  [evict_allocation]       a pattern is dropped, or what was offered
 *   RESIDENT -> LOST        [evict_allocation]       there is no way out for the content
 *   RESIDENT -> EVICTED, NO_CONTENT or LOST [tdr_clean], EVICTED -> LOST the same: a reset
 *   EVICTED -> NO_CONTENT   [discard_evicted]        it was offered
 *   any -> CLOSED           [residency_close]        destroy
 *
 * It begins without content, or EVICTED where the content came with the creation.
 *
 * The state changes when an operation is built, not when the GPU has carried it out: what is still
 * under way is in the fences. What holds in each state (pageable_check_state()):
 *   NO_CONTENT  no place; the store is empty, or permanent and holds the pattern
 *   EVICTED     no place; the store holds the newest content once the fences are reached
 *   RESIDENT    a place: ranges of a segment, or locked pages of segment 0
 *   LOST        no place, no content; only destruction leads out
 *   CLOSED      no new use; waits for its fences, then goes
 *
 * Rules not named below: PAGE-003, PAGE-012, PAGE-030, PAGE-033, PAGE-034, SUBMIT-062.
 */
#ifndef PAGING_PAGEABLE_H
#define PAGING_PAGEABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "paging/buffer/transfer_part.h"
#include "paging/residency/place_part.h"
#include "paging/store/backing_part.h"
#include "vidmm/vidmm.h"

struct pageable;
struct vidmm_adapter;

/* Short names for vidmm_flags.def; bits with a second meaning in WDDM 2.0 and later go through
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

/* What the miniport answered, checked and in natural units. */
struct allocation_info {
    uint64_t bytes;       /* Size, rounded to host pages (ALLOC-013) */
    uint64_t pitch_bytes; /* PitchAlignedSize, 0: none */
    uint64_t alignment;   /* at least one host page (ALLOC-011) */
    uint32_t hinted_bank, preferred;
    uint32_t read_set, write_set, eviction_set;
    uint32_t flags, flags2;
    uint32_t priority;     /* as created; the current one is in the victim node */
    uint32_t rename_limit; /* MaximumRenamingListLength, below 2.0 */
    enum vidmm_flag_set view : 8;
    uint8_t physical; /* of a link: the adapter whose memory it uses (PLACE-021) */
    bool primary;     /* may be displayed (ALLOC-040 to ALLOC-042) */
};

/* It begins a record of its owner, which may be larger (struct pageable_hooks, record_bytes). What
   each use looks at lies together, from the end of `store` into the record of the owner. */
struct pageable {
    struct backing_part store; /* the parts: what each floor of the pager keeps, and alone writes */
    /* Read by all; constant after the creation, where nothing else is said: */
    struct allocation_info info; /* an update changes its sets and flags (RES-029) */
    vidmm_handle handle;
    uint32_t kmt;            /* D3DKMT_CREATEALLOCATIONFLAGS of its creation */
    struct device *creator;  /* on whose behalf; of a shared one its owner, which changes */
    uint32_t packet_refs;    /* queued packets that bind it, counted by vidmm/submit (SUBMIT-063) */
    bool of_context;         /* made by the driver for a context (ALLOC-052) */
    bool shared_primary;     /* ALLOC-046: pinned from its creation on, not in the last part */
    bool advised;            /* by vidmm/allocation: noted for the 80 percent advice (FLAG-039) */
    struct place_part place; /* a part, as `store` */
    struct transfer_part transfer; /* the same */
    HANDLE driver_handle;          /* hAllocation */
    char *label;
    struct context *context; /* that it was made for; NULL: all of its device */
};

static inline bool allocation_has(const struct pageable *allocation, uint32_t flag)
{
    return (allocation->info.flags & flag) != 0;
}

/* A flag that bits of view C reuse for something else. */
static inline bool allocation_is(const struct pageable *allocation, uint32_t flag)
{
    return allocation->info.view == VIDMM_FLAGS_ALLOCATION && allocation_has(allocation, flag);
}

/* Replicated on all adapters of a link (FLAG-048); without one the flag means nothing. */
static inline bool allocation_is_mirrored(const struct pageable *allocation)
{
    return (allocation->place.next_copy || allocation->place.first_copy) &&
           allocation_is(allocation, VIDMM_ALLOCATION_LinkMirrored);
}

/* An instance that is lost is lost for all of it: nobody can use the others alone (LINK-008). */
static inline bool allocation_is_lost(const struct pageable *allocation)
{
    for (const struct pageable *a = allocation; a; a = a->place.next_copy)
        if (a->store.state == ALLOCATION_LOST)
            return true;
    return false;
}

/* Overlay and Capture: placed at creation, in the last part of a segment (FLAG-035, FLAG-041). */
static inline bool allocation_is_overlay(const struct pageable *allocation)
{
    return allocation_has(allocation, ALLOCATION_OVERLAY | ALLOCATION_CAPTURE);
}

/* CreateInVpr: only inside the protected range of a segment (FLAG-059). View C alone has it. */
static inline bool allocation_in_vpr(const struct pageable *allocation)
{
    return allocation->info.view == VIDMM_FLAGS_ALLOCATION2_0 &&
           allocation_has(allocation, VIDMM_ALLOCATION2_0_CreateInVpr);
}

/* PAGE-013: the store is memory that came with the creation. */
static inline bool allocation_is_existing(const struct pageable *allocation)
{
    return allocation_has(allocation, ALLOCATION_EXISTING | ALLOCATION_EXISTING_KERNEL);
}

/* FLAG-036, ALLOC-046. */
static inline bool allocation_is_pinned_at_creation(const struct pageable *allocation)
{
    return allocation_is_overlay(allocation) || allocation->shared_primary;
}

/* PAGE-012, PAGE-013: the store outlives a page-in. */
static inline bool allocation_is_permanent(const struct pageable *allocation)
{
    return allocation_has(allocation, ALLOCATION_PERMANENT) || allocation_is_existing(allocation);
}

static inline bool allocation_cpu_visible(const struct pageable *allocation)
{
    return allocation_has(allocation, ALLOCATION_CPU_VISIBLE | ALLOCATION_ON_DEMAND);
}

/* KMT-039: the driver never hears of it. */
static inline bool allocation_is_no_kmd(const struct pageable *allocation)
{
    return (allocation->kmt & VIDMM_KMT_NoKmdAccess) != 0;
}

static inline bool allocation_is_contiguous(const struct pageable *allocation)
{
    return (allocation->kmt & VIDMM_KMT_PhysicallyContiguous) != 0;
}

/* What its place takes, in bytes of the segment or of system memory. */
static inline uint64_t place_bytes(const struct pageable *allocation)
{
    uint64_t bytes = allocation->place.at.segment ? 0 : allocation->info.bytes;
    for (size_t i = 0; i < allocation->place.at.run_count; i++)
        bytes += place_runs(&allocation->place.at)[i].bytes;
    return bytes;
}

/* Its store: of one without pages an empty one. */
static inline const struct backing *backing_of(const struct pageable *allocation)
{
    static const struct backing none = { .run_count = 0 };
    return allocation->store.backing ? allocation->store.backing : &none;
}

/* What became of the last offer: nothing of most. */
static inline const struct offer *offer_of(const struct pageable *allocation)
{
    static const struct offer none = { .state = VIDMM_OFFER_NONE };
    return allocation->place.offer ? allocation->place.offer : &none;
}

/* The allocation that callers know: of a further copy in a link the first one. */
static inline struct pageable *allocation_whole(struct pageable *allocation)
{
    return allocation->place.first_copy ? allocation->place.first_copy : allocation;
}

static inline const struct pageable *allocation_whole_of(const struct pageable *allocation)
{
    return allocation->place.first_copy ? allocation->place.first_copy : allocation;
}

/* LINK-010: the CPU sees an instanced allocation as one part for each adapter. Memory that the
   caller brought is one and the same for all of them. */
static inline uint32_t lock_part_count(const struct pageable *allocation)
{
    uint32_t count = 1;
    if (!allocation_is(allocation, VIDMM_ALLOCATION_LinkInstanced) ||
        allocation->place.first_copy || backing_of(allocation)->existing)
        return 1;
    for (const struct pageable *a = allocation->place.next_copy; a; a = a->place.next_copy)
        count++;
    return count;
}

static inline uint64_t lock_bytes(const struct pageable *allocation)
{
    return lock_part_count(allocation) * allocation->info.bytes;
}

/* NULL: there is none. */
static inline struct pageable *lock_next_part(const struct pageable *part)
{
    return lock_part_count(allocation_whole_of(part)) > 1 ? part->place.next_copy : NULL;
}

/* What the CPU does with a pageable now. */
enum cpu_use {
    CPU_LOCKED = 0x1,     /* it has a lock that the GPU has to heed (LOCK-053) */
    CPU_BARS_GPU = 0x2,   /* the lock forbids every use by the GPU (LOCK-053) */
    CPU_ALTERNATE = 0x4,  /* a lock leads to its alternate address (SWIZ-022) */
    CPU_UNSWIZZLES = 0x8, /* its next way out converts it to the linear form (SWIZ-009) */
    CPU_HOLDS = 0x10,     /* it has any lock */
    CPU_RANGES = 0x20,    /* swizzling ranges show its place (SWIZ-015) */
    CPU_ELSEWHERE = 0x40, /* its content stands at the alternate address (SWIZ-022) */
    CPU_GIVEN_UP = 0x80,  /* a retired instance: its content does not count any more (RENAME-012) */
};

struct pageable_hooks {
    size_t record_bytes; /* of the owner, which begins with a struct pageable */
    /* It is about to be evicted; refused before anything is half done. May wait. */
    vidmm_status (*may_leave)(struct vidmm_adapter *adapter, const struct pageable *allocation);
    /* Its content goes out of its segment, or to another one. Both may wait. */
    vidmm_status (*leave)(struct vidmm_adapter *adapter, struct pageable *allocation);
    vidmm_status (*move)(struct vidmm_adapter *adapter, struct pageable *allocation);
    /* Its place is about to be given up. */
    void (*left)(struct vidmm_adapter *adapter, struct pageable *allocation);
    /* Its content came to its place from the alternate address. */
    void (*arrived)(struct vidmm_adapter *adapter, struct pageable *allocation);
    /* Bits of enum cpu_use. */
    uint32_t (*cpu_use)(const struct pageable *allocation);
    /* RangeId and PrivateDriverData of the lock that made the alternate address. */
    void (*range)(const struct pageable *allocation, uint32_t *id, uint32_t *data);
};

/* System memory is short: makes room if it can. False: so much can never be had. */
struct shrinker {
    bool (*pages)(struct vidmm_adapter *adapter, uint64_t bytes);
    bool (*commitment)(struct vidmm_adapter *adapter, uint64_t bytes); /* ALLOC-009 */
};

#endif
