/* SPDX-License-Identifier: MIT */
/* kinds.h: which events are decisions, and which belong to the trail of one. Private. */
#ifndef TOOLS_RECORD_KINDS_H
#define TOOLS_RECORD_KINDS_H

#include "tools/record/record.h"

/* What a decision looked at; shown below it, unless it is listed as a decision itself. */
bool kinds_of_trail(enum vidmm_event_kind kind);
/* "place,evict,times" */
void kinds_add_text(const struct record_kinds *kinds, struct text *out);

#endif
