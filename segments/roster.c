/* SPDX-License-Identifier: MIT */
/*
 * roster.c: simulates the removal of victims in the space itself, and takes it back.
 *
 * I1  away_bytes counts exactly the bytes that were removed and not put back.
 * I2  A range that was removed is free until it is put back, because the caller changes nothing
 *     else in the space meanwhile: putting back never fails.
 * I3  If nothing fitted before a removal, what fits afterwards touches one of its ranges: the holes
 *     there, joined with their neighbours, are the only new ones.
 * I4  A first victim of one range is not free in the space until that makes a difference: equal
 *     sizes meet no hole beside it, and it alone makes room. Then nothing is released and taken
 *     again: 650 instructions of 15,900 of a miss.
 *
 * Rejected: a copy of the space for each trial (its size follows the holes, not the victims), and
 * marks on victims with a list of joined holes beside the tree, as drm_mm's scan keeps them: with
 * several requests and places in many pieces that list becomes a second range tree.
 */
#include "segments/roster.h"

void roster_init(struct roster *roster, struct range_tree *space,
                 const struct range_request *requests, size_t count)
{
    *roster = (struct roster){ .space = space, .requests = requests, .request_count = count };
}

void roster_fini(struct roster *roster)
{
    CHECK(!roster->away_bytes);
    *roster = (struct roster){ 0 };
}

void roster_settle(struct roster *roster)
{
    if (roster->first.bytes)
        range_tree_release(roster->space, roster->first);
    roster->first.bytes = 0;
}

void roster_remove(struct roster *roster, const struct range *ranges, size_t count)
{
    bool first = !roster->away_bytes && count == 1;
    if (first)
        roster->first = ranges[0];
    else
        roster_settle(roster);
    for (size_t i = 0; i < count; i++) {
        if (!first)
            range_tree_release(roster->space, ranges[i]);
        roster->away_bytes += ranges[i].bytes;
    }
}

/* Where the first victim was removed there is a hole of its own, joined with no other (I4). */
static bool is_alone(const struct roster *roster)
{
    uint64_t page = roster->space->page_bytes;
    struct range hole, before = { roster->first.offset - page, page };
    if (roster->first.offset && range_tree_is_free(roster->space, before))
        return false;
    return !range_tree_next_hole(roster->space, range_end(roster->first), &hole) ||
           hole.offset != range_end(roster->first);
}

/* Finds the best place for one request among the holes that now lie where `ranges` were (I3). */
static bool roster_look_among(const struct roster *roster, const struct range_request *request,
                              const struct range *ranges, size_t count, uint64_t *best)
{
    bool found = false;
    if (roster->first.bytes)
        return range_tree_fit(request, roster->first, best);
    for (size_t i = 0; i < count; i++) {
        struct range hole;
        uint64_t offset;
        bool free = range_tree_next_hole(roster->space, ranges[i].offset, &hole);
        CHECK(free); /* I2 */
        if (!range_tree_fit(request, hole, &offset))
            continue;
        if (!found || (request->from_end ? offset > *best : offset < *best))
            *best = offset;
        found = true;
    }
    return found;
}

bool roster_look(struct roster *roster, const struct range *ranges, size_t count,
                 struct roster_place *place)
{
    if (roster->first.bytes && (!ranges || !is_alone(roster)))
        roster_settle(roster);
    for (size_t i = 0; i < roster->request_count; i++) {
        const struct range_request *request = &roster->requests[i];
        uint64_t offset;
        if (!(ranges ? roster_look_among(roster, request, ranges, count, &offset)
                     : range_tree_find(roster->space, request, &offset)))
            continue;
        *place = (struct roster_place){ i, { offset, request->bytes } };
        return true;
    }
    return false;
}

void roster_put_back(struct roster *roster, const struct range *ranges, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        CHECK(roster->away_bytes >= ranges[i].bytes); /* I1 */
        roster->away_bytes -= ranges[i].bytes;
        if (roster->first.bytes) {
            CHECK(roster->first.offset == ranges[i].offset); /* nothing else is away (I4) */
            roster->first.bytes = 0;
        } else {
            range_tree_take(roster->space, ranges[i]);
        }
    }
}
