/* SPDX-License-Identifier: MIT */
/*
 * events.h: private: events that are kept, counted and compared.
 */
#ifndef SCENARIOS_LANG_SESSION_EVENTS_H
#define SCENARIOS_LANG_SESSION_EVENTS_H

#include "scenarios/lang/syntax/syntax.h"

struct runner;

enum { LOG_FIELDS_MAX = 24, LOG_TEXT_MAX = 512, MOVE_WORDS_MAX = 64 };

/* An event that is kept: its fields and words are copies, from `first_field` on. */
struct log_event {
    struct vidmm_event event;
    uint32_t first_field;
    bool matched; /* by a line of an `any-order` list */
};

struct log_field {
    const char *name;
    enum vidmm_field_kind kind;
    uint64_t value;
    uint32_t text; /* offset in the texts of the log */
};

/* All events since the last list of expected ones. */
struct event_log {
    struct log_event *events;
    size_t count, capacity;
    struct log_field *fields;
    size_t field_count, field_capacity;
    char *texts;
    size_t text_count, text_capacity;
    bool wanted, full;
};

/* Counts the events that an expectation asks about. */
struct watch {
    struct watch *next;
    enum vidmm_event_kind kind;
    const struct expr *subject;
    const struct attribute *fields; /* of `no`; else items of count(...) */
    const struct item *items;
    uint64_t count, last_seq;
    char *last; /* of `no`: the last event in words, WATCH_WORDS_MAX */
};
enum { WATCH_WORDS_MAX = 320 };

/* The last event that moved an allocation, for explanations; old ones give way. */
enum { MOVES = 4096 };
struct move {
    struct vidmm_event event; /* its fields and label are gone */
    uint32_t segment;
    uint64_t offset;
    char words[MOVE_WORDS_MAX];
};

/* event_log.c */
/* Finds the watches of the text, before the run. */
void event_log_collect(struct runner *runner);
/* The first of the observers: the log, if the scenario needs it, ahead of `next`. */
struct vidmm_observer *event_log_attach(struct runner *runner, struct vidmm_observer *next);
void event_log_clear(struct event_log *log);
const struct move *event_log_move(const struct runner *runner, vidmm_handle subject);

/* event_match.c */
/* The names of which set stand in the field; VIDMM_FLAG_SETS: the field does not say. */
enum vidmm_flag_set event_match_set(const char *name);
/* NULL: it has no such field. */
const struct vidmm_field *event_match_find(const struct vidmm_event *event, const char *name);
bool event_match_field(const struct runner *runner, const struct attribute *wanted,
                       const struct vidmm_field *field);
bool event_match_event(const struct runner *runner, const struct expr *subject,
                       const struct attribute *fields, const struct vidmm_event *event);
bool event_match_watch(const struct runner *runner, const struct watch *watch,
                       const struct vidmm_event *event);
struct vidmm_event event_match_unpack(const struct event_log *log, const struct log_event *kept,
                                      struct vidmm_field *fields);

#endif
