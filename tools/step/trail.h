/* SPDX-License-Identifier: MIT */
/*
 * trail.h: the decisions that a run came to last, and what each looked at. Private.
 *
 * A trail hears every event of a run and keeps copies of those that explain a decision: the
 * decisions themselves (those of a decision log) and what was searched before them. It is bounded:
 * the oldest rows make room, and of many rows of one kind in a search the first are kept.
 */
#ifndef TOOLS_STEP_TRAIL_H
#define TOOLS_STEP_TRAIL_H

#include "tools/record/record.h"
#include "tools/step/hang.h"

enum { TRAIL_ROWS = 4096, TRAIL_ALIKE = 64, TRAIL_SAID = 400 };

struct trail_row {
    struct vidmm_event event; /* a copy: of each allocation that a field means, text is the name */
    uint64_t statement;       /* the number of the one that ran */
    uint64_t line;            /* where that stands; 0: unknown */
    uint64_t more;            /* rows of its kind after it that were left out */
    /* What the adapter alone knew: of a candidate which word decided its direction, and which
       preferences are too small; of a turn why a victim that is alone may leave. "" is nothing. */
    const char *direction, *known;
    const char *said; /* the statement that ran, as it is written; " ..." after TRAIL_SAID bytes */
    char *bytes;      /* what the copy, `known` and `said` point to */
    size_t capacity;
};

struct trail {
    struct trail_row rows[TRAIL_ROWS]; /* a ring: row number N is rows[N % TRAIL_ROWS] */
    uint64_t count;                    /* of all that were kept, of this adapter */
    uint64_t stop;                     /* count at a bug check; 0: none yet */
    uint64_t alike;                    /* how many rows of one kind came in turn */
    uint64_t statement, line;
    uint64_t told;     /* the event of that number stands above already: its sentence is left out */
    struct text text;  /* of the statement, as `said` */
    struct text known; /* of the row that is being kept */
    struct record_kinds decisions;
    struct narrator narrator;
    struct hang hang;
    struct text sentence; /* of the last event, where it can be told only once */
};

struct trail *trail_new(void);
void trail_free(struct trail *trail);
/* A run begins. */
void trail_begin(struct trail *trail);
/* An adapter can be asked; NULL: no more. */
void trail_adapter(struct trail *trail, const struct vidmm_adapter *adapter);
/* The one that is about to run; NULL: what is run again before a test is not told. */
void trail_statement(struct trail *trail, const struct scenario_telling *telling);
/* To be called for every event, in order. */
void trail_hear(struct trail *trail, const struct vidmm_event *event);

/* It only says what a decision looked at, and has no number of its own. */
bool trail_only(enum vidmm_event_kind kind);
/* Row `number`, which counts from 0; NULL: it is gone, or never was. */
const struct trail_row *trail_row(const struct trail *trail, uint64_t number);
/* What an allocation was called in the newest row about it, or is called now. */
struct text_short trail_name(const struct trail *trail, vidmm_handle allocation);
/* The last decision, about the subject of that name unless it is ""; UINT64_MAX: there is none. */
uint64_t trail_decision(const struct trail *trail, const char *name);
/* The sentence of a row, or of the event that was heard last. */
void trail_tell(struct trail *trail, const struct vidmm_event *event, struct text *out);

#endif
