/* SPDX-License-Identifier: MIT */
/*
 * evict_tell.c: why an allocation leaves, as a word for events and as a cause for counters.
 */
#include "paging/residency/residency.h"
#include "paging/store/store.h"

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
    struct evict_obstacles passed;
    struct vidmm_field fields[8] = {
        f_segment("segment", place->segment),
        f_hex("offset", place->run_count ? place_runs(place)[0].offset : 0),
        f_bytes("bytes", allocation->info.bytes),
        f_word("reason", reason_word(reason)),
        f_word("via", way.via),
        f_text("way", vidmm_rule_id(way.rule)),
        f_flag("locked", pageable_cpu_use(adapter, allocation, CPU_HOLDS)),
    };
    size_t count = 7;
    applies(adapter, rule);
    if (way.fell_back) {
        applies(adapter, RULE(PLACE_033));
        /* Heard or not: it says which rules apply. */
        evict_name_obstacles(adapter, allocation, false, &passed);
        fields[count++] = f_text("passed", passed.text);
    }
    if (!heard(adapter))
        return;
    emit_fields(adapter, VIDMM_EVENT_EVICT, rule, allocation->handle, fields, count);
}
