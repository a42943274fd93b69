/* SPDX-License-Identifier: MIT */
/*
 * vidmm_report.h: what an adapter has, and what a context has of it: numbers to be looked at.
 * Included by vidmm.h.
 */
#ifndef VIDMM_REPORT_H
#define VIDMM_REPORT_H

#include "vidmm/vidmm_types.h"

#ifdef __cplusplus
extern "C" {
#endif

struct vidmm_adapter;

/* The memory report (SEG-072 to SEG-077), in bytes. Constant after the start, but `committed`. */
struct vidmm_memory_report {
    uint64_t system;    /* of the machine */
    uint64_t available; /* for graphics */
    uint64_t dedicated_video, dedicated_system, shared, total;
    uint64_t max_shared;            /* what the system leaves for `shared` */
    uint64_t aperture_commit_limit; /* ApertureSegmentCommitLimit of the driver; 0: none */
    uint64_t committed;             /* against `shared`, now */
};
void vidmm_memory_report(const struct vidmm_adapter *adapter, struct vidmm_memory_report *report);

/* What a context has for its submissions now (SUBMIT-022); sizes of lists are elements. */
struct vidmm_context_view {
    uint32_t node;
    vidmm_handle device;
    uint32_t dma_segment_set; /* bit n-1: DMA buffers may be mapped into segment n; 0: locked */
    uint32_t dma_bytes, dma_private_bytes, list_size, patch_size;
};
/* False for a handle that is no context. */
bool vidmm_context_view(const struct vidmm_adapter *adapter, vidmm_handle context,
                        struct vidmm_context_view *view);

#ifdef __cplusplus
}
#endif
#endif
