/* SPDX-License-Identifier: MIT */
/*
 * sink.h: where a run goes: events and what the scenario says beside them.
 *
 * A sink begins with a vidmm_observer, so the adapter hands it every event, in order.
 */
#ifndef TOOLS_COMMON_SINK_H
#define TOOLS_COMMON_SINK_H

#include "scenarios/lang/scenario.h"
#include "tools/common/screen.h"

struct sink {
    struct vidmm_observer observer;
    /* A scenario begins. */
    void (*begin)(struct sink *sink, const char *file);
    /* A file was read, included ones too, `name` as in messages. May be NULL. */
    void (*source)(struct sink *sink, const char *name, const char *text, size_t bytes);
    /* An adapter can be looked at from now on. */
    void (*started)(struct sink *sink, const struct vidmm_adapter *adapter);
    /* It is about to go: a last look. May be NULL. */
    void (*ended)(struct sink *sink, const struct vidmm_adapter *adapter);
    void (*tell)(struct sink *sink, const struct scenario_telling *telling);
    /* A message that is about to be printed elsewhere. */
    void (*message)(struct sink *sink, const struct scenario_message *message);
    /* The scenario was not run: the file has errors, cannot be read, or takes too much memory. Or
       it cannot go on, and nothing can be asked any more: vidmm broke a promise. */
    void (*refused)(struct sink *sink, const char *file, enum scenario_exit exit);
    void (*end)(struct sink *sink, const char *file, const struct scenario_result *result);
    void (*close)(struct sink *sink);
};

/* How a drawing ended; not SINK_DRAWN: a message said why. */
enum sink_drawn { SINK_DRAWN, SINK_NOTHING, SINK_LOST };

struct sink_options {
    struct screen screen;
    bool why, verbose, calls;
    bool quiet;             /* only what is not as expected, and the last line */
    bool quiz;              /* of a question, no answer */
    vidmm_ns from, to;      /* events outside are not shown */
    const bool *unread;     /* true: nobody reads the events, empty lines will do; may be NULL */
    uint64_t most_events;   /* that a drawing keeps; 0: as many as usual */
    bool maps;              /* pictures of each `show map`, instead of the run */
    const char *many;       /* "map-%d.svg": each picture in a file of its own; NULL: together */
    const bool *whole;      /* asked when a drawing is made: did the run come to its end? */
    enum sink_drawn *drawn; /* set when it is made */
};

#endif
