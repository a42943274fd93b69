/* SPDX-License-Identifier: MIT */
/*
 * trail.c: what a decision about a place looked at: free ranges that were not taken, residents that
 * stay, and whose turn it was to leave. Only composed for observers that ask for these events.
 */
#include "paging/store/trail.h"

#include "paging/store/places.h"
#include "paging/store/turns.h"

/* Of one search, beside the range that has the place and the largest; of one plan, beside the one
   that opens the place and the last. */
enum { HOLES_SHOWN = 4, TURNS_SHOWN = 16 };

const char *offer_priority_word(uint32_t priority)
{
    static const char *const words[] = { "none", "low", "normal", "high", "auto" };
    return words[priority];
}

void trail_pass_over(adapter_t *adapter, const struct pageable *resident,
                     const struct pageable *comes, const char *cause)
{
    const struct place *place = &resident->place.at;
    EMIT(adapter, PASS_OVER, VIDMM_RULE_NONE, resident->handle,
         f_segment("segment", place->segment), f_hex("offset", place_offset(place)),
         f_bytes("bytes", place_bytes(resident)), f_word("cause", cause),
         f_allocation("for", comes->handle));
}

/* ---- holes ----------------------------------------------------------------------------------- */

static struct range_request request_of(const struct vidmm_search *search)
{
    return (struct range_request){ search->footprint, search->alignment, search->low, search->high,
                                   search->from_end };
}

/* The part of it that the search looks through. */
static struct range cut(const struct vidmm_search *search, struct range hole)
{
    uint64_t low = max_u64(hole.offset, search->low);
    uint64_t high = min_u64(range_end(hole), search->high);
    return (struct range){ low, high - min_u64(low, high) };
}

static const char *lacks(const struct vidmm_search *search, struct range hole)
{
    const struct range_request request = request_of(search);
    uint64_t offset;
    if (hole.bytes < request.bytes)
        return "small";
    if (cut(search, hole).bytes < request.bytes)
        return "window";
    return range_tree_fit(&request, hole, &offset) ? "later" : "alignment";
}

/* As it is told. */
struct seen_hole {
    struct range at;
    bool taken, largest;
};

static void tell_hole(adapter_t *adapter, const struct pageable *comes,
                      const struct vidmm_search *search, struct seen_hole hole)
{
    const struct range part = cut(search, hole.at);
    const struct vidmm_field fields[] = {
        f_segment("segment", search->segment),
        f_hex("offset", part.offset),
        f_bytes("bytes", part.bytes),
        f_word("result", hole.taken ? "taken" : lacks(search, hole.at)),
        f_flag("largest", true), /* the last one: left out where it is not */
    };
    emit_fields(adapter, VIDMM_EVENT_HOLE, search->why, comes->handle, fields,
                ARRAY_COUNT(fields) - !hole.largest);
}

/* No hole has room: the first of them, and the largest. */
static void tell_vain(adapter_t *adapter, const struct pageable *comes,
                      const struct vidmm_search *search)
{
    const struct range_tree *space = &segment_at(adapter, search->segment)->space;
    const struct range largest = range_tree_largest_in(space, search->low, search->high);
    struct range hole;
    bool told = !largest.bytes;
    uint64_t at = search->low;
    for (unsigned i = 0;
         i < HOLES_SHOWN && range_tree_next_hole(space, at, &hole) && hole.offset < search->high;
         i++, at = range_end(hole)) {
        bool is_largest = largest.bytes && range_contains(hole, largest);
        tell_hole(adapter, comes, search, (struct seen_hole){ hole, false, is_largest });
        told |= is_largest;
    }
    if (told)
        return;
    bool found = range_tree_next_hole(space, largest.offset, &hole);
    CHECK(found); /* `largest` is a part of it */
    tell_hole(adapter, comes, search, (struct seen_hole){ hole, false, true });
}

void trail_holes(adapter_t *adapter, const struct pageable *comes,
                 const struct vidmm_search *search, const struct place *place)
{
    const struct range_tree *space = &segment_at(adapter, search->segment)->space;
    struct range hole, taken;
    if (place->run_count != 1 || !range_tree_is_free(space, place->one)) {
        tell_vain(adapter, comes, search);
        return;
    }
    bool found = range_tree_next_hole(space, place->one.offset, &taken);
    CHECK(found);
    uint64_t at = search->from_end ? range_end(taken) : search->low;
    uint64_t end = search->from_end ? search->high : taken.offset;
    for (unsigned i = 0;
         i < HOLES_SHOWN && range_tree_next_hole(space, at, &hole) && hole.offset < end;
         i++, at = range_end(hole))
        tell_hole(adapter, comes, search, (struct seen_hole){ .at = hole });
    tell_hole(adapter, comes, search, (struct seen_hole){ .at = taken, .taken = true });
}

/* ---- turns ----------------------------------------------------------------------------------- */

static void add_if(struct vidmm_field *fields, size_t *count, bool there, struct vidmm_field added)
{
    if (there)
        fields[(*count)++] = added;
}

/* The largest hole in what any of the searches looks through. */
static uint64_t largest_of(const adapter_t *adapter, const struct trail_turns *turns)
{
    uint64_t largest = 0;
    for (size_t i = 0; i < turns->count; i++) {
        const struct vidmm_search *search = &turns->searches[i];
        const struct range_tree *space = &segment_at(adapter, search->segment)->space;
        largest = max_u64(largest, range_tree_largest_in(space, search->low, search->high).bytes);
    }
    return largest;
}

/* What sets it before the next one. */
static const char *what_decides(const struct trail_turn *turn, const char *policy)
{
    const struct victim_node *a = &turn->resident->place.victim, *b = &turn->next->place.victim;
    if (a->rank)
        return "offer";
    if (a->priority != b->priority)
        return "priority";
    if (policy)
        return "policy";
    return a->last_use != b->last_use ? "last-use" : "offset";
}

static const char *policy_of(const adapter_t *adapter, const struct pageable *resident)
{
    const struct vidmm_eviction_policy *policy =
        turns_of(adapter, resident->place.at.segment)->policy;
    return policy ? policy->name : NULL;
}

/* What is free then. */
static size_t add_sizes(const adapter_t *adapter, const struct trail_turns *turns,
                        struct trail_turn turn, struct vidmm_field fields[])
{
    const struct vidmm_search *search = &turns->searches[0];
    uint64_t free = segment_at(adapter, turn.resident->place.at.segment)->space.free_bytes;
    uint64_t hole = turns->hole ? largest_of(adapter, turns) : free;
    size_t count = 0;
    if (!turn.enough)
        fields[count++] = f_word("result", hole < search->footprint ? "small" : "misfit");
    else
        fields[count++] = f_word("result", "enough");
    fields[count++] = f_bytes("needs", search->footprint);
    fields[count++] = f_bytes("free", free);
    add_if(fields, &count, turns->hole, f_bytes("hole", hole));
    add_if(fields, &count, turns->hole && !turns->told, f_bytes("before", turns->before));
    return count;
}

/* `result`: NULL for what comes of it. */
static void tell_turn(adapter_t *adapter, struct trail_turns *turns, struct trail_turn turn,
                      const char *result)
{
    const struct pageable *resident = turn.resident;
    const char *policy = policy_of(adapter, resident);
    struct vidmm_field fields[16] = {
        f_allocation("for", turns->comes->handle),
        f_segment("segment", resident->place.at.segment),
        f_hex("offset", place_offset(&resident->place.at)),
        f_bytes("bytes", place_bytes(resident)),
        f_hex("priority", resident->place.victim.priority),
        f_ns("used", resident->store.reference.used),
    };
    size_t count = 6;
    bool offered = resident->place.victim.rank != 0;
    if (!result && turns->sized)
        count += add_sizes(adapter, turns, turn, fields + count);
    else
        fields[count++] = f_word("result", result ? result : turn.enough ? "enough" : "limit");
    if (turn.next)
        fields[count++] = f_word("by", what_decides(&turn, policy));
    if (offered)
        fields[count++] =
            f_word("offered", offer_priority_word(offer_of(allocation_whole_of(resident))->level));
    add_if(fields, &count, policy, f_text("policy", policy));
    add_if(fields, &count, turn.lack, f_bytes("lack", turn.lack));
    add_if(fields, &count, turns->untold, f_number("untold", turns->untold));
    turns->untold = 0;
    turns->told++;
    emit_fields(adapter, VIDMM_EVENT_TURN, offered ? RULE(OFFER_010) : RULE(PLACE_012),
                resident->handle, fields, count);
}

void trail_turns_begin(const adapter_t *adapter, struct trail_turns *turns)
{
    turns->before = largest_of(adapter, turns);
}

void trail_turn(adapter_t *adapter, struct trail_turns *turns, struct trail_turn turn)
{
    turns->last = turn;
    if (turns->told >= TURNS_SHOWN && !turn.enough)
        turns->untold++;
    else
        tell_turn(adapter, turns, turn, NULL);
}

/* Who would have been next, or the last that was not told, when nobody is left. */
void trail_turns_end(adapter_t *adapter, struct trail_turns *turns)
{
    if (!heard(adapter, VIDMM_EVENT_TURN))
        return;
    const struct pageable *next = turns->last.next;
    bool inside = false;
    for (size_t i = 0; i < turns->count && next; i++) {
        const struct vidmm_search *search = &turns->searches[i];
        struct range window = { search->low, search->high - search->low };
        inside |= !turns->sized || place_overlaps(&next->place.at, window);
    }
    if (turns->last.enough && inside)
        tell_turn(adapter, turns, (struct trail_turn){ .resident = next }, "next");
    if (!turns->untold)
        return;
    turns->untold--;
    tell_turn(adapter, turns, turns->last, NULL);
}
