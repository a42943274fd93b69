/* SPDX-License-Identifier: MIT */
/*
 * interface.h: DXGKRNL_INTERFACE beyond interrupts and allocations: the device as a driver finds
 * it, what handles stand for, and what is not simulated.
 */
#ifndef VIDMM_ADAPTER_INTERFACE_H
#define VIDMM_ADAPTER_INTERFACE_H

#include "vidmm/tell/tell.h"

/* ---- callback_stubs.c ----------------------------------------------------------------------- */

void interface_fill_stubs(DXGKRNL_INTERFACE *interface);

/* ---- device_space.c: a simulated PCI device (MINI-085) -------------------------------------- */

struct device_space *device_space_new(void);
void device_space_free(struct device_space *space);
/* Register and frame buffer ranges and the interrupt; valid as long as the adapter. */
CM_RESOURCE_LIST *device_space_resources(struct device_space *space);
/* DxgkCbMapMemory, DxgkCbUnmapMemory, DxgkCbReadDeviceSpace, DxgkCbWriteDeviceSpace. */
void interface_fill_space(DXGKRNL_INTERFACE *interface);

#endif
