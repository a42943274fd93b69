/* SPDX-License-Identifier: MIT */
/*
 * where.h: a place in a run, as somebody writes it: where `to` goes and `break` stops. Private.
 *
 *     57  event 57      the event of that number
 *     5.9ms             the first event at that time or later
 *     line 25           before that line of a file runs
 *     evict             an event of that kind
 *     evict grass       ... about that allocation (device, context ...)
 *     PLACE-012         an event that this rule decided
 *     fail              an expectation that does not hold, a statement that ends otherwise
 *     start, end        of the run
 */
#ifndef TOOLS_STEP_WHERE_H
#define TOOLS_STEP_WHERE_H

#include "tools/common/text.h"
#include "vidmm/vidmm.h"

enum { WHERE_WORDS = 3, WHERE_BYTES = 96 };

enum where_kind {
    WHERE_EVENT, /* number */
    WHERE_TIME,
    WHERE_LINE,
    WHERE_KIND, /* event, and subject unless it is "" */
    WHERE_RULE,
    WHERE_FAIL,
    WHERE_START,
    WHERE_END,
};

struct where {
    enum where_kind kind;
    uint64_t number;
    enum vidmm_event_kind event;
    enum vidmm_rule rule;
    char subject[WHERE_BYTES];
    char text[WHERE_BYTES]; /* as it was written */
    /* What a run without such an event has learnt of `subject`. */
    bool named; /* something bears that name */
    char nearest[WHERE_BYTES];
    size_t steps; /* between the two */
};

/* False: `why` has a sentence. */
bool where_read(struct where *where, char *const *words, size_t count, struct text *why);
bool where_is_event(const struct where *where, const struct vidmm_event *event);
/* An event that is not there may bear a name that is nearly the wanted one. */
void where_learn(struct where *where, const struct vidmm_event *event);
/* A sentence: no event of the run was there. */
void where_say_missing(const struct where *where, struct text *out);

#endif
