/* SPDX-License-Identifier: MIT */
/*
 * prospect.h: what is free of a segment once its first victims have left, kept from one look for
 * room to the next (PLACE-012).
 *
 * A look for room pretends victims away in their order until a place opens. Where most of them are
 * not in its way, the next look would begin with the same ones: a prospect keeps them away instead,
 * in a space of its own, and follows what happens to the segment meanwhile. It answers like a walk
 * over the victims from the first one on, and a look costs no more than what has changed.
 *
 *     prospect_begin -> prospect_step -> prospect_answer, prospect_step, ... -> prospect_victim ...
 *
 * Only for the documented order, and for residents in one range each.
 */
#ifndef SEGMENTS_PROSPECT_H
#define SEGMENTS_PROSPECT_H

#include "segments/key_tree.h"
#include "segments/roster.h"
#include "segments/victim.h"

enum { PROSPECT_STAYS = 16 };

enum prospect_step {
    PROSPECT_ASK,   /* may this one leave now? prospect_answer() says it */
    PROSPECT_PLACE, /* there is one, when prospect_victim() names have left */
    PROSPECT_FULL,  /* there is none with all victims of the look away */
    PROSPECT_BROKEN,
};

struct prospect {
    struct range_tree space;    /* what is free, or held by one that is away */
    struct key_tree away;       /* those, by offset: the node, and the bytes */
    struct victim_index *order; /* of the segment */
    struct victim_node end;     /* whatever stands before this is away, or stays */
    struct {
        struct victim_node *node;
        struct range range;
    } stays[PROSPECT_STAYS]; /* could not leave when they were asked for */
    size_t stay_count;
    uint64_t most_bytes; /* of one that was away */
    uint64_t idle;       /* arrivals since the last look */
    bool broken;         /* it cannot answer any more */
    /* the present look */
    const struct range_request *requests;
    size_t request_count, asked; /* of those that stay */
    uint64_t below_priority;
    struct roster_place place;
    uint64_t verified; /* those in the place are asked about from this offset on */
    bool grown, open;
};

/* Nobody is away at first. `order` outlives it. */
void prospect_init(struct prospect *prospect, const struct range_tree *space,
                   struct victim_index *order);
void prospect_fini(struct prospect *prospect);
/* It has not been asked for so long, or cannot answer: it costs more than it saves. */
bool prospect_is_done(const struct prospect *prospect);

/* ---- what happens to the segment ------------------------------------------------------------- */

void prospect_take(struct prospect *prospect, struct range range);
void prospect_release(struct prospect *prospect, struct range range);
/* It is in the order now, and its range is taken; no bytes: it has several. */
void prospect_enter(struct prospect *prospect, struct victim_node *node, struct range range);
/* It is going to leave the order. */
void prospect_leave(struct prospect *prospect, struct victim_node *node);
/* One that is marked `away` was touched. */
void prospect_used(struct prospect *prospect, struct victim_node *node);

/* ---- a look for room ------------------------------------------------------------------------- */

/* Nothing may be free for the requests, the first of which that fits wins. They outlive the look,
   during which nothing else may happen to the segment. */
void prospect_begin(struct prospect *prospect, const struct range_request *requests, size_t count,
                    uint64_t below_priority);
enum prospect_step prospect_step(struct prospect *prospect, struct victim_node **node);
/* `range`: where it lies; no bytes: in several, which breaks it, as do too many that stay. */
void prospect_answer(struct prospect *prospect, struct victim_node *node, struct range range,
                     bool leaves);
/* The victims in the place, from `*at` on, which begins as the offset of the place; NULL: no more.
 */
struct victim_node *prospect_victim(const struct prospect *prospect, uint64_t *at);
/* How many a walk from the first victim on would have met. Once the look has an answer. */
uint64_t prospect_met(const struct prospect *prospect);

/* CHECKs that it has free what `space` has free, and what those that are away hold. */
void prospect_check(const struct prospect *prospect, const struct range_tree *space);

#endif
