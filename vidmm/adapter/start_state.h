/* SPDX-License-Identifier: MIT */
/*
 * start_state.h: the state of this folder: what the driver got and reported.
 */
#ifndef VIDMM_START_STATE_H
#define VIDMM_START_STATE_H

#include "vidmm/adapter.h"

struct start {
    DXGKRNL_INTERFACE interface;
    bool driver_added, driver_started; /* DxgkDdiAddDevice, DxgkDdiStartDevice succeeded */
    uint64_t available, dedicated_video, dedicated_system, max_shared; /* memory_report.c */
    struct device_space *space;                                        /* device_space.c */
};

#endif
