/* SPDX-License-Identifier: MIT */
/* allocation.h: the door of vidmm/allocation: how allocations come, change, are shared, and go. */
#ifndef VIDMM_ALLOCATION_H
#define VIDMM_ALLOCATION_H

#include "vidmm/share/share.h"

/* ---- sharing -------------------------------------------------------------------------------- */

/* All that the device has open, its own too: what nobody else has open goes (ALLOC-006). */
vidmm_status shared_close_all(adapter_t *adapter, struct device *device);
/* The adapter goes away: owners keep what they own, all others only close. */
void shared_abandon(adapter_t *adapter);

#endif
