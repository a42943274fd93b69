/* SPDX-License-Identifier: MIT */
/*
 * recovery_state.h: the state of this folder: why the machine sleeps.
 */
#ifndef VIDMM_RECOVERY_STATE_H
#define VIDMM_RECOVERY_STATE_H

#include "vidmm/adapter.h"

struct recovery {
    POWER_ACTION power_action; /* why it sleeps */
};

#endif
