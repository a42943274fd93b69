/* SPDX-License-Identifier: MIT */
/*
 * packets.h: Perfetto's packets, one after the other to a stream: tracks, and events on them.
 *
 *     packets_open(&packets, scene, out);
 *     uint64_t lane = packets_track(&packets, &(struct packet_track){ .name = "node 0" });
 *     packets_event(&packets, &(struct packet_event){ .type = PACKET_BEGIN, .track = lane ... });
 *     packets_text(&packets, PACKET_RULE, "PLACE-006");
 *     packets_event_end(&packets);
 *     packets_close(&packets);
 *
 * A name stands in the file once, and is a number from then on.
 */
#ifndef TOOLS_TRACE_PACKETS_H
#define TOOLS_TRACE_PACKETS_H

#include "tools/scene/scene.h"
#include "tools/trace/proto.h"

/* What is said of an event. */
enum packet_note {
    PACKET_SENTENCE,
    PACKET_RULE,
    PACKET_TRAIL,
    PACKET_SEGMENT,
    PACKET_OFFSET,
    PACKET_BYTES,
    PACKET_FLAGS,
    PACKET_WHY_LEFT,
    PACKET_FENCE,
    PACKET_SEQ,
    PACKET_PLACE, /* in the scenario */
    PACKET_VERDICT,
    PACKET_MESSAGE,
    PACKET_ANSWER,
    PACKET_LEFT_OUT, /* of a kind of events */
    PACKET_NOTES
};

enum packet_type { PACKET_BEGIN = 1, PACKET_END = 2, PACKET_INSTANT = 3, PACKET_COUNTER = 4 };

struct packet_track {
    const char *name;
    const char *says;    /* NULL: nothing */
    uint64_t parent;     /* 0: none */
    uint32_t rank;       /* among those with the same parent */
    int32_t process;     /* its number; 0: it is none */
    const char *counter; /* its unit; NULL: it is none */
    uint64_t axis;       /* counters with the same one share an axis; 0: with none */
    bool ranked;         /* its children stand in the order of their ranks */
    bool stacked;        /* with those of the same name: one below the other, on one track */
};

struct packet_event {
    enum packet_type type;
    vidmm_ns time;
    uint64_t track;
    uint64_t name;   /* packets_name_*(); 0: it has none */
    uint64_t value;  /* of a counter */
    uint64_t colour; /* events with the same one have the same colour; 0: it has none */
};

struct packets {
    FILE *out;
    const struct scene *scene;
    struct proto proto;
    uint64_t *written; /* a bit for each name that is in the file */
    uint64_t pending;  /* the name of the present event, if it is not */
    uint64_t tracks, count;
};

void packets_open(struct packets *packets, const struct scene *scene, FILE *out);
void packets_close(struct packets *packets);

/* Its number. */
uint64_t packets_track(struct packets *packets, const struct packet_track *track);

uint64_t packets_name_kind(enum vidmm_event_kind kind);
/* Of what lies in a segment and is no allocation. */
uint64_t packets_name_stay(enum scene_stay_kind kind);
uint64_t packets_name_left_out(void);
/* 0 for the empty text. */
uint64_t packets_name_text(scene_text text);

void packets_event(struct packets *packets, const struct packet_event *event);
void packets_text(struct packets *packets, enum packet_note note, const char *text);
void packets_number(struct packets *packets, enum packet_note note, uint64_t value);
/* An arrow begins or ends here. */
void packets_flow(struct packets *packets, uint64_t flow, bool ends);
void packets_event_end(struct packets *packets);

#endif
