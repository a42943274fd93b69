/* SPDX-License-Identifier: MIT */
/*
 * wiring.h: connects what lower floors ask for to the floors that answer.
 */
#ifndef VIDMM_WIRING_H
#define VIDMM_WIRING_H

#include "vidmm/adapter.h"

/* Gives a new adapter its state, folder by folder, and the hook tables; takes the state back. */
void wiring_connect(struct vidmm_adapter *adapter);
void wiring_free(struct vidmm_adapter *adapter);

#endif
