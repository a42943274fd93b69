/* SPDX-License-Identifier: MIT */
/*
 * residency.h: the door of paging/residency: a place for what is needed, and what leaves for it.
 * Copies in a link are in link.h, offers in offer.h.
 */
#ifndef PAGING_RESIDENCY_H
#define PAGING_RESIDENCY_H

#include "paging/pageable.h"
#include "vidmm/tell/tell.h"

/* What a pageable in this state may not be, by the list in pageable.h: words to follow its label;
   NULL: all is right, also half-way through an operation. */
const char *pageable_state_problem(const struct pageable *allocation);
/* For the end of each function that changes the state. */
#define pageable_check_state(allocation) CHECK_SLOW(!pageable_state_problem(allocation))

/* ---- page-in --------------------------------------------------------------------------------- */

uint32_t residency_allowed_set(const struct pageable *allocation, bool write);
/* KMT-039: refused for what the driver does not know. */
vidmm_status residency_gpu_use(adapter_t *adapter, const struct pageable *allocation);
/* For what is pinned where an access does not permit it. */
vidmm_status residency_refuse_pinned(adapter_t *adapter, const struct pageable *allocation);
/* Makes it resident for an access, in the open preparation (chapter 5.1 of the catalogue). */
vidmm_status residency_require(adapter_t *adapter, struct pageable *allocation, bool write,
                               struct device *device);
/* Gives a pinned allocation its place, in the open preparation (FLAG-036). */
vidmm_status residency_pin_new(adapter_t *adapter, struct pageable *allocation);

/* RES-057: resident for scan-out, in a contiguous range; in the open preparation. */
vidmm_status residency_show(adapter_t *adapter, struct pageable *allocation);
/* And back to bare pages, where the range was for the display only. */
vidmm_status residency_hide(adapter_t *adapter, struct pageable *allocation);

/* ---- what may not leave, and when ------------------------------------------------------------ */

/* The open preparation needs it: nothing else that it needs may push it out (PLACE-003). */
void residency_bind(adapter_t *adapter, struct pageable *allocation);
void residency_unbind(adapter_t *adapter); /* it may be pushed out again */
/* What follows when a search finds no place. */
enum residency_miss {
    MISS_REFUSED, /* it says why */
    MISS_QUIET,   /* nothing is said: there is another try, */
    MISS_SPLITS,  /* after a split (SUBMIT-031) */
};
void residency_on_miss(adapter_t *adapter, enum residency_miss miss);
/* The script's pin and unpin of a resident allocation. */
void residency_pin(adapter_t *adapter, struct pageable *allocation, bool pinned);
/* Will it stay pinned when it is displayed no more, and its context not loaded? */
void residency_keep_pinned(struct pageable *allocation, bool keep);
/* RES-057: it is displayed, or not any more. */
void residency_scanned_out(struct pageable *allocation, bool displayed);
/* No new use of any copy; what is resident still has to leave its place. */
void residency_close(struct pageable *allocation);
/* What leads out of its place has been built. */
void residency_departs(struct pageable *allocation);

/* ---- eviction -------------------------------------------------------------------------------- */

enum evict_reason {
    EVICT_ROOM,
    EVICT_RETRY, /* SUBMIT-031, step 6 */
    EVICT_PIN,
    EVICT_COMMIT,
    EVICT_RANGE,
    EVICT_SCRIPT,
    EVICT_LOCK,
    EVICT_DESTROY,
    EVICT_LEVEL3,
    EVICT_STANDBY,
    EVICT_HIBERNATE,
    EVICT_PNP_STOP,
    EVICT_EXCLUDE,
    EVICT_TDR,
    EVICT_MIGRATION,
    EVICT_LINK, /* LINK-008 */
};

/* Is this copy resident in a segment of `set`, in the form that its flags ask for? */
bool residency_stays(const adapter_t *adapter, const struct pageable *allocation, uint32_t set);
/* Into one of the segments of `set`, whatever else the allocation supports, in the open
   preparation. `leaving`: why it leaves the segment that it is in. */
vidmm_status residency_bring(adapter_t *adapter, struct pageable *allocation, uint32_t set,
                             const char *reason, enum evict_reason leaving);
/* Pushes one out, in the open preparation. Afterwards it is evicted, without content, or lost. */
vidmm_status evict_allocation(adapter_t *adapter, struct pageable *allocation,
                              enum evict_reason reason, enum vidmm_rule rule);
/* How content leaves: a word for events or the name of an aperture, and the rule that decides. */
struct evict_way {
    const char *via;
    enum vidmm_rule rule;
    bool fell_back; /* PLACE-033: straight out, although it has an eviction set */
};
/* Event and counters of one eviction, before it happens (PAGE-065). `rule`: why it leaves. */
void evict_tell(adapter_t *adapter, const struct pageable *allocation, enum evict_reason reason,
                enum vidmm_rule rule, struct evict_way way);

/* How the content of a resident allocation would leave its segment. */
enum evict_route {
    OUT_DROP,      /* no transfer is needed: PLACE-029 */
    OUT_UNMAP,     /* it lies in an aperture, or in segment 0 */
    OUT_DIRECT,    /* straight to system pages: PAGE-021, PLACE-033 */
    OUT_VIA,       /* through an aperture of the eviction set: PAGE-020 */
    OUT_LOST,      /* what is pinned blocks its eviction set: PLACE-030 */
    OUT_PROTECTED, /* hardware-protected, and the segment cannot encrypt it: SEG-063 */
    OUT_LATER,     /* only allocations of this preparation are in the way: PAGE-023 */
};
enum evict_route evict_route(const adapter_t *adapter, const struct pageable *allocation);
/* Does its eviction set count? In WDDM 2.0 and later if it is accessed physically (SEG-036). */
bool evict_uses_set(const adapter_t *adapter, const struct pageable *allocation);
/* Is the segment in its eviction set, on its adapter? */
bool evict_set_has(const adapter_t *adapter, const struct pageable *allocation, uint32_t segment);
/* Would a range in this segment hold it, but for what is pinned there (PLACE-030)? */
bool evict_blocked(const adapter_t *adapter, const struct pageable *allocation, uint32_t segment);
/* Is every segment of its eviction set too small for it, whoever is there (ALLOC-061)? */
bool evict_never_possible(const adapter_t *adapter, const struct pageable *allocation);

/* evict_tell.c: what each segment of its eviction set lacks. `ever`: whatever is pinned there. */
struct evict_obstacles {
    char text[256];
};
void evict_name_obstacles(adapter_t *adapter, const struct pageable *allocation, bool ever,
                          struct evict_obstacles *obstacles);
/* The place is given up: free at once (memory), or by the unmap that follows (aperture). The caller
   sets the new state. */
void residency_unplace(adapter_t *adapter, struct pageable *allocation, bool release);

/* ---- a range for which others leave ---------------------------------------------------------- */

struct chosen_victim {
    struct pageable *allocation;
    enum evict_reason reason;
};

struct found_place {
    const struct vidmm_search *search;
    struct place place;            /* owns its runs until it is booked */
    struct chosen_victim *victims; /* in the order in which they leave */
    size_t victim_count, victim_capacity;
    bool given_known;
    uint64_t given; /* system pages that offered ones would give, in bytes, once it is known */
    bool no_system_pages; /* a victim stayed because there were no system pages for it (PAGE-015) */
};

void found_place_fini(adapter_t *adapter, struct found_place *found);
/* The same for one range in an aperture that serves an eviction (PAGE-023). */
bool evict_plan_range(adapter_t *adapter, const struct pageable *allocation,
                      const struct vidmm_search *search, struct found_place *found);

/* ---- who is in a segment --------------------------------------------------------------------- */

/* First the victims in their order, then what is pinned. Nobody may come or go meanwhile. */
struct resident_walk {
    struct victim_cursor order;
    struct pageable *pinned;
};
struct resident_walk residents_begin(const adapter_t *adapter, uint32_t segment);
/* NULL: that was the last one. */
struct pageable *residents_next(struct resident_walk *walk);

/* ---- system memory is short: answers struct shrinker ----------------------------------------- */

/* Until so many bytes of system memory are free; false: they never are. */
bool discard_for_pages(adapter_t *adapter, uint64_t bytes);
/* Until so many bytes can be charged (ALLOC-009). */
bool discard_for_commitment(adapter_t *adapter, uint64_t bytes);

/* ---- the adapter comes and goes -------------------------------------------------------------- */

struct residency *residency_new(void); /* the state of this folder, empty (base_free) */
/* The adapter goes away. */
void residency_stop(adapter_t *adapter);

#endif
