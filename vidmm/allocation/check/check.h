/* SPDX-License-Identifier: MIT */
/* check.h: the door of vidmm/allocation/check: may a creation be, before and after the driver? */
#ifndef VIDMM_CHECK_H
#define VIDMM_CHECK_H

#include "vidmm/tell/tell.h"

/* One creation call on its way. */
struct creation {
    adapter_t *adapter;
    const struct vidmm_creation_args *call;
    uint32_t flags; /* of the call, those that the interface version has */
    struct device *device;
    struct resource *resource; /* NULL: they stand alone on the device */
    bool new_resource;         /* made by this call */
    const struct vidmm_allocation_args *args;
    size_t count;
    uint64_t heap_bytes;               /* ExistingHeapData.Size of a StandardAllocation, else 0 */
    struct standard_answer *standards; /* of `count` elements; NULL when none is standard */
    uint8_t *private_data;             /* room for a copy of what the call and all elements bring */
    /* of `count` elements */
    DXGK_ALLOCATIONINFO *infos;
    DXGK_OPENALLOCATIONINFO *opens;
    struct allocation **made; /* NULL: not made yet */
    /* how far it came */
    bool created; /* the driver has it */
    bool opened;  /* the driver has opened it */
    bool joined;  /* it lives: an ordinary destruction ends it */
};

/* For messages: the first allocation, or what has none. */
static inline const char *creation_label(const struct creation *creation)
{
    return creation->count ? creation->args[0].label : "resource";
}

/* Finds device and resource, refuses what the flags of the call do not allow. */
vidmm_status creation_check(struct creation *creation);
/* Checks DXGK_ALLOCATIONINFO and fills `info`; lists every broken rule in the refusal (C3). */
vidmm_status allocation_check(adapter_t *adapter, const DXGK_ALLOCATIONINFO *answer,
                              const struct allocation_request *request,
                              struct allocation_info *info);
/* Checks what an update makes of an allocation: its set of segments, its flags, and what it prefers
   (0: what it preferred before). The rules are those of its creation. */
vidmm_status allocation_check_update(adapter_t *adapter, const struct allocation *allocation,
                                     uint32_t set, uint32_t flags, uint32_t preferred);

#endif
