/* SPDX-License-Identifier: MIT */
/*
 * parts.h: what a scene remembers while it listens. Private; each struct belongs to the file that
 * fills it in.
 */
#ifndef TOOLS_SCENE_PARTS_H
#define TOOLS_SCENE_PARTS_H

#include "tools/scene/scene.h"
#include "tools/story/narrate.h"
#include "vidmm/base/base_hash.h"

struct text_slot {
    uint32_t next; /* the index and one; 0: free */
    uint32_t hash; /* so that few texts have to be looked at */
};

struct texts {
    char *bytes;
    size_t length, byte_capacity;
    size_t *starts;
    size_t start_capacity;
    struct text_slot *slots; /* open addressing */
    size_t slot_count;
};

/* The room of each array of `struct scene`. */
struct scene_capacities {
    size_t acts, events, statements, said, segments, allocations, stays, marks, lanes, slices,
        arrows, counters, points, sources;
};

/* The range of a segment that a stay holds. */
struct place_key {
    uint64_t segment, offset;
};

struct open_stay {
    struct place_key at;
    scene_index stay;
    bool leaving;
    struct known *owner; /* NULL: no allocation, or one that is gone */
    struct open_stay *previous, *next;
    UT_hash_handle hh;
};

enum { SCENE_MARKS = SCENE_MOVING + 1 };

/* An allocation that lives. */
struct known {
    vidmm_handle handle;
    scene_index index;
    struct open_stay *stays;
    scene_index marks[SCENE_MARKS]; /* that hold now */
    bool evicted, departing;        /* departing: its content still has to go */
    bool needed, awaited,
        arrived;            /* it has to come in; it has its place, its content does not move yet */
    scene_index moved_from; /* event: it left one place for another */
    scene_index freed;      /* stay: its place became free, and nobody said why */
    UT_hash_handle hh;
};

/* A packet that was handed to a node and has not ended. */
struct packet_key {
    uint64_t node, fence;
};

struct packet {
    struct packet_key at;
    vidmm_ns queued;
    scene_text name;
    scene_index submitted, slice; /* SCENE_NONE: it has not begun */
    UT_hash_handle hh;
};

/* An event that waits for its effect, which is that of an allocation. */
struct cause {
    scene_index event, allocation;
};

struct causes {
    struct cause *at;
    size_t count, capacity;
};

/* The packet that ended last on a node. */
struct last_end {
    uint64_t fence;
    scene_index event;
};

/* Of the act under way: `points` are not rows yet. */
struct live_counter {
    struct scene_counter row;
    struct scene_point *points;
    size_t count, capacity;
};

enum { SCENE_SEGMENTS = VIDMM_LINK_MAX * VIDMM_SEGMENTS_MAX + 1 };

/* What an index is an index of. NEXT_EVENT: of the first event behind something. */
enum ref_to { REF_TEXT, REF_EVENT, REF_NEXT_EVENT, REF_ALLOCATION, REF_STAY, REF_SLICE, REF_MARK };

struct visitor {
    void (*one)(const struct visitor *visitor, uint32_t *ref);
};

#endif
