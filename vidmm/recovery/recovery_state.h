/* SPDX-License-Identifier: MIT */
/*
 * recovery_state.h: the state of this folder: what was recorded, what faults demand, and why the
 * machine sleeps.
 */
#ifndef VIDMM_RECOVERY_STATE_H
#define VIDMM_RECOVERY_STATE_H

#include "vidmm/adapter.h"

struct recovery {
    POWER_ACTION power_action; /* why it sleeps */
    vidmm_ns *dumps;           /* when 0x117 was recorded, within TdrLimitTime */
    size_t dump_count, dump_capacity;
    /* What a page fault demands of each node, while its reset is due (SUBMIT-060). */
    struct demand {
        bool whole;     /* of the adapter */
        uint32_t fence; /* of the packet; 0: the driver does not know which */
    } demands[VIDMM_NODES_MAX];
};

#endif
