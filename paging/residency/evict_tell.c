/* SPDX-License-Identifier: MIT */
/*
 * evict_tell.c: why an allocation leaves, as a word for events and as a cause for counters; and the
 * words for what is wrong with an eviction set.
 */
#include "paging/residency/pager.h"
#include "paging/residency/residency_state.h"

/* ---- an eviction set ------------------------------------------------------------------------ */

/* A few by name, of the others how many there are. */
enum { PINNED_NAMED = 4 };

static void name_pinned(adapter_t *adapter, uint32_t id, struct evict_obstacles *to)
{
    uint64_t largest = evict_largest(adapter, id);
    const char *before = largest ? " in one piece beside " : ": no page is free beside ";
    unsigned count = 0;
    if (largest)
        words_add(to->text, sizeof to->text, ": at most %s", words_size(largest).it);
    for (const struct pageable *a = pinned_first(&adapter->residency->residents[id]); a;
         a = pinned_next(a))
        if (count++ < PINNED_NAMED)
            words_add(to->text, sizeof to->text, "%s%s", count == 1 ? before : ", ", a->label);
    if (count > PINNED_NAMED)
        words_add(to->text, sizeof to->text, " and %u more", count - PINNED_NAMED);
    if (places_held(adapter, id)->buffers.count)
        words_add(to->text, sizeof to->text, "%sDMA buffers", count++ ? ", " : before);
    if (!places_held(adapter, id)->fixed.count)
        return;
    words_add(to->text, sizeof to->text, "%spagingbuffer", count ? ", " : before);
    applies(adapter, RULE(PLACE_032));
}

/* Which limit of the segment is too low for `allocation`: one of its own, or what pinned ones leave
   of it. `own`: of the first only; NULL: none. */
static const char *name_limit(const adapter_t *adapter, const struct pageable *allocation,
                              uint32_t id, bool own, uint64_t *limit)
{
    const struct segment *segment = segment_at(adapter, id);
    uint64_t bytes = allocation->info.bytes;
    if (bytes > (*limit = segment->desc.bytes))
        return ": larger than its ";
    if (bytes > (*limit = segment->desc.limit))
        return ": larger than its commit limit of ";
    if (bytes > (*limit = adapter->setup->shared_limit))
        return ": larger than the commit limit of all apertures, ";
    if (own)
        return NULL;
    *limit = segment->desc.limit;
    if (bytes > *limit - min_u64(*limit, segment->pinned_bytes))
        return ": pinned allocations use up its commit limit of ";
    *limit = adapter->setup->shared_limit;
    return ": pinned allocations use up the commit limit of all apertures, ";
}

void evict_name_obstacles(adapter_t *adapter, const struct pageable *allocation, bool ever,
                          struct evict_obstacles *obstacles)
{
    *obstacles->text = '\0';
    for (uint32_t id = 1; id <= adapter->setup->segment_count; id++) {
        uint64_t limit = 0;
        if (!evict_set_has(adapter, allocation, id))
            continue;
        words_add(obstacles->text, sizeof obstacles->text, "%s%s", *obstacles->text ? "; " : "",
                  segment_name(adapter, id));
        const char *reason = name_limit(adapter, allocation, id, true, &limit);
        if (!reason && ever) {
            words_add(obstacles->text, sizeof obstacles->text,
                      ": larger than what the paging buffers leave of its %s",
                      words_size(segment_desc(adapter, id)->bytes).it);
        } else if (!reason && evict_blocked(adapter, allocation, id)) {
            name_pinned(adapter, id, obstacles);
        } else {
            reason = name_limit(adapter, allocation, id, false, &limit);
            words_add(obstacles->text, sizeof obstacles->text, "%s%s", reason,
                      words_size(limit).it);
        }
    }
}

void evict_tell_lost(adapter_t *adapter, const struct pageable *allocation, enum evict_route way)
{
    struct evict_obstacles blockers;
    if (way != OUT_LOST) {
        EMIT(adapter, LOST, RULE(SEG_063), allocation->handle, f_word("reason", "protected"),
             f_bytes("bytes", allocation->info.bytes));
        return;
    }
    evict_name_obstacles(adapter, allocation, false, &blockers);
    finding(adapter, RULE(PAGE_024), allocation->handle, "eviction of %s blocked: %s",
            allocation->label, blockers.text);
    EMIT(adapter, LOST, RULE(PLACE_030), allocation->handle, f_word("reason", "blocked"),
         f_bytes("bytes", allocation->info.bytes), f_text("blocker", blockers.text));
}

/* ---- one eviction --------------------------------------------------------------------------- */

static const char *reason_word(enum evict_reason reason)
{
    static const char *const words[] = {
        [EVICT_ROOM] = "room",
        [EVICT_RETRY] = "retry",
        [EVICT_PIN] = "pin",
        [EVICT_COMMIT] = "commit",
        [EVICT_RANGE] = "evictrange",
        [EVICT_SCRIPT] = "script",
        [EVICT_LOCK] = "lock",
        [EVICT_DESTROY] = "destroy",
        [EVICT_LEVEL3] = "level3",
        [EVICT_STANDBY] = "standby",
        [EVICT_HIBERNATE] = "hibernate",
        [EVICT_PNP_STOP] = "pnpstop",
        [EVICT_EXCLUDE] = "exclude",
        [EVICT_TDR] = "tdr",
        [EVICT_MIGRATION] = "migration",
        [EVICT_LINK] = "link",
    };
    return words[reason];
}

/* PAGE-065. */
static enum vidmm_counter cause_of(const adapter_t *adapter, const struct pageable *allocation,
                                   enum evict_reason reason)
{
    switch (reason) {
    case EVICT_LOCK: return VIDMM_COUNTER_EVICTIONS_LOCK;
    case EVICT_DESTROY: return VIDMM_COUNTER_EVICTIONS_CLOSE;
    case EVICT_LEVEL3:
    case EVICT_STANDBY:
    case EVICT_HIBERNATE:
    case EVICT_PNP_STOP:
    case EVICT_TDR: return VIDMM_COUNTER_EVICTIONS_PURGE;
    case EVICT_EXCLUDE:
        return pageable_cpu_use(adapter, allocation, CPU_HOLDS) ? VIDMM_COUNTER_EVICTIONS_SUSPENDED
                                                                : VIDMM_COUNTER_EVICTIONS_PURGE;
    default: return VIDMM_COUNTER_EVICTIONS_PREPARATION;
    }
}

void evict_tell(adapter_t *adapter, const struct pageable *allocation, enum evict_reason reason,
                enum vidmm_rule rule, struct evict_way way)
{
    const struct place *place = &allocation->place.at;
    count_segment(adapter, VIDMM_COUNTER_EVICTIONS, place->segment, 1);
    count_segment(adapter, cause_of(adapter, allocation, reason), place->segment, 1);
    applies(adapter, RULE(PAGE_065));
    applies(adapter, way.rule);
    bool in_vain = way.fell_back || way.rule == RULE(PAGE_024); /* its eviction set */
    struct evict_obstacles passed;
    applies(adapter, rule);
    if (way.fell_back)
        applies(adapter, RULE(PLACE_033));
    if (in_vain) /* heard or not: it says which rules apply */
        evict_name_obstacles(adapter, allocation, false, &passed);
    if (!heard(adapter, VIDMM_EVENT_EVICT))
        return;
    const struct vidmm_field fields[] = {
        f_segment("segment", place->segment),
        f_hex("offset", place_offset(place)),
        f_bytes("bytes", allocation->info.bytes),
        f_word("reason", reason_word(reason)),
        f_word("via", way.via),
        f_text("way", vidmm_rule_id(way.rule)),
        f_flag("locked", pageable_cpu_use(adapter, allocation, CPU_HOLDS)),
        f_text("passed", in_vain ? passed.text : NULL),
    };
    emit_fields(adapter, VIDMM_EVENT_EVICT, rule, allocation->handle, fields,
                ARRAY_COUNT(fields) - !in_vain); /* without `passed`, the last one */
}
