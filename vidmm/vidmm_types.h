/* SPDX-License-Identifier: MIT */
/*
 * vidmm_types.h: the words that every other public header uses.
 *
 * Units: `_bytes` are bytes, `_pages` host pages (4096 bytes unless the setting `page` says
 * otherwise), `_ns` virtual nanoseconds since the adapter started. An `offset` counts from the
 * start of a segment; an `address` is the segment's BaseAddress plus an offset.
 */
#ifndef VIDMM_TYPES_H
#define VIDMM_TYPES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What a caller may not overlook: a status that nobody looks at is a mistake. */
#if defined(__GNUC__)
#define VIDMM_CHECKED __attribute__((warn_unused_result))
#else
#define VIDMM_CHECKED
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* Names an object of one adapter; 0 is never a handle. That of a destroyed object is refused. */
typedef uint32_t vidmm_handle;

/* Virtual nanoseconds since the adapter started; never the host's clock. */
typedef uint64_t vidmm_ns;

/* A documented NTSTATUS value (see vidmm_status_info). */
typedef int32_t vidmm_status;

enum {
    VIDMM_SEGMENTS_MAX = 31, /* SegmentId has five bits and 0 is none: SEG-006 */
    VIDMM_LINK_MAX = 4,      /* physical adapters of a link */
    VIDMM_NODES_MAX = 64,    /* MINI-018 */
    VIDMM_BANKS_MAX = 127,   /* SEG-040 */
    VIDMM_RANGES_MAX = 4096, /* swizzling ranges: what a driver reports beyond is not used */
    VIDMM_PREFERENCES_MAX = 5,
    VIDMM_BANK_HINTS_MAX = 4,
    VIDMM_DMA_BYTES_MAX = 64 * 1024 * 1024,           /* of one DMA buffer (SUBMIT-022) */
    VIDMM_PAGING_BUFFERS_MAX = 1024,                  /* in the pool of one adapter (TIME-019) */
    VIDMM_PAGING_POOL_BYTES_MAX = 1024 * 1024 * 1024, /* all of them with their private data */
    VIDMM_LIST_MAX = 65536,            /* elements of an allocation list or patch-location list */
    VIDMM_LIVE_MAX = 16 * 1024 * 1024, /* live objects of one adapter */
};

/* Interface versions as the setting `wddm` writes them, times ten: 2.0 is 20. */
enum vidmm_wddm {
    VIDMM_WDDM_1_0 = 10,
    VIDMM_WDDM_1_1 = 11,
    VIDMM_WDDM_1_2 = 12,
    VIDMM_WDDM_1_3 = 13,
    VIDMM_WDDM_2_0 = 20,
    VIDMM_WDDM_2_1 = 21,
    VIDMM_WDDM_2_2 = 22,
    VIDMM_WDDM_2_3 = 23,
    VIDMM_WDDM_2_4 = 24,
    VIDMM_WDDM_2_9 = 29,
    VIDMM_WDDM_3_0 = 30,
    VIDMM_WDDM_3_2 = 32,
};

/*
 * One row of the status table. A row is one result with two names: the NTSTATUS of the kernel
 * thunks and the HRESULT of the callback layer (lock, unlock). hresult_name is NULL where a result
 * never reaches that layer.
 */
struct vidmm_status_info {
    vidmm_status status;
    const char *name;
    uint32_t hresult;
    const char *hresult_name;
};

/* The row of a status, NULL for a value that the table does not know. */
const struct vidmm_status_info *vidmm_status_info(vidmm_status status);
/* Accepts the full name, the name without STATUS_GRAPHICS_ or STATUS_, and the HRESULT name. */
const struct vidmm_status_info *vidmm_status_by_name(const char *name);
/* Row `index` of the table, NULL behind the last: for lists and suggestions. */
const struct vidmm_status_info *vidmm_status_row(size_t index);

/* Where a lock leads: the store, the memory segment, a swizzling range over it, or the alternate
   address of UseAlternateVA. */
enum vidmm_view {
    VIDMM_VIEW_NONE,
    VIDMM_VIEW_BACKING,
    VIDMM_VIEW_SEGMENT,
    VIDMM_VIEW_RANGE,
    VIDMM_VIEW_ALTERNATE,
    VIDMM_VIEW_HOST_APERTURE,
};

#ifdef __cplusplus
}
#endif
#endif
