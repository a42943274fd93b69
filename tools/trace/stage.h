/* SPDX-License-Identifier: MIT */
/*
 * stage.h: what the files of this folder share while an act becomes packets.
 */
#ifndef TOOLS_TRACE_STAGE_H
#define TOOLS_TRACE_STAGE_H

#include "tools/trace/packets.h"

/*
 * What an act is read as: each is a list in the order of time. Where several have something at one
 * moment they come in this order, so that a slice ends before the next one begins beside it, and an
 * arrow begins before it ends.
 */
enum stream {
    STREAM_SAID,
    STREAM_STATEMENT,
    STREAM_EVENT,
    STREAM_STAY_END,
    STREAM_RUN_END,
    STREAM_QUEUE_END,
    STREAM_STAY_BEGIN,
    STREAM_QUEUE_BEGIN,
    STREAM_RUN_BEGIN,
    STREAM_POINT
};
enum { STREAMS = STREAM_POINT + 1 };

/* One end of an arrow: what carries it. */
struct flow_end {
    scene_index event;
    enum stream stream;
    uint64_t flow; /* 0: it is in the file */
    bool ends;
};

struct stage {
    struct packets *packets;
    const struct scene *scene;
    const struct scene_act *act;
    uint64_t process, story, events; /* tracks */
    /* Of each of the act: its track; 0: it is not drawn. */
    uint64_t *stays, *runs, *queues, *counters;
    bool *trail;       /* of each event: it belongs to the trail of another */
    uint64_t hidden;   /* slices for which no row was free */
    struct text words; /* of the moment */
    struct flow_end *flow_ends;
    size_t flow_end_count;
    uint64_t flows; /* of all acts so far */
};

/* ---- shelf.c -------------------------------------------------------------------------------- */

enum { SHELF_ROWS = 64 };

/* Rows on which intervals do not overlap. */
struct shelf {
    vidmm_ns free_from[SHELF_ROWS];
    uint32_t count, most;
};

/* A row that is free, for intervals that come in the order of their begin; SCENE_NONE: `most` are
   taken. */
uint32_t shelf_put(struct shelf *shelf, vidmm_ns begin, vidmm_ns end);

/* ---- places.c, work.c: which track has a stay, a slice, a counter? -------------------------- */

void places_open(struct stage *stage, uint32_t rank);
void work_open(struct stage *stage, uint32_t rank);
/* "" without a name. */
const char *stage_text(const struct stage *stage, scene_text text);

/* ---- things.c ------------------------------------------------------------------------------- */

/* The next one of a stream, if it is drawn. */
void things_put(struct stage *stage, enum stream stream, scene_index i);

/* ---- flows.c -------------------------------------------------------------------------------- */

/* After the tracks are known. */
void flows_open(struct stage *stage);
/* The ends of arrows that an event has in a stream. */
void flows_put(struct stage *stage, scene_index event, enum stream stream);

#endif
