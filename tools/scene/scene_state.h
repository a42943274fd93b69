/* SPDX-License-Identifier: MIT */
/*
 * scene_state.h: the state of a scene that listens, and what the files of this folder ask of each
 * other. Private.
 */
#ifndef TOOLS_SCENE_SCENE_STATE_H
#define TOOLS_SCENE_SCENE_STATE_H

#include "tools/scene/parts.h"

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
    size_t first_act; /* of this file */
    vidmm_ns now;
    scene_index statement; /* that runs */

    scene_index segments[SCENE_SEGMENTS];
    uint64_t page; /* the smallest of any segment: that of the host */
    struct known *known;
    struct open_stay *open;
    struct packet *packets;
    scene_index node_lanes[VIDMM_NODES_MAX], cpu_lane;

    /* Rows of a trail whose decision has not come yet. */
    struct scene_event *held;
    size_t held_count, held_capacity;
    uint32_t held_more; /* rows of it are left out */
    scene_index seeker; /* of the trail: the allocation that looks for room */

    vidmm_handle *listed; /* what the buffer under way uses */
    size_t listed_count, listed_capacity;
    struct causes victims, paging;
    struct last_end last_ends[VIDMM_NODES_MAX];
    size_t segment_counters[SCENE_SEGMENTS]; /* by id, the first in `live`; 0: none yet */
    struct live_counter *live;
    size_t live_count, live_capacity, live_points;
    vidmm_ns live_span; /* of which two points of a counter remain; 0: all do */

    unsigned least_event; /* rank of an event that is kept */
    struct {
        size_t stays, slices, marks, allocations, texts;
    } next_thinning; /* how many rows there are then, at least */
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
/* Forgets those that nothing names any more; the others get new numbers. */
void texts_collect(struct scene_sink *self);
void texts_fini(struct texts *texts);

/* refs.c */
void refs_visit(struct scene_sink *self, enum ref_to to, const struct visitor *visit);

/* thin.c */
unsigned thin_rank(const struct scene_sink *self, enum vidmm_event_kind kind,
                   scene_index allocation);
/* To be called where nobody holds an index. */
void thin_all(struct scene_sink *self);

/* events.c */
void events_add(struct scene_sink *self, struct heard *heard);
bool events_of_trail(enum vidmm_event_kind kind);
/* True: no row is made of it, and nothing else either. There may be very many of them. */
bool events_pass_by(struct scene_sink *self, enum vidmm_event_kind kind);
void events_release_trail(struct scene_sink *self);

/* statements.c */
void statements_tell(struct scene_sink *self, const struct scenario_telling *telling);
void statements_message(struct scene_sink *self, const struct scenario_message *message);
/* Those that an adapter starts with: its policies, and what is not as usual. */
void statements_settings(struct scene_sink *self, const struct vidmm_config *config);

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
/* It has a place, and is not leaving it. */
bool stays_has_one(const struct known *known);
/* At the end of an act: what did not leave after all. */
void stays_settle(struct scene_sink *self);
void stays_end(struct scene_sink *self);

/* hues.c: at the end of an act. */
void hues_give(struct scene_sink *self);
void hues_share(struct scene *a, struct scene *b);

/* marks.c */
void marks_hear(struct scene_sink *self, const struct heard *heard);
void marks_settle(struct scene_sink *self);
void marks_forget(struct scene_sink *self, struct known *known, scene_index event);
void marks_end(struct scene_sink *self);

/* arrows.c */
void arrows_hear(struct scene_sink *self, const struct heard *heard);
void arrows_settle(struct scene_sink *self);
void arrows_end(struct scene_sink *self);

/* counters.c */
void counters_start(struct scene_sink *self);
void counters_hear(struct scene_sink *self, const struct heard *heard);
void counters_end(struct scene_sink *self);

/* lanes.c */
void lanes_begin(struct scene_sink *self);
void lanes_start(struct scene_sink *self);
void lanes_hear(struct scene_sink *self, const struct heard *heard);
void lanes_end(struct scene_sink *self);

#endif
