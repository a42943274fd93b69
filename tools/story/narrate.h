/* SPDX-License-Identifier: MIT */
/*
 * narrate.h: one English sentence for each event.
 *
 * The sentences are for learners: past tense, the scenario's own names, exact sizes.
 * Some kinds matter only on a close look; narrate_level() says which.
 */
#ifndef TOOLS_STORY_NARRATE_H
#define TOOLS_STORY_NARRATE_H

#include "tools/common/text.h"
#include "tools/story/names.h"

enum narrate_level {
    NARRATE_STORY,   /* what changed, and what somebody waited for */
    NARRATE_DETAILS, /* the steps between */
    NARRATE_CALLS,   /* every call of the miniport, with its arguments */
};

/* Render buffers that are on their way, by the names that the scenario gave them. */
struct narrate_work {
    uint64_t node, fence;
    char *name;
};

struct narrator {
    struct names names;
    struct narrate_work *work;
    size_t work_count, work_capacity;
};

enum narrate_level narrate_level(enum vidmm_event_kind kind);
/* Of one event: opening and closing what is shared belongs to the story, what a creation opens for
   its own device does not. */
enum narrate_level narrate_level_of(const struct vidmm_event *event);
bool narrate_remembers(const struct vidmm_event *event); /* later sentences depend on it */
/* Appends the sentence, without full stop. Must see every event, also those that are not shown, but
   for those of level NARRATE_CALLS and those that narrate_remembers() nothing of. */
void narrate(struct narrator *narrator, const struct vidmm_event *event, struct text *out);
/* A new adapter begins: nothing is on its way. */
void narrate_reset(struct narrator *narrator);

/* ---- sentence.c: patterns, and the fields of an event ---------------------------------------- */

/* An event while it is told. */
struct tale {
    struct narrator *narrator;
    const struct vidmm_event *event;
    struct text *out;
};

/* 0 or "" when the event has no such field. */
uint64_t tale_number(const struct tale *tale, const char *name);
const char *tale_word(const struct tale *tale, const char *name);
bool tale_is(const struct tale *tale, const char *name, const char *value);
/* "frame1", "a paging buffer" or "a packet", and its fence. */
void tale_add_buffer(const struct tale *tale);
/* " was submitted to node 0", in a link " ... of adapters 0 and 2"; then `after`. */
void tale_add_target(const struct tale *tale, const char *after);
/* Fields from number `from` on, `before` in front of the first. */
void tale_add_fields(const struct tale *tale, size_t from, const char *before);

/*
 * The sentence that a pattern makes of an event.
 *
 *     {name}         a field that is a word or a text; or `who` (the subject), `event`, `segment`,
 *                    `node`, `offset`, and `buffer` ("frame1 (fence 7)")
 *     {form name}    a number: `number`, `hex`, `hex8`, `size`, `span`, `offset`, `status`, or
 *                    `allocation-flags`
 *     {fields N}     ": " and the fields from number N on as "name=value, ..."
 *     {more N}       the same after ", "
 *     {name/table}   what the table of narrate.def says for this word, itself a pattern
 *     [test?a|b]     a if the test holds, else b, which may be missing: `name` (neither 0 nor ""),
 *                    `name=value`, or `name>value`
 *
 * A field that the event lacks is 0 or "".
 */
void sentence_add(const struct tale *tale, const char *pattern);

#endif
