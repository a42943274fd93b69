/* SPDX-License-Identifier: MIT */
/* context.h: contexts as devices know them. Private to vidmm/device. */
#ifndef VIDMM_CONTEXT_H
#define VIDMM_CONTEXT_H

#include "vidmm/tell/tell.h"

/* SEG-054, SUBMIT-022: what a device or context asks for its DMA buffers. */
vidmm_status context_check_buffers(adapter_t *adapter, const char *label,
                                   const DXGK_CONTEXTINFO *info, bool gdi);
/* The same members, as a device without multi-engine support has them. */
DXGK_CONTEXTINFO context_buffers_of(const DXGK_DEVICEINFO *info);

/* DxgkDdiCreateContext and DxgkDdiDestroyContext. */
vidmm_status context_enter_driver(adapter_t *adapter, HANDLE device, DXGK_CREATECONTEXTFLAGS flags,
                                  struct context *context);
void context_leave_driver(adapter_t *adapter, HANDLE driver_handle, vidmm_handle handle);

/* There is no handle left for one object more. */
vidmm_status device_no_handle(adapter_t *adapter);

#endif
