/* SPDX-License-Identifier: MIT */
/*
 * scene_state.h: what the files of this folder share while a scene listens. Each part belongs to
 * the file that it is named after.
 */
#ifndef TOOLS_SCENE_SCENE_STATE_H
#define TOOLS_SCENE_SCENE_STATE_H

#include "tools/scene/scene.h"
#include "tools/story/narrate.h"
#include "vidmm/base/base_hash.h"

struct texts {
    char *bytes;
    size_t length, byte_capacity;
    size_t *starts;
    size_t start_capacity;
    uint32_t *slots; /* open addressing: 0 is free, else an index and one */
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

/* An allocation that lives. */
struct known {
    vidmm_handle handle;
    scene_index index;
    struct open_stay *stays;
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

enum { SCENE_SEGMENTS = VIDMM_LINK_MAX * VIDMM_SEGMENTS_MAX + 1 };

struct scene_sink {
    struct sink sink;
    struct scene scene;
    struct scene_options options;
    struct scene_capacities room;
    struct texts texts;
    bool hears[VIDMM_EVENT_KINDS];
    struct narrator narrator;
    struct text sentence;

    const struct vidmm_adapter *adapter; /* NULL: none that can be asked */
    bool in_act;
    scene_text file;
    vidmm_ns now;
    scene_index statement; /* that runs */

    scene_index segments[SCENE_SEGMENTS];
    struct known *known;
    struct open_stay *open;
    struct packet *packets;
    scene_index node_lanes[VIDMM_NODES_MAX], cpu_lane;

    /* Rows of a trail whose decision has not come yet. */
    struct scene_event *held;
    size_t held_count, held_capacity;
    scene_index seeker; /* of the trail: the allocation that looks for room */
};

/* An event as the files see it. */
struct heard {
    struct tale tale;
    const struct vidmm_event *event;
    scene_index row;        /* in `events`, or SCENE_NONE: it is not kept */
    scene_index allocation; /* its subject */
    struct known *known;    /* the same while it lives */
};

/* A row at the end of an array of `struct scene`: SCENE_ADD(scene_sink, stays, stay_count). */
#define SCENE_ADD(self, array, count)                                                              \
    (BASE_GROW((self)->scene.array, (self)->room.array, (self)->scene.count + 1),                  \
     &(self)->scene.array[(self)->scene.count++])

/* texts.c */
scene_text texts_add(struct scene_sink *self, const char *text);
scene_text texts_add_bytes(struct scene_sink *self, const char *text, size_t bytes);
void texts_fini(struct texts *texts);

/* events.c */
void events_add(struct scene_sink *self, struct heard *heard);
void events_release_trail(struct scene_sink *self);

/* statements.c */
void statements_tell(struct scene_sink *self, const struct scenario_telling *telling);
void statements_message(struct scene_sink *self, const struct scenario_message *message);

/* objects.c */
void objects_find(struct scene_sink *self, struct heard *heard);
void objects_hear(struct scene_sink *self, const struct heard *heard);
/* SCENE_NONE for what is no segment of this act. */
scene_index objects_segment(const struct scene_sink *self, uint64_t id);
struct known *objects_known(struct scene_sink *self, vidmm_handle handle);
void objects_end(struct scene_sink *self);

/* stays.c */
void stays_hear(struct scene_sink *self, const struct heard *heard);
void stays_forget(struct known *known);
void stays_end(struct scene_sink *self);

/* lanes.c */
void lanes_start(struct scene_sink *self);
void lanes_hear(struct scene_sink *self, const struct heard *heard);
void lanes_end(struct scene_sink *self);

#endif
