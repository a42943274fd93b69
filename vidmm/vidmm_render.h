/* SPDX-License-Identifier: MIT */
/*
 * vidmm_render.h: DMA buffers from the caller to a node, waits for them, and presents; part of
 * vidmm.h. Commands of rendering come from user mode; DxgkDdiPresent builds a copy to a surface
 * out of a source, a destination and a list of sub-rectangles, in as many DMA buffers as it takes
 * (SUBMIT-024). Flips are vidmm_display().
 */
#ifndef VIDMM_RENDER_H
#define VIDMM_RENDER_H

#include "vidmm/vidmm_types.h"

#ifdef __cplusplus
extern "C" {
#endif

struct vidmm_adapter;

/* An element of the caller's allocation list; handle 0 is the NULL element. */
struct vidmm_use {
    vidmm_handle allocation;
    bool write, keep; /* keep: DoNotRetireInstance (RENAME-009) */
    uint32_t offer;   /* OfferPriority: D3DDDI_OFFER_PRIORITY, 0: none (OFFER-004) */
};

/* An element of the caller's patch-location list, in documented terms. */
struct vidmm_patch {
    uint32_t allocation_index, slot, allocation_offset, patch_offset, split_offset;
};

struct vidmm_work {
    const char *label;
    vidmm_handle context;
    const struct vidmm_use *uses; /* element 0 should be NULL by convention */
    size_t use_count;
    const struct vidmm_patch *patches;
    size_t patch_count;
    const void *command; /* pCommand of DxgkDdiRender: the mock reads struct vidmm_mock_command */
    uint32_t command_bytes;
    uint32_t dma_bytes;  /* room for the DMA buffer from now on (SUBMIT-022); 0: as before */
    bool null_rendering; /* its fence is raised, and nothing is executed (SUBMIT-049) */
    uint32_t adapters;   /* of a link: those that execute it, bit i is adapter i; 0: all */
};

struct vidmm_submission {
    uint32_t node, fence;
};

/* One DMA buffer: render, residency, patch, submit (SUBMIT-001). Returns before it has run. */
VIDMM_CHECKED vidmm_status vidmm_submit(struct vidmm_adapter *adapter,
                                        const struct vidmm_work *work,
                                        struct vidmm_submission *submission);
/* Waits until the CPU has seen the fence (TIME-012). */
VIDMM_CHECKED vidmm_status vidmm_wait(struct vidmm_adapter *adapter,
                                      struct vidmm_submission submission);
VIDMM_CHECKED vidmm_status vidmm_wait_idle(struct vidmm_adapter *adapter);
/* Lets time pass (TIME-014); refused where time would come to its end (TIME-002). */
VIDMM_CHECKED vidmm_status vidmm_advance(struct vidmm_adapter *adapter, vidmm_ns duration);
vidmm_ns vidmm_now(const struct vidmm_adapter *adapter);

/* ---- presents ------------------------------------------------------------------------------- */

struct vidmm_present_args {
    const char *label;
    vidmm_handle context;
    vidmm_handle source; /* 0: the destination is filled with a colour */
    vidmm_handle destination;
    uint32_t rects;      /* sub-rectangles that tile the destination; 0: one, all of it */
    void *data;          /* pPrivateDriverData: the mock reads struct vidmm_mock_command */
    uint32_t data_bytes; /* PrivateDriverDataSize */
    uint32_t dma_bytes;  /* room for its DMA buffers from now on (SUBMIT-022); 0: as before */
    uint32_t adapters;   /* of a link: those that execute it, bit i is adapter i; 0: all */
    bool null_rendering; /* its fences are raised, and nothing is executed (SUBMIT-049) */
};

/*
 * `*submission` is the last buffer: behind its fence the command is done. Returns before it has
 * run. Refused like vidmm_submit(), and with STATUS_INVALID_PARAMETER without a destination, with
 * more rectangles than the destination can be divided into, and by a driver that has no
 * DxgkDdiPresent. What an earlier buffer of the command does is done even if a later one fails.
 */
VIDMM_CHECKED vidmm_status vidmm_present(struct vidmm_adapter *adapter,
                                         const struct vidmm_present_args *args,
                                         struct vidmm_submission *submission);

/*
 * Flips the video present source of a primary to it: what was shown there is hidden (RES-057). 0
 * hides all.
 */
VIDMM_CHECKED vidmm_status vidmm_display(struct vidmm_adapter *adapter, vidmm_handle allocation);

#ifdef __cplusplus
}
#endif
#endif
