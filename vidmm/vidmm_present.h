/* SPDX-License-Identifier: MIT */
/*
 * vidmm_present.h: a copy to a surface that the kernel-mode driver builds, part of vidmm.h.
 *
 * DxgkDdiPresent builds it, out of a source, a destination and a list of sub-rectangles, in as many
 * DMA buffers as it takes (SUBMIT-024). Flips are vidmm_display().
 */
#ifndef VIDMM_PRESENT_H
#define VIDMM_PRESENT_H

#include "vidmm/vidmm_types.h"

#ifdef __cplusplus
extern "C" {
#endif

struct vidmm_adapter;
struct vidmm_submission;

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

#ifdef __cplusplus
}
#endif
#endif
