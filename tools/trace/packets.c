/* SPDX-License-Identifier: MIT */
/*
 * packets.c: which fields have Perfetto's packets?
 *
 * The numbers are those of its schema; tests/tools/trace/ has the part of it that is used here.
 * There is one sequence of packets. The first one says that nothing was before it, and holds the
 * names of annotations; all others need what was before them.
 */
#include "tools/trace/packets.h"

#include <string.h>

/* Trace */
enum { TRACE_PACKET = 1 };
/* TracePacket */
enum {
    PACKET_TIMESTAMP = 8,
    PACKET_SEQUENCE = 10,
    PACKET_TRACK_EVENT = 11,
    PACKET_INTERNED = 12,
    PACKET_SEQUENCE_FLAGS = 13,
    PACKET_TRACK_DESCRIPTOR = 60
};
enum { SEQUENCE = 1, FLAG_CLEARED = 1, FLAG_NEEDS_STATE = 2 };
/* TrackDescriptor */
enum {
    TRACK_UUID = 1,
    TRACK_NAME = 2,
    TRACK_PROCESS = 3,
    TRACK_PARENT = 5,
    TRACK_COUNTER = 8,
    TRACK_CHILD_ORDERING = 11,
    TRACK_RANK = 12,
    TRACK_DESCRIPTION = 14,
    TRACK_MERGE = 15
};
enum { ORDER_EXPLICIT = 3, MERGE_BY_NAME = 1, MERGE_NONE = 2 };
/* ProcessDescriptor */
enum { PROCESS_PID = 1, PROCESS_NAME = 6 };
/* CounterDescriptor */
enum { COUNTER_UNIT = 3, COUNTER_UNIT_NAME = 6, COUNTER_AXIS = 7 };
/* TrackEvent */
enum {
    EVENT_ANNOTATION = 4,
    EVENT_TYPE = 9,
    EVENT_NAME = 10,
    EVENT_TRACK = 11,
    EVENT_VALUE = 30,
    EVENT_FLOW = 47,
    EVENT_FLOW_ENDS = 48,
    EVENT_CORRELATION = 52
};
/* DebugAnnotation */
enum { ANNOTATION_NAME = 1, ANNOTATION_UINT = 3, ANNOTATION_STRING = 6 };
/* InternedData, and an entry of it */
enum { INTERNED_EVENT_NAME = 2, INTERNED_ANNOTATION_NAME = 3, ENTRY_IID = 1, ENTRY_NAME = 2 };

static const char *const note_names[PACKET_NOTES] = {
    [PACKET_SENTENCE] = "what happened",
    [PACKET_RULE] = "rule",
    [PACKET_TRAIL] = "looked at",
    [PACKET_SEGMENT] = "segment",
    [PACKET_OFFSET] = "offset",
    [PACKET_BYTES] = "bytes",
    [PACKET_FLAGS] = "flags",
    [PACKET_WHY_LEFT] = "why it left",
    [PACKET_FENCE] = "fence",
    [PACKET_SEQ] = "event",
    [PACKET_PLACE] = "scenario",
    [PACKET_VERDICT] = "verdict",
    [PACKET_MESSAGE] = "message",
    [PACKET_ANSWER] = "answer",
    [PACKET_LEFT_OUT] = "events left out",
};

enum { NAME_LEFT_OUT = SCENE_STAY_RESERVE + 1 };

static const char *const own_names[] = {
    [SCENE_STAY_ALLOCATION] = "allocation",
    [SCENE_STAY_EVICTION] = "eviction",
    [SCENE_STAY_PAGING_BUFFER] = "paging buffer",
    [SCENE_STAY_DMA_BUFFER] = "DMA buffer",
    [SCENE_STAY_INVALID] = "broken memory",
    [SCENE_STAY_RESERVE] = "reserve",
    [NAME_LEFT_OUT] = "left out",
};

/* Names are numbers: those of events, our own, those of the run. */
enum { OWN_NAMES = VIDMM_EVENT_KINDS + ARRAY_COUNT(own_names) };

/* ---- packets -------------------------------------------------------------------------------- */

static void begin_packet(struct packets *packets)
{
    proto_open(&packets->proto, TRACE_PACKET);
    proto_number(&packets->proto, PACKET_SEQUENCE, SEQUENCE);
    proto_number(&packets->proto, PACKET_SEQUENCE_FLAGS,
                 packets->count ? FLAG_NEEDS_STATE : FLAG_CLEARED);
}

static void end_packet(struct packets *packets)
{
    proto_close(&packets->proto);
    proto_flush(&packets->proto, packets->out);
    packets->count++;
}

static void put_entry(struct proto *proto, unsigned field, uint64_t iid, const char *name)
{
    proto_open(proto, field);
    proto_number(proto, ENTRY_IID, iid);
    proto_string(proto, ENTRY_NAME, name);
    proto_close(proto);
}

void packets_open(struct packets *packets, const struct scene *scene, FILE *out)
{
    *packets = (struct packets){ .out = out, .scene = scene };
    packets->written =
        base_alloc((OWN_NAMES + scene->text_count) / 64 + 1, sizeof *packets->written);
    begin_packet(packets);
    proto_open(&packets->proto, PACKET_INTERNED);
    for (unsigned i = 0; i < PACKET_NOTES; i++)
        put_entry(&packets->proto, INTERNED_ANNOTATION_NAME, i + 1, note_names[i]);
    proto_close(&packets->proto);
    end_packet(packets);
}

void packets_close(struct packets *packets)
{
    base_free(packets->written);
    proto_free(&packets->proto);
}

/* ---- tracks --------------------------------------------------------------------------------- */

static void put_counter(struct proto *proto, const struct packet_track *track)
{
    static const struct {
        const char *name;
        unsigned unit;
    } units[] = { { "ns", 1 }, { "count", 2 }, { "bytes", 3 } };
    unsigned unit = 0;
    for (size_t i = 0; i < ARRAY_COUNT(units); i++)
        if (strcmp(units[i].name, track->counter) == 0)
            unit = units[i].unit;
    proto_open(proto, TRACK_COUNTER);
    if (unit)
        proto_number(proto, COUNTER_UNIT, unit);
    else
        proto_string(proto, COUNTER_UNIT_NAME, track->counter);
    if (track->axis)
        proto_string(proto, COUNTER_AXIS,
                     text_print("axis %llu", (unsigned long long)track->axis).it);
    proto_close(proto);
}

uint64_t packets_track(struct packets *packets, const struct packet_track *track)
{
    struct proto *proto = &packets->proto;
    begin_packet(packets);
    proto_open(proto, PACKET_TRACK_DESCRIPTOR);
    proto_number(proto, TRACK_UUID, ++packets->tracks);
    proto_string(proto, TRACK_NAME, track->name);
    if (track->parent)
        proto_number(proto, TRACK_PARENT, track->parent);
    if (track->process) {
        proto_open(proto, TRACK_PROCESS);
        proto_number(proto, PROCESS_PID, (uint64_t)track->process);
        proto_string(proto, PROCESS_NAME, track->name);
        proto_close(proto);
    }
    if (track->counter)
        put_counter(proto, track);
    if (track->ranked)
        proto_number(proto, TRACK_CHILD_ORDERING, ORDER_EXPLICIT);
    proto_number(proto, TRACK_RANK, track->rank);
    if (track->says)
        proto_string(proto, TRACK_DESCRIPTION, track->says);
    proto_number(proto, TRACK_MERGE, track->stacked ? MERGE_BY_NAME : MERGE_NONE);
    proto_close(proto);
    end_packet(packets);
    return packets->tracks;
}

/* ---- events --------------------------------------------------------------------------------- */

uint64_t packets_name_kind(enum vidmm_event_kind kind)
{
    return (uint64_t)kind + 1;
}

uint64_t packets_name_stay(enum scene_stay_kind kind)
{
    return VIDMM_EVENT_KINDS + (uint64_t)kind + 1;
}

uint64_t packets_name_left_out(void)
{
    return VIDMM_EVENT_KINDS + NAME_LEFT_OUT + 1;
}

uint64_t packets_name_text(scene_text text)
{
    return text ? OWN_NAMES + (uint64_t)text : 0;
}

static const char *name_of(const struct packets *packets, uint64_t name)
{
    if (name <= VIDMM_EVENT_KINDS)
        return vidmm_event_info((enum vidmm_event_kind)(name - 1))->name;
    if (name <= OWN_NAMES)
        return own_names[name - VIDMM_EVENT_KINDS - 1];
    return scene_string(packets->scene, (scene_text)(name - OWN_NAMES));
}

void packets_event(struct packets *packets, const struct packet_event *event)
{
    struct proto *proto = &packets->proto;
    begin_packet(packets);
    proto_number(proto, PACKET_TIMESTAMP, event->time);
    proto_open(proto, PACKET_TRACK_EVENT);
    proto_number(proto, EVENT_TYPE, event->type);
    proto_number(proto, EVENT_TRACK, event->track);
    packets->pending = 0;
    if (event->name) {
        uint64_t *word = &packets->written[event->name / 64], bit = 1ULL << event->name % 64;
        proto_number(proto, EVENT_NAME, event->name);
        packets->pending = *word & bit ? 0 : event->name;
        *word |= bit;
    }
    if (event->type == PACKET_COUNTER)
        proto_number(proto, EVENT_VALUE, event->value);
    if (event->colour)
        proto_number(proto, EVENT_CORRELATION, event->colour);
}

static void begin_note(struct proto *proto, enum packet_note note)
{
    proto_open(proto, EVENT_ANNOTATION);
    proto_number(proto, ANNOTATION_NAME, (uint64_t)note + 1);
}

void packets_text(struct packets *packets, enum packet_note note, const char *text)
{
    if (!*text)
        return;
    begin_note(&packets->proto, note);
    proto_string(&packets->proto, ANNOTATION_STRING, text);
    proto_close(&packets->proto);
}

void packets_number(struct packets *packets, enum packet_note note, uint64_t value)
{
    begin_note(&packets->proto, note);
    proto_number(&packets->proto, ANNOTATION_UINT, value);
    proto_close(&packets->proto);
}

void packets_flow(struct packets *packets, uint64_t flow, bool ends)
{
    proto_fixed64(&packets->proto, ends ? EVENT_FLOW_ENDS : EVENT_FLOW, flow);
}

void packets_event_end(struct packets *packets)
{
    proto_close(&packets->proto);
    if (packets->pending) {
        proto_open(&packets->proto, PACKET_INTERNED);
        put_entry(&packets->proto, INTERNED_EVENT_NAME, packets->pending,
                  name_of(packets, packets->pending));
        proto_close(&packets->proto);
    }
    end_packet(packets);
}
