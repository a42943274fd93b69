/* SPDX-License-Identifier: MIT */
/* hang.h: what each node runs, since when, and when it was asked to stop. Private. */
#ifndef TOOLS_STEP_HANG_H
#define TOOLS_STEP_HANG_H

#include "tools/story/narrate.h"

struct hang_node {
    uint64_t running; /* fence of the packet that it runs; 0: none */
    uint64_t since, asked;
    bool is_asked; /* to stop that packet */
};

struct hang {
    struct hang_node *nodes;
    size_t count, capacity;
};

/* To be called for every event, in order. */
void hang_hear(struct hang *hang, const struct vidmm_event *event);
/* A new adapter begins. */
void hang_forget(struct hang *hang);
/* Why a node was asked to stop, or is reset: what it runs, since when, and for whose sake, as
   sentences. False: the event is about none that runs. */
bool hang_tell(const struct hang *hang, struct narrator *narrator, const struct vidmm_event *event,
               struct text *out);

#endif
