/* SPDX-License-Identifier: MIT */
/*
 * wiring.h: connects what lower floors ask for to the floors that answer.
 */
#ifndef VIDMM_WIRING_H
#define VIDMM_WIRING_H

#include "vidmm/adapter.h"

/* Fills in the hook tables of a new adapter. */
void wiring_connect(struct vidmm_adapter *adapter);

#endif
