/* SPDX-License-Identifier: MIT */
/*
 * narrate.h: one English sentence for each event.
 *
 * The sentences are for learners: past tense, the scenario's own names, exact sizes.
 * Some kinds matter only on a close look; narrate_level() says which.
 */
#ifndef TOOLS_NARRATE_H
#define TOOLS_NARRATE_H

#include "tools/names.h"
#include "tools/text.h"

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
/* Appends the sentence, without full stop. Must see every event, also those that are not shown, but
   for those of level NARRATE_CALLS. */
void narrate(struct narrator *narrator, const struct vidmm_event *event, struct text *out);
/* A new adapter begins: nothing is on its way. */
void narrate_reset(struct narrator *narrator);

#endif
