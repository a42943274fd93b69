/* SPDX-License-Identifier: MIT */
/*
 * tdr.h: what the files of recovery share.
 *
 * What happens at an interrupt or when a timer fires is only marked (paging/schedule/watch.c);
 * tdr_work() acts upon it from straight-line code (TIME-016).
 */
#ifndef VIDMM_TDR_H
#define VIDMM_TDR_H

#include "paging/schedule/watch.h"
#include "vidmm/recovery/recovery.h"

/* Why an adapter reset happens. */
struct tdr_cause {
    uint32_t node, fence; /* the packet that hangs; fence 0: none */
    uint64_t reason;      /* 9: an engine timeout was promoted (TDR-017) */
    bool fault;           /* no timeout: the driver demands it after a page fault (SUBMIT-060) */
};

/* ---- tdr.c ---------------------------------------------------------------------------------- */

/* DxgkDdiCollectDbgInfo; its status has no effect (TDR-007). */
void tdr_collect(adapter_t *adapter, uint32_t code);
/* Times within TdrLimitTime stay; true when there are TdrLimitCount minus `less` of them. */
bool tdr_limit(adapter_t *adapter, vidmm_ns *times, size_t *count, uint64_t less);
/* TDR-020: the adapter is reset as a whole. */
void tdr_reset_adapter(adapter_t *adapter, const struct tdr_cause *cause);

/* ---- tdr_engine.c, tdr_cleanup.c ------------------------------------------------------------- */

/* TDR-011; an adapter reset may follow. */
void tdr_reset_engine(adapter_t *adapter, const struct tdr_cause *cause);
/* TDR-022 to TDR-027: nothing is in video memory any more. */
vidmm_status tdr_clean(adapter_t *adapter);

/* What was taken back goes to the node once more, but what is for a device in error is dropped. */
void tdr_resubmit(adapter_t *adapter, uint32_t node, uint32_t last);

/* ---- purge.c --------------------------------------------------------------------------------- */

/* Carries it out on an idle GPU, and waits for the end of it. */
vidmm_status purge_run(adapter_t *adapter, const struct purge *purge);

/* ---- fault.c -------------------------------------------------------------------------------- */

/* What devices in error have on any node is taken back, where the hardware can give it back. */
void fault_take_back(adapter_t *adapter);

#endif
