/* SPDX-License-Identifier: MIT */
/*
 * vidmm_property.h: what may change about an allocation after its creation, part of vidmm.h.
 *
 * UpdateAllocationProperty of WDDM 2 (ALLOC-053, RES-029). Only what is named is changed, and what
 * is the same already is ignored.
 */
#ifndef VIDMM_PROPERTY_H
#define VIDMM_PROPERTY_H

#include "vidmm/vidmm_types.h"

#ifdef __cplusplus
extern "C" {
#endif

struct vidmm_adapter;

struct vidmm_property_args {
    vidmm_handle allocation;
    bool set_segments, set_preferred, set_physically, set_unmoveable; /* PropertyMaskValue */
    uint32_t segments;                                                /* SupportedSegmentSet */
    uint32_t preferred; /* PreferredSegment, in its documented layout */
    bool physically;    /* AccessedPhysically */
    bool unmoveable;    /* of a resident allocation */
};

struct vidmm_property_result {
    uint64_t paging_fence_value; /* per device: 1, 2, 3 ...; 0: nothing to wait for */
    uint32_t node, fence;        /* of the paging work, for vidmm_wait() */
};

/*
 * STATUS_SUCCESS: there was nothing to change. STATUS_PENDING: it is done when the fence is
 * reached. Refused, with everything as it was: STATUS_INVALID_PARAMETER for wrong arguments and
 * below 2.0, STATUS_NO_MEMORY when the new set has no room, and what forbids a move that would have
 * to be (FLAG-035, RES-070, PAGE-025).
 */
VIDMM_CHECKED vidmm_status vidmm_update_property(struct vidmm_adapter *adapter,
                                                 const struct vidmm_property_args *args,
                                                 struct vidmm_property_result *result);

#ifdef __cplusplus
}
#endif
#endif
