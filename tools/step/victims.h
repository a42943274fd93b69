/* SPDX-License-Identifier: MIT */
/* victims.h: in which order residents would have left, and what that made free. Private. */
#ifndef TOOLS_STEP_VICTIMS_H
#define TOOLS_STEP_VICTIMS_H

#include "tools/step/trail.h"

/* Of the last plan that made room for `comes` in rows from `first` up to `number`, as sentences;
   nothing is added when there was none. */
void victims_tell(const struct trail *trail, vidmm_handle comes, uint64_t first, uint64_t number,
                  struct text *out);

#endif
