/* SPDX-License-Identifier: MIT */
/* start_query.h: asking a miniport at the adapter's start. Private to caps_start.c, segments_*.c.
 */
#ifndef VIDMM_START_QUERY_H
#define VIDMM_START_QUERY_H

#include "vidmm/tell/tell.h"

/* Calls DxgkDdiQueryAdapterInfo; nothing is told yet. */
NTSTATUS start_query(adapter_t *adapter, DXGKARG_QUERYADAPTERINFO *arg);

/* Event driver-call: the type, then `fields`. For a question that may fail without effect. */
void start_query_tell(adapter_t *adapter, const DXGKARG_QUERYADAPTERINFO *arg, NTSTATUS answer,
                      const struct vidmm_field *fields, size_t count);

/*
 * The same, and judges the answer (MINI-008): a code that the call may not answer is a finding, a
 * failure is refused with the driver's own status.
 */
vidmm_status start_query_end(adapter_t *adapter, const DXGKARG_QUERYADAPTERINFO *arg,
                             NTSTATUS answer, const struct vidmm_field *fields, size_t count);

/* caps_start.c: the node of paging buffers, from 2.0 on asked for behind the segments. MINI-022 */
vidmm_status caps_ask_paging_node(adapter_t *adapter);

#endif
