/* SPDX-License-Identifier: MIT */
/* adapter.h: the door of vidmm/adapter: how an adapter starts, and what it is asked and told. */
#ifndef VIDMM_ADAPTER_ADAPTER_H
#define VIDMM_ADAPTER_ADAPTER_H

#include "vidmm/tell/tell.h"

/* AddDevice, StartDevice, caps, segments, and what follows from the answers. */
vidmm_status adapter_begin(adapter_t *adapter);
/* DxgkDdiStopDevice or what releases the display as well (TDR-032), DxgkDdiRemoveDevice. */
void pnp_stop_driver(adapter_t *adapter);
/* The adapter goes away: what the answers about segments had become. */
void segments_free(adapter_t *adapter);

void callbacks_fini(adapter_t *adapter);

/* The numbers are those of D3DKMT_MEMORY_SEGMENT_GROUP; the last one is no group. */
enum budget_group { BUDGET_LOCAL, BUDGET_NON_LOCAL, BUDGET_NONE, BUDGET_GROUPS };
enum budget_group budget_group_of(const struct vidmm_segment_desc *desc);
const char *budget_group_word(enum budget_group group); /* local, nonlocal, none */
/* What all segments of the group can hold: sizes, of apertures the commit limits. */
uint64_t budget_group_bytes(const adapter_t *adapter, enum budget_group group);

struct start *start_new(void); /* the state of this folder, empty (base_free) */

#endif
