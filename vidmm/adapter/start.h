/* SPDX-License-Identifier: MIT */
/* start.h: the parts of a start. Private to vidmm/adapter. */
#ifndef VIDMM_START_H
#define VIDMM_START_H

#include "vidmm/adapter/adapter.h"

/* Once more from the beginning, after a stop: AddDevice, StartDevice, caps, segments. */
vidmm_status adapter_restart(adapter_t *adapter);
vidmm_status caps_start(adapter_t *adapter);     /* MINI-018, MINI-019, MINI-021, MINI-022 */
vidmm_status segments_start(adapter_t *adapter); /* SEG rules, MINI-004 to MINI-020 */

/* ---- asking the miniport -------------------------------------------------------------------- */

/* Calls DxgkDdiQueryAdapterInfo; nothing is told yet. */
NTSTATUS start_query(adapter_t *adapter, DXGKARG_QUERYADAPTERINFO *arg);

/*
 * The same, and judges the answer (MINI-008): a code that the call may not answer is a finding, a
 * failure is refused with the driver's own status.
 */
vidmm_status start_query_end(adapter_t *adapter, const DXGKARG_QUERYADAPTERINFO *arg,
                             NTSTATUS answer, const struct vidmm_field *fields, size_t count);

/* The node of paging buffers, from 2.0 on asked for behind the segments. MINI-022 */
vidmm_status caps_ask_paging_node(adapter_t *adapter);

/* ---- DXGKRNL_INTERFACE ---------------------------------------------------------------------- */

/* Fills adapter->interface, for DxgkDdiStartDevice. */
void callbacks_init(adapter_t *adapter);
/* callback_stubs.c: what is not simulated. */
void interface_fill_stubs(DXGKRNL_INTERFACE *interface);

/* ---- device_space.c: a simulated PCI device (MINI-085) -------------------------------------- */

struct device_space *device_space_new(void);
void device_space_free(struct device_space *space);
/* Register and frame buffer ranges and the interrupt; valid as long as the adapter. */
CM_RESOURCE_LIST *device_space_resources(struct device_space *space);
/* DxgkCbMapMemory, DxgkCbUnmapMemory, DxgkCbReadDeviceSpace, DxgkCbWriteDeviceSpace. */
void interface_fill_space(DXGKRNL_INTERFACE *interface);

#endif
