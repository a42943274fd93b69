/* SPDX-License-Identifier: MIT */
/*
 * eviction.h: the residents of one segment in the order in which a policy lets them leave.
 *
 * Rank and priority decide first, as in victim.h, on which this stands. Inside of one priority the
 * order is that of the last use where no policy was chosen (PLACE-012), that of the numbers of a
 * keyed policy, or what a listed one names (vidmm/vidmm_eviction.h).
 *
 * Without a policy nothing is kept of an allocation but its node. With one, eviction_view() makes
 * a record for it, which lives until eviction_forget(). A record belongs to one group: when the
 * allocation comes under another segment or another priority, the old group forgets it.
 */
#ifndef SEGMENTS_EVICTION_H
#define SEGMENTS_EVICTION_H

#include "segments/victim.h"
#include "vidmm/vidmm_eviction.h"

struct eviction_group;
struct eviction_record;

/* A zeroed struct is an empty order without a policy. */
struct eviction_order {
    struct victim_index tree; /* of a listed policy: the documented order, for offers and flaws */
    const struct vidmm_eviction_policy *policy; /* NULL: the documented order */
    struct vidmm_eviction_group terms;
    struct eviction_group *groups;   /* by priority */
    struct eviction_record *records; /* by address: what a policy may name */
    uint64_t walks;
};

/* Nodes may be in it, and are not visited; what was known of each was forgotten before. */
void eviction_fini(struct eviction_order *order);

/* What policies are told about it, wherever it belongs: the caller writes the members that are the
   manager's. NULL without a policy. */
struct vidmm_resident *eviction_known(const struct eviction_order *order, struct victim_node *node);
/* The same; from now on it belongs to this order, and to the group of its priority. `id` is 0 when
   it did not belong to the order before: its bytes may be others here. */
struct vidmm_resident *eviction_view(struct eviction_order *order, struct victim_node *node);

/* It is wanted here, and is not resident. */
void eviction_missed(struct eviction_order *order, struct victim_node *node);
/* Into the order. With a policy: after eviction_view(). */
void eviction_insert(struct eviction_order *order, struct victim_node *node);
/* Out of it; as a victim if `node->chosen`. */
void eviction_remove(struct eviction_order *order, struct victim_node *node);
/* A reference to what is in the order. With a policy: after its view was brought up to date. */
void eviction_used(struct eviction_order *order, struct victim_node *node);
/* Whether it is in the order or not. */
void eviction_change_priority(struct eviction_order *order, struct victim_node *node,
                              uint32_t priority);
/* Likewise. Of rank 0 under a keyed policy its latest number counts instead of `last_use`. */
void eviction_change_rank(struct eviction_order *order, struct victim_node *node, int8_t rank,
                          uint64_t last_use);
/* The allocation ends. */
void eviction_forget(struct victim_node *node);

/* Does the last use of a node decide, also where a listed policy breaks its word? */
static inline bool eviction_by_last_use(const struct eviction_order *order)
{
    return !order->policy || !order->policy->key;
}

static inline bool eviction_is_listed(const struct eviction_order *order)
{
    return order->policy && order->policy->next;
}

/* How a listed policy broke its word (POLICY-011): bits, of all walks of a plan. */
enum eviction_flaw {
    EVICTION_FAIR = 0,
    EVICTION_STRANGER = 1, /* it named what is no resident of the group */
    EVICTION_TWICE = 2,    /* it named one twice */
    EVICTION_EARLY = 4,    /* it named less than all */
};

/* From the first victim upwards, of rank 0 only priorities below the limit. Nothing may come, go or
   be used meanwhile. After a flaw the rest of that priority follows in the documented order. */
struct eviction_cursor {
    struct victim_cursor tree;
    struct eviction_order *order;
    const struct eviction_group *group; /* whose residents are being named; NULL: the tree's turn */
    struct vidmm_eviction_walk walk;
    size_t named;
    const struct victim_node *first;   /* in the tree, of that group */
    const struct eviction_group *rest; /* whose rest the tree names, after a flaw */
    uint32_t flaws;                    /* enum eviction_flaw, for whoever tells about them */
};

struct eviction_cursor eviction_first(const struct eviction_order *order, uint64_t below_priority);
struct victim_node *eviction_next(struct eviction_cursor *cursor); /* NULL after the last */

/* CHECKs the tree, and that groups and records agree with it. */
void eviction_check(const struct eviction_order *order);

#endif
