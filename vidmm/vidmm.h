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
 * may show a state that is half-way. Pointers may not be NULL unless the function says so. A number
 * that is none of its enumeration is answered by 0, "" or NULL.
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
#include "vidmm/vidmm_policy.h"
#include "vidmm/vidmm_property.h"
#include "vidmm/vidmm_render.h"
#include "vidmm/vidmm_report.h"
#include "vidmm/vidmm_rules.h"
#include "vidmm/vidmm_settings.h"
#include "vidmm/vidmm_share.h"
#include "vidmm/vidmm_system_range.h"
#include "vidmm/vidmm_types.h"
#include "vidmm/vidmm_view.h"

#ifdef __cplusplus
extern "C" {
#endif

struct vidmm_adapter;

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
    uint32_t paging_buffers; /* how many there are; 0: four (TIME-019) */
    uint32_t link_adapters;  /* linked physical adapters, 1 to VIDMM_LINK_MAX; default 1 */
    const struct vidmm_policies *const *policies; /* for `placement` and `eviction`, behind words */
    size_t policy_count;
    uint64_t seed;                           /* for policies that draw lots */
    const struct vidmm_foresight *foresight; /* NULL: nobody knows the references to come */
    const char *segment_names[VIDMM_SEGMENTS_MAX + 1]; /* by id, for messages; NULL: "segment N" */
    const char *node_names[VIDMM_NODES_MAX];           /* by number, for stories; NULL: none */
    /* How refusals call a handle that names nothing. NULL, or the answer NULL: by its number. */
    const char *(*handle_name)(void *caller, vidmm_handle handle);
    void *caller; /* for handle_name */
};

void vidmm_config_init(struct vidmm_config *config);
/* With what it started, and what vidmm_set() changed since. */
const struct vidmm_config *vidmm_config_of(const struct vidmm_adapter *adapter);

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

/* Any object: allocations wait for their last use (MINI-042); owners take what they own. */
VIDMM_CHECKED vidmm_status vidmm_destroy(struct vidmm_adapter *adapter, const vidmm_handle *handles,
                                         size_t count);

/* What a reference would do: bring in for reading or writing (PLACE-001). */
VIDMM_CHECKED vidmm_status vidmm_page_in(struct vidmm_adapter *adapter, vidmm_handle allocation,
                                         bool write);
/* Pushes out now what is resident; refused when more than its loaded context pins it (PAGE-051). */
VIDMM_CHECKED vidmm_status vidmm_evict(struct vidmm_adapter *adapter, vidmm_handle allocation);
/* Stays where it is until an event of FLAG-035, or an unpin: refused without a pin (PAGE-051). */
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

/* The label of allocations that the driver makes by itself (DxgkCbCreateContextAllocation), from
   now on; not copied. NULL: none of their own. */
void vidmm_name_next(struct vidmm_adapter *adapter, const char *label);

#ifdef __cplusplus
}
#endif
#endif
