/* SPDX-License-Identifier: MIT */
/* vidmm_system_range.h: system memory that a caller already has, part of vidmm.h. */
#ifndef VIDMM_SYSTEM_RANGE_H
#define VIDMM_SYSTEM_RANGE_H

#include "vidmm/vidmm_types.h"

#ifdef __cplusplus
extern "C" {
#endif

struct vidmm_adapter;

/*
 * A range that the caller already owns, for ExistingSysMem and ExistingKernelSysMem, or a section
 * for ExistingSection. `misaligned` bytes are added to its page-aligned start, to show what
 * FLAG-022 refuses. Valid in one process, or in all (0). It is mapped write-combined unless it is
 * `cached` or `uncached`. With `of` it takes no memory: it is the CPU address of that allocation,
 * one range for each; below 2.0 only while the allocation is locked. vidmm_destroy() frees it,
 * unless it is the store of an allocation (KMT-035).
 */
struct vidmm_system_range_args {
    const char *label;
    uint64_t bytes, misaligned;
    bool kernel, cached, uncached, section;
    vidmm_handle process, of;
};
VIDMM_CHECKED vidmm_status vidmm_system_range_create(struct vidmm_adapter *adapter,
                                                     const struct vidmm_system_range_args *args,
                                                     vidmm_handle *handle);

#ifdef __cplusplus
}
#endif
#endif
