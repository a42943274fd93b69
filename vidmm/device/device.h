/* SPDX-License-Identifier: MIT */
/* device.h: the door of vidmm/device: how processes, devices and contexts end, and the system's. */
#ifndef VIDMM_DEVICE_H
#define VIDMM_DEVICE_H

#include "vidmm/tell/tell.h"

/* The system's own device and context, for paging (MINI-022). */
vidmm_status device_start_system(adapter_t *adapter);
void device_stop_system(adapter_t *adapter);
/* With what they own. Refused when a wait for their work never ends. */
vidmm_status process_destroy(adapter_t *adapter, struct process *process);
vidmm_status device_destroy(adapter_t *adapter, struct device *device);
vidmm_status context_destroy(adapter_t *adapter, struct context *context);
/* Without waiting, and nothing owned is left. */
void process_free(adapter_t *adapter, struct process *process);
void device_free(adapter_t *adapter, struct device *device);
void context_free(adapter_t *adapter, struct context *context);
/* Its allocations go, and the driver forgets it; the handle stays for its owner to destroy. */
vidmm_status device_leave_driver(adapter_t *adapter, struct device *device);

#endif
