/* SPDX-License-Identifier: MIT */
/*
 * machine.h: how much memory of this machine a run may take when nobody says how much.
 *
 * The answer only moves the point at which a run is stopped: a run that ends gives the same bytes
 * on every machine.
 */
#ifndef TOOLS_MACHINE_H
#define TOOLS_MACHINE_H

#include <stdint.h>

/* Three quarters of what is left, of the machine, the process and its control group. */
uint64_t machine_spare_bytes(void);

#endif
