/* SPDX-License-Identifier: MIT */
/* evict_plan.h: one look for room, and the order of those that may leave for it. Private to
 * evict_plan.c, evict_order.c and evict_trial.c. */
#ifndef VIDMM_EVICT_PLAN_H
#define VIDMM_EVICT_PLAN_H

#include "paging/residency/pager.h"
#include "paging/store/trail.h"
#include "segments/segments.h"

/* D3DDDI_ALLOCATIONPRIORITY_MAXIMUM: from here on an allocation is soft-pinned (PRIO-010). */
static const uint32_t soft_pinned = 0xC8000000;

/* Written once, by evict_plan(); `found` is what it answers. */
struct room_search {
    adapter_t *adapter;
    const struct pageable *allocation;   /* for whom */
    const struct vidmm_search *searches; /* of one segment; in a link, of that of adapter 0 */
    size_t count;
    uint32_t
        segments[VIDMM_LINK_MAX]; /* where room is looked for: one for each adapter of a link */
    uint32_t segment_count;       /* 0: system memory, which has no places */
    uint64_t below_priority;      /* PLACE-011: from here on nothing leaves in this pass */
    enum evict_reason reason;
    bool limited;       /* the place counts for the commit limits (PLACE-019) */
    bool page_set;      /* PLACE-016 */
    bool region_first;  /* a pinned request in pass 1 (PLACE-024) */
    uint64_t low, high; /* union of the searches' windows */
    uint32_t flaws;     /* how the eviction policy broke its word (POLICY-011) */
    struct found_place *found;
};

/* It could have made room, and stays: a word of the event pass-over. NULL: it does not. */
static inline void evict_stays(const struct room_search *room, const struct pageable *victim,
                               const char *cause)
{
    if (cause && heard(room->adapter, VIDMM_EVENT_PASS_OVER))
        trail_pass_over(room->adapter, victim, room->allocation, cause);
}

/* ---- evict_order.c --------------------------------------------------------------------------- */

/* PLACE-011, PLACE-024: the first priority that this pass may not push out. */
uint64_t evict_pass_limit(const struct pageable *allocation, enum placement_pass pass);

/* PAGE-015: the bytes of system memory that this way out of a victim takes. */
uint64_t evict_store_bytes(const struct pageable *victim, enum evict_route way);
/* Are there so many? What was offered and evicted before gives its pages (OFFER-012). */
bool evict_have_pages(const struct room_search *room, uint64_t bytes);

/* NULL: it may leave. `*lack_pages` becomes true if it may not for want of system pages. */
const char *evict_why_it_stays(const struct room_search *room, const struct pageable *victim,
                               bool *lack_pages);

/* The order of victims has none for this search. False where events name those that stay: they have
   to be met. */
bool evict_no_victim(const struct room_search *room);

/* The order of victims (PLACE-012, PRIO-006), of several segments as of one. */
bool evict_before(const struct pageable *a, const struct pageable *b);

/* Those that may leave, of several segments in their common order. Nothing may be evicted, used or
   offered during the walk. */
struct victim_walk {
    struct room_search *room;
    struct eviction_cursor cursor[VIDMM_SEGMENT_SLOTS + 1];
    struct pageable *head[VIDMM_SEGMENT_SLOTS + 1];
    uint32_t count;
    uint32_t named;     /* the segment whose head was named last, and has no other yet; `count`:
                           none of them */
    uint64_t looked_at; /* residents, for heads that nobody has asked for yet */
    bool lack_pages;    /* one of those stays for want of system pages */
    bool shown;         /* by events or a listed policy: the order is looked at as it is named */
};
void victim_walk_begin(struct victim_walk *walk, struct room_search *room, const uint32_t *segments,
                       uint32_t count);
/* NULL after the last, which ends the walk. */
struct pageable *victim_walk_next(struct victim_walk *walk);
/* Who would be named next; NULL: nobody. */
const struct pageable *victim_walk_peek(const struct victim_walk *walk);

/* ---- evict_trial.c --------------------------------------------------------------------------- */

/* A victim that was considered; a mirrored one stands for all its copies (LINK-005). */
struct candidate {
    struct pageable *allocation;
    enum evict_reason reason;
    uint64_t store_bytes; /* of system memory that its way out takes */
    uint64_t turn;        /* in which a listed policy named it; 0: its node says when it leaves */
    bool away;
    bool stuck; /* put back for good: system memory does not take it with the others (PAGE-015) */
};

/* Victims that are pretended away, and what that leaves to be done. Written by evict_trial.c. */
struct evict_trial {
    struct room_search *room;
    struct candidate *list; /* first to leave first, but for those added for a limit */
    size_t count, capacity;
    uint64_t turns;
    bool many; /* were considered: the next look asks a prospect */
    /* What those that are away give, or take. */
    uint64_t held_shared, store_bytes;
    /* For each segment that is asked for, and for each search; the others are left as they were. */
    struct evict_trial_segment {
        struct roster roster;
        uint64_t held;
        uint32_t protected_count;
    } segment[VIDMM_LINK_MAX];
    struct range_request requests[VIDMM_SEARCHES_MAX];
    struct trail_turns told; /* where events turn are heard */
};

/* Takes hold of the spaces until evict_trial_end(), which leaves them as they were. */
void evict_trial_begin(struct evict_trial *trial, struct room_search *room);
void evict_trial_end(struct evict_trial *trial);

/* Adds a victim, away. */
void evict_trial_add(struct evict_trial *trial, struct pageable *victim, enum evict_reason reason);
void evict_trial_set(struct evict_trial *trial, struct candidate *candidate, bool away);
/* Is it among the first `count` of the list? Of a mirrored one, any copy in the whole list. */
bool evict_trial_has(const struct evict_trial *trial, size_t count, const struct pageable *victim);
/* Only those that are away stay in the list, in the order of victims. */
void evict_trial_tidy(struct evict_trial *trial);

/* Is there a place? True: `found` has it; but for a page set, see evict_trial_take_pages(). With
   `victim`: right after that was added, when there was no place before. */
bool evict_trial_is_open(struct evict_trial *trial, const struct pageable *victim);
/* There is: this one, of the segment. */
void evict_trial_found(struct evict_trial *trial, struct roster_place place);
/* Gathers the pages of the page set that evict_trial_is_open() promised. */
void evict_trial_take_pages(struct evict_trial *trial);
/* The placement policy chooses among the places that are free now, in the search that found one.
   False: there is nothing to choose. */
bool evict_trial_pick(struct evict_trial *trial);
/* Does it, or a copy of it, lie where the place is? */
bool evict_trial_in_the_way(const struct evict_trial *trial, const struct pageable *victim);

/* What the room that is looked for may lack beside a place. */
enum evict_limit {
    LIMIT_OWN,       /* PLACE-019: bytes of the commit limit of a segment, */
    LIMIT_SHARED,    /* of that over all apertures (SEG-069) */
    LIMIT_PROTECTED, /* SEG-061: 1 when a protected one has to go for the one that comes */
};
uint64_t evict_trial_lack(const struct evict_trial *trial, enum evict_limit limit, uint32_t index);
bool evict_trial_limits_hold(const struct evict_trial *trial);
/* Slow: (I1) to (I3) of evict_plan.c. For CHECK_SLOW. */
bool evict_trial_holds(struct evict_trial *trial);

#endif
