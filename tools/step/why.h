/* SPDX-License-Identifier: MIT */
/* why.h: the reason trail of a moment, for people. Private. */
#ifndef TOOLS_STEP_WHY_H
#define TOOLS_STEP_WHY_H

#include "tools/common/screen.h"
#include "tools/step/trail.h"

/* The one that row `number`, a decision, found room or none for; 0: it is about none. */
vidmm_handle why_comer(const struct trail *trail, uint64_t number);
/* A decision that was kept: what happened, where that stands, what was looked at, which rules. */
void why_decision(const struct screen *screen, struct trail *trail, uint64_t number);
/* Of the event that was heard last: why a node has to stop; false: it is about none that runs. */
bool why_hang(const struct screen *screen, struct trail *trail, const struct vidmm_event *event);
/* The event that was heard last, whatever it is. */
void why_event(const struct screen *screen, struct trail *trail, const struct vidmm_event *event);
/* The same, without what is no part of it. */
void why_of_life(const struct screen *screen, struct trail *trail, const struct vidmm_event *event);
/* That as `vidmm run` prints it: when, and a sentence. */
void why_line(const struct screen *screen, struct trail *trail, const struct vidmm_event *event);

#endif
