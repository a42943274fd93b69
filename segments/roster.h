/* SPDX-License-Identifier: MIT */
/*
 * roster.h: is there room when these victims are away (PLACE-012)?
 *
 *     roster_init -> roster_look, roster_remove, roster_put_back ... -> roster_fini
 *
 * The roster simulates the removal of a victim: its ranges become free in the space itself. The
 * caller puts back a victim that has no eviction path, or that is not needed, and every one before
 * roster_fini(): the space is then as it was. Nothing else may touch the space in between.
 * A roster serves several requests at once: the first one in their order that fits wins.
 */
#ifndef SEGMENTS_ROSTER_H
#define SEGMENTS_ROSTER_H

#include "segments/range_tree.h"

struct roster_place {
    size_t request; /* index of the one that is satisfied */
    struct range range;
};

struct roster {
    struct range_tree *space;
    const struct range_request *requests;
    size_t request_count;
    uint64_t away_bytes; /* removed now */
    struct range first;  /* removed, and not free in the space yet; no bytes: there is none */
};

/* Both arguments must outlive it. */
void roster_init(struct roster *roster, struct range_tree *space,
                 const struct range_request *requests, size_t count);
void roster_fini(struct roster *roster);

/* Simulates the removal of the victim that holds these ranges. */
void roster_remove(struct roster *roster, const struct range *ranges, size_t count);
/* For callers that look into the space themselves: what was removed is free in it. */
void roster_settle(struct roster *roster);
/* Is there room now? Looks only into the holes that lie where `ranges` were, which is the same
   answer if nothing fitted before they were removed; with `ranges` NULL everywhere. */
bool roster_look(struct roster *roster, const struct range *ranges, size_t count,
                 struct roster_place *place);
/* The victim that holds these ranges stays after all. */
void roster_put_back(struct roster *roster, const struct range *ranges, size_t count);

#endif
