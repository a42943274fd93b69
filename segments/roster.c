/* SPDX-License-Identifier: MIT */
/* roster.c: pretends victims away in the space itself, and takes it back. */
#include "segments/roster.h"

void roster_init(struct roster *roster, struct range_tree *space,
                 const struct range_request *requests, size_t count)
{
    *roster = (struct roster){ .space = space, .requests = requests, .request_count = count };
}

static void take_back(struct roster *roster, struct roster_entry *entry)
{
    CHECK(entry->away);
    for (size_t i = 0; i < entry->range_count; i++)
        range_tree_take(roster->space, roster->ranges[entry->first_range + i]);
    entry->away = false;
}

void roster_fini(struct roster *roster)
{
    for (size_t i = 0; i < roster->count; i++)
        if (roster->entries[i].away)
            take_back(roster, &roster->entries[i]);
    base_free(roster->entries);
    base_free(roster->ranges);
    *roster = (struct roster){ 0 };
}

bool roster_look(const struct roster *roster, struct roster_place *place)
{
    for (size_t i = 0; i < roster->request_count; i++) {
        uint64_t offset;
        if (!range_tree_find(roster->space, &roster->requests[i], &offset))
            continue;
        *place = (struct roster_place){ i, { offset, roster->requests[i].bytes } };
        return true;
    }
    return false;
}

size_t roster_remove(struct roster *roster, uint64_t id, const struct range *ranges, size_t count)
{
    BASE_GROW(roster->ranges, roster->range_capacity, roster->range_count + count);
    BASE_GROW(roster->entries, roster->capacity, roster->count + 1);
    roster->entries[roster->count] = (struct roster_entry){
        .id = id, .first_range = roster->range_count, .range_count = count, .away = true
    };
    for (size_t i = 0; i < count; i++) {
        roster->ranges[roster->range_count++] = ranges[i];
        range_tree_release(roster->space, ranges[i]);
    }
    return roster->count++;
}

/* The best place for one request among the holes that now lie where `ranges` were. */
static bool look_at(const struct roster *roster, const struct range_request *request,
                    const struct range *ranges, size_t count, uint64_t *best)
{
    bool found = false;
    for (size_t i = 0; i < count; i++) {
        struct range hole;
        uint64_t offset;
        bool free = range_tree_next_hole(roster->space, ranges[i].offset, &hole);
        CHECK(free);
        if (!range_tree_fit(request, hole, &offset))
            continue;
        if (!found || (request->from_end ? offset > *best : offset < *best))
            *best = offset;
        found = true;
    }
    return found;
}

bool roster_add(struct roster *roster, uint64_t id, const struct range *ranges, size_t count,
                struct roster_place *place)
{
    CHECK_SLOW(!roster_look(roster, &(struct roster_place){ 0 }));
    roster_remove(roster, id, ranges, count);
    for (size_t i = 0; i < roster->request_count; i++) {
        const struct range_request *request = &roster->requests[i];
        uint64_t offset;
        if (!look_at(roster, request, ranges, count, &offset))
            continue;
        *place = (struct roster_place){ i, { offset, request->bytes } };
        return true;
    }
    return false;
}

bool roster_put_back(struct roster *roster, size_t index, struct roster_place *place)
{
    CHECK(index < roster->count);
    take_back(roster, &roster->entries[index]);
    return roster_look(roster, place);
}

bool roster_is_chosen(const struct roster *roster, size_t index, const struct roster_place *place)
{
    CHECK(index < roster->count);
    const struct roster_entry *entry = &roster->entries[index];
    for (size_t i = 0; i < entry->range_count; i++)
        if (range_overlaps(roster->ranges[entry->first_range + i], place->range))
            return true;
    return false;
}

void roster_commit(struct roster *roster, const struct roster_place *place)
{
    for (size_t i = 0; i < roster->count; i++) {
        struct roster_entry *entry = &roster->entries[i];
        if (entry->away && !roster_is_chosen(roster, i, place))
            take_back(roster, entry);
        entry->away = false;
    }
}
