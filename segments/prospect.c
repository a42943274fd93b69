/* SPDX-License-Identifier: MIT */
/*
 * prospect.c: follows the segment, and finds the first victim whose departure opens a place.
 *
 * I1  `space` has free what the segment has free, and the ranges of those in `away`.
 * I2  Whatever is filed before `end` is in `away` or in `stays`, and nothing else is in `away`.
 *     Those in `away` are filed where their last use belongs; those in `stays` when a look begins.
 * I3  More victims away never make less free: the first one that opens a place is found by taking
 *     back the last ones as long as there is a place, or by adding the next ones until there is.
 * I4  One that is away may have become one that stays. Then more is free here than really would
 *     be: "no place" is right all the same, and of a place those that lie in it are asked.
 *
 * A look that may push out less than an earlier one did leaves more away than it may: there is no
 * place with those, or the one that opens a place is among them.
 *
 * A look asks about those that stayed, about each that it adds, and about those in its place. What
 * it adds or takes back is paid for by the looks and uses before it, unless requests of very
 * different sizes take turns: then it is what a walk from the first victim on would do, too.
 *
 * Rejected: a space for each priority that occurs, with all below it away. It finds the priority,
 * and walks inside of it; and each arrival changes several spaces.
 */
#include "segments/prospect.h"

enum { VALUE_NODE, VALUE_BYTES, IDLE_MOST = 256 };

void prospect_init(struct prospect *prospect, const struct range_tree *space,
                   struct victim_index *order)
{
    struct range hole;
    uint64_t at = 0;
    *prospect = (struct prospect){ .order = order, .end = { .rank = INT8_MIN } };
    range_tree_init(&prospect->space, space->bytes, space->page_bytes);
    key_tree_init(&prospect->away, 2);
    while (at < space->bytes) {
        uint64_t end = range_tree_next_hole(space, at, &hole) ? hole.offset : space->bytes;
        if (end > at)
            range_tree_take(&prospect->space, (struct range){ at, end - at });
        at = end < space->bytes ? range_end(hole) : end;
    }
}

void prospect_fini(struct prospect *prospect)
{
    range_tree_fini(&prospect->space);
    key_tree_fini(&prospect->away);
}

bool prospect_is_done(const struct prospect *prospect)
{
    return prospect->broken || prospect->idle > prospect->away.count + IDLE_MOST;
}

/* ---- away, and back -------------------------------------------------------------------------- */

static bool find_away(const struct prospect *prospect, const struct victim_node *node,
                      struct key_cursor *cursor)
{
    return node->away && key_tree_seek(&prospect->away, node->offset, cursor) &&
           key_tree_value(&prospect->away, cursor, VALUE_NODE) == (uintptr_t)node;
}

/* Where the one at the cursor ends. */
static uint64_t away_end(const struct prospect *prospect, const struct key_cursor *cursor)
{
    return key_tree_key(&prospect->away, cursor) +
           key_tree_value(&prospect->away, cursor, VALUE_BYTES);
}

static void send_away(struct prospect *prospect, struct victim_node *node, struct range range)
{
    const uint64_t values[] = { [VALUE_NODE] = (uintptr_t)node, [VALUE_BYTES] = range.bytes };
    struct key_cursor cursor;
    CHECK(range.offset == node->offset);
    (void)key_tree_seek(&prospect->away, range.offset, &cursor);
    key_tree_insert(&prospect->away, &cursor, range.offset, values);
    range_tree_release(&prospect->space, range);
    prospect->most_bytes = max_u64(prospect->most_bytes, range.bytes);
    node->away = true;
}

/* False: it is not away, whatever its mark says, which may be that of an earlier prospect. */
static bool bring_back(struct prospect *prospect, struct victim_node *node)
{
    struct key_cursor cursor;
    bool away = find_away(prospect, node, &cursor);
    node->away = false;
    if (!away)
        return false;
    const struct range range = { node->offset,
                                 key_tree_value(&prospect->away, &cursor, VALUE_BYTES) };
    key_tree_erase(&prospect->away, &cursor);
    range_tree_take(&prospect->space, range);
    return true;
}

static void add_stay(struct prospect *prospect, struct victim_node *node, struct range range)
{
    prospect->broken |= prospect->stay_count == PROSPECT_STAYS;
    if (prospect->broken)
        return;
    prospect->stays[prospect->stay_count].node = node;
    prospect->stays[prospect->stay_count++].range = range;
}

static void drop_stay(struct prospect *prospect, const struct victim_node *node)
{
    size_t i = 0;
    while (i < prospect->stay_count && prospect->stays[i].node != node)
        i++;
    if (i < prospect->stay_count)
        prospect->stays[i] = prospect->stays[--prospect->stay_count];
}

/* By its last use, wherever it is filed. */
static bool is_before_end(const struct prospect *prospect, const struct victim_node *node)
{
    return victim_before(node, &prospect->end);
}

/* ---- what happens to the segment ------------------------------------------------------------- */

void prospect_take(struct prospect *prospect, struct range range)
{
    range_tree_take(&prospect->space, range);
}

void prospect_release(struct prospect *prospect, struct range range)
{
    range_tree_release(&prospect->space, range);
}

void prospect_enter(struct prospect *prospect, struct victim_node *node, struct range range)
{
    prospect->idle++;
    node->away = false;
    if (!is_before_end(prospect, node))
        return;
    if (range.bytes)
        send_away(prospect, node, range);
    else
        prospect->broken = true;
}

void prospect_leave(struct prospect *prospect, struct victim_node *node)
{
    if (!bring_back(prospect, node))
        drop_stay(prospect, node);
}

void prospect_used(struct prospect *prospect, struct victim_node *node)
{
    struct key_cursor cursor;
    if (find_away(prospect, node, &cursor))
        victim_refile(prospect->order, node);
    if (!is_before_end(prospect, node))
        (void)bring_back(prospect, node);
}

/* ---- a look for room ------------------------------------------------------------------------- */

static bool fits(struct prospect *prospect)
{
    for (size_t i = 0; i < prospect->request_count; i++) {
        uint64_t offset;
        if (!range_tree_find(&prospect->space, &prospect->requests[i], &offset))
            continue;
        prospect->place = (struct roster_place){ i, { offset, prospect->requests[i].bytes } };
        return true;
    }
    return false;
}

/* The last one before the end is not any longer. False: it was not away. */
static bool step_back(struct prospect *prospect, struct victim_node *last)
{
    prospect->end = *last;
    bool was_away = bring_back(prospect, last);
    if (!was_away)
        drop_stay(prospect, last);
    return was_away;
}

static void step_over(struct prospect *prospect, const struct victim_node *next)
{
    prospect->end = *next;
    prospect->end.offset++; /* no two have the same offset */
}

static bool is_barred(const struct prospect *prospect, const struct victim_node *node)
{
    return !node->rank && node->priority >= prospect->below_priority;
}

/* There is a place: with how few? The one that opens it is away again afterwards. False: it is one
   that the look may not push out. */
static bool shrink(struct prospect *prospect)
{
    struct victim_node *last;
    struct key_cursor cursor;
    uint64_t bytes;
    do {
        last = victim_last_before(prospect->order, &prospect->end);
        CHECK(last); /* nothing was free for the requests: I3 */
        bytes = find_away(prospect, last, &cursor)
                    ? key_tree_value(&prospect->away, &cursor, VALUE_BYTES)
                    : 0;
    } while (!step_back(prospect, last) || fits(prospect));
    send_away(prospect, last, (struct range){ last->offset, bytes });
    step_over(prospect, last);
    bool open = fits(prospect);
    CHECK(open);
    return !is_barred(prospect, last);
}

void prospect_begin(struct prospect *prospect, const struct range_request *requests, size_t count,
                    uint64_t below_priority)
{
    prospect->requests = requests;
    prospect->request_count = count;
    prospect->below_priority = below_priority;
    prospect->asked = 0;
    prospect->idle = 0;
    prospect->grown = prospect->open = false;
    for (size_t i = 0; i < prospect->stay_count; i++) {
        struct victim_node *node = prospect->stays[i].node;
        victim_refile(prospect->order, node);
        if (!is_before_end(prospect, node))
            prospect->stays[i--] = prospect->stays[--prospect->stay_count];
    }
}

/* One more, if the look may push out more. */
static enum prospect_step grow(struct prospect *prospect, struct victim_node **node)
{
    struct victim_node *next = victim_first_from(prospect->order, &prospect->end);
    if (!next || is_barred(prospect, next))
        return PROSPECT_FULL;
    step_over(prospect, next);
    prospect->grown = true;
    *node = next;
    return PROSPECT_ASK;
}

enum prospect_step prospect_step(struct prospect *prospect, struct victim_node **node)
{
    if (prospect->broken)
        return PROSPECT_BROKEN;
    if (prospect->asked < prospect->stay_count && !prospect->grown) {
        *node = prospect->stays[prospect->asked++].node;
        return PROSPECT_ASK;
    }
    if (!prospect->open) {
        if (!fits(prospect))
            return grow(prospect, node);
        if (!prospect->grown && !shrink(prospect))
            return PROSPECT_FULL;
        prospect->grown = prospect->open = true;
        prospect->verified = prospect->place.range.offset;
    }
    *node = prospect_victim(prospect, &prospect->verified);
    return *node ? PROSPECT_ASK : PROSPECT_PLACE;
}

void prospect_answer(struct prospect *prospect, struct victim_node *node, struct range range,
                     bool leaves)
{
    struct key_cursor cursor;
    bool away = find_away(prospect, node, &cursor);
    bool stayed = !prospect->grown; /* so far */
    if (leaves ? away : stayed)
        return;
    prospect->broken |= !range.bytes;
    if (prospect->broken)
        return;
    if (leaves) {
        prospect->asked -= stayed; /* the last one takes its place in the list */
        drop_stay(prospect, node);
        send_away(prospect, node, range);
        return;
    }
    (void)bring_back(prospect, node);
    add_stay(prospect, node, range);
    prospect->open = false;
}

struct victim_node *prospect_victim(const struct prospect *prospect, uint64_t *at)
{
    const struct range place = prospect->place.range;
    struct key_cursor cursor;
    for (uint64_t from = *at; from < range_end(place);) {
        if (!key_tree_seek(&prospect->away, from, &cursor) || away_end(prospect, &cursor) <= from) {
            if (!key_tree_next(&prospect->away, &cursor))
                break;
            from = key_tree_key(&prospect->away, &cursor);
            continue;
        }
        *at = away_end(prospect, &cursor);
        return (struct victim_node *)(uintptr_t)key_tree_value(&prospect->away, &cursor,
                                                               VALUE_NODE);
    }
    *at = range_end(place);
    return NULL;
}

uint64_t prospect_met(const struct prospect *prospect)
{
    const struct victim_node *end = &prospect->end;
    const struct victim_node limit = { .priority = (uint32_t)prospect->below_priority };
    bool limited = prospect->below_priority <= UINT32_MAX && victim_before(&limit, end);
    return victim_count_before(prospect->order, limited ? &limit : end); /* I2 */
}

void prospect_check(const struct prospect *prospect, const struct range_tree *space)
{
    struct range hole, there;
    struct key_cursor cursor;
    uint64_t bytes = 0;
    range_tree_check(&prospect->space);
    key_tree_check(&prospect->away);
    for (uint64_t at = 0; range_tree_next_hole(space, at, &hole); at = range_end(hole))
        CHECK(range_tree_is_free(&prospect->space, hole)); /* I1 */
    bool more =
        key_tree_seek(&prospect->away, 0, &cursor) || key_tree_next(&prospect->away, &cursor);
    for (; more; more = key_tree_next(&prospect->away, &cursor)) {
        const struct victim_node *node =
            (const struct victim_node *)(uintptr_t)key_tree_value(&prospect->away, &cursor,
                                                                  VALUE_NODE);
        there = (struct range){ key_tree_key(&prospect->away, &cursor),
                                key_tree_value(&prospect->away, &cursor, VALUE_BYTES) };
        CHECK(node->away && node->offset == there.offset);
        CHECK(node->filed == node->last_use && is_before_end(prospect, node)); /* I2 */
        CHECK(range_tree_is_free(&prospect->space, there));
        bytes += there.bytes;
    }
    CHECK(prospect->space.free_bytes == space->free_bytes + bytes);
}
