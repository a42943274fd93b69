/* SPDX-License-Identifier: MIT */
/* context.h: contexts as devices know them, and who is loaded on a node. */
#ifndef VIDMM_CONTEXT_H
#define VIDMM_CONTEXT_H

#include "vidmm/manager.h"

struct render_packet;

/* SEG-054, SUBMIT-022: what a device or context asks for its DMA buffers. */
vidmm_status context_check_buffers(adapter_t *adapter, const char *label,
                                   const DXGK_CONTEXTINFO *info, bool gdi);
/* The same members, as a device without multi-engine support has them. */
DXGK_CONTEXTINFO context_buffers_of(const DXGK_DEVICEINFO *info);

/* DxgkDdiCreateContext and DxgkDdiDestroyContext. */
vidmm_status context_enter_driver(adapter_t *adapter, HANDLE device, DXGK_CREATECONTEXTFLAGS flags,
                                  struct context *context);
void context_leave_driver(adapter_t *adapter, HANDLE driver_handle, vidmm_handle handle);

/* ---- context_allocation.c: who is loaded (struct loaded_context) ----------------------------- */

/* A packet of the context was queued; of paging. */
void context_load(adapter_t *adapter, struct context *context);
void context_load_paging(adapter_t *adapter);
/* Does the context that this node has loaded save its state in the allocation? */
bool context_saves_to(const adapter_t *adapter, uint32_t node, const struct allocation *allocation);
/* The same of any node: it is pinned for nothing else. */
bool context_is_loaded(const adapter_t *adapter, const struct allocation *allocation);
/* Nobody is loaded any more: what it needs may leave. */
void context_unload(adapter_t *adapter, uint32_t node);
/* The node was reset; what it still has to do loads contexts again. */
void context_node_reset(adapter_t *adapter, uint32_t node);
/* No node knows a context any more: a reset of all, or the power was off. */
void context_unload_all(adapter_t *adapter);

/* ---- context_switch.c ------------------------------------------------------------------------ */

/* SUBMIT-047: the allocation leaves its place next. May wait. */
vidmm_status context_switch_away(adapter_t *adapter, const struct allocation *allocation);
/* The context ends. */
vidmm_status context_switch_end(adapter_t *adapter, const struct context *context);

/* There is no handle left for one object more. */
vidmm_status device_no_handle(adapter_t *adapter);

#endif
