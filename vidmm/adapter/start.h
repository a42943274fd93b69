/* SPDX-License-Identifier: MIT */
/* start.h: the parts of a start. Private to vidmm/adapter. */
#ifndef VIDMM_START_H
#define VIDMM_START_H

#include "vidmm/adapter/adapter.h"

/* Once more from the beginning, after a stop: AddDevice, StartDevice, caps, segments. */
vidmm_status adapter_restart(adapter_t *adapter);
vidmm_status caps_start(adapter_t *adapter);     /* MINI-018, MINI-019, MINI-021, MINI-022 */
vidmm_status segments_start(adapter_t *adapter); /* SEG rules, MINI-004 to MINI-020 */
/* Fills adapter->interface, for DxgkDdiStartDevice. */
void callbacks_init(adapter_t *adapter);

#endif
