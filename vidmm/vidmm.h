/* SPDX-License-Identifier: MIT */
/*
 * vidmm.h: the memory manager as a library.
 *
 * One adapter is one simulation: it owns everything, two adapters do not know of each other, and
 * there are no globals but each thread's account of host memory and work (vidmm_host.h). One thread
 * at a time may be inside the API of an adapter.
 *
 * Whose mistake is it? A call that the caller got wrong is refused: it returns a documented
 * NTSTATUS, and vidmm_last_refusal() says which rule and why. A call refused for its arguments
 * changes nothing; one refused for want of room may already have evicted, and the events say what.
 * What a miniport gets wrong is a finding, or a bug check: then the adapter stops for good, every
 * later call is refused, and vidmm_bugcheck() has the record. A mistake of vidmm itself stops the
 * process with exit code 70. Where the host has no memory left, or the caller's limit of memory or
 * work is passed, vidmm_host.h says what happens.
 *
 * Who may call, and when? The manager calls drivers, their hardware and observers in the middle of
 * what it does. What changes something is refused there with STATUS_UNSUCCESSFUL (BUG-051), and
 * vidmm_adapter_free() returns without freeing; a driver has its callbacks instead. What only asks
 * (`const struct vidmm_adapter *`), vidmm_observe() and vidmm_name_next() are allowed: the answers
 * may show a state that is half-way. Pointers may not be NULL unless the function says so.
 *
 * Typical use:
 *     struct vidmm_config config;
 *     vidmm_config_init(&config);
 *     config.miniport = *vidmm_mock_miniport(mock);
 *     status = vidmm_adapter_start(&config, &adapter);
 *     vidmm_process_create, vidmm_device_create, vidmm_context_create,
 *     vidmm_allocate, vidmm_submit, vidmm_wait ...
 *     vidmm_adapter_free(adapter);
 */
#ifndef VIDMM_VIDMM_H
#define VIDMM_VIDMM_H

#include "vidmm/vidmm_accidents.h"
#include "vidmm/vidmm_counters.h"
#include "vidmm/vidmm_create.h"
#include "vidmm/vidmm_event.h"
#include "vidmm/vidmm_flags.h"
#include "vidmm/vidmm_host.h"
#include "vidmm/vidmm_lock.h"
#include "vidmm/vidmm_memory.h"
#include "vidmm/vidmm_offer.h"
#include "vidmm/vidmm_present.h"
#include "vidmm/vidmm_property.h"
#include "vidmm/vidmm_report.h"
#include "vidmm/vidmm_rules.h"
#include "vidmm/vidmm_share.h"
#include "vidmm/vidmm_system_range.h"
#include "vidmm/vidmm_types.h"

#ifdef __cplusplus
extern "C" {
#endif

struct vidmm_adapter;

/* ---- settings ------------------------------------------------------------------------------- */

enum vidmm_setting {
#define SETTING(symbol, name, kind, value, rule, help) VIDMM_SETTING_##symbol,
#include "vidmm/vidmm_settings.def"
#undef SETTING
    VIDMM_SETTINGS
};

/* Cost parameters that were set one by one; those left at `unset` come from the profile. */
enum { VIDMM_COST_PARAMETERS_MAX = 32 };

struct vidmm_settings {
    uint64_t value[VIDMM_SETTINGS];
    uint64_t cost[VIDMM_COST_PARAMETERS_MAX];
    uint32_t cost_set; /* bit mask over `cost` */
};

enum vidmm_setting_kind {
    VIDMM_SETTING_VERSION, /* 1.1 */
    VIDMM_SETTING_COUNT,
    VIDMM_SETTING_BYTES,
    VIDMM_SETTING_NS,
    VIDMM_SETTING_RATE,  /* bytes per second */
    VIDMM_SETTING_WORDS, /* one of `words`, separated by '|' */
};

struct vidmm_setting_info {
    const char *name;
    enum vidmm_setting_kind kind;
    const char *words, *help;
    enum vidmm_rule rule;
    bool at_run_time; /* may be changed by vidmm_set() while the adapter runs */
};

void vidmm_settings_init(struct vidmm_settings *settings);
/* Row `index` of all settings, cost parameters behind the others; NULL behind the last. */
const struct vidmm_setting_info *vidmm_setting_row(size_t index);
/* What row `index` is when nobody sets it; a cost parameter then has that of word `profile`. */
uint64_t vidmm_setting_default(size_t index, uint64_t profile);
/* Index for vidmm_setting_row(), or SIZE_MAX. */
size_t vidmm_setting_by_name(const char *name);
/* Index of `word` among the words of a WORDS setting, or SIZE_MAX. */
size_t vidmm_setting_word(const struct vidmm_setting_info *info, const char *word);
/*
 * Stores a value (for WORDS its index, for VERSION times ten). False when the value is out of
 * range; `why` is then a sentence that lives as long as the program.
 */
bool vidmm_setting_store(struct vidmm_settings *settings, size_t index, uint64_t value,
                         const char **why);

/* ---- adapter -------------------------------------------------------------------------------- */

struct vidmm_machine {
    uint64_t memory_bytes; /* physical memory; default 8 GiB */
    uint64_t commit_bytes; /* limit of all backing stores (ALLOC-009); 0: none */
    uint64_t agp_bytes;    /* size of the AGP aperture, with its GART driver; 0: there is none */
};

struct vidmm_config {
    struct vidmm_miniport miniport;
    struct vidmm_settings settings;
    struct vidmm_machine machine;
    struct vidmm_observer *observers;
    /* Hear warnings and findings only; no other event is composed for them. Not those of above. */
    struct vidmm_observer *complaint_observers;
    uint32_t paging_buffers; /* how many there are; default 4 (TIME-019) */
    uint32_t link_adapters;  /* linked physical adapters, 1 to VIDMM_LINK_MAX; default 1 */
    const char *placement;   /* name of a policy (vidmm_policy.h); NULL: the documented order */
    const char *segment_names[VIDMM_SEGMENTS_MAX + 1]; /* by id, for messages; NULL: "segment N" */
    const char *node_names[VIDMM_NODES_MAX];           /* by number, for stories; NULL: none */
    /* How refusals call a handle that names nothing. NULL, or the answer NULL: by its number. */
    const char *(*handle_name)(void *caller, vidmm_handle handle);
    void *caller; /* for handle_name */
};

void vidmm_config_init(struct vidmm_config *config);

/*
 * Calls the miniport's DxgkDdiAddDevice and DxgkDdiStartDevice, asks it for caps and segments
 * (MINI-002), checks every answer, takes the paging buffers. Sets `*adapter` in any case: free it.
 * After a failed start every command answers STATUS_GRAPHICS_INVALID_DISPLAY_ADAPTER.
 */
VIDMM_CHECKED vidmm_status vidmm_adapter_start(const struct vidmm_config *config,
                                               struct vidmm_adapter **adapter);
/*
 * Destroys what is left, stops the miniport, frees everything. Waits for nothing. NULL is allowed.
 * From inside a call of the driver, its hardware or an observer it is refused like the others.
 */
void vidmm_adapter_free(struct vidmm_adapter *adapter);

/* A late observer sees events from now on. Observers are not freed. */
void vidmm_observe(struct vidmm_adapter *adapter, struct vidmm_observer *observer);
/* Changes a setting at run time; refused for those that only a start can change. */
VIDMM_CHECKED vidmm_status vidmm_set(struct vidmm_adapter *adapter, size_t setting, uint64_t value);

enum { VIDMM_REFUSAL_RULES_MAX = 32, VIDMM_REFUSAL_TEXT_MAX = 480 };

struct vidmm_refusal {
    vidmm_status status;
    enum vidmm_rule rules[VIDMM_REFUSAL_RULES_MAX]; /* all broken; the first gave the status (C3) */
    size_t rule_count;
    char text[VIDMM_REFUSAL_TEXT_MAX];
};

/* The last refusal, or NULL when nothing was refused yet. */
const struct vidmm_refusal *vidmm_last_refusal(const struct vidmm_adapter *adapter);

struct vidmm_bugcheck {
    uint32_t code; /* 0x10E, 0x119 */
    uint64_t parameter[4];
    vidmm_ns time;
    enum vidmm_rule rule;
    char name[48];         /* VIDEO_MEMORY_MANAGEMENT_INTERNAL ... */
    char meaning[120];     /* of the code and its first parameter (vidmm_stops.h); may be "" */
    char text[240];        /* what happened, in plain words */
    const char *last_call; /* the last miniport call */
};

/* NULL as long as the simulated system runs. */
const struct vidmm_bugcheck *vidmm_bugcheck(const struct vidmm_adapter *adapter);

/* ---- processes, devices, contexts ----------------------------------------------------------- */

/* Labels are copied. The new handle goes to `*handle`. */
VIDMM_CHECKED vidmm_status vidmm_process_create(struct vidmm_adapter *adapter, const char *label,
                                                vidmm_handle *handle);
/* The same, for processes that are not ordinary ones. */
struct vidmm_process_args {
    const char *label;
    bool secure; /* KMT-011 */
};
VIDMM_CHECKED vidmm_status vidmm_process_create_with(struct vidmm_adapter *adapter,
                                                     const struct vidmm_process_args *args,
                                                     vidmm_handle *handle);
VIDMM_CHECKED vidmm_status vidmm_device_create(struct vidmm_adapter *adapter, const char *label,
                                               vidmm_handle process, vidmm_handle *handle);
VIDMM_CHECKED vidmm_status vidmm_context_create(struct vidmm_adapter *adapter, const char *label,
                                                vidmm_handle device, uint32_t node,
                                                vidmm_handle *handle);

/* The same with everything that a context can be. */
struct vidmm_context_args {
    const char *label;
    vidmm_handle device;
    uint32_t node;
    bool gdi; /* GdiContext: its allocation list has 256 elements (SUBMIT-022) */
};
VIDMM_CHECKED vidmm_status vidmm_context_create_with(struct vidmm_adapter *adapter,
                                                     const struct vidmm_context_args *args,
                                                     vidmm_handle *handle);

/* ---- allocations ---------------------------------------------------------------------------- */

/* Any object: allocations wait for their last use (MINI-042); owners take what they own with them.
 */
VIDMM_CHECKED vidmm_status vidmm_destroy(struct vidmm_adapter *adapter, const vidmm_handle *handles,
                                         size_t count);

/* What a reference would do: bring in for reading or writing (PLACE-001). */
VIDMM_CHECKED vidmm_status vidmm_page_in(struct vidmm_adapter *adapter, vidmm_handle allocation,
                                         bool write);
/* Pushes out now what is resident; refused when more than its loaded context pins it (PAGE-051). */
VIDMM_CHECKED vidmm_status vidmm_evict(struct vidmm_adapter *adapter, vidmm_handle allocation);
/* Keeps a resident allocation where it is, until unpinned or one of the events of FLAG-035. */
VIDMM_CHECKED vidmm_status vidmm_pin(struct vidmm_adapter *adapter, vidmm_handle allocation);
VIDMM_CHECKED vidmm_status vidmm_unpin(struct vidmm_adapter *adapter, vidmm_handle allocation);

/* D3DKMTSetAllocationPriority in its two forms (ALLOC-034): a resource, or a list. */
struct vidmm_priority_args {
    vidmm_handle resource;
    const vidmm_handle *allocations;
    size_t count;
    const uint32_t *priorities;
};
VIDMM_CHECKED vidmm_status vidmm_set_priority(struct vidmm_adapter *adapter,
                                              const struct vidmm_priority_args *args);

/*
 * The label of allocations that the driver makes by itself (DxgkCbCreateContextAllocation), from
 * now on; not copied. NULL: none of their own.
 */
void vidmm_name_next(struct vidmm_adapter *adapter, const char *label);

/* ---- rendering ------------------------------------------------------------------------------ */

/* An element of the caller's allocation list; handle 0 is the NULL element. */
struct vidmm_use {
    vidmm_handle allocation;
    bool write, keep; /* keep: DoNotRetireInstance (RENAME-009) */
    uint32_t offer;   /* OfferPriority: D3DDDI_OFFER_PRIORITY, 0: none (OFFER-004) */
};

/* An element of the caller's patch-location list, in documented terms. */
struct vidmm_patch {
    uint32_t allocation_index, slot, allocation_offset, patch_offset, split_offset;
};

struct vidmm_work {
    const char *label;
    vidmm_handle context;
    const struct vidmm_use *uses; /* element 0 should be NULL by convention */
    size_t use_count;
    const struct vidmm_patch *patches;
    size_t patch_count;
    const void *command; /* pCommand of DxgkDdiRender: the mock reads struct vidmm_mock_command */
    uint32_t command_bytes;
    uint32_t dma_bytes;  /* room for the DMA buffer from now on (SUBMIT-022); 0: as before */
    bool null_rendering; /* its fence is raised, and nothing is executed (SUBMIT-049) */
    uint32_t adapters;   /* of a link: those that execute it, bit i is adapter i; 0: all */
};

struct vidmm_submission {
    uint32_t node, fence;
};

/* One DMA buffer: render, residency, patch, submit (SUBMIT-001). Returns before it has run. */
VIDMM_CHECKED vidmm_status vidmm_submit(struct vidmm_adapter *adapter,
                                        const struct vidmm_work *work,
                                        struct vidmm_submission *submission);
/* Waits until the CPU has seen the fence (TIME-012). */
VIDMM_CHECKED vidmm_status vidmm_wait(struct vidmm_adapter *adapter,
                                      struct vidmm_submission submission);
VIDMM_CHECKED vidmm_status vidmm_wait_idle(struct vidmm_adapter *adapter);
/* Lets time pass (TIME-014); refused where time would come to its end (TIME-002). */
VIDMM_CHECKED vidmm_status vidmm_advance(struct vidmm_adapter *adapter, vidmm_ns duration);
vidmm_ns vidmm_now(const struct vidmm_adapter *adapter);

/* ---- display -------------------------------------------------------------------------------- */

/*
 * Flips the video present source of a primary to it: what was shown there is hidden (RES-057). 0
 * hides all.
 */
VIDMM_CHECKED vidmm_status vidmm_display(struct vidmm_adapter *adapter, vidmm_handle allocation);

/* ---- looking -------------------------------------------------------------------------------- */

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
    uint32_t priority;
    uint32_t read_set, write_set, eviction_set, preferred, hinted_bank;
    bool encrypted; /* the store holds encrypted content (SEG-063) */
    bool gpu_dirty, pattern_only, pinned, busy, arriving;
    bool cached, uncached; /* how its store is mapped; neither: write-combined */
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
/* The copy that a physical adapter of a link has of it; false, and nothing is written: it has none.
 */
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
/* Whether the newest copy of every page is what was written last, and guaranteed. Another copy that
   the rules call stale is no loss: under a lock with a permanent copy the one in the segment, for
   instance. */
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
    vidmm_handle allocation; /* 0: a hole, a paging buffer or a range that serves an eviction */
    const char *what;        /* "free", "allocation", "paging-buffer", "dma-buffer", "eviction" */
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

/* A counter of the adapter. */
uint64_t vidmm_counter(const struct vidmm_adapter *adapter, enum vidmm_counter counter);
/* A counter of one segment, node or object; 0 where it is not kept for that subject. */
uint64_t vidmm_counter_of_segment(const struct vidmm_adapter *adapter, enum vidmm_counter counter,
                                  uint32_t segment);
uint64_t vidmm_counter_of_node(const struct vidmm_adapter *adapter, enum vidmm_counter counter,
                               uint32_t node);
uint64_t vidmm_counter_of_object(const struct vidmm_adapter *adapter, enum vidmm_counter counter,
                                 vidmm_handle object);
uint64_t vidmm_waits_of(const struct vidmm_adapter *adapter, enum vidmm_wait_reason reason);
vidmm_ns vidmm_stall_of(const struct vidmm_adapter *adapter, enum vidmm_wait_reason reason);

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
