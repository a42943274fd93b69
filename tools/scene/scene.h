/* SPDX-License-Identifier: MIT */
/*
 * scene.h: a run as data that can be drawn; the README says which.
 *
 * A scene is a sink (tools/common/sink.h): it hears a run from its start to its end, and afterwards
 * pages, pictures and traces are made of it. Each start of an adapter is an act with a time axis of
 * its own (a test of a scenario is one act).
 *
 * Everything is in arrays, in the order of time (of its begin); an index is a place in one of them,
 * SCENE_NONE is none. Texts are indexes into one table of different texts; 0 is "". Times are
 * virtual ns, sizes and offsets bytes.
 *
 * What a file does before its first test is done again for each of the others; the statements of
 * that stand in the first act only.
 *
 *     struct sink *sink = scene_open(&options);
 *     ... a host runs a scenario with this sink, and with tell_statements (and tell_params) ...
 *     const struct scene *scene = scene_of(sink);
 *     sink->close(sink);
 */
#ifndef TOOLS_SCENE_SCENE_H
#define TOOLS_SCENE_SCENE_H

#include "tools/common/sink.h"
#include "tools/scene/rows.h"

/* Ranges of the other arrays that belong to one start of an adapter. */
struct scene_range {
    scene_index first;
    uint32_t count;
};

struct scene_act {
    scene_text file, name; /* of the test, or 0 */
    vidmm_ns end;          /* the clock when it was over */
    bool passed;
    struct scene_range events, statements, said, segments, allocations, stays, marks, lanes, slices,
        arrows, counters;
};

struct scene_source {
    scene_text name, text; /* a file, included ones too; `name` as statements have it */
    uint64_t bytes;        /* of the file; `text` ends earlier where it is too long */
};

/* What was left out, because there is a limit to what a page can hold. */
struct scene_omitted {
    uint64_t events[VIDMM_EVENT_KINDS];
    uint64_t stays, slices, points, arrows, marks, allocations, statements, said;
    uint64_t sources; /* bytes of their texts */
};

struct scene {
    struct scene_act *acts;
    struct scene_event *events;
    struct scene_statement *statements;
    struct scene_said *said;
    struct scene_segment *segments;
    struct scene_allocation *allocations;
    struct scene_stay *stays;
    struct scene_mark *marks;
    struct scene_lane *lanes;
    struct scene_slice *slices;
    struct scene_arrow *arrows;
    struct scene_counter *counters;
    struct scene_point *points;
    struct scene_source *sources;
    size_t act_count, event_count, source_count, statement_count, said_count, text_count;
    size_t stay_count, slice_count, arrow_count, mark_count, point_count;
    size_t segment_count, allocation_count, lane_count, counter_count;
    uint64_t told; /* events of the run, kept or not */
    uint64_t told_by_kind[VIDMM_EVENT_KINDS];
    struct scene_omitted omitted;
    enum scenario_exit exit;
    uint64_t expectations, failed, unexpected, seed;
};

struct scene_options {
    uint64_t most_events; /* kept, and as many of the other things; 0: a million */
    bool calls;           /* keep the calls of the miniport, too */
    /* What becomes of it when the sink is closed. May be NULL. */
    void (*finished)(const struct scene *scene, void *context);
    void *context;
};

/* A sink that listens; its close() ends the scene. `options` NULL: what is usual. */
struct sink *scene_open(const struct scene_options *options);
/* What was heard so far. Changes as the run goes on, and lives as long as the sink. */
const struct scene *scene_of(struct sink *sink);
void scene_share_hues(struct sink *one, struct sink *other); /* over, and shown side by side */
const char *scene_string(const struct scene *scene, scene_text text);

#endif
