/* SPDX-License-Identifier: MIT */
/*
 * rows.h: what a scene consists of, part of scene.h: the rows of its arrays.
 */
#ifndef TOOLS_SCENE_ROWS_H
#define TOOLS_SCENE_ROWS_H

#include "vidmm/vidmm.h"

#define SCENE_NONE UINT32_MAX
#define SCENE_HUES 7 /* colours of allocations */

typedef uint32_t scene_text; /* scene_string() */
typedef uint32_t scene_index;

/* A row of the list of events. The trail of a decision (candidates, holes, turns, who was passed
   over, shortages) stands directly before it: `trail` is how many rows. A decision is a place, an
   eviction, a loss or a refusal. */
struct scene_event {
    vidmm_ns time;
    uint64_t seq;        /* as in JSON lines; what a search met has that of the event before */
    uint16_t kind;       /* enum vidmm_event_kind */
    uint16_t rule;       /* enum vidmm_rule; 0: none */
    uint8_t level, pass; /* enum narrate_level; pass of a search for victims, 0: it is none */
    uint32_t trail, trail_more; /* trail_more: of it is left out */
    scene_index allocation;     /* in `allocations`, or SCENE_NONE */
    scene_index other;     /* the allocation for which it happens: of who leaves, and who stays */
    scene_index segment;   /* in `segments` */
    scene_index statement; /* that was running */
    scene_text sentence;   /* as `vidmm run` tells it */
    scene_text facts; /* of turns and those passed over: words and sizes, "name=value\n" each */
};

/* A statement that ran, as often as it did. An expectation is HELD or FAILED, another statement
   RAN, FAILED, or WARNED: it brought a warning or a finding. */
enum scene_verdict { SCENE_RAN, SCENE_HELD, SCENE_FAILED, SCENE_WARNED };

struct scene_statement {
    uint32_t line, column;
    scene_text file, text;
    enum scene_verdict verdict;
    scene_text message; /* what failed, or 0 */
    scene_index first;  /* event at or after its begin */
    vidmm_ns time;
};

/* note, ask, show map, param: at a moment. A setting, where the adapter starts. */
enum scene_said_kind { SCENE_NOTE, SCENE_ASK, SCENE_MAP, SCENE_LESSON, SCENE_GIVEN, SCENE_SETTING };

struct scene_said {
    enum scene_said_kind kind;
    scene_text text, answer, value, hint, rules; /* of an `ask`; `value` in digits */
    scene_index segment;                         /* of a map */
    scene_index event;                           /* the first one behind it */
    vidmm_ns time;
    uint32_t statement, line, form; /* the next one; enum scenario_answer, or 1: an exercise */
};

struct scene_segment {
    scene_text name, kind;                        /* "memory", "aperture", "agp" */
    scene_text flags;                             /* as words */
    uint32_t id, banks, adapter;                  /* adapter: of a link; else 0 */
    uint64_t base, size, commit_limit, pin_start; /* the pinned region begins there */
};

struct scene_allocation {
    vidmm_handle handle;
    scene_text label, process, flags; /* flags and preferences as words */
    uint64_t bytes;
    uint32_t width, height; /* 0: it is no surface */
    scene_text format;
    uint32_t priority;
    scene_index created, destroyed; /* events */
    uint8_t hue;                    /* two that touch differ, as far as there are enough */
};

/* What holds a range of a segment. */
enum scene_stay_kind {
    SCENE_STAY_ALLOCATION,
    SCENE_STAY_EVICTION, /* an allocation goes through it, from another segment to system memory */
    SCENE_STAY_PAGING_BUFFER,
    SCENE_STAY_DMA_BUFFER,
    SCENE_STAY_INVALID, /* broken memory */
    SCENE_STAY_RESERVE  /* of the protected range */
};

/*
 * A range of a segment, from its place until it is free again. A place in several runs is several
 * stays with the same `came`; so is one of several copies in a link, with a `came` for each.
 */
struct scene_stay {
    vidmm_ns begin, end; /* `end` of the act when it is still there */
    vidmm_ns leaving;    /* from here on its content is on its way out; `end`: it never was */
    uint64_t offset, bytes;
    enum scene_stay_kind kind;
    bool still_there;                /* when the act ended */
    scene_index segment, allocation; /* SCENE_NONE: none has it */
    scene_index came, left, gone;    /* events: place; evict, or what ended it; its range is free */
    scene_text why_left;             /* "room", "destroy" ..., "move"; 0: it is still there */
};

/* What was true of an allocation for a while. */
enum scene_mark_kind { SCENE_PINNED, SCENE_DIRTY, SCENE_LOCKED, SCENE_OFFERED, SCENE_MOVING };

struct scene_mark {
    vidmm_ns begin, end;
    enum scene_mark_kind kind;
    bool still_there; /* when the act ended */
    scene_index allocation;
    scene_index began, ended; /* events */
};

/* Work on a lane: a packet from its begin to its end on a node, or a wait of the CPU. */
enum scene_lane_kind { SCENE_LANE_NODE, SCENE_LANE_PAGING, SCENE_LANE_CPU };

struct scene_lane {
    enum scene_lane_kind kind;
    scene_text name; /* "node 0", "paging", "CPU" */
};

struct scene_slice {
    vidmm_ns queued, begin, end; /* handed to the node; it began; it ended */
    scene_index lane;
    scene_text name; /* "frame1", "paging buffer", "queue_full" */
    uint64_t fence;
    scene_index submitted, ended; /* events; `ended` SCENE_NONE: by a reset, or it still ran */
};

/* From cause to effect. */
enum scene_arrow_kind {
    SCENE_CAUSED_PAGING, /* submission -> page-in or paging buffer that it needed */
    SCENE_MADE_ROOM,     /* eviction of a victim -> place of the one that needed the room */
    SCENE_ENDED_WAIT,    /* end of a packet (fence) -> wait that it ended */
    SCENE_MOVED          /* left one segment -> came into another */
};

struct scene_arrow {
    enum scene_arrow_kind kind;
    scene_index from, to; /* events */
};

/* A value over time, a step at each point; fragmentation is in thousandths. Of several events at
   one time each may have a point. Those of an act are there when it is over. */
struct scene_counter {
    scene_text name, unit; /* "vram used", "bytes" */
    scene_index segment;   /* or SCENE_NONE */
    scene_index first;     /* in `points` */
    uint32_t count;
};

struct scene_point {
    vidmm_ns time;
    uint64_t value;
    scene_index event; /* after it the value holds; SCENE_NONE: it is left out */
};

#endif
