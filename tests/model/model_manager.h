/* SPDX-License-Identifier: MIT */
/*
 * model_manager.h: the slow reference for placement and eviction.
 *
 * The memory manager on plain arrays: every segment is one byte a page that names its owner, every
 * search is a scan over all pages, every choice of victims a sort of all residents. There is no
 * time: an operation that waits in the manager has happened here. Written from the words of
 * PLACE, PAGE and LOCK, not from the code that it is compared with.
 *
 * An operation answers the status that the manager has to return, changes the state that the
 * manager's views have to show, and lists the allocations that had to leave, those that lost their
 * content by that, and those that were placed. A refused operation changes nothing, except for
 * allocations that a submission without room brought in before. Allocations are slots, 0 to
 * MODEL_ALLOCATIONS - 1; segments count from 1.
 */
#ifndef TESTS_MODEL_MANAGER_H
#define TESTS_MODEL_MANAGER_H

#include "vidmm/vidmm.h"
#include "vidmm/vidmm_policy.h"

enum {
    MODEL_SEGMENTS = 5,
    MODEL_PAGES = 128, /* of one segment */
    MODEL_BANKS = 6,
    MODEL_ALLOCATIONS = 48,
    MODEL_USES = 8, /* allocations of one submission */
    MODEL_LEAVERS = 4 * MODEL_ALLOCATIONS,
    MODEL_HOST_PAGE = 4096,
    MODEL_FREE = 0, /* owner of a page: free, slot + 1, or a paging buffer */
    MODEL_PAGING_BUFFER = 255,
};

struct model_segment {
    bool aperture, cpu_visible;
    uint64_t page_bytes, pages;
    uint64_t limit;     /* bytes, of an aperture */
    uint64_t pin_start; /* first page of the pinned region */
    uint32_t banks;
    uint64_t bank_ends[MODEL_BANKS]; /* pages */
    uint8_t owner[MODEL_PAGES];
};

/* The miniport's answer to a creation. */
struct model_wish {
    uint64_t bytes, alignment;
    uint32_t flags, read_set, write_set, eviction_set, preferred, hinted_bank, priority;
    bool has_content;
};

struct model_allocation {
    bool live;
    uint32_t tie; /* the handle: decides where PLACE-012 leaves two equal */
    struct model_wish wish;
    uint64_t bytes; /* rounded to host pages */
    enum vidmm_residency state;
    uint32_t segment; /* while resident; 0: locked pages of system memory */
    uint32_t priority;
    uint64_t last_use;
    bool gpu_dirty, pattern_only, pinned;
    uint32_t locks;
    uint32_t offer;            /* D3DDDI_OFFER_PRIORITY, AUTO resolved; 0: not offered */
    uint64_t turn;             /* of the offer */
    bool discarded;            /* and not reclaimed yet */
    bool written[MODEL_PAGES]; /* host pages: cpu_dirty */
};

enum model_reason {
    MODEL_ROOM,
    MODEL_PIN,
    MODEL_COMMIT,
    MODEL_RANGE,
    MODEL_SCRIPT,
    MODEL_LOCK,
    MODEL_MOVE,
    MODEL_LEVEL3,
    MODEL_REASONS
};

struct model_leaver {
    uint8_t slot;
    enum model_reason reason;
    bool lost;
};

struct model {
    uint32_t wddm, segment_count;
    enum vidmm_direction_zero direction_zero;
    bool fallback_lost;
    struct model_segment segments[MODEL_SEGMENTS + 1];   /* [0] is not used */
    uint64_t global_limit, commit_limit, commit_charged; /* commit_limit 0: none */
    uint64_t uses;                                       /* submissions and locks so far */
    uint64_t offers;                                     /* so far */
    struct model_allocation allocations[MODEL_ALLOCATIONS];
    /* effects of the last operation */
    bool leaving;      /* an aperture range is on its way to being free */
    bool time_matters; /* and a search met it: only time decides the result */
    bool gave_up;      /* the last submission: no place for all of it, the device is in error */
    size_t splits;     /* of the last submission */
    struct model_leaver leavers[MODEL_LEAVERS];
    size_t leaver_count;
};

/* A patch location: groups are numbers that do not decrease, slots of the table below MODEL_USES.
 */
struct model_use {
    uint8_t slot;
    bool write;
    uint8_t group, slot_id;
    bool none; /* names no allocation: empties its slot */
};

struct model_pages {
    uint64_t first, count;
};

/* `bytes` is the segment's size, `limit` the driver's value (SEG-067, SEG-068). */
struct model_segment_wish {
    bool aperture, cpu_visible;
    uint64_t page_bytes, bytes, limit;
    uint32_t banks;
    uint64_t bank_ends[MODEL_BANKS]; /* bytes */
};

struct model_adapter_wish {
    uint32_t wddm, segment_count, pinned_percent;
    enum vidmm_direction_zero direction_zero;
    bool fallback_lost; /* evict-fallback=lost (PLACE-033) */
    struct model_segment_wish segments[MODEL_SEGMENTS];
    uint64_t memory_bytes, commit_bytes, aperture_commit_limit;
    uint32_t paging_buffer_segment, paging_buffers;
    uint64_t paging_buffer_bytes;
};

/* False when the adapter may not start: the paging buffers do not fit. */
bool model_start(struct model *model, const struct model_adapter_wish *wish);

vidmm_status model_create(struct model *model, uint8_t slot, const struct model_wish *wish);
void model_destroy(struct model *model, uint8_t slot);
vidmm_status model_page_in(struct model *model, uint8_t slot, bool write);
vidmm_status model_evict(struct model *model, uint8_t slot);
vidmm_status model_pin(struct model *model, uint8_t slot);
vidmm_status model_unpin(struct model *model, uint8_t slot);
vidmm_status model_priority(struct model *model, uint8_t slot, uint32_t priority);
/* All work that refers to it has run: an offer takes effect at once. */
vidmm_status model_offer(struct model *model, uint8_t slot, uint32_t priority);
/* Or the D3DDDI_RECLAIM_RESULT, which is not negative. */
vidmm_status model_reclaim(struct model *model, uint8_t slot);
vidmm_status model_submit(struct model *model, const struct model_use *uses, size_t count);
/* `pages.count` 0: no page list. */
vidmm_status model_lock(struct model *model, uint8_t slot, uint32_t flags,
                        struct model_pages pages);
vidmm_status model_unlock(struct model *model, uint8_t slot);
void model_write(struct model *model, uint8_t slot);
void model_level3(struct model *model);

/* Views for comparing. */
uint64_t model_committed(const struct model *model, uint32_t segment); /* bytes */
uint64_t model_committed_global(const struct model *model);
bool model_is_pinned(const struct model_allocation *allocation); /* resident and may not leave */
uint64_t model_footprint(const struct model *model, const struct model_allocation *allocation,
                         uint32_t segment); /* segment pages */

/* ---- model_space.c: holes of one segment -------------------------------------------------------
 */

/* Segment id at a position of PreferredSegment, 0 for none. */
uint32_t model_preferred(const struct model_wish *wish, unsigned position);
/* `owner` names the allocation that holds each page: as it is, or with victims treated as gone.
 * Marks `pages`. */
bool model_hole(const struct model *model, const struct model_allocation *allocation, uint32_t id,
                const uint8_t *owner, bool *pages);
bool model_eviction_hole(const struct model *model, const struct model_allocation *allocation,
                         uint32_t id, const uint8_t *owner, bool *pages);

/* ---- model_place.c, model_way.c: places, victims, eviction routes -------------------------------
 */

/* One reference that is being served. */
struct model_task {
    uint8_t slot;
    uint32_t set;                  /* segments that it may go to */
    bool bound[MODEL_ALLOCATIONS]; /* stay where they are: same portion (PLACE-003) */
    bool may_split;                /* soft-pinned ones stay as long as a split may help */
};

struct model_place {
    uint32_t segment;
    bool pages[MODEL_PAGES];
    bool victim[MODEL_ALLOCATIONS];
    bool for_limit[MODEL_ALLOCATIONS]; /* victims of a commit limit (PLACE-019) */
    uint8_t order[MODEL_ALLOCATIONS];  /* all that were considered, first to leave first */
    size_t considered;
};

/* A place and its victims by PLACE-004 to PLACE-025. Changes nothing. */
bool model_find(const struct model *model, const struct model_task *task,
                struct model_place *place);

enum model_way { MODEL_WAY_OPEN, MODEL_WAY_LOST, MODEL_WAY_STUCK };
/* Can it leave, now or after others made room for its eviction range, or without one?
   (PLACE-030, PLACE-033, PAGE-023) */
enum model_way model_way_out(const struct model *model, const struct model_task *task,
                             uint8_t slot);
/* A range for its content in an eviction segment, and the victims for it. */
bool model_find_range(const struct model *model, const struct model_task *task, uint8_t slot,
                      struct model_place *place);
/* Does an allocation that stays lie where its eviction range would be? (PLACE-030) */
bool model_blocked(const struct model *model, uint8_t slot);
bool model_needs_range(const struct model *model, const struct model_allocation *allocation);

/* ---- model_manager.c: for model_submit.c, model_level3.c ---------------------------------------
 */

uint32_t model_apertures(const struct model *model); /* a set */

void model_begin(struct model *model);
bool model_in_memory(const struct model *model, const struct model_allocation *allocation);
void model_leave(struct model *model, const struct model_task *task, uint8_t slot,
                 enum model_reason reason);
/* The reason why a submission with it is refused, before anything is done (SUBMIT-015). */
vidmm_status model_check_reference(const struct model *model, uint8_t slot, bool write);
vidmm_status model_reference(struct model *model, struct model_task *task, bool write);

#endif
