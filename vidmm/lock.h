/* SPDX-License-Identifier: MIT */
/*
 * lock.h: a lock on its way through the chapter 0.5 of the locking catalogue. Private to lock*.c.
 *
 *   lock_check.c  1 to 6: may there be such a lock? Refused without side effect.
 *   lock.c        7 and 8: waiting for the GPU; 10: the books
 *   lock_reach.c  9: the way to the bits, which may move the allocation
 */
#ifndef VIDMM_LOCK_H
#define VIDMM_LOCK_H

#include "vidmm/manager.h"

/* D3DDDICB_LOCKFLAGS. */
enum {
    LOCK_READ_ONLY = VIDMM_LOCK_ReadOnly,
    LOCK_WRITE_ONLY = VIDMM_LOCK_WriteOnly,
    LOCK_DONOT_WAIT = VIDMM_LOCK_DonotWait,
    LOCK_ENTIRE = VIDMM_LOCK_LockEntire,
    LOCK_DONOT_EVICT = VIDMM_LOCK_DonotEvict,
    LOCK_RESERVED = (int)0xFFFFF800,
    LOCK_LATER = 0x8 | 0x40 | 0x80 | 0x100 | 0x200 | 0x400, /* not simulated yet */
};

struct lock_request {
    const struct vidmm_lock_args *args;
    struct device *device;
    struct allocation *allocation;
    bool waited;  /* for the GPU */
    bool complex; /* needed a paging operation */
};

/* Steps 1 and 2: the device and its allocation. */
vidmm_status lock_find(adapter_t *adapter, vidmm_handle device_handle, vidmm_handle handle,
                       struct device **device, struct allocation **allocation);
/* Steps 3 to 6, and the advice about page lists. */
vidmm_status lock_check(adapter_t *adapter, const struct lock_request *request);
/* Step 9: sets the view. */
vidmm_status lock_reach(adapter_t *adapter, struct lock_request *request);

static inline bool lock_in_memory(const adapter_t *adapter, const struct allocation *allocation)
{
    return allocation->state == ALLOCATION_RESIDENT && place_in_memory(adapter, &allocation->place);
}

/* Of memory: does the CPU see the segment? */
static inline bool lock_cpu_reaches(const adapter_t *adapter, const struct allocation *allocation)
{
    return (segment_desc(adapter, allocation->place.segment)->flags & SEGMENT_CPU_VISIBLE) != 0;
}

#endif
