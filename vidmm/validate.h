/* SPDX-License-Identifier: MIT */
/*
 * validate.h: does all of it hold, now?
 */
#ifndef VIDMM_VALIDATE_H
#define VIDMM_VALIDATE_H

#include "vidmm/adapter.h"

/* Stops the process when an invariant is broken (BUG-030). */
void self_check(adapter_t *adapter);
/* One allocation, between two calls of the API: for CHECK_SLOW. vidmm_check() looks at all. */
bool validate_allocation(const adapter_t *adapter, const struct allocation *allocation);

#endif
