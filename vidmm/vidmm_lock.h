/* SPDX-License-Identifier: MIT */
/*
 * vidmm_lock.h: CPU access, part of vidmm.h.
 *
 * pfnLockCb and pfnUnlockCb, from 2.0 on also pfnLock2Cb and pfnUnlock2Cb, and what the CPU does
 * under a lock. Sizes are bytes, page lists count host pages.
 */
#ifndef VIDMM_LOCK_PUBLIC_H
#define VIDMM_LOCK_PUBLIC_H

#include "vidmm/vidmm_types.h"

#ifdef __cplusplus
extern "C" {
#endif

struct vidmm_adapter;

struct vidmm_page_range {
    uint64_t first, count;
};

struct vidmm_lock_args {
    vidmm_handle device, allocation;
    bool lock2;                           /* pfnLock2Cb, from 2.0 on; else pfnLockCb */
    uint32_t flags;                       /* D3DDDICB_LOCKFLAGS */
    uint32_t private_data;                /* PrivateDriverData: which range (SWIZ-015) */
    const struct vidmm_page_range *pages; /* the page list as runs */
    size_t page_runs;
};

struct vidmm_lock_result {
    uint64_t address; /* the token that stays the same until unlock (LOCK-031) */
    enum vidmm_view via;
    vidmm_handle allocation; /* the instance that is locked: another after Discard (RENAME-007) */
    uint64_t bytes; /* that can be seen from there; `via` is that of the first part (LINK-010) */
    uint32_t parts; /* 1, or of an instanced allocation as many as the link has adapters */
};

VIDMM_CHECKED vidmm_status vidmm_lock(struct vidmm_adapter *adapter,
                                      const struct vidmm_lock_args *args,
                                      struct vidmm_lock_result *result);
/* One call for several allocations of one device: all or nothing (LOCK-057). */
VIDMM_CHECKED vidmm_status vidmm_unlock(struct vidmm_adapter *adapter, vidmm_handle device,
                                        const vidmm_handle *allocations, size_t count);
/* CPU access to bytes [offset, offset + bytes) of what a lock shows; costs time (TIME-020), warns
   as LOCK-067 says. */
VIDMM_CHECKED vidmm_status vidmm_cpu_write(struct vidmm_adapter *adapter, vidmm_handle allocation,
                                           uint64_t offset, uint64_t bytes);
/* Compares what the CPU sees with what should be there; `*intact` is the answer. Nothing is
   promised of lost content, or without a lock: that is true, and warned of (LOCK-067). */
VIDMM_CHECKED vidmm_status vidmm_cpu_read(struct vidmm_adapter *adapter, vidmm_handle allocation,
                                          uint64_t offset, uint64_t bytes, bool *intact);
/* Forgets which pages were written; refused without WriteWatch (KMT-023). */
VIDMM_CHECKED vidmm_status vidmm_reset_watch(struct vidmm_adapter *adapter,
                                             vidmm_handle allocation);

#ifdef __cplusplus
}
#endif
#endif
