/* SPDX-License-Identifier: MIT */
/*
 * share_state.h: the state of this folder: devices, and how shared things were named.
 */
#ifndef VIDMM_SHARE_STATE_H
#define VIDMM_SHARE_STATE_H

#include "vidmm/adapter.h"
#include "vidmm/share/share.h"

struct share {
    struct device *devices;
    uint32_t shares;        /* global and NT handles given out (KMT-016, KMT-017) */
    const char *next_label; /* of a context allocation */
    uint64_t offer_calls;   /* number of the last one that offered or reclaimed */
    struct {
        vidmm_handle handles[4];
        size_t next;
    } recent_handles; /* by which shared allocations were named lately */
};

#endif
