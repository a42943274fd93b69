/* SPDX-License-Identifier: MIT */
/*
 * vidmm_eviction.h: in which order the residents of a segment would leave.
 *
 * The documented order stands above every policy: offers leave first, then lower priorities
 * (PRIO-006, PLACE-012). A policy orders the residents of one segment and one priority. It has a
 * state for each such group; the manager makes it zeroed and keeps it as long as it knows a
 * resident or a ghost of the group. A policy allocates nothing: what it keeps stands in this state
 * and in the residents, which it may link into queues.
 *
 * A policy has one of two forms:
 *
 *   keyed   `key` gives a resident a number once at its arrival and once at each use, after the
 *           notification and with the numbers below up to date; the smallest leaves first, and of
 *           equal ones that at the lower offset. To let the older of two equal ones leave first,
 *           put its arrival into the low bits of the key.
 *   listed  `next` names the residents in the order in which they would leave, one for each call,
 *           and each of them once. It changes nothing but what only walks read: a plan may fail, or
 *           find that a victim can stay. When a resident really leaves as a victim, `left` does
 *           what the walk up to it stood for: moves a hand, takes reference bits, keeps a ghost.
 *
 * The order of notifications for one reference: `used` when it is resident; otherwise `missed`,
 * perhaps a walk, `left` for each victim, then `arrived`. All of them may be NULL. Nothing has to
 * be linked: everything here is inline.
 */
#ifndef VIDMM_EVICTION_H
#define VIDMM_EVICTION_H

#include "vidmm/vidmm_types.h"

#ifdef __cplusplus
extern "C" {
#endif

/* An allocation of the group: resident, or one that was (a ghost), or one that is wanted. */
struct vidmm_resident {
    /* Written by the manager. */
    vidmm_handle id;
    uint64_t bytes;    /* that it takes in the segment */
    uint64_t arrival;  /* number of its latest arrival; all arrivals of the adapter are numbered */
    uint64_t last_use; /* number of its latest reference, which are counted apart; 0: none yet */
    uint64_t next_use; /* number of the reference that comes next; UINT64_MAX: none, or unknown */
    uint64_t cost;     /* ns that bringing its content in takes, at least 1 */

    /* The policy's own; zeroed when the group meets it for the first time, and kept until
       `forgotten`: at once when it leaves and is in no queue, else when it is a ghost no more. */
    struct vidmm_resident *older, *newer; /* of a struct vidmm_queue */
    uint64_t place;                       /* which queue it is in; 0: none */
    uint64_t word;
    /* For walks: stale, unless `walk` is the number of this one. */
    uint64_t walk, walk_word;
    struct vidmm_resident *walk_newer;
};

/* From the oldest to the newest. A resident is in one queue at most. */
struct vidmm_queue {
    struct vidmm_resident *oldest, *newest;
    uint64_t bytes;
};

static inline void vidmm_queue_append(struct vidmm_queue *queue, struct vidmm_resident *resident)
{
    resident->older = queue->newest;
    resident->newer = NULL;
    if (queue->newest)
        queue->newest->newer = resident;
    else
        queue->oldest = resident;
    queue->newest = resident;
    queue->bytes += resident->bytes;
}

static inline void vidmm_queue_remove(struct vidmm_queue *queue, struct vidmm_resident *resident)
{
    if (resident->older)
        resident->older->newer = resident->newer;
    else
        queue->oldest = resident->newer;
    if (resident->newer)
        resident->newer->older = resident->older;
    else
        queue->newest = resident->older;
    resident->older = resident->newer = NULL;
    queue->bytes -= resident->bytes;
}

/* What a state is made for. */
struct vidmm_eviction_group {
    uint64_t capacity; /* bytes of the segment */
    uint64_t page;     /* bytes of its pages */
    uint64_t seed;     /* of the run, for what is random */
};

/* One look for victims: zeroed but for the number before the first `next`. */
struct vidmm_eviction_walk {
    uint64_t number; /* of this walk, at least 1: no other one of the group has it */
    struct vidmm_resident *at[4];
    uint64_t word[4];
};

struct vidmm_eviction_policy {
    const char *name, *summary;
    const char *source; /* where it was published */
    size_t state_bytes;
    bool foresees; /* reads next_use: refused where the future is unknown (POLICY-013) */

    /* Once for each state, before everything else. May be NULL. */
    void (*begin)(void *state, const struct vidmm_eviction_group *group);
    /* Keyed policies. */
    uint64_t (*key)(void *state, struct vidmm_resident *resident);
    /* Listed ones. NULL: that were all. */
    struct vidmm_resident *(*next)(const void *state, struct vidmm_eviction_walk *walk);

    /* It is wanted, and not resident; before victims are looked for. Not for each arrival: what is
       pinned, moved or displayed comes without a reference. */
    void (*missed)(void *state, struct vidmm_resident *resident);
    void (*arrived)(void *state, struct vidmm_resident *resident);
    void (*used)(void *state, struct vidmm_resident *resident);
    /* `victim`: chosen to make room; else it was evicted, destroyed, pinned or moved. The state may
       keep it in a queue as a ghost until `forgotten`. */
    void (*left)(void *state, struct vidmm_resident *resident, bool victim);
    /* It no longer belongs to this group, as a resident, a ghost or a wish; after `left`. */
    void (*forgotten)(void *state, struct vidmm_resident *resident);
};

/* Who listens to references, or knows those to come. References are those that use_hits and
   use_misses count (POLICY-012); the first one after a start has the number 1. Each function may be
   NULL, and may only look at the adapter. */
struct vidmm_foresight {
    void (*begun)(void *caller); /* the adapter starts, or starts again */
    void (*referenced)(void *caller, vidmm_handle allocation, uint64_t bytes);
    /* After that, under a policy that foresees: the number of the next reference to it, UINT64_MAX:
       there is none. NULL: such a policy is refused. */
    uint64_t (*next_use)(void *caller, vidmm_handle allocation);
    void *caller;
};

/* The names of those that are built in, as settings and scenarios list them, the default first. */
#define VIDMM_EVICTION_NAMES "wddm|fifo|lru|clock|gds|sieve|s3-fifo|arc|largest|random|belady"

/* Row `index` of the policies that are built in, the default first; NULL after the last. */
const struct vidmm_eviction_policy *vidmm_eviction_policy_row(size_t index);

#ifdef __cplusplus
}
#endif
#endif
