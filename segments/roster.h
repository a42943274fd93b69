/* SPDX-License-Identifier: MIT */
/*
 * roster.h: who has to leave to make room, and who may stay (PLACE-012).
 *
 * Victims come one by one in the order of the policy. Each is pretended away: its ranges become
 * free in the space itself, and only the holes that this opened are looked at, because nothing
 * fitted before. When a hole appears, those whose ranges overlap the found place are the victims;
 * the others were only considered. A victim that turns out to have no way out is put back and the
 * search goes on (PAGE-023).
 *
 * roster_fini() gives every range back, so the space is as it was; after roster_commit() all but
 * the ranges of the chosen ones. Nobody else may touch the space in between.
 *
 * A roster serves several requests at once: the first one in their order that fits wins, as in a
 * list of candidate windows. `id` is the caller's and only handed back.
 */
#ifndef SEGMENTS_ROSTER_H
#define SEGMENTS_ROSTER_H

#include "segments/range_tree.h"

struct roster_entry {
    uint64_t id;
    size_t first_range, range_count;
    bool away; /* false: put back */
};

struct roster_place {
    size_t request; /* index of the one that is satisfied */
    struct range range;
};

struct roster {
    struct range_tree *space;
    const struct range_request *requests;
    size_t request_count;
    struct roster_entry *entries;
    size_t count, capacity;
    struct range *ranges; /* of all entries, one behind the other */
    size_t range_count, range_capacity;
};

/* Both arguments must outlive the roster. */
void roster_init(struct roster *roster, struct range_tree *space,
                 const struct range_request *requests, size_t count);
void roster_fini(struct roster *roster);

/* Is there room anywhere now? For the start, and after roster_remove(). */
bool roster_look(const struct roster *roster, struct roster_place *place);
/* Pretends a victim away without looking. Returns its index in `entries`. */
size_t roster_remove(struct roster *roster, uint64_t id, const struct range *ranges, size_t count);
/* Pretends a victim away and looks into the holes that this opened: nothing fitted before. */
bool roster_add(struct roster *roster, uint64_t id, const struct range *ranges, size_t count,
                struct roster_place *place);
/* This one stays after all. Is there still room? */
bool roster_put_back(struct roster *roster, size_t index, struct roster_place *place);

/* Must this victim really leave for the place? */
bool roster_is_chosen(const struct roster *roster, size_t index, const struct roster_place *place);
/* The ranges of the chosen ones stay free for good, all others are used again. */
void roster_commit(struct roster *roster, const struct roster_place *place);

#endif
