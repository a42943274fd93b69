/* SPDX-License-Identifier: MIT */
/*
 * vidmm_event.h: what the memory manager tells.
 *
 * One record type for every kind. A kind is a row of vidmm_event.def; a field is a name, a kind of
 * value and the value, so that text, JSON, comparison and `explain` are loops. Nothing in an event
 * comes from the host: no address, no wall-clock time, no hash order.
 *
 * Observers see every event in the order of `seq`, may not call the API, and must not keep pointers
 * into an event after they return.
 */
#ifndef VIDMM_EVENT_H
#define VIDMM_EVENT_H

#include "vidmm/vidmm_rules.h"
#include "vidmm/vidmm_types.h"

#ifdef __cplusplus
extern "C" {
#endif

enum vidmm_event_kind {
    VIDMM_EVENT_NONE,
#define EVENT(symbol, name, group, text, subject, rules) VIDMM_EVENT_##symbol,
#include "vidmm/vidmm_event.def"
#undef EVENT
    VIDMM_EVENT_KINDS
};

/* How the value of a field is meant, and so how it is printed and compared. */
enum vidmm_field_kind {
    VIDMM_FIELD_NUMBER,     /* decimal */
    VIDMM_FIELD_HEX,        /* flags, offsets, addresses */
    VIDMM_FIELD_BYTES,      /* a size */
    VIDMM_FIELD_NS,         /* a time span */
    VIDMM_FIELD_SEGMENT,    /* a segment id; 0 is system memory */
    VIDMM_FIELD_NODE,       /* a node number */
    VIDMM_FIELD_ALLOCATION, /* a handle of an allocation; 0 is none */
    VIDMM_FIELD_STATUS,     /* an NTSTATUS */
    VIDMM_FIELD_FLAG,       /* 0 or 1 */
    VIDMM_FIELD_WORD,       /* one word of a fixed vocabulary, in `text` */
    VIDMM_FIELD_TEXT,       /* free text, in `text` */
};

/* The fields of each kind are rows of vidmm_event_fields.def (vidmm_event_field below). */
struct vidmm_field {
    const char *name;
    enum vidmm_field_kind kind;
    uint64_t value;
    const char *text; /* only for WORD and TEXT */
};

struct vidmm_event {
    uint64_t seq; /* 1, 2, 3 ... without gaps */
    vidmm_ns time;
    enum vidmm_event_kind kind;
    enum vidmm_rule rule; /* why it happened; VIDMM_RULE_NONE where nothing was decided */
    vidmm_handle subject; /* allocation, device, context ... or 0 */
    const char *label;    /* the subject's name in the scenario, or "" */
    const struct vidmm_field *fields;
    size_t field_count;
};

/* A sink embeds this and finds itself again with its own offset arithmetic. */
struct vidmm_observer {
    void (*on_event)(struct vidmm_observer *self, const struct vidmm_event *event);
    struct vidmm_observer *next; /* set by vidmm_observe() */
    /*
     * Which kinds it hears: VIDMM_EVENT_KINDS of them, which must outlive the adapter. What nobody
     * hears is not composed, and what stands in lists of a driver-call only with that. NULL: all
     * but those of the group "trail", which say what a decision looked at: these only come to those
     * who ask, and have no number of their own in `seq`.
     */
    const bool *kinds;
};

struct vidmm_event_info {
    const char *name;  /* as printed and as written in `expect events` */
    const char *group; /* "life", "place", "paging", "gpu", "cpu", "policy", "system" */
    const char *text;
    const char *subject; /* whose event it is; "" for none */
    const char *rules; /* ids with blanks between, or a phrase beginning with "the"; "" for none */
};

/* What the documentation of a field says: a row of vidmm_event_fields.def. */
struct vidmm_event_field_info {
    const char *name;
    enum vidmm_field_kind kind;
    bool always;       /* in every event of its kind */
    const char *words; /* all that a WORD can be, "a|b|c"; "" where they are not listed */
    const char *text;
};

/* The row of a kind; never NULL for kinds of the enumeration. */
const struct vidmm_event_info *vidmm_event_info(enum vidmm_event_kind kind);
/* VIDMM_EVENT_NONE for an unknown name. */
enum vidmm_event_kind vidmm_event_by_name(const char *name);
/* Field number `index` of a kind, counted from 0, or NULL. Those of VIDMM_EVENT_DRIVER_CALL that
   are not listed are arguments of the call, under their documented names. */
const struct vidmm_event_field_info *vidmm_event_field(enum vidmm_event_kind kind, size_t index);

#ifdef __cplusplus
}
#endif
#endif
