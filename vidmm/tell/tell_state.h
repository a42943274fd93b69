/* SPDX-License-Identifier: MIT */
/*
 * tell_state.h: the state of this folder: who may be called now, and what has been told.
 */
#ifndef VIDMM_TELL_STATE_H
#define VIDMM_TELL_STATE_H

#include "vidmm/adapter.h"
#include "vidmm/tell/tell.h"

/* A table of handles: the low 24 bits are an index, the rest a generation. */
struct handle_slot {
    void *object;
    uint8_t kind; /* enum vidmm_object */
    uint8_t generation;
    bool closed; /* the object is there, but the handle names nothing any more */
    uint32_t next_free;
};

struct handle_table {
    struct handle_slot *slots; /* [0] is never used */
    size_t count, capacity;
    uint32_t free_head, free_tail; /* first in, first out; 0: none */
    size_t free_count;
    uint64_t live;
};

/* NULL is an empty slot; the capacity is a power of two. */
struct driver_handles {
    HANDLE *slots;
    size_t count, capacity;
};

struct tell {
    struct timeline timeline; /* events carry the time, driver calls spend it */
    struct handle_table handles;
    struct driver_handles driver_handles; /* hAllocation of all allocations (MINI-033) */
    uint64_t next_seq;
    struct vidmm_refusal refusal;
    bool refused;
    uint64_t warnings; /* part of the counter of findings */
    struct vidmm_bugcheck stop;
    bool stopped, started;
    enum adapter_presence presence;
    uint64_t driver_calls;  /* number of the last miniport call (BUG-050) */
    const char *last_call;  /* name of the last miniport call */
    bool in_scheduler_call; /* MINI-001 */
    bool untimed;        /* calls cost nothing: the start (TIME-003), and the end of the adapter */
    uint32_t open_books; /* allocations come or leave: half-way nothing has to agree (BUG-030) */
    const char *outside; /* whom the manager is calling now; NULL: nobody (tell/door.h) */
    struct vidmm_adapter *called_from; /* who was outside of this thread before (tell/door.c) */
    bool ending;                       /* vidmm_adapter_free() has begun */
    uint64_t counters[VIDMM_COUNTERS];
    uint64_t (*segment_counters)[VIDMM_COUNTERS]; /* by segment, of those that counted */
    size_t segments_counted;
};

#endif
