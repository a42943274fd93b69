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
    uint32_t label; /* offset in the texts, as that of a field */
    bool matched;   /* by a line of an `any-order` list */
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
    struct event_index *indexes; /* of event_index.c, for the present list */
};

/* The events of a statement that gives names, and which watches have counted them already. */
struct held_events {
    struct event_log log;
    struct counted {
        size_t event;
        const struct watch *watch;
    } * counted;
    size_t counted_count, counted_capacity;
    size_t event, first;           /* that is compared once more, and what it has in `counted` */
    bool kinds[VIDMM_EVENT_KINDS]; /* a watch asks more of them than how many there are */
    bool holding;
};

/* Counts the events that an expectation asks about. */
struct watch {
    struct watch *next;
    enum vidmm_event_kind kind;
    const struct expr *subject;
    const struct attribute *fields; /* of `no`; else items of count(...) */
    const struct item *items;
    uint64_t count, last_seq;
    uint64_t life; /* of the adapter whose events these were */
    bool filed;    /* under a name, or loose */
    char *last;    /* of `no`: the last event in words, WATCH_WORDS_MAX */
};
enum { WATCH_WORDS_MAX = 320 };

/* The last event that moved an allocation, for explanations; old ones give way. */
enum { MOVES = 4096 };
struct move {
    uint64_t life; /* of the adapter: those of earlier ones are as good as none */
    enum vidmm_event_kind kind;
    enum vidmm_rule rule;
    vidmm_handle subject;
    uint64_t seq, time;
    uint32_t segment;
    uint64_t offset;
    char words[MOVE_WORDS_MAX];
};

/* watches.c */
/* Finds the watches of the text, before the run. */
void watches_collect(struct runner *runner);
void watches_hear(struct runner *runner, const struct vidmm_event *event);
/* What a watch has counted since the adapter came into being, and the last event; 0: none. */
uint64_t watches_count(const struct runner *runner, const struct watch *watch);
uint64_t watches_last(const struct runner *runner, const struct watch *watch);
/* Names may stand for what events call otherwise: they are not looked for by handle any more. */
void watches_loosen(struct runner *runner);
void watches_reset(struct runner *runner);
void watches_fini(struct runner *runner);

/* event_log.c */
/* The first of the observers: the log, if the scenario needs it, ahead of `next`. */
struct vidmm_observer *event_log_attach(struct runner *runner, struct vidmm_observer *next);
void event_log_clear(struct event_log *log);
void event_log_fini(struct event_log *log);
/* From here on until the end of the statement names are given, also to what events spoke of before:
   then each event is compared once more with the watches that have not counted it. */
void event_log_hold(struct runner *runner);
void event_log_let_go(struct runner *runner);
const struct move *event_log_move(const struct runner *runner, vidmm_handle subject);

/* event_index.c */
typedef bool event_index_fits(const struct runner *runner, const struct predicate *line,
                              size_t event);
/* The first event in [from, to) that fits and is not taken, else `to`; without looking at most of
   those that do not. */
size_t event_index_find(struct runner *runner, const struct predicate *line, size_t from, size_t to,
                        event_index_fits *fits);
void event_index_clear(struct event_log *log);

/* event_match.c */
/* The names of which set stand in the field; VIDMM_FLAG_SETS: the field does not say. */
enum vidmm_flag_set event_match_set(const char *name);
bool event_match_no_preference(const struct vidmm_field *field); /* prefer=none */
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
