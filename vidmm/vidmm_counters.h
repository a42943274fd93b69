/* SPDX-License-Identifier: MIT */
/*
 * vidmm_counters.h: what the memory manager counts (TIME-021, TIME-022, LOCK-063).
 *
 * Byte counters move when the miniport's call succeeded, time counters when time passes, gauges at
 * reservation and release. Counters that stay 0 because nothing of this version moves them are
 * listed all the same: their names are part of the contract.
 */
#ifndef VIDMM_COUNTERS_H
#define VIDMM_COUNTERS_H

#include "vidmm/vidmm_types.h"

#ifdef __cplusplus
extern "C" {
#endif

struct vidmm_adapter;

enum vidmm_counter {
#define COUNTER(symbol, name, unit, scopes, text) VIDMM_COUNTER_##symbol,
#include "vidmm/vidmm_counters.def"
#undef COUNTER
    VIDMM_COUNTERS
};

enum vidmm_counter_unit {
    VIDMM_UNIT_COUNT,
    VIDMM_UNIT_BYTES,
    VIDMM_UNIT_PAGES,
    VIDMM_UNIT_NS,
};

/* Why the CPU waited: TIME-013. Each wait has exactly one reason. */
#define VIDMM_WAIT_REASONS(ROW)                                                                    \
    ROW(SYNC_BEFORE, "sync_before")                                                                \
    ROW(SYNC_AFTER, "sync_after")                                                                  \
    ROW(BUSY_RETRY, "busy_retry")                                                                  \
    ROW(APERTURE_IDLE, "aperture_idle")                                                            \
    ROW(VICTIM_BUSY, "victim_busy")                                                                \
    ROW(LOCK, "lock")                                                                              \
    ROW(LOCK_SUSPENDED, "lock_suspended")                                                          \
    ROW(PAGING_BUFFER, "paging_buffer")                                                            \
    ROW(QUEUE_FULL, "queue_full")                                                                  \
    ROW(DESTROY, "destroy")                                                                        \
    ROW(FLIP, "flip")                                                                              \
    ROW(DRAIN, "drain")                                                                            \
    ROW(SCRIPT, "script")

enum vidmm_wait_reason {
#define ROW(symbol, name) VIDMM_WAIT_##symbol,
    VIDMM_WAIT_REASONS(ROW)
#undef ROW
        VIDMM_WAIT_REASON_COUNT
};

struct vidmm_counter_info {
    const char *name;
    enum vidmm_counter_unit unit;
    const char *scopes; /* letters: s segment, n node, d device, a allocation */
    const char *text;
};

const struct vidmm_counter_info *vidmm_counter_info(enum vidmm_counter counter);
/* VIDMM_COUNTERS for an unknown name. */
enum vidmm_counter vidmm_counter_by_name(const char *name);

const char *vidmm_wait_reason_name(enum vidmm_wait_reason reason);
/* VIDMM_WAIT_REASON_COUNT for an unknown name. */
enum vidmm_wait_reason vidmm_wait_reason_by_name(const char *name);

/* A counter of the adapter. */
uint64_t vidmm_counter(const struct vidmm_adapter *adapter, enum vidmm_counter counter);
/* A counter of one segment, node or object; 0 where it is not kept for that subject. */
uint64_t vidmm_counter_of_segment(const struct vidmm_adapter *adapter, enum vidmm_counter counter,
                                  uint32_t segment);
uint64_t vidmm_counter_of_node(const struct vidmm_adapter *adapter, enum vidmm_counter counter,
                               uint32_t node);
uint64_t vidmm_counter_of_object(const struct vidmm_adapter *adapter, enum vidmm_counter counter,
                                 vidmm_handle object);
uint64_t vidmm_waits_of(const struct vidmm_adapter *adapter, enum vidmm_wait_reason reason);
vidmm_ns vidmm_stall_of(const struct vidmm_adapter *adapter, enum vidmm_wait_reason reason);

#ifdef __cplusplus
}
#endif
#endif
